/* SPDX-License-Identifier: Apache-2.0 */
/* Cubins that nvcc made of data/parts.cu: what is read of them; and damage of all sorts. */
#include "base/file.h"
#include "base/rng.h"
#include "sass/cubin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct file_text text_of(const char *name)
{
    char path[512];
    struct file_text t;
    struct diag d = {0};
    snprintf(path, sizeof path, "%s/sass/data/%s", TEST_DATA_DIR, name);
    assert_true(file_read(path, CUBIN_MAX_B, &t, &d));
    return t;
}

static struct cubin *read_file(const char *name)
{
    char why[200] = "";
    struct file_text t = text_of(name);
    struct cubin *c = cubin_read(t.at, t.n, why, sizeof why);
    file_free(&t);
    assert_string_equal(why, "");
    assert_non_null(c);
    return c;
}

static void kernels_of_hopper(void **state)
{
    (void)state;
    struct cubin *c = read_file("parts_90a.cubin");
    assert_int_equal(c->sm, 90);
    assert_int_equal(c->variant, 'a');
    assert_int_equal(c->kernels.n, 2);
    const struct cubin_kernel *k = cubin_kernel_named(c, "_Z1kILi1EEvPicd");
    assert_non_null(k);
    assert_int_equal(k->regs, 32);
    assert_int_equal(k->param_base, 0x210);
    assert_int_equal(k->param_b, 24);
    assert_int_equal(k->params.n, 3);
    static const uint32_t params[3][2] = {{0, 8}, {8, 1}, {16, 8}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(k->params.at[i].offset_b, params[i][0]);
        assert_int_equal(k->params.at[i].size_b, params[i][1]);
    }
    assert_int_equal(k->static_shared_b, 1024 + 256);
    assert_int_equal(k->local_b, 104);
    assert_int_equal(k->barriers, 1);
    assert_int_equal(k->max_threads[0], 128);
    assert_int_equal(k->exits.n, 1);
    assert_int_equal(k->cluster[0], 0);
    const struct cubin_kernel *both = cubin_kernel_named(c, "_Z4bothPi");
    assert_true(both->explicit_cluster);
    assert_int_equal(both->cluster[0], 2);
    assert_int_equal(both->cluster[1], 1);
    assert_null(cubin_kernel_named(c, "_Z1fi"));
    cubin_free(c);
}

static void banks_and_relocations(void **state)
{
    (void)state;
    struct cubin *c = read_file("parts_90a.cubin");
    const struct cubin_kernel *k = cubin_kernel_named(c, "_Z1kILi1EEvPicd");
    const struct cubin_section *tab = &c->sections.at[k->bank[3]];
    uint32_t words[3];
    memcpy(words, tab->data, sizeof words);
    assert_int_equal(words[0] * 100 + words[1] * 10 + words[2], 123);
    assert_true(k->bank[0] && k->bank[2] && k->bank[4]);
    uint32_t to_printf = 0, inside = 0;
    vec_each (&c->relocs, r) {
        if (r->section == k->bank[4] && strcmp(c->symbols.at[r->symbol].name, "vprintf") == 0)
            to_printf += r->type == CUBIN_R_64 && c->symbols.at[r->symbol].section == 0;
        if (strcmp(c->symbols.at[r->symbol].name, "gi") == 0 && r->type == CUBIN_R_G64)
            inside += r->addend == 8; /* gp = &gi[2] */
    }
    assert_int_equal(to_printf, 1);
    assert_int_equal(inside, 1);
    cubin_free(c);
}

static void lines_of_source(void **state)
{
    (void)state;
    struct cubin *c = read_file("parts_90a.cubin");
    const struct cubin_kernel *k = cubin_kernel_named(c, "_Z4bothPi");
    const struct cubin_line *first = cubin_line_at(c, k->section, 0),
                            *store = cubin_line_at(c, k->section, 0x10);
    assert_int_equal(first->line, 27);
    assert_int_equal(store->line, 29);
    assert_string_equal(c->files.at[first->file], "/src/parts.cu");
    assert_null(cubin_line_at(c, k->section, 1 << 20));
    assert_null(cubin_line_at(c, 1, 0));
    cubin_free(c);
}

static void kernels_of_turing(void **state)
{
    (void)state;
    struct cubin *c = read_file("parts_75.cubin");
    const struct cubin_kernel *k = cubin_kernel_named(c, "_Z1kILi1EEvPicd");
    assert_int_equal(c->sm, 75);
    assert_int_equal(c->variant, 0);
    assert_int_equal(k->regs, 34);
    assert_int_equal(k->param_base, 0x160);
    assert_int_equal(k->static_shared_b, 256);
    assert_int_equal(c->lines.n, 0);
    cubin_free(c);
}

/* Read from a copy of exactly the size, so that the address sanitizer sees a byte too far. */
static bool try_bytes(const unsigned char *at, size_t n)
{
    char why[200] = "";
    unsigned char *copy = xmalloc(n ? n : 1);
    if (n)
        memcpy(copy, at, n);
    struct cubin *c = cubin_read(copy, n, why, sizeof why);
    free(copy);
    assert_true(!c == (why[0] != 0));
    if (!c)
        assert_memory_equal(why, "byte ", 5);
    cubin_free(c);
    return c != NULL;
}

static void cut_off_anywhere(void **state)
{
    (void)state;
    struct file_text t = text_of("parts_90a.cubin");
    uint64_t sections;
    uint16_t nsections;
    memcpy(&sections, t.at + 40, sizeof sections);
    memcpy(&nsections, t.at + 60, sizeof nsections);
    for (size_t n = 0; n < sections + nsections * 64ull; n += n < 4096 ? 1 : 61)
        assert_false(try_bytes((unsigned char *)t.at, n)); /* the table of sections comes last */
    file_free(&t);
}

static void damaged_anywhere(void **state)
{
    (void)state;
    struct file_text t = text_of("parts_90a.cubin");
    struct rng r = {.s = 43};
    unsigned char *copy = xmalloc(t.n);
    for (unsigned round = 0; round < 3000; round++) {
        memcpy(copy, t.at, t.n);
        for (uint32_t i = 0, n = 1 + rng_below(&r, 4); i < n; i++)
            copy[rng_below(&r, (uint32_t)t.n)] = (unsigned char)(rng_below(&r, 2) ? rng_u32(&r) : 0xff);
        try_bytes(copy, t.n);
    }
    free(copy);
    file_free(&t);
}

static void others_are_refused(void **state)
{
    (void)state;
    char why[200];
    struct file_text t = text_of("parts_75.cubin");
    t.at[18] = 62; /* x86-64 */
    assert_null(cubin_read(t.at, t.n, why, sizeof why));
    assert_string_equal(why, "byte 18: ELF machine 62 is not a GPU of NVIDIA (190)");
    t.at[18] = (char)190;
    t.at[49] = 61;
    assert_null(cubin_read(t.at, t.n, why, sizeof why));
    assert_string_equal(why, "byte 48: code for sm_61: known are sm_70 to sm_121");
    assert_null(cubin_read("text", 4, why, sizeof why));
    assert_string_equal(why, "byte 4: the file ends in its head (64 bytes)");
    file_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_hopper),  cmocka_unit_test(banks_and_relocations),
        cmocka_unit_test(lines_of_source),    cmocka_unit_test(kernels_of_turing),
        cmocka_unit_test(cut_off_anywhere),   cmocka_unit_test(damaged_anywhere),
        cmocka_unit_test(others_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
