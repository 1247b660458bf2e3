/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions as text that reads like SASS: `@!P0 IMAD.WIDE R4, R2, R7, c[0x0][0x160]`. Modifiers are spelled from
 * the fields each opcode uses. Virtual registers print as their PTX name and number, with .lo .hi .xN for parts. */
#include "ir/code.h"

#include <ctype.h>

#define X(e, s) s,
static const char *const sreg_names[SR_COUNT] = {IR_SREGS(X)};
#undef X

const char *ir_sreg_name(enum ir_sreg r) { return (unsigned)r < SR_COUNT ? sreg_names[r] : "?"; }

static const char *const rnd_names[] = {"",     "",     ".RZ",    ".RM",    ".RP",
                                        ".RNA", ".RNI", ".TRUNC", ".FLOOR", ".CEIL"};
static const char *const cmp_names[] = {"",   "EQ",  "NE",  "LT",  "LE",  "GT",  "GE",  "LO",  "LS", "HI",
                                        "HS", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NUM", "NAN"};
static const char *const bop_names[] = {"", "AND", "OR", "XOR"};
static const char *const aop_names[] = {"",    "ADD", "MIN", "MAX",  "INC", "DEC",
                                        "AND", "OR",  "XOR", "EXCH", "CAS"};
static const char *const order_names[] = {"",         ".VOLATILE", ".RELAXED", ".ACQUIRE",
                                          ".RELEASE", ".ACQ_REL",  ".SC"};
static const char *const space_names[] = {"", "G", "S", "L", "C", "P", "R"};
static const char *const shf_names[] = {".W", ".C32", ".C64"};
static const char *const prmt_names[] = {"", ".F4E", ".B4E", ".RC8", ".ECL", ".ECR", ".RC16"};
static const char *const mufu_names[] = {".RCP", ".RSQ",  ".SQRT",   ".SIN",    ".COS", ".EX2",
                                         ".LG2", ".TANH", ".RCP64H", ".RSQ64H", ".SIN", ".COS"};
static const char *const shfl_names[] = {".UP", ".DOWN", ".BFLY", ".IDX"};
static const char *const vote_names[] = {".ALL", ".ANY", ".UNI", ".BALLOT", ".ACTIVE"};
static const char *const bar_names[] = {".SYNC", ".ARV", ".RED.POPC", ".RED.AND", ".RED.OR"};
static const char *const fence_names[] = {"", ".GPU", ".SYS"};
static const char *const mbar_names[] = {".INIT",      ".INVAL",       ".ARRIVE",    ".ARRIVE_DROP",
                                         ".TEST_WAIT", ".TEST_PARITY", ".PENDING",   ".CP_ARRIVE",
                                         ".EXPECT_TX", ".COMPLETE_TX", ".ARRIVE_TX", ".ARRIVE_DROP_TX",
                                         ".TRY_WAIT",  ".TRY_PARITY"};
static const char *const bulk_names[] = {".LOAD",       ".STORE",  ".SHARED",    ".PF",        ".RED",
                                         ".RED.SHARED", ".TENSOR", ".TENSOR.ST", ".TENSOR.PF", ".TENSOR.RED",
                                         ".COMMIT",     ".WAIT",   ".WAIT.READ"};
static const char *const warpgroup_names[] = {".ARRIVE", ".COMMIT", ".DEPBAR.LE"};
static const char *const geom_names[] = {".1D", ".2D", ".3D", ".A1D", ".A2D", ".CUBE", ".ACUBE"};
static const char *const clamp_names[] = {".TRAP", ".CLAMP", ".ZERO"};
static const char *const txq_names[] = {".WIDTH", ".HEIGHT", ".DEPTH", ".CHANNELS"};
static const char *const sys_names[] = {".PRINTF", ".ASSERT", ".MALLOC", ".FREE"};
static const char *const idp_names[] = {".4A", ".2A.LO", ".2A.HI"};

#define NAME(table, i) ((size_t)(i) < sizeof(table) / sizeof *(table) ? (table)[i] : ".?")

static void upper(FILE *to, const char *s)
{
    for (; *s; s++)
        fputc(toupper((unsigned char)*s), to);
}

static void type_mod(FILE *to, uint8_t t)
{
    if (t == T_NONE || t >= T_COUNT)
        return;
    fputc('.', to);
    upper(to, ir_types[t].name);
}

/* .U8 .S16 for narrow elements, else the bits of the whole access; 32 is not spelled. */
static void access_mod(FILE *to, const struct ir_insn *i)
{
    unsigned bits = i->type < T_COUNT ? type_bits(i->type) : 0, vec = i->vec ? i->vec : 1;

    if (bits < 32) {
        if (vec > 1)
            fprintf(to, ".V%u", vec);
        type_mod(to, i->type);
    } else if (bits * vec > 32) {
        fprintf(to, ".%u", bits * vec);
    }
    fputs(NAME(order_names, i->order), to);
}

static void signed_mod(FILE *to, const struct ir_insn *i)
{
    if (i->type == T_U32)
        fputs(".U32", to);
}

static void float_mods(FILE *to, const struct ir_insn *i)
{
    static const struct {
        uint16_t flag;
        const char *name;
    } mods[] = {{IRF_FTZ, ".FTZ"},   {IRF_SAT, ".SAT"},          {IRF_NAN, ".NAN"},
                {IRF_RELU, ".RELU"}, {IRF_FINITE, ".SATFINITE"}, {IRF_XORSIGN, ".XORSIGN"}};

    fputs(NAME(rnd_names, i->rnd), to);
    for (size_t k = 0; k < sizeof mods / sizeof *mods; k++)
        if (i->flags & mods[k].flag)
            fputs(mods[k].name, to);
}

static void compare_mods(FILE *to, const struct ir_insn *i)
{
    fprintf(to, ".%s", NAME(cmp_names, i->cmp));
    if (i->type == T_U32 || i->op == OP_HSETP2)
        type_mod(to, i->type);
    if (i->bop)
        fprintf(to, ".%s", NAME(bop_names, i->bop));
    if (i->flags & IRF_X)
        fputs(".EX", to);
    if (i->flags & IRF_FTZ)
        fputs(".FTZ", to);
}

static void tensor_mods(FILE *to, const struct ir_insn *i)
{
    unsigned bits = i->stype < T_COUNT ? type_bits(i->stype) : 0, b = i->src[1].n;

    if (i->op == OP_DMMA) {
        fputs(".8x8x4", to);
        return;
    }
    fprintf(to, ".%u8%u", b ? 8 * i->src[0].n / b : 0, bits ? 128 * b / bits : 0);
    if (i->op == OP_HMMA)
        type_mod(to, i->type);
    if (i->op == OP_HMMA && i->stype != T_F16)
        type_mod(to, i->stype);
    if (i->op == OP_IMMA)
        fprintf(to, ".%c%u.%c%u", i->bop & 1 ? 'S' : 'U', bits, i->bop & 2 ? 'S' : 'U', bits);
    if (i->op == OP_BMMA)
        fputs(i->sub ? ".AND.POPC" : ".XOR.POPC", to);
    if (i->flags & IRF_SAT)
        fputs(".SAT", to);
}

static void gmma_mods(FILE *to, const struct ir_insn *i)
{
    unsigned bits = i->stype < T_COUNT ? type_bits(i->stype) : 0;

    fprintf(to, ".64x%ux%u", ir_gmma_cols(i), bits ? 256 / bits : 0);
    if (i->type != T_S32)
        type_mod(to, i->type);
    if (i->type == T_S32 || i->stype != T_F16)
        type_mod(to, i->stype);
    if (i->type == T_S32 || i->lut != i->stype)
        type_mod(to, i->lut);
    if (i->flags & IRF_SAT)
        fputs(".SAT", to);
    for (unsigned k = 0; k < 4; k++)
        if (i->sub >> k & 1)
            fputs((const char *const[]){".NEGA", ".NEGB", ".TNSPA", ".TNSPB"}[k], to);
}

/* Modifiers of the memory and texture opcodes. False: not one of them. */
static bool memory_mods(FILE *to, const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDG:
    case OP_STG:
    case OP_LD:
    case OP_ST:
        fputs(".E", to);
        access_mod(to, i);
        return true;
    case OP_LDS:
    case OP_LDL:
    case OP_LDC:
    case OP_STS:
    case OP_STL: access_mod(to, i); return true;
    case OP_ATOM:
    case OP_RED:
        if (i->space)
            fprintf(to, "%s", NAME(space_names, i->space));
        fprintf(to, ".%s", NAME(aop_names, i->aop));
        type_mod(to, i->type);
        if (i->vec > 1)
            fprintf(to, ".V%u", i->vec);
        fputs(NAME(order_names, i->order), to);
        return true;
    case OP_STAS: access_mod(to, i); return true;
    case OP_REDAS:
        fprintf(to, ".%s", NAME(aop_names, i->aop));
        type_mod(to, i->type);
        return true;
    case OP_MEMBAR: fputs(NAME(fence_names, i->sub), to); return true;
    case OP_LDGSTS: fprintf(to, ".%u", i->vec * 8u); return true;
    case OP_LDSM:
    case OP_STSM: fprintf(to, ".16.M88%s.%u", i->flags & IRF_TRANS ? ".T" : "", i->vec); return true;
    case OP_MBAR:
        fputs(NAME(mbar_names, i->sub), to);
        if (i->flags & IRF_X)
            fputs(".NOINC", to);
        return true;
    case OP_BULK:
        fputs(NAME(bulk_names, i->sub), to);
        if (i->bop)
            fprintf(to, ".%uD", i->bop);
        if (i->aop)
            fprintf(to, ".%s", NAME(aop_names, i->aop));
        type_mod(to, i->type);
        return true;
    case OP_BULKGRP: fputs(NAME(bulk_names, i->sub), to); return true;
    case OP_TEX:
        fputs(i->flags & IRF_FETCH4 ? ".GATHER4" : "", to);
        fputs(NAME(geom_names, i->sub), to);
        type_mod(to, i->type);
        type_mod(to, i->stype);
        if (i->flags & IRF_FETCH4)
            fprintf(to, ".%c", "RGBA"[i->vec & 3]);
        return true;
    case OP_SULD:
    case OP_SUST:
        fputs(NAME(geom_names, i->sub), to);
        access_mod(to, i);
        fputs(NAME(clamp_names, i->bop), to);
        return true;
    case OP_TXQ: fputs(NAME(txq_names, i->sub), to); return true;
    default: return false;
    }
}

static void int_mods(FILE *to, const struct ir_insn *i)
{
    switch (i->op) {
    case OP_IADD3: fputs(i->flags & IRF_X ? ".X" : "", to); break;
    case OP_IMAD_HI:
    case OP_IMAD_WIDE:
    case OP_SHR:
    case OP_SGXT:
    case OP_FLO:
        signed_mod(to, i);
        fputs(i->op == OP_FLO && i->sub ? ".SH" : "", to);
        break;
    case OP_SHF_L:
    case OP_SHF_R:
        fputs(NAME(shf_names, i->sub), to);
        type_mod(to, i->type);
        break;
    case OP_IMNMX:
        fputs(i->sub ? ".MAX" : ".MIN", to);
        type_mod(to, i->type);
        break;
    case OP_BMSK: fputs(i->sub ? ".W" : ".C", to); break;
    case OP_PRMT: fputs(NAME(prmt_names, i->sub), to); break;
    case OP_IDP:
        fputs(NAME(idp_names, i->sub), to);
        type_mod(to, i->type);
        type_mod(to, i->stype);
        break;
    case OP_VABSDIFF4:
        type_mod(to, i->stype);
        fputs(i->flags & IRF_ACC ? ".ACC" : "", to);
        break;
    case OP_VIADD2: type_mod(to, i->type); break;
    case OP_LOP3:
    case OP_PLOP3: fputs(".LUT", to); break;
    default: break;
    }
}

static void misc_mods(FILE *to, const struct ir_insn *i)
{
    switch (i->op) {
    case OP_SHFL: fputs(NAME(shfl_names, i->sub), to); break;
    case OP_VOTE: fputs(NAME(vote_names, i->sub), to); break;
    case OP_MATCH: fputs(i->sub ? ".ALL" : ".ANY", to); break;
    case OP_REDUX:
        fprintf(to, ".%s", NAME(aop_names, i->aop));
        type_mod(to, i->type);
        break;
    case OP_BAR: fputs(NAME(bar_names, i->sub), to); break;
    case OP_CGABAR: fputs(i->sub == CGABAR_WAIT ? ".WAIT" : ".ARV", to); break;
    case OP_BRA: fputs(i->flags & IRF_UNI ? ".U" : "", to); break;
    case OP_USETMAXREG: fputs(i->sub ? ".INC" : ".DEC", to); break;
    case OP_TRAP: fputs(i->sub ? ".BPT" : "", to); break;
    case OP_SYSCALL: fputs(NAME(sys_names, i->sub), to); break;
    default: break;
    }
}

static void modifiers(FILE *to, const struct ir_insn *i)
{
    switch (i->op) {
    case OP_ISETP:
    case OP_FSETP:
    case OP_DSETP:
    case OP_HSETP2: compare_mods(to, i); return;
    case OP_HMMA:
    case OP_IMMA:
    case OP_BMMA:
    case OP_DMMA: tensor_mods(to, i); return;
    case OP_HGMMA: gmma_mods(to, i); return;
    case OP_WARPGROUP: fputs(NAME(warpgroup_names, i->sub), to); return;
    case OP_MUFU:
        fputs(NAME(mufu_names, i->sub), to);
        if (i->type != T_F32)
            type_mod(to, i->type);
        return;
    case OP_F2F:
    case OP_F2I:
    case OP_I2F:
    case OP_I2I:
    case OP_F2FP:
        type_mod(to, i->type);
        type_mod(to, i->stype);
        float_mods(to, i);
        if (i->op == OP_F2F && i->sub)
            fputs(".H1", to);
        return;
    case OP_FMNMX:
    case OP_DMNMX:
    case OP_HMNMX2: fputs(i->sub ? ".MAX" : ".MIN", to); break;
    default: break;
    }
    if (memory_mods(to, i))
        return;
    switch (ir_ops[i->op].unit) {
    case UNIT_HALF:
    case UNIT_FP32:
    case UNIT_FP64:
    case UNIT_SFU:
        if (ir_ops[i->op].unit == UNIT_HALF || i->op == OP_FRND)
            type_mod(to, i->type);
        float_mods(to, i);
        break;
    case UNIT_INT: int_mods(to, i); break;
    default: misc_mods(to, i);
    }
}

static void print_reg(FILE *to, const struct ir_fn *fn, const struct ir_opnd *o)
{
    if (!fn || fn->allocated) {
        if (o->val == REG_RZ)
            fputs("RZ", to);
        else if (o->val >= REG_U0)
            fprintf(to, "UR%u", o->val - REG_U0);
        else
            fprintf(to, "R%u", o->val);
        return;
    }
    const struct ir_vreg *v = o->val < fn->vregs.n ? &fn->vregs.at[o->val] : NULL;
    if (v && v->fixed)
        fprintf(to, "$R%u", v->phys);
    else if (v && v->name)
        fprintf(to, "%s%s", v->name[0] == '%' ? "" : "%", v->name);
    else
        fprintf(to, "v%u", o->val);
    if (!v || (o->sub == 0 && o->n == v->n))
        return;
    if (v->n == 2 && o->n == 1)
        fputs(o->sub ? ".hi" : ".lo", to);
    else if (o->n == 1)
        fprintf(to, ".x%u", o->sub);
    else
        fprintf(to, ".x%u-%u", o->sub, o->sub + o->n - 1u);
}

static void print_opnd(FILE *to, const struct ir_fn *fn, const struct ir_opnd *o)
{
    if (o->neg)
        fputc(o->kind == OPND_PRED ? '!' : '-', to);
    if (o->abs)
        fputc('|', to);
    switch (o->kind) {
    case OPND_NONE: fputs("--", to); break;
    case OPND_REG: print_reg(to, fn, o); break;
    case OPND_PRED:
        if (o->val == PRED_PT)
            fputs("PT", to);
        else if (o->val < VPRED0)
            fprintf(to, "P%u", o->val);
        else
            fprintf(to, "vp%u", o->val - VPRED0);
        break;
    case OPND_IMM:
        if (o->val == 0)
            fputs("RZ", to);
        else
            fprintf(to, "0x%x", o->val);
        break;
    case OPND_CONST: fprintf(to, "c[0x%x][0x%x]", o->sub, o->val); break;
    }
    if (o->abs)
        fputc('|', to);
}

/* The source that is an address, printed as [R2+0x10]; -1: none. */
static int address_src(const struct ir_insn *i)
{
    switch (i->op) {
    case OP_LDG:
    case OP_LD:
    case OP_LDS:
    case OP_LDL:
    case OP_LDC:
    case OP_STG:
    case OP_ST:
    case OP_STS:
    case OP_STL:
    case OP_ATOM:
    case OP_RED:
    case OP_LDSM:
    case OP_STSM:
    case OP_STAS:
    case OP_REDAS:
    case OP_MBAR:
    case OP_CCTL: return 0;
    case OP_LDGSTS: return 1;
    default: return -1;
    }
}

static void print_address(FILE *to, const struct ir_fn *fn, const struct ir_insn *i, const struct ir_opnd *o)
{
    if (i->op == OP_LDC)
        fprintf(to, "c[0x%x]", i->sub);
    fputc('[', to);
    if (o->kind != OPND_NONE)
        print_opnd(to, fn, o);
    if (o->kind == OPND_NONE)
        fprintf(to, "0x%x", (uint32_t)i->off);
    else if (i->off)
        fprintf(to, "%c0x%x", i->off < 0 ? '-' : '+', i->off < 0 ? -(uint32_t)i->off : (uint32_t)i->off);
    fputc(']', to);
}

/* Is source s the descriptor of a matrix in shared memory? */
static bool is_descriptor(const struct ir_insn *i, int s)
{
    return i->op == OP_HGMMA && (s == 1 || (s == 0 && i->src[0].n == 2));
}

/* The family of warp-group products goes by what is multiplied, a load of uniform registers by what it loads, as in SASS. */
static const char *name_of(const struct ir_insn *i)
{
    if (i->op == OP_IMADX)
        return i->sub ? "IMAD.WIDE" : "IMAD.X";
    if (i->op == OP_LEAX)
        return i->sub & 4   ? (i->sub & 2 ? "LEA.HI.X.SX32" : "LEA.HI.SX32")
               : i->sub & 1 ? (i->sub & 2 ? "LEA.HI.X" : "LEA.HI")
                            : "LEA";
    if (i->dst[0].kind == OPND_REG && i->dst[0].val >= REG_U0 && i->dst[0].val < REG_B0)
        switch (i->op) {
        case OP_MOV: return i->src[0].kind != OPND_CONST ? "UMOV" : i->dst[0].n == 2 ? "ULDC.64" : "ULDC";
        case OP_LEA: return "ULEA";
        case OP_S2R: return "S2UR";
        default: break;
        }
    if (i->op != OP_HGMMA || i->stype >= T_COUNT || type_bits(i->stype) > 8)
        return ir_ops[i->op].name;
    return i->stype == T_B1 ? "BGMMA" : type_is_float(i->stype) ? "QGMMA" : "IGMMA";
}

static void print_tail(FILE *to, const struct ir_fn *fn, const struct ir_insn *i, const char *sep)
{
    switch (i->op) {
    case OP_LEAX:
    case OP_LOP3:
    case OP_PLOP3: fprintf(to, "%s0x%x", sep, i->lut); break;
    case OP_S2R:
        fprintf(to, "%sSR_", sep);
        upper(to, ir_sreg_name(i->sub));
        break;
    case OP_BRA: fprintf(to, fn ? " B%u" : " `(%u)", i->target); break;
    case OP_BRX:
        if (!fn)
            fprintf(to, "%s`(%u..+%d)", sep, i->target, i->off);
        break;
    case OP_DEPBAR: fprintf(to, " %d", i->off); break;
    case OP_WARPGROUP:
        if (i->sub == WG_WAIT)
            fprintf(to, " gsb0, 0x%x", (uint32_t)i->off);
        break;
    case OP_BULKGRP:
        if (i->sub != BULKGRP_COMMIT)
            fprintf(to, " %d", i->off);
        break;
    case OP_HGMMA: fputs(i->flags & IRF_X ? ", gsb0" : "", to); break;
    default: break;
    }
}

void ir_print_insn(FILE *to, const struct ir_fn *fn, const struct ir_insn *i)
{
    const char *sep = " ";
    int addr = address_src(i), nsrc = 6;

    if (i->op >= OP_COUNT) {
        fprintf(to, "op%u?", i->op);
        return;
    }
    if (i->guard.kind != OPND_NONE) {
        fputc('@', to);
        print_opnd(to, fn, &i->guard);
        fputc(' ', to);
    }
    for (const char *s = name_of(i); *s; s++)
        fputc(*s == '_' ? '.' : *s, to);
    modifiers(to, i);
    for (int d = 0; d < 2; d++)
        if (i->dst[d].kind != OPND_NONE || (d == 0 && i->dst[1].kind != OPND_NONE)) {
            fputs(sep, to);
            print_opnd(to, fn, &i->dst[d]);
            sep = ", ";
        }
    while (nsrc && i->src[nsrc - 1].kind == OPND_NONE && addr != nsrc - 1)
        nsrc--;
    for (int s = 0; s < nsrc; s++) {
        fputs(sep, to);
        if (s == addr)
            print_address(to, fn, i, &i->src[s]);
        else if (is_descriptor(i, s))
            fputs("gdesc[", to), print_opnd(to, fn, &i->src[s]), fputc(']', to);
        else
            print_opnd(to, fn, &i->src[s]);
        sep = ", ";
    }
    print_tail(to, fn, i, sep);
    if (i->flags & IRF_SPILL)
        fputs(" /*spill*/", to);
}

void ir_print_fn(FILE *to, const struct ir_fn *fn)
{
    uint32_t k = 0;

    fprintf(to, "%s %s: %u blocks, ", fn->is_entry ? "entry" : "func", fn->name, fn->blocks.n);
    if (fn->allocated)
        fprintf(to, "%u registers, %u predicates", fn->regs_used, fn->preds_used);
    else
        fprintf(to, "%u virtual registers, %u virtual predicates", fn->vregs.n, fn->npreds);
    fprintf(to, ", frame %u B, spill %u B\n", fn->frame_b, fn->spill_b);
    for (uint32_t b = 0; b < fn->blocks.n; b++) {
        const struct ir_block *bl = &fn->blocks.at[b];
        fprintf(to, "B%u:%s%s", b, bl->label ? " // " : "", bl->label ? bl->label : "");
        if (bl->succ.n) {
            fputs(bl->label ? " ->" : " // ->", to);
            for (uint32_t s = 0; s < bl->succ.n; s++)
                fprintf(to, " B%u", bl->succ.at[s]);
        }
        fputc('\n', to);
        for (uint32_t i = 0; i < bl->insns.n; i++) {
            fprintf(to, "  /*%u*/ ", k++);
            ir_print_insn(to, fn, &bl->insns.at[i]);
            fputc('\n', to);
        }
    }
}
