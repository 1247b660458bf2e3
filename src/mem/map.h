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

/* How both are found. All ways but the last need no divisions, and serve machines whose numbers are powers of two; mem_map takes
 * the first that serves a configuration. */
enum mem_spread {
    SPREAD_SLICES,   /* blocks go to slices, with the hash */
    SPREAD_CHANNELS, /* blocks go to channels (mem_by_channels) */
    SPREAD_ANY,      /* mem_place */
    MEM_SPREADS
};
enum mem_turns {
    TURNS_ROWS,  /* rows go to banks in turn, shifted by their number */
    TURNS_SLICE, /* rows of a slice go to every n-th bank (mem_by_channels) */
    TURNS_ANY,   /* dram_place */
    MEM_TURNS
};
/* Numbers of the configuration as logarithms, and masks of what is below them. */
struct mem_map {
    const struct mem_cfg *cfg;
    enum mem_spread spread;
    enum mem_turns turns;
    uint8_t block, slices, channels, per, row, banks;
    uint32_t in_block, in_slices, in_channels, in_per, in_banks;
};
struct mem_map mem_map(const struct mem_cfg *cfg);

/* What the blocks of one round over all slices are shifted by. */
static inline uint64_t mem_fold(uint64_t row) { return row ^ row >> 7 ^ row >> 17 ^ row >> 29; }

static inline struct mem_place map_channels(const struct mem_map *m, uint64_t addr)
{
    uint64_t block = addr >> m->block, own = block >> m->channels;
    return (struct mem_place){.part = (uint32_t)block & m->in_channels,
                              .slice = (uint32_t)own & m->in_per,
                              .local = own << m->block | (addr & m->in_block)};
}

static inline struct mem_place map_slices(const struct mem_map *m, uint64_t addr)
{
    uint64_t block = addr >> m->block, row = block >> m->slices;
    uint32_t s = (uint32_t)(block + mem_fold(row)) & m->in_slices, slice = s & m->in_per;
    return (struct mem_place){.part = s >> m->per,
                              .slice = slice,
                              .local = (row << m->per | slice) << m->block | (addr & m->in_block)};
}

static inline struct mem_place map_slice(const struct mem_map *m, uint64_t addr)
{
    return m->spread == SPREAD_SLICES     ? map_slices(m, addr)
           : m->spread == SPREAD_CHANNELS ? map_channels(m, addr)
                                          : mem_place(m->cfg, addr);
}

static inline struct dram_place map_turns(const struct mem_map *m, uint64_t local)
{
    uint64_t block = local >> m->block, own = block >> m->per << m->block | (local & m->in_block);
    uint64_t turn = own >> m->row << m->per | (block & m->in_per);
    return (struct dram_place){.row = turn >> m->banks, .bank = (uint32_t)turn & m->in_banks};
}

static inline struct dram_place map_rows(const struct mem_map *m, uint64_t local)
{
    uint64_t row = local >> m->row, high = row >> m->banks;
    return (struct dram_place){.row = high, .bank = (uint32_t)(row + high) & m->in_banks};
}

static inline struct dram_place map_bank(const struct mem_map *m, uint64_t local)
{
    return m->turns == TURNS_ROWS    ? map_rows(m, local)
           : m->turns == TURNS_SLICE ? map_turns(m, local)
                                     : dram_place(m->cfg, local);
}

#endif
