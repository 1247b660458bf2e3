/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel from the static code that was found: classes and operands, control flow, and what traces leave out. */
#include "trace/accelsim/accelsim_code.h"
#include "trace/accelsim/sass.h"

static void operands(struct tr_insn *in, const struct as_words *w)
{
    for (uint32_t i = 0; i < w->ndst && in->ndst < TR_DSTS; i++)
        if (w->dst[i].kind != TO_NONE)
            in->dst[in->ndst++] = w->dst[i];
    /* Places count for the widths, so absent ones stay until then. */
    for (uint32_t i = 0; i < w->nsrc && in->nsrc < TR_SRCS; i++)
        in->src[in->nsrc++] = w->src[i];
}

static void drop_absent(struct tr_insn *in, int64_t imm)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind != TO_NONE)
            in->src[n++] = in->src[i];
    for (uint32_t i = n; i < in->nsrc; i++)
        in->src[i] = (struct tr_opnd){0};
    in->nsrc = (uint8_t)n;
    if (imm && n < TR_SRCS)
        in->src[in->nsrc++] = (struct tr_opnd){.kind = TO_IMM, .n = 1, .val = (uint32_t)imm};
}

static void unknown(struct accelsim_report *r, const char *opcode, uint64_t count, uint8_t cls)
{
    size_t n = strcspn(opcode, ".");
    vec_each (&r->unknown, u) {
        if (strncmp(u->opcode, opcode, n) == 0 && !u->opcode[n]) {
            u->count += count;
            return;
        }
    }
    if (r->unknown.n < 1000)
        vec_push(&r->unknown, (struct accelsim_unknown){arena_strndup(&r->arena, opcode, n), count, cls});
}

static void describe(struct as_code *c, const struct found *f, struct tr_insn *in, struct accelsim_report *r)
{
    struct as_words w;
    const char *end;
    as_words_read(f->text, &w, &end);
    char *opcode = arena_strndup(&c->kernel->arena, w.opcode, w.opcode_n);
    operands(in, &w);
    in->text = opcode;
    in->pc = f->pc;
    in->line = f->line;
    if (!sass_describe(in, opcode, c->arch, f->addresses, f->imm))
        unknown(r, opcode, f->count, in->cls);
    drop_absent(in, f->imm);
}

struct order {
    uint32_t pc, i;
};
static int by_pc(const void *x, const void *y)
{
    const struct order *a = x, *b = y;
    if (a->pc != b->pc)
        return a->pc < b->pc ? -1 : 1;
    return a->i < b->i ? -1 : 1;
}

static void predicates(struct as_code *c, const struct order *o)
{
    bool *guarded = xcalloc(c->all.n, sizeof *guarded);
    for (uint32_t i = 0; i < c->all.n; i++)
        guarded[i] = c->all.at[o[i].i].guarded;
    as_preds(c->kernel, guarded);
    free(guarded);
}

static uint32_t find_pc(const struct as_code *c, int64_t pc)
{
    if (pc <= 0 || pc > UINT32_MAX)
        return NONE;
    uint32_t i = c->chains[as_code_hash((uint32_t)pc) & c->mask];
    while (i != NONE && c->all.at[i].pc != pc)
        i = c->all.at[i].next;
    return i;
}

/* Newer tracers write a branch's target as its immediate. Where code with that PC was executed, that is where it goes. */
static void add_written(struct as_code *c, struct as_edge *edges, uint32_t *n)
{
    vec_each (&c->all, f) {
        uint32_t to = f->flow == SF_BRANCH || f->flow == SF_CALL ? find_pc(c, f->imm) : NONE;
        if (to == NONE)
            continue;
        f->written = true;
        c->kernel->insns[f->at].target = c->all.at[to].at;
        if (f->flow == SF_BRANCH)
            edges[(*n)++] = (struct as_edge){f->at, c->all.at[to].at};
    }
}

static void blocks(struct as_code *c, const struct order *o)
{
    uint32_t n = c->all.n;
    bool *ends = xcalloc(n + 1, sizeof *ends), *falls = xcalloc(n + 1, sizeof *falls);
    struct as_edge *edges = xcalloc((size_t)c->edges.n + n + 1, sizeof *edges);
    uint32_t nedges = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct found *f = &c->all.at[o[i].i];
        ends[i] = f->flow != SF_NONE;
        falls[i] = f->flow == SF_NONE || f->flow == SF_CALL || f->falls;
    }
    add_written(c, edges, &nedges);
    for (uint32_t i = 0; i < c->edges.n; i++) {
        const struct found *from = &c->all.at[c->edges.at[i].from], *to = &c->all.at[c->edges.at[i].to];
        if (from->written)
            continue;
        if (from->ntargets == 1)
            c->kernel->insns[from->at].target = to->at;
        if (from->flow == SF_BRANCH)
            edges[nedges++] = (struct as_edge){from->at, to->at};
    }
    as_blocks(c->kernel, ends, falls, edges, nedges);
    free(ends);
    free(falls);
    free(edges);
}

/* What the mark of the last product of a group says, which traces lack: a group ends with its last product. */
static void end_groups(struct tr_kernel *k)
{
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < k->n; i++) {
        const struct tr_insn *in = &k->insns[i];
        bool product = in->cls == TC_GMMA && !(in->imm & TG_WAIT);
        if (last != UINT32_MAX && !product &&
            (in->cls == TC_GMMA || strncmp(in->text, "WARPGROUP", 9) == 0)) {
            k->insns[last].imm |= TG_COMMIT;
            last = UINT32_MAX;
        }
        if (product)
            last = i;
    }
    if (last != UINT32_MAX)
        k->insns[last].imm |= TG_COMMIT;
}

/* Nor the scoreboard of a wait: a kernel that commits bulk copies and no others waits for these. */
static void wait_for_copies(struct tr_kernel *k)
{
    bool bulk = false, copies = false;
    for (uint32_t i = 0; i < k->n; i++) {
        const struct tr_insn *in = &k->insns[i];
        bulk |= in->cls == TC_TMA && in->imm == TT_COMMIT;
        copies |= in->cls == TC_ASYNC && in->imm == TA_COMMIT;
    }
    for (uint32_t i = 0; i < k->n && bulk && !copies; i++) {
        struct tr_insn *in = &k->insns[i];
        if (in->cls == TC_ASYNC) {
            in->cls = TC_TMA;
            in->imm = TT_WAIT | (in->imm & TT_GROUPS);
        }
    }
}

/* Nor the number of a barrier: one that some arrive at and others wait for has a number of its own among others with as many
 * threads, so it is not waited for. A count that no CTA can have is not looked for. */
static void drop_barriers(struct tr_kernel *k, struct accelsim_report *r)
{
    bool arrived[TR_WARPS * TR_LANES + 1] = {0};
    for (uint32_t i = 0; i < k->n; i++) {
        const struct tr_insn *in = &k->insns[i];
        if (in->cls == TC_BAR && in->imm & TB_ARRIVE && in->count <= TR_WARPS * TR_LANES)
            arrived[in->count] = true;
    }
    for (uint32_t i = 0; i < k->n; i++) {
        struct tr_insn *in = &k->insns[i];
        if (in->cls == TC_BAR && in->count && in->count <= TR_WARPS * TR_LANES && arrived[in->count]) {
            in->count = TB_DYNAMIC_COUNT;
            r->unnumbered++;
        }
    }
}

const char *as_code_end(struct as_code *c, struct accelsim_report *r)
{
    if (c->kernel)
        return NULL;
    if (!c->all.n)
        return "no instruction of the kernel was executed";
    uint32_t n = c->all.n;
    struct order *o = xmalloc(sizeof *o * n);
    for (uint32_t i = 0; i < n; i++)
        o[i] = (struct order){c->all.at[i].pc, i};
    qsort(o, n, sizeof *o, by_pc);
    struct tr_kernel *k = c->kernel = xcalloc(1, sizeof *k);
    k->name = arena_strndup(&k->arena, c->name, strlen(c->name));
    k->file = "";
    k->arch = c->arch;
    k->regs = c->regs;
    k->shared_b = c->shared_b;
    k->n = n;
    k->insns = ARENA_ARRAY(&k->arena, struct tr_insn, n);
    for (uint32_t i = 0; i < n; i++) {
        c->all.at[o[i].i].at = i;
        describe(c, &c->all.at[o[i].i], &k->insns[i], r);
    }
    end_groups(k);
    wait_for_copies(k);
    drop_barriers(k, r);
    if (!c->names_preds)
        predicates(c, o);
    blocks(c, o);
    free(o);
    return tr_kernel_check(k);
}
