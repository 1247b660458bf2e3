/* SPDX-License-Identifier: Apache-2.0 */
/* The table on a terminal. */
#include "cli/view/corun.h"
#include "cli/whole.h"

#include <math.h>

double corun_speed(const struct corun_program *p)
{
    double alone = p->alone_cycles ? (double)p->alone_thread_insts / (double)p->alone_cycles : 0;
    return alone > 0 && p->cycles ? (double)p->thread_insts / (double)p->cycles / alone : 0;
}

struct corun_sums corun_sums(const struct corun_story *s)
{
    enum { NEAR_PERCENT = 1 };
    struct corun_sums o = {0};
    double least = INFINITY, greatest = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        double v = corun_speed(&s->programs[i]);
        o.stp += v;
        o.antt += 1 / v / s->n;
        least = fmin(least, v);
        greatest = fmax(greatest, v);
    }
    o.fairness = greatest > 0 ? least / greatest : 0;
    o.met = corun_speed(&s->programs[0]) >= s->target - NEAR_PERCENT / 100.0;
    return o;
}

static uint64_t counter(const struct gpu_result *r, const char *section, const char *name)
{
    const struct stat_table *t;
    const uint64_t *values;
    for (uint32_t i = 0; (t = gpu_stats(i, r, &values)); i++)
        for (uint32_t k = 0; strcmp(t->section, section) == 0 && k < t->n; k++)
            if (strcmp(t->rows[k].name, name) == 0)
                return values[k];
    return 0;
}

/* Where an SM's policy has counted what it did with its time. */
static void print_time(const struct gpu_result *r, FILE *to)
{
    static const char *const names[] = {"profile", "run", "alone", "idle"};
    static const char *const causes[] = {"launch", "lanes", "lines", "pcs", "length", "restart", "gave_up"};
    uint64_t cycles[4], all = 0;
    for (uint32_t i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s_cycles", names[i]);
        all += cycles[i] = counter(r, "scavenger", name);
    }
    if (!all)
        return;
    fprintf(to, "\nSM time   ");
    for (uint32_t i = 0; i < 4; i++)
        fprintf(to, "%s%s %.1f%%", i ? ", " : "", names[i], 100.0 * (double)cycles[i] / (double)all);
    fprintf(to, "\nprofiles  ");
    for (uint32_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "profiles_%s", causes[i]);
        fprintf(to, "%s%s %llu", i ? ", " : "", causes[i], (unsigned long long)counter(r, "scavenger", name));
    }
    fputc('\n', to);
}

void corun_print(const struct corun_story *s, FILE *to)
{
    const struct gpu_result *r = s->result;
    struct corun_sums sums = corun_sums(s);
    for (uint32_t i = 0; i < s->n; i++)
        fprintf(to, "%s%s", i ? " + " : "", s->programs[i].name);
    fprintf(to, " on %s%s%s, gpu.share = %s%s\n", s->gpu, s->mechs ? " with " : "", s->mechs ? s->mechs : "",
            s->share, r->cut ? ", cut" : "");
    for (uint32_t i = 0; i < s->n; i++) {
        const char *code = whole_code_word(s->programs[i].trace);
        if (strcmp(code, "ptx") != 0)
            fprintf(to, "%s: NVIDIA's code%s\n", s->programs[i].name,
                    strcmp(code, "both") == 0 ? " in some kernels" : "");
    }
    fprintf(to, "\n%-24s %12s %12s %14s %9s %9s %8s %6s\n", "program", "cycles", "alone", "thread insts",
            "ipc", "alone", "speed", "passes");
    for (uint32_t i = 0; i < s->n; i++) {
        const struct corun_program *p = &s->programs[i];
        double alone = p->alone_cycles ? (double)p->alone_thread_insts / (double)p->alone_cycles : 0;
        fprintf(to, "%-24.24s %12llu %12llu %14llu %9.2f %9.2f %7.1f%% %6u\n", p->name,
                (unsigned long long)p->cycles, (unsigned long long)p->alone_cycles,
                (unsigned long long)p->thread_insts,
                p->cycles ? (double)p->thread_insts / (double)p->cycles : 0, alone, 100 * corun_speed(p),
                r->tenants.at[i].passes);
    }
    fprintf(to, "\nSTP %.3f, ANTT ", sums.stp);
    if (isfinite(sums.antt))
        fprintf(to, "%.3f", sums.antt);
    else
        fputc('-', to);
    fprintf(to, ", fairness %.3f; the target of %.0f%% is %s\n", sums.fairness, 100 * s->target,
            sums.met ? "met" : "missed");
    if (r->sm[SS_ctas_parked])
        fprintf(to, "%llu CTA%s parked, %.1f MB moved\n", (unsigned long long)r->sm[SS_ctas_parked],
                cli_s(r->sm[SS_ctas_parked]), (double)r->sm[SS_switch_b] * 1e-6);
    print_time(r, to);
    if (s->checked)
        fprintf(
            to,
            "\ncheck     every operand was the one that its program's order says: %llu comparison%s, %llu "
            "line%s of memory in order\n",
            (unsigned long long)r->checked.operands, cli_s(r->checked.operands),
            (unsigned long long)r->checked.lines, cli_s(r->checked.lines));
}
