#include <thrust/device_ptr.h>
/* SPDX-License-Identifier: Apache-2.0 */
