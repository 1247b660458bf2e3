/* SPDX-License-Identifier: Apache-2.0 */
/* Texture and surface descriptors: what the runtime stand-in fills in, what TEX, SULD and SUST read. */
#ifndef EXEC_TEX_H
#define EXEC_TEX_H

#include <stdbool.h>
#include <stdint.h>

enum tex_address { TEX_WRAP, TEX_CLAMP, TEX_MIRROR, TEX_BORDER }; /* cudaTextureAddressMode */
enum tex_filter { TEX_POINT, TEX_LINEAR };
enum tex_chan { TEX_CHAN_SINT, TEX_CHAN_UINT, TEX_CHAN_FLOAT };
/* Linear memory, pitched memory of two dimensions, CUDA array (row-major, layer by layer). */
enum tex_kind { TEXK_LINEAR, TEXK_PITCH2D, TEXK_ARRAY };

struct exec_tex {
    uint8_t kind, chan, filter;
    uint8_t address[3];
    uint8_t bits[4];      /* per channel: 8, 16, 32; 0: absent */
    bool normalized;      /* coordinates */
    bool read_normalized; /* integers become floats in [0,1] or [-1,1] */
    uint64_t base;        /* device address */
    /* In texels. Height and depth are 0 where they do not exist; depth is the number of layers of a layered texture. */
    uint64_t width, height, depth;
    uint64_t pitch_b; /* bytes per row */
    float border[4];
};

#endif
