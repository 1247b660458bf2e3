/* Keys as unsigned integers of the same order: the sign of integers is turned, that of floating-point numbers too, and negative
 * ones have all their bits turned. -0.0 counts as 0.0 but stays what it is. */
#ifndef BANKSHOT_CUB_DETAIL_RADIX
#define BANKSHOT_CUB_DETAIL_RADIX

#include <cub/util_type.cuh>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__BANKSHOT_LINES_OFF
namespace cub
{
namespace detail
{
template <int SIZE> struct unsigned_of;
template <> struct unsigned_of<1> { typedef unsigned char type; };
template <> struct unsigned_of<2> { typedef unsigned short type; };
template <> struct unsigned_of<4> { typedef unsigned type; };
template <> struct unsigned_of<8> { typedef unsigned long long type; };

template <typename K> struct is_floating_key : std::is_floating_point<K> {};
template <> struct is_floating_key<__half> : std::true_type {};
template <> struct is_floating_key<__nv_bfloat16> : std::true_type {};

template <typename K> struct radix_key {
    typedef typename unsigned_of<sizeof(K)>::type bits;
    static constexpr int BITS = sizeof(K) * 8;
    static constexpr bits SIGN = (bits)((bits)1 << (BITS - 1));
    static constexpr bool REAL = is_floating_key<K>::value;

    template <bool DESCENDING> static __CUB_DEVICE bits in(K key)
    {
        bits b;
        __builtin_memcpy(&b, &key, sizeof b);
        if (REAL)
            b ^= b & SIGN ? (bits)~(bits)0 : SIGN;
        else if (std::is_signed<K>::value)
            b ^= SIGN;
        return DESCENDING ? (bits)~b : b;
    }
    template <bool DESCENDING> static __CUB_DEVICE K out(bits b)
    {
        if (DESCENDING)
            b = ~b;
        if (REAL)
            b ^= b & SIGN ? SIGN : (bits)~(bits)0;
        else if (std::is_signed<K>::value)
            b ^= SIGN;
        K key;
        __builtin_memcpy(&key, &b, sizeof b);
        return key;
    }
    /* What counts of it: -0.0 lies just below 0.0. */
    template <bool DESCENDING> static __CUB_DEVICE unsigned digit(bits b, int shift, unsigned mask)
    {
        constexpr bits zero = DESCENDING ? (bits)~SIGN : SIGN, minus_zero = DESCENDING ? SIGN : (bits)~SIGN;
        if (REAL && b == minus_zero)
            b = zero;
        return (unsigned)(b >> shift) & mask;
    }
};
} // namespace detail

/* How keys become unsigned integers of the same order, and back; for programs with sorts of their own. */
template <typename K> struct Traits {
    typedef typename detail::radix_key<K>::bits UnsignedBits;
    static __CUB_DEVICE UnsignedBits TwiddleIn(UnsignedBits bits)
    {
        K key;
        __builtin_memcpy(&key, &bits, sizeof key);
        return detail::radix_key<K>::template in<false>(key);
    }
    static __CUB_DEVICE UnsignedBits TwiddleOut(UnsignedBits bits)
    {
        K key = detail::radix_key<K>::template out<false>(bits);
        __builtin_memcpy(&bits, &key, sizeof bits);
        return bits;
    }
};
template <typename K> using NumericTraits = Traits<K>;
} // namespace cub
__BANKSHOT_LINES_ON

#endif
// SPDX-License-Identifier: Apache-2.0
