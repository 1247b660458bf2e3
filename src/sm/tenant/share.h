/* SPDX-License-Identifier: Apache-2.0 */
/* Options of sharing a GPU: what its programs are promised, and what every constant of Scavenger is (thesis, chapter 5). */
#ifndef SM_TENANT_SHARE_H
#define SM_TENANT_SHARE_H

#include "sm/policy.h"

/* What the thesis says has its table or section beside it; the others it leaves open (docs/scavenger.md). */
#define SHARE_SCAVENGER "sm.tenant=scavenger"
/* clang-format off */
#define SHARE_OPTIONS(T, OPT, NAME) \
    OPT(T, target, F64, 0.9, 0.01, 1, "share of its speed alone that the first program is to keep", \
        "gpu.share=temporal,spatial " SHARE_SCAVENGER) \
    OPT(T, slice_cyc, U32, 100000, 1000, 1000000000, "cycles in which every program has the GPU once, the first " \
        "for its target of them", \
        "gpu.share=temporal") \
    OPT(T, switch_b, U32, 12, 0, 1024, "bytes of a CTA per cycle that leave an SM or come back when it is " \
        "parked; 0: at once, and for nothing", \
        "gpu.share=temporal,quota") \
    OPT(T, tick_cyc, U32, 64, 1, 1024, "cycles of an entry of the sliding windows; profiles end and phases " \
        "begin with one", SHARE_SCAVENGER) \
    OPT(T, profile_cyc, U32, 20000, 64, 100000000, "shortest profile (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, profile_most_cyc, U32, 200000, 64, 100000000, "... after which it starts afresh (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, tolerance, F64, 0.075, 0, 1, "difference of training and validation, of the first, with which a " \
        "profile ends (Table 5.3)", SHARE_SCAVENGER) \
    OPT(T, settled_cyc, U32, 128, 0, 100000, "... for these cycles (5.6.4)", SHARE_SCAVENGER) \
    OPT(T, run_most_cyc, U32, 262144, 64, 1000000000, "longest run interval (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, window, U32, 128, 1, 1024, "entries of the sliding window of phase detection (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, lanes, F64, 8, 0, 32, "lanes per instruction that make a phase, at least (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, lines, F64, 2, 0, 32, "lines per global access that make a phase, at least (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, pcs, U32, 12288, 0, 65536, "distance of PC histograms, of 65536, that makes a phase, at least (Table " \
        "5.1)", SHARE_SCAVENGER) \
    OPT(T, margin, F64, 1.1, 0, 100, "... and at least this times the difference of training and validation " \
        "(5.4.2)", SHARE_SCAVENGER) \
    OPT(T, phase_cyc, U32, 500, 0, 100000, "cycles for which lanes or lines must be off (Table 5.1)", SHARE_SCAVENGER) \
    OPT(T, pcs_cyc, U32, 8192, 64, 1000000, "cycles between two comparisons of histograms (5.6.2)", SHARE_SCAVENGER) \
    OPT(T, control_cyc, U32, 100, 1, 1024, "cycles between two steps of the warp and request controllers (Table " \
        "5.2)", SHARE_SCAVENGER) \
    OPT(T, short_cyc, U32, 1000, 1, 100000, "window of their short-term error", SHARE_SCAVENGER) \
    OPT(T, long_cyc, U32, 8192, 1, 100000, "window of their long-term error", SHARE_SCAVENGER) \
    OPT(T, gain_short, F64, 1.5, 0, 1000, "gain of the first (Table 5.2: proportional)", SHARE_SCAVENGER) \
    OPT(T, gain_long, F64, 1, 0, 1000, "gain of the second (Table 5.2: integral)", SHARE_SCAVENGER) \
    OPT(T, warp_gain, F64, 1, 0, 1000, "warps for each unit of their sum (instructions per cycle of the SM)", SHARE_SCAVENGER) \
    OPT(T, request_gain, F64, 4, 0, 1000, "requests for each unit of it: 256 requests for 64 warps", SHARE_SCAVENGER) \
    OPT(T, requests, U32, 256, 2, 100000, "outstanding lines that are divided (5.5.1.2)", SHARE_SCAVENGER) \
    OPT(T, first_requests, F64, 0.5, 0, 1, "share of them that the first program has when a run interval " \
        "begins", SHARE_SCAVENGER) \
    OPT(T, ctas_cyc, U32, 8192, 64, 1000000, "cycles between two steps of the CTA controller (Table 5.2)", SHARE_SCAVENGER) \
    OPT(T, slack_first, U32, 4, 0, 64, "idle warps that the first program is to have, at least (Table 5.2)", SHARE_SCAVENGER) \
    OPT(T, slack_second, U32, 8, 0, 64, "... the second, at most (Table 5.2)", SHARE_SCAVENGER) \
    OPT(T, fill_idle, BOOL, 1, 0, 1, "the second fills an SM on which the first has nothing; else no more of it " \
        "come there", SHARE_SCAVENGER) \
    OPT(T, give_up, F64, 0.95, 0, 1, "of the goal: what the first program lacks of it, added up, is more than what it " \
        "may lack by this", SHARE_SCAVENGER) \
    OPT(T, give_up_cyc, U32, 32768, 64, 100000000, "... in these cycles: the second leaves", SHARE_SCAVENGER) \
    OPT(T, relaunch, BOOL, 0, 0, 1, "every launch of the first program is profiled; else an SM stays in its state over " \
        "launches, and other instructions are a phase", SHARE_SCAVENGER) \
    OPT(T, alone_cyc, U32, 131072, 64, 100000000, "... for these, before the next profile", SHARE_SCAVENGER)
/* clang-format on */
CONF_STRUCT(share_cfg, SHARE_OPTIONS);
extern const struct conf_table share_options;

static inline const struct share_cfg *share_cfg_of(const struct sm_cfg *c)
{
    return policy_options(c, &share_options);
}

#endif
