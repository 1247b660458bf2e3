/* SPDX-License-Identifier: Apache-2.0 */
#include "sm/operands/ccu/tune.h"

#include "sm/operands/ccu/ccu.h"

#include <math.h>

/* STHLD is raised in the flat region of the curve of IPC over STHLD until a step makes a large difference: the steep region, or
 * another phase of the program. One more step to the right tells which: a small difference is a wider flat region, and the walk
 * goes on; a large one is the steep region, and that step is taken back and more are taken to the left, until one makes a small
 * difference again: from there the knee is one step to the right. What the step after TUNE_TRY shows is the fall just undone,
 * whatever it is. */
static const struct {
    struct {
        enum tune_state to;
        int step;   /* 2: the last step is taken back, if there was room for it */
    } small, large; /* difference to the interval before */
} table[] = {
    /*               small            large        */
    [TUNE_START] = {{TUNE_WALK, +1}, {TUNE_WALK, +1}}, /* the first interval has none before it */
    [TUNE_WALK] = {{TUNE_WALK, +1}, {TUNE_TRY, +1}},   [TUNE_TRY] = {{TUNE_WALK, +1}, {TUNE_UNDO, -1}},
    [TUNE_UNDO] = {{TUNE_BACK, -1}, {TUNE_BACK, -1}},  [TUNE_BACK] = {{TUNE_KNEE, 2}, {TUNE_BACK, -1}},
    [TUNE_KNEE] = {{TUNE_KNEE, 0}, {TUNE_TRY, +1}},
};

static const double small_difference = 0.02; /* section IV-B3 */

void tune_init(struct tune *u, uint32_t sthld, uint32_t step)
{
    *u = (struct tune){.state = TUNE_START, .sthld = sthld, .step = (int)step};
}

void tune_step(struct tune *u, double ipc)
{
    bool large = u->ipc > 0 ? fabs(ipc - u->ipc) / u->ipc > small_difference : ipc > 0;
    enum tune_state s = u->state;
    int step = large ? table[s].large.step : table[s].small.step;
    u->state = large ? table[s].large.to : table[s].small.to;
    int to = (int)u->sthld + (step == 2 ? -u->moved : step * u->step);
    to = to < 0 ? 0 : to > TUNE_MOST ? TUNE_MOST : to;
    u->moved = to - (int)u->sthld;
    u->sthld = (uint32_t)to;
    u->ipc = ipc;
}

/* ---- as a controller ---- */

static uint32_t ccu_interval(const struct sm_cfg *cfg)
{
    const struct ccu_cfg *own = ccu_cfg_of(cfg);
    return own->sthld_dynamic && own->reuse && !own->private ? own->sthld_cyc : 0;
}

static bool control_anew(const struct sm_cfg *cfg) { return ccu_cfg_of(cfg)->sthld_launch; }

static uint32_t control_init(void *st, const struct sm_cfg *cfg)
{
    const struct ccu_cfg *own = ccu_cfg_of(cfg);
    tune_init(st, own->sthld, own->sthld_step);
    return own->sthld;
}

static uint32_t control_step(void *st, double ipc)
{
    tune_step(st, ipc);
    return ((const struct tune *)st)->sthld;
}

const struct control_ops ccu_control = {.state_b = sizeof(struct tune),
                                        .interval = ccu_interval,
                                        .anew = control_anew,
                                        .init = control_init,
                                        .step = control_step};
