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

const char *shown_kernel(char *out, size_t cap, const char *name)
{
    char plain[1024];
    demangle(name, plain, sizeof plain);
    return shown_text(out, cap, plain);
}
