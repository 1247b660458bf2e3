/* SPDX-License-Identifier: Apache-2.0 */
/* What is derived from a result. */
#include "gpu/gpu.h"

#include <math.h>
#include <stdlib.h>

void gpu_result_free(struct gpu_result *r)
{
    vec_free(&r->kernels);
    vec_each (&r->tenants, t)
        vec_free(&t->progress);
    vec_free(&r->tenants);
    for (uint32_t i = 0; i < SA_COUNT; i++)
        free(r->arrays[i]);
}

double gpu_ipc(const struct gpu_result *r)
{
    return r->kernel_cycles ? (double)r->sm[SS_warp_insts] / (double)r->kernel_cycles : 0;
}

double gpu_tenant_ipc(const struct gpu_result *r, uint32_t tenant)
{
    const struct gpu_tenant_result *t = &r->tenants.at[tenant];
    return t->kernel_cycles ? (double)t->sm[SS_warp_insts] / (double)t->kernel_cycles : 0;
}

static int by_begin(const void *a, const void *b)
{
    const struct gpu_kernel_result *const *x = a, *const *y = b;
    return ((*x)->begin > (*y)->begin) - ((*x)->begin < (*y)->begin);
}

/* Launches that run together are not counted twice. */
void gpu_tenant_cycles(struct gpu_result *r)
{
    VEC(const struct gpu_kernel_result *) all = {0};
    vec_each (&r->kernels, k)
        vec_push(&all, k);
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_begin);
    for (uint32_t i = 0; i < r->tenants.n; i++) {
        struct gpu_tenant_result *t = &r->tenants.at[i];
        uint64_t first = UINT64_MAX, counted = 0;
        vec_each (&all, k) {
            if ((*k)->tenant != i)
                continue;
            uint64_t from = (*k)->begin > counted ? (*k)->begin : counted;
            t->kernel_cycles += (*k)->end > from ? (*k)->end - from : 0;
            counted = (*k)->end > counted ? (*k)->end : counted;
            first = (*k)->start < first ? (*k)->start : first;
        }
        t->cycles = counted > first ? counted - first : 0;
    }
    vec_free(&all);
}

double gpu_issue_cov(const struct gpu_conf *c, const struct gpu_result *r)
{
    double sum = 0;
    uint32_t sms = 0, n = c->sm.partitions;
    for (uint32_t i = 0; r->arrays[SA_partition_issued] && i < c->gpu.sms; i++) {
        const uint64_t *v = r->arrays[SA_partition_issued] + (size_t)i * n;
        double total = 0, square = 0;
        for (uint32_t k = 0; k < n; k++)
            total += (double)v[k];
        for (uint32_t k = 0; k < n; k++)
            square += ((double)v[k] - total / n) * ((double)v[k] - total / n);
        if (total > 0) {
            sum += sqrt(square / n) / (total / n);
            sms++;
        }
    }
    return sms ? sum / sms : 0;
}
