/* SPDX-License-Identifier: Apache-2.0 */
#include "one.h"

#include <assert.h>
#include <unistd.h>

void one_init(struct one *o, struct mini *m)
{
    struct diag d = {0};
    char path[] = "/tmp/bankshot-one-XXXXXX";
    int fd = mkstemp(path);
    assert(fd >= 0);
    close(fd);
    *o = (struct one){.m = m};
    o->tm = (struct sm_timing){
        .lat = &m->conf.lat, .ii = &m->conf.ii, .unit = &m->conf.unit, .count = &m->conf.count};
    mini_write(m, path);
    o->t = tr_open(path, &d);
    assert(o->t);
    unlink(path);
    o->s = sm_new(&m->conf.sm, &o->tm, 0, true);
    o->k = sm_kernel_new(tr_kernel(o->t, 0), (struct sm_kernel_id){0}, &m->conf.sm, &o->tm);
    struct sm_need need = {.warps = m->warps, .threads = m->warps * TR_LANES, .regs = m->regs * TR_LANES};
    assert(sm_has_room(o->s, &need));
    sm_start_cta(o->s, 0, 0, o->k, &need, 0, 0, &(struct sm_source){.trace = o->t, .share = 1});
}

void one_free(struct one *o)
{
    sm_free(o->s);
    sm_kernel_free(o->k);
    tr_free(o->t);
    vec_free(&o->sent);
}

void one_step(struct one *o)
{
    bool ok = sm_run(o->s, ++o->now);
    if (!ok)
        fprintf(stderr, "%s\n", sm_error(o->s));
    assert(ok);
    mem_reqs *out = sm_requests(o->s);
    vec_each (out, r)
        vec_push(&o->sent, *r);
    vec_clear(out);
    o->ended |= sm_finished(o->s)->n != 0;
}

static void answer(struct one *o, const struct mem_req *q, uint64_t at)
{
    vec_push(
        sm_replies(o->s),
        (struct mem_reply){
            .at = at > q->at ? at : q->at, .tag = q->tag, .sm = 0, .sectors = q->sectors, .kind = q->kind});
}

void one_answer(struct one *o, uint32_t n)
{
    for (uint64_t at = o->now; n && o->given < o->sent.n; o->given++) {
        const struct mem_req *q = &o->sent.at[o->given];
        if (!q->wants_reply)
            continue;
        answer(o, q, at++);
        n--;
    }
}

void one_finish(struct one *o, uint32_t after)
{
    for (uint64_t end = o->now + 100000; !o->ended; one_step(o)) {
        assert(o->now < end);
        for (; o->given < o->sent.n; o->given++)
            if (o->sent.at[o->given].wants_reply)
                answer(o, &o->sent.at[o->given], o->now + after);
    }
}
