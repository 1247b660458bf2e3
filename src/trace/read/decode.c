/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding. The hot loop of everything that reads a trace: it checks that what it read was still in its section once per
 * instruction, and relies on CODEC_SLACK_B for the bytes in between. */
#include "trace/codec.h"

#include "base/hint.h"

void decoder_start(struct decoder *d, const struct codec_code *code)
{
    d->run = d->at = 0;
    d->threads = 0;
    d->in = d->prev = (struct codec_mask){0, 0};
    d->cur = (struct codec_mask){UINT32_MAX, TR_LANES};
    memset(d->last, 0, sizeof d->last);
    if (code->nslots)
        memset(d->base, 0, code->nslots * sizeof d->base[0]);
}

/* The next run of instructions begins, when the last one is over. */
INTO const char *next_run(struct decoder *d, const struct codec_code *code)
{
    uint64_t token = varint_read(&d->ctl), len = token >> 3;
    struct codec_mask in = d->cur;
    uint64_t at = d->at;
    if (token & 1)
        at += unzigzag(varint_read(&d->ctl));
    switch (token >> 1 & 3) {
    case MASK_SAME: break;
    case MASK_BEFORE:
        in = d->prev;
        d->prev = d->cur;
        d->cur = in;
        break;
    case MASK_GIVEN:
        d->prev = in;
        in.lanes = load_le32(d->ctl);
        in.n = tr_lanes(in.lanes);
        d->cur = in;
        d->ctl += 4;
        break;
    default: in = (struct codec_mask){0, 0};
    }
    if (d->ctl > d->ctl_end)
        return "control bytes end within a run";
    if (!len || at >= code->n || len > code->n - at || len > d->left)
        return "a run of instructions leaves the code";
    d->at = (uint32_t)at;
    d->run = (uint32_t)len;
    d->in = in;
    d->threads += len * in.n;
    return NULL;
}

INTO const char *read_address(struct decoder *d, unsigned slot, unsigned space, uint32_t mask,
                              struct tr_addr *a)
{
    const uint8_t *p = d->addr;
    unsigned head = *p++, form = head & AF_FORM, code = (head & AF_STRIDE) >> AF_STRIDE_SHIFT;
    if (space == SPACE_NONE) {
        space = ((head & AF_SPACE) >> AF_SPACE_SHIFT) + SPACE_GLOBAL;
        if (space > SPACE_LOCAL)
            space = *p++;
        if (space >= CODEC_SPACES)
            return "an address in an unknown space";
    }
    a->form = (uint8_t)form;
    a->space = (uint8_t)space;
    uint64_t base = (head & AF_BY_SPACE ? d->last[space] : d->base[slot]) + unzigzag(varint_read(&p));
    a->base = d->base[slot] = d->last[space] = base;
    if (form == TF_LIST) {
        head = *p++;
        a->log2 = (uint8_t)((head >> 3 & 7) + 1);
        a->stride = head & 7;
        a->list = p;
        p += (size_t)a->log2 * (tr_lanes(mask) - 1);
    } else {
        a->stride = code ? codec_strides[code] : (int64_t)unzigzag(varint_read(&p));
        if (form == TF_GROUPS) {
            a->log2 = *p++;
            a->jump = (int64_t)unzigzag(varint_read(&p));
            if (a->log2 < 1 || a->log2 > 4)
                return "an address form with groups of impossible size";
        } else if (form != TF_STRIDE) {
            return "an unknown address form";
        }
    }
    d->addr = p;
    return p <= d->addr_end ? NULL : "addresses end too early";
}

/* Of those that ask other units, and those with a second set. */
ASIDE static const char *read_params(struct decoder *d, const struct codec_insn *in, struct tr_step *s)
{
    return read_address(d, in->slot, SPACE_PARAM, codec_params(in), &s->addr[0]);
}
ASIDE static const char *read_second(struct decoder *d, uint32_t slot, uint32_t mask, struct tr_step *s)
{
    return read_address(d, slot, SPACE_SHARED, mask, &s->addr[1]);
}

static const char *read_values(struct decoder *d, unsigned words, struct tr_step *s)
{
    for (unsigned i = 0; i < words; i += 2) {
        unsigned b = *d->val++, high = b >> 4;
        if ((b & 15) >= TV_COUNT || high >= TV_COUNT)
            return "an unknown value class";
        s->values[i] = b & 15;
        s->values[i + 1] = (uint8_t)high;
    }
    return d->val <= d->val_end ? NULL : "value classes end too early";
}

const char *decode_data(struct decoder *d, const struct codec_code *code, uint32_t at, uint32_t mask,
                        struct tr_step *s)
{
    const struct codec_insn *in = &code->insns[at];
    if (RARE(in->nparam))
        return read_params(d, in, s);
    const char *wrong = read_address(d, in->slot, in->space, mask, &s->addr[0]);
    return wrong || in->naddr != 2 ? wrong : read_second(d, (in->slot + 1) % code->nslots, mask, s);
}

const char *decode_insn(struct decoder *d, const struct codec_code *code, struct tr_step *s)
{
    const char *wrong;
    if (!d->run && (wrong = next_run(d, code)))
        return wrong;
    const struct codec_insn *in = &code->insns[d->at];
    uint32_t mask = d->in.lanes;
    s->at = d->at++;
    s->mask = mask;
    d->run--;
    d->left--;
    if (!in->busy || !mask)
        return NULL;
    if (in->words && !d->no_values && (wrong = read_values(d, in->words, s)))
        return wrong;
    return in->nparam || in->naddr ? decode_data(d, code, s->at, mask, s) : NULL;
}

uint32_t decode_runs(struct decoder *d, const struct codec_code *code, uint64_t *keep, uint32_t most,
                     struct tr_run *to, const char **wrong)
{
    uint64_t left = *keep;
    uint32_t i = 0;
    for (; i < most && left; i++) {
        if (!d->run && (*wrong = next_run(d, code)))
            break;
        uint32_t n = left < d->run ? (uint32_t)left : d->run;
        to[i] = (struct tr_run){d->at, n, d->in.lanes, d->in.n};
        left -= n;
        d->at += n;
        d->run -= n;
        d->left -= n;
    }
    *keep = left;
    return i;
}

const char *decode_end(const struct decoder *d)
{
    if (d->left || d->run)
        return "instructions are missing";
    if (d->ctl != d->ctl_end || d->addr != d->addr_end || (d->val != d->val_end && !d->no_values))
        return "bytes are left over";
    return NULL;
}

void tr_expand(const struct tr_addr *a, uint32_t mask, uint64_t out[TR_LANES])
{
    if (!mask)
        return;
    unsigned first = (unsigned)__builtin_ctz(mask);
    uint64_t v = a->base, stride = (uint64_t)a->stride;
    if (a->form == TF_STRIDE) {
        for (unsigned i = 0; i < 4; i++)
            out[i] = a->base + stride * (i - (uint64_t)first);
        /* Vector units multiply no 64-bit numbers, but they add them. */
        for (unsigned i = 4; i < TR_LANES; i++)
            out[i] = out[i - 4] + 4 * stride;
    } else if (a->form == TF_GROUPS) {
        for (unsigned i = 0; i < TR_LANES; i++)
            out[i] = a->base + (uint64_t)a->jump * (i >> a->log2) + stride * (i & ((1u << a->log2) - 1));
    } else if (a->form == TF_LIST) {
        uint64_t keep = ~0ull >> (64 - 8 * a->log2);
        const uint8_t *p = a->list;
        out[first] = v;
        for (uint32_t m = mask & (mask - 1); m; m &= m - 1, p += a->log2) {
            v += unzigzag(load_le64(p) & keep) << stride;
            out[__builtin_ctz(m)] = v;
        }
    }
}
