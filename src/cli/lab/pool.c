/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "cli/lab/pool.h"

#include "base/vec.h"
#include "cli/cli.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TICK_MS = 200, WIDTH = 30 };

struct crew {
    const struct pool *p;
    uint32_t *order;        /* jobs, by rank, then heaviest first */
    pid_t *pid;             /* by job; 0: not running */
    _Atomic uint64_t *done; /* by job, shared with the children */
    uint32_t next, running, finished;
    uint64_t total, ended_weight;
    double start_s;
    bool tty, log, line; /* log: lines for a file */
    struct pool_end end;
};

double pool_now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint32_t pool_processors(void)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return n > 0 ? (uint32_t)n : 1;
}

static uint64_t weight_of(const struct pool *p, uint32_t job)
{
    return p->weight && p->weight[job] ? p->weight[job] : 1;
}

static void show_line(struct crew *c)
{
    if (!c->tty)
        return;
    uint64_t done = c->ended_weight;
    for (uint32_t i = 0; i < c->p->n; i++) {
        uint64_t d = c->pid[i] ? atomic_load_explicit(&c->done[i], memory_order_relaxed) : 0;
        done += d < weight_of(c->p, i) ? d : weight_of(c->p, i);
    }
    double share = c->total ? (double)done / (double)c->total : 0, spent = pool_now_s() - c->start_s;
    int n = (int)(share * WIDTH);
    fprintf(stderr, "\r[%.*s%*s] %u of %u %s, %.0f%%", n, "##############################", WIDTH - n, "",
            c->finished, c->p->n, c->p->what, 100 * share);
    if (share > 0.01 && spent > 1) {
        unsigned long left = (unsigned long)(spent * (1 - share) / share);
        fprintf(stderr, ", %lu:%02lu left", left / 60, left % 60);
    }
    fputs("\033[K", stderr);
    fflush(stderr);
    c->line = true;
}

static void clear_line(struct crew *c)
{
    if (c->line)
        fputs("\r\033[K", stderr);
    c->line = false;
}

/* The child dies with its parent; between fork and prctl the parent may have died already. */
static void child(const struct crew *c, uint32_t job, pid_t parent, const sigset_t *mask)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(CLI_FAILED);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int status = c->p->work(c->p->ctx, job, &c->done[job]);
    fflush(NULL);
    _exit(status);
}

static bool start_one(struct crew *c, const sigset_t *mask)
{
    uint32_t job = c->order[c->next];
    pid_t parent = getpid();
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        child(c, job, parent, mask);
    if (pid < 0)
        return false;
    c->pid[job] = pid;
    c->next++;
    c->running++;
    return true;
}

static void log_job(const struct crew *c, uint32_t job)
{
    fprintf(stderr, "[%u/%u] ", c->finished, c->p->n);
    c->p->name(c->p->ctx, job, stderr);
    fputc('\n', stderr);
}

static void collect(struct crew *c)
{
    int status;
    for (uint32_t i = 0; i < c->p->n; i++) {
        if (!c->pid[i] || waitpid(c->pid[i], &status, WNOHANG) != c->pid[i])
            continue;
        c->pid[i] = 0;
        c->running--;
        c->finished++;
        c->ended_weight += weight_of(c->p, i);
        if (c->log)
            log_job(c, i);
        if (c->p->ended) {
            clear_line(c);
            c->p->ended(c->p->ctx, i, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
        }
    }
}

static bool is_before(const struct pool *p, uint32_t a, uint32_t b)
{
    if (p->rank && p->rank[a] != p->rank[b])
        return p->rank[a] < p->rank[b];
    return weight_of(p, a) > weight_of(p, b);
}

static void sort_jobs(struct crew *c)
{
    for (uint32_t i = 0; i < c->p->n; i++)
        c->order[i] = i;
    /* Shell sort: stable order is not needed, but the same one every time is. */
    for (uint32_t gap = c->p->n / 2; gap; gap /= 2)
        for (uint32_t i = gap; i < c->p->n; i++) {
            uint32_t job = c->order[i], k = i;
            for (; k >= gap && is_before(c->p, job, c->order[k - gap]); k -= gap)
                c->order[k] = c->order[k - gap];
            c->order[k] = job;
        }
}

static void end_jobs(struct crew *c)
{
    for (uint32_t i = 0; i < c->p->n; i++) {
        if (!c->pid[i])
            continue;
        kill(c->pid[i], SIGKILL);
        waitpid(c->pid[i], NULL, 0);
    }
}

static bool is_late(const struct crew *c)
{
    return c->p->limit_s > 0 && pool_now_s() - c->start_s >= c->p->limit_s;
}

static bool work_through(struct crew *c, uint32_t at_once, const sigset_t *mask, const sigset_t *awaited)
{
    const struct timespec tick = {.tv_nsec = TICK_MS * 1000000L};
    while (c->next < c->p->n || c->running) {
        if (is_late(c)) {
            c->end.late = true;
            end_jobs(c);
            return true;
        }
        while (c->next < c->p->n && c->running < at_once && start_one(c, mask))
            continue;
        if (!c->running)
            return false;
        int signal = sigtimedwait(awaited, NULL, &tick);
        if (signal > 0 && signal != SIGCHLD) {
            c->end.stopped = signal;
            end_jobs(c);
            return false;
        }
        collect(c);
        show_line(c);
    }
    return true;
}

bool pool_run(const struct pool *p, struct pool_end *end)
{
    *end = (struct pool_end){0};
    if (!p->n)
        return true;
    size_t shared_b = p->n * sizeof(_Atomic uint64_t);
    void *shared = mmap(NULL, shared_b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        cli_error("no memory for %u job%s", p->n, cli_s(p->n));
        return false;
    }
    struct crew c = {.p = p, .done = shared, .start_s = pool_now_s()};
    c.tty = !p->quiet && isatty(STDERR_FILENO);
    c.log = !p->quiet && !c.tty;
    c.order = xcalloc(p->n, sizeof *c.order);
    c.pid = xcalloc(p->n, sizeof *c.pid);
    for (uint32_t i = 0; i < p->n; i++)
        c.total += weight_of(p, i);
    sort_jobs(&c);
    static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
    sigset_t awaited, before;
    sigemptyset(&awaited);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&awaited, signals[i]);
    sigprocmask(SIG_BLOCK, &awaited, &before);
    bool ok = work_through(&c, p->at_once ? p->at_once : pool_processors(), &before, &awaited);
    sigprocmask(SIG_SETMASK, &before, NULL);
    clear_line(&c);
    *end = c.end;
    if (!ok && !c.end.stopped)
        cli_error("no process can be started: %s", strerror(errno));
    free(c.order);
    free(c.pid);
    munmap(shared, shared_b);
    return ok;
}
