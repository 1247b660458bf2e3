/* SPDX-License-Identifier: Apache-2.0 */
/* Reading and editing LLVM assembly as text: what ir.c rewrites in it (ir_text.c reads operands, metadata and the types of CUDA's
 * vectors, ir_copy.c copies of structures). Only lines that are read completely are changed. */
#ifndef CLI_CC_IR_H
#define CLI_CC_IR_H

#include "cli/cc/cc.h"

/* n elements of a type: those of float4 are {4, 4, "float"}; n = 0: no vector. */
struct ir_vector {
    uint32_t n, element_b;
    const char *type; /* of an element */
};

/* The text, with where its metadata and attribute groups stand: by number, NULL where there is none. */
struct ir_text {
    const char *at, *end;
    VEC(const char *) nodes;
    VEC(const char *) groups;
};

enum { IR_LIMIT_B = 1 << 29 }; /* the largest file that is read */

/* ir_file.c: the text of one file is looked at and, if that says so or there is no look, written as another one, which may
 * have the same path. False after a message. */
struct ir_edit {
    bool (*look)(void *ctx, const char *at, const char *end);
    void (*write)(void *ctx, FILE *to, const char *at, const char *end);
    void *ctx;
};
bool ir_edit_file(const char *from, const char *to, const struct ir_edit *e);

bool ir_starts(const char *p, const char *end, const char *word);
/* The line feed that ends the line at p, or the end of the text. */
static inline const char *ir_line_end(const char *p, const char *end)
{
    const char *nl = memchr(p, '\n', (size_t)(end - p));
    return nl ? nl : end;
}
/* The end of an operand: a comma, or the parenthesis that closes the call. NULL: it cannot be read. */
const char *ir_operand_end(const char *p, const char *end);
/* "%12", "!12" or "#12" without its first character: 12; UINT32_MAX if there is no number. */
uint32_t ir_number(const char *p, const char *end);

void ir_index(struct ir_text *t);
/* CUDA's own pairs and quads, by their name. */
struct ir_vector ir_builtin_vector(const char *name, size_t n);
/* Accesses that make up a structure: at a number of bytes from its start. */
enum { IR_PIECES = 32 };
struct ir_pieces {
    uint32_t n;
    struct {
        uint32_t at;
        struct ir_vector v;
    } of[IR_PIECES];
};
/* By what !tbaa.struct says of a copy: as few as the alignment allows, vectors of neighbours that have one type. False: it has
 * members that are not known, or too many. */
bool ir_pieces(const struct ir_text *t, uint32_t node, uint32_t align_b, struct ir_pieces *out);

/* ir_wary.c: each writes the line as another one and says so, or writes nothing. */
bool ir_rewrite_special(FILE *to, const char *line, const char *end, uint32_t range);
struct ir_costly {
    bool roots, reciprocals, flush; /* which are rewritten; do they flush subnormal numbers? */
    uint32_t group;                 /* of attributes of inline PTX without effects */
};
bool ir_rewrite_costly(FILE *to, const char *line, const char *end, const struct ir_costly *c);

/* One operand of a copy: "ptr addrspace(3) noundef align 16 %x". */
struct ir_pointer {
    const char *space; /* "addrspace(3) ", or empty */
    size_t space_n;
    const char *value;
    size_t value_n;
    uint32_t align_b;
};

struct ir_copy {
    struct ir_pointer to, from;
    uint32_t size_b;
    uint32_t fields; /* metadata node of !tbaa.struct; UINT32_MAX: none */
    const char *dbg; /* ", !dbg !N" at the end of the line, or empty */
    size_t dbg_n;
};

/* A line that calls llvm.memcpy or llvm.memmove for a known number of bytes. */
bool ir_read_copy(const char *line, const char *end, struct ir_copy *c);
/* The copy as loads and stores of the pieces, all loads first: the two may be the same place. */
void ir_write_copy(FILE *f, const struct ir_copy *c, const struct ir_pieces *pieces, uint32_t id);

#endif
