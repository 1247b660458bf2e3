#include <thrust/detail/iterators.h>
/* SPDX-License-Identifier: Apache-2.0 */
