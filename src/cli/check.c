/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot check: runs a CUDA program under the executor's checks of memory and synchronisation. */
#include "cli/cli.h"
#include "cli/host.h"
#include "cli/program.h"

#include <errno.h>
#include <unistd.h>

static const char *const kinds[] = {"memory", "race", "init", "sync"};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

/* Each name of the list is a check. */
static bool known(const char *list)
{
    for (const char *s = list; *s;) {
        size_t n = strcspn(s, ",");
        bool found = false;
        for (uint32_t i = 0; i < NKINDS; i++)
            found |= n == strlen(kinds[i]) && strncmp(s, kinds[i], n) == 0;
        if (!found) {
            cli_error("--only: there is no check '%.*s'; memory, race, init and sync are there", (int)n, s);
            return false;
        }
        s += n + (s[n] == ',');
    }
    return *list || (cli_error("--only: name a check: memory, race, init, sync"), false);
}

/* What is no program says so before anything is started. */
static bool is_program(const char *path)
{
    const char *dot = strrchr(path, '.');
    if (dot && (strcmp(dot, ".cu") == 0 || strcmp(dot, ".ptx") == 0)) {
        cli_error("%s is a source file; compile it first: bankshot cc %s -o APP && bankshot check ./APP",
                  path, path);
        return false;
    }
    if (access(path, F_OK) == 0 && cli_is_trace(path)) {
        cli_error("%s is a trace: what it was recorded from can be checked, the program itself", path);
        return false;
    }
    return true;
}

/* A program that ends without having launched anything was not checked, and says so. The runtime writes how many launches there
 * were. */
static int run(const struct host_opts *host, const char *only, char *const *argv)
{
    struct arena a = {0};
    const char *folder = getenv("TMPDIR");
    char *sum = arena_printf(&a, "%s/bankshot-check-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(sum);
    if (fd < 0) {
        arena_free(&a);
        return cli_error("%s: %s", sum, strerror(errno));
    }
    const struct child_env more[HOST_MORE] = {{"BANKSHOT_CHECK", only}, {"BANKSHOT_CHECK_SUM", sum}};
    double seconds = 0;
    char any;
    int status = host_run(&a, argv, host, more, &seconds);
    if (status < 0)
        status = CLI_USAGE;
    else if (status == 0 && read(fd, &any, 1) != 1)
        status = cli_error("nothing was checked: %s", program_no_trace(argv[0]));
    close(fd);
    unlink(sum);
    arena_free(&a);
    return status;
}

static const char story[] =
    "Runs a CUDA program without a GPU and tells, on standard error, what its kernels do wrong with memory "
    "and\n"
    "barriers, each with kernel, line, CTA, warp, lanes and the line of the other access:\n"
    "  memory   accesses outside of allocations, freed, misaligned; launches that fail or deadlock\n"
    "  race     two threads that touch the same bytes, one writes, and no barrier, atomic with a fence, "
    "stream\n"
    "           or event orders them (shared and global memory; two writes of the same value are no race)\n"
    "  init     reads of global, shared and local memory that nothing has written\n"
    "  sync     threads of a CTA that wait at different barriers; wrong masks of warp functions\n"
    "A mistake of the source is told once, with how often it was seen. Results are the program's own.\n"
    "Exit status: the program's own, but where that is 0 and something was found, 1 (compute-sanitizer: the "
    "value\n"
    "of --error-exitcode). docs/checks.md says what is not looked at.\n";

int cli_check(int argc, char **argv)
{
    struct host_opts host = {0};
    const char *only = "memory,race,init,sync";
    int rest = 0, status = CLI_OK;
    const struct cli_opt opts[] = {
        {"only", CLI_STR, &only, 0, 0, "CHECKS",
         "some of memory,race,init,sync (memory is always looked at)"},
        HOST_OPTS(&host),
        CLI_QUIET(&host.quiet),
    };
    const struct cli_spec spec = {
        .usage = "check [--only CHECKS] [--code sass|ptx|auto] [--cubin FILE] [--max-regs N] [--no-schedule] "
                 "[--memory MIB] "
                 "[--verbose] [--quiet] -- PROGRAM [ARGUMENTS]",
        .story = story,
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
        .positional_name = "PROGRAM",
        .rest = &rest,
    };
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    if (!known(only) || !is_program(argv[rest]))
        return CLI_USAGE;
    return run(&host, only, argv + rest);
}
