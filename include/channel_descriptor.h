// cudaCreateChannelDesc<type>(): which channels an element type has.
#ifndef __CHANNEL_DESCRIPTOR_H__
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus

// Any other type, void among them, has no channels.
template <class T> inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf()
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf1() { return cudaCreateChannelDescHalf(); }
inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf2()
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline __host__ cudaChannelFormatDesc cudaCreateChannelDescHalf4()
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

// One specialisation: type, bits of the four channels, kind.
#define BANKSHOT_DESC(type, x, y, z, w, kind)                                                                \
    template <> inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc<type>()                          \
    {                                                                                                        \
        return cudaCreateChannelDesc(x, y, z, w, kind);                                                      \
    }
#define BANKSHOT_DESCS(scalar, vector, bits, kind)                                                           \
    BANKSHOT_DESC(scalar, bits, 0, 0, 0, kind)                                                               \
    BANKSHOT_DESC(vector##1, bits, 0, 0, 0, kind)                                                            \
    BANKSHOT_DESC(vector##2, bits, bits, 0, 0, kind)                                                         \
    BANKSHOT_DESC(vector##4, bits, bits, bits, bits, kind)

BANKSHOT_DESC(char, 8, 0, 0, 0, (char)-1 < 0 ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned)
BANKSHOT_DESCS(signed char, char, 8, cudaChannelFormatKindSigned)
BANKSHOT_DESCS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
BANKSHOT_DESCS(short, short, 16, cudaChannelFormatKindSigned)
BANKSHOT_DESCS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
BANKSHOT_DESCS(int, int, 32, cudaChannelFormatKindSigned)
BANKSHOT_DESCS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
BANKSHOT_DESCS(float, float, 32, cudaChannelFormatKindFloat)

#undef BANKSHOT_DESCS
#undef BANKSHOT_DESC

#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
