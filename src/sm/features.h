/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM may have beyond the least: one scheduler, whose order alone decides; collectors that any instruction may take; up to
 * NEED_BANKS banks, each of which takes a write or reads a register in a cycle.
 *
 * The features that an SM has come from what is declared: each option's row (sm.def, OPT_OF) names the feature that reads it,
 * and each function that a policy has stands for one (features.c). Nothing lists policies or machines.
 *
 * Stages (stages/) are templates: the last parameter of each, `on`, is a constant set of features, and `on & F_X` decides at
 * compile time whether the text for feature X is there at all. Under it the text asks the machine itself, since `on` says what an
 * SM may have, not what it has; unless the set says ALWAYS of the feature: then only SMs that have it run these stages, and
 * `has` (stages/stage.h) is a constant. run.c instantiates the stages for some sets; an SM runs the smallest one that has all it
 * needs. FEATURES_ALL serves every SM, and is what functions outside of the stages use. */
#ifndef SM_FEATURES_H
#define SM_FEATURES_H

#include <stdint.h>

typedef uint64_t features;

#define SM_FEATURES(X)                                                                                       \
    X(SCHEDULERS, "several schedulers in a partition, or warps that fetch in one cycle")                     \
    X(ISOLATED, "schedulers of a partition with banks, collectors and units to themselves")                  \
    X(BANKS, "many banks, several reads of one in a cycle, or fewer ports of a collector than banks")        \
    X(WRITES, "writes with a port of their own, or several of a bank in a cycle")                            \
    X(LATCHES, "latches around the collectors, sets of these, ports of dispatch")                            \
    X(ISSUE_LATCH, "latches between issue and the collectors")                                               \
    X(UNIT_LATCH, "latches between the collectors and the units")                                            \
    X(ALL_COLLECT, "every instruction takes a collector")                                                    \
    X(UNLOCKED, "registers that may be overwritten before an instruction in a collector has read them")      \
    X(POLICY, "a policy of the operands with functions")                                                     \
    X(CHOICE, "a scheduler that is told more than who is ready; a limit of warps")                           \
    X(DELAYS, "results that come later to some, products and shuffles that wait for one path")               \
    X(CODES, "control codes of the traces say what waits")                                                   \
    X(TURNS, "partitions that change their order")                                                           \
    X(HOLDS, "accesses that overtake each other on their way to L1")                                         \
    X(TENANTS, "several programs")                                                                           \
    X(FOLLOWED, "accesses to rows of a pool, or registers of a window, are followed")                        \
    X(AWAKE, "partitions that never sleep")                                                                  \
    X(CHECKED, "--check")                                                                                    \
    X(STEPS, "somebody is told of the way of single instructions")                                           \
    X(WATCHED, "somebody wants to know whose instruction a cycle is charged to")

enum feature_at {
#define X(name, what) FEATURE_##name,
    SM_FEATURES(X)
#undef X
        FEATURE_COUNT
};
enum feature_bit {
#define X(name, what) F_##name = 1 << FEATURE_##name,
    SM_FEATURES(X)
#undef X
        FEATURES_ALL = (1 << FEATURE_COUNT) - 1
};

/* The set, of features that every SM with these stages has. */
#define ALWAYS(set) ((features)(set) << 32 | (features)(set))

struct part;
struct sm;

/* The stages, instantiated for a set of features (STAGES in stages/tick.h). */
struct stages {
    features set;
    void (*run)(struct sm *s);
    /* What one of the stages does for others (flight_result) */
    void (*result)(struct part *p, uint32_t flight);
};

/* Those of an SM, as it stands: with the observers and tenants that it has now. */
features features_of(const struct sm *s);

#endif
