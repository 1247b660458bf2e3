/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot COMMAND ...: the table of commands and what is common to them. */
#include "base/nearest.h"
#include "base/pages.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "cli/man.h"

static const struct cli_cmd commands[] = {
    {"cc", "compile and link a CUDA program, without a CUDA toolkit", cli_cc},
    {"inspect", "print what a trace holds, or compile a PTX file and print its kernels", cli_inspect},
    {"exec", "compile one kernel of a PTX file and execute it on buffers given on the command line",
     cli_exec},
    {"record", "run a CUDA program without a GPU and write a trace of its kernels", cli_record},
    {"check", "run a CUDA program and tell races, unwritten memory and wrong barriers", cli_check},
    {"import", "make a trace of SASS traces that were recorded for Accel-Sim", cli_import},
    {"export", "write a trace in Accel-Sim's form", cli_export},
    {"sass", "print machine code of NVIDIA GPUs as text", cli_sass},
    {"run", "replay a trace on the timing model of a GPU", cli_run},
    {"corun", "replay several programs on one GPU, and each alone", cli_corun},
    {"compare", "replay workloads with different mechanisms and print speedups", cli_compare},
    {"diff", "two runs beside each other: kernels, causes, units, counters, options", cli_diff},
    {"correlate", "a program beside a real GPU or a profiler's table, kernel by kernel", cli_correlate},
    {"sweep", "replay all combinations of a specification into a results database", cli_sweep},
    {"explore", "search machines for several goals at once, from few whole runs", cli_explore},
    {"repro", "reproduce figures and claims of papers", cli_repro},
    {"report", "make a page of a results database", cli_report},
    {"plot", "draw a figure of a results database, for a paper", cli_plot},
    {"occupancy", "how many CTAs and warps of a kernel an SM holds, and what limits them", cli_occupancy},
    {"list", "print presets, mechanisms, options, counters", cli_list},
};
enum { NCOMMANDS = sizeof commands / sizeof commands[0] };

static const struct cli_cmd *find_command(const char *name)
{
    for (uint32_t i = 0; i < NCOMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

static void print_help(FILE *to)
{
    fprintf(
        to,
        "bankshot %s: a GPU simulator for the question how a GPU core should store and move its operands\n\n"
        "usage: bankshot COMMAND [ARGUMENTS]\n\ncommands:\n",
        BANKSHOT_VERSION);
    for (uint32_t i = 0; i < NCOMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "  %-10s %s\n", "help",
            "print this, or help COMMAND: the help of one command; help --man: the manual;");
    fprintf(to, "  %-10s %s\n", "", "help --json-schema: the schema of all JSON that commands write");
    fprintf(to,
            "\noptions:\n  --help     print this\n  --version  print the version\n"
            "\nexit status: 0 fine, 1 the kernel failed, 2 a mistake in the options or input, 3 deadlock\n");
}

static int unknown_command(const char *name)
{
    const char *names[NCOMMANDS + 1] = {"help"};
    for (uint32_t i = 0; i < NCOMMANDS; i++)
        names[i + 1] = commands[i].name;
    const char *near = nearest_name(name, strlen(name), names, NCOMMANDS + 1);
    if (near)
        return cli_error("unknown command '%s'; did you mean '%s'?", name, near);
    return cli_error("unknown command '%s'; see bankshot --help", name);
}

/* For the completion of shells. */
static int print_words(void)
{
    for (uint32_t i = 0; i < NCOMMANDS; i++)
        puts(commands[i].name);
    puts("help\n--help\n--version");
    return CLI_OK;
}

/* What the options of all commands do to files; a test holds every one that writes to the rule of cli/files.h. */
static int print_files(void)
{
    for (uint32_t i = 0; i < NCOMMANDS; i++) {
        char name[32], tell[] = CLI_TELL_FILES, *args[] = {name, tell, NULL};
        snprintf(name, sizeof name, "%s", commands[i].name);
        int status = commands[i].run(2, args);
        if (status != CLI_OK)
            return status;
    }
    return CLI_OK;
}

static int help_command(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stdout);
        return CLI_OK;
    }
    if (strcmp(argv[1], "--man") == 0)
        return man_page(commands, NCOMMANDS, stdout);
    if (strcmp(argv[1], "--json-schema") == 0)
        return json_schema(stdout) ? CLI_OK : CLI_FAILED;
    if (strcmp(argv[1], "--words") == 0 && argc < 3)
        return print_words();
    if (strcmp(argv[1], "--files") == 0)
        return print_files();
    bool words = strcmp(argv[1], "--words") == 0;
    const struct cli_cmd *c = find_command(argv[1 + words]);
    if (!c)
        return unknown_command(argv[1 + words]);
    if (words)
        return man_words(c, stdout);
    char help[] = "--help", *args[] = {argv[1], help, NULL};
    return c->run(2, args);
}

/* A full disk or a closed pipe must not look like success. */
static int close_output(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("bankshot: error: cannot write the output\n", stderr);
        return status ? status : CLI_FAILED;
    }
    return status;
}

int main(int argc, char **argv)
{
    pages_large();
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0)
        return close_output(help_command(argc - 1, argv + 1));
    if (strcmp(name, "--version") == 0) {
        printf("bankshot %s\n", BANKSHOT_VERSION);
        return close_output(CLI_OK);
    }
    if (name[0] == '-')
        return cli_error("unknown option %s; see bankshot --help", name);
    const struct cli_cmd *c = find_command(name);
    if (!c)
        return unknown_command(name);
    return close_output(c->run(argc - 1, argv + 1));
}
