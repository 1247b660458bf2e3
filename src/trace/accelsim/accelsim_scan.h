/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a line of text. Each of these passes blanks, reads one word and must find its end behind it; false: it is no such
 * word, or too large. The line ends with a zero. */
#ifndef TRACE_ACCELSIM_SCAN_H
#define TRACE_ACCELSIM_SCAN_H

#include "trace/bytes.h"

static inline const char *scan_blanks(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static inline bool scan_ends(const char *s) { return *s == ' ' || !*s || *s == '\t'; }

enum { SCAN_BEHIND_B = 24 }; /* that scan_hex may read behind the start of a word, whatever they are */

/* How many of 8 bytes, from the lowest, are hexadecimal digits; *v: their value. All bytes are looked at together: an addition
 * sets a byte's highest bit where the byte reaches a bound, and pairs of digits, then of pairs, move together. */
static inline unsigned scan_hex8(uint64_t x, uint64_t *v)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    uint64_t low = x & ~high, y = low | ones << 5; /* small letters; a control character is none, see below */
    uint64_t digit = (low + ones * (0x80 - '0')) & ~(low + ones * (0x80 - '9' - 1));
    uint64_t letter = (y + ones * (0x80 - 'a')) & ~(y + ones * (0x80 - 'f' - 1)) & (low + ones * 0x40);
    uint64_t other = ~((digit | letter) & ~x) & high;
    unsigned n = other ? (unsigned)__builtin_ctzll(other) / 8 : 8;
    if (!n)
        return 0;
    x <<= 64 - 8 * n; /* leading zeros */
    x = (x & ones * 15) + 9 * (x >> 6 & ones);
    x = (x << 4 | x >> 8) & 0x00ff00ff00ff00ffu;
    x = (x << 8 | x >> 16) & 0x0000ffff0000ffffu;
    *v = (x << 16 | x >> 32) & 0xffffffffu;
    return n;
}

/* With or without 0x; at most 64 bits, in as many digits as the line has. */
static inline bool scan_hex(const char **sp, uint64_t *out)
{
    const char *s = scan_blanks(*sp);
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s += 2;
    uint64_t v = 0, more;
    unsigned all = 0, n = 8;
    for (; n == 8; all += n, s += n) {
        n = scan_hex8(load_le64((const uint8_t *)s), &more);
        if (n && v >> (64 - 4 * n))
            return false;
        v = n ? v << 4 * n | more : v;
    }
    *sp = s;
    *out = v;
    return all && scan_ends(s);
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
