/* SPDX-License-Identifier: Apache-2.0 */
/* Replays a trace on a GPU, plain and with mechanisms, and prints what they change.
 *
 *   cc replay.c -o replay $(pkg-config --cflags --libs bankshot)
 *   ./replay TRACE.bst [GPU [MECHS]] */
#include <bankshot.h>

#include <inttypes.h>
#include <stdio.h>

static const char *const shown[] = {"sm.warp_insts", "sm.reg_reads", "sm.bank_conflict", "sm.stall_bank",
                                    NULL};

static struct bankshot_result *run(struct bankshot_trace *t, const char *gpu, const char *mechs,
                                   struct bankshot_error *e)
{
    struct bankshot_gpu *g = bankshot_gpu_new(gpu, mechs, e);
    struct bankshot_result *r = g ? bankshot_run(g, t, NULL, e) : NULL;
    bankshot_gpu_free(g);
    return r;
}

static uint64_t counter(const struct bankshot_result *r, const char *name)
{
    uint64_t value = 0;
    if (!bankshot_counter(r, name, &value))
        fprintf(stderr, "replay: this library does not count %s\n", name);
    return value;
}

int main(int argc, char **argv)
{
    const char *gpu = argc > 2 ? argv[2] : "volta", *mechs = argc > 3 ? argv[3] : "rba";
    struct bankshot_error e = {0};
    struct bankshot_trace *t = argc > 1 ? bankshot_trace_open(argv[1], &e) : NULL;
    struct bankshot_result *base = t ? run(t, gpu, NULL, &e) : NULL,
                           *with = base ? run(t, gpu, mechs, &e) : NULL;
    if (with) {
        printf("%-18s %14s %14s\n", gpu, "base", mechs);
        printf("%-18s %14" PRIu64 " %14" PRIu64 "\n", "kernel cycles", bankshot_kernel_cycles(base),
               bankshot_kernel_cycles(with));
        printf("%-18s %14.1f %14.1f\n", "energy/uJ", bankshot_energy_pj(base) / 1e6,
               bankshot_energy_pj(with) / 1e6);
        for (int i = 0; shown[i]; i++)
            printf("%-18s %14" PRIu64 " %14" PRIu64 "\n", shown[i], counter(base, shown[i]),
                   counter(with, shown[i]));
    } else {
        fprintf(stderr, "%s\n", argc > 1 ? e.text : "usage: replay TRACE.bst [GPU [MECHS]]");
    }
    bankshot_result_free(with);
    bankshot_result_free(base);
    bankshot_trace_close(t);
    return with ? 0 : 2;
}
