/* SPDX-License-Identifier: Apache-2.0 */
/* Exact reuse distances: those of random streams against a plain count, and a static operand that is near and far in turn. */
#include "wild.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "play.h"
#include "sm/core.h"

#include <cmocka.h>

enum { ROUNDS = 20, FAR = 13 };

/* ---- against a plain count ---- */

typedef VEC(struct tr_step) steps;

static bool has(const uint8_t *regs, uint32_t n, uint8_t reg)
{
    for (uint32_t i = 0; i < n; i++)
        if (regs[i] == reg)
            return true;
    return false;
}

/* Is what register `reg` holds after step `at` read within `near` steps? */
static bool is_near(const struct sm_kernel *k, const steps *s, uint32_t at, uint8_t reg, uint32_t near)
{
    for (uint32_t j = at + 1; j < s->n && j <= at + near; j++) {
        const struct kinsn *i = &k->insns[s->at[j].at];
        if (!s->at[j].mask)
            continue;
        if (has(i->read, i->nread, reg))
            return true;
        if (has(i->write, i->nwrite, reg))
            return false;
    }
    return false;
}

static struct near_bits plain(const struct sm_kernel *k, const steps *s, uint32_t at, uint32_t near)
{
    const struct kinsn *i = &k->insns[s->at[at].at];
    struct near_bits b = {0};
    if (!s->at[at].mask)
        return b;
    for (uint32_t j = 0; j < i->nread; j++)
        if (!has(i->write, i->nwrite, i->read[j]))
            b.read |= (uint16_t)(is_near(k, s, at, i->read[j], near) << j);
    for (uint32_t j = 0; j < i->nwrite; j++)
        b.write |= (uint16_t)(is_near(k, s, at, i->write[j], near) << j);
    return b;
}

/* The warps of a CTA in turn, a few steps each. */
static void compare_cta(struct tr_reader *t, uint32_t launch, uint32_t cta, const struct sm_kernel *k,
                        uint32_t near)
{
    struct diag d = {0};
    uint32_t nwarps = tr_launch(t, launch)->nwarps, at[TR_WARPS] = {0};
    struct tr_cta *c = tr_open_cta(t, launch, cta, &d), *again = tr_open_again(c, &d);
    assert_non_null(again);
    struct ahead *a = ahead_new(again, k, nwarps, near);
    steps s[TR_WARPS] = {0};
    struct tr_step x;
    for (uint32_t w = 0; w < nwarps; w++)
        while (tr_next(c, w, &x) == TR_STEP)
            vec_push(&s[w], x);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t w = 0; w < nwarps; w++) {
            for (uint32_t n = 0; n < 3 + w && at[w] < s[w].n; n++, at[w]++) {
                struct near_bits got = ahead_next(a, w), want = plain(k, &s[w], at[w], near);
                assert_int_equal(got.read, want.read);
                assert_int_equal(got.write, want.write);
            }
            more |= at[w] < s[w].n;
        }
    }
    for (uint32_t w = 0; w < nwarps; w++)
        vec_free(&s[w]);
    ahead_free(a);
    tr_close_cta(c);
}

static void random_streams(void **state)
{
    static const uint32_t nears[] = {1, 3, 12, 1000};
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        char path[256];
        struct diag d = {0};
        struct gpu_conf c;
        gpu_conf_init(&c);
        struct sm_timing tm = {.lat = &c.lat, .ii = &c.ii, .unit = &c.unit, .count = &c.count};
        play_path(path);
        wild_write(path, seed, seed % 2 ? WILD_CODE : WILD_ANY);
        struct tr_reader *t = tr_open(path, &d);
        assert_non_null(t);
        uint32_t kernel = tr_launch(t, 0)->l.kernel;
        struct sm_kernel *k = sm_kernel_new(tr_kernel(t, kernel),
                                            (struct sm_kernel_id){.index = kernel, .id = kernel}, &c.sm, &tm);
        compare_cta(t, 0, 0, k, nears[seed / 2]);
        sm_kernel_free(k);
        tr_free(t);
        conf_free(&c.conf);
        unlink(path);
    }
}

/* ---- in turn ---- */

/* R1 is written, and read by the next instruction or after thirteen others: near, far, near, ... */
static void write_turns(const char *path)
{
    struct diag d = {0};
    struct tr_insn code[4] = {{.cls = TC_FP32, .ndst = 1, .dst[0] = {.kind = TO_REG, .n = 1, .val = 1}},
                              {.cls = TC_FP32, .nsrc = 1, .src[0] = {.kind = TO_REG, .n = 1, .val = 1}},
                              {.cls = TC_FP32},
                              {.cls = TC_EXIT}};
    struct tr_block all = {.n = 4, .ipdom = UINT32_MAX};
    struct tr_kernel k = {
        .name = "k", .file = "", .insns = code, .n = 4, .blocks = &all, .nblocks = 1, .regs = 16};
    for (uint32_t i = 0; i < 4; i++) {
        code[i].target = TR_NO_TARGET;
        code[i].pc = i * 16;
        code[i].text = "X";
    }
    struct tr_writer *w = tr_create(path, &(struct tr_info){.program = "turns", .maker = "test"}, &d);
    tr_add_kernel(w, &k);
    struct tr_launch l = {.grid = {1, 1, 1}, .block = {TR_LANES, 1, 1}};
    tr_begin_launch(w, &l);
    tr_begin_cta(w, 0);
    for (uint32_t i = 0; i < ROUNDS; i++) {
        tr_insn(w, 0, 0, 0, ~0u, 0, NULL, NULL);
        for (uint32_t n = 0; n < FAR && i % 2; n++)
            tr_insn(w, 0, 0, 2, ~0u, 0, NULL, NULL);
        tr_insn(w, 0, 0, 1, ~0u, 0, NULL, NULL);
    }
    tr_insn(w, 0, 0, 3, ~0u, 0, NULL, NULL);
    tr_end_cta(w, 0);
    tr_end_launch(w, true);
    assert_true(tr_close(w, &d));
}

/* As many near as far: the static bit says far, and no result is kept. By their own distances half of them are. */
static void in_turn(void **state)
{
    (void)state;
    for (uint32_t exact = 0; exact < 2; exact++) {
        char path[256], buf[400];
        struct gpu_result r = {0};
        struct play_machine m = {
            "", "turing", {"gpu.sms=1", "sm.operands=ccu", exact ? "reuse.exact=true" : NULL}};
        play_path(path);
        write_turns(path);
        const char *bad = play(path, &m, "malekeh", 1, &r, buf, sizeof buf);
        if (bad)
            fail_msg("%s", bad);
        assert_int_equal(r.sm[SS_cache_writes], exact ? ROUNDS / 2 : 0);
        assert_int_equal(r.sm[SS_cache_filtered], exact ? ROUNDS / 2 : ROUNDS);
        gpu_result_free(&r);
        unlink(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_streams), cmocka_unit_test(in_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
