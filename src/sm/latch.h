/* Latches of the pipeline: between issue and the collectors (sm.issue_latch), and between these and the units (sm.unit_latch).
 * There is one for each kind of unit and scheduler, or as many as there are units of the kind (sm.latch_by_unit). Where
 * schedulers are isolated each has its own; else an instruction takes any free one of its unit. */
#ifndef SM_LATCH_H
#define SM_LATCH_H

#include <stdbool.h>
#include <stdint.h>

struct arena;

enum { LATCH_UNITS = 16, LATCH_SLOTS = 8 }; /* kinds of units, schedulers */

struct latched {
    uint64_t age; /* order of issue */
    uint32_t flight;
};

struct latches {
    struct latched (*at)[LATCH_SLOTS]; /* by unit */
    uint8_t used[LATCH_UNITS];         /* slots, by bit */
    uint16_t units;                    /* with an instruction, by bit */
    uint8_t mask[LATCH_UNITS];         /* slots that there are */
    /* By scheduler: units with a free slot for its instructions, by bit. */
    uint16_t room[LATCH_SLOTS];
    bool isolated;
};

/* As many of each unit as there are schedulers; or as `by_unit` says, unless that is NULL. */
void latch_init(struct latches *l, uint32_t schedulers, bool isolated, const uint32_t *by_unit, uint32_t n,
                struct arena *a);

static inline bool latch_free(const struct latches *l, uint32_t unit, uint32_t scheduler)
{
    return l->room[scheduler] >> unit & 1;
}
/* One must be free */
void latch_put(struct latches *l, uint32_t unit, uint32_t scheduler, struct latched what);
void latch_clear(struct latches *l, uint32_t unit, uint32_t slot);
/* The slot with the oldest of those in `slots` of a unit, which are not none. */
uint32_t latch_oldest(const struct latches *l, uint32_t unit, uint32_t slots);

#endif
