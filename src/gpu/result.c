/* What is derived from a result. */
#include "gpu/gpu.h"

#include <math.h>

void gpu_result_free(struct gpu_result *r)
{
    vec_free(&r->kernels);
    for (uint32_t i = 0; i < SA_COUNT; i++)
        free(r->arrays[i]);
}

double gpu_ipc(const struct gpu_result *r)
{
    return r->kernel_cycles ? (double)r->sm[SS_warp_insts] / (double)r->kernel_cycles : 0;
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
