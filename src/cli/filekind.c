/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "cli/filekind.h"

#include "trace/trace.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first and the last bytes of a file; in a short one they overlap. */
struct ends {
    char head[4096], tail[4096];
    size_t nhead, ntail;
};

static bool begins(const struct ends *e, const char *text)
{
    size_t n = strlen(text);
    return e->nhead >= n && memcmp(e->head, text, n) == 0;
}

static bool has(const struct ends *e, const char *text)
{
    return memmem(e->head, e->nhead, text, strlen(text)) || memmem(e->tail, e->ntail, text, strlen(text));
}

static bool is_trace(const struct ends *e) { return begins(e, TR_MAGIC); }
static bool is_database(const struct ends *e) { return begins(e, "SQLite format 3"); }

/* All answers begin with these members (src/cli/json.h). */
static bool is_answer(const struct ends *e)
{
    return begins(e, "{") && has(e, "\"schema\"") && has(e, "\"command\"") && has(e, "\"version\"");
}

static bool is_timeline(const struct ends *e)
{
    return begins(e, "{\"displayTimeUnit\"") && has(e, "core cycle");
}

static bool is_pipeline(const struct ends *e) { return begins(e, "Kanata\t") || is_answer(e); }

static bool is_profile(const struct ends *e)
{
    return begins(e, "kernel,insn,pc,") || begins(e, "program,kernel,insn,pc,");
}

static bool is_interval(const struct ends *e) { return begins(e, "from,to,ipc"); }
static bool is_compare(const struct ends *e) { return begins(e, "workload,size,"); }
static bool is_explore(const struct ends *e) { return begins(e, "point,gpu,mechs,options,state,"); }
static bool is_values(const struct ends *e) { return begins(e, "; How much values toggled "); }
static bool is_correlate(const struct ends *e) { return begins(e, "launch,kernel,\"cycles, GPU\""); }
static bool is_correlate_page(const struct ends *e)
{
    return begins(e, "<!doctype html>") && has(e, "bankshot correlate");
}
static bool is_claims(const struct ends *e) { return begins(e, "id,paper,measured,"); }
static bool is_page(const struct ends *e)
{
    return begins(e, "<!doctype html>") && has(e, "Bankshot results");
}

static bool is_repro_page(const struct ends *e)
{
    return begins(e, "<!doctype html>") && has(e, "<title>Reproduction</title>");
}

static bool is_repro_text(const struct ends *e)
{
    return begins(e, "# Reproduction\n\nMade by `bankshot repro`");
}

/* As gnuplot writes them: cairo names itself at the end of a PDF. */
static bool is_figure(const struct ends *e)
{
    return (begins(e, "%PDF-") && has(e, "cairo")) || (begins(e, "<?xml") && has(e, "Gnuplot")) ||
           begins(e, "name,");
}

static bool is_figure_data(const struct ends *e) { return begins(e, "# "); }

static bool is_elf(const struct ends *e, bool object)
{
    enum { E_TYPE = 16, ET_REL = 1, ET_EXEC = 2, ET_DYN = 3, EHDR_B = 64 }; /* as elf.h has them */
    if (!begins(e, "\177ELF") || e->nhead < EHDR_B)
        return false;
    uint16_t type;
    memcpy(&type, e->head + E_TYPE, sizeof type);
    return object ? type == ET_REL : type == ET_EXEC || type == ET_DYN;
}

static bool is_program(const struct ends *e) { return is_elf(e, false); }
static bool is_object(const struct ends *e) { return is_elf(e, true); }
static bool is_library(const struct ends *e) { return begins(e, "!<arch>\n"); }
static bool is_ptx(const struct ends *e) { return has(e, ".version ") && has(e, ".target "); }

/* A rule of make: names of files, a colon and a blank. */
static bool is_rules(const struct ends *e)
{
    size_t n = 0;
    while (n < e->nhead && !strchr(":\n#\"'();{}<>=", e->head[n]))
        n++;
    return n && n + 1 < e->nhead && e->head[n] == ':' && strchr(" \\\n", e->head[n + 1]);
}

/* -M and -E write to the same place. */
static bool is_preprocessed(const struct ends *e) { return begins(e, "# 1 \"") || is_rules(e); }

/* With our header lines: what was recorded on a GPU is not made again so easily. */
static bool is_accelsim(const struct ends *e) { return begins(e, "-kernel name = ") && has(e, "-bankshot "); }

static bool is_accelsim_list(const struct ends *e)
{
    return begins(e, "kernel-") || begins(e, "Memcpy") || begins(e, "Memset");
}

#define ROW(id, test, text) [FILE_##id] = {.name = #id, .what = text, .is = test},
static const struct {
    const char *name, *what;
    bool (*is)(const struct ends *e);
} kinds[FILE_NKINDS] = {FILE_KINDS(ROW)};

const char *file_kind_what(enum file_kind k) { return kinds[k].what; }
const char *file_kind_name(enum file_kind k) { return kinds[k].name; }

bool file_is_kind(const char *path, enum file_kind k)
{
    struct ends e = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    bool read = fd >= 0 && fstat(fd, &st) == 0;
    if (read) {
        off_t tail = st.st_size > (off_t)sizeof e.tail ? st.st_size - (off_t)sizeof e.tail : 0;
        ssize_t head = pread(fd, e.head, sizeof e.head, 0), last = pread(fd, e.tail, sizeof e.tail, tail);
        read = head >= 0 && last >= 0;
        e.nhead = read ? (size_t)head : 0;
        e.ntail = read ? (size_t)last : 0;
    }
    if (fd >= 0)
        close(fd);
    return read && (st.st_size == 0 || kinds[k].is(&e));
}
