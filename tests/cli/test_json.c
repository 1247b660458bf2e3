/* SPDX-License-Identifier: Apache-2.0 */
/* What run, compare, sweep and list write as JSON is what their schema says, and the same thing has one name and one type in
 * all. */
#include "base/file.h"
#include "cli/cli.h"
#include "cli/json.h"
#include "schema.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

struct rig {
    char dir[64];
    json_t *schema;
    json_t *run, *corun, *compare, *sweep, *pipeline, *occupancy, *diff, *explore;
};

static int call(int (*command)(int, char **), const char *const *words)
{
    char *argv[32];
    int n = 0;
    for (; words[n]; n++)
        argv[n] = (char *)words[n];
    argv[n] = NULL;
    return command(n, argv);
}
#define CALL(command, ...) call(command, (const char *const[]){__VA_ARGS__, NULL})

/* Standard output goes to a file of the rig's folder. */
static int out_to(const char *file)
{
    fflush(stdout);
    int old = dup(STDOUT_FILENO), fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    assert_true(old >= 0 && fd >= 0);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    return old;
}

static void out_back(int old)
{
    fflush(stdout);
    dup2(old, STDOUT_FILENO);
    close(old);
}

static json_t *load(const char *file)
{
    json_error_t e;
    json_t *j = json_load_file(file, 0, &e);
    if (!j)
        fail_msg("%s:%d: %s", file, e.line, e.text);
    return j;
}

static int setup(void **state)
{
    struct rig *r = *state = xcalloc(1, sizeof *r);
    snprintf(r->dir, sizeof r->dir, "/tmp/bankshot-json-XXXXXX");
    assert_non_null(mkdtemp(r->dir));
    assert_int_equal(chdir(r->dir), 0);
    FILE *f = fopen("spec.ini", "w");
    fputs("[a]\nworkloads = s.bst\ngpus = volta\nmechs = base rba,cu4\ngpu.sms = 2\n"
          "[b]\nworkloads = s.bst\ngpus = volta\ngpu.sms = 2\nsm.threads = 32\n",
          f);
    fclose(f);
    f = fopen("explore.ini", "w");
    fputs(
        "[explore]\ngoals = cycles rf_energy area\nlimits = area<=1.4\n[a]\nworkloads = s.bst\ngpus = volta\n"
        "mechs = base rba\nsm.banks = 2 4 32\ngpu.sms = 2\n",
        f);
    fclose(f);
    f = fopen("schema.json", "w");
    assert_true(json_schema(f));
    fclose(f);
    r->schema = load("schema.json");
    int old = out_to("out.txt");
    int status = CALL(cli_exec, "exec", KERNELS_DIR "/saxpy.ptx", "--kernel", "saxpy", "--grid", "8",
                      "--block", "250", "--arg", "f32:2", "--arg", "buf:f32:2000=iota", "--arg",
                      "out:f32:2000=const:1", "--arg", "s32:2000", "--record", "s.bst");
    status |= CALL(cli_run, "run", "s.bst", "--mech", "rba,cu4", "--set", "gpu.sms=2", "--check", "--profile",
                   "--json", "run.json", "--pipeline", "pipeline.json");
    status |= CALL(cli_corun, "corun", "s.bst", "s.bst", "--share", "smk", "--set", "gpu.sms=2", "--json",
                   "corun.json", "--quiet");
    status |= CALL(cli_compare, "compare", "s.bst", "--mech", "base", "--mech", "rba,cu4", "--set",
                   "gpu.sms=2", "--json", "compare.json", "--quiet");
    status |= CALL(cli_sweep, "sweep", "spec.ini", "--db", "x.db", "--json", "sweep.json", "--quiet");
    status |=
        CALL(cli_explore, "explore", "explore.ini", "--db", "x.db", "--json", "explore.json", "--quiet");
    status |= CALL(cli_occupancy, "occupancy", "s.bst", "--json", "occupancy.json");
    status |= CALL(cli_diff, "diff", "run.json", "s.bst", "--json", "diff.json");
    out_back(old);
    assert_int_equal(status, CLI_OK);
    r->run = load("run.json");
    r->corun = load("corun.json");
    r->compare = load("compare.json");
    r->sweep = load("sweep.json");
    r->pipeline = load("pipeline.json");
    r->occupancy = load("occupancy.json");
    r->diff = load("diff.json");
    r->explore = load("explore.json");
    return 0;
}

static int teardown(void **state)
{
    static const char *const files[] = {"spec.ini",       "schema.json", "out.txt",      "s.bst",
                                        "run.json",       "corun.json",  "compare.json", "sweep.json",
                                        "x.db",           "list.json",   "plain.json",   "pipeline.json",
                                        "occupancy.json", "diff.json",   "explore.ini",  "explore.json"};
    struct rig *r = *state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i]);
    assert_int_equal(chdir("/"), 0);
    rmdir(r->dir);
    json_decref(r->schema);
    json_decref(r->run);
    json_decref(r->corun);
    json_decref(r->compare);
    json_decref(r->sweep);
    json_decref(r->explore);
    json_decref(r->pipeline);
    json_decref(r->occupancy);
    json_decref(r->diff);
    free(r);
    return 0;
}

static void conforms(const struct rig *r, const json_t *j)
{
    char why[512] = "";
    if (!schema_holds(r->schema, j, why, sizeof why)) /* why: of the last of all kinds of answers */
        fail_msg("%s does not conform: %s", json_string_value(json_object_get(j, "command")), why);
}

static void refused(const struct rig *r, json_t *j)
{
    char why[512];
    assert_false(schema_holds(r->schema, j, why, sizeof why));
    json_decref(j);
}

static void test_answers(void **state)
{
    const struct rig *r = *state;
    conforms(r, r->run);
    conforms(r, r->corun);
    conforms(r, r->compare);
    conforms(r, r->sweep);
    conforms(r, r->explore);
    conforms(r, r->pipeline);
    conforms(r, r->occupancy);
    conforms(r, r->diff);
    int old = out_to("out.txt");
    assert_int_equal(CALL(cli_run, "run", "s.bst", "--json", "plain.json"), CLI_OK);
    out_back(old);
    json_t *plain = load("plain.json");
    conforms(r, plain);
    assert_true(json_is_null(json_object_get(plain, "check")));
    assert_true(json_is_null(json_object_get(plain, "profile")));
    json_decref(plain);
}

static void test_lists(void **state)
{
    static const char *const lists[] = {"gpus",  "mechs",  "workloads", "options",
                                        "stats", "claims", "storage"};
    const struct rig *r = *state;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        int old = out_to("list.json");
        int status = CALL(cli_list, "list", lists[i], "--json", "--mech", "rfc");
        out_back(old);
        assert_int_equal(status, CLI_OK);
        json_t *j = load("list.json");
        assert_string_equal(json_string_value(json_object_get(j, "list")), lists[i]);
        assert_true(json_array_size(json_object_get(j, "rows")) >= 4);
        conforms(r, j);
        json_decref(j);
    }
}

/* The schema does not let everything pass. */
static void test_mistakes(void **state)
{
    const struct rig *r = *state;
    json_t *j = json_deep_copy(r->run);
    json_object_del(j, "cycles");
    refused(r, j);
    j = json_deep_copy(r->run);
    json_object_set_new(j, "cycles", json_string("12"));
    refused(r, j);
    j = json_deep_copy(r->run);
    json_object_set_new(j, "speedup", json_real(1));
    refused(r, j);
    j = json_deep_copy(r->run);
    json_object_del(json_object_get(j, "stats"), "sm.issued");
    refused(r, j);
    j = json_deep_copy(r->run);
    json_object_set_new(json_object_get(j, "options"), "sm.banks", json_integer(1000));
    refused(r, j);
    j = json_deep_copy(r->compare);
    json_object_set_new(json_array_get(json_object_get(j, "rows"), 0), "status", json_string("fine"));
    refused(r, j);
    j = json_deep_copy(r->compare);
    json_object_set_new(j, "schema", json_integer(JSON_VERSION + 1));
    refused(r, j);
}

/* One run, asked for in three ways: all that the answers share is equal. */
static void test_same(void **state)
{
    const struct rig *r = *state;
    const json_t *row = json_array_get(json_object_get(r->compare, "rows"), 1),
                 *point = json_array_get(json_object_get(r->sweep, "rows"), 1);
    const char *name;
    json_t *v;
    json_object_foreach ((json_t *)point, name, v) {
        assert_true(json_equal(v, json_object_get(row, name)));
        if (!json_equal(v, json_object_get(r->run, name)))
            fail_msg("%s differs", name);
    }
    assert_int_equal(json_object_size(row), json_object_size(point) + 1); /* speedup */
}

/* What has no result has a reason, and null where others have numbers. */
static void test_refused(void **state)
{
    const struct rig *r = *state;
    const json_t *row = json_array_get(json_object_get(r->sweep, "rows"), 2);
    assert_string_equal(json_string_value(json_object_get(row, "status")), "refused");
    assert_non_null(strstr(json_string_value(json_object_get(row, "reason")), "fits no SM"));
    assert_true(json_is_null(json_object_get(row, "cycles")));
    assert_true(json_is_null(json_object_get(row, "ipc")));
    assert_true(json_is_null(json_object_get(row, "energy_pj")));
}

static void test_check(void **state)
{
    const struct rig *r = *state;
    const json_t *c = json_object_get(r->run, "check"), *s = json_object_get(r->run, "stats");
    assert_int_equal(json_integer_value(json_object_get(c, "operands")),
                     json_integer_value(json_object_get(s, "sm.reg_reads")));
    assert_true(json_integer_value(json_object_get(c, "lines")) > 0);
}

static double sum_of(const json_t *o)
{
    double sum = 0;
    const char *name;
    json_t *v;
    json_object_foreach ((json_t *)o, name, v)
        sum += json_number_value(v);
    return sum;
}

static void test_energy(void **state)
{
    const struct rig *r = *state;
    double total = json_number_value(json_object_get(r->run, "energy_pj"));
    double ratio = sum_of(json_object_get(r->run, "energy_parts_pj")) / total;
    assert_true(total > 0 && ratio > 1 - 1e-9 && ratio < 1 + 1e-9);
}

/* docs/json.md has every member of every object, in a row of a table. */
static void test_documented(void **state)
{
    const struct rig *r = *state;
    struct diag d = {0};
    struct file_text t;
    assert_true(file_read(TEST_DATA_DIR "/../docs/json.md", 1 << 20, &t, &d));
    const char *def, *name;
    json_t *o, *v;
    json_object_foreach (json_object_get(r->schema, "$defs"), def, o) {
        if (!json_object_get(o, "required"))
            continue; /* names of counters, options, ...: bankshot list has them */
        json_object_foreach (json_object_get(o, "properties"), name, v) {
            char row[80];
            snprintf(row, sizeof row, "| `%s` |", name);
            if (!strstr(t.at, row))
                fail_msg("docs/json.md lacks %s of %s", name, def);
        }
    }
    file_free(&t);
    diag_free(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers), cmocka_unit_test(test_lists),      cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_same),    cmocka_unit_test(test_refused),    cmocka_unit_test(test_check),
        cmocka_unit_test(test_energy),  cmocka_unit_test(test_documented),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
