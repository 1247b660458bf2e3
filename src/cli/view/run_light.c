/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of light in the summary of a run and in its JSON. */
#include "cli/view/run_light.h"
#include "cli/shown.h"

#include <math.h>

void run_print_light(const struct run_story *s, FILE *to)
{
    struct light l = light_of(s->conf, s->result, s->census ? &s->census->all : NULL);
    char a[32], b[32];
    fprintf(to, "\nspeed of light, of the kernel cycles: %s", shown_unit(a, sizeof a, l.seconds, "s"));
    if (l.flops > 0)
        fprintf(to, ", %s", shown_unit(a, sizeof a, l.flops / l.seconds, "FLOP/s"));
    fputc('\n', to);
    for (uint32_t i = 0; i < LU_COUNT; i++) {
        double share = l.unit[i].share;
        if (!(share >= 0.00005))
            continue;
        fprintf(to, "  %-10s %6.2f%%  ", light_units[i].name, 100 * share);
        for (int k = 0; k < (int)(50 * share + 0.5) && k < 60; k++)
            fputc('#', to);
        if (light_units[i].unit && isfinite(l.unit[i].rate))
            fprintf(to, "%s%s of %s", share >= 0.01 ? "  " : "",
                    shown_unit(a, sizeof a, l.unit[i].rate, light_units[i].unit),
                    shown_unit(b, sizeof b, l.unit[i].peak, light_units[i].unit));
        fputc('\n', to);
    }
}

/* clang-format off */
#define UNIT(X, T)                                                                                           \
    X(T, TEXT, OPEN, name, "issue, registers, fp32, int, sfu, fp64, half, tensor, shared, l1, l2, dram")      \
    X(T, REAL, NULLABLE, share, "of what it could do in the kernel cycles, 0 to 1; null: not known, or the machine has none") \
    X(T, REAL, NULLABLE, rate, "per second, in `unit`; null: it has none")                                   \
    X(T, REAL, NULLABLE, peak, "the most that is possible; null: as rate")                                   \
    X(T, TEXT, NULLABLE, unit, "of rate and peak: inst/s, FLOP/s, B/s; null: as rate")
#define LIGHT(X, T)                                                                                          \
    X(T, REAL, OPEN, seconds, "of simulated time: the kernel cycles at gpu.core_mhz")                        \
    X(T, REALS, NULLABLE, flops, "floating-point operations by unit, a fused multiply-add is two; " \
      "null: of an estimate, or of a run that was cut", \
      .keys = &light_kind_keys)                                                                                    \
    X(T, REALS, OPEN, roofs, "operations per second that units of a kind can do at most", .keys = &light_kind_keys) \
    X(T, ROWS, OPEN, units, "parts of the machine", .shape = &unit_shape)
/* clang-format on */

static void add_kinds(json_t *to)
{
    static const char *const what[LIGHT_KINDS] = {"single precision", "double precision", "half precision",
                                                  "tensor cores"};
    for (uint32_t i = 0; i < LIGHT_KINDS; i++)
        json_object_set_new(to, light_kinds[i], json_pack("{s:s}", "description", what[i]));
}

const struct json_keys light_kind_keys = {"light_kinds", add_kinds};
struct unit_row {
    UNIT(JSON_FIELD, )
};
struct light_row {
    LIGHT(JSON_FIELD, )
};
static const struct json_member unit_members[] = {UNIT(JSON_MEMBER, struct unit_row)};
static const struct json_shape unit_shape = {.name = "light_unit", .parts = {JSON_PART(unit_members, 0)}};
static const struct json_member members[] = {LIGHT(JSON_MEMBER, struct light_row)};
const struct json_shape light_shape = {.name = "light", .parts = {JSON_PART(members, 0)}};

json_t *run_json_flops(const struct light_work *w)
{
    json_t *o = json_object();
    for (uint32_t i = 0; i < LIGHT_KINDS; i++)
        json_object_set_new(o, light_kinds[i], json_real(w->flops[i]));
    return o;
}

json_t *run_json_light(const struct run_story *s)
{
    struct light l = light_of(s->conf, s->result, s->census ? &s->census->all : NULL);
    struct light_row o = {.seconds = l.seconds,
                          .flops = s->census ? run_json_flops(&s->census->all) : NULL,
                          .roofs = json_object(),
                          .units = json_array()};
    for (uint32_t i = 0; i < LIGHT_KINDS; i++)
        json_object_set_new(o.roofs, light_kinds[i], json_real(light_roof(s->conf, (enum light_kind)i)));
    for (uint32_t i = 0; i < LU_COUNT; i++) {
        bool rates = light_units[i].unit && isfinite(l.unit[i].rate);
        struct unit_row row = {.name = light_units[i].name,
                               .share = l.unit[i].share,
                               .rate = rates ? l.unit[i].rate : NAN,
                               .peak = rates ? l.unit[i].peak : NAN,
                               .unit = rates ? light_units[i].unit : NULL};
        json_array_append_new(o.units, json_of(&unit_shape, &row));
    }
    return json_of(&light_shape, &o);
}
