/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are not whole: cut, changed, patched together. A reader gives what was written as far as it goes, or refuses
 * with the place and the reason; it never gives another stream. */
#define _GNU_SOURCE /* memfd_create */
#include "gen.h"
#include "trace/read/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct gen_launch launches[] = {
    {0, 6, 64, 12, false, 0}, {1, 60, 32, 2, false, 0}, {0, 5, 64, 200, true, 2}, {1, 4, 64, 150, true, 0}};
static const struct gen_program program = {11, 2, 4, launches, 1500},
                                other_program = {12, 2, 4, launches, 1500};

enum { MAX_CHUNKS = 1000 };

struct bytes {
    uint8_t *at;
    size_t n;
};

static struct bytes written(const struct gen_program *p)
{
    char path[] = "/tmp/bankshot_trace_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    struct diag d = {0};
    assert_true(gen_program_write(p, path, &d));
    struct bytes b = {.n = (size_t)lseek(fd, 0, SEEK_END)};
    b.at = xmalloc(b.n);
    assert_int_equal(pread(fd, b.at, b.n, 0), b.n);
    close(fd);
    unlink(path);
    return b;
}

static struct tr_reader *open_bytes(const uint8_t *at, size_t n, struct diag *d)
{
    int fd = memfd_create("trace", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, at, n), n);
    return tr_open_fd(fd, "t.bst", d);
}

enum verdict { REFUSED, RIGHT, PARTLY };

/* Opens and reads everything. RIGHT: all that the file shows was given, and is right. */
static enum verdict judge(const uint8_t *at, size_t n, bool *partial, uint64_t *ctas)
{
    struct diag d = {0};
    struct tr_reader *r = open_bytes(at, n, &d);
    uint64_t refused = 0;
    *ctas = 0;
    if (!r) {
        assert_int_equal(d.errors, 1);
        assert_non_null(strstr(d.msg[0].text, "at byte "));
        diag_free(&d);
        return REFUSED;
    }
    assert_int_equal(d.errors, 0);
    *partial = !tr_closed(r);
    const char *why = gen_program_compare(&program, r, ctas, &refused);
    tr_free(r);
    if (why)
        fail_msg("%s", why);
    return refused ? PARTLY : RIGHT;
}

/* Ends of the chunks, the file's header counted as one. */
static uint32_t chunk_ends(const struct bytes *b, size_t ends[MAX_CHUNKS])
{
    uint32_t n = 0;
    for (size_t at = FILE_HEAD_B; at < b->n; n++) {
        assert_true(n + 1 < MAX_CHUNKS);
        ends[n] = at;
        at += CHUNK_HEAD_B + load_le32(b->at + at + 16);
    }
    ends[n++] = b->n;
    return n;
}

/* Every byte of the file's beginning and end, and about a thousand between. */
static size_t step(struct rng *r, size_t n, size_t at)
{
    return at < 150 || at + 150 > n ? 1 : 1 + rng_below(r, (uint32_t)(n / 500));
}

/* A writer that is killed leaves a prefix of what it would have written. */
static void every_prefix(void **state)
{
    struct bytes *b = *state;
    size_t ends[MAX_CHUNKS];
    uint32_t n = chunk_ends(b, ends), k = 0;
    uint64_t whole = 0, ctas;
    bool partial = false;
    struct rng r = {3};
    for (size_t cut = 0; cut < b->n; cut += step(&r, b->n, cut)) {
        enum verdict v = judge(b->at, cut, &partial, &ctas);
        if (cut < FILE_HEAD_B) {
            assert_int_equal(v, REFUSED);
            continue;
        }
        assert_int_equal(v, RIGHT);
        assert_true(partial);
        if (k + 1 < n && cut >= ends[k + 1]) {
            while (k + 1 < n && cut >= ends[k + 1])
                k++;
            uint64_t at_end;
            assert_int_equal(judge(b->at, ends[k], &partial, &at_end), RIGHT);
            assert_true(at_end >= whole);
            whole = at_end;
        }
        assert_int_equal(ctas, whole); /* a torn chunk adds nothing */
    }
    assert_int_equal(whole, 6 + 60 + 2 + 4);
    assert_int_equal(judge(b->at, b->n, &partial, &ctas), RIGHT);
    assert_int_equal(ctas, whole);
    assert_false(partial);
}

static void every_byte_counts(void **state)
{
    struct bytes *b = *state;
    uint64_t ctas;
    bool partial;
    struct rng r = {4};
    for (size_t at = 0; at < b->n; at += step(&r, b->n, at)) {
        uint8_t kept = b->at[at];
        b->at[at] ^= (uint8_t)(1u << rng_below(&r, 8));
        if (judge(b->at, b->n, &partial, &ctas) == RIGHT)
            fail_msg("byte %zu does not matter", at);
        b->at[at] = kept;
    }
}

static void extended(void **state)
{
    struct bytes *b = *state;
    uint8_t *more = xcalloc(b->n + 4096, 1);
    uint64_t ctas;
    bool partial;
    struct rng r = {5};
    memcpy(more, b->at, b->n);
    for (unsigned i = 0; i < 30; i++) {
        size_t n = 1 + rng_below(&r, 4095);
        for (size_t k = 0; k < n; k++)
            more[b->n + k] = i < 10 ? 0 : rng_below(&r, 256) & 0xff;
        if (i >= 20) /* the file's own end once more */
            memcpy(more + b->n, b->at + b->n - n, n);
        assert_int_equal(judge(more, b->n + n, &partial, &ctas), REFUSED);
    }
    free(more);
}

/* Whole chunks at another place, twice, not at all, or from another trace. */
static void chunks_moved(void **state)
{
    struct bytes *b = *state, other = written(&other_program);
    size_t ends[MAX_CHUNKS], other_ends[MAX_CHUNKS];
    uint32_t n = chunk_ends(b, ends), m = chunk_ends(&other, other_ends);
    uint8_t *out = xmalloc(2 * (b->n + other.n));
    uint64_t ctas;
    bool partial;
    struct rng r = {6};
    for (unsigned i = 0; i < 800; i++) {
        uint32_t a = rng_below(&r, n - 1), c = a + 1 + rng_below(&r, n - 1 - a), x = rng_below(&r, m - 1);
        size_t at = ends[a], len = 0;
        memcpy(out, b->at, at);
        switch (i % 4) {
        case 0: /* chunks a .. c - 1 twice */
            memcpy(out + at, b->at + at, ends[c] - at);
            len = ends[c];
            memcpy(out + len, b->at + at, b->n - at);
            len += b->n - at;
            break;
        case 1: /* without them */
            memcpy(out + at, b->at + ends[c], b->n - ends[c]);
            len = at + b->n - ends[c];
            break;
        case 2: /* one of another trace instead of a */
            memcpy(out + at, other.at + other_ends[x], other_ends[x + 1] - other_ends[x]);
            len = at + other_ends[x + 1] - other_ends[x];
            memcpy(out + len, b->at + ends[a + 1], b->n - ends[a + 1]);
            len += b->n - ends[a + 1];
            break;
        case 3: /* another trace's tail */
            memcpy(out + at, other.at + other_ends[x], other.n - other_ends[x]);
            len = at + other.n - other_ends[x];
            break;
        }
        if ((len == b->n && memcmp(out, b->at, len) == 0) ||
            (len == other.n && memcmp(out, other.at, len) == 0))
            continue; /* nothing has changed, or everything */
        enum verdict v = judge(out, len, &partial, &ctas);
        /* Dropping the file's tail is the same as being killed. */
        if (v == RIGHT && !(partial && len < b->n && memcmp(out, b->at, len) == 0))
            fail_msg("case %u of round %u was accepted", i % 4, i);
    }
    free(out);
    free(other.at);
}

static void random_damage(void **state)
{
    struct bytes *b = *state;
    uint8_t *out = xmalloc(b->n + 8192);
    uint64_t ctas;
    bool partial;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct rng r = {seed};
        size_t n = b->n;
        memcpy(out, b->at, n);
        for (unsigned k = 1 + rng_below(&r, 3); k && n; k--) {
            size_t at = rng_u64(&r) % n, len = 1 + rng_u64(&r) % (n - at), to;
            switch (rng_below(&r, 5)) {
            case 0: out[at] = (uint8_t)rng_u32(&r); break;
            case 1: n = at; break;
            case 2: memset(out + at, 0, len); break;
            case 3:
                to = rng_u64(&r) % n;
                memmove(out + to, out + at, len < n - to ? len : n - to);
                break;
            case 4: memmove(out + at, out + at + len, n - at - len), n -= len; break;
            }
        }
        enum verdict v = judge(out, n, &partial, &ctas);
        bool same = n == b->n && memcmp(out, b->at, n) == 0;
        if (v == RIGHT && !partial && !same) /* a torn chunk at the end may be anything */
            fail_msg("seed %llu was accepted", (unsigned long long)seed);
    }
    free(out);
}

/* Not simulated: the writer's process dies while it writes. */
static void killed(void **state)
{
    (void)state;
    static const struct gen_launch l[] = {{0, 400000, 32, 20, false, 0}};
    struct gen_program p = {13, 1, 1, l, 0};
    char path[] = "/tmp/bankshot_trace_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    pid_t child = fork();
    if (child == 0) {
        struct diag d = {0};
        gen_program_write(&p, path, &d);
        _exit(0);
    }
    while (lseek(fd, 0, SEEK_END) < 300000)
        usleep(1000);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    struct diag d = {0};
    struct tr_reader *r = tr_open(path, &d);
    assert_non_null(r);
    assert_false(tr_closed(r));
    assert_false(tr_launch(r, 0)->complete);
    uint64_t ctas, refused;
    assert_null(gen_program_compare(&p, r, &ctas, &refused));
    assert_true(ctas > 0 && ctas < 400000 && ctas == tr_launch(r, 0)->recorded && !refused);
    tr_free(r);
    close(fd);
    unlink(path);
}

static void foreign(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "hello", "PK\3\4 this is not a trace but it is long enough to be one",
        "\211BST\r\n\032\n this begins like a trace and goes on like something else"};
    uint64_t ctas;
    bool partial;
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(judge((const uint8_t *)texts[i], strlen(texts[i]), &partial, &ctas), REFUSED);
    struct diag d = {0};
    assert_null(tr_open("/tmp", &d));
    assert_null(tr_open("/nonexistent/t.bst", &d));
    assert_int_equal(d.errors, 2);
    diag_free(&d);
}

static int setup(void **state)
{
    static struct bytes b;
    b = written(&program);
    *state = &b;
    return 0;
}

static int teardown(void **state)
{
    free(((struct bytes *)*state)->at);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix), cmocka_unit_test(every_byte_counts), cmocka_unit_test(extended),
        cmocka_unit_test(chunks_moved), cmocka_unit_test(random_damage),     cmocka_unit_test(killed),
        cmocka_unit_test(foreign),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
