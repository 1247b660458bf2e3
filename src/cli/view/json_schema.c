/* SPDX-License-Identifier: Apache-2.0 */
/* JSON Schema (draft 2020-12) of the answers, made from the tables that make them. */
#include "cli/view/json_schema.h"

static json_t *typed(const char *type) { return json_pack("{s:s}", "type", type); }

static json_t *ref(const char *name) { return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", name)); }

/* ---- tables: objects whose names are those of options, counters, ... ---- */

/* Of what a name stands for. */
static json_t *entry_schema(enum json_type t)
{
    if (t == JT_LISTS) /* a count for each bank, say; or of a distribution by SM, a list of counts for each */
        return json_pack("{s:s, s:{s:[{s:s}, {s:s, s:{s:s}}]}}", "type", "array", "items", "anyOf", "type",
                         "integer", "type", "array", "items", "type", "integer");
    return typed(t == JT_COUNTS ? "integer" : "number");
}

/* The object with these names, once for all members that have them; returns the names. */
static json_t *define_keys(json_t *defs, const struct json_member *m)
{
    json_t *def = json_object_get(defs, m->keys->name), *names = json_object_get(def, "properties"), *value;
    const char *name;
    if (def)
        return names;
    names = json_object();
    m->keys->add(names);
    json_object_foreach (names, name, value)
        if (!json_object_get(value, "type")) /* options know theirs */
            json_object_update_missing_new(value, entry_schema((enum json_type)m->type));
    def = json_pack("{s:s, s:o, s:b}", "type", "object", "properties", names, "additionalProperties", 0);
    json_object_set_new(defs, m->keys->name, def);
    return names;
}

static json_t *table_schema(json_t *defs, const struct json_member *m)
{
    json_t *s = ref(m->keys->name), *names = define_keys(defs, m), *required = json_array(), *value;
    const char *name;
    json_object_foreach (names, name, value)
        json_array_append_new(required, json_string(name));
    if (!m->some)
        json_object_set(s, "required", required);
    json_decref(required);
    return s;
}

/* ---- members ---- */

static json_t *types_of(const struct json_member *m)
{
    static const char *const names[] = {[JT_TEXT] = "string", [JT_COUNT] = "integer", [JT_INT] = "integer",
                                        [JT_REAL] = "number", [JT_FLAG] = "boolean",  [JT_VALUE] = "string",
                                        [JT_TEXTS] = "array", [JT_NUMBERS] = "array", [JT_ROWS] = "array"};
    json_t *all = json_pack("[s]", names[m->type]);
    if (m->type == JT_VALUE) {
        json_array_append_new(all, json_string("number"));
        json_array_append_new(all, json_string("boolean"));
    }
    if (m->null)
        json_array_append_new(all, json_string("null"));
    return all;
}

static json_t *plain_schema(const struct json_member *m)
{
    json_t *s = json_pack("{s:o}", "type", types_of(m));
    if (m->type == JT_COUNT)
        json_object_set_new(s, "minimum", json_integer(0));
    if (m->words) {
        json_t *words = json_words(m->words, ' ');
        if (m->null)
            json_array_append_new(words, json_null());
        json_object_set_new(s, "enum", words);
    }
    if (m->type == JT_TEXTS || m->type == JT_NUMBERS || m->type == JT_ROWS)
        json_object_set_new(
            s, "items", m->shape ? ref(m->shape->name) : typed(m->type == JT_TEXTS ? "string" : "integer"));
    return s;
}

static json_t *member_schema(json_t *defs, const struct json_member *m)
{
    json_t *s = m->keys             ? table_schema(defs, m)
                : m->type != JT_ROW ? plain_schema(m)
                : !m->null          ? ref(m->shape->name)
                                    : json_pack("{s:[o, o]}", "anyOf", ref(m->shape->name), typed("null"));
    json_object_set_new(s, "description", json_string(m->help));
    return s;
}

/* ---- objects ---- */

static void set_const(json_t *properties, const char *name, json_t *value)
{
    json_object_set_new(json_object_get(properties, name), "const", value);
}

static void define(json_t *defs, const struct json_shape *s)
{
    if (json_object_get(defs, s->name))
        return;
    json_t *o = json_object(), *properties = json_object(), *required = json_array();
    json_object_set_new(defs, s->name, o);
    for (uint32_t p = 0; p < JSON_PARTS; p++)
        for (uint32_t i = 0; i < s->parts[p].n; i++) {
            const struct json_member *m = &s->parts[p].members[i];
            json_object_set_new(properties, m->name, member_schema(defs, m));
            json_array_append_new(required, json_string(m->name));
            if (m->shape)
                define(defs, m->shape);
        }
    if (s->command) {
        set_const(properties, "schema", json_integer(JSON_VERSION));
        set_const(properties, "command", json_string(s->command));
    }
    if (s->list)
        set_const(properties, "list", json_string(s->list));
    json_object_set_new(o, "type", json_string("object"));
    json_object_set_new(o, "properties", properties);
    json_object_set_new(o, "required", required);
    json_object_set_new(o, "additionalProperties", json_false());
}

static void add_answer(json_t *one_of, json_t *defs, const struct json_shape *s)
{
    json_array_append_new(one_of, ref(s->name));
    define(defs, s);
}

bool json_schema(FILE *to)
{
    json_t *o = json_object(), *one_of = json_array(), *defs = json_object();
    json_object_set_new(o, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(o, "title", json_sprintf("answers of bankshot, schema %d", JSON_VERSION));
    add_answer(one_of, defs, &run_shape);
    add_answer(one_of, defs, &corun_shape);
    add_answer(one_of, defs, &compare_shape);
    add_answer(one_of, defs, &sweep_shape);
    add_answer(one_of, defs, &pipeline_shape);
    add_answer(one_of, defs, &occupancy_answer);
    add_answer(one_of, defs, &diff_shape);
    add_answer(one_of, defs, &explore_shape);
    for (uint32_t i = 0; list_shape(i); i++)
        add_answer(one_of, defs, list_shape(i));
    json_object_set_new(o, "oneOf", one_of);
    json_object_set_new(o, "$defs", defs);
    bool ok = json_dumpf(o, to, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0 && fputc('\n', to) != EOF;
    json_decref(o);
    return ok;
}
