/* SPDX-License-Identifier: Apache-2.0 */
/* The reader: head, sections, symbols, relocations; then kernels and what belongs to each. Every offset and size is held against
 * the file before it is used; structures are copied out, so alignment does not matter. */
#include "sass/cubin_parts.h"

#include <stdio.h>

bool elf_bad(struct elf_in *in, uint64_t offset, const char *fmt, ...)
{
    va_list ap;
    int n = snprintf(in->why, in->why_b, "byte %llu: ", (unsigned long long)offset);
    va_start(ap, fmt);
    if (n >= 0 && (size_t)n < in->why_b)
        vsnprintf(in->why + n, in->why_b - (size_t)n, fmt, ap);
    va_end(ap);
    return false;
}

/* ABI version 8 (CUDA 13) has the architecture in bits 8 to 23 of the flags; earlier ones in bits 0 to 7, and in bit 11 whether
 * the code is for it alone (version 8 tells that in the options of the assembler: read_tool). */
static void read_arch(struct cubin *c, const struct elf_head *h)
{
    c->abi = h->abi;
    if (h->abi >= 8) {
        c->sm = h->flags >> 8 & 0xffff;
    } else {
        c->sm = h->flags & 0xff;
        c->variant = h->flags & 0x800 ? 'a' : 0;
    }
}

static bool read_head(struct elf_in *in, struct cubin *c, struct elf_head *h)
{
    if (in->n < sizeof *h)
        return elf_bad(in, in->n, "the file ends in its head (%zu bytes)", sizeof *h);
    memcpy(h, in->at, sizeof *h);
    if (h->magic != ELF_MAGIC)
        return elf_bad(in, 0, "not an ELF file");
    if (h->class != 2 || h->data != 1)
        return elf_bad(in, 4, "ELF class %u, byte order %u: cubins are 64-bit, little-endian", h->class,
                       h->data);
    if (h->machine != CUBIN_MACHINE)
        return elf_bad(in, 18, "ELF machine %u is not a GPU of NVIDIA (%d)", h->machine, CUBIN_MACHINE);
    read_arch(c, h);
    if (c->sm < 70 || c->sm > 129)
        return elf_bad(in, 48, "code for sm_%u: known are sm_70 to sm_121", c->sm);
    if (h->section_b != sizeof(struct elf_section))
        return elf_bad(in, 58, "section heads of %u bytes", h->section_b);
    if (h->sections > in->n || (uint64_t)h->nsections * sizeof(struct elf_section) > in->n - h->sections)
        return elf_bad(in, 40, "%u sections at %llu do not fit in a file of %llu bytes", h->nsections,
                       (unsigned long long)h->sections, (unsigned long long)in->n);
    if (h->names >= h->nsections)
        return elf_bad(in, 62, "names in section %u of %u", h->names, h->nsections);
    return true;
}

/* The string at an offset of a string table; NULL: it does not end inside. */
static const char *string_at(const struct cubin_section *s, uint64_t offset)
{
    if (!s->data || offset >= s->size_b || !memchr(s->data + offset, 0, s->size_b - offset))
        return NULL;
    return (const char *)s->data + offset;
}

static bool read_sections(struct elf_in *in, struct cubin *c, const struct elf_head *h)
{
    vec_resize(&c->sections, h->nsections);
    for (uint32_t i = 0; i < h->nsections; i++) {
        struct elf_section e;
        uint64_t place = h->sections + i * sizeof e;
        memcpy(&e, in->at + place, sizeof e);
        bool bits = e.type != SHT_NOBITS && e.type != 0;
        if (bits && (e.offset > in->n || e.size_b > in->n - e.offset))
            return elf_bad(in, place, "section %u: %llu bytes at %llu in a file of %llu", i,
                           (unsigned long long)e.size_b, (unsigned long long)e.offset,
                           (unsigned long long)in->n);
        if (e.size_b > CUBIN_MAX_B)
            return elf_bad(in, place, "section %u of %llu bytes", i, (unsigned long long)e.size_b);
        c->sections.at[i] = (struct cubin_section){.data = bits ? in->at + e.offset : NULL,
                                                   .size_b = e.type ? e.size_b : 0,
                                                   .flags = e.flags,
                                                   .align_b = e.align_b,
                                                   .type = e.type,
                                                   .link = e.link,
                                                   .info = e.info};
    }
    for (uint32_t i = 0; i < h->nsections; i++) {
        uint32_t name;
        uint64_t place = h->sections + i * sizeof(struct elf_section);
        memcpy(&name, in->at + place, sizeof name);
        c->sections.at[i].name = string_at(&c->sections.at[h->names], name);
        if (!c->sections.at[i].name)
            return elf_bad(in, place, "section %u has no name", i);
    }
    return true;
}

static bool read_symbols(struct elf_in *in, struct cubin *c)
{
    uint32_t at = cubin_section_named(c, ".symtab");
    const struct cubin_section *s = &c->sections.at[at];
    if (!at)
        return elf_bad(in, 0, "there is no table of symbols");
    if (s->type != SHT_SYMTAB || s->link >= c->sections.n || s->size_b % sizeof(struct elf_symbol))
        return elf_bad(in, (uint64_t)(s->data ? s->data - in->at : 0), "the table of symbols is damaged");
    uint64_t n = s->size_b / sizeof(struct elf_symbol);
    for (uint64_t i = 0; i < n; i++) {
        struct elf_symbol e;
        memcpy(&e, s->data + i * sizeof e, sizeof e);
        uint64_t place = (uint64_t)(s->data - in->at) + i * sizeof e;
        const char *name = string_at(&c->sections.at[s->link], e.name);
        bool special = e.section >= 0xff00; /* absolute, common */
        if (!name)
            return elf_bad(in, place, "symbol %llu has no name", (unsigned long long)i);
        if (e.section >= c->sections.n && !special)
            return elf_bad(in, place, "symbol '%.80s' is in section %u of %u", name, e.section,
                           c->sections.n);
        const struct cubin_section *home = special ? NULL : &c->sections.at[e.section];
        if (e.section && home && (e.value > home->size_b || e.size_b > home->size_b - e.value))
            return elf_bad(in, place, "symbol '%.80s': %llu bytes at %llu of a section of %llu", name,
                           (unsigned long long)e.size_b, (unsigned long long)e.value,
                           (unsigned long long)home->size_b);
        vec_push(&c->symbols, (struct cubin_symbol){.name = name,
                                                    .value = e.value,
                                                    .size_b = e.size_b,
                                                    .section = special ? 0 : e.section,
                                                    .type = e.info & 15,
                                                    .bind = e.info >> 4,
                                                    .other = e.other});
    }
    return true;
}

static bool read_relocs_of(struct elf_in *in, struct cubin *c, const struct cubin_section *s)
{
    bool has_addend = s->type == SHT_RELA;
    size_t size = has_addend ? sizeof(struct elf_reloc) : offsetof(struct elf_reloc, addend);
    uint64_t base = (uint64_t)(s->data - in->at);
    if (s->info >= c->sections.n)
        return elf_bad(in, base, "%s belongs to section %u of %u", s->name, s->info, c->sections.n);
    if (s->size_b % size)
        return elf_bad(in, base, "%s: %llu bytes", s->name, (unsigned long long)s->size_b);
    const struct cubin_section *to = &c->sections.at[s->info];
    for (uint64_t at = 0; at < s->size_b; at += size) {
        struct elf_reloc e = {0};
        memcpy(&e, s->data + at, size);
        uint32_t symbol = (uint32_t)(e.info >> 32);
        if (symbol >= c->symbols.n)
            return elf_bad(in, base + at, "%s: symbol %u of %u", s->name, symbol, c->symbols.n);
        if (e.offset > to->size_b || to->size_b - e.offset < 4)
            return elf_bad(in, base + at, "%s: place %llu in a section of %llu bytes", s->name,
                           (unsigned long long)e.offset, (unsigned long long)to->size_b);
        vec_push(&c->relocs, (struct cubin_reloc){.section = s->info,
                                                  .symbol = symbol,
                                                  .type = (uint32_t)e.info,
                                                  .offset = e.offset,
                                                  .addend = e.addend});
    }
    return true;
}

static int by_place(const void *a, const void *b)
{
    const struct cubin_reloc *x = a, *y = b;
    if (x->section != y->section)
        return x->section < y->section ? -1 : 1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static bool read_relocs(struct elf_in *in, struct cubin *c)
{
    vec_each (&c->sections, s) {
        if ((s->type == SHT_REL || s->type == SHT_RELA) && !read_relocs_of(in, c, s))
            return false;
    }
    if (c->relocs.n)
        qsort(c->relocs.at, c->relocs.n, sizeof *c->relocs.at, by_place);
    return true;
}

static uint32_t section_of(struct cubin *c, const char *prefix, const char *kernel)
{
    return cubin_section_named(c, arena_printf(&c->arena, "%s%s", prefix, kernel));
}

static void find_banks(struct cubin *c, struct cubin_kernel *k)
{
    for (uint32_t bank = 0; bank < CUBIN_BANKS; bank++) {
        char prefix[] = ".nv.constant0.";
        prefix[12] = (char)('0' + bank);
        k->bank[bank] = section_of(c, prefix, k->name);
        prefix[13] = 0;
        if (!k->bank[bank])
            k->bank[bank] = cubin_section_named(c, prefix);
    }
}

static bool add_kernel(struct elf_in *in, struct cubin *c, uint32_t symbol)
{
    const struct cubin_symbol *s = &c->symbols.at[symbol];
    const struct cubin_section *text = &c->sections.at[s->section];
    struct cubin_kernel k = {.name = s->name, .symbol = symbol, .section = s->section};
    if (!text->data || !(text->flags & SHF_EXECINSTR) || s->value || text->size_b % 16)
        return elf_bad(in, 0, "kernel '%.80s': its section %s is not code in words of 16 bytes", s->name,
                       text->name);
    uint32_t shared = section_of(c, ".nv.shared.", s->name);
    k.static_shared_b = shared ? (uint32_t)c->sections.at[shared].size_b : 0;
    find_banks(c, &k);
    /* Before CUDA 13 the section of the code says these two as well. */
    if (c->abi < 8) {
        k.regs = text->info >> 24;
        k.barriers = text->flags >> 20 & 0x7f;
    }
    vec_push(&c->kernels, k);
    return true;
}

static bool read_kernels(struct elf_in *in, struct cubin *c)
{
    for (uint32_t i = 0; i < c->symbols.n; i++) {
        const struct cubin_symbol *s = &c->symbols.at[i];
        if (s->type == CUBIN_FUNC && s->other & STO_ENTRY && s->section && !add_kernel(in, c, i))
            return false;
    }
    uint32_t all = cubin_section_named(c, ".nv.info");
    if (all && c->sections.at[all].data && !cubin_info(in, c, all, NULL))
        return false;
    vec_each (&c->kernels, k) {
        uint32_t own = section_of(c, ".nv.info.", k->name);
        if (own && c->sections.at[own].data && !cubin_info(in, c, own, k))
            return false;
        const struct cubin_section *bank0 = &c->sections.at[k->bank[0]];
        if (k->bank[0] && (uint64_t)k->param_base + k->param_b > bank0->size_b)
            return elf_bad(in, 0, "kernel '%.80s': %u bytes of parameters at %u, but bank 0 has %llu",
                           k->name, k->param_b, k->param_base, (unsigned long long)bank0->size_b);
        vec_each (&k->params, p) {
            if (p->offset_b + p->size_b > k->param_b)
                return elf_bad(in, 0, "kernel '%.80s': parameter %u lies behind %u bytes of parameters",
                               k->name, p->ordinal, k->param_b);
        }
    }
    return true;
}

/* A note of the assembler: three words of head, "NVIDIA Corp", six words, then strings: object file, name, version, build,
 * options. The options name the architecture, with the letter of code that is for it alone. */
static void read_tool(struct cubin *c)
{
    uint32_t at = cubin_section_named(c, ".note.nv.tkinfo");
    const struct cubin_section *s = &c->sections.at[at];
    c->tool = "";
    if (!at || !s->data)
        return;
    for (uint64_t i = 24; i + 8 < s->size_b; i++) {
        const char *p = (const char *)s->data + i;
        if (memcmp(p, "release ", 8) == 0 && string_at(s, i))
            c->tool = p + 8;
        unsigned sm;
        char letter = 0, text[16] = {0};
        if (memcmp(p, "-arch sm", 8) == 0) {
            memcpy(text, p + 6, s->size_b - i - 6 < 15 ? s->size_b - i - 6 : 15);
            if (sscanf(text, "sm_%u%c", &sm, &letter) == 2 && sm == c->sm && (letter == 'a' || letter == 'f'))
                c->variant = letter;
        }
    }
}

static bool read_all(struct elf_in *in, struct cubin *c)
{
    struct elf_head h;
    if (!read_head(in, c, &h) || !read_sections(in, c, &h) || !read_symbols(in, c) || !read_relocs(in, c) ||
        !read_kernels(in, c))
        return false;
    read_tool(c);
    cubin_lines(c);
    return true;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the reader writes there */
struct cubin *cubin_read(const void *bytes, size_t n, char *why, size_t why_b)
{
    struct elf_in in = {.n = n, .why = why, .why_b = why_b};
    if (n > CUBIN_MAX_B) {
        elf_bad(&in, CUBIN_MAX_B, "a cubin of more than %d MiB", CUBIN_MAX_B >> 20);
        return NULL;
    }
    struct cubin *c = xcalloc(1, sizeof *c);
    unsigned char *copy = arena_alloc(&c->arena, n + 1);
    memcpy(copy, bytes, n);
    in.at = copy;
    if (read_all(&in, c))
        return c;
    cubin_free(c);
    return NULL;
}

void cubin_free(struct cubin *c)
{
    if (!c)
        return;
    vec_each (&c->kernels, k) {
        vec_free(&k->params);
        vec_free(&k->exits);
    }
    vec_free(&c->kernels);
    vec_free(&c->sections);
    vec_free(&c->symbols);
    vec_free(&c->relocs);
    vec_free(&c->files);
    vec_free(&c->lines);
    arena_free(&c->arena);
    free(c);
}

const struct cubin_kernel *cubin_kernel_named(const struct cubin *c, const char *name)
{
    vec_each (&c->kernels, k) {
        if (strcmp(k->name, name) == 0)
            return k;
    }
    return NULL;
}

uint32_t cubin_section_named(const struct cubin *c, const char *name)
{
    for (uint32_t i = 1; i < c->sections.n; i++) {
        if (strcmp(c->sections.at[i].name, name) == 0)
            return i;
    }
    return 0;
}

const struct cubin_line *cubin_line_at(const struct cubin *c, uint32_t section, uint32_t offset)
{
    const struct cubin_line *best = NULL;
    uint32_t lo = 0, hi = c->lines.n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        const struct cubin_line *l = &c->lines.at[mid];
        if (l->section < section || (l->section == section && l->offset <= offset)) {
            best = l;
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return best && best->section == section && best->line ? best : NULL;
}
