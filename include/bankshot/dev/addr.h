/* Generic addresses: which space one lies in, and conversion to and from that space's own addresses. */
#ifndef BANKSHOT_DEV_ADDR_H
#define BANKSHOT_DEV_ADDR_H

/* const: __builtin_assume may call them. */
#define __BANKSHOT_SPACE(Name, word, lower, as)                                                              \
    __BANKSHOT_FN __attribute__((const)) unsigned __is##Name(const void *p)                                  \
    {                                                                                                        \
        return __nvvm_isspacep_##word(p);                                                                    \
    }                                                                                                        \
    __BANKSHOT_FN size_t __cvta_generic_to_##lower(const void *p)                                            \
    {                                                                                                        \
        return (size_t)(const void __attribute__((address_space(as))) *)p;                                   \
    }                                                                                                        \
    __BANKSHOT_FN void *__cvta_##lower##_to_generic(size_t a)                                                \
    {                                                                                                        \
        return (void *)(void __attribute__((address_space(as))) *)a;                                         \
    }

__BANKSHOT_SPACE(Global, global, global, 1)
__BANKSHOT_SPACE(Shared, shared, shared, 3)
__BANKSHOT_SPACE(Constant, const, constant, 4)
__BANKSHOT_SPACE(Local, local, local, 5)
#undef __BANKSHOT_SPACE

/* Nobody asks in order to write. */
__BANKSHOT_FN unsigned __isGridConstant(const void *) { return 0; }
__BANKSHOT_FN unsigned __nvvm_get_smem_pointer(void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#endif
/* SPDX-License-Identifier: Apache-2.0 */
