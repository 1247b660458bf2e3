/* SPDX-License-Identifier: Apache-2.0 */
/* Static code from the lines of a trace. An instruction is a PC and what is written behind it: functions that a kernel calls
 * have PCs of their own that may be the kernel's, so one PC can have several instructions.
 *
 * Where control goes is what was seen. A branch's lanes are those of its mask; the line after it is the target if it is not
 * the next instruction and has some of these lanes, or else the target is where they are seen next. */
#include "trace/accelsim/accelsim_code.h"
#include "trace/accelsim/sass.h"
#include "trace/code/kernel_io.h"

enum { MAX_TARGETS = 64, MAX_AT_PC = 256 };

static void rehash(struct as_code *c, uint32_t size)
{
    free(c->chains);
    c->chains = xmalloc(sizeof *c->chains * size);
    memset(c->chains, 0xff, sizeof *c->chains * size);
    c->mask = size - 1;
    for (uint32_t i = 0; i < c->all.n; i++) {
        uint32_t *head = &c->chains[as_code_hash(c->all.at[i].pc) & c->mask];
        c->all.at[i].next = *head;
        *head = i;
    }
}

/* One instruction at a PC differs from another in its text, in having addresses or, without these, in its immediate. */
static bool same(const struct found *f, bool addresses, int64_t imm)
{
    return f->addresses == addresses && (addresses || f->imm == imm);
}

static uint32_t how_many(const struct as_code *c, uint32_t pc)
{
    uint32_t n = 0;
    for (uint32_t i = c->chains[as_code_hash(pc) & c->mask]; i != NONE; i = c->all.at[i].next)
        n += c->all.at[i].pc == pc;
    return n;
}

uint32_t as_code_known(const struct as_code *c, uint32_t pc, const char *s, uint32_t *n, uint8_t *form)
{
    uint32_t i = c->chains[as_code_hash(pc) & c->mask];
    for (; i != NONE; i = c->all.at[i].next) {
        const struct found *f = &c->all.at[i];
        if (f->pc == pc && f->text_n < TEXT_BEHIND_B && memcmp(f->text, s, f->text_n) == 0 &&
            scan_ends(s + f->text_n)) {
            *n = f->text_n;
            *form = f->form;
            return i;
        }
    }
    *n = 0;
    return AS_UNKNOWN;
}

static uint32_t look_up(const struct as_code *c, const struct as_line *l)
{
    bool addresses = l->width != 0;
    if (l->known != AS_UNKNOWN && same(&c->all.at[l->known], addresses, l->imm))
        return l->known;
    uint32_t i = c->chains[as_code_hash(l->pc) & c->mask];
    for (; i != NONE; i = c->all.at[i].next) {
        const struct found *f = &c->all.at[i];
        if (f->pc == l->pc && f->text_n == l->text_n && same(f, addresses, l->imm) &&
            memcmp(f->text, l->text, l->text_n) == 0)
            break;
    }
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

bool as_code_is(const struct as_code *c, const struct as_code *other)
{
    return strcmp(c->name, other->name) == 0 && c->arch == other->arch && c->regs == other->regs &&
           c->note_n == other->note_n && (!c->note_n || memcmp(c->note, other->note, c->note_n) == 0);
}

void as_code_warp(struct as_code *c)
{
    c->last = NONE;
    c->waiting = 0;
    c->last_mask = c->before_mask = 0;
}

const struct tr_kernel *as_code_kernel(const struct as_code *c) { return c->kernel; }

/* ---- first pass ---- */

static uint32_t insert(struct as_code *c, struct found f)
{
    if (c->all.n >= c->mask)
        rehash(c, (c->mask + 1) * 2);
    uint32_t *head = &c->chains[as_code_hash(f.pc) & c->mask];
    f.text = arena_strndup(&c->arena, f.text, f.text_n);
    f.next = *head;
    *head = c->all.n;
    vec_push(&c->all, f);
    return c->all.n - 1;
}

/* NULL, or why there is no room for one more instruction at this PC. */
static const char *full(const struct as_code *c, uint32_t pc)
{
    if (c->all.n >= KERNEL_MAX_INSNS)
        return "too many different instructions";
    return how_many(c, pc) >= MAX_AT_PC ? "too many different instructions with one PC" : NULL;
}

static struct found found_of(const struct as_line *l)
{
    struct as_words w;
    const char *end;
    char opcode[256];
    as_words_read(l->text, &w, &end);
    snprintf(opcode, sizeof opcode, "%.*s", (int)w.opcode_n, w.opcode);
    return (struct found){.pc = l->pc,
                          .text = l->text,
                          .text_n = l->text_n,
                          .line = l->line,
                          .imm = l->imm,
                          .addresses = l->width != 0,
                          .form = l->form,
                          .edge = NONE,
                          .flow = (uint8_t)sass_flow(opcode)};
}

/* What the kernel in the header says of it is checked; its text is kept for as_code_known alone. */
static const char *add_noted(struct as_code *c, const struct as_line *l)
{
    uint32_t at = as_code_find(c, l), sets = l->width ? 1 + l->second : 0;
    if (at == NONE)
        return "a PC that the kernel in the header does not have";
    if (l->mask && sets < c->kernel->insns[at].naddr)
        return "fewer addresses than the kernel in the header says";
    if (l->known == AS_UNKNOWN && l->text_n < TEXT_BEHIND_B && !full(c, l->pc)) {
        uint32_t i = insert(c, found_of(l));
        c->all.at[i].at = at;
    }
    return NULL;
}

static void add_edge(struct as_code *c, uint32_t from, uint32_t to, bool late)
{
    struct found *f = &c->all.at[from];
    for (uint32_t i = f->edge; i != NONE; i = c->edges.at[i].next)
        if (c->edges.at[i].to == to) {
            c->edges.at[i].late &= late;
            return;
        }
    if (f->ntargets == MAX_TARGETS)
        return;
    f->ntargets++;
    vec_push(&c->edges, (struct edge){from, to, f->edge, late});
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
        add_edge(c, c->last, at, false);
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
            add_edge(c, from, at, true);
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
        return add_noted(c, l);
    uint32_t at = look_up(c, l);
    if (at == NONE) {
        const char *wrong = full(c, l->pc);
        if (wrong)
            return wrong;
        at = insert(c, found_of(l));
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

/* The instruction of c that one of another file is; NONE: it is new, and *wrong or there is no room for it. */
static uint32_t take(struct as_code *c, const struct found *f, const char **wrong)
{
    const struct as_line l = {.pc = f->pc,
                              .text = f->text,
                              .text_n = f->text_n,
                              .width = f->addresses,
                              .imm = f->imm,
                              .known = AS_UNKNOWN};
    uint32_t at = look_up(c, &l);
    if (at != NONE)
        return at;
    *wrong = full(c, f->pc);
    if (*wrong)
        return NONE;
    struct found mine = *f;
    mine.count = 0;
    mine.edge = NONE;
    mine.ntargets = 0;
    return insert(c, mine);
}

/* A target that was only found late does not count where a branch has others already: had the lines been added here, it would
 * not have been looked for. */
static void join_edges(struct as_code *c, const struct as_code *later, const uint32_t *at)
{
    bool *had = xcalloc(later->all.n + 1, sizeof *had);
    for (uint32_t i = 0; i < later->all.n; i++)
        had[i] = c->all.at[at[i]].ntargets != 0;
    vec_each (&later->edges, e)
        if (!e->late || !had[e->from])
            add_edge(c, at[e->from], at[e->to], e->late);
    free(had);
}

const char *as_code_join(struct as_code *c, const struct as_code *later)
{
    const char *wrong = NULL;
    uint32_t *at = xcalloc(later->all.n + 1, sizeof *at);
    c->shared_b = later->shared_b < c->shared_b ? later->shared_b : c->shared_b;
    for (uint32_t i = 0; i < later->all.n && !wrong; i++) {
        const struct found *f = &later->all.at[i];
        at[i] = take(c, f, &wrong);
        if (wrong)
            break;
        struct found *mine = &c->all.at[at[i]];
        mine->count += f->count;
        mine->guarded |= f->guarded;
        mine->falls |= f->falls;
    }
    if (!wrong)
        join_edges(c, later, at);
    free(at);
    return c->kernel ? NULL : wrong;
}

uint32_t as_code_find(const struct as_code *c, const struct as_line *l)
{
    if (c->note)
        return l->known != AS_UNKNOWN ? c->all.at[l->known].at : find_noted(c, l->pc);
    uint32_t i = look_up(c, l);
    return i == NONE ? NONE : c->all.at[i].at;
}
