/* SPDX-License-Identifier: Apache-2.0 */
/* The checks that the process's kernels run under, if BANKSHOT_CHECK asks for them (exec/sanitize/). */
#include "cudart/rt.h"

#include "exec/sanitize/sanitize.h"

void rt_read_checks(struct rt_cfg *c)
{
    const char *s = getenv("BANKSHOT_CHECK");
    if (!s || !*s)
        return;
    c->check = true;
    while (*s) {
        size_t n = strcspn(s, ",");
        if (n == 4 && strncmp(s, "race", n) == 0)
            c->check_race = true;
        else if (n == 4 && strncmp(s, "init", n) == 0)
            c->check_init = true;
        else if (n == 4 && strncmp(s, "sync", n) == 0)
            c->check_sync = true;
        else if (n != 6 || strncmp(s, "memory", n) != 0)
            rt_message("BANKSHOT_CHECK: there is no check '%.*s'; memory, race, init and sync are there",
                       (int)n, s);
        s += n + (s[n] == ',');
    }
}

static void tell(void *ctx, const char *text)
{
    (void)ctx;
    rt_message("%s", text);
}

void rt_begin_checks(struct rt *rt)
{
    const struct rt_cfg *c = &rt->cfg;
    if (!c->check)
        return;
    if (c->check_race || c->check_init || c->check_sync) {
        const struct exec_check_cfg cfg = {
            .race = c->check_race, .init = c->check_init, .sync = c->check_sync, .tell = tell};
        exec_check_start(rt->dev, &cfg);
    }
    rt_note_status(rt);
}

bool rt_end_checks(struct rt *rt)
{
    if (!rt->cfg.check)
        return true;
    struct exec_check_sum sum = exec_check_sum(rt->dev);
    const char *to = getenv("BANKSHOT_CHECK_SUM"); /* for bankshot check: which launches there were, if any */
    FILE *f = to && rt->order.first.n ? fopen(to, "a") : NULL;
    if (f) {
        fprintf(f, "%u\n", rt->order.first.n - 1);
        fclose(f);
    }
    uint64_t all = sum.findings + rt->nfailed;
    if (rt->nmissed)
        rt_message("%u launch%s could not be run, and %s not checked", rt->nmissed,
                   rt->nmissed == 1 ? "" : "es", rt->nmissed == 1 ? "is" : "are");
    if (all)
        rt_message("%llu finding%s", (unsigned long long)all, all == 1 ? "" : "s");
    else if (!rt->nmissed)
        rt_message("nothing was found");
    return !all && !rt->nmissed;
}
