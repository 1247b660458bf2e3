/* SPDX-License-Identifier: Apache-2.0 */
#include "base/in_order.h"

#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>

/* Results that may wait for their turn, per thread: a long item in front of short ones does not stop the others at once. */
enum { AHEAD = 4 };

struct slot {
    void *result;
    bool full;
};

struct in_order {
    const struct in_order_ops *ops;
    void *ctx;
    uint32_t n, ahead;
    struct slot *slots; /* item i: i % ahead */
    pthread_mutex_t lock;
    pthread_cond_t moved; /* turn or over */
    uint32_t workers;     /* that have taken their number */
    uint32_t next;        /* the first that nobody has begun */
    uint32_t turn;        /* all before it are finished */
    bool finishing;       /* somebody is at it, and will look for more */
    bool over;
};

/* With the lock held. */
static void finish_ready(struct in_order *o)
{
    if (o->finishing)
        return;
    o->finishing = true;
    while (!o->over && o->turn < o->n && o->slots[o->turn % o->ahead].full) {
        struct slot *s = &o->slots[o->turn % o->ahead];
        pthread_mutex_unlock(&o->lock);
        bool ok = o->ops->finish(o->ctx, o->turn, s->result);
        pthread_mutex_lock(&o->lock);
        s->full = false;
        o->turn++;
        o->over |= !ok;
        pthread_cond_broadcast(&o->moved);
    }
    o->finishing = false;
}

static void *worker(void *arg)
{
    struct in_order *o = arg;
    pthread_mutex_lock(&o->lock);
    uint32_t self = o->workers++;
    for (;;) {
        while (!o->over && o->next < o->n && o->next - o->turn >= o->ahead)
            pthread_cond_wait(&o->moved, &o->lock);
        if (o->over || o->next == o->n)
            break;
        uint32_t i = o->next++;
        pthread_mutex_unlock(&o->lock);
        void *result = o->ops->work(o->ctx, o, self, i);
        pthread_mutex_lock(&o->lock);
        o->slots[i % o->ahead] = (struct slot){result, true};
        finish_ready(o);
    }
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

bool in_order_turn(struct in_order *o, uint32_t i)
{
    pthread_mutex_lock(&o->lock);
    while (!o->over && o->turn != i)
        pthread_cond_wait(&o->moved, &o->lock);
    bool mine = !o->over;
    pthread_mutex_unlock(&o->lock);
    return mine;
}

bool in_order_over(struct in_order *o)
{
    pthread_mutex_lock(&o->lock);
    bool over = o->over;
    pthread_mutex_unlock(&o->lock);
    return over;
}

bool in_order_run(uint32_t n, uint32_t threads, const struct in_order_ops *ops, void *ctx)
{
    threads = threads < n ? threads : n;
    threads = threads ? threads : 1;
    struct in_order o = {.ops = ops, .ctx = ctx, .n = n, .ahead = AHEAD * threads};
    o.slots = xcalloc(o.ahead, sizeof *o.slots);
    pthread_t *ids = xcalloc(threads, sizeof *ids);
    pthread_mutex_init(&o.lock, NULL);
    pthread_cond_init(&o.moved, NULL);
    uint32_t helpers = 0;
    while (helpers + 1 < threads && pthread_create(&ids[helpers], NULL, worker, &o) == 0)
        helpers++; /* fewer do the same work */
    worker(&o);
    for (uint32_t i = 0; i < helpers; i++)
        pthread_join(ids[i], NULL);
    for (uint32_t i = 0; i < o.ahead; i++)
        if (o.slots[i].full)
            ops->drop(ctx, o.slots[i].result);
    pthread_mutex_destroy(&o.lock);
    pthread_cond_destroy(&o.moved);
    free(o.slots);
    free(ids);
    return !o.over;
}
