/* Names from files, on a terminal: kernels as people write them, and without bytes that would command it. */
#ifndef CLI_SHOWN_H
#define CLI_SHOWN_H

#include <stddef.h>

/* The text with a ? for every byte that does not print. Returns out. */
const char *shown_text(char *out, size_t cap, const char *s);
/* The same of a kernel's name, demangled. */
const char *shown_kernel(char *out, size_t cap, const char *name);

#endif
