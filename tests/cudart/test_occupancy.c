/* SPDX-License-Identifier: Apache-2.0 */
/* Occupancy against values of NVIDIA's own calculator (cuda_occupancy.h of CUDA 13.0, compute capability 9.0, one barrier,
 * all of shared memory), and the functions of the API. */
#include "rig.h"

#include "cudart/code/occupancy.h"

static const struct {
    uint32_t regs, threads, shared_b, ctas;
} known[] = {
    {16, 1, 33000, 6},    {16, 32, 4096, 32},   {16, 33, 1000, 32},   {16, 128, 49152, 4},
    {16, 256, 128, 8},    {16, 320, 33000, 6},  {16, 384, 1000, 5},   {16, 640, 1, 3},
    {24, 160, 7000, 12},  {24, 256, 49152, 4},  {24, 512, 7000, 4},   {24, 640, 0, 3},
    {24, 1000, 16384, 2}, {32, 512, 1000, 4},   {33, 1, 4096, 32},    {33, 160, 7000, 9},
    {33, 320, 1, 4},      {33, 512, 1, 3},      {33, 1000, 128, 1},   {40, 64, 1000, 24},
    {40, 96, 7000, 16},   {40, 192, 4096, 8},   {40, 192, 16384, 8},  {40, 512, 1, 3},
    {40, 768, 16384, 2},  {40, 768, 33000, 2},  {40, 1024, 0, 1},     {42, 96, 7000, 13},
    {42, 128, 4096, 10},  {42, 256, 1, 5},      {42, 384, 128, 3},    {42, 640, 0, 2},
    {42, 640, 7000, 2},   {48, 384, 1, 3},      {48, 448, 1000, 2},   {48, 448, 4096, 2},
    {48, 768, 128, 1},    {48, 768, 7000, 1},   {64, 32, 0, 32},      {64, 256, 1, 4},
    {64, 512, 7000, 2},   {64, 1024, 49152, 1}, {72, 32, 1, 28},      {72, 64, 128, 14},
    {72, 128, 0, 7},      {72, 160, 16384, 5},  {72, 192, 16384, 4},  {72, 1000, 0, 0},
    {80, 1, 33000, 6},    {80, 256, 16384, 3},  {80, 320, 16384, 2},  {80, 384, 1, 2},
    {80, 448, 1000, 1},   {80, 1024, 1, 0},     {96, 64, 128, 10},    {96, 96, 1000, 6},
    {96, 192, 128, 3},    {96, 640, 49152, 1},  {96, 1000, 16384, 0}, {104, 32, 33000, 6},
    {104, 1000, 4096, 0}, {128, 192, 49152, 2}, {128, 320, 4096, 1},  {128, 448, 0, 1},
    {128, 768, 33000, 0}, {128, 1000, 0, 0},    {200, 64, 128, 4},    {200, 192, 1000, 1},
    {200, 320, 4096, 0},  {255, 160, 1, 1},     {255, 448, 16384, 0}, {255, 1024, 128, 0},
};

static void calculator(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct code c = {.regs = known[i].regs};
        uint32_t n = occupancy_ctas(&c, 227 << 10, known[i].threads, known[i].shared_b);
        if (n != known[i].ctas)
            print_error("%u registers, %u threads, %u bytes: %u\n", known[i].regs, known[i].threads,
                        known[i].shared_b, n);
        assert_int_equal(n, known[i].ctas);
        /* Static memory counts the same. */
        const struct code d = {.regs = known[i].regs, .shared_b = known[i].shared_b};
        assert_int_equal(occupancy_ctas(&d, 0, known[i].threads, 0), known[i].ctas);
    }
}

static void limits(void **state)
{
    const struct code c = {.regs = 16, .maxntid = 128};
    (void)state;
    assert_int_equal(occupancy_ctas(&c, 0, 129, 0), 0);
    assert_int_equal(occupancy_ctas(&c, 0, 128, 0), 16);
    assert_int_equal(occupancy_ctas(&c, 0, 128, 48 << 10), 4);
    assert_int_equal(occupancy_ctas(&c, 0, 128, (48 << 10) + 1), 0); /* not without asking first */
    assert_int_equal(occupancy_ctas(&c, 227 << 10, 128, 227 << 10), 1);
    assert_int_equal(occupancy_device(&c, 0, 128, 0), 16 * 132);
}

static void api(void **state)
{
    int n = -1;
    size_t shared = 0;
    void *k = kernel("shared1k");
    (void)state;
    ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 256, 0));
    assert_int_equal(n, 8);
    ok(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&n, k, 32, 30000,
                                                              cudaOccupancyDisableCachingOverride));
    assert_int_equal(n, 7); /* 30000 + 1024 + 1024 bytes, rounded to 32128 */
    ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 32, 60000));
    assert_int_equal(n, 0);
    ok(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000));
    ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 32, 60000));
    assert_int_equal(n, 3);
    fails(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 0, 0));
    fails(cudaErrorInvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, k, 32, 0));
    fails(cudaErrorInvalidDeviceFunction, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, &n, 32, 0));
    /* What is available fits, and a unit more does not. */
    for (int ctas = 4; ctas <= 8; ctas++) {
        ok(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, k, ctas, 256));
        ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 256, shared));
        assert_int_equal(n, ctas);
        ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 256, shared + 1));
        assert_true(n < ctas);
    }
    fails(cudaErrorInvalidValue, cudaOccupancyAvailableDynamicSMemPerBlock(&shared, k, 9, 256));
}

static void cooperative_grids(void **state)
{
    uint32_t *p;
    int n;
    void *args[] = {&p}, *k = kernel("shared1k");
    (void)state;
    ok(cudaMalloc((void **)&p, 4));
    ok(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, k, 1024, 0));
    assert_int_equal(n, 2);
    ok(cudaLaunchCooperativeKernel(k, (dim3){2 * 132, 1, 1}, (dim3){1024, 1, 1}, args, 0, 0));
    fails(cudaErrorCooperativeLaunchTooLarge,
          cudaLaunchCooperativeKernel(k, (dim3){2 * 132 + 1, 1, 1}, (dim3){1024, 1, 1}, args, 0, 0));
    ok(cudaFree(p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calculator),
        cmocka_unit_test(limits),
        cmocka_unit_test(api),
        cmocka_unit_test(cooperative_grids),
    };
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
