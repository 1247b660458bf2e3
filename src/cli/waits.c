/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/waits.h"

#include "annotate/waits.h"

bool cli_waits_ok(const struct gpu_conf *c, const struct tr_reader *t, struct diag *d)
{
    const struct waits_table table = {(const uint32_t *)(const void *)&c->lat, c->sm.guard_cyc,
                                      c->sm.pass_cyc};
    bool ok = true;
    for (uint32_t i = 0; c->sm.control_codes && i < tr_nkernels(t); i++) {
        const struct tr_kernel *k = tr_kernel(t, i);
        struct waits_early e;
        struct arena a = {0};
        if (waits_too_short(k, &table, &e)) {
            diag_plain(d, "kernel %s: %s", k->name, waits_tell(k, &e, &a));
            ok = false;
        }
        arena_free(&a);
    }
    return ok;
}
