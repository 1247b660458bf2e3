/* bankshot run: a trace on the timing model. */
#include "cli/cli.h"
#include "cli/resource.h"
#include "gpu/gpu.h"

#include <sys/resource.h>

static void print_table(const struct stat_table *t, const uint64_t *v)
{
    for (uint32_t i = 0; i < t->n; i++)
        printf("  %s.%-20s %15llu %s\n", t->section, t->rows[i].name, (unsigned long long)v[i], t->rows[i].unit);
}

int cli_run(int argc, char **argv)
{
    const char *file = NULL, *gpu = "volta";
    uint32_t threads = 1;
    bool check = false;
    struct cli_list sets = {0};
    const struct cli_opt opts[] = {
        {"gpu", CLI_STR, &gpu, 0, 0, "NAME", "preset (conf/gpus) or a file"},
        {"set", CLI_LIST, &sets, 0, 0, "KEY=VALUE", "an option, see bankshot list options"},
        {"threads", CLI_U32, &threads, 1, 256, "N", "host threads; the result does not depend on it"},
        {"check", CLI_FLAG, &check, 0, 0, NULL, "check every operand"},
    };
    const struct cli_spec spec = {
        .usage = "run TRACE [--gpu G] [--set KEY=VALUE]... [--threads N] [--check]",
        .story = "Replays a trace on a GPU model.\n",
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional = &file,
        .npositional = 1,
        .nrequired = 1,
        .positional_name = "TRACE",
    };
    int status;
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    struct diag d = {0};
    struct gpu_conf c;
    gpu_conf_init(&c);
    bool ok = conf_read(&c.conf, gpu, CONF_PRESET, &d);
    vec_each (&sets.items, s)
        ok = ok && conf_set(&c.conf, *s, CONF_USER, &d);
    struct tr_reader *t = ok ? tr_open(file, &d) : NULL;
    struct gpu_result r = {0};
    status = CLI_USAGE;
    if (t) {
        struct gpu_opts o = {.threads = threads, .check = check};
        enum gpu_status s = gpu_run(&c, t, &o, &r, &d);
        if (s == GPU_OK) {
            status = CLI_OK;
            struct rusage u;
            getrusage(RUSAGE_SELF, &u);
            printf("cycles %llu  insts %llu  ipc %.3f  %.3f s  %.3f Mwinst/s  rss %ld MiB\n", (unsigned long long)r.cycles,
                   (unsigned long long)r.sm[SS_warp_insts], (double)r.sm[SS_warp_insts] / (double)r.cycles, r.seconds,
                   (double)r.sm[SS_warp_insts] / r.seconds * 1e-6, u.ru_maxrss / 1024);
            print_table(&sm_stats, r.sm);
            print_table(&mem_stats, r.mem);
        } else if (s == GPU_DEADLOCK)
            status = CLI_DEADLOCK;
    }
    diag_print(&d, stderr);
    gpu_result_free(&r);
    if (t)
        tr_free(t);
    conf_free(&c.conf);
    vec_free(&sets.items);
    diag_free(&d);
    return status;
}
