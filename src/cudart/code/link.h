/* SPDX-License-Identifier: Apache-2.0 */
/* Linking PTX: the texts of a program's files that were compiled separately (bankshot cc -rdc=true) become one. What a file keeps
 * to itself gets a name of its own, of definitions that several files may have (.weak) one stays, and the numbers of source files
 * are made different. What is missing or there twice the parser and the compiler report, by name. Called when the program first
 * needs its device code. */
#ifndef CUDART_LINK_H
#define CUDART_LINK_H

#include <stdint.h>

/* free() the result. */
char *link_texts(const char *const *texts, uint32_t n);

#endif
