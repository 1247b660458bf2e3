/* SPDX-License-Identifier: Apache-2.0 */
/* What is not supported is refused by name, with line and column, before anything runs. */
#include "run.h"

struct refusal {
    const char *insn; /* the instruction's line in the body */
    const char *says; /* what the message must contain */
};

static const struct refusal rows[] = {
    /* Hopper's and Blackwell's own engines */
    {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, %r0, 0, 1, 1, "
     "1, "
     "0, 0;",
     "sp"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.tf32.tf32 {%f0, %f1, %f2, %f3}, %rd0, %rd1, 1, 1, 1;",
     "m64n8k16"},
    {"wgmma.mma_async.sync.aligned.m64n40k32.s32.s8.s8 {%r0, %r1, %r2, %r3}, %rd0, %rd1, 1;", "m64n40k32"},
    {"wgmma.mma_async.sync.aligned.m64n264k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, 1, 1, 1, 0, 0;",
     "m64n264k16"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f16.bf16.bf16 {%r0, %r1}, %rd0, %rd1, 1, 1, 1, 0, 0;", "bf16"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.bf16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, 1, 1, 1, 0, 0;",
     "bf16"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, 1, 2, 1, 0, 0;",
     "sign"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, %rd0, %rd1, 1, 1, 1, 0, 2;",
     "transposition"},
    {"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%f0, %f1, %f2, %f3}, %rd0, %rd1, 1, 1, 1, 0, 1;",
     "operands"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1}, %rd0, %rd1, 1, 1, 1, 0, 0;",
     "4 registers"},
    {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f0, %f1, %f2, %f3}, {%r0, %r1}, %rd1, 1, 1, 1, 0;",
     "4 registers"},
    {"wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1 {%r0, %r1, %r2, %r3}, %rd0, %rd1, 1;", "popc"},
    {"wgmma.wait_group.sync.aligned 8;", "wait_group"},
    {"wgmma.commit_group.sync.aligned.f32;", "mma_async"},
    {"tcgen05.wait::ld.sync.aligned;", "tcgen05"},
    {"cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], [%rd1, {%r0, "
     "%r1, %r2}], [%r2], {%h0};",
     "im2col"},
    {"cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%rd1, {%r0, %r1, %r2}], [%r2];",
     "im2col_no_offs"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%r0], "
     "[%rd1, "
     "{%r0, %r1, %r2, %r3, %r4}], [%r2];",
     "tile::gather4"},
    {"cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes.cta_group::1 [%r0], [%rd1, "
     "{%r0, %r1}], [%r2];",
     "cta_group::1"},
    {"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd1, {%r0}], "
     "[%r2];",
     "2 coordinates"},
    {"cp.async.bulk.tensor.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%rd1, {%r0}], [%r2];",
     "'.1d' to '.5d'"},
    {"cp.async.bulk.tensor.1d.shared::cta.global.bulk_group [%r0], [%rd1, {%r0}], [%r2];",
     "complete_tx::bytes"},
    {"cp.async.bulk.global.shared::cta [%rd0], [%r0], 16;", "needs '.bulk_group'"},
    {"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd0], [%r0], 16, %h0;", "cp_mask"},
    {"cp.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd0], [%r0], 16;", "no operation"},
    {"cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r0];", "3 operands"},
    {"cp.async.bulk.global.global.bulk_group [%rd0], [%rd1], 16;", "twice"},
    {"cp.async.bulk.shared::cta.shared::cta.bulk_group [%r0], [%r1], 16;", "twice"},
    {"cp.async.bulk.global.shared::cluster.bulk_group [%rd0], [%r1], 16;", "state spaces"},
    {"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes.multicast::cluster [%r0], [%rd0], 16, "
     "[%r1], "
     "%h0;",
     "multicast::cluster"},
    {"cp.async.bulk.prefetch.global [%rd0], 16;", "'.L2'"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s64 [%rd0], [%r0], 16;", "s64"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd0], [%r0], 16;", "f16"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.exch.b32 [%rd0], [%r0], 16;", "exch"},
    {"cp.reduce.async.bulk.global.shared::cta.bulk_group.u32 [%rd0], [%r0], 16;", "operation"},
    {"cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%r0], [%r1], "
     "16, "
     "[%r2];",
     "f32"},
    {"cp.reduce.async.bulk.tensor.1d.global.shared::cta.bulk_group [%rd0, {%r1}], [%r0];", "operation"},
    {"cp.async.bulk.wait_group %r0;", "constant"},
    {"mbarrier.arrive.shared::cluster.b64 %rd0, [%r0];", "'_'"},
    {"mbarrier.arrive.expect_tx.shared.b64 _, [%r0];", "bytes"},
    {"mbarrier.try_wait.parity.shared::cluster.b64 %p0, [%r0], 0;", "shared::cluster"},
    {"mbarrier.test_wait.parity.shared.b64 %p0, [%r0], 0, 100;", "parity"},
    {"mbarrier.init.shared::cluster.b64 [%r0], 1;", "shared::cluster"},
    {"barrier.cluster.sync;", "barrier.cluster"},
    {"barrier.cluster.arrive 1;", "barrier.cluster"},
    {"barrier.cluster.arrive.acquire;", "barrier.cluster"},
    {"barrier.cluster.wait.release;", "barrier.cluster"},
    {"barrier.wait 0;", "barrier.cluster"},
    {"barrier.sync.relaxed 0;", "barrier.cluster"},
    {"mapa.shared.u32 %r0, %r1, %r2;", "mapa"},
    {"mapa.u32 %r0, %r1, %r2;", "64 bits"},
    {"multimem.red.global.add.u32 [%rd0], %r0;", "multimem"},
    {"multimem.ld_reduce.weak.global.add.f32 %f0, [%rd0];", "multimem"},
    {"redux.sync.max.abs.NaN.f32 %f0, %f1, -1;", "redux"},
    {"fma.rn.oob.f16 %h0, %h1, %h2, %h3;", "oob"},
    {"clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p0, %rd0;", "clusterlaunchcontrol"},
    {"setmaxnreg.inc.sync.aligned.u32 20;", "setmaxnreg"},
    {"setmaxnreg.inc.sync.aligned.u32 100;", "setmaxnreg"},
    {"setmaxnreg.inc.sync.aligned.u32 %r0;", "setmaxnreg"},
    {"setmaxnreg.sync.aligned.u32 64;", "inc"},
    {"griddepcontrol;", "griddepcontrol"},
    /* Shapes and types */
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, {%r0, %r1}, "
     "{%r2, %r3}, {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};",
     "m8n8k4"},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1}, {%r2, %r3}, "
     "{%f0, %f1, %f2, %f3}, %r4, 0;",
     "sp"},
    {"cvt.rn.e4m3x2.f32 %h0, %f0, %f1;", "satfinite"},
    {"cvt.satfinite.e4m3x2.f32 %h0, %f0, %f1;", "cvt"},
    {"cvt.rz.satfinite.e5m2x2.f32 %h0, %f0, %f1;", "rz"},
    {"cvt.rn.satfinite.f16x2.e4m3x2 %r0, %h0;", "satfinite"},
    {"cvt.rn.bf16x2.e4m3x2 %r0, %h0;", "cvt"},
    {"cvt.rn.satfinite.e2m1x2.f32 %h0, %f0, %f1;", "e2m1x2"},
    {"cvt.rs.satfinite.e4m3x4.f32 %r0, {%f0, %f1, %f2, %f3}, %r1;", "rs"},
    {"movmatrix.sync.aligned.m8n8.b16 %r0, %r1;", "trans"},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.s8.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, "
     "%r5}, "
     "{%f0, %f1, %f2, %f3};",
     "mma"},
    {"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r0, %r1}, [%r4];", "ldmatrix"},
    {"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%r0], {%r1};", "stmatrix"},
    {"alloca.u64 %rd0, %rd1;", "alloca"},
    {"stacksave.u64 %rd0;", "stacksave"},
    {"lop3.or.b32 %r0|%p0, %r1, %r2, %r3, 128, %p1;", "lop3"},
    {"getctarank.u32 %r0, %r1;", "64 bits"},
    {"getctarank.shared::cta.u32 %r0, %r1;", "getctarank"},
    {"red.async.relaxed.cluster.global.mbarrier::complete_tx::bytes.inc.u32 [%rd0], %r0, [%rd1];", "async"},
    {"st.async.weak.shared.mbarrier::complete_tx::bytes.u32 [%rd0], %r0, [%rd1];", "async"},
    {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u16 [%rd0], %h0, [%rd1];", "async"},
    {"st.async.weak.shared::cluster.u32 [%rd0], %r0, [%rd1];", "mbarrier"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b64 [%rd0], %rd2, [%rd1];",
     "async"},
    {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.exch.b32 [%rd0], %r0, [%rd1];",
     "async"},
    {"atom.shared.v2.f32.add {%f0, %f1}, [%r0], {%f2, %f3};", "vector"},
    {"red.global.add.v8.f32 [%rd0], {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7};", "vector"},
    {"red.global.add.v2.u32 [%rd0], {%r0, %r1};", "vector"},
    {"atom.global.exch.b128 %rd0, [%rd0], %rd1;", "b128"},
    {"vadd.u32.u32.u32 %r0, %r1, %r2;", "vadd"},
    {"vmad.u32.u32.u32 %r0, %r1, %r2, %r3;", "vmad"},
    {"vset4.u32.u32.lt %r0, %r1, %r2, %r3;", "vset4"},
    {"tensormap.replace.tile.global_address.global.b1024.b64 [%rd0], %rd1;", "tensormap"},
    {"max.s32 %r0, %r1, %r2, %r3;", "max"},
    {"max.abs.f32 %f0, %f1, %f2, %f3;", "abs"},
    {"min.relu.f64 %fd0, %fd1, %fd2;", "relu"},
    {"cvt.rm.satfinite.f16.f32 %h0, %f0;", "satfinite"},
    {"cvt.satfinite.f16.f32 %h0, %f0;", "satfinite"},
    {"cvt.rn.satfinite.f32.f64 %f0, %fd0;", "satfinite"},
    {"cvt.f32.f64 %f0, %fd0;", "cvt"},
    {"cvt.rn.f32.f32 %f0, %f1;", "rn"},
    {"cvt.s32.f32 %r0, %f1;", "cvt"},
    {"mul.lo.sat.u32 %r0, %r1, %r2;", "sat"},
    {"add.sat.u32 %r0, %r1, %r2;", "sat"},
    {"add.ftz.f64 %fd0, %fd1, %fd2;", "ftz"},
    {"add.rm.f16 %h0, %h1, %h2;", "rm"},
    {"setp.lt.b32 %p0, %r1, %r2;", "lt"},
    {"setp.lt.s32 %p0, %r1, %r2, %p1;", "setp"},
    {"setp.lt.and.s32 %p0, %r1, %r2;", "setp"},
    {"sqrt.rn.ftz.f64 %fd0, %fd1;", "ftz"},
    {"redux.sync.add.b32 %r0, %r1, -1;", "add"},
    {"add.rn.f32x2 %rd0, %rd1, %rd2;", "f32x2"},
    /* Not PTX */
    {"add.f33 %f0, %f1, %f2;", "f33"},
    {"frobnicate.u32 %r0, %r1;", "frobnicate"},
    {"add.u32 %r0, %nope, %r1;", "%nope"},
    {"bra NOWHERE;", "NOWHERE"},
    {"add.u32 %r0, %r1;", "add"},
    {"call (%r0), missing, (%r1);", "missing"},
    {"mov.u32 %r0, %frobreg;", "frobreg"},
    {"ld.global.u32 %r0, [nosuch];", "nosuch"},
};

static void test_refusals(void **state)
{
    struct isa *t = *state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t out[32] = {0};
        struct kern k = {.name = rows[i].insn, .slots = 1, .block = {32}};
        k.body = isa_fmt(t, "mov.u32 %%r0, 1;\n  %s\n  st.global.u32 [%%out], %%r0;", rows[i].insn);
        struct isa_launch l = kern_launch(t, &k, out);
        struct isa_result r = isa_try(t, 0, &l);
        uint32_t line = 1;
        for (const char *p = l.ptx, *end = strstr(l.ptx, rows[i].insn); p < end; p++)
            line += *p == '\n';
        isa_count(t, "refused");
        t->checks++;
        if (r.status != ISA_REFUSED)
            isa_fail(t, "'%s' is not refused (status %d: %s)", rows[i].insn, r.status, r.text);
        else if (r.line != line || r.col < 3 || r.col > 3 + strlen(rows[i].insn))
            isa_fail(t, "'%s' is refused at %u:%u, not in line %u: %s", rows[i].insn, r.line, r.col, line,
                     r.text);
        else if (!strstr(r.text, rows[i].says))
            isa_fail(t, "'%s' is refused without naming '%s': %s", rows[i].insn, rows[i].says, r.text);
        if (out[0])
            isa_fail(t, "'%s' is refused and ran", rows[i].insn);
    }
    ISA_DONE(t);
}

/* Whole modules that cannot be read. */
static void test_modules(void **state)
{
    struct isa *t = *state;
    static const struct {
        const char *text, *says;
    } mods[] = {
        {"", "version"},
        {".version 8.0\n.target sm_90\n.address_size 32\n.visible .entry k() { ret; }\n", "address"},
        {ISA_HEAD ".visible .entry k(.param .u64 p) { ret; ", ""},
        {ISA_HEAD ".visible .entry k() { .reg .b32 %r<2>; add.u32 %r0, %r1, 1\n ret; }\n", ""},
        {ISA_HEAD ".visible .entry k() { L: L: ret; }\n", "L"},
        {ISA_HEAD ".visible .entry k() { .reg .b32 %r; .reg .b32 %r; ret; }\n", "%r"},
        {ISA_HEAD ".global .u32 a; .global .u32 a;\n.visible .entry k() { ret; }\n", "'a'"},
    };
    for (unsigned i = 0; i < sizeof mods / sizeof mods[0]; i++) {
        struct isa_result r = isa_try(t, 0, &(struct isa_launch){.ptx = mods[i].text});
        isa_count(t, "refused");
        t->checks++;
        if (r.status != ISA_REFUSED || !strstr(r.text, mods[i].says))
            isa_fail(t, "module %u: status %d, says '%s', not '%s'", i, r.status, r.text, mods[i].says);
    }
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_refusals), cmocka_unit_test(test_modules))
