#include "gpu/team.h"

#include "base/arena.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Windows are short: waiting threads look again and again for a while before they sleep or let others run. */
enum { SPINS = 20000, HOST_LINE_B = 64 };

/* A thread's share of the work. */
struct share {
    _Alignas(HOST_LINE_B) atomic_uint next;
    uint32_t end;
};

struct team {
    uint32_t threads;
    pthread_t *ids;
    struct share *shares;
    pthread_mutex_t lock;
    pthread_cond_t start;
    uint32_t members;  /* threads that have taken their number */
    atomic_uint round; /* changes when there is work */
    atomic_uint busy;
    atomic_bool stop;
    void (*f)(void *ctx, uint32_t i);
    void *ctx;
};

static void relax(uint32_t spins)
{
    if (spins >= SPINS)
        sched_yield();
#if defined(__aarch64__)
    __asm__ volatile("isb"); /* longer than yield, which most cores take for nothing */
#elif defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* A thread does its own share, the same SMs in every window as far as it goes, since their state may be in its cache; then it
 * helps the others. */
static void work(struct team *t, uint32_t self)
{
    for (uint32_t k = 0; k < t->threads; k++) {
        struct share *s = &t->shares[(self + k) % t->threads];
        for (uint32_t i; (i = atomic_fetch_add(&s->next, 1)) < s->end;)
            t->f(t->ctx, i);
    }
}

static void *member(void *arg)
{
    struct team *t = arg;
    pthread_mutex_lock(&t->lock);
    uint32_t self = ++t->members;
    pthread_mutex_unlock(&t->lock);
    for (unsigned seen = 0;;) {
        for (uint32_t k = 0; k < SPINS && atomic_load(&t->round) == seen; k++)
            relax(k);
        if (atomic_load(&t->round) == seen) {
            pthread_mutex_lock(&t->lock);
            while (atomic_load(&t->round) == seen)
                pthread_cond_wait(&t->start, &t->lock);
            pthread_mutex_unlock(&t->lock);
        }
        seen = atomic_load(&t->round);
        if (atomic_load(&t->stop))
            return NULL;
        work(t, self);
        atomic_fetch_sub(&t->busy, 1);
    }
}

struct team *team_new(uint32_t threads)
{
    struct team *t = xcalloc(1, sizeof *t);
    t->threads = threads ? threads : 1;
    t->ids = xcalloc(t->threads, sizeof *t->ids);
    t->shares = aligned_alloc(HOST_LINE_B, t->threads * sizeof *t->shares);
    if (!t->shares)
        abort();
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->start, NULL);
    uint32_t n = 1;
    while (n < t->threads && pthread_create(&t->ids[n], NULL, member, t) == 0)
        n++;
    t->threads = n; /* fewer helpers do the same work */
    return t;
}

static void begin(struct team *t)
{
    pthread_mutex_lock(&t->lock);
    atomic_fetch_add(&t->round, 1);
    pthread_cond_broadcast(&t->start);
    pthread_mutex_unlock(&t->lock);
}

void team_free(struct team *t)
{
    atomic_store(&t->stop, true);
    begin(t);
    for (uint32_t i = 1; i < t->threads; i++)
        pthread_join(t->ids[i], NULL);
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->start);
    free(t->shares);
    free(t->ids);
    free(t);
}

void team_run(struct team *t, uint32_t n, void (*f)(void *ctx, uint32_t i), void *ctx)
{
    if (t->threads == 1 || n < 2) {
        for (uint32_t i = 0; i < n; i++)
            f(ctx, i);
        return;
    }
    t->f = f;
    t->ctx = ctx;
    for (uint32_t i = 0; i < t->threads; i++) {
        atomic_store(&t->shares[i].next, (uint32_t)((uint64_t)n * i / t->threads));
        t->shares[i].end = (uint32_t)((uint64_t)n * (i + 1) / t->threads);
    }
    atomic_store(&t->busy, t->threads - 1);
    begin(t);
    work(t, 0);
    for (uint32_t k = 0; atomic_load(&t->busy); k++)
        relax(k);
}
