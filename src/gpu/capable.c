/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/capable.h"

#include "base/demangle.h"

/* The first compute capability, times ten, that has the instruction (CUDA C++ Programming Guide, table of compute
 * capabilities; PTX ISA, target notes of mma, ldmatrix, cp.async, mbarrier, redux, match, wgmma and cp.async.bulk). */
static const struct {
    uint8_t cls;
    uint16_t since;
} firsts[] = {{TC_HMMA, 70}, {TC_IMMA, 72},   {TC_BMMA, 75}, {TC_DMMA, 80}, {TC_GMMA, 90},  {TC_LDSM, 75},
              {TC_STSM, 90}, {TC_LDGSTS, 80}, {TC_MBAR, 80}, {TC_TMA, 90},  {TC_REDUX, 80}, {TC_MATCH, 70}};

static bool has(const struct tr_kernel *k, uint8_t cls)
{
    for (uint32_t i = 0; i < k->n; i++)
        if (k->insns[i].cls == cls)
            return true;
    return false;
}

void gpu_each_lack(const struct gpu_conf *c, const struct tr_reader *t,
                   void (*f)(void *ctx, const char *text), void *ctx)
{
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
        if (c->gpu.capability >= firsts[i].since)
            continue;
        for (uint32_t k = 0; k < tr_nkernels(t); k++) {
            if (!has(tr_kernel(t, k), firsts[i].cls))
                continue;
            char name[256], text[512];
            demangle(tr_kernel(t, k)->name, name, sizeof name);
            snprintf(text, sizeof text,
                     "%s has instructions of class %s (%s), which GPUs have from compute capability %u.%u on "
                     "and this one "
                     "(%u.%u) has not: their time is no real GPU's",
                     name, tr_classes[firsts[i].cls].name, tr_classes[firsts[i].cls].what,
                     firsts[i].since / 10, firsts[i].since % 10, c->gpu.capability / 10,
                     c->gpu.capability % 10);
            f(ctx, text);
            break; /* one kernel is enough to say so */
        }
    }
}
