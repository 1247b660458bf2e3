/* SPDX-License-Identifier: Apache-2.0 */
/* A cubin with addresses: copies of its code and constants, in which relocations have been applied.
 *
 * Whoever loads it (exec/module_cubin.c) says where its sections of variables are; code has addresses of its own here, which
 * nobody reads from memory: they are what calls by address go to. Functions of the system that code calls have addresses too. */
#ifndef SASS_LINK_H
#define SASS_LINK_H

#include "sass/cubin.h"

/* What code may call that is not in the file. */
enum sass_extern { SASS_VPRINTF, SASS_ASSERTFAIL, SASS_MALLOC, SASS_FREE, SASS_NEXTERN };
/* Above the windows of generic addresses and our own code's functions (ir/code.h). */
#define SASS_EXTERN_ADDR 0x0001000380000000ull /* of enum sass_extern 0; the others follow in steps of 16 */
#define SASS_TEXT_ADDR 0x0001000400000000ull /* of section 0; the others follow in steps of SASS_TEXT_STEP */
#define SASS_TEXT_STEP 0x0000000100000000ull

struct sass_link {
    const struct cubin *cubin;
    uint64_t *addr; /* by section: where it is for code; 0: not loaded */
    /* By section: code and constants, relocated; NULL: others. Those of variables are set by the loader */
    unsigned char **data;
    struct arena arena;
};

/* All sections of code and constants copied; addresses of code set. */
struct sass_link *sass_link_new(const struct cubin *c);
void sass_link_free(struct sass_link *l);

/* Applies all relocations, again if it is called again: addr[] and data[] of sections with variables are set. `moved`, may be
 * NULL, has an address by symbol for those that are not in their section (managed variables), else 0. False: one cannot be
 * applied; why says which. */
bool sass_link_apply(struct sass_link *l, const uint64_t *moved, char *why, size_t why_b);

#endif
