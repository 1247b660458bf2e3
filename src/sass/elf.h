/* SPDX-License-Identifier: Apache-2.0 */
/* ELF's structures of 64 bits, as far as cubins have them (System V ABI), and how they are copied out of a file. */
#ifndef SASS_ELF_H
#define SASS_ELF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_MAGIC 0x464c457fu

struct elf_head {
    uint32_t magic;
    uint8_t class, data, version, osabi, abi, pad[7];
    uint16_t type, machine;
    uint32_t version2;
    uint64_t entry, segments, sections;
    uint32_t flags;
    uint16_t head_b, segment_b, nsegments, section_b, nsections, names;
};

struct elf_section {
    uint32_t name, type;
    uint64_t flags, address, offset, size_b;
    uint32_t link, info;
    uint64_t align_b, entry_b;
};

struct elf_symbol {
    uint32_t name;
    uint8_t info, other;
    uint16_t section;
    uint64_t value, size_b;
};

struct elf_reloc {
    uint64_t offset, info;
    int64_t addend; /* not there in SHT_REL */
};

enum { SHT_SYMTAB = 2, SHT_STRTAB = 3, SHT_RELA = 4, SHT_NOBITS = 8, SHT_REL = 9, SHT_NV_INFO = 0x70000000 };
enum { SHF_EXECINSTR = 4, STB_LOCAL = 0, STO_ENTRY = 0x10 };

/* A range of bytes that is being read, and where the message goes when it does not fit. */
struct elf_in {
    const unsigned char *at;
    uint64_t n;
    char *why;
    size_t why_b;
};

bool elf_bad(struct elf_in *in, uint64_t offset, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
