/* SPDX-License-Identifier: Apache-2.0 */
/* What a warp instruction costs, without a clock: host instructions of its replay on volta by one thread. The processor counts
 * them where it may be asked; else callgrind does, in a process that replays the trace alone (bankshot-bench --replay TRACE).
 * The same five kernels, longer, are what tools/race gives to Accel-Sim and to this simulator (bankshot-bench --race-traces); as
 * they are, tools/host-instructions gives them to other presets and mechanisms (bankshot-bench --counted-traces). */
#include "base/file.h"
#include "bench.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SMS = 80 };

/* Eight chains of multiply-adds, each link waiting for the one before it. */
static const char fma_loop[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry fma_loop(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .f32 %a<8>, %x, %y;\n.reg .b32 %i, %n;\n.reg .b64 %p, %o;\n.reg .pred %q;\n"
    "ld.param.u64 %p, [out];\nld.param.u32 %n, [n];\n"
    "mov.u32 %i, %tid.x;\ncvt.rn.f32.u32 %x, %i;\nadd.f32 %y, %x, 0f3F800000;\n"
    "mov.f32 %a0, %x;\nmov.f32 %a1, %y;\nmov.f32 %a2, %x;\nmov.f32 %a3, %y;\n"
    "mov.f32 %a4, %x;\nmov.f32 %a5, %y;\nmov.f32 %a6, %x;\nmov.f32 %a7, %y;\n"
    "L:\n"
    "fma.rn.f32 %a0, %a0, %x, %y;\nfma.rn.f32 %a1, %a1, %x, %y;\n"
    "fma.rn.f32 %a2, %a2, %x, %y;\nfma.rn.f32 %a3, %a3, %x, %y;\n"
    "fma.rn.f32 %a4, %a4, %x, %y;\nfma.rn.f32 %a5, %a5, %x, %y;\n"
    "fma.rn.f32 %a6, %a6, %x, %y;\nfma.rn.f32 %a7, %a7, %x, %y;\n"
    "sub.s32 %n, %n, 1;\nsetp.ne.s32 %q, %n, 0;\n@%q bra L;\n"
    "add.f32 %a0, %a0, %a1;\nadd.f32 %a2, %a2, %a3;\nadd.f32 %a4, %a4, %a5;\n"
    "add.f32 %a6, %a6, %a7;\nadd.f32 %a0, %a0, %a2;\nadd.f32 %a4, %a4, %a6;\n"
    "add.f32 %a0, %a0, %a4;\n"
    "mul.wide.u32 %o, %i, 4;\nadd.s64 %p, %p, %o;\nst.global.f32 [%p], %a0;\nret;\n}\n";

static struct trace *multiply_adds(uint32_t rounds)
{
    struct job j;
    job_open_text(&j, fma_loop, "fma_loop", 4 * SMS, 256);
    struct {
        uint64_t out;
        int n;
    } p = {job_floats(&j, 256), (int)rounds};
    job_params(&j, &p, sizeof p);
    return trace_of(&j);
}

static struct trace *sgemm(uint32_t k)
{
    enum { N = 256 };
    struct job j;
    job_open(&j, "sgemm_tiled", "sgemm_tiled", N / 16, N / 16, 16, 16);
    struct {
        int n, k;
        uint64_t a, b, c;
    } p = {N, (int)k, job_floats(&j, N * k), job_floats(&j, k * N), job_floats(&j, N * N)};
    job_params(&j, &p, sizeof p);
    return trace_of(&j);
}

static struct trace *reduction(uint32_t n)
{
    struct job j;
    job_open(&j, "reduce", "reduce_sum", 4 * SMS, 1, 256, 1);
    struct {
        uint64_t in, out;
        int n;
    } p = {job_floats(&j, n), job_floats(&j, 1), (int)n};
    job_params(&j, &p, sizeof p);
    return trace_of(&j);
}

/* `counted`: host instructions per warp instruction have been published for this size. `raced`: about a minute of Accel-Sim, so
 * that the start of neither simulator shows in the seconds. */
static const struct kind {
    const char *name;
    struct trace *(*make)(uint32_t size);
    uint32_t counted, raced;
} kinds[] = {{"race_fma", multiply_adds, 12, 96},
             {"race_sgemm", sgemm, 64, 256},
             {"race_reduction", reduction, 1 << 20, 1 << 23},
             {"race_vectoradd", trace_vectoradd, 1 << 19, 1 << 20},
             {"race_gather", trace_gather, 512, 512}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int counter_open(void)
{
    struct perf_event_attr a = {.type = PERF_TYPE_HARDWARE,
                                .size = sizeof a,
                                .config = PERF_COUNT_HW_INSTRUCTIONS,
                                .disabled = 1,
                                .exclude_kernel = 1,
                                .exclude_hv = 1};
    return (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
}

static uint64_t by_processor(int fd, const struct trace *t)
{
    uint64_t n = 0;
    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
    trace_replay(t->reader, SMS, 1);
    ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    if (read(fd, &n, sizeof n) != sizeof n)
        n = 0;
    return n;
}

/* The child's output goes to a file beside the trace. Returns 0: there is no valgrind, or it failed. */
static uint64_t by_callgrind(const struct trace *t)
{
    enum { MAX_B = 1 << 26 };
    char self[4096], out[4200], arg[4300];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    self[len < 0 ? 0 : len] = 0;
    snprintf(out, sizeof out, "%s.callgrind", t->path);
    snprintf(arg, sizeof arg, "--callgrind-out-file=%s", out);
    pid_t child = fork();
    if (child == 0) {
        int quiet = open("/dev/null", O_WRONLY);
        dup2(quiet, STDERR_FILENO);
        execlp("valgrind", "valgrind", "--tool=callgrind", "--toggle-collect=gpu_run", arg, self, "--replay",
               t->path, (char *)NULL);
        _exit(127);
    }
    int status = 1;
    struct file_text text;
    struct diag d = {0};
    uint64_t n = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status || !file_read(out, MAX_B, &text, &d))
        return 0;
    const char *total = strstr(text.at, "\ntotals: ");
    if (total)
        n = strtoull(total + strlen("\ntotals: "), NULL, 10);
    file_free(&text);
    unlink(out);
    return n;
}

void race_replay(const char *path)
{
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    if (!r)
        die(&d, path);
    trace_replay(r, SMS, 1);
    tr_free(r);
}

void race_traces(const char *dir, bool raced)
{
    setenv("TMPDIR", dir, 1); /* traces are made there, and only get their names after it */
    for (size_t i = 0; i < KINDS; i++) {
        char path[4096];
        struct trace *t = kinds[i].make(raced ? kinds[i].raced : kinds[i].counted);
        snprintf(path, sizeof path, "%s/%s.bst", dir, kinds[i].name + strlen("race_"));
        if (rename(t->path, path) != 0)
            die(NULL, path);
        printf("%s: %" PRIu64 " warp instructions\n", path, t->insts);
        trace_free(t);
    }
}

void bench_race(const char *name)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        struct trace *t = kinds[i].make(kinds[i].counted);
        int fd = counter_open();
        uint64_t n = fd >= 0 ? by_processor(fd, t) : by_callgrind(t);
        if (n)
            printf("bench %s %.0f inst/winst\n", name, (double)n / (double)t->insts);
        else
            printf("bench %s unknown (neither the processor's counter nor valgrind can be had)\n", name);
        fflush(stdout);
        if (fd >= 0)
            close(fd);
        trace_free(t);
    }
}
