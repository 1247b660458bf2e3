/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that read textures and write surfaces through objects. */
#include "kt.h"

#include "exec/tex/tex.h"

#include <math.h>

static struct exec_tex array2d(uint64_t base, int w, int h, unsigned texel_b)
{
    return (struct exec_tex){.kind = TEXK_ARRAY,
                             .chan = TEX_CHAN_UINT,
                             .address = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP},
                             .bits = {32},
                             .base = base,
                             .width = (uint64_t)w,
                             .height = (uint64_t)h,
                             .pitch_b = (uint64_t)w * texel_b};
}

static double clamped(const float *im, int w, int h, int x, int y)
{
    x = x < 0 ? 0 : x >= w ? w - 1 : x;
    y = y < 0 ? 0 : y >= h ? h - 1 : y;
    return (double)im[y * w + x];
}

static void tex_scale(struct kt *t)
{
    enum { SW = 16, SH = 8, W = 40, H = 24 };
    struct {
        uint64_t tex, out;
        int w, h;
        float sx, sy;
    } p = {.w = W, .h = H, .sx = 0.45f, .sy = 0.35f};
    uint64_t base;
    float *in = KT_NEW(t, float, SW *SH, &base), *out = KT_NEW(t, float, W *H, &p.out);
    double want[W * H];
    for (int i = 0; i < SW * SH; i++)
        in[i] = kt_f32(t, 0, 1);
    struct exec_tex d = array2d(base, SW, SH, 4);
    d.chan = TEX_CHAN_FLOAT;
    d.filter = TEX_LINEAR;
    p.tex = exec_tex_create(t->dev, &d);
    assert_true(p.tex != 0);
    for (int i = 0; i < W * H; i++) {
        double x = (i % W + 0.5) * (double)0.45f - 0.5, y = (i / W + 0.5) * (double)0.35f - 0.5;
        int x0 = (int)floor(x), y0 = (int)floor(y);
        double fx = x - x0, fy = y - y0;
        want[i] =
            (1 - fy) * ((1 - fx) * clamped(in, SW, SH, x0, y0) + fx * clamped(in, SW, SH, x0 + 1, y0)) +
            fy * ((1 - fx) * clamped(in, SW, SH, x0, y0 + 1) + fx * clamped(in, SW, SH, x0 + 1, y0 + 1));
    }
    kt_launch(t, "tex_scale", KT_2(2, 6), KT_2(32, 4), &p, sizeof p);
    /* The hardware's weights have 8 bits of fraction. */
    KT_NEAR(t, out, want, W * H, 0, 2.5 / 256);
    exec_tex_destroy(t->dev, p.tex);
}
KT_TEST("texture", tex_scale)

static void tex_gather(struct kt *t)
{
    enum { SIZE = 300, N = 200 };
    struct {
        uint64_t tex, index, out;
        int n;
    } p = {.n = N};
    uint64_t base;
    float *in = KT_NEW(t, float, SIZE, &base), *out = KT_NEW(t, float, N, &p.out), want[N];
    int *index = KT_NEW(t, int, N, &p.index);
    for (int i = 0; i < SIZE; i++)
        in[i] = kt_f32(t, -1, 1);
    for (int i = 0; i < N; i++)
        want[i] = in[index[i] = kt_int(t, 0, SIZE)];
    struct exec_tex d = {
        .kind = TEXK_LINEAR, .chan = TEX_CHAN_FLOAT, .bits = {32}, .base = base, .width = SIZE};
    p.tex = exec_tex_create(t->dev, &d);
    assert_true(p.tex != 0);
    kt_launch(t, "tex_gather", KT_1(2), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("texture", tex_gather)

static void tex_rgba(struct kt *t)
{
    enum { W = 20, H = 9 };
    struct {
        uint64_t tex, out;
        int w, h;
    } p = {.w = W, .h = H};
    uint64_t base;
    uint8_t *in = KT_NEW(t, uint8_t, 4 * W * H, &base), *out = KT_NEW(t, uint8_t, 4 * W * H, &p.out),
            want[4 * W * H];
    for (int i = 0; i < 4 * W * H; i++)
        in[i] = (uint8_t)rng_u32(&t->rng);
    for (int i = 0; i < 4 * W * H; i++)
        want[i] = in[i ^ 3];
    struct exec_tex d = array2d(base, W, H, 4);
    for (int i = 0; i < 4; i++)
        d.bits[i] = 8;
    p.tex = exec_tex_create(t->dev, &d);
    assert_true(p.tex != 0);
    kt_launch(t, "tex_rgba", KT_2(1, 3), KT_2(32, 4), &p, sizeof p);
    KT_SAME(t, out, want, 4 * W * H);
}
KT_TEST("texture", tex_rgba)

static void surfaces(struct kt *t)
{
    enum { W = 24, H = 10 };
    struct {
        uint64_t in, out;
        int w, h;
    } p = {.w = W, .h = H};
    struct {
        uint64_t surf;
        int w, h;
    } fill = {.w = W, .h = H};
    uint64_t base_a, base_b;
    uint32_t *a = KT_NEW(t, uint32_t, W * H, &base_a), *b = KT_NEW(t, uint32_t, W * H, &base_b), wa[W * H],
             wb[W * H];
    struct exec_tex da = array2d(base_a, W, H, 4), db = array2d(base_b, W, H, 4);
    fill.surf = p.in = exec_tex_create(t->dev, &da);
    p.out = exec_tex_create(t->dev, &db);
    assert_true(p.in != 0 && p.out != 0);
    for (int i = 0; i < W * H; i++)
        wb[i] = ~(wa[i] = (uint32_t)(i / W * 1000 + i % W));
    kt_launch(t, "surf_fill", KT_2(1, 3), KT_2(32, 4), &fill, sizeof fill);
    KT_SAME(t, a, wa, W * H);
    kt_launch(t, "surf_invert", KT_2(1, 3), KT_2(32, 4), &p, sizeof p);
    KT_SAME(t, b, wb, W * H);
}
KT_TEST("texture", surfaces)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tex_scale),
        cmocka_unit_test(test_tex_gather),
        cmocka_unit_test(test_tex_rgba),
        cmocka_unit_test(test_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
