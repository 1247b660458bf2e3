/* SPDX-License-Identifier: Apache-2.0 */
#include "base/diag.h"

#include <stdarg.h>

static const char *cut_line(struct arena *a, const char *src, size_t len, uint32_t line)
{
    size_t at = 0;
    for (uint32_t l = 1; l < line; l++) {
        const char *nl = memchr(src + at, '\n', len - at);
        if (!nl)
            return NULL;
        at = (size_t)(nl - src) + 1;
    }
    size_t n = 0;
    while (at + n < len && src[at + n] != '\n' && src[at + n] != '\r' && n < 240)
        n++;
    char *s = arena_strndup(a, src + at, n);
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < ' ' && s[i] != '\t')
            s[i] = '?';
    return s;
}

static const char *vformat(struct arena *a, const char *fmt, va_list ap)
{
    char buf[1024];
    vsnprintf(buf, sizeof buf, fmt, ap);
    for (char *p = buf; *p; p++)
        if ((unsigned char)*p < ' ' && *p != '\n')
            *p = '?';
    return arena_strndup(a, buf, strlen(buf));
}

void diag_error(struct diag *d, const char *file, const char *src, size_t src_len, uint32_t line,
                uint32_t col, const char *fmt, ...)
{
    d->errors++;
    if (d->n == DIAG_MAX)
        return;
    struct diag_msg *m = &d->msg[d->n++];
    va_list ap;
    va_start(ap, fmt);
    m->text = vformat(&d->arena, fmt, ap);
    va_end(ap);
    m->file = file ? arena_strndup(&d->arena, file, strlen(file)) : NULL;
    m->line = line;
    m->col = col;
    m->src_line = src && line ? cut_line(&d->arena, src, src_len, line) : NULL;
}

void diag_plain(struct diag *d, const char *fmt, ...)
{
    d->errors++;
    if (d->n == DIAG_MAX)
        return;
    va_list ap;
    va_start(ap, fmt);
    d->msg[d->n++] = (struct diag_msg){.text = vformat(&d->arena, fmt, ap)};
    va_end(ap);
}

void diag_join(struct diag *d, const struct diag *from)
{
    for (uint32_t i = 0; i < from->n && d->n < DIAG_MAX; i++) {
        const struct diag_msg *m = &from->msg[i];
        const char *const s[] = {m->file, m->text, m->src_line};
        const char *mine[3];
        for (uint32_t k = 0; k < 3; k++)
            mine[k] = s[k] ? arena_strndup(&d->arena, s[k], strlen(s[k])) : NULL;
        d->msg[d->n++] = (struct diag_msg){mine[0], m->line, m->col, mine[1], mine[2]};
    }
    d->errors += from->errors;
}

static void print_caret(const struct diag_msg *m, FILE *to)
{
    fprintf(to, "    %s\n", m->src_line);
    if (!m->col || m->col > strlen(m->src_line) + 1)
        return;
    fputs("    ", to);
    for (uint32_t i = 0; i + 1 < m->col; i++) /* tabs stay tabs, so the caret lines up */
        fputc(m->src_line[i] == '\t' ? '\t' : ' ', to);
    fputs("^\n", to);
}

void diag_print(const struct diag *d, FILE *to)
{
    for (uint32_t i = 0; i < d->n; i++) {
        const struct diag_msg *m = &d->msg[i];
        if (m->file && m->line && m->col)
            fprintf(to, "%s:%u:%u: error: %s\n", m->file, m->line, m->col, m->text);
        else if (m->file && m->line)
            fprintf(to, "%s:%u: error: %s\n", m->file, m->line, m->text);
        else if (m->file)
            fprintf(to, "%s: error: %s\n", m->file, m->text);
        else
            fprintf(to, "bankshot: error: %s\n", m->text);
        if (m->src_line)
            print_caret(m, to);
    }
    if (d->errors > d->n)
        fprintf(to, "bankshot: %u further error%s not shown\n", d->errors - d->n,
                d->errors - d->n == 1 ? "" : "s");
}

void diag_free(struct diag *d)
{
    arena_free(&d->arena);
    *d = (struct diag){0};
}
