#include <cub/device/device_select.cuh>
// SPDX-License-Identifier: Apache-2.0
