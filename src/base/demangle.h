/* SPDX-License-Identifier: Apache-2.0 */
/* C++ names of kernels as people write them: `reduce<float, 256>` for _Z6reduceIfLi256EEvPKT_Pf. Only the name, with template
 * arguments where they are plain types and numbers (<...> where not), never the parameters. */
#ifndef BASE_DEMANGLE_H
#define BASE_DEMANGLE_H

#include <stddef.h>

/* Writes at most n bytes with the ending zero. A name that is not mangled, or not understood, is copied as it is. */
void demangle(const char *name, char *out, size_t n);

#endif
