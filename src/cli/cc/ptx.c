/* SPDX-License-Identifier: Apache-2.0 */
/* Between the device pass and the host pass: device code that another file would have to complete, without -rdc=true, is
 * refused here, where the file can be named; a bound on registers and the size of clusters are written into the
 * kernels; line numbers lose the comments that clang repeats them in; and the text gets the zero byte at its end that the runtime
 * looks for, which clang does not add. */
#include "base/file.h"
#include "cli/cc/cc.h"

#include <errno.h>

enum { PTX_LIMIT_B = 1 << 28, ASM_LIMIT_B = 1 << 30 };

/* Functions that the executor has: src/compile/lower/lower_call.c. */
static bool is_system(const char *name, size_t len)
{
    static const char *const names[] = {"vprintf", "__assertfail", "malloc", "free"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
            return true;
    return false;
}

static size_t name_length(const char *p)
{
    size_t n = 0;
    while ((p[n] >= '0' && p[n] <= '9') || (p[n] >= 'a' && p[n] <= 'z') || (p[n] >= 'A' && p[n] <= 'Z') ||
           p[n] == '_' || p[n] == '$' || p[n] == '%')
        n++;
    return n;
}

/* The name that a line "\t.extern .func (.param ...) name" or ".extern .global .align 4 .b8 name[...]"
 * declares; NULL for other lines and for dynamic shared memory. */
static const char *extern_name(const char *line, size_t n, size_t *len)
{
    if (n < 8 || memcmp(line, ".extern ", 8) != 0)
        return NULL;
    const char *p = line + 8, *end = line + n, *name = NULL;
    if (strncmp(p, ".shared", 7) == 0)
        return NULL;
    if (strncmp(p, ".func", 5) == 0) {
        p += 5;
        const char *close = memchr(p, ')', (size_t)(end - p));
        if (close)
            p = close + 1;
        p += strspn(p, " \t");
        name = p;
    } else {
        for (; p < end && *p != ';' && *p != '[' && *p != '='; p++)
            if ((*p == ' ' || *p == '\t') && name_length(p + 1))
                name = p + 1;
        /* "4" of ".align 4" is taken first and the name, which stands after it, last. */
    }
    *len = name ? name_length(name) : 0;
    return *len ? name : NULL;
}

static bool check_externs(const struct file_text *t, const char *source)
{
    bool ok = true;
    for (const char *p = t->at, *end = t->at + t->n; p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        size_t n = nl ? (size_t)(nl - p) : (size_t)(end - p), len = 0;
        const char *name = extern_name(p, n, &len);
        if (name && !is_system(name, len)) {
            cli_error(
                "%s: device code uses '%.*s', which the file does not define; with -rdc=true another file "
                "may",
                source, (int)len, name);
            ok = false;
        }
        p += n + 1;
    }
    return ok;
}

/* How much of a line of n bytes is written; less than n: without its end. */
static size_t kept_length(const char *line, size_t n)
{
    const char *comment = strncmp(line, "\t.loc\t", 6) == 0 ? memchr(line, '/', n) : NULL;
    if (!comment)
        return n;
    while (comment > line && (comment[-1] == ' ' || comment[-1] == '\t'))
        comment--;
    return (size_t)(comment - line);
}

/* What a kernel gets behind its parameters: nothing for most. */
struct directives {
    uint32_t max_regs; /* 0: no bound */
    const struct cc_clusters *clusters;
};

/* The kernel's name stands before the '(' of its first line. */
static bool write_directives(FILE *f, const struct directives *d, const char *entry)
{
    const char *name = strstr(entry, ".entry") + 6;
    name += strspn(name, " \t");
    size_t n = name_length(name);
    bool ok = !d->max_regs || fprintf(f, ".maxnreg %u\n", d->max_regs) > 0;
    for (uint32_t i = 0; ok && i < d->clusters->of.n; i++) {
        const struct cc_cluster *c = &d->clusters->of.at[i];
        if (strlen(c->kernel) == n && memcmp(c->kernel, name, n) == 0)
            ok = fprintf(f, ".explicitcluster\n.reqnctapercluster %u, %u, %u\n", c->size[0], c->size[1],
                         c->size[2]) > 0;
    }
    return ok;
}

/* Copies the text, with the directives of each kernel: clang opens the body of a function with a line that holds "{" alone. */
static bool copy_text(FILE *f, const struct file_text *t, const struct directives *d)
{
    const char *entry = NULL;
    bool ok = true;
    for (const char *p = t->at, *end = t->at + t->n; ok && p < end;) {
        const char *nl = memchr(p, '\n', (size_t)(end - p));
        size_t n = nl ? (size_t)(nl - p) + 1 : (size_t)(end - p);
        if (strncmp(p, ".visible .entry", 15) == 0 || strncmp(p, ".weak .entry", 12) == 0)
            entry = p;
        if (entry && p[0] == '{') {
            ok = write_directives(f, d, entry);
            entry = NULL;
        }
        size_t keep = kept_length(p, n);
        ok = ok && fwrite(p, 1, keep, f) == keep && (keep == n || fputc('\n', f) == '\n');
        p += n;
    }
    return ok;
}

static bool write_ptx(const char *path, const struct file_text *t, const struct directives *d, bool zero)
{
    FILE *f = fopen(path, "w");
    bool ok = f && copy_text(f, t, d);
    ok = ok && (!zero || fputc(0, f) == 0);
    ok = f && fclose(f) == 0 && ok;
    if (!ok)
        cli_error("cannot write %s: %s", path, strerror(errno));
    return ok;
}

uint64_t cc_local_bytes(const char *path)
{
    static const char depot[] = "__local_depot";
    struct diag d = {0};
    struct file_text t;
    uint64_t sum = 0;
    if (file_read(path, PTX_LIMIT_B, &t, &d)) {
        for (const char *p = t.at; (p = strstr(p, depot)); p++) { /* declared as __local_depot0[64] */
            p += sizeof depot - 1;
            p += strspn(p, "0123456789");
            sum += *p == '[' ? strtoull(p + 1, NULL, 10) : 0;
        }
        file_free(&t);
    }
    diag_free(&d);
    return sum;
}

bool cc_finish_ptx(const char *path, const char *image, const char *source, const struct cc_job *j,
                   const struct cc_clusters *clusters)
{
    const struct directives put = {j->max_regs, clusters};
    struct diag d = {0};
    struct file_text t;
    bool ok = file_read(path, PTX_LIMIT_B, &t, &d);
    if (ok) {
        ok = (j->rdc || check_externs(&t, source)) && write_ptx(path, &t, &put, false) &&
             (!image || write_ptx(image, &t, &put, true));
        file_free(&t);
    } else {
        diag_print(&d, stderr);
    }
    diag_free(&d);
    return ok;
}

bool cc_register_with_runtime(const char *path)
{
    static const char name[] = "__cudaRegisterLinkedBinary__nv_",
                      ours[] = "__cudaRegisterLinkedBinary_bankshot";
    struct diag d = {0};
    struct file_text t;
    if (!file_read(path, ASM_LIMIT_B, &t, &d)) {
        diag_print(&d, stderr);
        diag_free(&d);
        return false;
    }
    FILE *f = fopen(path, "w");
    const char *p = t.at, *end = t.at + t.n;
    bool ok = f != NULL;
    for (const char *at; ok && (at = strstr(p, name));
         p = at + sizeof name - 1 + name_length(at + sizeof name - 1))
        ok = fwrite(p, 1, (size_t)(at - p), f) == (size_t)(at - p) && fputs(ours, f) >= 0;
    ok = ok && fwrite(p, 1, (size_t)(end - p), f) == (size_t)(end - p);
    ok = f && fclose(f) == 0 && ok;
    if (!ok)
        cli_error("cannot write %s: %s", path, strerror(errno));
    file_free(&t);
    diag_free(&d);
    return ok;
}
