/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/reach.h"

static uint32_t align_up(uint32_t v, uint32_t a) { return (v + a - 1) / a * a; }

static void reach(struct reach *u, const struct ptx_func *f)
{
    if (f->has_body && !u->reached[f->index]) {
        u->reached[f->index] = true;
        vec_push(&u->funcs, f);
    }
}

static void note_shared(struct reach *u, const struct ptx_var *v)
{
    vec_each (&u->shared_vars, p)
        if (*p == v)
            return;
    vec_push(&u->shared_vars, v);
}

static void scan_opnd(struct reach *u, const struct ptx_opnd *o)
{
    if (o->kind == PO_FUNC)
        reach(u, o->func);
    if (o->var && o->var->space == SPACE_SHARED)
        note_shared(u, o->var);
    for (unsigned k = 0; k < o->n; k++)
        scan_opnd(u, &o->sub[k]);
}

/* Functions whose address is stored in a variable may be called through it. */
static void reach_tables(struct reach *u)
{
    vec_each (&u->m->vars, p)
        vec_each (&(*p)->init, w)
            if (w->func)
                reach(u, w->func);
}

static void scan_func(struct reach *u, const struct ptx_func *f)
{
    vec_each (&f->insns, i) {
        for (unsigned k = 0; k < i->nops; k++)
            scan_opnd(u, &i->ops[k]);
        if (i->op == P_call && i->nops > 1 && i->ops[1].kind == PO_REG && !u->has_indirect) {
            u->has_indirect = true;
            reach_tables(u);
        }
    }
}

/* Depth-first search for a cycle of direct calls. State: 0 new, 1 on the path, 2 done. Iterative, as inputs are hostile. */
static bool has_cycle(const struct reach *u)
{
    struct frame {
        const struct ptx_func *f;
        uint32_t at;
    };
    uint8_t *state = xcalloc(u->m->funcs.n, 1);
    VEC(struct frame) stack = {0};
    bool found = false;
    for (uint32_t r = 0; r < u->funcs.n && !found; r++) {
        if (state[u->funcs.at[r]->index])
            continue;
        vec_push(&stack, (struct frame){u->funcs.at[r], 0});
        state[u->funcs.at[r]->index] = 1;
        while (stack.n && !found) {
            struct frame *t = &stack.at[stack.n - 1];
            if (t->at == t->f->insns.n) {
                state[t->f->index] = 2;
                stack.n--;
                continue;
            }
            const struct ptx_insn *i = &t->f->insns.at[t->at++];
            if (i->op != P_call || i->nops < 2 || i->ops[1].kind != PO_FUNC)
                continue;
            const struct ptx_func *callee = i->ops[1].func;
            found = state[callee->index] == 1;
            if (!state[callee->index] && callee->has_body) {
                state[callee->index] = 1;
                vec_push(&stack, (struct frame){callee, 0});
            }
        }
    }
    vec_free(&stack);
    free(state);
    return found;
}

enum { SHARED_MAX_B = 227 * 1024, PARAM_MAX_B = 4096 };

static bool layout_shared(struct reach *u)
{
    uint64_t at = 0;
    u->dyn_align = 16;
    vec_resize(&u->shared_off, u->shared_vars.n);
    for (uint32_t k = 0; k < u->shared_vars.n; k++) {
        const struct ptx_var *v = u->shared_vars.at[k];
        uint32_t align = v->align_b ? v->align_b : 1;
        if (v->is_extern || !v->size_b) {
            if (align > u->dyn_align)
                u->dyn_align = align;
            continue;
        }
        at = (at + align - 1) / align * align;
        u->shared_off.at[k] = (uint32_t)at;
        at += v->size_b;
        if (at > SHARED_MAX_B) {
            ptx_error(u->m, u->d, v->line, 1,
                      "shared memory of kernel '%s' exceeds %d bytes with '%s' (%llu bytes)", u->entry->name,
                      SHARED_MAX_B, v->name, (unsigned long long)v->size_b);
            return false;
        }
    }
    u->shared_b = (uint32_t)at;
    uint32_t dyn = align_up(u->shared_b, u->dyn_align);
    for (uint32_t k = 0; k < u->shared_vars.n; k++) {
        const struct ptx_var *v = u->shared_vars.at[k];
        if (v->is_extern || !v->size_b)
            u->shared_off.at[k] = dyn;
    }
    return true;
}

static bool layout_params(struct reach *u)
{
    const struct ptx_func *f = u->entry;
    u->param_off = ARENA_ARRAY(&u->arena, uint32_t, f->params.n + 1);
    uint64_t at = 0;
    for (uint32_t k = 0; k < f->params.n; k++) {
        const struct ptx_var *v = f->params.at[k];
        uint32_t align = v->align_b ? v->align_b : 1;
        at = (at + align - 1) / align * align;
        u->param_off[k] = (uint32_t)at;
        at += v->size_b;
        if (at > 8 * PARAM_MAX_B) {
            ptx_error(u->m, u->d, v->line, 1, "parameters of kernel '%s' exceed %d bytes", f->name,
                      8 * PARAM_MAX_B);
            return false;
        }
    }
    u->param_b = (uint32_t)at;
    return true;
}

bool reach_build(struct reach *u, const struct ptx_module *m, const struct ptx_func *entry, struct diag *d)
{
    *u = (struct reach){.m = m, .entry = entry, .source = ptx_source_file(m, entry), .d = d};
    u->reached = ARENA_ARRAY(&u->arena, bool, m->funcs.n);
    reach(u, entry);
    for (uint32_t k = 0; k < u->funcs.n; k++)
        scan_func(u, u->funcs.at[k]);
    u->recursive = u->has_indirect || has_cycle(u);
    return layout_shared(u) && layout_params(u);
}

void reach_free(struct reach *u)
{
    vec_free(&u->funcs);
    vec_free(&u->shared_vars);
    vec_free(&u->shared_off);
    vec_free(&u->syms);
    arena_free(&u->arena);
}

uint32_t reach_shared_off(const struct reach *u, const struct ptx_var *v)
{
    for (uint32_t k = 0; k < u->shared_vars.n; k++)
        if (u->shared_vars.at[k] == v)
            return u->shared_off.at[k];
    return 0;
}

uint32_t reach_sym(struct reach *u, enum code_sym_kind kind, uint32_t var)
{
    for (uint32_t k = 0; k < u->syms.n; k++)
        if (u->syms.at[k].kind == kind && u->syms.at[k].var == var)
            return 8 * k;
    vec_push(&u->syms, (struct code_sym){.kind = (uint8_t)kind, .var = var});
    return 8 * (u->syms.n - 1);
}

static uint32_t place(struct ptx_var *const *vars, uint32_t n, uint32_t *off, uint32_t at)
{
    for (uint32_t k = 0; k < n; k++) {
        /* Word slots: narrow values are stored as words. */
        uint32_t align = vars[k]->align_b > 4 ? vars[k]->align_b : 4;
        at = align_up(at, align > 16 ? 16 : align);
        off[k] = at;
        at += align_up((uint32_t)vars[k]->size_b, 4);
    }
    return at;
}

struct call_layout call_layout_of(struct arena *a, struct ptx_var *const *params, uint32_t nparams,
                                  struct ptx_var *const *rets, uint32_t nrets)
{
    struct call_layout l = {ARENA_ARRAY(a, uint32_t, nparams + 1), ARENA_ARRAY(a, uint32_t, nrets + 1), 0};
    uint32_t at = place(params, nparams, l.param_off, 0);
    at = place(rets, nrets, l.ret_off, at);
    l.size_b = align_up(at, 16);
    return l;
}
