#include <thrust/execution_policy.h>
/* SPDX-License-Identifier: Apache-2.0 */
