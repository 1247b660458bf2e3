/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red: every operation, type and space, first each thread on its own cell, then all on one. */
#include "form.h"
#include "fp.h"
#include "run.h"

enum { N = 256 };
enum op { AND, OR, XOR, CAS, EXCH, ADD, INC, DEC, MIN, MAX, OPS };
static const char *const op_name[OPS] = {"and", "or",  "xor", "cas", "exch",
                                         "add", "inc", "dec", "min", "max"};
enum { GLOBAL, SHARED, GEN_GLOBAL, GEN_SHARED, SPACES };
static const char *const suffix[SPACES] = {".global", ".shared", "", ""};

static const struct cell_type {
    const char *name;
    unsigned ops; /* which exist, a bit each */
    const struct fp_fmt *fmt;
    bool x2, sgn;
} cells[] = {
    {"b16", 1 << CAS, NULL, false, false},
    {"b32", 1 << AND | 1 << OR | 1 << XOR | 1 << CAS | 1 << EXCH, NULL, false, false},
    {"b64", 1 << AND | 1 << OR | 1 << XOR | 1 << CAS | 1 << EXCH, NULL, false, false},
    {"u32", 1 << ADD | 1 << INC | 1 << DEC | 1 << MIN | 1 << MAX, NULL, false, false},
    {"s32", 1 << ADD | 1 << MIN | 1 << MAX, NULL, false, true},
    {"u64", 1 << ADD | 1 << MIN | 1 << MAX, NULL, false, false},
    {"s64", 1 << MIN | 1 << MAX, NULL, false, true},
    {"f32", 1 << ADD, &fp_f32, false, false},
    {"f64", 1 << ADD, &fp_f64, false, false},
    {"f16", 1 << ADD, &fp_f16, false, false},
    {"f16x2", 1 << ADD, &fp_f16, true, false},
    {"bf16", 1 << ADD, &fp_bf16, false, false},
    {"bf16x2", 1 << ADD, &fp_bf16, true, false},
};

static uint64_t add_float(const struct cell_type *c, uint64_t a, uint64_t b, bool flush)
{
    if (c->x2)
        return fp_op(c->fmt, FP_ADD, FP_RN, a & 0xffff, b & 0xffff, 0) |
               fp_op(c->fmt, FP_ADD, FP_RN, a >> 16, b >> 16, 0) << 16;
    if (!flush)
        return fp_op(c->fmt, FP_ADD, FP_RN, a, b, 0);
    return fp_flush(c->fmt, fp_op(c->fmt, FP_ADD, FP_RN, fp_flush(c->fmt, a), fp_flush(c->fmt, b), 0));
}

/* f32 sums in global memory flush subnormals, those in shared memory do not (PTX manual, atom). */
static uint64_t apply(const struct cell_type *c, enum op op, bool global, uint64_t old, uint64_t b,
                      uint64_t e)
{
    unsigned bits = type_of(c->name)->bits;
    bool less = c->sgn ? sign_of(old, bits) < sign_of(b, bits) : old < b;
    switch (op) {
    case AND: return old & b;
    case OR: return old | b;
    case XOR: return old ^ b;
    case CAS: return old == b ? e : old;
    case EXCH: return b;
    case INC: return old >= b ? 0 : old + 1;
    case DEC: return old == 0 || old > b ? b : old - 1;
    case MIN: return less ? old : b;
    case MAX: return less ? b : old;
    default: return c->fmt ? add_float(c, old, b, global && c->fmt == &fp_f32) : trunc_to(old + b, bits);
    }
}

struct cells_in {
    uint64_t cell[N], b[N], e[N];
};

static void fill(struct isa *t, const struct cell_type *c, struct cells_in *in)
{
    const struct type_info *ti = type_of(c->name);
    uint64_t edge[80];
    unsigned n = type_edges(ti, edge, 80);
    for (unsigned i = 0; i < N; i++) {
        bool special = rng_below(&t->rng, 2);
        in->cell[i] = special ? edge[rng_below(&t->rng, n)] : type_random(ti, &t->rng);
        in->b[i] = special ? edge[rng_below(&t->rng, n)] : type_random(ti, &t->rng);
        in->e[i] = type_random(ti, &t->rng);
        if (c->ops >> CAS & 1 && rng_below(&t->rng, 2))
            in->b[i] = in->cell[i];
    }
}

/* Which register class holds the type. */
static const char *reg_of(const struct cell_type *c)
{
    const struct type_info *ti = type_of(c->name);
    return ti->bits == 16      ? "%h"
           : c->fmt == &fp_f32 ? "%f"
           : c->fmt == &fp_f64 ? "%fd"
           : ti->bits == 64    ? "%rd"
                               : "%r";
}

/* Moves the thread's cell where the form works on it, applies it, reads it back. NaN results are made canonical. */
static const char *body_of(struct isa *t, const struct cell_type *c, const char *insn, int space, bool red,
                           bool cas)
{
    const char *m = type_of(c->name)->mem, *r = reg_of(c);
    bool shared = space == SHARED || space == GEN_SHARED;
    const char *at = isa_fmt(
        t,
        "mad.wide.u32 %%rd20, %%gid, 24, %%in0; ld.global%s %s1, [%%rd20+8]; ld.global%s %s2, [%%rd20+16];\n",
        m, r, m, r);
    if (shared)
        at = isa_fmt(t,
                     "%s mov.u64 %%rd22, sh; mad.wide.u32 %%rd21, %%tx, 8, %%rd22; ld.global%s %s3, "
                     "[%%rd20]; st.shared%s [%%rd21], %s3;\n",
                     at, m, r, m, r);
    else
        at = isa_fmt(t, "%s mov.u64 %%rd21, %%rd20;\n", at);
    const char *gen = space == GEN_SHARED   ? "cvta.shared.u64 %rd23, %rd21;"
                      : space == GEN_GLOBAL ? "cvta.global.u64 %rd23, %rd21;"
                                            : "mov.u64 %rd23, %rd21;";
    const char *dst = red ? "" : isa_fmt(t, "%s0, ", r), *third = cas ? isa_fmt(t, ", %s2", r) : "";
    const char *old = red ? "" : isa_fmt(t, "st.global%s [%%out], %s0;", m, r);
    return isa_fmt(t, "%s %s %s %s[%%rd23], %s1%s;\n %s ld%s%s %s4, [%%rd21]; st.global%s [%%out+8], %s4;",
                   at, gen, insn, dst, r, third, old, shared ? ".shared" : ".global", m, r, m, r);
}

static uint64_t canonical(const struct cell_type *c, uint64_t v)
{
    if (!c->fmt)
        return v;
    if (c->x2) {
        uint64_t lo = v & 0xffff, hi = v >> 16;
        return (fp_is_nan(c->fmt, lo) ? fp_nan(c->fmt) : lo) | (fp_is_nan(c->fmt, hi) ? fp_nan(c->fmt) : hi)
                                                                   << 16;
    }
    return fp_is_nan(c->fmt, v) ? fp_nan(c->fmt) : v;
}

static void check(struct isa *t, const struct cell_type *c, enum op op, int space, bool red, const char *mods)
{
    struct cells_in in;
    uint64_t cell[N][3], got[N][2];
    const char *noftz = c->fmt && type_of(c->name)->bits <= 32 && c->fmt != &fp_f32 ? ".noftz" : "";
    const char *name =
        isa_fmt(t, "%s%s%s.%s%s.%s", red ? "red" : "atom", mods, suffix[space], op_name[op], noftz, c->name);
    struct kern k = {.name = name,
                     .module = ".shared .align 8 .b8 sh[2048];\n",
                     .slots = 2,
                     .grid = {2},
                     .block = {N / 2}};
    k.body = body_of(t, c, name, space, red, op == CAS);
    k.in[0] = (struct isa_buf){cell, sizeof cell};
    fill(t, c, &in);
    isa_count(t, name);
    for (unsigned config = 0; config < ISA_CONFIGS; config++) {
        for (unsigned i = 0; i < N; i++)
            cell[i][0] = in.cell[i], cell[i][1] = in.b[i], cell[i][2] = in.e[i];
        memset(got, 0, sizeof got);
        struct isa_launch l = kern_launch(t, &k, &got[0][0]);
        if (!isa_run(t, config, &l, name))
            return;
        for (unsigned i = 0; i < N; i++) {
            bool global = space == GLOBAL || space == GEN_GLOBAL;
            uint64_t want = apply(c, op, global, in.cell[i], in.b[i], in.e[i]), old = red ? 0 : in.cell[i];
            t->checks += 2;
            if (got[i][0] != old || canonical(c, got[i][1]) != canonical(c, want)) {
                isa_fail(
                    t, "%s [%u] cell %#llx, operands %#llx %#llx: want old %#llx new %#llx, got %#llx %#llx",
                    name, config, (unsigned long long)in.cell[i], (unsigned long long)in.b[i],
                    (unsigned long long)in.e[i], (unsigned long long)old, (unsigned long long)want,
                    (unsigned long long)got[i][0], (unsigned long long)got[i][1]);
                break;
            }
        }
    }
}

static void test_own_cell(void **state)
{
    struct isa *t = *state;
    for (unsigned c = 0; c < sizeof cells / sizeof cells[0]; c++)
        for (enum op op = 0; op < OPS; op++)
            for (int space = 0; space < SPACES && cells[c].ops >> op & 1; space++)
                for (int red = 0; red <= (op != CAS && op != EXCH); red++)
                    check(t, &cells[c], op, space, red, "");
    ISA_DONE(t);
}

static void test_modifiers(void **state)
{
    struct isa *t = *state;
    static const char *const mods[] = {".relaxed.gpu", ".acquire.cta", ".release.sys", ".acq_rel.gpu",
                                       ".relaxed.cluster"};
    for (unsigned i = 0; i < sizeof mods / sizeof mods[0]; i++) {
        check(t, &cells[3], ADD, GLOBAL, false, mods[i]);
        check(t, &cells[1], CAS, GEN_GLOBAL, false, mods[i]);
        check(t, &cells[1], EXCH, SHARED, false, mods[i]);
        if (i % 2 == 0 && i)
            check(t, &cells[1], OR, GLOBAL, true, mods[i]);
    }
    ISA_DONE(t);
}

/* All threads of all CTAs on one cell: the sum is right and the old values are a permutation of 0 .. n-1. */
static void test_contended(void **state)
{
    struct isa *t = *state;
    static const char *const forms[] = {"atom.global.add.u32", "atom.global.inc.u32", "atom.global.add.u64"};
    for (unsigned f = 0; f < 3; f++)
        for (unsigned config = 0; config < ISA_CONFIGS; config++) {
            uint64_t got[N] = {0}, cell = 0, seen[N] = {0};
            bool w = f == 2;
            struct kern k = {
                .name = forms[f], .slots = 1, .grid = {4}, .block = {N / 4}, .in = {{&cell, sizeof cell}}};
            k.body = isa_fmt(t, "%s %s0, [%%in0], %s; st.global.%s [%%out], %s0;", forms[f], w ? "%rd" : "%r",
                             f == 1 ? "100000" : "1", w ? "u64" : "u32", w ? "%rd" : "%r");
            struct isa_launch l = kern_launch(t, &k, got);
            if (!isa_run(t, config, &l, forms[f]))
                break;
            for (unsigned i = 0; i < N; i++)
                if (got[i] < N)
                    seen[got[i]]++;
            for (unsigned i = 0; i < N; i++)
                if (seen[i] != 1) {
                    isa_fail(t, "%s [%u] contended: value %u returned %u times", forms[f], config, i,
                             (unsigned)seen[i]);
                    break;
                }
            if (cell != N)
                isa_fail(t, "%s [%u] contended: sum %u", forms[f], config, (unsigned)cell);
        }
    ISA_DONE(t);
}

/* Shared memory, one cell per CTA, reduced with red; and a spin on cas by lanes of one warp. */
static void test_shared_reduction(void **state)
{
    struct isa *t = *state;
    uint64_t want[N][3];
    for (unsigned i = 0; i < N; i++) {
        want[i][0] = (N / 2) * (N / 2 - 1) / 2;
        want[i][1] = N / 2 - 1;
        want[i][2] = 0x7f;
    }
    struct kern k = {.name = "red.shared.add.u32",
                     .module = ".shared .align 4 .u32 acc[3];\n",
                     .slots = 3,
                     .grid = {2},
                     .block = {N / 2}};
    k.body = "setp.ne.u32 %p0, %tx, 0; @%p0 bra L; mov.u32 %r0, 0; st.shared.u32 [acc], %r0; st.shared.u32 "
             "[acc+4], %r0; st.shared.u32 [acc+8], %r0;\n"
             "L: bar.sync 0; red.shared.add.u32 [acc], %tx; red.shared.max.s32 [acc+4], %tx; "
             "red.shared.or.b32 [acc+8], %tx; bar.sync 0;"
             "ld.shared.u32 %r0, [acc]; ld.shared.u32 %r1, [acc+4]; ld.shared.u32 %r2, [acc+8];"
             "st.global.u32 [%out], %r0; st.global.u32 [%out+8], %r1; st.global.u32 [%out+16], %r2;";
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

static void test_spin_lock(void **state)
{
    struct isa *t = *state;
    uint64_t want[64], cells_[2] = {0, 0};
    const uint64_t after[2] = {0, 64};
    for (unsigned i = 0; i < 64; i++)
        want[i] = 1;
    struct kern k = {.name = "atom.global.cas.b32",
                     .slots = 1,
                     .grid = {2},
                     .block = {32},
                     .in = {{cells_, sizeof cells_}}};
    k.body = "SPIN: atom.global.cas.b32 %r0, [%in0], 0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra SPIN;"
             "ld.volatile.global.u32 %r1, [%in0+8]; add.u32 %r1, %r1, 1; st.volatile.global.u32 [%in0+8], "
             "%r1; membar.gl;"
             "atom.global.exch.b32 %r2, [%in0], 0; st.global.u32 [%out], %r2;";
    kern_check(t, &k, want, (const void *const[]){after});
    ISA_DONE(t);
}

/* Vectors of sm_90: every thread adds to 16 bytes of its own. */
static void test_vectors(void **state)
{
    struct isa *t = *state;
    enum { THREADS = 32 };
    static const struct {
        const char *form, *data;
        uint32_t before, after; /* each word of the cells */
    } rows[] = {
        {"atom.global.add.v4.f32 {%r4, %r5, %r6, %r7}", "{%f0, %f0, %f0, %f0}", 0x40000000, 0x40400000},
        {"atom.global.gpu.relaxed.v2.f32.add {%r4, %r5}", "{%f0, %f0}", 0x40000000, 0x40400000},
        {"red.global.add.v4.f32", "{%f0, %f0, %f0, %f0}", 0x40000000, 0x40400000},
        {"red.global.add.noftz.v4.f16x2", "{%r0, %r0, %r0, %r0}", 0x40004000, 0x42004200},
        {"red.global.add.noftz.v2.bf16x2", "{%r1, %r1}", 0x40004000, 0x40404040},
        {"red.global.v8.f16.add.noftz", "{%h0, %h0, %h0, %h0, %h0, %h0, %h0, %h0}", 0x40004000, 0x42004200},
        {"red.global.v4.bf16.max.noftz", "{%h1, %h1, %h1, %h1}", 0x3f003f00, 0x3f803f80},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t cell[THREADS][4], end[THREADS][4];
        uint64_t want[THREADS][4] = {0};
        bool old = rows[i].form[0] == 'a';
        unsigned words = strstr(rows[i].form, "v2") || strstr(rows[i].form, "v4.bf16.") ? 2 : 4;
        for (unsigned l = 0; l < THREADS; l++)
            for (unsigned k = 0; k < 4; k++) {
                cell[l][k] = rows[i].before;
                end[l][k] = k < words ? rows[i].after : rows[i].before;
                want[l][k] = old && k < words ? rows[i].before : 0;
            }
        struct kern k = {.name = rows[i].form, .slots = 4, .block = {THREADS}, .in = {{cell, sizeof cell}}};
        k.body =
            isa_fmt(t,
                    "mad.wide.u32 %%rd1, %%tx, 16, %%in0; mov.f32 %%f0, 0f3F800000; mov.b32 %%r0, 0x3c003c00;"
                    "mov.b32 %%r1, 0x3f803f80; mov.b16 %%h0, 0x3c00; mov.b16 %%h1, 0x3f80;"
                    "mov.u32 %%r4, 0; mov.u32 %%r5, 0; mov.u32 %%r6, 0; mov.u32 %%r7, 0;\n%s%s [%%rd1], %s;"
                    "st.global.u32 [%%out], %%r4; st.global.u32 [%%out+8], %%r5;"
                    "st.global.u32 [%%out+16], %%r6; st.global.u32 [%%out+24], %%r7;",
                    rows[i].form, old ? "," : "", rows[i].data);
        kern_check(t, &k, &want[0][0], (const void *const[]){end});
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_own_cell), cmocka_unit_test(test_modifiers), cmocka_unit_test(test_contended),
         cmocka_unit_test(test_shared_reduction), cmocka_unit_test(test_spin_lock),
         cmocka_unit_test(test_vectors))
