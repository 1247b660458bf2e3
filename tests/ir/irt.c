/* SPDX-License-Identifier: Apache-2.0 */
#include "irt.h"

struct ir_insn *irt_emit(struct ir_fn *fn, uint32_t b, enum ir_op op, struct ir_opnd d, struct ir_opnd x,
                         struct ir_opnd y, struct ir_opnd z)
{
    struct ir_insn i = {.op = (uint8_t)op, .type = T_U32, .vec = 1};

    i.dst[0] = d;
    i.src[0] = x;
    i.src[1] = y;
    i.src[2] = z;
    vec_push(&fn->blocks.at[b].insns, i);
    return &fn->blocks.at[b].insns.at[fn->blocks.at[b].insns.n - 1];
}

void irt_graph(struct ir_fn *fn, struct arena *a, uint32_t n, const char *edges)
{
    uint32_t to[64][2], count[64] = {0}, from, dest;
    int used;

    ir_fn_init(fn, a, "graph");
    fn->is_entry = true;
    struct ir_opnd p = ir_pred(ir_vpred(fn), false);
    for (uint32_t b = 0; b < n; b++)
        ir_block_new(fn, NULL, 0);
    while (sscanf(edges, " %u-%u%n", &from, &dest, &used) == 2) {
        assert_true(from < n && dest < n && n <= 64 && count[from] < 2);
        to[from][count[from]++] = dest;
        edges += used;
    }
    for (uint32_t b = 0; b < n; b++) {
        if (!count[b]) {
            irt_emit(fn, b, OP_EXIT, NONE, NONE, NONE, NONE);
            continue;
        }
        if (count[b] == 2) {
            struct ir_insn *bra = irt_emit(fn, b, OP_BRA, NONE, NONE, NONE, NONE);
            bra->guard = p;
            bra->target = to[b][0];
            assert_int_equal(to[b][1], b + 1);
        } else if (to[b][0] != b + 1) {
            irt_emit(fn, b, OP_BRA, NONE, NONE, NONE, NONE)->target = to[b][0];
        }
    }
}
