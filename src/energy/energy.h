/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of a run and area of register access: pure functions of a configuration and counters, so that a stored result can be
 * priced again from itself. Whoever reads results calls them; the timing model never does.
 *
 * docs/energy.md tells the model and where each coefficient is from. Only + - * / and comparisons are used: the same bits on
 * every machine. */
#ifndef ENERGY_ENERGY_H
#define ENERGY_ENERGY_H

#include "sm/sm.h"

struct energy_cfg {
#define OPT(name, type, ...) CONF_MEMBER_OPT(name, type)
#define NAME(name, ...) CONF_MEMBER_NAME(name)
#include "energy/energy.def"
#undef OPT
#undef NAME
};
const char *rf_model_name(uint32_t i); /* NULL after the last */
const char *energy_basis_name(uint32_t i);
/* What a configuration's energies rest on, and their error where it is known, in words. */
const char *energy_words(const struct energy_cfg *c, char *out, size_t n);
extern const struct conf_opt energy_opts[];
extern const uint32_t energy_nopts;

enum energy_part {
#define PART(name, help) EP_##name,
#include "energy/energy_parts.def"
#undef PART
    EP_COUNT
};
enum area_part {
#define PART(name, help) AP_##name,
#include "energy/area_parts.def"
#undef PART
    AP_COUNT
};
enum access_part {
#define PART(name, help) XP_##name,
#include "energy/access_parts.def"
#undef PART
    XP_COUNT
};
struct energy_part_info {
    const char *name, *help;
};
extern const struct energy_part_info energy_parts[EP_COUNT], area_parts[AP_COUNT], access_parts[XP_COUNT];

/* A machine. */
struct energy_machine {
    const struct energy_cfg *cfg;
    const struct sm_cfg *sm;
    const struct mem_cfg *mem;
    uint32_t sms;
    double core_mhz;
    double limit_w; /* what the card may take; 0: no limit */
};
/* What it did. */
struct energy_in {
    struct energy_machine of;
    uint64_t cycles;
    const uint64_t *sm, *mem; /* counters: SM_STATS, MS_COUNT */
};
struct energy_out {
    double pj[EP_COUNT], total_pj;
    double seconds; /* of the GPU's time */
    double mhz;     /* the clock: less than the preset's where the limit of power wants it */
};
void energy_of(const struct energy_in *in, struct energy_out *out);
/* The coefficients as they count: a paper's without those of measured chips, those with their process. */
struct energy_cfg energy_effective(const struct energy_cfg *given);

/* Of one SM, in mm2. */
struct area_out {
    double mm2[AP_COUNT], total_mm2;
};
void area_of(const struct energy_machine *of, struct area_out *out);

/* An access to the register file, and what one SM's leaks. */
struct access_out {
    double value[XP_COUNT];
};
void access_of(const struct energy_machine *of, struct access_out *out);

/* NULL, or what is wrong with the coefficients. */
const char *energy_contradiction(const struct energy_cfg *c);

/* pJ for 16 bytes of an SRAM bank with that many rows. */
double sram_read_pj(const struct energy_cfg *c, double rows);
double sram_write_pj(const struct energy_cfg *c, double rows);

#endif
