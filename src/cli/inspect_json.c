/* SPDX-License-Identifier: Apache-2.0 */
/* The same figures as JSON: counts, and sums where the tables show ratios. */
#include "cli/cli.h"
#include "cli/inspect_trace.h"
#include "cli/json.h"

#include <inttypes.h>

static json_t *dims(const uint32_t d[3])
{
    json_t *a = json_array();
    for (unsigned i = 0; i < 3; i++)
        json_array_append_new(a, cli_json_number(d[i]));
    return a;
}

static json_t *launch_json(const struct tr_reader *r, uint32_t i)
{
    const struct tr_launch_info *l = tr_launch(r, i);
    const struct tr_kernel *k = tr_kernel(r, l->l.kernel);
    json_t *o = json_object(), *after = json_array();
    json_object_set_new(o, "launch", cli_json_number(i));
    json_object_set_new(o, "kernel", cli_json_text(k->name));
    json_object_set_new(o, "grid", dims(l->l.grid));
    json_object_set_new(o, "block", dims(l->l.block));
    json_object_set_new(o, "cluster", dims(l->l.cluster));
    json_object_set_new(o, "regs", cli_json_number(k->regs));
    json_object_set_new(o, "shared_b", cli_json_number(k->shared_b + l->l.dyn_shared_b));
    json_object_set_new(o, "local_b", cli_json_number(k->local_b));
    json_object_set_new(o, "stream", cli_json_number(l->l.stream));
    json_object_set_new(o, "priority", cli_json_number(tr_priority(&l->l)));
    for (uint32_t n = 0; n < l->l.nafter; n++)
        json_array_append_new(after, cli_json_number(l->l.after[n]));
    json_object_set_new(o, "after", after);
    json_object_set_new(o, "cooperative", json_boolean(l->l.flags & TL_COOPERATIVE));
    json_object_set_new(o, "ctas", cli_json_number(l->nctas));
    json_object_set_new(o, "recorded_ctas", cli_json_number(l->recorded));
    json_object_set_new(o, "complete", json_boolean(l->complete && l->recorded == l->nctas));
    json_object_set_new(o, "warp_insts", cli_json_number(l->warp_insts));
    json_object_set_new(o, "thread_insts", cli_json_number(l->thread_insts));
    return o;
}

static json_t *space_json(const struct space_stats *m, unsigned space)
{
    json_t *o = json_object();
    json_object_set_new(o, "requests", cli_json_number(m->requests));
    json_object_set_new(o, "loads", cli_json_number(m->loads));
    json_object_set_new(o, "stores", cli_json_number(m->stores));
    json_object_set_new(o, "atomics", cli_json_number(m->atomics));
    json_object_set_new(o, "lanes", cli_json_number(m->lanes));
    json_object_set_new(o, "bytes", cli_json_number(m->bytes));
    json_object_set_new(o, "sectors", cli_json_number(m->sectors));
    if (space == SPACE_SHARED)
        json_object_set_new(o, "bank_passes", cli_json_number(m->passes));
    json_object_set_new(o, "lines", cli_json_number(distinct_count(&m->lines)));
    json_object_set_new(o, "lines_exact", json_boolean(distinct_exact(&m->lines)));
    json_object_set_new(o, "footprint_b", cli_json_number(distinct_count(&m->lines) * LINE_B));
    return o;
}

static json_t *stats_json(const struct trace_stats *s)
{
    static const char *const lanes[4] = {"none", "1-16", "17-31", "32"};
    json_t *o = json_object(), *mix = json_object(), *active = json_object(), *values = json_object(),
           *memory = json_object();
    json_object_set_new(o, "warp_insts", cli_json_number(s->warp_insts));
    json_object_set_new(o, "thread_insts", cli_json_number(s->thread_insts));
    for (unsigned c = 0; c < TC_COUNT; c++) {
        if (s->by_class[c])
            json_object_set_new(mix, tr_classes[c].name, cli_json_number(s->by_class[c]));
    }
    for (unsigned k = 0; k < 4; k++)
        json_object_set_new(active, lanes[k], cli_json_number(s->by_active[k]));
    for (unsigned v = 0; v < TV_COUNT; v++)
        json_object_set_new(values, trace_value_names[v], cli_json_number(s->values[v]));
    for (unsigned k = 0; k < STAT_SPACES; k++) {
        if (s->space[k].requests)
            json_object_set_new(memory, trace_space_name(k), space_json(&s->space[k], k));
    }
    json_object_set_new(o, "classes", mix);
    json_object_set_new(o, "active_lanes", active);
    json_object_set_new(o, "cond_branches", cli_json_number(s->branches));
    json_object_set_new(o, "split_branches", cli_json_number(s->split));
    json_object_set_new(o, "value_words", values);
    json_object_set_new(o, "memory", memory);
    return o;
}

int inspect_json(struct tr_reader *r, uint32_t launch, const struct trace_stats *s)
{
    char id[24];
    json_t *o = json_object(), *launches = json_array();
    snprintf(id, sizeof id, "%016" PRIx64, tr_identity(r));
    json_object_set_new(o, "program", cli_json_text(tr_info(r)->command));
    json_object_set_new(o, "maker", cli_json_text(tr_info(r)->maker));
    json_object_set_new(o, "identity", json_string(id));
    json_object_set_new(o, "partial", json_boolean(tr_partial(r)));
    json_object_set_new(o, "file_b", cli_json_number(tr_file_bytes(r)));
    json_object_set_new(o, "kernels", cli_json_number(tr_nkernels(r)));
    json_object_set_new(o, "copies", cli_json_number(tr_ncopies(r)));
    for (uint32_t i = 0; i < tr_nlaunches(r); i++) {
        if (launch == UINT32_MAX || launch == i)
            json_array_append_new(launches, launch_json(r, i));
    }
    json_object_set_new(o, "launches", launches);
    json_object_set_new(o, "stats", stats_json(s));
    bool ok = json_dumpf(o, stdout, JSON_INDENT(2)) == 0;
    putchar('\n');
    json_decref(o);
    return ok ? CLI_OK : CLI_FAILED;
}
