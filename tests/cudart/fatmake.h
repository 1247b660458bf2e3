/* SPDX-License-Identifier: Apache-2.0 */
/* Writes fat binaries, well-formed or with any field wrong. */
#ifndef TESTS_CUDART_FATMAKE_H
#define TESTS_CUDART_FATMAKE_H

#include "base/vec.h"
#include "cudart/code/fatbin.h"

struct fat {
    VEC(unsigned char) b;
    uint32_t header; /* where the header of the open fat binary is */
};

enum fat_pack { PACK_PLAIN, PACK_LZ4, PACK_ZSTD };

void fat_begin(struct fat *f); /* another fat binary follows the last one */
/* Adds an entry; returns where its header is, for tests that spoil it. */
uint32_t fat_add(struct fat *f, enum fatbin_kind kind, uint32_t arch, const void *data, size_t n,
                 enum fat_pack pack);
void fat_end(struct fat *f); /* fills in the size of the open one */
void fat_free(struct fat *f);
struct fatbin_entry fat_entry(const struct fat *f, uint32_t at);
void fat_set_entry(struct fat *f, uint32_t at, const struct fatbin_entry *e);

#endif
