/* SPDX-License-Identifier: Apache-2.0 */
/* The functional executor: runs linked kernels over 32-lane warps and decides what happens, never when.
 *
 * A device owns memory; a launch runs to its end in exec_launch. Results depend on the inputs only: CTAs run in launch order,
 * warps in id order, and control moves on at fixed points (barriers, waits, spinning, quantum), never by host time. Every access
 * is checked; an error stops the launch and tells kernel, CTA, warp, lane, line (of the source, or of the PTX) and address. */
#ifndef EXEC_EXEC_H
#define EXEC_EXEC_H

#include "ir/code.h"

struct exec_dev;
struct exec_module;
struct ptx_module;
struct diag;

struct exec_cfg {
    uint64_t mem_limit_b;    /* device memory; 0: 16 GiB */
    uint64_t max_warp_insts; /* per launch; 0: no bound */
    uint64_t heap_b;         /* device malloc; 0: 8 MiB */
    bool short_addr; /* device memory lies in one span of 4 GiB: code with 32-bit addresses (compile_opts) */
    const char *isa; /* NULL: best of this host; "plain", "avx2", "avx512", "neon", "sve" */
    FILE *out;       /* device printf; NULL: stdout */
    uint32_t nsm;    /* what %nsmid reports; 0: 132 */
};

struct exec_dev *exec_dev_new(const struct exec_cfg *cfg); /* NULL: isa not available here */
void exec_dev_free(struct exec_dev *d);
const char *exec_isa(const struct exec_dev *d);
/* Names of the variants this host can run, NULL-terminated. */
const char *const *exec_isa_list(void);

/* The size of device malloc's heap; false: less than is in use. */
bool exec_set_heap(struct exec_dev *d, uint64_t heap_b);

/* Memory. Device addresses are the same in every run of the same program. 0: out of memory. */
uint64_t exec_alloc(struct exec_dev *d, uint64_t size_b);
bool exec_free(struct exec_dev *d, uint64_t addr);
/* Maps host memory at its own address (managed and mapped memory). */
bool exec_map(struct exec_dev *d, void *host, uint64_t size_b);
bool exec_unmap(struct exec_dev *d, void *host);
/* A host pointer to [addr, addr + size), or NULL if not inside one allocation. */
void *exec_ptr(struct exec_dev *d, uint64_t addr, uint64_t size_b);

/* A module's .global and .const variables placed and initialised. m must outlive it. */
struct exec_module *exec_module_load(struct exec_dev *d, const struct ptx_module *m, struct diag *diag);
/* The same of a cubin, which must outlive it (sass/cubin.h). */
struct cubin;
struct exec_module *exec_module_load_cubin(struct exec_dev *d, struct cubin *c, struct diag *diag);
/* A kernel of such a module as code that can be launched. NULL: why says which instruction is not known, or what else is
 * wrong. */
struct code *exec_module_translate(struct exec_module *m, const char *name, char *why, size_t why_b);
void exec_module_free(struct exec_module *m);
/* Device address of a variable, for one in .const in the constant window; 0: there is none. */
uint64_t exec_module_var(const struct exec_module *m, const char *name, uint64_t *size_b);
/* Has it a variable of that name? What it is, if it has. */
bool exec_module_has(const struct exec_module *m, const char *name, uint64_t *size_b, bool *constant,
                     bool *texture);
uint32_t exec_module_const_b(const struct exec_module *m); /* bytes of its constants, together */
bool exec_module_const_write(struct exec_module *m, const char *name, uint64_t off, const void *src,
                             uint64_t n);
bool exec_module_const_read(const struct exec_module *m, const char *name, uint64_t off, void *dst,
                            uint64_t n);

/* Host memory of a variable for as long as the module lives, or NULL. */
void *exec_module_host(const struct exec_module *m, const char *name);
/* Moves a .global variable to other memory of the device (exec_map: managed variables), with its contents. Before the
 * first launch. False: no such variable, or no such memory. */
bool exec_module_place(struct exec_module *m, const char *name, uint64_t addr);

/* Textures and surfaces (exec/tex/tex.h makes the descriptors); a handle is what kernels receive in a 64-bit parameter. */
struct exec_tex;
uint64_t exec_tex_create(struct exec_dev *d, const struct exec_tex *t); /* 0: bad descriptor */
void exec_tex_destroy(struct exec_dev *d, uint64_t handle);
/* Binds a .texref variable of the module. */
bool exec_module_bind_tex(struct exec_module *m, const char *name, uint64_t handle);

enum exec_status {
    EXEC_OK,
    EXEC_BAD_LAUNCH,  /* grid, block or shared memory out of range, wrong parameter size */
    EXEC_BAD_ADDRESS, /* outside every allocation, or the space's bounds */
    EXEC_MISALIGNED,
    EXEC_TRAP,
    EXEC_ASSERT,
    EXEC_DEADLOCK, /* every warp waits; the message says for what */
    EXEC_LIMIT,    /* max_warp_insts reached */
    EXEC_ILLEGAL,  /* operands that hardware refuses as an illegal instruction */
    EXEC_BAD_CODE, /* indirect branch out of range, unbound texture, stack overflow, ... */
};

struct exec_error {
    enum exec_status status;
    char kernel[128];
    uint32_t cta[3], warp, lane, line; /* UINT32_MAX where it does not apply */
    uint64_t addr;
    char text[512]; /* whole message, one line unless a table of waiting warps follows */
};

struct exec_counts {
    uint64_t warp_insts, thread_insts, ctas;
};

/* What values toggle, by the kind of unit that a value passes: sources and results of arithmetic, sources of matrix
 * products, words that loads bring from shared and from other memory. flips over random: 0 where every lane has the same
 * value again and again, 1 where numbers of like size are random. Only of launches with an observer. */
enum exec_value { EV_FLOAT, EV_INT, EV_TENSOR, EV_SHARED, EV_MEMORY, EV_REGS, EV_KINDS };
struct exec_values {
    uint64_t flips[EV_KINDS], random[EV_KINDS];
};
const char *exec_value_name(enum exec_value k);
void exec_values_start(struct exec_dev *d);                      /* from here on */
const struct exec_values *exec_values(const struct exec_dev *d); /* NULL: never started */

/* One executed warp instruction, as the observer sees it after its effects. Per warp in the order of execution. Everything
 * is valid during the call only.
 *
 * `active`: the lanes that executed it, those whose guard held; may be 0. An indirect branch or call with several targets
 * is executed once per target, each time by the lanes that go there; lanes of a collective that come at different times
 * execute it together, when the last one is there.
 *
 * addrs[i][lane]: byte addresses, for active lanes; NULL: no such set. Those of a first set that is `even` are not there: its
 * first active lane has `base`, and each lane `stride` more than the one before (exec_step_addr). The first set is in the space
 * `space`:
 *   GLOBAL  device addresses (also textures and surfaces: the texel of the footprint that comes first in filter order
 *           and is inside and has weight; 0: the lane touches none)
 *   SHARED  offsets in the CTA's shared memory, with 1 + the rank of a CTA of the cluster from bit 24 on where the address names
 *           one. Matrix loads and stores of less than 4 matrices: lanes that give no row address repeat those that do
 *           (lane % (8 * matrices))
 *   LOCAL   offsets in the thread's own local memory, 0 its lowest byte: lanes with the same offset are different memory
 *   CONST   offsets in the constant bank (LDC: the bank its `sub` names; generic: 3, or 0 for parameters)
 *   NONE    a generic access whose lanes are in different spaces: the generic addresses
 * The second set is that of LDGSTS only: shared offsets it writes to, while the first is global.
 * That of MBAR is what each lane brings or waits for: a count, bytes, or a parity (2: the wait ended without success).
 * Instructions that another unit executes for the warp have parameters in place of addresses: addrs[0][0], [1], ... BULK has
 * these and is told once for each lane: */
enum exec_bulk_param {
    BP_GLOBAL, /* address of the first byte; of a copy between CTAs, the shared address it comes from */
    BP_SHARED,
    BP_MBAR,               /* shared address; loads and copies between CTAs only */
    BP_ROW_B,              /* bytes in a row, as far as they are inside the tensor */
    BP_ROWS,               /* four times how many of them, and the distance between two */
    BP_CTAS = BP_ROWS + 8, /* mask of the ranks that receive it; 0: the one that BP_SHARED names */
    BP_BYTES,              /* that it reports to the object; also those outside of the tensor */
    BULK_PARAMS
};
/* BAR has parameters where its barrier or its count is in a register. */
enum exec_bar_param { BARP_ID, BARP_THREADS /* 0: all of the CTA */, BAR_PARAMS };
struct exec_step {
    /* These two change with each instruction and have no neighbours of their size: a processor that reads a pair of which it has
     * just written one half waits. */
    uint32_t at, active;
    /* Register r of lane l is regs[32 r + l]; rows are 128-byte aligned. What a barrier reduction gives is not there yet
     * unless this warp was the last to arrive. */
    const uint32_t *regs;
    uint32_t warp;
    /* Lanes that the warp has, exited ones included: all of them but in a last warp that is not full. */
    uint32_t exist;
    enum ir_space space;
    bool even;
    const uint64_t *addrs[2];
    uint64_t base, stride;
};

/* The address of an active lane in a set that is there. */
static inline uint64_t exec_step_addr(const struct exec_step *s, unsigned set, unsigned lane)
{
    return set || !s->even ? s->addrs[set][lane]
                           : s->base + s->stride * (lane - (unsigned)__builtin_ctz(s->active));
}

/* What a recorder sees. Any member may be NULL. CTAs that wait interleave: instructions belong to the CTA of the last
 * cta_switch, which also follows every cta_begin. CTAs of a launch that fails begin without an end. */
struct exec_obs {
    void *ctx;
    void (*cta_begin)(void *ctx, uint32_t cta, const uint32_t idx[3], uint32_t nwarps);
    void (*cta_switch)(void *ctx, uint32_t cta);
    void (*insn)(void *ctx, const struct exec_step *s);
    void (*cta_end)(void *ctx, uint32_t cta);
};

/* How far a launch has come: called now and then, a few times a second at least. */
typedef void exec_tick(void *ctx, const struct exec_counts *so_far, uint64_t nctas);

struct exec_launch {
    const struct code *code;
    struct exec_module *module;
    uint32_t grid[3], block[3];
    uint32_t cluster[3]; /* CTAs of a cluster; 0: as the kernel requires, or none */
    uint32_t dyn_shared_b;
    uint32_t stack_b;   /* a thread has at least so much, if it has a stack: functions that call themselves */
    const void *params; /* code->param_b bytes */
    size_t params_b;
    bool cooperative;
    const struct exec_obs *obs; /* or NULL */
    exec_tick *tick;            /* or NULL */
    void *tick_ctx;
};

/* The clusters that a launch has: 1, 1, 1 for none. */
void exec_launch_cluster(const struct exec_launch *l, uint32_t cluster[3]);
enum exec_status exec_launch(struct exec_dev *d, const struct exec_launch *l, struct exec_counts *counts,
                             struct exec_error *err);

#endif
