/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the kernel of a form, gives it operands, compares. */
#include "form.h"
#include "formtext.h"

#include <stdlib.h>

enum { MAX_N = 4096, RANDOM_N = 384, FEW_N = 192, MAX_EDGES = 80, FOLDED_N = 20 };

struct work {
    uint64_t in[MAX_N][FORM_SRCS];
    uint64_t want[MAX_N][FORM_DSTS], got[MAX_N][FORM_DSTS];
    bool defined[MAX_N];
    unsigned n;
};

static struct shape parse_sig(const char *sig)
{
    struct shape s = {0};
    bool dst = true;
    while (*sig) {
        char name[16] = {0};
        size_t n = strcspn(sig, ",:");
        assert_true(n < sizeof name);
        memcpy(name, sig, n);
        if (dst && n)
            s.dst[s.ndst++] = type_of(name);
        else if (n)
            s.src[s.nsrc++] = type_of(name);
        sig += n;
        dst = dst && *sig != ':';
        sig += *sig != 0;
    }
    assert_true(s.ndst <= FORM_DSTS && s.nsrc <= FORM_SRCS);
    return s;
}

static void add_row(struct work *w, const struct shape *s, const uint64_t *v)
{
    memcpy(w->in[w->n], v, sizeof w->in[0]);
    for (unsigned i = 0; i < s->nsrc; i++)
        if (s->src[i]->bits == 8) /* junk above the byte */
            w->in[w->n][i] |= 0x5ac3e700;
    w->n++;
}

/* Every combination of edge values where they fit, a random choice of combinations otherwise; then random values. */
static void fill_inputs(struct isa *t, struct work *w, const struct form *f, const struct shape *s,
                        const struct form_how *how)
{
    uint64_t edge[FORM_SRCS][MAX_EDGES];
    unsigned ne[FORM_SRCS];
    unsigned long total = 1;
    bool few = f->few || how->kind != FORM_PLAIN;
    unsigned cap = few ? FEW_N : MAX_N - RANDOM_N, nrandom = few ? FEW_N : RANDOM_N;
    const uint64_t *imm = how->kind == FORM_IMM ? &how->imm : NULL;
    w->n = 0;
    for (unsigned i = 0; i < s->nsrc; i++) {
        ne[i] = type_edges(s->src[i], edge[i], MAX_EDGES);
        if (imm && i + 1 == s->nsrc) {
            edge[i][0] = *imm;
            ne[i] = 1;
        }
        total *= ne[i];
    }
    for (unsigned long k = 0; k < (total < cap ? total : cap); k++) {
        uint64_t v[FORM_SRCS] = {0};
        unsigned long at = k;
        for (unsigned i = 0; i < s->nsrc; i++) {
            v[i] = edge[i][total <= cap ? at % ne[i] : rng_below(&t->rng, ne[i])];
            at /= ne[i];
        }
        add_row(w, s, v);
    }
    for (unsigned k = 0; k < nrandom; k++) {
        uint64_t v[FORM_SRCS] = {0};
        for (unsigned i = 0; i < s->nsrc; i++)
            v[i] = imm && i + 1 == s->nsrc ? *imm : type_random(s->src[i], &t->rng);
        add_row(w, s, v);
    }
}

static bool is_nan(uint64_t v, unsigned ebits, unsigned mbits)
{
    return (v >> mbits & ((1ull << ebits) - 1)) == (1ull << ebits) - 1 && (v & ((1ull << mbits) - 1));
}

static bool same(const struct type_info *ti, uint64_t want, uint64_t got)
{
    if (ti->kind == TK_FLOAT)
        return want == got || (is_nan(want, ti->ebits, ti->mbits) && is_nan(got, ti->ebits, ti->mbits));
    if (ti->kind == TK_PACKED && ti->ebits)
        for (unsigned h = 0; h < 32; h += 16) {
            uint64_t a = want >> h & 0xffff, b = got >> h & 0xffff;
            if (a != b && !(is_nan(a, ti->ebits, ti->mbits) && is_nan(b, ti->ebits, ti->mbits)))
                return false;
        }
    return (ti->kind == TK_PACKED && ti->ebits) || want == got;
}

static void compare(struct isa *t, const struct work *w, const struct form *f, const struct shape *s,
                    unsigned config, const struct form_how *how)
{
    static const char *const names[] = {"", " imm", " in place", " guarded", " folded"};
    unsigned wrong = 0;
    for (unsigned k = 0; k < w->n; k++) {
        for (unsigned i = 0; i < s->ndst && w->defined[k]; i++) {
            unsigned bits = s->dst[i]->bits <= 8 ? 32 : s->dst[i]->bits;
            uint64_t want = trunc_to(w->want[k][i], bits), got = trunc_to(w->got[k][i], bits);
            bool kept = how->kind == FORM_GUARDED && !(k & 1);
            t->checks++;
            if (kept ? want == got : f->ok ? f->ok(f, w->in[k], want, got) : same(s->dst[i], want, got))
                continue;
            if (wrong++ == 0)
                isa_fail(t, "%s%s [%u] result %u of (%#llx, %#llx, %#llx, %#llx): want %#llx, got %#llx",
                         f->name, names[how->kind], config, i, (unsigned long long)w->in[k][0],
                         (unsigned long long)w->in[k][1], (unsigned long long)w->in[k][2],
                         (unsigned long long)w->in[k][3], (unsigned long long)want, (unsigned long long)got);
        }
    }
    if (wrong > 1)
        isa_fail(t, "    ... %s%s: %u results wrong of %u", f->name, names[how->kind], wrong, w->n * s->ndst);
}

static void expect(struct work *w, const struct form *f, const struct shape *s, const struct form_how *how)
{
    for (unsigned k = 0; k < w->n; k++) {
        memset(w->want[k], 0, sizeof w->want[k]);
        w->defined[k] = f->ref(f, w->in[k], w->want[k]);
        if (how->kind == FORM_GUARDED && !(k & 1)) { /* the thread's guard is false: the old value stays */
            w->defined[k] = true;
            for (unsigned i = 0; i < s->ndst; i++)
                w->want[k][i] = s->dst[i]->kind == TK_PRED ? 0 : FORM_OLD_VALUE;
        }
    }
}

static bool run_config(struct isa *t, struct work *w, const struct form *f, const struct shape *s,
                       const struct form_how *how, const char *ptx, unsigned config)
{
    uint32_t n = w->n;
    memset(w->got, 0xcc, sizeof w->got[0] * n);
    struct isa_launch l = {.ptx = ptx,
                           .grid = {how->kind == FORM_FOLDED ? 1 : (n + 127) / 128},
                           .block = {how->kind == FORM_FOLDED ? 1 : 128},
                           .nbufs = 2,
                           .buf = {{w->in, sizeof w->in[0] * n}, {w->got, sizeof w->got[0] * n}},
                           .extra = &n,
                           .extra_b = sizeof n};
    bool ran = isa_run(t, config, &l, f->name);
    if (ran)
        compare(t, w, f, s, config, how);
    return ran;
}

/* Configurations first .. last. False: the form is refused. */
static bool run_form(struct isa *t, struct work *w, const struct form *f, const struct shape *s,
                     const struct form_how *how, unsigned first, unsigned last)
{
    char *ptx = xmalloc(FORM_TEXT_B);
    bool ran = true;
    fill_inputs(t, w, f, s, how);
    if (how->kind == FORM_FOLDED) { /* a few rows, spread over all */
        for (unsigned k = 0; k < FOLDED_N; k++)
            memcpy(w->in[k], w->in[k * (w->n / FOLDED_N)], sizeof w->in[0]);
        w->n = FOLDED_N;
    }
    expect(w, f, s, how);
    form_text(ptx, f, s, how, (const uint64_t(*)[FORM_SRCS])w->in, w->n);
    for (unsigned config = first; config <= last && ran; config++)
        ran = run_config(t, w, f, s, how, ptx, config);
    free(ptx);
    return ran;
}

void form_check(struct isa *t, const struct form *f)
{
    struct shape s = parse_sig(f->sig);
    struct work *w = xmalloc(sizeof *w);
    unsigned other = t->forms % ISA_CONFIGS; /* variants take turns */
    isa_count(t, f->name);
    bool known = run_form(t, w, f, &s, &(struct form_how){.kind = FORM_PLAIN}, 0, ISA_CONFIGS - 1);
    for (unsigned i = 0; known && i < f->nimm; i++) {
        uint64_t edge[MAX_EDGES];
        unsigned n = type_edges(s.src[s.nsrc - 1], edge, MAX_EDGES);
        run_form(t, w, f, &s, &(struct form_how){.kind = FORM_IMM, .imm = edge[(i * 5 + 1) % n]}, 0,
                 ISA_CONFIGS - 1);
    }
    if (known)
        run_form(t, w, f, &s, &(struct form_how){.kind = FORM_FOLDED}, 0, 0);
    if (known && !f->body) {
        run_form(t, w, f, &s, &(struct form_how){.kind = FORM_GUARDED}, other, other);
        for (unsigned i = 0; i < s.nsrc; i++)
            if (form_can_alias(&s, i))
                run_form(t, w, f, &s, &(struct form_how){.kind = FORM_IN_PLACE, .alias = i},
                         (other + i) % ISA_CONFIGS, (other + i) % ISA_CONFIGS);
    }
    free(w);
}
