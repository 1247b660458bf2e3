#include <thrust/sort.h>
/* SPDX-License-Identifier: Apache-2.0 */
