#include <thrust/copy.h>
/* SPDX-License-Identifier: Apache-2.0 */
