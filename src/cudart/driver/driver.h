/* SPDX-License-Identifier: Apache-2.0 */
/* The driver API over the runtime's: the same handles, the same state, other names and error codes.
 *
 * A context is a name for the one device's state: all contexts share its memory and modules. What contexts decide is which
 * calls are refused (none current, destroyed). Most functions are DRV(the runtime's function): it checks that there is a
 * current context, and keeps the runtime's last error as it was. */
#ifndef CUDART_DRIVER_H
#define CUDART_DRIVER_H

#include "cuda.h"
#include "cudart/rt.h"

/* A value that NVIDIA's own runtime keeps with a context. */
struct drv_kept {
    void *key, *value;
    void (*gone)(CUcontext, void *key, void *value); /* when the context goes; NULL: nobody is told */
};

struct rt_context {
    struct rt_obj obj;
    unsigned flags;
    uint32_t refs; /* primary: retained so often */
    bool primary;
    VEC(struct drv_kept) kept;
};

struct rt_driver {
    struct rt_context primary;
};

/* `needs`: what must be there before the call. Not success: the call is refused, drv_leave is not called. */
enum drv_needs { DRV_INIT, DRV_CONTEXT };
CUresult drv_enter(enum drv_needs needs);
CUresult drv_leave(cudaError_t e);
CUresult drv_error(cudaError_t e);
/* The calling thread's context, NULL: none. */
struct rt_context *drv_current(struct rt *rt);
/* The context goes: tells those who keep values with it. Not under the runtime's lock. */
void drv_forget(struct rt_context *c);

#define DRV_CALL(needs, call)                                                                                \
    ({                                                                                                       \
        CUresult drv_r = drv_enter(needs);                                                                   \
        drv_r == CUDA_SUCCESS ? drv_leave(call) : drv_r;                                                     \
    })
#define DRV(call) DRV_CALL(DRV_CONTEXT, call)

#endif
