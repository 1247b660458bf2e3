/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/trace_facts.h"

#include "annotate/reuse.h"
#include "cli/watch/trace_stats.h"

struct facts {
    struct arena arena;
    VEC(struct db_fact) rows;
};

static void add(struct facts *f, const char *group, const char *name, uint64_t value)
{
    const char *full = arena_printf(&f->arena, "%s.%s", group, name);
    vec_push(&f->rows, (struct db_fact){full, value});
}

/* The architecture of NVIDIA's machine code in it; 0: all of it was compiled here. */
static void add_code(struct facts *f, const struct tr_reader *r)
{
    uint32_t sm = 0;
    for (uint32_t k = 0; k < tr_nkernels(r); k++)
        sm = tr_kernel(r, k)->arch > sm ? tr_kernel(r, k)->arch : sm;
    add(f, "code", "sm", sm);
}

static void add_space(struct facts *f, const struct space_stats *s, unsigned space)
{
    const char *group = arena_printf(&f->arena, "space.%s", trace_space_name(space));
    add(f, group, "requests", s->requests);
    add(f, group, "loads", s->loads);
    add(f, group, "stores", s->stores);
    add(f, group, "atomics", s->atomics);
    add(f, group, "lanes", s->lanes);
    add(f, group, "bytes", s->bytes);
    add(f, group, "sectors", s->sectors);
    if (space == SPACE_SHARED)
        add(f, group, "bank_passes", s->passes);
    add(f, group, "lines", distinct_count(&s->lines));
}

static void add_all(struct facts *f, const struct trace_stats *s)
{
    static const char *const lanes[4] = {"none", "1-16", "17-31", "32"};
    for (unsigned c = 0; c < TC_COUNT; c++) {
        if (s->by_class[c])
            add(f, "class", tr_classes[c].name, s->by_class[c]);
    }
    for (unsigned k = 0; k < 4; k++)
        add(f, "active", lanes[k], s->by_active[k]);
    for (unsigned v = 0; v < TV_COUNT; v++)
        add(f, "value", trace_value_names[v], s->values[v]);
    for (unsigned k = 0; k < STAT_SPACES; k++) {
        if (s->space[k].requests)
            add_space(f, &s->space[k], k);
    }
    for (unsigned k = 0; k < LIGHT_KINDS; k++)
        add(f, "flops", light_kinds[k], (uint64_t)s->flops[k]);
    add(f, "branch", "conditional", s->branches);
    add(f, "branch", "split", s->split);
}

/* Reads of registers by distance from the access before, over all warps: reuse.1, reuse.2, ..., reuse.more; reuse.unused. */
static bool add_reuse(struct facts *f, struct tr_reader *r, struct diag *d)
{
    uint64_t hist[REUSE_HIST] = {0}, unused = 0;
    bool ok = true;
    for (uint32_t k = 0; ok && k < tr_nkernels(r); k++) {
        struct reuse u;
        ok = reuse_profile(r, k, 1, 1, &u, d);
        for (unsigned i = 0; i < REUSE_HIST; i++)
            hist[i] += u.hist[i];
        unused += u.unused;
        reuse_free(&u);
    }
    for (unsigned i = 0; i + 1 < REUSE_HIST; i++)
        add(f, "reuse", arena_printf(&f->arena, "%u", i + 1), hist[i]);
    add(f, "reuse", "more", hist[REUSE_HIST - 1]);
    add(f, "reuse", "unused", unused);
    return ok;
}

bool trace_facts_put(const char *db_path, struct tr_reader *r, struct diag *d)
{
    struct trace_stats s;
    struct facts f = {0};
    bool ok = trace_stats_get(&s, r, UINT32_MAX, d) && add_reuse(&f, r, d);
    if (ok) {
        add_all(&f, &s);
        add_code(&f, r);
        struct db *db = db_open(db_path, DB_AGAIN, d);
        ok = db && db_put_facts(db, r, f.rows.at, f.rows.n, d);
        db_close(db);
    }
    trace_stats_free(&s);
    vec_free(&f.rows);
    arena_free(&f.arena);
    return ok;
}
