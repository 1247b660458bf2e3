/* SPDX-License-Identifier: Apache-2.0 */
/* Options that say when they are read: the conditions name options and values that there are, and where they do not hold the
 * option changes nothing, which is tried. */
#include "mini.h"
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

/* How many values the conditions name; all of them can be set. */
static uint32_t check_conditions(struct gpu_conf *c, const char *section, const char *conditions)
{
    char text[200], *save = NULL;
    struct diag d = {0};
    uint32_t seen = 0;
    snprintf(text, sizeof text, "%s", conditions);
    for (char *p = strtok_r(text, " &", &save); p; p = strtok_r(NULL, " &", &save)) {
        char *eq = strchr(p, '='), *more = NULL;
        assert_non_null(eq);
        bool full = memchr(p, '.', (size_t)(eq - p));
        for (char *v = strtok_r(eq + 1, ",", &more); v; v = strtok_r(NULL, ",", &more)) {
            char set[200];
            snprintf(set, sizeof set, "%s%s%.*s=%s", full ? "" : section, full ? "" : ".",
                     (int)(eq - p) - (eq[-1] == '!'), p, v);
            if (!conf_set(&c->conf, set, CONF_USER, &d))
                fail_msg("%s: %s: %s", section, conditions, d.msg[0].text);
            seen++;
        }
    }
    diag_free(&d);
    return seen;
}

static void conditions_are_sound(void **state)
{
    (void)state;
    struct gpu_conf c;
    gpu_conf_init(&c);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < c.conf.n; i++) {
        const struct conf_section *s = &c.conf.sec[i];
        seen += check_conditions(&c, s->name, s->read_by);
        for (uint32_t j = 0; j < s->n; j++)
            seen += check_conditions(&c, s->name, s->opts[j].read_by);
    }
    vec_each (&c.conf.rules, u) {
        seen += check_conditions(&c, "", u->where);
        assert_non_null(conf_get(&c.conf, u->option));
    }
    assert_true(seen > 50);
    conf_free(&c.conf);
}

/* Another value than the one it has. */
static bool other_value(struct conf *c, const struct conf_section *s, const struct conf_opt *o, char *out,
                        size_t n)
{
    char full[100];
    snprintf(full, sizeof full, "%s.%s", s->name, o->name);
    const char *now = conf_get(c, full);
    for (uint32_t i = 0; o->type == CONF_NAME && o->names(i); i++)
        if (strcmp(o->names(i), now) != 0) {
            snprintf(out, n, "%s=%s", full, o->names(i));
            return true;
        }
    double v = strtod(now, NULL) == o->lo ? o->hi < o->lo + 3 ? o->hi : o->lo + 3 : o->lo;
    if (o->type == CONF_BOOL)
        snprintf(out, n, "%s=%s", full, strcmp(now, "true") == 0 ? "false" : "true");
    else if (o->type != CONF_NAME)
        snprintf(out, n, "%s=%.17g", full, v);
    return o->type != CONF_NAME;
}

static const struct play_machine machines[] = {
    {"volta", "volta", {"gpu.sms=2"}},
    {"bow", "turing", {"gpu.sms=2", "sm.operands=bow", "sm.wsched=lrr"}},
    {"private", "turing", {"gpu.sms=2", "sm.operands=ccu", "ccu.private=true", "sm.lsu=banked"}},
    {"undivided", "fermi", {"gpu.sms=2", "sm.assign=srr", "sm.wsched=rba", "sm.lsu=mrpb"}},
    {"rfc", "turing", {"gpu.sms=2", "sm.operands=rfc", "active.warps=2", "sm.assign=shuffle"}},
    {"simple", "throughput", {"gpu.sms=2", "sm.lsu=warppool", "warppool.select=oldest"}},
};

static void what_is_not_read_changes_nothing(void **state)
{
    (void)state;
    uint32_t tried = 0;
    char path[256], buf[400];
    play_path(path);
    wild_write(path, 77, WILD_ANY);
    for (uint32_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        struct gpu_conf c;
        struct diag d = {0};
        struct gpu_result base, r;
        assert_true(play_load(&c, &machines[m], NULL, &d));
        assert_null(play(path, &machines[m], NULL, 1, &base, buf, sizeof buf));
        for (uint32_t i = 0; i < c.conf.n; i++) {
            struct conf_section *s = &c.conf.sec[i];
            for (uint32_t j = 0; j < s->n; j++) {
                char set[200];
                if (conf_is_read(&c.conf, s, &s->opts[j]) ||
                    !other_value(&c.conf, s, &s->opts[j], set, sizeof set))
                    continue;
                struct play_machine other = machines[m];
                uint32_t n = 0;
                while (other.sets[n])
                    n++;
                other.sets[n] = set;
                const char *bad = play(path, &other, NULL, 1, &r, buf, sizeof buf);
                if (!bad && (r.cycles != base.cycles || memcmp(r.sm, base.sm, sizeof r.sm) != 0 ||
                             memcmp(r.mem, base.mem, sizeof r.mem) != 0))
                    fail_msg("%s: %s has an effect", machines[m].name, set);
                gpu_result_free(&r);
                tried += !bad; /* some contradict others */
            }
        }
        gpu_result_free(&base);
        conf_free(&c.conf);
        diag_free(&d);
    }
    unlink(path);
    assert_true(tried > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_are_sound),
        cmocka_unit_test(what_is_not_read_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
