/* SPDX-License-Identifier: Apache-2.0 */
#include "kt.h"

#include "base/file.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

/* Each recorded launch is also timed with the checks on: the presets and schedulers take turns. */
static const char *also_timed(const char *path, char *buf, size_t n)
{
    enum { PRESETS = 7, SCHEDULERS = 3 };
    static uint32_t turn;
    uint32_t i = turn++;
    const char *bad =
        play(path, &play_machines[i % PRESETS], wsched_name(i / PRESETS % SCHEDULERS), 1, NULL, buf, n);
    return bad && strstr(bad, "fits no SM") ? NULL : bad; /* the smaller GPUs do not hold every CTA */
}
#define REPLAY_ALSO also_timed
#include "replay.h"

static const uint32_t reg_limits[] = {0, 32, 24, 16};
enum { NLIMITS = 4, MAX_PTX_B = 1 << 24 };

/* Another folder of PTX for the same kernels (other compilers, other options) can be named in the environment. */
static const char *kernels_dir(void)
{
    const char *dir = getenv("KERNELS_DIR");
    return dir ? dir : KERNELS_DIR;
}

/* Where a run is, for messages. */
static void kt_where(const struct kt *t)
{
    print_error("%s, max_regs %u, %s: ", t->file, t->opts.max_regs,
                t->opts.no_schedule ? "unscheduled" : "scheduled");
}

static void kt_diag(struct kt *t)
{
    kt_where(t);
    print_error("\n");
    diag_print(&t->diag, stderr);
    fail();
}

/* The host's vector variant number `at` of those that run here, so that one test sees all of them. */
static const char *isa_at(uint32_t at)
{
    const char *const *list = exec_isa_list();
    uint32_t n = 0;
    while (list[n])
        n++;
    return n ? list[at % n] : NULL;
}

static void kt_once(const char *file, struct ptx_module *ptx, uint32_t setting, kt_fn *fn)
{
    uint32_t max_regs = reg_limits[setting / 2];
    bool no_schedule = setting % 2;
    struct kt t = {.file = file, .ptx = ptx, .rng = {20}, .replay = setting == 0 || setting == 5};
    t.opts = (struct compile_opts){.max_regs = max_regs, .no_schedule = no_schedule, .verify = true};
    t.out = open_memstream(&t.text, &t.text_n);
    struct exec_cfg cfg = {.mem_limit_b = 1 << 28,
                           .max_warp_insts = 100000000,
                           .heap_b = 1 << 20,
                           .isa = isa_at(setting + setting / 2),
                           .out = t.out};
    t.dev = exec_dev_new(&cfg);
    assert_non_null(t.dev);
    t.mod = exec_module_load(t.dev, ptx, &t.diag);
    if (!t.mod)
        kt_diag(&t);
    fn(&t);
    exec_module_free(t.mod);
    exec_dev_free(t.dev);
    fclose(t.out);
    free(t.text);
    diag_free(&t.diag);
}

/* all: every limit with and without scheduling; else three settings that differ in both. */
static void kt_file(const char *file, bool all, kt_fn *fn)
{
    struct diag d = {0};
    struct file_text text;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", kernels_dir(), file);
    struct ptx_module *ptx = NULL;
    if (file_read(path, MAX_PTX_B, &text, &d)) {
        ptx = ptx_parse(file, text.at, text.n, &d);
        file_free(&text);
    }
    if (!ptx) {
        diag_print(&d, stderr);
        fail_msg("%s does not parse", file);
    }
    for (uint32_t i = 0; i < 2 * NLIMITS; i++)
        if (all || i == 0 || i == 3 || i == 5)
            kt_once(file, ptx, i, fn);
    ptx_module_free(ptx);
    diag_free(&d);
}

void kt_run(const char *name, kt_fn *fn)
{
    static const char *const clangs[] = {"14", "16", "19"};
    char file[128], path[512];
    snprintf(file, sizeof file, "%s.ptx", name);
    kt_file(file, true, fn);
    for (size_t i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "clang/%s-%s.ptx", name, clangs[i]);
        snprintf(path, sizeof path, "%s/%s", kernels_dir(), file);
        if (access(path, R_OK) == 0)
            kt_file(file, false, fn);
    }
}

void *kt_alloc(struct kt *t, size_t size_b, uint64_t *addr)
{
    *addr = exec_alloc(t->dev, size_b);
    assert_true(*addr != 0);
    void *p = exec_ptr(t->dev, *addr, size_b);
    assert_non_null(p);
    memset(p, 0, size_b);
    return p;
}

float kt_f32(struct kt *t, float lo, float hi)
{
    return lo + (hi - lo) * (float)(rng_u32(&t->rng) >> 8) * 0x1p-24f;
}

int kt_int(struct kt *t, int lo, int hi) { return lo + (int)rng_below(&t->rng, (uint32_t)(hi - lo)); }

enum exec_status kt_try(struct kt *t, const char *kernel, const uint32_t grid[2], const uint32_t block[2],
                        const void *p, size_t p_b)
{
    struct ptx_func *f = ptx_find_func(t->ptx, kernel);
    if (!f)
        fail_msg("%s has no kernel %s", t->file, kernel);
    struct code *code = compile_kernel(t->ptx, f, &t->opts, &t->diag);
    if (!code)
        kt_diag(t);
    if (t->opts.max_regs && code->regs > t->opts.max_regs) {
        kt_where(t);
        fail_msg("%s uses %u registers", kernel, code->regs);
    }
    /* The struct may be padded at its end; the kernel's parameters are not. */
    if (p_b < code->param_b || p_b > code->param_b + 7)
        fail_msg("%s takes %u bytes of parameters, the test gives %zu", kernel, code->param_b, p_b);
    struct exec_launch l = {.code = code,
                            .module = t->mod,
                            .grid = {grid[0], grid[1], 1},
                            .block = {block[0], block[1], 1},
                            .dyn_shared_b = t->dyn_shared_b,
                            .params = p,
                            .params_b = code->param_b,
                            .cooperative = t->cooperative};
    struct exec_counts counts = {0};
    enum exec_status s;
    if (t->replay) {
        char why[256];
        const char *bad;
        s = replay_launch(t->dev, &l, &counts, &t->err, &bad, why, sizeof why);
        if (bad) {
            kt_where(t);
            fail_msg("%s: %s", kernel, bad);
        }
    } else {
        s = exec_launch(t->dev, &l, &counts, &t->err);
    }
    code_free(code);
    return s;
}

void kt_launch(struct kt *t, const char *kernel, const uint32_t grid[2], const uint32_t block[2],
               const void *p, size_t p_b)
{
    if (kt_try(t, kernel, grid, block, p, p_b) != EXEC_OK) {
        kt_where(t);
        fail_msg("%s: %s", kernel, t->err.text);
    }
}

const char *kt_text(struct kt *t)
{
    fflush(t->out);
    return t->text;
}

void kt_same(struct kt *t, const char *what, const void *got, const void *want, size_t n, size_t size_b)
{
    const char *g = got, *w = want;
    for (size_t i = 0; i < n; i++) {
        if (memcmp(g + i * size_b, w + i * size_b, size_b) == 0)
            continue;
        uint64_t gv = 0, wv = 0;
        memcpy(&gv, g + i * size_b, size_b);
        memcpy(&wv, w + i * size_b, size_b);
        kt_where(t);
        fail_msg("%s[%zu] is 0x%llx, should be 0x%llx", what, i, (unsigned long long)gv,
                 (unsigned long long)wv);
    }
}

static void kt_close(struct kt *t, const char *what, size_t i, double got, double want, double rel,
                     double abs)
{
    if (fabs(got - want) <= abs + rel * fabs(want) || got == want || (isnan(got) && isnan(want)))
        return;
    kt_where(t);
    fail_msg("%s[%zu] is %.9g, should be %.9g", what, i, got, want);
}

void kt_near(struct kt *t, const char *what, const float *got, const double *want, size_t n, double rel,
             double abs)
{
    for (size_t i = 0; i < n; i++)
        kt_close(t, what, i, (double)got[i], want[i], rel, abs);
}

void kt_near64(struct kt *t, const char *what, const double *got, const double *want, size_t n, double rel,
               double abs)
{
    for (size_t i = 0; i < n; i++)
        kt_close(t, what, i, got[i], want[i], rel, abs);
}

float kt_from_half(uint16_t h)
{
    int exp = h >> 10 & 31, man = h & 1023;
    float v = exp == 0 ? ldexpf((float)man, -24) : ldexpf((float)(man + 1024), exp - 25);
    return h >> 15 ? -v : v;
}

uint16_t kt_to_half(double v)
{
    double a = fabs(v);
    uint16_t lo = 0, hi = 0x7bff;
    while (lo < hi) {
        uint16_t mid = (uint16_t)((lo + hi + 1) / 2);
        if ((double)kt_from_half(mid) <= a)
            lo = mid;
        else
            hi = (uint16_t)(mid - 1);
    }
    if (lo < 0x7bff) {
        double below = a - (double)kt_from_half(lo), above = (double)kt_from_half((uint16_t)(lo + 1)) - a;
        if (above < below || (above == below && (lo & 1)))
            lo++;
    }
    return (uint16_t)((signbit(v) ? 0x8000 : 0) | lo);
}

float kt_from_bf16(uint16_t h)
{
    uint32_t u = (uint32_t)h << 16;
    float v;
    memcpy(&v, &u, 4);
    return v;
}

uint16_t kt_to_bf16(double v)
{
    int exp;
    double m = rint(frexp(v, &exp) * 256.0);
    float f = (float)ldexp(m, exp - 8);
    uint32_t u;
    memcpy(&u, &f, 4);
    return (uint16_t)(u >> 16);
}
