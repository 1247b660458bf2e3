/* SPDX-License-Identifier: Apache-2.0 */
/* No limits: whoever is ready may issue. */
#include "sm/tenant/tenant.h"

const struct tenant_ops tenant_free = {
    .is = {.name = "free", .help = "all warps of all tenants may issue, with any number of requests"}};
