/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on one reader: each has CTAs of its own, the chunks are shared. */
#include "gen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <pthread.h>
#include <unistd.h>

enum { THREADS = 4, AT_ONCE = 5 };

static const struct gen_launch launches[] = {{0, 300, 64, 30, false, 0}, {0, 20, 64, 9000, true, 0}};
static const struct gen_program program = {31, 1, 2, launches, 0};

struct job {
    struct tr_reader *r;
    uint32_t number;
    const char *why;
};

/* Reads AT_ONCE CTAs in turns, so that chunks are acquired and released all the time. */
static const char *read_some(struct tr_reader *r, uint32_t launch, uint32_t first)
{
    struct tr_cta *cta[AT_ONCE] = {0};
    struct gen_stream g[AT_ONCE][2];
    const struct tr_kernel *k = tr_kernel(r, 0);
    const char *why = NULL;
    struct diag d = {0};
    unsigned open = 0;
    for (uint32_t i = 0; i < AT_ONCE; i++) {
        uint32_t c = first + i * THREADS;
        if (!tr_has_cta(r, launch, c))
            continue;
        cta[i] = tr_open_cta(r, launch, c, &d);
        open += 2;
        for (uint32_t w = 0; w < 2; w++)
            gen_program_stream(&g[i][w], &program, k, launch, c, w);
    }
    while (open && !why)
        for (uint32_t i = 0; i < AT_ONCE && !why; i++)
            for (uint32_t w = 0; cta[i] && w < 2 && !why; w++) {
                struct gen_step want;
                struct tr_step got;
                if (!g[i][w].k)
                    continue;
                enum tr_status st = tr_next(cta[i], w, &got);
                if (st == TR_STEP && gen_next(&g[i][w], &want))
                    why = gen_compare(k, &want, &got);
                else if (st == TR_END && !g[i][w].left)
                    g[i][w].k = NULL, open--;
                else
                    why = "the stream ends too early or too late";
            }
    for (uint32_t i = 0; i < AT_ONCE; i++)
        tr_close_cta(cta[i]);
    diag_free(&d);
    return why;
}

static void *work(void *arg)
{
    struct job *j = arg;
    for (uint32_t l = 0; l < 2 && !j->why; l++)
        for (uint32_t c = j->number; c < launches[l].ctas && !j->why; c += THREADS * AT_ONCE)
            j->why = read_some(j->r, l, c);
    return NULL;
}

static void readers(void **state)
{
    (void)state;
    char path[] = "/tmp/bankshot_trace_XXXXXX";
    int fd = mkstemp(path);
    struct diag d = {0};
    assert_true(fd >= 0 && gen_program_write(&program, path, &d));
    struct tr_reader *r = tr_open(path, &d);
    assert_non_null(r);
    pthread_t t[THREADS];
    struct job j[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        j[i] = (struct job){.r = r, .number = i};
        assert_int_equal(pthread_create(&t[i], NULL, work, &j[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(t[i], NULL);
        if (j[i].why)
            fail_msg("thread %u: %s", i, j[i].why);
    }
    tr_free(r);
    close(fd);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(readers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
