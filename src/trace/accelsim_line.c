/* One instruction line of a .traceg file. */
#include "trace/accelsim_in.h"

static const char *skip(const char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    return s;
}

static bool at_end(const char *s) { return !*s || *s == ' ' || *s == '\t'; }

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

/* With or without 0x; at most 64 bits. */
static bool hex(const char **sp, uint64_t *out)
{
    const char *s = skip(*sp);
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X'))
        s += 2;
    uint64_t v = 0;
    const char *from = s;
    for (; digit(*s) < 16; s++) {
        if (v >> 60)
            return false;
        v = v << 4 | (unsigned)digit(*s);
    }
    *sp = s;
    *out = v;
    return s != from && at_end(s);
}

static bool hex32(const char **sp, uint32_t *out)
{
    uint64_t v;
    bool ok = hex(sp, &v) && v <= UINT32_MAX;
    *out = ok ? (uint32_t)v : 0;
    return ok;
}

/* Signed; what is beyond 64 bits is refused. */
static bool decimal(const char **sp, int64_t *out)
{
    const char *s = skip(*sp);
    bool minus = *s == '-';
    s += minus;
    uint64_t v = 0;
    const char *from = s;
    for (; *s >= '0' && *s <= '9'; s++) {
        if (v > (UINT64_MAX >> 1) / 10)
            return false;
        v = v * 10 + (unsigned)(*s - '0');
    }
    *sp = s;
    *out = (int64_t)(minus ? 0 - v : v);
    return s != from && at_end(s);
}

static bool decimal32(const char **sp, uint32_t max, uint32_t *out)
{
    int64_t v;
    bool ok = decimal(sp, &v) && v >= 0 && v <= (int64_t)max;
    *out = ok ? (uint32_t)v : 0;
    return ok;
}

/* ---- registers and opcode ---- */

static bool one_register(const char **sp, struct tr_opnd *o)
{
    const char *s = skip(*sp);
    bool uniform = *s == 'U';
    s += uniform;
    if (*s != 'R' && *s != 'P')
        return false;
    bool pred = *s++ == 'P';
    *o = (struct tr_opnd){0};
    uint32_t v, none = pred ? 7 : uniform ? 63 : 255; /* the one that is always zero or true */
    if (*s == 'Z' || *s == 'T') {
        v = none;
        s++;
    } else if (*s < '0' || *s > '9' || !decimal32(&s, 255, &v)) {
        return false;
    }
    if (v < none)
        *o = (struct tr_opnd){.kind = pred      ? uniform ? TO_UPRED : TO_PRED
                                      : uniform ? TO_UREG
                                                : TO_REG,
                              .n = 1,
                              .val = v};
    *sp = s;
    return at_end(s) && v <= (uniform && !pred ? 255 : none);
}

static const char *registers(const char **sp, uint32_t *n, struct tr_opnd *out)
{
    if (!decimal32(sp, AS_OPNDS, n))
        return "the number of registers is missing or too large";
    for (uint32_t i = 0; i < *n; i++)
        if (!one_register(sp, &out[i]))
            return "a register cannot be read";
    return NULL;
}

const char *as_words_read(const char *s, struct as_words *w, const char **end)
{
    const char *wrong = registers(&s, &w->ndst, w->dst);
    if (wrong)
        return wrong;
    s = skip(s);
    w->opcode = s;
    if (*s < 'A' || *s > 'Z')
        return "the opcode is missing";
    while (!at_end(s)) {
        if (*s < '!' || *s > '~')
            return "the opcode cannot be read";
        s++;
    }
    w->opcode_n = (uint32_t)(s - w->opcode);
    if (w->opcode_n > 200)
        return "the opcode is too long";
    wrong = registers(&s, &w->nsrc, w->src);
    *end = s;
    return wrong;
}

/* ---- addresses ---- */

enum { MODE_LIST, MODE_STRIDE, MODE_DELTA, MODE_BULK_LIST, MODE_BULK_DELTA };

static const char bad_address[] = "an address cannot be read, or there are fewer than active lanes";

static const char *addresses(const char **sp, uint32_t mask, uint64_t *out)
{
    uint32_t mode, first = mask ? (uint32_t)__builtin_ctz(mask) : 0;
    uint64_t a;
    int64_t step;
    if (!decimal32(sp, MODE_DELTA, &mode))
        return "the address mode is missing or unknown";
    if (mode == MODE_LIST) {
        for (uint32_t m = mask; m; m &= m - 1)
            if (!hex(sp, &out[__builtin_ctz(m)]))
                return bad_address;
        return NULL;
    }
    if (!hex(sp, &a))
        return bad_address;
    if (mode == MODE_STRIDE) {
        if (!decimal(sp, &step))
            return "the stride cannot be read";
        for (uint32_t m = mask; m; m &= m - 1)
            out[__builtin_ctz(m)] = a + (uint64_t)step * ((uint32_t)__builtin_ctz(m) - first);
        return NULL;
    }
    for (uint32_t m = mask; m; m &= m - 1) {
        if ((uint32_t)__builtin_ctz(m) != first) {
            if (!decimal(sp, &step))
                return bad_address;
            a += (uint64_t)step;
        }
        out[__builtin_ctz(m)] = a;
    }
    return NULL;
}

/* Bulk copies: barrier, multicast, bytes, then the addresses of the pieces. The first piece stands for all lanes. */
static const char *bulk(const char **sp, struct as_line *l)
{
    uint64_t v;
    int64_t step;
    uint32_t multicast, mode, count;
    if (!hex(sp, &v) || !decimal32(sp, 1, &multicast) || (multicast && !hex(sp, &v)) || !decimal(sp, &step) ||
        !decimal(sp, &step) || !decimal32(sp, MODE_BULK_DELTA, &mode) || mode < MODE_BULK_LIST)
        return "the fields of a bulk copy cannot be read";
    uint64_t base = 0, a;
    bool list = mode == MODE_BULK_LIST;
    if ((!list && !hex(sp, &base)) || !decimal32(sp, UINT32_MAX >> 1, &count))
        return bad_address;
    for (uint32_t i = 0; i < count; i++) {
        if (list ? !hex(sp, &a) : i && !decimal(sp, &step))
            return bad_address;
        base = list && i == 0 ? a : base;
    }
    for (uint32_t i = 0; i < TR_LANES; i++)
        l->addr[i] = base;
    l->width = 4;
    return NULL;
}

/* ---- the end of a line ---- */

/* Tracer 6: `NoVal`, or `Val` and per register one value for all lanes or 32. They are read past. */
static const char *values(const char **sp)
{
    const char *s = skip(*sp);
    uint64_t v;
    if (strncmp(s, "NoVal", 5) == 0 && at_end(s + 5)) {
        *sp = s + 5;
        return NULL;
    }
    if (strncmp(s, "Val", 3) != 0 || !at_end(s + 3))
        return NULL;
    for (s = skip(s + 3); *s && *s != '&'; s = skip(s)) {
        uint32_t n;
        if (!decimal32(&s, TR_LANES, &n) || (n != 1 && n != TR_LANES))
            return "a register's values cannot be read";
        for (uint32_t i = 0; i < n; i++)
            if (!hex(&s, &v))
                return "a register's values cannot be read";
    }
    *sp = s;
    return NULL;
}

static const char *tail(const struct as_head *h, const char *s, struct as_line *l)
{
    int64_t more;
    s = skip(s);
    if (*s && *s != '&' && *s != 'N' && *s != 'V' && !decimal(&s, &l->imm))
        return "the immediate cannot be read";
    s = skip(s);
    if (h->tracer >= 6 && (*s == '-' || (*s >= '0' && *s <= '9')) && !decimal(&s, &more))
        return "the second immediate cannot be read";
    const char *wrong = h->tracer >= 6 ? values(&s) : NULL;
    s = skip(s);
    if (!wrong && *s == '&') { /* our own exporter's: the second set of addresses */
        s++;
        wrong = addresses(&s, l->mask, l->addr2);
        l->second = true;
        s = skip(s);
    }
    return wrong ? wrong : *s ? "something follows the instruction" : NULL;
}

static bool starts(const struct as_words *w, const char *with)
{
    return strncmp(w->opcode, with, strlen(with)) == 0;
}

const char *as_line_read(const struct as_head *h, const char *s, struct as_line *l)
{
    struct as_words w;
    uint32_t skipped;
    l->imm = 0;
    l->second = false;
    l->line = 0;
    for (int i = 0; i < 4 && h->tracer < 3; i++)
        if (!decimal32(&s, UINT32_MAX >> 1, &skipped))
            return "the thread block or the warp cannot be read";
    if (h->lineinfo && !decimal32(&s, UINT32_MAX >> 1, &l->line))
        return "the source line cannot be read";
    if (!hex32(&s, &l->pc))
        return "the PC cannot be read";
    if (!hex32(&s, &l->mask))
        return "the mask cannot be read, or has more than 32 bits";
    s = skip(s);
    l->text = s;
    const char *wrong = as_words_read(s, &w, &s);
    if (wrong)
        return wrong;
    l->text_n = (uint32_t)(s - l->text);
    size_t family = strcspn(w.opcode, ". ");
    bool gmma = family > 4 && memcmp(w.opcode + family - 4, "GMMA", 4) == 0;
    if (h->tracer >= 6 && gmma && !decimal32(&s, UINT32_MAX >> 1, &skipped))
        return "the commit flag cannot be read";
    if (!decimal32(&s, 1 << 20, &l->width))
        return "the width of the access is missing";
    bool tma = starts(&w, "UTMALDG") || starts(&w, "UTMASTG") || starts(&w, "UTMAPF") ||
               starts(&w, "UTMAREDG") || starts(&w, "UBLKCP") || starts(&w, "UBLKPF") ||
               starts(&w, "UBLKRED");
    if (h->tracer >= 6 && tma && l->width)
        wrong = bulk(&s, l);
    else if (l->width)
        wrong = addresses(&s, l->mask, l->addr);
    return wrong ? wrong : tail(h, s, l);
}
