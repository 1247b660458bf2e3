/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot cc: what its files share. args.c reads an nvcc-like command line into struct cc_job, with rows.c and words.c; the
 * command, src/cli/cc.c, has its passes (unit.h) turn the job into commands of clang; tool.c finds clang and runs them; nvcc.c
 * says what build systems ask nvcc; ir.c, lines.c and ptx.c look over the device code between the two passes. */
#ifndef CLI_CC_CC_H
#define CLI_CC_CC_H

#include "cli/cli.h"

#include <signal.h>

struct cc_words {
    VEC(const char *) w;
};

/* CC_LINK: an object or a library, for the linker only. */
enum cc_lang { CC_BY_NAME, CC_CUDA, CC_C, CC_CXX, CC_LINK };

struct cc_input {
    const char *path;
    enum cc_lang lang;
    uint32_t link_at; /* its place among the words of the linker */
};

/* CC_TO_LIBRARY: an archive of objects; CC_TO_LINK: what nvcc makes of device code that was compiled separately, an object with
 * nothing in it here; CC_TO_TEXT: preprocessed, or dependencies. */
enum cc_stop { CC_TO_APP, CC_TO_LIBRARY, CC_TO_LINK, CC_TO_OBJECT, CC_TO_PTX, CC_TO_TEXT };

struct cc_job {
    struct arena arena; /* every string that is not of argv */
    VEC(struct cc_input) inputs;
    struct cc_words both;                   /* arguments of every compilation: -I -D ... */
    struct cc_words host;                   /* of host compilations */
    struct cc_words device;                 /* of device compilations */
    struct cc_words dep_words;              /* -MP, -MT, -MQ */
    struct cc_words link;                   /* of the link step, inputs among them, in the order given */
    const char *output, *out_dir;           /* NULL: by the rules of the step, and there */
    const char *std, *opt;                  /* -std=, -O: NULL: the default */
    const char *deps, *dep_file, *keep_dir; /* -MD or -MMD, -MF, --keep-dir; NULL: not given */
    const char *list_archs;                 /* print architectures with this before each; NULL: no */
    enum cc_lang lang;                      /* of -x */
    enum cc_stop stop;
    uint32_t sm;       /* target, e.g. 80 */
    bool sm_a;         /* with what that one machine has alone: sm_90a */
    uint32_t max_regs; /* -maxrregcount; 0: none */
    bool help, version, dry_run, verbose, keep, debug_device, optimise_device, openmp, dep_target;
    bool rdc; /* device code is completed by other files, when the program runs */
};

/* Reads argv[1..]. False after a message: the status is CLI_USAGE. */
bool cc_read_args(struct cc_job *j, int argc, char **argv);
void cc_print_options(FILE *to);
/* For bankshot help --files (cli.h). */
void cc_print_files(FILE *to);
void cc_job_free(struct cc_job *j);

/* words.c. Adds what a list (A,B) holds; with the second function each as the words that a shell would make
 * of it; with the third the words of a text alone. */
void cc_add_list(struct arena *a, struct cc_words *to, const char *list);
void cc_add_quoted(struct arena *a, struct cc_words *to, const char *list);
void cc_add_shell(struct arena *a, struct cc_words *to, const char *text);
/* argv[1..], with the words of files of options in their place. False after a message. */
bool cc_expand(struct arena *a, struct cc_words *to, int argc, char **argv);

/* nvcc.c. What build systems read to know the compiler and the folders of its toolkit. */
void cc_print_version(FILE *to);
void cc_print_archs(FILE *to, const char *prefix);
void cc_print_toolkit(const struct cc_job *j, const char *home);
/* One line that says how to call this command to link what the job makes. */
void cc_print_link(const struct cc_job *j, const char *home);
void cc_print_command(const struct cc_words *v);

/* Compute capabilities as clang names them: 50 and 90 are the oldest and the newest that every clang from 16 on
 * knows; sm_90a is known from 18 on. The default is what the runtime's device says of itself (attrs.def), so that
 * a program which asks the device has the code that it then calls. */
enum { CC_SM_MIN = 50, CC_SM_DEFAULT = 90, CC_SM_MAX = 90, CC_SM_A_CLANG = 18, CC_SM_CLUSTERS = 90 };

struct cc_tool {
    const char *clang;   /* path */
    const char *version; /* 19.1.7 */
    uint32_t major;
    uint32_t ptx; /* newest PTX version that the compiler writes, e.g. 83 */
};

/* The target as compilers name it, behind sm_: 80, 90a. */
const char *cc_sm_name(struct cc_job *j);

/* A program by its path, or by its name in $PATH. */
bool cc_find_program(struct arena *a, const char *name, const char **out);
/* $BANKSHOT_CLANG, or the best of Debian's clangs. False after a message. */
bool cc_find_clang(struct arena *a, struct cc_tool *out);

/* Does this clang have OpenMP's library and header? They are a package of their own. False after a message. */
bool cc_has_openmp(const struct cc_tool *tool);

/* From here to the end of the command, signals that would end the process wait, so that nothing is left
 * behind. */
void cc_hold_signals(sigset_t *before);
/* Runs argv (NULL-terminated) with the given signal mask and waits. A signal that arrives is passed on,
 * and kept in *stopped. Returns the exit status, 128 + signal if the command was killed, -1 after a
 * message if it could not start. CC_MUTE: nobody hears its messages. */
enum cc_voice { CC_HEARD, CC_MUTE };
int cc_run(char *const *argv, enum cc_voice voice, const sigset_t *mask, int *stopped);
/* A new private folder for temporary files; NULL after a message. cc_remove_dir deletes it and the files
 * in it. */
const char *cc_temp_dir(struct arena *a);
void cc_remove_dir(const char *dir);

/* lines.c. Does the PTX have lines of files other than their function's? */
bool cc_has_foreign_lines(const char *path);
/* Replaces them by those of `callers`, the PTX that -gno-inline-line-tables gives, if its code is the same. False after a
 * message. */
bool cc_take_caller_lines(const char *path, const char *callers);

/* cluster.c: kernels with __cluster_dims__. */
struct cc_cluster {
    const char *kernel;
    uint32_t size[3];
};
struct cc_clusters {
    VEC(struct cc_cluster) of;
};
/* Does a file of the rule in `deps` name it, of those that are not in `home`? */
bool cc_names_clusters(struct arena *a, const char *deps, const char *home);
/* Adds what LLVM assembly says of them. False after a message. */
bool cc_find_clusters(struct arena *a, const char *ir, struct cc_clusters *to);

/* Checks the PTX of a source file, shortens it, bounds its kernels' registers if the job does, names their clusters, and writes
 * what the host pass embeds to image, if that is not NULL. False after a message. */
bool cc_finish_ptx(const char *path, const char *image, const char *source, const struct cc_job *j,
                   const struct cc_clusters *clusters);

/* In assembly: the function that registers device code for linking, which clang names for each file, becomes the runtime's.
 * False after a message. */
bool cc_register_with_runtime(const char *path);

/* ir.c: writes into LLVM assembly what nvcc does and clang does not; gives the number of lines changed, -1 after a message. */
struct cc_ir {
    bool whole;              /* vectors are accessed as a whole */
    bool flush;              /* no function is to care for subnormal numbers */
    bool wary;               /* no bounds of threadIdx and its like are known (ir_wary.c) */
    bool roots, reciprocals; /* that are rounded correctly stay behind their branches (ir_wary.c) */
};
int cc_edit_ir(const char *from, const char *to, const struct cc_ir *wanted);
/* ir_wary.c: roots and reciprocals of constants as clang can fold them. False after a message. */
bool cc_fold_ir(const char *from, const char *to);
/* ir_rows.c: indices that go from row to row in a loop have 64 bits. False after a message. */
bool cc_walk_rows(const char *path);
/* Bytes of local memory that the kernels and functions of the PTX declare, all together. */
uint64_t cc_local_bytes(const char *path);
/* Marks parameters that are __grid_constant__ in LLVM assembly; gives their number, -1 after a message. */
int cc_mark_constants(const char *path);

/* Does the user want a rule of what the result depends on? */
static inline bool cc_wants_deps(const struct cc_job *j)
{
    return j->deps || j->dep_file || j->dep_words.w.n;
}

static inline void cc_add(struct cc_words *v, const char *word) { vec_push(&v->w, word); }

#endif
