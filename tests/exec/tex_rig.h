/* SPDX-License-Identifier: Apache-2.0 */
/* A device, one hand-made instruction and a register file: runs TEX, TXQ, SULD and SUST without compiling a kernel. */
#ifndef TESTS_TEX_RIG_H
#define TESTS_TEX_RIG_H

#include "exec/tex/tex.h"
#include "exec/tex/texop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { RIG_HANDLE = 0, RIG_COORD = 4, RIG_DATA = 8, RIG_DST = 12, RIG_ROWS = 20 };

struct rig {
    struct exec_dev *dev;
    struct ir_insn insn;
    struct xop op;
    struct xwarp warp;
    uint32_t rows[RIG_ROWS][LANES];
    uint64_t addr[LANES];
    uint32_t bad_lane;
    const char *why;
};

static inline void rig_open(struct rig *r)
{
    memset(r, 0, sizeof *r);
    r->dev = exec_dev_new(&(struct exec_cfg){0});
    assert_non_null(r->dev);
    r->warp.base[XSEL_REG] = (unsigned char *)r->rows;
    r->warp.pred[PRED_PT] = UINT32_MAX;
}

static inline void rig_close(struct rig *r) { exec_dev_free(r->dev); }

static inline void rig_op(struct rig *r, enum ir_op op, enum ir_texgeom g, unsigned ncoord)
{
    static const uint8_t row[3] = {RIG_HANDLE, RIG_COORD, RIG_DATA};
    r->insn = (struct ir_insn){.op = (uint8_t)op, .type = T_F32, .stype = T_F32, .sub = (uint8_t)g, .vec = 1};
    r->insn.src[0] = ir_reg(RIG_HANDLE, 0, 2);
    r->insn.src[1] = ir_reg(RIG_COORD, 0, ncoord);
    r->insn.src[2] = ir_reg(RIG_DATA, 0, 4);
    if (op != OP_SUST)
        r->insn.dst[0] = ir_reg(RIG_DST, 0, 4);
    r->op = (struct xop){.insn = &r->insn, .dst = {RIG_DST * ROW_B, 16 * ROW_B}};
    for (unsigned i = 0; i < 3; i++)
        r->op.src[i] = (struct xsrc){.off = row[i] * ROW_B, .sel = XSEL_REG};
}

static inline void rig_set(struct rig *r, unsigned row, unsigned lane, uint32_t v) { r->rows[row][lane] = v; }

static inline void rig_setf(struct rig *r, unsigned row, unsigned lane, float v)
{
    memcpy(&r->rows[row][lane], &v, 4);
}

static inline void rig_handle(struct rig *r, unsigned lane, uint64_t h)
{
    rig_set(r, RIG_HANDLE, lane, (uint32_t)h);
    rig_set(r, RIG_HANDLE + 1, lane, (uint32_t)(h >> 32));
}

static inline bool rig_run(struct rig *r, uint32_t mask)
{
    return exec_tex_op(r->dev, &r->op, &r->warp, mask, r->addr, &r->bad_lane, &r->why);
}

static inline float rig_f(const struct rig *r, unsigned chan, unsigned lane)
{
    float f;
    memcpy(&f, &r->rows[RIG_DST + chan][lane], 4);
    return f;
}

/* Device memory that holds a copy of the data. */
static inline uint64_t rig_mem(struct rig *r, const void *data, size_t size_b)
{
    uint64_t at = exec_alloc(r->dev, size_b);
    assert_true(at != 0);
    memcpy(exec_ptr(r->dev, at, size_b), data, size_b);
    return at;
}

#endif
