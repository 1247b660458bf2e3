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
extern "C" __global__ void k10(unsigned *log, const unsigned *in, unsigned seed)
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
    MIX();
    LOG(2);
    MIX();
    switch ((x >> 10) & 7u) {
    case 0:
        MIX(); LOADX(); x += 583u; LOG(3);
        break;
    case 1:
        MIX(); LOADX(); x += 918u; LOG(4);
        break;
    case 2:
        MIX(); LOADX(); x += 660u; LOG(5);
        break;
    case 3:
        MIX(); x += 829u; LOG(6);
    case 4:
        MIX(); LOADX(); x += 130u; LOG(7);
        break;
    case 5:
        MIX(); x += 831u; LOG(8);
        break;
    default: LOG(9); break;
    }
    LOG(10);
    MIX();
    LOG(11);
    MIX(); LOADX();
    unsigned i1 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOADX(); LOG(32);
        MIX();
        _Pragma("unroll 1")
        for (unsigned i2 = 0, ni2 = (x >> 9) % 3u; i2 < ni2; i2++) {
            LOG(27);
            MIX();
            switch ((x >> 10) & 7u) {
            case 0:
                MIX(); x += 539u; LOG(12);
                break;
            case 1:
                MIX(); LOADX(); x += 636u; LOG(13);
                break;
            case 2:
                MIX(); x += 374u; LOG(14);
                break;
            case 3:
                MIX(); LOADX(); x += 53u; LOG(15);
            case 4:
                MIX(); x += 998u; LOG(16);
                break;
            case 5:
                MIX(); x += 812u; LOG(17);
                break;
            case 6:
                MIX(); x += 13u; LOG(18);
                break;
            case 7:
                MIX(); x += 503u; LOG(19);
            default: LOG(20); break;
            }
            LOG(21);
            MIX();
            if (((x >> 15) & 1u) < 1u) {
                MIX(); LOADX();
                LOG(22);
                MIX();
                LOG(23);
            }
            LOG(24);
            MIX();
            if (((x >> 9) & 1u) < 1u) { LOG(25); break; }
            LOG(26);
        }
        LOG(28);
        MIX();
        _Pragma("unroll 1")
        for (unsigned i3 = 0, ni3 = (x >> 9) % 7u; i3 < ni3; i3++) {
            LOG(30);
            MIX(); LOADX();
            LOG(29);
        }
        LOG(31);
        if (++i1 > 21u) break;
    } while (((x >> 14) & 1u) < 1u);
    LOG(33);
    MIX();
    if (((x >> 12) & 1u) < 1u) {
        MIX(); LOADX();
        LOG(34);
    }
    LOG(35);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k22(unsigned *log, const unsigned *in, unsigned seed)
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
    MIX();
    LOG(2);
    MIX();
    LOG(3);
    MIX();
    if (((x >> 8) & 15u) < 4u) {
        MIX();
        if (((x >> 13) & 1u) < 1u) {
            MIX();
            LOG(4);
            MIX();
            unsigned i1 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOADX(); LOG(6);
                MIX();
                LOG(5);
                if (++i1 > 9u) break;
            } while (((x >> 15) & 15u) < 8u);
            LOG(7);
            MIX();
            if ((x >> 20 & 31u) == 0) { LOG(8); out[0] = out[0]; return; }
            LOG(9);
        } else {
            MIX(); LOADX();
            if (((x >> 14) & 1u) < 1u) {
                MIX(); LOADX();
                LOG(10);
                MIX();
                LOG(11);
                MIX(); LOADX();
                LOG(12);
            } else {
                MIX(); LOADX();
                LOG(13);
                MIX(); LOADX();
                LOG(14);
            }
            LOG(15);
        }
        LOG(16);
        MIX(); LOADX();
        LOG(17);
        MIX(); LOADX();
        LOG(18);
    } else {
        MIX();
        _Pragma("unroll 1")
        for (unsigned i2 = 0, ni2 = (x >> 9) % 5u; i2 < ni2; i2++) {
            LOG(29);
            MIX();
            _Pragma("unroll 1")
            for (unsigned i3 = 0, ni3 = (x >> 9) % 5u; i3 < ni3; i3++) {
                LOG(22);
                MIX();
                LOG(19);
                MIX();
                LOG(20);
                MIX();
                LOG(21);
            }
            LOG(23);
            MIX();
            _Pragma("unroll 1")
            for (unsigned i4 = 0, ni4 = (x >> 9) % 5u; i4 < ni4; i4++) {
                LOG(27);
                MIX();
                LOG(24);
                MIX(); LOADX();
                LOG(25);
                MIX();
                LOG(26);
            }
            LOG(28);
        }
        LOG(30);
    }
    LOG(31);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k34(unsigned *log, const unsigned *in, unsigned seed)
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
    LOG(3);
    MIX(); LOADX();
    if (((x >> 11) & 1u) < 1u) {
        MIX();
        _Pragma("unroll 1")
        for (unsigned i1 = 0, ni1 = (x >> 9) % 3u; i1 < ni1; i1++) {
            LOG(5);
            MIX();
            LOG(4);
        }
        LOG(6);
    } else {
        MIX(); LOADX();
        LOG(7);
        MIX(); LOADX();
        _Pragma("unroll 1")
        for (unsigned i2 = 0, ni2 = (x >> 9) % 7u; i2 < ni2; i2++) {
            LOG(13);
            MIX(); LOADX();
            if (((x >> 10) & 15u) < 4u) {
                MIX();
                LOG(8);
                MIX();
                LOG(9);
                MIX();
                LOG(10);
            } else {
                MIX();
                LOG(11);
            }
            LOG(12);
        }
        LOG(14);
    }
    LOG(15);
    MIX();
    _Pragma("unroll 1")
    for (unsigned i3 = 0, ni3 = (x >> 9) % 7u; i3 < ni3; i3++) {
        LOG(22);
        MIX(); LOADX();
        switch ((x >> 10) & 3u) {
        case 0:
            MIX(); x += 651u; LOG(16);
        case 1:
            MIX(); LOADX(); x += 327u; LOG(17);
        case 2:
            MIX(); LOADX(); x += 577u; LOG(18);
            break;
        case 3:
            MIX(); x += 628u; LOG(19);
            break;
        default: LOG(20); break;
        }
        LOG(21);
    }
    LOG(23);
    MIX(); LOADX();
    if (((x >> 10) & 1u) < 1u) {
        MIX();
        LOG(24);
        MIX();
        switch ((x >> 10) & 7u) {
        case 0:
            MIX(); x += 997u; LOG(25);
            break;
        case 1:
            MIX(); x += 987u; LOG(26);
        case 2:
            MIX(); x += 163u; LOG(27);
            break;
        case 3:
            MIX(); LOADX(); x += 328u; LOG(28);
            break;
        case 4:
            MIX(); x += 926u; LOG(29);
        case 5:
            MIX(); LOADX(); x += 844u; LOG(30);
            break;
        default: LOG(31); break;
        }
        LOG(32);
    }
    LOG(33);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k46(unsigned *log, const unsigned *in, unsigned seed)
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
    if ((x >> 20 & 31u) == 0) { LOG(1); out[0] = out[0]; return; }
    LOG(2);
    MIX();
    LOG(3);
    MIX();
    _Pragma("unroll 1")
    for (unsigned i1 = 0, ni1 = (x >> 9) % 9u; i1 < ni1; i1++) {
        LOG(18);
        MIX();
        if (((x >> 11) & 15u) < 15u) {
            MIX();
            if ((x >> 20 & 31u) == 0) { LOG(4); out[0] = out[0]; return; }
            LOG(5);
        } else {
            MIX(); LOADX();
            if ((x >> 20 & 31u) == 0) { LOG(6); out[0] = out[0]; return; }
            LOG(7);
            MIX();
            if (((x >> 9) & 7u) < 6u) { LOG(8); continue; }
            LOG(9);
            MIX();
            unsigned i2 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOG(15);
                MIX(); LOADX();
                if (((x >> 8) & 7u) < 5u) { LOG(10); continue; }
                LOG(11);
                MIX();
                if (((x >> 10) & 7u) < 7u) { LOG(12); break; }
                LOG(13);
                MIX(); LOADX();
                LOG(14);
                if (++i2 > 9u) break;
            } while (((x >> 8) & 3u) < 2u);
            LOG(16);
        }
        LOG(17);
    }
    LOG(19);
    MIX();
    _Pragma("unroll 1")
    for (unsigned i3 = 0, ni3 = (x >> 9) % 9u; i3 < ni3; i3++) {
        LOG(29);
        MIX();
        unsigned i4 = 0;
        _Pragma("unroll 1")
        do {
            MIX(); LOG(27);
            MIX();
            unsigned i5 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOG(21);
                MIX(); LOADX();
                LOG(20);
                if (++i5 > 9u) break;
            } while (((x >> 8) & 15u) < 15u);
            LOG(22);
            MIX();
            if (((x >> 15) & 15u) < 9u) {
                MIX();
                LOG(23);
                MIX(); LOADX();
                LOG(24);
                MIX(); LOADX();
                LOG(25);
            }
            LOG(26);
            if (++i4 > 15u) break;
        } while (((x >> 15) & 3u) < 1u);
        LOG(28);
    }
    LOG(30);
    MIX();
    if (((x >> 13) & 15u) < 15u) {
        MIX(); LOADX();
        if ((x >> 20 & 31u) == 0) { LOG(31); out[0] = out[0]; return; }
        LOG(32);
    }
    LOG(33);
    MIX();
    _Pragma("unroll 1")
    for (unsigned i6 = 0, ni6 = (x >> 9) % 3u; i6 < ni6; i6++) {
        LOG(43);
        MIX(); LOADX();
        if (((x >> 9) & 15u) < 4u) {
            MIX(); LOADX();
            LOG(34);
        } else {
            MIX();
            LOG(35);
            MIX(); LOADX();
            _Pragma("unroll 1")
            for (unsigned i7 = 0, ni7 = (x >> 9) % 5u; i7 < ni7; i7++) {
                LOG(38);
                MIX();
                LOG(36);
                MIX();
                LOG(37);
            }
            LOG(39);
            MIX(); LOADX();
            if (((x >> 14) & 15u) < 4u) {
                MIX();
                LOG(40);
            }
            LOG(41);
        }
        LOG(42);
    }
    LOG(44);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k58(unsigned *log, const unsigned *in, unsigned seed)
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
    unsigned i1 = 0;
    _Pragma("unroll 1")
    do {
        MIX(); LOADX(); LOG(6);
        MIX(); LOADX();
        _Pragma("unroll 1")
        for (unsigned i2 = 0, ni2 = (x >> 9) % 3u; i2 < ni2; i2++) {
            LOG(2);
            MIX();
            LOG(1);
        }
        LOG(3);
        MIX();
        LOG(4);
        MIX(); LOADX();
        LOG(5);
        if (++i1 > 9u) break;
    } while (((x >> 8) & 7u) < 4u);
    LOG(7);
    MIX(); LOADX();
    _Pragma("unroll 1")
    for (unsigned i3 = 0, ni3 = (x >> 9) % 7u; i3 < ni3; i3++) {
        LOG(13);
        MIX();
        if (((x >> 10) & 3u) < 3u) {
            MIX(); LOADX();
            LOG(8);
        }
        LOG(9);
        MIX();
        unsigned i4 = 0;
        _Pragma("unroll 1")
        do {
            MIX(); LOG(11);
            MIX();
            LOG(10);
            if (++i4 > 21u) break;
        } while (((x >> 10) & 15u) < 12u);
        LOG(12);
    }
    LOG(14);
    MIX(); LOADX();
    switch ((x >> 10) & 7u) {
    case 0:
        MIX(); x += 303u; LOG(15);
    case 1:
        MIX(); x += 637u; LOG(16);
        break;
    case 2:
        MIX(); x += 320u; LOG(17);
    case 3:
        MIX(); LOADX(); x += 123u; LOG(18);
    case 4:
        MIX(); LOADX(); x += 212u; LOG(19);
        break;
    case 5:
        MIX(); LOADX(); x += 330u; LOG(20);
        break;
    default: LOG(21); break;
    }
    LOG(22);
    MIX();
    LOG(23);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k70(unsigned *log, const unsigned *in, unsigned seed)
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
    if ((x >> 20 & 31u) == 0) { LOG(1); out[0] = out[0]; return; }
    LOG(2);
    MIX();
    if ((x >> 20 & 31u) == 0) { LOG(3); out[0] = out[0]; return; }
    LOG(4);
    MIX(); LOADX();
    if (((x >> 12) & 15u) < 7u) {
        MIX();
        _Pragma("unroll 1")
        for (unsigned i1 = 0, ni1 = (x >> 9) % 3u; i1 < ni1; i1++) {
            LOG(24);
            MIX();
            switch ((x >> 10) & 7u) {
            case 0:
                MIX(); x += 71u; LOG(5);
            case 1:
                MIX(); x += 36u; LOG(6);
            case 2:
                MIX(); x += 941u; LOG(7);
                break;
            case 3:
                MIX(); x += 731u; LOG(8);
            case 4:
                MIX(); LOADX(); x += 642u; LOG(9);
                break;
            case 5:
                MIX(); x += 834u; LOG(10);
            case 6:
                MIX(); x += 643u; LOG(11);
                break;
            case 7:
                MIX(); LOADX(); x += 841u; LOG(12);
                break;
            default: LOG(13); break;
            }
            LOG(14);
            MIX();
            switch ((x >> 10) & 7u) {
            case 0:
                MIX(); x += 541u; LOG(15);
                break;
            case 1:
                MIX(); LOADX(); x += 872u; LOG(16);
            case 2:
                MIX(); LOADX(); x += 649u; LOG(17);
                break;
            case 3:
                MIX(); x += 466u; LOG(18);
                break;
            case 4:
                MIX(); x += 582u; LOG(19);
                break;
            case 5:
                MIX(); x += 404u; LOG(20);
                break;
            default: LOG(21); break;
            }
            LOG(22);
            MIX();
            LOG(23);
        }
        LOG(25);
        MIX();
        if ((x >> 20 & 31u) == 0) { LOG(26); out[0] = out[0]; return; }
        LOG(27);
        MIX();
        LOG(28);
    } else {
        MIX();
        _Pragma("unroll 1")
        for (unsigned i2 = 0, ni2 = (x >> 9) % 3u; i2 < ni2; i2++) {
            LOG(34);
            MIX(); LOADX();
            LOG(29);
            MIX();
            unsigned i3 = 0;
            _Pragma("unroll 1")
            do {
                MIX(); LOG(32);
                MIX();
                LOG(30);
                MIX();
                LOG(31);
                if (++i3 > 9u) break;
            } while (((x >> 15) & 7u) < 2u);
            LOG(33);
        }
        LOG(35);
        MIX(); LOADX();
        if ((x >> 20 & 31u) == 0) { LOG(36); out[0] = out[0]; return; }
        LOG(37);
    }
    LOG(38);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k82(unsigned *log, const unsigned *in, unsigned seed)
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
    switch ((x >> 10) & 7u) {
    case 0:
        MIX(); x += 284u; LOG(1);
        break;
    case 1:
        MIX(); LOADX(); x += 81u; LOG(2);
    case 2:
        MIX(); LOADX(); x += 139u; LOG(3);
    case 3:
        MIX(); x += 501u; LOG(4);
        break;
    case 4:
        MIX(); x += 702u; LOG(5);
        break;
    case 5:
        MIX(); LOADX(); x += 118u; LOG(6);
        break;
    case 6:
        MIX(); x += 355u; LOG(7);
        break;
    case 7:
        MIX(); LOADX(); x += 986u; LOG(8);
        break;
    default: LOG(9); break;
    }
    LOG(10);
    MIX(); LOADX();
    _Pragma("unroll 1")
    for (unsigned i1 = 0, ni1 = (x >> 9) % 7u; i1 < ni1; i1++) {
        LOG(12);
        MIX(); LOADX();
        LOG(11);
    }
    LOG(13);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
extern "C" __global__ void k94(unsigned *log, const unsigned *in, unsigned seed)
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
    _Pragma("unroll 1")
    for (unsigned i1 = 0, ni1 = (x >> 9) % 3u; i1 < ni1; i1++) {
        LOG(3);
        MIX(); LOADX();
        if (((x >> 12) & 7u) < 5u) { LOG(1); break; }
        LOG(2);
    }
    LOG(4);
    MIX(); LOADX();
    if ((x >> 20 & 31u) == 0) { LOG(5); out[0] = out[0]; return; }
    LOG(6);
    MIX(); LOADX();
    LOG(7);
    MIX();
    if ((x >> 20 & 31u) == 0) { LOG(8); out[0] = out[0]; return; }
    LOG(9);
    MIX();
    _Pragma("unroll 1")
    for (unsigned i2 = 0, ni2 = (x >> 9) % 5u; i2 < ni2; i2++) {
        LOG(13);
        MIX();
        if (((x >> 11) & 15u) < 3u) {
            MIX();
            x = leaf(x, in, 15);
            LOG(10);
            MIX(); LOADX();
            x = leaf(x, in, 3);
            LOG(11);
        }
        LOG(12);
    }
    LOG(14);
    LOG(999);
    out[0] = out[0]; if (x == 12345u) log[0] = x;
}
