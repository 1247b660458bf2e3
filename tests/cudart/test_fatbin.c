/* SPDX-License-Identifier: Apache-2.0 */
/* Fat binaries: every kind of packing, the choice among architectures, what is refused and why, and damage of all sorts. */
#include "base/file.h"
#include "base/rng.h"
#include "fatmake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { SM = 80 };

static char *ptx_for(uint32_t arch)
{
    static char text[4096];
    int n = snprintf(text, sizeof text,
                     "// made for the test\n.version 7.0\n.target sm_%u\n.address_size 64\n", arch);
    memset(text + n, ' ', sizeof text - (size_t)n); /* something to compress */
    text[sizeof text - 2] = '\n';
    text[sizeof text - 1] = 0;
    return text;
}

static void add_ptx(struct fat *f, uint32_t arch, enum fat_pack pack)
{
    const char *text = ptx_for(arch);
    fat_add(f, FATBIN_PTX, arch, text, strlen(text) + 1, pack);
}

/* Reads a copy of exactly the size, so that the address sanitizer sees a byte too far. */
static enum fatbin_status read_bytes(const void *at, size_t n, struct fatbin_text *t)
{
    unsigned char *copy = xmalloc(n ? n : 1);
    if (n)
        memcpy(copy, at, n);
    enum fatbin_status s = fatbin_read(copy, n, SM, t);
    free(copy);
    assert_true((s == FATBIN_OK) == (t->text != NULL));
    assert_true((s == FATBIN_OK) == (t->why[0] == 0));
    return s;
}

static enum fatbin_status read_fat(struct fat *f, struct fatbin_text *t)
{
    fat_end(f);
    return read_bytes(f->b.at, f->b.n, t);
}

static void expect_arch(const uint32_t *archs, size_t n, uint32_t want)
{
    struct fat f = {0};
    struct fatbin_text t;
    fat_begin(&f);
    for (size_t i = 0; i < n; i++)
        add_ptx(&f, archs[i], (enum fat_pack)(i % 3));
    assert_int_equal(read_fat(&f, &t), FATBIN_OK);
    assert_int_equal(t.arch, want);
    assert_string_equal(t.text, ptx_for(want));
    free(t.text);
    fat_free(&f);
}

static void test_packing(void **state)
{
    (void)state;
    for (enum fat_pack pack = PACK_PLAIN; pack <= PACK_ZSTD; pack++) {
        struct fat f = {0};
        struct fatbin_text t;
        fat_begin(&f);
        add_ptx(&f, 75, pack);
        assert_int_equal(read_fat(&f, &t), FATBIN_OK);
        assert_string_equal(t.text, ptx_for(75));
        assert_int_equal(t.n, strlen(ptx_for(75)));
        free(t.text);
        fat_free(&f);
    }
}

static void test_choice(void **state)
{
    (void)state;
    expect_arch((const uint32_t[]){52, 75, 80, 90}, 4, 80);
    expect_arch((const uint32_t[]){90, 80, 75, 52}, 4, 80);
    expect_arch((const uint32_t[]){52, 75, 86}, 3, 75);
    expect_arch((const uint32_t[]){100, 90, 120}, 3, 90); /* nothing fits: the oldest */
    expect_arch((const uint32_t[]){90, 35}, 2, 35);
}

static void test_concatenated(void **state)
{
    (void)state;
    struct fat f = {0};
    struct fatbin_text t;
    fat_begin(&f);
    add_ptx(&f, 52, PACK_ZSTD);
    fat_end(&f);
    fat_begin(&f);
    add_ptx(&f, 70, PACK_LZ4);
    fat_end(&f);
    fat_begin(&f); /* an empty one */
    assert_int_equal(read_fat(&f, &t), FATBIN_OK);
    assert_int_equal(t.arch, 70);
    free(t.text);
    fat_free(&f);
}

static void test_text(void **state)
{
    (void)state;
    struct fatbin_text t;
    const char *ptx = "\n.version 7.0\n.target sm_70\n";
    assert_int_equal(read_bytes(ptx, strlen(ptx) + 1, &t), FATBIN_OK);
    assert_string_equal(t.text, ptx);
    free(t.text);
    assert_int_equal(read_bytes(ptx, strlen(ptx), &t), FATBIN_OK); /* no NUL: ends with the buffer */
    assert_string_equal(t.text, ptx);
    free(t.text);
    assert_int_equal(fatbin_read(ptx, SIZE_MAX, SM, &t), FATBIN_OK); /* size unknown */
    assert_string_equal(t.text, ptx);
    free(t.text);
}

static void test_machine_code(void **state)
{
    (void)state;
    struct fat f = {0};
    struct fatbin_text t;
    fat_begin(&f);
    fat_add(&f, FATBIN_ELF, 86, "\177ELF....", 8, PACK_PLAIN);
    assert_int_equal(read_fat(&f, &t), FATBIN_NONE);
    assert_non_null(strstr(t.why, "sm_86"));
    add_ptx(&f, 75, PACK_PLAIN); /* beside PTX it does not matter */
    assert_int_equal(read_fat(&f, &t), FATBIN_OK);
    free(t.text);
    fat_free(&f);
    assert_int_equal(read_bytes("\177ELF\2\1\1", 8, &t), FATBIN_NONE);
    assert_non_null(strstr(t.why, "cubin"));
}

static void test_foreign(void **state)
{
    (void)state;
    struct fatbin_text t;
    struct fat f = {0};
    assert_int_equal(read_bytes("", 0, &t), FATBIN_BAD);
    assert_int_equal(read_bytes("", 1, &t), FATBIN_BAD);
    assert_int_equal(read_bytes("\x50\xed", 2, &t), FATBIN_BAD);
    assert_int_equal(read_bytes("BC\xc0\xde", 4, &t), FATBIN_BAD); /* LLVM bitcode */
    fat_begin(&f);
    assert_int_equal(read_fat(&f, &t), FATBIN_NONE); /* empty */
    f.b.at[4] = 2;                                   /* version */
    assert_int_equal(read_fat(&f, &t), FATBIN_TOO_NEW);
    fat_free(&f);
}

/* One field of the entry at a time. */
static void expect_bad(enum fat_pack pack, void (*spoil)(struct fatbin_entry *), enum fatbin_status want)
{
    struct fat f = {0};
    struct fatbin_text t;
    const char *text = ptx_for(80);
    fat_begin(&f);
    uint32_t at = fat_add(&f, FATBIN_PTX, 80, text, strlen(text) + 1, pack);
    struct fatbin_entry e = fat_entry(&f, at);
    spoil(&e);
    fat_set_entry(&f, at, &e);
    assert_int_equal(read_fat(&f, &t), want);
    fat_free(&f);
}

static void header_small(struct fatbin_entry *e) { e->header_b = 63; }
static void header_large(struct fatbin_entry *e) { e->header_b = 0xffffffff; }
static void payload_large(struct fatbin_entry *e) { e->payload_b += 8; }
static void payload_wraps(struct fatbin_entry *e) { e->payload_b = UINT64_MAX - 63; }
static void packed_large(struct fatbin_entry *e) { e->compressed_b = (uint32_t)e->payload_b + 1; }
static void packed_short(struct fatbin_entry *e) { e->compressed_b /= 2; }
static void plain_less(struct fatbin_entry *e) { e->plain_b--; }
static void plain_more(struct fatbin_entry *e) { e->plain_b++; }
static void plain_none(struct fatbin_entry *e) { e->plain_b = 0; }
static void plain_huge(struct fatbin_entry *e) { e->plain_b = 1ull << 40; }
static void plain_bomb(struct fatbin_entry *e) { e->plain_b = 200 << 20; }
static void both_packings(struct fatbin_entry *e) { e->flags |= FATBIN_FLAG_LZ4 | FATBIN_FLAG_ZSTD; }

static void test_fields(void **state)
{
    (void)state;
    for (enum fat_pack pack = PACK_LZ4; pack <= PACK_ZSTD; pack++) {
        expect_bad(pack, header_small, FATBIN_BAD);
        expect_bad(pack, header_large, FATBIN_BAD);
        expect_bad(pack, payload_large, FATBIN_BAD);
        expect_bad(pack, payload_wraps, FATBIN_BAD);
        expect_bad(pack, packed_large, FATBIN_BAD);
        expect_bad(pack, packed_short, FATBIN_BAD);
        expect_bad(pack, plain_less, FATBIN_BAD);
        expect_bad(pack, plain_more, FATBIN_BAD);
        expect_bad(pack, plain_none, FATBIN_BAD);
        expect_bad(pack, plain_huge, FATBIN_BAD);
        expect_bad(pack, plain_bomb, FATBIN_BAD);
        expect_bad(pack, both_packings, FATBIN_TOO_NEW);
    }
}

static struct file_text data_file(const char *name)
{
    char path[1024];
    struct file_text t = {0};
    struct diag d = {0};
    snprintf(path, sizeof path, "%s/cudart/data/%s", TEST_DATA_DIR, name);
    assert_true(file_read(path, 1 << 20, &t, &d));
    return t;
}

static const char *const nvcc_files[] = {"nvcc13-none.fatbin", "nvcc13-speed.fatbin",
                                         "nvcc13-default.fatbin"};
enum { NVCC_FILES = 3 };

static void test_nvcc(void **state)
{
    (void)state;
    struct fatbin_text t;
    for (unsigned i = 0; i < NVCC_FILES; i++) {
        struct file_text d = data_file(nvcc_files[i]);
        assert_int_equal(read_bytes(d.at, d.n, &t), FATBIN_OK);
        assert_int_equal(t.arch, 80);
        assert_non_null(strstr(t.text, ".target sm_80"));
        assert_non_null(strstr(t.text, ".entry fill("));
        free(t.text);
        file_free(&d);
    }
    struct file_text elf = data_file("nvcc13-elf.fatbin"), cubin = data_file("nvcc13.cubin");
    assert_int_equal(read_bytes(elf.at, elf.n, &t), FATBIN_NONE);
    assert_int_equal(read_bytes(cubin.at, cubin.n, &t), FATBIN_NONE);
    file_free(&elf);
    file_free(&cubin);
}

/* Flip bits, cut, append, swap pieces: a refusal with its reason or some text, never more. */
static void damage(struct rng *r, unsigned char *b, size_t *n, size_t room)
{
    switch (rng_below(r, 4)) {
    case 0:
        for (unsigned k = 1 + rng_below(r, 8); k; k--)
            b[rng_below(r, (uint32_t)*n)] ^= (unsigned char)(1u << rng_below(r, 8));
        break;
    case 1: *n = 1 + rng_below(r, (uint32_t)*n); break;
    case 2:
        for (unsigned k = 1 + rng_below(r, 64); k && *n < room; k--)
            b[(*n)++] = (unsigned char)rng_u32(r);
        break;
    default: {
        size_t len = 1 + rng_below(r, (uint32_t)*n), from = rng_below(r, (uint32_t)(*n - len + 1)),
               to = rng_below(r, (uint32_t)(*n - len + 1));
        memmove(b + to, b + from, len);
    }
    }
}

static void test_damage(void **state)
{
    (void)state;
    enum { ROUNDS = 20000, ROOM = 8192 };
    struct rng r = {.s = 12};
    unsigned char b[ROOM];
    unsigned refused = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct file_text d = data_file(nvcc_files[round % NVCC_FILES]);
        size_t n = d.n;
        assert_true(n < ROOM);
        memcpy(b, d.at, n);
        file_free(&d);
        for (unsigned k = 1 + rng_below(&r, 3); k; k--)
            damage(&r, b, &n, ROOM);
        struct fatbin_text t;
        refused += read_bytes(b, n, &t) != FATBIN_OK;
        free(t.text);
    }
    assert_in_range(refused, ROUNDS / 4, ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packing),      cmocka_unit_test(test_choice),
        cmocka_unit_test(test_concatenated), cmocka_unit_test(test_text),
        cmocka_unit_test(test_machine_code), cmocka_unit_test(test_foreign),
        cmocka_unit_test(test_fields),       cmocka_unit_test(test_nvcc),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
