/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of jansson that src/cli calls to write JSON; what they write is jansson's, byte for byte. Debian has none for
 * WebAssembly. Nothing is read. */
#ifndef WEB_JANSSON_H
#define WEB_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct json_t json_t;
typedef long long json_int_t;

enum { JSON_PRESERVE_ORDER = 0x100, JSON_ENCODE_ANY = 0x200 }; /* both always hold */
#define JSON_INDENT(n) (n)
#define JSON_COMPACT 0x20
#define JSON_REAL_PRECISION(n) ((size_t)(n) << 11)

json_t *json_object(void);
json_t *json_array(void);
json_t *json_string(const char *s);            /* NULL: no UTF-8 */
json_t *json_stringn(const char *s, size_t n); /* NULL: no UTF-8 */
json_t *json_integer(json_int_t v);
json_t *json_real(double v);
json_t *json_boolean(bool v);
json_t *json_null(void);
#define json_true() json_boolean(true)
#define json_false() json_boolean(false)
__attribute__((format(printf, 1, 2))) json_t *json_sprintf(const char *fmt, ...);
json_t *json_pack(const char *fmt, ...); /* of {} [] s o b i I f */

json_t *json_incref(json_t *j);
void json_decref(json_t *j);
int json_object_set_new(json_t *o, const char *key, json_t *v);
int json_object_set(json_t *o, const char *key, json_t *v);
int json_object_update_missing_new(json_t *o, json_t *from);
json_t *json_object_get(const json_t *o, const char *key);
int json_array_append_new(json_t *a, json_t *v);
int json_array_append(json_t *a, json_t *v);
size_t json_array_size(const json_t *a);
json_t *json_array_get(const json_t *a, size_t i);
int json_array_remove(json_t *a, size_t i);
int json_array_extend(json_t *a, json_t *more);
size_t json_object_size(const json_t *o);
int json_object_del(json_t *o, const char *key);
/* Members in their order. */
const char *json_object_key_at(const json_t *o, size_t i);
json_t *json_object_at(const json_t *o, size_t i);
#define json_object_foreach(o, key, v)                                                                       \
    for (size_t at_##v = 0; at_##v < json_object_size(o) &&                                                  \
                            ((key) = json_object_key_at(o, at_##v), (v) = json_object_at(o, at_##v));        \
         at_##v++)
#define json_array_foreach(a, i, v)                                                                          \
    for ((i) = 0; (i) < json_array_size(a) && ((v) = json_array_get(a, i)); (i)++)

bool json_is_object(const json_t *j);
bool json_is_array(const json_t *j);
bool json_is_integer(const json_t *j);
bool json_is_real(const json_t *j);
bool json_is_number(const json_t *j);
bool json_is_null(const json_t *j);
bool json_is_boolean(const json_t *j);
bool json_is_string(const json_t *j);
bool json_is_true(const json_t *j);
double json_number_value(const json_t *j);
double json_real_value(const json_t *j);
json_int_t json_integer_value(const json_t *j);
const char *json_string_value(const json_t *j);

int json_dumpf(const json_t *j, FILE *to, size_t flags);

#endif
