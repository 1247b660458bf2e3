/* SPDX-License-Identifier: Apache-2.0 */
/* What asynchronous Hopper leaves in a SASS trace, made into what it was: barrier objects' counts and phases are found in
 * accelsim_waits.c. Of bulk copies the trace has only where they go: a copy has as many bytes as there are to the next place
 * that one goes to, belongs to the object that its warp arrives at with bytes, and comes from where nobody knows: from its
 * tensor, in turn, whose size is what the user says, or 1 MiB. A CTA is taken as a whole. */
#include "trace/accelsim/accelsim_async.h"

enum { TENSOR_B = 1 << 20, BOX_B = 128 };
#define TENSOR_BASE 0x0000300000000000ull
#define TENSOR_SPACE 0x10000000000ull /* 1 TiB */

struct as_async *as_async_new(const struct accelsim_import *o)
{
    struct as_async *a = xcalloc(1, sizeof *a);
    a->o = o;
    return a;
}

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

bool as_async_uses(const struct tr_kernel *k)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (as_is_object(&k->insns[i]) || as_is_copy(&k->insns[i]))
            return true;
    return false;
}

void as_async_add(struct as_async *a, uint32_t warp, uint32_t at, uint32_t mask, uint8_t space,
                  const uint64_t *const addrs[2])
{
    struct as_step s = {.at = at, .mask = mask, .block = UINT32_MAX, .space = space};
    if (addrs) {
        struct as_lanes b;
        memcpy(b.addr, addrs[0], sizeof b.addr);
        memcpy(b.value, addrs[1], sizeof b.value);
        s.block = a->blocks.n;
        vec_push(&a->blocks, b);
    }
    vec_push(&a->warps[warp], s);
}

static uint64_t first_addr(const struct as_async *a, const struct as_step *s)
{
    return s->mask && s->block != UINT32_MAX ? a->blocks.at[s->block].addr[__builtin_ctz(s->mask)] : 0;
}

/* ---- copies ---- */

static int by_place(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return a < b ? -1 : a > b;
}

static void add_place(struct as_async *a, uint32_t place)
{
    if (a->places.n && bsearch(&place, a->places.at, a->places.n, sizeof place, by_place))
        return;
    vec_push(&a->places, place);
    qsort(a->places.at, a->places.n, sizeof place, by_place);
}

/* A copy is two lines of one PC: where in shared memory, and the tensor. The second is dropped, and its address kept as a
 * value. Returns how many copies there are. */
static uint64_t join_copies(struct as_async *a, const struct tr_kernel *k, as_steps *w)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        struct as_step *s = &w->at[i];
        if (s->gone || !as_is_copy(&k->insns[s->at]) || s->block == UINT32_MAX || !s->mask)
            continue;
        struct as_step *t = i + 1 < w->n ? &w->at[i + 1] : s;
        if (t != s && t->at == s->at && t->block != UINT32_MAX) {
            a->blocks.at[s->block].value[0] = first_addr(a, t);
            t->gone = true;
        }
        add_place(a, (uint32_t)first_addr(a, s) & AS_OFFSET);
        n++;
    }
    return n;
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

/* The number of a tensor among those read or written; a name that is new comes in among the others. */
static uint32_t tensor_of(uint64_t *names, uint32_t *n, uint64_t name)
{
    uint32_t i = 0;
    while (i < *n && names[i] < name)
        i++;
    if ((i < *n && names[i] == name) || *n == ACCELSIM_TENSORS)
        return i < ACCELSIM_TENSORS ? i : ACCELSIM_TENSORS - 1;
    memmove(&names[i + 1], &names[i], (*n - i) * sizeof *names);
    names[i] = name;
    ++*n;
    return i;
}

static void name_tensors(struct as_async *a, const struct tr_kernel *k, const as_steps *w)
{
    vec_each (w, s) {
        const struct tr_insn *in = &k->insns[s->at];
        if (s->gone || !s->mask || s->block == UINT32_MAX || !as_is_copy(in))
            continue;
        uint64_t name = a->blocks.at[s->block].value[0];
        if (in->imm == TT_LOAD)
            tensor_of(a->read, &a->nread, name);
        else
            tensor_of(a->written, &a->nwritten, name);
    }
}

/* Copies of one tensor follow each other from its begin to its end, again and again: CTAs that are as many tiles apart as it
 * has read the same one. Of a tensor with rows a copy has BOX_B bytes of as many rows as make its bytes, and the next one
 * has what stands behind them: boxes are as wide as the widest swizzle, and matrices are multiplied along their rows. */
static void place_copy(struct as_async *a, const struct as_step *s, bool load, uint32_t bytes,
                       uint64_t v[TR_LANES])
{
    uint64_t name = a->blocks.at[s->block].value[0], size = TENSOR_B, row = 0;
    uint32_t t = load ? tensor_of(a->read, &a->nread, name)
                      : ACCELSIM_TENSORS + tensor_of(a->written, &a->nwritten, name);
    if (load && a->o->ntensors) {
        uint32_t i = t < a->o->ntensors ? t : a->o->ntensors - 1;
        size = a->o->tensors[i].size_b;
        row = a->o->tensors[i].row_b;
    }
    uint64_t at = a->copied[t] % size, rows = bytes / BOX_B;
    a->copied[t] += bytes;
    v[0] = TENSOR_BASE + t * TENSOR_SPACE + at;
    v[3] = bytes;
    for (uint32_t d = 0; d < 4; d++)
        v[4 + 2 * d] = 1;
    if (row <= BOX_B || bytes % BOX_B || rows < 2)
        return;
    uint64_t strip = rows * row;
    v[0] += at / strip * strip + at % strip / bytes * BOX_B - at;
    v[3] = BOX_B;
    v[4] = rows;
    v[5] = row;
}

static void describe_copy(struct as_async *a, const struct as_step *s, bool load, uint32_t object,
                          uint64_t v[TR_LANES])
{
    uint32_t place = (uint32_t)first_addr(a, s) & AS_OFFSET;
    memset(v, 0, sizeof *v * TR_LANES);
    v[1] = place;
    v[2] = object;
    place_copy(a, s, load, bytes_at(a, place), v);
}

/* The object that the copy at i belongs to: the one that its warp has arrived at last with bytes, or will arrive at next
 * where its first copy comes before its first arrival. */
static uint32_t object_of_copy(const struct as_async *a, const struct tr_kernel *k, const as_steps *w,
                               uint32_t i, bool after)
{
    for (uint32_t j = i;; after ? j++ : j--) {
        if (j >= w->n)
            return 0;
        const struct tr_insn *in = &k->insns[w->at[j].at];
        if (as_is_object(in) && in->imm == TMB_ARRIVE_EXPECT && w->at[j].mask)
            return (uint32_t)first_addr(a, &w->at[j]) & AS_OFFSET;
    }
}

static bool copies_first(const struct tr_kernel *k, const as_steps *w)
{
    vec_each (w, s) {
        const struct tr_insn *in = &k->insns[s->at];
        if (!s->mask)
            continue;
        if (as_is_load(in))
            return true;
        if (as_is_object(in) && in->imm == TMB_ARRIVE_EXPECT)
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
    bool after; /* copies come before the arrival that they belong to */
};

/* The bytes that belong to the arrival at i. */
static uint64_t bytes_of(struct output *o, const as_steps *w, uint32_t i)
{
    uint64_t sum = 0;
    for (uint32_t j = i; o->after ? j-- > 0 : ++j < w->n;) {
        const struct as_step *s = &w->at[j];
        const struct tr_insn *in = &o->k->insns[s->at];
        if (as_is_object(in) && in->imm == TMB_ARRIVE_EXPECT && s->mask)
            break;
        if (!s->gone && s->mask && as_is_load(in) && s->block != UINT32_MAX)
            sum += bytes_at(o->a, (uint32_t)first_addr(o->a, s) & AS_OFFSET);
    }
    return sum;
}

static void give_values(struct output *o, const as_steps *w, uint32_t i, uint64_t *addr, uint64_t *value)
{
    struct as_async *a = o->a;
    const struct as_step *s = &w->at[i];
    const struct tr_insn *in = &o->k->insns[s->at];
    for (uint32_t m = s->mask; m; m &= m - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(m);
        const struct as_object *x = as_object_at(a, a->blocks.at[s->block].addr[l]);
        addr[l] = x->at;
        value[l] = 1;
        if (in->imm == TMB_INIT)
            value[l] = x->count;
        if (in->imm == TMB_ARRIVE_EXPECT)
            value[l] = bytes_of(o, w, i);
        if (in->imm == TMB_WAIT)
            value[l] = TMB_PHASES + a->blocks.at[s->block].value[l];
    }
}

static void write_step(struct output *o, const as_steps *w, uint32_t i)
{
    struct as_async *a = o->a;
    const struct as_step *s = &w->at[i];
    const struct tr_insn *in = &o->k->insns[s->at];
    uint64_t addr[TR_LANES] = {0}, value[TR_LANES] = {0};
    const uint64_t *sets[2] = {addr, value};
    if (s->block != UINT32_MAX) {
        sets[0] = a->blocks.at[s->block].addr;
        sets[1] = a->blocks.at[s->block].value;
    }
    if (as_is_object(in) && s->mask) {
        give_values(o, w, i, addr, value);
        sets[0] = addr;
        sets[1] = value;
    }
    if (as_is_copy(in) && s->mask) {
        uint32_t object = in->imm == TT_LOAD ? object_of_copy(a, o->k, w, i, o->after) : 0;
        if (s->block != UINT32_MAX)
            describe_copy(a, s, in->imm == TT_LOAD, object, addr);
        sets[0] = addr;
    }
    tr_insn(o->w, o->cta, o->warp, s->at, s->mask, s->space, sets, NULL);
}

uint64_t as_async_write(struct as_async *a, const struct tr_kernel *k, struct tr_writer *writer, uint32_t cta)
{
    uint64_t copies = 0;
    a->objects.n = 0;
    as_waits(a, k);
    for (uint32_t w = 0; w < TR_WARPS; w++)
        copies += join_copies(a, k, &a->warps[w]);
    for (uint32_t w = 0; w < TR_WARPS; w++)
        name_tensors(a, k, &a->warps[w]);
    for (uint32_t w = 0; w < TR_WARPS; w++) {
        as_steps *list = &a->warps[w];
        struct output o = {
            .a = a, .k = k, .w = writer, .cta = cta, .warp = w, .after = copies_first(k, list)};
        for (uint32_t i = 0; i < list->n; i++)
            if (!list->at[i].gone)
                write_step(&o, list, i);
        list->n = 0;
    }
    a->blocks.n = 0;
    return copies;
}

uint64_t as_async_released(const struct as_async *a) { return a->released; }
