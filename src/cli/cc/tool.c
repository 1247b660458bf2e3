/* SPDX-License-Identifier: Apache-2.0 */
/* Finding clang, running it, temporary files. */
#include "cli/cc/cc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Newest PTX that a version of clang writes; newer clangs write at least what 19 does. */
static const struct {
    uint32_t major, ptx;
} ptx_versions[] = {{19, 83}, {17, 80}, {16, 78}, {14, 70}};

bool cc_find_program(struct arena *a, const char *name, const char **out)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/')) {
        *out = name;
        return access(name, X_OK) == 0;
    }
    while (path && *path) {
        size_t n = strcspn(path, ":");
        const char *full = arena_printf(a, "%.*s/%s", (int)n, path, name);
        struct stat st;
        if (n && stat(full, &st) == 0 && S_ISREG(st.st_mode) && access(full, X_OK) == 0) {
            *out = full;
            return true;
        }
        path += n + (path[n] == ':');
    }
    return false;
}

/* The first line that clang prints when asked with one option; "" where it cannot be run. */
static void ask(const char *clang, const char *option, char *text, size_t size)
{
    int fd[2];
    text[0] = 0;
    if (pipe(fd) != 0)
        return;
    posix_spawn_file_actions_t fa;
    posix_spawn_file_actions_init(&fa);
    posix_spawn_file_actions_adddup2(&fa, fd[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&fa, fd[0]);
    posix_spawn_file_actions_addclose(&fa, fd[1]);
    char *arg = xstrdup(option), *name = xstrdup(clang), *argv[] = {name, arg, NULL};
    pid_t pid;
    int failed = posix_spawn(&pid, clang, &fa, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&fa);
    close(fd[1]);
    size_t n = 0;
    ssize_t got;
    while (!failed && n < size - 1 && (got = read(fd[0], text + n, size - 1 - n)) > 0)
        n += (size_t)got;
    close(fd[0]);
    if (!failed)
        waitpid(pid, NULL, 0);
    free(name);
    free(arg);
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
}

/* What clang -dumpversion prints, of which the first number is 0 where it is no clang or cannot be run. */
static void find_version(struct arena *a, struct cc_tool *tool)
{
    char text[32];
    ask(tool->clang, "-dumpversion", text, sizeof text);
    tool->version = arena_printf(a, "%s", text);
    tool->major = (uint32_t)strtoul(text, NULL, 10);
}

/* A name that clang does not find it prints as it was. */
bool cc_has_openmp(const struct cc_tool *tool)
{
    char header[PATH_MAX], library[PATH_MAX];
    ask(tool->clang, "-print-file-name=include/omp.h", header, sizeof header);
    ask(tool->clang, "-print-file-name=libomp.so", library, sizeof library);
    if (header[0] == '/' && library[0] == '/')
        return true;
    cli_error("-fopenmp: %s has no OpenMP; as root: apt-get install libomp-%u-dev", tool->clang, tool->major);
    return false;
}

bool cc_find_clang(struct arena *a, struct cc_tool *out)
{
    static const char *const names[] = {"clang-19", "clang-20", "clang-18", "clang-17",
                                        "clang-16", "clang-14", "clang"};
    const char *env = getenv("BANKSHOT_CLANG");
    bool found = false;
    if (env && *env) {
        if (!cc_find_program(a, env, &out->clang)) {
            cli_error("BANKSHOT_CLANG=%s: no such program", env);
            return false;
        }
        found = true;
    }
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; i++)
        found = cc_find_program(a, names[i], &out->clang);
    if (!found) {
        cli_error("clang is missing, which compiles CUDA; as root: apt-get install clang-19");
        return false;
    }
    find_version(a, out);
    out->ptx = 0;
    for (size_t i = 0; !out->ptx && i < sizeof ptx_versions / sizeof *ptx_versions; i++)
        if (out->major >= ptx_versions[i].major)
            out->ptx = ptx_versions[i].ptx;
    if (!out->ptx)
        cli_error("%s is not a clang of version 14 or later; as root: apt-get install clang-19", out->clang);
    return out->ptx != 0;
}

static void the_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGCHLD);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

void cc_hold_signals(sigset_t *before)
{
    sigset_t set;
    the_signals(&set);
    sigprocmask(SIG_BLOCK, &set, before);
}

int cc_run(char *const *argv, enum cc_voice voice, const sigset_t *mask, int *stopped)
{
    posix_spawn_file_actions_t fa;
    posix_spawn_file_actions_init(&fa);
    if (voice == CC_MUTE)
        posix_spawn_file_actions_addopen(&fa, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_t attr;
    posix_spawnattr_init(&attr);
    posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attr, mask);
    pid_t pid;
    int failed = posix_spawn(&pid, argv[0], &fa, &attr, argv, environ), status = 0;
    posix_spawnattr_destroy(&attr);
    posix_spawn_file_actions_destroy(&fa);
    if (failed) {
        cli_error("cannot run %s: %s", argv[0], strerror(failed));
        return -1;
    }
    sigset_t set;
    the_signals(&set);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        int sig = sigwaitinfo(&set, NULL);
        if (sig > 0 && sig != SIGCHLD) {
            *stopped = sig;
            kill(pid, sig);
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const char *cc_temp_dir(struct arena *a)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = arena_printf(a, "%s/bankshot-cc-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(dir)) {
        cli_error("cannot make a folder for temporary files: %s: %s", dir, strerror(errno));
        return NULL;
    }
    return dir;
}

void cc_remove_dir(const char *dir)
{
    DIR *d = opendir(dir);
    if (!d)
        return;
    struct arena a = {0};
    for (struct dirent *e; (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            unlink(arena_printf(&a, "%s/%s", dir, e->d_name));
    closedir(d);
    arena_free(&a);
    rmdir(dir);
}
