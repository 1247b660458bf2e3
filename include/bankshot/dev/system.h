/* What a kernel asks of the system: printf, assert, malloc, free. The executor has these as calls of the names below. */
#ifndef BANKSHOT_DEV_SYSTEM_H
#define BANKSHOT_DEV_SYSTEM_H

extern "C" {
/* clang packs the arguments of a device printf and calls vprintf. */
__device__ int vprintf(const char *format, const char *args);
__device__ int printf(const char *format, ...);
__device__ void free(void *p) __attribute__((nothrow));
__device__ void *malloc(size_t size_b) __attribute__((nothrow, malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function, size_t char_b);

/* What the assert of the C library calls. */
static __device__ __inline__ void __assert_fail(const char *message, const char *file, unsigned line,
                                                const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
}

namespace std {
static __device__ __inline__ void free(void *p) { ::free(p); }
static __device__ __inline__ void *malloc(size_t size_b) { return ::malloc(size_b); }
} // namespace std

/* Overlapping ranges: the direction decides. */
static __device__ __inline__ void *memmove(void *to, const void *from, size_t size_b)
{
    char *t = (char *)to;
    const char *f = (const char *)from;
    if (t < f) {
        for (size_t i = 0; i < size_b; i++)
            ((volatile char *)t)[i] = f[i];
    } else {
        for (size_t i = size_b; i-- > 0;)
            ((volatile char *)t)[i] = f[i];
    }
    return to;
}

static __device__ __inline__ int memcmp(const void *a, const void *b, size_t size_b)
{
    const unsigned char *p = (const unsigned char *)a, *q = (const unsigned char *)b;
    for (size_t i = 0; i < size_b; i++)
        if (p[i] != q[i])
            return p[i] - q[i];
    return 0;
}

static __device__ __inline__ size_t strlen(const char *s)
{
    size_t n = 0;
    while (((const volatile char *)s)[n])
        n++;
    return n;
}

#endif
