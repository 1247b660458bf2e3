/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs of streams, events and waits: the lists that launches get, followed to their ends, are exactly what a plain
 * model with whole sets of launches says, and no list names a launch that another of its launches already waits for. */
#include "rig.h"

#include "base/rng.h"

enum { STREAMS = 5, EVENTS = 4, STEPS = 160, WORDS = (STEPS + 64) / 64 + 1, PROGRAMS = 400 };

struct set {
    uint64_t w[WORDS];
};

static void add(struct set *s, uint32_t i) { s->w[i / 64] |= 1ull << i % 64; }
static bool has(const struct set *s, uint32_t i) { return s->w[i / 64] >> i % 64 & 1; }
static void join(struct set *to, const struct set *from)
{
    for (int i = 0; i < WORDS; i++)
        to->w[i] |= from->w[i];
}

/* [0]: the legacy stream; then two blocking ones and two others. Launches count from `first`. */
struct model {
    cudaStream_t h[STREAMS];
    cudaEvent_t e[EVENTS];
    struct set stream[STREAMS], event[EVENTS], host, before[STEPS];
    uint32_t first, n;
};

static bool blocking(int i) { return i == 1 || i == 2; }

static void catch_up(struct model *m, int s)
{
    join(&m->stream[s], &m->host);
    for (int i = 1; s == 0 && i < STREAMS; i++) {
        if (blocking(i))
            join(&m->stream[0], &m->stream[i]);
    }
    if (blocking(s))
        join(&m->stream[s], &m->stream[0]);
}

static void launch(struct model *m, int s)
{
    assert_int_equal(go(m->h[s]), m->first + m->n);
    catch_up(m, s);
    m->before[m->n] = m->stream[s];
    add(&m->stream[s], m->n++);
}

static void one_step(struct model *m, struct rng *r)
{
    int s = (int)rng_below(r, STREAMS), e = (int)rng_below(r, EVENTS);
    switch (rng_below(r, 12)) {
    case 0:
    case 1:
        ok(cudaEventRecord(m->e[e], m->h[s]));
        catch_up(m, s);
        m->event[e] = m->stream[s];
        break;
    case 2:
    case 3:
        ok(cudaStreamWaitEvent(m->h[s], m->e[e], 0));
        catch_up(m, s);
        join(&m->stream[s], &m->event[e]);
        break;
    case 4:
        if (rng_below(r, 4))
            break;
        ok(cudaStreamSynchronize(m->h[s]));
        if (s == 0)
            catch_up(m, 0);
        join(&m->host, &m->stream[s]);
        break;
    case 5:
        if (rng_below(r, 4))
            break;
        ok(cudaEventSynchronize(m->e[e]));
        join(&m->host, &m->event[e]);
        break;
    case 6:
        if (rng_below(r, 12))
            break;
        ok(cudaDeviceSynchronize());
        for (int i = 0; i < STREAMS; i++)
            join(&m->host, &m->stream[i]);
        break;
    default: launch(m, s);
    }
}

/* All that a launch comes after, by its list and theirs. */
static struct set closure(const struct model *m, const struct set *of, uint32_t l, bool *minimal)
{
    struct rt *rt = rt_enter("test");
    struct set all = {0};
    uint32_t n;
    const uint32_t *list = rt_order_after(&rt->order, m->first + l, &n);
    rt_leave_quiet(rt);
    *minimal = true;
    for (uint32_t i = 0; i < n; i++) {
        if (list[i] < m->first) /* the barrier before the program, which a program's first launches have */
            continue;
        add(&all, list[i] - m->first);
        join(&all, &of[list[i] - m->first]);
        for (uint32_t k = 0; k < n; k++)
            *minimal &= list[k] < m->first || !has(&of[list[i] - m->first], list[k] - m->first);
    }
    for (uint32_t i = 0; i < n && n > 1; i++)
        *minimal &= list[i] >= m->first; /* everything comes after the barrier */
    return all;
}

static void program(uint64_t seed)
{
    static struct model m; /* large */
    static struct set of[STEPS];
    struct rng r = {seed};
    memset(&m, 0, sizeof m);
    for (int i = 1; i < STREAMS; i++)
        ok(cudaStreamCreateWithFlags(&m.h[i], blocking(i) ? cudaStreamDefault : cudaStreamNonBlocking));
    for (int i = 0; i < EVENTS; i++)
        ok(cudaEventCreateWithFlags(&m.e[i], cudaEventDisableTiming));
    m.first = barrier() + 1;
    for (int i = 0; i < STEPS; i++)
        one_step(&m, &r);
    for (uint32_t l = 0; l < m.n; l++) {
        bool minimal;
        of[l] = closure(&m, of, l, &minimal);
        if (memcmp(&of[l], &m.before[l], sizeof of[l]) != 0 || !minimal) {
            print_error("seed %llu, launch %u: %s\n", (unsigned long long)seed, l,
                        minimal ? "another order" : "not minimal");
            fail();
        }
    }
    for (int i = 1; i < STREAMS; i++)
        ok(cudaStreamDestroy(m.h[i]));
    for (int i = 0; i < EVENTS; i++)
        ok(cudaEventDestroy(m.e[i]));
}

static void random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++)
        program(seed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
