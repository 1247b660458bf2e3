/* SPDX-License-Identifier: Apache-2.0 */
/* The dynamic STHLD of Malekeh (section IV-B3): the GPU looks at its IPC every interval, and lets warps wait longer for their
 * collectors as long as that costs nothing. The paper draws the state machine (Fig. 8); what it says of it and of Fig. 9 is the
 * table in tune.c. */
#ifndef SM_TUNE_H
#define SM_TUNE_H

#include <stdbool.h>
#include <stdint.h>

/* The numbers are those of Fig. 9 as far as its text names them: 3 follows the speculative step, 6 stays at the knee. */
enum tune_state { TUNE_START = 1, TUNE_WALK, TUNE_TRY, TUNE_UNDO, TUNE_BACK, TUNE_KNEE };

enum { TUNE_MOST = 255 };

struct tune {
    enum tune_state state;
    uint32_t sthld;
    int step;   /* what a step of the table is worth */
    int moved;  /* the last step as it was possible */
    double ipc; /* of the interval before */
};

void tune_init(struct tune *u, uint32_t sthld, uint32_t step);
/* An interval with this IPC has ended: u->sthld is for the next one. */
void tune_step(struct tune *u, double ipc);

#endif
