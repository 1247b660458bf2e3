/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as PTX: no crash, no leak, and what is accepted is a tree that lowering may walk without
 * looking twice. */
#include "ptx/ptx.h"

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

static void check_operand(const struct ptx_module *m, const struct ptx_func *f, const struct ptx_opnd *o,
                          int depth)
{
    CHECK(o->kind <= PO_TABLE && depth < 4);
    switch ((enum ptx_opnd_kind)o->kind) {
    case PO_REG: CHECK(o->reg < f->regs.n && f->regs.at[o->reg].name); break;
    case PO_VAR: CHECK(o->var && o->var->name); break;
    case PO_FUNC: CHECK(o->func && m->funcs.at[o->func->index] == o->func); break;
    case PO_LABEL: CHECK(o->label < f->labels.n && f->labels.at[o->label].at <= f->insns.n); break;
    case PO_TABLE: CHECK(o->table < f->tables.n); break;
    case PO_SREG: CHECK(o->sreg && o->sreg[0]); break;
    case PO_ADDR:
        CHECK(o->n == 1 && (o->sub->kind == PO_REG || o->sub->kind == PO_VAR || o->sub->kind == PO_IMM ||
                            o->sub->kind == PO_FUNC));
        break;
    case PO_PAIR: CHECK(o->n == 2); break;
    case PO_TEX: CHECK(o->n == 2 || o->n == 3); break;
    case PO_VEC: CHECK(o->n > 0); break;
    default: break;
    }
    for (unsigned i = 0; i < o->n; i++)
        check_operand(m, f, &o->sub[i], depth + 1);
}

static void check_func(const struct ptx_module *m, const struct ptx_func *f)
{
    CHECK(f->name && f->name[0] && m->funcs.at[f->index] == f);
    vec_each (&f->insns, in) {
        CHECK(in->op < P_COUNT && in->guard <= f->regs.n && in->nops <= PTX_MAX_OPNDS && in->line && in->col);
        CHECK(!in->guard || f->regs.at[in->guard - 1].type == T_PRED);
        for (unsigned i = 0; i < in->nops; i++)
            check_operand(m, f, &in->ops[i], 0);
        CHECK(in->op != P_call || in->nops >= 3);
    }
    vec_each (&f->tables, t)
        vec_each (&t->labels, l)
            CHECK(*l < f->labels.n);
    for (uint32_t i = 0; i < f->vars.n; i++)
        CHECK(f->vars.at[i]->index == i && f->vars.at[i]->owner == f);
    for (uint32_t i = 0; i < f->params.n; i++)
        CHECK(f->params.at[i]->index == i && f->params.at[i]->owner == f);
}

static void check_var(const struct ptx_var *v)
{
    uint64_t end = 0;
    CHECK(v->name && v->align_b && !(v->align_b & (v->align_b - 1)) && v->vec);
    vec_each (&v->init, w) {
        CHECK(w->size_b >= 1 && w->size_b <= 8 && w->generic <= 1 && !(w->sym && w->func));
        CHECK(w->off_b >= end && (uint64_t)w->off_b + w->size_b <= v->size_b);
        end = (uint64_t)w->off_b + w->size_b;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct diag d = {0};
    struct ptx_module *m = ptx_parse("fuzz.ptx", (const char *)data, size, &d);
    CHECK((m == NULL) == (d.errors > 0));
    for (uint32_t i = 0; i < d.n; i++)
        CHECK(d.msg[i].text && d.msg[i].line);
    if (m) {
        vec_each (&m->funcs, f)
            check_func(m, *f);
        vec_each (&m->vars, v)
            check_var(*v);
    }
    ptx_module_free(m);
    diag_free(&d);
    return 0;
}
