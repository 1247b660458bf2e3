/* A round is open while its items are handed out. A helper that comes in time takes part, one that comes late misses the round
 * and nobody waits for it: on a busy machine the caller does everything itself rather than wait for a thread that the system
 * has not let run yet. */
#include "gpu/team.h"

#include "base/arena.h"
#include "gpu/pays.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* Rounds follow each other within microseconds as long as there is work, so waiting threads look again and again before they
 * sleep: as long as it takes to fall asleep and be woken, so that at worst waiting costs twice what sleeping had. */
enum { SPIN_NS = 10000, LOOKS = 32, HOST_LINE_B = 64 };

/* The door: number of the round, whether it is open, helpers inside. */
enum { INSIDE_BITS = 16 };
#define OPEN ((uint64_t)1 << INSIDE_BITS)
#define ROUND (OPEN << 1)
#define INSIDE(door) ((door) & (OPEN - 1))

/* A thread's share of the items. */
struct share {
    _Alignas(HOST_LINE_B) atomic_uint next;
    uint32_t end;
};

struct team {
    uint32_t threads;
    pthread_t *ids;
    struct share *shares;
    _Alignas(HOST_LINE_B) atomic_uint_fast64_t door;
    atomic_uint asleep;       /* helpers that have to be woken */
    atomic_bool caller_waits; /* ... for the last helper to leave */
    atomic_bool stop;
    void (*f)(void *ctx, uint32_t i);
    void *ctx;
    struct pays pays;
    uint64_t shared; /* rounds that were opened */
    pthread_mutex_t lock;
    pthread_cond_t opened, left;
    uint32_t members; /* helpers that have taken their number */
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void relax(void)
{
#if defined(__aarch64__)
    __asm__ volatile("isb"); /* longer than yield, which most cores take for nothing */
#elif defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Is there a round that this helper has not seen, or the end? */
static bool is_called(struct team *t, uint64_t seen)
{
    uint64_t door = atomic_load(&t->door);
    return atomic_load(&t->stop) || ((door & OPEN) && door / ROUND != seen);
}

static bool is_empty(struct team *t) { return INSIDE(atomic_load(&t->door)) == 0; }

/* A thread does its own share, the same SMs in every window as far as it goes, since their state may be in its cache; then it
 * helps the others. */
static uint32_t work(struct team *t, uint32_t self)
{
    uint32_t done = 0;
    for (uint32_t k = 0; k < t->threads; k++) {
        struct share *s = &t->shares[(self + k) % t->threads];
        for (uint32_t i; (i = atomic_fetch_add(&s->next, 1)) < s->end; done++)
            t->f(t->ctx, i);
    }
    return done;
}

/* Sleepers announce themselves before they look a last time, and those who wake them look for sleepers after their change: one
 * of the two sees the other. */
static void wait_for_round(struct team *t, uint64_t seen)
{
    for (uint64_t end = now_ns() + SPIN_NS; now_ns() < end;)
        for (uint32_t k = 0; k < LOOKS; k++, relax())
            if (is_called(t, seen))
                return;
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->asleep, 1);
    while (!is_called(t, seen))
        pthread_cond_wait(&t->opened, &t->lock);
    atomic_fetch_sub(&t->asleep, 1);
    pthread_mutex_unlock(&t->lock);
}

static void wait_for_helpers(struct team *t)
{
    for (uint64_t end = now_ns() + SPIN_NS; now_ns() < end;)
        for (uint32_t k = 0; k < LOOKS; k++, relax())
            if (is_empty(t))
                return;
    pthread_mutex_lock(&t->lock);
    atomic_store(&t->caller_waits, true);
    while (!is_empty(t))
        pthread_cond_wait(&t->left, &t->lock);
    atomic_store(&t->caller_waits, false);
    pthread_mutex_unlock(&t->lock);
}

/* False: the round is over. */
static bool enter(struct team *t)
{
    uint64_t door = atomic_load(&t->door);
    while (door & OPEN)
        if (atomic_compare_exchange_weak(&t->door, &door, door + 1))
            return true;
    return false;
}

static void leave(struct team *t)
{
    uint64_t was = atomic_fetch_sub(&t->door, 1);
    if (INSIDE(was) == 1 && atomic_load(&t->caller_waits)) {
        pthread_mutex_lock(&t->lock);
        pthread_cond_signal(&t->left);
        pthread_mutex_unlock(&t->lock);
    }
}

static void *helper(void *arg)
{
    struct team *t = arg;
    pthread_mutex_lock(&t->lock);
    uint32_t self = ++t->members;
    pthread_mutex_unlock(&t->lock);
    for (uint64_t seen = 0;;) {
        wait_for_round(t, seen);
        if (atomic_load(&t->stop))
            return NULL;
        if (!enter(t))
            continue;
        seen = atomic_load(&t->door) / ROUND; /* it cannot change while somebody is inside */
        work(t, self);
        leave(t);
    }
}

struct team *team_new(uint32_t threads)
{
    struct team *t = aligned_alloc(HOST_LINE_B, sizeof *t);
    if (!t)
        abort();
    *t = (struct team){.threads = threads ? threads : 1};
    t->ids = xcalloc(t->threads, sizeof *t->ids);
    t->shares = aligned_alloc(HOST_LINE_B, t->threads * sizeof *t->shares);
    if (!t->shares)
        abort();
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->opened, NULL);
    pthread_cond_init(&t->left, NULL);
    uint32_t n = 1;
    while (n < t->threads && pthread_create(&t->ids[n], NULL, helper, t) == 0)
        n++;
    t->threads = n; /* fewer helpers do the same work */
    return t;
}

static void wake(struct team *t, uint32_t helpers)
{
    if (!atomic_load(&t->asleep))
        return;
    pthread_mutex_lock(&t->lock);
    for (uint32_t i = 0; i < helpers; i++)
        pthread_cond_signal(&t->opened);
    pthread_mutex_unlock(&t->lock);
}

void team_free(struct team *t)
{
    atomic_store(&t->stop, true);
    wake(t, t->threads);
    for (uint32_t i = 1; i < t->threads; i++)
        pthread_join(t->ids[i], NULL);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->opened);
    pthread_cond_destroy(&t->left);
    free(t->shares);
    free(t->ids);
    free(t);
}

uint32_t team_threads(const struct team *t) { return t->threads; }
uint64_t team_shared(const struct team *t) { return t->shared; }

static void run_alone(uint32_t n, void (*f)(void *ctx, uint32_t i), void *ctx)
{
    for (uint32_t i = 0; i < n; i++)
        f(ctx, i);
}

void team_run(struct team *t, uint32_t n, uint32_t worth, void (*f)(void *ctx, uint32_t i), void *ctx)
{
    worth = worth < n ? worth : n;
    worth = worth < t->threads ? worth : t->threads;
    if (worth < 2 || !pays_call(&t->pays)) {
        run_alone(n, f, ctx);
        return;
    }
    uint64_t begun = now_ns();
    t->f = f;
    t->ctx = ctx;
    t->shared++;
    for (uint32_t i = 0; i < t->threads; i++) {
        atomic_store(&t->shares[i].next, (uint32_t)((uint64_t)n * i / t->threads));
        t->shares[i].end = (uint32_t)((uint64_t)n * (i + 1) / t->threads);
    }
    atomic_fetch_add(&t->door, ROUND + OPEN);
    wake(t, worth - 1);
    uint64_t from = now_ns();
    uint32_t own = work(t, 0);
    uint64_t to = now_ns();
    atomic_fetch_sub(&t->door, OPEN);
    if (!is_empty(t))
        wait_for_helpers(t);
    pays_note(&t->pays, own, to - from, n - own, from - begun + now_ns() - to);
}
