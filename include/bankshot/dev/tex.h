/* Texture functions on texture objects and on texture references. One macro row per instruction gives it
 * for the three kinds of results (float, signed, unsigned); the type that the program asks for selects the
 * kind and the channels. tex*Grad is an instruction that the simulator refuses by its name. */
#ifndef BANKSHOT_DEV_TEX_H
#define BANKSHOT_DEV_TEX_H

typedef unsigned long long __bankshot_handle;

/* From the four words of a fetch to T. */
template <class T> struct __bankshot_texel;
#define __BANKSHOT_TEXEL(T, R, ...)                                                                          \
    template <> struct __bankshot_texel<T> {                                                                 \
        typedef R raw;                                                                                       \
        __BANKSHOT_FN T cut(R r)                                                                             \
        {                                                                                                    \
            T v = __VA_ARGS__;                                                                               \
            return v;                                                                                        \
        }                                                                                                    \
    };
#define __BANKSHOT_TEXELS(V, T, R)                                                                           \
    __BANKSHOT_TEXEL(T, R, (T)r.x)                                                                           \
    __BANKSHOT_TEXEL(V##1, R, {(T)r.x})                                                                      \
    __BANKSHOT_TEXEL(V##2, R, {(T)r.x, (T)r.y})                                                              \
    __BANKSHOT_TEXEL(V##4, R, {(T)r.x, (T)r.y, (T)r.z, (T)r.w})
__BANKSHOT_TEXEL(char, int4, (char)r.x)
__BANKSHOT_TEXELS(char, signed char, int4)
__BANKSHOT_TEXELS(uchar, unsigned char, uint4)
__BANKSHOT_TEXELS(short, short, int4)
__BANKSHOT_TEXELS(ushort, unsigned short, uint4)
__BANKSHOT_TEXELS(int, int, int4)
__BANKSHOT_TEXELS(uint, unsigned, uint4)
__BANKSHOT_TEXELS(float, float, float4)
#undef __BANKSHOT_TEXELS
#undef __BANKSHOT_TEXEL

/* What a fetch from a texture reference returns: its type, or floats of as many channels. */
template <class T, enum cudaTextureReadMode mode> struct __bankshot_fetched { typedef T type; };
#define __BANKSHOT_NORMALIZED(V, T)                                                                          \
    template <> struct __bankshot_fetched<T, cudaReadModeNormalizedFloat> {                                  \
        typedef float type;                                                                                  \
    };                                                                                                       \
    template <> struct __bankshot_fetched<V##1, cudaReadModeNormalizedFloat> {                               \
        typedef float1 type;                                                                                 \
    };                                                                                                       \
    template <> struct __bankshot_fetched<V##2, cudaReadModeNormalizedFloat> {                               \
        typedef float2 type;                                                                                 \
    };                                                                                                       \
    template <> struct __bankshot_fetched<V##4, cudaReadModeNormalizedFloat> {                               \
        typedef float4 type;                                                                                 \
    };
template <> struct __bankshot_fetched<char, cudaReadModeNormalizedFloat> {
    typedef float type;
};
__BANKSHOT_NORMALIZED(char, signed char)
__BANKSHOT_NORMALIZED(uchar, unsigned char)
__BANKSHOT_NORMALIZED(short, short)
__BANKSHOT_NORMALIZED(ushort, unsigned short)
#undef __BANKSHOT_NORMALIZED

/* In device code a reference is its handle, though C++ does not know it. */
template <class T, int dim, enum cudaTextureReadMode mode>
__BANKSHOT_FN __bankshot_handle __bankshot_tex_handle(texture<T, dim, mode> t)
{
    __bankshot_handle h;
    asm("mov.b64 %0, %1;" : "=l"(h) : "l"(t));
    return h;
}

/* Lists of parameters, arguments and asm inputs travel through macros in parentheses. */
#define __BANKSHOT_OPEN(...) __VA_ARGS__
#define __BANKSHOT_FETCH_KIND(name, R, c, insn, t, coords, params, inputs)                                   \
    __BANKSHOT_FN R __bankshot_##name(R, __bankshot_handle h, __BANKSHOT_OPEN params)                        \
    {                                                                                                        \
        R r;                                                                                                 \
        asm(insn ".v4." t "." coords ";"                                                                     \
            : "=" c(r.x), "=" c(r.y), "=" c(r.z), "=" c(r.w)                                                 \
            : "l"(h), __BANKSHOT_OPEN inputs);                                                               \
        return r;                                                                                            \
    }

/* The public functions of one instruction: on an object with a return value, on an object with a pointer,
 * on a reference (dim is its kind). params and args: coordinates as declared and as passed on. */
#define __BANKSHOT_PUBLIC(name, dim, params, args)                                                           \
    template <class T> __BANKSHOT_FN T name(cudaTextureObject_t t, __BANKSHOT_OPEN params)                   \
    {                                                                                                        \
        typedef typename __bankshot_texel<T>::raw raw;                                                       \
        return __bankshot_texel<T>::cut(__bankshot_##name(raw(), t, __BANKSHOT_OPEN args));                  \
    }                                                                                                        \
    template <class T> __BANKSHOT_FN void name(T *to, cudaTextureObject_t t, __BANKSHOT_OPEN params)         \
    {                                                                                                        \
        *to = name<T>(t, __BANKSHOT_OPEN args);                                                              \
    }                                                                                                        \
    template <class T, enum cudaTextureReadMode mode>                                                        \
    __BANKSHOT_FN typename __bankshot_fetched<T, mode>::type name(texture<T, dim, mode> t,                   \
                                                                  __BANKSHOT_OPEN params)                    \
    {                                                                                                        \
        return name<typename __bankshot_fetched<T, mode>::type>(__bankshot_tex_handle(t),                    \
                                                                __BANKSHOT_OPEN args);                       \
    }

/* coords: the type of the coordinates, the four results, and the address with the coordinates from %5 on. */
#define __BANKSHOT_FETCH(name, insn, dim, coords, params, args, inputs)                                      \
    __BANKSHOT_FETCH_KIND(name, float4, "f", insn, "f32", coords, params, inputs)                            \
    __BANKSHOT_FETCH_KIND(name, int4, "r", insn, "s32", coords, params, inputs)                              \
    __BANKSHOT_FETCH_KIND(name, uint4, "r", insn, "u32", coords, params, inputs)                             \
    __BANKSHOT_PUBLIC(name, dim, params, args)

#define __BANKSHOT_TO "{%0, %1, %2, %3}, "
__BANKSHOT_FETCH(tex1Dfetch, "tex.1d", cudaTextureType1D, "s32 " __BANKSHOT_TO "[%4, {%5}]", (int x), (x),
                 ("r"(x)))
__BANKSHOT_FETCH(tex1D, "tex.1d", cudaTextureType1D, "f32 " __BANKSHOT_TO "[%4, {%5}]", (float x), (x),
                 ("f"(x)))
__BANKSHOT_FETCH(tex2D, "tex.2d", cudaTextureType2D, "f32 " __BANKSHOT_TO "[%4, {%5, %6}]",
                 (float x, float y), (x, y), ("f"(x), "f"(y)))
__BANKSHOT_FETCH(tex3D, "tex.3d", cudaTextureType3D, "f32 " __BANKSHOT_TO "[%4, {%5, %6, %7, %7}]",
                 (float x, float y, float z), (x, y, z), ("f"(x), "f"(y), "f"(z)))
__BANKSHOT_FETCH(tex1DLayered, "tex.a1d", cudaTextureType1DLayered, "f32 " __BANKSHOT_TO "[%4, {%6, %5}]",
                 (float x, int layer), (x, layer), ("f"(x), "r"(layer)))
__BANKSHOT_FETCH(tex2DLayered, "tex.a2d", cudaTextureType2DLayered,
                 "f32 " __BANKSHOT_TO "[%4, {%7, %5, %6, %6}]", (float x, float y, int layer), (x, y, layer),
                 ("f"(x), "f"(y), "r"(layer)))
__BANKSHOT_FETCH(texCubemap, "tex.cube", cudaTextureTypeCubemap,
                 "f32 " __BANKSHOT_TO "[%4, {%5, %6, %7, %7}]", (float x, float y, float z), (x, y, z),
                 ("f"(x), "f"(y), "f"(z)))
__BANKSHOT_FETCH(texCubemapLayered, "tex.acube", cudaTextureTypeCubemapLayered,
                 "f32 " __BANKSHOT_TO "[%4, {%8, %5, %6, %7}]", (float x, float y, float z, int layer),
                 (x, y, z, layer), ("f"(x), "f"(y), "f"(z), "r"(layer)))

/* With the level of detail. */
__BANKSHOT_FETCH(tex1DLod, "tex.level.1d", cudaTextureType1D, "f32 " __BANKSHOT_TO "[%4, {%5}], %6",
                 (float x, float level), (x, level), ("f"(x), "f"(level)))
__BANKSHOT_FETCH(tex2DLod, "tex.level.2d", cudaTextureType2D, "f32 " __BANKSHOT_TO "[%4, {%5, %6}], %7",
                 (float x, float y, float level), (x, y, level), ("f"(x), "f"(y), "f"(level)))
__BANKSHOT_FETCH(tex3DLod, "tex.level.3d", cudaTextureType3D,
                 "f32 " __BANKSHOT_TO "[%4, {%5, %6, %7, %7}], %8", (float x, float y, float z, float level),
                 (x, y, z, level), ("f"(x), "f"(y), "f"(z), "f"(level)))
__BANKSHOT_FETCH(tex1DLayeredLod, "tex.level.a1d", cudaTextureType1DLayered,
                 "f32 " __BANKSHOT_TO "[%4, {%6, %5}], %7", (float x, int layer, float level),
                 (x, layer, level), ("f"(x), "r"(layer), "f"(level)))
__BANKSHOT_FETCH(tex2DLayeredLod, "tex.level.a2d", cudaTextureType2DLayered,
                 "f32 " __BANKSHOT_TO "[%4, {%7, %5, %6, %6}], %8",
                 (float x, float y, int layer, float level), (x, y, layer, level),
                 ("f"(x), "f"(y), "r"(layer), "f"(level)))
__BANKSHOT_FETCH(texCubemapLod, "tex.level.cube", cudaTextureTypeCubemap,
                 "f32 " __BANKSHOT_TO "[%4, {%5, %6, %7, %7}], %8", (float x, float y, float z, float level),
                 (x, y, z, level), ("f"(x), "f"(y), "f"(z), "f"(level)))

/* With derivatives. */
__BANKSHOT_FETCH(tex1DGrad, "tex.grad.1d", cudaTextureType1D, "f32 " __BANKSHOT_TO "[%4, {%5}], {%6}, {%7}",
                 (float x, float dx, float dy), (x, dx, dy), ("f"(x), "f"(dx), "f"(dy)))
__BANKSHOT_FETCH(tex2DGrad, "tex.grad.2d", cudaTextureType2D,
                 "f32 " __BANKSHOT_TO "[%4, {%5, %6}], {%7, %8}, {%9, %10}",
                 (float x, float y, float2 dx, float2 dy), (x, y, dx, dy),
                 ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)))

/* Channel comp of the four texels that a linear filter would read. */
__BANKSHOT_FETCH(__bankshot_gather_r, "tld4.r.2d", cudaTextureType2D, "f32 " __BANKSHOT_TO "[%4, {%5, %6}]",
                 (float x, float y), (x, y), ("f"(x), "f"(y)))
__BANKSHOT_FETCH(__bankshot_gather_g, "tld4.g.2d", cudaTextureType2D, "f32 " __BANKSHOT_TO "[%4, {%5, %6}]",
                 (float x, float y), (x, y), ("f"(x), "f"(y)))
__BANKSHOT_FETCH(__bankshot_gather_b, "tld4.b.2d", cudaTextureType2D, "f32 " __BANKSHOT_TO "[%4, {%5, %6}]",
                 (float x, float y), (x, y), ("f"(x), "f"(y)))
__BANKSHOT_FETCH(__bankshot_gather_a, "tld4.a.2d", cudaTextureType2D, "f32 " __BANKSHOT_TO "[%4, {%5, %6}]",
                 (float x, float y), (x, y), ("f"(x), "f"(y)))
template <class T> __BANKSHOT_FN T tex2Dgather(cudaTextureObject_t t, float x, float y, int comp = 0)
{
    switch (comp) {
    case 0: return __bankshot_gather_r<T>(t, x, y);
    case 1: return __bankshot_gather_g<T>(t, x, y);
    case 2: return __bankshot_gather_b<T>(t, x, y);
    default: return __bankshot_gather_a<T>(t, x, y);
    }
}
template <class T>
__BANKSHOT_FN void tex2Dgather(T *to, cudaTextureObject_t t, float x, float y, int comp = 0)
{
    *to = tex2Dgather<T>(t, x, y, comp);
}

#undef __BANKSHOT_TO
#undef __BANKSHOT_FETCH
#undef __BANKSHOT_PUBLIC
#undef __BANKSHOT_FETCH_KIND
#undef __BANKSHOT_OPEN

#endif
/* SPDX-License-Identifier: Apache-2.0 */
