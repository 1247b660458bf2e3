/* SPDX-License-Identifier: Apache-2.0 */
/* The trace that the process writes, if BANKSHOT_RECORD asks for one. */
#ifndef CUDART_RECORDING_H
#define CUDART_RECORDING_H

#include "cudart/rt.h"

/* A command line, words of n bytes together, each ended by a zero. *command: as it is; *program: by names alone, so that it is
 * the same wherever program and files lie. */
void recording_describe(struct arena *a, const char *words, size_t n, const char **program,
                        const char **command);

#endif
