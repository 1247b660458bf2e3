/* SPDX-License-Identifier: Apache-2.0 */
/* Every mechanism on every preset: it runs a random trace with every operand checked, or it is refused with the reason. Files of
 * conf/ are found by their place, so a new one is tried without a change here. */
#include "wild.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "play.h"

#include <cmocka.h>

enum { NAMES = 128, NAME_B = 64 };

struct names {
    char at[NAMES][NAME_B];
    uint32_t n;
};

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void find_names(struct names *out, const char *kind)
{
    char path[512];
    snprintf(path, sizeof path, "%s/../conf/%s", TEST_DATA_DIR, kind);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir)) && out->n < NAMES;) {
        size_t len = strlen(e->d_name);
        if (len > 4 && len < NAME_B && strcmp(e->d_name + len - 4, ".ini") == 0)
            snprintf(out->at[out->n++], NAME_B, "%.*s", (int)len - 4, e->d_name);
    }
    closedir(dir);
    qsort(out->at, out->n, NAME_B, by_name);
}

/* gpu_conf_check's answer; an empty `why`: it fits. */
static void load(struct gpu_conf *c, const char *gpu, const char *mech, char *why, size_t n)
{
    struct diag d = {0};
    char path[2][512];
    snprintf(path[0], sizeof path[0], "%s/../conf/gpus/%s.ini", TEST_DATA_DIR, gpu);
    snprintf(path[1], sizeof path[1], "%s/../conf/mechs/%s.ini", TEST_DATA_DIR, mech);
    gpu_conf_init(c);
    assert_true(conf_read(&c->conf, path[0], CONF_PRESET, &d));
    assert_true(conf_read(&c->conf, path[1], CONF_MECH, &d));
    assert_true(conf_set(&c->conf, "gpu.sms=1", CONF_USER, &d));
    bool ok = gpu_conf_check(c, &d);
    assert_int_equal(ok, d.n == 0);
    snprintf(why, n, "%s", ok ? "" : d.msg[0].text);
    diag_free(&d);
}

/* A trace whose code can be analysed; another for each pair. */
static void run(const struct gpu_conf *c, uint64_t seed, const char *gpu, const char *mech)
{
    struct diag d = {0};
    struct gpu_result r = {0};
    char path[256], buf[400];
    play_path(path);
    wild_write(path, seed, WILD_CODE);
    struct tr_reader *t = tr_open(path, &d);
    assert_non_null(t);
    struct play_want w = play_count(t);
    enum gpu_status s = gpu_run(c, t, &(struct gpu_opts){.threads = 1, .check = true}, &r, &d);
    const char *bad =
        s != GPU_OK ? d.n ? d.msg[0].text : "no message" : play_check(&w, c, t, &r, buf, sizeof buf);
    if (bad)
        fail_msg("%s on %s, seed %u: %s", mech, gpu, (unsigned)seed, bad);
    gpu_result_free(&r);
    tr_free(t);
    diag_free(&d);
    unlink(path);
}

static void all_pairs(void **state)
{
    struct names gpus = {0}, mechs = {0};
    uint32_t ran = 0;
    (void)state;
    find_names(&gpus, "gpus");
    find_names(&mechs, "mechs");
    for (uint32_t g = 0; g < gpus.n; g++)
        for (uint32_t m = g % TEST_EACH; m < mechs.n; m += TEST_EACH) {
            struct gpu_conf c;
            char why[400];
            load(&c, gpus.at[g], mechs.at[m], why, sizeof why);
            if (!*why)
                run(&c, 100 + ran++, gpus.at[g], mechs.at[m]);
            else if (!strstr(why, " = ") || !strstr(why, ": ") || strlen(strstr(why, ": ")) < 10)
                fail_msg("%s on %s is refused without a reason: %s", mechs.at[m], gpus.at[g], why);
            conf_free(&c.conf);
        }
    assert_true(ran > gpus.n * mechs.n / TEST_EACH / 2);
}

/* What makes no sense, and the papers' own pairs, which do. */
static void known_pairs(void **state)
{
    static const struct {
        const char *gpu, *mech, *why; /* NULL: it fits */
    } pairs[] = {
        {"hopper", "rfc", NULL},
        {"volta-fc", "rfc", "sm.warp_pool"},
        {"hopper", "swrfc", NULL},
        {"volta-fc", "swrfc", "sm.warp_pool"},
        {"hopper", "ltrf", "sm.bank_write_port"},
        {"volta-fc", "ltrf", "sm.warp_pool"},
        {"turing", "mrpb", "mrpb.queues"},
        {"turing", "malekeh", NULL},
        {"turing", "malekeh-pr", NULL},
        {"turing", "ccu-lru", NULL},
        {"turing", "bow", NULL},
        {"turing", "rfc", NULL},
        {"turing", "rfc-sched", NULL},
        {"turing", "swrfc", NULL},
        {"turing", "swrfc-sched", NULL},
        {"turing", "ltrf", NULL},
        {"fermi", "steal", NULL},
        {"volta20", "rba", NULL},
        {"fermi", "warppool", NULL},
        {"volta-fc", "malekeh", NULL},
        {"fermi", "rfc", NULL},
    };
    (void)state;
    for (uint32_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct gpu_conf c;
        char why[400];
        load(&c, pairs[i].gpu, pairs[i].mech, why, sizeof why);
        if (pairs[i].why ? !strstr(why, pairs[i].why) : *why)
            fail_msg("%s on %s: '%s'", pairs[i].mech, pairs[i].gpu, why);
        conf_free(&c.conf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_pairs), cmocka_unit_test(known_pairs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
