/* SPDX-License-Identifier: Apache-2.0 */
/* Under a sanitizer a test takes ten times as long: one of many machines or seeds takes every so many of them there. */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#if defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TESTS_SANITIZED
#endif
#endif
#ifdef TESTS_SANITIZED
enum { TEST_EACH = 3 };
#else
enum { TEST_EACH = 1 };
#endif

#endif
