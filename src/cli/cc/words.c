/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a command line as nvcc reads them: lists with commas, words for a shell, files of options. */
#include "base/file.h"
#include "cli/cc/cc.h"

enum { FILE_LIMIT_B = 1 << 24, DEPTH_MAX = 16 };

/* The pieces between commas outside quotes. Quotes stay; a backslash goes and protects what it stands before: so
 * does nvcc 13. The results lie one after another in a copy, which they never outgrow. */
void cc_add_list(struct arena *a, struct cc_words *to, const char *list)
{
    char *out = arena_alloc(a, strlen(list) + 1), quote = 0;
    for (const char *p = list; *p; p += *p == ',') {
        const char *piece = out;
        for (; *p && (quote || *p != ','); p++) {
            if (*p == '\\' && p[1])
                p++;
            else if (quote ? *p == quote : *p == '"' || *p == '\'')
                quote = quote ? 0 : *p;
            *out++ = *p;
        }
        *out++ = 0;
        if (*piece)
            cc_add(to, piece);
    }
}

void cc_add_shell(struct arena *a, struct cc_words *to, const char *text)
{
    char *out = arena_alloc(a, strlen(text) + 1), quote = 0;
    for (const char *p = text; *(p += strspn(p, " \t\r\n"));) {
        cc_add(to, out);
        for (; *p && (quote || !strchr(" \t\r\n", *p)); p++) {
            if (quote ? *p == quote : *p == '"' || *p == '\'') {
                quote = quote ? 0 : *p;
                continue;
            }
            if (*p == '\\' && p[1] && quote != '\'')
                p++;
            *out++ = *p;
        }
        *out++ = 0;
    }
}

void cc_add_quoted(struct arena *a, struct cc_words *to, const char *list)
{
    struct cc_words pieces = {0};
    cc_add_list(a, &pieces, list);
    vec_each (&pieces.w, p)
        cc_add_shell(a, to, *p);
    vec_free(&pieces.w);
}

static bool add_file(struct arena *a, struct cc_words *to, const char *path, int depth);

/* Words among which files of options may stand: @FILE, -optf FILE[,FILE], --options-file=FILE. */
static bool add_words(struct arena *a, struct cc_words *to, const char *const *words, uint32_t n, int depth)
{
    for (uint32_t i = 0; i < n; i++) {
        const char *w = words[i], *name = *w == '-' ? w + 1 + (w[1] == '-') : "", *files = NULL;
        size_t len = strcspn(name, "=");
        if (w[0] == '@' && w[1]) {
            files = w + 1;
        } else if ((len == 4 && memcmp(name, "optf", 4) == 0) ||
                   (len == 12 && memcmp(name, "options-file", 12) == 0)) {
            files = name[len] ? name + len + 1 : i + 1 < n ? words[++i] : "";
            if (!*files) {
                cli_error("-optf needs a value");
                return false;
            }
        } else {
            cc_add(to, w);
            continue;
        }
        struct cc_words list = {0};
        bool ok = true;
        cc_add_list(a, &list, files);
        vec_each (&list.w, f)
            ok = ok && add_file(a, to, *f, depth + 1);
        vec_free(&list.w);
        if (!ok)
            return false;
    }
    return true;
}

static bool add_file(struct arena *a, struct cc_words *to, const char *path, int depth)
{
    struct diag d = {0};
    struct file_text t;
    if (depth > DEPTH_MAX) {
        cli_error("%s: files of options name one another", path);
        return false;
    }
    bool ok = file_read(path, FILE_LIMIT_B, &t, &d);
    if (ok) {
        struct cc_words words = {0};
        cc_add_shell(a, &words, arena_strndup(a, t.at, t.n));
        ok = add_words(a, to, words.w.at, words.w.n, depth);
        vec_free(&words.w);
        file_free(&t);
    } else {
        diag_print(&d, stderr);
    }
    diag_free(&d);
    return ok;
}

bool cc_expand(struct arena *a, struct cc_words *to, int argc, char **argv)
{
    return add_words(a, to, (const char *const *)argv + 1, argc > 0 ? (uint32_t)argc - 1 : 0, 0);
}
