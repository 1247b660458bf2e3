/* SPDX-License-Identifier: Apache-2.0 */
/* Energy and area on a terminal. */
#include "cli/view/run_print.h"

#include "cli/shown.h"
#include "energy/kit.h"

void run_print_energy(const struct run_story *s, FILE *to)
{
    struct energy_out e;
    gpu_energy(s->conf, s->result, &e);
    char all[32], rate[32];
    fprintf(to, "\nenergy     %s, %s on average\n", shown_unit(all, sizeof all, e.total_pj * 1e-12, "J"),
            shown_unit(rate, sizeof rate, e.seconds > 0 ? e.total_pj * 1e-12 / e.seconds : 0, "W"));
    char basis[128];
    fprintf(to, "  energies %s\n", energy_words(&s->conf->energy, basis, sizeof basis));
    if (e.mhz < s->conf->gpu.core_mhz)
        fprintf(
            to, "  %s %.0f W (gpu.power_w): the clock gives way to %.0f MHz of %.0f, %s in all\n",
            e.total_pj * 1e-12 / e.seconds > s->conf->gpu.power_w * 1.001 ? "cannot be held at" : "held at",
            s->conf->gpu.power_w, e.mhz, s->conf->gpu.core_mhz, shown_unit(all, sizeof all, e.seconds, "s"));
    for (uint32_t i = 0; i < EP_COUNT; i++) {
        double p = e.total_pj > 0 ? 100 * e.pj[i] / e.total_pj : 0;
        if (p < 0.005)
            continue;
        fprintf(to, "  %-16s %6.2f%%  ", energy_parts[i].name, p);
        for (int k = 0; k < (int)(p / 2 + 0.5); k++)
            fputc('#', to);
        fputc('\n', to);
    }
}

/* Share of the kernel cycles in which a bank is accessed. */
static double bank_use(const struct gpu_conf *c, const struct gpu_result *r)
{
    double cycles = (double)r->kernel_cycles * c->gpu.sms * c->sm.partitions * c->sm.banks;
    double use = cycles > 0 ? (double)r->sm[SS_bank_busy] / cycles : 0;
    return use < 1 ? use : 1;
}

void run_print_area(const struct gpu_conf *c, const struct gpu_result *r, FILE *to)
{
    struct energy_machine m = gpu_machine(c);
    struct area_out a;
    struct access_out x;
    double use = r ? bank_use(c, r) : 0.4; /* about the mean of eight bundled programs on volta20 */
    area_of(&m, &a);
    fprintf(to, "\narea of register access, one of %u SM%s (mm2)\n", c->gpu.sms, cli_s(c->gpu.sms));
    for (uint32_t i = 0; i < AP_COUNT; i++)
        fprintf(to, "  %-16s %9.5f  %s\n", area_parts[i].name, a.mm2[i], area_parts[i].help);
    fprintf(to, "  %-16s %9.5f\n", "total", a.total_mm2);
    access_of(&m, &x);
    fprintf(to, "\na register's way, and leakage of one SM's register file\n");
    for (uint32_t i = 0; i < XP_COUNT; i++)
        fprintf(to, "  %-16s %9.5f  %s\n", access_parts[i].name, x.value[i], access_parts[i].help);
    fprintf(
        to,
        "\none partition in a 45 nm kit: um2, and mW at 1 GHz with each bank accessed in %.1f%% of cycles\n",
        100 * use);
    for (uint32_t k = 0; k < nkits; k++) {
        struct kit_out o;
        kit_of(&kits[k], &m, use, &o);
        for (uint32_t i = 0; i < KP_COUNT; i++)
            fprintf(to, "  %-8s %-16s %11.1f %9.3f  %s\n", kits[k].name, kit_parts[i].name, o.um2[i], o.mw[i],
                    kit_parts[i].help);
        fprintf(to, "  %-8s %-16s %11.1f %9.3f\n", kits[k].name, "total", o.total_um2, o.total_mw);
    }
}
