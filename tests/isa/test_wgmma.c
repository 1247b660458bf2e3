/* SPDX-License-Identifier: Apache-2.0 */
/* wgmma: every shape and type, every layout of matrices in shared memory, on small integers, so that every sum is exact. A matrix
 * is put where the manual's canonical layouts have it, atom by atom: an atom has 8 lines (rows of k bytes, or k lines of rows) of
 * 16, 32, 64 or 128 bytes, whose 16-byte pieces are exchanged by the number of the line; atoms lie anywhere, at two strides. */
#include "form.h"
#include "fp.h"
#include "run.h"

#include <stdlib.h>

enum { THREADS = 128, ROWS = 64, MAX_N = 256, MAX_K = 256, MAX_D = 128, IMAGE_B = 160 * 1024 };

enum kind { F16, BF16, TF32, E4M3, E5M2, S8, U8, B1, F32, S32, KINDS };
static const struct fp_fmt fmt_e4m3 = {4, 3}, fmt_e5m2 = {5, 2};
static const struct kind_info {
    const char *name;
    unsigned bits;
    const struct fp_fmt *fmt;
} kinds[KINDS] = {
    {"f16", 16, &fp_f16},   {"bf16", 16, &fp_bf16}, {"tf32", 32, &fp_f32}, {"e4m3", 8, &fmt_e4m3},
    {"e5m2", 8, &fmt_e5m2}, {"s8", 8, NULL},        {"u8", 8, NULL},       {"b1", 1, NULL},
    {"f32", 32, &fp_f32},   {"s32", 32, NULL},
};

/* Types that exist together. */
static const struct types {
    enum kind acc, a, b;
    const char *before, *behind; /* modifiers around the types */
} types[] = {
    {F32, F16, F16, "", ""},        {F16, F16, F16, "", ""},         {F32, BF16, BF16, "", ""},
    {F32, TF32, TF32, "", ""},      {F32, E4M3, E4M3, "", ""},       {F32, E4M3, E5M2, "", ""},
    {F32, E5M2, E4M3, "", ""},      {F32, E5M2, E5M2, "", ""},       {F16, E4M3, E4M3, "", ""},
    {F16, E4M3, E5M2, "", ""},      {F16, E5M2, E4M3, "", ""},       {F16, E5M2, E5M2, "", ""},
    {S32, S8, S8, "", ""},          {S32, S8, U8, "", ""},           {S32, U8, S8, "", ""},
    {S32, U8, U8, "", ""},          {S32, S8, S8, ".satfinite", ""}, {S32, U8, S8, ".satfinite", ""},
    {S32, B1, B1, "", ".and.popc"},
};
enum { TYPES = sizeof types / sizeof *types };

/* How a matrix lies: lines of so many bytes (16: no swizzle), rows next to each other (MN-major), the slice of 32 bytes along k
 * that is multiplied (K-major), and lines by which the pattern is off its own size. */
struct layout {
    unsigned line_b;
    bool mn;
    unsigned slice, shift;
};

struct mma {
    struct types t;
    unsigned n;
    bool a_in_regs, scale, scale_known, neg_a, neg_b;
    struct layout la, lb;
    unsigned chain; /* times that it is done, in a loop of twice as many halves */
};

static struct {
    double a[ROWS][MAX_K], b[MAX_N][MAX_K], c[ROWS][MAX_N];
    unsigned char image[IMAGE_B];
    uint64_t desc[3];
    uint32_t regs[THREADS][4 + MAX_D];
    uint64_t want[THREADS * MAX_D], got[THREADS * MAX_D];
    char body[1 << 17];
} x;

static unsigned k_of(const struct mma *m) { return 256 / kinds[m->t.a].bits; }
static unsigned d_regs(const struct mma *m) { return m->n / (m->t.acc == F16 ? 4 : 2); }

static uint64_t encode(enum kind k, double v)
{
    return kinds[k].fmt ? fp_round(kinds[k].fmt, v, FP_RN) : trunc_to((uint64_t)(int64_t)v, kinds[k].bits);
}

static double small(struct isa *t, enum kind k)
{
    if (k == B1)
        return rng_below(&t->rng, 2);
    return (double)rng_below(&t->rng, 4) - (k == U8 ? 0 : 2);
}

static void fill(struct isa *t, const struct mma *m)
{
    for (unsigned k = 0; k < k_of(m); k++) {
        for (unsigned i = 0; i < ROWS; i++)
            x.a[i][k] = small(t, m->t.a);
        for (unsigned j = 0; j < m->n; j++)
            x.b[j][k] = small(t, m->t.b);
    }
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned j = 0; j < m->n; j++)
            x.c[i][j] = (double)rng_below(&t->rng, 64) - 32;
    if (m->t.acc == S32) /* sums that stop, or wrap */
        for (unsigned j = 0; j < m->n; j++) {
            x.c[1][j] = 2147483647.0;
            x.c[62][j] = -2147483648.0;
        }
}

static void put_bits(unsigned char *to, uint64_t at_bit, unsigned bits, uint64_t v)
{
    for (unsigned b = 0; b < bits; b++)
        to[(at_bit + b) / 8] |= (unsigned char)((v >> b & 1) << ((at_bit + b) % 8));
}

/* Byte `at` of line `line` of an atom whose lines are exchanged. */
static unsigned in_atom(const struct layout *l, unsigned line, unsigned at)
{
    unsigned piece = at / 16 ^ (line * l->line_b / 128) % (l->line_b / 16);
    return line * l->line_b + piece * 16 + at % 16;
}

/* Puts `rows` rows of m into the image from `at` on; returns where that ends, and the descriptor. */
static unsigned put_matrix(struct isa *t, const struct mma *mm, const struct layout *l, enum kind kind,
                           const double (*m)[MAX_K], unsigned rows, unsigned at, uint64_t *desc)
{
    unsigned bits = kinds[kind].bits, k_b = 32, atom_b = 8 * l->line_b, top = at;
    unsigned across = l->mn ? l->line_b / 2 : 8; /* rows of an atom */
    unsigned unit = l->line_b == 16 ? 16 : atom_b;
    at = (at + atom_b - 1) / atom_b * atom_b + 128 * l->shift;
    /* Atoms along the rows and along k: in either order, with gaps. */
    unsigned nrows = (rows + across - 1) / across, nk = l->mn || l->line_b == 16 ? 2 : 1;
    unsigned gap = rng_below(&t->rng, 3) * unit, row_step, k_step;
    if (rng_below(&t->rng, 2)) {
        row_step = atom_b + gap;
        k_step = nrows * row_step + rng_below(&t->rng, 2) * unit;
    } else {
        k_step = atom_b + gap;
        row_step = nk * k_step + rng_below(&t->rng, 2) * unit;
    }
    for (unsigned i = 0; i < rows; i++)
        for (unsigned k = 0; k < k_of(mm); k++) {
            unsigned byte = k * bits / 8, o;
            if (l->mn)
                o = i / across * row_step + k / 8 * k_step + in_atom(l, k % 8, i % across * 2);
            else if (l->line_b == 16)
                o = i / 8 * row_step + byte / 16 * k_step + i % 8 * 16 + byte % 16;
            else
                o = i / 8 * row_step + in_atom(l, i % 8, l->slice * k_b + byte);
            put_bits(x.image + at + o, bits < 8 ? k % 8 : 0, bits, encode(kind, m[i][k]));
            if (at + o + 4 > top)
                top = at + o + 4;
        }
    assert_true(top <= IMAGE_B);
    /* Which of the two strides is the leading one is the layout's affair. K-major with swizzle does not use it. */
    bool rows_lead = l->mn && l->line_b != 16;
    uint64_t lead = rows_lead                  ? row_step
                    : l->mn || l->line_b == 16 ? k_step
                                               : 16,
             stride = rows_lead ? k_step : row_step;
    uint64_t mode = l->line_b == 128 ? 1 : l->line_b == 64 ? 2 : l->line_b == 32 ? 3 : 0;
    *desc = (at + (l->mn ? 0 : l->slice * k_b)) >> 4 | lead >> 4 << 16 | stride >> 4 << 32 |
            (uint64_t)l->shift << 49 | mode << 62;
    return top;
}

static void put_registers(const struct mma *m)
{
    unsigned e = 32 / kinds[m->t.a].bits;
    memset(x.regs, 0, sizeof x.regs);
    for (unsigned th = 0; th < THREADS; th++) {
        unsigned row = th / 32 * 16 + th % 32 / 4, q = th % 4;
        for (unsigned r = 0; r < 4; r++)
            for (unsigned i = 0; i < e; i++)
                x.regs[th][r] |= (uint32_t)encode(m->t.a, x.a[row + r % 2 * 8][4 * e * (r / 2) + e * q + i])
                                 << (kinds[m->t.a].bits * i);
    }
}

/* What thread th has of a matrix of accumulators in register r. */
static uint32_t acc_word(const struct mma *m, const double (*d)[MAX_N], unsigned th, unsigned r)
{
    unsigned row = th / 32 * 16 + th % 32 / 4, col = 2 * (th % 4);
    if (m->t.acc == F16) {
        const double *p = &d[row + r % 2 * 8][r / 2 * 8 + col];
        return (uint32_t)(encode(F16, p[0]) | encode(F16, p[1]) << 16);
    }
    return (uint32_t)encode(m->t.acc, d[row + r / 2 % 2 * 8][r / 4 * 8 + col + r % 2]);
}

static void reference(const struct mma *m)
{
    static double d[ROWS][MAX_N];
    for (unsigned i = 0; i < ROWS; i++)
        for (unsigned j = 0; j < m->n; j++) {
            double sum = 0, v = m->scale ? x.c[i][j] : 0;
            for (unsigned k = 0; k < k_of(m); k++)
                sum += x.a[i][k] * x.b[j][k];
            sum *= m->neg_a != m->neg_b ? -1 : 1;
            for (unsigned k = 0; k < m->chain; k++) {
                v += sum;
                if (*m->t.before)
                    v = v > 2147483647.0 ? 2147483647.0 : v < -2147483648.0 ? -2147483648.0 : v;
            }
            d[i][j] = v;
        }
    for (unsigned th = 0; th < THREADS; th++)
        for (unsigned r = 0; r < d_regs(m); r++)
            x.want[th * d_regs(m) + r] = acc_word(m, d, th, r);
    for (unsigned th = 0; th < THREADS; th++)
        for (unsigned r = 0; r < d_regs(m); r++)
            x.regs[th][4 + r] = acc_word(m, x.c, th, r);
}

static char *append(char *to, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(to, (size_t)(x.body + sizeof x.body - to), fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && to + n < x.body + sizeof x.body);
    return to + n;
}

static char *one_mma(char *p, const struct mma *m, const char *name)
{
    bool halves = kinds[m->t.a].bits == 16;
    p = append(p, "%s {", name);
    for (unsigned r = 0; r < d_regs(m); r++)
        p = append(p, "%s%%d%u", r ? ", " : "", r);
    p = append(p, "}, %s, %%rd2, ", m->a_in_regs ? "{%r0, %r1, %r2, %r3}" : "%rd1");
    p = append(p, "%s", !m->scale_known ? "%p0" : m->scale ? "1" : "0");
    if (m->t.acc != S32)
        p = append(p, ", %d, %d", m->neg_a ? -1 : 1, m->neg_b ? -1 : 1);
    if (halves && !m->a_in_regs)
        p = append(p, ", %d", m->la.mn);
    if (halves)
        p = append(p, ", %d", m->lb.mn);
    return append(p, ";\n");
}

static void write_body(const struct mma *m, const char *name, unsigned image_b)
{
    char *p = append(x.body,
                     ".reg .b32 %%d<128>;\n"
                     "ld.global.u64 %%rd1, [%%in1]; ld.global.u64 %%rd2, [%%in1+8]; ld.global.u32 "
                     "%%r8, [%%in1+16]; setp.ne.u32 %%p0, %%r8, 0;\n"
                     "mad.wide.u32 %%rd31, %%tx, %u, %%in2;\n",
                     (unsigned)sizeof x.regs[0]);
    p = append(p,
               "shl.b32 %%r9, %%tx, 2; mov.u32 %%r10, image;\n"
               "COPY: cvt.u64.u32 %%rd3, %%r9; add.u64 %%rd4, %%in0, %%rd3; ld.global.u32 %%r11, [%%rd4];\n"
               "add.u32 %%r12, %%r10, %%r9; st.shared.u32 [%%r12], %%r11; add.u32 %%r9, %%r9, 512;\n"
               "setp.lt.u32 %%p1, %%r9, %u; @%%p1 bra COPY;\nbar.sync 0;\n",
               image_b);
    for (unsigned r = 0; r < 4; r++)
        p = append(p, "ld.global.b32 %%r%u, [%%rd31+%u];\n", r, 4 * r);
    for (unsigned r = 0; r < d_regs(m); r++)
        p = append(p, "ld.global.b32 %%d%u, [%%rd31+%u];\n", r, 16 + 4 * r);
    if (m->chain > 1)
        p = append(p, "mov.u32 %%r13, %u;\nNEXT:\n", m->chain / 2);
    p = append(p, "wgmma.fence.sync.aligned;\n");
    for (unsigned k = 0; k < (m->chain > 1 ? 2 : 1); k++)
        p = one_mma(p, m, name);
    p = append(p, "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    if (m->chain > 1)
        p = append(p, "sub.u32 %%r13, %%r13, 1; setp.ne.u32 %%p1, %%r13, 0; @%%p1 bra NEXT;\n");
    for (unsigned r = 0; r < d_regs(m); r++)
        p = append(p, "st.global.b32 [%%out+%u], %%d%u;\n", 8 * r, r);
}

static const char *name_of(struct isa *t, const struct mma *m)
{
    return isa_fmt(t, "wgmma.mma_async.sync.aligned.m64n%uk%u%s.%s.%s.%s%s", m->n, k_of(m), m->t.before,
                   kinds[m->t.acc].name, kinds[m->t.a].name, kinds[m->t.b].name, m->t.behind);
}

static void check(struct isa *t, const struct mma *m, unsigned from, unsigned to)
{
    const char *name = name_of(t, m);
    isa_count(t, name);
    memset(x.image, 0, sizeof x.image);
    fill(t, m);
    unsigned at = put_matrix(t, m, &m->la, m->t.a, x.a, ROWS, 16 * rng_below(&t->rng, 64), &x.desc[0]);
    at = put_matrix(t, m, &m->lb, m->t.b, x.b, m->n, at, &x.desc[1]);
    x.desc[2] = m->scale;
    put_registers(m);
    reference(m);
    unsigned image_b = (at + 511) / 512 * 512;
    write_body(m, name, image_b);
    struct kern k = {.name = name,
                     .module = ".extern .shared .align 1024 .b8 image[];",
                     .slots = d_regs(m),
                     .block = {THREADS},
                     .dyn_shared_b = image_b,
                     .tight_regs = d_regs(m) + 20,
                     .body = x.body,
                     .in = {{x.image, image_b}, {x.desc, sizeof x.desc}, {x.regs, sizeof x.regs}}};
    for (unsigned config = from; config < to; config++) {
        memset(x.got, 0, sizeof x.got);
        struct isa_launch l = kern_launch(t, &k, x.got);
        if (!isa_run(t, config, &l, name))
            return;
        for (unsigned i = 0; i < THREADS * d_regs(m); i++) {
            t->checks++;
            if (x.got[i] == x.want[i])
                continue;
            isa_fail(t,
                     "%s [%u]%s A %ub%s slice %u shift %u, B %ub%s slice %u shift %u: thread %u register %u: "
                     "want %#llx, got %#llx",
                     name, config, m->a_in_regs ? " regs" : "", m->la.line_b, m->la.mn ? " mn" : "",
                     m->la.slice, m->la.shift, m->lb.line_b, m->lb.mn ? " mn" : "", m->lb.slice, m->lb.shift,
                     i / d_regs(m), i % d_regs(m), (unsigned long long)x.want[i],
                     (unsigned long long)x.got[i]);
            break;
        }
    }
}

static struct layout some_layout(struct isa *t, enum kind k)
{
    struct layout l = {.line_b = 16u << rng_below(&t->rng, 4)};
    l.mn = kinds[k].bits == 16 && rng_below(&t->rng, 2);
    if (!l.mn && l.line_b > 32)
        l.slice = rng_below(&t->rng, l.line_b / 32);
    return l;
}

static struct mma some_mma(struct isa *t, const struct types *ty, unsigned n)
{
    struct mma m = {.t = *ty, .n = n, .chain = 1, .scale = rng_below(&t->rng, 4) != 0};
    m.a_in_regs = rng_below(&t->rng, 2);
    m.scale_known = rng_below(&t->rng, 2);
    m.neg_a = ty->acc != S32 && rng_below(&t->rng, 2);
    m.neg_b = ty->acc != S32 && rng_below(&t->rng, 2);
    m.la = some_layout(t, ty->a);
    m.lb = some_layout(t, ty->b);
    return m;
}

static bool has_width(const struct types *t, unsigned n) { return t->acc != S32 || n <= 32 || n % 16 == 0; }

/* Every width with all types, in one of the configurations each. */
static void test_shapes(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < TYPES; i++)
        for (unsigned n = 8; n <= 256; n += 8) {
            if (!has_width(&types[i], n))
                continue;
            struct mma m = some_mma(t, &types[i], n);
            check(t, &m, (i + n / 8) % 2, (i + n / 8) % 2 + 1);
        }
    ISA_DONE(t);
}

/* Every layout of A and of B, with all slices, and with the pattern at every line of a 1024-byte repeat. */
static void test_layouts(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < TYPES; i++)
        for (unsigned line_b = 16; line_b <= 128; line_b *= 2)
            for (unsigned mn = 0; mn <= (kinds[types[i].a].bits == 16); mn++)
                for (unsigned slice = 0; slice < (mn || line_b < 64 ? 1 : line_b / 32); slice++) {
                    struct mma m = some_mma(t, &types[i], i % 2 ? 64 : 160);
                    m.a_in_regs = false;
                    m.la = m.lb = (struct layout){line_b, mn, slice, 0};
                    check(t, &m, 0, 1);
                }
    for (unsigned shift = 1; shift < 8; shift++)
        for (unsigned line_b = 32; line_b <= 128; line_b *= 2) {
            struct mma m = some_mma(t, &types[shift % 3], 32);
            m.a_in_regs = false;
            m.la = (struct layout){line_b, shift % 2, 0, shift};
            m.lb = (struct layout){line_b, !(shift % 2), 0, shift};
            check(t, &m, 0, 1);
        }
    ISA_DONE(t);
}

static void test_random(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < 60; i++) {
        const struct types *ty = &types[rng_below(&t->rng, TYPES)];
        unsigned n = 16 * (1 + rng_below(&t->rng, 8));
        struct mma m = some_mma(t, ty, n);
        check(t, &m, 0, ISA_CONFIGS);
    }
    ISA_DONE(t);
}

/* Chains in loops. */
static void test_loops(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < TYPES; i++) {
        struct mma m = some_mma(t, &types[i], 8 << i % 6);
        m.chain = 6;
        m.scale = true;
        check(t, &m, 0, ISA_CONFIGS);
    }
    ISA_DONE(t);
}

/* What is wrong while it runs is said, with the line. */
static void test_wrong(void **state)
{
    struct isa *t = *state;
#define SETUP "mov.u64 %rd1, 0; mov.u64 %rd2, 0; mov.u32 %r1, image; st.shared.u32 [%r1], %r1;\n"
#define FOUR "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, "
#define TWO FOUR "%rd1, %rd2, 1, 1, 1, 0, 0;"
    static const struct {
        const char *before, *insn, *says;
        uint32_t threads;
    } rows[] = {
        {SETUP, TWO, "", 128},
        {SETUP, TWO, "warp 0 is not in a group of four whole warps (the CTA has 96 threads)", 96},
        {SETUP, TWO, "warp 0 is not in a group of four whole warps (the CTA has 127 threads)", 127},
        {SETUP "setp.lt.u32 %p1, %tx, 128; @%p1 bra DONE;", TWO, "warp 4 is not in a group of four", 224},
        {SETUP "and.b32 %r2, %tx, 1; setp.ne.u32 %p1, %r2, 0; @%p1 ret;", TWO,
         "HGMMA: all lanes of a warp execute it together", 128},
        {SETUP "and.b32 %r2, %tx, 1; setp.ne.u32 %p1, %r2, 0; @%p1 ret;", "wgmma.fence.sync.aligned;",
         "WARPGROUP: all lanes of a warp execute it together", 128},
        {SETUP "cvt.u64.u32 %rd1, %tx;", TWO, "the descriptor of A differs between lanes", 128},
        {SETUP "cvt.u64.u32 %rd2, %tx;", TWO, "the descriptor of B differs between lanes", 128},
        {SETUP "setp.ne.u32 %p1, %tx, 3;", FOUR "%rd1, %rd2, %p1, 1, 1, 0, 0;",
         "scale-d differs between lanes", 128},
        {SETUP "mov.u64 %rd1, 0x3f8;", TWO, "", 128},
        {SETUP "mov.u64 %rd2, 0x3f9;", TWO, "shared load (wgmma) of 16 bytes at 0x4000", 128},
        {SETUP "mov.u64 %rd2, 0x2000000000;", FOUR "{%r1, %r1, %r1, %r1}, %rd2, 1, 1, 1, 0;", "", 128},
        {SETUP "mov.u64 %rd2, 0x4000000000000400;", FOUR "{%r1, %r1, %r1, %r1}, %rd2, 1, 1, 1, 0;",
         "shared load (wgmma) of 16 bytes at 0x4000", 128},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kern k = {.name = rows[i].insn,
                         .module = ".shared .align 1024 .b8 image[16384];",
                         .slots = 1,
                         .block = {rows[i].threads}};
        k.body = isa_fmt(t, "%s\n%s\nDONE: st.global.f32 [%%out], %%f0;", rows[i].before, rows[i].insn);
        struct isa_launch l = kern_launch(t, &k, x.got);
        struct isa_result r = isa_try(t, 0, &l);
        uint32_t line = 1;
        for (const char *p = l.ptx, *end = strstr(l.ptx, rows[i].insn); p < end; p++)
            line += *p == '\n';
        t->checks++;
        if (!*rows[i].says ? r.status != ISA_OK
                           : r.status != ISA_FAILED || r.line != line || !strstr(r.text, rows[i].says))
            isa_fail(t, "row %u: status %d at line %u, not %u: '%s', not '%s'", i, r.status, r.line, line,
                     r.text, rows[i].says);
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_wrong), cmocka_unit_test(test_shapes), cmocka_unit_test(test_layouts),
         cmocka_unit_test(test_random), cmocka_unit_test(test_loops))
