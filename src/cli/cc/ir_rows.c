/* SPDX-License-Identifier: Apache-2.0 */
/* An index that goes from row to row, a[k * width + x] in a loop over k, as 64-bit numbers from the start.
 *
 * The source computes it in 32 bits and clang leaves that to the end: what a round adds to it (width, in 32 bits) is then not
 * known to stay in range once the loop is unrolled, so each copy of the body adds and widens anew. In 64 bits the pointer itself
 * goes from row to row, as in nvcc's code: one multiply-add for each copy. The sum may not overflow (nsw), so that both are the
 * same. Only where one array is indexed by it: several would share one index of 32 bits, but need a pointer each. */
#include "cli/cc/ir.h"

#include <ctype.h>

/* A name of the function that is read: what defines it, and how often it occurs. */
struct value {
    const char *name, *op, *op_end; /* op: NULL: a parameter, or a label */
    uint32_t name_n, line, count;
};

struct rows {
    VEC(struct value) values;
    VEC(uint32_t) slots; /* by hash: 1 + index of a value */
    uint32_t made;
};

static bool in_name(char c) { return isalnum((unsigned char)c) || strchr("-._$", c); }

static uint32_t name_length(const char *p, const char *end)
{
    const char *q = p + 1;
    while (q < end && *q && in_name(*q))
        q++;
    return (uint32_t)(q - p);
}

static uint32_t *slot_of(struct rows *r, const char *name, uint32_t n)
{
    uint32_t h = 2166136261u;
    for (uint32_t i = 0; i < n; i++)
        h = (h ^ (uint8_t)name[i]) * 16777619u;
    for (h &= r->slots.n - 1; r->slots.at[h]; h = (h + 1) & (r->slots.n - 1)) {
        const struct value *v = &r->values.at[r->slots.at[h] - 1];
        if (v->name_n == n && memcmp(v->name, name, n) == 0)
            break;
    }
    return &r->slots.at[h];
}

static void make_slots(struct rows *r, uint32_t n)
{
    vec_resize(&r->slots, n);
    memset(r->slots.at, 0, n * sizeof *r->slots.at);
    vec_each (&r->values, v)
        *slot_of(r, v->name, v->name_n) = (uint32_t)(v - r->values.at) + 1;
}

/* NULL: no name. It stays valid until the next one that is new. */
static struct value *value_at(struct rows *r, const char *p, const char *end, bool add)
{
    uint32_t n = p < end && *p == '%' ? name_length(p, end) : 0, *slot = n ? slot_of(r, p, n) : NULL;
    if (!slot || (!*slot && !add))
        return NULL;
    if (!*slot) {
        vec_push(&r->values, (struct value){.name = p, .name_n = n});
        *slot = r->values.n;
        if (r->values.n > r->slots.n / 2)
            make_slots(r, r->slots.n * 2);
        return &r->values.at[r->values.n - 1];
    }
    return &r->values.at[*slot - 1];
}

/* "  %5 = OP": OP, without what stands behind ", !dbg". NULL: it defines nothing. */
static const char *operation_of(const char *line, const char *end, const char **op_end)
{
    if (!ir_starts(line, end, "  %"))
        return NULL;
    const char *p = line + 2 + name_length(line + 2, end);
    if (!ir_starts(p, end, " = "))
        return NULL;
    p += 3;
    *op_end = end;
    for (const char *q = p; q < end; q++)
        if (ir_starts(q, end, ", !dbg ")) {
            *op_end = q;
            break;
        }
    return p;
}

static void read_line(struct rows *r, const char *line, const char *end, uint32_t number)
{
    const char *op_end, *op = operation_of(line, end, &op_end);
    for (const char *p = line; p < end; p++)
        if (*p == '%') {
            struct value *v = value_at(r, p, end, true);
            v->count++;
            if (op && p == line + 2) {
                v->op = op;
                v->op_end = op_end;
                v->line = number;
            }
        }
}

/* One operand of two: a name or a constant. */
struct operand {
    const char *at, *end;
};

/* Is it one of the operations, all of "KIND i32 A, B"? */
static bool read_pair(const struct value *v, const char *const *kinds, struct operand out[2])
{
    for (; v && v->op && *kinds; kinds++)
        if (ir_starts(v->op, v->op_end, *kinds)) {
            const char *a = v->op + strlen(*kinds), *comma = ir_operand_end(a, v->op_end);
            if (!comma || !ir_starts(comma, v->op_end, ", "))
                return false;
            out[0] = (struct operand){a, comma};
            out[1] = (struct operand){comma + 2, v->op_end};
            return true;
        }
    return false;
}

static const char *const sums[] = {"add nsw i32 ", "add nuw nsw i32 ", NULL};
static const char *const steps[] = {"add nsw i32 ", "add nuw nsw i32 ", "or disjoint i32 ", NULL};
static const char *const products[] = {"mul nsw i32 ", "mul nuw nsw i32 ", NULL};

static bool is_constant(const struct operand *o) { return o->at < o->end && *o->at != '%'; }

static struct value *value_of(struct rows *r, const struct operand *o)
{
    return value_at(r, o->at, o->end, false);
}

/* The line of the phi of a loop; 0: it is none. One of its values comes from further below. */
static uint32_t loop_phi(struct rows *r, const struct value *v)
{
    if (!v || !v->op || !ir_starts(v->op, v->op_end, "phi i32 "))
        return 0;
    for (const char *p = v->op; p < v->op_end; p++)
        if (ir_starts(p, v->op_end, "[ ")) {
            const struct value *from = value_at(r, p + 2, v->op_end, false);
            if (from && from->line > v->line)
                return v->line;
        }
    return 0;
}

/* The line of the loop whose counter this is, or the counter of one of its copies: so much more. */
static uint32_t counter(struct rows *r, const struct operand *o)
{
    struct operand of[2];
    const struct value *v = value_of(r, o);
    if (read_pair(v, steps, of) && is_constant(&of[1]))
        v = value_of(r, &of[0]);
    return loop_phi(r, v);
}

static bool known_before(struct rows *r, const struct operand *o, uint32_t line)
{
    const struct value *v = value_of(r, o);
    return is_constant(o) || (v && v->line < line);
}

/* counter * each + start. A constant width is left alone: in the copies clang has made it a sum already. */
struct walk {
    struct operand counter, each, start;
};

static bool read_product(struct rows *r, const struct operand *o, struct walk *w)
{
    struct operand of[2];
    if (!read_pair(value_of(r, o), products, of))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        uint32_t line = counter(r, &of[side]);
        w->counter = of[side];
        w->each = of[1 - side];
        if (line && known_before(r, &w->start, line) && !is_constant(&w->each) &&
            known_before(r, &w->each, line))
            return true;
    }
    return false;
}

/* "sext i32 %sum to i64" of such a sum, used once. */
static bool read_walk(struct rows *r, const struct value *index, struct walk *w)
{
    static const char start[] = "sext i32 ", tail[] = " to i64";
    struct operand of[2];
    if (index->count != 2 || !ir_starts(index->op, index->op_end, start))
        return false;
    const char *sum = index->op + sizeof start - 1;
    const struct value *v = value_at(r, sum, index->op_end, false);
    if (!v || !ir_starts(sum + v->name_n, index->op_end, tail) || !read_pair(v, sums, of))
        return false;
    for (unsigned side = 0; side < 2; side++) {
        w->start = of[1 - side];
        if (read_product(r, &of[side], w))
            return true;
    }
    return false;
}

/* The operand with 64 bits: a constant as it is. */
static void widen(FILE *to, const struct operand *o, char which, uint32_t id)
{
    if (!is_constant(o))
        fprintf(to, "  %%bankshot.%c%u = sext i32 %.*s to i64\n", which, id, (int)(o->end - o->at), o->at);
}

static void write_walk(FILE *to, const struct value *index, const char *end, const struct walk *w,
                       uint32_t id)
{
    widen(to, &w->counter, 'k', id);
    widen(to, &w->each, 'e', id);
    widen(to, &w->start, 's', id);
    fprintf(to, "  %%bankshot.p%u = mul nsw i64 %%bankshot.k%u, %%bankshot.e%u\n", id, id, id);
    fprintf(to, "  %.*s = add nsw i64 %%bankshot.p%u, ", (int)index->name_n, index->name, id);
    if (is_constant(&w->start))
        fprintf(to, "%.*s", (int)(w->start.end - w->start.at), w->start.at);
    else
        fprintf(to, "%%bankshot.s%u", id);
    fprintf(to, "%.*s\n", (int)(end - index->op_end), index->op_end);
}

/* The lines of one function, up to its closing brace. */
static void rewrite_function(struct rows *r, FILE *to, const char *p, const char *end)
{
    uint32_t number = 0;
    vec_clear(&r->values);
    make_slots(r, 1024);
    for (const char *q = p; q < end; q = ir_line_end(q, end) + 1)
        read_line(r, q, ir_line_end(q, end), ++number);
    while (p < end) {
        const char *stop = ir_line_end(p, end), *op_end;
        struct walk w;
        const struct value *index = operation_of(p, stop, &op_end) ? value_at(r, p + 2, stop, false) : NULL;
        if (index && read_walk(r, index, &w))
            write_walk(to, index, stop, &w, r->made++);
        else
            fprintf(to, "%.*s\n", (int)(stop - p), p);
        p = stop + 1;
    }
}

static void rewrite(void *ctx, FILE *to, const char *p, const char *end)
{
    while (p < end) {
        const char *stop = ir_line_end(p, end);
        if (ir_starts(p, end, "define "))
            while (stop < end && !ir_starts(stop, end, "\n}"))
                stop = ir_line_end(stop + 1, end);
        if (ir_starts(p, end, "define "))
            rewrite_function(ctx, to, p, stop);
        else
            fprintf(to, "%.*s\n", (int)(stop - p), p);
        p = stop + 1;
    }
}

bool cc_walk_rows(const char *path)
{
    struct rows r = {0};
    bool ok = ir_edit_file(path, path, &(struct ir_edit){.write = rewrite, .ctx = &r});
    vec_free(&r.values);
    vec_free(&r.slots);
    return ok;
}
