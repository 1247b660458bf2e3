/* SPDX-License-Identifier: Apache-2.0 */
/* The --arg values of bankshot exec: scalars and device buffers by description. */
#ifndef CLI_ARGSPEC_H
#define CLI_ARGSPEC_H

#include "cli/elem.h"

#include <stdio.h>

enum arg_kind { ARG_SCALAR, ARG_HEX, ARG_BUF, ARG_OUT };
enum arg_init { INIT_ZERO, INIT_IOTA, INIT_CONST, INIT_RAND };

struct arg {
    enum arg_kind kind;
    enum ir_type type;
    uint64_t bits;   /* SCALAR: the value; buffers: the constant of INIT_CONST */
    const char *hex; /* HEX: digits, two per byte, in memory order */
    enum arg_init init;
    uint64_t seed;
    uint64_t count; /* elements */
    uint64_t size_b;
};

extern const char arg_help[];

/* NULL, or what is wrong, in `why`. */
const char *arg_parse(struct arg *a, const char *text, char *why, size_t cap);
/* Fills memory of size_b bytes. */
void arg_fill(const struct arg *a, void *mem);
/* HEX and SCALAR: writes size_b bytes. */
void arg_bytes(const struct arg *a, void *to);
/* The first `show` elements, minimum, maximum, sum and an FNV-1a checksum of the bytes. */
void arg_show(FILE *to, const struct arg *a, const char *name, const void *mem, uint64_t show);

#endif
