/* SPDX-License-Identifier: Apache-2.0 */
/* Clients of L1: whose turn it is, who gets an answer, and in which order. The SM has no CTA; a test answers its requests. */
#include "preset.h"

#include "base/rng.h"
#include "sm/l1/replies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LOG = 64, WANTS = 8 };

struct rig {
    struct preset p;
    struct lat_cfg lat;
    struct count_cfg count;
    struct unit_cfg unit;
    struct sm_timing tm;
    struct sm *s;
    uint64_t now;
    char log[LOG]; /* what happened, in order */
    uint32_t n;
};

/* Asks for a list of lines, one after the other, and writes down what it hears: a letter for a lookup, small where it hit, and
 * for an answer. */
struct asker {
    struct rig *r;
    uint32_t client, number; /* its own */
    uint64_t lines[WANTS];
    uint32_t n, at;
    bool waits;    /* for a reply */
    bool bypasses; /* L1 */
    uint64_t answered[WANTS];
};

static void say(struct rig *r, char c)
{
    assert_true(r->n + 1 < LOG);
    r->log[r->n++] = c;
}

static void ask(void *ctx, uint64_t t)
{
    struct asker *a = ctx;
    while (a->at < a->n && !a->waits) {
        enum l1_answer x = l1_fetch(a->r->s, a->client, a->at, !a->bypasses, a->lines[a->at] * LINE_B, 15, t);
        if (x == L1_WAIT) {
            a->waits = l1_open(a->r->s, t);
            return;
        }
        say(a->r, (char)((x == L1_HIT ? 'a' : 'A') + a->number));
        a->at++;
    }
}

static uint64_t ask_next(const void *ctx)
{
    const struct asker *a = ctx;
    return a->at < a->n && !a->waits ? a->r->s->clock.now : NEVER;
}

static void told(void *ctx, uint32_t name, uint64_t t)
{
    struct asker *a = ctx;
    say(a->r, (char)('0' + name + a->number * WANTS / 2));
    a->answered[name] = t;
}

static void replied(void *ctx, uint64_t t)
{
    struct asker *a = ctx;
    (void)t;
    a->waits = false;
}

static void rig_init(struct rig *r, const char *const *sets)
{
    struct conf c = {0};
    memset(r, 0, sizeof *r);
    preset_init(&r->p, NULL);
    for (; *sets; sets++)
        preset_set(&r->p, *sets);
    conf_add(&c, "units", count_opts, count_nopts, &r->count);
    r->tm = (struct sm_timing){.lat = &r->lat, .ii = &r->lat, .unit = &r->unit, .count = &r->count};
    r->s = sm_new(&r->p.sm, &r->tm, 0, false);
    conf_free(&c);
}

static void rig_free(struct rig *r)
{
    sm_free(r->s);
    preset_free(&r->p);
}

static void add(struct rig *r, struct asker *a, uint32_t number, uint32_t priority, uint32_t n,
                const uint64_t *lines)
{
    *a = (struct asker){.r = r, .number = number, .n = n};
    memcpy(a->lines, lines, n * sizeof *lines);
    struct l1_client c = {.name = "test",
                          .priority = priority,
                          .ctx = a,
                          .tick = ask,
                          .next = ask_next,
                          .arrived = told,
                          .replied = replied};
    a->client = l1_add(r->s, &c);
}

static void cycles(struct rig *r, uint32_t n)
{
    while (n--) {
        r->now++;
        sm_run(r->s, r->now);
    }
}

/* Answers the i-th request that was sent. */
static void answer(struct rig *r, uint32_t i)
{
    const struct mem_req *q = &sm_requests(r->s)->at[i];
    vec_push(sm_replies(r->s),
             (struct mem_reply){.at = r->now, .tag = q->tag, .sectors = q->sectors, .kind = q->kind});
}

static const char *const plain[] = {"sm.onchip=partitioned", "sm.request_queue=1000", NULL};

/* One lookup per cycle: the client of lower number of priority has them all as long as it wants any, whoever was added first. */
static void priorities(void **state)
{
    (void)state;
    static const uint64_t x[] = {1, 2, 3}, y[] = {4, 5};
    for (uint32_t swap = 0; swap < 2; swap++) {
        struct rig r;
        struct asker a, b;
        rig_init(&r, plain);
        if (swap)
            add(&r, &b, 1, L1_LSU_PRIORITY + 1, 2, y);
        add(&r, &a, 0, L1_LSU_PRIORITY - 1, 3, x);
        if (!swap)
            add(&r, &b, 1, L1_LSU_PRIORITY + 1, 2, y);
        for (uint32_t t = 1; t <= 5; t++) {
            cycles(&r, 1);
            assert_int_equal(a.at + b.at, t);
        }
        assert_string_equal(r.log, "AAABB");
        assert_int_equal(sm_next(r.s), NEVER);
        rig_free(&r);
    }
}

/* Equal priorities: whoever was added first; three lookups of a cycle are shared. */
static void shared_lookups(void **state)
{
    (void)state;
    static const uint64_t x[] = {1, 2}, y[] = {3, 4};
    static const char *const sets[] = {"sm.onchip=partitioned", "sm.l1_lines=3", "sm.request_queue=1000",
                                       NULL};
    struct rig r;
    struct asker a, b;
    rig_init(&r, sets);
    add(&r, &a, 0, 1, 2, x);
    add(&r, &b, 1, 1, 2, y);
    cycles(&r, 1);
    assert_string_equal(r.log, "AAB");
    cycles(&r, 1);
    assert_string_equal(r.log, "AABB");
    rig_free(&r);
}

/* Each answer goes to who asked, in the order of replies; those who want the same line in the order they asked; hits are not
 * told. */
static void answers(void **state)
{
    (void)state;
    static const uint64_t x[] = {1, 2, 1}, y[] = {2, 3, 1};
    struct rig r;
    struct asker a, b;
    rig_init(&r, plain);
    add(&r, &a, 0, 1, 3, x);
    add(&r, &b, 1, 2, 3, y);
    a.n = b.n = 2;
    cycles(&r, 4);
    assert_string_equal(r.log, "AABB");
    assert_int_equal(sm_requests(r.s)->n, 3); /* line 2 once */
    r.n = 0;
    memset(r.log, 0, sizeof r.log);
    answer(&r, 2); /* line 3: b's second */
    cycles(&r, 5);
    assert_string_equal(r.log, "5");
    answer(&r, 1); /* line 2: a's second, b's first */
    cycles(&r, 5);
    assert_string_equal(r.log, "514");
    answer(&r, 0);
    cycles(&r, 5);
    assert_string_equal(r.log, "5140");
    a.n = b.n = 3; /* line 1 is there */
    cycles(&r, 2);
    assert_string_equal(r.log, "5140ab");
    assert_int_equal(sm_requests(r.s)->n, 3);
    rig_free(&r);
}

/* With one miss entry the second client waits for the first one's reply, and goes on in that cycle. */
static void one_entry(void **state)
{
    (void)state;
    static const uint64_t x[] = {1}, y[] = {2};
    static const char *const sets[] = {"sm.onchip=partitioned", "sm.l1_mshrs=1", NULL};
    struct rig r;
    struct asker a, b;
    rig_init(&r, sets);
    add(&r, &a, 0, 1, 1, x);
    add(&r, &b, 1, 2, 1, y);
    cycles(&r, 10);
    assert_string_equal(r.log, "A");
    assert_true(b.waits && sm_next(r.s) == NEVER);
    answer(&r, 0);
    cycles(&r, 1);
    assert_string_equal(r.log, "A0B");
    assert_int_equal(sm_requests(r.s)->at[1].line, 2 * LINE_B);
    rig_free(&r);
}

/* What bypasses L1 has entries of its own: two lines are on their way when L1's only entry is taken, and the third waits for a
 * reply. Who wants a line that is on its way for somebody else joins it without an entry. */
static void bypassing(void **state)
{
    (void)state;
    static const uint64_t x[] = {1, 2, 3}, y[] = {4, 2};
    static const char *const sets[] = {"sm.onchip=partitioned", "sm.l1_mshrs=1", "sm.bypass_mshrs=2", NULL};
    struct rig r;
    struct asker a, b;
    uint64_t n[SM_STATS] = {0};
    rig_init(&r, sets);
    add(&r, &a, 0, 1, 3, x);
    add(&r, &b, 1, 2, 2, y);
    a.bypasses = true;
    cycles(&r, 10);
    assert_string_equal(r.log, "AABB");
    assert_true(a.waits && sm_requests(r.s)->n == 3);
    answer(&r, 0);
    cycles(&r, 5);
    assert_string_equal(r.log, "AABB0A");
    answer(&r, 1); /* line 2, for both: L1 keeps it now */
    cycles(&r, 5);
    assert_string_equal(r.log, "AABB0A15");
    assert_int_equal(cache_find(&r.s->l1.cache, 2, false)->valid, 15);
    answer(&r, 2);
    answer(&r, 3);
    cycles(&r, 5);
    assert_string_equal(r.log, "AABB0A1542");
    sm_count(r.s, r.now, n);
    assert_int_equal(n[SS_mshr_uses], 1);
    assert_int_equal(n[SS_bypass_uses], 3);
    assert_int_equal(r.s->l1.mshrs.nspare[MSHR_L1], r.s->l1.mshrs.nl1);
    assert_true(r.s->l1.mshrs.nspare[MSHR_BYPASS]);
    rig_free(&r);
}

/* A full port is no reason to wait for a reply. */
static void full_port(void **state)
{
    (void)state;
    static const uint64_t x[] = {1, 2, 3};
    static const char *const sets[] = {"sm.onchip=partitioned", "sm.request_b=1", "sm.request_queue=1", NULL};
    struct rig r;
    struct asker a;
    rig_init(&r, sets);
    add(&r, &a, 0, 1, 3, x);
    cycles(&r, 3); /* the header of 8 bytes leaves from cycle 1 to cycle 8 */
    assert_int_equal(a.at, 1);
    assert_false(a.waits);
    cycles(&r, 20);
    assert_int_equal(a.at, 3);
    rig_free(&r);
}

/* Shared memory claims four cycles from cycle 1 on, in which L1 has had a lookup. In an array of its own that is nothing to L1.
 * In the same one it waits for that lookup, and the next ones wait for it. */
static void one_array(void **state)
{
    (void)state;
    static const uint64_t x[] = {1, 2, 3, 4};
    for (uint32_t same = 0; same < 2; same++) {
        struct rig r;
        struct asker a;
        rig_init(&r, plain);
        if (same)
            r.s->lsu.shared_array = r.s->l1.array;
        add(&r, &a, 0, 1, 4, x);
        cycles(&r, 2);
        assert_int_equal(a.at, 2);
        assert_int_equal(array_claim_all(r.s->lsu.shared_array, 1, 4), 1 + same);
        cycles(&r, 2);
        assert_int_equal(a.at, same ? 2 : 4);
        cycles(&r, 2);
        assert_int_equal(a.at, same ? 2 : 4);
        assert_false(a.waits); /* for a reply: it asks in each cycle */
        cycles(&r, 2);
        assert_int_equal(a.at, 4);
        rig_free(&r);
    }
}

/* What is claimed first is served first. */
static void claims(void **state)
{
    (void)state;
    struct array a = {.accesses = 2};
    assert_int_equal(array_claim_all(&a, 5, 3), 5);
    assert_int_equal(array_claim_all(&a, 6, 1), 8);
    assert_false(array_open(&a, 8));
    assert_true(array_open(&a, 9));
    array_claim(&a, 9);
    assert_true(array_open(&a, 9));
    array_claim(&a, 9);
    assert_false(array_open(&a, 9));
    assert_true(array_open(&a, 10));
    assert_int_equal(array_claim_all(&a, 9, 1), 10);
}

/* Replies come in batches, in any order; the port takes them by time, equal ones by tag, and loses none. They acknowledge stores
 * that nobody waits for. */
static void in_order(void **state)
{
    (void)state;
    static const char *const acks[] = {"sm.onchip=partitioned", "sm.store_acks=true", NULL};
    struct rig r;
    struct rng rng = {7};
    uint64_t given = 0, t = 1;
    rig_init(&r, acks);
    for (uint32_t batch = 0; batch < 300; batch++, t += 10) {
        for (uint32_t n = rng_below(&rng, 12); n; n--, given++)
            vec_push(sm_replies(r.s), (struct mem_reply){.at = t + rng_below(&rng, batch % 7 ? 30 : 300),
                                                         .tag = L1_ACK | rng_below(&rng, 4),
                                                         .kind = MEM_WRITE});
        replies_sort(r.s);
        const struct replies *q = &r.s->port.replies;
        for (uint32_t i = 1; i < q->n; i++) {
            const struct mem_reply *a = &q->at[q->head + i - 1], *b = a + 1;
            assert_true(a->at < b->at || (a->at == b->at && a->tag <= b->tag));
        }
        for (uint64_t u = t; u < t + 10; u++) {
            given -= q->n;
            if (reply_next(r.s) <= u)
                replies_take(r.s, u);
            given += q->n;
            assert_true(!q->n || reply_next(r.s) > u);
        }
        assert_int_equal(given, q->n);
    }
    assert_true(r.s->port.replies.cap > 16);
    rig_free(&r);
}

static void arrives(struct rig *r, uint64_t at, uint32_t tag, uint8_t sectors)
{
    vec_push(sm_replies(r->s),
             (struct mem_reply){.at = at, .tag = tag, .sectors = sectors, .kind = MEM_READ});
    replies_sort(r->s);
}

/* The load-store unit may go on by itself up to whatever comes first of all others; where it is not alone at L1, not at all. */
static void quiet(void **state)
{
    (void)state;
    static const uint64_t x[] = {1};
    static const char *const acks[] = {"sm.onchip=partitioned", "sm.store_acks=true", NULL};
    struct rig r;
    struct asker a;
    rig_init(&r, acks);
    r.s->clock.now = 5;
    r.s->clock.until = 1000;
    assert_int_equal(sm_quiet(r.s), 1000);
    event_at(r.s, 400, EV_FETCHED, 0, 0);
    assert_int_equal(sm_quiet(r.s), 400);
    arrives(&r, 300, L1_ACK, 1); /* replies it takes itself */
    assert_int_equal(sm_quiet(r.s), 400);
    r.s->clock.wake = 200; /* a partition */
    assert_int_equal(sm_quiet(r.s), 200);
    r.s->clock.until = 100;
    assert_int_equal(sm_quiet(r.s), 100);
    add(&r, &a, 0, 1, 1, x);
    assert_int_equal(sm_quiet(r.s), 6);
    rig_free(&r);
}

/* Replies that bring a part of a line are taken one after the other, each in its cycle or when the port is free again, up to a
 * limit; the one that completes it stops that, in its cycle. */
static void taken_alone(void **state)
{
    (void)state;
    static const uint64_t x[] = {1};
    static const char *const sets[] = {"sm.onchip=partitioned", "sm.reply_b=8", NULL};
    struct rig r;
    struct asker a;
    rig_init(&r, sets);
    add(&r, &a, 0, 1, 1, x);
    cycles(&r, 1);
    uint32_t tag = sm_requests(r.s)->at[0].tag;
    arrives(&r, 50, tag, 1);
    arrives(&r, 51, tag, 2); /* a header and a sector: 5 cycles each */
    arrives(&r, 70, tag, 4);
    arrives(&r, 80, tag, 8);
    assert_true(replies_take_alone(r.s, 50));
    assert_int_equal(r.s->port.replies.n, 4);
    assert_true(replies_take_alone(r.s, 70));
    assert_int_equal(r.s->port.replies.n, 2);
    assert_int_equal(r.s->clock.now, 56); /* the second one came in cycle 55 */
    assert_int_equal(r.s->stats[SS_reply_wait], 4);
    assert_string_equal(r.log, "A");
    assert_false(replies_take_alone(r.s, 1000));
    assert_int_equal(r.s->clock.now, 80);
    assert_int_equal(a.answered[0], 80);
    assert_string_equal(r.log, "A0");
    assert_true(replies_take_alone(r.s, 1000)); /* there are none */
    assert_int_equal(r.s->clock.now, 80);
    rig_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(priorities), cmocka_unit_test(shared_lookups), cmocka_unit_test(answers),
        cmocka_unit_test(one_entry),  cmocka_unit_test(bypassing),      cmocka_unit_test(full_port),
        cmocka_unit_test(one_array),  cmocka_unit_test(claims),         cmocka_unit_test(in_order),
        cmocka_unit_test(quiet),      cmocka_unit_test(taken_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
