/* SPDX-License-Identifier: Apache-2.0 */
/* The summary on a terminal: how fast, and where the scheduler cycles went. */
#include "cli/view/run_print.h"

#include "cli/shown.h"
#include "cli/view/advice.h"
#include "cli/view/run_light.h"
#include "cli/whole.h"

#include <sys/resource.h>

double run_peak_rss_mb(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_kernels(const struct run_story *s, FILE *to)
{
    enum { MOST = 20 };
    const struct gpu_result *r = s->result;
    fprintf(to, "\n%6s  %-32s %12s %13s %14s %8s\n", "launch", "kernel", "begins", "kernel cycles",
            "warp insts", "ipc");
    for (uint32_t i = 0; i < r->kernels.n && i < MOST; i++) {
        const struct gpu_kernel_result *k = &r->kernels.at[i];
        const struct tr_launch_info *l = tr_launch(s->reader, k->launch);
        uint64_t cycles = gpu_kernel_cycles(k);
        char name[256];
        fprintf(to, "%6u  %-32.32s %12llu %13llu %14llu %8.2f\n", k->launch,
                shown_kernel(name, sizeof name, tr_kernel(s->reader, l->l.kernel)->name),
                (unsigned long long)k->begin, (unsigned long long)cycles, (unsigned long long)l->warp_insts,
                cycles ? (double)l->warp_insts / (double)cycles : 0);
    }
    if (r->kernels.n > MOST)
        fprintf(to, "        ... and %u more (--json has all)\n", r->kernels.n - MOST);
}

/* Of the kernel cycles: what lies between kernels is no scheduler's doing. */
static void print_causes(const struct gpu_result *r, FILE *to)
{
    fprintf(to, "\nscheduler cycles, of the kernel cycles\n");
    for (uint32_t i = SS_issued; i <= SS_stall_drained; i++) {
        if (!r->sm[i] || i == SS_stall_launch)
            continue;
        double p = share(r->sm[i], r->sm[SS_cycles] - r->sm[SS_stall_launch]);
        fprintf(to, "  %-16s %6.2f%%  ", sm_stats.rows[i].name, p);
        for (int k = 0; k < (int)(p / 2 + 0.5); k++)
            fputc('#', to);
        fputc('\n', to);
    }
}

/* Reads, writes and waits of the register banks, how the banks share them, and how busy the busiest is. */
static void print_registers(const struct gpu_result *r, const struct gpu_conf *c, FILE *to)
{
    const uint64_t *s = r->sm, *hist = r->arrays[SA_reads_per_cycle];
    uint64_t most = 0, sm_cycles = r->kernel_cycles * c->gpu.sms, full = 0;
    uint32_t last = sm_array_n(&c->sm, SA_reads_per_cycle) - 1;
    for (uint32_t b = 0; b < c->sm.banks; b++) {
        uint64_t n = r->arrays[SA_bank_reads][b] + r->arrays[SA_bank_writes][b];
        most = n > most ? n : most;
    }
    for (uint32_t i = 1; i <= last; i++)
        full += hist[i];
    fprintf(to, "\nregisters  %llu read%s, %llu write%s, %.1f%% of reads waited for their bank\n",
            (unsigned long long)s[SS_reg_reads], cli_s(s[SS_reg_reads]), (unsigned long long)s[SS_reg_writes],
            cli_s(s[SS_reg_writes]), share(s[SS_bank_conflict], s[SS_reg_reads]));
    fprintf(to,
            "           an SM reads %.2f of at most %u a cycle (%.2f in cycles that read any); busiest bank "
            "%.1f%%\n",
            sm_cycles ? (double)s[SS_reg_reads] / (double)sm_cycles : 0, last,
            full ? (double)s[SS_reg_reads] / (double)full : 0, share(most, sm_cycles * c->sm.partitions));
    fprintf(to, "issue      coefficient of variation over the partitions of an SM %.3f\n",
            gpu_issue_cov(c, r));
}

static void print_memory(const struct gpu_result *r, const struct gpu_conf *c, FILE *to)
{
    const uint64_t *s = r->sm, *m = r->mem;
    uint64_t sm_cycles = r->kernel_cycles * c->gpu.sms;
    fprintf(to, "L1         %llu sector%s read, %.1f%% hit", (unsigned long long)s[SS_l1_reads],
            cli_s(s[SS_l1_reads]), share(s[SS_l1_read_hits], s[SS_l1_reads]));
    if (s[SS_loads_done])
        fprintf(to, ", a load takes %.0f cycles, %.1f of %u misses in flight",
                (double)s[SS_load_cycles] / (double)s[SS_loads_done],
                sm_cycles ? (double)s[SS_mshr_cycles] / (double)sm_cycles : 0, c->sm.l1_mshrs);
    if (s[SS_bypass_uses])
        fprintf(to, ", %.1f of %u beside it", (double)s[SS_bypass_cycles] / (double)sm_cycles,
                c->sm.bypass_mshrs);
    uint64_t found = m[MS_l2_read_hits] + m[MS_l2_read_merged];
    fprintf(to,
            "\nL2         %llu sector%s read: %.1f%% hit, %.1f%% merged with one on its way from DRAM, "
            "%.1f%% missed\n",
            (unsigned long long)m[MS_l2_reads], cli_s(m[MS_l2_reads]),
            share(m[MS_l2_read_hits], m[MS_l2_reads]), share(m[MS_l2_read_merged], m[MS_l2_reads]),
            share(m[MS_l2_reads] > found ? m[MS_l2_reads] - found : 0, m[MS_l2_reads]));
    uint64_t rows = m[MS_dram_row_hits] + m[MS_dram_row_opens] + m[MS_dram_row_conflicts];
    uint64_t sectors = m[MS_dram_reads] + m[MS_dram_writes];
    fprintf(to, "DRAM       %llu sector%s, %.1f%% of accesses to an open row\n", (unsigned long long)sectors,
            cli_s(sectors), share(m[MS_dram_row_hits], rows));
    fprintf(to, "shared     %llu access%s, %llu cycle%s lost to conflicts\n",
            (unsigned long long)s[SS_shared_accesses], cli_es(s[SS_shared_accesses]),
            (unsigned long long)s[SS_shared_conflicts], cli_s(s[SS_shared_conflicts]));
    if (r->sm[SS_split_reg_b])
        fprintf(to,
                "division   %.1f KB of registers, %.1f of shared memory, %.1f of L1; up to %llu threads\n",
                (double)r->sm[SS_split_reg_b] / 1024, (double)r->sm[SS_split_shared_b] / 1024,
                (double)r->sm[SS_split_cache_b] / 1024, (unsigned long long)r->sm[SS_split_threads]);
}

void run_print(const struct run_story *s, FILE *to)
{
    const struct gpu_result *r = s->result;
    double insts = (double)r->sm[SS_warp_insts];
    struct arena a = {0};
    fprintf(to, "%s on %s%s%s%s%s\n", s->trace, s->gpu, s->mechs ? " with " : "", s->mechs ? s->mechs : "",
            whole_code(&a, s->reader), tr_partial(s->reader) ? " (the trace is partial)" : "");
    arena_free(&a);
    fprintf(to, "%llu kernel cycle%s, %.0f warp instruction%s, IPC %.3f (%.3f per SM)\n",
            (unsigned long long)r->kernel_cycles, cli_s(r->kernel_cycles), insts, cli_s(r->sm[SS_warp_insts]),
            gpu_ipc(r), gpu_ipc(r) / s->conf->gpu.sms);
    if (r->sample[SAM_insts])
        fprintf(to,
                "estimate: %llu +- %llu kernel cycles (95%%), from %.1f%% of the instructions: %llu of %u "
                "launch%s, in %llu "
                "group%s\n",
                (unsigned long long)r->kernel_cycles, (unsigned long long)r->sample[SAM_cycles_pm],
                100.0 * (double)r->sample[SAM_insts] / insts, (unsigned long long)r->sample[SAM_launches],
                r->kernels.n, cli_es(r->kernels.n), (unsigned long long)r->sample[SAM_strata],
                cli_s(r->sample[SAM_strata]));
    if (r->cycles != r->kernel_cycles)
        fprintf(to, "%llu cycle%s with the %llu in which no kernel runs (launch latency)\n",
                (unsigned long long)r->cycles, cli_s(r->cycles),
                (unsigned long long)(r->cycles - r->kernel_cycles));
    print_kernels(s, to);
    run_print_occupancy(s, to);
    print_causes(r, to);
    run_print_light(s, to);
    print_registers(r, s->conf, to);
    print_memory(r, s->conf, to);
    run_print_energy(s, to);
    advice_print(s, to);
    if (s->checked)
        fprintf(
            to,
            "\ncheck      every operand was the one that the program's order says: %llu comparison%s, %llu "
            "line%s of memory in order\n",
            (unsigned long long)r->checked.operands, cli_s(r->checked.operands),
            (unsigned long long)r->checked.lines, cli_s(r->checked.lines));
    fprintf(to, "\nsimulated in %.2f s: %.2f million warp instructions per second, %u thread%s, %.0f MiB\n",
            r->seconds, r->seconds > 0 ? insts / r->seconds * 1e-6 : 0, s->threads, cli_s(s->threads),
            run_peak_rss_mb());
}
