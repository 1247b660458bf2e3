/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the functions that a kernel reaches into flat code: instruction indices for targets, block tables, stack need. */
#include "compile/reach.h"
#include "ir/cfg.h"

enum { RECURSIVE_STACK_B = 16 * 1024 };

struct linker {
    struct code *c;
    struct ir_fn *fns;
    uint32_t n;
    uint32_t *fn_block0; /* first block of each function in the code's table */
};

static void count(struct linker *l)
{
    struct code *c = l->c;
    for (uint32_t f = 0; f < l->n; f++) {
        l->fn_block0[f] = c->nblocks;
        c->nblocks += l->fns[f].blocks.n;
        vec_each (&l->fns[f].blocks, b) {
            c->n += b->insns.n;
            vec_each (&b->insns, i)
                if (i->op == OP_BRX)
                    c->nbrx += b->succ.n;
        }
    }
}

static void note_spill(struct code *c, const struct ir_insn *i)
{
    if (!(i->flags & IRF_SPILL))
        return;
    c->spill_loads += i->op == OP_LDL;
    c->spill_stores += i->op == OP_STL;
}

static void place_block(struct linker *l, uint32_t f, const struct ir_block *b, struct code_block *cb,
                        uint32_t *at)
{
    struct code *c = l->c;
    cb->start = *at;
    cb->n = b->insns.n;
    cb->nsucc = b->succ.n;
    cb->succ = ARENA_ARRAY(&c->arena, uint32_t, b->succ.n + 1);
    for (uint32_t k = 0; k < b->succ.n; k++)
        cb->succ[k] = l->fn_block0[f] + b->succ.at[k];
    vec_each (&b->insns, i) {
        c->insns[(*at)++] = *i;
        note_spill(c, i);
    }
}

/* Branch targets become instruction indices once every block has its place. */
static void resolve(struct linker *l, uint32_t f, const struct ir_block *b, const struct code_block *cb,
                    uint32_t *brx)
{
    struct code *c = l->c;
    uint32_t bar0 = 0;
    for (uint32_t k = 0; k < f; k++)
        bar0 += l->fns[k].nbars;
    for (uint32_t k = 0; k < cb->n; k++) {
        struct ir_insn *i = &c->insns[cb->start + k];
        if (i->op == OP_BRA)
            i->target = c->blocks[l->fn_block0[f] + i->target].start;
        if (i->op == OP_BSSY || i->op == OP_BSYNC || i->op == OP_BREAK)
            i->src[0].val += bar0;
        if (i->op == OP_BRX) {
            i->target = *brx;
            i->off = (int32_t)b->succ.n;
            vec_each (&b->succ, s)
                c->brx[(*brx)++] = c->blocks[l->fn_block0[f] + *s].start;
        }
    }
}

static void post_dominators(struct linker *l, uint32_t f)
{
    struct arena a = {0};
    struct ir_cfg *g = ir_cfg_build(&l->fns[f], &a);
    for (uint32_t k = 0; k < g->n; k++)
        l->c->blocks[l->fn_block0[f] + k].ipdom =
            g->ipdom[k] == CFG_NONE ? UINT32_MAX : l->fn_block0[f] + g->ipdom[k];
    arena_free(&a);
}

static uint32_t total_frame(const struct ir_fn *f) { return f->frame_b; }

static const struct ir_fn *by_id(const struct linker *l, uint32_t id)
{
    for (uint32_t k = 0; k < l->n; k++)
        if (l->fns[k].id == id)
            return &l->fns[k];
    return NULL;
}

/* Stack of the deepest chain of direct calls: relaxed in rounds, as there are no cycles here. */
static uint32_t stack_need(const struct linker *l)
{
    uint32_t *need = xcalloc(l->n, sizeof *need);
    for (uint32_t round = 0; round < l->n; round++)
        for (uint32_t f = 0; f < l->n; f++) {
            uint32_t below = 0;
            vec_each (&l->fns[f].blocks, b)
                vec_each (&b->insns, i) {
                    if (i->op != OP_CALL || i->src[0].kind != OPND_IMM)
                        continue;
                    const struct ir_fn *t = by_id(l, i->src[0].val);
                    if (t && need[t - l->fns] > below)
                        below = need[t - l->fns];
                }
            need[f] = total_frame(&l->fns[f]) + below;
        }
    uint32_t n = need[0];
    free(need);
    return n;
}

static void describe_kernel(struct code *c, struct reach *u)
{
    const struct ptx_func *f = u->entry;
    c->name = arena_strndup(&c->arena, f->name, strlen(f->name));
    const char *file = u->source ? u->source : u->m->file;
    c->file = arena_strndup(&c->arena, file, strlen(file));
    c->nparams = f->params.n;
    c->params = ARENA_ARRAY(&c->arena, struct code_param, f->params.n + 1);
    for (uint32_t k = 0; k < f->params.n; k++) {
        const struct ptx_var *v = f->params.at[k];
        c->params[k] = (struct code_param){arena_strndup(&c->arena, v->name, strlen(v->name)),
                                           u->param_off[k], (uint32_t)v->size_b, v->align_b};
    }
    c->param_b = u->param_b;
    c->nsyms = u->syms.n;
    c->syms = ARENA_ARRAY(&c->arena, struct code_sym, u->syms.n + 1);
    if (u->syms.n)
        memcpy(c->syms, u->syms.at, sizeof *c->syms * u->syms.n);
    c->shared_b = u->shared_b;
    c->dyn_align = u->dyn_align;
    c->recursive = u->recursive;
    c->uses_printf = u->uses_printf;
    c->uses_malloc = u->uses_malloc;
    uint64_t threads = 1;
    for (int k = 0; k < 3; k++) {
        c->reqntid[k] = f->reqntid[k];
        threads *= f->maxntid[k] ? f->maxntid[k] : 1;
    }
    c->maxntid =
        f->maxntid[0] || f->maxntid[1] || f->maxntid[2] ? (uint32_t)(threads > 1024 ? 1024 : threads) : 0;
    c->minnctapersm = f->minnctapersm;
    memcpy(c->cluster, f->cluster, sizeof c->cluster);
    c->max_cluster = f->maxclusterrank;
    c->explicit_cluster = f->explicitcluster;
}

struct code *link_code(struct reach *u, struct ir_fn *fns, uint32_t n)
{
    struct code *c = xcalloc(1, sizeof *c);
    struct linker l = {c, fns, n, xcalloc(n, sizeof(uint32_t))};
    count(&l);
    c->insns = ARENA_ARRAY(&c->arena, struct ir_insn, c->n + 1);
    c->blocks = ARENA_ARRAY(&c->arena, struct code_block, c->nblocks + 1);
    c->brx = ARENA_ARRAY(&c->arena, uint32_t, c->nbrx + 1);
    c->funcs = ARENA_ARRAY(&c->arena, struct code_func, n);
    c->nfuncs = n;
    c->static_insns = c->n;
    uint32_t at = 0, brx = 0;
    for (uint32_t f = 0; f < n; f++) {
        ir_cfg_link(&fns[f]);
        c->funcs[f] = (struct code_func){arena_strndup(&c->arena, fns[f].name, strlen(fns[f].name)),
                                         fns[f].id,
                                         at,
                                         l.fn_block0[f],
                                         fns[f].blocks.n,
                                         fns[f].regs_used,
                                         total_frame(&fns[f])};
        for (uint32_t b = 0; b < fns[f].blocks.n; b++)
            place_block(&l, f, &fns[f].blocks.at[b], &c->blocks[l.fn_block0[f] + b], &at);
        if (fns[f].regs_used > c->regs)
            c->regs = fns[f].regs_used;
        if (fns[f].uregs_used > c->uregs)
            c->uregs = fns[f].uregs_used;
        c->spill_b += fns[f].spill_b;
        c->nbars += fns[f].nbars;
    }
    for (uint32_t f = 0; f < n; f++) {
        for (uint32_t b = 0; b < fns[f].blocks.n; b++)
            resolve(&l, f, &fns[f].blocks.at[b], &c->blocks[l.fn_block0[f] + b], &brx);
        post_dominators(&l, f);
    }
    c->regs += REGS_RESERVED;
    describe_kernel(c, u);
    c->local_b = u->recursive ? RECURSIVE_STACK_B : stack_need(&l);
    c->local_b = (c->local_b + 15) / 16 * 16;
    free(l.fn_block0);
    return c;
}
