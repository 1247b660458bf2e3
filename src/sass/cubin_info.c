/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of kernels: sections .nv.info (of all kernels, by symbol) and .nv.info.KERNEL. A list of entries: a byte for the
 * form of the value, a byte for the attribute, two bytes that are the value or the size of what follows. */
#include "sass/cubin_parts.h"

enum form { FORM_NONE = 1, FORM_BYTE = 2, FORM_HALF = 3, FORM_SIZED = 4 };

enum attribute {
    A_MAX_THREADS = 0x05,
    A_PARAM_CBANK = 0x0a,
    A_REQNTID = 0x10,
    A_FRAME_SIZE = 0x11,
    A_MIN_STACK_SIZE = 0x12,
    A_KPARAM_INFO = 0x17,
    A_CBANK_PARAM_SIZE = 0x19,
    A_EXIT_OFFSETS = 0x1c,
    A_MAX_STACK_SIZE = 0x23,
    A_REGCOUNT = 0x2f,
    A_CTA_PER_CLUSTER = 0x3d,
    A_EXPLICIT_CLUSTER = 0x3e,
    A_MAX_CLUSTER_RANK = 0x3f,
    A_KPARAM_INFO_V2 = 0x45,
    A_NUM_BARRIERS = 0x4c
};

struct entry {
    uint8_t form, attribute;
    uint16_t value; /* or size of data */
    const unsigned char *data;
    uint64_t offset; /* in the file */
};

static uint32_t word(const struct entry *e, uint32_t i)
{
    uint32_t w = 0;
    memcpy(&w, e->data + 4 * (size_t)i, 4);
    return w;
}

static bool has_words(struct elf_in *in, const struct entry *e, uint32_t n)
{
    return (e->form == FORM_SIZED && e->value >= 4 * n) ||
           elf_bad(in, e->offset, "attribute 0x%02x has %u bytes, needs %u", e->attribute,
                   e->form == FORM_SIZED ? e->value : 0, 4 * n);
}

static struct cubin_kernel *of_symbol(struct cubin *c, uint32_t symbol)
{
    vec_each (&c->kernels, k) {
        if (k->symbol == symbol)
            return k;
    }
    return NULL;
}

/* .nv.info: pairs of a symbol and a number. Those of device functions say nothing that their callers do not. */
static bool take_shared(struct elf_in *in, struct cubin *c, const struct entry *e)
{
    bool wanted =
        e->attribute == A_REGCOUNT || e->attribute == A_MIN_STACK_SIZE || e->attribute == A_MAX_STACK_SIZE;
    if (!wanted)
        return true;
    if (!has_words(in, e, 2))
        return false;
    struct cubin_kernel *k = of_symbol(c, word(e, 0));
    uint32_t value = word(e, 1);
    if (!k)
        return true;
    if (e->attribute == A_REGCOUNT) {
        if (value > 255)
            return elf_bad(in, e->offset, "'%s' has %u registers", k->name, value);
        k->regs = value;
    } else if (value != UINT32_MAX && value > k->local_b) {
        k->local_b = value;
    }
    return true;
}

/* Ordinal and offset are the halves of word 1. The size is bits 18 to 31 of word 2, or all of it in the form for kernels with
 * more than 4 KiB of parameters. */
static bool take_param(struct elf_in *in, struct cubin_kernel *k, const struct entry *e)
{
    if (!has_words(in, e, 3))
        return false;
    struct cubin_param p = {.ordinal = word(e, 1) & 0xffff, .offset_b = word(e, 1) >> 16};
    p.size_b = e->attribute == A_KPARAM_INFO ? word(e, 2) >> 18 : word(e, 2);
    if (p.ordinal > 4095 || p.size_b > 65536)
        return elf_bad(in, e->offset, "'%s': parameter %u of %u bytes at %u", k->name, p.ordinal, p.size_b,
                       p.offset_b);
    uint32_t at = 0;
    while (at < k->params.n && k->params.at[at].ordinal < p.ordinal)
        at++;
    if (at < k->params.n && k->params.at[at].ordinal == p.ordinal)
        return elf_bad(in, e->offset, "'%s': parameter %u twice", k->name, p.ordinal);
    vec_insert(&k->params, at, p);
    return true;
}

static bool take_three(struct elf_in *in, const struct entry *e, uint32_t out[3])
{
    if (!has_words(in, e, 3))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        out[i] = word(e, i);
    return true;
}

static bool take_own(struct elf_in *in, struct cubin_kernel *k, const struct entry *e)
{
    switch (e->attribute) {
    case A_PARAM_CBANK:
        if (!has_words(in, e, 2))
            return false;
        k->param_base = word(e, 1) & 0xffff;
        k->param_b = word(e, 1) >> 16;
        return true;
    case A_KPARAM_INFO:
    case A_KPARAM_INFO_V2: return take_param(in, k, e);
    case A_EXIT_OFFSETS:
        for (uint32_t i = 0; e->form == FORM_SIZED && i < e->value / 4u; i++)
            vec_push(&k->exits, word(e, i));
        return true;
    case A_MAX_THREADS: return take_three(in, e, k->max_threads);
    case A_REQNTID: return take_three(in, e, k->req_threads);
    case A_CTA_PER_CLUSTER: return take_three(in, e, k->cluster);
    case A_EXPLICIT_CLUSTER: k->explicit_cluster = true; return true;
    case A_MAX_CLUSTER_RANK:
        if (e->form == FORM_SIZED && !has_words(in, e, 1))
            return false;
        k->max_cluster = e->form == FORM_SIZED ? word(e, 0) : e->value;
        return true;
    case A_NUM_BARRIERS: k->barriers = e->value & 0xff; return true;
    default: return true; /* for tools, the driver's checks, older hardware */
    }
}

bool cubin_info(struct elf_in *in, struct cubin *c, uint32_t section, struct cubin_kernel *k)
{
    const struct cubin_section *s = &c->sections.at[section];
    uint64_t base = (uint64_t)(s->data - in->at);
    for (uint64_t at = 0; at < s->size_b;) {
        if (s->size_b - at < 4)
            return elf_bad(in, base + at, "%s: an attribute is cut off", s->name);
        struct entry e = {.form = s->data[at], .attribute = s->data[at + 1], .offset = base + at};
        memcpy(&e.value, s->data + at + 2, 2);
        at += 4;
        if (e.form < FORM_NONE || e.form > FORM_SIZED)
            return elf_bad(in, e.offset, "%s: attribute 0x%02x in form %u", s->name, e.attribute, e.form);
        if (e.form == FORM_SIZED) {
            e.data = s->data + at;
            if (e.value > s->size_b - at)
                return elf_bad(in, e.offset, "%s: attribute 0x%02x of %u bytes, but %llu are left", s->name,
                               e.attribute, e.value, (unsigned long long)(s->size_b - at));
            uint64_t step = ((uint64_t)e.value + 3) & ~3ull;
            at = step > s->size_b - at ? s->size_b : at + step;
        }
        if (!(k ? take_own(in, k, &e) : take_shared(in, c, &e)))
            return false;
    }
    return true;
}
