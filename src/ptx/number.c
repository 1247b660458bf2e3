/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/number.h"

#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

uint64_t ptx_bits_f64_to_f32(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    float f = (float)d;
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

uint64_t ptx_bits_f32_to_f64(uint64_t bits)
{
    uint32_t u = (uint32_t)bits;
    float f;
    memcpy(&f, &u, sizeof f);
    double d = f;
    uint64_t out;
    memcpy(&out, &d, sizeof out);
    return out;
}

static const char *digits(const char *s, unsigned base, struct ptx_number *n)
{
    bool over = false;
    uint64_t v = 0;
    for (; hex_digit(*s) < (int)base; s++) {
        uint64_t digit = (uint64_t)hex_digit(*s);
        over |= v > (UINT64_MAX - digit) / base;
        v = v * base + digit;
    }
    if (over)
        n->problem = "integer constant does not fit in 64 bits";
    n->value = v;
    n->is_unsigned = v > INT64_MAX;
    if (*s == 'U' || *s == 'u') {
        n->is_unsigned = true;
        s++;
    }
    return s;
}

/* 0f and 0d constants spell the bits and have exactly that many digits. */
static const char *float_bits(const char *s, int want, struct ptx_number *n)
{
    int got = 0;
    for (; hex_digit(*s) < 16; s++, got++)
        n->value = n->value << 4 | (uint64_t)hex_digit(*s);
    if (got != want)
        n->problem =
            want == 8 ? "a 0f constant has 8 hexadecimal digits" : "a 0d constant has 16 hexadecimal digits";
    return s;
}

static const char *decimal(const char *s, struct ptx_number *n)
{
    const char *e = s;
    while (*e >= '0' && *e <= '9')
        e++;
    bool real = *e == '.';
    if (real)
        for (e++; *e >= '0' && *e <= '9';)
            e++;
    if (*e == 'e' || *e == 'E') {
        const char *x = e + 1 + (e[1] == '+' || e[1] == '-');
        if (*x >= '0' && *x <= '9') {
            real = true;
            while (*x >= '0' && *x <= '9')
                x++;
            e = x;
        }
    }
    if (!real)
        return digits(s, 10, n);
    double d = strtod(s, NULL); /* cannot run past e: the same grammar without hex, inf and nan */
    n->kind = NUM_DOUBLE;
    memcpy(&n->value, &d, sizeof d);
    return e;
}

const char *ptx_number(const char *s, struct ptx_number *n)
{
    *n = (struct ptx_number){.kind = NUM_INT};
    if (s[0] != '0')
        return decimal(s, n);
    switch (s[1]) {
    case 'x':
    case 'X':
        if (hex_digit(s[2]) >= 16)
            n->problem = "a hexadecimal constant needs a digit";
        return digits(s + 2, 16, n);
    case 'b':
    case 'B':
        if (hex_digit(s[2]) >= 2)
            n->problem = "a binary constant needs a digit";
        return digits(s + 2, 2, n);
    case 'f':
    case 'F': n->kind = NUM_SINGLE; return float_bits(s + 2, 8, n);
    case 'd':
    case 'D': n->kind = NUM_DOUBLE; return float_bits(s + 2, 16, n);
    default: break;
    }
    const char *e = s;
    while (*e >= '0' && *e <= '9')
        e++;
    if (*e == '.' || *e == 'e' || *e == 'E')
        return decimal(s, n);
    return digits(s, 8, n);
}
