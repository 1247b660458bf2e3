/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of zstd that src/trace calls for a trace's chunks. Debian has no zstd for WebAssembly; a trace in a tab lives in
 * memory for the length of a run. So frames are stored, not compressed: they are frames of zstd's format (RFC 8878) made of raw
 * blocks, which any zstd reads; of frames that others have compressed, none is read here. */
#ifndef WEB_ZSTD_H
#define WEB_ZSTD_H

#include <stddef.h>

typedef struct web_zstd ZSTD_CCtx;
typedef enum { ZSTD_c_compressionLevel = 100, ZSTD_c_checksumFlag = 201 } ZSTD_cParameter;

ZSTD_CCtx *ZSTD_createCCtx(void);
size_t ZSTD_freeCCtx(ZSTD_CCtx *c);
size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *c, ZSTD_cParameter p, int value);
size_t ZSTD_compressBound(size_t raw_b);
size_t ZSTD_compress2(ZSTD_CCtx *c, void *to, size_t room_b, const void *from, size_t raw_b);
size_t ZSTD_findFrameCompressedSize(const void *from, size_t n);
size_t ZSTD_decompress(void *to, size_t room_b, const void *from, size_t n);
unsigned ZSTD_isError(size_t n);
const char *ZSTD_getErrorName(size_t n);

#endif
