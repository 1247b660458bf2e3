/* SPDX-License-Identifier: Apache-2.0 */
/* Random control flow: jumps anywhere, convergence barriers anywhere, calls, guards. What a thread computes must not depend
 * on its neighbours: 64 threads of one CTA give what 64 CTAs of one thread give, with any placement of BSSY and BSYNC. */
#include "rig.h"

#include "base/rng.h"

#include <string.h>

enum { BLOCKS = 12, THREADS = 64, FUEL = 60, ROUNDS = 150 };
enum { X = 4, LEFT = 5, TMP = 6, MUL = 7, GID = 8 };

/* Ends the thread once its fuel is used up. */
static void burn(struct rig *r, uint32_t *exits, uint32_t *nexits)
{
    rig_iadd(r, LEFT, R(LEFT), I(-1));
    rig_isetp(r, 6, CMP_EQ, R(LEFT), I(0));
    exits[(*nexits)++] = rig_bra(r, P(6), 0);
}

static void mix(struct rig *r, struct rng *g, struct ir_opnd guard)
{
    rig_mov(r, MUL, I(rng_u32(g) | 1));
    ADD(r, .op = OP_IMAD, .type = T_U32, .guard = guard, .dst = {R(X)}, .src = {R(X), R(MUL), I(rng_u32(g))});
}

/* P0 = one of the bits of X. */
static void choose(struct rig *r, struct rng *g)
{
    ADD(r, .op = OP_LOP3, .type = T_B32, .lut = 0xc0, .dst = {R(TMP)},
        .src = {R(X), I(1u << (8 + rng_below(g, 20))), I(0)});
    rig_isetp(r, 0, CMP_NE, R(TMP), I(0));
}

static void build(struct rig *r, struct rng *g, bool barriers)
{
    uint32_t start[BLOCKS], jumps[BLOCKS], to[BLOCKS], exits[4 * BLOCKS], nexits = 0;
    rig_s2r(r, 2, SR_TID_X);
    rig_s2r(r, 3, SR_CTAID_X);
    ADD(r, .op = OP_IMAD, .type = T_U32, .dst = {R(GID)}, .src = {R(3), ir_const(0, CB_NTID_X, 1), R(2)});
    rig_mov(r, MUL, I(0x9e3779b9));
    ADD(r, .op = OP_IMAD, .type = T_U32, .dst = {R(X)}, .src = {R(GID), R(MUL), I(77)});
    rig_mov(r, LEFT, I(FUEL));
    for (uint32_t b = 0; b < BLOCKS; b++) {
        start[b] = rig_here(r);
        uint32_t what = rng_below(g, 8), bar = rng_below(g, 4);
        if (what < 3)
            ADD(r, .op = barriers ? OP_BSSY : OP_NOP, .src = {I(bar)});
        else if (what < 6)
            ADD(r, .op = barriers ? OP_BSYNC : OP_NOP, .src = {I(bar)});
        mix(r, g, ir_none());
        choose(r, g);
        mix(r, g, rng_below(g, 2) ? P(0) : NP(0));
        burn(r, exits, &nexits);
        if (rng_below(g, 4) == 0) {
            ADD(r, .op = OP_CALL, .guard = rng_below(g, 2) ? P(0) : ir_none(), .src = {I(1)});
            choose(r, g);
        }
        to[b] = rng_below(g, BLOCKS);
        jumps[b] = rig_bra(r, rng_below(g, 5) ? P(0) : NP(0), 0);
    }
    rig_bra(r, ir_none(), start[0]);
    for (uint32_t k = 0; k < nexits; k++)
        rig_land(r, exits[k]);
    rig_addr(r, 10, 0, R(GID), 4);
    rig_stg(r, 10, R(X));
    rig_exit(r);
    r->code.nfuncs = 2;
    r->func[1] = (struct code_func){.name = "f", .id = 1, .entry = rig_here(r)};
    mix(r, g, ir_none());
    choose(r, g);
    uint32_t skip = rig_bra(r, P(0), 0);
    mix(r, g, ir_none());
    rig_land(r, skip);
    ADD(r, .op = OP_RET, .src = {R(0)});
    for (uint32_t b = 0; b < BLOCKS; b++)
        r->v.at[jumps[b]].target = start[to[b]];
}

static void one_round(uint64_t seed)
{
    uint32_t want[THREADS];
    for (int kind = 0; kind < 4; kind++) {
        static const uint32_t ctas[] = {THREADS, 1, 1, 2};
        struct rng g = {.s = seed};
        struct rig r;
        rig_open_cfg(&r, THREADS, (struct exec_cfg){.max_warp_insts = 10000000});
        build(&r, &g, kind >= 2);
        rig_ok(&r, ctas[kind], THREADS / ctas[kind]);
        if (kind == 0)
            memcpy(want, rig_out(&r), sizeof want);
        else
            assert_memory_equal(rig_out(&r), want, sizeof want);
        rig_close(&r);
    }
}

static void any_flow(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < ROUNDS; seed++)
        one_round(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_flow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
