/* Random order: on the device by sorting keys that are a bijection of the places, on the host place by place. Which order that is
 * differs between versions of NVIDIA's too. */
#ifndef BANKSHOT_THRUST_SHUFFLE
#define BANKSHOT_THRUST_SHUFFLE

#include <thrust/random.h>
#include <thrust/sort.h>

namespace thrust
{
namespace detail
{
/* SplitMix64's output function (Steele, Lea, Flood 2014), which no two numbers share a result of. */
struct shuffle_key {
    unsigned long long seed, *keys;
    __THRUST_BOTH void operator()(std::ptrdiff_t i) const
    {
        unsigned long long x = seed + 0x9e3779b97f4a7c15ull * (unsigned long long)i;
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ x >> 27) * 0x94d049bb133111ebull;
        keys[i] = x ^ x >> 31;
    }
};
template <typename It, typename G> void shuffle(const on_device &policy, It first, It last, G &g)
{
    unsigned long long high = g(), low = g();
    device_array<unsigned long long> keys(last - first);
    loop(policy, last - first, shuffle_key{high << 32 ^ low, keys.get()});
    sort_pairs(policy, keys.get(), raw(first), last - first, less<unsigned long long>());
}
template <typename It, typename G> __THRUST_BOTH void shuffle(const sequential &, It first, It last, G &g)
{
    for (std::ptrdiff_t i = last - first - 1; i > 0; i--) {
        std::ptrdiff_t other = (std::ptrdiff_t)(g() % (unsigned long long)(i + 1));
        value_of<It> x = first[i];
        first[i] = (value_of<It>)first[other];
        first[other] = x;
    }
}
template <typename P, typename It, typename Out, typename G> void shuffle_copy(const P &policy, It first, It last, Out out, G &g)
{
    copy(policy, first, last, out);
    shuffle(policy, out, out + (last - first), g);
}
} // namespace detail

/* Not __THRUST_ALGORITHM: the engine changes. */
template <typename First, typename... Rest> void shuffle(const First &first, Rest &&...rest)
{
    if constexpr (detail::is_policy<First>::value)
        detail::shuffle(first, rest...);
    else
        detail::shuffle(detail::policy_of<First>(), first, rest...);
}
template <typename First, typename... Rest> void shuffle_copy(const First &first, Rest &&...rest)
{
    if constexpr (detail::is_policy<First>::value)
        detail::shuffle_copy(first, rest...);
    else
        detail::shuffle_copy(detail::policy_of<First>(), first, rest...);
}
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
