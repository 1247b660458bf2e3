/* What asynchronous Hopper leaves in a SASS trace, made into what it was: the addresses of barrier objects are there, but
 * neither the counts that they are initialised with nor the parities that are waited for, and of bulk copies only where they
 * go. A CTA is taken as a whole, and
 * - polling becomes one wait: of tests of an object by a warp that has neither arrived nor copied since, the last one is the
 *   wait, and what was executed between two of one PC was the loop;
 * - an object's count is what makes its arrivals come out even: so many arrivals, so many phases (as many as a warp waits
 *   for it, or one fewer or more). Arrivals at other CTAs' objects count at the same object of the own: the CTAs of a
 *   cluster do alike;
 * - a warp that waits once more than there are phases, or that waits for an object without bytes and feeds those that have
 *   some, begins with a wait that is over at once: the parity is that of the phase before;
 * - a copy has as many bytes as there are to the next place that one goes to, belongs to the object that its warp arrives at
 *   with bytes, and comes from where nobody knows: from 1 MiB of its tensor, in turn. */
#include "trace/accelsim/accelsim_in.h"

enum { OFFSET = 0xffffff /* of a shared address: above is the CTA */, TENSORS = 16, TENSOR_B = 1 << 20 };
#define TENSOR_BASE 0x0000300000000000ull
#define TENSOR_SPACE 0x10000000ull

struct step {
    uint32_t at, mask;
    uint32_t block; /* of addresses; UINT32_MAX: none */
    uint8_t space;
    bool gone;
};
struct block {
    uint64_t addr[TR_LANES], value[TR_LANES];
};
typedef VEC(struct step) steps;

/* An object, by its place in shared memory. */
struct object {
    uint32_t at;
    uint32_t arrivals, waits; /* the most that one warp does */
    uint32_t count;
    bool bytes;
};

struct as_async {
    steps warps[TR_WARPS];
    VEC(struct block) blocks;
    VEC(struct object) objects;
    VEC(uint32_t) places;
    uint64_t tensors[TENSORS];
    uint32_t ntensors;
    uint64_t copied[TENSORS]; /* bytes, of each tensor */
};

struct as_async *as_async_new(void) { return xcalloc(1, sizeof(struct as_async)); }

void as_async_free(struct as_async *a)
{
    if (!a)
        return;
    for (uint32_t w = 0; w < TR_WARPS; w++)
        vec_free(&a->warps[w]);
    vec_free(&a->blocks);
    vec_free(&a->objects);
    vec_free(&a->places);
    free(a);
}

static bool is_object(const struct tr_insn *i) { return i->cls == TC_MBAR && i->naddr == 2; }
static bool is_copy(const struct tr_insn *i) { return i->cls == TC_TMA && i->nparam; }

/* What a warp does between two waits for different phases of an object. */
static bool does(const struct tr_insn *in)
{
    return is_copy(in) || in->cls == TC_GMMA || (is_object(in) && in->imm < TMB_WAIT);
}

bool as_async_uses(const struct tr_kernel *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (is_object(&k->insns[i]) || is_copy(&k->insns[i]))
            return true;
    return false;
}

void as_async_add(struct as_async *a, uint32_t warp, uint32_t at, uint32_t mask, uint8_t space,
                  const uint64_t *const addrs[2])
{
    struct step s = {.at = at, .mask = mask, .block = UINT32_MAX, .space = space};
    if (addrs) {
        struct block b;
        memcpy(b.addr, addrs[0], sizeof b.addr);
        memcpy(b.value, addrs[1], sizeof b.value);
        s.block = a->blocks.n;
        vec_push(&a->blocks, b);
    }
    vec_push(&a->warps[warp], s);
}

static uint64_t first_addr(const struct as_async *a, const struct step *s)
{
    return s->mask && s->block != UINT32_MAX ? a->blocks.at[s->block].addr[__builtin_ctz(s->mask)] : 0;
}

static bool waits_for(const struct as_async *a, const struct step *s, const struct step *t)
{
    if (s->mask & ~t->mask)
        return false;
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        if (((a->blocks.at[s->block].addr[l] ^ a->blocks.at[t->block].addr[l]) & OFFSET) != 0)
            return false;
    }
    return true;
}

/* ---- polling ---- */

static void drop_polls(struct as_async *a, const struct tr_kernel *k, steps *w)
{
    uint32_t last = UINT32_MAX; /* the wait that may be the same */
    for (uint32_t i = 0; i < w->n; i++) {
        struct step *s = &w->at[i];
        const struct tr_insn *in = &k->insns[s->at];
        if (s->mask && does(in))
            last = UINT32_MAX;
        if (is_object(in) && in->imm == TMB_TEST)
            s->gone = true;
        if (strncmp(in->text, "NANOSLEEP.SYNCS", 15) == 0)
            s->gone = true;
        if (!is_object(in) || in->imm != TMB_WAIT || !s->mask)
            continue;
        if (last != UINT32_MAX && waits_for(a, s, &w->at[last])) {
            if (s->mask !=
                w->at[last].mask) { /* some lanes are through: the first one waits for all of them */
                s->gone = true;
                continue;
            }
            bool loop = s->at == w->at[last].at;
            for (uint32_t j = last; j < (loop ? i : last + 1); j++)
                w->at[j].gone = true;
        }
        last = i;
    }
}

/* ---- objects ---- */

static struct object *object_of(struct as_async *a, uint64_t addr)
{
    uint32_t at = (uint32_t)addr & OFFSET;
    vec_each (&a->objects, o) {
        if (o->at == at)
            return o;
    }
    vec_push(&a->objects, (struct object){.at = at});
    return &a->objects.at[a->objects.n - 1];
}

/* The waits of a warp, by object: how many so far, and 1 + what the warp had done before the last one. A wait before which
 * it has done nothing since is for the same phase. */
struct waits {
    uint32_t n, after;
};

static uint32_t number_wait(struct waits *w, uint32_t done)
{
    w->n += w->after != done + 1;
    w->after = done + 1;
    return w->n;
}

static void count_waits(struct as_async *a, const struct tr_kernel *k, const steps *w)
{
    struct waits *waits = xcalloc(a->objects.n + 1, sizeof *waits);
    uint32_t done = 0;
    vec_each (w, s) {
        const struct tr_insn *in = &k->insns[s->at];
        done += s->mask && does(in);
        if (s->gone || !is_object(in) || in->imm != TMB_WAIT)
            continue;
        for (uint32_t m = s->mask; m; m &= m - 1) {
            struct object *o = object_of(a, a->blocks.at[s->block].addr[__builtin_ctz(m)]);
            uint32_t n = number_wait(&waits[o - a->objects.at], done);
            o->waits = n > o->waits ? n : o->waits;
        }
    }
    free(waits);
}

/* Has an object that is filled with bytes, by one arrival a phase, so many phases? */
static bool filled(const struct as_async *a, uint32_t phases)
{
    vec_each (&a->objects, o) {
        if (o->bytes && o->arrivals == phases)
            return true;
    }
    return false;
}

/* As many phases as warps wait for it, or one fewer or more, with an equal number of arrivals; if there is a choice, as many
 * as some other object was filled. */
static uint32_t count_of(const struct as_async *a, const struct object *o)
{
    uint32_t w = o->waits, tries[] = {w, w > 1 ? w - 1 : w, w + 1};
    for (uint32_t t = 0; t < 6; t++) {
        uint32_t phases = tries[t % 3];
        if (phases && o->arrivals && o->arrivals % phases == 0 && (o->bytes || t >= 3 || filled(a, phases)))
            return o->arrivals / phases;
    }
    return w && o->arrivals > w ? o->arrivals / w : 1;
}

static void find_objects(struct as_async *a, const struct tr_kernel *k)
{
    for (uint32_t w = 0; w < TR_WARPS; w++)
        vec_each (&a->warps[w], s) {
            const struct tr_insn *in = &k->insns[s->at];
            if (!is_object(in))
                continue;
            for (uint32_t m = s->mask; m; m &= m - 1) {
                struct object *o = object_of(a, a->blocks.at[s->block].addr[__builtin_ctz(m)]);
                o->arrivals += in->imm == TMB_ARRIVE || in->imm == TMB_ARRIVE_EXPECT;
                o->bytes |= in->imm == TMB_ARRIVE_EXPECT;
            }
        }
    for (uint32_t w = 0; w < TR_WARPS; w++)
        count_waits(a, k, &a->warps[w]);
    vec_each (&a->objects, o)
        o->count = count_of(a, o);
}

/* ---- copies ---- */

static int by_place(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

/* A copy is two lines of one PC: where in shared memory, and the tensor. The second is dropped, and its address kept as a
 * value. */
static void join_copies(struct as_async *a, const struct tr_kernel *k, steps *w)
{
    for (uint32_t i = 0; i < w->n; i++) {
        struct step *s = &w->at[i];
        if (s->gone || !is_copy(&k->insns[s->at]) || s->block == UINT32_MAX || !s->mask)
            continue;
        struct step *t = i + 1 < w->n ? &w->at[i + 1] : s;
        if (t != s && t->at == s->at && t->block != UINT32_MAX) {
            a->blocks.at[s->block].value[0] = first_addr(a, t);
            t->gone = true;
        }
        vec_push(&a->places, (uint32_t)first_addr(a, s) & OFFSET);
    }
}

static uint32_t bytes_at(const struct as_async *a, uint32_t place)
{
    uint32_t n = a->places.n, most = 0;
    for (uint32_t i = 0; i + 1 < n; i++) {
        uint32_t gap = a->places.at[i + 1] - a->places.at[i];
        if (a->places.at[i] == place && gap)
            return gap < 65536 ? gap : 65536;
        most = gap && (!most || gap < most) ? gap : most;
    }
    return most ? most : 4096; /* the last, or the only one */
}

static uint32_t tensor_of(struct as_async *a, uint64_t at)
{
    for (uint32_t i = 0; i < a->ntensors; i++)
        if (a->tensors[i] == at)
            return i;
    if (a->ntensors == TENSORS)
        return 0;
    a->tensors[a->ntensors] = at;
    return a->ntensors++;
}

static void describe_copy(struct as_async *a, const struct step *s, uint32_t object, uint64_t v[TR_LANES])
{
    uint32_t place = (uint32_t)first_addr(a, s) & OFFSET, bytes = bytes_at(a, place);
    uint32_t t = tensor_of(a, a->blocks.at[s->block].value[0]);
    memset(v, 0, sizeof *v * TR_LANES);
    v[0] = TENSOR_BASE + t * TENSOR_SPACE + a->copied[t] % TENSOR_B;
    v[1] = place;
    v[2] = object;
    v[3] = bytes;
    for (uint32_t d = 0; d < 4; d++)
        v[4 + 2 * d] = 1;
    a->copied[t] += bytes;
}

/* The object that the copy at i belongs to: the one that its warp has arrived at last with bytes, or will arrive at next
 * where its first copy comes before its first arrival. */
static uint32_t object_of_copy(const struct as_async *a, const struct tr_kernel *k, const steps *w,
                               uint32_t i, bool after)
{
    for (uint32_t j = i;; after ? j++ : j--) {
        if (j >= w->n)
            return 0;
        const struct tr_insn *in = &k->insns[w->at[j].at];
        if (is_object(in) && in->imm == TMB_ARRIVE_EXPECT && w->at[j].mask)
            return (uint32_t)first_addr(a, &w->at[j]) & OFFSET;
    }
}

static bool copies_first(const struct tr_kernel *k, const steps *w)
{
    vec_each (w, s) {
        const struct tr_insn *in = &k->insns[s->at];
        if (!s->mask)
            continue;
        if (is_copy(in) && in->imm == TT_LOAD)
            return true;
        if (is_object(in) && in->imm == TMB_ARRIVE_EXPECT)
            return false;
    }
    return false;
}

/* ---- writing ---- */

struct output {
    struct as_async *a;
    const struct tr_kernel *k;
    struct tr_writer *w;
    uint32_t cta, warp;
    struct waits *waits; /* by object */
    uint32_t done;
    bool after, feeds;
};

/* The bytes that belong to the arrival at i. */
static uint64_t bytes_of(struct output *o, const steps *w, uint32_t i)
{
    uint64_t sum = 0;
    for (uint32_t j = i; o->after ? j-- > 0 : ++j < w->n;) {
        const struct step *s = &w->at[j];
        const struct tr_insn *in = &o->k->insns[s->at];
        if (is_object(in) && in->imm == TMB_ARRIVE_EXPECT && s->mask)
            break;
        if (!s->gone && s->mask && is_copy(in) && in->imm == TT_LOAD && s->block != UINT32_MAX)
            sum += bytes_at(o->a, (uint32_t)first_addr(o->a, s) & OFFSET);
    }
    return sum;
}

static void give_values(struct output *o, const steps *w, uint32_t i, uint64_t *addr, uint64_t *value)
{
    struct as_async *a = o->a;
    const struct step *s = &w->at[i];
    const struct tr_insn *in = &o->k->insns[s->at];
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        struct object *x = object_of(a, a->blocks.at[s->block].addr[l]);
        addr[l] = x->at;
        value[l] = 1;
        if (in->imm == TMB_INIT)
            value[l] = x->count;
        if (in->imm == TMB_ARRIVE_EXPECT)
            value[l] = bytes_of(o, w, i);
        if (in->imm != TMB_WAIT)
            continue;
        bool over = x->waits > x->arrivals / x->count || (!x->bytes && o->feeds);
        value[l] = (number_wait(&o->waits[x - a->objects.at], o->done) - 1 - over) & 1;
    }
}

static void write_step(struct output *o, const steps *w, uint32_t i)
{
    struct as_async *a = o->a;
    const struct step *s = &w->at[i];
    const struct tr_insn *in = &o->k->insns[s->at];
    uint64_t addr[TR_LANES] = {0}, value[TR_LANES] = {0};
    const uint64_t *sets[2] = {addr, value};
    if (s->block != UINT32_MAX) {
        sets[0] = a->blocks.at[s->block].addr;
        sets[1] = a->blocks.at[s->block].value;
    }
    o->done += s->mask && does(in);
    if (is_object(in) && s->mask) {
        give_values(o, w, i, addr, value);
        sets[0] = addr;
        sets[1] = value;
    }
    if (is_copy(in) && s->mask) {
        uint32_t object = in->imm == TT_LOAD ? object_of_copy(a, o->k, w, i, o->after) : 0;
        if (s->block != UINT32_MAX)
            describe_copy(a, s, object, addr);
        sets[0] = addr;
    }
    tr_insn(o->w, o->cta, o->warp, s->at, s->mask, s->space, sets, NULL);
}

uint64_t as_async_write(struct as_async *a, const struct tr_kernel *k, struct tr_writer *writer, uint32_t cta)
{
    a->objects.n = a->places.n = 0;
    for (uint32_t w = 0; w < TR_WARPS; w++) {
        drop_polls(a, k, &a->warps[w]);
        join_copies(a, k, &a->warps[w]);
    }
    if (a->places.n)
        qsort(a->places.at, a->places.n, sizeof *a->places.at, by_place);
    find_objects(a, k);
    for (uint32_t w = 0; w < TR_WARPS; w++) {
        steps *list = &a->warps[w];
        struct output o = {.a = a, .k = k, .w = writer, .cta = cta, .warp = w};
        o.waits = xcalloc(a->objects.n + 1, sizeof *o.waits);
        o.after = copies_first(k, list);
        vec_each (list, s)
            o.feeds |= s->mask && k->insns[s->at].imm == TMB_ARRIVE_EXPECT && is_object(&k->insns[s->at]);
        for (uint32_t i = 0; i < list->n; i++)
            if (!list->at[i].gone)
                write_step(&o, list, i);
        free(o.waits);
        list->n = 0;
    }
    a->blocks.n = 0;
    return a->places.n;
}
