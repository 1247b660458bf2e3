/* SPDX-License-Identifier: Apache-2.0 */
/* The program as PTX text. Registers are untyped (.b16 .b32 .b64), so every operation may read every variable. */
#include "prog.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct pr {
    FILE *to;
    const struct prog *p;
    const struct func *f;
    uint32_t ntemp[C_COUNT], nlabel, nparam;
    struct {
        uint32_t end, next;
    } loop[8]; /* labels of the enclosing loops */
    unsigned nloops;
};

static void out(struct pr *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void out(struct pr *w, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vfprintf(w->to, fmt, ap);
    va_end(ap);
}

struct name {
    char s[40];
};

static struct name named(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static struct name named(const char *fmt, ...)
{
    struct name n;
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(n.s, sizeof n.s, fmt, ap);
    va_end(ap);
    return n;
}

static const char cls_letter[C_COUNT] = {'p', 'h', 'w', 'd'};
static const char *const cls_bits[C_COUNT] = {"pred", "b16", "b32", "b64"};

static struct name temp(struct pr *w, enum cls c) { return named("%%t%c%u", cls_letter[c], w->ntemp[c]++); }

static struct name opnd(const struct opnd *o, bool is_float)
{
    if (o->sort == O_VAR)
        return named("%s%%%c%u", o->neg ? "!" : "", cls_letter[o->cls], o->var);
    if (is_float)
        return o->cls == C_D ? named("0d%016llX", (unsigned long long)o->imm)
                             : named("0f%08X", (unsigned)o->imm);
    if (o->cls == C_W && o->imm % 3 == 0)
        return named("%d", (int)o->imm);
    return named("0x%llx", (unsigned long long)o->imm);
}

static void guard(struct pr *w, const struct opnd *g)
{
    out(w, "\t");
    if (g->sort == O_VAR)
        out(w, "@%s ", opnd(g, false).s);
}

static struct name fixed(struct pr *w, const struct rop *op, unsigned i, const struct opnd *o)
{
    enum cls c = op->src[i];
    bool is_float = op->is_float >> i & 1;
    if (o->sort == O_IMM)
        return opnd(o, is_float);
    if (is_float && op->fix) {
        struct name t = temp(w, c);
        unsigned long long all = cls_mask(c), exp0 = c == C_D ? 1ull << 52 : 1ull << 23;
        unsigned long long keep = op->fix == FIX_DIVISOR ? all & ~(exp0 << 1) : fix_bits(op->fix, c, all);
        out(w, "\tand.%s %s, %s, 0x%llx;\n", cls_bits[c], t.s, opnd(o, false).s, keep);
        if (op->fix == FIX_DIVISOR)
            out(w, "\tor.%s %s, %s, 0x%llx;\n", cls_bits[c], t.s, t.s, exp0);
        return t;
    }
    if ((op->odd | op->byte) >> i & 1) {
        struct name t = temp(w, c);
        out(w, "\t%s.%s %s, %s, %d;\n", op->odd ? "or" : "and", cls_bits[c], t.s, opnd(o, false).s,
            op->odd ? 1 : 255);
        return t;
    }
    return opnd(o, false);
}

static void print_op(struct pr *w, const struct stmt *s)
{
    struct name a[MAX_SRC];
    for (unsigned i = 0; i < s->op->nsrc; i++)
        a[i] = fixed(w, s->op, i, &s->a[i]);
    guard(w, &s->guard);
    out(w, "%s %s", s->op->name, opnd(&s->d, false).s);
    for (unsigned i = 0; i < s->op->nsrc; i++)
        out(w, ", %s", a[i].s);
    if (!strcmp(s->op->name, "lop3.b32"))
        out(w, ", 0xCA");
    if (!strcmp(s->op->name, "bfi.b32"))
        out(w, ", 5");
    out(w, ";\n");
}

static void print_setp(struct pr *w, const struct stmt *s)
{
    static const char *const bops[4] = {"", ".and", ".or", ".xor"};
    bool is_float = s->type == 4 || s->type == 5;
    guard(w, &s->guard);
    out(w, "setp.%s%s.%s %s", cmp_names[s->sub], bops[s->bop], cmp_type_names[s->type], opnd(&s->d, false).s);
    if (s->d2.sort)
        out(w, "|%s", opnd(&s->d2, false).s);
    out(w, ", %s, %s", opnd(&s->a[0], is_float).s, opnd(&s->a[1], is_float).s);
    if (s->bop)
        out(w, ", %s", opnd(&s->a[2], false).s);
    out(w, ";\n");
}

static void print_special(struct pr *w, const struct stmt *s)
{
    static const char *const regs[] = {"%tid.x",  "%ctaid.x",  "%laneid",
                                       "%ntid.x", "%nctaid.x", "%lanemask_lt"};
    if (s->sub == SP_P32)
        out(w, "\tld.param.u32 %s, [p32];\n", opnd(&s->d, false).s);
    else if (s->sub == SP_P64)
        out(w, "\tld.param.u64 %s, [p64];\n", opnd(&s->d, false).s);
    else
        out(w, "\tmov.u32 %s, %s;\n", opnd(&s->d, false).s, regs[s->sub]);
}

/* The base and offset text of an access, after the instructions that compute it. */
static struct name address(struct pr *w, const struct stmt *s)
{
    static const char *const base[AT_COUNT] = {"%bin", "%bscr", "%bloc", "%bsh", "cdata", "tdata"};
    static const char *const window[AT_COUNT] = {"global", "global", "local", "shared", "const", "global"};
    bool symbol = s->place == AT_CONST || s->place == AT_TABLE, small = s->place == AT_SHARED && !s->generic;
    if (!s->a[3].sort && !s->generic)
        return named("%s+%u", base[s->place], s->off_b);
    enum cls c = small ? C_W : C_D;
    struct name b = temp(w, c);
    if (symbol)
        out(w, "\tmov.u64 %s, %s;\n", b.s, base[s->place]);
    else if (s->place == AT_SHARED && s->generic)
        out(w, "\tcvt.u64.u32 %s, %s;\n", b.s, base[s->place]);
    else
        out(w, "\tmov.%s %s, %s;\n", cls_bits[c], b.s, base[s->place]);
    if (s->generic)
        out(w, "\tcvta.%s.u64 %s, %s;\n", window[s->place], b.s, b.s);
    if (s->a[3].sort) {
        struct name t = temp(w, C_W), sum = temp(w, c);
        out(w, "\tand.b32 %s, %s, %u;\n", t.s, opnd(&s->a[3], false).s, s->mask);
        if (small) {
            out(w, "\tadd.s32 %s, %s, %s;\n", sum.s, b.s, t.s);
        } else {
            struct name wide = temp(w, C_D);
            out(w, "\tcvt.u64.u32 %s, %s;\n", wide.s, t.s);
            out(w, "\tadd.s64 %s, %s, %s;\n", sum.s, b.s, wide.s);
        }
        b = sum;
    }
    return named("%s+%u", b.s, s->off_b);
}

static void print_elems(struct pr *w, const struct opnd *e, unsigned n)
{
    if (n == 1) {
        out(w, "%s", opnd(&e[0], false).s);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        out(w, "%s%s", i ? ", " : "{", opnd(&e[i], false).s);
    out(w, "}");
}

static void print_mem(struct pr *w, const struct stmt *s)
{
    static const char *const space[AT_COUNT] = {".global", ".global", ".local",
                                                ".shared", ".const",  ".global"};
    static const char *const type[4][2] = {{"u8", "s8"}, {"u16", "s16"}, {"b32", "u32"}, {"b64", "u64"}};
    unsigned log = s->bytes == 1 ? 0 : s->bytes == 2 ? 1 : s->bytes == 4 ? 2 : 3;
    struct name at = address(w, s);
    char vec[8] = "";
    if (s->vec > 1)
        snprintf(vec, sizeof vec, ".v%u", s->vec);
    guard(w, &s->guard);
    out(w, "%s%s%s.%s ", s->kind == S_LOAD ? "ld" : "st", s->generic ? "" : space[s->place], vec,
        type[log][s->is_signed]);
    if (s->kind == S_STORE)
        out(w, "[%s], ", at.s);
    print_elems(w, s->elem, s->vec);
    if (s->kind == S_LOAD)
        out(w, ", [%s]", at.s);
    out(w, ";\n");
}

static void print_carry(struct pr *w, const struct stmt *s)
{
    struct name a[4], lo = named("%%w%u", s->d.var), hi = named("%%w%u", s->d2.var);
    for (unsigned i = 0; i < 4; i++)
        a[i] = opnd(&s->a[i], false);
    if (s->sub == 2)
        out(w, "\tmad.lo.cc.u32 %s, %s, %s, %s;\n\tmadc.hi.u32 %s, %s, %s, %s;\n", lo.s, a[0].s, a[1].s,
            a[2].s, hi.s, a[0].s, a[1].s, a[3].s);
    else
        out(w, "\t%s.cc.u32 %s, %s, %s;\n\t%sc.u32 %s, %s, %s;\n", s->sub ? "sub" : "add", lo.s, a[0].s,
            a[1].s, s->sub ? "sub" : "add", hi.s, a[2].s, a[3].s);
}

static void print_ownatom(struct pr *w, const struct stmt *s)
{
    static const char *const ops[NOWNATOM] = {"add.u32", "exch.b32", "max.u32",
                                              "and.b32", "cas.b32",  "inc.u32"};
    out(w, "\tatom.%s.%s %s, [%s+%u], %s", s->place == AT_SHARED ? "shared" : "global", ops[s->sub],
        opnd(&s->d, false).s, s->place == AT_SHARED ? "%bsh" : "%bscr", s->off_b, opnd(&s->a[0], false).s);
    if (s->sub == 4)
        out(w, ", %s", opnd(&s->a[1], false).s);
    out(w, ";\n");
}

static void print_acc(struct pr *w, const struct stmt *s)
{
    guard(w, &s->guard);
    if (s->generic) {
        struct name t = temp(w, accs[s->sub].wide ? C_D : C_W);
        out(w, "atom.global.%s %s, [%%bacc+%u], %s;\n", accs[s->sub].name, t.s, 8u * s->sub,
            opnd(&s->a[0], false).s);
    } else {
        out(w, "red.global.%s [%%bacc+%u], %s;\n", accs[s->sub].name, 8u * s->sub, opnd(&s->a[0], false).s);
    }
}

static void print_call(struct pr *w, const struct stmt *s)
{
    const struct func *f = &w->p->funcs[s->func];
    uint32_t k = w->nparam++;
    out(w, "\t{\n");
    for (unsigned i = 0; i < f->nargs; i++) {
        out(w, "\t.param .%s arg%u_%u;\n", cls_bits[f->arg_cls[i]], k, i);
        out(w, "\tst.param.%s [arg%u_%u], %s;\n", cls_bits[f->arg_cls[i]], k, i, opnd(&s->a[i], false).s);
    }
    out(w, "\t.param .%s ret%u;\n\tcall (ret%u), f%u, (", cls_bits[f->ret.cls], k, k, s->func);
    for (unsigned i = 0; i < f->nargs; i++)
        out(w, "%sarg%u_%u", i ? ", " : "", k, i);
    out(w, ");\n\tld.param.%s %s, [ret%u];\n\t}\n", cls_bits[f->ret.cls], opnd(&s->d, false).s, k);
}

static void print_share(struct pr *w, const struct stmt *s)
{
    struct name t = temp(w, C_W), at = temp(w, C_W);
    const char *vec = s->vec == 4 ? ".v4" : "";
    out(w, "\tst.shared%s.b32 [%%bsh], ", vec);
    print_elems(w, s->vec == 4 ? s->elem : s->a, s->vec);
    out(w, ";\n\tbar.sync 0;\n\tadd.s32 %s, %%ltid, %u;\n\trem.u32 %s, %s, %u;\n", t.s, s->trips, t.s, t.s,
        prog_threads(w->p));
    out(w, "\tmov.u32 %s, sdata;\n\tmad.lo.s32 %s, %s, %u, %s;\n\tld.shared%s.b32 ", at.s, at.s, t.s,
        SHARED_B, at.s, vec);
    print_elems(w, s->elem, s->vec);
    out(w, ", [%s];\n\tbar.sync 0;\n", at.s);
}

static void print_collective(struct pr *w, const struct stmt *s)
{
    static const char *const shfl[4] = {"up", "down", "bfly", "idx"};
    static const char *const vote[4] = {"all.pred", "any.pred", "uni.pred", "ballot.b32"};
    static const char *const bar[3] = {"popc.u32", "and.pred", "or.pred"};
    struct name d = opnd(&s->d, false), a = opnd(&s->a[0], false);
    switch (s->kind) {
    case S_SHFL:
        out(w, "\tshfl.sync.%s.b32 %s", shfl[s->sub], d.s);
        if (s->d2.sort)
            out(w, "|%s", opnd(&s->d2, false).s);
        out(w, ", %s, %s, %s, 0xffffffff;\n", a.s, opnd(&s->a[1], false).s, opnd(&s->a[2], false).s);
        break;
    case S_VOTE: out(w, "\tvote.sync.%s %s, %s, 0xffffffff;\n", vote[s->sub], d.s, a.s); break;
    case S_REDUX: out(w, "\tredux.sync.%s %s, %s, 0xffffffff;\n", redux_names[s->sub], d.s, a.s); break;
    default: out(w, "\tbar.red.%s %s, 0, %s;\n", bar[s->sub], d.s, a.s); break;
    }
}

static void print_list(struct pr *w, const struct list *l);

static void print_if(struct pr *w, const struct stmt *s)
{
    uint32_t other = w->nlabel++, end = w->nlabel++;
    struct opnd inv = s->guard;
    inv.neg = !inv.neg;
    out(w, "\t@%s bra L%u;\n", opnd(&inv, false).s, s->other.head ? other : end);
    print_list(w, &s->body);
    if (s->other.head) {
        out(w, "\tbra L%u;\nL%u:\n", end, other);
        print_list(w, &s->other);
    }
    out(w, "L%u:\n", end);
}

static void print_loop(struct pr *w, const struct stmt *s)
{
    uint32_t top = w->nlabel++, next = w->nlabel++, end = w->nlabel++;
    w->loop[w->nloops].end = end;
    w->loop[w->nloops++].next = s->flat ? end : next;
    if (s->flat) {
        print_list(w, &s->body);
        out(w, "L%u:\n", end);
        w->nloops--;
        return;
    }
    struct name p = temp(w, C_P);
    out(w, "\tmov.u32 %%c%u, %u;\n", s->counter, s->trips);
    if (s->a[0].sort) {
        struct name t = temp(w, C_W);
        out(w, "\tand.b32 %s, %s, %u;\n\tadd.s32 %%c%u, %%c%u, %s;\n", t.s, opnd(&s->a[0], false).s, s->mask,
            s->counter, s->counter, t.s);
    }
    out(w, "L%u:\n", top);
    print_list(w, &s->body);
    w->nloops--;
    out(w, "L%u:\n\tadd.s32 %%c%u, %%c%u, -1;\n\tsetp.ne.s32 %s, %%c%u, 0;\n\t@%s bra L%u;\nL%u:\n", next,
        s->counter, s->counter, p.s, s->counter, p.s, top, end);
}

static void print_switch(struct pr *w, const struct stmt *s)
{
    uint32_t first = w->nlabel, table = first + 5;
    struct name t = temp(w, C_W);
    w->nlabel += 6;
    out(w, "\tand.b32 %s, %s, 3;\n", t.s, opnd(&s->a[0], false).s);
    out(w, "T%u: .branchtargets L%u, L%u, L%u, L%u;\n\tbrx.idx %s, T%u;\n", table, first, first + 1,
        first + 2, first + 3, t.s, table);
    for (unsigned i = 0; i < 4; i++) {
        out(w, "L%u:\n", first + i);
        print_list(w, &s->cases[i]);
        if (i < 3)
            out(w, "\tbra L%u;\n", first + 4);
    }
    out(w, "L%u:\n", first + 4);
}

static void print_stmt(struct pr *w, const struct stmt *s)
{
    static const char *const logic[4] = {"and", "or", "xor", "not"};
    switch ((enum stmt_kind)s->kind) {
    case S_OP: print_op(w, s); break;
    case S_SETP: print_setp(w, s); break;
    case S_PLOGIC:
        out(w, "\t%s.pred %s, %s", logic[s->sub], opnd(&s->d, false).s, opnd(&s->a[0], false).s);
        if (s->sub != 3)
            out(w, ", %s", opnd(&s->a[1], false).s);
        out(w, ";\n");
        break;
    case S_SELP:
        out(w, "\tselp.%s %s, %s, %s, %s;\n", cls_bits[s->d.cls], opnd(&s->d, false).s,
            opnd(&s->a[0], false).s, opnd(&s->a[1], false).s, opnd(&s->a[2], false).s);
        break;
    case S_SPECIAL: print_special(w, s); break;
    case S_LOAD:
    case S_STORE: print_mem(w, s); break;
    case S_PACK:
        out(w, "\tmov.%s %s, {%s, %s};\n", cls_bits[s->d.cls], opnd(&s->d, false).s, opnd(&s->a[0], false).s,
            opnd(&s->a[1], false).s);
        break;
    case S_UNPACK:
        out(w, "\tmov.%s {%s, %s}, %s;\n", cls_bits[s->a[0].cls], opnd(&s->d, false).s, opnd(&s->d2, false).s,
            opnd(&s->a[0], false).s);
        break;
    case S_CARRY: print_carry(w, s); break;
    case S_ACC: print_acc(w, s); break;
    case S_OWNATOM: print_ownatom(w, s); break;
    case S_CALL: print_call(w, s); break;
    case S_IF: s->flat ? print_list(w, &s->body) : print_if(w, s); break;
    case S_LOOP: print_loop(w, s); break;
    case S_SWITCH: s->flat ? print_list(w, &s->cases[0]) : print_switch(w, s); break;
    case S_BREAK:
        if (w->nloops >= s->levels)
            out(w, "\t@%s bra L%u;\n", opnd(&s->guard, false).s, w->loop[w->nloops - s->levels].end);
        break;
    case S_NEXT:
        if (w->nloops)
            out(w, "\t@%s bra L%u;\n", opnd(&s->guard, false).s, w->loop[w->nloops - 1].next);
        break;
    case S_EXIT: out(w, "\t@%s exit;\n", opnd(&s->guard, false).s); break;
    case S_SHARE: print_share(w, s); break;
    case S_SHFL:
    case S_VOTE:
    case S_REDUX:
    case S_BARRED: print_collective(w, s); break;
    }
}

static void print_list(struct pr *w, const struct list *l)
{
    for (const struct stmt *s = l->head; s; s = s->next)
        if (!s->off)
            print_stmt(w, s);
}

static void print_data(struct pr *w, const char *head, const uint8_t *data, unsigned n)
{
    out(w, "%s[%u] = {", head, n);
    for (unsigned i = 0; i < n; i++)
        out(w, "%s%u", i ? ", " : "", data[i]);
    out(w, "};\n");
}

static void print_regs(struct pr *w)
{
    for (unsigned c = 0; c < C_COUNT; c++) {
        out(w, "\t.reg .%s %%%c<%u>;\n", cls_bits[c], cls_letter[c], w->f->nvars[c]);
        if (w->ntemp[c])
            out(w, "\t.reg .%s %%t%c<%u>;\n", cls_bits[c], cls_letter[c], w->ntemp[c]);
    }
    if (w->f->ncounters)
        out(w, "\t.reg .b32 %%c<%u>;\n", w->f->ncounters);
}

/* Bodies are printed first, so that their temporaries can be declared. */
static char *body_text(struct pr *w, const struct func *f)
{
    char *text = NULL;
    size_t len = 0;
    FILE *real = w->to;
    w->f = f;
    memset(w->ntemp, 0, sizeof w->ntemp);
    w->to = open_memstream(&text, &len);
    print_list(w, &f->body);
    fclose(w->to);
    w->to = real;
    return text;
}

static void print_func(struct pr *w, unsigned k)
{
    const struct func *f = &w->p->funcs[k];
    char *body = body_text(w, f);
    out(w, ".func (.param .%s ret) f%u(", cls_bits[f->ret.cls], k);
    for (unsigned i = 0; i < f->nargs; i++)
        out(w, "%s.param .%s a%u", i ? ", " : "", cls_bits[f->arg_cls[i]], i);
    out(w, ")\n{\n");
    print_regs(w);
    uint32_t used[C_COUNT] = {0};
    for (unsigned i = 0; i < f->nargs; i++) {
        enum cls c = f->arg_cls[i];
        if (used[c] < f->nvars[c])
            out(w, "\tld.param.%s %%%c%u, [a%u];\n", cls_bits[c], cls_letter[c], used[c]++, i);
    }
    for (enum cls c = C_H; c < C_COUNT; c++)
        for (uint32_t i = used[c]; i < f->nvars[c]; i++)
            out(w, "\tmov.%s %%%c%u, %llu;\n", cls_bits[c], cls_letter[c], i,
                (unsigned long long)func_start(c, i));
    for (uint32_t i = 0; i < f->nvars[C_P]; i++)
        out(w, "\tsetp.gt.s32 %%p%u, %%w%u, %u;\n", i, i % f->nvars[C_W], i * 1000);
    out(w, "%s\tst.param.%s [ret], %s;\n\tret;\n}\n", body, cls_bits[f->ret.cls], opnd(&f->ret, false).s);
    free(body);
}

static void print_entry_addresses(struct pr *w)
{
    out(w, "\t.reg .b64 %%bin, %%bscr, %%bloc, %%bout, %%bacc, %%gid64, %%x64;\n\t.reg .b32 %%bsh, %%ltid, "
           "%%gid, %%x32, %%y32;\n");
    out(w, "\t.local .align 16 .b8 ldata[%u];\n", LOCAL_B);
    out(w, "\tmov.u32 %%ltid, %%tid.y;\n\tmov.u32 %%x32, %%ntid.x;\n\tmov.u32 %%y32, %%tid.x;\n\tmad.lo.s32 "
           "%%ltid, %%ltid, %%x32, %%y32;\n");
    out(w, "\tmov.u32 %%x32, %%ctaid.x;\n\tmad.lo.s32 %%gid, %%x32, %u, %%ltid;\n", prog_threads(w->p));
    static const struct {
        const char *reg, *param;
        unsigned step;
    } bases[] = {{"%bin", "pin", IN_B}, {"%bscr", "pscr", SCRATCH_B}, {"%bout", "pout", OUT_B}};
    for (unsigned i = 0; i < 3; i++)
        out(w,
            "\tld.param.u64 %s, [%s];\n\tcvta.to.global.u64 %s, %s;\n\tmul.wide.u32 %%x64, %%gid, "
            "%u;\n\tadd.s64 %s, %s, %%x64;\n",
            bases[i].reg, bases[i].param, bases[i].reg, bases[i].reg, bases[i].step, bases[i].reg,
            bases[i].reg);
    out(w,
        "\tld.param.u64 %%bacc, [pacc];\n\tmov.u64 %%bloc, ldata;\n\tmov.u32 %%bsh, sdata;\n\tmad.lo.s32 "
        "%%bsh, %%ltid, %u, %%bsh;\n",
        SHARED_B);
}

static void print_entry_start(struct pr *w)
{
    const struct func *f = w->f;
    const bool(*hide)[128] = w->p->hide;
    for (uint32_t i = 0; i < f->nvars[C_W];) {
        const bool *h = &hide[C_W][i];
        if (i % 4 == 0 && i + 4 <= f->nvars[C_W] && !(h[0] | h[1] | h[2] | h[3])) {
            out(w, "\tld.global.v4.b32 {%%w%u, %%w%u, %%w%u, %%w%u}, [%%bin+%u];\n", i, i + 1, i + 2, i + 3,
                in_offset(C_W, i));
            i += 4;
        } else {
            if (!h[0])
                out(w, "\tld.global.u32 %%w%u, [%%bin+%u];\n", i, in_offset(C_W, i));
            i++;
        }
    }
    for (uint32_t i = 0; i < f->nvars[C_D]; i++)
        if (!hide[C_D][i])
            out(w, "\tld.global.nc.u64 %%d%u, [%%bin+%u];\n", i, in_offset(C_D, i));
    for (uint32_t i = 0; i < f->nvars[C_H]; i++)
        if (!hide[C_H][i])
            out(w, "\tld.global.u16 %%h%u, [%%bin+%u];\n", i, in_offset(C_H, i));
    for (uint32_t i = 0; i < f->nvars[C_P]; i++)
        if (!hide[C_P][i])
            out(w, "\tsetp.gt.s32 %%p%u, %%w%u, %u;\n", i, i % f->nvars[C_W], i * 1000);
    for (unsigned k = 0; k < LOCAL_B; k += 8)
        out(w, "\tst.local.u64 [%%bloc+%u], %u;\n", k, k * 77);
    for (unsigned k = 0; k < SHARED_B; k += 4)
        out(w, "\tst.shared.u32 [%%bsh+%u], %%ltid;\n", k);
}

static void print_entry_end(struct pr *w)
{
    const struct func *f = w->f;
    const bool(*hide)[128] = w->p->hide;
    for (uint32_t i = 0; i < f->nvars[C_D]; i++)
        if (!hide[C_D][i])
            out(w, "\tst.global.u64 [%%bout+%u], %%d%u;\n", OUT_D + 8 * i, i);
    for (uint32_t i = 0; i < f->nvars[C_W]; i++)
        if (!hide[C_W][i])
            out(w, "\tst.global.u32 [%%bout+%u], %%w%u;\n", OUT_W + 4 * i, i);
    for (uint32_t i = 0; i < f->nvars[C_H]; i++)
        if (!hide[C_H][i])
            out(w, "\tst.global.u16 [%%bout+%u], %%h%u;\n", OUT_H + 2 * i, i);
    for (uint32_t i = 0; i < f->nvars[C_P]; i++)
        if (!hide[C_P][i])
            out(w, "\tselp.u32 %%x32, 1, 0, %%p%u;\n\tst.global.u32 [%%bout+%u], %%x32;\n", i, OUT_P + 4 * i);
    out(w, "\tret;\n}\n");
}

char *prog_ptx(const struct prog *p, size_t *len)
{
    char *text = NULL;
    struct pr w = {.p = p};
    w.to = open_memstream(&text, len);
    out(&w, "// seed %llu: grid %u, block %u x %u\n.version 7.8\n.target sm_%u\n.address_size 64\n",
        (unsigned long long)p->seed, p->grid, p->block, p->block_y, p->seed % 2 ? 90 : 80);
    print_data(&w, ".const .align 16 .b8 cdata", p->const_data, CONST_B);
    print_data(&w, ".global .align 16 .b8 tdata", p->table_data, TABLE_B);
    out(&w, ".shared .align 16 .b8 sdata[%u];\n", SHARED_B * prog_threads(p));
    for (unsigned i = 0; i < p->nfuncs; i++)
        print_func(&w, i);
    char *body = body_text(&w, &p->main);
    out(&w, ".visible .entry kern(.param .u64 pin, .param .u64 pscr, .param .u64 pout, .param .u64 pacc, "
            ".param .u32 p32, .param .u64 p64)\n{\n");
    print_regs(&w);
    print_entry_addresses(&w);
    print_entry_start(&w);
    out(&w, "%s", body);
    print_entry_end(&w);
    free(body);
    fclose(w.to);
    return text;
}
