/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/load.h"
#include "base/file.h"
#include "base/nearest.h"
#include "cli/cli.h"

/* The largest PTX files of public libraries are some tens of megabytes. */
enum { PTX_LIMIT_B = 512 << 20 };

bool cli_ptx_open(struct cli_ptx *p, const char *path)
{
    *p = (struct cli_ptx){0};
    struct file_text text;
    if (file_read(path, PTX_LIMIT_B, &text, &p->diag)) {
        p->m = ptx_parse(strcmp(path, "-") == 0 ? "stdin" : path, text.at, text.n, &p->diag);
        file_free(&text);
    }
    if (!p->m)
        cli_ptx_report(p);
    return p->m != NULL;
}

void cli_ptx_close(struct cli_ptx *p)
{
    if (p->m)
        ptx_module_free(p->m);
    diag_free(&p->diag);
    p->m = NULL;
}

int cli_ptx_report(struct cli_ptx *p)
{
    diag_print(&p->diag, stderr);
    diag_free(&p->diag);
    return CLI_USAGE;
}

static bool is_kernel(const struct ptx_func *f) { return f->is_entry && f->has_body; }

static void list_kernels(const struct ptx_module *m)
{
    enum { SHOWN = 40 };
    uint32_t n = 0;
    vec_each (&m->funcs, f) {
        if (!is_kernel(*f) || n++ >= SHOWN)
            continue;
        fprintf(stderr, "    %s\n", (*f)->name);
    }
    if (n > SHOWN)
        fprintf(stderr, "    and %u more\n", n - SHOWN);
}

static const char *nearest_kernel(const struct ptx_module *m, const char *name)
{
    VEC(const char *) names = {0};
    vec_each (&m->funcs, f) {
        if (is_kernel(*f))
            vec_push(&names, (*f)->name);
    }
    const char *near = nearest_name(name, strlen(name), names.at, names.n);
    vec_free(&names);
    return near;
}

const struct ptx_func *cli_ptx_kernel(const struct cli_ptx *p, const char *name)
{
    const struct ptx_func *only = NULL;
    uint32_t n = 0;
    vec_each (&p->m->funcs, f) {
        if (!is_kernel(*f))
            continue;
        if (name && strcmp((*f)->name, name) == 0)
            return *f;
        only = *f;
        n++;
    }
    if (n == 0) {
        cli_error("%s: no kernel (.entry) in the file", p->m->file);
        return NULL;
    }
    if (!name && n == 1)
        return only;
    const char *near = name ? nearest_kernel(p->m, name) : NULL;
    if (near)
        cli_error("%s: no kernel '%s'; did you mean '%s'?", p->m->file, name, near);
    else if (name)
        cli_error("%s: no kernel '%s'; the file has:", p->m->file, name);
    else
        cli_error("%s: %u kernels in the file; choose one with --kernel:", p->m->file, n);
    if (!near)
        list_kernels(p->m);
    return NULL;
}
