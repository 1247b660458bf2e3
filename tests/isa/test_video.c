/* SPDX-License-Identifier: Apache-2.0 */
/* SIMD video instructions on the four bytes or two halves of a word, those that lowering supports. */
#include "form.h"

enum { SA, SB, ADD };

/* |a - b| of each byte, packed and merged by default mask, or summed onto c with .add. */
static bool ref_vabsdiff4(const struct form *f, const uint64_t *in, uint64_t *out)
{
    uint64_t sum = in[2], packed = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        uint64_t x = in[0] >> i & 0xff, y = in[1] >> i & 0xff;
        int64_t a = f->k[SA] ? sign_of(x, 8) : (int64_t)x, b = f->k[SB] ? sign_of(y, 8) : (int64_t)y;
        int64_t d = a < b ? b - a : a - b;
        sum += (uint64_t)d;
        packed |= (uint64_t)(d & 0xff) << i;
    }
    out[0] = trunc_to(f->k[ADD] ? sum : packed, 32);
    return true;
}

static void test_vabsdiff4(void **state)
{
    struct isa *t = *state;
    static const char *const ty[] = {"u32", "s32"};
    for (int s = 0; s < 2; s++)
        for (int add = 0; add < 2; add++)
            form_check(t, &(struct form){
                              .name = isa_fmt(t, "vabsdiff4.u32.%s.%s%s", ty[s], ty[s], add ? ".add" : ""),
                              .sig = "u32:b32,b32,u32",
                              .ref = ref_vabsdiff4,
                              .k = {s, s, add}});
    ISA_DONE(t);
}

ISA_MAIN(cmocka_unit_test(test_vabsdiff4))
