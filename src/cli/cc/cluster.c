/* SPDX-License-Identifier: Apache-2.0 */
/* __cluster_dims__, for which clang has no attribute. The header makes an annotation of it, which shows in LLVM assembly as
 *   @.args = ... constant { i32, i32 } { i32 2, i32 1 }, section "llvm.metadata"
 *   @llvm.global.annotations = ... [{ ptr, ... } { ptr @kernel, ptr @.str, ptr @.file, i32 LINE, ptr @.args }, ...]
 * and from there goes into the PTX. LLVM assembly is only made for files that name the word. */
#include "base/file.h"
#include "cli/cc/ir.h"
#include "cli/cc/unit.h"

enum { SOURCE_LIMIT_B = 1 << 26 };
static const char word[] = "__cluster_dims__", annotation[] = "c\"bankshot cluster\\00\"";

static bool names_it(const char *path)
{
    struct diag d = {0};
    struct file_text t;
    bool found = false;
    if (file_read(path, SOURCE_LIMIT_B, &t, &d)) {
        found = strstr(t.at, word) != NULL;
        file_free(&t);
    }
    diag_free(&d);
    return found;
}

bool cc_names_clusters(struct arena *a, const char *deps, const char *home)
{
    struct diag d = {0};
    struct file_text t;
    bool found = false;
    if (!file_read(deps, SOURCE_LIMIT_B, &t, &d)) {
        diag_free(&d);
        return true; /* who knows */
    }
    char *name = arena_alloc(a, t.n + 1);
    for (const char *p = t.at; !found && cc_next_name(&p, name);)
        found = strncmp(name, home, strlen(home)) != 0 && names_it(name);
    file_free(&t);
    return found;
}

/* The first place of the line that has the word; NULL: none. */
static const char *in_line(const char *line, const char *what)
{
    const char *at = strstr(line, what);
    return at && at < line + strcspn(line, "\n") ? at : NULL;
}

/* The text from the definition of a global on; NULL: there is none. */
static const char *definition(const char *text, const char *name, size_t n)
{
    for (const char *p = text; (p = strstr(p, name)); p += n)
        if ((p == text || p[-1] == '\n') && strncmp(p + n, " = ", 3) == 0)
            return p;
    return NULL;
}

/* The operand behind "ptr " at *p: a global's name, with its '@'. */
static bool pointer(const char **p, const char **name, size_t *n)
{
    const char *at = strstr(*p, "ptr @");
    if (!at)
        return false;
    *name = at + 4;
    *n = 1 + strcspn(*name + 1, ", }\n");
    *p = *name + *n;
    return true;
}

static void take(struct arena *a, struct cc_clusters *to, const char *text, const char *kernel,
                 size_t kernel_n, const char *args, size_t args_n)
{
    struct cc_cluster c = {arena_strndup(a, kernel + 1, kernel_n - 1), {1, 1, 1}};
    const char *p = definition(text, arena_strndup(a, args, args_n), args_n);
    p = p ? strstr(p, "} {") : NULL;
    for (unsigned i = 0; p && i < 3; i++) {
        const char *v = in_line(p, " i32 ");
        if (!v)
            break;
        c.size[i] = (uint32_t)strtoul(v + 5, NULL, 10);
        p = v + 5;
    }
    vec_push(&to->of, c);
}

bool cc_find_clusters(struct arena *a, const char *ir, struct cc_clusters *to)
{
    static const char list[] = "@llvm.global.annotations";
    struct diag d = {0};
    struct file_text t;
    if (!file_read(ir, IR_LIMIT_B, &t, &d)) {
        diag_print(&d, stderr);
        diag_free(&d);
        return false;
    }
    const char *p = definition(t.at, list, sizeof list - 1), *end = p ? p + strcspn(p, "\n") : NULL;
    while (p && p < end) {
        const char *at[4];
        size_t n[4];
        bool all = true;
        for (unsigned i = 0; i < 4 && all; i++)
            all = pointer(&p, &at[i], &n[i]) && at[i] < end;
        if (!all)
            break;
        const char *what = definition(t.at, arena_strndup(a, at[1], n[1]), n[1]);
        if (what && in_line(what, annotation))
            take(a, to, t.at, at[0], n[0], at[3], n[3]);
    }
    file_free(&t);
    return true;
}
