/* SPDX-License-Identifier: Apache-2.0 */
#include "jansson.h"

#include "base/vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum kind { OBJECT, ARRAY, TEXT, INTEGER, REAL, TRUTH, NOTHING };

struct json_t {
    enum kind kind;
    uint32_t owners;
    union {
        char *text;
        json_int_t integer;
        double real;
        bool truth;
    };
    VEC(char *) keys; /* of an object, beside all */
    VEC(json_t *) all;
};

static json_t *make(enum kind k)
{
    json_t *j = xcalloc(1, sizeof *j);
    j->kind = k;
    j->owners = 1;
    return j;
}

json_t *json_incref(json_t *j) { return j->owners++, j; }

void json_decref(json_t *j)
{
    if (!j || --j->owners)
        return;
    vec_each (&j->keys, k)
        free(*k);
    vec_each (&j->all, v)
        json_decref(*v);
    vec_free(&j->keys);
    vec_free(&j->all);
    if (j->kind == TEXT)
        free(j->text);
    free(j);
}

/* ---- values ---- */

/* RFC 3629: no bytes too many, no surrogates, nothing past U+10FFFF. */
static bool is_utf8(const unsigned char *s, size_t n)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    for (size_t i = 0; i < n;) {
        unsigned char c = s[i++];
        unsigned more = c < 0x80 ? 0 : c >> 5 == 6 ? 1 : c >> 4 == 14 ? 2 : c >> 3 == 30 ? 3 : 4;
        if (more == 4 || more > n - i)
            return false;
        uint32_t u = more ? c & (0x3fu >> more) : c;
        for (unsigned k = 0; k < more; k++, i++) {
            if (s[i] >> 6 != 2)
                return false;
            u = u << 6 | (s[i] & 0x3f);
        }
        if (u < least[more] || u > 0x10ffff || (u >= 0xd800 && u < 0xe000))
            return false;
    }
    return true;
}

json_t *json_stringn(const char *s, size_t n)
{
    if (!s || !is_utf8((const unsigned char *)s, n))
        return NULL;
    json_t *j = make(TEXT);
    j->text = xmalloc(n + 1);
    memcpy(j->text, s, n);
    j->text[n] = 0;
    return j;
}

json_t *json_string(const char *s) { return s ? json_stringn(s, strlen(s)) : NULL; }
json_t *json_object(void) { return make(OBJECT); }
json_t *json_array(void) { return make(ARRAY); }
json_t *json_null(void) { return make(NOTHING); }

json_t *json_integer(json_int_t v)
{
    json_t *j = make(INTEGER);
    j->integer = v;
    return j;
}

json_t *json_real(double v)
{
    if (!isfinite(v))
        return NULL;
    json_t *j = make(REAL);
    j->real = v;
    return j;
}

json_t *json_boolean(bool v)
{
    json_t *j = make(TRUTH);
    j->truth = v;
    return j;
}

json_t *json_sprintf(const char *fmt, ...)
{
    char *s = NULL;
    va_list v;
    va_start(v, fmt);
    int n = vasprintf(&s, fmt, v);
    va_end(v);
    json_t *j = n < 0 ? NULL : json_string(s);
    free(s);
    return j;
}

bool json_is_object(const json_t *j) { return j && j->kind == OBJECT; }
bool json_is_array(const json_t *j) { return j && j->kind == ARRAY; }
bool json_is_integer(const json_t *j) { return j && j->kind == INTEGER; }
bool json_is_real(const json_t *j) { return j && j->kind == REAL; }
bool json_is_number(const json_t *j) { return json_is_integer(j) || json_is_real(j); }
bool json_is_null(const json_t *j) { return j && j->kind == NOTHING; }
json_int_t json_integer_value(const json_t *j) { return json_is_integer(j) ? j->integer : 0; }
double json_real_value(const json_t *j) { return json_is_real(j) ? j->real : 0; }
bool json_is_boolean(const json_t *j) { return j && j->kind == TRUTH; }
bool json_is_string(const json_t *j) { return j && j->kind == TEXT; }
bool json_is_true(const json_t *j) { return json_is_boolean(j) && j->truth; }
const char *json_string_value(const json_t *j) { return json_is_string(j) ? j->text : NULL; }

double json_number_value(const json_t *j)
{
    return j && j->kind == INTEGER ? (double)j->integer : j && j->kind == REAL ? j->real : 0;
}

/* ---- objects and lists ---- */

static json_t **place(const json_t *o, const char *key)
{
    for (uint32_t i = 0; i < o->keys.n; i++)
        if (strcmp(o->keys.at[i], key) == 0)
            return &o->all.at[i];
    return NULL;
}

json_t *json_object_get(const json_t *o, const char *key)
{
    json_t **at = o ? place(o, key) : NULL;
    return at ? *at : NULL;
}

int json_object_set_new(json_t *o, const char *key, json_t *v)
{
    if (!v)
        return -1;
    json_t **at = place(o, key);
    if (at) {
        json_decref(*at);
        *at = v;
    } else {
        vec_push(&o->keys, xstrdup(key));
        vec_push(&o->all, v);
    }
    return 0;
}

int json_object_set(json_t *o, const char *key, json_t *v)
{
    return v ? json_object_set_new(o, key, json_incref(v)) : -1;
}

int json_object_update_missing_new(json_t *o, json_t *from)
{
    for (uint32_t i = 0; i < from->keys.n; i++)
        if (!place(o, from->keys.at[i]))
            json_object_set(o, from->keys.at[i], from->all.at[i]);
    json_decref(from);
    return 0;
}

int json_array_append_new(json_t *a, json_t *v)
{
    if (!v)
        return -1;
    vec_push(&a->all, v);
    return 0;
}

int json_array_append(json_t *a, json_t *v) { return v ? json_array_append_new(a, json_incref(v)) : -1; }
size_t json_array_size(const json_t *a) { return a ? a->all.n : 0; }
json_t *json_array_get(const json_t *a, size_t i) { return i < json_array_size(a) ? a->all.at[i] : NULL; }

size_t json_object_size(const json_t *o) { return o ? o->all.n : 0; }
const char *json_object_key_at(const json_t *o, size_t i) { return o->keys.at[i]; }
json_t *json_object_at(const json_t *o, size_t i) { return o->all.at[i]; }

int json_array_remove(json_t *a, size_t i)
{
    if (i >= a->all.n)
        return -1;
    json_decref(a->all.at[i]);
    a->all.n--;
    memmove(&a->all.at[i], &a->all.at[i + 1], (a->all.n - i) * sizeof *a->all.at);
    return 0;
}

int json_array_extend(json_t *a, json_t *more)
{
    for (size_t i = 0; i < json_array_size(more); i++)
        json_array_append(a, more->all.at[i]);
    return 0;
}

int json_object_del(json_t *o, const char *key)
{
    json_t **at = place(o, key);
    if (!at)
        return -1;
    size_t i = (size_t)(at - o->all.at);
    free(o->keys.at[i]);
    memmove(&o->keys.at[i], &o->keys.at[i + 1], (--o->keys.n - i) * sizeof *o->keys.at);
    return json_array_remove(o, i);
}

/* ---- pack ---- */

struct packing {
    const char *at;
    va_list v;
};

static void skip(struct packing *p) { p->at += strspn(p->at, " \t\n,:"); }

static json_t *pack(struct packing *p)
{
    skip(p);
    char c = *p->at++;
    switch (c) {
    case 's': return json_string(va_arg(p->v, const char *));
    case 'o': return va_arg(p->v, json_t *);
    case 'b': return json_boolean(va_arg(p->v, int));
    case 'i': return json_integer(va_arg(p->v, int));
    case 'I': return json_integer(va_arg(p->v, json_int_t));
    case 'f': return json_real(va_arg(p->v, double));
    default: break;
    }
    json_t *j = c == '{' ? json_object() : c == '[' ? json_array() : NULL;
    for (skip(p); j && *p->at && *p->at != '}' && *p->at != ']'; skip(p)) {
        if (c == '[') {
            json_array_append_new(j, pack(p));
        } else {
            p->at++; /* the key's s */
            const char *key = va_arg(p->v, const char *);
            json_object_set_new(j, key, pack(p));
        }
    }
    p->at += j && *p->at;
    return j;
}

json_t *json_pack(const char *fmt, ...)
{
    struct packing p = {.at = fmt};
    va_start(p.v, fmt);
    json_t *j = pack(&p);
    va_end(p.v);
    return j;
}

/* ---- text ---- */

static void put_text(const char *s, FILE *to)
{
    static const char plain[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
    putc('"', to);
    for (; *s; s++) {
        const char *p = strchr(plain, *s);
        if (p)
            fprintf(to, "\\%c", letter[p - plain]);
        else if ((unsigned char)*s < 0x20)
            fprintf(to, "\\u%04X", *s);
        else
            putc(*s, to);
    }
    putc('"', to);
}

/* So that a number of digits does not become an integer: ".0" where there is neither point nor exponent; the exponent without
 * its + and leading zeros. */
static void put_real(double v, int precision, FILE *to)
{
    char s[64];
    snprintf(s, sizeof s, "%.*g", precision ? precision : 17, v);
    char *e = strchr(s, 'e');
    if (!e) {
        fprintf(to, strchr(s, '.') ? "%s" : "%s.0", s);
        return;
    }
    const char *digits = e + 1 + (e[1] == '+' || e[1] == '-');
    digits += strspn(digits, "0");
    fprintf(to, "%.*se%s%s", (int)(e - s), s, e[1] == '-' ? "-" : "", digits);
}

static void put(const json_t *j, size_t flags, int depth, FILE *to);

static void line(size_t flags, int depth, FILE *to)
{
    int n = (int)(flags & 0x1f);
    if (n)
        fprintf(to, "\n%*s", n * depth, "");
    else if (depth && !(flags & JSON_COMPACT))
        putc(' ', to);
}

static void put_all(const json_t *j, size_t flags, int depth, FILE *to)
{
    bool object = j->kind == OBJECT;
    putc(object ? '{' : '[', to);
    for (uint32_t i = 0; i < j->all.n; i++) {
        if (i)
            putc(',', to);
        if (i || flags & 0x1f)
            line(flags, depth + 1, to);
        if (object) {
            put_text(j->keys.at[i], to);
            fputs(flags & JSON_COMPACT ? ":" : ": ", to);
        }
        put(j->all.at[i], flags, depth + 1, to);
    }
    if (j->all.n && flags & 0x1f)
        line(flags, depth, to);
    putc(object ? '}' : ']', to);
}

static void put(const json_t *j, size_t flags, int depth, FILE *to)
{
    switch (j->kind) {
    case OBJECT:
    case ARRAY: put_all(j, flags, depth, to); break;
    case TEXT: put_text(j->text, to); break;
    case INTEGER: fprintf(to, "%lld", j->integer); break;
    case REAL: put_real(j->real, (int)(flags >> 11 & 0x1f), to); break;
    case TRUTH: fputs(j->truth ? "true" : "false", to); break;
    case NOTHING: fputs("null", to); break;
    }
}

int json_dumpf(const json_t *j, FILE *to, size_t flags)
{
    put(j, flags, 0, to);
    return ferror(to) ? -1 : 0;
}
