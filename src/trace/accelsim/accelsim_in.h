/* SPDX-License-Identifier: Apache-2.0 */
/* Inside the importer. A trace is read twice: the first time for the static code of all kernels and to check it, the
 * second time to write the streams. */
#ifndef TRACE_ACCELSIM_IN_H
#define TRACE_ACCELSIM_IN_H

#include "trace/accelsim/accelsim.h"
#include "trace/accelsim/text_in.h"

/* The header of a .traceg file. */
struct as_head {
    char *name;
    uint32_t grid[3], block[3];
    uint32_t shared_b, regs, arch, tracer;
    uint64_t stream, shared_base, local_base;
    bool lineinfo;
    /* What our own exporter adds: the kernel as kernel_io.h writes it, and launches that end before. */
    uint8_t *note;
    size_t note_n;
    VEC(uint32_t) after;
    bool has_after;
    uint32_t flags, cluster[3];
};
/* Reads up to the first line that starts with '#'. False after reporting. */
bool as_head_read(struct text_in *t, struct as_head *h, struct diag *d);
void as_head_free(struct as_head *h);

/* One instruction line. */
enum as_form { AS_PLAIN, AS_GMMA /* may have a commit flag */, AS_BULK /* may have a bulk copy's fields */ };
#define AS_UNKNOWN UINT32_MAX
struct as_line {
    uint32_t pc, mask, line;
    const char *text; /* destinations, opcode and sources, as written; `text_n` bytes */
    uint32_t text_n;
    uint8_t form;   /* enum as_form */
    uint32_t known; /* who has this text at this PC (as_code_known) */
    uint32_t width; /* 0: no addresses */
    int64_t imm;
    bool second; /* a second set of addresses is there */
    uint64_t addr[TR_LANES], addr2[TR_LANES];
};
struct as_code;
/* A line up to the end of its static part, where *sp is then; and the rest. NULL, or what is wrong with it. known: code that
 * some of the lines so far are in; may be NULL. TEXT_BEHIND_B bytes can be read from any place in the line. */
const char *as_line_begin(const struct as_head *h, const struct as_code *known, const char **sp,
                          struct as_line *l);
const char *as_line_end(const struct as_head *h, const char *s, struct as_line *l);

/* Lines one after the other: those that were there before are known by their text (accelsim_memo.c). */
struct as_memo;
struct as_memo *as_memo_new(const struct as_head *h, const struct as_code *known);
void as_memo_free(struct as_memo *m);
const char *as_memo_read(struct as_memo *m, const char *s, size_t n, struct as_line *l);

/* The words of the static part of a line. */
enum { AS_OPNDS = 8 };
struct as_words {
    uint32_t ndst, nsrc;
    struct tr_opnd dst[AS_OPNDS], src[AS_OPNDS]; /* kind NONE: the zero register */
    const char *opcode;
    uint32_t opcode_n;
};
const char *as_words_read(const char *s, struct as_words *w, const char **end);

/* Who walks over the thread blocks of a file. Each returns NULL or what is wrong. */
struct as_visitor {
    void *ctx;
    const char *(*begin_cta)(void *ctx, uint32_t cta);
    const char *(*begin_warp)(void *ctx, uint32_t warp);
    const char *(*insn)(void *ctx, uint32_t warp, const struct as_line *l);
    const char *(*end_cta)(void *ctx);
};
struct as_body {
    uint64_t insts, missing_warps;
    bool allow_missing;
    const struct as_code *code; /* that some of the lines are in; NULL: not known */
};
/* After the header. False after reporting. */
bool as_body_read(struct text_in *t, const struct as_head *h, const struct as_visitor *v, struct as_body *b,
                  struct diag *d);

/* Static code as it is found: each file's for itself, joined in the order of the files. */
struct as_code *as_code_new(const struct as_head *h, const char **wrong);
void as_code_free(struct as_code *c);
bool as_code_is(const struct as_code *c, const struct as_code *other); /* of the same kernel? */
void as_code_warp(struct as_code *c); /* a warp begins: nothing comes before its first instruction */
const char *as_code_add(struct as_code *c, const struct as_line *l);
/* Takes what another file of the same kernel has, as if its lines had been added here. */
const char *as_code_join(struct as_code *c, const struct as_code *later);
/* After the last as_code_add and as_code_join, once. */
const char *as_code_end(struct as_code *c, struct accelsim_report *r);
const struct tr_kernel *as_code_kernel(const struct as_code *c);
/* The instruction that a line is. UINT32_MAX: none. */
uint32_t as_code_find(const struct as_code *c, const struct as_line *l);
/* Who has the text that `s` begins with at this PC; AS_UNKNOWN: nobody, and *n is 0. */
uint32_t as_code_known(const struct as_code *c, uint32_t pc, const char *s, uint32_t *n, uint8_t *form);

/* Guards and comparisons where the trace names no predicates; guarded[i]: instruction i was seen to have a guard. */
void as_preds(struct tr_kernel *k, const bool *guarded);

/* Kernels with barrier objects or bulk copies: a CTA's steps are collected, and written when it ends (accelsim_async.c). */
struct as_async;
bool as_async_uses(const struct tr_kernel *k);
struct as_async *as_async_new(const struct accelsim_import *o);
void as_async_free(struct as_async *a);
/* addrs: as tr_insn takes them; NULL: the line has none. */
void as_async_add(struct as_async *a, uint32_t warp, uint32_t at, uint32_t mask, uint8_t space,
                  const uint64_t *const addrs[2]);
/* Waits that no arrival of their CTA would have ended, so far: they are taken for over. */
uint64_t as_async_released(const struct as_async *a);
/* Returns how many bulk copies it has. */
uint64_t as_async_write(struct as_async *a, const struct tr_kernel *k, struct tr_writer *w, uint32_t cta);

/* Basic blocks from edges: ends[i]: instruction i ends a block; falls[i]: may go on to i + 1. */
struct as_edge {
    uint32_t from, to;
};
void as_blocks(struct tr_kernel *k, const bool *ends, const bool *falls, const struct as_edge *edges,
               uint32_t n);

#endif
