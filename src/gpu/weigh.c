/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/weigh.h"

/* Long enough that the instructions of a stretch are those that its cycles went to, short against a launch. */
enum { STRETCH_CYC = 512 };

void weigh_waves(struct weigh *w, uint64_t wave, uint64_t ctas)
{
    w->wave = wave;
    w->over = ctas > 2 * wave ? ctas - 2 * wave : 0;
}

/* The part of all times of a wave that the stretch is in. They begin with one of the first `over` ends, or the first. */
static double in_waves(const struct weigh *w, const struct gpu_sample *now)
{
    double ends = ((double)now->sm[SS_ctas] + (double)w->last.sm[SS_ctas]) / 2, wave = (double)w->wave,
           over = (double)w->over;
    if (ends <= 0 || ends > wave + over)
        return 0;
    double begun = ends < over ? ends / over : 1, ended = ends > wave ? (ends - wave) / over : 0;
    return begun - ended;
}

/* From the last time on. Where nothing was executed the stretch before it goes on. */
static void add_stretch(struct weigh *w, const struct gpu_sample *now, uint64_t kernel_cycles)
{
    uint64_t executed = 0;
    double stands_for = 0;
    for (uint32_t i = 0; i < w->c->gpu.sms; i++)
        sm_stands_for(w->sms[i], &executed, &stands_for);
    if (w->wave)
        w->weight = in_waves(w, now);
    else if (executed > w->executed)
        w->weight = (stands_for - w->stands_for) / (double)(executed - w->executed);
    for (uint32_t i = 0; i < SM_STATS; i++)
        w->sm[i] += w->weight * ((double)now->sm[i] - (double)w->last.sm[i]);
    for (uint32_t i = 0; i < MS_COUNT; i++)
        w->mem_sums[i] += w->weight * ((double)now->mem[i] - (double)w->last.mem[i]);
    w->cycles += w->weight * ((double)now->at - (double)w->last.at);
    w->kernel_cycles += w->weight * ((double)kernel_cycles - (double)w->last_kernel_cycles);
    w->executed = executed;
    w->stands_for = stands_for;
    w->last = *now;
    w->last_kernel_cycles = kernel_cycles;
}

void weigh_window(struct weigh *w, uint64_t until)
{
    for (uint32_t i = 0; i < w->c->gpu.sms; i++) {
        sm_touches *t = sm_touched(w->sms[i]);
        vec_each (t, e)
            memsys_touch(w->mem, e->line, e->sectors, e->written);
        vec_clear(t);
    }
    if (until < w->last.at + STRETCH_CYC)
        return;
    struct gpu_sample now = {0};
    tell_peek(w->c, w->sms, w->mem, w->spans, until, &now);
    add_stretch(w, &now, spans_upto(w->spans, until));
}

static uint64_t rounded(double v) { return v > 0 ? (uint64_t)(v + 0.5) : 0; }

/* To what was counted comes what was counted in the waves, so many times that the instructions are there. */
static void repeat_waves(struct weigh *w, uint64_t insts, const struct gpu_result *out)
{
    double k = w->sm[SS_warp_insts] > 0
                   ? ((double)insts - (double)out->sm[SS_warp_insts]) / w->sm[SS_warp_insts]
                   : 0;
    for (uint32_t i = 0; i < SM_STATS; i++)
        w->sm[i] = (double)out->sm[i] + k * w->sm[i];
    for (uint32_t i = 0; i < MS_COUNT; i++)
        w->mem_sums[i] = (double)out->mem[i] + k * w->mem_sums[i];
    w->cycles = (double)out->cycles + k * w->cycles;
    w->kernel_cycles = (double)out->kernel_cycles + k * w->kernel_cycles;
}

void weigh_result(struct weigh *w, uint64_t insts, struct gpu_result *out)
{
    struct gpu_sample end = {.at = out->cycles};
    memcpy(end.sm, out->sm, sizeof end.sm);
    memcpy(end.mem, out->mem, sizeof end.mem);
    add_stretch(w, &end, out->kernel_cycles);
    if (w->wave)
        repeat_waves(w, insts, out);
    out->sample[SAM_insts] = out->sm[SS_warp_insts];
    /* What executed parts stand for is rounded to whole parts: the instructions of the trace are known. */
    double all = w->sm[SS_warp_insts] > 0 ? (double)insts / w->sm[SS_warp_insts] : 1;
    double insts_x = out->sm[SS_warp_insts] ? (double)insts / (double)out->sm[SS_warp_insts] : 1;
    double cycles_x = out->cycles ? all * w->cycles / (double)out->cycles : 1;
    for (uint32_t i = 0; i < SM_STATS; i++) {
        uint64_t of = out->sm[i], own = out->tenants.at[0].sm[i];
        out->sm[i] = rounded(all * w->sm[i]);
        out->tenants.at[0].sm[i] = of ? rounded(all * w->sm[i] * (double)own / (double)of) : 0;
    }
    for (uint32_t i = 0; i < MS_COUNT; i++)
        out->mem[i] = rounded(all * w->mem_sums[i]);
    for (uint32_t a = 0; a < SA_COUNT; a++) {
        size_t n =
            (size_t)sm_array_n(&w->c->sm, (enum sm_array)a) * (sm_arrays.rows[a].by_sm ? w->c->gpu.sms : 1);
        for (size_t i = 0; i < n; i++)
            out->arrays[a][i] = rounded((strcmp(sm_arrays.rows[a].unit, "cycle") ? insts_x : cycles_x) *
                                        (double)out->arrays[a][i]);
    }
    out->cycles = rounded(all * w->cycles);
    out->kernel_cycles = rounded(all * w->kernel_cycles);
    vec_each (&out->kernels, k)
        k->end = k->begin + out->kernel_cycles;
}
