/* SPDX-License-Identifier: Apache-2.0 */
/* ld and st: every space, type, vector length and register width, and the modifiers that only order or hint. */
#include "form.h"
#include "run.h"

enum { THREADS = 64, REGION_B = 32, CONST_B = 512 };
enum space { GLOBAL, SHARED, LOCAL, CONST, PARAM, GEN_GLOBAL, GEN_SHARED, GEN_LOCAL, GEN_CONST, SPACES };
static const char *const suffix[SPACES] = {".global", ".shared", ".local", ".const", ".param",
                                           "",        "",        "",       ""};

static const struct elem {
    const char *name;
    unsigned bits;
    bool sgn;
    const char *regs[3]; /* register classes it may be loaded into */
} elems[] = {
    {"b8", 8, false, {"%h", "%r", "%rd"}},
    {"u8", 8, false, {"%h", "%r", "%rd"}},
    {"s8", 8, true, {"%h", "%r", "%rd"}},
    {"b16", 16, false, {"%h", "%r", "%rd"}},
    {"u16", 16, false, {"%h", "%r", "%rd"}},
    {"s16", 16, true, {"%h", "%r", "%rd"}},
    {"b32", 32, false, {"%r", "%rd"}},
    {"u32", 32, false, {"%r", "%rd"}},
    {"s32", 32, true, {"%r", "%rd"}},
    {"f32", 32, false, {"%f", "%r"}},
    {"b64", 64, false, {"%rd"}},
    {"u64", 64, false, {"%rd"}},
    {"s64", 64, true, {"%rd"}},
    {"f64", 64, false, {"%fd", "%rd"}},
};
enum { ELEMS = sizeof elems / sizeof elems[0] };

static unsigned reg_bits(const char *reg)
{
    return strcmp(reg, "%h") == 0 ? 16 : strcmp(reg, "%rd") == 0 || strcmp(reg, "%fd") == 0 ? 64 : 32;
}

static const char *store_type(const char *reg)
{
    return strcmp(reg, "%h") == 0    ? "u16"
           : strcmp(reg, "%r") == 0  ? "u32"
           : strcmp(reg, "%f") == 0  ? "f32"
           : strcmp(reg, "%rd") == 0 ? "u64"
                                     : "f64";
}

/* Moves the thread's 32 bytes of in0 to its region and leaves the region's address in %rd30 (generic or of its space). */
static const char *place(struct isa *t, enum space s)
{
    static const char copy[] = "ld.global.v4.u32 {%%r80, %%r81, %%r82, %%r83}, [%%rd29];"
                               "ld.global.v4.u32 {%%r84, %%r85, %%r86, %%r87}, [%%rd29+16];"
                               "st.%s.v4.u32 [%%rd30], {%%r80, %%r81, %%r82, %%r83};"
                               "st.%s.v4.u32 [%%rd30+16], {%%r84, %%r85, %%r86, %%r87};\n";
    const char *own = isa_fmt(t, "mad.wide.u32 %%rd29, %%tx, %d, %%in0;\n", REGION_B);
    const char *var = s == SHARED || s == GEN_SHARED ? "shared" : "local";
    switch (s) {
    case GLOBAL: return isa_fmt(t, "%s mov.u64 %%rd30, %%rd29;\n", own);
    case GEN_GLOBAL: return isa_fmt(t, "%s cvta.global.u64 %%rd30, %%rd29;\n", own);
    case SHARED:
    case GEN_SHARED:
        return isa_fmt(t, "%s mov.u64 %%rd28, sh; mad.wide.u32 %%rd30, %%tx, %d, %%rd28;\n %s %s", own,
                       REGION_B, isa_fmt(t, copy, var, var),
                       s == GEN_SHARED ? "cvta.shared.u64 %rd30, %rd30;\n" : "");
    case LOCAL:
    case GEN_LOCAL:
        return isa_fmt(
            t, "%s .local .align 16 .b8 lo[64]; mov.u64 %%rd30, lo; add.u64 %%rd30, %%rd30, 16;\n %s %s", own,
            isa_fmt(t, copy, var, var), s == GEN_LOCAL ? "cvta.local.u64 %rd30, %rd30;\n" : "");
    case CONST:
        return "mov.u64 %rd28, cd; mul.wide.u32 %rd30, %tx, 4; and.b64 %rd30, %rd30, 0xf0; add.u64 %rd30, "
               "%rd30, %rd28;\n";
    case GEN_CONST:
        return "mov.u64 %rd28, cd; mul.wide.u32 %rd30, %tx, 4; and.b64 %rd30, %rd30, 0xf0; add.u64 %rd30, "
               "%rd30, %rd28;"
               "cvta.const.u64 %rd30, %rd30;\n";
    default: return "mov.b64 %rd30, ps;\n";
    }
}

struct bytes {
    unsigned char region[THREADS][REGION_B];
    unsigned char constant[CONST_B];
};

static const unsigned char *source_of(const struct bytes *b, enum space s, unsigned thread)
{
    if (s == CONST || s == GEN_CONST)
        return b->constant + (thread * 4 & 0xf0);
    return s == PARAM ? b->constant : b->region[thread];
}

static uint64_t value_at(const struct elem *e, const unsigned char *p, const char *reg)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < e->bits / 8; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return trunc_to(e->sgn ? (uint64_t)sign_of(v, e->bits) : v, reg_bits(reg));
}

static const char *reg_list(struct isa *t, const char *reg, unsigned vec)
{
    return vec == 1   ? isa_fmt(t, "%s0", reg)
           : vec == 2 ? isa_fmt(t, "{%s0, %s1}", reg, reg)
                      : isa_fmt(t, "{%s0, %s1, %s2, %s3}", reg, reg, reg, reg);
}

static const char *const_text(struct isa *t, const struct bytes *b)
{
    char text[4 * CONST_B + 1] = "";
    size_t at = 0;
    for (unsigned i = 0; i < CONST_B; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%u", i ? "," : "", b->constant[i]);
    return isa_fmt(t, ".const .align 16 .b8 cd[%d] = {%s};\n.shared .align 16 .b8 sh[%d];\n", CONST_B, text,
                   THREADS * REGION_B);
}

static void random_bytes(struct isa *t, void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)p)[i] = (unsigned char)rng_u32(&t->rng);
}

/* One load form into one register class, at the region's start (also one element further for scalars). */
static void load(struct isa *t, struct bytes *b, const char *module, enum space s, const struct elem *e,
                 unsigned vec, const char *reg)
{
    static const char *const vecs[] = {"", "", ".v2", "", ".v4"};
    unsigned off = vec == 1 ? e->bits / 8 : 0;
    const char *name = isa_fmt(t, "ld%s%s.%s", suffix[s], vecs[vec], e->name), *st = "";
    uint64_t want[THREADS][4] = {0};
    for (unsigned i = 0; i < vec; i++)
        st = isa_fmt(t, "%s st.global.%s [%%out+%u], %s%u;", st, store_type(reg), 8 * i, reg, i);
    for (unsigned i = 0; i < THREADS; i++)
        for (unsigned v = 0; v < vec; v++)
            want[i][v] = value_at(e, source_of(b, s, i) + off + v * e->bits / 8, reg);
    struct kern k = {.name = name,
                     .module = module,
                     .slots = 4,
                     .block = {THREADS},
                     .in = {{b->region, sizeof b->region}}};
    k.params = ", .param .align 16 .b8 ps[64]";
    k.extra = b->constant;
    k.extra_b = 64;
    if (s == PARAM)
        k.body = isa_fmt(t, "%s %s, [ps+%u];\n %s", name, reg_list(t, reg, vec), off, st);
    else
        k.body = isa_fmt(t, "%s %s %s, [%%rd30+%u];\n %s", place(t, s), name, reg_list(t, reg, vec), off, st);
    kern_check(t, &k, &want[0][0], NULL);
}

static void test_ld(void **state)
{
    struct isa *t = *state;
    struct bytes b;
    random_bytes(t, &b, sizeof b);
    const char *module = const_text(t, &b);
    for (enum space s = 0; s < SPACES; s++)
        for (unsigned e = 0; e < ELEMS; e++)
            for (unsigned vec = 1; vec <= 4 && vec * elems[e].bits <= 128; vec *= 2)
                for (unsigned r = 0; r < 3 && elems[e].regs[r]; r++)
                    load(t, &b, module, s, &elems[e], vec, elems[e].regs[r]);
    ISA_DONE(t);
}

/* One store form from one register class; the whole region is then copied out. */
static void store(struct isa *t, struct bytes *b, const char *module, enum space s, const struct elem *e,
                  unsigned vec, const char *reg)
{
    static const char *const vecs[] = {"", "", ".v2", "", ".v4"};
    unsigned off = vec == 1 ? e->bits / 8 : 0;
    const char *name = isa_fmt(t, "st%s%s.%s", suffix[s], vecs[vec], e->name), *ld = "";
    uint64_t want[THREADS][4], value[4] = {0x8182838485868788ull, 0x0910111213141516ull,
                                           0xf1f2f3f4f5f6f7f8ull, 0x7f7e7d7c7b7a7978ull};
    for (unsigned i = 0; i < vec; i++) {
        value[i] = trunc_to(value[i], reg_bits(reg));
        const char *lit = reg[1] == 'f' ? isa_fmt(t, reg_bits(reg) == 32 ? "0f%08llX" : "0d%016llX",
                                                  (unsigned long long)value[i])
                                        : isa_fmt(t, "%lld", (long long)sign_of(value[i], reg_bits(reg)));
        ld = isa_fmt(t, "%s mov.%s %s%u, %s;", ld,
                     reg[1] == 'f' ? store_type(reg) : isa_fmt(t, "b%u", reg_bits(reg)), reg, i, lit);
    }
    for (unsigned i = 0; i < THREADS; i++) {
        memcpy(want[i], b->region[i], REGION_B);
        for (unsigned v = 0; v < vec; v++)
            memcpy((unsigned char *)want[i] + off + v * e->bits / 8, &value[v], e->bits / 8);
    }
    struct kern k = {.name = name,
                     .module = module,
                     .slots = 4,
                     .block = {THREADS},
                     .in = {{b->region, sizeof b->region}}};
    k.body =
        isa_fmt(t,
                "%s %s\n %s [%%rd30+%u], %s;\n"
                "ld%s.v2.u64 {%%rd10, %%rd11}, [%%rd30]; ld%s.v2.u64 {%%rd12, %%rd13}, [%%rd30+16];\n"
                "st.global.v2.u64 [%%out], {%%rd10, %%rd11}; st.global.v2.u64 [%%out+16], {%%rd12, %%rd13};",
                place(t, s), ld, name, off, reg_list(t, reg, vec), suffix[s], suffix[s]);
    kern_check(t, &k, &want[0][0], NULL);
}

static void test_st(void **state)
{
    struct isa *t = *state;
    static const enum space spaces[] = {GLOBAL, SHARED, LOCAL, GEN_GLOBAL, GEN_SHARED, GEN_LOCAL};
    struct bytes b;
    random_bytes(t, &b, sizeof b);
    const char *module = const_text(t, &b);
    for (unsigned s = 0; s < sizeof spaces / sizeof spaces[0]; s++)
        for (unsigned e = 0; e < ELEMS; e++)
            for (unsigned vec = 1; vec <= 4 && vec * elems[e].bits <= 128; vec *= 2)
                for (unsigned r = 0; r < 3 && elems[e].regs[r]; r++)
                    store(t, &b, module, spaces[s], &elems[e], vec, elems[e].regs[r]);
    ISA_DONE(t);
}

/* Modifiers that order or hint: the value is the same. */
static void test_modifiers(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *ld, *st;
        enum space space;
    } rows[] = {
        {"ld.volatile.global.u32", "st.volatile.global.u32", GLOBAL},
        {"ld.volatile.shared.u32", "st.volatile.shared.u32", SHARED},
        {"ld.volatile.u32", "st.volatile.u32", GEN_GLOBAL},
        {"ld.relaxed.gpu.global.u32", "st.relaxed.gpu.global.u32", GLOBAL},
        {"ld.relaxed.cta.shared.u32", "st.relaxed.cta.shared.u32", SHARED},
        {"ld.acquire.sys.global.u32", "st.release.sys.global.u32", GLOBAL},
        {"ld.acquire.gpu.u32", "st.release.gpu.u32", GEN_GLOBAL},
        {"ld.acquire.cta.u32", "st.release.cta.u32", GEN_SHARED},
        {"ld.acquire.cluster.global.u32", "st.release.cluster.global.u32", GLOBAL},
        {"ld.weak.global.u32", "st.weak.global.u32", GLOBAL},
        {"ld.global.ca.u32", "st.global.wb.u32", GLOBAL},
        {"ld.global.cg.u32", "st.global.cg.u32", GLOBAL},
        {"ld.global.cs.u32", "st.global.cs.u32", GLOBAL},
        {"ld.global.lu.u32", "st.global.wt.u32", GLOBAL},
        {"ld.global.cv.u32", "st.global.u32", GLOBAL},
        {"ld.global.nc.u32", "st.global.u32", GLOBAL},
        {"ld.global.ca.nc.u32", "st.global.u32", GLOBAL},
        {"ld.global.nc.L1::no_allocate.u32", "st.global.L1::no_allocate.u32", GLOBAL},
        {"ld.global.L1::evict_first.u32", "st.global.L1::evict_last.u32", GLOBAL},
        {"ld.global.L2::128B.u32", "st.global.u32", GLOBAL},
        {"ld.global.nc.L1::evict_last.L2::256B.u32", "st.global.u32", GLOBAL},
        {"ldu.global.u32", "st.global.u32", GLOBAL},
        {"ld.shared::cta.u32", "st.shared::cta.u32", SHARED},
    };
    struct bytes b;
    random_bytes(t, &b, sizeof b);
    const char *module = const_text(t, &b);
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t want[THREADS];
        for (unsigned j = 0; j < THREADS; j++) {
            uint32_t v;
            memcpy(&v, b.region[j] + 4, 4);
            want[j] = (uint64_t)v << 32 | (v ^ 0x5a5a5a5a);
        }
        struct kern k = {.name = rows[i].ld,
                         .module = module,
                         .slots = 1,
                         .block = {THREADS},
                         .in = {{b.region, sizeof b.region}}};
        /* The second load must see the store and not be merged with the first. */
        k.body = isa_fmt(t,
                         "%s %s %%r0, [%%rd30+4]; xor.b32 %%r1, %%r0, 0x5a5a5a5a; %s [%%rd30+4], %%r1;\n"
                         "ld%s.u32 %%r1, [%%rd30+4]; st.global.v2.u32 [%%out], {%%r1, %%r0};",
                         place(t, rows[i].space), rows[i].ld, rows[i].st, suffix[rows[i].space]);
        kern_check(t, &k, want, NULL);
        isa_count(t, rows[i].st);
    }
    ISA_DONE(t);
}

/* A cache policy made and used: it changes nothing that can be seen. */
static void test_policy(void **state)
{
    struct isa *t = *state;
    uint32_t in[32];
    uint64_t want[32];
    for (unsigned i = 0; i < 32; i++)
        want[i] = in[i] = rng_u32(&t->rng);
    struct kern k = {.name = "createpolicy.fractional.L2::evict_last.b64",
                     .slots = 1,
                     .block = {32},
                     .in = {{in, sizeof in}}};
    k.body =
        "createpolicy.fractional.L2::evict_last.b64 %rd0, 1.0; mad.wide.u32 %rd1, %tx, 4, %in0;"
        "ld.global.L2::cache_hint.u32 %r0, [%rd1], %rd0; st.global.L2::cache_hint.u32 [%out], %r0, %rd0;";
    kern_check(t, &k, want, NULL);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_ld), cmocka_unit_test(test_st), cmocka_unit_test(test_modifiers),
         cmocka_unit_test(test_policy))
