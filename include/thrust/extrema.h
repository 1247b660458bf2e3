#include <thrust/reduce.h>
/* SPDX-License-Identifier: Apache-2.0 */
