/* SPDX-License-Identifier: Apache-2.0 */
/* __grid_constant__, for which clang before 20 has no attribute. The header makes an annotation of it, which shows in LLVM
 * assembly as
 *   define void @kernel(ptr noundef byval(%struct.x) align 8 %0, ...) ... {
 *     call void @llvm.var.annotation.p0.p0(ptr %0, ptr @.str, ...)
 * Here such calls go, and metadata comes in their place that back ends from LLVM 19 on know: without it a kernel that takes the
 * address of its parameter copies it to local memory first. */
#include "cli/cc/ir.h"

#include <ctype.h>

static const char annotation[] = "c\"bankshot grid constant\\00\"", call[] = "call void @llvm.var.annotation",
                  list[] = "!nvvm.annotations = !{", define[] = "define ";

struct constant {
    const char *kernel; /* its name, with '@' */
    size_t kernel_n;
    uint32_t param; /* counted from 1 */
    bool last;      /* of its kernel */
};

struct edit {
    struct arena names;
    VEC(struct constant) found;
    VEC(const char *) gone; /* lines */
    uint32_t ids;           /* of metadata: the largest, and 1 */
};

static size_t word_n(const char *p) { return strcspn(p, " ,)\n"); }

/* Which parameter of the function that the line defines is the value? 0: none. */
static uint32_t param_of(const char *line, const char *value, size_t n, struct constant *c)
{
    const char *end = line + strcspn(line, "\n"), *name = memchr(line, '@', (size_t)(end - line));
    const char *p = name ? memchr(name, '(', (size_t)(end - name)) : NULL;
    if (!p)
        return 0;
    c->kernel = name;
    c->kernel_n = (size_t)(p - name);
    uint32_t at = 1;
    int depth = 0;
    for (p++; p < end && depth >= 0; p++) {
        depth += (*p == '(') - (*p == ')');
        at += *p == ',' && depth == 0;
        if (depth == 0 && *p == ' ' && strncmp(p + 1, value, n) == 0 && strchr(",)", p[1 + n]))
            return at;
    }
    return 0;
}

static bool is_ours(const char *text, const char *name, size_t n)
{
    for (const char *p = text; (p = strstr(p, name)); p += n)
        if ((p == text || p[-1] == '\n') && strncmp(p + n, " = ", 3) == 0) {
            const char *a = strstr(p, annotation);
            return a && a < p + strcspn(p, "\n");
        }
    return false;
}

/* A line with a call: the value it is about, and whether the header made it. */
static bool read_call(struct arena *a, const char *text, const char *line, const char **value, size_t *n)
{
    const char *end = line + strcspn(line, "\n"), *p = line + strspn(line, " ");
    p += strncmp(p, "tail ", 5) == 0 ? 5 : 0;
    if (strncmp(p, call, sizeof call - 1) != 0)
        return false;
    const char *v = strchr(p, '%'), *s = strchr(p, '@') ? strchr(strchr(p, '@') + 1, '@') : NULL;
    if (!v || v > end || !s || s > end || v > s)
        return false;
    *value = v;
    *n = word_n(v);
    return is_ours(text, arena_strndup(a, s, word_n(s)), word_n(s));
}

static bool find(void *ctx, const char *text, const char *text_end)
{
    struct edit *e = ctx;
    const char *of = NULL;
    (void)text_end; /* a zero stands there */
    for (const char *line = text; *line;) {
        const char *value;
        size_t n;
        if (strncmp(line, define, sizeof define - 1) == 0)
            of = line;
        if (*line == '!' && isdigit((unsigned char)line[1])) {
            uint32_t id = (uint32_t)strtoul(line + 1, NULL, 10);
            e->ids = id >= e->ids ? id + 1 : e->ids;
        }
        struct constant c = {0};
        if (of && read_call(&e->names, text, line, &value, &n) && (c.param = param_of(of, value, n, &c))) {
            vec_push(&e->found, c);
            vec_push(&e->gone, line);
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    for (uint32_t i = 0; i < e->found.n; i++)
        e->found.at[i].last = i + 1 == e->found.n || e->found.at[i].kernel != e->found.at[i + 1].kernel;
    return e->found.n > 0;
}

/* A node for every kernel: itself, what it says, the list of its parameters. */
static void write_nodes(FILE *f, const struct edit *e)
{
    uint32_t id = e->ids;
    for (uint32_t i = 0, first = 0; i < e->found.n; i++) {
        const struct constant *c = &e->found.at[i];
        if (!c->last)
            continue;
        fprintf(f, "!%u = !{ptr %.*s, !\"grid_constant\", !%u}\n!%u = !{", id, (int)c->kernel_n, c->kernel,
                id + 1, id + 1);
        for (uint32_t k = first; k <= i; k++)
            fprintf(f, "%si32 %u", k > first ? ", " : "", e->found.at[k].param);
        fprintf(f, "}\n");
        first = i + 1;
        id += 2;
    }
}

static void rewrite(void *ctx, FILE *f, const char *text, const char *text_end)
{
    const struct edit *e = ctx;
    uint32_t gone = 0;
    (void)text_end;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        if (gone < e->gone.n && line == e->gone.at[gone]) {
            gone++;
        } else if (strncmp(line, list, sizeof list - 1) == 0 && line[n - 1] == '}') {
            fprintf(f, "%.*s", (int)(n - 1), line);
            for (uint32_t i = 0, id = e->ids; i < e->found.n; i++)
                if (e->found.at[i].last) {
                    fprintf(f, ", !%u", id);
                    id += 2;
                }
            fprintf(f, "}\n");
        } else {
            fprintf(f, "%.*s\n", (int)n, line);
        }
        line += n;
        line += *line == '\n';
    }
    write_nodes(f, e);
}

int cc_mark_constants(const char *path)
{
    struct edit e = {0};
    bool ok = ir_edit_file(path, path, &(struct ir_edit){.look = find, .write = rewrite, .ctx = &e});
    int n = ok ? (int)e.found.n : -1;
    vec_free(&e.found);
    vec_free(&e.gone);
    arena_free(&e.names);
    return n;
}
