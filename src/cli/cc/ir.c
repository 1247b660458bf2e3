/* Copies of structures between memories, in LLVM's assembly. Where a program says to[i] = from[i] of a
 * float4, clang leaves a call of llvm.memcpy (of llvm.memmove if it went through a variable), and its back
 * end makes 64-bit accesses of it; nvcc makes one access of 128 bits. Here such calls, of whole multiples of
 * 16 aligned bytes, become loads and stores of <4 x i32>. Anything of another shape stays. */
#include "base/file.h"
#include "cli/cc/cc.h"

#include <errno.h>

enum { IR_LIMIT_B = 1 << 29, COPY_MAX_B = 64 };

/* "ptr addrspace(3) noundef align 16 %x": where it points to and the value itself. */
struct pointer {
    const char *space; /* "addrspace(3) ", or empty */
    size_t space_n;
    const char *value;
    size_t value_n;
    uint32_t align_b;
};

/* The end of an operand: a comma, or the parenthesis that closes the call. */
static const char *operand_end(const char *p, const char *end)
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

static bool starts(const char *p, const char *end, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(end - p) >= n && memcmp(p, word, n) == 0;
}

/* Type and attributes, then the value; an attribute that is not known leaves the call alone. */
static bool read_pointer(const char *p, const char *end, struct pointer *out)
{
    static const char *const plain[] = {"noundef ",   "nonnull ",   "noalias ",
                                        "nocapture ", "writeonly ", "readonly "};
    *out = (struct pointer){.space = "", .align_b = 1};
    if (!starts(p, end, "ptr "))
        return false;
    p += 4;
    if (starts(p, end, "addrspace(")) {
        out->space = p;
        p = memchr(p, ' ', (size_t)(end - p));
        if (!p)
            return false;
        out->space_n = (size_t)(++p - out->space);
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (starts(p, end, plain[i])) {
                p += strlen(plain[i]);
                more = true;
            }
        bool align = starts(p, end, "align "), deref = starts(p, end, "dereferenceable");
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
    return starts(p, end, "%") || starts(p, end, "@") || starts(p, end, "addrspacecast (") ||
           starts(p, end, "getelementptr ");
}

struct copy {
    struct pointer to, from;
    uint32_t size_b;
    const char *dbg; /* ", !dbg !N" at the end of the line, or empty */
    size_t dbg_n;
};

/* A line "  [tail ]call void @llvm.memcpy.pA.pB.i64(TO, FROM, i64 SIZE, i1 false), ...", or of memmove. */
static bool read_copy(const char *line, const char *end, struct copy *c)
{
    const char *p = line + strspn(line, " ");
    if (starts(p, end, "tail "))
        p += 5;
    if (!starts(p, end, "call void @llvm.memcpy.p") && !starts(p, end, "call void @llvm.memmove.p"))
        return false;
    if (!(p = memchr(p, '(', (size_t)(end - p))))
        return false;
    const char *to = p + 1, *to_end = operand_end(to, end);
    const char *from = to_end ? to_end + 2 : end, *from_end = from < end ? operand_end(from, end) : NULL;
    const char *size = from_end ? from_end + 2 : end;
    if (!starts(size, end, "i64 ") || !read_pointer(to, to_end, &c->to) ||
        !read_pointer(from, from_end, &c->from))
        return false;
    char *after;
    uint64_t n = strtoull(size + 4, &after, 10);
    if (!starts(after, end, ", i1 false)"))
        return false;
    c->size_b = n <= COPY_MAX_B ? (uint32_t)n : 0;
    c->dbg = "";
    c->dbg_n = 0;
    for (const char *d = after; d < end; d++)
        if (starts(d, end, ", !dbg !")) {
            c->dbg = d;
            c->dbg_n = 8 + strspn(d + 8, "0123456789");
        }
    return c->size_b && c->size_b % 16 == 0 && c->to.align_b % 16 == 0 && c->from.align_b % 16 == 0;
}

/* All loads before all stores: the two may be the same place. */
static void write_copy(FILE *f, const struct copy *c, uint32_t id)
{
    const struct pointer *side[2] = {&c->from, &c->to};
    for (int s = 0; s < 2; s++)
        for (uint32_t at = 0; at < c->size_b; at += 16) {
            const struct pointer *p = side[s];
            if (at)
                fprintf(f, "  %%bankshot.p%u.%d.%u = getelementptr i8, ptr %.*s%.*s, i64 %u%.*s\n", id, s, at,
                        (int)p->space_n, p->space, (int)p->value_n, p->value, at, (int)c->dbg_n, c->dbg);
            if (s == 0)
                fprintf(f, "  %%bankshot.v%u.%u = load <4 x i32>, ptr ", id, at);
            else
                fprintf(f, "  store <4 x i32> %%bankshot.v%u.%u, ptr ", id, at);
            fprintf(f, "%.*s", (int)p->space_n, p->space);
            if (at)
                fprintf(f, "%%bankshot.p%u.%d.%u", id, s, at);
            else
                fprintf(f, "%.*s", (int)p->value_n, p->value);
            fprintf(f, ", align 16%.*s\n", (int)c->dbg_n, c->dbg);
        }
}

static uint32_t rewrite(FILE *f, const struct file_text *t)
{
    uint32_t n = 0;
    for (const char *p = t->at, *end = t->at + t->n; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p)), *stop = nl ? nl : end;
        struct copy c;
        if (read_copy(p, stop, &c))
            write_copy(f, &c, n++);
        else
            fprintf(f, "%.*s\n", (int)(stop - p), p);
        p = stop + 1;
    }
    return n;
}

int cc_widen_copies(const char *path)
{
    struct diag d = {0};
    struct file_text t;
    int n = -1;
    if (file_read(path, IR_LIMIT_B, &t, &d)) {
        FILE *f = fopen(path, "w");
        n = f ? (int)rewrite(f, &t) : -1;
        if (!f || ferror(f) || fclose(f) != 0) {
            cli_error("cannot write %s: %s", path, strerror(errno));
            n = -1;
        }
        file_free(&t);
    } else {
        diag_print(&d, stderr);
    }
    diag_free(&d);
    return n;
}
