/* SPDX-License-Identifier: Apache-2.0 */
/* LLVM assembly as text: operands, numbered nodes and groups, and the types of CUDA's vectors. */
#include "cli/cc/ir.h"

#include <ctype.h>

enum { ID_LIMIT = 1 << 24 };

bool ir_starts(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

const char *ir_operand_end(const char *p, const char *end)
{
    for (int depth = 0; p < end; p++) {
        if (*p == '(' || *p == '[' || *p == '{' || *p == '<')
            depth++;
        else if ((*p == ',' || *p == ')') && depth == 0)
            return p;
        else if (*p == ')' || *p == ']' || *p == '}' || *p == '>')
            depth--;
        else if (*p == '"')
            return NULL; /* a quoted name: rare, and not worth reading */
    }
    return NULL;
}

uint32_t ir_number(const char *p, const char *end)
{
    uint32_t id = 0;
    if (p >= end || !isdigit((unsigned char)*p))
        return UINT32_MAX;
    for (; p < end && isdigit((unsigned char)*p); p++)
        if ((id = id * 10 + (uint32_t)(*p - '0')) >= ID_LIMIT)
            return UINT32_MAX;
    return id;
}

#define KEEP(list, id, line)                                                                                 \
    do {                                                                                                     \
        while ((list)->n <= (id))                                                                            \
            vec_push(list, NULL);                                                                            \
        (list)->at[id] = (line);                                                                             \
    } while (0)

void ir_index(struct ir_text *t)
{
    static const char group[] = "attributes #";
    for (const char *p = t->at; p < t->end;) {
        const char *end = ir_line_end(p, t->end);
        bool is_group = ir_starts(p, end, group), is_node = !is_group && p < end && *p == '!';
        uint32_t id = is_group  ? ir_number(p + sizeof group - 1, end)
                      : is_node ? ir_number(p + 1, end)
                                : UINT32_MAX;
        if (id != UINT32_MAX && is_group)
            KEEP(&t->groups, id, p);
        else if (id != UINT32_MAX)
            KEEP(&t->nodes, id, p);
        p = end + 1;
    }
}

struct ir_vector ir_builtin_vector(const char *name, size_t n)
{
    static const struct {
        const char *name;
        struct ir_vector v;
    } list[] = {{"float2", {2, 4, "float"}}, {"float4", {4, 4, "float"}},  {"double2", {2, 8, "double"}},
                {"int2", {2, 4, "i32"}},     {"int4", {4, 4, "i32"}},      {"uint2", {2, 4, "i32"}},
                {"uint4", {4, 4, "i32"}},    {"short2", {2, 2, "i16"}},    {"short4", {4, 2, "i16"}},
                {"ushort2", {2, 2, "i16"}},  {"ushort4", {4, 2, "i16"}},   {"long2", {2, 8, "i64"}},
                {"ulong2", {2, 8, "i64"}},   {"longlong2", {2, 8, "i64"}}, {"ulonglong2", {2, 8, "i64"}},
                {"char2", {2, 1, "i8"}},     {"char4", {4, 1, "i8"}},      {"uchar2", {2, 1, "i8"}},
                {"uchar4", {4, 1, "i8"}}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strlen(list[i].name) == n && memcmp(list[i].name, name, n) == 0)
            return list[i].v;
    return (struct ir_vector){0};
}

/* The type behind an access tag, !N = !{!M, !M, i64 0} with !M = !{!"float", ...}. */
static struct ir_vector tagged(const struct ir_text *t, uint32_t tag)
{
    static const struct {
        const char *name;
        struct ir_vector v;
    } list[] = {{"float\"", {1, 4, "float"}},       {"double\"", {1, 8, "double"}},
                {"int\"", {1, 4, "i32"}},           {"short\"", {1, 2, "i16"}},
                {"long\"", {1, 8, "i64"}},          {"long long\"", {1, 8, "i64"}},
                {"omnipotent char\"", {1, 1, "i8"}}};
    for (int step = 0; step < 2; step++) {
        const char *line = tag < t->nodes.n ? t->nodes.at[tag] : NULL,
                   *open = line ? strstr(line, "= !{!") : NULL;
        if (!open)
            break;
        for (size_t i = 0; step == 1 && open[5] == '"' && i < sizeof list / sizeof *list; i++)
            if (ir_starts(open + 6, t->end, list[i].name))
                return list[i].v;
        tag = ir_number(open + 5, t->end);
    }
    return (struct ir_vector){0};
}

/* Two neighbouring pieces of one type and length become one of twice the length, where they stand as that has to and a load can
 * have it: four elements and 16 bytes at most. */
static void join_pieces(struct ir_pieces *p, uint32_t align_b)
{
    for (uint32_t n = 1; n <= 2; n *= 2) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < p->n; i++) {
            struct ir_vector v = p->of[i].v, *w = i + 1 < p->n ? &p->of[i + 1].v : NULL;
            uint32_t size_b = v.n * v.element_b, twice_b = 2 * size_b;
            bool joins = w && v.n == n && w->n == n && strcmp(v.type, w->type) == 0 &&
                         p->of[i + 1].at == p->of[i].at + size_b && p->of[i].at % twice_b == 0 &&
                         twice_b <= align_b && twice_b <= 16;
            p->of[kept] = p->of[i];
            p->of[kept++].v.n = joins ? 2 * n : v.n;
            i += joins;
        }
        p->n = kept;
    }
}

static bool one_type(const struct ir_pieces *p)
{
    for (uint32_t i = 1; i < p->n; i++)
        if (strcmp(p->of[i].v.type, p->of[0].v.type) != 0)
            return false;
    return true;
}

bool ir_pieces(const struct ir_text *t, uint32_t node, uint32_t align_b, struct ir_pieces *out)
{
    const char *p = node < t->nodes.n ? t->nodes.at[node] : NULL;
    out->n = 0;
    p = p ? strstr(p, "= !{") : NULL;
    if (!p)
        return false;
    for (p += 4; ir_starts(p, t->end, "i64 ");) { /* offset, size, tag */
        uint32_t at = ir_number(p + 4, t->end);
        const char *size = strstr(p, ", i64 "), *name = size ? strstr(size, ", !") : NULL;
        struct ir_vector v = name ? tagged(t, ir_number(name + 3, t->end)) : (struct ir_vector){0};
        if (!v.n || ir_number(size + 6, t->end) != v.element_b || out->n == IR_PIECES ||
            align_b < v.element_b || at % v.element_b)
            return false;
        out->of[out->n].at = at;
        out->of[out->n++].v = v;
        p = name + 3 + strspn(name + 3, "0123456789");
        p += ir_starts(p, t->end, ", ") ? 2 : 0;
    }
    if (!one_type(out)) /* then words: accesses of neighbours are only joined if they are of one kind */
        for (uint32_t i = 0; i < out->n; i++)
            if (strcmp(out->of[i].v.type, "float") == 0)
                out->of[i].v.type = "i32";
    join_pieces(out, align_b);
    return out->n > 0;
}
