/* SPDX-License-Identifier: Apache-2.0 */
/* Memory pools: allocation, statistics, thresholds, attributes, misuse. */
#include "rig.h"

#define MIB (1ull << 20)

static uint64_t get(cudaMemPool_t p, enum cudaMemPoolAttr a)
{
    uint64_t v = 0;
    ok(cudaMemPoolGetAttribute(p, a, &v));
    return v;
}

static cudaMemPool_t pool(size_t max)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned, .maxSize = max};
    cudaMemPool_t p;
    props.location.type = cudaMemLocationTypeDevice;
    ok(cudaMemPoolCreate(&p, &props));
    return p;
}

static void usable(void **state)
{
    uint32_t *p, *q;
    (void)state;
    ok(cudaMallocAsync((void **)&p, 4, 0));
    step(0, p, 0, 9);
    assert_int_equal(read_u32(p), 9);
    ok(cudaFreeAsync(p, 0));
    fails(cudaErrorInvalidValue, cudaFreeAsync(p, 0)); /* freed */
    ok(cudaMallocAsync((void **)&p, 4, 0));
    ok(cudaFree(p)); /* either way */
    fails(cudaErrorInvalidValue, cudaFree(p));
    ok(cudaMalloc((void **)&q, 4));
    ok(cudaFreeAsync(q, 0));
    ok(cudaFreeAsync(NULL, 0));
    ok(cudaMallocAsync((void **)&p, 0, 0));
    assert_null(p);
}

static void statistics(void **state)
{
    cudaMemPool_t p = pool(0);
    void *a, *b;
    uint64_t zero = 0;
    (void)state;
    assert_int_equal(get(p, cudaMemPoolAttrUsedMemCurrent), 0);
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 0);
    ok(cudaMallocFromPoolAsync(&a, 1000, p, 0)); /* units of 512 bytes, from chunks of 32 MiB */
    ok(cudaMallocFromPoolAsync(&b, 40 * MIB, p, 0));
    assert_int_equal(get(p, cudaMemPoolAttrUsedMemCurrent), 1024 + 40 * MIB);
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 64 * MIB);
    ok(cudaFreeAsync(b, 0));
    assert_int_equal(get(p, cudaMemPoolAttrUsedMemCurrent), 1024);
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 64 * MIB); /* until the host waits */
    ok(cudaStreamSynchronize(0));
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 32 * MIB);
    assert_int_equal(get(p, cudaMemPoolAttrUsedMemHigh), 1024 + 40 * MIB);
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemHigh), 64 * MIB);
    ok(cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &zero));
    ok(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReservedMemHigh, &zero));
    assert_int_equal(get(p, cudaMemPoolAttrUsedMemHigh), 1024);
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemHigh), 32 * MIB);
    zero = 1;
    fails(cudaErrorInvalidValue, cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemHigh, &zero));
    fails(cudaErrorInvalidValue, cudaMemPoolSetAttribute(p, cudaMemPoolAttrUsedMemCurrent, &zero));
    ok(cudaFreeAsync(a, 0));
    ok(cudaMemPoolDestroy(p));
}

static void threshold_and_trim(void **state)
{
    cudaMemPool_t p = pool(0);
    void *a;
    uint64_t all = UINT64_MAX;
    (void)state;
    assert_int_equal(get(p, cudaMemPoolAttrReleaseThreshold), 0);
    ok(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &all));
    ok(cudaMallocFromPoolAsync(&a, 70 * MIB, p, 0));
    ok(cudaFreeAsync(a, 0));
    ok(cudaDeviceSynchronize());
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 96 * MIB); /* kept */
    ok(cudaMemPoolTrimTo(p, 33 * MIB));
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 64 * MIB);
    ok(cudaMemPoolTrimTo(p, 0));
    assert_int_equal(get(p, cudaMemPoolAttrReservedMemCurrent), 0);
    ok(cudaMemPoolDestroy(p));
}

static void attributes_and_access(void **state)
{
    cudaMemPool_t p = pool(1 * MIB);
    struct cudaMemAccessDesc d = {.flags = cudaMemAccessFlagsProtReadWrite};
    enum cudaMemAccessFlags flags;
    int v = 0;
    void *a;
    (void)state;
    ok(cudaMemPoolGetAttribute(p, cudaMemPoolReuseAllowOpportunistic, &v));
    assert_int_equal(v, 1);
    v = 0;
    ok(cudaMemPoolSetAttribute(p, cudaMemPoolReuseAllowOpportunistic, &v));
    v = 5;
    ok(cudaMemPoolGetAttribute(p, cudaMemPoolReuseAllowOpportunistic, &v));
    assert_int_equal(v, 0);
    fails(cudaErrorInvalidValue, cudaMemPoolGetAttribute(p, (enum cudaMemPoolAttr)99, &v));
    d.location.type = cudaMemLocationTypeDevice;
    ok(cudaMemPoolSetAccess(p, &d, 1));
    ok(cudaMemPoolGetAccess(&flags, p, &d.location));
    assert_int_equal(flags, cudaMemAccessFlagsProtReadWrite);
    d.flags = cudaMemAccessFlagsProtNone;
    fails(cudaErrorInvalidValue, cudaMemPoolSetAccess(p, &d, 1));
    d.location.id = 1;
    fails(cudaErrorInvalidDevice, cudaMemPoolSetAccess(p, &d, 1));
    fails(cudaErrorMemoryAllocation, cudaMallocFromPoolAsync(&a, 2 * MIB, p, 0)); /* more than maxSize */
    ok(cudaMallocFromPoolAsync(&a, MIB, p, 0));
    ok(cudaFreeAsync(a, 0));
    ok(cudaMemPoolDestroy(p));
}

static void pools_of_the_device(void **state)
{
    cudaMemPool_t standard, current, p = pool(0);
    void *a;
    (void)state;
    ok(cudaDeviceGetDefaultMemPool(&standard, 0));
    ok(cudaDeviceGetMemPool(&current, 0));
    assert_ptr_equal(standard, current);
    ok(cudaDeviceSetMemPool(0, p));
    ok(cudaMallocAsync(&a, 512, 0));
    assert_int_equal(get(p, cudaMemPoolAttrUsedMemCurrent), 512);
    ok(cudaMemPoolDestroy(p)); /* lives on until its memory is freed */
    ok(cudaDeviceGetMemPool(&current, 0));
    assert_ptr_equal(standard, current);
    ok(cudaFreeAsync(a, 0));
    fails(cudaErrorInvalidValue, cudaMemPoolDestroy(standard));
    fails(cudaErrorInvalidValue, cudaMemPoolDestroy(p));
    fails(cudaErrorInvalidDevice, cudaDeviceGetMemPool(&current, 1));
}

static void sharing_is_refused(void **state)
{
    struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                     .handleTypes = cudaMemHandleTypePosixFileDescriptor};
    cudaMemPool_t p;
    int fd;
    (void)state;
    props.location.type = cudaMemLocationTypeDevice;
    fails(cudaErrorNotSupported, cudaMemPoolCreate(&p, &props));
    ok(cudaDeviceGetDefaultMemPool(&p, 0));
    fails(cudaErrorNotSupported,
          cudaMemPoolExportToShareableHandle(&fd, p, cudaMemHandleTypePosixFileDescriptor, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usable),
        cmocka_unit_test(statistics),
        cmocka_unit_test(threshold_and_trim),
        cmocka_unit_test(attributes_and_access),
        cmocka_unit_test(pools_of_the_device),
        cmocka_unit_test(sharing_is_refused),
    };
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
