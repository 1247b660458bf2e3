/* SPDX-License-Identifier: Apache-2.0 */
/* One piece of a warp's instruction stream as bytes: control, addresses and value classes, each in a section of its own.
 * A piece starts from a clean state, so it decodes without the pieces before it. The writer encodes, tr_next decodes;
 * neither knows about chunks or files. docs/trace.md describes the bytes. */
#ifndef TRACE_CODEC_H
#define TRACE_CODEC_H

#include "trace/bytes.h"
#include "trace/trace.h"

enum {
    /* Address predictors of a warp: one per address set of a static instruction, shared beyond this many. */
    CODEC_SLOTS = 1024,
    CODEC_SPACES = SPACE_PARAM + 1,
    CODEC_WORDS = TR_DSTS * 4, /* destination words that carry a class */
    /* The most that one instruction adds to a section: two accesses of form, space, base and a list of 31 deltas. */
    CODEC_ADDR_MAX_B = 2 * (2 + VARINT_MAX_B + 1 + 31 * 8),
    CODEC_CTL_MAX_B = 2 * (2 * VARINT_MAX_B + 4), /* it ends a run, and its own run ends too */
    CODEC_VAL_MAX_B = CODEC_WORDS / 2,
    /* What a decoder may read behind the end of a section before it notices: the bytes must exist, whatever they are. */
    CODEC_SLACK_B = 1024,
};
#define CODEC_NO_RUN UINT32_MAX /* behind every instruction */
_Static_assert(CODEC_SLACK_B >= CODEC_ADDR_MAX_B + 8, "slack");

/* What the codec needs to know of a static instruction; 8 bytes, since the decoder's loop looks at one for each step. */
struct codec_insn {
    uint16_t slot; /* of its first address set; the second has the next one */
    uint8_t naddr, space, words;
    uint8_t nparam;
    uint8_t busy; /* it has addresses, parameters or classes */
};
struct codec_code {
    uint32_t n, nslots;
    struct codec_insn insns[];
};
struct codec_code *codec_code_new(const struct tr_kernel *k); /* free() it */

/* ---- encode.c ---- */

struct encoder {
    /* The run that is open: its first instruction, the one behind its last. None: both CODEC_NO_RUN. */
    uint32_t start, next, run_mask;
    bool tight; /* ctl or val lacks the room for one more instruction */
    struct buf val, ctl, addr;
    uint32_t expect, cur, prev; /* what the decoder knows: next instruction, last mask, the one before */
    uint64_t insts, threads;    /* of the runs that have ended */
    uint64_t *base;             /* by slot; NULL until the first access */
    uint64_t last[CODEC_SPACES];
    uint64_t seen[CODEC_SLOTS / 64];
};

/* The addresses of an instruction, or its parameters: by lane, or of an even first set where they begin and their step
 * (exec_step has the same). */
struct codec_sets {
    const uint64_t *list[2];
    bool even;
    uint64_t base, stride;
};

void encoder_start(struct encoder *e);
void encoder_free(struct encoder *e);
void encoder_reserve(struct encoder *e, const struct codec_code *code); /* room for one more instruction */
/* One instruction: the three that follow, in this order. The sections have room for CODEC_*_MAX_B more bytes, and base is there
 * if the code has slots. */
void encode_insn(struct encoder *e, const struct codec_code *code, uint32_t at, uint32_t mask, uint8_t space,
                 const struct codec_sets *sets, const uint8_t *values);
/* That these lanes executed it. */
static inline void encode_at(struct encoder *e, uint32_t at, uint32_t mask);
/* The class of its only word, or of both: the second one's in the upper half. Not where the mask is 0, as all that follows. */
static inline void encode_value(struct encoder *e, uint8_t value);
/* The classes of its words; NULL: all TV_OTHER. */
void encode_values(struct encoder *e, unsigned words, const uint8_t *values);
void encode_addrs(struct encoder *e, const struct codec_code *code, uint32_t at, uint32_t mask, uint8_t space,
                  const struct codec_sets *sets);
void encode_end(struct encoder *e); /* after the last instruction of the piece */

void encode_run(struct encoder *e, uint32_t at, uint32_t mask); /* another run begins with it */

/* It belongs to the run that is open. */
static inline bool encode_goes_on(const struct encoder *e, uint32_t at, uint32_t mask)
{
    return at == e->next && mask == e->run_mask;
}

static inline void encode_at(struct encoder *e, uint32_t at, uint32_t mask)
{
    if (encode_goes_on(e, at, mask))
        e->next++;
    else
        encode_run(e, at, mask);
}

static inline void encode_value(struct encoder *e, uint8_t value)
{
    e->val.at[e->val.n++] = value;
    e->tight |= e->val.cap - e->val.n < CODEC_VAL_MAX_B;
}

/* ---- decode.c ---- */

/* A mask, and how many lanes it has: masks come again and again, and are counted once. */
struct codec_mask {
    uint32_t lanes, n;
};

/* What every instruction needs comes first. */
struct decoder {
    uint64_t left;        /* instructions of the piece */
    uint32_t run, at;     /* ... of the run, and the next of them */
    struct codec_mask in; /* of the run */
    struct codec_mask cur, prev;
    const uint8_t *val, *val_end;
    const uint8_t *addr, *addr_end;
    const uint8_t *ctl, *ctl_end; /* next bytes of each section, and their ends */
    uint64_t threads;             /* thread instructions of the runs so far */
    uint64_t last[CODEC_SPACES];
    uint64_t *base; /* nslots of them */
    bool no_values; /* nobody wants the classes: they are left alone */
};

/* ctl, addr, val, their ends and left are set. */
void decoder_start(struct decoder *d, const struct codec_code *code);
/* Requires left > 0. NULL, or what is wrong. */
const char *decode_insn(struct decoder *d, const struct codec_code *code, struct tr_step *s);
/* The next runs, up to `most` of them, of `keep` instructions, which has what is left then; only lanes and places. Returns how
 * many; if something is wrong behind them, *wrong tells what. */
uint32_t decode_runs(struct decoder *d, const struct codec_code *code, uint64_t *keep, uint32_t most,
                     struct tr_run *to, const char **wrong);
/* The addresses or parameters of an instruction that has some, under a mask that is not 0; those of the one before it were the
 * last. NULL, or what is wrong. */
const char *decode_data(struct decoder *d, const struct codec_code *code, uint32_t at, uint32_t mask,
                        struct tr_step *s);
/* Everything is used up exactly: NULL, or what is wrong. */
const char *decode_end(const struct decoder *d);

/* ---- what bytes mean ---- */

/* The mask of a run: bits 1 and 2 of its token. */
enum { MASK_SAME, MASK_BEFORE, MASK_GIVEN, MASK_ZERO };

/* The first byte of an address. */

enum {
    AF_FORM = 0x03,     /* enum tr_form */
    AF_BY_SPACE = 0x04, /* base is relative to the last one in its space, not to this instruction's last */
    AF_STRIDE = 0x38,   /* index into codec_strides; 0: explicit */
    AF_STRIDE_SHIFT = 3,
    AF_SPACE = 0xc0, /* generic instructions: global, shared, local, or a byte of its own follows */
    AF_SPACE_SHIFT = 6,
};
extern const uint8_t codec_strides[8];

/* Parameters are written as the addresses of so many lanes. */
static inline uint32_t codec_params(const struct codec_insn *in) { return (1u << in->nparam) - 1; }

#endif
