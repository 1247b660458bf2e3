/* SPDX-License-Identifier: Apache-2.0 */
/* Who has a place in the active set of a two-level scheduler, cycle by cycle. Slots are warps, the lower the older. */
#include "gpu/gpu.h"
#include "sm/wsched/wsched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct scene {
    struct gpu_conf c;
    const struct wsched_ops *o;
    void *st;
    uint64_t age[64];
};

static void open_scene(struct scene *x, const char *turn)
{
    struct diag d = {0};
    gpu_conf_init(&x->c);
    assert_true(conf_set(&x->c.conf, "sm.wsched=two-level", CONF_USER, &d));
    assert_true(conf_set(&x->c.conf, "active.warps=2", CONF_USER, &d));
    assert_true(conf_set(&x->c.conf, turn, CONF_USER, &d));
    x->o = wsched_find("two-level");
    x->st = xcalloc(1, x->o->is.state_b);
    x->o->init(x->st, &x->c.sm);
    for (uint32_t i = 0; i < 64; i++)
        x->age[i] = i;
}

static void close_scene(struct scene *x)
{
    free(x->st);
    conf_free(&x->c.conf);
}

/* Of six slots, some with a warp that is ready and some with one that waits for memory: who is picked, and the set after that. */
static void cycle_of(struct scene *x, uint64_t resident, uint64_t ready, uint64_t waiting, int picks,
                     uint64_t set)
{
    struct wsched_view v = {
        .ready = ready, .waiting = waiting, .resident = resident, .slots = 0x3f, .age = x->age};
    int w = x->o->pick(x->st, &v);
    assert_int_equal(w, picks);
    if (w >= 0)
        x->o->issued(x->st, (uint32_t)w);
    assert_int_equal(wsched_active_slots(x->st), set);
}

static void cycle(struct scene *x, uint64_t ready, uint64_t waiting, int picks, uint64_t set)
{
    cycle_of(x, 0x3f, ready, waiting, picks, set);
}

/* The oldest ready one takes the place of one that waits. */
static void oldest_ready(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, "active.turn=false");
    cycle(&x, 0x3f, 0, 0, 0x03);
    cycle(&x, 0x3e, 0x01, 1, 0x06);
    cycle(&x, 0x20, 0x13, 5, 0x24);
    close_scene(&x);
}

/* Warps 2 and 3 are first in line. Both wait: they have their places for a cycle in which nobody issues, although warp 5 is
 * ready, and go to the end of the line. */
static void in_turn(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, "active.turn=true");
    cycle(&x, 0x3f, 0, 0, 0x03);
    cycle(&x, 0x20, 0x0f, WSCHED_NONE, 0x0c);
    cycle(&x, 0x20, 0x0f, 5, 0x30);
    cycle(&x, 0x20, 0x1f, 5, 0x21); /* the first of all comes again */
    close_scene(&x);
}

/* Slots 4 and 5 have no warps. In their turn they have the places for a cycle in which nobody issues, although warp 0 is ready.
 * A warp that comes to slot 4 finds it in the line. */
static void empty_slots_in_turn(void **state)
{
    (void)state;
    struct scene x;
    open_scene(&x, "active.turn=true");
    cycle_of(&x, 0x0f, 0x0f, 0, 0, 0x03);
    cycle_of(&x, 0x0f, 0x0c, 0x03, 2, 0x0c);
    cycle_of(&x, 0x0f, 0x01, 0x0e, WSCHED_NONE, 0);
    cycle_of(&x, 0x0f, 0x01, 0x0e, 0, 0x03);
    cycle_of(&x, 0x1f, 0x10, 0x0f, WSCHED_NONE, 0x0c);
    cycle_of(&x, 0x1f, 0x10, 0x0f, 4, 0x10);
    close_scene(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(oldest_ready), cmocka_unit_test(in_turn),
                                       cmocka_unit_test(empty_slots_in_turn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
