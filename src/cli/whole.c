/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/whole.h"

#include "cli/cli.h"
#include "cli/shown.h"

/* The first launch that is not complete; NULL: all are. */
static const char *broken_launch(struct arena *a, const struct tr_reader *r)
{
    for (uint32_t i = 0; i < tr_nlaunches(r); i++) {
        const struct tr_launch_info *l = tr_launch(r, i);
        char name[128];
        if (!l->complete || l->recorded != l->nctas)
            return arena_printf(a, "launch %u (%s) has %llu of %llu CTAs", i,
                                shown_kernel(name, sizeof name, tr_kernel(r, l->l.kernel)->name),
                                (unsigned long long)l->recorded, (unsigned long long)l->nctas);
    }
    return NULL;
}

static const char *join(struct arena *a, const char *text, const char *more)
{
    return !more ? text : *text ? arena_printf(a, "%s, %s", text, more) : more;
}

const char *whole_lacks(struct arena *a, const struct tr_reader *r)
{
    unsigned long long missing = tr_missing(r);
    if (!tr_partial(r))
        return NULL;
    const char *text = tr_closed(r) ? "" : "its recording did not come to its end";
    if (missing)
        text =
            join(a, text, arena_printf(a, "%llu launch%s could not be recorded", missing, cli_es(missing)));
    text = join(a, text, broken_launch(a, r));
    uint32_t n = tr_nlaunches(r), whole = tr_nwhole(r);
    return join(a, text, arena_printf(a, "%u of %u launch%s whole", whole, n, n == 1 ? " is" : "es are"));
}

const char *whole_code(struct arena *a, const struct tr_reader *r)
{
    uint32_t theirs = 0, arch = 0, n = tr_nkernels(r);
    for (uint32_t i = 0; i < n; i++) {
        theirs += tr_kernel(r, i)->arch != 0;
        arch = tr_kernel(r, i)->arch > arch ? tr_kernel(r, i)->arch : arch;
    }
    if (!theirs)
        return "";
    const char *some = theirs < n ? arena_printf(a, " in %u of %u kernels", theirs, n) : "";
    return arena_printf(a, ", NVIDIA's code for sm_%u%s", arch, some);
}

const char *whole_code_word(const struct tr_reader *r)
{
    uint32_t theirs = 0, n = tr_nkernels(r);
    for (uint32_t i = 0; i < n; i++)
        theirs += tr_kernel(r, i)->arch != 0;
    return !theirs ? "ptx" : theirs < n ? "both" : "sass";
}

static bool is_usable(const struct tr_reader *r, const char *name, bool partial_ok, struct diag *d)
{
    struct arena a = {0};
    uint64_t ctas = 0;
    for (uint32_t i = 0; i < tr_nlaunches(r); i++)
        ctas += tr_launch(r, i)->recorded;
    const char *lacks = whole_lacks(&a, r);
    bool ok = ctas && (!lacks || partial_ok);
    if (!ok && lacks)
        diag_plain(d, "%s is partial: %s; %s", name, lacks,
                   ctas ? "record it again, or take what is there with --allow-partial" : "record it again");
    else if (!ok)
        diag_plain(d, "%s has no launch: there is nothing to time", name);
    arena_free(&a);
    return ok;
}

struct tr_reader *whole_open(const char *path, const char *name, bool partial_ok, struct diag *d)
{
    struct tr_reader *r = tr_open(path, d);
    if (!r || is_usable(r, name, partial_ok, d))
        return r;
    tr_free(r);
    return NULL;
}
