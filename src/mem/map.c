/* Addresses to slices and to banks. Consecutive blocks of interleave_b go to different slices; which one is first is shifted by
 * the higher address bits, unless the configuration says otherwise, so that strides of a power of two spread. Each slice gets
 * every n-th block, without gaps. Or they go to different channels, and within one to its slices in turn, as in GPGPU-Sim:
 * there each slice has every n-th bank of the channel, and nothing is shifted. */
#include "mem/part.h"

bool mem_by_channels(const struct mem_cfg *cfg) { return cfg->interleave_channels && !cfg->interleave_hash; }

struct mem_place mem_place(const struct mem_cfg *cfg, uint64_t addr)
{
    uint32_t n = cfg->slices, per = n / cfg->channels;
    uint64_t block = addr / cfg->interleave_b, row = block / n;
    if (mem_by_channels(cfg)) {
        uint64_t own = block / cfg->channels; /* of the channel's blocks */
        return (struct mem_place){.part = (uint32_t)(block % cfg->channels),
                                  .slice = (uint32_t)(own % per),
                                  .local = own * cfg->interleave_b + addr % cfg->interleave_b};
    }
    uint64_t fold = cfg->interleave_hash ? row ^ row >> 7 ^ row >> 17 ^ row >> 29 : 0;
    uint32_t s = (uint32_t)((block + fold) % n);
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
