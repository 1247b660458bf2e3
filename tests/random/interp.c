/* SPDX-License-Identifier: Apache-2.0 */
/* The plain interpreter: the threads of a CTA step through the tree together, each with its own values, a statement at a
 * time for those that take part. No registers, no machine code, nothing shared with the compiler or the executor. */
#include "prog.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 256, MAX_LOOPS = 16 };

typedef bool set[MAX_THREADS];

struct frame {
    const struct func *f;
    uint64_t (*v[C_COUNT])[MAX_THREADS]; /* by variable, by thread */
};

struct cta {
    const struct prog *p;
    struct image *m;
    uint32_t n, first, index; /* threads, number of the first in the grid, CTA */
    uint8_t local[MAX_THREADS][LOCAL_B], shared[MAX_THREADS][SHARED_B];
    set gone; /* exited */
    /* Enclosing loops of the current function: who left the loop, who skips the rest of the round. */
    struct {
        set out, skip;
    } loop[MAX_LOOPS];
    unsigned nloops;
};

static uint64_t get(const struct frame *fr, const struct opnd *o, uint32_t t)
{
    if (o->sort == O_IMM)
        return o->imm;
    return fr->v[o->cls][o->var][t] ^ (o->cls == C_P && o->neg);
}

static void put(struct frame *fr, const struct opnd *o, uint32_t t, uint64_t v)
{
    fr->v[o->cls][o->var][t] = v & cls_mask(o->cls);
}

static bool guarded(const struct frame *fr, const struct stmt *s, uint32_t t)
{
    return s->guard.sort == O_NONE || get(fr, &s->guard, t);
}

static void frame_init(struct frame *fr, const struct func *f)
{
    fr->f = f;
    for (unsigned c = 0; c < C_COUNT; c++)
        fr->v[c] = xcalloc(f->nvars[c] ? f->nvars[c] : 1, sizeof *fr->v[c]);
}

static void frame_free(struct frame *fr)
{
    for (unsigned c = 0; c < C_COUNT; c++)
        free(fr->v[c]);
}

static void do_op(struct frame *fr, const struct stmt *s, uint32_t t)
{
    uint64_t a[MAX_SRC] = {0};
    for (unsigned i = 0; i < s->op->nsrc; i++) {
        a[i] = get(fr, &s->a[i], t);
        if (s->op->is_float >> i & 1)
            a[i] = fix_bits(s->op->fix, s->op->src[i], a[i]);
        if (s->op->odd >> i & 1)
            a[i] |= 1;
        if (s->op->byte >> i & 1)
            a[i] &= 255;
    }
    if (guarded(fr, s, t))
        put(fr, &s->d, t, s->op->eval(a[0], a[1], a[2]));
}

static bool combine(unsigned bop, bool a, bool b)
{
    return bop == 1 ? a && b : bop == 2 ? a || b : bop == 3 ? a != b : a;
}

static void do_setp(struct frame *fr, const struct stmt *s, uint32_t t)
{
    if (!guarded(fr, s, t))
        return;
    bool r = cmp_eval(s->type, s->sub, get(fr, &s->a[0], t), get(fr, &s->a[1], t)),
         c = s->bop && get(fr, &s->a[2], t);
    put(fr, &s->d, t, combine(s->bop, r, c));
    if (s->d2.sort)
        put(fr, &s->d2, t, combine(s->bop, !r, c));
}

static void do_plogic(struct frame *fr, const struct stmt *s, uint32_t t)
{
    bool a = get(fr, &s->a[0], t), b = get(fr, &s->a[1], t);
    put(fr, &s->d, t, s->sub == 3 ? !a : combine(s->sub + 1u, a, b));
}

static void do_special(const struct cta *c, struct frame *fr, const struct stmt *s, uint32_t t)
{
    const struct prog *p = c->p;
    const uint64_t v[SP_COUNT] = {
        [SP_TID] = t % p->block, [SP_CTAID] = c->index,          [SP_LANE] = t % 32, [SP_NTID] = p->block,
        [SP_NCTAID] = p->grid,   [SP_LMLT] = (1u << t % 32) - 1, [SP_P32] = p->p32,  [SP_P64] = p->p64};
    put(fr, &s->d, t, v[s->sub]);
}

static uint8_t *place(struct cta *c, unsigned where, uint32_t t)
{
    size_t g = c->first + t;
    switch (where) {
    case AT_IN: return c->m->in + g * IN_B;
    case AT_SCRATCH: return c->m->scratch + g * SCRATCH_B;
    case AT_LOCAL: return c->local[t];
    case AT_SHARED: return c->shared[t];
    case AT_CONST: return (uint8_t *)c->p->const_data;
    default: return (uint8_t *)c->p->table_data;
    }
}

static void do_mem(struct cta *c, struct frame *fr, const struct stmt *s, uint32_t t)
{
    if (!guarded(fr, s, t))
        return;
    uint8_t *p = place(c, s->place, t) + s->off_b + (s->a[3].sort ? get(fr, &s->a[3], t) & s->mask : 0);
    for (unsigned i = 0; i < s->vec; i++, p += s->bytes) {
        uint64_t v = 0;
        if (s->kind == S_STORE) {
            v = get(fr, &s->elem[i], t);
            memcpy(p, &v, s->bytes);
            continue;
        }
        memcpy(&v, p, s->bytes);
        if (s->is_signed && s->bytes < 4)
            v = (uint64_t)((int64_t)(v << (64 - 8 * s->bytes)) >> (64 - 8 * s->bytes));
        put(fr, &s->elem[i], t, v);
    }
}

static void do_carry(struct frame *fr, const struct stmt *s, uint32_t t)
{
    uint64_t a[4];
    for (unsigned i = 0; i < 4; i++)
        a[i] = get(fr, &s->a[i], t);
    uint64_t lo = s->sub == 0 ? a[0] + a[1] : s->sub == 1 ? a[0] - a[1] : (a[0] * a[1] & UINT32_MAX) + a[2];
    uint64_t carry = lo >> 32 & 1;
    put(fr, &s->d, t, lo);
    put(fr, &s->d2, t,
        s->sub == 0   ? a[2] + a[3] + carry
        : s->sub == 1 ? a[2] - a[3] - carry
                      : (a[0] * a[1] >> 32) + a[3] + carry);
}

static void do_ownatom(struct cta *c, struct frame *fr, const struct stmt *s, uint32_t t)
{
    uint8_t *p = place(c, s->place, t) + s->off_b;
    uint32_t old, a = (uint32_t)get(fr, &s->a[0], t), b = (uint32_t)get(fr, &s->a[1], t);
    memcpy(&old, p, 4);
    const uint32_t now[NOWNATOM] = {
        old + a, a, old > a ? old : a, old & a, old == a ? b : old, old >= a ? 0 : old + 1};
    memcpy(p, &now[s->sub], 4);
    put(fr, &s->d, t, old);
}

static void do_acc(struct cta *c, struct frame *fr, const struct stmt *s, uint32_t t)
{
    const struct acc *a = &accs[s->sub];
    if (guarded(fr, s, t))
        c->m->acc[s->sub] = a->eval(c->m->acc[s->sub], get(fr, &s->a[0], t), 0);
}

/* Statements of one thread alone. */
static void do_one(struct cta *c, struct frame *fr, const struct stmt *s, uint32_t t)
{
    switch ((enum stmt_kind)s->kind) {
    case S_OP: do_op(fr, s, t); break;
    case S_SETP: do_setp(fr, s, t); break;
    case S_PLOGIC: do_plogic(fr, s, t); break;
    case S_SELP: put(fr, &s->d, t, get(fr, &s->a[2], t) ? get(fr, &s->a[0], t) : get(fr, &s->a[1], t)); break;
    case S_SPECIAL: do_special(c, fr, s, t); break;
    case S_LOAD:
    case S_STORE: do_mem(c, fr, s, t); break;
    case S_PACK: {
        unsigned half = s->d.cls == C_D ? 32 : 16;
        put(fr, &s->d, t, get(fr, &s->a[0], t) | get(fr, &s->a[1], t) << half);
        break;
    }
    case S_UNPACK: {
        uint64_t v = get(fr, &s->a[0], t);
        put(fr, &s->d, t, v);
        put(fr, &s->d2, t, v >> (s->a[0].cls == C_D ? 32 : 16));
        break;
    }
    case S_CARRY: do_carry(fr, s, t); break;
    case S_ACC: do_acc(c, fr, s, t); break;
    case S_OWNATOM: do_ownatom(c, fr, s, t); break;
    case S_EXIT: c->gone[t] |= guarded(fr, s, t); break;
    case S_BREAK:
        for (unsigned k = 0; guarded(fr, s, t) && c->nloops >= s->levels && k < s->levels; k++)
            c->loop[c->nloops - 1 - k].out[t] = true;
        break;
    case S_NEXT:
        if (c->nloops && guarded(fr, s, t))
            c->loop[c->nloops - 1].skip[t] = true;
        break;
    default: abort();
    }
}

static void do_share(struct cta *c, struct frame *fr, const struct stmt *s)
{
    for (uint32_t t = 0; t < c->n; t++)
        for (unsigned i = 0; i < s->vec; i++) {
            uint32_t v = (uint32_t)get(fr, s->vec == 4 ? &s->elem[i] : &s->a[0], t);
            memcpy(c->shared[t] + 4 * i, &v, 4);
        }
    for (uint32_t t = 0; t < c->n; t++)
        for (unsigned i = 0; i < s->vec; i++) {
            uint32_t v;
            memcpy(&v, c->shared[(t + s->trips) % c->n] + 4 * i, 4);
            put(fr, &s->elem[i], t, v);
        }
}

static void do_shfl(struct cta *c, struct frame *fr, const struct stmt *s)
{
    uint64_t old[MAX_THREADS], sel[MAX_THREADS];
    for (uint32_t t = 0; t < c->n; t++) {
        old[t] = get(fr, &s->a[0], t);
        sel[t] = get(fr, &s->a[1], t);
    }
    for (uint32_t t = 0; t < c->n; t++) {
        int lane = (int)(t % 32), b = (int)(sel[t] & 31), from;
        switch (s->sub) {
        case 0: from = lane - b; break;
        case 1: from = lane + b; break;
        case 2: from = lane ^ b; break;
        default: from = b; break;
        }
        bool in = from >= 0 && from < 32;
        put(fr, &s->d, t, old[t - (uint32_t)lane + (uint32_t)(in ? from : lane)]);
        if (s->d2.sort)
            put(fr, &s->d2, t, in);
    }
}

static uint32_t redux(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case 0: return a + b;
    case 1: return a < b ? a : b;
    case 2: return a > b ? a : b;
    case 3: return (int32_t)a < (int32_t)b ? a : b;
    case 4: return (int32_t)a > (int32_t)b ? a : b;
    case 5: return a & b;
    case 6: return a | b;
    default: return a ^ b;
    }
}

/* A value every thread of a group of `size` gets, from a source of each. */
static void do_group(struct cta *c, struct frame *fr, const struct stmt *s, uint32_t size)
{
    for (uint32_t first = 0; first < c->n; first += size) {
        uint32_t ballot = 0, count = 0, all = (uint32_t)get(fr, &s->a[0], first);
        for (uint32_t t = first; t < first + size; t++) {
            uint32_t v = (uint32_t)get(fr, &s->a[0], t);
            count += v & 1;
            if (t - first < 32)
                ballot |= (v & 1) << (t - first);
            if (t > first && s->kind == S_REDUX)
                all = redux(s->sub, all, v);
        }
        uint32_t r = all;
        if (s->kind == S_VOTE) {
            const uint32_t by[4] = {count == size, count > 0, count == 0 || count == size, ballot};
            r = by[s->sub];
        } else if (s->kind == S_BARRED) {
            const uint32_t by[3] = {count, count == size, count > 0};
            r = by[s->sub];
        }
        for (uint32_t t = first; t < first + size; t++)
            put(fr, &s->d, t, r);
    }
}

static void run_list(struct cta *c, struct frame *fr, const struct list *l, const set who);

static void run_call(struct cta *c, struct frame *fr, const struct stmt *s, const set who)
{
    const struct func *f = &c->p->funcs[s->func];
    struct frame inner;
    unsigned loops = c->nloops;
    frame_init(&inner, f);
    for (uint32_t t = 0; t < c->n; t++) {
        uint32_t used[C_COUNT] = {0};
        for (unsigned k = C_H; k < C_COUNT; k++)
            for (uint32_t i = 0; i < f->nvars[k]; i++)
                inner.v[k][i][t] = func_start((enum cls)k, i);
        for (unsigned i = 0; i < f->nargs; i++) {
            enum cls k = f->arg_cls[i];
            if (used[k] < f->nvars[k])
                inner.v[k][used[k]++][t] = get(fr, &s->a[i], t);
        }
        for (uint32_t i = 0; i < f->nvars[C_P]; i++)
            inner.v[C_P][i][t] = (int32_t)inner.v[C_W][i % f->nvars[C_W]][t] > (int32_t)(i * 1000);
    }
    c->nloops = 0;
    struct cta *shadow = xmalloc(sizeof *shadow); /* the caller's loops, out of the callee's way */
    memcpy(shadow->loop, c->loop, sizeof c->loop);
    run_list(c, &inner, &f->body, who);
    memcpy(c->loop, shadow->loop, sizeof c->loop);
    free(shadow);
    c->nloops = loops;
    for (uint32_t t = 0; t < c->n; t++)
        if (who[t])
            put(fr, &s->d, t, get(&inner, &f->ret, t));
    frame_free(&inner);
}

/* Takes out those that exited, left the loop or skip the rest of the round. */
static bool still(const struct cta *c, const set who, set now)
{
    bool any = false;
    for (uint32_t t = 0; t < c->n; t++) {
        now[t] = who[t] && !c->gone[t];
        for (unsigned k = 0; k < c->nloops; k++)
            now[t] = now[t] && !c->loop[k].out[t] && !c->loop[k].skip[t];
        any |= now[t];
    }
    return any;
}

static void run_loop(struct cta *c, struct frame *fr, const struct stmt *s, const set who)
{
    uint32_t left[MAX_THREADS];
    set round, live;
    memcpy(round, who, sizeof round);
    for (uint32_t t = 0; t < c->n; t++)
        left[t] = s->flat ? 1 : s->trips + (s->a[0].sort ? (uint32_t)get(fr, &s->a[0], t) & s->mask : 0);
    unsigned k = c->nloops++;
    memset(&c->loop[k], 0, sizeof c->loop[k]);
    for (;;) {
        memset(c->loop[k].skip, 0, sizeof c->loop[k].skip);
        if (!still(c, round, live))
            break;
        run_list(c, fr, &s->body, live);
        for (uint32_t t = 0; t < c->n; t++)
            if (live[t] && !c->loop[k].out[t])
                round[t] = --left[t] > 0;
            else if (live[t])
                round[t] = false;
    }
    c->nloops--;
}

static void run_branches(struct cta *c, struct frame *fr, const struct stmt *s, const set who)
{
    bool is_if = s->kind == S_IF;
    const struct list *lists[4] = {is_if ? &s->body : &s->cases[0], is_if ? &s->other : &s->cases[1],
                                   &s->cases[2], &s->cases[3]};
    unsigned way[MAX_THREADS];
    for (uint32_t t = 0; t < c->n; t++)
        way[t] = s->flat ? 0 : is_if ? !get(fr, &s->guard, t) : (unsigned)(get(fr, &s->a[0], t) & 3);
    for (unsigned k = 0; k < (is_if ? 2u : 4u); k++) {
        set part;
        for (uint32_t t = 0; t < c->n; t++)
            part[t] = who[t] && way[t] == k;
        run_list(c, fr, lists[k], part);
    }
}

static void run_stmt(struct cta *c, struct frame *fr, const struct stmt *s, const set who)
{
    switch (s->kind) {
    case S_CALL: run_call(c, fr, s, who); break;
    case S_LOOP: run_loop(c, fr, s, who); break;
    case S_IF:
    case S_SWITCH: run_branches(c, fr, s, who); break;
    case S_SHARE: do_share(c, fr, s); break;
    case S_SHFL: do_shfl(c, fr, s); break;
    case S_VOTE:
    case S_REDUX: do_group(c, fr, s, 32); break;
    case S_BARRED: do_group(c, fr, s, c->n); break;
    default:
        for (uint32_t t = 0; t < c->n; t++)
            if (who[t])
                do_one(c, fr, s, t);
    }
}

static void run_list(struct cta *c, struct frame *fr, const struct list *l, const set who)
{
    set now;
    for (const struct stmt *s = l->head; s; s = s->next)
        if (!s->off && still(c, who, now))
            run_stmt(c, fr, s, now);
}

static void start(struct cta *c, struct frame *fr, uint32_t t)
{
    const uint8_t *in = place(c, AT_IN, t);
    for (unsigned k = C_H; k < C_COUNT; k++)
        for (uint32_t i = 0; i < fr->f->nvars[k]; i++)
            memcpy(&fr->v[k][i][t], in + in_offset((enum cls)k, i), k == C_D ? 8 : k == C_W ? 4 : 2);
    for (uint32_t i = 0; i < fr->f->nvars[C_P]; i++)
        fr->v[C_P][i][t] = (int32_t)fr->v[C_W][i % fr->f->nvars[C_W]][t] > (int32_t)(i * 1000);
    for (unsigned k = 0; k < LOCAL_B; k += 8)
        memcpy(c->local[t] + k, &(uint64_t){k * 77}, 8);
    for (unsigned k = 0; k < SHARED_B; k += 4)
        memcpy(c->shared[t] + k, &t, 4);
}

static void finish(struct cta *c, struct frame *fr, uint32_t t)
{
    uint8_t *o = c->m->out + (size_t)(c->first + t) * OUT_B;
    static const uint16_t at[C_COUNT] = {OUT_P, OUT_H, OUT_W, OUT_D};
    static const uint8_t bytes[C_COUNT] = {4, 2, 4, 8};
    for (unsigned k = 0; k < C_COUNT; k++)
        for (uint32_t i = 0; i < fr->f->nvars[k]; i++)
            if (!c->p->hide[k][i])
                memcpy(o + at[k] + bytes[k] * i, &fr->v[k][i][t], bytes[k]);
}

void prog_interp(const struct prog *p, struct image *m)
{
    struct cta *c = xcalloc(1, sizeof *c);
    struct frame fr;
    c->p = p;
    c->m = m;
    c->n = prog_threads(p);
    for (c->index = 0; c->index < p->grid; c->index++) {
        set all;
        c->first = c->index * c->n;
        memset(c->gone, 0, sizeof c->gone);
        memset(all, true, sizeof all);
        frame_init(&fr, &p->main);
        for (uint32_t t = 0; t < c->n; t++)
            start(c, &fr, t);
        run_list(c, &fr, &p->main.body, all);
        for (uint32_t t = 0; t < c->n; t++)
            if (!c->gone[t])
                finish(c, &fr, t);
        frame_free(&fr);
    }
    free(c);
}
