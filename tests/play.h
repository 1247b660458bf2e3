/* SPDX-License-Identifier: Apache-2.0 */
/* Traces on the timing model: machines to play them on, and what must hold of every result. Include it in one file of a test
 * program. */
#ifndef TESTS_PLAY_H
#define TESTS_PLAY_H

#include "base/rng.h"
#include "gpu/gpu.h"
#include "sanitized.h"

enum { PLAY_SETS = 24 };

struct play_machine {
    const char *name, *preset;
    const char *sets[PLAY_SETS];
};

/* Presets with few SMs, then machines with as little of everything as there can be. All of them hold a CTA of 8 warps with 64
 * registers per thread and 16 KiB of shared memory. */
static const struct play_machine play_machines[] = {
    {"volta", "volta", {"gpu.sms=3"}},
    {"volta-fc", "volta-fc", {"gpu.sms=2"}},
    {"fermi", "fermi", {"gpu.sms=2"}},
    {"throughput", "throughput", {"gpu.sms=2"}},
    {"maxwell", "maxwell", {"gpu.sms=2"}},
    {"turing", "turing", {"gpu.sms=3"}},
    {"hopper", "hopper", {"gpu.sms=2"}},
    {"stealing", "fermi", {"gpu.sms=2", "sm.operands=stealing"}},
    {"stealing in partitions",
     "volta",
     {"gpu.sms=2", "sm.operands=stealing", "sm.assign=shuffle", "rba.score_cyc=7"}},
    {"stealing in a pool", "volta-fc", {"gpu.sms=2", "sm.operands=stealing", "sm.collector_ports=1"}},
    {"banked L1", "fermi", {"gpu.sms=2", "sm.lsu=banked", "sm.warp_limit=5"}},
    {"MRPB", "fermi", {"gpu.sms=2", "sm.lsu=mrpb"}},
    {"MRPB, tight",
     "volta",
     {"gpu.sms=2", "sm.lsu=mrpb", "mrpb.queues=3", "mrpb.entries=1", "sm.l1_mshrs=1", "sm.bypass_mshrs=1",
      "sm.warp_limit=1"}},
    {"WarpPool", "fermi", {"gpu.sms=2", "sm.lsu=warppool"}},
    {"WarpPool by warp",
     "hopper",
     {"gpu.sms=2", "sm.lsu=warppool", "sm.l1_lines=1", "warppool.select=warp", "warppool.coalescers=8",
      "sm.warp_limit=3"}},
    {"WarpPool, tight",
     "volta",
     {"gpu.sms=2", "sm.lsu=warppool", "warppool.queues=1", "warppool.entries=1", "warppool.coalescers=3",
      "warppool.sets=1", "warppool.tags=1", "warppool.merges=2", "warppool.maps=1", "warppool.writeback=1",
      "warppool.cyc=3", "sm.l1_mshrs=2", "sm.bypass_mshrs=2", "sm.l1_merges=1", "sm.lsu_queue=1",
      "sm.request_queue=1", "warppool.quantum=100", "warppool.miss_pct=0"}},
    {"caching collectors", "turing", {"gpu.sms=2", "sm.operands=ccu", "ccu.sthld_cyc=200"}},
    {"caching collectors, a pool",
     "volta-fc",
     {"gpu.sms=2", "sm.operands=ccu", "ccu.sthld=20", "ccu.sthld_dynamic=false", "ccu.entries=2"}},
    {"caching collectors, private", "hopper", {"gpu.sms=2", "sm.operands=ccu", "ccu.private=true"}},
    {"caching collectors, exact",
     "turing",
     {"gpu.sms=2", "sm.operands=ccu", "reuse.exact=true", "reuse.near=5", "sm.wsched=malekeh"}},
    {"caching collectors, plain", "turing", {"gpu.sms=2", "sm.operands=ccu", "ccu.reuse=false"}},
    {"bow", "turing", {"gpu.sms=2", "sm.operands=bow"}},
    {"bow, a pool", "volta-fc", {"gpu.sms=2", "sm.operands=bow", "bow.window=1"}},
    {"rfc", "turing", {"gpu.sms=2", "sm.operands=rfc", "active.warps=2"}},
    {"rfc, one SM-wide set", "fermi", {"gpu.sms=2", "sm.operands=rfc", "active.warps=8", "rfc.entries=1"}},
    {"ltrf", "turing", {"gpu.sms=2", "sm.operands=ltrf", "active.warps=2"}},
    {"ltrf, one SM-wide set",
     "fermi",
     {"gpu.sms=2", "sm.operands=ltrf", "active.warps=8", "ltrf.regs=3", "ltrf.main_cyc=5"}},
    {"ltrf without liveness", "volta", {"gpu.sms=2", "sm.operands=ltrf", "ltrf.live=false"}},
    {"swrfc", "turing", {"gpu.sms=2", "sm.operands=swrfc", "active.warps=2"}},
    {"swrfc, large files",
     "fermi",
     {"gpu.sms=2", "sm.operands=swrfc", "active.warps=1", "swrfc.lrf_entries=4", "swrfc.orf_entries=32"}},
    {"swrfc, a write port", "hopper", {"gpu.sms=2", "sm.operands=swrfc", "active.warps=2"}},
    {"rfc, a write port", "hopper", {"gpu.sms=2", "sm.operands=rfc", "active.warps=1"}},
    {"partitioned by cycle", "throughput", {"gpu.sms=2", "sm.conflicts=cycle"}},
    {"Fermi-like", "throughput", {"gpu.sms=2", "sm.onchip=fermi", "sm.shared_kb=96", "sm.l1_kb=32"}},
    {"unified", "throughput", {"gpu.sms=2", "sm.onchip=unified"}},
    {"unified by cycle, small",
     "throughput",
     {"gpu.sms=2", "sm.onchip=unified", "sm.onchip_kb=128", "sm.conflicts=cycle",
      "sm.l1_local_through=true"}},
    {"unified for each kernel",
     "throughput",
     {"gpu.sms=2", "sm.onchip=unified", "sm.onchip_kb=100", "sm.conflicts=cycle", "sm.onchip_scope=kernel",
      "sm.operands=collectors", "sm.l1_store_alloc=2"}},
    {"unified, several banks",
     "throughput",
     {"gpu.sms=1", "sm.onchip=unified-multi", "sm.conflicts=cycle", "sm.banks=2", "sm.clusters=16"}},
    {"regless", "maxwell", {"gpu.sms=2", "sm.operands=regless"}},
    {"regless, tight",
     "maxwell",
     {"gpu.sms=2", "sm.operands=regless", "regless.regs=256", "regless.out=1", "regless.comp_lines=1",
      "sm.l1_kb=1", "sm.l1_ways=1", "sm.all_collect=true"}},
    {"regless without compressor",
     "volta",
     {"gpu.sms=2", "sm.operands=regless", "regless.comp=false", "regless.meta=false", "regless.region=8"}},
    {"regless in a pool", "volta-fc", {"gpu.sms=1", "sm.operands=regless", "regless.regs=1024"}},
    {"narrow",
     "volta",
     {"gpu.sms=1",          "sm.banks=1",     "sm.collectors=1",   "sm.collector_ports=1", "sm.ibuffer=1",
      "sm.fetch_width=1",   "sm.l1_mshrs=1",  "sm.bypass_mshrs=1", "sm.l1_merges=1",       "sm.lsu_queue=1",
      "sm.request_queue=1", "sm.request_b=1", "sm.reply_b=1",      "mem.slices=1",         "mem.channels=1",
      "mem.l2_mshrs=1",     "mem.queue=1",    "mem.write_queue=2", "mem.l2_ways=1",        "mem.l2_kb=1",
      "mem.icnt_slice_b=1"}},
    {"one slot per scheduler", "volta", {"gpu.sms=1", "sm.partitions=8", "sm.warps=1", "sm.collectors=1"}},
    {"four schedulers",
     "volta",
     {"gpu.sms=1", "sm.partitions=1", "sm.schedulers=4", "sm.warps=64", "sm.banks=64", "sm.collectors=16",
      "sm.collector_ports=1", "active.warps=1"}},
    {"no L1",
     "volta",
     {"gpu.sms=2", "sm.onchip=partitioned", "sm.l1_kb=0", "mem.icnt_cyc=1", "mem.l2_cyc=1"}},
    {"tiny caches",
     "volta",
     {"gpu.sms=2", "sm.onchip=partitioned", "sm.l1_kb=1", "sm.l1_ways=1", "sm.l0i_b=0", "sm.l1i_b=128",
      "sm.const_b=64", "mem.l2_kb=64", "mem.l2_ways=1"}},
    {"slow",
     "volta",
     {"gpu.sms=2", "gpu.launch_cyc=3000", "sm.shared_cyc=1000", "sm.const_cyc=1000", "latency.LDC=1000",
      "sm.barrier_cyc=1000", "sm.l1i_miss_cyc=1000", "sm.l1i_cyc=1000", "sm.l0i_b=0", "sm.fetch_cyc=100",
      "latency.FP32=1000", "interval.INT=1000", "latency.BRANCH=1000", "sm.l1_cyc=1000", "mem.icnt_cyc=1000",
      "mem.l2_cyc=2000"}},
    {"fast", "volta", {"gpu.sms=2",         "sm.shared_cyc=1",    "sm.const_cyc=1", "sm.barrier_cyc=1",
                       "sm.l1i_miss_cyc=1", "sm.l1i_cyc=1",       "latency.FP32=1", "latency.INT=1",
                       "latency.BRANCH=1",  "latency.CONVERGE=1", "sm.l1_cyc=1",    "mem.icnt_cyc=1",
                       "mem.l2_cyc=1",      "mem.dram_cyc=0",     "mem.t_cl=0",     "mem.t_rcd=0",
                       "mem.t_rp=0",        "mem.t_ras=0",        "mem.t_wr=0",     "mem.t_cdlr=0"}},
    {"latches", "volta-accelsim", {"gpu.sms=2"}},
    {"latches, connected",
     "volta-accelsim",
     {"gpu.sms=2", "sm.isolated=false", "sm.wsched=rba", "sm.issue_to_free=true"}},
    {"latches in any order",
     "volta-accelsim",
     {"gpu.sms=2", "sm.collectors=4", "sm.latch_order=false", "sm.read_lock=true", "sm.wide_operands=true",
      "sm.predicates=true", "sm.l1_mshrs=2", "sm.l1_merges=1", "sectored.depth=1", "sm.wsched=random"}},
    {"latch behind the collectors",
     "turing",
     {"gpu.sms=2", "sm.unit_latch=true", "sm.dispatch_ports=1", "sm.lsu=sectored", "mem.write_batches=false",
      "mem.t_ccdl=3"}},
    {"latch before the collectors", "fermi", {"gpu.sms=2", "sm.issue_latch=true", "sm.warp_limit=3"}},
    {"sets of collectors", "fermi-gpgpusim3", {"gpu.sms=2"}},
    {"sets of collectors, tight",
     "fermi",
     {"gpu.sms=2", "sm.collectors=1", "sm.collectors_sfu=1", "sm.collectors_mem=1", "sm.collector_ports=1",
      "sm.read_turns=true", "sm.dispatch_ports=3", "sm.l1_hash=fermi", "sm.fetch_empty=true"}},
    {"stealing behind latches",
     "fermi-gpgpusim3",
     {"gpu.sms=2", "sm.operands=stealing", "stealing.rule=idle"}},
    {"stealing with sets",
     "fermi",
     {"gpu.sms=2", "sm.operands=stealing", "stealing.rule=idle", "sm.collectors=2", "sm.collectors_sfu=1",
      "sm.collectors_mem=1", "sm.lsu=mrpb", "mrpb.stores=flush"}},
    {"stealing, isolated", "volta-accelsim", {"gpu.sms=2", "sm.operands=stealing", "stealing.rule=idle"}},
    {"rfv, tight", "maxwell", {"gpu.sms=2", "sm.operands=rfv", "rfv.regs=256", "rfv.starve_cyc=20"}},
    {"refresh, cold code, turns",
     "volta",
     {"gpu.sms=2", "mem.t_refi=300", "mem.t_rfc=60", "mem.stacks=2", "mem.far_cyc=40", "mem.l2_fetch_b=128",
      "sm.code_kb=1", "sm.code_cyc=50", "sm.part_turns=true"}},
    {"code that streams, through little",
     "hopper",
     {"gpu.sms=2", "sm.l0i_b=512", "sm.l1i_b=1024", "sm.l2i_b=2048", "sm.l1i_miss_cyc=300", "sm.code_kb=1"}},
    {"code that streams, all of it in turn",
     "volta",
     {"gpu.sms=2", "sm.l0i_b=512", "sm.l0i_line_cyc=20", "sm.l1i_b=1024", "sm.ibuffer=8",
      "sm.fetch_width=1"}},
    {"barriers in turn, loads in turn, stores waited for",
     "volta",
     {"gpu.sms=2", "sm.barrier_warp_cyc=3", "sm.reply_turns=true", "sm.store_waits=true",
      "mem.bank_holds=true", "sm.l1_hash=plain"}},
    {"L2 in halves, narrow between them",
     "volta",
     {"gpu.sms=6", "mem.halves=true", "mem.half_b=512", "mem.cross_cyc=50", "mem.cross_b=0.5",
      "mem.l2_mshrs=2", "mem.l2_kb=64", "mem.t_refi=300", "mem.t_rfc=60", "mem.refresh_banks=true",
      "sm.store_waits=true"}},
    {"L2 in halves, two slices in turn",
     "volta",
     {"gpu.sms=6", "mem.halves=true", "mem.half_b=2048", "mem.interleave_twice=true", "mem.l2_plain=true",
      "mem.cross_cyc=50", "mem.atom_cyc=3", "mem.l2_kb=128"}},
    {"a reuse cache", "hopper", {"gpu.sms=2", "sm.operands=reuse"}},
    {"ports of four banks",
     "volta",
     {"gpu.sms=2", "sm.operands=ports", "sm.banks=4", "sm.bank_reads=1", "sm.cross_cyc=5"}},
    {"simple, narrow", "volta", {"gpu.sms=2", "mem.simple=true", "mem.simple_cyc=1", "mem.simple_b=1"}},
    {"simple, far", "volta", {"gpu.sms=2", "mem.simple=true", "mem.simple_cyc=100000", "mem.simple_b=1024"}},
};
enum { PLAY_MACHINES = sizeof play_machines / sizeof play_machines[0] };

static inline const struct play_machine *play_find(const char *name)
{
    uint32_t i = 0;
    while (strcmp(play_machines[i].name, name) != 0)
        i++;
    return &play_machines[i];
}

/* False after reporting. */
static inline bool play_load(struct gpu_conf *c, const struct play_machine *m, const char *wsched,
                             struct diag *d)
{
    char text[256];
    gpu_conf_init(c);
    snprintf(text, sizeof text, "%s/../conf/gpus/%s.ini", TEST_DATA_DIR, m->preset);
    bool ok = conf_read(&c->conf, text, CONF_PRESET, d);
    for (uint32_t i = 0; ok && i < PLAY_SETS && m->sets[i]; i++)
        ok = conf_set(&c->conf, m->sets[i], CONF_USER, d);
    if (ok && wsched) {
        snprintf(text, sizeof text, "sm.wsched=%s", wsched);
        ok = conf_set(&c->conf, text, CONF_USER, d);
    }
    return ok;
}

/* What the trace asks for, counted step by step. */
struct play_want {
    uint64_t ctas, insts, threads, loads;
    uint64_t tensor, partial; /* of the instructions: for tensor cores, by some lanes only */
};

static inline void play_count_warp(const struct tr_kernel *k, struct tr_cta *c, uint32_t warp,
                                   struct play_want *w)
{
    struct tr_step s;
    while (tr_next(c, warp, &s) == TR_STEP) {
        const struct tr_insn *i = &k->insns[s.at];
        w->insts++;
        w->threads += (uint64_t)__builtin_popcount(s.mask);
        w->tensor += tr_classes[i->cls].unit == UNIT_TENSOR;
        w->partial += s.mask && s.mask != ~0u;
        bool to_reg = false;
        for (uint32_t d = 0; d < i->ndst; d++)
            to_reg |= i->dst[d].kind == TO_REG;
        bool answered = i->mem & TM_ATOMIC ? to_reg : i->mem & TM_LOAD;
        if (s.mask && i->naddr && answered && s.addr[0].space != SPACE_SHARED &&
            s.addr[0].space != SPACE_CONST)
            w->loads++;
    }
}

static inline struct play_want play_count(struct tr_reader *t)
{
    struct play_want w = {0};
    struct diag d = {0};
    for (uint32_t l = 0; l < tr_nlaunches(t); l++) {
        const struct tr_launch_info *info = tr_launch(t, l);
        for (uint32_t cta = 0; tr_cta_from(t, l, cta, &cta); cta++) {
            struct tr_cta *c = tr_open_cta(t, l, cta, &d);
            w.ctas++;
            for (uint32_t i = 0; c && i < info->nwarps; i++)
                play_count_warp(tr_kernel(t, info->l.kernel), c, i, &w);
            if (c)
                tr_close_cta(c);
        }
    }
    diag_free(&d);
    return w;
}

static inline uint64_t play_sum(const uint64_t *v, uint32_t n, bool weighted)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += v[i] * (weighted ? i : 1);
    return sum;
}

/* NULL, or what does not add up, in buf. */
static inline const char *play_check(const struct play_want *w, const struct gpu_conf *c, struct tr_reader *t,
                                     const struct gpu_result *r, char *buf, size_t n)
{
    uint64_t sum = 0, all = r->cycles * c->gpu.sms * c->sm.partitions * c->sm.schedulers;
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++)
        sum += r->sm[i];
    const struct {
        const char *what;
        uint64_t got, want;
    } rows[] = {
        {"warp instructions", r->sm[SS_warp_insts], w->insts},
        {"thread instructions", r->sm[SS_thread_insts], w->threads},
        {"CTAs", r->sm[SS_ctas], w->ctas},
        {"loads answered", r->sm[SS_loads_done], w->loads},
        {"issued cycles", r->sm[SS_issued], w->insts},
        {"scheduler cycles", r->sm[SS_cycles], all},
        {"causes", sum, all},
        {"cycles between kernels", r->sm[SS_stall_launch],
         (r->cycles - r->kernel_cycles) * c->gpu.sms * c->sm.partitions * c->sm.schedulers},
        {"launches", r->kernels.n, tr_nlaunches(t)},
        {"instructions by partition",
         play_sum(r->arrays[SA_partition_issued], c->gpu.sms * c->sm.partitions, false), w->insts},
        {"reads by bank", play_sum(r->arrays[SA_bank_reads], c->sm.banks, false), r->sm[SS_reg_reads]},
        {"writes by bank", play_sum(r->arrays[SA_bank_writes], c->sm.banks, false), r->sm[SS_reg_writes]},
        {"conflicts by bank", play_sum(r->arrays[SA_bank_conflicts], c->sm.banks, false),
         r->sm[SS_bank_conflict]},
        {"reads by cycle",
         play_sum(r->arrays[SA_reads_per_cycle], sm_array_n(&c->sm, SA_reads_per_cycle), true),
         r->sm[SS_reg_reads]},
        {"cycles by reads",
         play_sum(r->arrays[SA_reads_per_cycle], sm_array_n(&c->sm, SA_reads_per_cycle), false),
         r->cycles * c->gpu.sms},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].got != rows[i].want) {
            snprintf(buf, n, "%s: %llu, not %llu", rows[i].what, (unsigned long long)rows[i].got,
                     (unsigned long long)rows[i].want);
            return buf;
        }
    }
    vec_each (&r->kernels, k) {
        const struct tr_launch *l = &tr_launch(t, k->launch)->l;
        for (uint32_t i = 0; i < l->nafter; i++)
            vec_each (&r->kernels, o)
                if (o->launch == l->after[i] && o->end > k->start)
                    return "a launch started before one that it follows had ended";
    }
    return NULL;
}

/* Plays the trace on a machine under a scheduler. NULL, or what is wrong, in buf. */
static inline const char *play(const char *path, const struct play_machine *m, const char *wsched,
                               uint32_t threads, struct gpu_result *out, char *buf, size_t n)
{
    struct diag d = {0};
    struct gpu_conf c;
    struct gpu_result r = {0};
    struct tr_reader *t = tr_open(path, &d);
    const char *bad = NULL;
    enum gpu_status st = GPU_REFUSED;
    if (play_load(&c, m, wsched, &d) && t)
        st = gpu_run(&c, t, &(struct gpu_opts){.threads = threads, .check = true}, &r, &d);
    if (st == GPU_OK) {
        struct play_want w = play_count(t);
        bad = play_check(&w, &c, t, &r, buf, n);
    } else {
        snprintf(buf, n, "%s", d.n ? d.msg[0].text : "no message");
        bad = buf;
    }
    if (out)
        *out = r;
    else
        gpu_result_free(&r);
    conf_free(&c.conf);
    if (t)
        tr_free(t);
    diag_free(&d);
    return bad;
}

static inline void play_path(char path[256])
{
    const char *dir = getenv("TMPDIR");
    snprintf(path, 256, "%s/bankshot_play_XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkstemp(path);
    if (fd >= 0)
        close(fd);
}

#endif
