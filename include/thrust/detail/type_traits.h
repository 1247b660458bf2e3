/* Traits under the names that programs use of Thrust's insides. */
#ifndef BANKSHOT_THRUST_TYPE_TRAITS
#define BANKSHOT_THRUST_TYPE_TRAITS

#include <thrust/detail/config.h>
#include <type_traits>

namespace thrust
{
namespace detail
{
using std::enable_if;
using std::false_type;
using std::integral_constant;
using std::is_arithmetic;
using std::is_convertible;
using std::is_floating_point;
using std::is_integral;
using std::is_same;
using std::true_type;
} // namespace detail
} // namespace thrust

#endif
/* SPDX-License-Identifier: Apache-2.0 */
