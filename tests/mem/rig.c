/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

struct mem_cfg rig_cfg(void)
{
    struct mem_cfg c;
    struct conf conf = {0};
    conf_add(&conf, "mem", mem_opts, mem_nopts, &c);
    conf_free(&conf);
    c.dram_mhz = 1000;
    c.bus_b = 32;
    c.banks = 16;
    c.row_b = 2048;
    c.t_rcd = c.t_rp = c.t_cl = 12;
    c.t_ras = 28;
    c.t_rrd = 3;
    c.t_wl = 2;
    c.t_wr = 10;
    c.t_cdlr = 3;
    c.dram_cyc = 0;
    return c;
}
