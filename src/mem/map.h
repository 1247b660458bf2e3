/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses to slices and to banks. Internal to mem/. */
#ifndef MEM_MAP_H
#define MEM_MAP_H

#include "mem/mem.h"

/* Blocks go to channels in turn, as in GPGPU-Sim. */
bool mem_by_channels(const struct mem_cfg *cfg);
/* The half of L2 that an SM is beside. */
uint32_t mem_half(uint32_t sm);

/* The slice of an address, its home, and its place within the slice's channel, gapless. */
struct mem_place {
    uint32_t part, slice; /* slice within the part */
    uint64_t local;
};
struct mem_place mem_place(const struct mem_cfg *cfg, uint64_t addr);

/* Where in the channel a byte of its gapless addresses is. */
struct dram_place {
    uint64_t row;
    uint32_t bank;
};
struct dram_place dram_place(const struct mem_cfg *cfg, uint64_t local);

/* The same without divisions, where all numbers are powers of two: these are their logarithms, and the masks of what is below
 * them. */
struct mem_map {
    const struct mem_cfg *cfg;
    /* Such are those of slices, where blocks go to these with the hash; of slices, where blocks go to channels (mem_by_channels);
     * of banks, in the first case and in the second. */
    bool slices_shift, channels_shift, banks_shift, turns_shift;
    uint8_t block, slices, channels, per, row, banks;
    uint32_t in_block, in_slices, in_channels, in_per, in_banks;
};
struct mem_map mem_map(const struct mem_cfg *cfg);

/* What the blocks of one round over all slices are shifted by. */
static inline uint64_t mem_fold(uint64_t row) { return row ^ row >> 7 ^ row >> 17 ^ row >> 29; }

static inline struct mem_place map_channel(const struct mem_map *m, uint64_t addr)
{
    uint64_t block = addr >> m->block, own = block >> m->channels;
    return (struct mem_place){.part = (uint32_t)block & m->in_channels,
                              .slice = (uint32_t)own & m->in_per,
                              .local = own << m->block | (addr & m->in_block)};
}

static inline struct mem_place map_slice(const struct mem_map *m, uint64_t addr)
{
    if (!m->slices_shift)
        return m->channels_shift ? map_channel(m, addr) : mem_place(m->cfg, addr);
    uint64_t block = addr >> m->block, row = block >> m->slices;
    uint32_t s = (uint32_t)(block + mem_fold(row)) & m->in_slices, slice = s & m->in_per;
    return (struct mem_place){.part = s >> m->per,
                              .slice = slice,
                              .local = (row << m->per | slice) << m->block | (addr & m->in_block)};
}

static inline struct dram_place map_turn(const struct mem_map *m, uint64_t local)
{
    uint64_t block = local >> m->block, own = block >> m->per << m->block | (local & m->in_block);
    uint64_t turn = own >> m->row << m->per | (block & m->in_per);
    return (struct dram_place){.row = turn >> m->banks, .bank = (uint32_t)turn & m->in_banks};
}

static inline struct dram_place map_bank(const struct mem_map *m, uint64_t local)
{
    if (!m->banks_shift)
        return m->turns_shift ? map_turn(m, local) : dram_place(m->cfg, local);
    uint64_t row = local >> m->row, high = row >> m->banks;
    return (struct dram_place){.row = high, .bank = (uint32_t)(row + high) & m->in_banks};
}

#endif
