/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view/compare.h"

#include <math.h>

static const struct plan_job *job_at(const struct compare_table *t, uint32_t i)
{
    return &t->plan->jobs.at[i];
}

uint64_t compare_cycles(const struct compare_table *t, const struct db_answer *a)
{
    return t->program ? a->cycles : a->kernel_cycles;
}

const char *compare_by(const struct compare_table *t) { return t->program ? "cycles" : "kernel_cycles"; }

double compare_ipc(const struct compare_table *t, const struct db_answer *a)
{
    uint64_t cycles = compare_cycles(t, a);
    return cycles ? (double)a->warp_insts / (double)cycles : 0;
}

double compare_speedup(const struct compare_table *t, uint32_t job)
{
    const struct db_answer *a = &job_at(t, job)->answer, *b = &job_at(t, job - job % t->nmechs)->answer;
    uint64_t mine = compare_cycles(t, a), base = compare_cycles(t, b);
    return a->status == DB_OK && b->status == DB_OK && mine ? (double)base / (double)mine : 0;
}

struct compare_sum compare_sum(const struct compare_table *t, uint32_t mech)
{
    struct compare_sum s = {0};
    double logs = 0, energy = 0, delay = 0;
    uint32_t modelled = 0;
    for (uint32_t i = mech; i < t->plan->jobs.n; i += t->nmechs) {
        double v = compare_speedup(t, i);
        const struct plan_job *j = job_at(t, i), *b = job_at(t, i - mech);
        if (!(v > 0))
            continue;
        const char *name = j->name;
        if (!s.n || v < s.lowest) {
            s.lowest = v;
            s.lowest_of = name;
        }
        if (!s.n || v > s.highest) {
            s.highest = v;
            s.highest_of = name;
        }
        s.n++;
        s.mean += v;
        logs += log(v);
        if (j->answer.energy_pj > 0 && b->answer.energy_pj > 0) {
            energy += log(j->answer.energy_pj / b->answer.energy_pj);
            delay -= log(v);
            modelled++;
        }
    }
    if (s.n) {
        s.mean /= s.n;
        s.geomean = exp(logs / s.n);
    }
    if (modelled) {
        s.energy = exp(energy / modelled);
        s.edp = exp((energy + delay) / modelled);
        s.per_watt = 1 / s.energy;
    }
    return s;
}
