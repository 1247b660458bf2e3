/* SPDX-License-Identifier: Apache-2.0 */
/* Static code, prepared: what an instruction waits for, which registers it moves, where it goes and how long that takes. */
#include "annotate/waits.h"
#include "sm/core.h"
#include "trace/code/facts.h"

/* Notes the registers of an operand, as far as the configuration knows them: `most` at most. */
static void mark(uint64_t *m, const struct tr_opnd *o, uint32_t most, const struct sm_cfg *cfg)
{
    uint32_t base, n = !o->n ? 1 : o->n < most ? o->n : most;
    if (!cfg->predicates && (o->kind == TO_PRED || o->kind == TO_UPRED))
        return;
    switch ((enum tr_opnd_kind)o->kind) {
    case TO_REG: base = 0; break;
    case TO_PRED: base = 256; break;
    case TO_UPRED: base = 264; break;
    case TO_UREG: base = 320; break;
    default: return;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t b = base + (o->val + i) % (o->kind == TO_REG ? 256 : o->kind == TO_UREG ? 64 : 8);
        m[b / 64] |= 1ull << b % 64;
    }
}

/* Predicates come behind a few registers. */
static void move_preds(uint64_t *m)
{
    m[0] |= m[SB_PREDS] << SB_FEW_REGS;
    m[SB_PREDS] = 0;
}

static uint8_t words(const uint64_t *m)
{
    uint8_t w = 0;
    for (uint32_t i = 0; i < SB_WORDS; i++)
        w |= (uint8_t)((m[i] != 0) << i);
    return w;
}

/* Register numbers of a mask, each once. */
static uint8_t list_regs(const uint64_t *m, uint8_t *out)
{
    uint8_t n = 0;
    for (uint32_t w = 0; w < 4; w++)
        for (uint64_t b = m[w]; b && n < MAX_OPERANDS; b &= b - 1)
            out[n++] = (uint8_t)(w * 64 + (uint32_t)__builtin_ctzll(b));
    return n;
}

/* ... and of the sources of an instruction as often as they are named, the first naming of all before the others. */
static uint8_t list_named(const struct tr_insn *t, uint32_t most, const struct sm_cfg *cfg, uint8_t n,
                          uint8_t *out)
{
    uint64_t seen[SB_WORDS] = {0};
    for (uint32_t j = 0; j < t->nsrc; j++) {
        uint64_t own[SB_WORDS] = {0};
        mark(own, &t->src[j], most, cfg);
        for (uint32_t w = 0; w < 4; w++) {
            for (uint64_t b = own[w] & seen[w]; b && n < MAX_OPERANDS; b &= b - 1)
                out[n++] = (uint8_t)(w * 64 + (uint32_t)__builtin_ctzll(b));
            seen[w] |= own[w];
        }
    }
    return n;
}

/* A constant that its unit brings itself is always there. */
static uint8_t route_of(const struct tr_insn *i, uint8_t unit)
{
    switch ((enum tr_class)i->cls) {
    case TC_BRANCH:
    case TC_CONVERGE:
    case TC_WARPSYNC:
    case TC_MEMBAR:
    case TC_SYSCALL: return ROUTE_HOLD;
    case TC_NOP:
    case TC_EXIT:
    case TC_CCTL: return ROUTE_NONE;
    case TC_BAR: return ROUTE_BARRIER;
    case TC_ASYNC: return ROUTE_ASYNC;
    case TC_MBAR: return i->naddr == 2 ? ROUTE_OBJECT : i->mem && i->naddr ? ROUTE_MEMORY : ROUTE_UNIT;
    case TC_TMA:
        return i->nparam || i->imm >= TT_COMMIT ? ROUTE_COPY : i->mem && i->naddr ? ROUTE_MEMORY : ROUTE_UNIT;
    case TC_GMMA:
        return i->imm ? ROUTE_PRODUCT : ROUTE_UNIT; /* without a shape: as other tensor instructions */
    case TC_LDC: return unit == UNIT_LSU && i->mem && i->naddr ? ROUTE_MEMORY : ROUTE_UNIT;
    default: return i->mem && i->naddr ? ROUTE_MEMORY : ROUTE_UNIT;
    }
}

static uint32_t by_class(const struct lat_cfg *l, uint8_t cls)
{
    return ((const uint32_t *)(const void *)l)[cls];
}

/* A tensor instruction with four registers of A (m16n8k16 of halves and its like) does the work of two of the steps that its
 * class's figures are of (HMMA.884, HMMA.1688): the unit takes them one behind the other. */
static uint32_t tensor_steps(const struct tr_insn *i)
{
    bool stepped = i->cls == TC_HMMA || i->cls == TC_IMMA || i->cls == TC_BMMA;
    return stepped && i->nsrc && i->src[0].kind == TO_REG && i->src[0].n > 2 ? 2 : 1;
}

/* Predicates that must be known where instructions are chosen, not where they are executed: the guard, and what a branch or vote
 * reads. */
static uint16_t guards_of(const struct tr_insn *i, const struct sm_cfg *cfg)
{
    uint64_t m[SB_WORDS] = {0};
    mark(m, &i->guard, UINT32_MAX, cfg);
    for (uint32_t j = 0; j < i->nsrc && (i->cls == TC_BRANCH || i->cls == TC_VOTE); j++)
        mark(m, &i->src[j], UINT32_MAX, cfg);
    return (uint16_t)m[SB_PREDS];
}

/* `facts`: TF_*. A convergence barrier that lanes join costs less than one that they wait at. */
static uint32_t latency_of(const struct tr_insn *i, uint32_t facts, const struct sm_cfg *cfg,
                           const struct lat_cfg *lat)
{
    if (cfg->fence_cyc && i->cls == TC_MEMBAR && facts & TF_FENCE_END)
        return 1;
    if (cfg->join_cyc && i->cls == TC_CONVERGE && facts & TF_JOINS)
        return cfg->join_cyc;
    return cfg->texel_cyc && i->cls == TC_TEX && facts & TF_BY_INDEX ? cfg->texel_cyc : by_class(lat, i->cls);
}

/* Constant banks of all kernels in one space of lines: 64 KiB each. */
static uint32_t const_line(uint32_t kernel, uint32_t bank, uint32_t off, const struct sm_cfg *cfg)
{
    uint32_t line_b = bank ? cfg->const_line_b : LINE_B; /* parameters come with the launch */
    return (kernel * 8 + bank % 8) * (65536 / cfg->const_line_b) + off % 65536 / line_b;
}

/* The unit that the configuration names for a class. */
static uint8_t unit_of(const struct unit_cfg *c, uint8_t cls)
{
    const char *name = ((const char *const *)(const void *)c)[cls];
    for (uint32_t i = 0; unit_name(i); i++)
        if (strcmp(unit_name(i), name) == 0)
            return (uint8_t)i;
    return tr_classes[cls].unit;
}

/* Products of integers, and halves that become floats, go to the last of their units alone (sm.imul_units). `facts`: TF_*. */
static uint8_t first_unit(const struct kinsn *k, uint32_t facts, const struct sm_cfg *cfg,
                          const struct sm_timing *tm)
{
    uint32_t n = ((const uint32_t *)(const void *)tm->count)[k->unit], few = cfg->imul_units;
    bool product = k->cls == TC_IMUL || k->cls == TC_MULHI || k->cls == TC_WIDE || facts & TF_TO_FLOAT;
    product &= k->unit == unit_of(tm->unit, TC_IMUL);
    return product && few && few < n ? (uint8_t)(n - few) : 0;
}

static uint8_t blame_of(const struct kinsn *k)
{
    static const uint8_t by_unit[UNIT_COUNT] = {
        [UNIT_FP32] = SS_stall_alu,   [UNIT_INT] = SS_stall_alu,    [UNIT_HALF] = SS_stall_alu,
        [UNIT_SFU] = SS_stall_sfu,    [UNIT_FP64] = SS_stall_fp64,  [UNIT_TENSOR] = SS_stall_tensor,
        [UNIT_LSU] = SS_stall_shared, [UNIT_TEX] = SS_stall_memory, [UNIT_BRANCH] = SS_stall_misc,
        [UNIT_MISC] = SS_stall_misc,
    };
    return k->from_memory ? SS_stall_memory : k->route == ROUTE_MEMORY ? SS_stall_shared : by_unit[k->unit];
}

/* Operands of an instruction stand one behind the other in the queue of their bank, and before the ports of their collector. */
uint32_t kinsn_self_wait(const struct kinsn *k, uint32_t operands, uint32_t bank_reads, uint32_t ports)
{
    uint32_t sum = 0, all = 0;
    for (uint32_t i = 0; i < k->nread; i++) {
        if (!(operands >> i & 1))
            continue;
        uint32_t before = 0;
        for (uint32_t j = 0; j < i; j++)
            before += (operands >> j & 1) && k->read_bank[j] == k->read_bank[i];
        uint32_t bank = before / bank_reads, port = all++ / ports;
        sum += bank > port ? bank : port;
    }
    return sum;
}

bool kernel_names(const struct tr_opnd *o, uint32_t reg)
{
    return o->kind == TO_REG && reg >= o->val && reg < o->val + (o->n ? o->n : 1u);
}

/* What all instructions read and write is known, and which registers these are. */
static void prepare_board(struct sm_kernel *k, const uint64_t *regs)
{
    bool few = !(regs[0] >> SB_FEW_REGS | regs[1] | regs[2] | regs[3]);
    for (uint32_t j = 0; j < 4; j++)
        k->regs[j] = ~0ull;
    if (few)
        k->regs[0] = (1ull << SB_FEW_REGS) - 1;
    for (uint32_t n = 0; n < k->tr->n; n++) {
        struct kinsn *o = &k->insns[n];
        if (few) {
            move_preds(o->writes);
            move_preds(o->reads);
        }
        for (uint32_t j = 0; j < SB_WORDS; j++)
            o->any[j] = o->reads[j] | o->writes[j];
        o->any_words = words(o->any);
        o->writes_words = words(o->writes);
        o->reads_words = words(o->reads);
    }
}

static void take_codes(struct kinsn *o, const struct tr_insn *i, const struct sm_cfg *cfg)
{
    bool wide = i->cls == TC_WIDE || i->cls == TC_MULHI;
    o->coded = true;
    o->stall = (uint8_t)TR_CTL_STALL(i->ctl);
    if (wide && o->stall > 1)
        o->stall = (uint8_t)(o->stall + cfg->wide_cyc);
    o->yields = !TR_CTL_STAYS(i->ctl);
    o->wait = (uint8_t)TR_CTL_WAIT(i->ctl);
    o->write_bar = (uint8_t)TR_CTL_WRITE(i->ctl);
    o->read_bar = (uint8_t)TR_CTL_READ(i->ctl);
    o->keeps = (uint8_t)TR_CTL_REUSE(i->ctl);
}

static void see_atomic(struct kinsn *o, const struct tr_insn *i, uint32_t facts, const struct sm_cfg *cfg)
{
    bool atomic = i->mem & TM_ATOMIC, swap = atomic && facts & TF_SWAP;
    o->is_float = atomic && facts & TF_FLOAT;
    o->is_wide = swap || (atomic && facts & TF_DOUBLE);
    o->meets = atomic && !(cfg->shared_count && facts & TF_COUNTS);
    o->word_cyc = swap ? (uint8_t)cfg->shared_cas : 1;
}

/* Which registers and predicates it reads and writes, and the banks of these. `regs`: of all instructions. */
static void see_registers(struct kinsn *o, const struct sm_kernel *k, const struct tr_insn *i,
                          const struct sm_cfg *cfg, const struct sm_timing *tm, uint64_t *regs)
{
    uint64_t src[SB_WORDS] = {0};
    uint32_t group = banks_group(cfg);
    uint32_t most = cfg->wide_operands                         ? UINT32_MAX
                    : unit_of(tm->unit, i->cls) == UNIT_TENSOR ? cfg->wide_tensor
                                                               : 1;
    for (uint32_t j = 0; j < i->nsrc; j++) {
        mark(src, &i->src[j], most, cfg);
        if (i->src[j].kind == TO_CONST)
            o->konst = 1 + const_line(k->id.id, i->src[j].bank, i->src[j].val, cfg);
    }
    for (uint32_t j = 0; j < i->ndst; j++)
        mark(o->writes, &i->dst[j], most, cfg);
    memcpy(o->reads, src, sizeof src);
    mark(o->reads, &i->guard, most, cfg);
    memcpy(o->def, o->writes, sizeof o->def);
    memcpy(o->use, o->reads, sizeof o->use);
    o->def_preds = (uint16_t)o->writes[SB_PREDS];
    for (uint32_t j = 0; j < 4; j++) {
        o->def_regs |= o->def[j];
        o->use_regs |= cfg->read_lock ? o->use[j] : 0;
        regs[j] |= o->def[j] | o->use[j];
    }
    o->nread = list_regs(src, o->read);
    if (cfg->read_twice)
        o->nread = list_named(i, most, cfg, o->nread, o->read);
    o->nwrite = list_regs(o->def, o->write);
    for (uint32_t j = 0; j < MAX_OPERANDS; j++) {
        o->read_bank[j] = (uint8_t)(o->read[j] % group);
        o->write_bank[j] = (uint8_t)(o->write[j] % group);
    }
    for (uint32_t b = 0; b < cfg->banks && cfg->banks <= NEED_BANKS; b++)
        for (uint32_t j = 0; j < o->nread; j++)
            o->need[b] += 1ull << (b / group * group + (o->read[j] + b) % group) * 8;
    o->self_wait = (uint8_t)kinsn_self_wait(o, ~0u, banks_reads(cfg), cfg->collector_ports);
    o->konst_table = o->konst && (o->konst - 1) / (65536 / cfg->const_line_b) % 8;
}

/* Its way through the SM, and what it does there. */
static void see_way(struct kinsn *o, const struct tr_insn *i, uint32_t facts, bool coded,
                    const struct sm_cfg *cfg, const struct sm_timing *tm)
{
    o->cls = i->cls;
    o->unit = unit_of(tm->unit, i->cls);
    o->route = route_of(i, o->unit);
    o->collects = cfg->all_collect || o->route == ROUTE_UNIT || o->route == ROUTE_MEMORY;
    o->latch = o->route == ROUTE_MEMORY ? UNIT_LSU : o->unit;
    o->kind = o->collects ? o->latch : LATCH_UNITS;
    o->space = i->space;
    o->mem = i->mem;
    o->width_b = i->width_b;
    o->naddr = i->cls == TC_MBAR && i->naddr ? 1 : i->naddr; /* the second set is no addresses */
    o->announces = (i->cls == TC_STS || i->cls == TC_ATOMS) && i->naddr == 2;
    o->bypass = i->bypass;
    see_atomic(o, i, facts, cfg);
    o->imm = i->imm;
    o->count = i->count;
    o->write_bar = o->read_bar = TR_CTL_NONE;
    if (cfg->control_codes && coded)
        take_codes(o, i, cfg);
    o->asks = (i->nparam && o->route != ROUTE_UNIT) || o->route == ROUTE_OBJECT;
    o->has_data = i->naddr || i->nparam;
    o->odd = o->cls == TC_LDGSTS || (o->route == ROUTE_UNIT && o->has_data);
    o->uniform = facts & TF_UNIFORM;
    o->fence = cfg->fence_cyc ? fence_scope(i, facts) : 0;
    o->branches = o->route == ROUTE_HOLD && !o->has_data && !o->nwrite && !o->fence;
    o->nacc = o->route == ROUTE_PRODUCT && i->ndst ? i->dst[0].n : 0;
    o->from_memory = o->route == ROUTE_MEMORY && i->space != SPACE_SHARED;
    o->blame = blame_of(o);
    o->guards = guards_of(i, cfg);
}

/* Registers that go to another place of the SM: when its partition can send others, and when they may be overwritten. */
static void see_port(struct kinsn *o, const struct sm_cfg *cfg)
{
    bool memory = o->route == ROUTE_MEMORY && o->unit == UNIT_LSU, constant = memory && o->cls == TC_LDC;
    uint32_t port = cfg->port_cyc * o->nread;
    o->ported = memory && !constant && cfg->port_cyc;
    if (o->ported && port > o->ii)
        o->ii = port;
    if (memory || o->unit == UNIT_SFU || o->cls == TC_BITS || o->cls == TC_SHFL)
        o->free_cyc = (uint16_t)cfg->free_cyc;
    o->holds = constant && cfg->free_cyc;
}

/* How long it takes, and what its lanes count as. */
static void see_time(struct kinsn *o, const struct tr_insn *i, uint32_t facts, const struct sm_cfg *cfg,
                     const struct sm_timing *tm)
{
    uint32_t way = sm_way_cyc(cfg), ii = by_class(tm->ii, i->cls), steps = tensor_steps(i);
    uint32_t l = latency_of(i, facts, cfg, tm->lat) + (steps - 1) * ii;
    if (i->cls == TC_WIDE && !o->coded)
        l += cfg->wide_cyc;
    o->exec_cyc = o->route == ROUTE_HOLD && !cfg->all_collect ? l : l > way ? l - way : 1;
    o->pass_cyc = o->cls == TC_BRANCH && !cfg->all_collect ? cfg->pass_cyc : 0;
    o->ii = steps * ii;
    see_port(o, cfg);
    o->from_unit = first_unit(o, facts, cfg, tm);
    o->across_cyc = i->cls == TC_SHFL ? (uint8_t)cfg->shfl_cyc : 0;
    o->work = sm_work_of(i, facts);
    o->weight = sm_work_weight(i, o->work, o->ii);
}

/* What depends on the instructions behind, and on the scoreboard's words: once these are known. */
static void see_quiet(struct sm_kernel *k)
{
    for (uint32_t n = k->tr->n; n-- > 0;) {
        struct kinsn *o = &k->insns[n];
        uint32_t behind = n + 1 < k->tr->n ? o[1].quiet : 0;
        if (!o->has_data && o->cls != TC_EXIT && o->route != ROUTE_BARRIER)
            o->quiet = (uint16_t)(behind < UINT16_MAX ? behind + 1 : behind);
        o->simple = o->route == ROUTE_UNIT && !o->odd && o->nread && !(o->writes_words & ~1u) &&
                    o->blame == SS_stall_alu;
    }
}

/* Code without control codes gets stall counts as an assembler would give them. */
static void derive_stalls(struct sm_kernel *k, const struct sm_cfg *cfg, const struct sm_timing *tm)
{
    const struct waits_table table = {(const uint32_t *)(const void *)tm->lat, cfg->guard_cyc, cfg->pass_cyc};
    uint8_t *stall = xcalloc(k->tr->n + 1, 1);
    waits_stalls(k->tr, &table, stall);
    for (uint32_t n = 0; n < k->tr->n; n++)
        k->insns[n].stall = stall[n];
    free(stall);
}

struct sm_kernel *sm_kernel_new(const struct tr_kernel *t, struct sm_kernel_id id, const struct sm_cfg *cfg,
                                const struct sm_timing *tm)
{
    struct sm_kernel *k = xcalloc(1, sizeof *k);
    k->tr = t;
    k->id = id;
    k->space = mem_space(id.tenant);
    k->insns = xcalloc(t->n + 1, sizeof *k->insns); /* the last one has a number and a line alone */
    k->insns[t->n].at = t->n;
    k->insn_b = cfg->insn_b;
    k->code_addr = 0x0000700000000000ull + ((uint64_t)id.id << 28); /* apart from every data address */
    uint64_t regs[4] = {0};
    for (uint32_t n = 0; n < t->n; n++) {
        const struct tr_insn *i = &t->insns[n];
        struct kinsn *o = &k->insns[n];
        uint32_t facts = tr_facts(i);
        o->at = n;
        see_registers(o, k, i, cfg, tm, regs);
        see_way(o, i, facts, t->coded, cfg, tm);
        see_time(o, i, facts, cfg, tm);
        k->copies |= o->route == ROUTE_COPY;
    }
    if (cfg->control_codes && !t->coded)
        derive_stalls(k, cfg, tm);
    prepare_board(k, regs);
    see_quiet(k);
    for (enum seam m = 0; m < SEAMS; m++) {
        const struct policy *p = policy_of(cfg, m);
        k->note[m] = p->annotate ? p->annotate(k, cfg) : NULL;
        k->forget[m] = p->forget;
    }
    for (uint64_t n = 0; n <= t->n; n++) {
        uint64_t word = k->words && n ? k->words[n - 1] + 1 : n;
        k->insns[n].line = 1 + (k->code_addr + word * k->insn_b) / LINE_B;
    }
    return k;
}

const char *sm_kernel_never(const struct sm_kernel *k, const struct sm_cfg *cfg, struct arena *a)
{
    bool products = false;
    for (uint32_t n = 0; n < k->tr->n; n++)
        products |= k->insns[n].route == ROUTE_PRODUCT && k->insns[n].nacc;
    if (!products || operands_find(cfg->operands)->past)
        return NULL;
    return arena_printf(
        a,
        "products of warp groups read and write registers in their banks, and with sm.operands = %s "
        "values may be elsewhere",
        cfg->operands);
}

uint32_t sm_kernel_number(const struct sm_kernel *k) { return k->id.id; }

void sm_kernel_free(struct sm_kernel *k)
{
    for (enum seam m = 0; k && m < SEAMS; m++)
        if (k->note[m])
            k->forget[m](k->note[m]);
    if (k)
        free(k->insns);
    free(k);
}

bool sm_kernel_profile(struct sm_kernel *k, struct tr_reader *trace, const struct sm_cfg *cfg, struct diag *d)
{
    bool ok = true;
    for (enum seam m = 0; m < SEAMS; m++) {
        const struct policy *p = policy_of(cfg, m);
        ok = ok && (!p->profile || p->profile(k, trace, cfg, d));
    }
    return ok;
}
