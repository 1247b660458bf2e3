/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of linear filtering, bit for bit as an H200 does it. Measured there with one texel set to one and the
 * others to zero for the weights (all 65536 of a plane, 46176 of a cube), and with random texels for the sums. */
#include "base/fbits.h"
#include "exec/tex/texint.h"

#include <math.h>

/* Weights stay multiples of 1/256 that add up to 1: split by z, then x, then y, rounding at each step. Rounding is to
 * nearest, ties up, except for y at the lower x, where the lower weight gets the tie. */
void tex_weights(uint32_t x, uint32_t y, uint32_t z, uint32_t w[8])
{
    uint32_t layer[2] = {256 - z, z};
    for (unsigned k = 0; k < 2; k++) {
        uint32_t hi = (layer[k] * x + 128) >> 8, lo = layer[k] - hi;
        uint32_t lo_up = (lo * y + 127) >> 8, hi_up = (hi * y + 128) >> 8;
        w[4 * k + 0] = lo - lo_up;
        w[4 * k + 1] = hi - hi_up;
        w[4 * k + 2] = lo_up;
        w[4 * k + 3] = hi_up;
    }
}

/* To nearest, ties away from zero. */
static float round_f32(double d)
{
    uint64_t b;
    if (!isfinite(d))
        return (float)d;
    memcpy(&b, &d, 8);
    b = (b + (1ull << 28)) & ~((1ull << 29) - 1);
    memcpy(&d, &b, 8);
    return (float)d;
}

/* The products are exact in double precision; texels that weigh nothing do not take part, so an infinity beside an
 * exact hit does not show. */
static uint32_t sum_float(const struct tex_vec *corner, const uint32_t *w, unsigned n, unsigned c)
{
    double sum = 0;
    for (unsigned k = 0; k < n; k++)
        if (w[k])
            sum += (double)w[k] * as_f32(corner[k].v[c]);
    if (isnan(sum))
        return 0x7fffffff;
    return f32_bits(round_f32(sum / 256.0));
}

/* Normalised integers are filtered as 16-bit fixed point: 1.0 is 65535, signed 32767. */
static uint32_t sum_normalized(const struct tex_vec *corner, const uint32_t *w, unsigned n, unsigned c,
                               double one)
{
    double sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += w[k] * floor(as_f32(corner[k].v[c]) * one + 0.5);
    return f32_bits((float)(floor(sum / 256.0 + 0.5) / one));
}

struct tex_vec tex_weighted(const struct exec_tex *t, const struct tex_vec *corner, const uint32_t *w,
                            unsigned n)
{
    struct tex_vec r;
    for (unsigned c = 0; c < 4; c++)
        r.v[c] = t->chan == TEX_CHAN_FLOAT
                     ? sum_float(corner, w, n, c)
                     : sum_normalized(corner, w, n, c, t->chan == TEX_CHAN_SINT ? 32767.0 : 65535.0);
    return r;
}
