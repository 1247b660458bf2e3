/* SPDX-License-Identifier: Apache-2.0 */
/* A function of a header, inlined: its instructions count to a line of the program. */
static __device__ __forceinline__ float scaled(const float *p, int i) { return p[i] * 3.0f; }
