/* SPDX-License-Identifier: Apache-2.0 */
#include "mini.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const plain[] = {
    "gpu.sms=1",        "gpu.core_mhz=1000",    "gpu.launch_cyc=0",     "sm.bank_swizzle=false",
    "sm.l0i_b=1048576", "sm.l1i_cyc=2",         "sm.l1i_miss_cyc=3",    "sm.fetch_width=8",
    "sm.ibuffer=8",     "sm.l1_cyc=30",         "sm.shared_cyc=20",     "sm.barrier_cyc=6",
    "mem.slices=1",     "mem.channels=1",       "mem.icnt_cyc=20",      "mem.l2_cyc=100",
    "mem.l2_kb=64",     "mem.l2_ways=8",        "mem.dram_mhz=1000",    "mem.bus_b=32",
    "mem.dram_cyc=10",  "mem.interleave_b=256", "mem.icnt_slice_b=128", "latency.FP32=4",
    "interval.FP32=2",  "share.switch_b=0",
};

void mini_set(struct mini *m, const char *assignment)
{
    struct diag d = {0};
    bool ok = conf_set(&m->conf.conf, assignment, CONF_USER, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    assert(ok);
}

void mini_init(struct mini *m)
{
    memset(m, 0, sizeof *m);
    gpu_conf_init(&m->conf);
    for (uint32_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        mini_set(m, plain[i]);
    m->warps = m->ctas = m->launches = m->cluster = 1;
    m->regs = 32;
}

void mini_free(struct mini *m) { conf_free(&m->conf.conf); }

static struct tr_opnd reg(int r, uint32_t n)
{
    return (struct tr_opnd){.kind = TO_REG, .n = (uint8_t)n, .val = (uint32_t)r};
}

static struct tr_insn *add(struct mini *m, enum tr_class cls)
{
    assert(m->n < MINI_MAX - 1);
    struct tr_insn *i = &m->insns[m->n];
    *i = (struct tr_insn){
        .cls = (uint8_t)cls, .target = TR_NO_TARGET, .pc = m->n * 16, .text = tr_classes[cls].name};
    m->mask[m->n] = ~0u;
    m->warps_mask[m->n] = m->ctas_mask[m->n] = ~0u;
    m->n++;
    return i;
}

uint32_t mini_op(struct mini *m, enum tr_class cls, int d, int a, int b, int c)
{
    struct tr_insn *i = add(m, cls);
    int src[3] = {a, b, c};
    for (uint32_t k = 0; k < 3; k++)
        if (src[k] >= 0)
            i->src[i->nsrc++] = reg(src[k], 1);
    if (d >= 0)
        i->dst[i->ndst++] = reg(d, 1);
    return m->n - 1;
}

uint32_t mini_mem(struct mini *m, enum tr_class cls, int d, int addr, uint32_t width_b, uint64_t base,
                  int64_t stride)
{
    struct tr_insn *i = add(m, cls);
    bool shared = cls == TC_LDS || cls == TC_STS || cls == TC_ATOMS;
    bool store = cls == TC_STG || cls == TC_STS || cls == TC_STL;
    i->space = shared ? SPACE_SHARED : cls == TC_LDL || cls == TC_STL ? SPACE_LOCAL : SPACE_GLOBAL;
    i->mem = store ? TM_STORE : cls == TC_ATOMG || cls == TC_ATOMS ? TM_LOAD | TM_STORE | TM_ATOMIC : TM_LOAD;
    i->width_b = (uint8_t)width_b;
    i->naddr = 1;
    if (addr >= 0)
        i->src[i->nsrc++] = reg(addr, 1);
    if (d >= 0)
        i->dst[i->ndst++] = reg(d, (width_b + 3) / 4);
    m->base[m->n - 1] = base;
    m->stride[m->n - 1] = stride;
    return m->n - 1;
}

uint32_t mini_bar(struct mini *m)
{
    add(m, TC_BAR);
    return m->n - 1;
}

uint32_t mini_cluster_bar(struct mini *m)
{
    add(m, TC_BAR)->imm = TB_CLUSTER | TB_ARRIVE;
    add(m, TC_BAR)->imm = TB_CLUSTER;
    return m->n - 2;
}

uint32_t mini_object(struct mini *m, enum tr_mbar op, uint64_t addr, uint64_t value)
{
    struct tr_insn *i = add(m, TC_MBAR);
    i->space = SPACE_SHARED;
    i->mem = TM_LOAD | TM_STORE | TM_ATOMIC;
    i->width_b = 8;
    i->naddr = 2;
    i->imm = op;
    m->base[m->n - 1] = addr;
    m->second[m->n - 1] = value;
    m->mask[m->n - 1] = 1;
    return m->n - 1;
}

uint32_t mini_copy(struct mini *m, uint64_t from, uint64_t bytes, uint64_t object)
{
    struct tr_insn *i = add(m, TC_TMA);
    i->nparam = TR_BULK_PARAMS;
    i->imm = TT_LOAD;
    const uint64_t v[TR_PARAMS] = {from, 0, object, bytes, 1, 0, 1, 0, 1, 0, 1, 0, 0};
    m->base[m->n - 1] = m->nparams;
    memcpy(m->params[m->nparams++], v, sizeof v);
    m->mask[m->n - 1] = 1;
    return m->n - 1;
}

uint32_t mini_cast(struct mini *m, uint64_t from, uint64_t bytes, uint64_t object, uint32_t ranks)
{
    uint32_t at = mini_copy(m, from, bytes, object);
    m->params[m->base[at]][12] = ranks;
    return at;
}

static void write_warp(struct mini *m, struct tr_writer *w, uint32_t cta, uint32_t warp)
{
    for (uint32_t n = 0; n < m->n; n++) {
        if (!(m->warps_mask[n] >> warp & 1) || (cta < 32 && !(m->ctas_mask[n] >> cta & 1)))
            continue;
        const struct tr_insn *i = &m->insns[n];
        uint64_t addr[TR_LANES], second[TR_LANES];
        const uint64_t *sets[2] = {i->nparam ? m->params[m->base[n]] : addr, second};
        for (uint32_t l = 0; l < TR_LANES; l++)
            addr[l] = m->base[n] + (uint64_t)(m->stride[n] * l), second[l] = m->second[n];
        uint8_t values[TR_DSTS * 4];
        memset(values, m->value[n], sizeof values);
        tr_insn(w, cta, warp, n, m->mask[n], i->space, i->naddr || i->nparam ? sets : NULL, values);
    }
}

static void write_launch(struct mini *m, struct tr_writer *w, uint32_t i)
{
    struct tr_launch l = {
        .grid = {m->ctas, 1, 1}, .block = {m->warps * TR_LANES, 1, 1}, .cluster = {m->cluster, 1, 1}};
    uint32_t before = i - 1;
    l.flags = i + 1 == m->launches ? m->last_flags : 0;
    if (i && !m->together) {
        l.after = &before;
        l.nafter = 1;
    }
    tr_begin_launch(w, &l);
    for (uint32_t c = 0; c < m->ctas; c++) {
        tr_begin_cta(w, c);
        for (uint32_t k = 0; k < m->warps; k++)
            write_warp(m, w, c, k);
        tr_end_cta(w, c);
    }
    tr_end_launch(w, true);
}

void mini_write(struct mini *m, const char *path)
{
    struct diag d = {0};
    uint32_t n = m->n;
    if (!m->no_exit)
        add(m, TC_EXIT);
    struct tr_kernel *k = xcalloc(1, sizeof *k);
    k->name = "mini";
    k->file = "";
    k->n = m->n;
    k->insns = m->insns;
    k->regs = m->regs;
    k->shared_b = m->shared_b;
    k->coded = m->coded;
    k->arch = m->arch;
    k->nblocks = 1;
    k->blocks = ARENA_NEW(&k->arena, struct tr_block);
    *k->blocks = (struct tr_block){.n = m->n, .ipdom = UINT32_MAX};
    struct tr_info info = {.program = "mini", .maker = "test"};
    struct tr_writer *w = tr_create(path, &info, &d);
    assert(w);
    tr_add_kernel(w, k);
    if (m->copy_b)
        tr_add_copy(w, &(struct tr_copy){.kind = TRC_TO_DEVICE, .addr = m->copy, .bytes = m->copy_b});
    for (uint32_t i = 0; i < m->launches; i++)
        write_launch(m, w, i);
    bool ok = tr_close(w, &d);
    diag_print(&d, stderr);
    assert(ok);
    tr_kernel_free(k);
    m->n = n;
}

enum gpu_status mini_try(struct mini *m, struct gpu_result *r, uint32_t threads, struct diag *d)
{
    char path[] = "/tmp/bankshot-mini-XXXXXX";
    int fd = mkstemp(path);
    assert(fd >= 0);
    close(fd);
    mini_write(m, path);
    struct tr_reader *t = tr_open(path, d);
    diag_print(d, stderr);
    assert(t);
    struct gpu_opts o = {.threads = threads, .check = true};
    enum gpu_status s = gpu_run(&m->conf, t, &o, r, d);
    tr_free(t);
    unlink(path);
    return s;
}

uint64_t mini_run(struct mini *m, struct gpu_result *r, uint32_t threads)
{
    struct diag d = {0};
    enum gpu_status s = mini_try(m, r, threads, &d);
    diag_print(&d, stderr);
    assert(s == GPU_OK);
    diag_free(&d);
    return r->cycles;
}

uint64_t mini_cycles(struct mini *m)
{
    struct gpu_result r;
    uint64_t c = mini_run(m, &r, 1);
    gpu_result_free(&r);
    return c;
}

static uint64_t cycles_of(mini_filler *f, const char *const *sets, uint32_t warps, bool alone, uint32_t n)
{
    struct mini m;
    mini_init(&m);
    m.warps = warps;
    m.regs = 224;
    if (alone)
        mini_set(&m, "sm.partitions=1");
    for (uint32_t i = 0; sets && sets[i]; i++)
        mini_set(&m, sets[i]);
    for (uint32_t i = 0; i < n; i++)
        f(&m, i);
    uint64_t c = mini_cycles(&m);
    mini_free(&m);
    return c;
}

uint64_t mini_cost(mini_filler *f, const char *const *sets, uint32_t warps)
{
    return cycles_of(f, sets, warps, true, MINI_LONG) - cycles_of(f, sets, warps, true, MINI_SHORT);
}

uint64_t mini_cost_of_all(mini_filler *f, const char *const *sets, uint32_t warps)
{
    return cycles_of(f, sets, warps, false, MINI_LONG) - cycles_of(f, sets, warps, false, MINI_SHORT);
}

bool mini_fits(const struct policy *p, const struct sm_cfg *c)
{
    struct arena a = {0};
    bool ok = !p->fits || !p->fits(c, &a);
    arena_free(&a);
    return ok;
}
