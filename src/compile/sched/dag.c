/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/sched/dag.h"

enum { NO_NODE = UINT32_MAX, MAX_PENDING = 256 };

/* Spaces that can hold the same byte; generic accesses touch every one. */
enum alias { ALIAS_GLOBAL = 1, ALIAS_SHARED = 2, ALIAS_LOCAL = 4, ALIAS_ALL = 7 };

struct access {
    uint32_t node;
    uint8_t alias;
    bool write;
    struct ir_opnd base;
    uint32_t version; /* of the base register */
    int32_t off;
    uint32_t bytes; /* 0: unknown */
};

struct reader {
    uint32_t node, next;
};

struct build {
    struct dag *d;
    const struct ir_fn *fn;
    const struct ir_live *l;
    const struct ir_block *b;
    uint32_t *last_def;   /* by bit */
    uint32_t *first_read; /* by bit: readers since the last definition, index + 1 into readers */
    VEC(struct reader) readers;
    uint32_t *version; /* by virtual register */
    struct access pending[MAX_PENDING];
    uint32_t npending;
    uint32_t last_fence, last_sync;
    VEC(uint32_t) since_sync; /* collectives of whole warps after the last other one */
    uint32_t last_exit; /* a guarded way out: what stands behind it is not executed by warps that leave */
    VEC(uint32_t) since_fence; /* memory and side-effect nodes after the last fence */
    uint32_t last_group;       /* fence, commit or wait of a warp group */
    VEC(uint32_t) since_group; /* what names accumulators, after it */
    VEC(uint32_t) bits;
    uint32_t products; /* cycles that the block's tensor instructions take */
};

static void edge(struct build *x, uint32_t from, uint32_t to, uint32_t lat)
{
    if (from == NO_NODE || from == to)
        return;
    struct dag *d = x->d;
    /* The most recent edge may lead there already. */
    if (d->nodes[from].succ && d->edges.at[d->nodes[from].succ].to == to) {
        struct dag_edge *e = &d->edges.at[d->nodes[from].succ];
        e->lat = lat > e->lat ? lat : e->lat;
        return;
    }
    vec_push(&d->edges, (struct dag_edge){from, to, d->nodes[from].succ, d->nodes[to].pred, lat});
    d->nodes[from].succ = d->nodes[to].pred = d->edges.n - 1;
    d->nodes[from].nsucc++;
}

static void add_bits(struct build *x, const struct ir_opnd *o, uint32_t from)
{
    uint32_t bit, n = 0;
    if (o->kind == OPND_REG) {
        bit = x->l->first[o->val] + o->sub;
        n = o->n;
    } else if (o->kind == OPND_PRED && o->val >= VPRED0) {
        bit = ir_live_pred_bit(x->l, o->val);
        n = 1;
    } else {
        return;
    }
    for (uint32_t k = 0; k < n; k++) {
        bool have = false;
        for (uint32_t q = from; q < x->bits.n; q++)
            have |= x->bits.at[q] == bit + k;
        if (!have)
            vec_push(&x->bits, bit + k);
    }
}

static void collect_bits(struct build *x, uint32_t k, struct ir_insn *i)
{
    struct dag_node *n = &x->d->nodes[k];
    n->bits0 = x->bits.n;
    for (int d = 0; d < 2; d++)
        if (ir_kills(i, d))
            add_bits(x, &i->dst[d], n->bits0);
    n->nkills = (uint16_t)(x->bits.n - n->bits0);
    ir_each_dst (i, o)
        add_bits(x, o, n->bits0);
    /* A call writes its return address: whoever reads the function's own must do so before. */
    for (uint32_t v = 0; i->op == OP_CALL && v < x->fn->vregs.n; v++)
        if (x->fn->vregs.at[v].fixed && x->fn->vregs.at[v].phys == REG_LINK)
            add_bits(x, &(struct ir_opnd){.kind = OPND_REG, .n = 1, .val = v}, n->bits0);
    n->ndefs = (uint16_t)(x->bits.n - n->bits0);
    uint32_t reads0 = x->bits.n;
    ir_each_src (i, o)
        add_bits(x, o, reads0);
    add_bits(x, &i->guard, reads0);
    n->nbits = (uint16_t)(x->bits.n - n->bits0);
}

/* A load that leaves the SM is wanted at the start of a block of products, however long these take: it may miss L2 as well. */
static uint32_t latency_of(const struct build *x, uint32_t def)
{
    uint32_t lat = sched_latency(&x->b->insns.at[def]);
    return lat == SCHED_FAR ? lat + x->products : lat;
}

static void register_edges(struct build *x, uint32_t k)
{
    struct dag_node *n = &x->d->nodes[k];
    for (uint32_t q = n->ndefs; q < n->nbits; q++) {
        uint32_t bit = x->bits.at[n->bits0 + q], def = x->last_def[bit];
        if (def != NO_NODE)
            edge(x, def, k, latency_of(x, def));
    }
    for (uint32_t q = 0; q < n->ndefs; q++) {
        uint32_t bit = x->bits.at[n->bits0 + q], def = x->last_def[bit];
        /* A guarded write keeps lanes of the earlier one: it waits for it like a reader. */
        if (def != NO_NODE)
            edge(x, def, k, x->b->insns.at[k].guard.kind ? latency_of(x, def) : 1);
        for (uint32_t r = x->first_read[bit]; r; r = x->readers.at[r - 1].next)
            edge(x, x->readers.at[r - 1].node, k, 0);
    }
    for (uint32_t q = n->ndefs; q < n->nbits; q++) {
        uint32_t bit = x->bits.at[n->bits0 + q];
        vec_push(&x->readers, (struct reader){k, x->first_read[bit]});
        x->first_read[bit] = x->readers.n;
    }
    for (uint32_t q = 0; q < n->ndefs; q++) {
        x->last_def[x->bits.at[n->bits0 + q]] = k;
        x->first_read[x->bits.at[n->bits0 + q]] = 0;
    }
}

enum { QUICK = 8 }; /* cycles: what takes longer is worth a copy */

/* A copy to a variable of a loop: if its source is made only after the old value's readers, both get one register and the copy
 * goes. */
static void copy_edges(struct build *x, const struct ir_insn *i)
{
    if (i->op != OP_MOV || i->guard.kind || i->dst[0].kind != OPND_REG || i->src[0].kind != OPND_REG)
        return;
    for (uint32_t w = 0; w < i->dst[0].n; w++) {
        uint32_t to = x->l->first[i->dst[0].val] + i->dst[0].sub + w,
                 from = x->l->first[i->src[0].val] + i->src[0].sub + w;
        uint32_t def = x->last_def[from];
        if (def == NO_NODE || sched_latency(&x->b->insns.at[def]) > QUICK)
            continue;
        for (uint32_t r = x->first_read[to]; r; r = x->readers.at[r - 1].next)
            if (x->readers.at[r - 1].node < def)
                edge(x, x->readers.at[r - 1].node, def, 0);
    }
}

static uint8_t alias_of(const struct ir_insn *i)
{
    const struct ir_op_info *op = &ir_ops[i->op];
    if (op->naddr != 1)
        return ALIAS_ALL;
    switch (op->access & ACC_ATOMIC ? i->space : op->space) {
    case SPACE_GLOBAL: return ALIAS_GLOBAL;
    case SPACE_SHARED: return ALIAS_SHARED;
    case SPACE_LOCAL: return ALIAS_LOCAL;
    case SPACE_CONST: return 0;
    default: return ALIAS_ALL;
    }
}

/* Everything before stays before, everything after stays after (memory and side effects only). */
static bool is_fence(const struct ir_insn *i)
{
    const struct ir_op_info *op = &ir_ops[i->op];
    if (op->access & ACC_STORE && op->naddr == 1)
        return i->order > ORD_RELAXED;
    if (i->op == OP_LDGSTS)
        return false;
    if (i->op == OP_S2R)
        return i->sub >= SR_CLOCK && i->sub <= SR_TIMER_HI;
    return op->flags & OPF_SIDE || (op->flags & OPF_MEM && i->order > ORD_RELAXED);
}

/* Bytes that a lane of a plain load or store touches from its address on; 0: not known. */
static uint32_t access_bytes(const struct ir_insn *i)
{
    const struct ir_op_info *op = &ir_ops[i->op];
    bool plain = (op->access == ACC_LOAD || op->access == ACC_STORE) && op->naddr == 1 &&
                 op->unit == UNIT_LSU && !(op->flags & OPF_SYNC);
    return plain ? type_bytes(i->type) * (i->vec ? i->vec : 1) : 0;
}

static bool overlap(const struct access *a, const struct access *b)
{
    if (!(a->alias & b->alias) || (!a->write && !b->write))
        return false;
    bool same_base = a->base.kind == b->base.kind && a->base.val == b->base.val &&
                     a->base.sub == b->base.sub && a->base.n == b->base.n && a->version == b->version;
    if (!same_base || !a->bytes || !b->bytes || a->alias != b->alias)
        return true;
    return a->off < b->off + (int64_t)b->bytes && b->off < a->off + (int64_t)a->bytes;
}

static void fence(struct build *x, uint32_t k)
{
    edge(x, x->last_fence, k, 0);
    vec_each (&x->since_fence, n)
        edge(x, *n, k, 0);
    vec_clear(&x->since_fence);
    x->npending = 0;
    x->last_fence = k;
}

/* A collective that all lanes of a warp execute, or none: those meet at the instruction itself, whatever stands before it. */
static bool is_whole_warp(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDSM:
    case OP_STSM:
    case OP_MOVM: return true;
    case OP_SHFL: return i->src[3].kind == OPND_IMM && i->src[3].val == UINT32_MAX;
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX: return i->src[1].kind == OPND_IMM && i->src[1].val == UINT32_MAX;
    default: return false;
    }
}

/* Collectives keep their order, but those of whole warps among themselves. */
static void collective_edges(struct build *x, uint32_t k, const struct ir_insn *i)
{
    edge(x, x->last_sync, k, 0);
    if (is_whole_warp(i)) {
        vec_push(&x->since_sync, k);
        return;
    }
    vec_each (&x->since_sync, n)
        edge(x, *n, k, 0);
    vec_clear(&x->since_sync);
    x->last_sync = k;
}

static void memory_edges(struct build *x, uint32_t k, const struct ir_insn *i)
{
    uint8_t flags = ir_ops[i->op].flags;
    bool collective = flags & OPF_SYNC;
    if (is_fence(i)) {
        fence(x, k);
        collective_edges(x, k, i);
        return;
    }
    if (collective)
        collective_edges(x, k, i);
    if (collective)
        edge(x, x->last_fence, k, 0);
    if (!(flags & OPF_MEM) && i->op != OP_LDGDEPBAR) {
        if (collective)
            vec_push(&x->since_fence, k);
        return;
    }
    struct access a = {.node = k, .alias = alias_of(i), .base = i->src[0], .off = i->off};
    a.write = flags & OPF_SIDE || i->order != ORD_WEAK;
    a.bytes = access_bytes(i);
    if (a.base.kind == OPND_REG)
        a.version = x->version[a.base.val];
    edge(x, x->last_fence, k, 0);
    if (!a.alias || (i->flags & IRF_NC))
        return;
    if (x->npending == MAX_PENDING) {
        fence(x, k);
        return;
    }
    for (uint32_t p = 0; p < x->npending; p++)
        if (overlap(&x->pending[p], &a))
            edge(x, x->pending[p].node, k, 1);
    x->pending[x->npending++] = a;
    vec_push(&x->since_fence, k);
}

static bool is_acc(const struct build *x, const struct ir_opnd *o)
{
    return o->kind == OPND_REG && x->fn->vregs.at[o->val].acc;
}

/* Accumulators are the tensor cores' from the fence to the wait: who reads or writes one stays on its side of both. */
static void group_edges(struct build *x, uint32_t k, struct ir_insn *i)
{
    bool acc = false;
    ir_each_dst (i, o)
        acc |= is_acc(x, o);
    ir_each_src (i, o)
        acc |= is_acc(x, o);
    if (acc) {
        edge(x, x->last_group, k, 0);
        vec_push(&x->since_group, k);
    }
    if (i->op != OP_WARPGROUP)
        return;
    vec_each (&x->since_group, n)
        edge(x, *n, k, 0);
    vec_clear(&x->since_group);
    x->last_group = k;
}

static void depths(struct dag *d)
{
    for (uint32_t k = 0; k < d->n; k++)
        for (uint32_t e = d->nodes[k].succ; e; e = d->edges.at[e].next_succ) {
            struct dag_node *to = &d->nodes[d->edges.at[e].to];
            uint32_t depth = d->nodes[k].depth + d->edges.at[e].lat;
            if (depth > to->depth)
                to->depth = depth;
            if (d->edges.at[e].lat > d->longest)
                d->longest = d->edges.at[e].lat;
        }
}

static bool is_killed(const struct dag_node *n, const uint32_t *bits, uint32_t bit)
{
    for (uint32_t x = 0; x < n->nkills; x++)
        if (bits[x] == bit)
            return true;
    return false;
}

/* What is read and written anew goes before what is only read. */
static void part_reads(struct dag_node *n, uint32_t *bits)
{
    n->nagain = n->ndefs;
    for (uint32_t x = n->ndefs; n->nkills && x < n->nbits; x++)
        if (is_killed(n, bits, bits[x])) {
            uint32_t bit = bits[x];
            bits[x] = bits[n->nagain];
            bits[n->nagain++] = bit;
        }
}

struct dag *dag_build(const struct ir_fn *fn, const struct ir_live *l, const struct ir_block *b,
                      struct arena *a)
{
    struct build x = {.fn = fn,
                      .l = l,
                      .b = b,
                      .last_fence = NO_NODE,
                      .last_sync = NO_NODE,
                      .last_group = NO_NODE,
                      .last_exit = NO_NODE};
    struct dag *d = x.d = ARENA_NEW(a, struct dag);
    struct arena tmp = {0};
    d->n = b->insns.n;
    d->nodes = ARENA_ARRAY(a, struct dag_node, d->n);
    vec_push(&d->edges, (struct dag_edge){0});
    x.last_def = ARENA_ARRAY(&tmp, uint32_t, l->nbits + 1);
    memset(x.last_def, 0xff, l->nbits * sizeof(uint32_t));
    x.first_read = ARENA_ARRAY(&tmp, uint32_t, l->nbits + 1);
    x.version = ARENA_ARRAY(&tmp, uint32_t, fn->vregs.n + 1);
    vec_each (&b->insns, i)
        x.products += sched_busy(i);
    for (uint32_t k = 0; k < d->n; k++) {
        struct ir_insn *i = &b->insns.at[k];
        d->nodes[k].busy = (uint8_t)sched_busy(i);
        collect_bits(&x, k, i);
        copy_edges(&x, i);
        register_edges(&x, k);
        memory_edges(&x, k, i);
        group_edges(&x, k, i);
        edge(&x, x.last_exit, k, 1);
        if (ir_ops[i->op].flags & OPF_CTL)
            x.last_exit = k;
        ir_each_dst (i, o)
            if (o->kind == OPND_REG)
                x.version[o->val]++;
    }
    /* the closing branch stays last */
    if (d->n && (ir_ops[b->insns.at[d->n - 1].op].flags & OPF_CTL))
        for (uint32_t k = 0; k + 1 < d->n; k++)
            if (!d->nodes[k].succ)
                edge(&x, k, d->n - 1, 1);
    depths(d);
    d->bits = ARENA_ARRAY(a, uint32_t, x.bits.n + 1);
    if (x.bits.n)
        memcpy(d->bits, x.bits.at, x.bits.n * sizeof(uint32_t));
    for (uint32_t k = 0; k < d->n; k++)
        part_reads(&d->nodes[k], d->bits + d->nodes[k].bits0);
    vec_free(&x.bits);
    vec_free(&x.readers);
    vec_free(&x.since_fence);
    vec_free(&x.since_sync);
    vec_free(&x.since_group);
    arena_free(&tmp);
    return d;
}

void dag_free(struct dag *d) { vec_free(&d->edges); }
