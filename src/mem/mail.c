#include "mem/mail.h"

void mail_init(struct mail *x, uint32_t nsm, uint32_t nparts)
{
    *x = (struct mail){
        .nsm = nsm, .nparts = nparts, .sm_words = (nsm + 63) / 64, .part_words = (nparts + 63) / 64};
    x->out = xcalloc(nsm, sizeof *x->out);
    x->senders = xcalloc((size_t)nparts * x->sm_words, sizeof *x->senders);
    x->answered = xcalloc((size_t)nsm * x->part_words, sizeof *x->answered);
    x->answers = xcalloc(nparts, sizeof *x->answers);
    for (uint32_t i = 0; i < nsm; i++) {
        x->out[i].first = xcalloc(nparts, sizeof *x->out[i].first);
        x->out[i].last = xcalloc(nparts, sizeof *x->out[i].last);
        x->out[i].to = xcalloc(x->part_words, sizeof *x->out[i].to);
    }
    for (uint32_t i = 0; i < nparts; i++) {
        x->answers[i].first = xcalloc(nsm, sizeof *x->answers[i].first);
        x->answers[i].last = xcalloc(nsm, sizeof *x->answers[i].last);
    }
}

void mail_free(struct mail *x)
{
    for (uint32_t i = 0; i < x->nsm; i++) {
        vec_free(&x->out[i].sent);
        free(x->out[i].first);
        free(x->out[i].last);
        free(x->out[i].to);
    }
    for (uint32_t i = 0; i < x->nparts; i++) {
        vec_free(&x->answers[i].sent);
        vec_free(&x->answers[i].next);
        free(x->answers[i].first);
        free(x->answers[i].last);
    }
    free(x->out);
    free(x->answers);
    free(x->senders);
    free(x->answered);
}

/* ---- requests ---- */

void mail_clear(struct mail *x, uint32_t sm)
{
    struct outbox *o = &x->out[sm];
    vec_clear(&o->sent);
    memset(o->to, 0, sizeof *o->to * x->part_words);
}

void mail_put(struct mail *x, uint32_t part, uint32_t slice, const struct mem_req *what)
{
    uint32_t sm = what->sm;
    struct outbox *o = &x->out[sm];
    uint64_t bit = 1ull << part % 64, *to = &o->to[part / 64];
    uint32_t i = o->sent.n;
    vec_push(&o->sent, (struct letter){.what = *what, .slice = slice, .next = UINT32_MAX});
    if (*to & bit) {
        o->sent.at[o->last[part]].next = i;
    } else {
        *to |= bit;
        o->first[part] = i;
        /* Other SMs may be at it, too. */
        __atomic_fetch_or(&x->senders[(size_t)part * x->sm_words + sm / 64], 1ull << sm % 64,
                          __ATOMIC_RELAXED);
    }
    o->last[part] = i;
}

void mail_collect(struct mail *x, uint32_t id, struct mpart *part)
{
    uint64_t *senders = &x->senders[(size_t)id * x->sm_words];
    for (uint32_t w = 0; w < x->sm_words; w++) {
        for (uint64_t left = senders[w]; left; left &= left - 1) {
            const struct outbox *o = &x->out[w * 64 + (uint32_t)__builtin_ctzll(left)];
            for (uint32_t i = o->first[id]; i != UINT32_MAX; i = o->sent.at[i].next)
                mpart_push(part, o->sent.at[i].slice, &o->sent.at[i].what);
        }
        senders[w] = 0;
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
    uint64_t *mine = &x->answered[id / 64], self = 1ull << id % 64;
    for (uint32_t i = 0; i < a->sent.n; i++) {
        uint32_t sm = a->sent.at[i].sm;
        uint64_t *bits = mine + (size_t)sm * x->part_words;
        a->next.at[i] = UINT32_MAX;
        /* Nobody else sets or clears this bit in this window. */
        if (__atomic_load_n(bits, __ATOMIC_RELAXED) & self) {
            a->next.at[a->last[sm]] = i;
        } else {
            a->first[sm] = i;
            __atomic_fetch_or(bits, self, __ATOMIC_RELAXED);
        }
        a->last[sm] = i;
    }
}

bool mail_answered(const struct mail *x, uint32_t sm)
{
    const uint64_t *bits = &x->answered[(size_t)sm * x->part_words];
    for (uint32_t w = 0; w < x->part_words; w++)
        if (bits[w])
            return true;
    return false;
}

void mail_take(struct mail *x, uint32_t sm, mem_replies *to)
{
    uint64_t *bits = &x->answered[(size_t)sm * x->part_words];
    for (uint32_t w = 0; w < x->part_words; w++) {
        for (uint64_t left = bits[w]; left; left &= left - 1) {
            const struct answers *a = &x->answers[w * 64 + (uint32_t)__builtin_ctzll(left)];
            for (uint32_t i = a->first[sm]; i != UINT32_MAX; i = a->next.at[i])
                vec_push(to, a->sent.at[i]);
        }
        bits[w] = 0;
    }
}
