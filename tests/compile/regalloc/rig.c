/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

struct machine {
    const struct ir_fn *fn;
    uint32_t *first; /* by virtual register */
    uint32_t *regs;
    uint8_t *preds;
    uint8_t *stack;
    struct rig_result *res;
};

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static uint32_t *word_at(struct machine *m, const struct ir_opnd *o, unsigned k)
{
    if (m->fn->allocated)
        return &m->regs[o->val + k];
    if (m->fn->vregs.at[o->val].fixed)
        return &m->regs[m->fn->vregs.at[o->val].phys + o->sub + k];
    return &m->regs[256 + m->first[o->val] + o->sub + k];
}

static uint32_t const_word(unsigned bank, uint32_t off)
{
    if (bank == BANK_LAUNCH && off == CB_STACK)
        return RIG_STACK_TOP;
    return (uint32_t)mix(bank + 1, off);
}

static uint32_t value(struct machine *m, const struct ir_opnd *o, unsigned k)
{
    switch (o->kind) {
    case OPND_REG: return *word_at(m, o, k);
    case OPND_IMM: return o->n == 2 ? (k ? o->val : 0) : k ? 0 : o->val;
    case OPND_CONST: return const_word(o->sub, o->val + 4 * k);
    default: return 0;
    }
}

static bool pred(struct machine *m, const struct ir_opnd *o)
{
    bool v = o->kind != OPND_PRED || o->val == PRED_PT || m->preds[o->val];
    return v != (o->kind == OPND_PRED && o->neg);
}

static void set_words(struct machine *m, const struct ir_opnd *d, const uint32_t *v)
{
    for (unsigned k = 0; d->kind == OPND_REG && k < d->n; k++)
        *word_at(m, d, k) = v[k];
    if (d->kind == OPND_PRED && d->val != PRED_PT)
        m->preds[d->val] = v[0] & 1;
}

static uint64_t hash_sources(struct machine *m, const struct ir_insn *i)
{
    uint64_t h = mix(i->op * 131u + i->lut, i->cmp * 7u + i->sub);

    for (int s = 0; s < 6; s++) {
        const struct ir_opnd *o = &i->src[s];
        h = mix(h, (uint64_t)o->neg << 1 | o->abs);
        if (o->kind == OPND_PRED)
            h = mix(h, pred(m, o));
        else
            for (unsigned k = 0; k < (o->kind == OPND_NONE ? 0u : o->n); k++)
                h = mix(h, value(m, o, k));
    }
    return h;
}

static bool local(struct machine *m, const struct ir_insn *i, uint8_t **at)
{
    uint32_t a = value(m, &i->src[0], 0) + (uint32_t)i->off,
             len = type_units(i->type) * 4 * (i->vec ? i->vec : 1);

    if (a % len || a > RIG_STACK_B - len) {
        m->res->error = "bad local address";
        return false;
    }
    *at = m->stack + a;
    return true;
}

static void do_insn(struct machine *m, const struct ir_insn *i)
{
    uint32_t v[2][4] = {{0}};
    unsigned n = i->dst[0].kind == OPND_REG ? i->dst[0].n : 0;
    uint8_t *at;
    uint64_t h;

    switch (i->op) {
    case OP_MOV:
        for (unsigned k = 0; k < n; k++)
            v[0][k] = value(m, &i->src[0], k);
        break;
    case OP_P2R: v[0][0] = pred(m, &i->src[0]); break;
    case OP_R2P: v[0][0] = value(m, &i->src[0], 0) != 0; break;
    case OP_IADD3: /* without carry: addresses are made with it */
        if (i->dst[1].kind == OPND_NONE) {
            for (int s = 0; s < 3; s++)
                v[0][0] += value(m, &i->src[s], 0);
            break;
        }
        goto hashed;
    case OP_ISETP:
        if (i->sub == 77) { /* loop control: a real comparison */
            v[0][0] = value(m, &i->src[0], 0) < value(m, &i->src[1], 0);
            break;
        }
        goto hashed;
    case OP_LDL:
        if (local(m, i, &at))
            memcpy(v[0], at, 4 * n);
        break;
    case OP_STL:
        if (!local(m, i, &at))
            break;
        for (unsigned k = 0; k < i->src[1].n; k++) {
            uint32_t w = value(m, &i->src[1], k);
            memcpy(at + 4 * k, &w, 4);
        }
        break;
    default:
    hashed:
        h = hash_sources(m, i);
        if (ir_ops[i->op].flags & OPF_SIDE)
            vec_push(&m->res->log, h);
        for (int d = 0; d < 2; d++)
            for (unsigned k = 0; k < 4; k++)
                v[d][k] = (uint32_t)(mix(h, d * 4u + k) >> 20);
    }
    set_words(m, &i->dst[0], v[0]);
    set_words(m, &i->dst[1], v[1]);
}

static void call(struct machine *m, uint32_t seed)
{
    if (!m->fn->allocated)
        return;
    for (uint32_t r = 0; r < CALLER_SAVED; r++)
        if (r != REG_SP)
            m->regs[r] = (uint32_t)mix(seed, r);
    for (uint32_t p = 0; p < MAX_PREDS; p++)
        m->preds[p] = mix(seed, p) >> 7 & 1;
}

static void run_from(struct machine *m, uint32_t max_steps)
{
    uint32_t b = 0, k = 0;

    while (!m->res->error) {
        if (b >= m->fn->blocks.n) {
            m->res->error = "fell off the end";
            return;
        }
        const struct ir_block *bl = &m->fn->blocks.at[b];
        if (k >= bl->insns.n) {
            b++;
            k = 0;
            continue;
        }
        const struct ir_insn *i = &bl->insns.at[k++];
        if (m->res->steps++ > max_steps) {
            m->res->error = "too many steps";
            return;
        }
        if (i->guard.kind == OPND_PRED && !pred(m, &i->guard))
            continue;
        if (i->op == OP_BRA) {
            b = i->target;
            k = 0;
        } else if (i->op == OP_EXIT || i->op == OP_RET) {
            vec_push(&m->res->log, i->op == OP_RET ? value(m, &i->src[0], 0) : 1);
            if (i->op == OP_RET && m->regs[REG_SP] != RIG_STACK_TOP)
                m->res->error = "stack pointer not restored";
            for (uint32_t r = CALLER_SAVED; i->op == OP_RET && m->fn->allocated && r < MAX_REGS; r++)
                if (m->regs[r] != (uint32_t)mix(99, r))
                    m->res->error = "callee-saved register changed";
            return;
        } else if (i->op == OP_CALL) {
            call(m, m->res->steps);
        } else {
            do_insn(m, i);
        }
    }
}

struct rig_result rig_run(const struct ir_fn *fn, bool framed, uint32_t max_steps)
{
    struct rig_result res = {0};
    uint32_t words = 256;
    struct machine m = {.fn = fn, .res = &res};

    m.first = xcalloc(fn->vregs.n + 1, sizeof *m.first);
    for (uint32_t v = 0; v < fn->vregs.n; v++) {
        m.first[v] = words - 256;
        words += fn->vregs.at[v].n;
    }
    m.regs = xcalloc(words + 256, sizeof *m.regs);
    m.preds = xcalloc(fn->npreds + VPRED0 + 1, 1);
    m.stack = xcalloc(RIG_STACK_B, 1);
    for (uint32_t r = 0; r < 256; r++)
        m.regs[r] = (uint32_t)mix(99, r);
    m.regs[REG_SP] = framed && fn->is_entry ? 0 : RIG_STACK_TOP;
    if (!framed && !fn->allocated)
        m.regs[REG_SP] = RIG_STACK_TOP;
    m.regs[REG_LINK] = RIG_LINK;
    run_from(&m, max_steps);
    free(m.first);
    free(m.regs);
    free(m.preds);
    free(m.stack);
    return res;
}

void rig_free(struct rig_result *r) { vec_free(&r->log); }

bool rig_same(const struct rig_result *a, const struct rig_result *b)
{
    return !a->error && !b->error && a->log.n == b->log.n &&
           (!a->log.n || !memcmp(a->log.at, b->log.at, a->log.n * sizeof *a->log.at));
}

void rig_clone(struct ir_fn *to, const struct ir_fn *from, struct arena *a)
{
    *to = *from;
    to->arena = a;
    memset(&to->blocks, 0, sizeof to->blocks);
    memset(&to->vregs, 0, sizeof to->vregs);
    for (uint32_t v = 0; v < from->vregs.n; v++)
        vec_push(&to->vregs, from->vregs.at[v]);
    for (uint32_t b = 0; b < from->blocks.n; b++) {
        ir_block_new(to, from->blocks.at[b].label, from->blocks.at[b].line);
        for (uint32_t k = 0; k < from->blocks.at[b].insns.n; k++)
            vec_push(&to->blocks.at[b].insns, from->blocks.at[b].insns.at[k]);
    }
}

uint32_t rig_count(const struct ir_fn *fn, enum ir_op op)
{
    uint32_t n = 0;

    for (uint32_t b = 0; b < fn->blocks.n; b++)
        for (uint32_t k = 0; k < fn->blocks.at[b].insns.n; k++)
            n += fn->blocks.at[b].insns.at[k].op == op;
    return n;
}

struct ir_insn *rig_emit(struct ir_fn *fn, enum ir_op op, struct ir_opnd d, struct ir_opnd a,
                         struct ir_opnd b, struct ir_opnd c)
{
    struct ir_block *bl = &fn->blocks.at[fn->blocks.n - 1];
    struct ir_insn i = {.op = (uint8_t)op, .type = T_U32, .vec = 1};

    i.dst[0] = d;
    i.src[0] = a;
    i.src[1] = b;
    i.src[2] = c;
    vec_push(&bl->insns, i);
    return &bl->insns.at[bl->insns.n - 1];
}
