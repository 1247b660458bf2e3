/* SPDX-License-Identifier: Apache-2.0 */
/* The header of a .traceg file: -key = value. */
#include "trace/accelsim/accelsim_in.h"

#include <errno.h>

enum { NOTE_MAX_B = 64 << 20 };

static bool number(const char *s, int base, uint64_t max, uint64_t *out)
{
    char *end;
    if (*s == '-' || *s == '+')
        return false;
    errno = 0;
    unsigned long long v = strtoull(s, &end, base);
    while (*end == ' ')
        end++;
    *out = v;
    return end != s && !*end && !errno && v <= max;
}

static bool number32(const char *s, uint32_t max, uint32_t *out)
{
    uint64_t v;
    bool ok = number(s, 10, max, &v);
    *out = ok ? (uint32_t)v : 0;
    return ok;
}

static bool triple(const char *s, uint32_t out[3])
{
    long long v[3];
    char close = 0;
    int end = 0;
    if (sscanf(s, " (%10lld,%10lld,%10lld %c %n", &v[0], &v[1], &v[2], &close, &end) < 4 || close != ')' ||
        s[end])
        return false;
    for (int i = 0; i < 3; i++) {
        if (v[i] < 1 || v[i] > INT32_MAX)
            return false;
        out[i] = (uint32_t)v[i];
    }
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool note(struct as_head *h, const char *s)
{
    size_t n = strlen(s);
    if (n % 2 || h->note_n + n / 2 > NOTE_MAX_B)
        return false;
    h->note = xrealloc(h->note, h->note_n + n / 2 + 1);
    for (size_t i = 0; i < n; i += 2) {
        int hi = hex_digit(s[i]), lo = hex_digit(s[i + 1]);
        if (hi < 0 || lo < 0)
            return false;
        h->note[h->note_n++] = (uint8_t)(hi << 4 | lo);
    }
    return true;
}

static bool after(struct as_head *h, const char *s)
{
    h->has_after = true;
    while (*s) {
        char *end;
        unsigned long v = strtoul(s, &end, 10);
        if (end == s || v > UINT32_MAX)
            return false;
        vec_push(&h->after, (uint32_t)v);
        s = end + strspn(end, " ");
    }
    return true;
}

/* False: the value cannot be read. */
static bool set(struct as_head *h, const char *key, const char *value)
{
    uint64_t v;
    if (strcmp(key, "kernel name") == 0) {
        free(h->name);
        h->name = xstrdup(value);
    } else if (strcmp(key, "grid dim") == 0) {
        return triple(value, h->grid);
    } else if (strcmp(key, "block dim") == 0) {
        return triple(value, h->block);
    } else if (strcmp(key, "shmem") == 0) {
        return number32(value, UINT32_MAX, &h->shared_b);
    } else if (strcmp(key, "nregs") == 0) {
        return number32(value, 257, &h->regs);
    } else if (strcmp(key, "binary version") == 0) {
        return number32(value, 999, &h->arch);
    } else if (strcmp(key, "cuda stream id") == 0) {
        return number(value, 10, UINT64_MAX, &h->stream);
    } else if (strcmp(key, "shmem base_addr") == 0) {
        return number(value, 16, UINT64_MAX, &h->shared_base);
    } else if (strcmp(key, "local mem base_addr") == 0) {
        return number(value, 16, UINT64_MAX, &h->local_base);
    } else if (strcmp(key, "accelsim tracer version") == 0) {
        return number32(value, 6, &h->tracer);
    } else if (strcmp(key, "enable lineinfo") == 0) {
        bool ok = number(value, 10, 1, &v);
        h->lineinfo = ok && v;
        return ok;
    } else if (strcmp(key, "bankshot kernel") == 0) {
        return note(h, value);
    } else if (strcmp(key, "bankshot after") == 0) {
        return after(h, value);
    } else if (strcmp(key, "bankshot flags") == 0) {
        return number32(value, UINT32_MAX, &h->flags);
    } else if (strcmp(key, "bankshot cluster") == 0) {
        return triple(value, h->cluster);
    }
    return true;
}

static const char *check(const struct as_head *h)
{
    if (!h->name || !*h->name)
        return "the header has no kernel name";
    if (!h->grid[0] || !h->block[0])
        return "the header has no grid or no block dimensions";
    if ((uint64_t)h->block[0] * h->block[1] > TR_WARPS * TR_LANES ||
        (uint64_t)h->block[0] * h->block[1] * h->block[2] > TR_WARPS * TR_LANES)
        return "a block of more than 1024 threads";
    if ((uint64_t)h->grid[0] * h->grid[1] > INT32_MAX ||
        (uint64_t)h->grid[0] * h->grid[1] * h->grid[2] > INT32_MAX)
        return "a grid of more than 2^31 - 1 thread blocks";
    uint64_t n = 1;
    for (unsigned i = 0; i < 3 && h->cluster[0]; i++)
        if (!h->cluster[i] || h->grid[i] % h->cluster[i] || (n *= h->cluster[i]) > TR_CLUSTER_MAX)
            return "clusters that do not make the grid";
    return NULL;
}

bool as_head_read(struct text_in *t, struct as_head *h, struct diag *d)
{
    char *s;
    size_t n;
    *h = (struct as_head){.shared_base = UINT64_MAX, .local_base = UINT64_MAX};
    while ((s = text_line(t, &n))) {
        const char *wrong = NULL;
        if (!*s)
            continue;
        char *eq = strstr(s, " =");
        if (*s == '#') {
            wrong = check(h);
            if (!wrong)
                return true;
        } else if (*s != '-' || !eq) {
            wrong = "a header line that is not -key = value";
        } else {
            *eq = 0;
            const char *value = eq + 2 + strspn(eq + 2, " ");
            if (!set(h, s + 1, value))
                wrong = strcmp(s + 1, "accelsim tracer version") == 0
                            ? "a tracer version after 6 is not known"
                            : "a value out of range";
        }
        if (wrong) {
            diag_error(d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0, "%s", wrong);
            return false;
        }
    }
    diag_error(d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0, "%s",
               text_error(t) ? text_error(t) : "the file ends in its header");
    return false;
}

void as_head_free(struct as_head *h)
{
    free(h->name);
    free(h->note);
    vec_free(&h->after);
    *h = (struct as_head){0};
}
