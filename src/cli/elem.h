/* SPDX-License-Identifier: Apache-2.0 */
/* Single values of a PTX type, as text and as bits: what --arg reads and the results show. */
#ifndef CLI_ELEM_H
#define CLI_ELEM_H

#include "ir/type.h"

#include <stdbool.h>
#include <stddef.h>

/* The type by its PTX spelling; T_NONE if it is unknown or has no single values (vectors, textures). */
enum ir_type elem_type(const char *name, size_t len);
/* Names of all of them, for messages. */
const char *elem_type_names(void);

/* Text to bits, in the low type_bytes(t) bytes. False: not a value of the type. */
bool elem_parse(enum ir_type t, const char *text, uint64_t *bits);
/* The nearest value of the type. */
uint64_t elem_from_double(enum ir_type t, double v);
double elem_double(enum ir_type t, uint64_t bits);
/* Integer types: the value, modulo 2^64. */
uint64_t elem_int(enum ir_type t, uint64_t bits);
/* Neither is a NaN. */
bool elem_less(enum ir_type t, uint64_t a, uint64_t b);
void elem_print(enum ir_type t, uint64_t bits, char *out, size_t cap);

#endif
