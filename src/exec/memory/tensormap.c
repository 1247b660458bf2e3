/* SPDX-License-Identifier: Apache-2.0 */
#include "exec/memory/tensormap.h"

#include <string.h>

const struct tmap_type_info tmap_types[TMAP_NTYPES] = {
#define X(name, bytes, type, nan) [TMAP_##name] = {#name, bytes, type, nan},
    TMAP_TYPES(X)
#undef X
};

/* The 128 bytes. Sizes are stored less one: the largest is 2^32. */
struct packed {
    char magic[8];
    uint64_t base, stride_b[TMAP_DIMS - 1];
    uint32_t size1[TMAP_DIMS];
    uint16_t box[TMAP_DIMS];
    uint8_t step[TMAP_DIMS];
    uint8_t type, rank, swizzle, nan_fill;
};
_Static_assert(sizeof(struct packed) <= TMAP_B, "a map has 128 bytes");
static const char magic[8] = "bankshTM";

void tmap_pack(const struct tmap *m, void *out)
{
    struct packed p = {
        .base = m->base, .type = m->type, .rank = m->rank, .swizzle = m->swizzle, .nan_fill = m->nan_fill};
    memcpy(p.magic, magic, sizeof magic);
    for (unsigned d = 0; d < TMAP_DIMS; d++) {
        p.size1[d] = (uint32_t)(m->size[d] - 1);
        p.box[d] = (uint16_t)m->box[d];
        p.step[d] = (uint8_t)m->step[d];
        if (d)
            p.stride_b[d - 1] = m->stride_b[d];
    }
    memset(out, 0, TMAP_B);
    memcpy(out, &p, sizeof p);
}

bool tmap_unpack(const void *in, struct tmap *m)
{
    struct packed p;
    memcpy(&p, in, sizeof p);
    if (memcmp(p.magic, magic, sizeof magic) != 0 || p.type >= TMAP_NTYPES || p.rank < 1 ||
        p.rank > TMAP_DIMS || p.swizzle > TMAP_SWIZZLE_128)
        return false;
    *m = (struct tmap){
        .base = p.base, .type = p.type, .rank = p.rank, .swizzle = p.swizzle, .nan_fill = p.nan_fill};
    bool ok = true;
    for (unsigned d = 0; d < TMAP_DIMS; d++) {
        m->size[d] = (uint64_t)p.size1[d] + 1;
        m->box[d] = p.box[d];
        m->step[d] = p.step[d];
        m->stride_b[d] = d ? p.stride_b[d - 1] : tmap_types[p.type].bytes;
        ok = ok && m->box[d] >= 1 && m->box[d] <= TMAP_BOX && m->step[d] >= 1 && m->step[d] <= TMAP_STEP;
    }
    return ok && m->step[0] == 1 && m->box[0] * tmap_types[p.type].bytes % 16 == 0;
}
