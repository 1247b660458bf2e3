#include "gpu/team.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

/* Windows are short: waiting threads look again and again for a while before they sleep. */
enum { SPINS = 20000 };

struct team {
    uint32_t threads;
    pthread_t *ids;
    pthread_mutex_t lock;
    pthread_cond_t start;
    atomic_uint round; /* odd and even alike: changes when there is work */
    atomic_uint next, left, busy;
    atomic_bool stop;
    uint32_t n;
    void (*f)(void *ctx, uint32_t i);
    void *ctx;
};

static void work(struct team *t)
{
    for (;;) {
        uint32_t i = atomic_fetch_add(&t->next, 1);
        if (i >= t->n)
            return;
        t->f(t->ctx, i);
    }
}

static void *member(void *arg)
{
    struct team *t = arg;
    for (unsigned seen = 0;;) {
        for (uint32_t k = 0; k < SPINS && atomic_load(&t->round) == seen; k++)
            ;
        if (atomic_load(&t->round) == seen) {
            pthread_mutex_lock(&t->lock);
            while (atomic_load(&t->round) == seen)
                pthread_cond_wait(&t->start, &t->lock);
            pthread_mutex_unlock(&t->lock);
        }
        seen = atomic_load(&t->round);
        if (atomic_load(&t->stop))
            return NULL;
        work(t);
        atomic_fetch_sub(&t->busy, 1);
    }
}

struct team *team_new(uint32_t threads)
{
    struct team *t = xcalloc(1, sizeof *t);
    t->threads = threads ? threads : 1;
    t->ids = xcalloc(t->threads, sizeof *t->ids);
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->start, NULL);
    for (uint32_t i = 1; i < t->threads; i++) {
        if (pthread_create(&t->ids[i], NULL, member, t) != 0) {
            t->threads = i; /* fewer helpers do the same work */
            break;
        }
    }
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
    free(t->ids);
    free(t);
}

void team_run(struct team *t, uint32_t n, void (*f)(void *ctx, uint32_t i), void *ctx)
{
    t->n = n;
    t->f = f;
    t->ctx = ctx;
    atomic_store(&t->next, 0);
    if (t->threads > 1 && n > 1) {
        atomic_store(&t->busy, t->threads - 1);
        begin(t);
    }
    work(t);
    if (t->threads > 1 && n > 1)
        while (atomic_load(&t->busy))
            ;
}
