/* SPDX-License-Identifier: Apache-2.0 */
/* The profile by source line: the instructions of a line, wherever the compiler put them and in whichever kernel, together. */
#include "cli/source.h"
#include "cli/watch/profile.h"

struct spot {
    uint32_t file, line, kernel, insn;
};

struct name {
    const char *file;
    uint32_t kernel;
};

static int by_name(const void *x, const void *y)
{
    const struct name *a = x, *b = y;
    int order = strcmp(a->file, b->file);
    return order ? order : a->kernel < b->kernel ? -1 : 1;
}

static int by_place(const void *x, const void *y)
{
    const struct spot *a = x, *b = y;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    return a->insn < b->insn ? -1 : a->insn > b->insn;
}

static int by_cycles(const void *x, const void *y)
{
    const struct profile_line *a = x, *b = y;
    if (a->cycles != b->cycles)
        return a->cycles < b->cycles ? 1 : -1;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* The number of every kernel's file among all files, in the order of their names. */
static uint32_t *number_files(struct tr_reader *t)
{
    uint32_t n = tr_nkernels(t), files = 0;
    struct name *names = xcalloc(n + 1u, sizeof *names);
    uint32_t *number = xcalloc(n + 1u, sizeof *number);
    for (uint32_t k = 0; k < n; k++)
        names[k] = (struct name){tr_kernel(t, k)->file, k};
    qsort(names, n, sizeof *names, by_name);
    for (uint32_t i = 0; i < n; i++) {
        files += i && strcmp(names[i - 1].file, names[i].file) != 0;
        number[names[i].kernel] = files;
    }
    free(names);
    return number;
}

static void add_row(struct sm_charged *to, const struct sm_charged *r)
{
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        to->causes[i] += r->causes[i];
    to->lanes += r->lanes;
    to->bank_conflicts += r->bank_conflicts;
    to->read_wait += r->read_wait;
    to->shared_conflicts += r->shared_conflicts;
}

struct profile_lines profile_by_line(const struct profile *p)
{
    struct profile_lines out = {0};
    VEC(struct spot) all = {0};
    struct tr_reader *t = profile_trace(p);
    uint32_t *number = number_files(t);
    for (uint32_t k = 0; k < tr_nkernels(t); k++) {
        const struct tr_kernel *code = tr_kernel(t, k);
        for (uint32_t i = 0; *code->file && !source_is_ptx(code->file) && i < code->n; i++)
            if (code->insns[i].line && profile_cycles(profile_at(p, k, i)))
                vec_push(&all, (struct spot){number[k], code->insns[i].line, k, i});
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_place);
    for (uint32_t i = 0; i < all.n; i++) {
        const struct spot *s = &all.at[i];
        if (!i || s->file != s[-1].file || s->line != s[-1].line)
            vec_push(&out.rows, (struct profile_line){.kernel = s->kernel, .file = s->file, .line = s->line});
        struct profile_line *l = &out.rows.at[out.rows.n - 1];
        add_row(&l->sum, profile_at(p, s->kernel, s->insn));
        l->cycles = profile_cycles(&l->sum);
        out.files += i == 0 || s->file != s[-1].file;
    }
    if (out.rows.n)
        qsort(out.rows.at, out.rows.n, sizeof *out.rows.at, by_cycles);
    vec_free(&all);
    free(number);
    return out;
}
