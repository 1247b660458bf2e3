/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/view/advice.h"

#include "base/demangle.h"
#include "cli/shown.h"
#include "cli/watch/census.h"
#include "gpu/occupancy.h"

#include <stdarg.h>

/* What the rules know of a run. Shares are of the scheduler cycles while kernels ran. */
struct scene {
    const struct run_story *s;
    const struct census *census;
    advice_list *out;
    uint64_t *cycles;                  /* by kernel: of its launches */
    uint64_t all_cycles, *issues, all; /* warp instructions, by kernel and together */
    double waits, memory, present;     /* for results; of these from memory; a warp was there */
    double collectors;                 /* operands on their way, or waiting for their banks */
};

static double share_of(const struct gpu_result *r, uint64_t n)
{
    uint64_t all = r->sm[SS_cycles] - r->sm[SS_stall_launch];
    return all ? (double)n / (double)all : 0;
}

/* A kernel's part of the run's cycles. */
static double weight(const struct scene *x, uint32_t kernel)
{
    return x->all_cycles ? (double)x->cycles[kernel] / (double)x->all_cycles : 0;
}

__attribute__((format(printf, 6, 7))) static void say(struct scene *x, const char *rule, uint32_t kernel,
                                                      uint32_t line, double gain, const char *what, ...)
{
    struct advice a = {.rule = rule, .kernel = kernel, .line = line, .gain = gain < 1 ? gain : 1};
    va_list args;
    va_start(args, what);
    vsnprintf(a.what, sizeof a.what, what, args);
    va_end(args);
    if (gain >= 0.01)
        vec_push(x->out, a);
}

static void hint(struct scene *x, uint32_t had, const char *text)
{
    if (x->out->n > had)
        snprintf(x->out->at[x->out->n - 1].hint, sizeof x->out->at->hint, "%s", text);
}

/* ---- CTAs ---- */

/* Of the launch of a kernel that took most cycles. */
static void look_at_launch(struct scene *x, const struct occupancy_of *of, const struct gpu_kernel_result *k)
{
    const struct gpu_conf *c = x->s->conf;
    uint32_t kernel = tr_launch(x->s->reader, k->launch)->l.kernel, had = x->out->n;
    struct occupancy_ask ask = occupancy_of_launch(x->s->reader, k->launch);
    struct occupancy o = occupancy_get(of, &ask);
    double w = weight(x, kernel),
           whole = o.waves > 1 ? (double)(uint64_t)o.waves + (o.waves > (double)(uint64_t)o.waves) : 1;
    if (!o.ctas)
        return;
    if (o.idle_sms) {
        say(x, "idle_sms", kernel, 0, w * o.idle_sms / c->gpu.sms,
            "%llu CTA%s for %u SMs: %u have nothing to do", (unsigned long long)ask.ctas, cli_s(ask.ctas),
            c->gpu.sms, o.idle_sms);
        hint(x, had, "more CTAs, with fewer threads or less work each");
        return;
    }
    if (o.waves > 1) {
        say(x, "tail", kernel, 0, w * (whole - o.waves) / whole,
            "%.2f waves of CTAs: the last one fills %.0f%% of the places", o.waves,
            100.0 * (double)o.last / ((double)o.ctas * c->gpu.sms));
        hint(x, had, "a grid that fills whole waves, or CTAs that take several pieces of work in a loop");
    }
    double lacks = 1 - (double)o.warps / o.slots;
    if (lacks < 0.5)
        return;
    char by[128] = "";
    for (uint32_t i = 0; i < OCC_LIMITS; i++)
        if (o.limits >> i & 1)
            snprintf(by + strlen(by), sizeof by - strlen(by), "%s%s", *by ? ", " : "",
                     occupancy_limits[i].name);
    had = x->out->n;
    say(x, "occupancy", kernel, 0, w * (x->waits < lacks ? x->waits : lacks),
        "%u of %u warps fit an SM (limited by %s) while schedulers wait for results in %.0f%% of the cycles",
        o.warps, o.slots, by, 100 * x->waits);
    hint(x, had,
         "fewer registers or less shared memory for each CTA, another size of CTAs, or more independent work "
         "in a thread");
}

static void look_at_launches(struct scene *x)
{
    const struct gpu_result *r = x->s->result;
    uint32_t n = tr_nkernels(x->s->reader);
    const struct gpu_kernel_result **longest = xcalloc(n + 1u, sizeof(void *));
    struct occupancy_of *of = occupancy_open(x->s->conf);
    vec_each (&r->kernels, k) {
        uint32_t kernel = tr_launch(x->s->reader, k->launch)->l.kernel;
        if (!longest[kernel] || gpu_kernel_cycles(k) > gpu_kernel_cycles(longest[kernel]))
            longest[kernel] = k;
    }
    for (uint32_t i = 0; i < n; i++)
        if (longest[i])
            look_at_launch(x, of, longest[i]);
    occupancy_close(of);
    free(longest);
}

/* ---- code ---- */

/* What the instructions of a source line add up to; `at` is one of them. */
struct line {
    uint32_t line, at;
    uint64_t issues, lanes, sectors, needed, passes, passes_needed, divisions, local;
    bool floats; /* the divisions */
};
typedef VEC(struct line) lines;

static bool has(const char *text, const char *part) { return text && strstr(text, part); }

/* The first step of an integer division by a variable is a reciprocal, rounded up, of the divisor; of one of floating-point
 * numbers the check whether the fast way will do, or the high half of a reciprocal. */
static bool divides(const struct tr_insn *i, bool *floats)
{
    *floats = has(i->text, "FCHK") || has(i->text, "RCP64H");
    return *floats || (has(i->text, "I2F") && has(i->text, ".RP"));
}

static void add_insn(lines *all, const struct tr_insn *i, const struct insn_stats *n, uint32_t at)
{
    uint32_t k = 0;
    bool floats;
    while (k < all->n && all->at[k].line != i->line)
        k++;
    if (k == all->n)
        vec_push(all, ((struct line){.line = i->line, .at = at}));
    struct line *l = &all->at[k];
    l->issues += n->issues;
    l->lanes += n->lanes;
    l->sectors += n->sectors;
    l->needed += n->needed;
    l->passes += n->passes;
    l->passes_needed += n->passes_needed;
    l->local += i->cls == TC_LDL || i->cls == TC_STL || i->space == SPACE_LOCAL ? n->requests : 0;
    if (divides(i, &floats)) {
        l->divisions += n->issues;
        l->floats |= floats;
    }
}

/* Sums that a line's are a share of. */
struct sums {
    uint64_t sectors, local;
    double sm_cycles; /* of the SMs that had work, in which shared memory could have been accessed */
};

static void look_at_line(struct scene *x, uint32_t kernel, const struct line *l, const struct sums *all)
{
    uint32_t had = x->out->n;
    if (l->sectors > l->needed + l->needed / 2 && all->sectors) {
        say(x, "uncoalesced", kernel, l->line,
            x->memory * (double)(l->sectors - l->needed) / (double)all->sectors,
            "accesses touch %.1f times the sectors that their bytes need",
            (double)l->sectors / (double)l->needed);
        hint(x, had, "neighbouring threads on neighbouring addresses, or a tile of shared memory between");
    }
    had = x->out->n;
    if (l->passes > l->passes_needed && all->sm_cycles > 0) {
        say(x, "shared_conflicts", kernel, l->line, (double)(l->passes - l->passes_needed) / all->sm_cycles,
            "accesses to shared memory take %.1f times the cycles that they need: words in one bank",
            (double)l->passes / (double)l->passes_needed);
        hint(x, had, "a column more in the array's rows, or indices exchanged by exclusive or");
    }
    had = x->out->n;
    double part = x->all ? (double)l->issues / (double)x->all : 0;
    if (l->divisions) {
        say(x, "division", kernel, l->line, x->present * part,
            "%s by a variable: %.0f%% of all instructions belong to this line",
            l->floats ? "a division of floating-point numbers" : "an integer division or remainder",
            100 * part);
        hint(x, had,
             l->floats
                 ? "a product with the reciprocal, __fdividef, or -use_fast_math where its error is allowed"
                 : "a power of two, a constant, or a multiplier computed once on the host");
    }
}

static void look_at_local(struct scene *x, uint32_t kernel, const lines *all, const struct sums *sums)
{
    const struct tr_kernel *k = tr_kernel(x->s->reader, kernel);
    const struct line *most = NULL;
    uint64_t n = 0;
    vec_each (all, l) {
        n += l->local;
        most = l->local && (!most || l->local > most->local) ? l : most;
    }
    if (!most || !sums->local)
        return;
    uint32_t had = x->out->n;
    double part = x->all ? (double)n / (double)x->all : 0, gain = x->memory < part * 4 ? x->memory : part * 4;
    if (k->spill_insns) {
        say(x, "spills", kernel, most->line, gain,
            "%u instructions of the code move registers to local memory and back: %.1f%% of all executed",
            k->spill_insns, 100 * part);
        hint(x, had,
             "more registers for a thread (launch bounds, --max-regs), or less that is live at a time");
    } else {
        say(x, "local_memory", kernel, most->line, gain,
            "local memory is accessed by %.1f%% of all instructions: an array that is indexed by a variable",
            100 * part);
        hint(x, had, "indices that are known when loops are unrolled, or shared memory");
    }
}

static void look_at_divergence(struct scene *x, uint32_t kernel)
{
    const struct insn_stats *rows = x->census->rows[kernel];
    uint64_t issues = 0, lanes = 0;
    uint32_t had = x->out->n;
    for (uint32_t i = 0; i < tr_kernel(x->s->reader, kernel)->n; i++) {
        issues += rows[i].issues;
        lanes += rows[i].lanes;
    }
    double mean = issues ? (double)lanes / (double)issues : TR_LANES;
    if (mean >= 24)
        return;
    say(x, "divergence", kernel, 0, weight(x, kernel) * x->present * (1 - mean / TR_LANES),
        "%.1f of 32 lanes are active on average", mean);
    hint(x, had,
         "threads of a warp on the same path: work sorted by kind, or CTAs of a multiple of 32 threads");
}

static void look_at_code(struct scene *x)
{
    const struct gpu_conf *c = x->s->conf;
    struct tr_reader *t = x->s->reader;
    uint32_t busy = c->gpu.sms - occupancy_idle(c, x->s->result);
    struct sums sums = {.sm_cycles = (double)x->s->result->kernel_cycles * busy};
    for (uint32_t k = 0; k < tr_nkernels(t); k++)
        for (uint32_t i = 0; i < tr_kernel(t, k)->n; i++) {
            const struct tr_insn *in = &tr_kernel(t, k)->insns[i];
            sums.sectors += x->census->rows[k][i].sectors;
            sums.local += in->space == SPACE_LOCAL || in->cls == TC_LDL || in->cls == TC_STL
                              ? x->census->rows[k][i].requests
                              : 0;
        }
    for (uint32_t k = 0; k < tr_nkernels(t); k++) {
        lines all = {0};
        for (uint32_t i = 0; i < tr_kernel(t, k)->n; i++)
            if (x->census->rows[k][i].issues)
                add_insn(&all, &tr_kernel(t, k)->insns[i], &x->census->rows[k][i], i);
        vec_each (&all, l)
            look_at_line(x, k, l, &sums);
        look_at_local(x, k, &all, &sums);
        look_at_divergence(x, k);
        vec_free(&all);
    }
}

/* Of the whole machine: which registers code names is the compiler's choice. */
static void look_at_banks(struct scene *x)
{
    const uint64_t *s = x->s->result->sm;
    uint32_t kernel = 0, had = x->out->n;
    for (uint32_t i = 0; i < tr_nkernels(x->s->reader); i++)
        kernel = x->cycles[i] > x->cycles[kernel] ? i : kernel;
    if (!s[SS_reg_reads] || s[SS_bank_conflict] * 5 < s[SS_reg_reads])
        return;
    say(x, "register_banks", kernel, 0, x->collectors,
        "%.0f%% of register reads wait for their bank, and ready warps for a collector in %.0f%% of the "
        "cycles",
        100.0 * (double)s[SS_bank_conflict] / (double)s[SS_reg_reads], 100 * x->collectors);
    hint(x, had, "this is the machine's: --mech rba, cu4 or malekeh, or more banks");
}

/* ---- all ---- */

static int larger(const void *a, const void *b)
{
    const struct advice *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain < y->gain ? 1 : -1;
    if (x->kernel != y->kernel)
        return x->kernel < y->kernel ? -1 : 1;
    return x->line != y->line ? (x->line < y->line ? -1 : 1) : strcmp(x->rule, y->rule);
}

advice_list advice_of(const struct run_story *s)
{
    advice_list out = {0};
    const struct gpu_result *r = s->result;
    struct scene x = {.s = s, .census = s->census, .out = &out};
    if (r->sample[SAM_insts])
        return out;
    x.cycles = xcalloc(tr_nkernels(s->reader) + 1u, sizeof *x.cycles);
    vec_each (&r->kernels, k) {
        x.cycles[tr_launch(s->reader, k->launch)->l.kernel] += gpu_kernel_cycles(k);
        x.all_cycles += gpu_kernel_cycles(k);
    }
    x.all = r->sm[SS_warp_insts];
    x.memory = share_of(r, r->sm[SS_stall_memory] + r->sm[SS_stall_lsu]);
    for (uint32_t i = SS_stall_alu; i <= SS_stall_memory; i++)
        x.waits += share_of(r, r->sm[i]);
    x.present = 1 - share_of(r, r->sm[SS_stall_no_warp]);
    x.collectors = share_of(r, r->sm[SS_stall_bank] + r->sm[SS_stall_collector]);
    look_at_launches(&x);
    if (s->census)
        look_at_code(&x);
    look_at_banks(&x);
    if (out.n)
        qsort(out.at, out.n, sizeof *out.at, larger);
    free(x.cycles);
    return out;
}

void advice_print(const struct run_story *s, FILE *to)
{
    enum { MOST = 4 };
    advice_list all = advice_of(s);
    char name[256], at[32];
    for (uint32_t i = 0; i < all.n && i < MOST; i++) {
        const struct advice *a = &all.at[i];
        at[0] = 0;
        if (a->line)
            snprintf(at, sizeof at, " line %u", a->line);
        fprintf(to, "%s%-10s at most %4.1f%%: %.40s%s: %s\n%27s%s\n", i ? "" : "\n", i ? "" : "advice",
                100 * a->gain, shown_kernel(name, sizeof name, tr_kernel(s->reader, a->kernel)->name), at,
                a->what, "", a->hint);
    }
    if (all.n > MOST)
        fprintf(to, "%10s ... and %u more (--json has all)\n", "", all.n - MOST);
    vec_free(&all);
}

/* clang-format off */
#define ADVICE(X, T)                                                                                         \
    X(T, TEXT, OPEN, rule, "which pattern was found", .words = ADVICE_RULES)                                 \
    X(T, TEXT, OPEN, kernel, "its name, as the linker has it")                                               \
    X(T, TEXT, OPEN, name, "the same as people write it: without parameters, demangled")                     \
    X(T, TEXT, NULLABLE, file, "source of the line; null: not known")                                        \
    X(T, COUNT, NULLABLE, line, "of the source; null: of the whole kernel")                                  \
    X(T, REAL, OPEN, gain, "share of the kernel cycles that a change could save at most, 0 to 1")            \
    X(T, TEXT, OPEN, what, "what was found")                                                                 \
    X(T, TEXT, OPEN, hint, "what to try")
/* clang-format on */
struct advice_row {
    ADVICE(JSON_FIELD, )
};
static const struct json_member members[] = {ADVICE(JSON_MEMBER, struct advice_row)};
const struct json_shape advice_shape = {.name = "advice", .parts = {JSON_PART(members, 0)}};

json_t *advice_json(const struct run_story *s)
{
    advice_list all = advice_of(s);
    json_t *rows = json_array();
    vec_each (&all, a) {
        const struct tr_kernel *k = tr_kernel(s->reader, a->kernel);
        char name[256];
        demangle(k->name, name, sizeof name);
        struct advice_row row = {.rule = a->rule,
                                 .name = name,
                                 .kernel = k->name,
                                 .file = *k->file ? k->file : NULL,
                                 .line = a->line ? a->line : JSON_NO_COUNT,
                                 .gain = a->gain,
                                 .what = a->what,
                                 .hint = a->hint};
        json_array_append_new(rows, json_of(&advice_shape, &row));
    }
    vec_free(&all);
    return rows;
}
