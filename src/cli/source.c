/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/source.h"

#include "cli/resource.h"

#include <unistd.h>

enum { MOST_B = 16 << 20 };

static bool ends(const char *name, const char *ending)
{
    const char *dot = strrchr(name, '.');
    return dot && strcmp(dot, ending) == 0;
}

bool source_is_ptx(const char *name) { return ends(name, ".ptx"); }

/* Kernels may be written in headers. */
static bool is_source(const char *name)
{
    static const char *const endings[] = {".ptx", ".cu", ".cuh", ".h", ".hpp", ".hxx", ".inl"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends(name, endings[i]))
            return true;
    return false;
}

static const char *find(struct arena *a, const char *name)
{
    static const char bundled[] = "workloads/";
    const char *home = strncmp(name, bundled, sizeof bundled - 1) == 0 ? cli_home(a) : NULL;
    const char *path = home ? arena_printf(a, "%s/%s", home, name) : name;
    return access(path, R_OK) == 0 ? path : name;
}

void source_read(struct source *s, const char *name)
{
    struct diag d = {0};
    struct arena a = {0};
    if (is_source(name) && file_read(find(&a, name), MOST_B, &s->text, &d)) {
        vec_push(&s->lines, 0);
        for (uint32_t i = 0; i < s->text.n; i++) {
            if (s->text.at[i] != '\n')
                continue;
            s->text.at[i] = 0;
            vec_push(&s->lines, i + 1);
        }
    }
    arena_free(&a);
    diag_free(&d);
}

void source_free(struct source *s)
{
    if (s->text.at)
        file_free(&s->text);
    vec_free(&s->lines);
}

const char *source_line(const struct source *s, uint32_t line)
{
    if (!line || line > s->lines.n || !s->text.at)
        return "";
    const char *text = s->text.at + s->lines.at[line - 1];
    return text + strspn(text, " \t");
}
