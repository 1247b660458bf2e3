/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs: a small tree that is printed as a PTX kernel (print.c) and, independently, evaluated by a plain
 * interpreter (interp.c). gen.c makes one from a seed; shrink.c cuts a failing one down.
 *
 * Programs end by construction (loops count down a register nothing else writes), every thread writes only its own
 * memory or order-independent accumulators, and whatever involves several threads stands where all of them pass. So a
 * program has one right answer, however it is compiled and scheduled. */
#ifndef TESTS_RANDOM_PROG_H
#define TESTS_RANDOM_PROG_H

#include "base/arena.h"
#include "base/rng.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Register classes: predicates and 16, 32, 64 bits. */
enum cls { C_P, C_H, C_W, C_D, C_COUNT };

uint64_t cls_mask(enum cls c);

enum { MAX_SRC = 3, MAX_FUNCS = 3, MAX_ARGS = 4 };

/* How a float operand is made harmless before an operation reads it: no infinity or NaN; also not zero; also positive.
 * Results are then never NaN, whose payload is not the subject here. */
enum fix { FIX_NONE, FIX_FINITE, FIX_DIVISOR, FIX_POSITIVE };

/* One operation: "name d, a, b, c". Sources are given as raw bits, zero-extended. */
struct rop {
    const char *name;
    uint8_t dst;
    uint8_t nsrc, src[MAX_SRC];
    uint8_t fix;      /* of float sources */
    uint8_t is_float; /* bit i: source i is printed as a float literal when immediate */
    uint8_t imm_ok;   /* bit i: source i may be an immediate */
    uint8_t odd;      /* bit i: source i is made odd first (integer divisors) */
    uint8_t byte; /* bit i: source i is cut to 8 bits first, immediates to 5: ptxas goes its own way beyond */
    uint64_t (*eval)(uint64_t a, uint64_t b, uint64_t c);
};
extern const struct rop rops[];
extern const unsigned nrops;

enum opnd_sort { O_NONE, O_VAR, O_IMM };
struct opnd {
    uint8_t sort, cls;
    bool neg; /* predicates: inverted */
    uint32_t var;
    uint64_t imm;
};

/* Places a thread may touch. IN, CONST and TABLE are only read. */
enum place { AT_IN, AT_SCRATCH, AT_LOCAL, AT_SHARED, AT_CONST, AT_TABLE, AT_COUNT };
enum {
    IN_B = 512,
    SCRATCH_B = 64,
    LOCAL_B = 64,
    SHARED_B = 16,
    CONST_B = 64,
    TABLE_B = 64,
    OUT_B = 1024,
    NACC = 10
};

enum stmt_kind {
    S_OP,      /* d = op(a...), perhaps guarded */
    S_SETP,    /* d | d2 = (a cmp b) bop [!]c */
    S_PLOGIC,  /* predicate and or xor not */
    S_SELP,    /* d = c ? a : b */
    S_SPECIAL, /* d = tid.x and the like, or a kernel parameter */
    S_LOAD,    /* vec elements from a place */
    S_STORE,
    S_PACK,    /* d = {a, b} */
    S_UNPACK,  /* {d, d2} = a */
    S_CARRY,   /* two-word add, subtract or multiply-add through the carry flag */
    S_ACC,     /* red or atom on an accumulator all threads share */
    S_OWNATOM, /* atom on an own slot: the old value is used */
    S_CALL,
    S_IF,
    S_LOOP,
    S_BREAK, /* leaves `levels` loops where the guard holds; S_NEXT goes on with the next round */
    S_NEXT,
    S_SWITCH, /* brx.idx over the cases */
    S_EXIT,   /* the thread ends where the guard holds; only in programs without collectives */
    S_SHARE,  /* own slot of shared memory, barrier, somebody else's, barrier */
    S_SHFL,
    S_VOTE,
    S_REDUX,
    S_BARRED, /* bar.red */
};

enum special { SP_TID, SP_CTAID, SP_LANE, SP_NTID, SP_NCTAID, SP_LMLT, SP_P32, SP_P64, SP_COUNT };

struct stmt;
struct list {
    struct stmt *head, *tail;
};

struct stmt {
    struct stmt *next;
    uint8_t kind;
    bool off;  /* shrunk away */
    bool flat; /* shrunk: IF, SWITCH and LOOP run their first list once, for everyone */
    const struct rop *op;
    struct opnd d, d2, a[4], guard;
    uint8_t sub;  /* comparison, logic, special, atomic, collective: the printer's tables name them */
    uint8_t type; /* see the statement */
    uint8_t bop;
    uint8_t place, bytes, vec, levels;
    bool is_signed, generic;
    uint32_t off_b, mask; /* LOAD, STORE: offset + (a[3] & mask) where a[3] is there */
    uint32_t trips;       /* LOOP: trips + (a[0] & mask) rounds; SHARE: distance */
    uint32_t counter;     /* LOOP: its register, of class W, beyond the ordinary ones */
    uint32_t func;
    struct list body, other, cases[4];
    struct opnd elem[4];
};

struct func {
    unsigned nargs;
    uint8_t arg_cls[MAX_ARGS];
    uint32_t nvars[C_COUNT];
    uint32_t ncounters;
    uint32_t cost; /* statements one call runs at most */
    struct opnd ret;
    struct list body;
};

struct prog {
    struct arena arena;
    uint64_t seed;
    struct func main, funcs[MAX_FUNCS];
    unsigned nfuncs;
    uint32_t grid, block, block_y; /* threads of a CTA: block * block_y */
    uint32_t p32;
    uint64_t p64;
    /* In a shrunk program: variables of the kernel that nothing uses are not even loaded and stored. */
    bool hide[C_COUNT][128];
    bool collectives; /* barriers and warp operations; then the block is whole warps */
    uint8_t const_data[CONST_B], table_data[TABLE_B];
};

/* Where the variables of the kernel start in the input and end up in the output, by class. */
enum { OUT_D = 0, OUT_W = 352, OUT_H = 816, OUT_P = 848 };
static inline uint32_t in_offset(enum cls c, uint32_t i)
{
    return (c == C_D ? 8 * i : c == C_W ? 4 * i : 256 + 2 * i) % IN_B;
}
/* Variables of a function that no argument sets. */
static inline uint64_t func_start(enum cls c, uint32_t i)
{
    return (i * 0x9e3779b9ull + 12345) & cls_mask(c);
}

static inline uint32_t prog_threads(const struct prog *p) { return p->block * p->block_y; }

/* Comparisons: type 0 u32 1 s32 2 u64 3 s64 4 f32 5 f64 6 u16 7 s16. */
enum { CMP_TYPES = 8, NCMP = 6, NFCMP = 14 };
extern const char *const cmp_type_names[CMP_TYPES];
extern const char *const cmp_names[NFCMP];
enum cls cmp_class(unsigned type);
bool cmp_eval(unsigned type, unsigned cmp, uint64_t a, uint64_t b);

/* Accumulators: one operation each. */
struct acc {
    const char *name; /* "add.u32" */
    bool wide;
    uint64_t start;
    uint64_t (*eval)(uint64_t old, uint64_t v, uint64_t unused);
};
extern const struct acc accs[NACC];

enum { NREDUX = 8, NCARRY = 3, NOWNATOM = 6 };
extern const char *const redux_names[NREDUX];

uint64_t fix_bits(unsigned fix, enum cls c, uint64_t v);

/* gen.c */
struct prog *prog_gen(uint64_t seed);
void prog_free(struct prog *p);

/* print.c */
char *prog_ptx(const struct prog *p, size_t *len); /* malloc'ed */

/* Memory as the host sees it, one array per role, laid out by thread. */
struct image {
    size_t n_in, n_scratch, n_out, n_acc;
    uint8_t *in, *scratch, *out;
    uint64_t *acc;
};
void image_init(struct image *m, const struct prog *p);
void image_free(struct image *m);
void image_copy(struct image *to, const struct image *from);
/* NULL: equal. Else a message in `buf`. */
const char *image_diff(const struct image *want, const struct image *got, char *buf, size_t n);

/* interp.c: runs the program on the image. */
void prog_interp(const struct prog *p, struct image *m);

/* shrink.c: makes p smaller while fails(ctx, p) holds. */
typedef bool (*prog_fails)(void *ctx, const struct prog *p);
void prog_shrink(struct prog *p, prog_fails fails, void *ctx);

#endif
