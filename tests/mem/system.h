/* SPDX-License-Identifier: Apache-2.0 */
/* A small memory system and its SMs, for tests of the whole: requests go in, windows pass until all is done, replies come out. */
#ifndef TEST_MEM_SYSTEM_H
#define TEST_MEM_SYSTEM_H

#include "rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SMS = 3, MOST = 20000 };

struct fix {
    struct mem_cfg c;
    struct memsys *m;
    mem_reqs out[SMS];
    mem_replies in[SMS];
    uint64_t now, stats[MS_COUNT];
};

static inline void end(struct fix *f)
{
    if (f->m)
        memsys_free(f->m);
    for (uint32_t i = 0; i < SMS; i++) {
        vec_free(&f->out[i]);
        vec_free(&f->in[i]);
    }
}

static inline void begin(struct fix *f)
{
    end(f);
    memset(f->out, 0, sizeof f->out);
    memset(f->in, 0, sizeof f->in);
    f->now = 0;
    f->m = memsys_new(&f->c, 1000, SMS);
}

static inline int setup(void **state)
{
    struct fix *f = calloc(1, sizeof *f);
    f->c = rig_cfg();
    f->c.slices = f->c.channels = 1;
    f->c.icnt_cyc = 20;
    f->c.icnt_slice_b = 128;
    f->c.l2_cyc = 100;
    f->c.l2_kb = 64;
    f->c.l2_ways = 8;
    begin(f);
    *state = f;
    return 0;
}

static inline int teardown(void **state)
{
    end(*state);
    free(*state);
    return 0;
}

static inline void ask(struct fix *f, uint32_t sm, uint64_t at, uint64_t line, enum mem_kind kind,
                       uint32_t tag, bool wants)
{
    vec_push(&f->out[sm], (struct mem_req){.at = at,
                                           .line = line,
                                           .tag = tag,
                                           .sm = (uint16_t)sm,
                                           .kind = (uint8_t)kind,
                                           .sectors = 15,
                                           .bytes = kind == MEM_READ ? 0 : 128,
                                           .wants_reply = wants});
}

/* Windows until nothing is left to do, and then the counters. */
static inline void run(struct fix *f)
{
    uint64_t sent = UINT64_MAX;
    for (uint32_t n = 0;; n++) {
        uint64_t next = memsys_next(f->m), until;
        next = sent < next ? sent : next;
        for (uint32_t i = 0; i < SMS; i++)
            if (f->out[i].n && f->out[i].at[0].at < next)
                next = f->out[i].at[0].at;
        if (next == UINT64_MAX)
            break;
        assert_true(n < MOST);
        f->now = next > f->now ? next : f->now;
        until = f->now + memsys_lookahead(f->m);
        memsys_begin(f->m, until, false);
        sent = UINT64_MAX;
        for (uint32_t i = 0; i < SMS; i++) {
            uint64_t arrives = memsys_send(f->m, i, &f->out[i], until).arrives;
            sent = arrives < sent ? arrives : sent;
        }
        for (uint32_t i = 0; i < memsys_nparts(f->m); i++)
            memsys_step(f->m, i);
        memsys_give(f->m, f->in);
        f->now = until;
    }
    memset(f->stats, 0, sizeof f->stats);
    memsys_count(f->m, f->stats);
}

static inline const struct mem_reply *reply(struct fix *f, uint32_t sm, uint32_t tag)
{
    const struct mem_reply *found = NULL;
    vec_each (&f->in[sm], r) {
        if (r->tag != tag)
            continue;
        assert_null(found);
        found = r;
    }
    assert_non_null(found);
    return found;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
