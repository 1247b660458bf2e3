/* SPDX-License-Identifier: Apache-2.0 */
/* Regions for staged operands (annotate/regions.h), kernel by kernel: the code with what each region brings, and where
 * registers are given up, and how many are live after each instruction; then how large the regions are. Limits are those of the
 * thesis: 8 banks of 16 lines, 32 registers a region. */
#include "annotate/regions.h"
#include "cli/cli.h"
#include "cli/inspect_trace.h"
#include "cli/shown.h"

#include <math.h>

static const struct region_limits limits = {.banks = 8, .lines = 16, .most = 32};

/* " what R1 R2"; those of `marked` with an exclamation mark. */
static void print_set(const char *what, regset s, const regset *marked)
{
    if (regset_empty(&s))
        return;
    printf("%s", what);
    while (!regset_empty(&s)) {
        uint8_t r = regset_take(&s);
        printf(" R%u%s", r, marked && regset_has(marked, r) ? "!" : "");
    }
}

/* Of a region: registers that are dead after their last access in it. */
static regset dead_after(const struct regions *r, const struct region *g)
{
    regset s = {{0}};
    for (uint32_t i = g->start; i < g->start + g->n; i++)
        s = regset_or(&s, &r->insns[i].dead);
    return s;
}

static void print_region(const struct regions *r, uint32_t n)
{
    const struct region *g = &r->at[n];
    regset dead = dead_after(r, g);
    printf("region %u: %u instruction%s, %u word%s, %u register%s, by bank", n, g->n, cli_s(g->n), g->words,
           cli_s(g->words), g->most, cli_s(g->most));
    for (uint32_t b = 0; b < r->banks; b++)
        printf(" %u", g->need[b]);
    print_set("; preload", g->preload, &dead);
    print_set("; invalidate", g->invalidate, NULL);
    putchar('\n');
}

static void print_insn(const struct tr_kernel *k, const struct regions *r, uint32_t n)
{
    const struct region_insn *x = &r->insns[n];
    printf("  /*%04x*/ %3u  ", k->insns[n].pc, regset_count(&r->live[n]));
    tr_insn_print(stdout, &k->insns[n]);
    if (r->of[n] != REGION_NONE) {
        print_set("  soft", x->soft, NULL);
        print_set("  evict", regset_without(&x->last, &x->dead), NULL);
        print_set("  erase", x->dead, NULL);
    }
    putchar('\n');
}

static void print_sums(const struct tr_kernel *k, const struct regions *r)
{
    double n = r->n ? r->n : 1, insns = 0, preloads = 0, most = 0, squares = 0, words = 0;
    for (uint32_t i = 0; i < k->n; i++)
        insns += k->insns[i].cls != TC_CONVERGE;
    for (uint32_t i = 0; i < r->n; i++) {
        const struct region *g = &r->at[i];
        preloads += regset_count(&g->preload);
        words += g->words;
        most += g->most;
        squares += (double)g->most * g->most;
    }
    double mean = most / n, var = squares / n - mean * mean;
    printf("regions %u, instructions %.0f, per region %.2f, preloads %.2f, registers %.2f deviation %.2f, "
           "metadata words %.0f\n",
           r->n, insns, insns / n, preloads / n, mean, sqrt(var > 0 ? var : 0), words);
}

static void print_kernel(const struct tr_kernel *k, const struct regions *r)
{
    char name[1024];
    printf("%s\n", shown_kernel(name, sizeof name, k->name));
    for (uint32_t b = 0; b < k->nblocks; b++) {
        const struct tr_block *bl = &k->blocks[b];
        printf("B%u:\n", b);
        for (uint32_t i = bl->start; i < bl->start + bl->n; i++) {
            if (r->of[i] != REGION_NONE && r->at[r->of[i]].start == i)
                print_region(r, r->of[i]);
            print_insn(k, r, i);
        }
    }
    print_sums(k, r);
}

int inspect_regions(struct tr_reader *r, uint32_t launch)
{
    for (uint32_t k = 0; k < tr_nkernels(r); k++) {
        if (launch != UINT32_MAX && tr_launch(r, launch)->l.kernel != k)
            continue;
        struct regions *g = regions_new(tr_kernel(r, k), &limits);
        print_kernel(tr_kernel(r, k), g);
        regions_free(g);
    }
    return CLI_OK;
}
