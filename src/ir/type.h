/* SPDX-License-Identifier: Apache-2.0 */
/* Data types, shared by PTX forms and machine instructions: one row per type. */
#ifndef IR_TYPE_H
#define IR_TYPE_H

#include <stdint.h>

/* X(enum, PTX spelling, bits, kind) */
#define IR_TYPES(X)                                                                                          \
    X(NONE, "", 0, NONE)                                                                                     \
    X(PRED, "pred", 1, PRED)                                                                                 \
    X(B1, "b1", 1, BITS)                                                                                     \
    X(U4, "u4", 4, UINT)                                                                                     \
    X(S4, "s4", 4, SINT)                                                                                     \
    X(B8, "b8", 8, BITS)                                                                                     \
    X(U8, "u8", 8, UINT)                                                                                     \
    X(S8, "s8", 8, SINT)                                                                                     \
    X(B16, "b16", 16, BITS)                                                                                  \
    X(U16, "u16", 16, UINT)                                                                                  \
    X(S16, "s16", 16, SINT)                                                                                  \
    X(F16, "f16", 16, FLOAT)                                                                                 \
    X(BF16, "bf16", 16, FLOAT)                                                                               \
    X(B32, "b32", 32, BITS)                                                                                  \
    X(U32, "u32", 32, UINT)                                                                                  \
    X(S32, "s32", 32, SINT)                                                                                  \
    X(F32, "f32", 32, FLOAT)                                                                                 \
    X(TF32, "tf32", 32, FLOAT)                                                                               \
    X(F16X2, "f16x2", 32, FLOAT)                                                                             \
    X(BF16X2, "bf16x2", 32, FLOAT)                                                                           \
    X(U16X2, "u16x2", 32, UINT)                                                                              \
    X(S16X2, "s16x2", 32, SINT)                                                                              \
    X(B64, "b64", 64, BITS)                                                                                  \
    X(U64, "u64", 64, UINT)                                                                                  \
    X(S64, "s64", 64, SINT)                                                                                  \
    X(F64, "f64", 64, FLOAT)                                                                                 \
    X(B128, "b128", 128, BITS)                                                                               \
    X(TEXREF, "texref", 64, OPAQUE)                                                                          \
    X(SAMPLERREF, "samplerref", 64, OPAQUE)                                                                  \
    X(SURFREF, "surfref", 64, OPAQUE)                                                                        \
    X(E4M3, "e4m3", 8, FLOAT)                                                                                \
    X(E5M2, "e5m2", 8, FLOAT)                                                                                \
    X(E4M3X2, "e4m3x2", 16, FLOAT)                                                                           \
    X(E5M2X2, "e5m2x2", 16, FLOAT)

enum ir_type {
#define X(e, s, bits, kind) T_##e,
    IR_TYPES(X)
#undef X
        T_COUNT
};

enum ir_kind { KIND_NONE, KIND_PRED, KIND_BITS, KIND_UINT, KIND_SINT, KIND_FLOAT, KIND_OPAQUE };

struct ir_type_info {
    const char *name;
    uint8_t bits;
    uint8_t kind; /* enum ir_kind */
};
extern const struct ir_type_info ir_types[T_COUNT];

static inline unsigned type_bits(enum ir_type t) { return ir_types[t].bits; }
static inline unsigned type_bytes(enum ir_type t) { return (ir_types[t].bits + 7u) / 8u; }
/* 32-bit registers that hold one value. */
static inline unsigned type_units(enum ir_type t) { return (ir_types[t].bits + 31u) / 32u; }
static inline int type_is_float(enum ir_type t) { return ir_types[t].kind == KIND_FLOAT; }
static inline int type_is_signed(enum ir_type t) { return ir_types[t].kind == KIND_SINT; }

enum ir_space {
    SPACE_NONE, /* generic */
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM, /* PTX only; lowered to CONST (kernel parameters) or LOCAL (calls) */
    SPACE_REG,   /* PTX declarations only */
};

/* Rounding: the first four are IEEE directions; the I forms round to an integral value. */
enum ir_rnd { RND_NONE, RND_RN, RND_RZ, RND_RM, RND_RP, RND_RNA, RND_RNI, RND_RZI, RND_RMI, RND_RPI };

/* Comparisons. LO LS HI HS are the unsigned spellings; the U forms are true on unordered operands. */
enum ir_cmp {
    CMP_NONE,
    CMP_EQ,
    CMP_NE,
    CMP_LT,
    CMP_LE,
    CMP_GT,
    CMP_GE,
    CMP_LO,
    CMP_LS,
    CMP_HI,
    CMP_HS, /* PTX only; lowered to LT LE GT GE on an unsigned type */
    CMP_EQU,
    CMP_NEU,
    CMP_LTU,
    CMP_LEU,
    CMP_GTU,
    CMP_GEU,
    CMP_NUM,
    CMP_NAN,
};

enum ir_bop { BOP_NONE, BOP_AND, BOP_OR, BOP_XOR };

/* Memory order of an access, as far as the executor and the trace care. */
enum ir_order { ORD_WEAK, ORD_VOLATILE, ORD_RELAXED, ORD_ACQUIRE, ORD_RELEASE, ORD_ACQ_REL, ORD_SC };

enum ir_aop {
    AOP_NONE,
    AOP_ADD,
    AOP_MIN,
    AOP_MAX,
    AOP_INC,
    AOP_DEC,
    AOP_AND,
    AOP_OR,
    AOP_XOR,
    AOP_EXCH,
    AOP_CAS
};

#endif
