/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view/occupancy_tell.h"

#include "cli/cli.h"

#include <math.h>

const char *occupancy_limited_by(const struct occupancy *o, char *to, size_t size)
{
    static const char *const words[OCC_LIMITS] = {"places for CTAs", "threads", "warp slots", "registers",
                                                  "shared memory"};
    size_t n = 0;
    to[0] = 0;
    for (uint32_t left = o->limits; left && n < size; left &= left - 1) {
        int k = snprintf(to + n, size - n, "%s%s", n ? " and " : "", words[__builtin_ctz(left)]);
        n += k > 0 ? (size_t)k : 0;
    }
    return to;
}

void occupancy_print_sm(const struct occupancy *o, FILE *to)
{
    char by[128];
    if (!o->ctas) {
        fprintf(to, "no SM holds a CTA: %s", o->why);
        return;
    }
    occupancy_limited_by(o, by, sizeof by);
    fprintf(to, "%u CTA%s and %u of %u warps an SM (%.0f%%), limited by %s", o->ctas, cli_s(o->ctas),
            o->warps, o->slots, 100.0 * o->warps / o->slots,
            *by ? by : "partitions without room for whole warps");
}

void occupancy_print_grid(const struct gpu_conf *c, const struct occupancy *o, uint64_t ctas, FILE *to)
{
    uint64_t wave = (uint64_t)o->ctas * c->gpu.sms;
    fprintf(to, "%llu CTA%s %s %s%.2f wave%s of %llu", (unsigned long long)ctas, cli_s(ctas),
            ctas == 1 ? "is" : "are", o->waves < 0.005 ? "less than " : "",
            o->waves < 0.005 ? 0.01 : o->waves, o->waves == 1 ? "" : "s", (unsigned long long)wave);
    if (o->idle_sms)
        fprintf(to, ": %u of %u SMs have none", o->idle_sms, c->gpu.sms);
    else if (o->waves > 1 && o->last < wave)
        fprintf(to, ": the last one fills %.0f%% of the places", 100.0 * (double)o->last / (double)wave);
}

/* clang-format off */
#define OCCUPANCY(X, T)                                                                                      \
    X(T, COUNT, OPEN, threads, "of a CTA")                                                                   \
    X(T, COUNT, OPEN, regs, "registers of a thread")                                                         \
    X(T, COUNT, OPEN, shared_b, "bytes of shared memory of a CTA")                                           \
    X(T, COUNT, OPEN, ctas, "of the grid; 0: not known")                                                     \
    X(T, COUNT, OPEN, ctas_sm, "CTAs that an SM holds together; 0: none fits")                               \
    X(T, COUNT, OPEN, warps_sm, "warps of these")                                                            \
    X(T, COUNT, OPEN, slots_sm, "warps that an SM could hold")                                               \
    X(T, TEXTS, OPEN, limited_by, "what allows no more: ctas, threads, warps, registers, shared; "      \
      "empty: no partition has room for whole warps of another CTA")                                         \
    X(T, COUNTS, OPEN, allows, "CTAs that each of these would allow alone, of those that limit them",        \
      .keys = &limit_keys, .some = true) \
    X(T, REAL, NULLABLE, waves, "how often the grid fills all SMs; null: it is not known, or no CTA fits")   \
    X(T, COUNT, NULLABLE, last_wave, "CTAs of the last wave; null: as waves")                                \
    X(T, COUNT, NULLABLE, idle_sms, "SMs for which there is no CTA; null: as waves")                         \
    X(T, REAL, NULLABLE, achieved_warps, "measured: warps on an SM, mean of all SMs and kernel cycles; null: it was not run") \
    X(T, REAL, NULLABLE, tail, "measured: share of the kernel cycles after its last CTA began; null: it was not run")
/* clang-format on */

static void add_limits(json_t *to)
{
    for (uint32_t i = 0; i < OCC_LIMITS; i++)
        json_object_set_new(to, occupancy_limits[i].name,
                            json_pack("{s:s}", "description", occupancy_limits[i].what));
}

static const struct json_keys limit_keys = {"occupancy_limits", add_limits};
struct occupancy_row {
    OCCUPANCY(JSON_FIELD, )
};
static const struct json_member members[] = {OCCUPANCY(JSON_MEMBER, struct occupancy_row)};
const struct json_shape occupancy_shape = {.name = "occupancy", .parts = {JSON_PART(members, 0)}};

json_t *occupancy_json(const struct gpu_conf *c, const struct occupancy_ask *a, const struct occupancy *o,
                       const struct gpu_kernel_result *k)
{
    bool grid = a->ctas && o->ctas;
    struct occupancy_row row = {.threads = a->threads,
                                .regs = a->regs,
                                .shared_b = a->shared_b,
                                .ctas = a->ctas,
                                .ctas_sm = o->ctas,
                                .warps_sm = o->warps,
                                .slots_sm = o->slots,
                                .limited_by = json_array(),
                                .allows = json_object(),
                                .waves = grid ? o->waves : NAN,
                                .last_wave = grid ? o->last : JSON_NO_COUNT,
                                .idle_sms = grid ? o->idle_sms : JSON_NO_COUNT,
                                .achieved_warps = k ? occupancy_achieved(c, k, o->need.warps) : NAN,
                                .tail = k ? occupancy_tail(k) : NAN};
    for (uint32_t i = 0; i < OCC_LIMITS; i++) {
        if (o->limits >> i & 1)
            json_array_append_new(row.limited_by, json_string(occupancy_limits[i].name));
        if (o->by[i] != UINT32_MAX)
            json_object_set_new(row.allows, occupancy_limits[i].name, cli_json_number(o->by[i]));
    }
    return json_of(&occupancy_shape, &row);
}
