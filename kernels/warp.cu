/* Warp-wide operations: votes, matches, shuffles with narrow segments, reductions, lane masks. Blocks of
 * 32 threads. */
extern "C" __global__ void warp_ops(const int *in, unsigned *out)
{
    int lane = threadIdx.x, v = in[blockIdx.x * 32 + lane];
    unsigned all = 0xffffffffu, *o = out + blockIdx.x * 32 * 16 + lane;
    int same;
    o[0] = __ballot_sync(all, v & 1);
    o[32] = __any_sync(all, v == 3) | __all_sync(all, v >= 0) << 1;
    o[64] = __match_any_sync(all, v & 7);
    o[96] = __match_all_sync(all, v >> 8, &same);
    o[128] = same;
    o[160] = __shfl_sync(all, v, lane * 5, 8);
    o[192] = __shfl_up_sync(all, v, 3, 16);
    o[224] = __shfl_down_sync(all, v, 2);
    o[256] = __shfl_xor_sync(all, v, 9);
    o[288] = __reduce_add_sync(all, v);
    o[320] = __reduce_min_sync(all, v);
    o[352] = __reduce_xor_sync(all, (unsigned)v);
    unsigned lt;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
    o[384] = __popc(__ballot_sync(all, v & 1) & lt);
    if (v & 1)
        o[416] = __activemask();
    else
        o[416] = ~__activemask();
    __syncwarp();
    unsigned odd = __ballot_sync(all, lane & 1);
    o[448] = lane & 1 ? __reduce_max_sync(odd, (unsigned)v) : __reduce_or_sync(~odd, (unsigned)v);
    o[480] = __ffs(v) + 100 * __clz(v);
}

/* Stream compaction: each warp claims room with one atomic for all of its lanes. */
extern "C" __global__ void compact(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    bool keep = i < n && in[i] % 3 == 0;
    unsigned m = __ballot_sync(0xffffffffu, keep);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(m));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (keep)
        out[base + __popc(m & ((1u << lane) - 1))] = in[i];
}
// SPDX-License-Identifier: Apache-2.0
