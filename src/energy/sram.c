/* SPDX-License-Identifier: Apache-2.0 */
/* SRAM: the energy of an access is a fixed part (decoder, sense amplifiers, drivers) and one that grows with the length of the
 * bit lines, so with the rows. Three measured points, lines between them, and the outer two continued. */
#include "energy/energy.h"

static double line(double x, double x0, double y0, double x1, double y1)
{
    return y0 + (y1 - y0) / (x1 - x0) * (x - x0);
}

static double law(double rows, double p1, double p2, double p3)
{
    enum { R1 = 128, R2 = 512, R3 = 768 };
    double e = rows <= R2 ? line(rows, R1, p1, R2, p2) : line(rows, R2, p2, R3, p3);
    return e > 0 ? e : 0;
}

double sram_read_pj(const struct energy_cfg *c, double rows)
{
    return law(rows, c->sram_read1, c->sram_read2, c->sram_read3);
}

double sram_write_pj(const struct energy_cfg *c, double rows)
{
    return law(rows, c->sram_write1, c->sram_write2, c->sram_write3);
}
