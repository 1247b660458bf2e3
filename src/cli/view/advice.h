/* SPDX-License-Identifier: Apache-2.0 */
/* Advice: patterns in a run that cost time and that the program's author can change, each with the place in the source and a
 * bound on what a change could gain. A rule reads counters of the run and a census of the trace; it says nothing where the
 * pattern is absent or small. */
#ifndef CLI_VIEW_ADVICE_H
#define CLI_VIEW_ADVICE_H

#include "cli/json.h"
#include "cli/view/run_print.h"

struct advice {
    const char *rule; /* a word of ADVICE_RULES */
    uint32_t kernel;
    uint32_t line; /* of the source; 0: of the whole kernel */
    double gain;   /* at most this share of the kernel cycles, 0 to 1 */
    char what[200], hint[160];
};
#define ADVICE_RULES                                                                                         \
    "idle_sms tail occupancy uncoalesced shared_conflicts register_banks division local_memory spills "      \
    "divergence"
typedef VEC(struct advice) advice_list;

/* Those that could gain a hundredth of the cycles or more, the largest first. vec_free. */
advice_list advice_of(const struct run_story *s);
void advice_print(const struct run_story *s, FILE *to);
extern const struct json_shape advice_shape;
json_t *advice_json(const struct run_story *s);

#endif
