/* SPDX-License-Identifier: Apache-2.0 */
/* Names of architectures. */
#include "sass/sass.h"

#include <string.h>

unsigned sass_arch(const char *name)
{
    static const struct {
        const char *name;
        unsigned arch;
    } known[] = {
        {"sm_75", 75},  {"sm_80", 80},   {"sm_86", 86},    {"sm_87", 86},   {"sm_89", 89},    {"sm_90", 90},
        {"sm_90a", 90}, {"sm_100", 100}, {"sm_100a", 100}, {"sm_120", 120}, {"sm_120a", 120},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (!strcmp(name, known[i].name))
            return known[i].arch;
    }
    return 0;
}
