/* SPDX-License-Identifier: Apache-2.0 */
/* Options: types, ranges, names, layers, files. */
#include "conf/conf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char *color_name(uint32_t i)
{
    static const char *const names[] = {"red", "green", "bluish"};
    return i < 3 ? names[i] : NULL;
}

struct cfg {
    bool flag;
    uint32_t banks, wide;
    double clock;
    const char *color;
    uint32_t shade, block;
};

static const struct conf_opt opts[] = {
    CONF_ROW_OPT(struct cfg, flag, BOOL, 1, 0, 1, "a switch")                 /* */
    CONF_ROW_OPT(struct cfg, banks, U32, 2, 1, 64, "banks")                   /* */
    CONF_ROW_OPT(struct cfg, wide, U32, 7, 0, 4294967295.0, "all of 32 bits") /* */
    CONF_ROW_OPT(struct cfg, clock, F64, 1.5, 0.5, 1e6, "a clock")            /* */
    CONF_ROW_NAME(struct cfg, color, "green", color_name, "one of a few")     /* */
    CONF_ROW_OPT(struct cfg, shade, U32, 3, 0, 9, "of red", "color=red,bluish&flag=true sm.banks!=2")
        CONF_ROW_OPT(struct cfg, block, POW2, 32, 32, 128, "bytes of a block")};
enum { NOPTS = sizeof opts / sizeof opts[0] };

struct fix {
    struct conf c;
    struct cfg a, b;
    struct diag d;
    char dir[64];
};

static int setup(void **state)
{
    struct fix *f = calloc(1, sizeof *f);
    conf_add(&f->c, "sm", opts, NOPTS, &f->a);
    conf_add(&f->c, "mem", opts, NOPTS, &f->b);
    strcpy(f->dir, "/tmp/bankshot_conf_XXXXXX");
    *state = f;
    return mkdtemp(f->dir) ? 0 : -1;
}

static int teardown(void **state)
{
    struct fix *f = *state;
    char cmd[100];
    snprintf(cmd, sizeof cmd, "rm -rf %s", f->dir);
    int rc = system(cmd);
    conf_free(&f->c);
    diag_free(&f->d);
    free(f);
    return rc;
}

static bool set(struct fix *f, const char *text) { return conf_set(&f->c, text, CONF_USER, &f->d); }

/* The last message. */
static const char *said(struct fix *f) { return f->d.n ? f->d.msg[f->d.n - 1].text : ""; }

static void refused(struct fix *f, const char *text, const char *why)
{
    assert_false(set(f, text));
    if (!strstr(said(f), why))
        fail_msg("'%s': '%s' is not said in '%s'", text, why, said(f));
}

static void defaults(void **state)
{
    struct fix *f = *state;
    assert_true(f->a.flag);
    assert_int_equal(f->a.banks, 2);
    assert_true(f->a.clock == 1.5);
    assert_string_equal(f->a.color, "green");
    assert_string_equal(conf_get(&f->c, "sm.banks"), "2");
    assert_string_equal(conf_get(&f->c, "mem.color"), "green");
    assert_string_equal(conf_get(&f->c, "mem.flag"), "true");
    assert_null(conf_get(&f->c, "mem.nothing"));
    assert_null(conf_get(&f->c, "nothing"));
}

static void values(void **state)
{
    struct fix *f = *state;
    assert_true(set(f, "sm.banks=64"));
    assert_int_equal(f->a.banks, 64);
    assert_int_equal(f->b.banks, 2);
    assert_true(set(f, "mem.banks=1"));
    assert_int_equal(f->b.banks, 1);
    assert_true(set(f, "sm.wide=4294967295"));
    assert_int_equal(f->a.wide, UINT32_MAX);
    assert_string_equal(conf_get(&f->c, "sm.wide"), "4294967295");
    assert_true(set(f, "sm.wide=0x10"));
    assert_int_equal(f->a.wide, 16);
    assert_true(set(f, "sm.clock=877.25"));
    assert_true(f->a.clock == 877.25);
    assert_true(set(f, "sm.color=BLUISH"));
    assert_string_equal(f->a.color, "bluish");
    assert_true(set(f, "SM.Banks=3"));
    assert_int_equal(f->a.banks, 3);
    for (uint32_t b = 32; b <= 128; b *= 2) {
        char text[32];
        snprintf(text, sizeof text, "sm.block=%u", b);
        assert_true(set(f, text));
        assert_int_equal(f->a.block, b);
    }
    static const char *const no[] = {"false", "0", "no", "off", "FALSE"}, *const yes[] = {"true", "1", "yes",
                                                                                          "on", "On"};
    for (int i = 0; i < 5; i++) {
        char text[32];
        snprintf(text, sizeof text, "sm.flag=%s", no[i]);
        assert_true(set(f, text));
        assert_false(f->a.flag);
        snprintf(text, sizeof text, "sm.flag=%s", yes[i]);
        assert_true(set(f, text));
        assert_true(f->a.flag);
    }
    assert_int_equal(f->d.errors, 0);
}

static void collect(void *ctx, const char *text) { strcat(strcat(ctx, text), "\n"); }

static const char *idle(struct fix *f)
{
    static char text[1000];
    text[0] = 0;
    conf_each_idle(&f->c, collect, text);
    return text;
}

static void what_is_not_read(void **state)
{
    struct fix *f = *state;
    assert_string_equal(idle(f), "");
    assert_true(set(f, "mem.shade=4"));
    assert_string_equal(
        idle(f), "mem.shade has no effect: it is read only where mem.color is red or bluish and mem.flag is "
                 "true, or sm.banks is not 2; here mem.color is green and sm.banks is 2\n");
    assert_true(set(f, "mem.color=red"));
    assert_string_equal(idle(f), "");
    assert_true(set(f, "mem.flag=false"));
    assert_non_null(strstr(idle(f), "here mem.flag is false and sm.banks is 2\n"));
    assert_true(set(f, "sm.banks=3"));
    assert_string_equal(idle(f), "");
}

static void overlays_without_effect(void **state)
{
    struct fix *f = *state;
    assert_true(conf_set_from(&f->c, "sm.shade=1", CONF_MECH, "mechs/pale.ini", &f->d));
    assert_string_equal(
        idle(f), "mechanism pale has no effect: sm.shade is read only where sm.color is red or bluish and "
                 "sm.flag is true, or sm.banks is not 2; here sm.color is green and sm.banks is 2\n");
    static const char dark[] = "mechs/dark.ini";
    assert_true(conf_set_from(&f->c, "mem.shade=1", CONF_MECH, dark, &f->d));
    assert_true(conf_set_from(&f->c, "mem.wide=1", CONF_MECH, dark, &f->d));
    assert_non_null(strstr(idle(f), "mem.shade of mechanism dark has no effect"));
    assert_true(set(f, "sm.shade=2"));
    assert_true(set(f, "sm.banks=4"));
    assert_string_equal(idle(f), "mechanism pale has no effect: --set overrules sm.shade\n");
}

static void wrong_values(void **state)
{
    struct fix *f = *state;
    refused(f, "sm.banks=0", "sm.banks: 0 is outside 1 to 64");
    refused(f, "sm.banks=65", "banks: 65 is outside 1 to 64");
    refused(f, "sm.banks=-1", "outside 1 to 64");
    refused(f, "sm.banks=2.5", "2.5 is no whole number");
    refused(f, "sm.banks=two", "'two' is no number");
    refused(f, "sm.block=108", "sm.block: 108 is no power of two");
    refused(f, "sm.block=96", "96 is no power of two");
    refused(f, "sm.block=16", "16 is outside 32 to 128");
    refused(f, "sm.block=64.5", "64.5 is no whole number");
    assert_int_equal(f->a.block, 32);
    refused(f, "sm.banks=", "'' is no number");
    refused(f, "sm.banks=2 ", "is no number");
    refused(f, "sm.banks=nan", "is no number");
    refused(f, "sm.banks=inf", "is no number");
    refused(f, "sm.banks=1e400", "is no number");
    refused(f, "sm.wide=4294967296", "outside 0 to 4294967295");
    refused(f, "sm.clock=0.25", "0.25 is outside 0.5 to 1000000");
    refused(f, "sm.flag=2", "'2' is neither true nor false");
    refused(f, "sm.flag=", "neither true nor false");
    /* Nothing of all that was stored. */
    assert_int_equal(f->a.banks, 2);
    assert_int_equal(f->a.wide, 7);
    assert_true(f->a.clock == 1.5);
    assert_true(f->a.flag);
}

static void unknown_names(void **state)
{
    struct fix *f = *state;
    refused(f, "sm.bank=2", "unknown option 'sm.bank'; did you mean 'sm.banks'?");
    refused(f, "men.clock=2", "did you mean 'mem.clock'?");
    refused(f, "sm.frobnicate_everything=2",
            "unknown option 'sm.frobnicate_everything'; see bankshot list options");
    refused(f, "sm.color=gren", "sm.color: unknown 'gren'; did you mean 'green'?");
    refused(f, "sm.color=magenta", "unknown 'magenta'; there are red, green, bluish");
    refused(f, "banks=2", "section.option=value is expected");
    refused(f, "sm.banks", "section.option=value is expected");
    refused(f, "sm=banks.2", "section.option=value is expected");
    refused(f, "", "section.option=value is expected");
    refused(f, ".=", "unknown option '.'");
}

/* ---- files ---- */

static const char *file(struct fix *f, const char *name, const char *text)
{
    const char *path = arena_printf(&f->c.arena, "%s/%s", f->dir, name);
    FILE *o = fopen(path, "w");
    assert_non_null(o);
    fputs(text, o);
    fclose(o);
    return path;
}

static bool get(struct fix *f, const char *name, const char *text, enum conf_layer layer)
{
    return conf_read(&f->c, file(f, name, text), layer, &f->d);
}

static void reads_a_file(void **state)
{
    struct fix *f = *state;
    assert_true(get(f, "a.ini",
                    "; a comment\n[sm]\nbanks = 8   ; why\ncolor=red\n\n[mem]\nclock = 2\nflag = no\n",
                    CONF_PRESET));
    assert_int_equal(f->a.banks, 8);
    assert_string_equal(f->a.color, "red");
    assert_true(f->b.clock == 2);
    assert_false(f->b.flag);
    assert_true(f->a.flag);
}

static void wrong_line(struct fix *f, const char *text, uint32_t line, const char *why)
{
    assert_false(get(f, "bad.ini", text, CONF_PRESET));
    const struct diag_msg *m = &f->d.msg[f->d.n - 1];
    if (!strstr(m->text, why) || m->line != line)
        fail_msg("line %u: %s", m->line, m->text);
}

static void wrong_files(void **state)
{
    struct fix *f = *state;
    wrong_line(f, "[sm]\n\nbanks = 99\n", 3, "banks: 99 is outside 1 to 64");
    wrong_line(f, "[sm]\nbanks = 4\nbunks = 99\n", 3, "did you mean 'sm.banks'?");
    wrong_line(f, "[sm\nbanks = 4\n", 1, "neither [section] nor name = value");
    wrong_line(f, "[sm]\nbanks\n", 2, "neither [section] nor name = value");
    wrong_line(f, "banks = 4\n", 1, "unknown option '.banks'");
    assert_false(conf_read(&f->c, "/nowhere/at/all.ini", CONF_PRESET, &f->d));
    assert_non_null(strstr(said(f), "cannot read /nowhere/at/all.ini"));
    assert_false(conf_read(&f->c, f->dir, CONF_PRESET, &f->d));
}

/* A line longer than the reader's buffer must not be cut into two. */
static void long_lines(void **state)
{
    struct fix *f = *state;
    char text[3000] = "[sm]\nbanks = 4 ;";
    memset(text + strlen(text), 'x', 2500);
    bool ok = get(f, "long.ini", text, CONF_PRESET);
    assert_true(ok ? f->a.banks == 4 : f->d.errors > 0);
}

static void bases(void **state)
{
    struct fix *f = *state;
    file(f, "root.ini", "[sm]\nbanks = 8\ncolor = red\n");
    file(f, "mid.ini", "[preset]\nbase = root\n[sm]\ncolor = bluish\n");
    assert_true(get(f, "top.ini", "[preset]\nbase = mid\n[mem]\nbanks = 5\n", CONF_PRESET));
    assert_int_equal(f->a.banks, 8);
    assert_string_equal(f->a.color, "bluish");
    assert_int_equal(f->b.banks, 5);
    assert_false(get(f, "loop.ini", "[preset]\nbase = loop\n", CONF_PRESET));
    bool told = false;
    for (uint32_t i = 0; i < f->d.n; i++)
        told |= strstr(f->d.msg[i].text, "bases of bases without end") != NULL;
    assert_true(told);
    assert_false(get(f, "out.ini", "[preset]\nbase = ../../etc/passwd\n", CONF_PRESET));
    assert_non_null(strstr(said(f), "a name is expected"));
    assert_false(get(f, "none.ini", "[preset]\nbase = absent\n", CONF_PRESET));
}

static const char *source;
static void look(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                 const char *from)
{
    (void)value;
    (*(uint32_t *)ctx)++;
    if (strcmp(section, "sm") == 0 && strcmp(o->name, "banks") == 0)
        source = from;
}

static void layers(void **state)
{
    struct fix *f = *state;
    uint32_t n = 0;
    conf_each(&f->c, look, &n);
    assert_int_equal(n, 2 * NOPTS);
    assert_string_equal(source, "default");
    /* The user's word stands, whatever is read later. */
    assert_true(set(f, "sm.banks=16"));
    assert_true(get(f, "preset.ini", "[sm]\nbanks = 8\ncolor = red\n", CONF_PRESET));
    assert_int_equal(f->a.banks, 16);
    assert_string_equal(f->a.color, "red");
    conf_each(&f->c, look, &n);
    assert_string_equal(source, "--set");
    /* A value of a lower layer is checked all the same. */
    assert_false(get(f, "preset.ini", "[sm]\nbanks = 800\n", CONF_PRESET));
    assert_true(get(f, "mech.ini", "[sm]\ncolor = bluish\n", CONF_MECH));
    assert_true(get(f, "preset.ini", "[sm]\ncolor = red\n", CONF_PRESET));
    assert_string_equal(f->a.color, "bluish");
    /* The last word of one layer counts. */
    assert_true(set(f, "sm.banks=17") && set(f, "sm.banks=18"));
    assert_int_equal(f->a.banks, 18);
}

static void conflicts(void **state)
{
    struct fix *f = *state;
    assert_true(get(f, "one.ini", "[sm]\nbanks = 8\nclock = 2\n", CONF_MECH));
    assert_true(get(f, "same.ini", "[sm]\nbanks = 8\n[mem]\nbanks = 3\n", CONF_MECH));
    assert_false(get(f, "two.ini", "[sm]\nbanks = 4\n", CONF_MECH));
    assert_non_null(strstr(said(f), "sm.banks is 8 in "));
    assert_non_null(strstr(said(f), "and 4 in "));
    assert_non_null(strstr(said(f), "do not combine"));
}

/* A user who decides settles what two overlays disagree about. */
static void user_settles(void **state)
{
    struct fix *f = *state;
    assert_true(set(f, "sm.banks=5"));
    assert_true(get(f, "one.ini", "[sm]\nbanks = 8\n", CONF_MECH));
    assert_true(get(f, "two.ini", "[sm]\nbanks = 4\n", CONF_MECH));
    assert_int_equal(f->a.banks, 5);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(defaults),     TEST(values),        TEST(what_is_not_read), TEST(overlays_without_effect),
        TEST(wrong_values), TEST(unknown_names), TEST(reads_a_file),     TEST(wrong_files),
        TEST(long_lines),   TEST(bases),         TEST(layers),           TEST(conflicts),
        TEST(user_settles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
