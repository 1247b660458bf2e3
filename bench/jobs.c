/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels that the figures are taken on, ready to be launched. */
#include "base/file.h"
#include "base/rng.h"
#include "bench.h"
#include "compile/compile.h"

enum { MAX_FILE_B = 1 << 24 };

static struct ptx_module *load(const char *path, struct diag *d)
{
    struct file_text text;
    if (!file_read(path, MAX_FILE_B, &text, d))
        die(d, path);
    struct ptx_module *m = ptx_parse(path, text.at, text.n, d);
    if (!m)
        die(d, path);
    file_free(&text);
    return m;
}

static struct ptx_module *load_kernel(const char *name, struct diag *d)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.ptx", KERNELS_DIR, name);
    return load(path, d);
}

static void make_ready(struct job *j, const char *kernel, uint32_t gx, uint32_t gy, uint32_t bx, uint32_t by)
{
    j->dev = exec_dev_new(&(struct exec_cfg){0});
    j->mod = j->dev ? exec_module_load(j->dev, j->ptx, &j->diag) : NULL;
    struct ptx_func *f = ptx_find_func(j->ptx, kernel);
    j->code = j->mod && f ? compile_kernel(j->ptx, f, &(struct compile_opts){0}, &j->diag) : NULL;
    if (!j->code)
        die(&j->diag, kernel);
    j->launch = (struct exec_launch){.code = j->code,
                                     .module = j->mod,
                                     .grid = {gx, gy, 1},
                                     .block = {bx, by, 1},
                                     .params = j->params,
                                     .params_b = j->code->param_b};
}

void job_open(struct job *j, const char *file, const char *kernel, uint32_t gx, uint32_t gy, uint32_t bx,
              uint32_t by)
{
    memset(j, 0, sizeof *j);
    j->ptx = load_kernel(file, &j->diag);
    make_ready(j, kernel, gx, gy, bx, by);
}

void job_open_text(struct job *j, const char *ptx, const char *kernel, uint32_t gx, uint32_t bx)
{
    memset(j, 0, sizeof *j);
    j->ptx = ptx_parse(kernel, ptx, strlen(ptx), &j->diag);
    if (!j->ptx)
        die(&j->diag, kernel);
    make_ready(j, kernel, gx, 1, bx, 1);
}

uint64_t job_floats(struct job *j, size_t n)
{
    uint64_t addr = exec_alloc(j->dev, n * sizeof(float));
    float *p = addr ? exec_ptr(j->dev, addr, n * sizeof(float)) : NULL;
    if (!p)
        die(NULL, "no device memory");
    for (size_t i = 0; i < n; i++)
        p[i] = (float)(i % 97) * 0.01f;
    return addr;
}

void job_close(struct job *j)
{
    code_free(j->code);
    exec_module_free(j->mod);
    exec_dev_free(j->dev);
    ptx_module_free(j->ptx);
    diag_free(&j->diag);
}

void job_params(struct job *j, const void *params, size_t n) { memcpy(j->params, params, n); }

static void sgemm(struct job *j)
{
    enum { N = 256 };
    job_open(j, "sgemm_reg", "sgemm_reg", N / 64, N / 64, 8, 8);
    struct {
        int n, k;
        uint64_t a, b, c;
    } p = {N, N, job_floats(j, N * N), job_floats(j, N * N), job_floats(j, N * N)};
    job_params(j, &p, sizeof p);
}

static void nbody(struct job *j)
{
    enum { N = 1024 };
    job_open(j, "nbody", "nbody", N / 128, 1, 128, 1);
    struct {
        uint64_t pos, acc;
        int n;
        float eps2;
    } p = {job_floats(j, 4 * N), job_floats(j, 4 * N), N, 0.01f};
    job_params(j, &p, sizeof p);
}

static void saxpy(struct job *j)
{
    enum { N = 1 << 20 };
    job_open(j, "saxpy", "saxpy", 256, 1, 256, 1);
    struct {
        float a;
        uint64_t x, y;
        int n;
    } p = {0.5f, job_floats(j, N), job_floats(j, N), N};
    job_params(j, &p, sizeof p);
}

static void stencil(struct job *j)
{
    enum { X = 128, Y = 128, Z = 64 };
    job_open(j, "stencil", "stencil3d", X / 32, Y / 4, 32, 4);
    struct {
        uint64_t in, out;
        int nx, ny, nz;
        float c0, c1;
    } p = {job_floats(j, X * Y * Z), job_floats(j, X * Y * Z), X, Y, Z, 0.4f, 0.1f};
    job_params(j, &p, sizeof p);
}

/* Scattered loads: a sparse matrix whose columns are all over the vector. */
static void gather(struct job *j)
{
    enum { ROWS = 1 << 14, PER_ROW = 16, N = ROWS * PER_ROW };
    job_open(j, "spmv", "spmv_scalar", ROWS / 128, 1, 128, 1);
    struct {
        uint64_t start, col, val, x, y;
        int rows;
    } p = {exec_alloc(j->dev, 4 * (ROWS + 1)),
           exec_alloc(j->dev, 4 * N),
           job_floats(j, N),
           job_floats(j, ROWS),
           job_floats(j, ROWS),
           ROWS};
    uint32_t *start = exec_ptr(j->dev, p.start, 4 * (ROWS + 1)), *col = exec_ptr(j->dev, p.col, 4 * N);
    if (!start || !col)
        die(NULL, "no device memory");
    for (uint32_t r = 0; r <= ROWS; r++)
        start[r] = r * PER_ROW;
    struct rng rng = {1};
    for (uint32_t i = 0; i < N; i++)
        col[i] = rng_below(&rng, ROWS);
    job_params(j, &p, sizeof p);
}

const struct bench_job bench_jobs[BENCH_JOBS] = {
    {"compute", sgemm}, {"memory", saxpy}, {"nbody", nbody}, {"stencil", stencil}, {"gather", gather},
};
