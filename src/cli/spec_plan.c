/* From blocks to points: the cross products. */
#include "cli/spec.h"

#include "cli/manifest.h"
#include "cli/workload.h"

enum { MAX_POINTS = 200000, MAX_MACHINES = 20000 };

/* What comes before ':size' and '@registers'. */
static size_t stem(const char *text)
{
    size_t skip = strncmp(text, "family:", 7) == 0 ? 7 : strncmp(text, "uses:", 5) == 0 ? 5 : 0;
    return skip + strcspn(text + skip, ":@");
}

static bool is_file(const char *text)
{
    size_t n = strlen(text);
    if (strncmp(text, "uses:", 5) == 0)
        return false;
    return strchr(text, '/') || (n > 4 && strcmp(text + n - 4, ".bst") == 0);
}

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

/* uses:PAPER[/CLASS][:SIZE][@REGISTERS]: what the manifest says a paper runs. */
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

static bool expand(struct arena *a, const char *text, struct workload_list *out, struct diag *d)
{
    return strncmp(text, "uses:", 5) == 0 ? expand_uses(a, text, out, d) : workload_expand(a, text, out, d);
}

static const struct spec_words *or_one(const struct spec_words *w, const struct spec_words *one)
{
    return w->at.n ? w : one;
}

/* NAME[:SIZE][@REGISTERS] with what it has, or else each of the block's sizes and register limits. */
static bool expand_sized(struct spec *s, const struct spec_block *b, const char *text, const char *size,
                         struct workload_list *out, struct diag *d)
{
    const char *none = "", *at = strchr(text, '@'), *own_regs = at ? at + 1 : "", *own_size = size;
    int name = (int)stem(text);
    if (!own_size)
        own_size =
            text[name] == ':' ? arena_strndup(&s->arena, text + name + 1, strcspn(text + name + 1, "@")) : "";
    struct spec_words nothing = {.at = {.at = &none, .n = 1}}, one_size = {.at = {.at = &own_size, .n = 1}},
                      one_limit = {.at = {.at = &own_regs, .n = 1}};
    const struct spec_words *sizes = *own_size ? &one_size : or_one(&b->sizes, &nothing);
    const struct spec_words *limits = at ? &one_limit : or_one(&b->registers, &nothing);
    bool ok = true;
    vec_each (&sizes->at, z)
        vec_each (&limits->at, r) {
            bool limit = **r && strcmp(*r, "none") != 0;
            const char *full = arena_printf(&s->arena, "%.*s%s%s%s%s", name, text, **z ? ":" : "", *z,
                                            limit ? "@" : "", limit ? *r : "");
            ok = ok && expand(&s->arena, full, out, d);
        }
    return ok;
}

static bool block_workloads(struct spec *s, const struct spec_block *b, const char *size,
                            struct workload_list *out, struct diag *d)
{
    bool ok = true;
    vec_each (&b->workloads.at, w)
        ok = ok && (is_file(*w) ? expand(&s->arena, *w, out, d) : expand_sized(s, b, *w, size, out, d));
    return ok;
}

/* One machine for every combination of option values; digits of a number in mixed bases choose them. */
static bool block_machines(struct spec *s, const struct spec_block *b, const char *gpu, const char *mechs,
                           struct plan *p, struct diag *d)
{
    uint64_t n = 1;
    vec_each (&b->options, o) {
        n *= o->values.at.n;
        if (!n || n > MAX_MACHINES) {
            diag_error(d, s->path, NULL, 0, o->values.line, 0,
                       n ? "[%s] has more than %d combinations" : "[%s] has a key without values", b->name,
                       MAX_MACHINES);
            return false;
        }
    }
    for (uint64_t i = 0; i < n; i++) {
        struct machine_opts m = {.gpu = gpu, .mechs = mechs};
        uint32_t at;
        uint64_t digits = i;
        m.sets.items.at = ARENA_ARRAY(&s->arena, const char *, b->options.n + 1);
        m.sets.items.n = m.sets.items.cap = b->options.n;
        for (uint32_t o = b->options.n; o-- > 0;) {
            const struct spec_option *opt = &b->options.at[o];
            m.sets.items.at[o] =
                arena_printf(&s->arena, "%s=%s", opt->name, opt->values.at.at[digits % opt->values.at.n]);
            digits /= opt->values.at.n;
        }
        if (!plan_machine(p, &m, &at, d))
            return false;
    }
    return true;
}

static bool plan_block(struct spec *s, const struct spec_block *b, const char *size, struct plan *p,
                       struct diag *d)
{
    const char *base = "base";
    struct spec_words none = {.at = {.at = &base, .n = 1}};
    struct workload_list names = {0};
    uint32_t first = p->machines.n;
    bool ok = true;
    vec_each (&b->gpus.at, g)
        vec_each (&or_one(&b->mechs, &none)->at, m)
            ok = ok && block_machines(s, b, *g, *m, p, d);
    ok = ok && block_workloads(s, b, size, &names, d);
    if (ok && (uint64_t)names.names.n * (p->machines.n - first) + p->jobs.n > MAX_POINTS) {
        diag_plain(d, "more than %d points", MAX_POINTS);
        ok = false;
    }
    vec_each (&names.names, w)
        for (uint32_t i = first; ok && i < p->machines.n; i++)
            plan_add(p, *w, i);
    vec_free(&names.names);
    return ok;
}

bool spec_plan(struct spec *s, const char *size, struct plan *p, struct diag *d)
{
    vec_each (&s->blocks, b) {
        struct diag why = {0};
        bool ok = plan_block(s, b, size, p, &why);
        if (!ok) /* names and values are looked up by others, who do not know the file */
            diag_error(d, s->path, NULL, 0, b->line, 0, "[%s] %s", b->name,
                       why.n ? why.msg[0].text : "cannot be planned");
        diag_free(&why);
        if (!ok)
            return false;
    }
    return true;
}
