/* SPDX-License-Identifier: Apache-2.0 */
/* wmma: load, multiply, store through memory, whose fragments are opaque: every shape, type, layout and space, with a
 * leading dimension larger than the matrix. Small integers, so that every sum is exact. */
#include "form.h"
#include "fp.h"
#include "run.h"

#include <stdlib.h>

enum { CELLS = 4096 };
enum kind { F16, BF16, TF32, F64, S8, U8, S4, U4, B1, F32, S32, KINDS };
static const struct kind_info {
    const char *name;
    unsigned bits;
    const struct fp_fmt *fmt;
    int lo; /* smallest value used */
} kinds[KINDS] = {
    {"f16", 16, &fp_f16, -2}, {"bf16", 16, &fp_bf16, -2}, {"tf32", 32, &fp_f32, -2}, {"f64", 64, &fp_f64, -2},
    {"s8", 8, NULL, -2},      {"u8", 8, NULL, 0},         {"s4", 4, NULL, -2},       {"u4", 4, NULL, 0},
    {"b1", 1, NULL, 0},       {"f32", 32, &fp_f32, -2},   {"s32", 32, NULL, -2},
};

struct shape {
    unsigned m, n, k;
    enum kind ab, c, d;
    unsigned na, nb, nc, nd; /* registers of each fragment */
};

struct mat {
    int v[128][128];
    unsigned rows, cols, ld; /* ld: elements between rows (row layout) or columns */
    bool col;
    enum kind kind;
    unsigned char mem[CELLS * 2];
};

static void mat_put(struct mat *m)
{
    unsigned bits = kinds[m->kind].bits;
    memset(m->mem, 0xee, sizeof m->mem);
    for (unsigned i = 0; i < m->rows; i++)
        for (unsigned j = 0; j < m->cols; j++) {
            uint64_t e = kinds[m->kind].fmt ? fp_round(kinds[m->kind].fmt, m->v[i][j], FP_RN)
                                            : trunc_to((uint64_t)(int64_t)m->v[i][j], bits);
            unsigned at = m->col ? j * m->ld + i : i * m->ld + j;
            if (bits >= 8)
                memcpy(m->mem + at * bits / 8, &e, bits / 8);
            else
                for (unsigned b = 0; b < bits; b++) {
                    unsigned bit = at * bits + b;
                    m->mem[bit / 8] = (unsigned char)((m->mem[bit / 8] & ~(1u << bit % 8)) |
                                                      (unsigned)(e >> b & 1) << bit % 8);
                }
        }
}

static void mat_random(struct isa *t, struct mat *m, unsigned rows, unsigned cols, enum kind kind, bool col)
{
    m->rows = rows;
    m->cols = cols;
    m->kind = kind;
    m->col = col;
    unsigned dim = col ? rows : cols, bits = kinds[kind].bits;
    m->ld = dim + (bits < 8 ? 128 / bits : bits == 8 ? 16 : bits == 16 ? 8 : bits == 32 ? 4 : 2);
    for (unsigned i = 0; i < rows; i++)
        for (unsigned j = 0; j < cols; j++)
            m->v[i][j] = (int)rng_below(&t->rng, kind == B1 ? 2 : 4) + kinds[kind].lo;
    mat_put(m);
}

static void multiply(const struct shape *s, const struct mat *a, const struct mat *b, const struct mat *c,
                     struct mat *d)
{
    for (unsigned i = 0; i < s->m; i++)
        for (unsigned j = 0; j < s->n; j++) {
            d->v[i][j] = c->v[i][j];
            for (unsigned k = 0; k < s->k; k++)
                d->v[i][j] += s->ab == B1 ? a->v[i][k] != b->v[k][j] : a->v[i][k] * b->v[k][j];
        }
}

static const char *regs(struct isa *t, enum kind k, unsigned first, unsigned n)
{
    const char *list = "", *stem = k == F32 ? "%f" : k == F64 ? "%fd" : "%r";
    for (unsigned i = 0; i < n; i++)
        list = isa_fmt(t, "%s%s%s%u", list, i ? ", " : "", stem, first + i);
    return isa_fmt(t, "{%s}", list);
}

/* Copies all of in0 to shared memory and leaves the address of the form's space in %rd1. */
static const char *place(struct isa *t, unsigned space)
{
    static const char copy[] =
        "mov.u32 %r90, %tx;\nCP: mul.wide.u32 %rd20, %r90, 4; add.u64 %rd21, %rd20, %in0; ld.global.u32 "
        "%r91, [%rd21];"
        "mov.u64 %rd22, sh; add.u64 %rd21, %rd20, %rd22; st.shared.u32 [%rd21], %r91; add.u32 %r90, %r90, 32;"
        "setp.lt.u32 %p5, %r90, 8192; @%p5 bra CP; bar.sync 0;\n";
    switch (space) {
    case 0: return "mov.u64 %rd1, %in0;";
    case 1: return isa_fmt(t, "%s mov.u64 %%rd1, sh;", copy);
    case 2: return "cvta.global.u64 %rd1, %in0;";
    default: return isa_fmt(t, "%s mov.u64 %%rd1, sh; cvta.shared.u64 %%rd1, %%rd1;", copy);
    }
}

static void check(struct isa *t, const struct shape *s, bool acol, bool bcol, bool ccol, unsigned space)
{
    static const char *const lay[] = {"row", "col"}, *const spaces[] = {".global", ".shared", "", ""};
    struct mat *m = xcalloc(4, sizeof *m);
    unsigned char buf[32768], out[32768];
    bool f16 = s->ab == F16;
    mat_random(t, &m[0], s->m, s->k, s->ab, acol);
    mat_random(t, &m[1], s->k, s->n, s->ab, bcol);
    mat_random(t, &m[2], s->m, s->n, s->c, ccol);
    mat_random(t, &m[3], s->m, s->n, s->d, !ccol);
    multiply(s, &m[0], &m[1], &m[2], &m[3]);
    mat_put(&m[3]);
    for (unsigned i = 0; i < 4; i++)
        memcpy(buf + i * sizeof m->mem, i < 3 ? m[i].mem : m[2].mem, sizeof m->mem);
    memset(buf + 3 * sizeof m->mem, 0xee, sizeof m->mem);
    const char *sh = isa_fmt(t, "m%un%uk%u", s->m, s->n, s->k), *ty = kinds[s->ab].name, *sp = spaces[space];
    const char *types = f16 ? isa_fmt(t, "%s.%s", kinds[s->d].name, kinds[s->c].name)
                            : isa_fmt(t, "%s.%s.%s.%s", kinds[s->d].name, ty, ty, kinds[s->c].name);
    const char *name = isa_fmt(t, "wmma.mma%s.sync.aligned.%s.%s.%s.%s", s->ab == B1 ? ".xor.popc" : "",
                               lay[acol], lay[bcol], sh, types);
    struct kern k = {.name = name,
                     .module = ".shared .align 32 .b8 sh[32768];\n",
                     .slots = 1,
                     .block = {32},
                     .in = {{buf, sizeof buf}}};
    uint64_t zero[32] = {0};
    memcpy(out, buf, sizeof out);
    memcpy(out + 3 * sizeof m->mem, m[3].mem, sizeof m->mem);
    unsigned base_b = s->ab == F64 ? 4 : 16, base_c = s->c == F64 ? 8 : 32, base_d = s->d == F64 ? 12 : 48;
    /* Results go to global memory in any case. */
    const char *st_space = space == 1 || space == 3 ? ".global" : sp;
    k.body = isa_fmt(t,
                     "%s add.u64 %%rd2, %%rd1, 8192; add.u64 %%rd3, %%rd1, 16384; add.u64 %%rd4, %%in0, "
                     "24576; mov.u32 %%r92, %u;\n"
                     "wmma.load.a.sync.aligned.%s.%s%s.%s %s, [%%rd1], %u;\n"
                     "wmma.load.b.sync.aligned.%s.%s%s.%s %s, [%%rd2], %u;\n"
                     "wmma.load.c.sync.aligned.%s.%s%s.%s %s, [%%rd3], %%r92;\n"
                     "%s %s, %s, %s, %s;\n"
                     "wmma.store.d.sync.aligned.%s.%s%s.%s [%%rd4], %s, %u;",
                     place(t, space), m[2].ld, lay[acol], sh, sp, ty, regs(t, s->ab, 0, s->na), m[0].ld,
                     lay[bcol], sh, sp, ty, regs(t, s->ab, base_b, s->nb), m[1].ld, lay[ccol], sh, sp,
                     kinds[s->c].name, regs(t, s->c, base_c, s->nc), name, regs(t, s->d, base_d, s->nd),
                     regs(t, s->ab, 0, s->na), regs(t, s->ab, base_b, s->nb), regs(t, s->c, base_c, s->nc),
                     lay[!ccol], sh, st_space, kinds[s->d].name, regs(t, s->d, base_d, s->nd), m[3].ld);
    kern_check(t, &k, zero, (const void *const[]){out});
    free(m);
}

static void test_all(void **state)
{
    struct isa *t = *state;
    static const struct shape shapes[] = {
        {16, 16, 16, F16, F32, F32, 8, 8, 8, 8},  {16, 16, 16, F16, F16, F16, 8, 8, 4, 4},
        {16, 16, 16, F16, F32, F16, 8, 8, 8, 4},  {16, 16, 16, F16, F16, F32, 8, 8, 4, 8},
        {32, 8, 16, F16, F32, F32, 8, 8, 8, 8},   {8, 32, 16, F16, F32, F32, 8, 8, 8, 8},
        {32, 8, 16, F16, F16, F16, 8, 8, 4, 4},   {8, 32, 16, F16, F16, F16, 8, 8, 4, 4},
        {16, 16, 16, BF16, F32, F32, 4, 4, 8, 8}, {32, 8, 16, BF16, F32, F32, 8, 2, 8, 8},
        {8, 32, 16, BF16, F32, F32, 2, 8, 8, 8},  {16, 16, 8, TF32, F32, F32, 4, 4, 8, 8},
        {8, 8, 4, F64, F64, F64, 1, 1, 2, 2},     {16, 16, 16, S8, S32, S32, 2, 2, 8, 8},
        {32, 8, 16, S8, S32, S32, 4, 1, 8, 8},    {8, 32, 16, S8, S32, S32, 1, 4, 8, 8},
        {16, 16, 16, U8, S32, S32, 2, 2, 8, 8},   {32, 8, 16, U8, S32, S32, 4, 1, 8, 8},
        {8, 32, 16, U8, S32, S32, 1, 4, 8, 8},
    };
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (unsigned lay = 0; lay < 8; lay++)
            for (unsigned space = 0; space < 4; space++)
                if (lay == 2 || space == (lay & 3) || space == 0)
                    check(t, &shapes[i], lay & 1, lay >> 1 & 1, lay >> 2, space);
    ISA_DONE(t);
}

/* Sub-byte types exist as row times column only. */
static void test_small(void **state)
{
    struct isa *t = *state;
    static const struct shape shapes[] = {{8, 8, 32, S4, S32, S32, 1, 1, 2, 2},
                                          {8, 8, 32, U4, S32, S32, 1, 1, 2, 2},
                                          {8, 8, 128, B1, S32, S32, 1, 1, 2, 2}};
    for (unsigned i = 0; i < 3; i++)
        for (unsigned c = 0; c < 2; c++)
            check(t, &shapes[i], false, true, c, i & 1);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_all), cmocka_unit_test(test_small))
