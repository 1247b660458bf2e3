/* SPDX-License-Identifier: Apache-2.0 */
/* The trace: what a program's kernels did, in one file (.bst). The executor's recorder and the importers write it,
 * annotation and timing read it; nothing in it depends on a timing model. docs/trace.md describes the bytes.
 *
 * A file is a chain of chunks: kernels (static code), launches, copies, and streams. A stream chunk is one zstd frame with
 * pieces of the warps' instruction streams: small CTAs share a chunk, a long CTA has several. Every chunk's checksum
 * covers its header, its payload and the checksum of the chunk before it, so that no byte can change and no chunk can be
 * moved, dropped or brought from elsewhere without being noticed. A file that was closed ends with an index; a file whose
 * writer died is read chunk by chunk up to its last whole CTA, and says that it is partial.
 *
 * A reader never holds more than the chunks that the open CTAs are in. */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/diag.h"
#include "trace/code/kernel.h"

/* The first bytes of the file. */
#define TR_MAGIC "\211BST"

enum { TR_LANES = 32, TR_WARPS = 32 /* of a CTA */, TR_CLUSTER_MAX = 16 /* CTAs */ };

/* How many lanes a mask has: mostly all, and not every host counts bits in an instruction. */
static inline uint32_t tr_lanes(uint32_t mask)
{
    return mask == UINT32_MAX ? TR_LANES : (uint32_t)__builtin_popcount(mask);
}

/* What a register write left in the 32 lanes of the register (thesis, section 4.5.3: the patterns RegLess compresses). */
enum tr_value {
    TV_OTHER,
    TV_CONST,   /* all lanes equal */
    TV_STRIDE1, /* lane i holds lane 0 + i */
    TV_STRIDE4, /* lane i holds lane 0 + 4 i */
    TV_HALF1,   /* each half warp is STRIDE1 from a base of its own */
    TV_HALF4,
    TV_COUNT
};

struct tr_info {
    const char *program; /* what ran, by names without folders: it is part of the identity */
    const char *maker;   /* "bankshot 0.1.0" */
    const char *command; /* the command line, or the folder of an import, as it was given; NULL: as program */
};

enum tr_launch_flags {
    TL_COOPERATIVE = 1,
    TL_REGION = 2,         /* made between cudaProfilerStart and cudaProfilerStop */
    TL_PRIORITY = 15 << 4, /* of its stream: larger ones first */
};

struct tr_launch {
    uint32_t kernel; /* index */
    uint32_t grid[3], block[3];
    uint32_t cluster[3]; /* CTAs of a cluster; 1, 1, 1 (for writers also 0): none */
    uint32_t dyn_shared_b;
    uint32_t flags;
    uint64_t stream;       /* 0: the default one */
    const uint32_t *after; /* launches that end before this one starts */
    uint32_t nafter;
};

/* CTAs of a cluster; 1: none. */
static inline uint32_t tr_cluster(const struct tr_launch *l)
{
    return l->cluster[0] ? l->cluster[0] * l->cluster[1] * l->cluster[2] : 1;
}

static inline uint32_t tr_priority(const struct tr_launch *l) { return (l->flags & TL_PRIORITY) >> 4; }

/* Copies and fills that touched device memory, in order with the launches. */
enum tr_copy_kind { TRC_TO_DEVICE, TRC_TO_HOST, TRC_ON_DEVICE, TRC_SET };
struct tr_copy {
    uint8_t kind;
    uint32_t before; /* the next launch, by number */
    uint64_t stream, addr, bytes;
};

/* ---- writing ---- */

struct tr_writer;

/* NULL after reporting why. The file is created or truncated; every chunk is one append. */
struct tr_writer *tr_create(const char *path, const struct tr_info *info, struct diag *d);
/* To an empty file that is open, which tr_close closes; the path is for messages. */
struct tr_writer *tr_create_at(int fd, const char *path, const struct tr_info *info);
/* Its index; k is copied. Between launches or inside one. */
uint32_t tr_add_kernel(struct tr_writer *w, const struct tr_kernel *k);
void tr_add_copy(struct tr_writer *w, const struct tr_copy *c);           /* `before` is filled in */
uint32_t tr_begin_launch(struct tr_writer *w, const struct tr_launch *l); /* its number */
/* CTAs of the launch that is open; several may be open at once, each has its own pieces. */
void tr_begin_cta(struct tr_writer *w, uint32_t cta);
/* One warp instruction. `mask`: lanes that executed it (may be 0). addrs[i]: addresses by lane of set i, valid for the lanes
 * of mask, insn.naddr sets; or addrs[0]: the parameters of an instruction that has these. `space` of the first set where the
 * static one is generic (SPACE_NONE: lanes differ, addresses are generic). values[i]: class of each word of the destinations
 * of kind TO_REG, in order (the first 16), where mask is not 0; NULL: all TV_OTHER. The order of warps is free; each warp's
 * own instructions come in order. */
void tr_insn(struct tr_writer *w, uint32_t cta, uint32_t warp, uint32_t at, uint32_t mask, uint8_t space,
             const uint64_t *const addrs[2], const uint8_t *values);
void tr_end_cta(struct tr_writer *w, uint32_t cta);
/* complete: false if the kernel failed on the way; CTAs still open are dropped, and make the launch incomplete. */
void tr_end_launch(struct tr_writer *w, bool complete);
/* The first failure to write is kept and reported here; nothing is written after it. A launch that is still open ends
 * incomplete. Frees w. */
bool tr_close(struct tr_writer *w, struct diag *d);
/* The program made a launch that cannot be in the trace, which is not whole then. */
void tr_miss_launch(struct tr_writer *w);
const char *tr_failed(const struct tr_writer *w); /* NULL, or why writing has stopped */

/* Several threads can encode launches at once, each with a helper of its own, which takes launches and CTAs as a writer does
 * and keeps what becomes of them: taken from it and appended to the writer in the order of the launches, it makes the same
 * file. A helper knows the kernels that the writer has when it is made, and no more may be added while there are helpers. */
struct tr_part;
struct tr_writer *tr_helper(const struct tr_writer *of);
/* The number of the launch that it begins next */
void tr_helper_at(struct tr_writer *helper, uint32_t launch);
size_t tr_held_b(const struct tr_writer *helper);
struct tr_part *tr_take(struct tr_writer *helper);      /* what it holds, at any time */
void tr_append(struct tr_writer *w, struct tr_part *p); /* frees p */
void tr_part_free(struct tr_part *p);
void tr_helper_free(struct tr_writer *helper);

/* ---- reading ---- */

struct tr_reader;

/* NULL after reporting file, offset and reason. */
struct tr_reader *tr_open(const char *path, struct diag *d);
void tr_free(struct tr_reader *r);

struct tr_launch_info {
    struct tr_launch l;
    uint32_t nwarps;                   /* per CTA */
    uint64_t nctas;                    /* of the grid */
    uint64_t recorded;                 /* CTAs that are whole in the file; CTA ids are those of tr_has_cta */
    uint64_t warp_insts, thread_insts; /* of the recorded CTAs */
    bool complete;
};

const struct tr_info *tr_info(const struct tr_reader *r);
bool tr_closed(const struct tr_reader *r);      /* the writer got to the end */
uint64_t tr_missing(const struct tr_reader *r); /* launches that were made and could not be recorded */
uint32_t tr_nwhole(const struct tr_reader *r);  /* launches that have all their CTAs */
/* Not all of what the program did: it is not closed, launches are missing, or some are not complete. */
bool tr_partial(const struct tr_reader *r);
uint32_t tr_nkernels(const struct tr_reader *r);
const struct tr_kernel *tr_kernel(const struct tr_reader *r, uint32_t i);
uint32_t tr_nlaunches(const struct tr_reader *r);
const struct tr_launch_info *tr_launch(const struct tr_reader *r, uint32_t i);
uint32_t tr_ncopies(const struct tr_reader *r);
const struct tr_copy *tr_copy(const struct tr_reader *r, uint32_t i);
bool tr_has_cta(const struct tr_reader *r, uint32_t launch, uint32_t cta);
/* The first CTA that is whole in the file, `from` or after it; a grid may have billions that are not. False: none. */
bool tr_cta_from(const struct tr_reader *r, uint32_t launch, uint32_t from, uint32_t *cta);
uint64_t tr_file_bytes(const struct tr_reader *r);
/* Identity of the content: code, launches, streams, names and arguments. It does not depend on folders. */
uint64_t tr_identity(const struct tr_reader *r);

/* How the active lanes' addresses of one access are given. */
enum tr_form {
    TF_NONE,
    TF_STRIDE, /* base + stride * (lane - first active lane); stride 0: all the same */
    TF_GROUPS, /* lanes in groups of 2^log2: base + jump * group + stride * (lane in group), lane 0 of the warp at base */
    TF_LIST, /* anything else */
};
struct tr_addr {
    uint8_t form;
    uint8_t log2;   /* GROUPS: 1 to 4; LIST: bytes per lane in `list` */
    uint8_t space;  /* enum ir_space: the static one, or for generic instructions what it was this time */
    uint64_t base;  /* the first active lane's address; GROUPS: lane 0's, active or not */
    int64_t stride; /* LIST: bits that `list` leaves out */
    int64_t jump;   /* GROUPS */
    const uint8_t *list; /* LIST: encoded; tr_expand reads it. Valid until the warp's next tr_next */
};

/* One warp instruction as it comes back. tr_next writes what is there and leaves the rest as it was: with mask 0 there are no
 * addresses and no classes; otherwise addr[i] is set for i < naddr of the static instruction (its form is never NONE), or
 * addr[0] has its parameters (tr_params), and values[] is set for as many words as its destinations of kind TO_REG have
 * together (16 at most). */
struct tr_step {
    uint32_t at, mask;
    struct tr_addr addr[2];
    uint8_t values[TR_DSTS * 4]; /* enum tr_value, by destination register word */
};

/* Instructions that follow each other in the code as in the stream. */
struct tr_run {
    uint32_t at, n;       /* the first one, how many */
    uint32_t mask, lanes; /* lanes: those of the mask, counted */
};

/* All streams of one CTA. Loading reads and checks what is needed; NULL after reporting. One reader may have many CTAs
 * open. Opening, reading and closing CTAs, and the questions above, may come from any number of threads; one CTA belongs to
 * one thread at a time. Warps of a CTA may be read in any order; it is cheapest when they go through it together. */
struct tr_cta;
/* Is there something that will be needed next and can be read ahead, and doing so: any thread that has nothing better to do. */
bool tr_wants_ahead(const struct tr_reader *r);
void tr_read_ahead(struct tr_reader *r);
struct tr_cta *tr_open_cta(struct tr_reader *r, uint32_t launch, uint32_t cta, struct diag *d);
/* Only the beginning of its warps' streams is wanted: this share (above 0, at most 1) of every piece, one instruction at least.
 * The rest is not there for tr_next, and not decoded. Before the first tr_next. */
void tr_cut_cta(struct tr_cta *c, double share);
/* How many instructions the stream of each of its warps has. False: a chunk cannot be read, which tr_next will tell. */
bool tr_count_cta(struct tr_cta *c, uint64_t *insts);
/* From here on nobody looks at the classes of what its warps write (tr_step.values): they are not decoded, nor is it seen whether
 * they are damaged. */
void tr_drop_values(struct tr_cta *c);
/* The same CTA once more, from its beginning, cut as it is. */
struct tr_cta *tr_open_again(const struct tr_cta *c, struct diag *d);
void tr_close_cta(struct tr_cta *c);
enum tr_status { TR_STEP, TR_END, TR_BAD };
/* The next instruction of a warp. TR_BAD: the stream is damaged (cannot happen for a file that passed its checksums and was
 * written by tr_writer; a crafted file gets here); tr_cta_error tells why. */
enum tr_status tr_next(struct tr_cta *c, uint32_t warp, struct tr_step *s);
const char *tr_cta_error(const struct tr_cta *c);
/* After tr_drop_values, in place of tr_next: up to `most` runs of the warp's next instructions. Returns how many; 0: what comes
 * next only tr_next can tell, before which the following one must have been called for all instructions of the runs so far. */
uint32_t tr_next_runs(struct tr_cta *c, uint32_t warp, uint32_t most, struct tr_run *to);
/* There are no more runs, nor anything else, as far as is known before the data were read: when that was done tr_next gives
 * TR_END, or TR_BAD. */
bool tr_runs_over(const struct tr_cta *c, uint32_t warp);
/* The addresses or parameters of an instruction of such runs, whatever others have been given since: the next one that has some,
 * and whose mask is not 0. False: the stream is damaged, as tr_next will say too. */
bool tr_next_data(struct tr_cta *c, uint32_t warp, uint32_t at, uint32_t mask, struct tr_step *s);
/* out[lane] for the lanes of the step's mask (which must be that of the step); the other lanes' are anything. */
void tr_expand(const struct tr_addr *a, uint32_t mask, uint64_t out[TR_LANES]);
/* The parameters of a step of an instruction that has some: the first nparam of out. */
static inline void tr_params(const struct tr_insn *i, const struct tr_step *s, uint64_t out[TR_LANES])
{
    tr_expand(&s->addr[0], (1u << i->nparam) - 1, out);
}

#endif
