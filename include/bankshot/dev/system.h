/* What a kernel asks of the system: printf, assert, malloc, free. The executor has these as calls of the
 * names below. */
#ifndef BANKSHOT_DEV_SYSTEM_H
#define BANKSHOT_DEV_SYSTEM_H

extern "C" {
/* clang packs the arguments of a device printf and calls vprintf. */
__device__ int vprintf(const char *format, const char *args);
__device__ int printf(const char *format, ...);
__device__ void free(void *p) __attribute__((nothrow));
__device__ void *malloc(size_t size_b) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             size_t char_b);

/* What the assert of the C library calls. */
static __device__ __inline__ void __assert_fail(const char *message, const char *file, unsigned line,
                                                const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std
{
static __device__ __inline__ void free(void *p) { ::free(p); }
static __device__ __inline__ void *malloc(size_t size_b) { return ::malloc(size_b); }
} // namespace std

#endif
/* SPDX-License-Identifier: Apache-2.0 */
