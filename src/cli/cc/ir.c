/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM assembly as clang makes it of a CUDA source, before its optimiser sees it. Things that nvcc does and clang does not are
 * written into it here, line by line; anything of another shape stays.
 *   - A float4, double2, int4 ... is copied, and its members are read, as a whole: nvcc has one access of 64 or 128 bits
 *     however the source says it. Other structures are copied member by member. Clang copies by llvm.memcpy, of which its
 *     optimiser makes an access for each member that is used and accesses of 64 bits, aligned or not, for those that are not.
 *   - Structures of unknown members that are copied from memory to memory, whole multiples of 16 aligned bytes, go in accesses
 *     of 128 bits.
 *   - Under -ftz=true approximate functions flush as well.
 *   - Inline PTX that involves no other lane is not convergent: clang would not unroll a loop with it.
 *   - What clang takes for granted and nvcc does not (ir_wary.c). */
#define _GNU_SOURCE /* memmem */
#include "cli/cc/ir.h"

enum { WIDE_B = 16 };

/* What is known of a value of the function that is being read. */
struct known {
    bool is_alloca;
    struct ir_vector of; /* the vector that it points into, n = 0: none */
    uint32_t member;     /* ... and to which element */
    const char *base;    /* where that vector is */
    size_t base_n;
};

struct editor {
    FILE *to;
    struct ir_text text;
    VEC(struct known) values; /* of the function, by number */
    struct cc_ir wanted;
    uint32_t made;    /* rewritten lines so far */
    uint32_t calm[2]; /* attribute groups of inline PTX, without memory and with; 0: not needed yet */
};

static uint32_t value_id(const char *p, const char *end)
{
    return p < end && *p == '%' ? ir_number(p + 1, end) : UINT32_MAX;
}

static struct known known_of(const struct editor *e, const char *p, const char *end)
{
    uint32_t id = value_id(p, end);
    return id < e->values.n ? e->values.at[id] : (struct known){0};
}

static void note(struct editor *e, uint32_t id, struct known k)
{
    while (e->values.n <= id)
        vec_push(&e->values, (struct known){0});
    e->values.at[id] = k;
}

/* "getelementptr inbounds %struct.float4, ptr BASE, i32 0, i32 MEMBER". Members of variables of the function itself are left
 * alone: they end in registers anyway. */
static struct known read_member(const struct editor *e, const char *p, const char *end)
{
    static const char start[] = "getelementptr inbounds %struct.", index[] = ", i32 0, i32 ";
    struct known none = {0};
    if (!ir_starts(p, end, start))
        return none;
    const char *name = p + sizeof start - 1, *comma = memchr(name, ',', (size_t)(end - name));
    struct ir_vector v = comma ? ir_builtin_vector(name, (size_t)(comma - name)) : (struct ir_vector){0};
    if (!v.n || !ir_starts(comma, end, ", ptr "))
        return none;
    const char *base = comma + 6, *base_end = ir_operand_end(base, end);
    if (!base_end || !ir_starts(base_end, end, index) || known_of(e, base, base_end).is_alloca)
        return none;
    uint32_t member = ir_number(base_end + sizeof index - 1, end);
    if (member >= v.n)
        return none;
    return (struct known){.of = v, .member = member, .base = base, .base_n = (size_t)(base_end - base)};
}

/* "%23 = load float, ptr %22, align 16, ..." of a member that is known becomes a load of the vector and the element of it. */
static bool rewrite_load(struct editor *e, const char *value, const char *p, const char *end)
{
    if (!ir_starts(p, end, "load "))
        return false;
    const char *comma = memchr(p, ',', (size_t)(end - p));
    if (!comma || !ir_starts(comma, end, ", ptr "))
        return false;
    struct known k = known_of(e, comma + 6, end);
    size_t type_n = (size_t)(comma - (p + 5));
    if (!k.of.n || strlen(k.of.type) != type_n || memcmp(p + 5, k.of.type, type_n) != 0)
        return false;
    const char *dbg = memmem(comma, (size_t)(end - comma), ", !dbg !", 8);
    size_t dbg_n = dbg ? 8 + strspn(dbg + 8, "0123456789") : 0;
    fprintf(e->to, "  %%bankshot.m%u = load <%u x %s>, ptr %.*s, align %u%.*s\n", e->made, k.of.n, k.of.type,
            (int)k.base_n, k.base, k.of.n * k.of.element_b, (int)dbg_n, dbg ? dbg : "");
    fprintf(e->to, "  %.*s= extractelement <%u x %s> %%bankshot.m%u, i32 %u%.*s\n", (int)(p - 2 - value),
            value, k.of.n, k.of.type, e->made, k.member, (int)dbg_n, dbg ? dbg : "");
    return true;
}

static bool rewrite_copy(struct editor *e, const char *line, const char *end)
{
    struct ir_copy c;
    struct ir_pieces pieces;
    if (!ir_read_copy(line, end, &c))
        return false;
    uint32_t align_b = c.to.align_b < c.from.align_b ? c.to.align_b : c.from.align_b;
    if (!ir_pieces(&e->text, c.fields, align_b, &pieces)) {
        bool local = known_of(e, c.to.value, end).is_alloca || known_of(e, c.from.value, end).is_alloca;
        if (local || c.size_b % WIDE_B || align_b % WIDE_B)
            return false;
        pieces.n = c.size_b / WIDE_B;
        for (uint32_t i = 0; i < pieces.n; i++) {
            pieces.of[i].at = i * WIDE_B;
            pieces.of[i].v = (struct ir_vector){4, 4, "i32"};
        }
    }
    ir_write_copy(e->to, &c, &pieces, e->made);
    return true;
}

/* Where subnormal numbers are flushed, approximate functions may take and make none: "@llvm.nvvm.lg2.approx.f(" becomes
 * "@llvm.nvvm.lg2.approx.ftz.f(", which needs no care for them. */
static bool rewrite_flush(struct editor *e, const char *line, const char *end)
{
    static const char start[] = "@llvm.nvvm.", tail[] = ".approx.f(";
    const char *name = e->wanted.flush ? memmem(line, (size_t)(end - line), start, sizeof start - 1) : NULL;
    const char *at = name ? memmem(name, (size_t)(end - name), tail, sizeof tail - 1) : NULL;
    if (!at || memchr(name, ' ', (size_t)(at - name)))
        return false;
    char other[64];
    snprintf(other, sizeof other, "%.*s.approx.ftz.f(", (int)(at - name), name);
    bool declares = ir_starts(line, end, "declare ");
    if (declares && memmem(e->text.at, (size_t)(e->text.end - e->text.at), other, strlen(other)))
        return true; /* there is such a declaration already */
    fprintf(e->to, "%.*s%s%.*s\n", (int)(name - line), line, other, (int)(end - at - (long)sizeof tail + 1),
            at + sizeof tail - 1);
    return true;
}

/* Does the PTX exchange values with other lanes, wait for them, branch or end the thread? */
static bool involves_lanes(const char *p, const char *end)
{
    static const char *const words[] = {"sync",  "shfl", "vote",  "bar",  "activemask", "match", "elect",
                                        "redux", "mma",  "fence", "exit", "trap",       "bra",   "ret"};
    for (; p < end; p++)
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            if (ir_starts(p, end, words[i]))
                return true;
    return false;
}

static uint32_t calm_group(struct editor *e, bool pure)
{
    if (!e->calm[pure])
        e->calm[pure] = e->text.groups.n + (e->calm[!pure] != 0);
    return e->calm[pure];
}

static bool rewrite_costly(struct editor *e, const char *line, const char *end)
{
    struct ir_costly c = {e->wanted.roots, e->wanted.reciprocals, e->wanted.flush, 0};
    if (!c.roots && !c.reciprocals)
        return false;
    c.group = calm_group(e, true);
    return ir_rewrite_costly(e->to, line, end, &c);
}

/* " asm [sideeffect ]"TEXT", ... #N": another group of attributes. The groups that clang gives are
 * { convergent nounwind } and { convergent nounwind memory(none) }. */
static bool rewrite_asm(struct editor *e, const char *line, const char *end)
{
    const char *p = memmem(line, (size_t)(end - line), " asm ", 5), *hash = end;
    const char *text = p ? memchr(p, '"', (size_t)(end - p)) : NULL;
    if (!text || involves_lanes(text, end))
        return false;
    while (hash > text && *hash != '#')
        hash--;
    uint32_t id = ir_number(hash + 1, end);
    const char *group = hash > text && id < e->text.groups.n ? e->text.groups.at[id] : NULL;
    group = group ? strstr(group, "= {") : NULL;
    bool pure = group && ir_starts(group, e->text.end, "= { convergent nounwind memory(none) }");
    if (!pure && !(group && ir_starts(group, e->text.end, "= { convergent nounwind }")))
        return false;
    calm_group(e, pure);
    const char *after = hash + 1 + strspn(hash + 1, "0123456789");
    fprintf(e->to, "%.*s#%u%.*s\n", (int)(hash - line), line, e->calm[pure], (int)(end - after), after);
    return true;
}

static void edit_line(struct editor *e, const char *line, const char *end)
{
    const char *value = line + strspn(line, " "), *rest = NULL;
    if (ir_starts(line, end, "define "))
        vec_clear(&e->values);
    if (value < end && *value == '%' && (rest = memchr(value, '=', (size_t)(end - value))) != NULL) {
        uint32_t id = value_id(value, end);
        rest += 2;
        if (id != UINT32_MAX && rest < end) {
            bool is_alloca = ir_starts(rest, end, "alloca ");
            struct known k = is_alloca ? (struct known){.is_alloca = true} : read_member(e, rest, end);
            if (k.is_alloca || k.of.n)
                note(e, id, k);
        }
    }
    bool vector = e->wanted.whole &&
                  ((rest && rest < end && rewrite_load(e, value, rest, end)) || rewrite_copy(e, line, end));
    if (vector || rewrite_asm(e, line, end) || rewrite_flush(e, line, end) || rewrite_costly(e, line, end) ||
        (e->wanted.wary && ir_rewrite_special(e->to, line, end, e->text.nodes.n)))
        e->made++;
    else
        fprintf(e->to, "%.*s\n", (int)(end - line), line);
}

static void rewrite(void *ctx, FILE *to, const char *at, const char *end)
{
    struct editor *e = ctx;
    e->to = to;
    e->text.at = at;
    e->text.end = end;
    ir_index(&e->text);
    for (const char *p = at; p < end;) {
        const char *line_end = ir_line_end(p, end);
        edit_line(e, p, line_end);
        p = line_end + 1;
    }
    for (int pure = 0; pure < 2; pure++)
        if (e->calm[pure])
            fprintf(e->to, "attributes #%u = { nounwind willreturn%s }\n", e->calm[pure],
                    pure ? " memory(none)" : "");
    if (e->wanted.wary) /* every number but the largest: a range has to leave something out */
        fprintf(e->to, "!%u = !{i32 0, i32 -1}\n", e->text.nodes.n);
}

int cc_edit_ir(const char *from, const char *to, const struct cc_ir *wanted)
{
    struct editor e = {.wanted = *wanted};
    bool ok = ir_edit_file(from, to, &(struct ir_edit){.write = rewrite, .ctx = &e});
    vec_free(&e.values);
    vec_free(&e.text.nodes);
    vec_free(&e.text.groups);
    return ok ? (int)e.made : -1;
}
