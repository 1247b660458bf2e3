/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/wishes.h"

#include "cli/cli.h"
#include "cli/output.h"
#include "cli/watch/interval.h"

bool wishes_take_stdout(const struct wishes *u)
{
    return output_is_stdout(u->profile_csv) || output_is_stdout(u->interval_csv) ||
           output_is_stdout(u->pipe.path);
}

/* The timeline's counters and the rows of intervals are the same samples. */
static bool agree(struct wishes *u)
{
    if (u->interval_csv && !u->interval_cyc) {
        cli_error("--interval-csv needs --interval N");
        return false;
    }
    if (u->interval_cyc && u->line.every != WISHES_EVERY && u->line.every != u->interval_cyc) {
        cli_error("--interval %u and --timeline-every %u: they must be the same", u->interval_cyc,
                  u->line.every);
        return false;
    }
    if (u->interval_cyc)
        u->line.every = u->interval_cyc;
    return true;
}

bool wishes_check(struct wishes *u, const char *interval_name, const struct cli_spec *s)
{
    if (!agree(u))
        return false;
    bool named = u->interval_cyc && !u->interval_csv;
    if (named)
        u->interval_csv = interval_name;
    return !named || cli_files(s, NULL, 0);
}

bool watchers_open(struct watchers *w, const struct wishes *u, const struct pipeline_head *h,
                   const struct gpu_conf *c, const struct watched *programs, uint32_t n)
{
    bool ok = true;
    *w = (struct watchers){.all = watch_new(c->gpu.sms)};
    if (u->line.path) {
        w->line = timeline_open(&u->line, c, programs, n);
        ok = w->line;
        watch_add(w->all, ok ? timeline_observer(w->line) : NULL);
    }
    if (ok && u->interval_cyc) {
        w->interval = interval_csv_open(u->interval_csv, u->interval_cyc, n, c);
        ok = w->interval;
        watch_add(w->all, ok ? interval_csv_observer(w->interval) : NULL);
    }
    if (ok && u->pipe.path) {
        w->pipe = pipeline_open(&u->pipe, h, c, programs, n);
        ok = w->pipe;
        watch_add(w->all, ok ? pipeline_observer(w->pipe) : NULL);
    }
    for (uint32_t i = 0; ok && (u->profile || u->profile_csv) && i < n; i++) {
        w->profiles[i] = profile_new(programs[i].trace, i);
        watch_add(w->all, profile_observer(w->profiles[i]));
    }
    return ok;
}

const struct gpu_observer *watchers_observer(const struct watchers *w) { return watch_observer(w->all); }

bool watchers_close(struct watchers *w, const struct gpu_result *r)
{
    bool ok = !w->line || timeline_close(w->line);
    ok = (!w->interval || interval_csv_close(w->interval, r)) && ok;
    ok = (!w->pipe || pipeline_close(w->pipe)) && ok;
    for (uint32_t i = 0; r && i < GPU_TENANTS; i++)
        if (w->profiles[i])
            profile_end(w->profiles[i], r);
    watch_free(w->all);
    w->all = NULL;
    w->line = NULL;
    w->interval = NULL;
    w->pipe = NULL;
    return ok;
}

void watchers_free(struct watchers *w)
{
    for (uint32_t i = 0; i < GPU_TENANTS; i++)
        profile_free(w->profiles[i]);
}
