/* SPDX-License-Identifier: Apache-2.0 */
/* libbankshot-static.so: for programs that do not come to the stand-in by LD_LIBRARY_PATH; preloaded by bankshot record.
 *
 * A program that has NVIDIA's runtime linked into it (nvcc's default) calls no library that could be replaced. But it names its
 * functions: before any of its own code runs, each function of the runtime that its table of symbols has gets a jump to ours of
 * that name as its first instruction. Of NVIDIA's runtime nothing is executed then. What ours does not have becomes a call that
 * tells its name and fails. A stripped program has no such table and is left as it is: libcuda.so.1 says then why it
 * cannot run.
 *
 * A program with a DT_RPATH, which comes before LD_LIBRARY_PATH, may have loaded NVIDIA's libcudart.so: its functions get
 * the same jumps. Libraries that are loaded later (Python's, which have such paths) find the stand-in by its name, since all
 * of its versions are opened here first. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Machine code: a jump, whose target follows; a jump with the word at 16 as its first argument to the function at 24. */
#if defined __x86_64__
static const unsigned char jump_code[] = {0xff, 0x25, 0, 0, 0, 0};
static const unsigned char named_code[16] = {0x48, 0x8b, 0x3d, 9, 0, 0,    0,    0xff,
                                             0x25, 11,   0,    0, 0, 0x90, 0x90, 0x90};
#elif defined __aarch64__
static const uint32_t jump_code[] = {0x58000050, 0xd61f0200};
static const uint32_t named_code[4] = {0x58000080, 0x580000b0, 0xd61f0200, 0xd503201f};
#else
#error "no jump is known for this host"
#endif
enum { JUMP_B = sizeof jump_code + 8, NAMED_B = 32 };

/* A program or library in this process, mapped a second time as a file. */
struct object {
    const unsigned char *file;
    size_t file_b;
    uintptr_t base; /* where it was loaded */
    const ElfW(Sym) * symbols;
    size_t nsymbols;
    const char *names;
    size_t names_b;
};

struct taking {
    void *runtime; /* our library of the program's version */
    unsigned char *missing;
    size_t nmissing, room;
};

static int not_here(const char *name)
{
    enum { NOT_SUPPORTED = 801 }; /* cudaErrorNotSupported */
    fprintf(stderr, "bankshot: %s is not supported\n", name);
    return NOT_SUPPORTED;
}

static bool inside(const struct object *o, uint64_t at, uint64_t n)
{
    return at <= o->file_b && n <= o->file_b - at;
}

/* Finds the table of symbols: in a runtime library what it exports, in a program all names, and only where there is device
 * code. false: there is none. */
static bool find_symbols(struct object *o, bool library)
{
    ElfW(Ehdr) h;
    bool device = library;
    if (o->file_b < sizeof h)
        return false;
    memcpy(&h, o->file, sizeof h);
    if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 || h.e_shentsize != sizeof(ElfW(Shdr)) ||
        h.e_shstrndx >= h.e_shnum || h.e_shoff % 8 ||
        !inside(o, h.e_shoff, (uint64_t)h.e_shnum * sizeof(ElfW(Shdr))))
        return false;
    const ElfW(Shdr) *s = (const void *)(o->file + h.e_shoff), *names = &s[h.e_shstrndx];
    for (unsigned i = 0; i < h.e_shnum; i++) {
        static const char segment[] = ".nvFatBinSegment";
        uint64_t name = names->sh_offset + s[i].sh_name;
        if (inside(o, name, sizeof segment) && memcmp(o->file + name, segment, sizeof segment) == 0)
            device = true;
        if (s[i].sh_type != (library ? SHT_DYNSYM : SHT_SYMTAB) || s[i].sh_link >= h.e_shnum ||
            s[i].sh_offset % 8 || !inside(o, s[i].sh_offset, s[i].sh_size))
            continue;
        const ElfW(Shdr) *strings = &s[s[i].sh_link];
        if (!inside(o, strings->sh_offset, strings->sh_size) || !strings->sh_size ||
            o->file[strings->sh_offset + strings->sh_size - 1])
            continue;
        o->symbols = (const void *)(o->file + s[i].sh_offset);
        o->nsymbols = s[i].sh_size / sizeof *o->symbols;
        o->names = (const char *)o->file + strings->sh_offset;
        o->names_b = strings->sh_size;
    }
    return device && o->symbols;
}

/* The name of a function of the runtime that is defined there; NULL: something else. */
static const char *runtime_name(const struct object *o, const ElfW(Sym) * s)
{
    if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || s->st_shndx == SHN_UNDEF || s->st_name >= o->names_b)
        return NULL;
    const char *name = o->names + s->st_name;
    return strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0 ? name : NULL;
}

static bool defines(const struct object *o, const char *wanted)
{
    for (size_t i = 0; i < o->nsymbols; i++) {
        const char *name = runtime_name(o, &o->symbols[i]);
        if (name && strcmp(name, wanted) == 0)
            return true;
    }
    return false;
}

/* By what only one version has. */
static const char *library_of(const struct object *o)
{
    if (defines(o, "cudaMemGetMemPool"))
        return "libcudart.so.13";
    return defines(o, "cudaGetDeviceProperties_v2") ? "libcudart.so.12" : "libcudart.so.11.0";
}

static void put_jump(unsigned char *at, const void *target)
{
    memcpy(at, jump_code, sizeof jump_code);
    memcpy(at + sizeof jump_code, &target, sizeof target);
    __builtin___clear_cache((char *)at, (char *)at + JUMP_B);
}

/* Code that tells the name; NULL: no room. */
static void *missing(struct taking *t, const char *name)
{
    unsigned char *at = t->missing + t->nmissing * NAMED_B;
    int (*fn)(const char *) = not_here;
    char *kept = strdup(name);
    if (!kept || (t->nmissing + 1) * NAMED_B > t->room)
        return NULL;
    t->nmissing++;
    memcpy(at, named_code, sizeof named_code);
    memcpy(at + 16, &kept, sizeof kept);
    memcpy(at + 24, &fn, sizeof fn);
    return at;
}

/* Functions are 16 bytes apart, so that a jump fits into the shortest. Internal ones that ours lacks are called by nobody who
 * calls ours. */
static bool take_over(struct taking *t, const struct object *o)
{
    for (size_t i = 0; i < o->nsymbols; i++) {
        const char *name = runtime_name(o, &o->symbols[i]);
        uintptr_t at = o->base + o->symbols[i].st_value;
        if (!name || at % 16)
            continue;
        void *ours = dlsym(t->runtime, name);
        if (!ours && strncmp(name, "cuda", 4) == 0)
            ours = missing(t, name);
        if (!ours)
            continue;
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = at / page * page,
                  to = (at + JUMP_B + page - 1) / page * page;
        if (mprotect((void *)from, to - from, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            return false;
        put_jump((unsigned char *)at, ours);
        mprotect((void *)from, to - from, PROT_READ | PROT_EXEC);
    }
    return true;
}

/* The path of a file beside this library. */
static bool beside(char path[PATH_MAX], const char *name)
{
    Dl_info self;
    if (!dladdr((const void *)beside, &self) || !self.dli_fname)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    int n = snprintf(path, PATH_MAX, "%.*s%s", slash ? (int)(slash + 1 - self.dli_fname) : 0, self.dli_fname,
                     name);
    return n > 0 && n < PATH_MAX;
}

static void *open_library(const char *name, int scope)
{
    char path[PATH_MAX];
    void *h = beside(path, name) ? dlopen(path, RTLD_NOW | scope) : NULL;
    if (!h)
        fprintf(stderr, "bankshot: %s\n", dlerror());
    return h;
}

/* The same file may be named in other ways. */
static bool is_ours(const char *loaded)
{
    const char *slash = strrchr(loaded, '/');
    char path[PATH_MAX];
    struct stat a, b;
    return beside(path, slash ? slash + 1 : loaded) && stat(path, &a) == 0 && stat(loaded, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static void take(const struct object *o)
{
    struct taking t = {.runtime = open_library(library_of(o), RTLD_GLOBAL), .room = 1 << 16};
    t.missing = mmap(NULL, t.room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!t.runtime || t.missing == MAP_FAILED)
        return;
    if (!take_over(&t, o) || mprotect(t.missing, t.room, PROT_READ | PROT_EXEC) != 0)
        fprintf(stderr,
                "bankshot: the system does not let the CUDA runtime in the program be replaced: build the "
                "program with nvcc -cudart shared\n");
    __builtin___clear_cache((char *)t.missing, (char *)t.missing + t.room);
}

static int look_at(struct dl_phdr_info *info, size_t size, void *ctx)
{
    const char *path = info->dlpi_name && *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
    struct object o = {.base = info->dlpi_addr};
    struct stat st;
    (void)size, (void)ctx;
    bool library = strstr(path, "libcudart.so") != NULL;
    if (strstr(path, "libbankshot") || is_ours(path))
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0 && st.st_size > 0) {
        o.file_b = (size_t)st.st_size;
        o.file = mmap(NULL, o.file_b, PROT_READ, MAP_PRIVATE, fd, 0);
        if (o.file != MAP_FAILED) {
            if (find_symbols(&o, library) && defines(&o, "__cudaRegisterFatBinary"))
                take(&o);
            munmap((void *)(uintptr_t)o.file, o.file_b);
        }
    }
    close(fd);
    return 0;
}

/* Before the constructors of the program, which come after those of all libraries. */
__attribute__((constructor)) static void begin(void)
{
    static const char *const names[] = {"libcudart.so.11.0", "libcudart.so.12", "libcudart.so.13",
                                        "libcuda.so.1"};
    dl_iterate_phdr(look_at, NULL);
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        open_library(names[i], RTLD_LOCAL);
}
