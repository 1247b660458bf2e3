/* SPDX-License-Identifier: Apache-2.0 */
/* What SMs and channels have sent each other in a window, where several threads step them: it lies with the sender, and
 * whoever it is for takes it in the next window. Internal to mem/. */
#ifndef MEM_MAIL_H
#define MEM_MAIL_H

#include "mem/part.h"

/* A request, and the next one of its SM to the same channel. */
struct letter {
    struct mem_req what;
    uint32_t slice, next;
};

/* What an SM has sent. */
struct outbox {
    VEC(struct letter) sent; /* in the order of their times */
    uint32_t *first, *last;  /* by channel: those that go there */
    uint32_t *from;          /* channels that the SM has replies from, while it takes them */
};

/* What a channel has answered. */
struct answers {
    mem_replies sent;
    VEC(uint32_t) next;     /* of each of them: the next to the same SM */
    uint32_t *first, *last; /* by SM */
    uint32_t *from;         /* SMs that have sent the channel something, while it collects that */
};

/* Whom senders have written to, a row for each of them: the window, by its end, and a bit for each receiver. Rows are written by
 * their senders alone, once a window, and read by all; bits that many set would go from one processor to the other each time. */
struct rows {
    uint32_t words; /* of a row */
    uint64_t *at;
};

struct mail {
    uint32_t nsm, nparts;
    struct outbox *out;      /* by SM */
    struct answers *answers; /* by channel */
    struct rows to_parts, to_sms;
    uint64_t *answered; /* a bit for each SM that has replies to take */
    /* The window, by its end, whose requests are to be collected, and whose replies are to be taken; 0: all have been. */
    uint64_t sent_in, answered_in;
};

void mail_init(struct mail *x, uint32_t nsm, uint32_t nparts);
void mail_free(struct mail *x);
/* What is sent from now on is sent in the window that ends there. What was sent before has been collected. */
void mail_begin(struct mail *x, uint64_t until);
/* Before an SM sends; then each of its requests, by time. */
void mail_clear(struct mail *x, uint32_t sm);
void mail_put(struct mail *x, uint32_t part, uint32_t slice, const struct mem_req *what);
/* What SMs have sent to a channel, SM by SM. */
void mail_collect(const struct mail *x, uint32_t id, struct mpart *part);
/* The replies of a channel that has some. */
void mail_answer(struct mail *x, uint32_t id, mem_replies *from);
/* When all channels have answered: who has any? */
void mail_sum(struct mail *x);
bool mail_answered(const struct mail *x, uint32_t sm);
void mail_take(const struct mail *x, uint32_t sm, mem_replies *to);

#endif
