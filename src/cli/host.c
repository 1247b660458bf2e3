/* SPDX-License-Identifier: Apache-2.0 */
/* The environment in which a CUDA program finds the runtime stand-in. */
#include "cli/host.h"

#include "base/file.h"
#include "cli/resource.h"
#include "cudart/code/fatbin.h"
#include "sass/cubin.h"

#include <unistd.h>

/* With what programs that have NVIDIA's runtime linked in are started; it does nothing to others. */
static const char *preload(struct arena *a, const char *home)
{
    const char *before = getenv("LD_PRELOAD"), *own = arena_printf(a, "%s/libbankshot-static.so", home);
    if (access(own, R_OK) != 0)
        return before;
    return before && *before ? arena_printf(a, "%s:%s", own, before) : own;
}

/* The program may change its folder before it reads the file. NULL after reporting: it holds no machine code. */
static const char *machine_code(struct arena *a, const char *path)
{
    struct diag d = {0};
    struct file_text f;
    struct fatbin_text code;
    char why[300] = "";
    char *full = file_read(path, FATBIN_TEXT_MAX, &f, &d) ? realpath(path, NULL) : NULL;
    diag_print(&d, stderr);
    diag_free(&d);
    if (!full)
        return NULL;
    bool ok = fatbin_read_cubin(f.at, f.n, UINT32_MAX, &code) == FATBIN_OK;
    struct cubin *c = ok ? cubin_read(code.text, code.n, why, sizeof why) : NULL;
    if (!c)
        cli_error("%s: %s", path, ok ? why : code.why);
    const char *out = c ? arena_strndup(a, full, strlen(full)) : NULL;
    if (ok)
        free(code.text);
    cubin_free(c);
    file_free(&f);
    free(full);
    return out;
}

int host_run(struct arena *a, char *const *argv, const struct host_opts *o,
             const struct child_env more[HOST_MORE], double *seconds)
{
    const char *home = cli_home(a);
    if (!home || !cli_resource(a, "libcudart.so.13"))
        return -1;
    const char *cubin = o->cubin ? machine_code(a, o->cubin) : getenv("BANKSHOT_CUBIN");
    if (o->cubin && !cubin)
        return -1;
    const char *path = getenv("LD_LIBRARY_PATH");
    const char *libs = path && *path ? arena_printf(a, "%s:%s", home, path) : home;
    const struct child_env env[] = {
        {"LD_LIBRARY_PATH", libs},
        {"LD_PRELOAD", preload(a, home)},
        {"BANKSHOT_NVTX", o->nvtx ? o->nvtx : getenv("BANKSHOT_NVTX")},
        /* What programs with NVIDIA's NVTX header load. */
        {"NVTX_INJECTION64_PATH", arena_printf(a, "%s/libbankshot-cuda.so", home)},
        {"BANKSHOT_MAX_REGS", o->max_regs ? arena_printf(a, "%u", o->max_regs) : getenv("BANKSHOT_MAX_REGS")},
        {"BANKSHOT_NO_SCHEDULE", o->no_schedule ? "1" : getenv("BANKSHOT_NO_SCHEDULE")},
        {"BANKSHOT_SHORT_ADDRESSES", o->short_addr ? "1" : getenv("BANKSHOT_SHORT_ADDRESSES")},
        {"BANKSHOT_CODE", o->code ? o->code : getenv("BANKSHOT_CODE")},
        {"BANKSHOT_CUBIN", cubin},
        {"BANKSHOT_MEMORY", o->memory_mb ? arena_printf(a, "%llu", (unsigned long long)o->memory_mb)
                                         : getenv("BANKSHOT_MEMORY")},
        {"BANKSHOT_VERBOSE", o->verbose ? "1" : getenv("BANKSHOT_VERBOSE")},
        {"BANKSHOT_QUIET", o->quiet ? "1" : getenv("BANKSHOT_QUIET")},
        {"BANKSHOT_PROGRESS", o->quiet ? "0" : getenv("BANKSHOT_PROGRESS")},
        {"BANKSHOT_VALUES", o->values},
        more[0],
        more[1],
    };
    struct child c = {.argv = argv, .env = env, .nenv = sizeof env / sizeof env[0]};
    int status = cli_child_run(&c);
    *seconds = c.seconds;
    return status;
}
