/* Static code from the lines of a trace. An instruction is a PC and what is written behind it: functions that a kernel calls
 * have PCs of their own that may be the kernel's, so one PC can have several instructions.
 *
 * Where control goes is what was seen. A branch's lanes are those of its mask; the line after it is the target if it is not
 * the next instruction and has some of these lanes, or else the target is where they are seen next. */
#include "trace/accelsim_in.h"
#include "trace/kernel_io.h"
#include "trace/sass.h"

enum { MAX_TARGETS = 64, MAX_AT_PC = 256 };
#define NONE UINT32_MAX

struct edge {
    uint32_t from, to, next; /* of the same branch */
};

struct found {
    uint32_t pc, next; /* of the same hash chain */
    char *text;
    uint32_t text_n, line;
    int64_t imm;
    bool addresses;
    bool written; /* its target is in the trace, as its immediate */
    bool guarded; /* was executed by fewer lanes than the line before it */
    bool falls;   /* was seen to go on to the next instruction */
    uint8_t flow; /* enum sass_flow */
    uint8_t ntargets;
    uint64_t count;
    uint32_t edge; /* the first; NONE */
    uint32_t at;   /* index in the kernel, at last */
};

struct as_code {
    struct arena arena;
    char *name;
    uint32_t arch, regs, shared_b;
    uint8_t *note;
    size_t note_n;
    bool names_preds;         /* the trace names predicates */
    bool by_index;            /* note: PCs are 16 times the index */
    struct tr_kernel *kernel; /* from the note at once, or from what was found at the end */
    VEC(struct found) all;
    uint32_t *chains, mask;
    VEC(struct edge) edges;
    /* The warp that is being read. */
    uint32_t last, last_mask, before_mask; /* instruction before; its lanes; those of the one before it */
    uint32_t waiting;                      /* lanes that have left a branch and were not seen since */
    uint32_t left[TR_LANES];               /* the branch */
};

static uint32_t hash(uint32_t pc) { return (pc >> 3) * 0x9e3779b1u >> 7; }

static void rehash(struct as_code *c, uint32_t size)
{
    free(c->chains);
    c->chains = xmalloc(sizeof *c->chains * size);
    memset(c->chains, 0xff, sizeof *c->chains * size);
    c->mask = size - 1;
    for (uint32_t i = 0; i < c->all.n; i++) {
        uint32_t *head = &c->chains[hash(c->all.at[i].pc) & c->mask];
        c->all.at[i].next = *head;
        *head = i;
    }
}

static bool same(const struct found *f, const struct as_line *l)
{
    return f->pc == l->pc && f->text_n == l->text_n && f->addresses == (l->width != 0) &&
           (f->addresses || f->imm == l->imm) && memcmp(f->text, l->text, l->text_n) == 0;
}

static uint32_t how_many(const struct as_code *c, uint32_t pc)
{
    uint32_t n = 0;
    for (uint32_t i = c->chains[hash(pc) & c->mask]; i != NONE; i = c->all.at[i].next)
        n += c->all.at[i].pc == pc;
    return n;
}

static uint32_t look_up(const struct as_code *c, const struct as_line *l)
{
    uint32_t i = c->chains[hash(l->pc) & c->mask];
    while (i != NONE && !same(&c->all.at[i], l))
        i = c->all.at[i].next;
    return i;
}

/* ---- kernels that bring their code along ---- */

static uint32_t noted_pc(const struct as_code *c, uint32_t at)
{
    return c->by_index ? at * 16 : c->kernel->insns[at].pc;
}

static bool pcs_rise(const struct tr_kernel *k)
{
    for (uint32_t i = 1; i < k->n; i++)
        if (k->insns[i].pc <= k->insns[i - 1].pc)
            return false;
    return true;
}

static uint32_t find_noted(const struct as_code *c, uint32_t pc)
{
    uint32_t lo = 0, hi = c->kernel->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (noted_pc(c, mid) < pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < c->kernel->n && noted_pc(c, lo) == pc ? lo : NONE;
}

static const char *check_noted(const struct as_code *c, const struct as_line *l)
{
    uint32_t at = find_noted(c, l->pc);
    if (at == NONE)
        return "a PC that the kernel in the header does not have";
    uint32_t sets = l->width ? 1 + l->second : 0;
    if (l->mask && sets < c->kernel->insns[at].naddr)
        return "fewer addresses than the kernel in the header says";
    return NULL;
}

/* ---- life ---- */

struct as_code *as_code_new(const struct as_head *h, const char **wrong)
{
    struct as_code *c = xcalloc(1, sizeof *c);
    c->name = xstrdup(h->name);
    c->arch = h->arch;
    c->regs = h->regs;
    c->shared_b = h->shared_b;
    c->last = NONE;
    c->names_preds = h->tracer >= 6;
    rehash(c, 1024);
    if (!h->note_n)
        return c;
    c->note = xmalloc(h->note_n);
    c->note_n = h->note_n;
    memcpy(c->note, h->note, h->note_n);
    c->kernel = kernel_get(c->note, c->note_n, KERNEL_MAX_INSNS, &c->arena, wrong);
    if (c->kernel) {
        c->by_index = !pcs_rise(c->kernel);
        return c;
    }
    as_code_free(c);
    *wrong = "the kernel in the header is damaged";
    return NULL;
}

void as_code_free(struct as_code *c)
{
    if (!c)
        return;
    tr_kernel_free(c->kernel);
    arena_free(&c->arena);
    vec_free(&c->all);
    vec_free(&c->edges);
    free(c->chains);
    free(c->note);
    free(c->name);
    free(c);
}

bool as_code_is(const struct as_code *c, const struct as_head *h)
{
    return strcmp(c->name, h->name) == 0 && c->arch == h->arch && c->regs == h->regs &&
           c->note_n == h->note_n && (!h->note_n || memcmp(c->note, h->note, h->note_n) == 0);
}

void as_code_launch(struct as_code *c, const struct as_head *h)
{
    c->shared_b = h->shared_b < c->shared_b ? h->shared_b : c->shared_b;
}

void as_code_warp(struct as_code *c)
{
    c->last = NONE;
    c->waiting = 0;
    c->last_mask = c->before_mask = 0;
}

const struct tr_kernel *as_code_kernel(const struct as_code *c) { return c->kernel; }

/* ---- first pass ---- */

static uint32_t insert(struct as_code *c, const struct as_line *l)
{
    struct as_words w;
    const char *end;
    char opcode[256];
    as_words_read(l->text, &w, &end);
    snprintf(opcode, sizeof opcode, "%.*s", (int)w.opcode_n, w.opcode);
    struct found f = {.pc = l->pc,
                      .text = arena_strndup(&c->arena, l->text, l->text_n),
                      .text_n = l->text_n,
                      .line = l->line,
                      .imm = l->imm,
                      .addresses = l->width != 0,
                      .edge = NONE,
                      .flow = (uint8_t)sass_flow(opcode)};
    if (c->all.n >= c->mask)
        rehash(c, (c->mask + 1) * 2);
    uint32_t *head = &c->chains[hash(l->pc) & c->mask];
    f.next = *head;
    *head = c->all.n;
    vec_push(&c->all, f);
    return c->all.n - 1;
}

static void add_edge(struct as_code *c, uint32_t from, uint32_t to)
{
    struct found *f = &c->all.at[from];
    for (uint32_t i = f->edge; i != NONE; i = c->edges.at[i].next)
        if (c->edges.at[i].to == to)
            return;
    if (f->ntargets == MAX_TARGETS)
        return;
    f->ntargets++;
    vec_push(&c->edges, (struct edge){from, to, f->edge});
    f->edge = c->edges.n - 1;
}

/* Instructions have 8 or 16 bytes; before Volta every fourth or eighth word is not one. */
static bool follows(uint32_t pc, uint32_t last) { return pc > last && pc - last <= 16; }

/* Where the branch `c->last` has gone, now that instruction `at` comes after it. */
static void after_branch(struct as_code *c, uint32_t at, uint32_t mask)
{
    struct found *f = &c->all.at[c->last];
    bool next = follows(c->all.at[at].pc, f->pc);
    if (next || c->before_mask & ~c->last_mask)
        f->falls = true;
    if (f->flow == SF_END || !c->last_mask)
        return;
    if (!next && (!mask || mask & c->last_mask)) {
        add_edge(c, c->last, at);
        return;
    }
    c->waiting |= c->last_mask;
    for (uint32_t m = c->last_mask; m; m &= m - 1)
        c->left[__builtin_ctz(m)] = c->last;
}

/* Lanes that had left a branch are seen again: its target, unless a better one is known. */
static void seen_again(struct as_code *c, uint32_t at, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t from = c->left[__builtin_ctz(m)];
        if (!c->all.at[from].ntargets)
            add_edge(c, from, at);
    }
    c->waiting &= ~lanes;
}

/* Is the instruction the one behind the last, which was no branch? */
static bool straight(const struct as_code *c, uint32_t at)
{
    const struct found *last = &c->all.at[c->last];
    return last->flow == SF_NONE && follows(c->all.at[at].pc, last->pc);
}

const char *as_code_add(struct as_code *c, const struct as_line *l)
{
    if (c->kernel)
        return check_noted(c, l);
    uint32_t at = look_up(c, l);
    if (at == NONE) {
        if (c->all.n >= KERNEL_MAX_INSNS)
            return "too many different instructions";
        if (how_many(c, l->pc) >= MAX_AT_PC)
            return "too many different instructions with one PC";
        at = insert(c, l);
    }
    c->all.at[at].count++;
    if (c->last != NONE && (!l->mask || (straight(c, at) && c->last_mask & ~l->mask)))
        c->all.at[at].guarded = true;
    if (c->last != NONE && c->all.at[c->last].flow != SF_NONE)
        after_branch(c, at, l->mask);
    if (c->waiting & l->mask)
        seen_again(c, at, c->waiting & l->mask);
    c->before_mask = c->last_mask;
    c->last = at;
    c->last_mask = l->mask;
    return NULL;
}

/* ---- the kernel ---- */

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
    uint32_t i = c->chains[hash((uint32_t)pc) & c->mask];
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

/* What the mark of the last product of a group, the scoreboard of a wait and the number of a barrier would say, which traces
 * lack: a group ends with its last product; a kernel that commits bulk copies and no others waits for these; a barrier that
 * some arrive at and others wait for has a number of its own among others with as many threads, so it is not waited for. */
static void groups(struct tr_kernel *k, struct accelsim_report *r)
{
    bool bulk = false, copies = false;
    uint32_t last = UINT32_MAX;
    for (uint32_t i = 0; i < k->n; i++) {
        struct tr_insn *in = &k->insns[i];
        bool product = in->cls == TC_GMMA && !(in->imm & TG_WAIT);
        bulk |= in->cls == TC_TMA && in->imm == TT_COMMIT;
        copies |= in->cls == TC_ASYNC && in->imm == TA_COMMIT;
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
    for (uint32_t i = 0; i < k->n; i++) {
        struct tr_insn *in = &k->insns[i];
        if (in->cls == TC_ASYNC && bulk && !copies) {
            in->cls = TC_TMA;
            in->imm = TT_WAIT | (in->imm & TT_GROUPS);
        }
        if (in->cls != TC_BAR || !(in->imm & TB_ARRIVE) || !in->count || in->count == TB_DYNAMIC_COUNT)
            continue;
        uint32_t threads = in->count;
        for (uint32_t j = 0; j < k->n; j++)
            if (k->insns[j].cls == TC_BAR && k->insns[j].count == threads) {
                k->insns[j].count = TB_DYNAMIC_COUNT;
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
    groups(k, r);
    if (!c->names_preds)
        predicates(c, o);
    blocks(c, o);
    free(o);
    return tr_kernel_check(k);
}

uint32_t as_code_find(struct as_code *c, const struct as_line *l)
{
    if (c->note)
        return find_noted(c, l->pc);
    uint32_t i = look_up(c, l);
    return i == NONE ? NONE : c->all.at[i].at;
}
