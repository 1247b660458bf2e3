/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers. */
#include "run.h"

#include <stdlib.h>

/* Grid and block of three dimensions: every thread reports where it is. */
static void test_position(void **state)
{
    struct isa *t = *state;
    enum { GX = 2, GY = 3, GZ = 2, BX = 5, BY = 3, BZ = 4, N = GX * GY * GZ * BX * BY * BZ };
    static const char *const names[] = {
        "tid.x",   "tid.y",       "tid.z",       "ntid.x",      "ntid.y",      "ntid.z",
        "ctaid.x", "ctaid.y",     "ctaid.z",     "nctaid.x",    "nctaid.y",    "nctaid.z",
        "laneid",  "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge"};
    enum { NAMES = sizeof names / sizeof names[0] };
    uint64_t *want = xcalloc(N * NAMES, sizeof *want), *w = want;
    const char *body = "";
    for (unsigned i = 0; i < NAMES; i++)
        body = isa_fmt(t, "%s mov.u32 %%r0, %%%s; st.global.u32 [%%out+%u], %%r0;\n", body, names[i], 8 * i);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t th = i % (BX * BY * BZ), cta = i / (BX * BY * BZ), lane = th % 32, eq = 1u << lane,
                 lt = eq - 1;
        const uint32_t v[NAMES] = {
            th % BX, th / BX % BY, th / BX / BY, BX,   BY, BZ, cta % GX, cta / GX % GY, cta / GX / GY,
            GX,      GY,           GZ,           lane, eq, lt, lt | eq,  ~(lt | eq),    ~lt};
        for (unsigned k = 0; k < NAMES; k++)
            *w++ = v[k];
    }
    struct kern k = {
        .name = "mov.u32 %sreg", .body = body, .slots = NAMES, .grid = {GX, GY, GZ}, .block = {BX, BY, BZ}};
    kern_check(t, &k, want, NULL);
    for (unsigned i = 1; i < NAMES; i++)
        isa_count(t, isa_fmt(t, "%%%.*s", (int)strcspn(names[i], "."), names[i]));
    free(want);
    ISA_DONE(t);
}

/* Values that only have to make sense: as wide as declared, in range, monotonic. */
static void test_sane(void **state)
{
    struct isa *t = *state;
    static const char body[] =
        "mov.u32 %r0, %warpid; mov.u32 %r1, %nwarpid; setp.lt.u32 %p0, %r0, %r1; selp.u32 %r2, 1, 0, %p0; "
        "st.global.u32 [%out], %r2;"
        "mov.u32 %r0, %smid; mov.u32 %r1, %nsmid; setp.lt.u32 %p0, %r0, %r1; selp.u32 %r2, 1, 0, %p0; "
        "st.global.u32 [%out+8], %r2;"
        "mov.u32 %r0, %clock; mov.u64 %rd0, %clock64; mov.u32 %r1, %clock; mov.u64 %rd1, %clock64; sub.u32 "
        "%r1, %r1, %r0; setp.lt.u32 %p0, %r1, 100000;"
        "setp.le.u64 %p1, %rd0, %rd1; and.pred %p0, %p0, %p1; selp.u32 %r2, 1, 0, %p0; st.global.u32 "
        "[%out+16], %r2;"
        "mov.u64 %rd0, %globaltimer; mov.u64 %rd1, %globaltimer; setp.le.u64 %p0, %rd0, %rd1; selp.u32 %r2, "
        "1, 0, %p0; st.global.u32 [%out+24], %r2;"
        "mov.u32 %r0, %dynamic_smem_size; st.global.u32 [%out+32], %r0; mov.u32 %r1, %total_smem_size; "
        "setp.ge.u32 %p0, %r1, 1424; selp.u32 %r2, 1, 0, %p0; st.global.u32 [%out+40], %r2;"
        "mov.u64 %rd0, %gridid; mov.u32 %r0, %globaltimer_lo; mov.u32 %r0, %globaltimer_hi; mov.u32 %r0, "
        "%clock_hi; mov.u32 %r0, %envreg1; st.shared.u32 [sh], %r0;";
    uint64_t want[128][6];
    for (unsigned i = 0; i < 128; i++)
        for (unsigned j = 0; j < 6; j++)
            want[i][j] = j == 4 ? 1024 : 1;
    struct kern k = {.name = "mov %clock",
                     .body = body,
                     .module = ".shared .align 4 .b8 sh[400];\n",
                     .slots = 6,
                     .block = {128},
                     .dyn_shared_b = 1024};
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

/* Dynamic shared memory lies behind the static, and its start is aligned as declared. */
static void test_dynamic_shared(void **state)
{
    struct isa *t = *state;
    uint64_t want[64][2];
    for (unsigned i = 0; i < 64; i++) {
        want[i][0] = (uint64_t)(63 - i) * 3;
        want[i][1] = 0;
    }
    struct kern k = {.name = "ld.shared extern", .slots = 2, .block = {64}, .dyn_shared_b = 256};
    k.module = ".shared .align 4 .b8 small[20];\n.extern .shared .align 16 .b8 dyn[];\n";
    k.body = "mov.u64 %rd0, dyn; mad.wide.u32 %rd1, %tx, 4, %rd0; mul.lo.u32 %r0, %tx, 3; st.shared.u32 "
             "[small], %r0; st.shared.u32 [%rd1], %r0; bar.sync 0; sub.u32 %r1, 63, %tx;"
             "mad.wide.u32 %rd2, %r1, 4, %rd0; ld.shared.u32 %r2, [%rd2]; st.global.u32 [%out], %r2; and.b64 "
             "%rd3, %rd0, 15; st.global.u64 [%out+8], %rd3;";
    kern_check(t, &k, &want[0][0], NULL);
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_position), cmocka_unit_test(test_sane), cmocka_unit_test(test_dynamic_shared))
