#include <thrust/detail/config.h>
/* SPDX-License-Identifier: Apache-2.0 */
