/* What C++ itself calls: the places of pure and deleted virtual functions in the tables of classes. */
void __cxa_pure_virtual(void);
void __cxa_deleted_virtual(void);

void __cxa_pure_virtual(void) { __builtin_trap(); }
void __cxa_deleted_virtual(void) { __builtin_trap(); }
/* SPDX-License-Identifier: Apache-2.0 */
