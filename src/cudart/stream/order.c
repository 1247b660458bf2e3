/* SPDX-License-Identifier: Apache-2.0 */
/* Frontiers: minimal sets of launches, and the search that keeps them minimal.
 *
 * Launch numbers grow with time and a launch comes only after smaller ones, so whether a is before b is a walk from b back
 * through the after-lists that never needs to look below a. */
#include "cudart/stream/order.h"

/* A walk that meets more launches than this gives up and calls the two unrelated: the frontier then holds a launch too
 * many, which is still right, only longer. Streams that wait for each other regularly stay far below. */
enum { WALK_MAX = 1 << 14 };

void rt_order_free(struct rt_order *o)
{
    vec_free(&o->first);
    vec_free(&o->after);
    vec_free(&o->mark);
    vec_free(&o->todo);
    front_free(&o->joined);
    front_free(&o->lost[0]);
    front_free(&o->lost[1]);
}

void front_free(struct rt_front *f) { vec_free(&f->launches); }

void front_copy(struct rt_front *dst, const struct rt_front *src)
{
    vec_clear(&dst->launches);
    vec_each (&src->launches, l)
        vec_push(&dst->launches, *l);
}

const uint32_t *rt_order_after(const struct rt_order *o, uint32_t launch, uint32_t *n)
{
    *n = 0;
    if (launch + 1 >= o->first.n)
        return NULL;
    *n = o->first.at[launch + 1] - o->first.at[launch];
    return o->after.at + o->first.at[launch];
}

/* Is a before b? */
static bool is_before(struct rt_order *o, uint32_t a, uint32_t b)
{
    if (a >= b || b + 1 >= o->first.n)
        return false;
    if (o->mark.n < o->first.n)
        vec_resize(&o->mark, o->first.n);
    if (++o->search == 0) {
        memset(o->mark.at, 0, sizeof *o->mark.at * o->mark.n);
        o->search = 1;
    }
    vec_clear(&o->todo);
    vec_push(&o->todo, b);
    for (uint32_t met = 0; o->todo.n && met < WALK_MAX; met++) {
        uint32_t n, at = o->todo.at[--o->todo.n];
        const uint32_t *pre = rt_order_after(o, at, &n);
        for (uint32_t i = 0; i < n; i++) {
            if (pre[i] == a)
                return true;
            if (pre[i] > a && o->mark.at[pre[i]] != o->search) {
                o->mark.at[pre[i]] = o->search;
                vec_push(&o->todo, pre[i]);
            }
        }
    }
    return false;
}

static bool front_add(struct rt_order *o, struct rt_front *f, uint32_t launch)
{
    uint32_t kept = 0;
    vec_each (&f->launches, l) {
        if (*l == launch || is_before(o, launch, *l))
            return false;
    }
    for (uint32_t i = 0; i < f->launches.n; i++) {
        uint32_t l = f->launches.at[i];
        if (!is_before(o, l, launch))
            f->launches.at[kept++] = l;
    }
    f->launches.n = kept;
    uint32_t at = 0;
    while (at < kept && f->launches.at[at] < launch)
        at++;
    vec_insert(&f->launches, at, launch);
    return true;
}

bool front_merge(struct rt_order *o, struct rt_front *dst, const struct rt_front *src)
{
    bool changed = false;
    if (dst == src)
        return false;
    vec_each (&src->launches, l)
        changed |= front_add(o, dst, *l);
    if (changed)
        o->tick++;
    return changed;
}

uint32_t rt_order_launch(struct rt_order *o, struct rt_front *f, uint32_t launch)
{
    if (!o->first.n)
        vec_push(&o->first, 0);
    if (launch == UINT32_MAX)
        launch = o->first.n - 1;
    while (o->first.n <= launch) /* launches that nobody told about come after nothing */
        vec_push(&o->first, o->after.n);
    vec_each (&f->launches, l)
        vec_push(&o->after, *l);
    vec_push(&o->first, o->after.n);
    vec_clear(&f->launches);
    vec_push(&f->launches, launch);
    o->tick++;
    return launch;
}
