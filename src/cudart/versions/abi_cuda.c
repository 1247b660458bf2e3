/* SPDX-License-Identifier: Apache-2.0 */
/* libcuda.so.1: the driver API is in the core library; this one only has the name that programs ask for. */
typedef int abi_cuda_is_empty;
