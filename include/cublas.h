/* cuBLAS. The old interface without handles is not here: what this file declares is that of version 2. */
#include <cublas_v2.h>
/* SPDX-License-Identifier: Apache-2.0 */
