/* SPDX-License-Identifier: Apache-2.0 */
/* Pipelines in the page: files of `run --pipeline FILE.json`, checked as far as the page relies on what they hold, since they may
 * come from anywhere. */
#include "cli/view/report_put.h"

#include "cli/view/report.h"

#include <jansson.h>
#include <string.h>

/* Of the page's pipeline_rows.js. */
static const char *const stages[] = {"fetch", "buffer",  "issue",  "latch", "operands",
                                     "wait",  "execute", "memory", "write", NULL};
static const char *const sources[] = {"bank",   "cache", "reuse",   "collector",
                                      "bypass", "ahead", "staging", NULL};
static const char *const sinks[] = {"bank", "kept", NULL};

static bool is_one_of(const json_t *j, const char *const *words)
{
    for (; json_is_string(j) && *words; words++)
        if (strcmp(json_string_value(j), *words) == 0)
            return true;
    return false;
}

static bool is_count(const json_t *o, const char *name)
{
    const json_t *v = json_object_get(o, name);
    return json_is_integer(v) && json_integer_value(v) >= 0;
}

static bool is_below(const json_t *o, const char *name, size_t n)
{
    return is_count(o, name) && (size_t)json_integer_value(json_object_get(o, name)) < n;
}

static bool stages_fit(const json_t *list)
{
    size_t i;
    json_t *s;
    json_array_foreach (list, i, s)
        if (!is_one_of(json_object_get(s, "stage"), stages) || !is_count(s, "from") || !is_count(s, "to"))
            return false;
    return json_array_size(list) > 0;
}

/* Registers read or written. */
static bool accesses_fit(const json_t *list, const char *where, const char *const *words)
{
    size_t i;
    json_t *r;
    if (!json_is_array(list))
        return false;
    json_array_foreach (list, i, r)
        if (!is_one_of(json_object_get(r, where), words) || !is_count(r, "at") || !is_count(r, "waited"))
            return false;
    return true;
}

static bool insn_fits(const json_t *i, size_t nwarps, size_t ncode)
{
    return is_count(i, "id") && is_below(i, "warp", nwarps) && is_below(i, "code", ncode) &&
           is_count(i, "lanes") && stages_fit(json_object_get(i, "stages")) &&
           accesses_fit(json_object_get(i, "reads"), "from", sources) &&
           accesses_fit(json_object_get(i, "writes"), "to", sinks) &&
           json_is_array(json_object_get(i, "needs"));
}

/* NULL, or why it is none. */
static const char *misfit(const json_t *all)
{
    const json_t *command = json_object_get(all, "command"), *warps = json_object_get(all, "warps"),
                 *code = json_object_get(all, "code"), *insns = json_object_get(all, "insns");
    size_t i;
    json_t *o;
    if (!json_is_string(command) || strcmp(json_string_value(command), "run --pipeline") != 0)
        return "this is not what run --pipeline FILE.json writes";
    if (!is_count(all, "from") || !is_count(all, "to") || !is_count(all, "sm") ||
        !is_count(all, "partitions") || !is_count(all, "banks") ||
        !json_is_string(json_object_get(all, "operands")) ||
        !json_is_string(json_object_get(all, "workload")) || !json_is_string(json_object_get(all, "gpu")) ||
        !json_is_array(json_object_get(all, "mechs")))
        return "a member of the pipeline is missing, or of another type";
    json_array_foreach (warps, i, o)
        if (!is_count(o, "cta") || !is_count(o, "warp") || !is_count(o, "partition") || !is_count(o, "slot"))
            return "a warp of the pipeline is none";
    json_array_foreach (code, i, o)
        if (!json_is_string(json_object_get(o, "text")))
            return "an instruction of the pipeline's code has no text";
    json_array_foreach (insns, i, o)
        if (!insn_fits(o, json_array_size(warps), json_array_size(code)))
            return "an instruction of the pipeline is not complete";
    return i ? NULL : "the pipeline has no instruction";
}

/* Inside a script element no '<' may occur; in JSON it does in strings only, where it can be written otherwise. */
static void put_safely(FILE *to, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("\\u003c", to);
        else
            putc(*text, to);
}

bool report_put_pipelines(FILE *to, const char *const *paths, uint32_t n, struct diag *d)
{
    fputc('[', to);
    for (uint32_t i = 0; i < n; i++) {
        json_error_t e;
        json_t *all = json_load_file(paths[i], 0, &e);
        const char *why = all ? misfit(all) : e.text;
        if (why) {
            diag_error(d, paths[i], NULL, 0, all || e.line < 0 ? 0 : (uint32_t)e.line, 0, "%s", why);
            json_decref(all);
            return false;
        }
        char *text = json_dumps(all, JSON_COMPACT | JSON_ENSURE_ASCII);
        fputs(i ? ",\n" : "", to);
        put_safely(to, text ? text : "null");
        free(text);
        json_decref(all);
    }
    fputc(']', to);
    return true;
}
