/* __managed__ variables: host_defines.h puts the host's copy into a section of its own; the runtime learns
 * here where that is, and lets the device use the same memory. Before clang's constructors, which register
 * the variables. */
#ifndef BANKSHOT_DEV_MANAGED_H
#define BANKSHOT_DEV_MANAGED_H

#if !defined(__CUDA_ARCH__)
extern "C" {
/* The linker's names for the ends of a section; null where no variable is managed. */
extern const char __start_bankshot_managed[] __attribute__((weak, visibility("hidden")));
extern const char __stop_bankshot_managed[] __attribute__((weak, visibility("hidden")));
void __bankshotManaged(const void *start, const void *stop) __attribute__((weak));
}

static __attribute__((constructor(101))) void __bankshot_managed_variables()
{
    if (__start_bankshot_managed && __bankshotManaged)
        __bankshotManaged(__start_bankshot_managed, __stop_bankshot_managed);
}
#endif

#endif
/* SPDX-License-Identifier: Apache-2.0 */
