/* SPDX-License-Identifier: Apache-2.0 */
/* The libraries' headers are C as well, and their functions can be called from files that clang's CUDA mode never sees. */
#include <cublas_v2.h>
#include <curand.h>
#include <cusparse.h>
#include <stdio.h>

int main(void)
{
    cublasHandle_t blas;
    cusparseHandle_t sparse;
    curandGenerator_t random;
    float x[4] = {1, -2, 3, -4}, *d, sum = 0;
    unsigned word = 0;
    if (cudaMalloc((void **)&d, sizeof x) != cudaSuccess || cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS ||
        cusparseCreate(&sparse) != CUSPARSE_STATUS_SUCCESS ||
        curandCreateGeneratorHost(&random, CURAND_RNG_PSEUDO_PHILOX4_32_10) != CURAND_STATUS_SUCCESS)
        return 1;
    cublasSetVector(4, sizeof *x, x, 1, d, 1);
    cublasSasum(blas, 4, d, 1, &sum);
    curandGenerate(random, &word, 1);
    printf("%.0f %08x\n", sum, word);
    curandDestroyGenerator(random);
    cusparseDestroy(sparse);
    cublasDestroy(blas);
    return 0;
}
