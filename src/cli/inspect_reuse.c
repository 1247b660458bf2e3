/* SPDX-License-Identifier: Apache-2.0 */
/* Reuse distances of a trace's register operands, kernel by kernel: the static code with a bit, votes and the mean distance for
 * each operand, and how far reads are from the access before. */
#include "annotate/reuse.h"
#include "cli/cli.h"
#include "cli/inspect_trace.h"
#include "cli/shown.h"

#include <inttypes.h>

static void print_opnd(const struct tr_opnd *o, const struct reuse_opnd *u, bool dst)
{
    if (o->kind != TO_REG)
        return;
    printf("      %s R%u", dst ? "to  " : "from", o->val);
    if (o->n > 1)
        printf("-%u", o->val + o->n - 1u);
    if (!u->near && !u->far) {
        printf("  not executed\n");
        return;
    }
    printf("  %s  near %" PRIu64 ", far %" PRIu64, reuse_is_near(u) ? "near" : "far", u->near, u->far);
    if (u->reused)
        printf("; read again %" PRIu64 ", %.1f instructions later", u->reused,
               (double)u->dist / (double)u->reused);
    putchar('\n');
}

static void print_kernel(const struct tr_kernel *k, const struct reuse *u)
{
    uint64_t reads = 0, sum = 0;
    char name[1024];
    printf("%s: %" PRIu64 " of %" PRIu64 " warp%s\n", shown_kernel(name, sizeof name, k->name), u->warps,
           u->of, cli_s(u->of));
    for (uint32_t n = 0; n < k->n; n++) {
        const struct tr_insn *i = &k->insns[n];
        printf("/*%04x*/ ", i->pc);
        tr_insn_print(stdout, i);
        putchar('\n');
        for (uint32_t j = 0; j < i->ndst; j++)
            print_opnd(&i->dst[j], &u->insns[n].dst[j], true);
        for (uint32_t j = 0; j < i->nsrc; j++)
            print_opnd(&i->src[j], &u->insns[n].src[j], false);
    }
    for (uint32_t i = 0; i < REUSE_HIST; i++)
        reads += u->hist[i];
    printf("reads by distance from the access before: %" PRIu64 "; values not read again: %" PRIu64 "\n",
           reads, u->unused);
    for (uint32_t i = 0; i < REUSE_HIST; i++) {
        sum += u->hist[i];
        if (u->hist[i])
            printf("  %s%2u %14" PRIu64 " %7.2f%% %7.2f%%\n", i == REUSE_HIST - 1 ? ">" : " ",
                   i == REUSE_HIST - 1 ? i : i + 1, u->hist[i], 100.0 * (double)u->hist[i] / (double)reads,
                   100.0 * (double)sum / (double)reads);
    }
}

int inspect_reuse(struct tr_reader *r, uint32_t launch, const char *share, uint32_t near)
{
    char *end = NULL;
    double percent = share ? strtod(share, &end) : 100;
    struct diag d = {0};
    bool ok = true;
    if (share && (end == share || *end || !(percent >= 0 && percent <= 100)))
        return cli_error("--share %s: expected a percentage, 0 to 100", share);
    for (uint32_t k = 0; ok && k < tr_nkernels(r); k++) {
        struct reuse u;
        if (launch != UINT32_MAX && tr_launch(r, launch)->l.kernel != k)
            continue;
        ok = reuse_profile(r, k, percent / 100, near, &u, &d);
        if (ok)
            print_kernel(tr_kernel(r, k), &u);
        reuse_free(&u);
    }
    diag_print(&d, stderr);
    diag_free(&d);
    return ok ? CLI_OK : CLI_USAGE;
}
