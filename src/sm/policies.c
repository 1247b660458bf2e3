/* The registry: one line per policy of each seam. */
#include "sm/assign/assign.h"
#include "sm/lsu/lsu.h"
#include "sm/onchip/onchip.h"
#include "sm/operands/operands.h"
#include "sm/sm.h"
#include "sm/wsched/wsched.h"

extern const struct wsched_ops wsched_lrr, wsched_gto, wsched_twolevel, wsched_rba, wsched_malekeh;
extern const struct wsched_ops wsched_strands;
extern const struct assign_ops assign_rr, assign_srr, assign_shuffle;
extern const struct operands_ops operands_collectors, operands_stealing, operands_ccu, operands_bow,
    operands_rfc, operands_swrfc, operands_ltrf;
extern const struct lsu_ops lsu_coalescer, lsu_banked, lsu_mrpb, lsu_warppool;
extern const struct onchip_ops onchip_partitioned, onchip_carved;

const struct wsched_ops *const wsched_list[] = {
    &wsched_gto, &wsched_lrr, &wsched_twolevel, &wsched_rba, &wsched_malekeh, &wsched_strands, NULL};
const struct assign_ops *const assign_list[] = {&assign_rr, &assign_srr, &assign_shuffle, NULL};
const struct operands_ops *const operands_list[] = {
    &operands_collectors, &operands_stealing, &operands_ccu,  &operands_bow,
    &operands_rfc,        &operands_swrfc,    &operands_ltrf, NULL};
const struct lsu_ops *const lsu_list[] = {&lsu_coalescer, &lsu_banked, &lsu_mrpb, &lsu_warppool, NULL};
const struct onchip_ops *const onchip_list[] = {&onchip_partitioned, &onchip_carved, NULL};

const char *pool_select_name(uint32_t i)
{
    static const char *const names[] = {"toggle", "oldest", "warp"};
    return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

#define SEAM(seam)                                                                                           \
    const char *seam##_name(uint32_t i)                                                                      \
    {                                                                                                        \
        return i < sizeof seam##_list / sizeof seam##_list[0] && seam##_list[i] ? seam##_list[i]->name       \
                                                                                : NULL;                      \
    }                                                                                                        \
    const struct seam##_ops *seam##_find(const char *name)                                                   \
    {                                                                                                        \
        for (uint32_t i = 0; seam##_list[i]; i++)                                                            \
            if (strcmp(seam##_list[i]->name, name) == 0)                                                     \
                return seam##_list[i];                                                                       \
        return NULL;                                                                                         \
    }

SEAM(wsched)
SEAM(assign)
SEAM(operands)
SEAM(lsu)
SEAM(onchip)
