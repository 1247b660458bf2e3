/* SPDX-License-Identifier: Apache-2.0 */
/* MUFU against an H200: tests/sass/mufu.tsv has hashes of its results, for every mantissa and for operands of all kinds. */
#include "exec/alu_rig.h"

#include <inttypes.h>
#include <stdio.h>

enum { BLOCK = 4096, MOST = 16384 };
#define FNV_BEGIN 0xcbf29ce484222325ull
#define FNV_PRIME 0x100000001b3ull

static uint32_t mix(uint32_t z)
{
    z = (z ^ z >> 16) * 0x7feb352du;
    z = (z ^ z >> 15) * 0x846ca68bu;
    return z ^ z >> 16;
}
/* Operand i between low and high (0 0: of all). */
static uint32_t some(uint32_t i, uint32_t low, uint32_t high)
{
    uint32_t v = mix(i + 77);
    return high ? low + (uint32_t)((uint64_t)v * (high - low) >> 32) : v;
}

static void set_function(struct ir_insn *i, const char *name)
{
    static const struct {
        const char *name;
        unsigned sub, type;
    } all[] = {
        {"rcp", MUFU_RCP, T_F32},       {"rsq", MUFU_RSQ, T_F32},        {"sqrt", MUFU_SQRT, T_F32},
        {"ex2", MUFU_EX2, T_F32},       {"lg2", MUFU_LG2, T_F32},        {"sin", MUFU_SIN_TURN, T_F32},
        {"cos", MUFU_COS_TURN, T_F32},  {"tanh", MUFU_TANH, T_F32},      {"rcp64h", MUFU_RCP64H, T_F32},
        {"rsq64h", MUFU_RSQ64H, T_F32}, {"ex2.f16", MUFU_EX2, T_F16},    {"tanh.f16", MUFU_TANH, T_F16},
        {"ex2.bf16", MUFU_EX2, T_BF16}, {"tanh.bf16", MUFU_TANH, T_BF16}};
    size_t k = 0;
    while (k < sizeof all / sizeof *all && strcmp(all[k].name, name) != 0)
        k++;
    if (k == sizeof all / sizeof *all)
        fail_msg("mufu.tsv: %s is no function", name);
    i->sub = (uint8_t)all[k].sub;
    i->type = (uint8_t)all[k].type;
}

/* The hash of the results of v[0..n). */
static uint64_t results(struct rig *r, const struct xalu *alu, const uint32_t *v, uint32_t n)
{
    uint64_t h = FNV_BEGIN;
    for (uint32_t i = 0; i < n; i += LANES) {
        memcpy(rig_src(r, 0), v + i, LANES * sizeof *v);
        assert_true(rig_run(r, alu, ~0u));
        for (unsigned l = 0; l < LANES; l++)
            h = (h ^ r->reg[RIG_DST][l]) * FNV_PRIME;
    }
    return h;
}

static uint64_t hash_of_run(struct rig *r, uint32_t first, uint32_t n)
{
    static uint32_t v[BLOCK];
    uint64_t h = FNV_BEGIN;
    for (uint32_t i = 0; i < n; i += BLOCK) {
        for (uint32_t k = 0; k < BLOCK; k++)
            v[k] = first + i + k;
        h = (h ^ results(r, rig_best(), v, BLOCK)) * FNV_PRIME;
    }
    return h;
}

static void line_is_as_there(const char *line)
{
    static struct rig r;
    static uint32_t v[MOST];
    char what[8], name[16];
    uint32_t low, high, n;
    uint64_t want;
    assert_int_equal(6, sscanf(line, "%7s %15s %" SCNx32 " %" SCNx32 " %" SCNu32 " %" SCNx64, what, name,
                               &low, &high, &n, &want));
    rig_init(&r, OP_MUFU, T_F32);
    set_function(&r.i, name);
    r.i.flags = IRF_FTZ | IRF_CHOP;
    if (!strcmp(what, "run")) {
        if (hash_of_run(&r, low, n) != want)
            fail_msg("MUFU %s from 0x%08" PRIx32 ": not what an H200 gives", name, low);
        return;
    }
    assert_true(n <= MOST);
    for (uint32_t i = 0; i < n; i++)
        v[i] = some(i, low, high);
    for (const struct xalu *const *a = exec_alus; *a; a++)
        if ((*a)->usable() && results(&r, *a, v, n) != want)
            fail_msg("%s, MUFU %s of some from 0x%08" PRIx32 " to 0x%08" PRIx32 ": not what an H200 gives",
                     (*a)->name, name, low, high);
}

static void as_on_an_h200(void **state)
{
    FILE *f = fopen(TEST_DATA_DIR "/sass/mufu.tsv", "r");
    char line[256];
    uint32_t n = 0;
    (void)state;
    assert_non_null(f);
    for (; fgets(line, sizeof line, f); n += line[0] != '#')
        if (line[0] != '#')
            line_is_as_there(line);
    fclose(f);
    assert_true(n > 50);
}

static void signs_are_of_the_operand(void **state)
{
    static struct rig r;
    (void)state;
    rig_init(&r, OP_MUFU, T_F32);
    r.i.sub = MUFU_RCP;
    r.i.flags = IRF_FTZ | IRF_CHOP;
    rig_src(&r, 0)[0] = 0x40000000;
    rig_mod(&r, 0, true, false);
    assert_true(rig_run(&r, rig_best(), 1));
    assert_int_equal(0xbf000000, r.reg[RIG_DST][0]);
    rig_mod(&r, 0, false, true);
    rig_src(&r, 0)[0] = 0xc0000000;
    assert_true(rig_run(&r, rig_best(), 1));
    assert_int_equal(0x3f000000, r.reg[RIG_DST][0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_an_h200),
                                       cmocka_unit_test(signs_are_of_the_operand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
