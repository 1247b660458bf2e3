/* SPDX-License-Identifier: Apache-2.0 */
/* A job of bankshot cc on its way, and one source file of it: what the command (src/cli/cc.c) and its passes share. common.c has
 * the words that passes have in common and runs their commands, headers.c keeps the headers of all of them precompiled, device.c
 * makes PTX, host.c objects, link.c what they become
 * together. */
#ifndef CLI_CC_UNIT_H
#define CLI_CC_UNIT_H

#include "cli/cc/cc.h"

/* A result on its way: commands write it beside the place that it will have. */
struct cc_draft {
    const char *draft, *path;
};

struct cc {
    struct cc_job *job;
    struct cc_tool tool;
    const char *home, *tmp;
    sigset_t mask; /* of signals, before this command */
    int stopped;   /* the signal that ended a command, 0: none */
    VEC(struct cc_draft) drafts;
};

/* One source file on its way. */
struct cc_unit {
    const char *source;
    enum cc_lang lang;
    const char *ir, *ptx, *callers, *object;
    const char *assembly; /* of the host code, on its way to the object; NULL: not wanted */
    const char *deps;     /* the files it was made of; NULL: not asked for */
    bool to_callers;      /* lines of inlined functions are their callers' */
    const char *image;    /* the PTX as the host code has it; NULL: not wanted */
    const char *target;   /* what its dependencies are those of */
};

/* common.c */
void cc_add_all(struct cc_words *to, const struct cc_words *from);
const char *cc_join(struct cc *c, const char *a, const char *b);
/* Runs one command of the compiler, whose own messages say what is wrong, and frees its words. */
bool cc_command(struct cc *c, struct cc_words *v);
/* The language standard, for the language that it is one of. */
void cc_add_std(struct cc *c, struct cc_words *v, bool cxx);
/* A folder in which clang finds no toolkit: one that is installed shall have no say, nor our own, which looks like one to build
 * systems. */
const char *cc_no_toolkit(struct cc *c);
/* What both passes of a .cu file have in common. */
struct cc_words cc_cuda_words(struct cc *c);
void cc_add_rdc(struct cc *c, struct cc_words *v, const struct cc_unit *u);
/* False after a message. */
bool cc_add_deps(struct cc *c, struct cc_words *v, const struct cc_unit *u);
/* The next name of a compiler's rule of dependencies, the text at *p, into `name`, which is as long as the text. False: there is
 * no more. */
bool cc_next_name(const char **p, char *name);

/* headers.c: the words "-include cuda_runtime.h" of a pass whose words are otherwise complete, but for its source and results,
 * become those of a precompiled header where that reads as the header does. Not for a pass that writes the user's rule of
 * dependencies: those of a precompiled header come first there, and its own source is among them. */
void cc_precompile(struct cc *c, struct cc_words *v);

/* What is made: -o, or a name in the folder of -odir. */
const char *cc_result(struct cc *c, const char *name);

/* Where commands write a result, until cc_end_results gives it its name; NULL after a message. (clang writes objects and
 * preprocessed source aside by itself.) */
const char *cc_aside(struct cc *c, const char *path);
/* All results get their names, or none. False after a message. */
bool cc_end_results(struct cc *c, bool keep);

/* results.c: holds what the job will write to the rule of cli/files.h. False after a message. */
bool cc_check_results(struct cc *c);
/* Where --keep has a source's PTX. */
const char *cc_kept_ptx(struct cc *c, const char *base);
/* dir/file.cu -> file, as nvcc names what it makes. */
const char *cc_stem(struct cc *c, const char *path);
/* The dependencies of what is made. NULL: none are asked for. */
const char *cc_dep_file(struct cc *c, const char *target);

/* device.c: the PTX of a CUDA source, and its image for the host pass. */
bool cc_device_pass(struct cc *c, const struct cc_unit *u);

/* host.c: objects. */
bool cc_compile_cuda(struct cc *c, const struct cc_unit *u);
bool cc_compile_host(struct cc *c, const struct cc_unit *u);

/* link.c: a program, an archive, or what -dlink makes, of the objects. */
bool cc_finish(struct cc *c);

#endif
