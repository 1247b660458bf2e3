/* Builds the kernel of a form, gives it operands, compares. */
#include "form.h"

#include <stdlib.h>

enum { MAX_N = 4096, RANDOM_N = 384, FEW_N = 192, MAX_EDGES = 80, PTX_B = 4096 };

struct shape {
    const struct type_info *dst[FORM_DSTS], *src[FORM_SRCS];
    unsigned ndst, nsrc;
};

struct work {
    uint64_t in[MAX_N][FORM_SRCS];
    uint64_t want[MAX_N][FORM_DSTS], got[MAX_N][FORM_DSTS];
    bool defined[MAX_N];
    unsigned n;
};

static const char reg_src[FORM_SRCS] = {'a', 'b', 'c', 'e'};
static const char reg_dst[FORM_DSTS] = {'d', 'q'};

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

static void put(char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void put(char *text, const char *fmt, ...)
{
    size_t at = strlen(text);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text + at, PTX_B - at, fmt, ap);
    va_end(ap);
    assert_true(n >= 0 && at + (size_t)n < PTX_B);
}

static void put_loads(char *text, const struct shape *s)
{
    for (unsigned i = 0; i < s->nsrc; i++) {
        const struct type_info *ti = s->src[i];
        if (ti->kind == TK_PRED)
            put(text, "  ld.global.u32 %%i5, [%%x2+%u];\n  setp.ne.u32 %%%c, %%i5, 0;\n", 8 * i, reg_src[i]);
        else
            put(text, "  ld.global%s %%%c, [%%x2+%u];\n", ti->mem, reg_src[i], 8 * i);
    }
}

static void put_stores(char *text, const struct shape *s)
{
    for (unsigned i = 0; i < s->ndst; i++) {
        const struct type_info *ti = s->dst[i];
        if (ti->kind == TK_PRED)
            put(text, "  selp.u32 %%i5, 1, 0, %%%c;\n  st.global.u32 [%%x3+%u], %%i5;\n", reg_dst[i], 8 * i);
        else
            put(text, "  st.global%s [%%x3+%u], %%%c;\n", ti->mem, 8 * i, reg_dst[i]);
    }
}

static void put_literal(char *text, const struct type_info *ti, uint64_t v)
{
    if (ti->kind == TK_FLOAT && ti->bits == 32)
        put(text, "0f%08X", (unsigned)v);
    else if (ti->kind == TK_FLOAT)
        put(text, "0d%016llX", (unsigned long long)v);
    else if (ti->kind == TK_SINT)
        put(text, "%lld", (long long)sign_of(v, ti->bits));
    else
        put(text, "%llu", (unsigned long long)v);
}

/* imm: the last operand is this value, written into the instruction. */
static void make_kernel(char *text, const struct form *f, const struct shape *s, const uint64_t *imm)
{
    text[0] = 0;
    put(text, "%s.visible .entry k(.param .u64 pin, .param .u64 pout, .param .u32 pn)\n{\n", ISA_HEAD);
    put(text, "  .reg .pred %%guard, %%t;\n  .reg .b32 %%i<6>;\n  .reg .b64 %%x<4>;\n");
    for (unsigned i = 0; i < s->ndst; i++)
        put(text, "  .reg %s %%%c;\n", s->dst[i]->reg, reg_dst[i]);
    for (unsigned i = 0; i < s->nsrc; i++)
        put(text, "  .reg %s %%%c;\n", s->src[i]->reg, reg_src[i]);
    put(text, "  ld.param.u64 %%x0, [pin];\n  ld.param.u64 %%x1, [pout];\n  ld.param.u32 %%i0, [pn];\n"
              "  mov.u32 %%i1, %%ctaid.x;\n  mov.u32 %%i2, %%ntid.x;\n  mov.u32 %%i3, %%tid.x;\n"
              "  mad.lo.s32 %%i4, %%i1, %%i2, %%i3;\n  setp.ge.u32 %%guard, %%i4, %%i0;\n  @%%guard ret;\n"
              "  mad.wide.u32 %%x2, %%i4, 32, %%x0;\n  mad.wide.u32 %%x3, %%i4, 16, %%x1;\n");
    put_loads(text, s);
    if (f->body) {
        put(text, "  %s\n", f->body);
    } else {
        put(text, "  %s ", f->name);
        for (unsigned i = 0; i < s->ndst; i++)
            put(text, "%s%%%c", i ? "|" : "", reg_dst[i]);
        for (unsigned i = 0; i < s->nsrc; i++) {
            if (imm && i + 1 == s->nsrc) {
                put(text, ", ");
                put_literal(text, s->src[i], *imm);
            } else {
                put(text, ", %%%c", reg_src[i]);
            }
        }
        put(text, ";\n");
    }
    put_stores(text, s);
    put(text, "  ret;\n}\n");
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
                        const uint64_t *imm)
{
    uint64_t edge[FORM_SRCS][MAX_EDGES];
    unsigned ne[FORM_SRCS];
    unsigned long total = 1;
    unsigned cap = f->few || imm ? FEW_N : MAX_N - RANDOM_N, nrandom = f->few || imm ? FEW_N : RANDOM_N;
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
                    unsigned config, const uint64_t *imm)
{
    unsigned wrong = 0;
    for (unsigned k = 0; k < w->n; k++) {
        for (unsigned i = 0; i < s->ndst && w->defined[k]; i++) {
            unsigned bits = s->dst[i]->bits <= 8 ? 32 : s->dst[i]->bits;
            uint64_t want = trunc_to(w->want[k][i], bits), got = trunc_to(w->got[k][i], bits);
            t->checks++;
            if (f->ok ? f->ok(f, w->in[k], want, got) : same(s->dst[i], want, got))
                continue;
            if (wrong++ == 0)
                isa_fail(t, "%s%s [%u] result %u of (%#llx, %#llx, %#llx, %#llx): want %#llx, got %#llx",
                         f->name, imm ? " imm" : "", config, i, (unsigned long long)w->in[k][0],
                         (unsigned long long)w->in[k][1], (unsigned long long)w->in[k][2],
                         (unsigned long long)w->in[k][3], (unsigned long long)want, (unsigned long long)got);
        }
    }
    if (wrong > 1)
        isa_fail(t, "    ... %s: %u results wrong of %u", f->name, wrong, w->n * s->ndst);
}

static void run_form(struct isa *t, struct work *w, const struct form *f, const struct shape *s,
                     const uint64_t *imm)
{
    char ptx[PTX_B];
    make_kernel(ptx, f, s, imm);
    fill_inputs(t, w, f, s, imm);
    for (unsigned k = 0; k < w->n; k++) {
        memset(w->want[k], 0, sizeof w->want[k]);
        w->defined[k] = f->ref(f, w->in[k], w->want[k]);
    }
    uint32_t n = w->n;
    for (unsigned config = 0; config < ISA_CONFIGS; config++) {
        memset(w->got, 0xcc, sizeof w->got[0] * w->n);
        struct isa_launch l = {.ptx = ptx,
                               .grid = {(n + 127) / 128},
                               .block = {128},
                               .nbufs = 2,
                               .buf = {{w->in, sizeof w->in[0] * n}, {w->got, sizeof w->got[0] * n}},
                               .extra = &n,
                               .extra_b = sizeof n};
        if (isa_run(t, config, &l, f->name))
            compare(t, w, f, s, config, imm);
        else
            break; /* the other configuration would say the same */
    }
}

void form_check(struct isa *t, const struct form *f)
{
    struct shape s = parse_sig(f->sig);
    struct work *w = xmalloc(sizeof *w);
    isa_count(t, f->name);
    run_form(t, w, f, &s, NULL);
    if (f->nimm && s.nsrc) {
        uint64_t edge[MAX_EDGES];
        unsigned n = type_edges(s.src[s.nsrc - 1], edge, MAX_EDGES);
        for (unsigned i = 0; i < f->nimm; i++)
            run_form(t, w, f, &s, &edge[(i * 5 + 1) % n]);
    }
    free(w);
}
