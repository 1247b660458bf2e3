/* SPDX-License-Identifier: Apache-2.0 */
/* For each register and predicate: cycles until a result of fixed latency is there, and the barriers that results of
 * variable latency are counted by. Between the issues of a warp lie at least the cycles that stall counts say. Where paths meet,
 * what comes later counts, so that the figures only grow and the pass ends. */
#include "annotate/waits.h"

#include "annotate/live.h"
#include "annotate/worklist.h"
#include "trace/code/facts.h"

enum { REGS = 256, UREGS = 64, PREDS = 8, PLACES = REGS + UREGS + 2 * PREDS };
enum { NO_BARRIER = 1 << TR_CTL_BARRIERS, LONG_AGO = -1000 };

struct place {
    int32_t left; /* cycles until it can be an operand; below 0: since then */
    uint8_t bars; /* barriers that count a result on its way, NO_BARRIER: on its way, and counted by none */
    uint32_t fixed, variable; /* who writes it */
};

struct state {
    struct place at[PLACES];
};

/* The first place of an operand; PLACES: none. */
static uint32_t place_of(const struct tr_opnd *o)
{
    switch (o->kind) {
    case TO_REG: return o->val & (REGS - 1);
    case TO_UREG: return REGS + (o->val & (UREGS - 1));
    case TO_PRED: return REGS + UREGS + (o->val & (PREDS - 1));
    case TO_UPRED: return REGS + UREGS + PREDS + (o->val & (PREDS - 1));
    default: return PLACES;
    }
}

static uint32_t places_of(const struct tr_opnd *o)
{
    uint32_t from = place_of(o), n = o->n ? o->n : 1;
    uint32_t end = o->kind == TO_REG ? REGS : o->kind == TO_UREG ? REGS + UREGS : PLACES;
    return from == PLACES ? 0 : from + n > end ? end - from : n;
}

/* Units whose time depends on what else goes on: their results are counted by a barrier. */
static bool is_variable(const struct tr_insn *i)
{
    switch ((enum tr_class)i->cls) {
    case TC_SFU:
    case TC_CONV:
    case TC_SHFL:
    case TC_TEX: return true;
    case TC_SREG: return tr_facts(i) & TF_READ_LATE;
    default: return i->mem & (TM_LOAD | TM_ATOMIC) && !(tr_facts(i) & TF_UNIFORM);
    }
}

/* Products of warp groups and copies end by waits of their own. */
static bool is_asynchronous(const struct tr_insn *i) { return i->nparam || i->cls == TC_GMMA; }

static bool waits_for_all(const struct tr_insn *i) { return tr_facts(i) & TF_DRAINS; }

static void wait_for(struct state *s, const struct tr_insn *i)
{
    uint8_t bars = waits_for_all(i) ? NO_BARRIER - 1 : TR_CTL_WAIT(i->ctl);
    for (uint32_t p = 0; bars && p < PLACES; p++)
        s->at[p].bars &= (uint8_t)~bars;
}

/* Cycles until the result's word at place p can be read. A preset's latency of these classes is that of chains of them; others
 * may read their results as early as an integer's, the low word of a product of 64 bits one cycle before, and what is in a
 * uniform register after two: so NVIDIA's assembler has it (nvcc 13.0, sm_90, a sample of the suite's programs; others were
 * judged by these). */
static int32_t fixed_cyc(const struct waits_table *t, const struct tr_insn *i, uint32_t word, uint32_t p)
{
    enum { UNIFORM = 2 };
    uint32_t own = t->lat[i->cls], plain = t->lat[TC_INT];
    if (p >= REGS && p < REGS + UREGS) /* VOTEU and ULDC as well */
        return (int32_t)(own < UNIFORM ? own : UNIFORM);
    switch ((enum tr_class)i->cls) {
    case TC_WIDE: plain -= !word && plain; break;
    case TC_MULHI:
    case TC_SREG: break;
    case TC_UNIFORM: plain = UNIFORM; break;
    default: return (int32_t)own;
    }
    return (int32_t)(own < plain ? own : plain);
}

/* bar: the barrier that counts it. */
static void write_one(struct state *s, const struct waits_table *t, const struct tr_insn *i, uint32_t n,
                      uint32_t bar, uint32_t word, uint32_t p)
{
    struct place *at = &s->at[p];
    bool variable = bar != TR_CTL_NONE || is_variable(i);
    int32_t left = variable ? 0 : fixed_cyc(t, i, word, p);
    if (i->guard.kind == TO_NONE)
        *at = (struct place){.left = LONG_AGO};
    if (variable) {
        at->bars |= bar == TR_CTL_NONE ? NO_BARRIER : (uint8_t)(1 << bar);
        at->variable = n;
    } else if (left > at->left) {
        at->left = left;
        at->fixed = n;
    }
}

/* Results of one unit come in its order: where a later one is counted and there, so are those before that nobody counts. */
static bool same_queue(const struct tr_insn *a, const struct tr_insn *b)
{
    uint8_t unit = tr_classes[a->cls].unit;
    return a->cls == b->cls || (unit != UNIT_LSU && unit != UNIT_MISC && unit == tr_classes[b->cls].unit);
}

static void count_earlier(struct state *s, const struct tr_kernel *k, const struct tr_insn *i)
{
    uint32_t bar = TR_CTL_WRITE(i->ctl);
    for (uint32_t p = 0; bar != TR_CTL_NONE && p < PLACES; p++) {
        struct place *at = &s->at[p];
        if (at->bars & NO_BARRIER && same_queue(&k->insns[at->variable], i))
            at->bars = (uint8_t)((at->bars & ~NO_BARRIER) | 1 << bar);
    }
}

static void write_all(struct state *s, const struct tr_kernel *k, const struct waits_table *t, uint32_t n)
{
    const struct tr_insn *i = &k->insns[n];
    uint32_t bar = k->coded ? TR_CTL_WRITE(i->ctl) : TR_CTL_NONE;
    for (uint32_t j = 0; j < i->ndst && !is_asynchronous(i) && !is_control(i); j++) {
        uint32_t from = place_of(&i->dst[j]), count = places_of(&i->dst[j]);
        for (uint32_t p = from; p < from + count; p++)
            write_one(s, t, i, n, bar, p - from, p);
    }
}

static bool is_imad(const struct tr_insn *i) { return tr_facts(i) & TF_MULTIPLIER; }

/* Cycles that a use wants beyond what fixed_cyc says: a guard more than an operand, except of VOTEU, whose answer comes by the
 * way that decides. Fewer: the high word of IMAD.WIDE's addend, which is read a cycle after the low one, and one more where
 * the same multiplier moved or added it; and what FP64 gives to other units, since it takes longer to its own. */
static int32_t more_cyc(const struct waits_table *t, const struct tr_insn *from, const struct tr_insn *to,
                        bool guards, bool high)
{
    if (from->cls == TC_FP64)
        return guards ? (int32_t)t->guard_cyc - 3 : to->cls == TC_FP64 ? 0 : -2;
    if (guards)
        return tr_facts(from) & TF_UNIFORM_VOTE ? 0 : (int32_t)t->guard_cyc;
    if (to->cls == TC_WIDE && high)
        return is_imad(from) && from->cls != TC_WIDE ? -2 : -1;
    return 0;
}

/* guards: the operand decides what is executed. */
static bool is_early(const struct state *s, const struct waits_table *t, const struct tr_kernel *k,
                     uint32_t n, const struct tr_opnd *o, bool guards, struct waits_early *out)
{
    uint32_t from = place_of(o), count = places_of(o);
    for (uint32_t p = from; p < from + count; p++) {
        const struct place *at = &s->at[p];
        int32_t left = at->left;
        if (left > LONG_AGO)
            left += more_cyc(t, &k->insns[at->fixed], &k->insns[n], guards, p > from);
        if (left <= 0 && !at->bars)
            continue;
        out->consumer = n;
        out->what = *o;
        out->what.n = 1;
        out->what.val = o->val + (p - from);
        out->producer = at->bars ? at->variable : at->fixed;
        out->short_cyc = at->bars ? 0 : (uint32_t)left;
        return true;
    }
    return false;
}

static bool reads_early(const struct state *s, const struct waits_table *t, const struct tr_kernel *k,
                        uint32_t n, struct waits_early *out)
{
    const struct tr_insn *i = &k->insns[n];
    bool votes = i->cls == TC_VOTE || i->cls == TC_BRANCH;
    if (is_early(s, t, k, n, &i->guard, true, out))
        return true;
    for (uint32_t j = 0; j < i->nsrc; j++)
        if (is_early(s, t, k, n, &i->src[j], votes && i->src[j].kind == TO_PRED, out))
            return true;
    return false;
}

static void pass_time(struct state *s, int32_t cyc)
{
    for (uint32_t p = 0; p < PLACES; p++)
        s->at[p].left = s->at[p].left > LONG_AGO + cyc ? s->at[p].left - cyc : LONG_AGO;
}

/* Through a block. out: NULL, nothing is judged. */
static bool walk(const struct tr_kernel *k, const struct waits_table *t, const struct tr_block *b,
                 struct state *s, struct waits_early *out)
{
    for (uint32_t n = b->start; n < b->start + b->n; n++) {
        const struct tr_insn *i = &k->insns[n];
        wait_for(s, i);
        if (out && reads_early(s, t, k, n, out))
            return true;
        count_earlier(s, k, i);
        write_all(s, k, t, n);
        pass_time(s, TR_CTL_STALL(i->ctl) ? (int32_t)TR_CTL_STALL(i->ctl) : 1);
    }
    return false;
}

static bool join(struct state *to, const struct state *from)
{
    bool grew = false;
    for (uint32_t p = 0; p < PLACES; p++) {
        struct place *a = &to->at[p];
        const struct place *b = &from->at[p];
        if (b->left > a->left) {
            a->left = b->left;
            a->fixed = b->fixed;
            grew = true;
        }
        if (b->bars & ~a->bars) {
            a->bars |= b->bars;
            a->variable = b->variable;
            grew = true;
        }
    }
    return grew;
}

static struct state nothing_pending(void)
{
    struct state s;
    for (uint32_t p = 0; p < PLACES; p++)
        s.at[p] = (struct place){.left = LONG_AGO};
    return s;
}

/* A call or an indirect branch goes where the code cannot tell: nothing is carried along. */
static void flow(const struct tr_kernel *k, const struct waits_table *t, struct state *in)
{
    struct worklist w;
    uint32_t b;
    worklist_init(&w, k->nblocks);
    while (worklist_take(&w, &b)) {
        const struct tr_block *at = &k->blocks[b];
        struct state s = in[b];
        walk(k, t, at, &s, NULL);
        if (leaves_code(k, at, &k->insns[at->start + at->n - 1]))
            continue;
        for (uint32_t j = 0; j < at->nsucc; j++)
            if (join(&in[at->succ[j]], &s))
                worklist_add(&w, at->succ[j]);
    }
    worklist_free(&w);
}

bool waits_too_short(const struct tr_kernel *k, const struct waits_table *t, struct waits_early *out)
{
    if (!k->coded || !k->nblocks)
        return false;
    struct state *in = xcalloc(k->nblocks, sizeof *in);
    for (uint32_t b = 0; b < k->nblocks; b++)
        in[b] = nothing_pending();
    flow(k, t, in);
    bool found = false;
    for (uint32_t b = 0; b < k->nblocks && !found; b++)
        found = walk(k, t, &k->blocks[b], &in[b], out);
    free(in);
    return found;
}

/* Cycles that instruction n must still be kept. */
static int32_t too_early(const struct state *s, const struct waits_table *t, const struct tr_kernel *k,
                         uint32_t n)
{
    int32_t most = 0;
    const struct tr_insn *i = &k->insns[n];
    for (uint32_t j = 0; j <= i->nsrc; j++) {
        const struct tr_opnd *o = j < i->nsrc ? &i->src[j] : &i->guard;
        bool decides = i->cls == TC_VOTE || i->cls == TC_BRANCH,
             guards = j == i->nsrc || (decides && o->kind == TO_PRED);
        uint32_t from = place_of(o), count = places_of(o);
        for (uint32_t p = from; p < from + count; p++) {
            const struct place *at = &s->at[p];
            int32_t left =
                at->left > LONG_AGO ? at->left + more_cyc(t, &k->insns[at->fixed], i, guards, p > from) : 0;
            most = left > most ? left : most;
        }
    }
    return most;
}

/* In the order of the code: whoever comes by a branch has waited for that. */
void waits_stalls(const struct tr_kernel *k, const struct waits_table *t, uint8_t *stall)
{
    struct state s = nothing_pending();
    for (uint32_t n = 0; n < k->n; n++) {
        const struct tr_insn *i = &k->insns[n];
        int32_t early = n ? too_early(&s, t, k, n) : 0;
        if (early) {
            stall[n - 1] = (uint8_t)(stall[n - 1] + early);
            pass_time(&s, early);
        }
        write_all(&s, k, t, n);
        stall[n] = i->cls == TC_BRANCH ? (uint8_t)t->pass_cyc : 1;
        pass_time(&s, stall[n]);
        if (i->guard.kind == TO_NONE && (i->cls == TC_BRANCH || i->cls == TC_EXIT))
            s = nothing_pending();
    }
}

const char *waits_tell(const struct tr_kernel *k, const struct waits_early *e, struct arena *a)
{
    static const char *const names[] = {[TO_REG] = "R", [TO_UREG] = "UR", [TO_PRED] = "P", [TO_UPRED] = "UP"};
    const struct tr_insn *from = &k->insns[e->producer], *to = &k->insns[e->consumer];
    const char *what = arena_printf(a, "%s%u", names[e->what.kind], e->what.val);
    const char *pair =
        arena_printf(a, "%s at 0x%x reads %s of %s at 0x%x", to->text, to->pc, what, from->text, from->pc);
    if (e->short_cyc)
        return arena_printf(a, "%s %u cycle%s before it is there: stall counts are too short", pair,
                            e->short_cyc, e->short_cyc == 1 ? "" : "s");
    return arena_printf(a, "%s without waiting for it: %s", pair,
                        TR_CTL_WRITE(from->ctl) == TR_CTL_NONE ? "no barrier counts it"
                                                               : "its barrier is not waited for");
}
