#include <thrust/random.h>
/* SPDX-License-Identifier: Apache-2.0 */
