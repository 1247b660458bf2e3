/* SPDX-License-Identifier: Apache-2.0 */
/* Surface loads and stores: layout, clamping modes, shapes that do not fit. */
#include "tex_rig.h"

enum { W = 6, H = 5, L = 3, PITCH = 32 };

static struct exec_tex surface(struct rig *r, uint32_t height, uint32_t depth)
{
    unsigned char bytes[PITCH * H * L];
    for (unsigned i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 256);
    struct exec_tex t = {.kind = TEXK_ARRAY,
                         .chan = TEX_CHAN_UINT,
                         .bits = {32},
                         .width = W,
                         .height = height,
                         .depth = depth,
                         .pitch_b = PITCH};
    t.base = rig_mem(r, bytes, sizeof bytes);
    uint64_t h = exec_tex_create(r->dev, &t);
    assert_true(h != 0);
    for (unsigned lane = 0; lane < LANES; lane++)
        rig_handle(r, lane, h);
    return t;
}

static void shape(struct rig *r, enum ir_op op, enum ir_texgeom g, enum ir_type type, unsigned vec,
                  enum ir_clamp clamp)
{
    rig_op(r, op, g, 4);
    r->insn.type = (uint8_t)type;
    r->insn.vec = (uint8_t)vec;
    r->insn.bop = (uint8_t)clamp;
}

static bool at(struct rig *r, int x, int y, int z)
{
    rig_set(r, RIG_COORD, 9, (uint32_t)x);
    rig_set(r, RIG_COORD + 1, 9, (uint32_t)y);
    rig_set(r, RIG_COORD + 2, 9, (uint32_t)z);
    return rig_run(r, 1u << 9);
}

static void loads(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    struct exec_tex t = surface(&r, H, L);
    const unsigned char *m = exec_ptr(r.dev, t.base, PITCH * H * L);
    static const struct {
        enum ir_type type;
        unsigned vec, bytes;
    } shapes[] = {{T_B8, 1, 1},  {T_B8, 4, 4},  {T_B16, 1, 2},  {T_B16, 2, 4}, {T_B32, 1, 4},
                  {T_B32, 2, 8}, {T_B64, 1, 8}, {T_B32, 4, 16}, {T_B64, 2, 16}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        shape(&r, OP_SULD, TEX_3D, shapes[s].type, shapes[s].vec, CLAMP_TRAP);
        for (int z = 0; z < L; z++)
            for (int y = 0; y < H; y++)
                for (int x = 0; x + (int)shapes[s].bytes <= 4 * W; x += (int)shapes[s].bytes) {
                    assert_true(at(&r, x, y, z));
                    const unsigned char *p = m + (z * H + y) * PITCH + x;
                    assert_true(r.addr[9] == t.base + (uint64_t)(p - m));
                    unsigned part = shapes[s].bytes / shapes[s].vec;
                    unsigned step = part > 4 ? 4 : part;
                    for (unsigned k = 0; k < shapes[s].bytes / step; k++) {
                        uint32_t want = 0;
                        memcpy(&want, p + k * step, step);
                        assert_int_equal(r.rows[RIG_DST + k][9], want);
                    }
                }
    }
    /* Layers come first. */
    shape(&r, OP_SULD, TEX_A2D, T_B32, 1, CLAMP_TRAP);
    assert_true(at(&r, 2, 8, 3));
    assert_true(r.addr[9] == t.base + (2 * H + 3) * PITCH + 8);
    rig_close(&r);
}

static void edges(void **state)
{
    (void)state;
    static const int out[][2] = {{-4, 0}, {24, 0}, {0, -1}, {0, H}, {-2147483647 - 1, 2147483647}};
    static const int near[][2] = {{0, 0}, {20, 0}, {0, 0}, {0, H - 1}, {0, H - 1}};
    struct rig r;
    rig_open(&r);
    struct exec_tex t = surface(&r, H, 0);
    unsigned char *m = exec_ptr(r.dev, t.base, PITCH * H);
    for (size_t k = 0; k < sizeof out / sizeof out[0]; k++) {
        shape(&r, OP_SULD, TEX_2D, T_B32, 1, CLAMP_TRAP);
        assert_false(at(&r, out[k][0], out[k][1], 0));
        assert_int_equal(r.bad_lane, 9);
        shape(&r, OP_SULD, TEX_2D, T_B32, 1, CLAMP_ZERO);
        r.rows[RIG_DST][9] = 77;
        assert_true(at(&r, out[k][0], out[k][1], 0));
        assert_int_equal(r.rows[RIG_DST][9], 0);
        shape(&r, OP_SULD, TEX_2D, T_B32, 1, CLAMP_CLAMP);
        assert_true(at(&r, out[k][0], out[k][1], 0));
        uint32_t want;
        memcpy(&want, m + near[k][1] * PITCH + near[k][0], 4);
        assert_int_equal(r.rows[RIG_DST][9], want);
        unsigned char before[PITCH * H];
        memcpy(before, m, sizeof before);
        shape(&r, OP_SUST, TEX_2D, T_B32, 1, CLAMP_ZERO);
        rig_set(&r, RIG_DATA, 9, 0xdeadbeef);
        assert_true(at(&r, out[k][0], out[k][1], 0));
        assert_memory_equal(before, m, sizeof before);
    }
    shape(&r, OP_SULD, TEX_2D, T_B32, 1, CLAMP_TRAP);
    assert_false(at(&r, 2, 0, 0)); /* misaligned */
    shape(&r, OP_SULD, TEX_2D, T_B32, 4, CLAMP_TRAP);
    assert_false(at(&r, 16, 0, 0)); /* reaches past the row */
    rig_close(&r);
}

static void stores(void **state)
{
    (void)state;
    struct rig r;
    rig_open(&r);
    struct exec_tex t = surface(&r, H, 0);
    unsigned char *m = exec_ptr(r.dev, t.base, PITCH * H), before[PITCH * H];
    memcpy(before, m, sizeof before);
    shape(&r, OP_SUST, TEX_2D, T_B16, 2, CLAMP_TRAP);
    rig_set(&r, RIG_DATA, 9, 0x11112222);
    rig_set(&r, RIG_DATA + 1, 9, 0x33334444);
    assert_true(at(&r, 12, 3, 0));
    static const unsigned char want[4] = {0x22, 0x22, 0x44, 0x44};
    assert_memory_equal(m + 3 * PITCH + 12, want, 4);
    memcpy(before + 3 * PITCH + 12, want, 4);
    assert_memory_equal(before, m, sizeof before);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads), cmocka_unit_test(edges),
                                       cmocka_unit_test(stores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
