/* SPDX-License-Identifier: Apache-2.0 */
#include "schema.h"

#include <stdio.h>
#include <string.h>

struct check {
    const json_t *root;
    char *why;
    size_t cap;
    const char *path; /* of the value, for the message */
};

static bool holds(struct check *c, const json_t *s, const json_t *v);

static bool fail(struct check *c, const char *what, const char *name)
{
    snprintf(c->why, c->cap, "%s: %s %s", c->path, what, name);
    return false;
}

static bool below(struct check *c, const char *name, const json_t *s, const json_t *v)
{
    char path[256];
    const char *old = c->path;
    snprintf(path, sizeof path, "%s/%s", old, name);
    c->path = path;
    bool ok = holds(c, s, v);
    c->path = old;
    return ok;
}

static bool is_type(const json_t *v, const char *t)
{
    return strcmp(t, "null") == 0      ? json_is_null(v)
           : strcmp(t, "string") == 0  ? json_is_string(v)
           : strcmp(t, "integer") == 0 ? json_is_integer(v)
           : strcmp(t, "number") == 0  ? json_is_number(v)
           : strcmp(t, "boolean") == 0 ? json_is_boolean(v)
           : strcmp(t, "array") == 0   ? json_is_array(v)
           : strcmp(t, "object") == 0  ? json_is_object(v)
                                       : false;
}

static bool check_type(struct check *c, const json_t *t, const json_t *v)
{
    size_t i;
    json_t *e;
    if (json_is_string(t))
        return is_type(v, json_string_value(t)) || fail(c, "is no", json_string_value(t));
    json_array_foreach ((json_t *)t, i, e)
        if (is_type(v, json_string_value(e)))
            return true;
    return fail(c, "has none of the types", "");
}

static bool check_ref(struct check *c, const json_t *r, const json_t *v)
{
    static const char defs[] = "#/$defs/";
    const char *name = json_string_value(r);
    if (strncmp(name, defs, sizeof defs - 1) != 0)
        return fail(c, "unknown reference", name);
    const json_t *s = json_object_get(json_object_get(c->root, "$defs"), name + sizeof defs - 1);
    return s ? holds(c, s, v) : fail(c, "no definition", name);
}

static bool check_enum(struct check *c, const json_t *list, const json_t *v)
{
    size_t i;
    json_t *e;
    json_array_foreach ((json_t *)list, i, e)
        if (json_equal(e, v))
            return true;
    return fail(c, "is not in the list", "");
}

/* anyOf: one at least; oneOf: exactly one. The message is the last one's. */
static bool check_some(struct check *c, const json_t *list, const json_t *v, bool one)
{
    size_t i, n = 0;
    json_t *e;
    json_array_foreach ((json_t *)list, i, e)
        n += holds(c, e, v);
    if (n > 1 && one)
        return fail(c, "is more than one of", "oneOf");
    return n >= 1;
}

static bool check_required(struct check *c, const json_t *names, const json_t *v)
{
    size_t i;
    json_t *e;
    json_array_foreach ((json_t *)names, i, e)
        if (json_is_object(v) && !json_object_get(v, json_string_value(e)))
            return fail(c, "lacks", json_string_value(e));
    return true;
}

static bool check_properties(struct check *c, const json_t *s, const json_t *v)
{
    const json_t *known = json_object_get(s, "properties");
    const char *name;
    json_t *e;
    json_object_foreach ((json_t *)v, name, e) {
        const json_t *of = json_object_get(known, name);
        if (!of && json_is_false(json_object_get(s, "additionalProperties")))
            return fail(c, "has the unknown", name);
        if (of && !below(c, name, of, e))
            return false;
    }
    return true;
}

static bool check_items(struct check *c, const json_t *s, const json_t *v)
{
    size_t i;
    json_t *e;
    char name[24];
    json_array_foreach ((json_t *)v, i, e) {
        snprintf(name, sizeof name, "%zu", i);
        if (!below(c, name, s, e))
            return false;
    }
    return true;
}

static bool check_keyword(struct check *c, const char *k, const json_t *s, const json_t *of, const json_t *v)
{
    if (strcmp(k, "type") == 0)
        return check_type(c, of, v);
    if (strcmp(k, "$ref") == 0)
        return check_ref(c, of, v);
    if (strcmp(k, "const") == 0)
        return json_equal(of, v) || fail(c, "is not the", "constant");
    if (strcmp(k, "enum") == 0)
        return check_enum(c, of, v);
    if (strcmp(k, "anyOf") == 0 || strcmp(k, "oneOf") == 0)
        return check_some(c, of, v, k[0] == 'o');
    if (strcmp(k, "minimum") == 0)
        return !json_is_number(v) || json_number_value(v) >= json_number_value(of) || fail(c, "is below", k);
    if (strcmp(k, "maximum") == 0)
        return !json_is_number(v) || json_number_value(v) <= json_number_value(of) || fail(c, "is above", k);
    if (strcmp(k, "required") == 0)
        return check_required(c, of, v);
    if (strcmp(k, "properties") == 0)
        return check_properties(c, s, v);
    if (strcmp(k, "items") == 0)
        return check_items(c, of, v);
    if (strcmp(k, "additionalProperties") == 0) /* with properties */
        return json_is_false(of) || fail(c, "other values of", k);
    return strcmp(k, "description") == 0 || strcmp(k, "title") == 0 || strcmp(k, "$defs") == 0 ||
           strcmp(k, "$schema") == 0 || fail(c, "unknown keyword", k);
}

static bool holds(struct check *c, const json_t *s, const json_t *v)
{
    const char *k;
    json_t *of;
    json_object_foreach ((json_t *)s, k, of)
        if (!check_keyword(c, k, s, of, v))
            return false;
    return true;
}

bool schema_holds(const json_t *schema, const json_t *value, char *why, size_t cap)
{
    struct check c = {.root = schema, .why = why, .cap = cap, .path = ""};
    return holds(&c, schema, value);
}
