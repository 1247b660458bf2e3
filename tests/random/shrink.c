/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting a failing program down: try without each statement, try control flow as straight code, fewer CTAs, and keep
 * what still fails, until nothing more goes. */
#include "prog.h"

static bool shrink_list(struct prog *p, struct list *l, prog_fails fails, void *ctx);

static bool try_flag(struct prog *p, bool *flag, prog_fails fails, void *ctx)
{
    if (*flag)
        return false;
    *flag = true;
    if (fails(ctx, p))
        return true;
    *flag = false;
    return false;
}

/* Half of a list, a quarter, ... at a time: large programs shrink in few runs. */
static bool drop_runs(struct prog *p, struct list *l, prog_fails fails, void *ctx)
{
    bool any = false;
    unsigned n = 0;
    for (struct stmt *s = l->head; s; s = s->next)
        n += !s->off;
    for (unsigned run = n / 2; run > 1; run /= 2) {
        for (struct stmt *from = l->head; from;) {
            struct stmt *cut[512];
            unsigned k = 0;
            struct stmt *s = from;
            for (; s && k < run && k < 512; s = s->next)
                if (!s->off)
                    (cut[k++] = s)->off = true;
            if (k && fails(ctx, p))
                any = true;
            else
                while (k)
                    cut[--k]->off = false;
            from = s;
        }
    }
    return any;
}

static bool shrink_stmt(struct prog *p, struct stmt *s, prog_fails fails, void *ctx)
{
    bool any = false;
    if (s->off)
        return false;
    if (try_flag(p, &s->off, fails, ctx))
        return true;
    if (s->guard.sort && s->kind != S_IF && s->kind != S_BREAK && s->kind != S_NEXT && s->kind != S_EXIT) {
        struct opnd was = s->guard;
        s->guard.sort = O_NONE;
        if (fails(ctx, p))
            any = true;
        else
            s->guard = was;
    }
    if (s->kind != S_IF && s->kind != S_LOOP && s->kind != S_SWITCH)
        return any;
    any |= try_flag(p, &s->flat, fails, ctx);
    any |= shrink_list(p, &s->body, fails, ctx);
    any |= shrink_list(p, &s->other, fails, ctx);
    for (unsigned i = 0; i < 4; i++)
        any |= shrink_list(p, &s->cases[i], fails, ctx);
    return any;
}

static bool shrink_list(struct prog *p, struct list *l, prog_fails fails, void *ctx)
{
    bool any = drop_runs(p, l, fails, ctx);
    for (struct stmt *s = l->head; s; s = s->next)
        any |= shrink_stmt(p, s, fails, ctx);
    return any;
}

static void mark(bool used[C_COUNT][128], const struct opnd *o)
{
    if (o->sort == O_VAR && o->var < 128)
        used[o->cls][o->var] = true;
}

static void mark_list(bool used[C_COUNT][128], const struct list *l)
{
    for (const struct stmt *s = l->head; s; s = s->next) {
        if (s->off)
            continue;
        mark(used, &s->d);
        mark(used, &s->d2);
        mark(used, &s->guard);
        for (unsigned i = 0; i < 4; i++) {
            mark(used, &s->a[i]);
            mark(used, &s->elem[i]);
            mark_list(used, &s->cases[i]);
        }
        mark_list(used, &s->body);
        mark_list(used, &s->other);
    }
}

/* Variables that only add pressure: away with them, all at once or one by one. Predicates start from 32-bit variables,
 * so those stay while there are any. */
static void hide_unused(struct prog *p, prog_fails fails, void *ctx)
{
    static const uint8_t order[C_COUNT] = {C_P, C_D, C_H, C_W};
    bool used[C_COUNT][128] = {0};
    mark_list(used, &p->main.body);
    for (unsigned k = 0; k < C_COUNT; k++) {
        unsigned c = order[k];
        uint32_t n = p->main.nvars[c];
        if (c == C_W)
            for (uint32_t i = 0; i < p->main.nvars[C_P]; i++)
                used[C_W][i % n] |= !p->hide[C_P][i];
        for (uint32_t i = 0; i < n; i++)
            p->hide[c][i] = !used[c][i];
        if (fails(ctx, p))
            continue;
        for (uint32_t i = 0; i < n; i++)
            p->hide[c][i] = false;
        for (uint32_t i = 0; i < n; i++) {
            p->hide[c][i] = !used[c][i];
            if (p->hide[c][i] && !fails(ctx, p))
                p->hide[c][i] = false;
        }
    }
}

void prog_shrink(struct prog *p, prog_fails fails, void *ctx)
{
    uint32_t grid = p->grid;
    p->grid = 1;
    if (!fails(ctx, p))
        p->grid = grid;
    for (unsigned round = 0; round < 6; round++) {
        bool any = shrink_list(p, &p->main.body, fails, ctx);
        for (unsigned i = 0; i < p->nfuncs; i++)
            any |= shrink_list(p, &p->funcs[i].body, fails, ctx);
        if (!any)
            break;
    }
    hide_unused(p, fails, ctx);
}
