/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding. Regular things become few bytes that repeat from iteration to iteration, and zstd finds the loops. */
#include "trace/codec.h"

const uint8_t codec_strides[8] = {0, 0, 1, 2, 4, 8, 16, 32};

struct codec_code *codec_code_new(const struct tr_kernel *k)
{
    struct codec_code *c = xcalloc(1, sizeof *c + (size_t)k->n * sizeof c->insns[0]);
    uint32_t sets = 0;
    c->n = k->n;
    for (uint32_t i = 0; i < k->n; i++) {
        const struct tr_insn *in = &k->insns[i];
        unsigned words = 0;
        for (unsigned d = 0; d < in->ndst; d++)
            words += in->dst[d].kind == TO_REG ? in->dst[d].n : 0;
        c->insns[i] = (struct codec_insn){
            .slot = (uint16_t)(sets % CODEC_SLOTS),
            .naddr = in->naddr,
            .space = in->space,
            .words = (uint8_t)(words < CODEC_WORDS ? words : CODEC_WORDS),
            .nparam = in->nparam,
            .busy = in->naddr || in->nparam || words,
        };
        sets += in->naddr + (in->nparam > 0);
    }
    c->nslots = sets < CODEC_SLOTS ? sets : CODEC_SLOTS;
    return c;
}

static bool lacks_room(const struct encoder *e)
{
    return e->ctl.cap - e->ctl.n < CODEC_CTL_MAX_B || e->val.cap - e->val.n < CODEC_VAL_MAX_B;
}

void encoder_start(struct encoder *e)
{
    e->ctl.n = e->addr.n = e->val.n = 0;
    e->tight = lacks_room(e);
    e->insts = e->threads = 0;
    e->start = e->next = CODEC_NO_RUN;
    e->run_mask = 0;
    e->expect = 0;
    e->cur = 0xffffffff;
    e->prev = 0;
    memset(e->last, 0, sizeof e->last);
    memset(e->seen, 0, sizeof e->seen);
}

void encoder_free(struct encoder *e)
{
    buf_free(&e->ctl);
    buf_free(&e->addr);
    buf_free(&e->val);
    free(e->base);
    e->base = NULL;
    e->tight = true;
}

void encoder_reserve(struct encoder *e, const struct codec_code *code)
{
    buf_reserve(&e->ctl, CODEC_CTL_MAX_B);
    buf_reserve(&e->val, CODEC_VAL_MAX_B);
    if (code->nslots) {
        buf_reserve(&e->addr, CODEC_ADDR_MAX_B);
        if (!e->base)
            e->base = xmalloc(code->nslots * sizeof e->base[0]);
    }
    e->tight = false;
}

/* ---- control ---- */

static void end_run(struct encoder *e)
{
    unsigned kind = MASK_ZERO;
    uint32_t len = e->next - e->start;
    if (e->run_mask) {
        kind = e->run_mask == e->cur ? MASK_SAME : e->run_mask == e->prev ? MASK_BEFORE : MASK_GIVEN;
        if (kind != MASK_SAME)
            e->prev = e->cur;
        e->cur = e->run_mask;
    }
    bool jump = e->start != e->expect;
    uint8_t *p = varint_write(e->ctl.at + e->ctl.n, (uint64_t)len << 3 | kind << 1 | jump);
    if (jump)
        p = varint_write(p, zigzag((uint64_t)e->start - e->expect));
    if (kind == MASK_GIVEN) {
        store_le(p, e->run_mask, 4);
        p += 4;
    }
    e->ctl.n = (size_t)(p - e->ctl.at);
    e->tight |= e->ctl.cap - e->ctl.n < CODEC_CTL_MAX_B;
    e->expect = e->next;
    e->insts += len;
    e->threads += (uint64_t)len * tr_lanes(e->run_mask);
}

void encode_end(struct encoder *e)
{
    if (e->next != e->start)
        end_run(e);
    e->start = e->next = CODEC_NO_RUN;
}

void encode_run(struct encoder *e, uint32_t at, uint32_t mask)
{
    if (e->next != e->start)
        end_run(e);
    e->start = at;
    e->next = at + 1;
    e->run_mask = mask;
}

/* ---- addresses ---- */

static unsigned first_lane(uint32_t mask) { return (unsigned)__builtin_ctz(mask); }

typedef uint64_t u64x2 __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t i64x2 __attribute__((vector_size(16), aligned(8), may_alias));

/* Is every step from lane to lane the same? */
static bool steps_are(const uint64_t *a, uint64_t stride)
{
    u64x2 want = {stride, stride}, wrong = {0};
    for (unsigned i = 0; i < TR_LANES - 2; i += 2) /* no early end: this is vector code */
        wrong |= (*(const u64x2 *)(a + i + 1) - *(const u64x2 *)(a + i)) ^ want;
    return !(wrong[0] | wrong[1] | ((a[TR_LANES - 1] - a[TR_LANES - 2]) ^ stride));
}

struct shape {
    unsigned form, log2;
    uint64_t base, stride, jump;
};

/* A whole warp. Lanes where the step from the lane before is another than from lane 0 to 1 tell everything: none is a
 * stride, every 2^k-th with the same step is groups. */
static struct shape whole_shape(const uint64_t *a)
{
    struct shape s = {.form = TF_STRIDE, .base = a[0], .stride = a[1] - a[0]};
    if (a[2] - a[1] == s.stride && a[TR_LANES - 1] - a[TR_LANES - 2] == s.stride && steps_are(a, s.stride))
        return s;
    unsigned size = 2;
    while (size < TR_LANES && a[size] - a[size - 1] == s.stride)
        size++;
    uint64_t step = a[size % TR_LANES] - a[(size - 1) % TR_LANES];
    s.form = TF_LIST;
    if (size & (size - 1) || size == TR_LANES)
        return s;
    for (unsigned i = size + 1; i < TR_LANES; i++)
        if (a[i] - a[i - 1] != (i & (size - 1) ? s.stride : step))
            return s;
    s.form = TF_GROUPS;
    s.log2 = first_lane(size);
    s.jump = a[size] - a[0];
    return s;
}

/* a[lane] == base + stride * (lane - first) for all lanes of the mask. */
static bool fit_stride(const uint64_t *a, uint32_t mask, struct shape *s)
{
    unsigned f = first_lane(mask);
    uint32_t rest = mask & (mask - 1);
    *s = (struct shape){.form = TF_STRIDE, .base = a[f]};
    if (!rest)
        return true;
    unsigned g = first_lane(rest);
    int64_t diff = (int64_t)(a[g] - a[f]), step = g - f;
    if (step != 1) {
        if (diff % step)
            return false;
        diff /= step;
    }
    s->stride = (uint64_t)diff;
    for (rest &= rest - 1; rest; rest &= rest - 1)
        if (a[first_lane(rest)] != s->base + s->stride * (first_lane(rest) - f))
            return false;
    return true;
}

/* a[lane] == base + jump * group + stride * (lane in group), groups of 2^log2 lanes. */
static bool fit_groups(const uint64_t *a, uint32_t mask, unsigned log2, struct shape *s)
{
    unsigned size = 1u << log2, f = first_lane(mask);
    uint32_t group0 = (1u << size) - 1;
    int64_t diff, step;
    *s = (struct shape){.form = TF_GROUPS, .log2 = log2};
    for (unsigned g = 0; g < TR_LANES; g += size) { /* two lanes of one group tell the stride */
        uint32_t in = mask & group0 << g;
        if (!(in & (in - 1)))
            continue;
        unsigned l = first_lane(in), h = first_lane(in & (in - 1));
        diff = (int64_t)(a[h] - a[l]), step = h - l;
        if (diff % step)
            return false;
        s->stride = (uint64_t)(diff / step);
        break;
    }
    uint64_t at_f = a[f] - s->stride * (f & (size - 1));
    uint32_t others = mask & ~(group0 << (f & ~(size - 1)));
    if (others) { /* and two groups the jump */
        unsigned o = first_lane(others);
        diff = (int64_t)(a[o] - s->stride * (o & (size - 1)) - at_f), step = (o >> log2) - (f >> log2);
        if (diff % step)
            return false;
        s->jump = (uint64_t)(diff / step);
    }
    s->base = at_f - s->jump * (f >> log2);
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned l = first_lane(m);
        if (a[l] != s->base + s->jump * (l >> log2) + s->stride * (l & (size - 1)))
            return false;
    }
    return true;
}

static struct shape find_shape(const uint64_t *a, uint32_t mask)
{
    struct shape s;
    if (mask == 0xffffffff)
        return whole_shape(a);
    if (fit_stride(a, mask, &s))
        return s;
    for (unsigned log2 = 4; log2; log2--)
        if (fit_groups(a, mask, log2, &s))
            return s;
    return (struct shape){.form = TF_LIST, .base = a[first_lane(mask)]};
}

/* Index into codec_strides; 0: not there. */
static unsigned stride_code(uint64_t stride)
{
    if (!stride)
        return 1;
    return stride <= 32 && !(stride & (stride - 1)) ? 2 + (unsigned)__builtin_ctzll(stride) : 0;
}

/* The addresses of the lanes of the mask, one behind the other; the last one up to the end. How many there are. */
static unsigned gather_lanes(uint64_t v[TR_LANES], const uint64_t *a, uint32_t mask)
{
    unsigned n = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        v[n++] = a[first_lane(m)];
    for (unsigned i = n; i < TR_LANES; i++)
        v[i] = v[n - 1];
    return n;
}

/* The differences from lane to lane, all in as many bytes as the largest needs, without the zero bits they share. Loops run over
 * all lanes, where there is nothing new for the others, so that they are vector code. */
static uint8_t *put_list(uint8_t *p, const uint64_t *a, uint32_t mask)
{
    uint64_t some[TR_LANES], delta[TR_LANES];
    unsigned n = TR_LANES;
    if (mask != 0xffffffff) {
        n = gather_lanes(some, a, mask);
        a = some;
    }
    u64x2 all = {0}, wide = {0}, before = {a[0], a[0]};
    for (unsigned i = 0; i < TR_LANES; i += 2) {
        u64x2 here = *(const u64x2 *)(a + i), d = here - (u64x2){before[1], here[0]};
        *(u64x2 *)(delta + i) = d;
        all |= d;
        before = here;
    }
    uint64_t bits = all[0] | all[1];
    unsigned shift = bits ? (unsigned)__builtin_ctzll(bits) : 0;
    shift = shift < 7 ? shift : 7;
    for (unsigned i = 0; i < TR_LANES; i += 2) {
        i64x2 d = *(const i64x2 *)(delta + i) >> (int64_t)shift;
        u64x2 z = (u64x2)(d + d) ^ (u64x2)(d < 0);
        *(u64x2 *)(delta + i) = z;
        wide |= z;
    }
    bits = wide[0] | wide[1];
    unsigned bytes = bits ? (71 - (unsigned)__builtin_clzll(bits)) / 8 : 1;
    *p++ = (uint8_t)(shift | (bytes - 1) << 3);
    /* Whole words: what is too much is written over by the next one, and there is room behind the last. */
    for (unsigned i = 1; i < n; i++, p += bytes)
        store_le64(p, delta[i]);
    return p;
}

static unsigned space_code(unsigned space)
{
    return space >= SPACE_GLOBAL && space <= SPACE_LOCAL ? space - SPACE_GLOBAL : 3;
}

/* a: the addresses by lane of a set whose shape is a list. */
static void put_shape(struct encoder *e, unsigned slot, bool generic, unsigned space, const struct shape *s,
                      const uint64_t *a, uint32_t mask)
{
    bool seen = e->seen[slot / 64] >> slot % 64 & 1;
    unsigned form = s->form | (seen ? 0 : AF_BY_SPACE);
    unsigned code = s->form == TF_LIST ? 0 : stride_code(s->stride);
    form |= code << AF_STRIDE_SHIFT;
    if (generic)
        form |= space_code(space) << AF_SPACE_SHIFT;
    uint8_t *p = e->addr.at + e->addr.n;
    *p++ = (uint8_t)form;
    if (generic && space_code(space) == 3)
        *p++ = (uint8_t)space;
    p = varint_write(p, zigzag(s->base - (seen ? e->base[slot] : e->last[space])));
    if (s->form == TF_LIST) {
        p = put_list(p, a, mask);
    } else {
        if (!code)
            p = varint_write(p, zigzag(s->stride));
        if (s->form == TF_GROUPS) {
            *p++ = (uint8_t)s->log2;
            p = varint_write(p, zigzag(s->jump));
        }
    }
    e->addr.n = (size_t)(p - e->addr.at);
    e->seen[slot / 64] |= 1ull << slot % 64;
    e->base[slot] = e->last[space] = s->base;
}

static void put_address(struct encoder *e, unsigned slot, bool generic, unsigned space, const uint64_t *a,
                        uint32_t mask)
{
    struct shape s = find_shape(a, mask);
    put_shape(e, slot, generic, space, &s, a, mask);
}

void encode_values(struct encoder *e, unsigned words, const uint8_t *values)
{
    uint8_t *p = e->val.at + e->val.n;
    for (unsigned i = 0; i < words; i += 2)
        *p++ = !values ? 0 : (uint8_t)(values[i] | (i + 1 < words ? values[i + 1] << 4 : 0));
    e->val.n = (size_t)(p - e->val.at);
    e->tight |= e->val.cap - e->val.n < CODEC_VAL_MAX_B;
}

void encode_addrs(struct encoder *e, const struct codec_code *code, uint32_t at, uint32_t mask, uint8_t space,
                  const struct codec_sets *sets)
{
    const struct codec_insn *in = &code->insns[at];
    bool generic = in->space == SPACE_NONE;
    if (in->nparam) {
        put_address(e, in->slot, false, SPACE_PARAM, sets->list[0], codec_params(in));
        return;
    }
    if (sets->even)
        put_shape(e, in->slot, generic, generic ? space : in->space,
                  &(struct shape){.form = TF_STRIDE, .base = sets->base, .stride = sets->stride}, NULL, mask);
    else
        put_address(e, in->slot, generic, generic ? space : in->space, sets->list[0], mask);
    if (in->naddr == 2)
        put_address(e, (in->slot + 1) % code->nslots, false, SPACE_SHARED, sets->list[1], mask);
}

void encode_insn(struct encoder *e, const struct codec_code *code, uint32_t at, uint32_t mask, uint8_t space,
                 const struct codec_sets *sets, const uint8_t *values)
{
    const struct codec_insn *in = &code->insns[at];
    encode_at(e, at, mask);
    if (!mask)
        return;
    if (in->words)
        encode_values(e, in->words, values);
    if (in->nparam || in->naddr)
        encode_addrs(e, code, at, mask, space, sets);
}
