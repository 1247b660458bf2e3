/* SPDX-License-Identifier: Apache-2.0 */
/* The profile on a terminal: the source lines and the instructions with the most cycles, then the code of every kernel with its
 * numbers beside it. */
#include "cli/cli.h"
#include "cli/shown.h"
#include "cli/watch/profile.h"

enum { HOTTEST = 20, TEXT = 46, LINE = 70, REASONS = 3 };

struct spot {
    uint32_t kernel, insn;
    uint64_t cycles;
};

static int by_cycles(const void *x, const void *y)
{
    const struct spot *a = x, *b = y;
    if (a->cycles != b->cycles)
        return a->cycles < b->cycles ? 1 : -1;
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    return a->insn < b->insn ? -1 : a->insn > b->insn;
}

/* The largest causes of waiting, each with its share of the instruction's cycles. */
static void print_reasons(const struct sm_charged *r, uint64_t cycles, FILE *to)
{
    bool used[SM_CAUSES] = {[0] = true}; /* issued is no reason */
    for (uint32_t n = 0; n < REASONS; n++) {
        uint32_t most = 0;
        for (uint32_t i = 1; i < SM_CAUSES; i++)
            if (!used[i] && r->causes[i] > (most ? r->causes[most] : 0))
                most = i;
        if (!most || r->causes[most] * 20 < cycles) /* 5% */
            break;
        used[most] = true;
        fprintf(to, "%s%s %.0f%%", n ? ", " : "  ", sm_stats.rows[SS_issued + most].name + strlen("stall_"),
                100.0 * (double)r->causes[most] / (double)cycles);
    }
}

static double share(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_numbers(const struct sm_charged *r, uint64_t total, FILE *to)
{
    uint64_t cycles = profile_cycles(r), issued = r->causes[0];
    if (cycles)
        fprintf(to, "%6.2f%% %12llu", share(cycles, total), (unsigned long long)issued);
    else
        fprintf(to, "%7s %12s", "", "");
    if (issued)
        fprintf(to, " %5.1f", (double)r->lanes / (double)issued);
    else
        fprintf(to, " %5s", "");
    if (r->bank_conflicts || r->shared_conflicts)
        fprintf(to, " %10llu %10llu", (unsigned long long)r->bank_conflicts,
                (unsigned long long)r->shared_conflicts);
    else
        fprintf(to, " %10s %10s", "", "");
}

static void print_row(struct profile *p, uint32_t kernel, uint32_t insn, uint64_t total, bool listing,
                      FILE *to)
{
    const struct sm_charged *r = profile_at(p, kernel, insn);
    uint64_t cycles = profile_cycles(r);
    char text[256];
    print_numbers(r, total, to);
    fprintf(to, "  %5u  %-*.*s", insn, TEXT, TEXT,
            shown_text(text, sizeof text, profile_text(p, kernel, insn)));
    if (cycles)
        print_reasons(r, cycles, to);
    if (!listing)
        fprintf(to, "  (%.40s)", shown_kernel(text, sizeof text, tr_kernel(profile_trace(p), kernel)->name));
    fputc('\n', to);
}

static void print_heads(const char *place, int width, const char *what, FILE *to)
{
    fprintf(to, "%7s %12s %5s %10s %10s  %5s  %-*s  %s\n", "cycles", "issued", "lanes", "bank confl",
            "shared c.", place, width, what, "of its cycles it waited for");
}

static void print_lines(struct profile *p, uint64_t total, FILE *to)
{
    struct profile_lines l = profile_by_line(p);
    char text[256];
    if (l.rows.n) {
        fprintf(to, "\nhottest lines");
        if (l.files == 1)
            fprintf(to, " of %s",
                    shown_text(text, sizeof text, tr_kernel(profile_trace(p), l.rows.at[0].kernel)->file));
        fputc('\n', to);
        print_heads("line", LINE, "source", to);
    }
    for (uint32_t i = 0; i < l.rows.n && i < HOTTEST; i++) {
        const struct profile_line *r = &l.rows.at[i];
        print_numbers(&r->sum, total, to);
        shown_text(text, sizeof text, profile_source(p, r->kernel, r->line));
        fprintf(to, "  %5u  %-*.*s", r->line, LINE, LINE, text);
        print_reasons(&r->sum, r->cycles, to);
        if (l.files > 1)
            fprintf(to, "  (%.80s)",
                    shown_text(text, sizeof text, tr_kernel(profile_trace(p), r->kernel)->file));
        fputc('\n', to);
    }
    vec_free(&l.rows);
}

static void print_hottest(struct profile *p, uint64_t total, FILE *to)
{
    VEC(struct spot) all = {0};
    struct tr_reader *t = profile_trace(p);
    for (uint32_t k = 0; k < tr_nkernels(t); k++) {
        for (uint32_t i = 0; i < tr_kernel(t, k)->n; i++) {
            uint64_t cycles = profile_cycles(profile_at(p, k, i));
            if (cycles)
                vec_push(&all, (struct spot){k, i, cycles});
        }
    }
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_cycles);
    fprintf(to, "\nhottest instructions\n");
    print_heads("at", TEXT, "instruction", to);
    for (uint32_t i = 0; i < all.n && i < HOTTEST; i++)
        print_row(p, all.at[i].kernel, all.at[i].insn, total, false, to);
    vec_free(&all);
}

/* Code with numbers; a line of the source before what was made of it. */
static void print_kernel(struct profile *p, uint32_t k, uint64_t total, FILE *to)
{
    const struct tr_kernel *t = tr_kernel(profile_trace(p), k);
    char name[256];
    uint32_t line = 0;
    fprintf(to, "\nkernel %s: %.2f%% of the cycles", shown_kernel(name, sizeof name, t->name),
            share(profile_kernel_cycles(p, k), total));
    if (*t->file)
        fprintf(to, ", lines of %s", shown_text(name, sizeof name, t->file));
    fputc('\n', to);
    print_heads("at", TEXT, "instruction", to);
    for (uint32_t i = 0; i < t->n; i++) {
        const char *source = t->insns[i].line != line ? profile_source(p, k, t->insns[i].line) : "";
        if (*source)
            fprintf(to, "%*s; %u: %.90s\n", 50, "", t->insns[i].line, shown_text(name, sizeof name, source));
        line = t->insns[i].line;
        print_row(p, k, i, total, true, to);
    }
}

void profile_print(struct profile *p, FILE *to)
{
    uint64_t total = 0;
    for (uint32_t k = 0; k < tr_nkernels(profile_trace(p)); k++)
        total += profile_kernel_cycles(p, k);
    fprintf(to, "\nprofile: %llu scheduler cycle%s with a warp, %llu without\n", (unsigned long long)total,
            cli_s(total), (unsigned long long)profile_cycles(profile_nowhere(p)));
    print_lines(p, total, to);
    print_hottest(p, total, to);
    for (uint32_t k = 0; k < tr_nkernels(profile_trace(p)); k++)
        if (profile_kernel_cycles(p, k))
            print_kernel(p, k, total, to);
}
