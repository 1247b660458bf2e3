/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* pipe2 */
/* Signals are taken one by one with sigtimedwait, so there is no handler and nothing global. */
#include "cli/child.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
enum { NPASSED = sizeof passed_on / sizeof passed_on[0] };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* In the new process. Says on `tell` why it cannot become the program. */
static void become(const struct child *c, const sigset_t *mask, pid_t parent, int tell)
{
    for (size_t i = 0; i < c->nenv; i++) {
        if (c->env[i].value)
            setenv(c->env[i].name, c->env[i].value, 1);
        else
            unsetenv(c->env[i].name);
    }
    sigprocmask(SIG_SETMASK, mask, NULL);
    int fd = c->output ? open(c->output, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (fd >= 0) {
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
        close(fd);
    }
    /* Managed and mapped memory has the host's addresses: the same in every run, where that is allowed. */
    int old = personality(0xffffffff);
    if (old != -1)
        personality((unsigned long)old | ADDR_NO_RANDOMIZE);
    /* Whoever kills us beyond recall means the program. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent)
        execvp(c->argv[0], c->argv);
    int why = errno;
    if (write(tell, &why, sizeof why) != sizeof why)
        _exit(126);
    _exit(127);
}

static int wait_status(int st) { return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st); }

/* A key on the terminal reaches the program by itself; what was sent to us alone does not. */
static bool sent_to_us(const siginfo_t *info) { return info->si_code <= 0; }

static int wait_for(struct child *c, pid_t pid, const sigset_t *mine, double start)
{
    const struct timespec beat = {.tv_nsec = 500000000};
    for (;;) {
        siginfo_t info;
        int st, sig = sigtimedwait(mine, &info, &beat);
        if (waitpid(pid, &st, WNOHANG) == pid) {
            c->seconds = now_s() - start;
            return wait_status(st);
        }
        if (sig > 0 && sig != SIGCHLD && sent_to_us(&info))
            kill(pid, sig);
    }
}

int cli_child_run(struct child *c)
{
    int tell[2], why = 0;
    if (pipe2(tell, O_CLOEXEC) != 0) {
        cli_error("cannot start %s: %s", c->argv[0], strerror(errno));
        return -1;
    }
    sigset_t mine, before;
    sigemptyset(&mine);
    sigaddset(&mine, SIGCHLD);
    for (int i = 0; i < NPASSED; i++)
        sigaddset(&mine, passed_on[i]);
    signal(SIGCHLD, SIG_DFL); /* ignored, as some callers leave it, there would be no status */
    sigprocmask(SIG_BLOCK, &mine, &before);
    double start = now_s();
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(c, &before, parent, tell[1]);
    if (pid < 0)
        why = errno;
    close(tell[1]);
    bool failed = pid < 0 || read(tell[0], &why, sizeof why) == sizeof why;
    close(tell[0]);
    int status = pid > 0 ? wait_for(c, pid, &mine, start) : -1;
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        return status;
    cli_error("cannot start %s: %s", c->argv[0], strerror(why));
    return -1;
}
