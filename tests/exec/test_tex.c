/* SPDX-License-Identifier: Apache-2.0 */
/* Texture fetches against a plain reference of the programming guide's rules, and against values read on an H200. */
#include "tex_rig.h"

#include "base/rng.h"

#include <math.h>

static struct exec_tex float_tex(uint64_t base, uint32_t w, uint32_t h, uint32_t d)
{
    return (struct exec_tex){.kind = TEXK_ARRAY,
                             .chan = TEX_CHAN_FLOAT,
                             .bits = {32},
                             .base = base,
                             .width = w,
                             .height = h,
                             .depth = d,
                             .pitch_b = 4 * w,
                             .address = {TEX_CLAMP, TEX_CLAMP, TEX_CLAMP}};
}

static uint64_t make(struct rig *r, const struct exec_tex *t)
{
    uint64_t h = exec_tex_create(r->dev, t);
    assert_true(h != 0);
    for (unsigned lane = 0; lane < LANES; lane++)
        rig_handle(r, lane, h);
    return h;
}

static uint32_t fetch1(struct rig *r, float x)
{
    rig_setf(r, RIG_COORD, 3, x);
    assert_true(rig_run(r, 8));
    return r->rows[RIG_DST][3];
}

static float fetch1f(struct rig *r, float x)
{
    fetch1(r, x);
    return rig_f(r, 0, 3);
}

static int64_t ref_address(int64_t i, int64_t n, unsigned mode)
{
    if (mode == TEX_CLAMP)
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    if (mode == TEX_BORDER)
        return i < 0 || i >= n ? -1 : i;
    while (i < 0)
        i += 2 * n;
    i %= 2 * n;
    return mode == TEX_WRAP ? i % n : i < n ? i : 2 * n - 1 - i;
}

static void point_modes(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    float texels[11];
    for (int i = 0; i < 11; i++)
        texels[i] = (float)(100 + i);
    struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 11, 0, 0);
    t.border[0] = -7;
    struct rng g = {1};
    for (unsigned mode = 0; mode < 4; mode++) {
        for (unsigned norm = 0; norm < 2; norm++) {
            t.address[0] = (uint8_t)mode;
            t.normalized = norm;
            make(&r, &t);
            rig_op(&r, OP_TEX, TEX_1D, 1);
            for (int k = 0; k < 500; k++) {
                float x = ((float)rng_below(&g, 8192) - 4096) / (norm ? 1024.0f : 64.0f);
                unsigned m = norm || mode == TEX_BORDER ? mode : TEX_CLAMP;
                int64_t i = ref_address((int64_t)floor(norm ? (double)x * 11 : (double)x), 11, m);
                assert_float_equal(fetch1f(&r, x), i < 0 ? -7.0f : texels[i], 0);
            }
        }
    }
    rig_close(&r);
}

static void linear_1d(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    float texels[8];
    for (int i = 0; i < 8; i++)
        texels[i] = (float)(i * i - 9);
    struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 8, 0, 0);
    t.filter = TEX_LINEAR;
    t.border[0] = 3;
    struct rng g = {2};
    for (unsigned mode = 0; mode < 4; mode++) {
        t.address[0] = (uint8_t)mode;
        t.normalized = true;
        make(&r, &t);
        rig_op(&r, OP_TEX, TEX_1D, 1);
        for (int k = 0; k < 500; k++) {
            /* Few bits: the coordinate itself is exact. */
            float x = ((float)rng_below(&g, 65536) - 32768) / 16384.0f;
            double u = (double)x * 8 - 0.5, a = floor((u - floor(u)) * 256 + 0.5) / 256;
            int64_t lo = ref_address((int64_t)floor(u), 8, mode),
                    hi = ref_address((int64_t)floor(u) + 1, 8, mode);
            double want = (1 - a) * (lo < 0 ? 3 : texels[lo]) + a * (hi < 0 ? 3 : texels[hi]);
            assert_float_equal(fetch1f(&r, x), want, 0);
        }
    }
    rig_close(&r);
}

static void special_coordinates(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    const float texels[4] = {1, 2, 3, 4};
    struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 4, 0, 0);
    for (unsigned filter = 0; filter < 2; filter++) {
        t.filter = (uint8_t)filter;
        make(&r, &t);
        rig_op(&r, OP_TEX, TEX_1D, 1);
        assert_float_equal(fetch1f(&r, NAN), 1, 0);
        assert_float_equal(fetch1f(&r, INFINITY), 4, 0);
        assert_float_equal(fetch1f(&r, -INFINITY), 1, 0);
        assert_float_equal(fetch1f(&r, 3e38f), 4, 0);
        assert_float_equal(fetch1f(&r, nextafterf(4, 0)), 4, 0);
    }
    rig_close(&r);
}

/* Four texels, fractions of x and y in 1/256, the result: read on an H200. */
static void bilinear_silicon(void **state)
{
    (void)state;
    static const struct {
        uint32_t t[4], fx, fy, want;
    } seen[] = {
        {{0xc0f07000, 0xc4437f80, 0x40a58800, 0x43f2efc0}, 242, 249, 0x43d47552},
        {{0xc33d96b0, 0xc3b62480, 0xc3330420, 0xc3086560}, 38, 157, 0xc33d82fd},
        {{0xc267b260, 0x434f5ca0, 0xc2d80c00, 0x43470420}, 218, 193, 0x431cf62f},
        {{0xc1b276e0, 0xc2968ba0, 0x425c62f0, 0xc2ed8490}, 14, 101, 0x40200a50},
        {{0xc4256270, 0x43eaed40, 0xc46504e0, 0xc24c2c00}, 194, 137, 0xc2425315},
        {{0xc3336420, 0x440e7d20, 0xbe0b0000, 0x44208b50}, 246, 45, 0x440a8dc5},
        {{0x42e1b180, 0xc25e1e40, 0xc28b5290, 0xc30baaf0}, 170, 81, 0xc20fd989},
        {{0x44466a40, 0x4136ce00, 0x445774c0, 0xc0fbf1e0}, 222, 245, 0x42d83df5},
        {{0x42a28f80, 0xc417d5e0, 0x43be9bc0, 0x44568720}, 146, 25, 0xc35a6b6d},
        {{0xc47a1ba0, 0xc14d69e0, 0xc30c9680, 0xc0ce6d40}, 198, 189, 0xc2b10a57},
        {{0xc1260d80, 0x4328ba50, 0xc2a80e80, 0x429d2580}, 122, 225, 0x405636fc},
        {{0x42edfc80, 0x406bc000, 0x41aaed00, 0x43dd4f40}, 174, 133, 0x4332889b},
    };
    struct rig r;
    rig_open(&r);
    for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
        struct exec_tex t = float_tex(rig_mem(&r, seen[k].t, 16), 2, 2, 0);
        t.filter = TEX_LINEAR;
        make(&r, &t);
        rig_op(&r, OP_TEX, TEX_2D, 2);
        rig_setf(&r, RIG_COORD, 0, 0.5f + (float)seen[k].fx / 256);
        rig_setf(&r, RIG_COORD + 1, 0, 0.5f + (float)seen[k].fy / 256);
        assert_true(rig_run(&r, 1));
        assert_int_equal(r.rows[RIG_DST][0], seen[k].want);
        assert_int_equal(r.rows[RIG_DST + 1][0], 0);
        assert_int_equal(r.rows[RIG_DST + 3][0], 0);
        assert_true(r.addr[0] >= t.base && r.addr[0] < t.base + 16);
    }
    rig_close(&r);
}

/* Weights of the eight corners in 1/256, x fastest: read on an H200 with one texel of 1 among zeros. */
static void trilinear_silicon(void **state)
{
    (void)state;
    static const struct {
        uint8_t f[3], w[8];
    } seen[] = {
        {{160, 28, 0}, {86, 142, 10, 18, 0, 0, 0, 0}},
        {{60, 112, 11}, {106, 32, 82, 25, 5, 2, 3, 1}},
        {{175, 112, 11}, {44, 94, 34, 73, 2, 4, 1, 4}},
        {{160, 28, 33}, {75, 124, 9, 15, 11, 19, 1, 2}},
        {{160, 0, 44}, {79, 133, 0, 0, 16, 28, 0, 0}},
        {{35, 63, 66}, {124, 20, 40, 6, 43, 7, 14, 2}},
        {{170, 91, 99}, {34, 67, 19, 37, 21, 43, 12, 23}},
        {{45, 126, 132}, {52, 11, 50, 11, 55, 12, 54, 11}},
        {{180, 154, 165}, {11, 25, 16, 39, 20, 46, 29, 70}},
        {{190, 217, 231}, {1, 3, 5, 16, 9, 26, 51, 145}},
    };
    struct rig r;
    rig_open(&r);
    for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
        for (unsigned corner = 0; corner < 8; corner++) {
            float texels[8] = {0};
            texels[corner] = 256;
            struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 2, 2, 2);
            t.filter = TEX_LINEAR;
            make(&r, &t);
            rig_op(&r, OP_TEX, TEX_3D, 4);
            for (unsigned a = 0; a < 3; a++)
                rig_setf(&r, RIG_COORD + a, 0, 0.5f + (float)seen[k].f[a] / 256);
            assert_true(rig_run(&r, 1));
            assert_float_equal(rig_f(&r, 0, 0), seen[k].w[corner], 0);
        }
    }
    rig_close(&r);
}

/* Normalised coordinates next to a rounding boundary, N = 10, texel i holds i: read on an H200. */
static void normalized_silicon(void **state)
{
    (void)state;
    static const struct {
        uint8_t mode;
        float x, want;
    } seen[] = {
        {TEX_WRAP, 1.97871101f, 6.43359375f},    {TEX_WRAP, 0.461914092f, 4.12109375f},
        {TEX_WRAP, 1.07089829f, 0.20703125f},    {TEX_WRAP, -0.519726515f, 4.30078125f},
        {TEX_CLAMP, 0.584960997f, 5.3515625f},   {TEX_CLAMP, -0.281835914f, 0},
        {TEX_CLAMP, 0.0521484353f, 0.01953125f}, {TEX_CLAMP, 0.686523497f, 6.3671875f},
        {TEX_MIRROR, 1.1912111f, 7.58984375f},   {TEX_MIRROR, 0.174414083f, 1.2421875f},
        {TEX_MIRROR, 0.233398423f, 1.83203125f}, {TEX_MIRROR, 1.89277351f, 0.57421875f},
    };
    struct rig r;
    rig_open(&r);
    float texels[10];
    for (int i = 0; i < 10; i++)
        texels[i] = (float)i;
    struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 10, 0, 0);
    t.filter = TEX_LINEAR;
    t.normalized = true;
    for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
        t.address[0] = seen[k].mode;
        make(&r, &t);
        rig_op(&r, OP_TEX, TEX_1D, 1);
        assert_float_equal(fetch1f(&r, seen[k].x), seen[k].want, 0);
    }
    rig_close(&r);
}

static void integer_coordinates(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    int32_t texels[16];
    for (int i = 0; i < 16; i++)
        texels[i] = 1000 - i;
    struct exec_tex t = {.kind = TEXK_LINEAR, .chan = TEX_CHAN_SINT, .bits = {32}, .width = 16};
    t.base = rig_mem(&r, texels, sizeof texels);
    make(&r, &t);
    rig_op(&r, OP_TEX, TEX_1D, 1);
    r.insn.stype = T_S32;
    for (int i = -3; i < 20; i++)
        rig_set(&r, RIG_COORD, (unsigned)(i + 3), (uint32_t)i);
    assert_true(rig_run(&r, (1u << 23) - 1));
    for (int i = -3; i < 20; i++) {
        bool inside = i >= 0 && i < 16;
        assert_int_equal((int32_t)r.rows[RIG_DST][i + 3], inside ? 1000 - i : 0);
        assert_true(r.addr[i + 3] == (inside ? t.base + 4 * (uint64_t)i : 0));
    }
    rig_close(&r);
}

static void formats(void **state)
{
    (void)state;
    static const uint8_t bytes[8] = {0, 1, 127, 128, 200, 255, 0x3c, 0x80};
    struct rig r;
    rig_open(&r);
    struct exec_tex t = {.kind = TEXK_ARRAY, .bits = {8}, .width = 8, .address = {TEX_BORDER}, .border = {5}};
    t.base = rig_mem(&r, bytes, sizeof bytes);
    rig_op(&r, OP_TEX, TEX_1D, 1);
    for (unsigned i = 0; i < 8; i++) {
        float x = (float)i;
        t.chan = TEX_CHAN_UINT, t.read_normalized = false, make(&r, &t);
        assert_int_equal(fetch1(&r, x), bytes[i]);
        t.chan = TEX_CHAN_SINT, make(&r, &t);
        assert_int_equal((int32_t)fetch1(&r, x), (int8_t)bytes[i]);
        t.read_normalized = true, make(&r, &t);
        float want = (float)(int8_t)bytes[i] / 127.0f;
        assert_float_equal(fetch1f(&r, x), want < -1 ? -1 : want, 0);
        t.chan = TEX_CHAN_UINT, make(&r, &t);
        assert_float_equal(fetch1f(&r, x), (float)bytes[i] / 255.0f, 0);
        assert_float_equal(fetch1f(&r, 8.0f), 1, 0); /* border 5, clamped */
    }
    /* Halves: 1, -2, the smallest subnormal, a NaN whose payload survives; two channels per texel. */
    static const uint16_t halves[4] = {0x3c00, 0xc000, 0x0001, 0x7c07};
    struct exec_tex h = {
        .kind = TEXK_ARRAY, .chan = TEX_CHAN_FLOAT, .bits = {16, 16}, .width = 2, .address = {TEX_CLAMP}};
    h.base = rig_mem(&r, halves, sizeof halves);
    make(&r, &h);
    assert_float_equal(fetch1f(&r, 0), 1, 0);
    assert_float_equal(rig_f(&r, 1, 3), -2, 0);
    assert_float_equal(fetch1f(&r, 1), 0x1p-24f, 0);
    assert_int_equal(r.rows[RIG_DST + 1][3], 0x7f80e000);
    assert_int_equal(r.rows[RIG_DST + 2][3], 0);
    rig_close(&r);
}

/* Eight-bit texels are filtered as 16-bit fixed point: read on an H200. */
static void normalized_filter_silicon(void **state)
{
    (void)state;
    static const uint8_t bytes[6] = {0, 1, 127, 128, 200, 255};
    static const struct {
        float x;
        uint32_t want;
    } seen[] = {
        {1.0f, 0x3b010081}, {1.25f, 0x3b4100c1}, {2.0f, 0x3e808081}, {2.1f, 0x3e9a329a}, {4.9f, 0x3f5ec8df}};
    struct rig r;
    rig_open(&r);
    struct exec_tex t = {
        .kind = TEXK_ARRAY, .chan = TEX_CHAN_UINT, .bits = {8}, .width = 6, .address = {TEX_CLAMP}};
    t.base = rig_mem(&r, bytes, sizeof bytes);
    t.read_normalized = true;
    t.filter = TEX_LINEAR;
    make(&r, &t);
    rig_op(&r, OP_TEX, TEX_1D, 1);
    for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++)
        assert_int_equal(fetch1(&r, seen[k].x), seen[k].want);
    rig_close(&r);
}

static void layers_and_gather(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    float texels[3 * 4 * 4];
    for (int i = 0; i < 48; i++)
        texels[i] = (float)i;
    struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 4, 4, 3);
    make(&r, &t);
    rig_op(&r, OP_TEX, TEX_A2D, 4);
    static const struct {
        int32_t layer;
        int want;
    } seen[] = {{0, 0}, {1, 1}, {2, 2}, {3, 2}, {100, 2}, {-1, 2}}; /* as an H200 clamps them */
    for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
        rig_set(&r, RIG_COORD, 0, (uint32_t)seen[k].layer);
        rig_setf(&r, RIG_COORD + 1, 0, 1.5f);
        rig_setf(&r, RIG_COORD + 2, 0, 2.5f);
        assert_true(rig_run(&r, 1));
        assert_float_equal(rig_f(&r, 0, 0), seen[k].want * 16 + 9, 0);
    }
    rig_op(&r, OP_TEX, TEX_2D, 2);
    r.insn.flags = IRF_FETCH4;
    r.insn.vec = 0;
    rig_setf(&r, RIG_COORD, 0, 1.4f);
    rig_setf(&r, RIG_COORD + 1, 0, 2.6f);
    assert_true(rig_run(&r, 1));
    static const float want[4] = {12, 13, 9, 8}; /* (0,3) (1,3) (1,2) (0,2) */
    for (unsigned k = 0; k < 4; k++)
        assert_float_equal(rig_f(&r, k, 0), want[k], 0);
    rig_close(&r);
}

/* Directions, ties between axes among them, and the texel of a 4x4 cube an H200 read. */
static void cubes(void **state)
{
    (void)state;
    static const struct {
        float d[3];
        int want;
        float linear;
    } seen[] = {
        {{1, 1, 1}, 67, 67},
        {{-1, 1, 1}, 64, 64},
        {{1, -1, 1}, 79, 79},
        {{1, 1, -1}, 80, 80},
        {{1, 1, .5f}, 47, 45},
        {{.5f, 1, 1}, 67, 66.5f},
        {{1, .5f, 1}, 71, 69},
        {{-1, -1, .5f}, 52, 50},
        {{0, 0, 0}, 74, 71.5f},
        {{1, 0, 0}, 10, 7.5f},
        {{0, 1, 0}, 42, 39.5f},
        {{0, 0, -1}, 90, 87.5f},
        {{1, .99f, .3f}, 1, 0.898438f},
    };
    struct rig r;
    rig_open(&r);
    float texels[6 * 16];
    for (int i = 0; i < 96; i++)
        texels[i] = (float)i;
    struct exec_tex t = float_tex(rig_mem(&r, texels, sizeof texels), 4, 4, 6);
    t.normalized = true;
    for (unsigned filter = 0; filter < 2; filter++) {
        t.filter = (uint8_t)filter;
        make(&r, &t);
        rig_op(&r, OP_TEX, TEX_CUBE, 4);
        for (size_t k = 0; k < sizeof seen / sizeof seen[0]; k++) {
            for (unsigned a = 0; a < 3; a++)
                rig_setf(&r, RIG_COORD + a, 0, seen[k].d[a]);
            assert_true(rig_run(&r, 1));
            assert_float_equal(rig_f(&r, 0, 0), filter ? seen[k].linear : (float)seen[k].want, 1e-6);
        }
    }
    rig_close(&r);
}

static void refused(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    float texels[16] = {0};
    struct exec_tex good = float_tex(rig_mem(&r, texels, sizeof texels), 4, 4, 0), t;
#define BAD(change) (t = good, change, assert_true(exec_tex_create(r.dev, &t) == 0))
    BAD(t.bits[0] = 7);
    BAD(t.bits[1] = 16);
    BAD((t.bits[1] = 32, t.bits[2] = 32));
    BAD(t.chan = 9);
    BAD(t.kind = 9);
    BAD(t.width = 0);
    BAD(t.height = 5);
    BAD(t.height = UINT64_MAX);
    BAD((t.height = 1u << 30, t.depth = 1u << 30, t.pitch_b = 1ull << 40));
    BAD(t.pitch_b = 12);
    BAD(t.base += 2);
    BAD(t.base = 16);
    BAD(t.address[1] = 4);
    BAD((t.chan = TEX_CHAN_UINT, t.filter = TEX_LINEAR));
    BAD((t.chan = TEX_CHAN_UINT, t.read_normalized = true));
    uint64_t h = make(&r, &good);
    rig_op(&r, OP_TEX, TEX_2D, 2);
    assert_true(rig_run(&r, UINT32_MAX));
    rig_handle(&r, 5, h + 1);
    assert_false(rig_run(&r, UINT32_MAX));
    assert_int_equal(r.bad_lane, 5);
    rig_handle(&r, 5, h);
    exec_tex_destroy(r.dev, h);
    assert_false(rig_run(&r, UINT32_MAX));
    assert_int_equal(r.bad_lane, 0);
    assert_true(exec_tex_create(r.dev, &good) != h);
    rig_handle(&r, 0, 0);
    assert_false(rig_run(&r, 1));
    make(&r, &good);
    assert_true(exec_free(r.dev, good.base));
    assert_false(rig_run(&r, 1)); /* its memory is gone */
    rig_close(&r);
}

static void lanes_and_query(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    float texels[12];
    for (int i = 0; i < 12; i++)
        texels[i] = (float)i;
    uint64_t at = rig_mem(&r, texels, sizeof texels);
    struct exec_tex a = float_tex(at, 12, 0, 0), b = float_tex(at, 4, 3, 0);
    uint64_t ha = make(&r, &a), hb = make(&r, &b);
    for (unsigned lane = 0; lane < LANES; lane++)
        rig_handle(&r, lane, lane % 3 ? ha : hb);
    rig_op(&r, OP_TXQ, 0, 0);
    r.insn.sub = TXQ_WIDTH;
    r.insn.dst[0] = ir_reg(RIG_DST, 0, 1);
    memset(r.rows[RIG_DST], 0xaa, ROW_B);
    assert_true(rig_run(&r, 0x0f0f0f0f));
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(r.rows[RIG_DST][lane], lane & 4 ? 0xaaaaaaaa : lane % 3 ? 12 : 4);
    r.insn.sub = TXQ_HEIGHT;
    assert_true(rig_run(&r, 1));
    assert_int_equal(r.rows[RIG_DST][0], 3);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_modes),
        cmocka_unit_test(linear_1d),
        cmocka_unit_test(special_coordinates),
        cmocka_unit_test(bilinear_silicon),
        cmocka_unit_test(trilinear_silicon),
        cmocka_unit_test(normalized_silicon),
        cmocka_unit_test(integer_coordinates),
        cmocka_unit_test(formats),
        cmocka_unit_test(normalized_filter_silicon),
        cmocka_unit_test(layers_and_gather),
        cmocka_unit_test(cubes),
        cmocka_unit_test(refused),
        cmocka_unit_test(lanes_and_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
