/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of a launch (cudaLaunchKernelExC, cuLaunchKernelEx): some ask for something, some only say how well it may go,
 * and some need what is not here. */
#include "cudart/code/launch.h"
#include "cudart/stream/stream.h"

enum what { NOTHING, WISH, MISSING };
static const struct {
    enum what what;
    const char *name;
} known[] = {
    [cudaLaunchAttributeIgnore] = {NOTHING, NULL},
    [cudaLaunchAttributeAccessPolicyWindow] = {NOTHING, NULL},
    [cudaLaunchAttributeCooperative] = {WISH, NULL},
    [cudaLaunchAttributeSynchronizationPolicy] = {NOTHING, NULL},
    [cudaLaunchAttributeClusterDimension] = {WISH, NULL},
    [cudaLaunchAttributeClusterSchedulingPolicyPreference] = {NOTHING, NULL},
    [cudaLaunchAttributeProgrammaticStreamSerialization] =
        {NOTHING, NULL}, /* allows overlap; in order is right, too */
    [cudaLaunchAttributeProgrammaticEvent] = {MISSING, "programmatic events"},
    [cudaLaunchAttributePriority] = {WISH, NULL},
    [cudaLaunchAttributeMemSyncDomainMap] = {NOTHING, NULL},
    [cudaLaunchAttributeMemSyncDomain] = {NOTHING, NULL},
    [cudaLaunchAttributePreferredClusterDimension] =
        {NOTHING, NULL}, /* where it does not fit, the other size is taken */
    [cudaLaunchAttributeLaunchCompletionEvent] = {MISSING, "launch completion events"},
    [cudaLaunchAttributeDeviceUpdatableKernelNode] = {MISSING, "kernel nodes that device code updates"},
    [cudaLaunchAttributePreferredSharedMemoryCarveout] = {NOTHING, NULL},
};

static cudaError_t take(const cudaLaunchAttribute *a, struct rt_wish *w)
{
    switch ((int)a->id) {
    case cudaLaunchAttributeCooperative: w->cooperative = a->val.cooperative != 0; break;
    case cudaLaunchAttributePriority:
        w->has_priority = true;
        w->priority = stream_priority(a->val.priority);
        break;
    default: /* the size of clusters; nothing at all is no wish */
        if (!a->val.clusterDim.x && !a->val.clusterDim.y && !a->val.clusterDim.z)
            break;
        if (!a->val.clusterDim.x || !a->val.clusterDim.y || !a->val.clusterDim.z)
            return cudaErrorInvalidClusterSize;
        w->cluster[0] = a->val.clusterDim.x;
        w->cluster[1] = a->val.clusterDim.y;
        w->cluster[2] = a->val.clusterDim.z;
    }
    return cudaSuccess;
}

const char *launch_attributes(const cudaLaunchAttribute *at, unsigned n, struct rt_wish *w, cudaError_t *e)
{
    const char *missing = NULL;
    bool prefers = false;
    *e = cudaSuccess;
    for (unsigned i = 0; i < n && !missing && !*e; i++) {
        unsigned id = (unsigned)at[i].id;
        prefers |= id == cudaLaunchAttributePreferredClusterDimension;
        if (id >= sizeof known / sizeof *known)
            *e = cudaErrorInvalidValue;
        else if (known[id].what == MISSING)
            missing = known[id].name;
        else if (known[id].what == WISH)
            *e = take(&at[i], w);
    }
    if (prefers && !w->cluster[0] && !missing && !*e)
        *e = cudaErrorInvalidClusterSize;
    return missing;
}
