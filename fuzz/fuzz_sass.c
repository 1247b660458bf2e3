/* SPDX-License-Identifier: Apache-2.0 */
/* Any 128 bits as an instruction of any architecture: refused with a reason, or decoded and printed; never a crash, and the text
 * always fits. */
#include "sass/sass.h"

#include <string.h>

#define CHECK(c)                                                                                             \
    do {                                                                                                     \
        if (!(c))                                                                                            \
            __builtin_trap();                                                                                \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const unsigned archs[] = {75, 80, 86, 89, 90, 100, 120};
    char why[SASS_TEXT_B], text[SASS_TEXT_B], small[8];
    for (; n >= 16; data += 16, n -= 16) {
        uint64_t lo, hi;
        memcpy(&lo, data, 8);
        memcpy(&hi, data + 8, 8);
        for (unsigned k = 0; k < sizeof archs / sizeof archs[0]; k++) {
            struct sass_insn i;
            if (!sass_decode(archs[k], lo, hi, &i, why, sizeof why)) {
                CHECK(why[0] && memchr(why, 0, sizeof why));
                continue;
            }
            size_t len = sass_print(text, sizeof text, &i, 0, NULL, NULL);
            CHECK(len < sizeof text && strlen(text) == len);
            sass_print(small, sizeof small, &i, 0, NULL, NULL);
            CHECK(memchr(small, 0, sizeof small));
        }
    }
    return 0;
}
