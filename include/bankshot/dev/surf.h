/* Surface functions on surface objects and references: unformatted access, x in bytes. What lies outside
 * of the surface is an error (trap), moved to the edge (clamp), or read as zero and not written (zero). */
#ifndef BANKSHOT_DEV_SURF_H
#define BANKSHOT_DEV_SURF_H

template <class T, int dim> __BANKSHOT_FN __bankshot_handle __bankshot_surf_handle(surface<T, dim> s)
{
    __bankshot_handle h;
    asm("mov.b64 %0, %1;" : "=l"(h) : "l"(s));
    return h;
}

/* The registers that n bytes travel in. */
template <int n> struct __bankshot_surf_words;
template <> struct __bankshot_surf_words<1> {
    unsigned short a;
};
template <> struct __bankshot_surf_words<2> {
    unsigned short a;
};
template <> struct __bankshot_surf_words<4> {
    unsigned a;
};
template <> struct __bankshot_surf_words<8> {
    unsigned a, b;
};
template <> struct __bankshot_surf_words<16> {
    unsigned a, b, c, d;
};

#define __BANKSHOT_OPEN(...) __VA_ARGS__
#define __BANKSHOT_SULD(geom, type, mode, regs, at, outs, inputs)                                            \
    asm volatile("suld.b." geom "." type "." mode " " regs ", " at ";"                                       \
                 : __BANKSHOT_OPEN outs                                                                      \
                 : [h] "l"(h), __BANKSHOT_OPEN inputs                                                        \
                 : "memory")
#define __BANKSHOT_SUST(geom, type, mode, regs, at, ins, inputs)                                             \
    asm volatile("sust.b." geom "." type "." mode " " at ", " regs ";"                                       \
                 :                                                                                           \
                 : [h] "l"(h), __BANKSHOT_OPEN ins, __BANKSHOT_OPEN inputs                                   \
                 : "memory")

/* Load and store of n bytes: type, registers as PTX names them, as asm writes them (outs) and reads them
 * (ins). */
#define __BANKSHOT_SURF_SIZE(geom, at, params, inputs, name, n, type, regs, outs, ins)                       \
    __BANKSHOT_FN void __bankshot_##name##_read(__bankshot_surf_words<n> &w, __bankshot_handle h,            \
                                                enum cudaSurfaceBoundaryMode mode, __BANKSHOT_OPEN params)   \
    {                                                                                                        \
        if (mode == cudaBoundaryModeZero)                                                                    \
            __BANKSHOT_SULD(geom, type, "zero", regs, at, outs, inputs);                                     \
        else if (mode == cudaBoundaryModeClamp)                                                              \
            __BANKSHOT_SULD(geom, type, "clamp", regs, at, outs, inputs);                                    \
        else                                                                                                 \
            __BANKSHOT_SULD(geom, type, "trap", regs, at, outs, inputs);                                     \
    }                                                                                                        \
    __BANKSHOT_FN void __bankshot_##name##_write(const __bankshot_surf_words<n> &w, __bankshot_handle h,     \
                                                 enum cudaSurfaceBoundaryMode mode, __BANKSHOT_OPEN params)  \
    {                                                                                                        \
        if (mode == cudaBoundaryModeZero)                                                                    \
            __BANKSHOT_SUST(geom, type, "zero", regs, at, ins, inputs);                                      \
        else if (mode == cudaBoundaryModeClamp)                                                              \
            __BANKSHOT_SUST(geom, type, "clamp", regs, at, ins, inputs);                                     \
        else                                                                                                 \
            __BANKSHOT_SUST(geom, type, "trap", regs, at, ins, inputs);                                      \
    }

/* The public functions of one geometry; dim is the kind of its references. */
#define __BANKSHOT_SURF_PUBLIC(name, dim, params, args)                                                      \
    template <class T>                                                                                       \
    __BANKSHOT_FN T name##read(cudaSurfaceObject_t s, __BANKSHOT_OPEN params,                                \
                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
    {                                                                                                        \
        __bankshot_surf_words<sizeof(T)> w;                                                                  \
        __bankshot_##name##_read(w, s, mode, __BANKSHOT_OPEN args);                                          \
        T v;                                                                                                 \
        __builtin_memcpy(&v, &w, sizeof v);                                                                  \
        return v;                                                                                            \
    }                                                                                                        \
    template <class T>                                                                                       \
    __BANKSHOT_FN void name##read(T *to, cudaSurfaceObject_t s, __BANKSHOT_OPEN params,                      \
                                  enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                                                        \
        *to = name##read<T>(s, __BANKSHOT_OPEN args, mode);                                                  \
    }                                                                                                        \
    template <class T>                                                                                       \
    __BANKSHOT_FN void name##write(T v, cudaSurfaceObject_t s, __BANKSHOT_OPEN params,                       \
                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                                        \
        __bankshot_surf_words<sizeof(T)> w = {};                                                             \
        __builtin_memcpy(&w, &v, sizeof v);                                                                  \
        __bankshot_##name##_write(w, s, mode, __BANKSHOT_OPEN args);                                         \
    }                                                                                                        \
    template <class T>                                                                                       \
    __BANKSHOT_FN T name##read(surface<void, dim> s, __BANKSHOT_OPEN params,                                 \
                               enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
    {                                                                                                        \
        return name##read<T>(__bankshot_surf_handle(s), __BANKSHOT_OPEN args, mode);                         \
    }                                                                                                        \
    template <class T>                                                                                       \
    __BANKSHOT_FN void name##read(T *to, surface<void, dim> s, __BANKSHOT_OPEN params,                       \
                                  enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                                                        \
        *to = name##read<T>(__bankshot_surf_handle(s), __BANKSHOT_OPEN args, mode);                          \
    }                                                                                                        \
    template <class T>                                                                                       \
    __BANKSHOT_FN void name##write(T v, surface<void, dim> s, __BANKSHOT_OPEN params,                        \
                                   enum cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                                        \
        name##write<T>(v, __bankshot_surf_handle(s), __BANKSHOT_OPEN args, mode);                            \
    }

#define __BANKSHOT_SURF(name, geom, dim, at, params, args, inputs)                                           \
    __BANKSHOT_SURF_SIZE(geom, at, params, inputs, name, 1, "b8", "%[a]", ([a] "=h"(w.a)), ([a] "h"(w.a)))   \
    __BANKSHOT_SURF_SIZE(geom, at, params, inputs, name, 2, "b16", "%[a]", ([a] "=h"(w.a)), ([a] "h"(w.a)))  \
    __BANKSHOT_SURF_SIZE(geom, at, params, inputs, name, 4, "b32", "%[a]", ([a] "=r"(w.a)), ([a] "r"(w.a)))  \
    __BANKSHOT_SURF_SIZE(geom, at, params, inputs, name, 8, "v2.b32", "{%[a], %[b]}",                        \
                         ([a] "=r"(w.a), [b] "=r"(w.b)), ([a] "r"(w.a), [b] "r"(w.b)))                       \
    __BANKSHOT_SURF_SIZE(geom, at, params, inputs, name, 16, "v4.b32", "{%[a], %[b], %[c], %[d]}",           \
                         ([a] "=r"(w.a), [b] "=r"(w.b), [c] "=r"(w.c), [d] "=r"(w.d)),                       \
                         ([a] "r"(w.a), [b] "r"(w.b), [c] "r"(w.c), [d] "r"(w.d)))                           \
    __BANKSHOT_SURF_PUBLIC(name, dim, params, args)

__BANKSHOT_SURF(surf1D, "1d", cudaSurfaceType1D, "[%[h], {%[x]}]", (int x), (x), ([x] "r"(x)))
__BANKSHOT_SURF(surf2D, "2d", cudaSurfaceType2D, "[%[h], {%[x], %[y]}]", (int x, int y), (x, y),
                ([x] "r"(x), [y] "r"(y)))
__BANKSHOT_SURF(surf3D, "3d", cudaSurfaceType3D, "[%[h], {%[x], %[y], %[z], %[z]}]", (int x, int y, int z),
                (x, y, z), ([x] "r"(x), [y] "r"(y), [z] "r"(z)))
__BANKSHOT_SURF(surf1DLayered, "a1d", cudaSurfaceType1DLayered, "[%[h], {%[l], %[x]}]", (int x, int layer),
                (x, layer), ([x] "r"(x), [l] "r"(layer)))
__BANKSHOT_SURF(surf2DLayered, "a2d", cudaSurfaceType2DLayered, "[%[h], {%[l], %[x], %[y], %[y]}]",
                (int x, int y, int layer), (x, y, layer), ([x] "r"(x), [y] "r"(y), [l] "r"(layer)))
__BANKSHOT_SURF(surfCubemap, "a2d", cudaSurfaceTypeCubemap, "[%[h], {%[l], %[x], %[y], %[y]}]",
                (int x, int y, int face), (x, y, face), ([x] "r"(x), [y] "r"(y), [l] "r"(face)))
__BANKSHOT_SURF(surfCubemapLayered, "a2d", cudaSurfaceTypeCubemapLayered, "[%[h], {%[l], %[x], %[y], %[y]}]",
                (int x, int y, int layer_face), (x, y, layer_face),
                ([x] "r"(x), [y] "r"(y), [l] "r"(layer_face)))

#undef __BANKSHOT_SURF
#undef __BANKSHOT_SURF_PUBLIC
#undef __BANKSHOT_SURF_SIZE
#undef __BANKSHOT_SUST
#undef __BANKSHOT_SULD
#undef __BANKSHOT_OPEN

#endif
/* SPDX-License-Identifier: Apache-2.0 */
