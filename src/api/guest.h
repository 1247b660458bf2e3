/* SPDX-License-Identifier: Apache-2.0 */
/* A warp scheduler that is not of the registry: a table of a library's caller, or of a plug-in, made one of the seam wsched. */
#ifndef API_GUEST_H
#define API_GUEST_H

#include "api/bankshot.h"
#include "base/diag.h"
#include "sm/sm.h"
#include "sm/wsched/wsched.h"

/* Lives as long as the configuration that it was put into. */
struct guest {
    struct wsched_ops ops;
    const struct bankshot_scheduler *theirs;
};

/* Makes s the scheduler of cfg. False after reporting: its table is of another version or lacks something. */
bool guest_put(struct guest *g, const struct bankshot_scheduler *s, struct sm_cfg *cfg, struct diag *d);

/* The table of a plug-in, which stays loaded until the process ends. NULL after reporting. */
const struct bankshot_scheduler *guest_load(const char *path, struct diag *d);

#endif
