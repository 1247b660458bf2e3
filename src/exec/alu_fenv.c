/* Double precision with a directed rounding: the host's rounding mode is set around a loop. The loop is a function of
 * its own that reads and writes only memory, called through a volatile pointer: its arithmetic cannot leave the
 * region between the two mode changes. */
#include "exec/alu_fp.h"

#include <fenv.h>

typedef double dir_row[3][LANES];

static void loop_add(dir_row v)
{
    for (unsigned i = 0; i < LANES; i++)
        v[0][i] = v[0][i] + v[1][i];
}
static void loop_mul(dir_row v)
{
    for (unsigned i = 0; i < LANES; i++)
        v[0][i] = v[0][i] * v[1][i];
}
static void loop_fma(dir_row v)
{
    for (unsigned i = 0; i < LANES; i++)
        v[0][i] = __builtin_fma(v[0][i], v[1][i], v[2][i]);
}

static int host_mode(uint8_t rnd) { return rnd == RND_RZ ? FE_TOWARDZERO : rnd == RND_RM ? FE_DOWNWARD : FE_UPWARD; }

static void directed(ALU_ARGS, unsigned nsrc, void (*loop)(dir_row))
{
    void (*volatile call)(dir_row) = loop;
    dir_row v;
    for (unsigned k = 0; k < nsrc; k++) {
        const uint32_t *p = alu_src(w, x, k);
        struct alu_mod m = alu_mod(x, k, 0x80000000);
        for (unsigned i = 0; i < LANES; i++)
            v[k][i] = f64_mod_at(p, i, m);
    }
    int old = fegetround();
    fesetround(host_mode(x->insn->rnd));
    call(v);
    fesetround(old);
    uint64_t r[LANES];
    for (unsigned i = 0; i < LANES; i++)
        r[i] = f64_canon(v[0][i]);
    alu_put64(x, w, mask, r);
}
static void dadd_dir(ALU_ARGS) { directed(x, w, mask, 2, loop_add); }
static void dmul_dir(ALU_ARGS) { directed(x, w, mask, 2, loop_mul); }
static void dfma_dir(ALU_ARGS) { directed(x, w, mask, 3, loop_fma); }

xfn ALU_NAME(alu_fenv)(const struct ir_insn *i)
{
    if (i->rnd != RND_RZ && i->rnd != RND_RM && i->rnd != RND_RP)
        return NULL;
    switch (i->op) {
    case OP_DADD: return dadd_dir;
    case OP_DMUL: return dmul_dir;
    case OP_DFMA: return dfma_dir;
    default: return NULL;
    }
}
