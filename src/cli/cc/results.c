/* SPDX-License-Identifier: Apache-2.0 */
/* What a job of the compiler writes: names, the rule that they are held to, and giving them to what has been written aside. */
#include "cli/cc/unit.h"
#include "cli/files.h"
#include "cli/output.h"

#include <unistd.h>

const char *cc_stem(struct cc *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_strndup(&c->job->arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

const char *cc_result(struct cc *c, const char *name)
{
    const struct cc_job *j = c->job;
    if (j->output)
        return j->output;
    return j->out_dir ? arena_printf(&c->job->arena, "%s/%s", j->out_dir, name) : name;
}

/* -MD: beside what is made, x.o gives x.d. */
const char *cc_dep_file(struct cc *c, const char *target)
{
    const char *slash = strrchr(target, '/'), *dot = strrchr(slash ? slash : target, '.');
    if (!c->job->deps || c->job->dep_file)
        return c->job->dep_file;
    return arena_printf(&c->job->arena, "%.*s.d", (int)(dot ? (size_t)(dot - target) : strlen(target)),
                        target);
}

const char *cc_kept_ptx(struct cc *c, const char *base)
{
    const char *dir = c->job->keep_dir;
    return arena_printf(&c->job->arena, "%s%s%s.ptx", dir ? dir : "", dir ? "/" : "", base);
}

/* ---- the rule ---- */

typedef VEC(struct cli_file) file_list;

static void add(file_list *to, const char *option, const char *path, enum file_kind kind)
{
    if (path)
        vec_push(to, (struct cli_file){option, path, FILE_OUTPUT, kind});
}

static const char *target_of(struct cc *c, const struct cc_input *in)
{
    const char *base = cc_stem(c, in->path);
    if (c->job->stop == CC_TO_OBJECT)
        return cc_result(c, cc_join(c, base, ".o"));
    return c->job->stop == CC_TO_PTX ? cc_result(c, cc_join(c, base, ".ptx")) : cc_result(c, "a.out");
}

static void add_source(struct cc *c, const struct cc_input *in, file_list *to)
{
    const struct cc_job *j = c->job;
    const char *target = target_of(c, in), *deps = cc_dep_file(c, target);
    if (j->stop == CC_TO_OBJECT)
        add(to, "-o", target, FILE_OBJECT);
    if (j->stop == CC_TO_PTX && in->lang == CC_CUDA)
        add(to, "-o", target, FILE_PTX);
    else if (j->keep && in->lang == CC_CUDA)
        add(to, "--keep", cc_kept_ptx(c, cc_stem(c, in->path)), FILE_PTX);
    bool shared = to->n && deps && strcmp(to->at[to->n - 1].path, deps) == 0;
    if (!shared)
        add(to, j->dep_file ? "-MF" : "-MD", deps, FILE_RULES);
}

/* -MF of several sources is one file, written for each of them. */
static void drop_repeated_rules(file_list *l)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->n; i++) {
        bool again = false;
        for (uint32_t k = 0; k < n; k++)
            again |= l->at[i].kind == FILE_RULES && l->at[k].kind == FILE_RULES &&
                     strcmp(l->at[i].path, l->at[k].path) == 0;
        if (!again)
            l->at[n++] = l->at[i];
    }
    l->n = n;
}

bool cc_check_results(struct cc *c)
{
    const struct cc_job *j = c->job;
    file_list all = {0};
    vec_each (&j->inputs, in) {
        vec_push(&all, (struct cli_file){.option = "FILE", .path = in->path});
        if (in->lang != CC_LINK)
            add_source(c, in, &all);
    }
    drop_repeated_rules(&all);
    switch (j->stop) {
    case CC_TO_APP: add(&all, "-o", cc_result(c, "a.out"), FILE_PROGRAM); break;
    case CC_TO_LIBRARY: add(&all, "-o", cc_result(c, "a.a"), FILE_LIBRARY); break;
    case CC_TO_LINK: add(&all, "-o", cc_result(c, "a_dlink.o"), FILE_OBJECT); break;
    case CC_TO_TEXT: add(&all, "-o", j->output, FILE_PREPROCESSED); break;
    case CC_TO_OBJECT:
    case CC_TO_PTX: break;
    }
    bool ok = files_check(all.at, all.n);
    vec_free(&all);
    return ok;
}

void cc_print_files(FILE *to)
{
    static const struct {
        const char *option;
        enum file_kind kind;
    } rows[] = {{"-o", FILE_PROGRAM}, {"-MF", FILE_RULES}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(to, "cc\t%s\twrites\t%s\n", rows[i].option, file_kind_name(rows[i].kind));
}

/* ---- writing aside ---- */

const char *cc_aside(struct cc *c, const char *path)
{
    if (c->job->dry_run || output_is_stdout(path))
        return path;
    vec_each (&c->drafts, d)
        if (strcmp(d->path, path) == 0)
            return d->draft;
    const char *draft = output_draft(&c->job->arena, path);
    if (draft)
        vec_push(&c->drafts, (struct cc_draft){draft, path});
    return draft;
}

bool cc_end_results(struct cc *c, bool keep)
{
    bool ok = keep;
    vec_each (&c->drafts, d) {
        bool written = strcmp(d->draft, d->path) == 0 || access(d->draft, F_OK) == 0;
        if (keep && written)
            ok = output_take(d->draft, d->path) && ok;
        else if (written && strcmp(d->draft, d->path) != 0)
            unlink(d->draft);
    }
    vec_free(&c->drafts);
    return ok;
}
