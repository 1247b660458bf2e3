/* SPDX-License-Identifier: Apache-2.0 */
/* Importing: the text of exported traces, both passes, the trace file included; as it is exported, and plain, as a tracer
 * writes it. Unpacking is not in it. */
#include "bench.h"
#include "trace/accelsim/accelsim.h"

#include <unistd.h>

static void export_all(const char *dir, bool plain, uint32_t *n)
{
    char path[4096], sub[4200];
    for (*n = 0; *n < BENCH_JOBS; ++*n) {
        struct job j;
        struct diag d = {0};
        bench_jobs[*n].open(&j);
        record_to_file(&j, path, sizeof path);
        job_close(&j);
        struct tr_reader *r = tr_open(path, &d);
        snprintf(sub, sizeof sub, "%s/%u", dir, *n);
        if (!r || !accelsim_export(&(struct accelsim_export){.from = r, .dir = sub, .plain = plain}, &d))
            die(&d, sub);
        tr_free(r);
        unlink(path);
    }
}

static double import_rate(const char *dir, uint32_t n)
{
    char sub[4200], out[4200];
    double start = now_s();
    uint64_t bytes = 0;
    snprintf(out, sizeof out, "%s/out.bst", dir);
    do {
        for (uint32_t i = 0; i < n; i++) {
            struct diag d = {0};
            struct accelsim_report r = {0};
            snprintf(sub, sizeof sub, "%s/%u", dir, i);
            if (!accelsim_import(&(struct accelsim_import){.dir = sub, .out = out, .maker = "bench"}, &r, &d))
                die(&d, sub);
            bytes += r.text_b;
            accelsim_report_free(&r);
        }
    } while (now_s() - start < MIN_RUN_S);
    double took = now_s() - start;
    unlink(out);
    return (double)bytes / took;
}

static void clean(const char *dir, uint32_t n)
{
    static const char *const files[] = {"kernelslist.g", "kernel-1.traceg", ""};
    char path[4300];
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < 3; k++) {
            snprintf(path, sizeof path, "%s/%u/%s", dir, i, files[k]);
            if (*files[k])
                unlink(path);
            else
                rmdir(path);
        }
    rmdir(dir);
}

static void rate_of(const char *name, bool plain)
{
    const char *tmp = getenv("TMPDIR");
    char dir[4000];
    uint32_t n;
    double best = 0;
    snprintf(dir, sizeof dir, "%s/bankshot-bench-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir))
        die(NULL, "cannot make a temporary folder");
    export_all(dir, plain, &n);
    for (int run = 0; run < RUNS; run++) {
        double rate = import_rate(dir, n);
        best = rate > best ? rate : best;
    }
    clean(dir, n);
    printf("bench %s %.1f MB/s\n", name, best * 1e-6);
    fflush(stdout);
}

void bench_import(const char *name) { rate_of(name, false); }
void bench_import_text(const char *name) { rate_of(name, true); }
