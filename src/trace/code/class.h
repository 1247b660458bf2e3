/* SPDX-License-Identifier: Apache-2.0 */
/* The class of an instruction of our own machine form; importers have tables of their own. */
#ifndef TRACE_CLASS_H
#define TRACE_CLASS_H

#include "trace/code/kernel.h"

enum tr_class tr_class_of(const struct ir_insn *i);

#endif
