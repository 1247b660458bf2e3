/* Words of a line of text. Each of these passes blanks, reads one word and must find its end behind it; false: it is no such
 * word, or too large. The line ends with a zero. */
#ifndef TRACE_ACCELSIM_SCAN_H
#define TRACE_ACCELSIM_SCAN_H

#include <stdbool.h>
#include <stdint.h>

static inline const char *scan_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static inline bool scan_ends(const char *s) { return *s == ' ' || !*s || *s == '\t'; }

/* Over 15: no digit. Letters of either case have their value in the low bits, from 1. */
static inline uint32_t scan_hex_digit(char c)
{
    uint32_t d = (uint32_t)(uint8_t)c - '0', l = ((uint32_t)(uint8_t)c | 0x20) - 'a';
    return d < 10 ? d : l < 6 ? l + 10 : 16;
}

/* With or without 0x; at most 64 bits. */
static inline bool scan_hex(const char **sp, uint64_t *out)
{
    const char *s = scan_blanks(*sp);
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s += 2;
    const char *from = s;
    uint64_t v = 0, lost = 0;
    for (uint32_t d; (d = scan_hex_digit(*s)) < 16; s++) {
        lost |= v >> 60;
        v = v << 4 | d;
    }
    *sp = s;
    *out = v;
    return s != from && !lost && scan_ends(s);
}

static inline bool scan_hex32(const char **sp, uint32_t *out)
{
    uint64_t v;
    bool ok = scan_hex(sp, &v) && v <= UINT32_MAX;
    *out = ok ? (uint32_t)v : 0;
    return ok;
}

/* Signed, at most 63 bits. */
static inline bool scan_decimal(const char **sp, int64_t *out)
{
    const char *s = scan_blanks(*sp);
    bool minus = *s == '-';
    s += minus;
    const char *from = s;
    uint64_t v = 0;
    for (uint32_t d; (d = (uint32_t)(uint8_t)*s - '0') < 10; s++) {
        if (v > (UINT64_MAX >> 1) / 10)
            return false;
        v = v * 10 + d;
    }
    *sp = s;
    *out = (int64_t)(minus ? 0 - v : v);
    return s != from && scan_ends(s);
}

static inline bool scan_decimal32(const char **sp, uint32_t max, uint32_t *out)
{
    int64_t v;
    bool ok = scan_decimal(sp, &v) && v >= 0 && v <= (int64_t)max;
    *out = ok ? (uint32_t)v : 0;
    return ok;
}

#endif
