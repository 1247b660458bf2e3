/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of structures in LLVM assembly: calls of llvm.memcpy and llvm.memmove, read and written as accesses of vectors. */
#include "cli/cc/ir.h"

enum { COPY_MAX_B = 128 };

/* Type and attributes, then the value; an attribute that is not known leaves the call alone. */
static bool read_pointer(const char *p, const char *end, struct ir_pointer *out)
{
    static const char *const plain[] = {"noundef ",   "nonnull ",   "noalias ",
                                        "nocapture ", "writeonly ", "readonly "};
    *out = (struct ir_pointer){.space = "", .align_b = 1};
    if (!ir_starts(p, end, "ptr "))
        return false;
    p += 4;
    if (ir_starts(p, end, "addrspace(")) {
        out->space = p;
        p = memchr(p, ' ', (size_t)(end - p));
        if (!p)
            return false;
        out->space_n = (size_t)(++p - out->space);
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (ir_starts(p, end, plain[i])) {
                p += strlen(plain[i]);
                more = true;
            }
        bool align = ir_starts(p, end, "align "), deref = ir_starts(p, end, "dereferenceable");
        if (align || deref) {
            if (align)
                out->align_b = (uint32_t)strtoul(p + 6, NULL, 10);
            p = memchr(p + (align ? 6 : 0), ' ', (size_t)(end - p) - (align ? 6 : 0));
            if (!p)
                return false;
            p++;
            more = true;
        }
    }
    out->value = p;
    out->value_n = (size_t)(end - p);
    return ir_starts(p, end, "%") || ir_starts(p, end, "@") || ir_starts(p, end, "addrspacecast (") ||
           ir_starts(p, end, "getelementptr ");
}

/* "  [tail ]call void @llvm.memcpy.pA.pB.i64(TO, FROM, i64 SIZE, i1 false), ...", or of memmove. */
bool ir_read_copy(const char *line, const char *end, struct ir_copy *c)
{
    const char *p = line + strspn(line, " ");
    if (ir_starts(p, end, "tail "))
        p += 5;
    if (!ir_starts(p, end, "call void @llvm.memcpy.p") && !ir_starts(p, end, "call void @llvm.memmove.p"))
        return false;
    if (!(p = memchr(p, '(', (size_t)(end - p))))
        return false;
    const char *to = p + 1, *to_end = ir_operand_end(to, end);
    const char *from = to_end ? to_end + 2 : end, *from_end = from < end ? ir_operand_end(from, end) : NULL;
    const char *size = from_end ? from_end + 2 : end;
    if (!ir_starts(size, end, "i64 ") || !read_pointer(to, to_end, &c->to) ||
        !read_pointer(from, from_end, &c->from))
        return false;
    char *after;
    uint64_t n = strtoull(size + 4, &after, 10);
    if (!ir_starts(after, end, ", i1 false)"))
        return false;
    c->size_b = n <= COPY_MAX_B ? (uint32_t)n : 0;
    c->dbg = "";
    c->dbg_n = 0;
    c->fields = UINT32_MAX;
    for (const char *d = after; d < end; d++) {
        if (ir_starts(d, end, ", !dbg !")) {
            c->dbg = d;
            c->dbg_n = 8 + strspn(d + 8, "0123456789");
        } else if (ir_starts(d, end, ", !tbaa.struct !")) {
            c->fields = ir_number(d + 16, end);
        }
    }
    return c->size_b > 0;
}

static void write_type(FILE *f, struct ir_vector v)
{
    if (v.n == 1)
        fputs(v.type, f);
    else
        fprintf(f, "<%u x %s>", v.n, v.type);
}

void ir_write_copy(FILE *f, const struct ir_copy *c, const struct ir_pieces *pieces, uint32_t id)
{
    const struct ir_pointer *side[2] = {&c->from, &c->to};
    for (int s = 0; s < 2; s++)
        for (uint32_t i = 0; i < pieces->n; i++) {
            const struct ir_pointer *p = side[s];
            struct ir_vector v = pieces->of[i].v;
            uint32_t at = pieces->of[i].at;
            if (at)
                fprintf(f, "  %%bankshot.p%u.%d.%u = getelementptr i8, ptr %.*s%.*s, i64 %u%.*s\n", id, s, at,
                        (int)p->space_n, p->space, (int)p->value_n, p->value, at, (int)c->dbg_n, c->dbg);
            fprintf(f, s ? "  store " : "  %%bankshot.v%u.%u = load ", id, at);
            write_type(f, v);
            if (s)
                fprintf(f, " %%bankshot.v%u.%u", id, at);
            fprintf(f, ", ptr %.*s", (int)p->space_n, p->space);
            if (at)
                fprintf(f, "%%bankshot.p%u.%d.%u", id, s, at);
            else
                fprintf(f, "%.*s", (int)p->value_n, p->value);
            fprintf(f, ", align %u%.*s\n", v.n * v.element_b, (int)c->dbg_n, c->dbg);
        }
}
