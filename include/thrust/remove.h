#include <thrust/unique.h>
/* SPDX-License-Identifier: Apache-2.0 */
