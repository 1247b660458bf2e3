/* SPDX-License-Identifier: Apache-2.0 */
/* Bulk copies of tensors: random boxes of every rank, type and swizzle, partly or wholly outside of the tensor, against a model
 * that goes from element to element. */
#include "exec/exec.h"
#include "exec/memory/tensormap.h"
#include "run.h"

enum { TENSOR_B = 32768, SHARED_B = 16384, THREADS = 64, CASES = 40 };

/* The kernel's second buffer. The base of the map is known to the kernel only, which puts it in its place (byte 8 of our
 * encoding). */
struct setup {
    unsigned char map[TMAP_B];
    int32_t at[TMAP_DIMS];
    uint32_t shared, bytes; /* offset in shared memory, bytes of the box */
    uint64_t base;          /* offset of the tensor in the first buffer */
};

struct world {
    struct tmap m;
    struct setup s;
    unsigned char tensor[TENSOR_B], shared[SHARED_B];
};

/* ---- the model ---- */

/* Visits the box's elements: byte offset in the tensor's buffer (-1: outside) and in shared memory. */
typedef void visit(struct world *w, int64_t global, uint32_t shared, void *ctx);

static uint32_t swizzled(uint8_t swizzle, uint32_t a)
{
    uint32_t chunk = a / 16 % 8, line = a / 128 % 8;
    switch (swizzle) {
    case TMAP_SWIZZLE_128: chunk ^= line; break;
    case TMAP_SWIZZLE_64: chunk ^= line % 4; break;
    case TMAP_SWIZZLE_32: chunk ^= line % 2; break;
    default: break;
    }
    return a / 128 * 128 + chunk * 16 + a % 16;
}

/* Stores write the whole piece of 16 bytes that a row ends in. */
static void each(struct world *w, visit *f, void *ctx, bool store)
{
    const struct tmap *m = &w->m;
    uint32_t n[TMAP_DIMS], total = 1, size = tmap_types[m->type].bytes, piece = 16 / size;
    int64_t beyond = store ? (piece - (int64_t)m->size[0] % piece) % piece : 0;
    for (unsigned d = 0; d < TMAP_DIMS; d++) {
        n[d] = 0;
        for (uint32_t k = 0; k < m->box[d]; k += m->step[d])
            n[d]++;
        total *= n[d];
    }
    for (uint32_t e = 0; e < total; e++) {
        int64_t global = (int64_t)w->s.base;
        bool in = true;
        for (uint32_t d = 0, rest = e; d < TMAP_DIMS; rest /= n[d++]) {
            int64_t c = (d < m->rank ? w->s.at[d] : 0) + (int64_t)(rest % n[d]) * m->step[d];
            in = in && c >= 0 && c < (int64_t)m->size[d] + (d ? 0 : beyond);
            global += c * (int64_t)m->stride_b[d];
        }
        /* A row takes no less room than the swizzle turns. */
        uint32_t span = m->swizzle ? 16u << m->swizzle : 0, pitch = n[0] * size > span ? n[0] * size : span;
        uint32_t at = w->s.shared + e / n[0] * pitch + e % n[0] * size;
        for (uint32_t b = 0; b < size; b++)
            f(w, in ? global + b : -1 - (int64_t)b, swizzled(m->swizzle, at + b), ctx);
    }
    w->s.bytes = total * size;
}

static void load_byte(struct world *w, int64_t global, uint32_t shared, void *ctx)
{
    (void)ctx;
    uint64_t nan = w->m.nan_fill ? tmap_types[w->m.type].nan : 0;
    w->shared[shared] = (unsigned char)(global >= 0 ? w->tensor[global] : nan >> (8 * (-1 - global)));
}

static void store_byte(struct world *w, int64_t global, uint32_t shared, void *ctx)
{
    (void)ctx;
    if (global >= 0)
        w->tensor[global] = w->shared[shared];
}

/* Sums of 32-bit words: the bytes of one come in order, lowest first. */
static void add_byte(struct world *w, int64_t global, uint32_t shared, void *ctx)
{
    uint32_t *carry = ctx, sum;
    if (global < 0)
        return;
    if (global % 4 == 0)
        *carry = 0;
    sum = w->tensor[global] + (uint32_t)w->shared[shared] + *carry;
    w->tensor[global] = (unsigned char)sum;
    *carry = sum >> 8;
}

/* ---- random worlds ---- */

static uint32_t below(struct isa *t, uint32_t n) { return rng_below(&t->rng, n); }

/* False: does not fit. */
static bool make_map(struct isa *t, struct tmap *m, unsigned rank, uint8_t type)
{
    static const uint32_t spans[] = {TMAP_BOX * 8, 32, 64, 128};
    uint32_t size = tmap_types[type].bytes, total = size;
    uint64_t extent = 0;
    *m = (struct tmap){.type = type, .rank = (uint8_t)rank, .swizzle = (uint8_t)below(t, 4)};
    m->nan_fill = tmap_types[type].nan && below(t, 2);
    for (unsigned d = 0; d < TMAP_DIMS; d++) {
        m->size[d] = d < rank ? 1 + below(t, d ? 7 : 60) : 1;
        m->box[d] = d >= rank ? 1 : d ? 1 + below(t, 5) : (1 + below(t, 8)) * 16 / size;
        m->step[d] = d && d < rank && below(t, 3) == 0 ? 1 + below(t, 3) : 1;
        m->stride_b[d] = d ? (extent + 15) / 16 * 16 + 16 * below(t, 2) : size;
        extent = m->stride_b[d] * m->size[d];
        total *= m->box[d];
    }
    return m->box[0] && m->box[0] * size <= spans[m->swizzle] && total <= SHARED_B / 16 &&
           extent <= TENSOR_B / 2;
}

static void make_world(struct isa *t, struct world *w, unsigned rank, uint8_t type, bool store)
{
    while (!make_map(t, &w->m, rank, type))
        ;
    w->s = (struct setup){.shared = 128 * below(t, SHARED_B / 2 / 128),
                          .base = 16 * below(t, TENSOR_B / 2 / 16)};
    for (unsigned d = 0; d < rank; d++)
        w->s.at[d] = (int32_t)below(t, (uint32_t)w->m.size[d] + 2 * w->m.box[d]) - (int32_t)w->m.box[d];
    /* A box begins at a multiple of 16 bytes; one that is stored, inside. */
    w->s.at[0] -= w->s.at[0] % (int32_t)(16 / tmap_types[type].bytes);
    for (unsigned d = 0; d < rank && store; d++)
        w->s.at[d] = w->s.at[d] < 0 ? -w->s.at[d] : w->s.at[d];
    tmap_pack(&w->m, w->s.map);
    for (unsigned i = 0; i < TENSOR_B; i++)
        w->tensor[i] = (unsigned char)rng_u32(&t->rng);
    for (unsigned i = 0; i < SHARED_B; i++)
        w->shared[i] = (unsigned char)rng_u32(&t->rng);
}

/* ---- the kernel ---- */

static const char module[] = ".shared .align 1024 .b8 sh[16384]; .shared .align 8 .b64 mb;\n";
static const char before[] =
    "setp.ne.u32 %p0, %tx, 0; mov.u32 %r40, sh; shl.b32 %r41, %tx, 3; mov.u32 %r42, %r41;\n"
    "IN: cvt.u64.u32 %rd20, %r42; add.u64 %rd21, %in2, %rd20; ld.global.u64 %rd22, [%rd21]; add.u32 %r43, "
    "%r40, %r42;\n"
    "st.shared.u64 [%r43], %rd22; add.u32 %r42, %r42, 512; setp.lt.u32 %p15, %r42, 16384; @%p15 bra IN;\n"
    "@%p0 bra READY; mbarrier.init.shared.b64 [mb], 1; ld.global.u64 %rd23, [%in1+160]; add.u64 %rd23, %in0, "
    "%rd23;\n"
    "st.global.u64 [%in1+8], %rd23; fence.proxy.tensormap::generic.release.gpu;\n"
    "READY: bar.sync 0; fence.proxy.async; fence.proxy.async.shared::cta; fence.proxy.async.global;\n"
    "fence.proxy.tensormap::generic.acquire.gpu [%in1], 128; prefetch.tensormap [%in1];\n"
    "ld.global.u32 %r0, [%in1+128]; ld.global.u32 %r1, [%in1+132]; ld.global.u32 %r2, [%in1+136];\n"
    "ld.global.u32 %r3, [%in1+140]; ld.global.u32 %r4, [%in1+144]; ld.global.u32 %r5, [%in1+148];\n"
    "add.u32 %r5, %r40, %r5; ld.global.u32 %r6, [%in1+152]; mov.b64 %rd9, 0; mov.b16 %h1, 1;\n";
static const char after[] =
    "bar.sync 0; @%p0 bra BACK; mov.b64 %rd23, 0; st.global.u64 [%in1+8], %rd23;\nBACK: mov.u32 %r42, %r41;\n"
    "OUT: cvt.u64.u32 %rd20, %r42; add.u64 %rd21, %in2, %rd20; add.u32 %r43, %r40, %r42; ld.shared.u64 "
    "%rd22, [%r43];\n"
    "st.global.u64 [%rd21], %rd22; add.u32 %r42, %r42, 512; setp.lt.u32 %p15, %r42, 16384; @%p15 bra OUT;\n";

static const char *const dims[] = {"", "1d", "2d", "3d", "4d", "5d"};
static const char *const coords[] = {
    "", "{%r0}", "{%r0, %r1}", "{%r0, %r1, %r2}", "{%r0, %r1, %r2, %r3}", "{%r0, %r1, %r2, %r3, %r4}"};

/* given: the world as it was, after: as the model has it. */
static void run(struct isa *t, const struct world *given, const struct world *then, const char *name,
                const char *body)
{
    static const uint64_t zeros[THREADS];
    struct world w = *given;
    const void *want[3] = {then->tensor, &given->s, then->shared};
    struct kern k = {.name = name,
                     .slots = 1,
                     .block = {THREADS},
                     .module = module,
                     .in = {{w.tensor, TENSOR_B}, {&w.s, sizeof w.s}, {w.shared, SHARED_B}}};
    k.body = isa_fmt(t, "%s%s\n%s", before, body, after);
    kern_check(t, &k, zeros, want);
}

static void test_loads(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *dst, *mode, *mods, *tail;
    } forms[] = {{".shared::cluster", "", "", ""},
                 {".shared::cta", ".tile", "", ""},
                 {".shared::cluster", ".tile", ".L2::cache_hint", ", %rd9"},
                 {".shared::cluster", "", ".multicast::cluster", ", %h1"},
                 {".shared::cluster", ".tile", ".multicast::cluster.L2::cache_hint", ", %h1, %rd9"}};
    for (unsigned rank = 1; rank <= TMAP_DIMS; rank++)
        for (unsigned i = 0; i < CASES; i++) {
            struct world given, then;
            unsigned f = i % 5;
            uint8_t type = (uint8_t)below(t, TMAP_FLOAT32_FTZ); /* all that copy bits */
            make_world(t, &given, rank, type, false);
            then = given;
            each(&then, load_byte, NULL, false);
            given.s = then.s;
            const char *name = isa_fmt(t, "cp.async.bulk.tensor.%s%s.global%s.mbarrier::complete_tx::bytes%s",
                                       dims[rank], forms[f].dst, forms[f].mode, forms[f].mods);
            run(t, &given, &then, name,
                isa_fmt(t,
                        "@%%p0 bra W; mbarrier.arrive.expect_tx.shared::cta.b64 _, [mb], %%r6;\n"
                        "%s [%%r5], [%%in1, %s], [mb]%s;\n"
                        "W: mbarrier.try_wait.parity.shared::cta.b64 %%p1, [mb], 0; @!%%p1 bra W;",
                        name, coords[rank], forms[f].tail));
        }
    ISA_DONE(t);
}

static void test_stores(void **state)
{
    struct isa *t = *state;
    for (unsigned rank = 1; rank <= TMAP_DIMS; rank++)
        for (unsigned i = 0; i < CASES; i++) {
            bool red = i % 3 == 2, hint = i % 2;
            uint32_t carry = 0;
            struct world given, then;
            make_world(t, &given, rank,
                       red ? i % 2 ? TMAP_UINT32 : TMAP_INT32 : (uint8_t)below(t, TMAP_NTYPES), true);
            given.m.nan_fill = 0;
            tmap_pack(&given.m, given.s.map);
            then = given;
            each(&then, red ? add_byte : store_byte, &carry, true);
            given.s = then.s;
            const char *name = isa_fmt(t, "cp%s.async.bulk.tensor.%s.global.shared::cta%s%s.bulk_group%s",
                                       red ? ".reduce" : "", dims[rank], red ? ".add" : "",
                                       i % 4 ? ".tile" : "", hint ? ".L2::cache_hint" : "");
            run(t, &given, &then, name,
                isa_fmt(t,
                        "@%%p0 bra D; cp.async.bulk.prefetch.tensor.%s.L2.global [%%in1, %s];\n"
                        "%s [%%in1, %s], [%%r5]%s;\n"
                        "cp.async.bulk.commit_group; cp.async.bulk.wait_group.read 0; "
                        "cp.async.bulk.wait_group 0;\nD:",
                        dims[rank], coords[rank], name, coords[rank], hint ? ", %rd9" : ""));
        }
    ISA_DONE(t);
}

/* Other reductions, a row of 64 elements each: the model is that of the scalar operation. */
static void test_reductions(void **state)
{
    struct isa *t = *state;
    static const char *const ops[] = {"min", "max", "inc", "dec", "and", "or", "xor"};
    for (unsigned o = 0; o < 7; o++) {
        struct world given, then;
        make_world(t, &given, 1, TMAP_UINT32, true);
        given.m = (struct tmap){.type = TMAP_UINT32,
                                .rank = 1,
                                .size = {64, 1, 1, 1, 1},
                                .stride_b = {4, 256, 256, 256, 256},
                                .box = {64, 1, 1, 1, 1},
                                .step = {1, 1, 1, 1, 1}};
        given.s.at[0] = 0;
        tmap_pack(&given.m, given.s.map);
        then = given;
        for (unsigned e = 0; e < 64; e++) {
            uint32_t a, b, v;
            memcpy(&a, then.tensor + then.s.base + 4 * e, 4);
            memcpy(&b, then.shared + then.s.shared + 4 * e, 4);
            v = o == 0   ? a < b ? a : b
                : o == 1 ? a > b ? a : b
                : o == 2 ? a >= b ? 0 : a + 1
                : o == 3 ? a == 0 || a > b ? b : a - 1
                : o == 4 ? a & b
                : o == 5 ? a | b
                         : a ^ b;
            memcpy(then.tensor + then.s.base + 4 * e, &v, 4);
        }
        const char *name =
            isa_fmt(t, "cp.reduce.async.bulk.tensor.1d.global.shared::cta.%s.bulk_group", ops[o]);
        run(t, &given, &then, name,
            isa_fmt(
                t,
                "@!%%p0 %s [%%in1, {%%r0}], [%%r5]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
                name));
    }
    ISA_DONE(t);
}

static void wrong(struct isa *t, struct world *w, const char *body, int code, const char *says)
{
    uint64_t out[THREADS] = {0};
    struct kern k = {.name = body,
                     .slots = 1,
                     .block = {THREADS},
                     .module = module,
                     .in = {{w->tensor, TENSOR_B}, {&w->s, sizeof w->s}, {w->shared, SHARED_B}}};
    k.body = isa_fmt(t, "%s @%%p0 bra D; %s\nD: %s", before, body, after);
    struct isa_launch l = kern_launch(t, &k, out);
    struct isa_result r = isa_try(t, 0, &l);
    t->checks++;
    if (r.status != ISA_FAILED || r.code != code || !strstr(r.text, says))
        isa_fail(t, "'%s': status %d, code %d, says '%s', not '%s'", body, r.status, r.code, r.text, says);
}

static void test_wrong(void **state)
{
    struct isa *t = *state;
    struct world w;
    make_world(t, &w, 2, TMAP_UINT8, false);
    w.s.at[0] = w.s.at[1] = 0;
    static const char store[] =
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%in1, {%r0, %r1}], [%r5];";
    wrong(t, &w,
          "add.u32 %r5, %r5, 16; cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%in1, {%r0, %r1}], "
          "[%r5];",
          EXEC_MISALIGNED, "not a multiple of 128");
    wrong(t, &w, "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%in1, {%r0, %r1, %r2}], [%r5];",
          EXEC_BAD_CODE, "tensor copy of 3 dimensions: the tensor map has 2");
    wrong(t, &w, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%in0, {%r0, %r1}], [%r5];",
          EXEC_BAD_CODE, "there is none that cuTensorMapEncodeTiled has made");
    wrong(t, &w, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%in1+32, {%r0, %r1}], [%r5];",
          EXEC_BAD_CODE, "not a multiple of 64");
    wrong(t, &w,
          "mov.b64 %rd1, 0; cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {%r0, %r1}], [%r5];",
          EXEC_BAD_CODE, "outside every allocation");
    wrong(t, &w,
          "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group [%in1, {%r0, %r1}], [%r5];",
          EXEC_BAD_CODE, "no such operation on elements of the tensor's type");
    w.s.base = TENSOR_B;
    wrong(t, &w, store, EXEC_BAD_ADDRESS, "not inside one allocation");
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_loads), cmocka_unit_test(test_stores), cmocka_unit_test(test_reductions),
         cmocka_unit_test(test_wrong))
