/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays, copies to and from them, texture and surface objects, texture references. */
#include "prog.h"
#include "rig.h"

static const struct cudaChannelFormatDesc f32 = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                                          u32 = {32, 0, 0, 0, cudaChannelFormatKindUnsigned},
                                          u8 = {8, 0, 0, 0, cudaChannelFormatKindUnsigned};

static void array_shapes(void **state)
{
    cudaArray_t a;
    struct cudaChannelFormatDesc d;
    struct cudaExtent x;
    unsigned flags;
    (void)state;
    ok(cudaMalloc3DArray(&a, &f32, (struct cudaExtent){8, 4, 3},
                         cudaArrayLayered | cudaArraySurfaceLoadStore));
    ok(cudaArrayGetInfo(&d, &x, &flags, a));
    assert_int_equal(d.x, 32);
    assert_int_equal(x.width, 8);
    assert_int_equal(x.depth, 3);
    assert_int_equal(flags, cudaArrayLayered | cudaArraySurfaceLoadStore);
    ok(cudaGetChannelDesc(&d, a));
    assert_int_equal(d.f, cudaChannelFormatKindFloat);
    ok(cudaFreeArray(a));
    fails(cudaErrorInvalidValue, cudaFreeArray(a));
    ok(cudaFreeArray(NULL));
    ok(cudaMallocArray(&a, &f32, 16, 0, 0));
    ok(cudaFreeArray(a));
    fails(cudaErrorInvalidValue, cudaMallocArray(&a, &f32, 0, 0, 0));
    fails(cudaErrorInvalidValue, cudaMalloc3DArray(&a, &f32, (struct cudaExtent){8, 4, 6}, cudaArrayCubemap));
    fails(cudaErrorInvalidValue, cudaMalloc3DArray(&a, &f32, (struct cudaExtent){8, 0, 3}, 0));
    fails(cudaErrorNotSupported, cudaMallocArray(&a, &f32, 8, 8, cudaArraySparse));
    const struct cudaChannelFormatDesc three = {8, 8, 8, 0, cudaChannelFormatKindUnsigned},
                                       uneven = {16, 8, 0, 0, cudaChannelFormatKindUnsigned},
                                       packed = {8, 8, 8, 8, cudaChannelFormatKindUnsignedNormalized8X4};
    fails(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &three, 8, 8, 0));
    fails(cudaErrorInvalidChannelDescriptor, cudaMallocArray(&a, &uneven, 8, 8, 0));
    fails(cudaErrorNotSupported, cudaMallocArray(&a, &packed, 8, 8, 0));
    cudaMipmappedArray_t m;
    fails(cudaErrorNotSupported, cudaMallocMipmappedArray(&m, &f32, (struct cudaExtent){8, 8, 0}, 2, 0));
}

static void array_copies(void **state)
{
    cudaArray_t a, b;
    uint32_t in[4][5], out[4][5];
    (void)state;
    for (uint32_t i = 0; i < 20; i++)
        in[i / 5][i % 5] = i + 1;
    ok(cudaMallocArray(&a, &u32, 5, 4, 0));
    ok(cudaMallocArray(&b, &u32, 5, 4, 0));
    ok(cudaMemcpy2DToArray(a, 0, 0, in, 20, 20, 4, cudaMemcpyHostToDevice));
    memset(out, 0, sizeof out);
    ok(cudaMemcpy2DFromArray(out[1] + 1, 20, a, 8, 2, 8, 2, cudaMemcpyDeviceToHost)); /* a part */
    assert_int_equal(out[1][1], in[2][2]);
    assert_int_equal(out[2][2], in[3][3]);
    assert_int_equal(out[1][3], 0);
    /* The old functions go on in the next row. */
    memset(out, 0, sizeof out);
    ok(cudaMemcpyFromArray(out, a, 12, 0, 4 * 13, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 13; i++)
        assert_int_equal(out[i / 5][i % 5], 4 + i);
    ok(cudaMemcpyToArray(b, 0, 0, in, 80, cudaMemcpyHostToDevice));
    ok(cudaMemcpyToArray(b, 16, 1, in, 24, cudaMemcpyHostToDevice));
    ok(cudaMemcpyFromArray(out, b, 0, 0, 80, cudaMemcpyDeviceToHost));
    assert_int_equal(out[1][3], 9);
    assert_int_equal(out[1][4], 1);
    assert_int_equal(out[2][4], 6);
    assert_int_equal(out[3][0], 16);
    ok(cudaMemcpyArrayToArray(b, 4, 0, a, 12, 1, 4 * 8, cudaMemcpyDeviceToDevice));
    ok(cudaMemcpyFromArray(out, b, 0, 0, 80, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        assert_int_equal(out[(1 + i) / 5][(1 + i) % 5], 9 + i);
    ok(cudaMemcpy2DArrayToArray(b, 0, 0, a, 4, 1, 8, 2, cudaMemcpyDeviceToDevice));
    ok(cudaMemcpy2DFromArray(out, 20, b, 0, 0, 20, 4, cudaMemcpyDeviceToHost));
    assert_int_equal(out[1][1], in[2][2]);
    /* Not inside the array. */
    fails(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 4, 0, in, 20, 20, 4, cudaMemcpyHostToDevice));
    fails(cudaErrorInvalidValue, cudaMemcpyToArray(a, 0, 3, in, 24, cudaMemcpyHostToDevice));
    fails(cudaErrorInvalidValue, cudaMemcpy2DToArray(a, 0, 0, in, 16, 20, 4, cudaMemcpyHostToDevice));
    fails(cudaErrorInvalidMemcpyDirection,
          cudaMemcpy2DToArray(a, 0, 0, in, 20, 20, 4, cudaMemcpyDeviceToHost));
    fails(cudaErrorInvalidMemcpyDirection, cudaMemcpyFromArray(out, a, 0, 0, 20, cudaMemcpyHostToDevice));
    struct cudaMemcpy3DParms nothing = {0};
    ok(cudaMemcpy3D(&nothing));
    fails(cudaErrorInvalidValue,
          cudaMemcpy2DToArray((cudaArray_t)in, 0, 0, in, 20, 20, 4, cudaMemcpyHostToDevice));
    /* In three dimensions. */
    struct cudaMemcpy3DParms p = {.srcArray = a,
                                  .srcPos = {1, 1, 0},
                                  .dstPtr = {out, 20, 5, 4},
                                  .extent = {2, 2, 1},
                                  .kind = cudaMemcpyDeviceToHost};
    memset(out, 0, sizeof out);
    ok(cudaMemcpy3D(&p));
    assert_int_equal(out[0][0], in[1][1]);
    assert_int_equal(out[1][1], in[2][2]);
    assert_int_equal(out[0][2], 0);
    ok(cudaFreeArray(a));
    fails(cudaErrorInvalidValue, cudaMemcpy3D(&p));
    ok(cudaFreeArray(b));
}

static void run_tex1(cudaTextureObject_t t, uint32_t *out, unsigned n)
{
    void *args[] = {&t, &out};
    ok(cudaLaunchKernel(kernel("tex1"), (dim3){1, 1, 1}, (dim3){n, 1, 1}, args, 0, 0));
}

static float run_tex2(cudaTextureObject_t t, float x, float y)
{
    static uint32_t *out; /* one word, for all tests */
    float v;
    if (!out)
        ok(cudaMalloc((void **)&out, 4));
    void *args[] = {&t, &out, &x, &y};
    ok(cudaLaunchKernel(kernel("tex2"), (dim3){1, 1, 1}, (dim3){1, 1, 1}, args, 0, 0));
    ok(cudaMemcpy(&v, out, 4, cudaMemcpyDeviceToHost));
    return v;
}

static void linear_texture(void **state)
{
    uint32_t in[8] = {5, 6, 7, 8, 9, 10, 11, 12}, back[8], *p, *out;
    struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear}, got;
    struct cudaTextureDesc d = {.readMode = cudaReadModeElementType};
    cudaTextureObject_t t;
    (void)state;
    ok(cudaMalloc((void **)&p, 1024));
    ok(cudaMalloc((void **)&out, 32));
    ok(cudaMemcpy(p, in, 32, cudaMemcpyHostToDevice));
    r.res.linear.devPtr = p;
    r.res.linear.desc = u32;
    r.res.linear.sizeInBytes = 32;
    ok(cudaCreateTextureObject(&t, &r, &d, NULL));
    run_tex1(t, out, 8);
    ok(cudaMemcpy(back, out, 32, cudaMemcpyDeviceToHost));
    assert_memory_equal(in, back, 32);
    ok(cudaGetTextureObjectResourceDesc(&got, t));
    assert_ptr_equal(got.res.linear.devPtr, p);
    ok(cudaDestroyTextureObject(t));
    fails(cudaErrorInvalidValue, cudaDestroyTextureObject(t));
    fails(cudaErrorInvalidValue, cudaGetTextureObjectTextureDesc(&d, t));
    r.res.linear.devPtr = p + 1; /* not aligned */
    fails(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &r, &d, NULL));
    r.res.linear.devPtr = in; /* not the device's */
    fails(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &r, &d, NULL));
    r.res.linear.devPtr = p;
    struct cudaResourceViewDesc view = {.width = 8};
    fails(cudaErrorNotSupported, cudaCreateTextureObject(&t, &r, &d, &view));
    d.sRGB = 1;
    fails(cudaErrorNotSupported, cudaCreateTextureObject(&t, &r, &d, NULL));
    d.sRGB = 0;
    d.filterMode = cudaFilterModeLinear; /* of integers that stay integers */
    fails(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&t, &r, &d, NULL));
    d.readMode = cudaReadModeNormalizedFloat;
    fails(cudaErrorInvalidFilterSetting, cudaCreateTextureObject(&t, &r, &d, NULL));
    d.filterMode = cudaFilterModePoint;
    fails(cudaErrorInvalidNormSetting, cudaCreateTextureObject(&t, &r, &d, NULL));
    fails(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&t, &r, NULL, NULL));
    ok(cudaFree(p));
    ok(cudaFree(out));
}

static void array_texture(void **state)
{
    float in[2][4] = {{0, 10, 20, 30}, {40, 50, 60, 70}};
    cudaArray_t a;
    struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
    struct cudaTextureDesc d = {
        .addressMode = {cudaAddressModeClamp, cudaAddressModeClamp, cudaAddressModeClamp},
        .filterMode = cudaFilterModeLinear};
    cudaTextureObject_t t;
    (void)state;
    ok(cudaMallocArray(&a, &f32, 4, 2, 0));
    ok(cudaMemcpy2DToArray(a, 0, 0, in, 16, 16, 2, cudaMemcpyHostToDevice));
    r.res.array.array = a;
    ok(cudaCreateTextureObject(&t, &r, &d, NULL));
    assert_true(run_tex2(t, 1.5f, 0.5f) == 10);
    assert_true(run_tex2(t, 2.0f, 0.5f) == 15);
    assert_true(run_tex2(t, 2.0f, 1.0f) == 35);
    assert_true(run_tex2(t, -9.0f, 9.0f) == 40);
    ok(cudaDestroyTextureObject(t));
    d.normalizedCoords = 1;
    d.addressMode[0] = cudaAddressModeWrap;
    d.filterMode = cudaFilterModePoint;
    ok(cudaCreateTextureObject(&t, &r, &d, NULL));
    assert_true(run_tex2(t, 1.3f, 0.9f) == 50);
    ok(cudaDestroyTextureObject(t));
    ok(cudaFreeArray(a));
    fails(cudaErrorInvalidResourceHandle, cudaCreateTextureObject(&t, &r, &d, NULL));
}

static void pitched_texture_of_fractions(void **state)
{
    unsigned char in[2][3] = {{0, 51, 255}, {102, 153, 204}};
    char *p;
    size_t pitch;
    struct cudaResourceDesc r = {.resType = cudaResourceTypePitch2D};
    struct cudaTextureDesc d = {
        .addressMode = {cudaAddressModeBorder, cudaAddressModeBorder, cudaAddressModeBorder},
        .readMode = cudaReadModeNormalizedFloat};
    cudaTextureObject_t t;
    (void)state;
    ok(cudaMallocPitch((void **)&p, &pitch, 3, 2));
    ok(cudaMemcpy2D(p, pitch, in, 3, 3, 2, cudaMemcpyHostToDevice));
    r.res.pitch2D.devPtr = p;
    r.res.pitch2D.desc = u8;
    r.res.pitch2D.width = 3;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = pitch;
    ok(cudaCreateTextureObject(&t, &r, &d, NULL));
    assert_true(run_tex2(t, 1.5f, 0.5f) == 0.2f);
    assert_true(run_tex2(t, 2.5f, 0.5f) == 1.0f);
    assert_true(run_tex2(t, 3.5f, 0.5f) == 0.0f);
    ok(cudaDestroyTextureObject(t));
    r.res.pitch2D.pitchInBytes = pitch + 1;
    fails(cudaErrorInvalidValue, cudaCreateTextureObject(&t, &r, &d, NULL));
    ok(cudaFree(p));
}

static void surface(void **state)
{
    cudaArray_t a, plain;
    cudaSurfaceObject_t s;
    struct cudaResourceDesc r = {.resType = cudaResourceTypeArray};
    uint32_t back[8];
    (void)state;
    ok(cudaMallocArray(&a, &u32, 8, 2, cudaArraySurfaceLoadStore));
    ok(cudaMallocArray(&plain, &u32, 8, 2, 0));
    r.res.array.array = plain;
    ok(cudaCreateSurfaceObject(&s, &r));
    ok(cudaDestroySurfaceObject(s));
    r.resType = cudaResourceTypeLinear;
    fails(cudaErrorInvalidChannelDescriptor, cudaCreateSurfaceObject(&s, &r));
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    ok(cudaCreateSurfaceObject(&s, &r));
    void *args[] = {&s};
    ok(cudaLaunchKernel(kernel("surf"), (dim3){1, 1, 1}, (dim3){8, 1, 1}, args, 0, 0));
    ok(cudaMemcpy2DFromArray(back, 32, a, 0, 0, 32, 1, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(back[i], 100 + i);
    fails(cudaErrorInvalidValue, cudaDestroyTextureObject(s)); /* it is no texture */
    ok(cudaDestroySurfaceObject(s));
    ok(cudaFreeArray(a));
    ok(cudaFreeArray(plain));
}

static const char ref_ptx[] = PTX_HEAD
    ".visible .global .texref tref;\n"
    ".visible .entry fetch(.param .u64 out, .param .u32 n)\n"
    "{ .reg .u64 %rd<5>; .reg .u32 %r<7>; .reg .pred %p;\n"
    "  ld.param.u64 %rd2, [out]; ld.param.u32 %r6, [n]; mov.u32 %r1, %tid.x; add.u32 %r6, %r6, %r1;\n"
    "  tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [tref, {%r6}];\n"
    "  mul.wide.u32 %rd3, %r1, 4; add.u64 %rd4, %rd2, %rd3; st.global.u32 [%rd4], %r2; ret; }\n";

static void texture_reference(void **state)
{
    static struct textureReference ref; /* as a program has it: a variable */
    static char stub;
    struct prog p;
    uint32_t in[256], back[8], *mem, *out, n = 0;
    size_t offset;
    const struct textureReference *found;
    (void)state;
    prog_open(&p, ref_ptx);
    prog_kernel(&p, &stub, "fetch");
    __cudaRegisterTexture(p.handle, &ref, NULL, "tref", 1, 0, 0);
    ok(cudaGetTextureReference(&found, &ref));
    assert_ptr_equal(found, &ref);
    for (uint32_t i = 0; i < 256; i++)
        in[i] = i;
    ok(cudaMalloc((void **)&mem, sizeof in));
    ok(cudaMalloc((void **)&out, 32));
    ok(cudaMemcpy(mem, in, sizeof in, cudaMemcpyHostToDevice));
    ref.addressMode[0] = cudaAddressModeClamp;
    fails(cudaErrorInvalidTextureBinding, cudaGetTextureAlignmentOffset(&offset, &ref));
    ok(cudaBindTexture(&offset, &ref, mem, &u32, UINT_MAX));
    assert_int_equal(offset, 0);
    void *args[] = {&out, &n};
    ok(cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){8, 1, 1}, args, 0, 0));
    ok(cudaMemcpy(back, out, 32, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, in, 32);
    /* Inside of an allocation: bound to the aligned address below, with an offset. */
    ok(cudaBindTexture(&offset, &ref, mem + 130, &u32, 64));
    assert_int_equal(offset, 8);
    ok(cudaGetTextureAlignmentOffset(&offset, &ref));
    n = (uint32_t)offset / 4;
    ok(cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){8, 1, 1}, args, 0, 0));
    ok(cudaMemcpy(back, out, 32, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, in + 130, 32);
    /* Nowhere to put the offset. */
    fails(cudaErrorInvalidValue, cudaBindTexture(NULL, &ref, mem + 130, &u32, 64));
    /* An array. */
    cudaArray_t a;
    ok(cudaMallocArray(&a, &u32, 256, 0, 0));
    ok(cudaMemcpyToArray(a, 0, 0, in, sizeof in, cudaMemcpyHostToDevice));
    fails(cudaErrorInvalidChannelDescriptor, cudaBindTextureToArray(&ref, a, &f32));
    ok(cudaBindTextureToArray(&ref, a, &u32));
    n = 77;
    ok(cudaLaunchKernel(&stub, (dim3){1, 1, 1}, (dim3){8, 1, 1}, args, 0, 0));
    assert_int_equal(read_u32(out), 77);
    ok(cudaUnbindTexture(&ref));
    fails(cudaErrorInvalidTexture, cudaUnbindTexture((struct textureReference *)&stub));
    ok(cudaFreeArray(a));
    ok(cudaFree(mem));
    ok(cudaFree(out));
    prog_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(array_shapes),      cmocka_unit_test(array_copies),
        cmocka_unit_test(linear_texture),    cmocka_unit_test(array_texture),
        cmocka_unit_test(surface),           cmocka_unit_test(pitched_texture_of_fractions),
        cmocka_unit_test(texture_reference),
    };
    return cmocka_run_group_tests(tests, rig_setup, NULL);
}
