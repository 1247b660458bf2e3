/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memfd_create */
#include "cli/lab/cache.h"

#include "base/file.h"
#include "cli/child.h"
#include "trace/trace.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* What a step printed belongs to the message when it failed. */
static void report_failure(struct arena *a, const char *what, int status, const char *log, struct diag *d)
{
    enum { LOG_MAX_B = 1 << 20, TAIL_B = 2000 };
    struct diag quiet = {0};
    struct file_text t = {0};
    const char *tail = "";
    if (file_read(log, LOG_MAX_B, &t, &quiet)) {
        tail = arena_strndup(a, t.n > TAIL_B ? t.at + t.n - TAIL_B : t.at, t.n > TAIL_B ? TAIL_B : t.n);
        file_free(&t);
    }
    diag_free(&quiet);
    size_t n = strlen(tail);
    while (n && tail[n - 1] == '\n')
        n--;
    diag_plain(d, "%s failed with status %d%s%.*s", what, status, n ? ":\n" : "", (int)n, tail);
}

static bool put_in_place(const char *tmp, const char *path, struct diag *d)
{
    if (!file_sync(tmp, d)) /* or a crash could leave the name and not the content */
        return false;
    if (rename(tmp, path) == 0)
        return true;
    diag_plain(d, "%s: cannot be made: %s", path, strerror(errno));
    return false;
}

bool cache_make(struct arena *a, char *const *argv, const char *tmp, const char *path, const char *what,
                enum telling telling, struct diag *d)
{
    if (telling)
        fprintf(stderr, "bankshot: %s\n", what);
    /* What it prints is kept in memory: the cache's disk may be full, which is what it says then. */
    int fd = memfd_create("log", MFD_CLOEXEC);
    const char *log = fd >= 0 ? arena_printf(a, "/proc/self/fd/%d", fd) : "/dev/null";
    char terminal[100];
    bool shown = telling == TELL_PROGRESS && ttyname_r(STDERR_FILENO, terminal, sizeof terminal) == 0;
    const struct child_env env = {"BANKSHOT_PROGRESS", shown ? terminal : "0"};
    struct child c = {.argv = argv, .output = log, .env = &env, .nenv = 1};
    int status = cli_child_run(&c);
    bool ok = status == 0 && put_in_place(tmp, path, d);
    if (status != 0)
        report_failure(a, what, status, log, d);
    if (!ok)
        unlink(tmp);
    if (fd >= 0)
        close(fd);
    return ok;
}

bool cache_has_trace(const char *path, enum telling telling)
{
    struct diag d = {0};
    if (access(path, R_OK) != 0)
        return false;
    struct tr_reader *r = tr_open(path, &d);
    bool ok = r && !tr_partial(r);
    if (!ok && telling)
        fprintf(stderr, "bankshot: %s is %s: it is made again\n", path, r ? "partial" : "damaged");
    if (r)
        tr_free(r);
    diag_free(&d);
    return ok;
}
