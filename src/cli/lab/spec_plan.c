/* SPDX-License-Identifier: Apache-2.0 */
/* From blocks to points: the cross products. */
#include "cli/lab/spec.h"

#include "cli/lab/manifest.h"
#include "cli/lab/workload.h"

enum { MAX_POINTS = 200000, MAX_MACHINES = 20000 };

/* One block's way into the plan. */
struct planning {
    struct spec *s;
    const struct spec_block *b;
    const char *size; /* instead of the file's, or NULL */
    uint32_t line;    /* of what is wrong; 0: of the block */
    struct spec_notes *missing;
    struct plan *p;
    struct diag *d;
};

/* What is not there: a note, or the end. */
static bool go_on_without(struct planning *w, struct diag *why, bool machine)
{
    const char *text = why->n ? why->msg[0].text : "cannot be had";
    if (!w->missing || (w->missing->machines_only && !machine)) {
        diag_plain(w->d, "%s", text);
        return false;
    }
    text = arena_strndup(&w->s->arena, text, strcspn(text, ";\n")); /* what, without the advice */
    w->missing->refused += machine;
    vec_each (&w->missing->texts, t)
        if (strcmp(*t, text) == 0)
            return true;
    vec_push(&w->missing->texts, text);
    return true;
}

/* The line of one of the words. Words that are not from the file have none. */
static uint32_t line_of(const struct spec_words *w, const char *const *word)
{
    return w->lines.n ? w->lines.at[word - w->at.at] : 0;
}

/* What comes before ':size', '@registers' and '@ptx'. */
static size_t stem(const char *text)
{
    size_t skip = strncmp(text, "family:", 7) == 0 ? 7 : strncmp(text, "uses:", 5) == 0 ? 5 : 0;
    return skip + strcspn(text + skip, ":@");
}

static bool is_file(const char *text) { return strncmp(text, "uses:", 5) != 0 && workload_is_file(text); }

/* A word among blank-separated ones: "paper:class", or any class of the paper. */
static bool has_use(const char *uses, const char *paper, size_t paper_n, const char *cls, size_t cls_n)
{
    for (const char *p = uses; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " "), colon = strcspn(p, ": ");
        if (colon == paper_n && memcmp(p, paper, paper_n) == 0 &&
            (!cls || (n - colon == cls_n + 1 && memcmp(p + colon + 1, cls, cls_n) == 0)))
            return true;
        p += n;
    }
    return false;
}

/* uses:PAPER[/CLASS][:SIZE][@REGISTERS][@ptx]: what the manifest says a paper runs. */
static bool expand_uses(struct arena *a, const char *text, struct workload_list *out, struct diag *d)
{
    struct manifest m = {0};
    size_t end = stem(text);
    const char *paper = text + 5, *slash = memchr(paper, '/', end - 5);
    size_t paper_n = slash ? (size_t)(slash - paper) : end - 5;
    bool ok = manifest_load(&m, d), any = false;
    vec_each (&m.rows, row) {
        if (!ok || !has_use(row->uses, paper, paper_n, slash ? slash + 1 : NULL,
                            slash ? (size_t)(text + end - slash - 1) : 0))
            continue;
        any = workload_expand(a, arena_printf(a, "%s%s", row->name, text + end), out, d);
        ok = any;
    }
    if (ok && !any)
        diag_plain(d, "no workload has '%.*s' in the manifest's column uses", (int)(end - 5), paper);
    manifest_free(&m);
    return ok && any;
}

static bool expand(struct planning *w, const char *text, struct workload_list *out)
{
    struct diag why = {0};
    struct arena *a = &w->s->arena;
    bool ok = strncmp(text, "uses:", 5) == 0 ? expand_uses(a, text, out, &why)
                                             : workload_expand(a, text, out, &why);
    ok = ok || go_on_without(w, &why, false);
    diag_free(&why);
    return ok;
}

static const struct spec_words *or_one(const struct spec_words *w, const struct spec_words *one)
{
    return w->at.n ? w : one;
}

static bool is_workload(struct planning *w, const char *text)
{
    struct diag why = {0};
    struct workload_list list = {0};
    bool ok = workload_expand(&w->s->arena, text, &list, &why);
    vec_free(&list.names);
    diag_free(&why);
    return ok;
}

/* A workload could not be had with one of the block's sizes and register limits: which of the three is it? Any size that every
 * workload has and any limit will do to ask. */
static void blame_workload(struct planning *w, const char *text, int name, uint32_t size_line,
                           uint32_t limit_line)
{
    struct arena *a = &w->s->arena;
    if (strncmp(text, "uses:", 5) == 0 || !is_workload(w, arena_printf(a, "%.*s", name, text)))
        return;
    vec_each (&w->b->registers.at, r)
        if (limit_line && limit_line == line_of(&w->b->registers, r) && strcmp(*r, "none") != 0 &&
            !is_workload(w, arena_printf(a, "%.*s@%s", name, text, *r))) {
            w->line = limit_line;
            return;
        }
    w->line = size_line ? size_line : w->line;
}

/* Orders of code, and what a name has for them. */
static const struct code_order {
    const char *word, *mark;
} code_orders[] = {
    {"scheduled", ""}, {"ptx", "@ptx"}, {"sm1x", "@sm1x"}, {"ptx-sm1x", "@ptx@sm1x"}, {"sm75", "@sm75"}};

/* NULL: there is no such order. */
static const char *order_mark(const char *word)
{
    for (size_t i = 0; i < sizeof code_orders / sizeof *code_orders; i++)
        if (strcmp(word, code_orders[i].word) == 0)
            return code_orders[i].mark;
    return NULL;
}

static bool is_order(struct planning *w, const struct spec_words *orders, const char *const *word)
{
    if (order_mark(*word))
        return true;
    w->line = line_of(orders, word);
    diag_plain(w->d, "unknown order '%s'; scheduled, ptx, sm1x, ptx-sm1x or sm75", *word);
    return false;
}

/* What a name has after its @s. */
static const char *own_code(struct arena *a, const char *text, const char **order)
{
    const char *regs = "";
    bool ptx = false, sm1x = false, sm75 = false;
    for (const char *at = strchr(text, '@'); at; at = strchr(at + 1, '@')) {
        bool is_ptx = workload_is_ptx(at), is_sm1x = workload_is_sm1x(at), is_sm75 = workload_is_sm75(at);
        ptx |= is_ptx;
        sm1x |= is_sm1x;
        sm75 |= is_sm75;
        if (!is_ptx && !is_sm1x && !is_sm75)
            regs = arena_strndup(a, at + 1, strcspn(at + 1, "@"));
    }
    if (sm75) {
        *order = "sm75";
        /* What does not go with it stays in the name, and is refused with it. */
        regs = ptx ? "ptx" : sm1x ? "sm1x" : regs;
    } else if (ptx || sm1x) {
        *order = ptx ? sm1x ? "ptx-sm1x" : "ptx" : "sm1x";
    }
    return regs;
}

/* NAME[:SIZE][@REGISTERS][@ptx][@sm1x] or NAME[:SIZE]@sm75 with what it has, or else each of the block's sizes, register limits
 * and orders. */
static bool expand_sized(struct planning *w, const char *text, struct workload_list *out)
{
    struct arena *a = &w->s->arena;
    const char *none = "", *order = "", *regs = own_code(a, text, &order), *size = w->size,
               *plain = "scheduled";
    int name = (int)stem(text);
    if (!size)
        size = text[name] == ':' ? arena_strndup(a, text + name + 1, strcspn(text + name + 1, "@")) : "";
    struct spec_words nothing = {.at = {.at = &none, .n = 1}}, as_usual = {.at = {.at = &plain, .n = 1}};
    struct spec_words one_size = {.at = {.at = &size, .n = 1}}, one_limit = {.at = {.at = &regs, .n = 1}},
                      one_order = {.at = {.at = &order, .n = 1}};
    const struct spec_words *sizes = *size ? &one_size : or_one(&w->b->sizes, &nothing);
    const struct spec_words *limits = *regs ? &one_limit : or_one(&w->b->registers, &nothing);
    const struct spec_words *orders = *order ? &one_order : or_one(&w->b->order, &as_usual);
    bool ok = true;
    vec_each (&sizes->at, z)
        vec_each (&limits->at, r)
            vec_each (&orders->at, o) {
                if (!ok || !is_order(w, orders, o))
                    return false;
                bool limit = **r && strcmp(*r, "none") != 0;
                const char *full = arena_printf(a, "%.*s%s%s%s%s%s", name, text, **z ? ":" : "", *z,
                                                limit ? "@" : "", limit ? *r : "", order_mark(*o));
                ok = expand(w, full, out);
                if (!ok)
                    blame_workload(w, text, name, line_of(sizes, z), line_of(limits, r));
            }
    return ok;
}

/* a+b with one size and one order of code: every part that has none of its own has the block's. */
static const char *together(struct planning *w, const char *text, const char *size, const char *order)
{
    struct arena *a = &w->s->arena;
    const char *full = "", *mark = order_mark(order);
    for (const char *p = text; *p;) {
        size_t n = workload_part(p), name = strcspn(p, ":@+");
        const char *part = arena_strndup(a, p, n), *own = "";
        bool file = workload_is_file(part), plain = !file && *size && (w->size || p[name] != ':');
        own_code(a, part, &own);
        if (plain && p[name] == ':') /* another size than its own */
            part = arena_printf(a, "%.*s%s", (int)name, p, part + name + 1 + strcspn(part + name + 1, "@"));
        if (plain)
            part = arena_printf(a, "%.*s:%s%s", (int)name, part, size, part + name);
        full = arena_printf(a, "%s%s%s%s", full, *full ? "+" : "", part, file || *own ? "" : mark);
        p += n + (p[n] == '+');
    }
    return full;
}

static bool expand_together(struct planning *w, const char *text, struct workload_list *out)
{
    const char *none = "", *plain = "scheduled", *given = w->size;
    struct spec_words nothing = {.at = {.at = &none, .n = 1}}, one = {.at = {.at = &given, .n = 1}},
                      as_usual = {.at = {.at = &plain, .n = 1}};
    const struct spec_words *sizes = given ? &one : or_one(&w->b->sizes, &nothing);
    const struct spec_words *orders = or_one(&w->b->order, &as_usual);
    vec_each (&sizes->at, z)
        vec_each (&orders->at, o)
            if (!is_order(w, orders, o) || !expand(w, together(w, text, *z, *o), out))
                return false;
    return true;
}

static bool block_workloads(struct planning *w, struct workload_list *out)
{
    vec_each (&w->b->workloads.at, text) {
        w->line = line_of(&w->b->workloads, text);
        if (!((*text)[workload_part(*text)] == '+' ? expand_together(w, *text, out)
              : is_file(*text)                     ? expand(w, *text, out)
                                                   : expand_sized(w, *text, out)))
            return false;
    }
    w->line = 0;
    return true;
}

/* How many machines the option values make; 0 after reporting. */
static uint64_t combinations(struct planning *w)
{
    uint64_t n = 1;
    vec_each (&w->b->options, o) {
        n *= o->values.at.n;
        if (!n || n > MAX_MACHINES) {
            if (n)
                diag_plain(w->d, "has more than %d combinations of options", MAX_MACHINES);
            else
                diag_plain(w->d, "%s has no values", o->name);
            return 0;
        }
    }
    return n;
}

static bool loads(const struct machine_opts *m)
{
    struct diag why = {0};
    struct gpu_conf c;
    bool ok = machine_load(m, &c, &why);
    conf_free(&c.conf);
    diag_free(&why);
    return ok;
}

/* A machine could not be had: the line of its GPU, its mechanisms or the first option that is wrong by itself; 0: it is how they
 * go together. */
static uint32_t blame_machine(struct planning *w, const struct machine_opts *m, uint32_t gpu, uint32_t mechs)
{
    struct machine_opts one = {.gpu = m->gpu};
    if (!loads(&one))
        return gpu;
    one.mechs = m->mechs;
    if (!loads(&one))
        return mechs;
    for (uint32_t o = 0; o < w->b->options.n; o++) {
        const struct spec_words *v = &w->b->options.at[o].values;
        one.sets.items.at = &m->sets.items.at[o];
        one.sets.items.n = 1;
        if (loads(&one))
            continue;
        const char *value = strchr(m->sets.items.at[o], '=') + 1;
        vec_each (&v->at, word)
            if (strcmp(*word, value) == 0)
                return line_of(v, word);
    }
    return 0;
}

/* Words of a block that machines are made of: which ones a machine had, or why the first that was to have it could not be. The
 * list is in the order gpus, mechs, mechs2, options. */
struct usage {
    const struct spec_words *words;
    const char **why; /* by word; NULL: not tried, or had */
    bool *had;
};

static void note_use(struct arena *a, struct usage *u, uint32_t word, const char *why)
{
    u->had[word] |= !why;
    if (why && !u->why[word])
        u->why[word] = arena_strndup(a, why, strlen(why));
}

/* The word that no machine has: its line and the reason. */
static bool all_used(struct planning *w, const struct usage *use, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < use[k].words->at.n; i++)
            if (!use[k].had[i] && use[k].why[i]) {
                w->line = line_of(use[k].words, &use[k].words->at.at[i]);
                diag_plain(w->d, "%s: %s", use[k].words->at.at[i], use[k].why[i]);
                return false;
            }
    return true;
}

/* One machine for every combination; the digits of `i` in mixed bases choose the words. */
static bool block_machine(struct planning *w, struct usage *use, uint64_t i)
{
    enum { GPU, MECHS, MECHS2, OPTIONS };
    const struct spec_block *b = w->b;
    struct arena *a = &w->s->arena;
    uint32_t *word = ARENA_ARRAY(a, uint32_t, OPTIONS + b->options.n), at;
    for (uint32_t k = OPTIONS + b->options.n; k-- > 0; i /= use[k].words->at.n)
        word[k] = (uint32_t)(i % use[k].words->at.n);
    struct machine_opts m = {.gpu = use[GPU].words->at.at[word[GPU]],
                             .mechs = use[MECHS].words->at.at[word[MECHS]]};
    if (b->mechs2.at.n)
        m.mechs = plan_mechs(a, arena_printf(a, "%s,%s", m.mechs, b->mechs2.at.at[word[MECHS2]]));
    struct diag why = {0};
    m.sets.items.at = ARENA_ARRAY(a, const char *, b->options.n + 1);
    m.sets.items.n = m.sets.items.cap = b->options.n;
    for (uint32_t o = 0; o < b->options.n; o++)
        m.sets.items.at[o] =
            arena_printf(a, "%s=%s", b->options.at[o].name, b->options.at[o].values.at.at[word[OPTIONS + o]]);
    /* Without a reason it is nothing about this machine: an installation that is not complete, say. */
    bool had = plan_machine(w->p, &m, &at, &why), ok = had || (why.n && go_on_without(w, &why, true));
    for (uint32_t k = 0; k < OPTIONS + b->options.n; k++)
        note_use(a, &use[k], word[k], had ? NULL : why.n ? why.msg[0].text : "cannot be had");
    if (!ok)
        w->line = blame_machine(w, &m, line_of(&b->gpus, &b->gpus.at.at[word[GPU]]),
                                line_of(use[MECHS].words, &use[MECHS].words->at.at[word[MECHS]]));
    diag_free(&why);
    return ok;
}

static bool block_machines(struct planning *w)
{
    const char *base = "base";
    struct spec_words none = {.at = {.at = &base, .n = 1}};
    const struct spec_block *b = w->b;
    struct arena *a = &w->s->arena;
    uint32_t n = 3 + b->options.n;
    struct usage *use = ARENA_ARRAY(a, struct usage, n);
    uint64_t machines = combinations(w);
    use[0].words = &b->gpus;
    use[1].words = or_one(&b->mechs, &none);
    use[2].words = or_one(&b->mechs2, &none);
    for (uint32_t k = 0; k < n; k++) {
        if (k >= 3)
            use[k].words = &b->options.at[k - 3].values;
        use[k].why = ARENA_ARRAY(a, const char *, use[k].words->at.n + 1);
        use[k].had = ARENA_ARRAY(a, bool, use[k].words->at.n + 1);
    }
    bool ok = machines > 0;
    for (uint32_t k = 0; k < 3; k++)
        machines *= use[k].words->at.n;
    for (uint64_t i = 0; ok && i < machines; i++)
        ok = block_machine(w, use, i);
    return ok && (!w->missing || !w->missing->machines_only || all_used(w, use, n));
}

static bool plan_block(struct planning *w)
{
    struct workload_list names = {0};
    uint32_t first = w->p->machines.n;
    bool ok = block_machines(w);
    ok = ok && block_workloads(w, &names);
    if (ok && (uint64_t)names.names.n * (w->p->machines.n - first) + w->p->jobs.n > MAX_POINTS) {
        diag_plain(w->d, "makes more than %d points", MAX_POINTS);
        ok = false;
    }
    vec_each (&names.names, name)
        for (uint32_t i = first; ok && i < w->p->machines.n; i++)
            plan_add(w->p, *name, i);
    vec_free(&names.names);
    return ok;
}

bool spec_plan(struct spec *s, const char *size, struct spec_notes *missing, struct plan *p, struct diag *d)
{
    vec_each (&s->blocks, b) {
        struct diag why = {0};
        struct planning w = {.s = s, .b = b, .size = size, .missing = missing, .p = p, .d = &why};
        bool ok = plan_block(&w);
        if (!ok) /* names and values are looked up by others, who do not know the file */
            diag_error(d, s->path, NULL, 0, w.line ? w.line : b->line, 0, "[%s] %s", b->name,
                       why.n ? why.msg[0].text : "cannot be planned");
        diag_free(&why);
        if (!ok)
            return false;
    }
    return true;
}
