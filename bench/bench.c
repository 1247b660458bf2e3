/* SPDX-License-Identifier: Apache-2.0 */
/* How fast the tool chain, the executor and the timing model are on one core. Each figure is the best of several runs, on lines
 * `bench NAME VALUE UNIT`. Arguments choose figures by name. */
#include "bench.h"
#include "base/file.h"
#include "base/pages.h"
#include "compile/compile.h"

#include <glob.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { MAX_FILE_B = 1 << 24 };

double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

void die(struct diag *d, const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    if (d)
        diag_print(d, stderr);
    exit(1);
}

static void bench_exec(const char *name, const struct bench_job *which)
{
    struct job j;
    which->open(&j);
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        uint64_t insts = 0;
        double start = now_s(), took;
        do {
            struct exec_counts c = {0};
            struct exec_error e;
            if (exec_launch(j.dev, &j.launch, &c, &e) != EXEC_OK)
                die(NULL, e.text);
            insts += c.warp_insts;
            took = now_s() - start;
        } while (took < MIN_RUN_S);
        if ((double)insts / took > best)
            best = (double)insts / took;
    }
    printf("bench %s %.2f Mwinst/s\n", name, best * 1e-6);
    fflush(stdout);
    job_close(&j);
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

static const struct {
    const char *name;
    void (*run)(const char *name);
} benches[] = {
    {"record", bench_record},
    {"trace_bytes", bench_trace_bytes},
    {"import", bench_import},
    {"import_text", bench_import_text},
    {"parse", bench_parse},
    {"compile", bench_compile},
    {"time_compute", bench_time_compute},
    {"time_memory", bench_time_memory},
    {"time_gather", bench_time_gather},
    {"threads2", bench_threads2},
    {"time_sms", bench_time_sms},
    {"time_length", bench_time_length},
    {"race_fma", bench_race},
    {"race_sgemm", bench_race},
    {"race_reduction", bench_race},
    {"race_vectoradd", bench_race},
    {"race_gather", bench_race},
    {"peak_rss", bench_rss},
};

static bool chosen(int argc, char **argv, const char *name)
{
    bool yes = argc < 2;
    for (int a = 1; a < argc; a++)
        yes |= strcmp(argv[a], name) == 0;
    return yes;
}

/* Figures with targets: exec_compute 10, exec_memory 4, record 3 Mwinst/s, trace_bytes 3 bytes/winst at most, import and
 * import_text 250 MB/s; time_compute 6, time_memory 4.5, time_gather 0.6 Mwinst/s, threads2 1.6, time_sms and time_length about
 * 1; race_fma 900, race_sgemm 1500, race_reduction 750, race_vectoradd 1100, race_gather 7000 inst/winst at most; peak_rss under
 * 2048 MiB. */
int main(int argc, char **argv)
{
    pages_large();
    if (argc == 3 && strcmp(argv[1], "--replay") == 0) {
        race_replay(argv[2]);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--race-traces") == 0) {
        race_traces(argv[2], true);
        return 0;
    }
    if (argc == 3 && strcmp(argv[1], "--counted-traces") == 0) {
        race_traces(argv[2], false);
        return 0;
    }
    for (size_t i = 0; i < BENCH_JOBS; i++) {
        char name[32];
        snprintf(name, sizeof name, "exec_%s", bench_jobs[i].name);
        if (chosen(argc, argv, name))
            bench_exec(name, &bench_jobs[i]);
    }
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
        if (chosen(argc, argv, benches[i].name))
            benches[i].run(benches[i].name);
    }
    return 0;
}
