/* SPDX-License-Identifier: Apache-2.0 */
#define COUNT 32
int scale(int *p, int by);
__attribute__((visibility("default"))) int shift(int *p, int by);
int here(int *p);
