/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json.h"

#include "cli/output.h"
#include "db/db.h"

#include <math.h>

const struct json_member json_head_members[JSON_HEAD_N] = {JSON_HEAD(JSON_MEMBER, struct json_head)};

struct json_head json_head(const struct json_shape *s)
{
    return (struct json_head){
        .schema = JSON_VERSION, .command = s->command, .version = BANKSHOT_VERSION, .model = db_model()};
}

json_t *cli_json_number(uint64_t v) { return json_integer((json_int_t)v); }

json_t *cli_json_text(const char *s)
{
    json_t *j = json_string(s);
    if (j)
        return j;
    char *clean = xstrdup(s);
    for (char *p = clean; *p; p++)
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    j = json_string(clean);
    free(clean);
    return j;
}

json_t *json_words(const char *text, char by)
{
    json_t *a = json_array();
    const char separators[] = {by, 0};
    for (const char *p = text; p && *p; p += *p != 0) {
        size_t n = strcspn(p, separators);
        if (n)
            json_array_append_new(a, json_stringn(p, n));
        p += n;
    }
    return a;
}

json_t *json_option(const struct conf_opt *o, const char *value)
{
    switch ((enum conf_type)o->type) {
    case CONF_BOOL: return json_boolean(strcmp(value, "true") == 0);
    case CONF_U32:
    case CONF_POW2: return cli_json_number(strtoull(value, NULL, 10));
    case CONF_F64: return json_real(strtod(value, NULL));
    case CONF_NAME: break;
    }
    return json_string(value);
}

/* NULL: there is no value. */
static json_t *value_of(const struct json_member *m, const void *at)
{
    switch ((enum json_type)m->type) {
    case JT_TEXT: {
        const char *s = *(const json_TEXT *)at;
        return s ? cli_json_text(s) : NULL;
    }
    case JT_COUNT: {
        uint64_t n = *(const json_COUNT *)at;
        return n != JSON_NO_COUNT ? cli_json_number(n) : NULL;
    }
    case JT_INT: {
        int64_t n = *(const json_INT *)at;
        return n != JSON_NO_INT ? json_integer(n) : NULL;
    }
    case JT_REAL: {
        double v = *(const json_REAL *)at;
        return isfinite(v) ? json_real(v) : NULL;
    }
    case JT_FLAG: return json_boolean(*(const json_FLAG *)at);
    case JT_VALUE:
    case JT_TEXTS:
    case JT_NUMBERS:
    case JT_VALUES:
    case JT_COUNTS:
    case JT_REALS:
    case JT_LISTS:
    case JT_ROW:
    case JT_ROWS: break;
    }
    return *(json_t *const *)at;
}

json_t *json_of(const struct json_shape *s, const void *of)
{
    json_t *o = json_object();
    for (uint32_t p = 0; p < JSON_PARTS; p++)
        for (uint32_t i = 0; i < s->parts[p].n; i++) {
            const struct json_member *m = &s->parts[p].members[i];
            json_t *v = value_of(m, (const char *)of + s->parts[p].at + m->at);
            json_object_set_new(o, m->name, v ? v : json_null());
        }
    return o;
}

bool json_write(json_t *o, const char *path)
{
    struct output to = output_open(path);
    bool ok =
        to.f && json_dumpf(o, to.f, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0 && fputc('\n', to.f) != EOF;
    json_decref(o);
    return to.f && output_close(&to) && ok;
}
