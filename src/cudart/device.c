/* SPDX-License-Identifier: Apache-2.0 */
/* The one device and what it says about itself, out of one table.
 *
 * It has the resources of an H200, as the executor has, and its compute capability. PTX for later architectures runs all the
 * same where nothing earlier is there, see fatbin.h. */
#include "cudart/rt.h"

const char rt_device_name[] = "Bankshot";

bool rt_device_attribute(int attr, int *value)
{
    switch (attr) {
#define ATTR(name, v, member)                                                                                \
    case cudaDevAttr##name:                                                                                  \
        *value = (v);                                                                                        \
        return true;
#include "cudart/attrs.def"
#undef ATTR
    default: return false;
    }
}

void rt_device_properties(struct rt *rt, struct cudaDeviceProp *p)
{
    memset(p, 0, sizeof *p);
    memcpy(p->name, rt_device_name, strlen(rt_device_name));
    memcpy(p->uuid.bytes, "bankshot-device0", sizeof p->uuid.bytes);
    p->totalGlobalMem = rt->cfg.mem_b;
#define NONE name[sizeof p->name - 1] /* a byte that stays zero */
#define ATTR(id, v, member) p->member = (v);
#include "cudart/attrs.def"
#undef ATTR
#undef NONE
    p->name[sizeof p->name - 1] = 0;
}
