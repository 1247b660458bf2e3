/* SPDX-License-Identifier: Apache-2.0 */
/* One warp's instructions as they came: pc, active lanes, text, value classes, addresses. */
#include "cli/cli.h"
#include "cli/inspect_trace.h"

#include <inttypes.h>

static void print_values(const struct tr_insn *i, const struct tr_step *s)
{
    unsigned w = 0;
    for (unsigned d = 0; d < i->ndst; d++) {
        for (unsigned k = 0; i->dst[d].kind == TO_REG && k < i->dst[d].n && w < sizeof s->values; k++, w++)
            printf("%s%s", w ? "," : "  =", s->values[w] < TV_COUNT ? trace_value_names[s->values[w]] : "?");
    }
}

static void print_addresses(const struct tr_addr *a, uint32_t mask)
{
    uint64_t addr[TR_LANES] = {0};
    unsigned first = (unsigned)__builtin_ctz(mask);
    printf("  %s", trace_space_name(a->space));
    tr_expand(a, mask, addr);
    if (a->form == TF_STRIDE) {
        printf("[0x%" PRIx64 "]", addr[first]);
        if (a->stride)
            printf("%+" PRId64 "/lane", a->stride);
        return;
    }
    for (uint32_t m = mask; m; m &= m - 1)
        printf("%s0x%" PRIx64, m == mask ? "[" : " ", addr[__builtin_ctz(m)]);
    putchar(']');
}

/* What another unit is asked to do. */
static void print_params(const struct tr_insn *i, const struct tr_step *s)
{
    uint64_t v[TR_LANES];
    tr_params(i, s, v);
    for (unsigned k = 0; k < i->nparam; k++)
        printf("%s0x%" PRIx64, k ? " " : "  (", v[k]);
    putchar(')');
}

/* Counts, bytes or parities of the lanes of a barrier object. */
static void print_brought(const struct tr_addr *a, uint32_t mask)
{
    uint64_t v[TR_LANES] = {0};
    bool same = a->form == TF_STRIDE && !a->stride;
    tr_expand(a, mask, v);
    printf("  each");
    for (uint32_t m = same ? mask & -mask : mask; m; m &= m - 1)
        printf(" %" PRIu64, v[__builtin_ctz(m)]);
}

static void print_step(const struct tr_kernel *k, const struct tr_step *s)
{
    const struct tr_insn *i = &k->insns[s->at];
    printf("/*%04x*/ %08x ", i->pc, s->mask);
    tr_insn_print(stdout, i);
    if (s->mask) {
        print_values(i, s);
        bool object = i->cls == TC_MBAR;
        for (unsigned n = 0; n < i->naddr && n < (object ? 1 : 2); n++)
            print_addresses(&s->addr[n], s->mask);
        if (object && i->naddr == 2)
            print_brought(&s->addr[1], s->mask);
        if (i->nparam)
            print_params(i, s);
    }
    putchar('\n');
}

int inspect_stream(struct tr_reader *r, uint32_t launch, uint32_t cta, uint32_t warp)
{
    const struct tr_kernel *k = tr_kernel(r, tr_launch(r, launch)->l.kernel);
    struct diag d = {0};
    struct tr_cta *c = tr_open_cta(r, launch, cta, &d);
    int status = CLI_OK;
    if (c) {
        struct tr_step s;
        enum tr_status st;
        while ((st = tr_next(c, warp, &s)) == TR_STEP)
            print_step(k, &s);
        if (st == TR_BAD)
            status = cli_error("launch %u, CTA %u, warp %u: %s", launch, cta, warp, tr_cta_error(c));
        tr_close_cta(c);
    } else {
        diag_print(&d, stderr);
        status = CLI_USAGE;
    }
    diag_free(&d);
    return status;
}
