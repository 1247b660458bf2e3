/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shown.h"

#include "base/demangle.h"

#include <stdio.h>

const char *shown_text(char *out, size_t cap, const char *s)
{
    snprintf(out, cap, "%s", s);
    for (char *p = out; *p; p++)
        *p = (unsigned char)*p < 0x20 || *p == 0x7f ? '?' : *p;
    return out;
}

const char *shown_unit(char *out, size_t cap, double value, const char *unit)
{
    static const char *const prefixes[] = {"p", "n", "u", "m", "", "k", "M", "G", "T", "P"};
    enum { N = sizeof prefixes / sizeof *prefixes };
    unsigned i = 4;
    if (value > 0) {
        value *= 1e12;
        for (i = 0; i + 1 < N && value >= 999.95; i++)
            value *= 1e-3;
    }
    int digits = value >= 99.995 ? 1 : value >= 9.9995 ? 2 : 3;
    snprintf(out, cap, "%.*f %s%s", digits, value, prefixes[i], unit);
    return out;
}

const char *shown_kernel(char *out, size_t cap, const char *name)
{
    char plain[1024];
    demangle(name, plain, sizeof plain);
    return shown_text(out, cap, plain);
}
