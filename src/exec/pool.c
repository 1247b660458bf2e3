/* SPDX-License-Identifier: Apache-2.0 */
/* The constant pool: every immediate and constant-bank word that the code names, as rows of 32 equal words, made once per
 * launch. Equal operands share their rows. Row 0 to 3 are zero: RZ, and whatever is absent. */
#include "exec/run.h"

struct pool_entry {
    uint8_t kind, n, bank;
    uint32_t val, off;
};

struct pool {
    struct run *r;
    VEC(struct pool_entry) entries;
    uint32_t *table;  /* hash -> entry + 1 */
    uint32_t table_n; /* a power of two, over twice the entries */
    uint32_t *words;  /* one per row */
    uint32_t nwords, cap;
    bool outside;
};

enum { ZERO_ROWS = 4 };

struct pool *pool_new(struct run *r)
{
    struct pool *p = xcalloc(1, sizeof *p);
    p->r = r;
    p->table_n = 256;
    p->table = xcalloc(p->table_n, sizeof *p->table);
    p->cap = 256;
    p->words = xcalloc(p->cap, sizeof *p->words);
    p->nwords = ZERO_ROWS;
    return p;
}

static uint32_t hash(const struct ir_opnd *o)
{
    uint64_t h = (o->val + ((uint64_t)o->kind << 40) + ((uint64_t)o->n << 48) + ((uint64_t)o->sub << 56)) *
                 0x9e3779b97f4a7c15ull;
    return (uint32_t)(h >> 32);
}

static uint32_t *slot(struct pool *p, const struct ir_opnd *o)
{
    uint32_t i = hash(o) & (p->table_n - 1);
    for (; p->table[i]; i = (i + 1) & (p->table_n - 1)) {
        const struct pool_entry *e = &p->entries.at[p->table[i] - 1];
        if (e->kind == o->kind && e->n == o->n && e->bank == o->sub && e->val == o->val)
            break;
    }
    return &p->table[i];
}

static void grow(struct pool *p)
{
    p->table_n *= 2;
    free(p->table);
    p->table = xcalloc(p->table_n, sizeof *p->table);
    for (uint32_t i = 0; i < p->entries.n; i++) {
        const struct pool_entry *e = &p->entries.at[i];
        struct ir_opnd o = {.kind = e->kind, .n = e->n, .sub = e->bank, .val = e->val};
        *slot(p, &o) = i + 1;
    }
}

/* Word k of the operand. */
static uint32_t word(struct pool *p, const struct ir_opnd *o, unsigned k)
{
    if (o->kind == OPND_IMM)
        return o->n != 2 ? (k ? 0 : o->val) : o->sub ? (k ? 0u - (o->val >> 31) : o->val) : k ? o->val : 0;
    uint64_t at = (uint64_t)o->val + 4u * k;
    uint32_t v = 0;
    if (o->sub >= CODE_BANKS || !p->r->bank[o->sub] || at + 4 > p->r->bank_b[o->sub])
        p->outside = true;
    else
        memcpy(&v, p->r->bank[o->sub] + at, 4);
    return v;
}

uint32_t pool_row(struct pool *p, const struct ir_opnd *o)
{
    if ((o->kind == OPND_IMM && o->val == 0 && o->n <= ZERO_ROWS) ||
        (o->kind != OPND_IMM && o->kind != OPND_CONST))
        return 0;
    uint32_t *s = slot(p, o);
    if (*s)
        return p->entries.at[*s - 1].off;
    uint32_t off = p->nwords * ROW_B, n = o->n ? o->n : 1;
    if (p->nwords + n > p->cap) {
        p->cap *= 2;
        p->words = xrealloc(p->words, p->cap * sizeof *p->words);
    }
    for (unsigned k = 0; k < n; k++)
        p->words[p->nwords++] = word(p, o, k);
    vec_push(&p->entries,
             (struct pool_entry){.kind = o->kind, .n = o->n, .bank = o->sub, .val = o->val, .off = off});
    *s = p->entries.n;
    if (p->entries.n * 2 > p->table_n)
        grow(p);
    return off;
}

const char *pool_error(const struct pool *p)
{
    return p->outside ? "constant operand outside its bank" : NULL;
}

unsigned char *pool_finish(struct pool *p)
{
    /* Readers of multi-word operands may touch three rows past the last one they were given. */
    size_t rows = p->nwords + ZERO_ROWS;
    uint32_t *out = aligned_alloc(ROW_B, rows * ROW_B);
    if (out) {
        memset(out, 0, rows * ROW_B);
        for (size_t i = 0; i < p->nwords; i++) {
            for (size_t l = 0; l < LANES; l++)
                out[i * LANES + l] = p->words[i];
        }
    }
    vec_free(&p->entries);
    free(p->table);
    free(p->words);
    free(p);
    return (unsigned char *)out;
}
