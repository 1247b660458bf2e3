/* bankshot list: what there is to choose from. */
#include "base/nearest.h"
#include "cli/claims.h"
#include "cli/cli.h"
#include "cli/machine.h"
#include "cli/manifest.h"

static void print_option(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                         const char *source)
{
    (void)ctx;
    (void)source;
    char name[64], range[64] = "";
    snprintf(name, sizeof name, "%s.%s", section, o->name);
    if (o->type == CONF_U32 || o->type == CONF_F64)
        snprintf(range, sizeof range, " (%.10g to %.10g)", o->lo, o->hi);
    printf("%-24s %-12s %s%s", name, value, o->help, range);
    for (uint32_t i = 0; o->type == CONF_NAME && o->names(i); i++)
        printf("%s%s", i ? ", " : ": ", o->names(i));
    putchar('\n');
}

static int list_options(const struct machine_opts *of)
{
    struct diag d = {0};
    struct gpu_conf c;
    bool ok = machine_load(of, &c, &d);
    if (ok) {
        printf("Options, with their values on %s; --set section.option=value changes one.\n\n", of->gpu);
        conf_each(&c.conf, print_option, NULL);
    }
    diag_print(&d, stderr);
    diag_free(&d);
    conf_free(&c.conf);
    return ok ? CLI_OK : CLI_USAGE;
}

static void print_stats(const struct stat_table *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", t->section, t->rows[i].name);
        printf("%-24s %-12s %s\n", name, t->rows[i].unit, t->rows[i].help);
    }
}

static int list_stats(const struct machine_opts *of)
{
    (void)of;
    uint32_t at;
    for (uint32_t i = 0; sm_stat_table(i, &at); i++)
        print_stats(sm_stat_table(i, &at));
    print_stats(&mem_stats);
    printf("\nDistributions (lists in --json)\n\n");
    for (uint32_t i = 0; i < sm_arrays.n; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", sm_arrays.section, sm_arrays.rows[i].name);
        printf("%-24s %-12s %s\n", name, sm_arrays.rows[i].unit, sm_arrays.rows[i].help);
    }
    return CLI_OK;
}

/* The first comment line of a preset or overlay says what it is. */
static void print_file(void *ctx, const char *name, const char *path)
{
    (void)ctx;
    char line[256] = "";
    FILE *f = fopen(path, "r");
    if (f && !fgets(line, sizeof line, f))
        line[0] = 0;
    if (f)
        fclose(f);
    char *text = line + strspn(line, "; ");
    text[strcspn(text, "\n")] = 0;
    char *end = strstr(text, ". Sources");
    if (end)
        *end = 0;
    printf("%-16s %s\n", name, text);
}

static int list_gpus(const struct machine_opts *of)
{
    (void)of;
    return machine_each("gpus", print_file, NULL) ? CLI_OK : CLI_USAGE;
}

static int list_mechs(const struct machine_opts *of)
{
    (void)of;
    return machine_each("mechs", print_file, NULL) ? CLI_OK : CLI_USAGE;
}

static int list_workloads(const struct machine_opts *of)
{
    (void)of;
    struct diag d = {0};
    struct manifest m = {0};
    bool ok = manifest_load(&m, &d);
    vec_each (&m.rows, r)
        printf("%-22s %-10s %s%s%s%s\n", r->name, r->family, r->about, *r->uses ? " [" : "", r->uses,
               *r->uses ? "]" : "");
    diag_print(&d, stderr);
    diag_free(&d);
    manifest_free(&m);
    return ok ? CLI_OK : CLI_USAGE;
}

static int list_claims(const struct machine_opts *of)
{
    (void)of;
    struct diag d = {0};
    struct claims c = {0};
    bool ok = claims_load(&c, &d);
    vec_each (&c.rows, r)
        printf("%-28s %8s %-14s %s (%s to %s)\n", r->id, r->value_text, r->unit, r->text, r->lo_text,
               r->hi_text);
    diag_print(&d, stderr);
    diag_free(&d);
    claims_free(&c);
    return ok ? CLI_OK : CLI_USAGE;
}

static double print_storage(const struct storage_row *rows, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        double bytes = (double)rows[i].n * (double)rows[i].bits / 8;
        printf("%s,%lld,%llu,%.10g\n", rows[i].what, (long long)rows[i].n, (unsigned long long)rows[i].bits,
               bytes);
        sum += bytes;
    }
    return sum;
}

/* Bytes that the policies add to an SM, as CSV: a table for people and for experiments. */
static int list_storage(const struct machine_opts *of)
{
    struct diag d = {0};
    struct gpu_conf c;
    bool ok = machine_load(of, &c, &d) && gpu_conf_check(&c, &d);
    if (ok) {
        double sum = 0;
        printf("structure,entries,bits,bytes\n");
        for (enum seam s = 0; s < SEAMS; s++) {
            const struct policy *p = policy_of(&c.sm, s);
            struct storage_row rows[STORAGE_MAX];
            sum += print_storage(rows, p->storage ? p->storage(&c.sm, rows) : 0);
        }
        printf("all,,,%.10g\n", sum);
    }
    diag_print(&d, stderr);
    diag_free(&d);
    conf_free(&c.conf);
    return ok ? CLI_OK : CLI_USAGE;
}

static const struct {
    const char *name;
    int (*f)(const struct machine_opts *of);
} lists[] = {{"gpus", list_gpus},      {"mechs", list_mechs},         {"options", list_options},
             {"stats", list_stats},    {"workloads", list_workloads}, {"claims", list_claims},
             {"storage", list_storage}};
enum { NLISTS = sizeof lists / sizeof lists[0] };

int cli_list(int argc, char **argv)
{
    const char *what = NULL;
    struct machine_opts m = {.gpu = "volta"};
    const struct cli_opt opts[] = {
        {"gpu", CLI_STR, &m.gpu, 0, 0, "NAME", "options, storage: of which GPU"},
        {"mech", CLI_STR, &m.mechs, 0, 0, "NAME,...", "options, storage: with these mechanisms"}};
    const struct cli_spec spec = {
        .usage = "list gpus|mechs|workloads|options|stats|claims|storage [--gpu NAME] [--mech NAME,...]",
        .story = "Prints the presets, the mechanisms, the bundled programs, every option with its value, "
                 "range and meaning, "
                 "every counter, or the storage that a mechanism adds to an SM.\n",
        .opts = opts,
        .nopts = 2,
        .positional = &what,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "what to list",
    };
    int status;
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    const char *names[NLISTS];
    for (uint32_t i = 0; i < NLISTS; i++) {
        names[i] = lists[i].name;
        if (strcmp(what, names[i]) == 0)
            return lists[i].f(&m);
    }
    const char *near = nearest_name(what, strlen(what), names, NLISTS);
    return cli_error("there is no list '%s'%s%s%s; gpus, mechs, workloads, options, stats, claims or storage",
                     what, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}
