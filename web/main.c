/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot in a browser: the commands that need neither processes nor a database. The page runs them as a shell would, with files
 * in memory (page/host.js). */
#include "cli/cli.h"

#include <string.h>

static const struct cli_cmd commands[] = {
    {"exec", "compile one kernel of a PTX file and execute it", cli_exec},
    {"run", "replay a trace on the timing model of a GPU", cli_run},
    {"inspect", "print what a trace holds, or compile a PTX file and print its kernels", cli_inspect},
    {"list", "print presets, mechanisms, options, counters", cli_list},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0) {
            int status = commands[i].run(argc - 1, argv + 1);
            return fflush(stdout) != 0 && !status ? CLI_FAILED : status;
        }
    return cli_error("there is no such command in a browser");
}
