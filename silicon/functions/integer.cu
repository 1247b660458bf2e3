// SPDX-License-Identifier: Apache-2.0
// Integers of 8 to 64 bits.
// clang-format off
#define TABLE(ROW) \
    ROW(copy_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x) \
    ROW(div_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x / y) \
    ROW(div_wide_s, int, int, -2000000000.0, 2000000000.0, 2000000.0, 2000000000.0, x / y) \
    ROW(div_3_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 3) \
    ROW(div_7_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 7) \
    ROW(div_10_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 10) \
    ROW(div_16_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 16) \
    ROW(div_60_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 60) \
    ROW(div_1000_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 1000) \
    ROW(div_65537_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 65537) \
    ROW(div_1000000007_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x / 1000000007) \
    ROW(rem_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x % y) \
    ROW(rem_wide_s, int, int, -2000000000.0, 2000000000.0, 2000000.0, 2000000000.0, x % y) \
    ROW(rem_3_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 3) \
    ROW(rem_7_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 7) \
    ROW(rem_10_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 10) \
    ROW(rem_16_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 16) \
    ROW(rem_60_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 60) \
    ROW(rem_1000_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 1000) \
    ROW(rem_65537_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 65537) \
    ROW(rem_1000000007_s, int, int, -2000000000.0, 2000000000.0, 1, 9, x % 1000000007) \
    ROW(small_div_s, int, int, 0, 1000000, 1, 1000, x / y) \
    ROW(div_rem_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x / y + x % y) \
    ROW(const_by_s, int, int, 1, 1000, 1, 9, 1000000 / x) \
    ROW(add_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x + y) \
    ROW(mul_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x * y) \
    ROW(sub_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x - y) \
    ROW(mad_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x * y + z) \
    ROW(shl_s, int, int, -2000000000.0, 2000000000.0, 1, 30, x << (int)y) \
    ROW(shl_5_s, int, int, -2000000000.0, 2000000000.0, 1, 30, x << 5) \
    ROW(shr_s, int, int, -2000000000.0, 2000000000.0, 1, 30, x >> (int)y) \
    ROW(shr_5_s, int, int, -2000000000.0, 2000000000.0, 1, 30, x >> 5) \
    ROW(rotate_s, int, int, -2000000000.0, 2000000000.0, 1, 30, (x << 7) ^ (x >> 3)) \
    ROW(logic_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, (x & y) | (~x & z)) \
    ROW(min_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, min(x, y)) \
    ROW(max3_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, max(max(x, y), z)) \
    ROW(clamp_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, min(max(x, (int)0), (int)255)) \
    ROW(less_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x < y) \
    ROW(select_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x < y ? x : z) \
    ROW(range_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, x >= y && x < z) \
    ROW(to_float_s, int, float, -2000000000.0, 2000000000.0, 1, 9, (float)x) \
    ROW(to_double_s, int, double, -2000000000.0, 2000000000.0, 1, 9, (double)x) \
    ROW(to_uchar_s, int, unsigned char, -2000000000.0, 2000000000.0, 1, 9, (unsigned char)x) \
    ROW(to_short_s, int, short, -2000000000.0, 2000000000.0, 1, 9, (short)x) \
    ROW(mulhi_s, int, int, -2000000000.0, 2000000000.0, 1, 1000, __mulhi(x, y)) \
    ROW(popc_s, int, int, -2000000000.0, 2000000000.0, 1, 9, __popc(x)) \
    ROW(clz_s, int, int, -2000000000.0, 2000000000.0, 1, 9, __clz(x)) \
    ROW(ffs_s, int, int, -2000000000.0, 2000000000.0, 1, 9, __ffs(x)) \
    ROW(brev_s, int, int, -2000000000.0, 2000000000.0, 1, 9, __brev(x)) \
    ROW(copy_u, uint, uint, 0, 4000000000.0, 1, 9, x) \
    ROW(div_u, uint, uint, 0, 4000000000.0, 1, 1000, x / y) \
    ROW(div_wide_u, uint, uint, 0, 4000000000.0, 4000000.0, 4000000000.0, x / y) \
    ROW(div_3_u, uint, uint, 0, 4000000000.0, 1, 9, x / 3) \
    ROW(div_7_u, uint, uint, 0, 4000000000.0, 1, 9, x / 7) \
    ROW(div_10_u, uint, uint, 0, 4000000000.0, 1, 9, x / 10) \
    ROW(div_16_u, uint, uint, 0, 4000000000.0, 1, 9, x / 16) \
    ROW(div_60_u, uint, uint, 0, 4000000000.0, 1, 9, x / 60) \
    ROW(div_1000_u, uint, uint, 0, 4000000000.0, 1, 9, x / 1000) \
    ROW(div_65537_u, uint, uint, 0, 4000000000.0, 1, 9, x / 65537) \
    ROW(div_1000000007_u, uint, uint, 0, 4000000000.0, 1, 9, x / 1000000007) \
    ROW(rem_u, uint, uint, 0, 4000000000.0, 1, 1000, x % y) \
    ROW(rem_wide_u, uint, uint, 0, 4000000000.0, 4000000.0, 4000000000.0, x % y) \
    ROW(rem_3_u, uint, uint, 0, 4000000000.0, 1, 9, x % 3) \
    ROW(rem_7_u, uint, uint, 0, 4000000000.0, 1, 9, x % 7) \
    ROW(rem_10_u, uint, uint, 0, 4000000000.0, 1, 9, x % 10) \
    ROW(rem_16_u, uint, uint, 0, 4000000000.0, 1, 9, x % 16) \
    ROW(rem_60_u, uint, uint, 0, 4000000000.0, 1, 9, x % 60) \
    ROW(rem_1000_u, uint, uint, 0, 4000000000.0, 1, 9, x % 1000) \
    ROW(rem_65537_u, uint, uint, 0, 4000000000.0, 1, 9, x % 65537) \
    ROW(rem_1000000007_u, uint, uint, 0, 4000000000.0, 1, 9, x % 1000000007) \
    ROW(small_div_u, uint, uint, 0, 1000000, 1, 1000, x / y) \
    ROW(div_rem_u, uint, uint, 0, 4000000000.0, 1, 1000, x / y + x % y) \
    ROW(const_by_u, uint, uint, 1, 1000, 1, 9, 1000000 / x) \
    ROW(add_u, uint, uint, 0, 4000000000.0, 1, 1000, x + y) \
    ROW(mul_u, uint, uint, 0, 4000000000.0, 1, 1000, x * y) \
    ROW(sub_u, uint, uint, 0, 4000000000.0, 1, 1000, x - y) \
    ROW(mad_u, uint, uint, 0, 4000000000.0, 1, 1000, x * y + z) \
    ROW(shl_u, uint, uint, 0, 4000000000.0, 1, 30, x << (int)y) \
    ROW(shl_5_u, uint, uint, 0, 4000000000.0, 1, 30, x << 5) \
    ROW(shr_u, uint, uint, 0, 4000000000.0, 1, 30, x >> (int)y) \
    ROW(shr_5_u, uint, uint, 0, 4000000000.0, 1, 30, x >> 5) \
    ROW(rotate_u, uint, uint, 0, 4000000000.0, 1, 30, (x << (int)y) | (x >> ((int)sizeof(x) * 8 - (int)y))) \
    ROW(logic_u, uint, uint, 0, 4000000000.0, 1, 1000, (x & y) | (~x & z)) \
    ROW(min_u, uint, uint, 0, 4000000000.0, 1, 1000, min(x, y)) \
    ROW(max3_u, uint, uint, 0, 4000000000.0, 1, 1000, max(max(x, y), z)) \
    ROW(clamp_u, uint, uint, 0, 4000000000.0, 1, 1000, min(max(x, (uint)0), (uint)255)) \
    ROW(less_u, uint, int, 0, 4000000000.0, 1, 1000, x < y) \
    ROW(select_u, uint, uint, 0, 4000000000.0, 1, 1000, x < y ? x : z) \
    ROW(range_u, uint, int, 0, 4000000000.0, 1, 1000, x >= y && x < z) \
    ROW(to_float_u, uint, float, 0, 4000000000.0, 1, 9, (float)x) \
    ROW(to_double_u, uint, double, 0, 4000000000.0, 1, 9, (double)x) \
    ROW(to_uchar_u, uint, unsigned char, 0, 4000000000.0, 1, 9, (unsigned char)x) \
    ROW(to_short_u, uint, short, 0, 4000000000.0, 1, 9, (short)x) \
    ROW(mulhi_u, uint, uint, 0, 4000000000.0, 1, 1000, __umulhi(x, y)) \
    ROW(popc_u, uint, int, 0, 4000000000.0, 1, 9, __popc(x)) \
    ROW(clz_u, uint, int, 0, 4000000000.0, 1, 9, __clz(x)) \
    ROW(ffs_u, uint, int, 0, 4000000000.0, 1, 9, __ffs(x)) \
    ROW(brev_u, uint, uint, 0, 4000000000.0, 1, 9, __brev(x)) \
    ROW(copy_sl, ll, ll, -9e+18, 9e+18, 1, 9, x) \
    ROW(div_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x / y) \
    ROW(div_wide_sl, ll, ll, -9e+18, 9e+18, 9000000000000000.0, 9e+18, x / y) \
    ROW(div_3_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 3) \
    ROW(div_7_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 7) \
    ROW(div_10_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 10) \
    ROW(div_16_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 16) \
    ROW(div_60_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 60) \
    ROW(div_1000_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 1000) \
    ROW(div_65537_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 65537) \
    ROW(div_1000000007_sl, ll, ll, -9e+18, 9e+18, 1, 9, x / 1000000007) \
    ROW(rem_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x % y) \
    ROW(rem_wide_sl, ll, ll, -9e+18, 9e+18, 9000000000000000.0, 9e+18, x % y) \
    ROW(rem_3_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 3) \
    ROW(rem_7_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 7) \
    ROW(rem_10_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 10) \
    ROW(rem_16_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 16) \
    ROW(rem_60_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 60) \
    ROW(rem_1000_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 1000) \
    ROW(rem_65537_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 65537) \
    ROW(rem_1000000007_sl, ll, ll, -9e+18, 9e+18, 1, 9, x % 1000000007) \
    ROW(small_div_sl, ll, ll, 0, 1000000, 1, 1000, x / y) \
    ROW(div_rem_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x / y + x % y) \
    ROW(const_by_sl, ll, ll, 1, 1000, 1, 9, 1000000 / x) \
    ROW(add_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x + y) \
    ROW(mul_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x * y) \
    ROW(sub_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x - y) \
    ROW(mad_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x * y + z) \
    ROW(shl_sl, ll, ll, -9e+18, 9e+18, 1, 30, x << (int)y) \
    ROW(shl_5_sl, ll, ll, -9e+18, 9e+18, 1, 30, x << 5) \
    ROW(shr_sl, ll, ll, -9e+18, 9e+18, 1, 30, x >> (int)y) \
    ROW(shr_5_sl, ll, ll, -9e+18, 9e+18, 1, 30, x >> 5) \
    ROW(rotate_sl, ll, ll, -9e+18, 9e+18, 1, 30, (x << 7) ^ (x >> 3)) \
    ROW(logic_sl, ll, ll, -9e+18, 9e+18, 1, 1000, (x & y) | (~x & z)) \
    ROW(min_sl, ll, ll, -9e+18, 9e+18, 1, 1000, min(x, y)) \
    ROW(max3_sl, ll, ll, -9e+18, 9e+18, 1, 1000, max(max(x, y), z)) \
    ROW(clamp_sl, ll, ll, -9e+18, 9e+18, 1, 1000, min(max(x, (ll)0), (ll)255)) \
    ROW(less_sl, ll, int, -9e+18, 9e+18, 1, 1000, x < y) \
    ROW(select_sl, ll, ll, -9e+18, 9e+18, 1, 1000, x < y ? x : z) \
    ROW(range_sl, ll, int, -9e+18, 9e+18, 1, 1000, x >= y && x < z) \
    ROW(to_float_sl, ll, float, -9e+18, 9e+18, 1, 9, (float)x) \
    ROW(to_double_sl, ll, double, -9e+18, 9e+18, 1, 9, (double)x) \
    ROW(to_uchar_sl, ll, unsigned char, -9e+18, 9e+18, 1, 9, (unsigned char)x) \
    ROW(to_short_sl, ll, short, -9e+18, 9e+18, 1, 9, (short)x) \
    ROW(mulhi_sl, ll, ll, -9e+18, 9e+18, 1, 1000, __mul64hi(x, y)) \
    ROW(popc_sl, ll, int, -9e+18, 9e+18, 1, 9, __popcll(x)) \
    ROW(clz_sl, ll, int, -9e+18, 9e+18, 1, 9, __clzll(x)) \
    ROW(ffs_sl, ll, int, -9e+18, 9e+18, 1, 9, __ffsll(x)) \
    ROW(brev_sl, ll, ll, -9e+18, 9e+18, 1, 9, __brevll(x)) \
    ROW(copy_ul, ull, ull, 0, 1.8e+19, 1, 9, x) \
    ROW(div_ul, ull, ull, 0, 1.8e+19, 1, 1000, x / y) \
    ROW(div_wide_ul, ull, ull, 0, 1.8e+19, 1.8e+16, 1.8e+19, x / y) \
    ROW(div_3_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 3) \
    ROW(div_7_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 7) \
    ROW(div_10_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 10) \
    ROW(div_16_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 16) \
    ROW(div_60_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 60) \
    ROW(div_1000_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 1000) \
    ROW(div_65537_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 65537) \
    ROW(div_1000000007_ul, ull, ull, 0, 1.8e+19, 1, 9, x / 1000000007) \
    ROW(rem_ul, ull, ull, 0, 1.8e+19, 1, 1000, x % y) \
    ROW(rem_wide_ul, ull, ull, 0, 1.8e+19, 1.8e+16, 1.8e+19, x % y) \
    ROW(rem_3_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 3) \
    ROW(rem_7_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 7) \
    ROW(rem_10_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 10) \
    ROW(rem_16_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 16) \
    ROW(rem_60_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 60) \
    ROW(rem_1000_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 1000) \
    ROW(rem_65537_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 65537) \
    ROW(rem_1000000007_ul, ull, ull, 0, 1.8e+19, 1, 9, x % 1000000007) \
    ROW(small_div_ul, ull, ull, 0, 1000000, 1, 1000, x / y) \
    ROW(div_rem_ul, ull, ull, 0, 1.8e+19, 1, 1000, x / y + x % y) \
    ROW(const_by_ul, ull, ull, 1, 1000, 1, 9, 1000000 / x) \
    ROW(add_ul, ull, ull, 0, 1.8e+19, 1, 1000, x + y) \
    ROW(mul_ul, ull, ull, 0, 1.8e+19, 1, 1000, x * y) \
    ROW(sub_ul, ull, ull, 0, 1.8e+19, 1, 1000, x - y) \
    ROW(mad_ul, ull, ull, 0, 1.8e+19, 1, 1000, x * y + z) \
    ROW(shl_ul, ull, ull, 0, 1.8e+19, 1, 30, x << (int)y) \
    ROW(shl_5_ul, ull, ull, 0, 1.8e+19, 1, 30, x << 5) \
    ROW(shr_ul, ull, ull, 0, 1.8e+19, 1, 30, x >> (int)y) \
    ROW(shr_5_ul, ull, ull, 0, 1.8e+19, 1, 30, x >> 5) \
    ROW(rotate_ul, ull, ull, 0, 1.8e+19, 1, 30, (x << (int)y) | (x >> ((int)sizeof(x) * 8 - (int)y))) \
    ROW(logic_ul, ull, ull, 0, 1.8e+19, 1, 1000, (x & y) | (~x & z)) \
    ROW(min_ul, ull, ull, 0, 1.8e+19, 1, 1000, min(x, y)) \
    ROW(max3_ul, ull, ull, 0, 1.8e+19, 1, 1000, max(max(x, y), z)) \
    ROW(clamp_ul, ull, ull, 0, 1.8e+19, 1, 1000, min(max(x, (ull)0), (ull)255)) \
    ROW(less_ul, ull, int, 0, 1.8e+19, 1, 1000, x < y) \
    ROW(select_ul, ull, ull, 0, 1.8e+19, 1, 1000, x < y ? x : z) \
    ROW(range_ul, ull, int, 0, 1.8e+19, 1, 1000, x >= y && x < z) \
    ROW(to_float_ul, ull, float, 0, 1.8e+19, 1, 9, (float)x) \
    ROW(to_double_ul, ull, double, 0, 1.8e+19, 1, 9, (double)x) \
    ROW(to_uchar_ul, ull, unsigned char, 0, 1.8e+19, 1, 9, (unsigned char)x) \
    ROW(to_short_ul, ull, short, 0, 1.8e+19, 1, 9, (short)x) \
    ROW(mulhi_ul, ull, ull, 0, 1.8e+19, 1, 1000, __umul64hi(x, y)) \
    ROW(popc_ul, ull, int, 0, 1.8e+19, 1, 9, __popcll(x)) \
    ROW(clz_ul, ull, int, 0, 1.8e+19, 1, 9, __clzll(x)) \
    ROW(ffs_ul, ull, int, 0, 1.8e+19, 1, 9, __ffsll(x)) \
    ROW(brev_ul, ull, ull, 0, 1.8e+19, 1, 9, __brevll(x)) \
    ROW(abs_s, int, int, -2000000000.0, 2000000000.0, 1, 9, abs(x)) \
    ROW(llabs_sl, ll, ll, -9e+18, 9e+18, 1, 9, llabs(x)) \
    ROW(wide_mul_s, int, ll, -2000000000.0, 2000000000.0, 1, 2000000000.0, (ll)x * y) \
    ROW(wide_mul_u, uint, ull, 0, 4000000000.0, 1, 2000000000.0, (ull)x * y) \
    ROW(wide_mad_u, uint, ull, 0, 4000000000.0, 1, 2000000000.0, (ull)x * y + z) \
    ROW(mul24_s, int, int, -99999, 99999, 1, 999, __mul24(x, y)) \
    ROW(umul24_u, uint, uint, 0, 99999, 1, 999, __umul24(x, y)) \
    ROW(hadd_s, int, int, -99999, 99999, 1, 999, __hadd(x, y)) \
    ROW(uhadd_u, uint, uint, 0, 99999, 1, 999, __uhadd(x, y)) \
    ROW(rhadd_s, int, int, -99999, 99999, 1, 999, __rhadd(x, y)) \
    ROW(urhadd_u, uint, uint, 0, 99999, 1, 999, __urhadd(x, y)) \
    ROW(byte_perm_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __byte_perm(x, y, 0x2143)) \
    ROW(byte_perm_z_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __byte_perm(x, y, z)) \
    ROW(funnel_l_u, uint, uint, 0, 4000000000.0, 0, 31, __funnelshift_l(x, z, y)) \
    ROW(funnel_rc_u, uint, uint, 0, 4000000000.0, 0, 40, __funnelshift_rc(x, z, y)) \
    ROW(dp4a_s, int, int, -2000000000.0, 2000000000.0, 0, 2000000000.0, __dp4a(x, y, z)) \
    ROW(int_as_float_s, int, float, 1000000000.0, 1100000000.0, 0, 1, __int_as_float(x)) \
    ROW(int2float_rz_s, int, double, -2000000000.0, 2000000000.0, 0, 1, __int2float_rz(x)) \
    ROW(int2double_rn_s, int, double, -2000000000.0, 2000000000.0, 0, 1, __int2double_rn(x)) \
    ROW(vadd4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vadd4(x, y)) \
    ROW(vsub4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vsub4(x, y)) \
    ROW(vabsdiffu4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vabsdiffu4(x, y)) \
    ROW(vmaxs4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vmaxs4(x, y)) \
    ROW(vminu4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vminu4(x, y)) \
    ROW(vcmpeq4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vcmpeq4(x, y)) \
    ROW(vsadu4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vsadu4(x, y)) \
    ROW(vadd2_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vadd2(x, y)) \
    ROW(vmaxs2_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vmaxs2(x, y)) \
    ROW(vavgu4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vavgu4(x, y)) \
    ROW(vaddss2_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vaddss2(x, y)) \
    ROW(vseteq4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vseteq4(x, y)) \
    ROW(vcmpgtu2_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vcmpgtu2(x, y)) \
    ROW(vabs4_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vabs4(x)) \
    ROW(vneg2_u, uint, uint, 0, 4000000000.0, 0, 4000000000.0, __vneg2(x)) \
    ROW(copy_h, short, short, -30000, 30000, 1, 9, x) \
    ROW(add_h, short, short, -30000, 30000, 1, 9, x + y) \
    ROW(div_h, short, short, -30000, 30000, 1, 9, x / y) \
    ROW(rem_10_h, short, short, -30000, 30000, 1, 9, x % 10) \
    ROW(mul_h, short, short, -30000, 30000, 1, 9, x * y) \
    ROW(to_float_h, short, float, -30000, 30000, 1, 9, x) \
    ROW(avg_h, short, short, -30000, 30000, 1, 9, (x + y + 1) >> 1) \
    ROW(copy_b, unsigned char, unsigned char, 0, 255, 1, 9, x) \
    ROW(add_b, unsigned char, unsigned char, 0, 255, 1, 9, x + y) \
    ROW(div_b, unsigned char, unsigned char, 0, 255, 1, 9, x / y) \
    ROW(rem_10_b, unsigned char, unsigned char, 0, 255, 1, 9, x % 10) \
    ROW(mul_b, unsigned char, unsigned char, 0, 255, 1, 9, x * y) \
    ROW(to_float_b, unsigned char, float, 0, 255, 1, 9, x) \
    ROW(avg_b, unsigned char, unsigned char, 0, 255, 1, 9, (x + y + 1) >> 1)
// clang-format on
#include "functions.h"
