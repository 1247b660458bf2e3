/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/light.h"

#include "mem/mem.h"

#include <math.h>

const char *const light_kinds[LIGHT_KINDS] = {"fp32", "fp64", "half", "tensor"};

const struct light_name light_units[LU_COUNT] = {
    [LU_ISSUE] = {"issue", "schedulers: cycles with an issued instruction", "inst/s"},
    [LU_REGISTERS] = {"registers", "register banks: cycles with a read or a write", NULL},
    [LU_FP32] = {"fp32", "single precision units", "FLOP/s"},
    [LU_INT] = {"int", "integer units", NULL},
    [LU_SFU] = {"sfu", "special function units", NULL},
    [LU_FP64] = {"fp64", "double precision units", "FLOP/s"},
    [LU_HALF] = {"half", "half precision units", "FLOP/s"},
    [LU_TENSOR] = {"tensor", "tensor cores", "FLOP/s"},
    [LU_SHARED] = {"shared", "shared memory: cycles of accesses, conflicts among them", NULL},
    [LU_L1] = {"l1", "L1: bytes of sectors looked up and stored", "B/s"},
    [LU_L2] = {"l2", "L2: bytes of sectors read and written", "B/s"},
    [LU_DRAM] = {"dram", "DRAM: bytes read and written", "B/s"},
};

/* ---- what an instruction does ---- */

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* "HMMA.16816.F32": m16n8k16. n is 8 in all of these; m is 16 or 8. */
static double product(const char *text)
{
    unsigned m = 0, n = 0, k = 0;
    const char *dot = strchr(text, '.');
    for (; dot; dot = strchr(dot + 1, '.')) {
        const char *s = dot + 1;
        if (sscanf(s, "%ux%ux%u", &m, &n, &k) == 3)
            break;
        m = begins(s, "168") ? 16 : begins(s, "88") ? 8 : 0;
        n = 8;
        k = m ? (unsigned)strtoul(s + (m == 16 ? 3 : 2), NULL, 10) : 0;
        if (k)
            break;
    }
    if (m == 64) /* of a warp group: a warp has a quarter */
        m = 16;
    /* Volta's HMMA.884 does four products of 8x8x4 in four instructions: one each. */
    return k <= 1024 && n <= 256 ? 2.0 * m * n * k : 0;
}

double light_flops(const struct tr_insn *i, uint32_t lanes, enum light_kind *kind)
{
    const char *t = i->text ? i->text : "";
    switch ((enum tr_class)i->cls) {
    case TC_FP32: *kind = LIGHT_FP32; return (begins(t, "FFMA") ? 2.0 : 1.0) * lanes;
    case TC_FP64:
        *kind = LIGHT_FP64;
        return begins(t, "DFMA") ? 2.0 * lanes : begins(t, "DADD") || begins(t, "DMUL") ? lanes : 0;
    case TC_HALF: /* pairs */
        *kind = LIGHT_HALF;
        return begins(t, "HFMA2") ? 4.0 * lanes : begins(t, "HADD2") || begins(t, "HMUL2") ? 2.0 * lanes : 0;
    case TC_HMMA:
    case TC_IMMA:
    case TC_BMMA:
    case TC_DMMA: *kind = LIGHT_TENSOR; return lanes ? product(t) : 0;
    case TC_GMMA: /* also what commits groups and waits for them */
        *kind = LIGHT_TENSOR;
        return lanes && i->imm & TG_COLUMNS && !(i->imm & TG_WAIT) ? product(t) : 0;
    default: return 0;
    }
}

/* ---- units ---- */

/* Both structs have a member for each class, in the order of these. */
static uint32_t interval_of(const struct gpu_conf *c, uint8_t cls) { return ((const uint32_t *)&c->ii)[cls]; }
static const char *unit_of(const struct gpu_conf *c, uint8_t cls)
{
    return ((const char *const *)&c->unit)[cls];
}

static uint32_t unit_number(const char *name)
{
    static const char *const names[] = {
#define X(name, what) #name,
        SM_UNITS(X)
#undef X
    };
    uint32_t i = 0;
    while (i < UNIT_COUNT && strcmp(names[i], name) != 0)
        i++;
    return i;
}

static uint32_t count_of(const struct gpu_conf *c, uint32_t unit)
{
    return ((const uint32_t *)&c->count)[unit];
}

/* Tensor instructions with four registers of A are two steps (sm/code/kernel.c). */
static uint32_t steps_of(const struct tr_insn *i)
{
    bool stepped = i->cls == TC_HMMA || i->cls == TC_IMMA || i->cls == TC_BMMA;
    return stepped && i->nsrc && i->src[0].kind == TO_REG && i->src[0].n > 2 ? 2 : 1;
}

void light_add(struct light_work *w, const struct gpu_conf *c, const struct tr_insn *i, uint64_t issues,
               uint64_t lanes)
{
    enum light_kind kind = LIGHT_FP32;
    uint32_t unit = unit_number(unit_of(c, i->cls));
    double one = light_flops(i, 1, &kind);
    bool warp = kind == LIGHT_TENSOR;
    w->flops[kind] += one * (double)(warp ? issues : lanes);
    if (unit < UNIT_COUNT && i->cls != TC_GMMA)
        w->busy[unit] += (double)issues * interval_of(c, i->cls) * steps_of(i);
}

/* ---- peaks ---- */

static double hertz(const struct gpu_conf *c) { return c->gpu.core_mhz * 1e6; }
static double parts(const struct gpu_conf *c) { return (double)c->gpu.sms * c->sm.partitions; }

/* Instructions of a class in a cycle, of all partitions. */
static double per_cycle(const struct gpu_conf *c, uint8_t cls)
{
    uint32_t unit = unit_number(unit_of(c, cls)), ii = interval_of(c, cls);
    return unit < UNIT_COUNT && ii ? parts(c) * count_of(c, unit) / ii : 0;
}

/* A step of HMMA is m16n8k8. A product of a warp group has n columns, 16 rows for each warp and takes n / 2 cycles
 * (sm/async/product.c); machines without groups have no way to feed it. */
static double tensor_roof(const struct gpu_conf *c)
{
    double step = per_cycle(c, TC_HMMA) * 2 * 16 * 8 * 8;
    double group = c->gpu.gpc_sms ? parts(c) * 2 * 16 * 16 * 2 : 0;
    return step > group ? step : group;
}

double light_roof(const struct gpu_conf *c, enum light_kind kind)
{
    switch (kind) {
    case LIGHT_FP32: return per_cycle(c, TC_FP32) * TR_LANES * 2 * hertz(c);
    case LIGHT_FP64: return per_cycle(c, TC_FP64) * TR_LANES * 2 * hertz(c);
    case LIGHT_HALF: return per_cycle(c, TC_HALF) * TR_LANES * 4 * hertz(c);
    case LIGHT_TENSOR: return tensor_roof(c) * hertz(c);
    case LIGHT_KINDS: break;
    }
    return 0;
}

static double ratio(double a, double b) { return b > 0 ? a / b : NAN; }

/* Cycles of L2 in one of the SMs. */
static double l2_clock(const struct gpu_conf *c)
{
    return c->mem.l2_mhz > 0 ? c->mem.l2_mhz / c->gpu.core_mhz : 1;
}

static void memory(const struct gpu_conf *c, const struct gpu_result *r, struct light *l)
{
    const uint64_t *s = r->sm, *m = r->mem;
    double cycles = (double)r->kernel_cycles, to_seconds = ratio(1, l->seconds);
    double bytes[LU_COUNT] = {
        [LU_L1] = (double)(s[SS_l1_reads] + s[SS_l1_writes]) * SECTOR_B,
        [LU_L2] = (double)(m[MS_l2_reads] + m[MS_l2_writes] + m[MS_l2_atomics]) * SECTOR_B,
        [LU_DRAM] = (double)(m[MS_dram_reads] + m[MS_dram_writes]) * SECTOR_B,
    };
    double peak[LU_COUNT] = {
        /* Where words have banks these give a line's worth in a cycle, of however many lines. */
        [LU_L1] = (double)c->gpu.sms * (c->sm.l1_words ? 1 : c->sm.l1_lines) * LINE_B,
        [LU_L2] = c->mem.simple ? 0 : (double)c->mem.slices * c->mem.icnt_slice_b * l2_clock(c),
        [LU_DRAM] =
            c->mem.simple ? 0 : (double)c->mem.channels * c->mem.bus_b * c->mem.dram_mhz / c->gpu.core_mhz,
    };
    for (enum light_unit u = LU_L1; u <= LU_DRAM; u++) {
        if (peak[u] <= 0)
            continue;
        l->unit[u].share = ratio(bytes[u], peak[u] * cycles);
        l->unit[u].rate = bytes[u] * to_seconds;
        l->unit[u].peak = peak[u] * hertz(c);
    }
}

static void units(const struct gpu_conf *c, const struct gpu_result *r, const struct light_work *w,
                  struct light *l)
{
    static const struct {
        uint8_t to, unit;
        int8_t kind; /* -1: no operations are counted */
    } rows[] = {{LU_FP32, UNIT_FP32, LIGHT_FP32}, {LU_INT, UNIT_INT, -1},
                {LU_SFU, UNIT_SFU, -1},           {LU_FP64, UNIT_FP64, LIGHT_FP64},
                {LU_HALF, UNIT_HALF, LIGHT_HALF}, {LU_TENSOR, UNIT_TENSOR, LIGHT_TENSOR}};
    l->flops = 0;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double room = (double)r->kernel_cycles * parts(c) * count_of(c, rows[i].unit),
               busy = w->busy[rows[i].unit];
        if (rows[i].unit == UNIT_TENSOR)
            busy += (double)r->sm[SS_product_cycles];
        l->unit[rows[i].to].share = ratio(busy, room);
        if (rows[i].kind < 0)
            continue;
        l->unit[rows[i].to].rate = ratio(w->flops[rows[i].kind], l->seconds);
        l->unit[rows[i].to].peak = light_roof(c, (enum light_kind)rows[i].kind);
        l->flops += w->flops[rows[i].kind];
    }
}

struct light light_of(const struct gpu_conf *c, const struct gpu_result *r, const struct light_work *work)
{
    const uint64_t *s = r->sm;
    struct light l = {.seconds = (double)r->kernel_cycles / hertz(c), .flops = NAN};
    double cycles = (double)r->kernel_cycles, slots = (double)(s[SS_cycles] - s[SS_stall_launch]);
    for (uint32_t i = 0; i < LU_COUNT; i++)
        l.unit[i].share = l.unit[i].rate = l.unit[i].peak = NAN;
    l.unit[LU_ISSUE].share = ratio((double)s[SS_issued], slots);
    l.unit[LU_ISSUE].rate = ratio((double)s[SS_warp_insts], l.seconds);
    l.unit[LU_ISSUE].peak = parts(c) * c->sm.schedulers * hertz(c);
    l.unit[LU_REGISTERS].share = ratio((double)s[SS_bank_busy], cycles * parts(c) * c->sm.banks);
    l.unit[LU_SHARED].share =
        ratio((double)(s[SS_shared_accesses] + s[SS_shared_conflicts]), cycles * c->gpu.sms);
    memory(c, r, &l);
    if (work)
        units(c, r, work, &l);
    return l;
}
