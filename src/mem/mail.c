/* SPDX-License-Identifier: Apache-2.0 */
#include "mem/mail.h"

static struct rows rows_new(uint32_t senders, uint32_t receivers)
{
    struct rows r = {.words = 1 + (receivers + 63) / 64};
    r.at = xcalloc((size_t)senders * r.words, sizeof *r.at);
    return r;
}

static void row_begin(struct rows *r, uint32_t sender, uint64_t window)
{
    uint64_t *row = &r->at[(size_t)sender * r->words];
    memset(row, 0, sizeof *row * r->words);
    *row = window;
}

/* False: it has written to the receiver before. */
static inline bool row_add(struct rows *r, uint32_t sender, uint32_t receiver)
{
    uint64_t *bits = &r->at[(size_t)sender * r->words + 1 + receiver / 64], bit = 1ull << receiver % 64;
    bool first = !(*bits & bit);
    *bits |= bit;
    return first;
}

static inline bool row_has(const struct rows *r, uint32_t sender, uint32_t receiver, uint64_t window)
{
    const uint64_t *row = &r->at[(size_t)sender * r->words];
    return *row == window && row[1 + receiver / 64] >> receiver % 64 & 1;
}

void mail_init(struct mail *x, uint32_t nsm, uint32_t nparts)
{
    *x = (struct mail){.nsm = nsm, .nparts = nparts};
    x->out = xcalloc(nsm, sizeof *x->out);
    x->answers = xcalloc(nparts, sizeof *x->answers);
    x->to_parts = rows_new(nsm, nparts);
    x->to_sms = rows_new(nparts, nsm);
    x->answered = xcalloc(x->to_sms.words, sizeof *x->answered);
    for (uint32_t i = 0; i < nsm; i++) {
        x->out[i].first = xcalloc(nparts, sizeof *x->out[i].first);
        x->out[i].last = xcalloc(nparts, sizeof *x->out[i].last);
        x->out[i].from = xcalloc(nparts, sizeof *x->out[i].from);
    }
    for (uint32_t i = 0; i < nparts; i++) {
        x->answers[i].first = xcalloc(nsm, sizeof *x->answers[i].first);
        x->answers[i].last = xcalloc(nsm, sizeof *x->answers[i].last);
        x->answers[i].from = xcalloc(nsm, sizeof *x->answers[i].from);
    }
}

void mail_free(struct mail *x)
{
    for (uint32_t i = 0; i < x->nsm; i++) {
        vec_free(&x->out[i].sent);
        free(x->out[i].first);
        free(x->out[i].last);
        free(x->out[i].from);
    }
    for (uint32_t i = 0; i < x->nparts; i++) {
        vec_free(&x->answers[i].sent);
        vec_free(&x->answers[i].next);
        free(x->answers[i].first);
        free(x->answers[i].last);
        free(x->answers[i].from);
    }
    free(x->out);
    free(x->answers);
    free(x->to_parts.at);
    free(x->to_sms.at);
    free(x->answered);
}

void mail_begin(struct mail *x, uint64_t until) { x->sent_in = x->answered_in = until; }

/* ---- requests ---- */

void mail_clear(struct mail *x, uint32_t sm)
{
    vec_clear(&x->out[sm].sent);
    row_begin(&x->to_parts, sm, x->sent_in);
}

void mail_put(struct mail *x, uint32_t part, uint32_t slice, const struct mem_req *what)
{
    struct outbox *o = &x->out[what->sm];
    uint32_t i = o->sent.n;
    vec_push(&o->sent, (struct letter){.what = *what, .slice = slice, .next = UINT32_MAX});
    if (row_add(&x->to_parts, what->sm, part))
        o->first[part] = i;
    else
        o->sent.at[o->last[part]].next = i;
    o->last[part] = i;
}

/* Other processors have written it: all first letters are asked for before the first is read. */
void mail_collect(const struct mail *x, uint32_t id, struct mpart *part)
{
    uint32_t *from = x->answers[id].from, n = 0;
    for (uint32_t sm = 0; sm < x->nsm; sm++)
        if (row_has(&x->to_parts, sm, id, x->sent_in))
            from[n++] = sm;
    for (uint32_t k = 0; k < n; k++)
        __builtin_prefetch(&x->out[from[k]].sent.at[x->out[from[k]].first[id]]);
    for (uint32_t k = 0; k < n; k++) {
        const struct outbox *o = &x->out[from[k]];
        for (uint32_t i = o->first[id]; i != UINT32_MAX; i = o->sent.at[i].next)
            mpart_push(part, &part->slices[o->sent.at[i].slice].in, &o->sent.at[i].what);
    }
}

/* ---- replies ---- */

void mail_answer(struct mail *x, uint32_t id, mem_replies *from)
{
    struct answers *a = &x->answers[id];
    mem_replies empty = a->sent;
    a->sent = *from;
    vec_clear(&empty);
    *from = empty;
    vec_reserve(&a->next, a->sent.n);
    row_begin(&x->to_sms, id, x->answered_in);
    for (uint32_t i = 0; i < a->sent.n; i++) {
        uint32_t sm = a->sent.at[i].sm;
        a->next.at[i] = UINT32_MAX;
        if (row_add(&x->to_sms, id, sm))
            a->first[sm] = i;
        else
            a->next.at[a->last[sm]] = i;
        a->last[sm] = i;
    }
}

void mail_sum(struct mail *x)
{
    uint32_t words = x->to_sms.words - 1;
    memset(x->answered, 0, sizeof *x->answered * words);
    for (uint32_t i = 0; i < x->nparts; i++) {
        const uint64_t *row = &x->to_sms.at[(size_t)i * (words + 1)];
        for (uint32_t k = 0; k < words && *row == x->answered_in; k++)
            x->answered[k] |= row[1 + k];
    }
}

bool mail_answered(const struct mail *x, uint32_t sm) { return x->answered[sm / 64] >> sm % 64 & 1; }

void mail_take(const struct mail *x, uint32_t sm, mem_replies *to)
{
    uint32_t *from = x->out[sm].from, n = 0;
    for (uint32_t i = 0; i < x->nparts; i++)
        if (row_has(&x->to_sms, i, sm, x->answered_in))
            from[n++] = i;
    for (uint32_t k = 0; k < n; k++)
        __builtin_prefetch(&x->answers[from[k]].sent.at[x->answers[from[k]].first[sm]]);
    for (uint32_t k = 0; k < n; k++) {
        const struct answers *a = &x->answers[from[k]];
        for (uint32_t i = a->first[sm]; i != UINT32_MAX; i = a->next.at[i])
            vec_push(to, a->sent.at[i]);
    }
}
