/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands share: exit statuses, the option reader, messages. One file per command; main.c has the table. What a command
 * is made of lies beside it, or in a room (docs/dataflow.md): cc/ the compiler driver, watch/ what looks on as a run or a trace
 * goes by, lab/ what is to be measured and how it gets done, view/ what is printed or written of it. Rooms include those named
 * before them, and what all share.
 *
 * A command declares its options once, as rows of struct cli_opt that point at local variables; the rows give parsing,
 * ranges, help and the guess after a misspelling. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/vec.h"
#include "cli/filekind.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Statuses of the process, part of the command-line contract. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,   /* the kernel failed: trap, bad address, limit, ... */
    CLI_USAGE = 2,    /* the user's mistake: options, files, input that is refused */
    CLI_DEADLOCK = 3, /* nothing can make progress */
};

struct cli_cmd {
    const char *name;
    const char *summary;               /* one line */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

int cli_cc(int argc, char **argv);
int cli_inspect(int argc, char **argv);
int cli_exec(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_record(int argc, char **argv);
int cli_run(int argc, char **argv);
int cli_corun(int argc, char **argv);
int cli_compare(int argc, char **argv);
int cli_sweep(int argc, char **argv);
int cli_explore(int argc, char **argv);
int cli_repro(int argc, char **argv);
int cli_report(int argc, char **argv);
int cli_plot(int argc, char **argv);
int cli_occupancy(int argc, char **argv);
int cli_correlate(int argc, char **argv);
int cli_diff(int argc, char **argv);
int cli_list(int argc, char **argv);
int cli_import(int argc, char **argv);
int cli_export(int argc, char **argv);
int cli_sass(int argc, char **argv);

/* Options. */
enum cli_kind {
    CLI_FLAG, /* bool */
    CLI_U32,  /* uint32_t in lo..hi */
    CLI_U64,  /* uint64_t in lo..hi */
    CLI_STR,  /* const char * */
    CLI_IN,   /* const char *: a file that is read, or the name of something else that is */
    CLI_OUT,  /* const char *: a file that is written; lo is its enum file_kind (cli/filekind.h) */
    CLI_DB,   /* const char *: a results database that is added to */
    CLI_DIM3, /* uint32_t[3]: X[,Y[,Z]]; absent ones become 1; each in lo..hi */
    CLI_LIST, /* struct cli_list: may be given several times */
    CLI_INS,  /* struct cli_list of files that are read */
};

struct cli_list {
    VEC(const char *) items;
};

struct cli_opt {
    const char *name; /* without the --; a single letter x is the option -x */
    enum cli_kind kind;
    void *to;
    uint64_t lo, hi; /* hi 0: the type's own range */
    const char *arg; /* name of the value in help */
    const char *help;
};

/* Row of the option that keeps a command from telling how far it is and what it did; answers and mistakes are still told. */
#define CLI_QUIET(to)                                                                                        \
    {                                                                                                        \
        "quiet", CLI_FLAG, to, 0, 0, NULL, "no progress and no summary on standard error"                    \
    }

enum { CLI_MAX_OPTS = 64 };
/* As the only argument of a command: prints what its options do to files (bankshot help --files). */
#define CLI_TELL_FILES "--tell-files"

struct cli_spec {
    const char *usage; /* after "bankshot " */
    const char *story; /* paragraphs of help, each line ends in \n */
    const struct cli_opt *opts;
    uint32_t nopts;
    const char **positional; /* filled in order; NULL where absent */
    uint32_t npositional, nrequired;
    const char *positional_name;
    /* Not NULL: a command line of the user's own ends the arguments. It starts after -- or at the first argument that is no
     * option, and is not looked at; its index in argv goes here. */
    int *rest;
};

/* Reads argv[1..], and holds the files that they name to the rule of cli/files.h. True: go on. False: *status is the exit status
 * (help was printed, or a message). */
bool cli_parse(const struct cli_spec *s, int argc, char **argv, int *status);
/* The same rule, for the files that were given and n more, such as those whose names are made of others. False after a
 * message. */
struct cli_file;
bool cli_files(const struct cli_spec *s, const struct cli_file *more, uint32_t n);

/* Prints "bankshot: error: ..." on stderr and returns CLI_USAGE. */
int cli_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The plural's letter: "%u run%s". */
static inline const char *cli_s(uint64_t n) { return n == 1 ? "" : "s"; }
static inline const char *cli_es(uint64_t n) { return n == 1 ? "" : "es"; }

/* A number in decimal or 0x form, all of the text. */
bool cli_u64(const char *text, uint64_t *out);
/* X[,Y[,Z]] or XxYxZ. */
bool cli_dim3(const char *text, uint32_t out[3]);

#endif
