/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU replaying a trace, or the traces of several tenants: SMs, the memory system, and kernels in the order their streams
 * demand. One struct gpu is one run; several can live in a process. Same traces and configuration, same result, on any number of
 * threads: within a window as long as the interconnect's latency SMs and memory channels do not see each other, and between two
 * windows packets, CTAs and kernels are exchanged in a fixed order. */
#ifndef GPU_GPU_H
#define GPU_GPU_H

#include "energy/energy.h"

const char *share_name(uint32_t i); /* policies of the seam gpu/share; NULL after the last */

struct gpu_cfg {
#define OPT(name, type, ...) CONF_MEMBER_OPT(name, type)
#define NAME(name, ...) CONF_MEMBER_NAME(name)
#include "gpu/gpu.def"
#undef OPT
#undef NAME
};

/* Everything that can be configured, with the table over it. */
struct gpu_conf {
    struct conf conf;
    struct gpu_cfg gpu;
    struct sm_cfg sm;
    struct mem_cfg mem;
    struct lat_cfg lat, ii;
    struct unit_cfg unit;
    struct count_cfg count;
    struct energy_cfg energy;
};
void gpu_conf_init(struct gpu_conf *c);
/* Options that contradict each other. False after reporting the arithmetic. */
bool gpu_conf_check(const struct gpu_conf *c, struct diag *d);

struct gpu_kernel_result {
    uint32_t tenant, launch;
    uint32_t pass;              /* how often its tenant had begun again */
    uint64_t start, begin, end; /* cycles: its turn, its first CTA's start on an SM, its last CTA's end */
    uint64_t last;              /* ... its last CTA's start */
    uint64_t ctas, ended;       /* that were started, and came to their end; 0: an estimate */
    uint64_t resident;          /* cycles that these were on an SM, added up; with those that were cut */
};
static inline uint64_t gpu_kernel_cycles(const struct gpu_kernel_result *k) { return k->end - k->begin; }

/* What of a run is one tenant's. Over all tenants the counters add up to those of the run; cycles in which a scheduler had no
 * warp are nobody's. */
struct gpu_tenant_result {
    uint64_t cycles;        /* from the turn of its first launch to the end of its last */
    uint64_t kernel_cycles; /* of these: in which at least one of its launches is there */
    uint64_t sm[SM_STATS];  /* those of sm_count_tenant; the others are 0 */
    uint32_t passes;        /* times that it came to its end; more than one where it repeats */
    /* With gpu.most_cyc: its thread instructions up to the first end of a window at or after each multiple of GPU_PROGRESS_CYC,
     * so that runs of different lengths can be compared up to the same instruction. */
    VEC(uint64_t) progress;
};
enum { GPU_PROGRESS_CYC = 8192 };

enum sample_stat {
#define STAT(name, unit, help) SAM_##name,
#include "gpu/sample/sample.def"
#undef STAT
    SAM_COUNT
};

struct gpu_result {
    uint64_t cycles;        /* from the first launch's turn to the last one's end */
    uint64_t kernel_cycles; /* of these: in which at least one launch is between its begin and its end */
    uint64_t sm[SM_STATS], mem[MS_COUNT];
    uint64_t sample[SAM_COUNT]; /* all 0 unless it is an estimate */
    uint64_t *arrays[SA_COUNT]; /* sm_array_n entries; by_sm: that many for each SM */
    VEC(struct gpu_kernel_result) kernels;
    VEC(struct gpu_tenant_result) tenants;
    bool cut;         /* by gpu.insts or gpu.most_cyc: launches that ran have ended there */
    double seconds;   /* of host time */
    uint32_t threads; /* of the host; no more than there is work for */
    uint64_t shared;  /* times that they were called together; the simulated machine does not depend on it */
    struct sm_checked checked; /* all 0 unless the run was to check */
};

enum gpu_status { GPU_OK, GPU_REFUSED, GPU_DEADLOCK };

enum { GPU_TENANTS = 8 };

/* Counters up to cycle `at`, over all SMs and channels. */
struct gpu_sample {
    uint64_t at;
    uint64_t sm[SM_STATS], mem[MS_COUNT];
    uint64_t thread_insts[GPU_TENANTS]; /* by tenant, of the first ones */
};

/* Someone who watches a run. SMs tell their own observers while they run, perhaps in parallel; everything here is called between
 * windows. */
struct gpu_observer {
    void *ctx;
    bool any_order;      /* it adds up what SMs tell and takes no samples: they may run ahead of a window */
    uint32_t sample_cyc; /* samples: the first end of a window at or after each multiple of this */
    const struct sm_observer *(*sm)(void *ctx, uint32_t sm);      /* NULL: that SM is not watched */
    void (*kernel)(void *ctx, const struct gpu_kernel_result *k); /* it has ended, or the run has */
    void (*window)(void *ctx, uint64_t until);                    /* every SM has run up to this cycle */
    void (*sample)(void *ctx, const struct gpu_sample *s);
};

struct share_ops;
struct tenant_ops;

struct gpu_opts {
    uint32_t threads; /* 0: 1 */
    bool check;
    void (*progress)(void *ctx, uint64_t done, uint64_t of); /* warp instructions; or NULL */
    void *ctx;
    const struct gpu_observer *watch; /* NULL: nobody */
    /* Policies of the caller's own; NULL: those that gpu.share and sm.tenant name. */
    const struct share_ops *share;
    const struct tenant_ops *tenant;
};

struct gpu_excerpt;

/* One of the programs that have the GPU together. Each has launches and an address space of its own. */
struct gpu_tenant {
    struct tr_reader *trace;
    const struct gpu_excerpt *only; /* NULL: all of it (gpu/excerpt.h) */
    /* After its last launch it begins again, as long as there are others; what the host copied is not copied again. */
    bool repeats;
};
/* The run ends with the last launch of all of them that do not repeat, or earlier (gpu.insts, gpu.most_cyc). One tenant is
 * gpu_run; with gpu.sample it is estimated (gpu/sample/sample.h). */
enum gpu_status gpu_corun(const struct gpu_conf *c, const struct gpu_tenant *tenants, uint32_t n,
                          const struct gpu_opts *o, struct gpu_result *out, struct diag *d);
enum gpu_status gpu_run(const struct gpu_conf *c, struct tr_reader *trace, const struct gpu_opts *o,
                        struct gpu_result *out, struct diag *d);
void gpu_result_free(struct gpu_result *r);
/* All tables of counters, NULL after the last; *values: those of a result, where both are given. */
const struct stat_table *gpu_stats(uint32_t i, const struct gpu_result *r, const uint64_t **values);
double gpu_ipc(const struct gpu_result *r);                         /* warp instructions per kernel cycle */
double gpu_tenant_ipc(const struct gpu_result *r, uint32_t tenant); /* ... of its own */
/* Fills in the cycles of the tenants from those of their launches. */
void gpu_tenant_cycles(struct gpu_result *r);
/* Coefficient of variation of the instructions that an SM's partitions issued (standard deviation over mean), the mean over the
 * SMs that issued any. 0: balanced. */
double gpu_issue_cov(const struct gpu_conf *c, const struct gpu_result *r);
/* What it cost. */
struct energy_machine gpu_machine(const struct gpu_conf *c);
void gpu_energy(const struct gpu_conf *c, const struct gpu_result *r, struct energy_out *out);
/* Of what happened between two samples: energy over seconds is power, by part. */
void gpu_energy_between(const struct gpu_conf *c, const struct gpu_sample *from, const struct gpu_sample *to,
                        struct energy_out *out);

#endif
