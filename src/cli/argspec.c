/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/argspec.h"
#include "base/rng.h"
#include "cli/cli.h"

#include <math.h>

const char arg_help[] =
    "Arguments, one --arg per kernel parameter, in order:\n"
    "  TYPE:VALUE               a scalar, e.g. u32:5 s32:-1 f32:1.5 u64:0x10 f64:1e-3\n"
    "  buf:TYPE:COUNT[=INIT]    a device buffer of COUNT elements; the kernel receives its address\n"
    "  out:TYPE:COUNT[=INIT]    the same, and printed after the run\n"
    "  hex:BYTES                the bytes of a structure, two digits each, e.g. hex:0100000002000000\n"
    "TYPE is one of u8 s8 b8 u16 s16 b16 f16 bf16 u32 s32 b32 f32 u64 s64 b64 f64.\n"
    "INIT is zero (the default), iota (0, 1, 2, ...), const:VALUE, or rand:SEED (floats uniform in [0, 1),\n"
    "integers uniform over the type; the same numbers on every machine).\n";

static const char *fail(char *why, size_t cap, const char *fmt, const char *text)
{
    snprintf(why, cap, fmt, text);
    return why;
}

static const char *parse_init(struct arg *a, const char *init, char *why, size_t cap)
{
    if (strcmp(init, "zero") == 0) {
        a->init = INIT_ZERO;
    } else if (strcmp(init, "iota") == 0) {
        a->init = INIT_IOTA;
    } else if (strncmp(init, "const:", 6) == 0) {
        a->init = INIT_CONST;
        if (!elem_parse(a->type, init + 6, &a->bits))
            return fail(why, cap, "'%s' is not a value of the type", init + 6);
    } else if (strncmp(init, "rand:", 5) == 0) {
        a->init = INIT_RAND;
        if (!cli_u64(init + 5, &a->seed))
            return fail(why, cap, "'%s' is not a seed (a number)", init + 5);
    } else {
        return fail(why, cap, "unknown start value '%s'; zero, iota, const:VALUE or rand:SEED", init);
    }
    return NULL;
}

/* TYPE:COUNT[=INIT] */
static const char *parse_buffer(struct arg *a, const char *text, char *why, size_t cap)
{
    size_t len = strcspn(text, ":");
    a->type = elem_type(text, len);
    if (!a->type || text[len] != ':')
        return fail(why, cap, "expected TYPE:COUNT[=INIT] with TYPE one of %s", elem_type_names());
    char count[32];
    const char *p = text + len + 1;
    size_t n = strcspn(p, "=");
    snprintf(count, sizeof count, "%.*s", (int)(n < 31 ? n : 31), p);
    /* A bound that keeps sizes far from overflow; the device refuses what does not fit its memory. */
    if (!cli_u64(count, &a->count) || a->count == 0 || a->count > 1ull << 40)
        return fail(why, cap, "'%s' is not a number of elements", count);
    a->size_b = a->count * type_bytes(a->type);
    return p[n] ? parse_init(a, p + n + 1, why, cap) : NULL;
}

static const char *parse_hex(struct arg *a, const char *text, char *why, size_t cap)
{
    size_t n = strlen(text);
    if (n == 0 || n % 2 || strspn(text, "0123456789abcdefABCDEF") != n)
        return fail(why, cap, "expected an even number of hexadecimal digits after %s", "hex:");
    a->kind = ARG_HEX;
    a->hex = text;
    a->size_b = n / 2;
    return NULL;
}

const char *arg_parse(struct arg *a, const char *text, char *why, size_t cap)
{
    *a = (struct arg){0};
    size_t len = strcspn(text, ":");
    if (text[len] != ':')
        return fail(why, cap, "expected TYPE:VALUE, buf:TYPE:COUNT or out:TYPE:COUNT%s", "");
    const char *rest = text + len + 1;
    if (len == 3 && (memcmp(text, "buf", 3) == 0 || memcmp(text, "out", 3) == 0)) {
        a->kind = text[0] == 'b' ? ARG_BUF : ARG_OUT;
        return parse_buffer(a, rest, why, cap);
    }
    if (len == 3 && memcmp(text, "hex", 3) == 0)
        return parse_hex(a, rest, why, cap);
    a->type = elem_type(text, len);
    if (!a->type)
        return fail(why, cap, "unknown type; one of %s, or buf, out, hex", elem_type_names());
    a->size_b = type_bytes(a->type);
    if (!elem_parse(a->type, rest, &a->bits))
        return fail(why, cap, "'%s' is not a value of the type", rest);
    return NULL;
}

static unsigned hex_digit(char c) { return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 32) - 'a') + 10; }

/* Elements are little-endian in device memory, as on the GPU; the hosts we build on are too. */
static void put(void *to, uint64_t bits, unsigned bytes) { memcpy(to, &bits, bytes); }

static uint64_t get(const void *from, unsigned bytes)
{
    uint64_t bits = 0;
    memcpy(&bits, from, bytes);
    return bits;
}

void arg_bytes(const struct arg *a, void *to)
{
    unsigned char *p = to;
    if (a->kind == ARG_SCALAR) {
        put(to, a->bits, (unsigned)a->size_b);
        return;
    }
    for (uint64_t i = 0; i < a->size_b; i++)
        p[i] = (unsigned char)(hex_digit(a->hex[2 * i]) << 4 | hex_digit(a->hex[2 * i + 1]));
}

static uint64_t random_bits(enum ir_type t, struct rng *r)
{
    uint64_t v = rng_u64(r);
    return type_is_float(t) ? elem_from_double(t, (double)(v >> 40) * 0x1p-24) : v;
}

void arg_fill(const struct arg *a, void *mem)
{
    unsigned bytes = type_bytes(a->type);
    unsigned char *p = mem;
    struct rng rng = {a->seed};
    if (a->init == INIT_ZERO) {
        memset(mem, 0, a->size_b);
        return;
    }
    for (uint64_t i = 0; i < a->count; i++, p += bytes) {
        uint64_t bits = a->bits;
        if (a->init == INIT_IOTA)
            bits = type_is_float(a->type) ? elem_from_double(a->type, (double)i) : i;
        else if (a->init == INIT_RAND)
            bits = random_bits(a->type, &rng);
        put(p, bits, bytes);
    }
}

struct summary {
    uint64_t min, max; /* bits */
    double sum;
    uint64_t isum;       /* integers: modulo 2^64 */
    uint64_t nans, hash; /* FNV-1a, 64 bits */
};

static struct summary summarise(const struct arg *a, const unsigned char *p)
{
    struct summary s = {.hash = 0xcbf29ce484222325ull};
    unsigned bytes = type_bytes(a->type);
    bool any = false;
    for (uint64_t i = 0; i < a->count; i++) {
        uint64_t bits = get(p + i * bytes, bytes);
        double v = elem_double(a->type, bits);
        if (isnan(v)) {
            s.nans++;
            continue;
        }
        s.min = !any || elem_less(a->type, bits, s.min) ? bits : s.min;
        s.max = !any || elem_less(a->type, s.max, bits) ? bits : s.max;
        any = true;
        if (type_is_float(a->type))
            s.sum += v;
        else
            s.isum += elem_int(a->type, bits);
    }
    for (uint64_t i = 0; i < a->size_b; i++)
        s.hash = (s.hash ^ p[i]) * 0x100000001b3ull;
    return s;
}

void arg_show(FILE *to, const struct arg *a, const char *name, const void *mem, uint64_t show)
{
    unsigned bytes = type_bytes(a->type);
    const unsigned char *p = mem;
    char lo[40], hi[40], one[40];
    struct summary s = summarise(a, p);
    elem_print(a->type, s.min, lo, sizeof lo);
    elem_print(a->type, s.max, hi, sizeof hi);
    fprintf(to, "%s  %s[%llu]  min %s  max %s  sum ", name, ir_types[a->type].name,
            (unsigned long long)a->count, lo, hi);
    if (type_is_float(a->type))
        fprintf(to, "%.9g", s.sum);
    else if (type_is_signed(a->type))
        fprintf(to, "%lld", (long long)s.isum);
    else
        fprintf(to, "%llu", (unsigned long long)s.isum);
    if (s.nans)
        fprintf(to, "  NaNs %llu", (unsigned long long)s.nans);
    fprintf(to, "  checksum %016llx\n", (unsigned long long)s.hash);
    if (!show)
        return;
    fputs("   ", to);
    for (uint64_t i = 0; i < show && i < a->count; i++) {
        elem_print(a->type, get(p + i * bytes, bytes), one, sizeof one);
        fprintf(to, " %s", one);
    }
    fputs(show < a->count ? " ...\n" : "\n", to);
}
