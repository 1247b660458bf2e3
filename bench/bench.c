/* How fast the tool chain and the executor are on one core. Each figure is the best of several runs, on lines
 * `bench NAME VALUE UNIT`. Arguments choose figures by name. */
#include "base/file.h"
#include "base/rng.h"
#include "compile/compile.h"
#include "exec/exec.h"

#include <glob.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { RUNS = 5, MAX_FILE_B = 1 << 24 };
#define MIN_RUN_S 0.5 /* a run repeats its work until it took this long */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(struct diag *d, const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    if (d)
        diag_print(d, stderr);
    exit(1);
}

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

/* One kernel ready to be launched again and again. */
struct job {
    struct diag diag;
    struct ptx_module *ptx;
    struct exec_dev *dev;
    struct exec_module *mod;
    struct code *code;
    struct exec_launch launch;
    unsigned char params[64];
};

static void job_open(struct job *j, const char *file, const char *kernel, uint32_t gx, uint32_t gy,
                     uint32_t bx, uint32_t by)
{
    memset(j, 0, sizeof *j);
    j->ptx = load_kernel(file, &j->diag);
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

/* Device memory holding small floats. */
static uint64_t job_floats(struct job *j, size_t n)
{
    uint64_t addr = exec_alloc(j->dev, n * sizeof(float));
    float *p = addr ? exec_ptr(j->dev, addr, n * sizeof(float)) : NULL;
    if (!p)
        die(NULL, "no device memory");
    for (size_t i = 0; i < n; i++)
        p[i] = (float)(i % 97) * 0.01f;
    return addr;
}

static void job_close(struct job *j)
{
    code_free(j->code);
    exec_module_free(j->mod);
    exec_dev_free(j->dev);
    ptx_module_free(j->ptx);
    diag_free(&j->diag);
}

static void job_run(struct job *j, const char *name, const void *params, size_t params_b)
{
    memcpy(j->params, params, params_b);
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        uint64_t insts = 0;
        double start = now_s(), took;
        do {
            struct exec_counts c = {0};
            struct exec_error e;
            if (exec_launch(j->dev, &j->launch, &c, &e) != EXEC_OK)
                die(NULL, e.text);
            insts += c.warp_insts;
            took = now_s() - start;
        } while (took < MIN_RUN_S);
        if ((double)insts / took > best)
            best = (double)insts / took;
    }
    printf("bench %s %.2f Mwinst/s\n", name, best * 1e-6);
    fflush(stdout);
    job_close(j);
}

static void bench_sgemm(const char *name)
{
    enum { N = 256 };
    struct job j;
    job_open(&j, "sgemm_reg", "sgemm_reg", N / 64, N / 64, 8, 8);
    struct {
        int n, k;
        uint64_t a, b, c;
    } p = {N, N, job_floats(&j, N * N), job_floats(&j, N * N), job_floats(&j, N * N)};
    job_run(&j, name, &p, sizeof p);
}

static void bench_nbody(const char *name)
{
    enum { N = 1024 };
    struct job j;
    job_open(&j, "nbody", "nbody", N / 128, 1, 128, 1);
    struct {
        uint64_t pos, acc;
        int n;
        float eps2;
    } p = {job_floats(&j, 4 * N), job_floats(&j, 4 * N), N, 0.01f};
    job_run(&j, name, &p, sizeof p);
}

static void bench_saxpy(const char *name)
{
    enum { N = 1 << 20 };
    struct job j;
    job_open(&j, "saxpy", "saxpy", 256, 1, 256, 1);
    struct {
        float a;
        uint64_t x, y;
        int n;
    } p = {0.5f, job_floats(&j, N), job_floats(&j, N), N};
    job_run(&j, name, &p, sizeof p);
}

static void bench_stencil(const char *name)
{
    enum { X = 128, Y = 128, Z = 64 };
    struct job j;
    job_open(&j, "stencil", "stencil3d", X / 32, Y / 4, 32, 4);
    struct {
        uint64_t in, out;
        int nx, ny, nz;
        float c0, c1;
    } p = {job_floats(&j, X * Y * Z), job_floats(&j, X * Y * Z), X, Y, Z, 0.4f, 0.1f};
    job_run(&j, name, &p, sizeof p);
}

/* Scattered loads: a sparse matrix whose columns are all over the vector. */
static void bench_gather(const char *name)
{
    enum { ROWS = 1 << 14, PER_ROW = 16, N = ROWS * PER_ROW };
    struct job j;
    job_open(&j, "spmv", "spmv_scalar", ROWS / 128, 1, 128, 1);
    struct {
        uint64_t start, col, val, x, y;
        int rows;
    } p = {exec_alloc(j.dev, 4 * (ROWS + 1)),
           exec_alloc(j.dev, 4 * N),
           job_floats(&j, N),
           job_floats(&j, ROWS),
           job_floats(&j, ROWS),
           ROWS};
    uint32_t *start = exec_ptr(j.dev, p.start, 4 * (ROWS + 1)), *col = exec_ptr(j.dev, p.col, 4 * N);
    if (!start || !col)
        die(NULL, "no device memory");
    for (uint32_t r = 0; r <= ROWS; r++)
        start[r] = r * PER_ROW;
    struct rng rng = {1};
    for (uint32_t i = 0; i < N; i++)
        col[i] = rng_below(&rng, ROWS);
    job_run(&j, name, &p, sizeof p);
}

/* Every bundled PTX file, read once. */
struct bundle {
    glob_t files;
    struct file_text *text;
};

static void bundle_open(struct bundle *b)
{
    struct diag d = {0};
    memset(b, 0, sizeof *b);
    if (glob(KERNELS_DIR "/*.ptx", 0, NULL, &b->files) != 0)
        die(NULL, "no kernels in " KERNELS_DIR);
    b->text = xcalloc(b->files.gl_pathc, sizeof *b->text);
    for (size_t i = 0; i < b->files.gl_pathc; i++)
        if (!file_read(b->files.gl_pathv[i], MAX_FILE_B, &b->text[i], &d))
            die(&d, b->files.gl_pathv[i]);
    diag_free(&d);
}

static void bundle_close(struct bundle *b)
{
    for (size_t i = 0; i < b->files.gl_pathc; i++)
        file_free(&b->text[i]);
    free(b->text);
    globfree(&b->files);
}

static size_t bundle_parse(const struct bundle *b)
{
    size_t bytes = 0;
    for (size_t i = 0; i < b->files.gl_pathc; i++) {
        struct diag d = {0};
        struct ptx_module *m = ptx_parse(b->files.gl_pathv[i], b->text[i].at, b->text[i].n, &d);
        if (!m)
            die(&d, b->files.gl_pathv[i]);
        ptx_module_free(m);
        diag_free(&d);
        bytes += b->text[i].n;
    }
    return bytes;
}

static void bench_parse(const char *name)
{
    struct bundle b;
    bundle_open(&b);
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        size_t bytes = 0;
        double start = now_s(), took;
        do {
            bytes += bundle_parse(&b);
            took = now_s() - start;
        } while (took < MIN_RUN_S);
        if ((double)bytes / took > best)
            best = (double)bytes / took;
    }
    printf("bench %s %.1f MB/s\n", name, best * 1e-6);
    bundle_close(&b);
}

/* Compiles every kernel of a module; returns machine instructions made. */
static uint64_t compile_all(const struct ptx_module *m, double *took)
{
    uint64_t insns = 0;
    double start = now_s();
    vec_each (&m->funcs, f) {
        if (!(*f)->is_entry)
            continue;
        struct diag d = {0};
        struct code *c = compile_kernel(m, *f, &(struct compile_opts){0}, &d);
        if (!c)
            die(&d, (*f)->name);
        insns += c->static_insns;
        code_free(c);
        diag_free(&d);
    }
    *took += now_s() - start;
    return insns;
}

static void bench_compile(const char *name)
{
    struct bundle b;
    bundle_open(&b);
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        uint64_t insns = 0;
        double took = 0;
        do {
            for (size_t i = 0; i < b.files.gl_pathc; i++) {
                struct diag d = {0};
                struct ptx_module *m = ptx_parse(b.files.gl_pathv[i], b.text[i].at, b.text[i].n, &d);
                if (!m)
                    die(&d, b.files.gl_pathv[i]);
                insns += compile_all(m, &took);
                ptx_module_free(m);
                diag_free(&d);
            }
        } while (took < MIN_RUN_S);
        if ((double)insns / took > best)
            best = (double)insns / took;
    }
    printf("bench %s %.1f kinst/s\n", name, best * 1e-3);
    bundle_close(&b);
}

static void bench_rss(const char *name)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    printf("bench %s %.1f MiB\n", name, (double)u.ru_maxrss / 1024.0);
}

/* exec_compute and exec_memory are the figures with targets (10 and 4 Mwinst/s). */
static const struct {
    const char *name;
    void (*run)(const char *name);
} benches[] = {
    {"exec_compute", bench_sgemm},   {"exec_memory", bench_saxpy},  {"exec_nbody", bench_nbody},
    {"exec_stencil", bench_stencil}, {"exec_gather", bench_gather}, {"parse", bench_parse},
    {"compile", bench_compile},      {"peak_rss", bench_rss},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
        bool chosen = argc < 2;
        for (int a = 1; a < argc; a++)
            chosen |= strcmp(argv[a], benches[i].name) == 0;
        if (chosen)
            benches[i].run(benches[i].name);
    }
    return 0;
}
