/* SPDX-License-Identifier: Apache-2.0 */
/* Opcode classes: the table, and the class of our own instructions. */
#include "trace/code/class.h"

#define UNIT(u) UNIT_##u
const struct tr_class_info tr_classes[TC_COUNT] = {
#define CLASS(name, unit, what) [TC_##name] = {#name, what, UNIT(unit)},
#include "trace/code/class.def"
#undef CLASS
};

/* The class of every opcode. An opcode's unit is its class's. */
enum {
#define CLASS(name, unit, what) UNIT_OF_##name = UNIT_##unit,
#include "trace/code/class.def"
#undef CLASS
};
#define OPM(name, unit, class, nd, ns, flags, access, space, addrs) OP(name, unit, class, nd, ns, flags)
#define OP(name, unit, class, nd, ns, flags)                                                                 \
    _Static_assert((int)UNIT_##unit == (int)UNIT_OF_##class, #name ": unit of opcode and of class");
#include "ir/ops.def"
#undef OP
static const uint8_t by_op[OP_COUNT] = {
#define OP(name, unit, class, nd, ns, flags) [OP_##name] = TC_##class,
#include "ir/ops.def"
#undef OP
#undef OPM
};

/* Conversions that GPUs since Ampere do at the rate of integers. */
static bool quick(const struct ir_insn *i)
{
    bool half = i->type == T_F16 || i->stype == T_F16, single = i->type == T_F32 || i->stype == T_F32;
    bool from = i->stype == T_S32 || i->stype == T_U32;
    return (i->op == OP_I2F && i->type == T_F32 && from) || (i->op == OP_F2F && half && single);
}

enum tr_class tr_class_of(const struct ir_insn *i)
{
    if (i->op >= OP_COUNT)
        return TC_NOP;
    if (i->op != OP_S2R && i->dst[0].kind == OPND_REG && i->dst[0].val >= REG_U0 && i->dst[0].val < REG_B0)
        return TC_UNIFORM;
    if (i->op == OP_IMADX && i->sub)
        return TC_WIDE;
    if ((i->op == OP_ATOM || i->op == OP_RED) && i->space == SPACE_SHARED)
        return TC_ATOMS;
    return quick(i) ? TC_QCONV : by_op[i->op];
}
