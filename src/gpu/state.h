/* SPDX-License-Identifier: Apache-2.0 */
/* A run while it lasts, for the files of src/gpu that make it up: gpu.c builds, counts and takes it down, loop.c goes through its
 * windows, dispatch.c starts CTAs. */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu/gpu.h"

#include "gpu/cluster.h"
#include "gpu/control.h"
#include "gpu/launch.h"
#include "gpu/passes.h"
#include "gpu/share/share.h"
#include "gpu/tell.h"
#include "gpu/weigh.h"
#include "gpu/windows.h"
#include "sm/onchip/onchip.h"

struct gpu {
    const struct gpu_conf *c;
    struct sm_timing timing;
    struct sm **sms;
    uint32_t nsm;
    struct memsys *mem;
    struct team *team;
    struct windows windows;
    struct launches *tenants;
    uint32_t ntenants;
    struct ledger ledger;
    struct gpcs gpcs;
    const struct share_ops *share;
    void *share_state;
    struct share_tenant *seen; /* by tenant, for its turn */
    uint64_t now, until;
    uint64_t progress_at; /* cycle of the next note of how far the tenants are */
    /* Another CTA may find a place: one has ended in this window, or as many as may have started */
    bool room;
    uint64_t insts, issued_at; /* warp instructions issued; the last window in which one was */
    struct diag *d;
    struct tell tell;
    struct control control;
    bool planned; /* how the SMs' memory is divided for the whole run */
    struct onchip_split plan;
    bool ahead;  /* SMs may run ahead of their window: nobody looks at them, or changes them, in between */
    bool weighs; /* what it does stands for more than itself */
    struct weigh weigh;
    struct passes passes;
};

/* dispatch.c. Launches have their turns, CTAs start. */
void gpu_start(struct gpu *g);
/* Those that have ended in the window leave room for others. */
void gpu_collect_done(struct gpu *g);

/* loop.c: to its end, or where it is cut. */
enum gpu_status gpu_loop(struct gpu *g, const struct gpu_opts *o);
/* To the window of that cycle, if it lies ahead. Windows lie on a fixed grid, so that skipping idle ones changes nothing. */
void gpu_go_to(struct gpu *g, uint64_t next);

#endif
