// SPDX-License-Identifier: Apache-2.0
// Random kernels whose lanes part: each block writes its number and the lanes that execute it. nvcc 13.0 -O3 -arch=sm_90 -cubin made
// the cubin of that name, which an H200 executed.

#define LOG(s) do { unsigned m_; asm volatile("activemask.b32 %0;" : "=r"(m_)); \
    volatile unsigned *c_ = &cnt[threadIdx.x >> 5]; unsigned t_ = *c_; *c_ = t_ + 1; \
    if (t_ < MAXLOG) { volatile unsigned *o_ = out + 2 * t_; o_[0] = (s); o_[1] = m_; } } while (0)
#define MAXLOG 1024u
#define MIX() (x = x * 1664525u + 1013904223u, x ^= x >> 15)
#define LOADX() (x += in[(x >> 5) & 0xffffu])
__device__ __noinline__ unsigned leaf(unsigned x, const unsigned *in, int n)
{
    for (int i = 0; i < (int)(x & n); i++) x = x * 69069u + in[x & 0xffffu];
    return x ^ x >> 7;
}
extern "C" __global__ void k8(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX();
    LOG(1);
    MIX();
    unsigned i1 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOG(3);
        MIX();
        LOG(2);
        if (++i1 > 9u) break;
    } while (((x >> 9) & 3u) < 3u);
    LOG(4);
    MIX();
    _Pragma("unroll 1")
    for (unsigned i2 = 0, ni2 = (x >> 9) % 3u; i2 < ni2; i2++) {
        LOG(22);
        MIX();
        if (((x >> 8) & 15u) < 3u) {
            MIX();
            LOG(5);
        } else {
            MIX();
            if (((x >> 10) & 1u) < 1u) {
                MIX();
                if (((x >> 15) & 3u) < 1u) {
                    MIX();
                    LOG(6);
                    MIX();
                    LOG(7);
                    MIX();
                    LOG(8);
                } else {
                    MIX();
                    LOG(9);
                    MIX();
                    LOG(10);
                }
                LOG(11);
            } else {
                MIX();
                unsigned i3 = 0;
                _Pragma("unroll 1")
                do {
                    MIX(); LOG(13);
                    MIX();
                    LOG(12);
                    if (++i3 > 15u) break;
                } while (((x >> 10) & 3u) < 2u);
                LOG(14);
                MIX();
                if (((x >> 12) & 3u) < 2u) {
                    MIX();
                    LOG(15);
                    MIX();
                    LOG(16);
                } else {
                    MIX();
                    LOG(17);
                }
                LOG(18);
            }
            LOG(19);
        }
        LOG(20);
        MIX();
        LOG(21);
    }
    LOG(23);
    MIX();
    LOG(24);
    MIX();
    LOG(25);
    MIX();
    LOG(26);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k20(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX(); LOADX();
    LOG(1);
    MIX(); LOADX();
    if (((x >> 13) & 15u) < 5u) {
        MIX(); LOADX();
        unsigned i1 = 0;
        _Pragma("unroll 1")
        do {
            MIX(); LOADX(); LOG(8);
            MIX(); LOADX();
            LOG(2);
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i2 = 0, ni2 = (x >> 9) % 40u; i2 < ni2; i2++) {
                LOG(6);
                MIX(); LOADX();
                LOG(3);
                MIX(); LOADX();
                LOG(4);
                MIX(); LOADX();
                LOG(5);
            }
            LOG(7);
            if (++i1 > 120u) break;
        } while (((x >> 13) & 3u) < 1u);
        LOG(9);
        MIX(); LOADX();
        if (((x >> 11) & 1u) < 1u) {
            MIX(); LOADX();
            if (((x >> 9) & 15u) < 3u) {
                MIX(); LOADX();
                LOG(10);
            } else {
                MIX(); LOADX();
                LOG(11);
            }
            LOG(12);
        } else {
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i3 = 0, ni3 = (x >> 9) % 5u; i3 < ni3; i3++) {
                LOG(14);
                MIX(); LOADX();
                LOG(13);
            }
            LOG(15);
            MIX(); LOADX();
            unsigned i4 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOADX(); LOG(17);
                MIX(); LOADX();
                LOG(16);
                if (++i4 > 120u) break;
            } while (((x >> 15) & 15u) < 3u);
            LOG(18);
        }
        LOG(19);
    }
    LOG(20);
    MIX(); LOADX();
    unsigned i5 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOADX(); LOG(23);
        MIX(); LOADX();
        LOG(21);
        MIX(); LOADX();
        LOG(22);
        if (++i5 > 15u) break;
    } while (((x >> 14) & 15u) < 2u);
    LOG(24);
    MIX(); LOADX();
    LOG(25);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k32(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX();
    LOG(1);
    MIX();
    if (((x >> 13) & 15u) < 7u) {
        MIX();
        LOG(2);
    } else {
        MIX();
        LOG(3);
        MIX();
        if (((x >> 9) & 7u) < 7u) {
            MIX();
            if (((x >> 14) & 15u) < 12u) {
                MIX();
                LOG(4);
                MIX();
                LOG(5);
                MIX();
                LOG(6);
            }
            LOG(7);
            MIX();
            _Pragma("unroll 1")
            for (unsigned i1 = 0, ni1 = (x >> 9) % 3u; i1 < ni1; i1++) {
                LOG(11);
                MIX();
                LOG(8);
                MIX();
                LOG(9);
                MIX();
                LOG(10);
            }
            LOG(12);
        } else {
            MIX();
            LOG(13);
            MIX();
            LOG(14);
        }
        LOG(15);
        MIX();
        if (((x >> 11) & 1u) < 1u) {
            MIX();
            _Pragma("unroll 1")
            for (unsigned i2 = 0, ni2 = (x >> 9) % 3u; i2 < ni2; i2++) {
                LOG(19);
                MIX();
                LOG(16);
                MIX();
                LOG(17);
                MIX();
                LOG(18);
            }
            LOG(20);
        } else {
            MIX();
            _Pragma("unroll 1")
            for (unsigned i3 = 0, ni3 = (x >> 9) % 5u; i3 < ni3; i3++) {
                LOG(24);
                MIX();
                LOG(21);
                MIX();
                LOG(22);
                MIX();
                LOG(23);
            }
            LOG(25);
            MIX();
            _Pragma("unroll 1")
            for (unsigned i4 = 0, ni4 = (x >> 9) % 5u; i4 < ni4; i4++) {
                LOG(28);
                MIX();
                LOG(26);
                MIX();
                LOG(27);
            }
            LOG(29);
            MIX();
            LOG(30);
        }
        LOG(31);
    }
    LOG(32);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k44(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX(); LOADX();
    LOG(1);
    MIX(); LOADX();
    LOG(2);
    MIX(); LOADX();
    unsigned i1 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOADX(); LOG(23);
        MIX(); LOADX();
        if (((x >> 9) & 7u) < 3u) {
            MIX(); LOADX();
            if (((x >> 15) & 15u) < 1u) {
                MIX(); LOADX();
                LOG(3);
            }
            LOG(4);
            MIX(); LOADX();
            if (((x >> 11) & 15u) < 10u) { LOG(5); break; }
            LOG(6);
        }
        LOG(7);
        MIX(); LOADX();
        if (((x >> 8) & 7u) < 2u) {
            MIX(); LOADX();
            LOG(8);
            MIX(); LOADX();
            if (((x >> 13) & 15u) < 6u) {
                MIX(); LOADX();
                LOG(9);
                MIX(); LOADX();
                LOG(10);
            }
            LOG(11);
        }
        LOG(12);
        MIX(); LOADX();
        _Pragma("unroll 1")
        for (unsigned i2 = 0, ni2 = (x >> 9) % 40u; i2 < ni2; i2++) {
            LOG(21);
            MIX(); LOADX();
            unsigned i3 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOADX(); LOG(14);
                MIX(); LOADX();
                LOG(13);
                if (++i3 > 120u) break;
            } while (((x >> 8) & 15u) < 2u);
            LOG(15);
            MIX(); LOADX();
            LOG(16);
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i4 = 0, ni4 = (x >> 9) % 5u; i4 < ni4; i4++) {
                LOG(19);
                MIX(); LOADX();
                LOG(17);
                MIX(); LOADX();
                LOG(18);
            }
            LOG(20);
        }
        LOG(22);
        if (++i1 > 15u) break;
    } while (((x >> 14) & 15u) < 5u);
    LOG(24);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k56(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX();
    if (((x >> 13) & 7u) < 2u) {
        MIX();
        LOG(1);
        MIX();
        LOG(2);
    }
    LOG(3);
    MIX();
    LOG(4);
    MIX();
    if (((x >> 11) & 15u) < 2u) {
        MIX();
        _Pragma("unroll 1")
        for (unsigned i1 = 0, ni1 = (x >> 9) % 5u; i1 < ni1; i1++) {
            LOG(7);
            MIX();
            if (((x >> 8) & 1u) < 1u) {
                MIX();
                LOG(5);
            }
            LOG(6);
        }
        LOG(8);
        MIX();
        LOG(9);
    } else {
        MIX();
        if (((x >> 8) & 3u) < 3u) {
            MIX();
            if (((x >> 10) & 1u) < 1u) {
                MIX();
                LOG(10);
                MIX();
                LOG(11);
            } else {
                MIX();
                LOG(12);
                MIX();
                LOG(13);
            }
            LOG(14);
        }
        LOG(15);
    }
    LOG(16);
    MIX();
    LOG(17);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k68(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX(); LOADX();
    unsigned i1 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOADX(); LOG(3);
        MIX(); LOADX();
        LOG(1);
        MIX(); LOADX();
        LOG(2);
        if (++i1 > 15u) break;
    } while (((x >> 14) & 7u) < 5u);
    LOG(4);
    MIX(); LOADX();
    _Pragma("unroll 1")
    for (unsigned i2 = 0, ni2 = (x >> 9) % 5u; i2 < ni2; i2++) {
        LOG(20);
        MIX(); LOADX();
        unsigned i3 = 0;
        _Pragma("unroll 1")
        do {
            MIX(); LOADX(); LOG(18);
            MIX(); LOADX();
            if (((x >> 12) & 7u) < 4u) { LOG(5); break; }
            LOG(6);
            MIX(); LOADX();
            if (((x >> 14) & 7u) < 6u) {
                MIX(); LOADX();
                LOG(7);
                MIX(); LOADX();
                LOG(8);
                MIX(); LOADX();
                LOG(9);
            }
            LOG(10);
            MIX(); LOADX();
            if (((x >> 12) & 1u) < 1u) {
                MIX(); LOADX();
                LOG(11);
                MIX(); LOADX();
                LOG(12);
                MIX(); LOADX();
                LOG(13);
            } else {
                MIX(); LOADX();
                LOG(14);
                MIX(); LOADX();
                LOG(15);
                MIX(); LOADX();
                LOG(16);
            }
            LOG(17);
            if (++i3 > 15u) break;
        } while (((x >> 15) & 3u) < 2u);
        LOG(19);
    }
    LOG(21);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k80(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX();
    LOG(1);
    MIX();
    LOG(2);
    MIX();
    LOG(3);
    MIX();
    if (((x >> 13) & 15u) < 6u) {
        MIX();
        LOG(4);
        MIX();
        LOG(5);
    } else {
        MIX();
        _Pragma("unroll 1")
        for (unsigned i1 = 0, ni1 = (x >> 9) % 5u; i1 < ni1; i1++) {
            LOG(13);
            MIX();
            if (((x >> 12) & 1u) < 1u) { LOG(6); break; }
            LOG(7);
            MIX();
            unsigned i2 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOG(11);
                MIX();
                LOG(8);
                MIX();
                LOG(9);
                MIX();
                LOG(10);
                if (++i2 > 9u) break;
            } while (((x >> 13) & 15u) < 2u);
            LOG(12);
        }
        LOG(14);
        MIX();
        if (((x >> 14) & 7u) < 4u) {
            MIX();
            _Pragma("unroll 1")
            for (unsigned i3 = 0, ni3 = (x >> 9) % 5u; i3 < ni3; i3++) {
                LOG(17);
                MIX();
                LOG(15);
                MIX();
                LOG(16);
            }
            LOG(18);
            MIX();
            LOG(19);
        }
        LOG(20);
    }
    LOG(21);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k92(unsigned *log, const unsigned *in, unsigned seed)
{
    __shared__ volatile unsigned cnt[32];
    unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    volatile unsigned *out = log + (size_t)warp * (2 * MAXLOG + 2) + 2;
    unsigned x = (warp * 32 + (threadIdx.x & 31)) * 2654435761u + seed;
    if ((threadIdx.x & 31) == 0) cnt[threadIdx.x >> 5] = 0;
    __syncwarp();
    x ^= x >> 16; MIX(); MIX();
    LOG(0);
    MIX(); LOADX();
    unsigned i1 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOADX(); LOG(11);
        MIX(); LOADX();
        if (((x >> 13) & 3u) < 1u) {
            MIX(); LOADX();
            LOG(1);
            MIX(); LOADX();
            if (((x >> 14) & 1u) < 1u) {
                MIX(); LOADX();
                unsigned i2 = 0;
                _Pragma("unroll 1")
                do {
                    MIX(); LOADX(); LOG(5);
                    MIX(); LOADX();
                    LOG(2);
                    MIX(); LOADX();
                    LOG(3);
                    MIX(); LOADX();
                    LOG(4);
                    if (++i2 > 15u) break;
                } while (((x >> 14) & 3u) < 2u);
                LOG(6);
            }
            LOG(7);
        } else {
            MIX(); LOADX();
            LOG(8);
        }
        LOG(9);
        MIX(); LOADX();
        LOG(10);
        if (++i1 > 120u) break;
    } while (((x >> 15) & 7u) < 1u);
    LOG(12);
    MIX(); LOADX();
    _Pragma("unroll 1")
    for (unsigned i3 = 0, ni3 = (x >> 9) % 5u; i3 < ni3; i3++) {
        LOG(29);
        MIX(); LOADX();
        unsigned i4 = 0;
        _Pragma("unroll 1")
        do {
            MIX(); LOADX(); LOG(18);
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i5 = 0, ni5 = (x >> 9) % 40u; i5 < ni5; i5++) {
                LOG(14);
                MIX(); LOADX();
                LOG(13);
            }
            LOG(15);
            MIX(); LOADX();
            LOG(16);
            MIX(); LOADX();
            LOG(17);
            if (++i4 > 15u) break;
        } while (((x >> 11) & 7u) < 1u);
        LOG(19);
        MIX(); LOADX();
        LOG(20);
        MIX(); LOADX();
        if (((x >> 15) & 15u) < 11u) {
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i6 = 0, ni6 = (x >> 9) % 5u; i6 < ni6; i6++) {
                LOG(26);
                MIX(); LOADX();
                LOG(21);
                MIX(); LOADX();
                unsigned i7 = 0;
                _Pragma("unroll 1")
                do {
                    MIX(); LOADX(); LOG(23);
                    MIX(); LOADX();
                    LOG(22);
                    if (++i7 > 120u) break;
                } while (((x >> 12) & 7u) < 4u);
                LOG(24);
                MIX(); LOADX();
                LOG(25);
            }
            LOG(27);
        }
        LOG(28);
    }
    LOG(30);
    MIX(); LOADX();
    _Pragma("unroll 1")
    for (unsigned i8 = 0, ni8 = (x >> 9) % 40u; i8 < ni8; i8++) {
        LOG(41);
        MIX(); LOADX();
        LOG(31);
        MIX(); LOADX();
        _Pragma("unroll 1")
        for (unsigned i9 = 0, ni9 = (x >> 9) % 40u; i9 < ni9; i9++) {
            LOG(39);
            MIX(); LOADX();
            if (((x >> 9) & 3u) < 3u) { LOG(32); break; }
            LOG(33);
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i10 = 0, ni10 = (x >> 9) % 5u; i10 < ni10; i10++) {
                LOG(37);
                MIX(); LOADX();
                LOG(34);
                MIX(); LOADX();
                LOG(35);
                MIX(); LOADX();
                LOG(36);
            }
            LOG(38);
        }
        LOG(40);
    }
    LOG(42);
    MIX(); LOADX();
    LOG(43);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
