/* SPDX-License-Identifier: Apache-2.0 */
/* A mutator that knows lines and words of PTX, for targets behind the parser: most byte flips only make syntax errors,
 * while a swapped register, type, modifier or line often makes another valid program. */
#ifndef FUZZ_PTX_MUTATE_H
#define FUZZ_PTX_MUTATE_H

#include "base/rng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

struct span {
    size_t at, n;
};

static inline bool mut_is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '%' || c == '$' || c == '.' || c == ':';
}

/* The line around a random position, with its newline. */
static inline struct span mut_line(struct rng *r, const uint8_t *d, size_t n)
{
    size_t p = rng_u64(r) % n, a = p, b = p;
    while (a > 0 && d[a - 1] != '\n')
        a--;
    while (b < n && d[b] != '\n')
        b++;
    return (struct span){a, (b < n ? b + 1 : n) - a};
}

/* A word at or after a random position of a stretch; n 0: none. */
static inline struct span mut_word(struct rng *r, const uint8_t *d, struct span in)
{
    size_t end = in.at + in.n, p = in.at + rng_u64(r) % in.n;
    while (p < end && !mut_is_word(d[p]))
        p++;
    size_t a = p;
    while (a > in.at && mut_is_word(d[a - 1]))
        a--;
    while (p < end && mut_is_word(d[p]))
        p++;
    return (struct span){a, p - a};
}

/* Replaces a stretch; gives the new size, or the old one where it does not fit. `with` may point into d. */
static inline size_t mut_replace(uint8_t *d, size_t n, size_t max, struct span old, const uint8_t *with,
                                 size_t wn)
{
    uint8_t copy[512];
    if (wn > sizeof copy || n - old.n + wn > max)
        return n;
    memcpy(copy, with, wn);
    memmove(d + old.at + wn, d + old.at + old.n, n - old.at - old.n);
    memcpy(d + old.at, copy, wn);
    return n - old.n + wn;
}

static const char *const mut_parts[] = {
    "u8",     "s8",   "b8",    "u16",      "s16",       "b16",     "f16",     "f16x2", "bf16",    "bf16x2",
    "u32",    "s32",  "b32",   "f32",      "u64",       "s64",     "b64",     "f64",   "pred",    "v2",
    "v4",     "rn",   "rz",    "rm",       "rp",        "rni",     "rzi",     "ftz",   "sat",     "lo",
    "hi",     "wide", "cc",    "approx",   "full",      "global",  "shared",  "local", "const",   "param",
    "sync",   "eq",   "ne",    "lt",       "le",        "gt",      "ge",      "ltu",   "neu",     "nan",
    "num",    "and",  "or",    "xor",      "add",       "min",     "max",     "inc",   "dec",     "exch",
    "cas",    "wrap", "clamp", "uni",      "idx",       "up",      "down",    "bfly",  "all",     "any",
    "ballot", "popc", "to",    "volatile", "acquire",   "release", "relaxed", "gpu",   "cta",     "aligned",
    "warp",   "row",  "col",   "m16n8k16", "m16n16k16", "x1",      "x2",      "x4",    "trans",   "1d",
    "2d",     "3d",   "a2d",   "cube",     "zero",      "trap",    "nc",      "relu",  "shiftamt"};
static const char *const mut_ops[] = {
    "add",      "sub",      "mul",      "mad",   "fma",       "div",      "rem",       "abs",
    "neg",      "min",      "max",      "sad",   "addc",      "subc",     "madc",      "and",
    "or",       "xor",      "not",      "cnot",  "shl",       "shr",      "shf",       "bfe",
    "bfi",      "bfind",    "popc",     "clz",   "brev",      "prmt",     "lop3",      "setp",
    "set",      "selp",     "slct",     "mov",   "cvt",       "cvta",     "ld",        "st",
    "atom",     "red",      "bra",      "brx",   "call",      "ret",      "exit",      "bar",
    "barrier",  "membar",   "fence",    "vote",  "shfl",      "match",    "redux",     "activemask",
    "sqrt",     "rcp",      "rsqrt",    "sin",   "cos",       "ex2",      "lg2",       "tanh",
    "testp",    "copysign", "dp4a",     "dp2a",  "tex",       "tld4",     "suld",      "sust",
    "txq",      "cp",       "mbarrier", "mma",   "wmma",      "ldmatrix", "nanosleep", "elect",
    "isspacep", "prefetch", "trap",     "brkpt", "vabsdiff4", "bmsk",     "szext",     "istypep",
    "ldu",      "stmatrix"};
static const char *const mut_values[] = {"0",
                                         "1",
                                         "-1",
                                         "2",
                                         "3",
                                         "4",
                                         "7",
                                         "8",
                                         "15",
                                         "16",
                                         "31",
                                         "32",
                                         "33",
                                         "63",
                                         "64",
                                         "127",
                                         "128",
                                         "255",
                                         "256",
                                         "65535",
                                         "2147483647",
                                         "-2147483648",
                                         "4294967295",
                                         "0x8000000000000000",
                                         "18446744073709551615",
                                         "1048576",
                                         "0f00000000",
                                         "0f80000000",
                                         "0f7F800000",
                                         "0f7FFFFFFF",
                                         "0f00000001",
                                         "0f3F800000",
                                         "0d0000000000000000",
                                         "0d7FF0000000000000",
                                         "0d3FF0000000000000",
                                         "%tid.x",
                                         "%laneid",
                                         "%ctaid.x",
                                         "%clock64",
                                         "!"};
#define MUT_PICK(r, list) (list)[rng_below((r), sizeof(list) / sizeof(list)[0])]

/* One dotted part of an instruction's name. */
static inline size_t mut_part(struct rng *r, uint8_t *d, size_t n, size_t max, struct span w)
{
    size_t a = w.at, end = w.at + w.n;
    unsigned parts = 1, k;
    for (size_t i = a; i < end; i++)
        parts += d[i] == '.';
    k = rng_below(r, parts);
    while (k && a < end)
        k -= d[a++] == '.';
    size_t b = a;
    while (b < end && d[b] != '.')
        b++;
    bool first = a == w.at;
    const char *with = first ? MUT_PICK(r, mut_ops) : MUT_PICK(r, mut_parts);
    if (!first && rng_below(r, 4) == 0) { /* drop it with its dot */
        return mut_replace(d, n, max, (struct span){a - 1, b - a + 1}, d, 0);
    }
    if (rng_below(r, 4) == 0) { /* one more */
        char more[40];
        int len = snprintf(more, sizeof more, ".%s", MUT_PICK(r, mut_parts));
        return mut_replace(d, n, max, (struct span){b, 0}, (const uint8_t *)more, (size_t)len);
    }
    return mut_replace(d, n, max, (struct span){a, b - a}, (const uint8_t *)with, strlen(with));
}

static inline size_t mut_once(struct rng *r, uint8_t *d, size_t n, size_t max)
{
    struct span line = mut_line(r, d, n), other = mut_line(r, d, n), w = mut_word(r, d, line),
                v = mut_word(r, d, other);
    switch (rng_below(r, 10)) {
    case 0: return mut_replace(d, n, max, line, d, 0);                                       /* drop a line */
    case 1: return mut_replace(d, n, max, (struct span){line.at, 0}, d + other.at, other.n); /* copy one */
    case 2: return mut_replace(d, n, max, line, d + other.at, other.n);
    case 3:
    case 4:
    case 5: /* a word of the same kind from elsewhere */
        for (unsigned k = 0; k < 20 && w.n && (!v.n || (d[v.at] == '%') != (d[w.at] == '%')); k++)
            v = mut_word(r, d, mut_line(r, d, n));
        return w.n && v.n ? mut_replace(d, n, max, w, d + v.at, v.n) : n;
    case 6: {
        const char *val = MUT_PICK(r, mut_values);
        return w.n ? mut_replace(d, n, max, w, (const uint8_t *)val, strlen(val)) : n;
    }
    default: /* the first word of the line: its name and modifiers */
        w = (struct span){line.at, 0};
        while (w.at < line.at + line.n && !mut_is_word(d[w.at]))
            w.at++;
        while (w.at + w.n < line.at + line.n && mut_is_word(d[w.at + w.n]))
            w.n++;
        return w.n ? mut_part(r, d, n, max, w) : n;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct rng r = {seed};
    if (!size || rng_below(&r, 8) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (unsigned k = 1 + rng_below(&r, 4); k && size; k--)
        size = mut_once(&r, data, size, max_size);
    return size;
}

#endif
