/* SPDX-License-Identifier: Apache-2.0 */
/* Names from files, on a terminal: kernels as people write them, and without bytes that would command it. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stddef.h>

/* The text with a ? for every byte that does not print. Returns out. */
const char *shown_text(char *out, size_t cap, const char *s);
/* Four digits and a prefix of the unit, "1.204 mJ", so that large and small ones read alike. Returns out. */
const char *shown_unit(char *out, size_t cap, double value, const char *unit);
/* The same of a kernel's name, demangled. */
const char *shown_kernel(char *out, size_t cap, const char *name);

#endif
