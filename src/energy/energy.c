/* SPDX-License-Identifier: Apache-2.0 */
/* Counters times coefficients. */
#include "energy/rf.h"

#include "sm/onchip/onchip.h"

const struct conf_opt energy_opts[] = {
#define OPT(name, type, def, lo, hi, ...)                                                                    \
    CONF_ROW_OPT(struct energy_cfg, name, type, def, lo, hi, __VA_ARGS__)
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

const char *energy_basis_name(uint32_t i)
{
    static const char *const names[] = {"paper", "measured", "scaled"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

/* Events of chips that were measured or scaled. */
#define EVENTS(X)                                                                                            \
    X(fp32_pj)                                                                                               \
    X(fadd_pj)                                                                                               \
    X(int_pj)                                                                                                \
    X(imul_pj)                                                                                               \
    X(wide_pj)                                                                                               \
    X(bits_pj)                                                                                               \
    X(sfu_pj)                                                                                                \
    X(conv_pj)                                                                                               \
    X(qconv_pj)                                                                                              \
    X(fp64_pj)                                                                                               \
    X(dadd_pj)                                                                                               \
    X(half_pj)                                                                                               \
    X(shared_pj)                                                                                             \
    X(memory_pj)                                                                                             \
    X(texture_pj)                                                                                            \
    X(rmw_pj)                                                                                                \
    X(shuffle_pj)                                                                                            \
    X(across_pj)                                                                                             \
    X(other_pj)                                                                                              \
    X(hmma_pj)                                                                                               \
    X(imma_pj)                                                                                               \
    X(dmma_pj)                                                                                               \
    X(product_pj)                                                                                            \
    X(conflict_pj)                                                                                           \
    X(line_pj)                                                                                               \
    X(request_pj)                                                                                            \
    X(operand_pj)                                                                                            \
    X(atomic_pj)                                                                                             \
    X(cross_pj)                                                                                              \
    X(active_pj)
/* ... and how they stand to what geometry gives; registers: rf_scale_of. */
#define SCALES(X) X(shared_scale) X(l1_scale) X(l2_scale) X(icnt_scale)

/* Energies that go by data: price, what random data take beyond data that stand still, and how much this program's toggle. */
#define SWINGS(X)                                                                                            \
    X(fp32_pj, fp32_swing, toggle_float)                                                                     \
    X(fadd_pj, fadd_swing, toggle_float)                                                                     \
    X(sfu_pj, sfu_swing, toggle_float)                                                                       \
    X(conv_pj, conv_swing, toggle_float)                                                                     \
    X(fp64_pj, fp64_swing, toggle_float)                                                                     \
    X(dadd_pj, dadd_swing, toggle_float)                                                                     \
    X(half_pj, half_swing, toggle_float)                                                                     \
    X(int_pj, int_swing, toggle_int)                                                                         \
    X(imul_pj, imul_swing, toggle_int)                                                                       \
    X(wide_pj, wide_swing, toggle_int)                                                                       \
    X(shuffle_pj, shuffle_swing, toggle_int)                                                                 \
    X(hmma_pj, hmma_swing, toggle_tensor)                                                                    \
    X(imma_pj, imma_swing, toggle_tensor)                                                                    \
    X(dmma_pj, dmma_swing, toggle_tensor)                                                                    \
    X(product_pj, product_swing, toggle_tensor)                                                              \
    X(shared_pj, shared_swing, toggle_shared)                                                                \
    X(memory_pj, memory_swing, toggle_memory)                                                                \
    X(texture_pj, texture_swing, toggle_memory)                                                              \
    X(rmw_pj, rmw_swing, toggle_memory)                                                                      \
    X(cross_pj, cross_swing, toggle_memory)                                                                  \
    X(rf_scale, rf_swing, toggle_regs)                                                                       \
    X(l2_scale, l2_swing, toggle_memory)                                                                     \
    X(icnt_scale, l2_swing, toggle_memory)                                                                   \
    X(dram_bit_pj, dram_swing, toggle_memory)

/* The price moves from the mean of both to where the data are; never below nothing. */
static double by_data(double mean, double swing, double toggle)
{
    double pj = mean + (toggle - 0.5) * swing;
    return pj > 0 ? pj : 0;
}

struct energy_cfg energy_effective(const struct energy_cfg *given)
{
    struct energy_cfg c = *given;
    bool paper = strcmp(c.basis, energy_basis_name(0)) == 0;
    if (paper) {
#define X(name) c.name = 0;
        EVENTS(X)
#undef X
        c.row_pj = c.idle_w = c.rf_lanes = 0;
#define X(name) c.name = 1;
        SCALES(X)
        X(leak_scale)
#undef X
        return c;
    }
#define X(price, swing, toggle) c.price = by_data(c.price, c.swing, c.toggle);
    SWINGS(X)
#undef X
#define X(name) c.name *= c.process;
    EVENTS(X)
    SCALES(X)
#undef X
    c.insn_pj = c.issue_pj * c.process;
    c.lane_pj = 0;
    c.dram_pj_bit = c.dram_bit_pj;
    return c;
}

const char *energy_words(const struct energy_cfg *c, char *out, size_t n)
{
    static const char *const what[] = {"of a paper: compare two machines, do not read the joules",
                                       "measured on the chip", "scaled from a chip that was measured"};
    uint32_t i = 0;
    while (energy_basis_name(i + 1) && strcmp(c->basis, energy_basis_name(i)) != 0)
        i++;
    if (c->error > 0)
        snprintf(out, n, "%s; mean error %.0f%%", what[i], c->error);
    else
        snprintf(out, n, "%s", what[i]);
    return out;
}

/* Of a register access: what its lanes that execute take, and what it takes whoever does. */
static double lanes_share(const struct energy_in *in)
{
    double all = 32 * (double)in->sm[SS_warp_insts], some = in->of.cfg->rf_lanes;
    return some > 0 && all > 0 ? 1 - some + some * ((double)in->sm[SS_thread_insts] / all) : 1;
}

static void price_registers(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    double share = lanes_share(in);
    double reads = (double)in->sm[SS_reg_reads] * share, writes = (double)in->sm[SS_reg_writes] * share;
    pj[EP_rf_banks] = reads * rf_read_pj(&in->of) + writes * rf_write_pj(&in->of);
    pj[EP_rf_crossbar] = reads * rf_crossbar_pj(&in->of);
    pj[EP_rf_arbiter] = rf_logic(in->of.sm) * (pj[EP_rf_banks] + pj[EP_rf_crossbar]);
    /* Prefetches go to a cache, not to a collector. */
    pj[EP_collectors] =
        (reads - (double)in->sm[SS_cache_prefetches] * share) * 1024 * c->ff_fj * 1e-3 * rf_scale_of(c);
}

/* A word of code from the instruction cache into the latch of the decoder: a read of 16 bytes, and the bits of a word. */
static double fetch_pj(const struct energy_machine *of)
{
    enum { ROW_B = 16, BANK_ROWS = 512 };
    uint32_t rows = of->sm->l1i_b / ROW_B;
    return sram_read_pj(of->cfg, rows < BANK_ROWS ? rows : BANK_ROWS) +
           8.0 * of->sm->insn_b * of->cfg->ff_fj * 1e-3;
}

/* A file beside the banks is made of what they are made of (thesis, section 4.6.1). */
static double register_sram_pj(const void *tech, double rows, bool write)
{
    const struct energy_cfg *c = tech;
    if (rf_of_cells(c))
        return rf_cells_pj(c, rows, write) * rf_scale_of(c);
    return REG_PIECES * (write ? sram_write_pj(c, rows) : sram_read_pj(c, rows)) * rf_scale_of(c);
}

/* What a policy keeps registers in, beside banks and collectors: it knows. */
static void price_policies(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    struct price p = {.latch_pj = 1024 * c->ff_fj * 1e-3 * rf_scale_of(c),
                      .crossbar_pj = rf_crossbar_pj(&in->of),
                      .bank_read_pj = rf_read_pj(&in->of),
                      .bank_write_pj = rf_write_pj(&in->of),
                      .compare_pj = c->mux_fj * 1e-3 * rf_scale_of(c),
                      .fetch_pj = fetch_pj(&in->of),
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

/* Cycles of shared memory that only conflicts took: accesses of more than a word for each lane take several without any. */
static double conflicts(const uint64_t *n)
{
    double rows = (double)n[SS_lanes_shared] / 32, wide = rows - (double)n[SS_shared_accesses];
    double rest = (double)n[SS_shared_conflicts] - (wide > 0 ? wide : 0);
    return rest > 0 ? rest : 0;
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
    pj[EP_shared] = (double)n[SS_shared_accesses] * either * c->shared_scale +
                    (double)n[SS_lanes_shared] * c->shared_pj + conflicts(n) * c->conflict_pj;
    pj[EP_l1] = ((double)n[SS_l1_reads] * read + (misses + (double)n[SS_l1_writes]) * write +
                 (double)n[SS_mem_lines] * sram_read_pj(c, TAG_ROWS)) *
                    c->l1_scale +
                (double)n[SS_lanes_memory] * c->memory_pj + (double)n[SS_lanes_texture] * c->texture_pj +
                (double)n[SS_mem_lines] * c->line_pj;
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
    double read = sram_read_pj(c, rows) / PIECE_B * c->shared_scale,
           write = sram_write_pj(c, rows) / PIECE_B * c->shared_scale;
    pj[EP_product_rf] = (double)(n[SS_product_regs] + n[SS_product_a_regs]) * rf_read_pj(&in->of) +
                        (double)n[SS_product_regs] * rf_write_pj(&in->of);
    pj[EP_product_shared] = (double)n[SS_product_shared_b] * (read + c->operand_pj / 4);
    pj[EP_copy_shared] = (double)(n[SS_copy_in_b] + n[SS_cast_b]) * write + (double)n[SS_copy_out_b] * read +
                         (double)(n[SS_copy_in_b] + n[SS_cast_b] + n[SS_copy_out_b]) / 4 * c->shared_pj;
    pj[EP_far] = (double)(n[SS_far_b] + n[SS_cast_b]) / 4 * c->wire_pj_mm * c->far_mm * c->icnt_scale;
}

static void price_memory(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    const uint64_t *m = in->mem;
    double read = sram_read_pj(c, c->l2_rows) * SECTOR_PIECES,
           write = sram_write_pj(c, c->l2_rows) * SECTOR_PIECES;
    double reads = (double)m[MS_l2_reads], writes = (double)m[MS_l2_writes], both = (double)m[MS_l2_atomics];
    double bits = 8.0 * SECTOR_B * (double)(m[MS_dram_reads] + m[MS_dram_writes]);
    pj[EP_icnt] =
        (double)(m[MS_icnt_request_b] + m[MS_icnt_reply_b]) / 4 * c->wire_pj_mm * c->icnt_mm * c->icnt_scale +
        (double)m[MS_icnt_requests] * c->request_pj;
    pj[EP_dram] =
        bits * c->dram_pj_bit + (double)(m[MS_dram_row_opens] + m[MS_dram_row_conflicts]) * c->row_pj;
    if (in->of.mem->simple)
        return; /* there is no L2 */
    pj[EP_l2] = ((reads + both + (double)m[MS_l2_writebacks]) * read +
                 (writes + both + (double)m[MS_dram_reads]) * write +
                 (reads + writes + both) * sram_read_pj(c, TAG_ROWS)) *
                    c->l2_scale +
                both * c->atomic_pj + (double)m[MS_l2_crossed] * c->cross_pj;
}

/* Front end and lanes. Where lanes have one price, kinds of work have none, and the other way round. */
static void price_work(const struct energy_in *in, double *pj)
{
    const struct energy_cfg *c = in->of.cfg;
    const uint64_t *n = in->sm;
#define KIND(counter, price)                                                                                 \
    {                                                                                                        \
        SS_##counter, offsetof(struct energy_cfg, price)                                                     \
    }
    static const struct {
        enum sm_stat lanes;
        size_t pj;
    } kinds[] = {
        KIND(lanes_fp32, fp32_pj),       KIND(lanes_fadd, fadd_pj),     KIND(lanes_int, int_pj),
        KIND(lanes_imul, imul_pj),       KIND(lanes_wide, wide_pj),     KIND(lanes_bits, bits_pj),
        KIND(lanes_sfu, sfu_pj),         KIND(lanes_conv, conv_pj),     KIND(lanes_qconv, qconv_pj),
        KIND(lanes_fp64, fp64_pj),       KIND(lanes_dadd, dadd_pj),     KIND(lanes_half, half_pj),
        KIND(lanes_shuffle, shuffle_pj), KIND(lanes_across, across_pj), KIND(lanes_atomic, rmw_pj),
        KIND(lanes_uniform, other_pj),   KIND(lanes_other, other_pj),
    };
#undef KIND
    double sum = (double)n[SS_warp_insts] * c->insn_pj + (double)n[SS_thread_insts] * c->lane_pj;
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        sum += (double)n[kinds[i].lanes] * *(const double *)((const char *)c + kinds[i].pj);
    pj[EP_instruction] = sum;
    pj[EP_tensor] = ((double)n[SS_lanes_hmma] * c->hmma_pj + (double)n[SS_lanes_imma] * c->imma_pj +
                     (double)n[SS_lanes_dmma] * c->dmma_pj) /
                        32 +
                    (double)n[SS_product_work] * c->product_pj;
}

/* Cycles of SMs that had a warp, over all SMs. */
static double active_cycles(const struct energy_in *in)
{
    const uint64_t *n = in->sm;
    uint64_t without = n[SS_stall_launch] + n[SS_stall_no_warp];
    double with = n[SS_cycles] > without ? (double)(n[SS_cycles] - without) : 0;
    return with / (in->of.sm->partitions * in->of.sm->schedulers);
}

static double sram_kb(const struct energy_machine *of)
{
    return of->sms * (double)arrays(of->sm).kb + (of->mem->simple ? 0 : of->mem->l2_kb);
}

static bool is_static(uint32_t part)
{
    return part == EP_leak_rf || part == EP_leak_sram || part == EP_leak_sm || part == EP_idle;
}

/* Watts at a share f of the clock, with the same cycles. Events take energy by the square of the voltage, and the clock sets how
 * fast they come; static power follows the voltage. */
static double watts_at(const struct energy_cfg *c, const struct energy_out *o, double f)
{
    double v = 1 - c->volt_slope + c->volt_slope * f, still = 0, events = 0;
    for (uint32_t i = 0; i < EP_COUNT; i++)
        *(is_static(i) ? &still : &events) += o->pj[i];
    return (still * v + events * v * v * f) * 1e-12 / o->seconds;
}

/* The highest clock at which the card takes no more than it may, by halving; a tenth of the clock at least. */
static void hold_limit(const struct energy_in *in, struct energy_out *o)
{
    const struct energy_cfg *c = in->of.cfg;
    double lo = 0.1, hi = 1;
    if (in->of.limit_w <= 0 || o->seconds <= 0 || watts_at(c, o, 1) <= in->of.limit_w)
        return;
    for (uint32_t i = 0; i < 40; i++) {
        double mid = (lo + hi) / 2;
        *(watts_at(c, o, mid) > in->of.limit_w ? &hi : &lo) = mid;
    }
    double v = 1 - c->volt_slope + c->volt_slope * lo;
    for (uint32_t i = 0; i < EP_COUNT; i++)
        o->pj[i] *= is_static(i) ? v / lo : v * v;
    o->mhz *= lo;
    o->seconds /= lo;
}

void energy_of(const struct energy_in *given, struct energy_out *out)
{
    struct energy_cfg cfg = energy_effective(given->of.cfg);
    struct energy_in here = *given, *in = &here;
    here.of.cfg = &cfg;
    const struct energy_cfg *c = in->of.cfg;
    double *pj = out->pj;
    double pj_per_mw = (double)in->cycles / in->of.core_mhz * 1e3;
    memset(out, 0, sizeof *out);
    out->seconds = (double)in->cycles / in->of.core_mhz * 1e-6;
    out->mhz = in->of.core_mhz;
    price_registers(in, pj);
    price_work(in, pj);
    price_policies(in, pj);
    price_onchip(in, pj);
    price_async(in, pj);
    price_memory(in, pj);
    pj[EP_leak_rf] = in->of.sms * rf_leak_mw(&in->of) * pj_per_mw * c->leak_scale;
    pj[EP_leak_sram] = sram_kb(&in->of) * c->sram_mw_kb * pj_per_mw * c->leak_scale;
    pj[EP_leak_sm] = in->of.sms * c->sm_mw * pj_per_mw * c->leak_scale;
    pj[EP_active] = active_cycles(in) * c->active_pj;
    pj[EP_idle] = c->idle_w * 1e3 * pj_per_mw;
    hold_limit(in, out);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        out->total_pj += pj[i];
}
