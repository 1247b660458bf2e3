/* Counters times coefficients. */
#include "energy/rf.h"

#include "sm/onchip/onchip.h"

const struct conf_opt energy_opts[] = {
#define OPT(name, type, def, lo, hi, help) CONF_ROW_OPT(struct energy_cfg, name, type, def, lo, hi, help)
#define NAME(name, def, names, ...) CONF_ROW_NAME(struct energy_cfg, name, def, names, __VA_ARGS__)
#include "energy/energy.def"
#undef OPT
#undef NAME
};
const uint32_t energy_nopts = sizeof energy_opts / sizeof energy_opts[0];

#define PART(name, help) {#name, help},
const struct energy_part_info energy_parts[EP_COUNT] = {
#include "energy/energy_parts.def"
};
const struct energy_part_info area_parts[AP_COUNT] = {
#include "energy/area_parts.def"
};
const struct energy_part_info access_parts[XP_COUNT] = {
#include "energy/access_parts.def"
};
#undef PART

enum { PIECE_B = 16, REG_PIECES = 128 / PIECE_B, SECTOR_PIECES = SECTOR_B / PIECE_B, TAG_ROWS = 128 };

static struct onchip_arrays arrays(const struct sm_cfg *sm) { return onchip_find(sm->onchip)->arrays(sm); }

/* Rows of a bank of L1 or shared memory: pieces of 16 bytes as in the SRAM points. */
static double onchip_rows(double kb, uint32_t banks) { return kb * 1024 / banks / PIECE_B; }

static void price_registers(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    double reads = (double)in->sm[SS_reg_reads], writes = (double)in->sm[SS_reg_writes];
    pj[EP_rf_banks] = reads * rf_read_pj(&in->of) + writes * rf_write_pj(&in->of);
    pj[EP_rf_crossbar] = reads * rf_crossbar_pj(&in->of);
    pj[EP_rf_arbiter] = rf_logic(in->of.sm) * (pj[EP_rf_banks] + pj[EP_rf_crossbar]);
    /* Prefetches go to a cache, not to a collector. */
    pj[EP_collectors] = (reads - (double)in->sm[SS_cache_prefetches]) * 1024 * c->ff_fj * 1e-3;
}

static double register_sram_pj(const void *tech, double rows, bool write)
{
    const struct energy_cfg *c = tech;
    return REG_PIECES * (write ? sram_write_pj(c, rows) : sram_read_pj(c, rows));
}

/* What a policy keeps registers in, beside banks and collectors: it knows. */
static void price_policies(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    struct price p = {.latch_pj = 1024 * c->ff_fj * 1e-3,
                      .crossbar_pj = rf_crossbar_pj(&in->of),
                      .bank_read_pj = rf_read_pj(&in->of),
                      .bank_write_pj = rf_write_pj(&in->of),
                      .compare_pj = c->mux_fj * 1e-3,
                      .insn_pj = c->insn_pj,
                      .tags = &pj[EP_osu_tags],
                      .compressor = &pj[EP_compressor],
                      .instruction = &pj[EP_instruction],
                      .sram_pj = register_sram_pj,
                      .tech = c};
    for (enum seam s = 0; s < SEAMS; s++) {
        const struct policy *x = policy_of(in->of.sm, s);
        pj[EP_rf_cache] += x->price ? x->price(in->of.sm, in->sm, &p) : 0;
    }
}

/* Conflicts in shared memory cost time, not accesses: every word is read once. */
static void price_onchip(const struct energy_in *in, double *pj)
{
    enum { ACCESS_PIECES = 128 / PIECE_B };
    const struct energy_cfg *c = in->of.cfg;
    const uint64_t *n = in->sm;
    const struct onchip_arrays a = arrays(in->of.sm);
    double rows = onchip_rows(a.shared_kb, a.banks), l1_rows = onchip_rows(a.cache_kb, a.banks);
    double either = (sram_read_pj(c, rows) + sram_write_pj(c, rows)) / 2 * ACCESS_PIECES;
    double read = sram_read_pj(c, l1_rows) * SECTOR_PIECES, write = sram_write_pj(c, l1_rows) * SECTOR_PIECES;
    double misses = (double)(n[SS_l1_reads] - n[SS_l1_read_hits] - n[SS_l1_read_merged]);
    pj[EP_shared] = (double)n[SS_shared_accesses] * either;
    pj[EP_l1] = (double)n[SS_l1_reads] * read + (misses + (double)n[SS_l1_writes]) * write +
                (double)n[SS_mem_lines] * sram_read_pj(c, TAG_ROWS);
    pj[EP_onchip_wire] = a.wire * (pj[EP_shared] + pj[EP_l1]);
}

/* What goes past the collectors, the load-store unit and L1. Accumulators are read and written; of shared memory every byte is
 * read or written once, 16 at a time. */
static void price_async(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    const uint64_t *n = in->sm;
    const struct onchip_arrays a = arrays(in->of.sm);
    double rows = onchip_rows(a.shared_kb, a.banks);
    double read = sram_read_pj(c, rows) / PIECE_B, write = sram_write_pj(c, rows) / PIECE_B;
    pj[EP_product_rf] = (double)(n[SS_product_regs] + n[SS_product_a_regs]) * rf_read_pj(&in->of) +
                        (double)n[SS_product_regs] * rf_write_pj(&in->of);
    pj[EP_product_shared] = (double)n[SS_product_shared_b] * read;
    pj[EP_copy_shared] = (double)(n[SS_copy_in_b] + n[SS_cast_b]) * write + (double)n[SS_copy_out_b] * read;
    pj[EP_far] = (double)(n[SS_far_b] + n[SS_cast_b]) / 4 * c->wire_pj_mm * c->far_mm;
}

static void price_memory(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    const uint64_t *m = in->mem;
    double read = sram_read_pj(c, c->l2_rows) * SECTOR_PIECES,
           write = sram_write_pj(c, c->l2_rows) * SECTOR_PIECES;
    double reads = (double)m[MS_l2_reads], writes = (double)m[MS_l2_writes], both = (double)m[MS_l2_atomics];
    double bits = 8.0 * SECTOR_B * (double)(m[MS_dram_reads] + m[MS_dram_writes]);
    pj[EP_icnt] = (double)(m[MS_icnt_request_b] + m[MS_icnt_reply_b]) / 4 * c->wire_pj_mm * c->icnt_mm;
    pj[EP_dram] = bits * c->dram_pj_bit;
    if (in->of.mem->simple)
        return; /* there is no L2 */
    pj[EP_l2] = (reads + both + (double)m[MS_l2_writebacks]) * read +
                (writes + both + (double)m[MS_dram_reads]) * write +
                (reads + writes + both) * sram_read_pj(c, TAG_ROWS);
}

static double sram_kb(const struct energy_machine *of)
{
    return of->sms * (double)arrays(of->sm).kb + (of->mem->simple ? 0 : of->mem->l2_kb);
}

void energy_of(const struct energy_in *in, struct energy_out *out)
{
    const struct energy_cfg *c = in->of.cfg;
    double *pj = out->pj;
    double pj_per_mw = (double)in->cycles / in->of.core_mhz * 1e3;
    memset(out, 0, sizeof *out);
    out->seconds = (double)in->cycles / in->of.core_mhz * 1e-6;
    price_registers(in, pj);
    pj[EP_instruction] =
        (double)in->sm[SS_warp_insts] * c->insn_pj + (double)in->sm[SS_thread_insts] * c->lane_pj;
    price_policies(in, pj);
    price_onchip(in, pj);
    price_async(in, pj);
    price_memory(in, pj);
    pj[EP_leak_rf] = in->of.sms * rf_leak_mw(&in->of) * pj_per_mw;
    pj[EP_leak_sram] = sram_kb(&in->of) * c->sram_mw_kb * pj_per_mw;
    pj[EP_leak_sm] = in->of.sms * c->sm_mw * pj_per_mw;
    for (uint32_t i = 0; i < EP_COUNT; i++)
        out->total_pj += pj[i];
}
