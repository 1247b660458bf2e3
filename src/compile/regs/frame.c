/* SPDX-License-Identifier: Apache-2.0 */
/* Stack frames. From R1 upwards: declared variables and outgoing arguments (frame_b), spill slots (spill_b), saved
 * registers; the caller's R1 is behind them. An entry starts from the stack top that the launch gives in c[0][0x28];
 * device functions save the registers from R16 up that they write. Local memory grows down, 16 bytes at a time. */
#include "compile/regs/regalloc.h"

#include "base/bitset.h"

struct frame {
    struct ir_fn *fn;
    uint32_t save_at, size; /* bytes */
    uint64_t saved[4];      /* registers */
};

static void find_saved(struct frame *f)
{
    if (f->fn->is_entry)
        return;
    for (uint32_t b = 0; b < f->fn->blocks.n; b++)
        for (uint32_t k = 0; k < f->fn->blocks.at[b].insns.n; k++)
            ir_each_dst (&f->fn->blocks.at[b].insns.at[k], d)
                for (uint32_t w = 0; d->kind == OPND_REG && w < d->n; w++)
                    if (d->val + w >= CALLER_SAVED)
                        bit_set(f->saved, d->val + w);
}

typedef VEC(struct ir_insn) insn_list;

/* Saves or restores: four registers at a time where all of an aligned four are used. */
static void saves(const struct frame *f, enum ir_op op, const struct ir_insn *like, insn_list *out)
{
    uint32_t off = f->save_at;

    for (uint32_t r = CALLER_SAVED; r < MAX_REGS;) {
        if (!bit_get(f->saved, r)) {
            r++;
            continue;
        }
        bool four = r % 4 == 0 && off % 16 == 0 && (f->saved[r >> 6] >> (r & 63) & 0xf) == 0xf;
        uint8_t n = four ? 4 : 1;
        struct ir_insn i = {.op = (uint8_t)op,
                            .type = T_U32,
                            .vec = n,
                            .space = SPACE_LOCAL,
                            .guard = like->guard,
                            .off = (int32_t)off,
                            .line = like->line};
        i.src[0] = ir_reg(REG_SP, 0, 1);
        if (op == OP_LDL)
            i.dst[0] = ir_reg(r, 0, n);
        else
            i.src[1] = ir_reg(r, 0, n);
        vec_push(out, i);
        r += n;
        off += 4u * n;
    }
}

static struct ir_insn move_sp(int64_t by, const struct ir_insn *like)
{
    struct ir_insn i = {.op = OP_IADD3, .type = T_U32, .guard = like->guard, .line = like->line};

    i.dst[0] = ir_reg(REG_SP, 0, 1);
    i.src[0] = ir_reg(REG_SP, 0, 1);
    i.src[1] = ir_imm((uint32_t)by);
    i.src[2] = ir_imm(0);
    return i;
}

/* An argument's place is known relative to the caller's stack pointer. */
static void fix_argument(const struct frame *f, struct ir_insn *i)
{
    if (!(i->flags & IRF_ARG))
        return;
    if (i->op == OP_LDL || i->op == OP_STL) {
        i->off += (int32_t)f->size;
    } else if (i->op == OP_MOV) { /* an offset of 0 that was folded */
        i->op = OP_IADD3;
        i->src[1] = ir_imm(f->size);
        i->src[2] = ir_imm(0);
    } else if (i->op == OP_IADD3) {
        int at = i->src[2].kind == OPND_IMM && i->src[2].val ? 2 : i->src[1].kind == OPND_IMM ? 1 : 2;
        i->src[at].val += f->size;
    }
    i->flags &= (uint16_t)~IRF_ARG;
}

static void epilogue(const struct frame *f, struct ir_insn *ret, insn_list *out)
{
    struct ir_opnd *link = &ret->src[0];

    /* Restoring would overwrite the return address where it waits in a saved register. */
    if (link->kind == OPND_REG && link->val != REG_LINK && bit_get(f->saved, link->val)) {
        struct ir_insn mov = {.op = OP_MOV, .type = T_U32, .guard = ret->guard, .line = ret->line};
        mov.dst[0] = ir_reg(REG_LINK, 0, 1);
        mov.src[0] = *link;
        vec_push(out, mov);
        *link = ir_reg(REG_LINK, 0, 1);
    }
    saves(f, OP_LDL, ret, out);
    if (f->size)
        vec_push(out, move_sp(f->size, ret));
}

static void prologue(const struct frame *f, insn_list *out)
{
    struct ir_insn like = {.line = f->fn->blocks.at[0].line};

    if (f->fn->is_entry) {
        struct ir_insn mov = {.op = OP_MOV, .type = T_U32, .line = like.line};
        mov.dst[0] = ir_reg(REG_SP, 0, 1);
        mov.src[0] = ir_const(BANK_LAUNCH, CB_STACK, 1);
        vec_push(out, mov);
    }
    if (f->size)
        vec_push(out, move_sp(-(int64_t)f->size, &like));
    saves(f, OP_STL, &like, out);
}

/* The prologue must run once: a first block that is branched to gets an empty one in front. */
static void own_first_block(struct ir_fn *fn)
{
    ir_cfg_link(fn);
    if (!fn->blocks.at[0].pred.n)
        return;
    vec_insert(&fn->blocks, 0, (struct ir_block){.line = fn->blocks.at[0].line});
    for (uint32_t b = 1; b < fn->blocks.n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        for (uint32_t k = 0; k < bl->insns.n; k++)
            if (bl->insns.at[k].op == OP_BRA)
                bl->insns.at[k].target++;
        for (uint32_t k = 0; k < bl->succ.n; k++)
            bl->succ.at[k]++;
    }
    ir_cfg_link(fn);
}

void pass_frame(struct ir_fn *fn)
{
    struct frame f = {.fn = fn};
    insn_list out = {0};

    find_saved(&f);
    own_first_block(fn);
    f.save_at = ((fn->frame_b + 15) & ~15u) + ((fn->spill_b + 15) & ~15u);
    f.size = (f.save_at + 4 * bits_count(f.saved, 4) + 15) & ~15u;
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        struct ir_block *bl = &fn->blocks.at[b];
        vec_clear(&out);
        if (b == 0)
            prologue(&f, &out);
        for (uint32_t k = 0; k < bl->insns.n; k++) {
            struct ir_insn i = bl->insns.at[k];
            fix_argument(&f, &i);
            if (i.op == OP_RET)
                epilogue(&f, &i, &out);
            vec_push(&out, i);
        }
        ir_block_set(bl, out.at, out.n);
    }
    vec_free(&out);
    fn->frame_b = f.size;
}
