/* SPDX-License-Identifier: Apache-2.0 */
/* SASS instructions by name. */
#include "trace/accelsim/sass.h"

#define L TM_LOAD
#define S TM_STORE
#define A TM_ATOMIC

/* How many registers the operands have. ONE: each has one. WIDTH: each as many as the modifier .64 or .128 says. */
enum shape { ONE, PAIRS, WIDTH, WIDE, CONV, LOAD, STORE, COPY, MATRIX, MMA, GMMA, CLOCK };

struct row {
    const char *name;
    uint8_t cls, shape, mem, space, flow;
};
static const struct row rows[] = {
#define SASS(name, cls, shape, mem, space, flow) {#name, TC_##cls, shape, mem, SPACE_##space, SF_##flow},
#include "trace/accelsim/sass.def"
#undef SASS
};
enum { NROWS = sizeof rows / sizeof rows[0] };

static const struct row *find(const char *opcode)
{
    size_t n = strcspn(opcode, ".");
    for (uint32_t i = 0; i < NROWS; i++)
        if (strncmp(rows[i].name, opcode, n) == 0 && !rows[i].name[n])
            return &rows[i];
    return NULL;
}

/* The class of an opcode that is not in the table: the longest of these that it starts with. */
static const struct row guesses[] = {
    {"UTMA", TC_TMA, ONE, L, SPACE_GLOBAL, SF_NONE},
    {"UBLK", TC_TMA, ONE, L, SPACE_GLOBAL, SF_NONE},
    {"U", TC_UNIFORM, ONE, 0, SPACE_NONE, SF_NONE},
    {"F2", TC_CONV, CONV, 0, SPACE_NONE, SF_NONE},
    {"I2", TC_CONV, CONV, 0, SPACE_NONE, SF_NONE},
    {"F", TC_FP32, ONE, 0, SPACE_NONE, SF_NONE},
    {"D", TC_FP64, PAIRS, 0, SPACE_NONE, SF_NONE},
    {"H", TC_HALF, ONE, 0, SPACE_NONE, SF_NONE},
    {"LDG", TC_LDG, LOAD, L, SPACE_GLOBAL, SF_NONE},
    {"LDS", TC_LDS, LOAD, L, SPACE_SHARED, SF_NONE},
    {"LDL", TC_LDL, LOAD, L, SPACE_LOCAL, SF_NONE},
    {"LDC", TC_LDC, LOAD, L, SPACE_CONST, SF_NONE},
    {"LD", TC_LDG, LOAD, L, SPACE_NONE, SF_NONE},
    {"STS", TC_STS, STORE, S, SPACE_SHARED, SF_NONE},
    {"STL", TC_STL, STORE, S, SPACE_LOCAL, SF_NONE},
    {"ST", TC_STG, STORE, S, SPACE_NONE, SF_NONE},
    {"ATOM", TC_ATOMG, STORE, L | S | A, SPACE_NONE, SF_NONE},
    {"RED", TC_REDG, STORE, S | A, SPACE_NONE, SF_NONE},
    {"T", TC_TEX, ONE, L, SPACE_GLOBAL, SF_NONE},
    {"SU", TC_SURF, ONE, L | S, SPACE_GLOBAL, SF_NONE},
    {"B", TC_BRANCH, ONE, 0, SPACE_NONE, SF_BRANCH},
    {"J", TC_BRANCH, ONE, 0, SPACE_NONE, SF_BRANCH},
    {"", TC_INT, ONE, 0, SPACE_NONE, SF_NONE},
};

static const struct row *guess(const char *opcode)
{
    const struct row *best = NULL;
    size_t length = 0;
    static const struct row mma = {"", TC_HMMA, MMA, 0, SPACE_NONE, SF_NONE};
    static const struct row gmma = {"", TC_GMMA, GMMA, 0, SPACE_NONE, SF_NONE};
    size_t n = strcspn(opcode, ".");
    if (n > 4 && memcmp(opcode + n - 4, "GMMA", 4) == 0)
        return &gmma;
    if (n > 3 && memcmp(opcode + n - 3, "MMA", 3) == 0)
        return &mma;
    for (uint32_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        size_t k = strlen(guesses[i].name);
        if (strncmp(guesses[i].name, opcode, k) == 0 && (!best || k > length)) {
            best = &guesses[i];
            length = k;
        }
    }
    return best;
}

enum sass_flow sass_flow(const char *opcode)
{
    const struct row *r = find(opcode);
    return (enum sass_flow)(r ? r : guess(opcode))->flow;
}

/* Is `.mod` one of the modifiers? */
static bool has(const char *opcode, const char *mod)
{
    size_t n = strlen(mod);
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.'))
        if (strncmp(p + 1, mod, n) == 0 && (p[1 + n] == '.' || !p[1 + n]))
            return true;
    return false;
}

/* The first modifier that starts with a digit; "" where none does. */
static const char *first_number(const char *opcode)
{
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.'))
        if (p[1] >= '0' && p[1] <= '9')
            return p + 1;
    return "";
}

static uint8_t width(const char *opcode)
{
    if (has(opcode, "U8") || has(opcode, "S8"))
        return 1;
    if (has(opcode, "U16") || has(opcode, "S16"))
        return 2;
    return has(opcode, "128") ? 16 : has(opcode, "64") ? 8 : 4;
}

static void set_n(struct tr_opnd *o, unsigned n)
{
    /* Wide operands start at an even register; what does not is not wide. */
    if (n > 1 && o->val % 2)
        n = 1;
    if (o->kind == TO_REG || o->kind == TO_UREG)
        o->n = (uint8_t)(n && n <= 255 - o->val ? n : 1);
}

static void set_all(struct tr_insn *in, unsigned dst, unsigned src)
{
    for (unsigned i = 0; i < in->ndst; i++)
        set_n(&in->dst[i], dst);
    for (unsigned i = 0; i < in->nsrc; i++)
        set_n(&in->src[i], src);
}

/* A wide multiply-add has a wide result and a wide third source. Of two registers the second is the third source if the
 * multiplier is an immediate, and the multiplier if not (the sum is then a constant's). */
static void shape_wide(struct tr_insn *in, const char *opcode, int64_t imm)
{
    if (!has(opcode, "WIDE"))
        return;
    set_all(in, 2, 1);
    if (in->nsrc == 3 || (in->nsrc == 2 && imm))
        set_n(&in->src[in->nsrc - 1], 2);
}

/* F2F.F32.F64: to, then from. I2F.F64 and F2I.F64 name one type, that of the floating-point side, F2I.S64 the integer's. */
static void shape_conv(struct tr_insn *in, const char *opcode)
{
    unsigned dst = 1, src = 1, seen = 0;
    bool to_float = strncmp(opcode, "I2F", 3) == 0, to_int = strncmp(opcode, "F2I", 3) == 0;
    for (const char *p = strchr(opcode, '.'); p; p = strchr(p + 1, '.')) {
        bool is_float = p[1] == 'F' && p[2] >= '1' && p[2] <= '9';
        bool is_int = (p[1] == 'S' || p[1] == 'U') && p[2] >= '1' && p[2] <= '9';
        if (!is_float && !is_int)
            continue;
        unsigned n = p[2] == '6' && p[3] == '4' ? 2 : 1;
        bool is_dst = to_float ? is_float : to_int ? is_int : seen == 0;
        *(is_dst ? &dst : &src) = n;
        seen++;
    }
    if (strncmp(opcode, "FRND", 4) == 0 && has(opcode, "F64"))
        dst = src = 2;
    set_all(in, dst, src);
}

/* Addresses of global memory have two registers where .E says so; the data follow the address. */
static void shape_memory(struct tr_insn *in, const char *opcode, unsigned words)
{
    bool wide = has(opcode, "E") && in->space != SPACE_SHARED && in->space != SPACE_LOCAL;
    set_all(in, words, words);
    if (in->nsrc)
        set_n(&in->src[0], wide ? 2 : 1);
}

static unsigned matrices(const char *opcode) { return has(opcode, "4") ? 4 : has(opcode, "2") ? 2 : 1; }

struct mma {
    const char *op, *size, *mod; /* mod NULL: any */
    uint8_t d, a, b, c;          /* registers */
};
/* Per warp: D and C are m*n elements, A m*k, B k*n, over 32 lanes; the first row that fits is used. */
static const struct mma mmas[] = {
    {"HMMA", "16816", "F32", 4, 4, 2, 4}, {"HMMA", "16816", NULL, 2, 4, 2, 2},
    {"HMMA", "1688", "TF32", 4, 4, 2, 4}, {"HMMA", "1688", "F32", 4, 2, 1, 4},
    {"HMMA", "1688", NULL, 2, 2, 1, 2},   {"HMMA", "1684", NULL, 4, 2, 1, 4},
    {"HMMA", "884", NULL, 2, 2, 2, 2}, /* Volta: one step of four */
    {"IMMA", "16832", "S4", 4, 2, 1, 4},  {"IMMA", "16832", "U4", 4, 2, 1, 4},
    {"IMMA", "16832", NULL, 4, 4, 2, 4},  {"IMMA", "16864", NULL, 4, 4, 2, 4},
    {"IMMA", "16816", NULL, 4, 2, 1, 4},  {"IMMA", "8816", NULL, 2, 1, 1, 2},
    {"IMMA", "8832", NULL, 2, 1, 1, 2},   {"BMMA", "168256", NULL, 4, 4, 2, 4},
    {"BMMA", "168128", NULL, 4, 2, 1, 4}, {"BMMA", "88128", NULL, 2, 1, 1, 2},
    {"DMMA", "884", NULL, 4, 2, 2, 4},    {"DMMA", "8x8x4", NULL, 4, 2, 2, 4},
    {"DMMA", "16816", NULL, 8, 16, 8, 8}, {"DMMA", "1688", NULL, 8, 8, 4, 8},
    {"DMMA", "1684", NULL, 8, 4, 2, 8},   {"QMMA", "16832", NULL, 4, 4, 2, 4},
};

static void shape_mma(struct tr_insn *in, const char *opcode)
{
    for (uint32_t i = 0; i < sizeof mmas / sizeof mmas[0]; i++) {
        const struct mma *m = &mmas[i];
        if (strncmp(opcode, m->op, 4) != 0 || !has(opcode, m->size) || (m->mod && !has(opcode, m->mod)))
            continue;
        const uint8_t n[3] = {m->a, m->b, m->c};
        for (unsigned k = 0; k < in->ndst; k++)
            set_n(&in->dst[k], m->d);
        for (unsigned k = 0; k < in->nsrc; k++)
            set_n(&in->src[k], k < 3 ? n[k] : 1);
        return;
    }
}

/* 64xNxK: N/2 registers of 32-bit sums, N/4 of 16-bit ones; operands come from shared memory or are A's four registers. */
static void shape_gmma(struct tr_insn *in, const char *opcode)
{
    unsigned m = 0, n = 0;
    if (sscanf(first_number(opcode), "%ux%u", &m, &n) != 2 || n > 256)
        return;
    unsigned sums = has(opcode, "F16") && !has(opcode, "F32") ? n / 4 : n / 2;
    set_all(in, sums, 4);
    if (in->nsrc)
        set_n(&in->src[in->nsrc - 1], sums);
    in->imm = n;
    in->count = in->nsrc > 1 ? 4 : 0;
}

static void shapes(struct tr_insn *in, const struct row *r, const char *opcode, int64_t imm)
{
    unsigned words = (width(opcode) + 3u) / 4u;
    switch ((enum shape)r->shape) {
    case ONE: break;
    case PAIRS: set_all(in, 2, 2); break;
    case WIDTH: set_all(in, words, words); break;
    case WIDE: shape_wide(in, opcode, imm); break;
    case CONV: shape_conv(in, opcode); break;
    case LOAD:
    case STORE: shape_memory(in, opcode, words); break;
    case COPY: /* shared address, global address */
        for (unsigned i = 0; i < in->nsrc; i++)
            set_n(&in->src[i], i ? 2 : 1);
        break;
    case MATRIX:
        set_all(in, matrices(opcode), matrices(opcode));
        if (in->nsrc)
            set_n(&in->src[0], 1);
        break;
    case MMA: shape_mma(in, opcode); break;
    case GMMA: shape_gmma(in, opcode); break;
    case CLOCK: set_all(in, has(opcode, "32") ? 1 : 2, 1); break;
    }
}

static void memory(struct tr_insn *in, const struct row *r, const char *opcode, bool addresses)
{
    if (!addresses)
        return;
    in->mem = r->mem ? r->mem : TM_LOAD;
    in->naddr = 1;
    in->space = r->mem ? r->space : SPACE_NONE;
    in->width_b = r->shape == MATRIX ? 16 : r->cls == TC_MBAR ? 8 : width(opcode);
    if (in->space == SPACE_SHARED || in->space == SPACE_CONST)
        return;
    /* Ordered for the CTA's threads alone, whom L1 serves */
    bool near = has(opcode, "SM") || has(opcode, "CTA");
    in->bypass = in->mem & TM_ATOMIC || (has(opcode, "STRONG") && !near) || has(opcode, "BYPASS") ||
                 has(opcode, "CG") || has(opcode, "CV");
}

/* The barrier's number; a second operand, the number of threads, is what the trace shows where there is one. */
static void barrier(struct tr_insn *in, const char *opcode, int64_t imm)
{
    bool count = imm >= 16 && imm <= 1024;
    in->imm = count ? 1 : (uint32_t)imm & 15;
    in->count = count ? (uint32_t)imm : 0;
    if (has(opcode, "ARV"))
        in->imm |= TB_ARRIVE;
}

/* Barrier objects in shared memory; the values that the second set of addresses has are not in SASS traces (accelsim_async.c). */
static void object(struct tr_insn *in, const char *opcode)
{
    if (!in->naddr)
        return;
    in->naddr = 2;
    in->imm = has(opcode, "EXCH")                                 ? TMB_INIT
              : has(opcode, "ARRIVE") && has(opcode, "A1T0")      ? TMB_ARRIVE
              : has(opcode, "ARRIVE")                             ? TMB_ARRIVE_EXPECT
              : has(opcode, "PHASECHK") && has(opcode, "TRYWAIT") ? TMB_WAIT
              : has(opcode, "PHASECHK")                           ? TMB_TEST
                                                                  : TMB_OTHER;
}

static void bulk(struct tr_insn *in, const char *opcode)
{
    if (strcmp(opcode, "UTMACMDFLUSH") == 0) {
        in->imm = TT_COMMIT;
        return;
    }
    if (!in->naddr)
        return;
    in->imm = strncmp(opcode, "UTMASTG", 7) == 0                                       ? TT_STORE
              : strncmp(opcode, "UTMAREDG", 8) == 0                                    ? TT_REDUCE
              : strncmp(opcode, "UTMAPF", 6) == 0 || strncmp(opcode, "UBLKPF", 6) == 0 ? TT_PREFETCH
                                                                                       : TT_LOAD;
    in->mem = in->naddr = in->width_b = in->bypass = 0;
    in->space = SPACE_NONE;
    in->nparam = TR_BULK_PARAMS;
}

/* The end of a warp group's products is waited for; its arrival costs what other waits of a warp do. */
static void warp_group(struct tr_insn *in, const char *opcode, int64_t imm)
{
    if (!has(opcode, "DEPBAR"))
        return;
    in->cls = TC_GMMA;
    in->imm = TG_WAIT | ((uint32_t)imm & TG_COLUMNS);
}

static uint8_t class_of(const struct row *r, const char *opcode)
{
    if (r->cls != TC_IMUL)
        return r->cls;
    return has(opcode, "HI") ? TC_MULHI : has(opcode, "WIDE") ? TC_WIDE : TC_IMUL;
}

enum tr_class sass_class(const char *opcode)
{
    const struct row *r = find(opcode);
    return (enum tr_class)class_of(r ? r : guess(opcode), opcode);
}

bool sass_describe(struct tr_insn *in, const char *opcode, uint32_t arch, bool addresses, int64_t imm)
{
    const struct row *known = find(opcode), *r = known ? known : guess(opcode);
    in->cls = class_of(r, opcode);
    in->target = TR_NO_TARGET;
    memory(in, r, opcode, addresses);
    shapes(in, r, opcode, imm);
    if (r->cls == TC_BAR)
        barrier(in, opcode, imm);
    if (strncmp(opcode, "UCGABAR", 7) == 0) /* of a cluster: as if it had one CTA */
        in->imm = 15;
    if (strcmp(opcode, "UCGABAR_ARV") == 0)
        in->cls = TC_NOP;
    if (r->cls == TC_MBAR)
        object(in, opcode);
    if (r->cls == TC_TMA)
        bulk(in, opcode);
    if (strncmp(opcode, "WARPGROUP.", 10) == 0)
        warp_group(in, opcode, imm);
    if (r->cls == TC_ASYNC)
        in->imm = strncmp(opcode, "LDGDEPBAR", 9) == 0 ? TA_COMMIT : (uint32_t)imm & 0xff;
    /* Kepler: L1 holds local memory; global loads go past it, except LDG's, which are read-only. */
    if (arch && arch < 50 && in->mem == TM_LOAD && in->space == SPACE_NONE)
        in->bypass = 1;
    return known != NULL;
}
