/* Addresses to slices. Consecutive blocks of interleave_b go to different slices; which one is first is shifted by the higher
 * address bits, unless the configuration says otherwise, so that strides of a power of two spread. Each slice gets every n-th
 * block, without gaps. Or they go to different channels, and within one to its slices in turn, as in GPGPU-Sim. */
#include "mem/part.h"

struct mem_place mem_place(const struct mem_cfg *cfg, uint64_t addr)
{
    uint32_t n = cfg->slices, per = n / cfg->channels;
    uint64_t block = addr / cfg->interleave_b, row = block / n;
    if (cfg->interleave_channels) {
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
