/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses to slices and to banks. Consecutive blocks of interleave_b go to different slices; which one is first is shifted by
 * the higher address bits, unless the configuration says otherwise, so that strides of a power of two spread. Each slice gets
 * every n-th block, without gaps. Where L2 has halves, stretches of half_b go to each of them in turn first, and two slices may
 * share four blocks. Or blocks go to
 * different channels, and within one to its slices in turn, as in GPGPU-Sim: there each slice has every n-th bank of the channel,
 * and nothing is shifted. */
#include "mem/map.h"

bool mem_by_channels(const struct mem_cfg *cfg) { return cfg->interleave_channels && !cfg->interleave_hash; }

/* SMs in pairs, one half's and the other's in turn. */
uint32_t mem_half(uint32_t sm) { return sm / 2 % 2; }

static uint64_t fold(const struct mem_cfg *cfg, uint64_t row)
{
    return cfg->interleave_hash ? mem_fold(row) : 0;
}

/* Of two neighbouring stretches of half_b, one has its home in each half; the blocks of a half go to its slices in turn. With
 * interleave_twice two of these have four blocks, each of them every second one, before the next two have theirs; which of them
 * comes first is hashed, so that strides of four blocks and more meet both. */
static struct mem_place in_halves(const struct mem_cfg *cfg, uint64_t addr)
{
    uint32_t together = cfg->interleave_twice ? 2 : 1, each = together, most = together * each;
    uint32_t n = cfg->slices / 2, per = n / cfg->channels, stretch = cfg->half_b / cfg->interleave_b / most;
    uint64_t block = addr / cfg->interleave_b, in = block % most, piece = block / most,
             pair = piece / stretch / 2;
    uint32_t half = (uint32_t)(piece / stretch % 2);
    if (cfg->interleave_hash)
        half ^= (uint32_t)__builtin_parityll(pair);
    piece = pair * stretch + piece % stretch;
    uint64_t row = piece / (n / together), turn = row * each + in / together;
    uint32_t which = (uint32_t)(in % together);
    if (cfg->interleave_hash && cfg->interleave_twice)
        which ^= (uint32_t)__builtin_parityll(3 * piece);
    uint32_t s = (uint32_t)((piece + fold(cfg, row)) % (n / together) * together + which);
    uint32_t slice = half * per + s % per;
    return (struct mem_place){.part = s / per,
                              .slice = slice,
                              .local =
                                  (turn * 2 * per + slice) * cfg->interleave_b + addr % cfg->interleave_b};
}

struct mem_place mem_place(const struct mem_cfg *cfg, uint64_t addr)
{
    if (cfg->halves)
        return in_halves(cfg, addr);
    uint32_t n = cfg->slices, per = n / cfg->channels;
    uint64_t block = addr / cfg->interleave_b, row = block / n;
    if (mem_by_channels(cfg)) {
        uint64_t own = block / cfg->channels; /* of the channel's blocks */
        return (struct mem_place){.part = (uint32_t)(block % cfg->channels),
                                  .slice = (uint32_t)(own % per),
                                  .local = own * cfg->interleave_b + addr % cfg->interleave_b};
    }
    uint32_t s = (uint32_t)((block + fold(cfg, row)) % n);
    return (struct mem_place){.part = s / per,
                              .slice = s % per,
                              .local = (row * per + s % per) * cfg->interleave_b + addr % cfg->interleave_b};
}

struct dram_place dram_place(const struct mem_cfg *cfg, uint64_t local)
{
    uint32_t per = cfg->slices / cfg->channels;
    uint64_t block = local / cfg->interleave_b;
    if (mem_by_channels(cfg)) {
        uint64_t row = (block / per * cfg->interleave_b + local % cfg->interleave_b) / cfg->row_b;
        uint64_t turn = row * per + block % per;
        return (struct dram_place){.row = turn / cfg->banks, .bank = (uint32_t)(turn % cfg->banks)};
    }
    /* Rows of one bank that are a power of two apart would meet again: the row number shifts the bank. */
    uint64_t row = local / cfg->row_b, high = row / cfg->banks;
    return (struct dram_place){.row = high, .bank = (uint32_t)((row % cfg->banks + high) % cfg->banks)};
}

static bool is_power(uint32_t n) { return (n & (n - 1)) == 0; }
static uint8_t log_of(uint32_t n) { return (uint8_t)__builtin_ctz(n); }

static uint32_t per_channel(const struct mem_cfg *c) { return c->slices / c->channels; }
static bool has_blocks(const struct mem_cfg *c)
{
    return is_power(c->interleave_b) && is_power(per_channel(c));
}
static bool has_rows(const struct mem_cfg *c) { return is_power(c->row_b) && is_power(c->banks); }

static bool to_any(const struct mem_cfg *c) { return c; }
static bool to_slices(const struct mem_cfg *c)
{
    return c->interleave_hash && !c->halves && has_blocks(c) && is_power(c->slices);
}
static bool to_channels(const struct mem_cfg *c)
{
    return mem_by_channels(c) && !c->halves && has_blocks(c) && is_power(c->channels);
}
static bool of_rows(const struct mem_cfg *c) { return !mem_by_channels(c) && has_rows(c); }
static bool of_slices(const struct mem_cfg *c) { return mem_by_channels(c) && has_rows(c) && has_blocks(c); }

struct mem_map mem_map(const struct mem_cfg *cfg)
{
    typedef bool serves(const struct mem_cfg *);
    static serves *const spreads[MEM_SPREADS] = {
        [SPREAD_SLICES] = to_slices, [SPREAD_CHANNELS] = to_channels, [SPREAD_ANY] = to_any};
    static serves *const turns[MEM_TURNS] = {
        [TURNS_ROWS] = of_rows, [TURNS_SLICE] = of_slices, [TURNS_ANY] = to_any};
    struct mem_map m = {.cfg = cfg,
                        .block = log_of(cfg->interleave_b),
                        .slices = log_of(cfg->slices),
                        .channels = log_of(cfg->channels),
                        .per = log_of(per_channel(cfg)),
                        .row = log_of(cfg->row_b),
                        .banks = log_of(cfg->banks),
                        .in_block = cfg->interleave_b - 1,
                        .in_slices = cfg->slices - 1,
                        .in_channels = cfg->channels - 1,
                        .in_per = per_channel(cfg) - 1,
                        .in_banks = cfg->banks - 1};
    while (!spreads[m.spread](cfg))
        m.spread++;
    while (!turns[m.turns](cfg))
        m.turns++;
    return m;
}
