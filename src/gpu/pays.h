/* SPDX-License-Identifier: Apache-2.0 */
/* Does it pay to call helpers? A ledger of what they did and what it cost, for team_run. On a machine that is busy with other
 * things a helper is often stopped in the middle of an item and everybody waits for it; then the caller is better off alone.
 * It decides which threads do the work, never what is computed. */
#ifndef GPU_PAYS_H
#define GPU_PAYS_H

#include <stdbool.h>
#include <stdint.h>

struct pays {
    uint64_t rounds, own, own_ns, helped, lost_ns; /* since the last verdict */
    uint64_t alone;                                /* rounds still to be done without helpers */
    uint32_t failures;                             /* verdicts in a row that it did not pay */
};

/* Before a round: call helpers? */
bool pays_call(struct pays *p);
/* After a round with helpers: the caller did `own` items in own_ns, others `helped`, and calling them and waiting for them took
 * lost_ns. */
void pays_note(struct pays *p, uint32_t own, uint64_t own_ns, uint32_t helped, uint64_t lost_ns);

#endif
