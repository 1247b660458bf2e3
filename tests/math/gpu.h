/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one math function on the device over arrays. The accuracy program calls it; nothing else knows about CUDA. */
#ifndef TESTS_MATH_GPU_H
#define TESTS_MATH_GPU_H

#ifdef __cplusplus
extern "C" {
#endif
/* out[i] = name(in[0][i], in[1][i], ...), i < n; elements of size_b bytes (4 float, 8 double). Exits with a message on
 * failure. */
void gpu_run(const char *name, const void *const in[4], void *out, unsigned n, unsigned size_b);
#ifdef __cplusplus
}
#endif

#endif
