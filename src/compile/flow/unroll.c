/* SPDX-License-Identifier: Apache-2.0 */
/* Small loops that count are unrolled by four once more. NVIDIA's assembler does that with loops whose counter goes by a
 * constant to zero or to a bound, unless the compiler forbids it (.pragma "nounroll", which it gives the remainders of loops
 * that it has unrolled itself). Read off code of nvcc 13 for sm_90 it is this:
 *     check:  first = true; more than three rounds left? else go to pair
 *             first = false
 *     big:    four rounds; more than three left? go to big
 *     pair:   more than one left? else go to rest
 *             first = false; two rounds
 *     rest:   a round left, or first? else leave
 *     loop:   as it was
 * The four rounds need no test between them: with more than three left, none of the first three is the last. Code for older
 * targets has no pair, and no first: where no more than three rounds are left, it goes from check to the loop. */
#include "base/bitset.h"
#include "compile/passes.h"

enum { TIMES = 4, PAIR = 2, LUT_FIRST = 0xf0, LUT_LATER = 0x0f };

/* What ptxas 13 unrolls for sm_90 (loops made one instruction longer until it stopped): up to 21 instructions; 22 and four more
 * for each load from shared memory; with loads from global memory 50, where each of these counts twice. Older: 20. */
enum { LARGEST = 20, LARGEST_PLAIN = 21, FOR_SHARED = 4, MOST_SHARED = 84, LARGEST_GLOBAL = 50 };

/* A loop of one block that ends with "counter += step; p = counter CMP bound; @p BRA itself". */
struct loop {
    uint32_t block;
    uint32_t add, test; /* instructions */
    struct ir_opnd counter, bound;
    int32_t step;
    enum ir_cmp goes_on; /* counter goes_on bound: there is another round */
    enum ir_type type;   /* of that comparison */
};

static bool writes(const struct ir_insn *i, const struct ir_opnd *o)
{
    for (unsigned k = 0; k < 2; k++) {
        const struct ir_opnd *d = &i->dst[k];
        if (d->kind == o->kind && d->val == o->val &&
            (d->kind == OPND_PRED || (d->sub < o->sub + o->n && o->sub < d->sub + d->n)))
            return true;
    }
    return false;
}

static bool reads(const struct ir_insn *i, const struct ir_opnd *o)
{
    bool found = i->guard.kind == o->kind && i->guard.val == o->val;
    for (unsigned k = 0; k < 6; k++)
        found |= i->src[k].kind == o->kind && i->src[k].val == o->val;
    return found;
}

/* The only instruction of the block that writes o; UINT32_MAX: none, or several. */
static uint32_t only_writer(const struct ir_block *b, const struct ir_opnd *o)
{
    uint32_t found = UINT32_MAX;
    for (uint32_t k = 0; k < b->insns.n; k++)
        if (writes(&b->insns.at[k], o)) {
            if (found != UINT32_MAX)
                return UINT32_MAX;
            found = k;
        }
    return found;
}

static bool may_be_copied(const struct ir_fn *fn, const struct ir_insn *i)
{
    if (ir_ops[i->op].flags & (OPF_CTL | OPF_SYNC) || ir_ops[i->op].unit == UNIT_TENSOR || i->op == OP_SLOWF)
        return false;
    for (unsigned k = 0; k < 2; k++)
        if (i->dst[k].kind == OPND_REG &&
            (fn->vregs.at[i->dst[k].val].acc || fn->vregs.at[i->dst[k].val].fixed))
            return false;
    return true;
}

static enum ir_cmp opposite(enum ir_cmp c)
{
    return c <= CMP_NE ? (enum ir_cmp)(CMP_EQ + CMP_NE - c) : (enum ir_cmp)(CMP_LT + CMP_GE - c);
}

/* How many less than the bound, or more than it, the counter has to be for as many rounds to be left behind the next one. */
static int32_t distance(const struct loop *l, uint32_t rounds)
{
    return (int32_t)rounds * (l->step < 0 ? -l->step : l->step);
}

/* Where the counter must not be for as many rounds to be left, if that is a number. */
static int64_t edge_of(const struct loop *l, uint32_t rounds)
{
    int64_t bound = l->type == T_U32 ? (int64_t)l->bound.val : (int64_t)(int32_t)l->bound.val;
    return l->step < 0 ? bound + distance(l, rounds) : bound - distance(l, rounds);
}

/* Does the counter go towards the bound? */
static bool is_counted(const struct ir_fn *fn, const struct loop *l)
{
    bool up = l->step > 0;
    if (!fn->hopper)
        return l->goes_on == CMP_NE || (l->type == T_S32 && l->goes_on == CMP_LT && up);
    if (l->bound.kind == OPND_IMM) {
        int64_t edge = edge_of(l, TIMES - 1);
        if (l->type == T_U32 ? edge < 0 || edge > UINT32_MAX : edge < INT32_MIN || edge > INT32_MAX)
            return false;
    }
    return l->goes_on == CMP_NE || l->goes_on == (up ? CMP_LT : CMP_GT) ||
           l->goes_on == (up ? CMP_LE : CMP_GE);
}

static bool read_counter(const struct ir_fn *fn, const struct ir_block *b, struct loop *l)
{
    const struct ir_insn *bra = &b->insns.at[b->insns.n - 1];
    l->test = only_writer(b, &bra->guard);
    const struct ir_insn *t = l->test != UINT32_MAX ? &b->insns.at[l->test] : NULL;
    if (!t || t->op != OP_ISETP || t->guard.kind || t->flags & IRF_X || t->dst[1].kind || t->src[2].kind ||
        t->cmp < CMP_EQ || t->cmp > CMP_GE || (t->type != T_S32 && t->type != T_U32) ||
        t->src[0].kind != OPND_REG || t->src[0].n != 1 || t->src[0].neg || t->dst[0].kind != OPND_PRED)
        return false;
    l->counter = t->src[0];
    l->bound = t->src[1];
    l->add = only_writer(b, &l->counter);
    const struct ir_insn *a = l->add < l->test ? &b->insns.at[l->add] : NULL;
    if (!a || a->op != OP_IADD3 || a->guard.kind || a->flags || a->dst[1].kind || !reads(a, &l->counter) ||
        a->src[0].kind != OPND_REG || a->src[0].neg || a->src[0].val != l->counter.val ||
        a->src[0].sub != l->counter.sub || a->src[1].kind != OPND_IMM || !opnd_is_zero(&a->src[2]))
        return false;
    l->step = (int32_t)a->src[1].val;
    l->goes_on = bra->guard.neg ? opposite(t->cmp) : t->cmp;
    l->type = l->goes_on == CMP_NE ? T_S32 : t->type;
    if (l->bound.kind == OPND_REG ? l->bound.n != 1 || l->bound.neg
                                  : l->bound.kind != OPND_IMM && l->bound.kind != OPND_CONST)
        return false;
    for (uint32_t k = 0; k < b->insns.n; k++)
        if (writes(&b->insns.at[k], &l->bound))
            return false;
    return l->step && l->step > -0x10000 && l->step < 0x10000 && is_counted(fn, l);
}

/* Is the loop small enough? */
static bool is_small(const struct ir_fn *fn, const struct ir_block *b, bool keep_large)
{
    uint32_t shared = 0, global = 0, n = b->insns.n;
    vec_each (&b->insns, i) {
        shared += i->op == OP_LDS;
        global += i->op == OP_LDG && i->dst[0].n == 1;
    }
    if (!fn->hopper)
        return n <= LARGEST;
    if (keep_large)
        return n <= LARGEST_PLAIN;
    if (shared)
        return n <= LARGEST_PLAIN + 1 + FOR_SHARED * shared && n <= MOST_SHARED;
    return n + global <= (global ? LARGEST_GLOBAL : LARGEST_PLAIN);
}

static bool find_loop(const struct ir_fn *fn, uint32_t k, bool keep_large, struct loop *l)
{
    const struct ir_block *b = &fn->blocks.at[k];
    const struct ir_insn *bra = b->insns.n ? &b->insns.at[b->insns.n - 1] : NULL;
    *l = (struct loop){.block = k};
    if (!bra || b->keep_rolled || !is_small(fn, b, keep_large) || bra->op != OP_BRA || bra->target != k ||
        bra->guard.kind != OPND_PRED || bra->guard.val < VPRED0 || k == 0 || k + 1 >= fn->blocks.n ||
        b->pred.n != 2)
        return false;
    for (uint32_t i = 0; i + 1 < b->insns.n; i++)
        if (!may_be_copied(fn, &b->insns.at[i]) || reads(&b->insns.at[i], &bra->guard))
            return false;
    return read_counter(fn, b, l);
}

/* Makes room for n blocks in front of block k. Branches to it lead to the first of them, but for its own. */
static void insert_blocks(struct ir_fn *fn, uint32_t k, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        ir_block_new(fn, NULL, fn->blocks.at[k].line);
    for (uint32_t b = fn->blocks.n; b-- > k + n;)
        fn->blocks.at[b] = fn->blocks.at[b - n];
    for (uint32_t b = 0; b < n; b++)
        fn->blocks.at[k + b] = (struct ir_block){.line = fn->blocks.at[k + n].line};
    vec_each (&fn->blocks, b) {
        vec_each (&b->insns, i)
            if (i->op == OP_BRA && i->target > k)
                i->target += n;
        vec_each (&b->succ, s)
            *s += *s > k ? n : 0;
    }
    struct ir_block *loop = &fn->blocks.at[k + n];
    loop->insns.at[loop->insns.n - 1].target = k + n;
    vec_each (&loop->succ, s)
        *s += *s == k ? n : 0;
}

static struct ir_insn *put_compare(struct ir_block *to, enum ir_type type, enum ir_cmp cmp, struct ir_opnd p,
                                   struct ir_opnd a, struct ir_opnd b, uint32_t line)
{
    struct ir_insn i = {.op = OP_ISETP, .type = type, .cmp = cmp, .bop = BOP_AND, .dst = {p}, .line = line};
    i.src[0] = a;
    i.src[1] = b;
    vec_push(&to->insns, i);
    return &to->insns.at[to->insns.n - 1];
}

/* r = a - b, one of which is a register. */
static struct ir_opnd put_difference(struct ir_fn *fn, struct ir_block *to, struct ir_opnd a,
                                     struct ir_opnd b, uint32_t line)
{
    struct ir_insn sub = {.op = OP_IADD3, .type = T_U32, .line = line};
    sub.dst[0] = ir_reg(ir_vreg(fn, 1, NULL), 0, 1);
    if (b.kind == OPND_IMM)
        b.val = -b.val;
    else
        b.neg ^= 1;
    sub.src[0] = a.kind == OPND_REG ? a : b;
    sub.src[1] = a.kind == OPND_REG ? b : a;
    sub.src[2] = ir_imm(0);
    vec_push(&to->insns, sub);
    return sub.dst[0];
}

/* What is left to the bound, for the counter as it stands in front of a round. */
static struct ir_opnd put_left(struct ir_fn *fn, struct ir_block *to, const struct loop *l, uint32_t line)
{
    bool down = l->step < 0;
    if (down && opnd_is_zero(&l->bound))
        return l->counter;
    return put_difference(fn, to, down ? l->counter : l->bound, down ? l->bound : l->counter, line);
}

/* p = more than three rounds are left. What is left is computed as a signed number: where that overflows it is negative, and the
 * loop stays as it was. */
static void put_check(struct ir_fn *fn, struct ir_block *to, const struct loop *l, struct ir_opnd p,
                      uint32_t line)
{
    struct ir_opnd left = put_left(fn, to, l, line), also = ir_none();
    if (l->goes_on != CMP_NE) { /* a first round that begins beyond the bound is the last one */
        also = ir_pred(ir_vpred(fn), false);
        put_compare(to, T_S32, CMP_LT, also, l->counter, l->bound, line);
    }
    put_compare(to, T_S32, CMP_GT, p, left, ir_imm((uint32_t)distance(l, TIMES - 1)), line)->src[2] = also;
}

static void put_branch(struct ir_block *to, struct ir_opnd p, bool neg, uint32_t target, uint32_t line)
{
    p.neg = neg;
    vec_push(&to->insns, (struct ir_insn){.op = OP_BRA, .guard = p, .target = target, .line = line});
}

/* Words that live in this block only have a register of their own in every copy. */
static uint32_t *local_registers(struct ir_fn *fn, const struct ir_live *live, uint32_t k, struct arena *a)
{
    uint32_t *fresh = ARENA_ARRAY(a, uint32_t, fn->vregs.n + 1); /* 0: not one of them, else itself + 1 */
    const struct ir_block *b = &fn->blocks.at[k];
    vec_each (&b->insns, i)
        ir_each_dst (i, d) {
            if (d->kind != OPND_REG)
                continue;
            bool local = true;
            for (unsigned w = 0; w < fn->vregs.at[d->val].n; w++)
                local &= !bit_get(live->in[k], live->first[d->val] + w) &&
                         !bit_get(live->out[k], live->first[d->val] + w);
            fresh[d->val] = local ? d->val + 1 : 0;
        }
    return fresh;
}

static void rename_operand(struct ir_opnd *o, const uint32_t *fresh, uint32_t known)
{
    if (o->kind == OPND_REG && o->val < known && fresh[o->val])
        o->val = fresh[o->val] - 1;
}

static void copy_rounds(struct ir_fn *fn, struct ir_block *big, const struct ir_block *from,
                        const struct loop *l, uint32_t times, uint32_t *fresh, uint32_t known)
{
    bool counts_only = true;
    for (uint32_t k = 0; k + 1 < from->insns.n; k++)
        counts_only &= k == l->add || k == l->test || !reads(&from->insns.at[k], &l->counter);
    for (uint32_t round = 0; round < times; round++) {
        for (uint32_t v = 0; v < known && (round || times != TIMES); v++)
            if (fresh[v])
                fresh[v] = ir_vreg(fn, fn->vregs.at[v].n, fn->vregs.at[v].name) + 1;
        for (uint32_t k = 0; k + 1 < from->insns.n; k++) {
            struct ir_insn i = from->insns.at[k];
            if (k == l->test || (k == l->add && counts_only && round))
                continue;
            if (k == l->add && counts_only)
                i.src[1].val = (uint32_t)l->step * times;
            ir_each_dst (&i, d)
                rename_operand(d, fresh, known);
            ir_each_src (&i, s)
                rename_operand(s, fresh, known);
            vec_push(&big->insns, i);
        }
    }
}

/* The counter's place behind which no more than three rounds are left. */
static struct ir_opnd put_edge(struct ir_fn *fn, struct ir_block *to, const struct loop *l, uint32_t line)
{
    struct ir_opnd r = ir_reg(ir_vreg(fn, 1, NULL), 0, 1);
    struct ir_insn add = {.op = OP_IADD3, .type = T_U32, .dst = {r}, .line = line};
    add.src[0] = l->bound;
    add.src[1] = ir_imm(l->step < 0 ? (uint32_t)distance(l, TIMES - 1) : -(uint32_t)distance(l, TIMES - 1));
    add.src[2] = ir_imm(0);
    vec_push(&to->insns, add);
    return r;
}

/* As sm_90 code: the comparison that says whether there is another round. A loop until the two are equal has one, too, as long as
 * they get nearer. */
static enum ir_cmp order_of(const struct loop *l)
{
    return l->goes_on != CMP_NE ? l->goes_on : l->step > 0 ? CMP_LT : CMP_GT;
}

/* p = more rounds than that are left, of a counter that was `below` its bound. Behind four rounds what is left may be a negative
 * number; an unsigned counter is asked again whether it is beyond its bound. */
static void put_more(struct ir_fn *fn, struct ir_block *to, const struct loop *l, uint32_t rounds,
                     struct ir_opnd p, struct ir_opnd below, uint32_t line)
{
    if (l->bound.kind == OPND_IMM) {
        put_compare(to, l->type, order_of(l), p, l->counter, ir_imm((uint32_t)edge_of(l, rounds)), line);
        return;
    }
    enum ir_cmp cmp = order_of(l) == CMP_LE || order_of(l) == CMP_GE ? CMP_GE : CMP_GT;
    struct ir_opnd left = put_left(fn, to, l, line);
    if (l->type == T_U32) {
        below = ir_pred(ir_vpred(fn), false);
        put_compare(to, l->type, order_of(l), below, l->counter, l->bound, line);
    }
    put_compare(to, l->type, cmp, p, left, ir_imm((uint32_t)distance(l, rounds)), line)->src[2] = below;
}

static void put_known(struct ir_block *to, struct ir_opnd p, uint8_t lut, uint32_t line)
{
    struct ir_opnd pt = ir_pred(PRED_PT, false);
    vec_push(&to->insns,
             (struct ir_insn){
                 .op = OP_PLOP3, .type = T_PRED, .lut = lut, .dst = {p}, .src = {pt, pt, pt}, .line = line});
}

/* Names of what a loop became, by which the scheduler knows it. */
static const char four_rounds[] = "four rounds", last_round[] = "a last round";

unsigned unroll_rounds(const struct ir_block *b)
{
    return b->label == four_rounds ? TIMES : b->label == last_round ? UINT32_MAX : 1;
}

enum { ENTER, CHECK, FOUR, BIG, TWO, SMALL, REST, LOOP };

static void unroll(struct ir_fn *fn, struct loop l, const struct ir_live *live, struct arena *a)
{
    uint32_t k = l.block, known = fn->vregs.n, *fresh = local_registers(fn, live, k, a);
    insert_blocks(fn, k, LOOP);
    struct ir_block *at = &fn->blocks.at[k], *loop = at + LOOP;
    const struct ir_insn *test = &loop->insns.at[l.test];
    bool neg = loop->insns.at[loop->insns.n - 1].guard.neg, equal = l.goes_on == CMP_NE;
    uint32_t line = test->line;
    struct ir_opnd p[5], first = ir_pred(ir_vpred(fn), false),
                         edge = ir_imm((uint32_t)edge_of(&l, TIMES - 1));
    for (unsigned n = 0; n < 5; n++)
        p[n] = ir_pred(ir_vpred(fn), false);
    struct ir_opnd below = equal || l.bound.kind == OPND_IMM || l.type == T_U32 ? ir_none() : p[0];
    if (equal || below.kind)
        put_compare(at + ENTER, l.type, order_of(&l), p[0], l.counter, l.bound, line);
    if (equal)
        put_branch(at + ENTER, p[0], true, k + LOOP, line);
    put_known(at + CHECK, first, LUT_FIRST, line);
    put_more(fn, at + CHECK, &l, TIMES - 1, p[1], below, line);
    put_branch(at + CHECK, p[1], true, k + TWO, line);
    put_known(at + FOUR, first, LUT_LATER, line);
    if (l.bound.kind != OPND_IMM)
        edge = put_edge(fn, at + FOUR, &l, line);
    copy_rounds(fn, at + BIG, loop, &l, TIMES, fresh, known);
    put_compare(at + BIG, l.type, order_of(&l), p[2], l.counter, edge, line);
    put_branch(at + BIG, p[2], false, k + BIG, line);
    put_more(fn, at + TWO, &l, PAIR - 1, p[3], below, line);
    put_branch(at + TWO, p[3], true, k + REST, line);
    put_known(at + SMALL, first, LUT_LATER, line);
    copy_rounds(fn, at + SMALL, loop, &l, PAIR, fresh, known);
    struct ir_insn again = *test; /* as the loop itself asks, or first */
    first.neg = neg;
    again.dst[0] = p[4];
    again.src[2] = first;
    again.bop = neg ? BOP_AND : BOP_OR;
    vec_push(&at[REST].insns, again);
    put_branch(at + REST, p[4], !neg, k + LOOP + 1, line);
    at[BIG].label = four_rounds;
    loop->label = last_round;
    loop->keep_rolled = true;
}

/* ... for older targets. */
static void unroll_once(struct ir_fn *fn, struct loop l, const struct ir_live *live, struct arena *a)
{
    uint32_t k = l.block, known = fn->vregs.n, *fresh = local_registers(fn, live, k, a);
    insert_blocks(fn, k, 3);
    struct ir_opnd p = ir_pred(ir_vpred(fn), false), q = ir_pred(ir_vpred(fn), false),
                   r = ir_pred(ir_vpred(fn), false);
    struct ir_block *check = &fn->blocks.at[k], *big = check + 1, *rest = check + 2, *loop = check + 3;
    const struct ir_insn *test = &loop->insns.at[l.test];
    uint32_t line = test->line;
    put_check(fn, check, &l, p, line);
    put_branch(check, p, true, k + 3, line);
    copy_rounds(fn, big, loop, &l, TIMES, fresh, known);
    put_check(fn, big, &l, q, line);
    put_branch(big, q, false, k + 1, line);
    /* Whether a round is left: as the loop itself asks. */
    struct ir_insn again = *test;
    bool neg = loop->insns.at[loop->insns.n - 1].guard.neg;
    again.dst[0] = r;
    vec_push(&rest->insns, again);
    put_branch(rest, r, !neg, k + 4, line);
    loop->keep_rolled = true;
}

bool pass_unroll(struct ir_fn *fn, bool keep_large)
{
    bool more = true, large = false;
    for (uint32_t from = 0; more;) {
        struct arena a = {0};
        struct ir_cfg *c = ir_cfg_build(fn, &a);
        struct loop l;
        more = false;
        for (uint32_t k = from; k < fn->blocks.n && !more; k++)
            more = c->loop[k] == k && find_loop(fn, k, keep_large, &l);
        if (more && fn->hopper) {
            large |= fn->blocks.at[l.block].insns.n > LARGEST_PLAIN;
            unroll(fn, l, ir_live_build(fn, c, &a), &a);
            from = l.block + LOOP + 1;
        } else if (more) {
            unroll_once(fn, l, ir_live_build(fn, c, &a), &a);
            from = l.block + 4;
        }
        arena_free(&a);
    }
    ir_cfg_link(fn);
    return large;
}
