/* SPDX-License-Identifier: Apache-2.0 */
/* One piece: what is encoded comes back, in the form that it should have, and damaged bytes end in a complaint. */
#include "gen.h"
#include "trace/codec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct piece_bytes {
    uint8_t *at; /* ctl, addr, val, slack */
    size_t n[3];
    uint64_t insts;
};

static void add(struct encoder *e, const struct codec_code *code, const struct gen_step *s)
{
    const struct codec_sets sets = {.list = {s->addrs[0], s->addrs[1]}};
    encoder_reserve(e, code);
    size_t ctl = e->ctl.n, addr = e->addr.n, val = e->val.n;
    encode_insn(e, code, s->at, s->mask, s->space, &sets, s->values);
    assert_true(e->ctl.n - ctl <= CODEC_CTL_MAX_B / 2 && e->addr.n - addr <= CODEC_ADDR_MAX_B &&
                e->val.n - val <= CODEC_VAL_MAX_B);
}

static struct piece_bytes finish(struct encoder *e)
{
    encode_end(e);
    struct piece_bytes p = {.n = {e->ctl.n, e->addr.n, e->val.n}, .insts = e->insts};
    p.at = xcalloc(e->ctl.n + e->addr.n + e->val.n + CODEC_SLACK_B, 1);
    if (e->ctl.n)
        memcpy(p.at, e->ctl.at, e->ctl.n);
    if (e->addr.n)
        memcpy(p.at + e->ctl.n, e->addr.at, e->addr.n);
    if (e->val.n)
        memcpy(p.at + e->ctl.n + e->addr.n, e->val.at, e->val.n);
    encoder_free(e);
    return p;
}

static void start(struct decoder *d, const struct codec_code *code, const struct piece_bytes *p)
{
    *d = (struct decoder){.left = p->insts, .base = xmalloc((code->nslots + 1) * sizeof d->base[0])};
    d->ctl = p->at;
    d->ctl_end = d->addr = p->at + p->n[0];
    d->addr_end = d->val = d->addr + p->n[1];
    d->val_end = d->val + p->n[2];
    decoder_start(d, code);
}

static void random_streams(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct tr_kernel *k = gen_kernel(seed, 4 + (uint32_t)(seed * 37 % 400) * (seed % 7 ? 1 : 20));
        struct codec_code *code = codec_code_new(k);
        struct encoder e = {0};
        struct gen_stream g;
        struct gen_step want;
        assert_null(tr_kernel_check(k));
        encoder_start(&e);
        gen_start(&g, k, seed, seed * 7 % 700);
        while (gen_next(&g, &want))
            add(&e, code, &want);
        struct piece_bytes p = finish(&e);
        struct decoder d;
        struct tr_step got;
        start(&d, code, &p);
        gen_start(&g, k, seed, seed * 7 % 700);
        while (gen_next(&g, &want)) {
            const char *why = decode_insn(&d, code, &got);
            if (!why)
                why = gen_compare(k, &want, &got);
            if (why)
                fail_msg("seed %llu: %s", (unsigned long long)seed, why);
        }
        assert_null(decode_end(&d));
        free(d.base);
        free(p.at);
        free(code);
        tr_kernel_free(k);
    }
}

/* Bytes that do not say what the encoder said: a complaint or a stream inside the code, within the buffers. */
static void wrong_bytes(void **state)
{
    (void)state;
    unsigned complaints = 0;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        struct rng r = {seed};
        struct tr_kernel *k = gen_kernel(seed % 10, 40);
        struct codec_code *code = codec_code_new(k);
        struct encoder e = {0};
        struct gen_stream g;
        struct gen_step s;
        encoder_start(&e);
        gen_start(&g, k, seed, 60);
        while (gen_next(&g, &s))
            add(&e, code, &s);
        struct piece_bytes p = finish(&e);
        size_t all = p.n[0] + p.n[1] + p.n[2];
        for (unsigned i = 1 + rng_below(&r, 4); i; i--)
            p.at[rng_u64(&r) % all] = (uint8_t)rng_u32(&r);
        struct decoder d;
        struct tr_step got;
        const char *why = NULL;
        uint64_t lanes[TR_LANES];
        start(&d, code, &p);
        while (d.left && !(why = decode_insn(&d, code, &got))) {
            assert_true(got.at < k->n);
            for (unsigned a = 0; got.mask && a < k->insns[got.at].naddr; a++)
                tr_expand(&got.addr[a], got.mask, lanes);
        }
        complaints += why || decode_end(&d);
        free(d.base);
        free(p.at);
        free(code);
        tr_kernel_free(k);
    }
    assert_in_range(complaints, 50, 400);
}

/* ---- forms ---- */

static struct tr_kernel *one_load(unsigned space)
{
    struct tr_kernel *k = gen_kernel(1, 4);
    for (uint32_t i = 0; i < 4; i++) {
        k->insns[i].naddr = i == 1;
        k->insns[i].mem = i == 1;
        k->insns[i].space = (uint8_t)space;
        k->insns[i].ndst = 0;
        memset(k->insns[i].dst, 0, sizeof k->insns[i].dst);
    }
    return k;
}

/* Encodes one access twice, 4096 bytes apart; checks the lanes; gives the form, and the bytes of the second in *bytes. */
static struct tr_addr form_of(const uint64_t lanes[TR_LANES], uint32_t mask, unsigned static_space,
                              unsigned space, size_t *bytes)
{
    struct tr_kernel *k = one_load(static_space);
    struct codec_code *code = codec_code_new(k);
    struct encoder e = {0};
    struct gen_step s = {.at = 1, .mask = mask, .space = (uint8_t)space};
    struct tr_step got[2];
    struct decoder d;
    uint64_t out[TR_LANES];
    encoder_start(&e);
    memcpy(s.addrs[0], lanes, sizeof s.addrs[0]);
    add(&e, code, &s);
    *bytes = e.addr.n;
    for (unsigned l = 0; l < TR_LANES; l++)
        s.addrs[0][l] += 4096;
    add(&e, code, &s);
    *bytes = e.addr.n - *bytes;
    struct piece_bytes p = finish(&e);
    start(&d, code, &p);
    for (unsigned i = 0; i < 2; i++) {
        assert_null(decode_insn(&d, code, &got[i]));
        assert_int_equal(got[i].addr[0].space, space);
        tr_expand(&got[i].addr[0], mask, out);
        for (unsigned l = 0; l < TR_LANES; l++)
            assert_true(!(mask >> l & 1) || out[l] == lanes[l] + 4096 * i);
    }
    assert_null(decode_end(&d));
    free(d.base);
    free(p.at);
    free(code);
    tr_kernel_free(k);
    got[1].addr[0].list = NULL;
    return got[1].addr[0];
}

static void forms(void **state)
{
    (void)state;
    uint64_t a[TR_LANES];
    size_t n;
    static const uint32_t masks[] = {0xffffffff, 1,      0x80000000, 0xffff,
                                     0xffff0000, 0x5555, 0xfffefff7, 0x00ff00f0};
    for (unsigned m = 0; m < 8; m++) {
        for (unsigned l = 0; l < TR_LANES; l++)
            a[l] = 0x7f0000001000 + 4 * l;
        struct tr_addr f = form_of(a, masks[m], SPACE_GLOBAL, SPACE_GLOBAL, &n);
        assert_int_equal(f.form, TF_STRIDE);
        assert_true(f.stride == (masks[m] & (masks[m] - 1) ? 4 : 0));
        assert_int_equal(n, 3);                      /* form, two bytes of distance */
        for (unsigned log2 = 1; log2 <= 4; log2++) { /* a tile of 2^log2 columns in rows of 5000 bytes */
            for (unsigned l = 0; l < TR_LANES; l++)
                a[l] = 0x7f0000001000 + 5000 * (l >> log2) + 8 * (l & ((1u << log2) - 1));
            f = form_of(a, masks[m], SPACE_NONE, SPACE_GLOBAL, &n);
            assert_int_not_equal(f.form, TF_LIST);
            if (masks[m] == 0xffffffff)
                assert_true(f.form == TF_GROUPS && f.log2 == log2 && f.jump == 5000 && f.stride == 8);
        }
        for (unsigned l = 0; l < TR_LANES; l++)
            a[l] = 0x7f0000001000 + l * l * l * 40;
        f = form_of(a, masks[m], SPACE_NONE, SPACE_NONE, &n);
        assert_true(f.form == (masks[m] & (masks[m] - 1) ? TF_LIST : TF_STRIDE));
    }
    /* The space of this time, where the code does not tell. */
    for (unsigned space = 0; space <= SPACE_PARAM; space++) {
        for (unsigned l = 0; l < TR_LANES; l++)
            a[l] = 64 - 16ull * l; /* wraps around 0 */
        struct tr_addr f = form_of(a, 0xffffffff, SPACE_NONE, space, &n);
        assert_true(f.form == TF_STRIDE && f.stride == -16);
    }
}

/* Loops cost nothing but their tokens; predication swaps two masks. */
static void control_is_small(void **state)
{
    (void)state;
    struct tr_kernel *k = one_load(SPACE_GLOBAL);
    struct codec_code *code = codec_code_new(k);
    struct encoder e = {0};
    struct gen_step s = {0};
    encoder_start(&e);
    for (unsigned i = 0; i < 100; i++) {
        s.at = 2, s.mask = 0xffffffff;
        add(&e, code, &s);
        s.at = 3, s.mask = 0x1234;
        add(&e, code, &s);
    }
    encode_end(&e);
    assert_true(e.ctl.n <= 100 * 3 + 4);
    encoder_free(&e);
    free(code);
    tr_kernel_free(k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams),
        cmocka_unit_test(wrong_bytes),
        cmocka_unit_test(forms),
        cmocka_unit_test(control_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
