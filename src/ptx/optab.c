/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/optab.h"

const char *const ptx_op_names[P_COUNT] = {
#define POP(name, ...) #name,
#include "ptx/ops.def"
#undef POP
};

const struct ptx_op_info ptx_ops[P_COUNT] = {
#define POP(name, lo, hi, tlo, thi, types, mods) {#name, lo, hi, tlo, thi, types, mods},
#include "ptx/ops.def"
#undef POP
};

const struct ptx_mod_info ptx_mods[M_COUNT] = {
#define MOD(e, s, field, value) {s, MF_##field, value},
#include "ptx/mods.def"
#undef MOD
};

/* Groups of words in the rows of ops.def. */
static const struct {
    const char *name, *words;
} groups[] = {
    {"@int", "u16 u32 u64 s16 s32 s64"},
    {"@float", "f16 f16x2 bf16 bf16x2 f32 f64"},
    {"@simd", "u16x2 s16x2"},
    {"@mem", "b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 f32 f64"},
    {"@rnd", "rn rz rm rp"},
    {"@rndi", "rni rzi rmi rpi"},
    {"@sem", "weak volatile relaxed mmio acquire release acq_rel sc"},
    {"@scope", "cta cluster gpu sys"},
    {"@space", "global shared shared::cta shared::cluster local const param param::entry param::func"},
    {"@aop", "add min max inc dec and or xor exch cas"},
    {"@bop", "and or xor"},
    {"@vec", "v2 v4 v8"},
    {"@fcmp", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan"},
    {"@cmp", "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan"},
    {"@cache", "ca cg cs cv lu wb wt @evict L2::cache_hint L2::64B L2::128B L2::256B"},
    {"@evict", "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
               "L2::evict_normal L2::evict_first L2::evict_last L2::evict_unchanged"},
    {"@dims", "1d 2d 3d 4d 5d"},
    {"@geom", "1d 2d 3d a1d a2d cube acube"},
    {"@query", "width height depth channel_data_type channel_order"},
    {"@video", "sat add min max"},
};

/* Words of PTX that are known and not supported, so that the message does not call them misspelt. */
static const char *const refused[] = {
    "e4m3x4",
    "e5m2x4",
    "e2m3",
    "e3m2",
    "e2m1",
    "e2m1x2",
    "e2m3x2",
    "e3m2x2",
    "ue8m0",
    "ue8m0x2",
    "ue4m3",
    "e2m1x4",
    "e2m3x4",
    "e3m2x4",
    "f32x2",
    "b8x16",
    "b6x16_p32",
    "b4x16_p64",
    "s2",
    "u2",
    "u8x4",
    "s8x4",
    "im2col",
    "im2col::w",
    "im2col::w::128",
    "im2col_no_offs",
    "tile::gather4",
    "tile::scatter4",
    "cp_mask",
    "unified",
    "sp",
    "sp::ordered_metadata",
    "block_scale",
    "ld_reduce",
    "oob",
    "st",
    "rs",
    "pack::16b",
    "unpack::16b",
    "2dms",
    "a2dms",
    "array_size",
    "num_mipmap_levels",
    "num_samples",
    "normalized_coords",
    "force_unnormalized_coords",
    "filter_mode",
    "addr_mode_0",
    "addr_mode_1",
    "addr_mode_2",
    "po",
    "shr7",
    "shr15",
    "async::generic",
    "async::global",
    "scale_vec::1X",
    "scale_vec::2X",
    "scale_vec::4X",
    "kind::mxf8f6f4",
    "kind::f8f6f4",
    "kind::mxf4",
    "kind::mxf4nvf4",
    "cta_group::1",
    "cta_group::2",
};

static const char *const refused_ops[] = {
    "tcgen05",
    "multimem",
    "tensormap",
    "clusterlaunchcontrol",
};

uint32_t ptx_hash(const char *s, size_t len)
{
    uint64_t h = 0xcbf29ce484222325ull; /* FNV-1a */
    for (size_t i = 0; i < len; i++)
        h = (h ^ (unsigned char)s[i]) * 0x100000001b3ull;
    return (uint32_t)(h ^ h >> 32);
}

static uint32_t first_slot(bool opcode, const char *s, size_t len)
{
    return (ptx_hash(s, len) + (opcode ? 0x9e37u : 0)) % PTX_WORD_SLOTS;
}

static void add_word(struct ptx_words *w, bool opcode, const char *s, uint8_t kind, uint16_t value)
{
    size_t len = strlen(s);
    uint32_t i = first_slot(opcode, s, len);
    while (w->slot[i].s)
        i = (i + 1) % PTX_WORD_SLOTS;
    w->slot[i].s = s;
    w->slot[i].len = (uint8_t)len;
    w->slot[i].kind = (uint8_t)(kind | (opcode ? 0x80 : 0));
    w->slot[i].value = value;
}

bool ptx_word_find(const struct ptx_words *w, bool opcode, const char *s, size_t len, uint8_t *kind,
                   uint16_t *value)
{
    for (uint32_t i = first_slot(opcode, s, len); w->slot[i].s; i = (i + 1) % PTX_WORD_SLOTS)
        if (w->slot[i].len == len && w->slot[i].kind >> 7 == opcode && memcmp(w->slot[i].s, s, len) == 0) {
            *kind = w->slot[i].kind & 0x7f;
            *value = w->slot[i].value;
            return true;
        }
    return false;
}

void ptx_words_init(struct ptx_words *w)
{
    memset(w, 0, sizeof *w);
    for (uint16_t i = 0; i < P_COUNT; i++)
        add_word(w, true, ptx_op_names[i], PW_OP, i);
    for (uint16_t i = 0; i < sizeof refused_ops / sizeof *refused_ops; i++)
        add_word(w, true, refused_ops[i], PW_REFUSED, i);
    for (uint16_t i = 0; i < M_COUNT; i++)
        add_word(w, false, ptx_mods[i].name, PW_MOD, i);
    for (uint16_t i = T_NONE + 1; i < T_COUNT; i++)
        add_word(w, false, ir_types[i].name, PW_TYPE, i);
    for (uint16_t i = 0; i < sizeof refused / sizeof *refused; i++)
        add_word(w, false, refused[i], PW_REFUSED, i);
    ptx_rules_init(w);
}

static const char *group_words(const char *s, size_t len)
{
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strlen(groups[i].name) == len && memcmp(groups[i].name, s, len) == 0)
            return groups[i].words;
    return NULL;
}

/* Groups nest one level. */
const char *ptx_words_mask(const struct ptx_words *w, const char *words, struct ptx_opset *set)
{
    const char *bad = NULL;
    for (const char *s = words; *s;) {
        size_t len = strcspn(s, " ");
        uint8_t kind;
        uint16_t value;
        if (*s == '@') {
            const char *in = group_words(s, len);
            const char *inner = in ? ptx_words_mask(w, in, set) : s;
            bad = bad ? bad : inner;
        } else if (len == 5 && memcmp(s, "shape", 5) == 0) {
            set->shape = true;
        } else if (!ptx_word_find(w, false, s, len, &kind, &value) || kind == PW_REFUSED) {
            bad = bad ? bad : s;
        } else if (kind == PW_TYPE) {
            set->types |= 1ull << value;
        } else {
            set->mods[value / 64] |= 1ull << (value % 64);
        }
        s += len + (s[len] == ' ');
    }
    return bad;
}

const struct ptx_opset *ptx_word_set(struct ptx_words *w, enum ptx_op op)
{
    struct ptx_opset *set = &w->set[op];
    if (!set->ready) {
        set->ready = true;
        ptx_words_mask(w, ptx_ops[op].types, set);
        ptx_words_mask(w, ptx_ops[op].mods, set);
    }
    return set;
}

const char *ptx_words_undefined(struct ptx_words *w, char *buf, size_t size)
{
    for (int op = 0; op < P_COUNT; op++) {
        struct ptx_opset set = {0};
        const char *bad = ptx_words_mask(w, ptx_ops[op].types, &set);
        bad = bad ? bad : ptx_words_mask(w, ptx_ops[op].mods, &set);
        if (bad) {
            snprintf(buf, size, "%s: %.*s", ptx_op_names[op], (int)strcspn(bad, " "), bad);
            return buf;
        }
    }
    const char *form = ptx_forms_undefined(w);
    if (form) {
        snprintf(buf, size, "forms.def: %.*s", (int)strcspn(form, " "), form);
        return buf;
    }
    return NULL;
}

static const char *small_number(const char *s, const char *end, uint16_t *out)
{
    uint32_t v = 0;
    const char *p = s;
    while (p < end && *p >= '0' && *p <= '9' && v < 10000)
        v = v * 10 + (uint32_t)(*p++ - '0');
    *out = (uint16_t)v;
    return p == s || v > 4096 ? NULL : p;
}

bool ptx_shape(const char *s, size_t len, uint16_t mnk[3])
{
    const char *end = s + len;
    mnk[2] = 0;
    if (!len || *s != 'm' || !(s = small_number(s + 1, end, &mnk[0])))
        return false;
    if (s == end || *s != 'n' || !(s = small_number(s + 1, end, &mnk[1])))
        return false;
    if (s == end)
        return true;
    return *s == 'k' && (s = small_number(s + 1, end, &mnk[2])) && s == end;
}
