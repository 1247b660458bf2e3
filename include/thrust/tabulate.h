#include <thrust/for_each.h>
/* SPDX-License-Identifier: Apache-2.0 */
