/* SPDX-License-Identifier: Apache-2.0 */
/* A round is open while its items are handed out. A helper that comes in time takes part, one that comes late misses the round
 * and nobody waits for it: on a busy machine the caller does everything itself rather than wait for a thread that the system
 * has not let run yet. */
#include "gpu/team.h"

#include "base/arena.h"
#include "base/hint.h"
#include "gpu/pays.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Rounds follow each other within microseconds as long as there is work, so who waits looks again and again before it sleeps: to
 * fall asleep and be woken takes 10 us or, on a virtual machine, several times that. How long it looks follows what came of it:
 * half as long where it had to sleep all the same for longer than the longest look, twice as long where it was woken soon. */
enum { LOOK_MIN_NS = 5000, LOOK_MAX_NS = 80000, LOOKS = 32 };

/* The door: number of the round, whether it is open. Who comes in says so in a place of its own, where no other writes, and then
 * looks at the door again: if it is closed meanwhile, or another round's, the caller may not have seen who came, who leaves. */
enum { OPEN = 1, ROUND = 2 };

/* A thread's share of the items of a list. */
struct share {
    atomic_uint next;
    uint32_t end;
};
struct seat {
    _Alignas(HOST_LINE_B) struct share of[TEAM_LISTS];
    _Alignas(HOST_LINE_B) atomic_bool inside;
};

enum chore { CHORE_NONE, CHORE_OFFERED, CHORE_TAKEN };

struct team {
    uint32_t threads;
    pthread_t *ids;
    struct seat *seats; /* by thread */
    _Alignas(HOST_LINE_B) atomic_uint_fast64_t door;
    atomic_uint calls;        /* rounds that were opened, and the end: helpers sleep on it */
    atomic_uint asleep;       /* helpers that have to be woken */
    atomic_uint departures;   /* that the caller was to know of: it sleeps on it */
    atomic_bool caller_waits; /* ... for the last helper to leave */
    atomic_bool stop;
    const struct team_list *lists;
    uint32_t nlists;
    void *ctx;
    atomic_uint chore; /* enum chore */
    void (*chore_f)(void *ctx);
    void *chore_ctx;
    struct pays pays;
    uint64_t shared;     /* rounds that were opened */
    uint64_t look_ns;    /* the caller's */
    atomic_uint members; /* helpers that have taken their number */
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void relax(void)
{
#if defined(__aarch64__)
    __asm__ volatile("isb"); /* longer than yield, which most cores take for nothing */
#elif defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* What is left of a share. One that needs no help is only looked at: to write there would take its line from everybody. */
static uint32_t work_share(struct team *t, uint32_t list, uint32_t whose)
{
    uint32_t done = 0;
    void (*f)(void *ctx, uint32_t i) = t->lists[list].f;
    struct share *s = &t->seats[whose].of[list];
    for (uint32_t i; atomic_load(&s->next) < s->end && (i = atomic_fetch_add(&s->next, 1)) < s->end; done++)
        f(t->ctx, i);
    return done;
}

/* A thread does its own shares, the same SMs in every window as far as it goes, since their state may be in its cache; then it
 * helps the others. */
static uint32_t work(struct team *t, uint32_t self)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < t->nlists; i++)
        done += work_share(t, i, self);
    for (uint32_t i = 0; i < t->nlists; i++)
        for (uint32_t k = 1; k < t->threads; k++)
            done += work_share(t, i, (self + k) % t->threads);
    return done;
}

/* ---- waiting ---- */

/* Sleeps unless the word has changed from `was`. It may return for no reason. */
static void sleep_on(atomic_uint *word, uint32_t was)
{
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, was, NULL, NULL, 0);
}

static void wake(atomic_uint *word, uint32_t sleepers)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, sleepers < INT_MAX ? sleepers : INT_MAX, NULL, NULL, 0);
}

/* False: not for as long as it is worth to look. */
static bool look(struct team *t, bool (*come)(struct team *t, uint64_t arg), uint64_t arg, uint64_t ns)
{
    for (uint64_t end = now_ns() + ns; now_ns() < end;)
        for (uint32_t k = 0; k < LOOKS; k++, relax())
            if (come(t, arg))
                return true;
    return false;
}

static uint64_t next_look(uint64_t look_ns, uint64_t slept_ns)
{
    if (slept_ns > LOOK_MAX_NS)
        return look_ns / 2 > LOOK_MIN_NS ? look_ns / 2 : LOOK_MIN_NS;
    return look_ns * 2 < LOOK_MAX_NS ? look_ns * 2 : LOOK_MAX_NS;
}

/* Is there a round that this helper has not seen, a chore, or the end? */
static bool is_called(struct team *t, uint64_t seen)
{
    uint64_t door = atomic_load(&t->door);
    return atomic_load(&t->stop) || ((door & OPEN) && door / ROUND != seen) ||
           atomic_load(&t->chore) == CHORE_OFFERED;
}

static bool is_empty(struct team *t, uint64_t none)
{
    (void)none;
    for (uint32_t i = 1; i < t->threads; i++)
        if (atomic_load(&t->seats[i].inside))
            return false;
    return true;
}

/* Sleepers announce themselves before they look a last time, and those who wake them look for sleepers after their change: one
 * of the two sees the other. */
static void wait_for_round(struct team *t, uint64_t seen, uint64_t *look_ns)
{
    if (look(t, is_called, seen, *look_ns))
        return;
    uint64_t from = now_ns();
    atomic_fetch_add(&t->asleep, 1);
    for (uint32_t calls = atomic_load(&t->calls); !is_called(t, seen); calls = atomic_load(&t->calls))
        sleep_on(&t->calls, calls);
    atomic_fetch_sub(&t->asleep, 1);
    *look_ns = next_look(*look_ns, now_ns() - from);
}

static void wait_for_helpers(struct team *t)
{
    if (look(t, is_empty, 0, t->look_ns))
        return;
    uint64_t from = now_ns();
    atomic_store(&t->caller_waits, true);
    for (uint32_t gone = atomic_load(&t->departures); !is_empty(t, 0); gone = atomic_load(&t->departures))
        sleep_on(&t->departures, gone);
    atomic_store(&t->caller_waits, false);
    t->look_ns = next_look(t->look_ns, now_ns() - from);
}

/* ---- helpers ---- */

static void leave(struct team *t, uint32_t self)
{
    atomic_store(&t->seats[self].inside, false);
    if (atomic_load(&t->caller_waits)) {
        atomic_fetch_add(&t->departures, 1);
        wake(&t->departures, 1);
    }
}

/* False: the round is over. */
static bool enter(struct team *t, uint32_t self, uint64_t *seen)
{
    uint64_t door = atomic_load(&t->door);
    if (!(door & OPEN))
        return false;
    atomic_store(&t->seats[self].inside, true);
    *seen = door / ROUND;
    if (atomic_load(&t->door) == door)
        return true;
    leave(t, self);
    return false;
}

static void do_chore(struct team *t)
{
    uint32_t offered = CHORE_OFFERED;
    if (!atomic_compare_exchange_strong(&t->chore, &offered, CHORE_TAKEN))
        return;
    t->chore_f(t->chore_ctx);
    atomic_store(&t->chore, CHORE_NONE);
}

static void *helper(void *arg)
{
    struct team *t = arg;
    uint32_t self = atomic_fetch_add(&t->members, 1) + 1;
    uint64_t look_ns = LOOK_MIN_NS;
    for (uint64_t seen = 0;;) {
        wait_for_round(t, seen, &look_ns);
        if (atomic_load(&t->stop))
            return NULL;
        if (atomic_load(&t->chore) == CHORE_OFFERED)
            do_chore(t);
        if (!enter(t, self, &seen))
            continue;
        work(t, self);
        leave(t, self);
    }
}

struct team *team_new(uint32_t threads)
{
    struct team *t = aligned_alloc(HOST_LINE_B, sizeof *t);
    if (!t)
        abort();
    *t = (struct team){.threads = threads ? threads : 1, .look_ns = LOOK_MIN_NS};
    t->ids = xcalloc(t->threads, sizeof *t->ids);
    t->seats = xlines(t->threads, sizeof *t->seats);
    uint32_t n = 1;
    while (n < t->threads && pthread_create(&t->ids[n], NULL, helper, t) == 0)
        n++;
    t->threads = n; /* fewer helpers do the same work */
    return t;
}

static void call(struct team *t, uint32_t helpers)
{
    atomic_fetch_add(&t->calls, 1);
    if (atomic_load(&t->asleep))
        wake(&t->calls, helpers);
}

void team_free(struct team *t)
{
    atomic_store(&t->stop, true);
    call(t, t->threads);
    for (uint32_t i = 1; i < t->threads; i++)
        pthread_join(t->ids[i], NULL);
    free(t->seats);
    free(t->ids);
    free(t);
}

void team_offer(struct team *t, void (*f)(void *ctx), void *ctx)
{
    if (team_busy(t))
        return;
    t->chore_f = f;
    t->chore_ctx = ctx;
    atomic_store(&t->chore, CHORE_OFFERED);
}

bool team_busy(const struct team *t) { return atomic_load(&t->chore) != CHORE_NONE; }

uint32_t team_threads(const struct team *t) { return t->threads; }
uint64_t team_shared(const struct team *t) { return t->shared; }

static void run_alone(const struct team_list *lists, uint32_t nlists, void *ctx)
{
    for (uint32_t k = 0; k < nlists; k++)
        for (uint32_t i = 0; i < lists[k].n; i++)
            lists[k].f(ctx, i);
}

static void share_out(struct team *t)
{
    for (uint32_t i = 0; i < t->threads; i++)
        for (uint32_t k = 0; k < t->nlists; k++) {
            struct share *s = &t->seats[i].of[k];
            const uint32_t *ends = t->lists[k].ends;
            uint32_t from = ends ? i ? ends[i - 1] : 0 : team_share(t->lists[k].n, t->threads, i);
            atomic_store_explicit(&s->next, from, memory_order_relaxed);
            s->end = ends ? ends[i] : team_share(t->lists[k].n, t->threads, i + 1);
        }
}

void team_run(struct team *t, const struct team_list *lists, uint32_t nlists, uint32_t worth, void *ctx)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < nlists; k++)
        n += lists[k].n;
    worth = worth < n ? worth : n;
    worth = worth < t->threads ? worth : t->threads;
    if (worth < 2 || !pays_call(&t->pays)) {
        run_alone(lists, nlists, ctx);
        return;
    }
    uint64_t begun = now_ns();
    t->lists = lists;
    t->nlists = nlists;
    t->ctx = ctx;
    t->shared++;
    share_out(t);
    atomic_fetch_add(&t->door, ROUND + OPEN);
    call(t, worth - 1);
    uint64_t from = now_ns();
    uint32_t own = work(t, 0);
    uint64_t to = now_ns();
    atomic_fetch_sub(&t->door, OPEN);
    if (!is_empty(t, 0))
        wait_for_helpers(t);
    pays_note(&t->pays, own, to - from, n - own, from - begun + now_ns() - to);
}
