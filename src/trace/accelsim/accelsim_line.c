/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction line of a .traceg file. */
#include "trace/accelsim/accelsim_in.h"
#include "trace/accelsim/accelsim_scan.h"

/* ---- registers and opcode ---- */

static bool one_register(const char **sp, struct tr_opnd *o)
{
    const char *s = scan_blanks(*sp);
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
    } else if (*s < '0' || *s > '9' || !scan_decimal32(&s, 255, &v)) {
        return false;
    }
    if (v < none)
        *o = (struct tr_opnd){.kind = pred      ? uniform ? TO_UPRED : TO_PRED
                                      : uniform ? TO_UREG
                                                : TO_REG,
                              .n = 1,
                              .val = v};
    *sp = s;
    return scan_ends(s) && v <= (uniform && !pred ? 255 : none);
}

static const char *registers(const char **sp, uint32_t *n, struct tr_opnd *out)
{
    if (!scan_decimal32(sp, AS_OPNDS, n))
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
    s = scan_blanks(s);
    w->opcode = s;
    if (*s < 'A' || *s > 'Z')
        return "the opcode is missing";
    while (!scan_ends(s)) {
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

/* base, then steps from lane to lane. */
static bool deltas(const char **sp, uint32_t mask, uint64_t a, uint64_t *out)
{
    uint32_t m = mask;
    for (int64_t step; m; m &= m - 1) {
        if (m != mask) {
            if (!scan_decimal(sp, &step))
                return false;
            a += (uint64_t)step;
        }
        out[__builtin_ctz(m)] = a;
    }
    return true;
}

/* Lanes that the mask does not have get something, too. */
static void strides(uint32_t mask, uint64_t a, int64_t step, uint64_t *out)
{
    a -= (uint64_t)step * (mask ? (uint32_t)__builtin_ctz(mask) : 0);
    for (uint32_t i = 0; i < TR_LANES; i++)
        out[i] = a + (uint64_t)step * i;
}

static const char *addresses(const char **sp, uint32_t mask, uint64_t *out)
{
    uint32_t mode;
    uint64_t a;
    int64_t step;
    if (!scan_decimal32(sp, MODE_DELTA, &mode))
        return "the address mode is missing or unknown";
    if (mode == MODE_LIST) {
        for (uint32_t m = mask; m; m &= m - 1)
            if (!scan_hex(sp, &out[__builtin_ctz(m)]))
                return bad_address;
        return NULL;
    }
    if (!scan_hex(sp, &a))
        return bad_address;
    if (mode == MODE_DELTA)
        return deltas(sp, mask, a, out) ? NULL : bad_address;
    if (!scan_decimal(sp, &step))
        return "the stride cannot be read";
    strides(mask, a, step, out);
    return NULL;
}

/* Bulk copies: barrier, multicast, bytes, then the addresses of the pieces. The first piece stands for all lanes. */
static const char *bulk(const char **sp, struct as_line *l)
{
    uint64_t v;
    int64_t step;
    uint32_t multicast, mode, count;
    if (!scan_hex(sp, &v) || !scan_decimal32(sp, 1, &multicast) || (multicast && !scan_hex(sp, &v)) ||
        !scan_decimal(sp, &step) || !scan_decimal(sp, &step) || !scan_decimal32(sp, MODE_BULK_DELTA, &mode) ||
        mode < MODE_BULK_LIST)
        return "the fields of a bulk copy cannot be read";
    uint64_t base = 0, a;
    bool list = mode == MODE_BULK_LIST;
    if ((!list && !scan_hex(sp, &base)) || !scan_decimal32(sp, UINT32_MAX >> 1, &count))
        return bad_address;
    for (uint32_t i = 0; i < count; i++) {
        if (list ? !scan_hex(sp, &a) : i && !scan_decimal(sp, &step))
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
    const char *s = scan_blanks(*sp);
    uint64_t v;
    if (strncmp(s, "NoVal", 5) == 0 && scan_ends(s + 5)) {
        *sp = s + 5;
        return NULL;
    }
    if (strncmp(s, "Val", 3) != 0 || !scan_ends(s + 3))
        return NULL;
    for (s = scan_blanks(s + 3); *s && *s != '&'; s = scan_blanks(s)) {
        uint32_t n;
        if (!scan_decimal32(&s, TR_LANES, &n) || (n != 1 && n != TR_LANES))
            return "a register's values cannot be read";
        for (uint32_t i = 0; i < n; i++)
            if (!scan_hex(&s, &v))
                return "a register's values cannot be read";
    }
    *sp = s;
    return NULL;
}

static const char *tail(const struct as_head *h, const char *s, struct as_line *l)
{
    int64_t more;
    s = scan_blanks(s);
    if (*s && *s != '&' && *s != 'N' && *s != 'V' && !scan_decimal(&s, &l->imm))
        return "the immediate cannot be read";
    s = scan_blanks(s);
    if (h->tracer >= 6 && (*s == '-' || (*s >= '0' && *s <= '9')) && !scan_decimal(&s, &more))
        return "the second immediate cannot be read";
    const char *wrong = h->tracer >= 6 ? values(&s) : NULL;
    s = scan_blanks(s);
    if (!wrong && *s == '&') { /* our own exporter's: the second set of addresses */
        s++;
        wrong = addresses(&s, l->mask, l->addr2);
        l->second = true;
        s = scan_blanks(s);
    }
    return wrong ? wrong : *s ? "something follows the instruction" : NULL;
}

static bool starts(const struct as_words *w, const char *with)
{
    return strncmp(w->opcode, with, strlen(with)) == 0;
}

static uint8_t form_of(const struct as_words *w)
{
    static const char *const bulk_copies[] = {"UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG",
                                              "UBLKCP",  "UBLKPF",  "UBLKRED"};
    for (uint32_t i = 0; i < sizeof bulk_copies / sizeof bulk_copies[0]; i++)
        if (starts(w, bulk_copies[i]))
            return AS_BULK;
    size_t family = strcspn(w->opcode, ". ");
    return family > 4 && memcmp(w->opcode + family - 4, "GMMA", 4) == 0 ? AS_GMMA : AS_PLAIN;
}

/* The static part: most lines have one that was there before, which need not be read once more. */
static const char *static_part(const char **sp, const struct as_code *known, struct as_line *l)
{
    l->text = scan_blanks(*sp);
    l->known = known ? as_code_known(known, l->pc, l->text, &l->text_n, &l->form) : AS_UNKNOWN;
    *sp = l->text + l->text_n;
    if (l->known != AS_UNKNOWN)
        return NULL;
    struct as_words w;
    const char *wrong = as_words_read(l->text, &w, sp);
    if (wrong)
        return wrong;
    l->text_n = (uint32_t)(*sp - l->text);
    l->form = form_of(&w);
    return NULL;
}

const char *as_line_begin(const struct as_head *h, const struct as_code *known, const char **sp,
                          struct as_line *l)
{
    const char *s = *sp;
    uint32_t skipped;
    l->line = 0;
    for (int i = 0; i < 4 && h->tracer < 3; i++)
        if (!scan_decimal32(&s, UINT32_MAX >> 1, &skipped))
            return "the thread block or the warp cannot be read";
    if (h->lineinfo && !scan_decimal32(&s, UINT32_MAX >> 1, &l->line))
        return "the source line cannot be read";
    if (!scan_hex32(&s, &l->pc))
        return "the PC cannot be read";
    if (!scan_hex32(&s, &l->mask))
        return "the mask cannot be read, or has more than 32 bits";
    *sp = s;
    return static_part(sp, known, l);
}

const char *as_line_end(const struct as_head *h, const char *s, struct as_line *l)
{
    uint32_t skipped;
    const char *wrong = NULL;
    l->imm = 0;
    l->second = false;
    if (h->tracer >= 6 && l->form == AS_GMMA && !scan_decimal32(&s, UINT32_MAX >> 1, &skipped))
        return "the commit flag cannot be read";
    if (!scan_decimal32(&s, 1 << 20, &l->width))
        return "the width of the access is missing";
    if (h->tracer >= 6 && l->form == AS_BULK && l->width)
        wrong = bulk(&s, l);
    else if (l->width)
        wrong = addresses(&s, l->mask, l->addr);
    return wrong ? wrong : tail(h, s, l);
}
