/* SPDX-License-Identifier: Apache-2.0 */
/* What the page's data are written with: values and tables of a database as JSON that is safe inside of a script. */
#include "cli/view/report_put.h"

#include <math.h>

/* ---- values ---- */

void put_text(FILE *to, const char *s)
{
    fputc('"', to);
    for (const unsigned char *p = (const unsigned char *)s; *p; p++) {
        bool plain = *p >= 0x20 && *p < 0x7f && !strchr("\"\\<>&", *p);
        uint32_t code = *p, more = *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : *p >= 0xc0 ? 1 : 0;
        if (plain) {
            fputc(*p, to);
            continue;
        }
        if (*p >= 0x80) {
            code = more && *p < 0xf8 ? *p & (0x3fu >> more) : 0xfffd;
            uint32_t k = 0;
            for (; k < more && code != 0xfffd && (p[1] & 0xc0) == 0x80; k++)
                code = code << 6 | (*++p & 0x3f);
            if (k < more || code < 0x80 || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
                code = 0xfffd;
        }
        if (code > 0xffff)
            fprintf(to, "\\u%04x\\u%04x", 0xd800 + ((code - 0x10000) >> 10),
                    0xdc00 + ((code - 0x10000) & 0x3ff));
        else
            fprintf(to, "\\u%04x", code);
    }
    fputc('"', to);
}

void put_column(FILE *to, struct stmt *s, int i)
{
    double v;
    switch (sqlite3_column_type(s->s, i)) {
    case SQLITE_INTEGER: fprintf(to, "%lld", (long long)sqlite3_column_int64(s->s, i)); break;
    case SQLITE_FLOAT:
        v = sqlite3_column_double(s->s, i);
        if (isfinite(v))
            fprintf(to, "%.10g", v);
        else
            fputs("null", to);
        break;
    case SQLITE_TEXT: put_text(to, stmt_column(s, i)); break;
    default: fputs("null", to); break;
    }
}

/* ---- tables ---- */

bool put_rows(FILE *to, struct db *db, const char *query, struct diag *d)
{
    struct stmt s = stmt_of(db, query);
    int n = s.s ? sqlite3_column_count(s.s) : 0;
    fputs("{\"columns\":[", to);
    for (int i = 0; i < n; i++) {
        fputs(i ? "," : "", to);
        put_text(to, sqlite3_column_name(s.s, i));
    }
    fputs("],\"rows\":[", to);
    for (bool first = true; stmt_row(&s); first = false) {
        fputs(first ? "\n[" : ",\n[", to);
        for (int i = 0; i < n; i++) {
            fputs(i ? "," : "", to);
            put_column(to, &s, i);
        }
        fputc(']', to);
    }
    fputs("]}", to);
    return stmt_end(&s, d);
}

typedef VEC(const char *) name_list;

static bool read_names(struct arena *a, struct db *db, const char *query, name_list *out, struct diag *d)
{
    struct stmt s = stmt_of(db, query);
    while (stmt_row(&s)) {
        const char *text = stmt_column(&s, 0);
        vec_push(out, arena_strndup(a, text, strlen(text)));
    }
    return stmt_end(&s, d);
}

/* What both of the following begin with. */
static void put_names(FILE *to, const name_list *names)
{
    fputs("{\"names\":[", to);
    for (uint32_t i = 0; i < names->n; i++) {
        fputs(i ? "," : "", to);
        put_text(to, names->at[i]);
    }
    fputs("],\"rows\":[", to);
}

bool put_pivot(FILE *to, struct db *db, const char *names_query, const char *query, struct diag *d)
{
    struct arena a = {0};
    name_list names = {0};
    bool ok = read_names(&a, db, names_query, &names, d);
    struct stmt s = stmt_of(db, query);
    int64_t key = 0;
    uint32_t at = 0;
    bool open = false;
    put_names(to, &names);
    while (stmt_row(&s)) {
        if (!open || sqlite3_column_int64(s.s, 0) != key) {
            fputs(open ? "]],\n" : "\n", to);
            key = sqlite3_column_int64(s.s, 0);
            fprintf(to, "[%lld,[", (long long)key);
            at = 0;
            open = true;
        }
        const char *name = stmt_column(&s, 1);
        for (; at < names.n && strcmp(names.at[at], name) != 0; at++)
            fputs(at ? ",null" : "null", to);
        if (at < names.n) {
            fputs(at++ ? "," : "", to);
            put_column(to, &s, 2);
        }
    }
    fputs(open ? "]]]}" : "]}", to);
    ok = stmt_end(&s, d) && ok;
    vec_free(&names);
    arena_free(&a);
    return ok;
}

bool put_sparse(FILE *to, struct db *db, const char *names_query, const char *query, struct diag *d)
{
    struct arena a = {0};
    name_list names = {0};
    bool ok = read_names(&a, db, names_query, &names, d), open = false;
    struct stmt s = stmt_of(db, query);
    int64_t key = 0;
    put_names(to, &names);
    while (stmt_row(&s)) {
        bool other = !open || sqlite3_column_int64(s.s, 0) != key;
        if (other) {
            key = sqlite3_column_int64(s.s, 0);
            fprintf(to, "%s[%lld,[", open ? "]],\n" : "\n", (long long)key);
        }
        open = true;
        fprintf(to, "%s[%lld,", other ? "" : ",", (long long)sqlite3_column_int64(s.s, 1));
        put_column(to, &s, 2);
        fputc(']', to);
    }
    fputs(open ? "]]]}" : "]}", to);
    ok = stmt_end(&s, d) && ok;
    vec_free(&names);
    arena_free(&a);
    return ok;
}
