/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of bankshot cc: that of nvcc, in all its spellings. nvcc takes -name and
 * --name alike, and values as -name=value or -name value; single letters may touch their value (-Idir).
 * What nvcc would hand to the host compiler unasked (-W..., -f..., -m...) goes to the host pass. */
#include "base/nearest.h"
#include "cli/cc/row.h"

void cc_print_options(FILE *to)
{
    for (uint32_t i = 0; i < cc_nrows; i++) {
        const char *help = cc_rows[i].help;
        if (!help)
            continue;
        const char *gap = cc_rows[i].form == NONE ? NULL : strstr(help, "  ");
        char left[64];
        snprintf(left, sizeof left, "-%s%s%.*s", cc_rows[i].name, gap ? " " : "", gap ? (int)(gap - help) : 0,
                 help);
        fprintf(to, "  %-22s %s\n", left, gap ? gap + 2 : help);
    }
    fprintf(to, "  %-22s %s\n", "--help", "print this");
}

static void add_input(struct cc_job *j, const char *path)
{
    static const struct {
        const char *ending;
        enum cc_lang lang;
    } endings[] = {{".cu", CC_CUDA}, {".c", CC_C},     {".cpp", CC_CXX},
                   {".cc", CC_CXX},  {".cxx", CC_CXX}, {".C", CC_CXX}};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    struct cc_input in = {path, CC_LINK, j->link.w.n};
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i].ending) == 0)
            in.lang = endings[i].lang;
    if (j->lang != CC_BY_NAME)
        in.lang = j->lang;
    vec_push(&j->inputs, in);
    cc_add(&j->link, path); /* a source's object takes this place later */
}

/* The row of a word such as -arch=sm_80, --gpu-architecture or -Idir; *value is what follows the name in
 * the word. */
static const struct cc_row *find_row(const char *word, const char **value)
{
    const char *name = word + 1 + (word[1] == '-');
    size_t len = strcspn(name, "=");
    for (uint32_t i = 0; i < cc_nrows; i++) {
        const struct cc_row *r = &cc_rows[i];
        if ((strlen(r->name) == len && memcmp(r->name, name, len) == 0 && !(len == 1 && word[1] == '-')) ||
            (r->alias && strlen(r->alias) == len && memcmp(r->alias, name, len) == 0)) {
            *value = name[len] ? name + len + 1 : NULL;
            return r;
        }
    }
    for (uint32_t i = 0; i < cc_nrows && word[1] != '-'; i++)
        if (cc_rows[i].form >= TOUCH && !cc_rows[i].name[1] && cc_rows[i].name[0] == word[1]) {
            *value = word + 2;
            return &cc_rows[i];
        }
    return NULL;
}

static bool unknown(struct cc_job *j, const char *word)
{
    const char **names = ARENA_ARRAY(&j->arena, const char *, 2 * cc_nrows),
               *name = word + 1 + (word[1] == '-');
    uint32_t n = 0;
    for (uint32_t i = 0; i < cc_nrows; i++) {
        names[n++] = cc_rows[i].name;
        if (cc_rows[i].alias)
            names[n++] = cc_rows[i].alias;
    }
    const char *near = nearest_name(name, strcspn(name, "="), names, n);
    if (near)
        cli_error("unknown option %s; did you mean -%s?", word, near);
    else
        cli_error("unknown option %s; see bankshot cc --help", word);
    return false;
}

/* Words of a host compiler that nvcc passes on, or that people write without -Xcompiler. */
static bool host_word(struct cc_job *j, const char *word)
{
    if (strncmp(word, "-Wl,", 4) == 0) {
        cc_add(&j->link, word);
        return true;
    }
    if (word[1] == 'f' || word[1] == 'm') {
        cc_add_host_word(j, word);
        return true;
    }
    if (word[1] == 'W' || word[1] == 'g') {
        cc_add(&j->host, word);
        return true;
    }
    return unknown(j, word);
}

/* nvcc's -Werror takes kinds of warnings as its value, which clang's -Werror does not. */
static bool is_werror_kinds(const char *list)
{
    static const char *const kinds[] = {
        "all-warnings",           "cross-execution-space-call", "reorder",
        "default-stream-launch",  "missing-launch-bounds",      "ext-lambda-captures-this",
        "deprecated-declarations"};
    size_t n = list ? strcspn(list, ",") : 0;
    for (size_t i = 0; n && i < sizeof kinds / sizeof *kinds; i++)
        if (strlen(kinds[i]) == n && memcmp(list, kinds[i], n) == 0)
            return true;
    return false;
}

/* A value, or each of a list of them. */
static bool set_row(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (r->form != LIST)
        return r->set(j, r, value);
    struct cc_words list = {0};
    bool ok = true;
    cc_add_list(&j->arena, &list, value);
    vec_each (&list.w, w)
        ok = ok && r->set(j, r, *w);
    vec_free(&list.w);
    return ok;
}

static bool read_option(struct cc_job *j, const struct cc_words *words, uint32_t *at)
{
    const char *word = words->w.at[(*at)++], *value = NULL;
    if (strcmp(word, "-Werror") == 0 && is_werror_kinds(*at < words->w.n ? words->w.at[*at] : NULL)) {
        ++*at;
        return true;
    }
    if (strncmp(word, "-Werror=", 8) == 0 && is_werror_kinds(word + 8))
        return true;
    const struct cc_row *r = find_row(word, &value);
    if (!r)
        return host_word(j, word);
    if (r->form == NONE && value) {
        cli_error("-%s takes no value: %s", r->name, word);
        return false;
    }
    if (r->form != NONE && (!value || !*value)) {
        if (*at >= words->w.n) {
            cli_error("-%s needs a value", r->name);
            return false;
        }
        value = words->w.at[(*at)++];
    }
    return set_row(j, r, value);
}

static bool read_words(struct cc_job *j, const struct cc_words *words)
{
    for (uint32_t i = 0; i < words->w.n;) {
        const char *w = words->w.at[i];
        if (w[0] == '-' && w[1]) {
            if (!read_option(j, words, &i))
                return false;
        } else if (w[0] == '-') {
            cli_error("standard input is not read: name a file");
            return false;
        } else {
            add_input(j, w);
            i++;
        }
    }
    return true;
}

bool cc_read_args(struct cc_job *j, int argc, char **argv)
{
    struct cc_words words = {0};
    bool ok = cc_expand(&j->arena, &words, argc, argv) && read_words(j, &words);
    vec_free(&words.w);
    j->sm = j->sm ? j->sm : CC_SM_DEFAULT;
    j->debug_device = j->debug_device && !j->optimise_device;
    return ok;
}

void cc_job_free(struct cc_job *j)
{
    vec_free(&j->inputs);
    vec_free(&j->both.w);
    vec_free(&j->host.w);
    vec_free(&j->device.w);
    vec_free(&j->dep_words.w);
    vec_free(&j->link.w);
    arena_free(&j->arena);
}
