/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot inspect --interwarp (thesis, Fig. 3.5): how many load requests would be left if each could be merged with one of the
 * last 0 to 128 that were not. The requests of an SM are those of the warps that it holds at a time, each warp one load after the
 * other in turn; CTAs are dealt to SMs one by one, as on the figure's machine (Table 3.2). */
#include "cli/cli.h"
#include "cli/inspect_trace.h"
#include "cli/shown.h"
#include "trace/trace.h"

#include <inttypes.h>

enum { SMS = 15, SM_WARPS = 48, SM_CTAS = 8, LINE = 128, WINDOWS = 9, WINDOW_MAX = 128, LANE_LINES = 2 };
static const uint32_t sizes[WINDOWS] = {0, 1, 2, 4, 8, 16, 32, 64, WINDOW_MAX};

/* The lines that were asked for last, each under the windows of one size. */
struct window {
    uint64_t line[WINDOW_MAX];
    uint32_t n, next;
};

struct counts {
    uint64_t loads, lanes, requests, left[WINDOWS];
};

struct pass {
    struct tr_reader *r;
    uint32_t launch;
    const struct tr_kernel *k;
    struct window windows[WINDOWS];
    struct counts c;
};

static bool merged(struct window *w, uint32_t size, uint64_t line)
{
    for (uint32_t i = 0; i < w->n; i++)
        if (w->line[i] == line)
            return true;
    if (!size)
        return false;
    w->line[w->next] = line;
    w->n = w->n < size ? w->n + 1 : size;
    w->next = (w->next + 1) % size;
    return false;
}

static void request(struct pass *p, uint64_t line)
{
    p->c.requests++;
    for (uint32_t i = 0; i < WINDOWS; i++)
        p->c.left[i] += !merged(&p->windows[i], sizes[i], line);
}

/* Lines of one load, each once, in the order of the lanes. */
static void load(struct pass *p, const struct tr_addr *a, uint32_t mask, uint32_t width)
{
    uint64_t addr[TR_LANES], lines[TR_LANES * LANE_LINES];
    uint32_t n = 0;
    tr_expand(a, mask, addr);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t first = addr[__builtin_ctz(m)] / LINE, last = (addr[__builtin_ctz(m)] + width - 1) / LINE;
        for (uint32_t k = 0; k < (first == last ? 1u : LANE_LINES); k++) {
            uint64_t line = k ? last : first;
            uint32_t i = 0;
            while (i < n && lines[i] != line)
                i++;
            if (i == n)
                lines[n++] = line;
        }
    }
    p->c.loads++;
    p->c.lanes += (uint64_t)__builtin_popcount(mask);
    for (uint32_t i = 0; i < n; i++)
        request(p, lines[i]);
}

/* The warp's next load from global memory. TR_STEP: there was one. */
static enum tr_status next_load(struct pass *p, struct tr_cta *c, uint32_t warp)
{
    struct tr_step s;
    enum tr_status st;
    while ((st = tr_next(c, warp, &s)) == TR_STEP) {
        const struct tr_insn *i = &p->k->insns[s.at];
        if (!s.mask || !(i->mem & TM_LOAD) || i->mem & TM_ATOMIC)
            continue;
        bool any = false;
        for (uint32_t n = 0; n < i->naddr && n < 2; n++) {
            if (s.addr[n].form == TF_NONE || s.addr[n].space != SPACE_GLOBAL)
                continue;
            load(p, &s.addr[n], s.mask, i->width_b ? i->width_b : 4);
            any = true;
        }
        if (any)
            return TR_STEP;
    }
    return st;
}

/* CTAs that are on an SM together. False: a stream is damaged. */
static bool group(struct pass *p, struct tr_cta **ctas, uint32_t n, uint32_t warps)
{
    uint64_t live[SM_CTAS * TR_WARPS / 64 + 1];
    uint32_t all = n * warps, left = all;
    memset(live, 0xff, sizeof live);
    memset(p->windows, 0, sizeof p->windows);
    while (left) {
        for (uint32_t w = 0; w < all; w++) {
            if (!(live[w / 64] >> w % 64 & 1))
                continue;
            enum tr_status st = next_load(p, ctas[w / warps], w % warps);
            if (st == TR_BAD) {
                cli_error("launch %u: %s", p->launch, tr_cta_error(ctas[w / warps]));
                return false;
            }
            if (st == TR_END) {
                live[w / 64] &= ~(1ull << w % 64);
                left--;
            }
        }
    }
    return true;
}

static bool launch(struct pass *p)
{
    const struct tr_launch_info *l = tr_launch(p->r, p->launch);
    uint32_t fit = SM_WARPS / (l->nwarps ? l->nwarps : 1);
    fit = fit < 1 ? 1 : fit > SM_CTAS ? SM_CTAS : fit;
    bool ok = true;
    for (uint32_t sm = 0; ok && sm < SMS; sm++) {
        for (uint64_t next = sm; ok && next < l->nctas;) {
            struct tr_cta *ctas[SM_CTAS];
            struct diag d = {0};
            uint32_t n = 0;
            for (; n < fit && next < l->nctas; next += SMS) {
                if (!tr_has_cta(p->r, p->launch, (uint32_t)next))
                    continue;
                ctas[n] = tr_open_cta(p->r, p->launch, (uint32_t)next, &d);
                if (!ctas[n]) {
                    diag_print(&d, stderr);
                    ok = false;
                    break;
                }
                n++;
            }
            ok = ok && group(p, ctas, n, l->nwarps);
            while (n)
                tr_close_cta(ctas[--n]);
            diag_free(&d);
        }
    }
    return ok;
}

static void print_row(const char *name, const struct counts *c)
{
    printf("%-32s %12" PRIu64 " %12" PRIu64 " %12" PRIu64, name, c->loads, c->lanes, c->requests);
    for (uint32_t i = 0; i < WINDOWS; i++)
        printf(" %6.2f", c->requests ? 100.0 * (double)c->left[i] / (double)c->requests : 0.0);
    putchar('\n');
}

int inspect_interwarp(struct tr_reader *r, uint32_t only)
{
    struct counts all = {0};
    bool ok = true;
    printf("%-32s %12s %12s %12s", "kernel", "loads", "lanes", "requests");
    for (uint32_t i = 0; i < WINDOWS; i++) {
        char head[8];
        snprintf(head, sizeof head, "w%u", sizes[i]);
        printf(" %6s", head);
    }
    putchar('\n');
    struct counts *by = xcalloc(tr_nkernels(r) ? tr_nkernels(r) : 1, sizeof *by);
    for (uint32_t i = 0; ok && i < tr_nlaunches(r); i++) {
        if (only != UINT32_MAX && only != i)
            continue;
        struct pass *p = xcalloc(1, sizeof *p);
        uint32_t k = tr_launch(r, i)->l.kernel;
        p->r = r;
        p->launch = i;
        p->k = tr_kernel(r, k);
        ok = launch(p);
        for (struct counts *to = &by[k]; to; to = to == &all ? NULL : &all) {
            to->loads += p->c.loads;
            to->lanes += p->c.lanes;
            to->requests += p->c.requests;
            for (uint32_t w = 0; w < WINDOWS; w++)
                to->left[w] += p->c.left[w];
        }
        free(p);
    }
    for (uint32_t k = 0; ok && k < tr_nkernels(r); k++) {
        char name[1024];
        if (by[k].loads)
            print_row(shown_kernel(name, sizeof name, tr_kernel(r, k)->name), &by[k]);
    }
    if (ok) {
        print_row("all", &all);
        printf(
            "lanes: that load; requests: lines of 128 bytes that each load's lanes ask for. wN: percent of "
            "these left if a request\ncan be merged with one of the last N of its SM (%d SMs, %d warps "
            "each, which load in turn).\n",
            SMS, SM_WARPS);
    }
    free(by);
    return ok ? CLI_OK : CLI_USAGE;
}
