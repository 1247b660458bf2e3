/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "cli/program.h"
#include "cli/cli.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_is_trace(const char *path)
{
    char head[sizeof TR_MAGIC - 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool yes = fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head &&
               memcmp(head, TR_MAGIC, sizeof head) == 0;
    if (fd >= 0)
        close(fd);
    return yes;
}

bool program_is_elf(const char *path)
{
    static const char elf[] = "\177ELF";
    char head[sizeof elf - 1];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool yes =
        fd >= 0 && read(fd, head, sizeof head) == (ssize_t)sizeof head && memcmp(head, elf, sizeof head) == 0;
    if (fd >= 0)
        close(fd);
    return yes;
}

/* As execvp finds it. */
static int open_program(const char *name)
{
    const char *path = strchr(name, '/') ? "" : getenv("PATH");
    if (!path || !*path)
        return open(name, O_RDONLY | O_CLOEXEC);
    for (;;) {
        size_t n = strcspn(path, ":");
        char full[4096];
        snprintf(full, sizeof full, "%.*s/%s", (int)n, path, name);
        int fd = access(full, X_OK) == 0 ? open(full, O_RDONLY | O_CLOEXEC) : -1;
        if (fd >= 0 || !path[n])
            return fd;
        path += n + 1;
    }
}

static const char *explain(const unsigned char *at, size_t n)
{
    static const char elf[] = "\177ELF", dynamic[] = "libcudart.so", driver[] = "libcuda.so",
                      fat[] = ".nv_fatbin";
    if (n < 4 || memcmp(at, elf, 4) != 0)
        return "the program is a script or the like, and nothing it started used the CUDA runtime stand-in";
    bool runtime = memmem(at, n, dynamic, sizeof dynamic - 1), code = memmem(at, n, fat, sizeof fat - 1);
    if (code && !runtime)
        return "the program has CUDA code but no CUDA call of it was seen: linked with the static CUDA "
               "runtime, "
               "its names must not be stripped; or build it with nvcc -cudart "
               "shared, or with bankshot cc";
    if (runtime || memmem(at, n, driver, sizeof driver - 1))
        return "the program ended before its first CUDA call, or found another CUDA library than the "
               "stand-in";
    return "this is not a CUDA program: it has no device code and does not use the CUDA runtime library";
}

const char *program_no_trace(const char *program)
{
    int fd = open_program(program);
    struct stat st;
    const char *why = "the program did not use the CUDA runtime stand-in";
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0) {
        size_t n = (size_t)st.st_size;
        void *at = mmap(NULL, n, PROT_READ, MAP_PRIVATE, fd, 0);
        if (at != MAP_FAILED) {
            why = explain(at, n);
            munmap(at, n);
        }
    }
    if (fd >= 0)
        close(fd);
    return why;
}
