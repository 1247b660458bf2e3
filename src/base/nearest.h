/* SPDX-License-Identifier: Apache-2.0 */
/* Guessing which known name a misspelt one was meant to be. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include <stddef.h>
#include <stdint.h>

/* The name with the fewest edits (insert, drop, replace a letter, swap two neighbours) from s, or NULL if none is near: at most
 * one edit in a name of two or three letters, a third of the letters (but two) in a longer one. */
const char *nearest_name(const char *s, size_t len, const char *const *names, uint32_t n);

#endif
