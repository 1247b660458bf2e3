/* SPDX-License-Identifier: Apache-2.0 */
/* What a kernel asks of the system: printf, assert, malloc, free; and textures, which have their own files. */
#include "exec/memory/lanes.h"
#include "exec/tex/texop.h"

enum { TEXT_MAX = 160 };

static bool sys_assert(struct run *r, struct warp *w, struct dop *d, uint32_t lane)
{
    const struct xop *x = &d->x;
    char message[TEXT_MAX], file[TEXT_MAX], function[TEXT_MAX];
    if (!lane_string(r, w, lane, row_u64(x_row(&w->x, x, 0), lane), message, TEXT_MAX) ||
        !lane_string(r, w, lane, row_u64(x_row(&w->x, x, 1), lane), file, TEXT_MAX) ||
        !lane_string(r, w, lane, row_u64(x_row(&w->x, x, 3), lane), function, TEXT_MAX))
        return false;
    return fail(r, w, EXEC_ASSERT, lane, 0, "%s:%u: %s: thread (%u,%u,%u): assertion `%s' failed", file,
                x_row(&w->x, x, 2)[lane], function, w->tid[0][lane], w->tid[1][lane], w->tid[2][lane],
                message);
}

static bool sys_one(struct run *r, struct warp *w, struct dop *d, uint32_t lane)
{
    uint32_t *dst = x_dst(&w->x, &d->x, 0);
    uint64_t a = row_u64(x_row(&w->x, &d->x, 0), lane), at;
    switch ((enum ir_syscall)d->x.insn->sub) {
    case SYS_PRINTF: return sys_printf(r, w, lane, a, row_u64(x_row(&w->x, &d->x, 1), lane), &dst[lane]);
    case SYS_ASSERT: return sys_assert(r, w, d, lane);
    case SYS_MALLOC:
        at = mem_alloc(&r->dev->mem, a, ALLOC_HEAP);
        dst[lane] = (uint32_t)at;
        dst[LANES + lane] = (uint32_t)(at >> 32);
        return true;
    case SYS_FREE:
        if (a && !mem_free(&r->dev->mem, a, ALLOC_HEAP))
            return fail(r, w, EXEC_BAD_ADDRESS, lane, a,
                        "free of 0x%llx, which malloc did not return or which is free already",
                        (unsigned long long)a);
        return true;
    }
    return fail(r, w, EXEC_BAD_CODE, lane, 0, "no such system call");
}

bool core_syscall(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    lanes_each (mask, l) {
        if (!sys_one(r, w, d, l))
            return false;
    }
    run_progress(r, w);
    return true;
}

bool core_tex(struct run *r, struct warp *w, struct dop *d, uint32_t mask)
{
    uint32_t lane = lane_first(mask);
    const char *why = "texture";
    if (!exec_tex_op(r->dev, &d->x, &w->x, mask, r->addr, &lane, &why))
        return fail(r, w, r->addr[lane] ? EXEC_BAD_ADDRESS : EXEC_BAD_CODE, lane, r->addr[lane], "%s", why);
    if (d->op == OP_SUST)
        run_progress(r, w);
    r->space = SPACE_GLOBAL;
    r->naddr = r->obs && d->op != OP_TXQ;
    return true;
}
