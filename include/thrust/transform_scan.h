#include <thrust/scan.h>
/* SPDX-License-Identifier: Apache-2.0 */
