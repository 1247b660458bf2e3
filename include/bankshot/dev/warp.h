/* Functions of a whole warp: shuffles, votes, matches, reductions. The old names without a mask mean the
 * lanes that happen to be active. */
#ifndef BANKSHOT_DEV_WARP_H
#define BANKSHOT_DEV_WARP_H

__BANKSHOT_FN unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}

__BANKSHOT_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
__BANKSHOT_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
__BANKSHOT_FN int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p); }
__BANKSHOT_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
__BANKSHOT_FN int __all(int p) { return __all_sync(__activemask(), p); }
__BANKSHOT_FN int __any(int p) { return __any_sync(__activemask(), p); }
__BANKSHOT_FN int __uni(int p) { return __uni_sync(__activemask(), p); }
__BANKSHOT_FN unsigned __ballot(int p) { return __ballot_sync(__activemask(), p); }

/* The last operand of shfl: the lanes of a segment of the width in bits 8 to 12, and the bound of the
 * source lane. */
#define __BANKSHOT_SEGMENT(width, bound) (((32 - (width)) << 8) | (bound))

#define __BANKSHOT_SHFL(name, mode, Lane, bound)                                                             \
    __BANKSHOT_FN int name##_sync(unsigned mask, int v, Lane lane, int width = 32)                           \
    {                                                                                                        \
        return __nvvm_shfl_sync_##mode##_i32(mask, v, lane, __BANKSHOT_SEGMENT(width, bound));               \
    }                                                                                                        \
    __BANKSHOT_FN float name##_sync(unsigned mask, float v, Lane lane, int width = 32)                       \
    {                                                                                                        \
        return __nvvm_shfl_sync_##mode##_f32(mask, v, lane, __BANKSHOT_SEGMENT(width, bound));               \
    }                                                                                                        \
    __BANKSHOT_FN unsigned name##_sync(unsigned mask, unsigned v, Lane lane, int width = 32)                 \
    {                                                                                                        \
        return (unsigned)name##_sync(mask, (int)v, lane, width);                                             \
    }                                                                                                        \
    __BANKSHOT_FN unsigned long long name##_sync(unsigned mask, unsigned long long v, Lane lane,             \
                                                 int width = 32)                                             \
    {                                                                                                        \
        unsigned lo = name##_sync(mask, (unsigned)v, lane, width);                                           \
        unsigned hi = name##_sync(mask, (unsigned)(v >> 32), lane, width);                                   \
        return (unsigned long long)hi << 32 | lo;                                                            \
    }                                                                                                        \
    __BANKSHOT_SHFL_64(name, Lane, long long)                                                                \
    __BANKSHOT_SHFL_64(name, Lane, long)                                                                     \
    __BANKSHOT_SHFL_64(name, Lane, unsigned long)                                                            \
    __BANKSHOT_FN double name##_sync(unsigned mask, double v, Lane lane, int width = 32)                     \
    {                                                                                                        \
        return __longlong_as_double(name##_sync(mask, __double_as_longlong(v), lane, width));                \
    }                                                                                                        \
    template <class T> __BANKSHOT_FN T name(T v, Lane lane, int width = 32)                                  \
    {                                                                                                        \
        return name##_sync(__activemask(), v, lane, width);                                                  \
    }
#define __BANKSHOT_SHFL_64(name, Lane, T)                                                                    \
    __BANKSHOT_FN T name##_sync(unsigned mask, T v, Lane lane, int width = 32)                               \
    {                                                                                                        \
        return (T)name##_sync(mask, (unsigned long long)v, lane, width);                                     \
    }

__BANKSHOT_SHFL(__shfl, idx, int, 0x1f)
__BANKSHOT_SHFL(__shfl_up, up, unsigned, 0)
__BANKSHOT_SHFL(__shfl_down, down, unsigned, 0x1f)
__BANKSHOT_SHFL(__shfl_xor, bfly, int, 0x1f)
#undef __BANKSHOT_SHFL_64
#undef __BANKSHOT_SHFL
#undef __BANKSHOT_SEGMENT

/* Which lanes of the mask hold this lane's value; whether all do. Values are compared by their bits. */
#define __BANKSHOT_MATCH(T, B, size)                                                                         \
    __BANKSHOT_FN unsigned __match_any_sync(unsigned mask, T v)                                              \
    {                                                                                                        \
        B bits;                                                                                              \
        __builtin_memcpy(&bits, &v, sizeof bits);                                                            \
        return __nvvm_match_any_sync_##size(mask, bits);                                                     \
    }                                                                                                        \
    __BANKSHOT_FN unsigned __match_all_sync(unsigned mask, T v, int *all)                                    \
    {                                                                                                        \
        B bits;                                                                                              \
        __builtin_memcpy(&bits, &v, sizeof bits);                                                            \
        return __nvvm_match_all_sync_##size##p(mask, bits, all);                                             \
    }
__BANKSHOT_MATCH(int, unsigned, i32)
__BANKSHOT_MATCH(unsigned, unsigned, i32)
__BANKSHOT_MATCH(float, unsigned, i32)
__BANKSHOT_MATCH(long, unsigned long long, i64)
__BANKSHOT_MATCH(unsigned long, unsigned long long, i64)
__BANKSHOT_MATCH(long long, unsigned long long, i64)
__BANKSHOT_MATCH(unsigned long long, unsigned long long, i64)
__BANKSHOT_MATCH(double, unsigned long long, i64)
#undef __BANKSHOT_MATCH

__BANKSHOT_FN unsigned __reduce_add_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_add(v, mask); }
__BANKSHOT_FN int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(v, mask); }
__BANKSHOT_FN unsigned __reduce_min_sync(unsigned mask, unsigned v)
{
    return __nvvm_redux_sync_umin(v, mask);
}
__BANKSHOT_FN int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(v, mask); }
__BANKSHOT_FN unsigned __reduce_max_sync(unsigned mask, unsigned v)
{
    return __nvvm_redux_sync_umax(v, mask);
}
__BANKSHOT_FN int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(v, mask); }
__BANKSHOT_FN unsigned __reduce_and_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_and(v, mask); }
__BANKSHOT_FN unsigned __reduce_or_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_or(v, mask); }
__BANKSHOT_FN unsigned __reduce_xor_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_xor(v, mask); }

#endif
/* SPDX-License-Identifier: Apache-2.0 */
