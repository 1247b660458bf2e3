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
    uint64_t *to;            /* channels that have any */
};

/* What a channel has answered. */
struct answers {
    mem_replies sent;
    VEC(uint32_t) next;     /* of each of them: the next to the same SM */
    uint32_t *first, *last; /* by SM */
};

struct mail {
    uint32_t nsm, nparts;
    uint32_t sm_words, part_words; /* for a bit each */
    struct outbox *out;            /* by SM */
    struct answers *answers;       /* by channel */
    uint64_t *senders;             /* by channel: a bit for each SM that has sent it something */
    uint64_t *answered;            /* by SM: a bit for each channel that has answered */
};

void mail_init(struct mail *x, uint32_t nsm, uint32_t nparts);
void mail_free(struct mail *x);
/* Before an SM sends, what it sent before has been collected; then each of its requests, by time. */
void mail_clear(struct mail *x, uint32_t sm);
void mail_put(struct mail *x, uint32_t part, uint32_t slice, const struct mem_req *what);
/* What SMs have sent to a channel, SM by SM. */
void mail_collect(struct mail *x, uint32_t id, struct mpart *part);
/* The replies of a channel that has some. */
void mail_answer(struct mail *x, uint32_t id, mem_replies *from);
bool mail_answered(const struct mail *x, uint32_t sm); /* has the SM any? */
void mail_take(struct mail *x, uint32_t sm, mem_replies *to);

#endif
