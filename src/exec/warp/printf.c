/* SPDX-License-Identifier: Apache-2.0 */
/* Device printf: the format string and the argument buffer as vprintf gets them. Arguments lie at their natural alignment:
 * 4 bytes for int and narrower, 8 for long, pointers and double. */
#include "exec/memory/lanes.h"

#include <ctype.h>

enum {
    ARGS_MAX = 32, /* CUDA's bound */
    FORMAT_MAX = 4096,
    STRING_MAX = 4096,
    SPEC_MAX = 32,
    WIDTH_MAX = 4096
};

struct printer {
    struct run *r;
    struct warp *w;
    uint32_t lane;
    uint64_t args; /* next argument */
    uint32_t nargs;
    FILE *out;
};

static bool next_arg(struct printer *p, uint32_t n, uint64_t *v)
{
    p->args = (p->args + n - 1) & ~(uint64_t)(n - 1);
    *v = 0;
    if (!lane_read(p->r, p->w, p->lane, p->args, v, n))
        return false;
    p->args += n;
    p->nargs++;
    return true;
}

static bool print_string(struct printer *p, const char *spec, uint64_t addr)
{
    char text[STRING_MAX];
    if (!addr)
        return fprintf(p->out, "(null)"), true;
    if (!lane_string(p->r, p->w, p->lane, addr, text, STRING_MAX))
        return false;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    fprintf(p->out, spec, text);
#pragma GCC diagnostic pop
    return true;
}

/* spec: "%", flags, width, precision, without length and conversion; wide: the argument has 8 bytes. */
static bool print_one(struct printer *p, char *spec, char conv, bool wide)
{
    size_t n = strlen(spec);
    uint64_t v;
    bool is_float = strchr("fFeEgGaA", conv) != NULL, ptr = conv == 'p' || conv == 's';
    if (!next_arg(p, is_float || ptr || wide ? 8 : 4, &v))
        return false;
    const char *length = is_float || ptr || conv == 'c' ? "" : "ll";
    snprintf(spec + n, SPEC_MAX + 8 - n, "%s%c", length, conv);
    if (conv == 's')
        return print_string(p, spec, v);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (is_float) {
        double f;
        memcpy(&f, &v, 8);
        fprintf(p->out, spec, f);
    } else if (conv == 'p') {
        fprintf(p->out, "0x%llx", (unsigned long long)v);
    } else if (conv == 'c') {
        fprintf(p->out, spec, (int)v);
    } else if (conv == 'd' || conv == 'i') {
        fprintf(p->out, spec, wide ? (long long)v : (long long)(int32_t)v);
    } else {
        fprintf(p->out, spec, (unsigned long long)v);
    }
#pragma GCC diagnostic pop
    return true;
}

/* Bytes of an integer argument; hh and h arrive promoted to int. */
static uint32_t length_of(const char **f)
{
    uint32_t n = 4;
    for (;; ++*f) {
        if (**f == 'l' || **f == 'j' || **f == 'z' || **f == 't' || **f == 'L')
            n = 8;
        else if (**f != 'h')
            return n;
    }
}

/* One conversion; *f stands after the '%'. False: error. */
static bool convert(struct printer *p, const char **f)
{
    char spec[SPEC_MAX + 8] = "%";
    size_t n = 1;
    while (**f && strchr("-+ #0123456789.*", **f)) {
        char star[16] = {**f, 0};
        if (**f == '*') {
            uint64_t v;
            if (!next_arg(p, 4, &v))
                return false;
            int32_t width = (int32_t)v;
            width = width > WIDTH_MAX ? WIDTH_MAX : width < -WIDTH_MAX ? -WIDTH_MAX : width;
            snprintf(star, sizeof star, "%d", width);
        }
        ++*f;
        if (n + strlen(star) < SPEC_MAX) {
            memcpy(spec + n, star, strlen(star) + 1);
            n += strlen(star);
        }
    }
    /* A literal width of many digits would ask for that many blanks. */
    for (size_t k = 1, digits = 0; k < n; k++) {
        digits = isdigit((unsigned char)spec[k]) ? digits + 1 : 0;
        if (digits > 4)
            memmove(spec + k, spec + k + 1, n - k), n--, k--, digits--;
    }
    uint32_t bytes = length_of(f);
    char conv = **f;
    if (conv)
        ++*f;
    if (conv == '%')
        fputc('%', p->out);
    else if (conv && p->nargs < ARGS_MAX && strchr("diouxXcspfFeEgGaA", conv))
        return print_one(p, spec, conv, bytes == 8);
    else
        fprintf(p->out, "%s%.*s", spec, conv ? 1 : 0, &conv);
    return true;
}

bool sys_printf(struct run *r, struct warp *w, uint32_t lane, uint64_t fmt, uint64_t args, uint32_t *result)
{
    char format[FORMAT_MAX];
    struct printer p = {.r = r, .w = w, .lane = lane, .args = args, .out = r->dev->cfg.out};
    if (!lane_string(r, w, lane, fmt, format, FORMAT_MAX))
        return false;
    for (const char *f = format; *f;) {
        const char *pct = strchr(f, '%');
        size_t plain = pct ? (size_t)(pct - f) : strlen(f);
        fwrite(f, 1, plain, p.out);
        f += plain;
        if (!pct)
            break;
        f++;
        if (!convert(&p, &f))
            return false;
    }
    *result = p.nargs; /* as CUDA, not the number of characters */
    return true;
}
