/* SPDX-License-Identifier: Apache-2.0 */
/* libbankshot: replay a trace on a model of a GPU and read what was counted. docs/c-library.md is the guide.
 *
 *   struct bankshot_error e;
 *   struct bankshot_trace *t = bankshot_trace_open("app.bst", &e);
 *   struct bankshot_gpu *g = bankshot_gpu_new("volta", "rba", &e);
 *   struct bankshot_result *r = t && g ? bankshot_run(g, t, NULL, &e) : NULL;
 *   if (!r)
 *       fprintf(stderr, "%s\n", e.text);
 *
 * A function that can fail takes a bankshot_error, which may be NULL; it returns NULL or false and fills that in. Nothing is
 * printed. There is no state beside these objects: threads may use different ones at the same time. Every free takes NULL. Only
 * running out of memory ends the process. */
#ifndef BANKSHOT_H
#define BANKSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BANKSHOT_API __attribute__((visibility("default")))

/* Of this header. It grows when something in here changes so that programs and plug-ins must be compiled again. */
enum { BANKSHOT_ABI = 1 };

BANKSHOT_API const char *bankshot_version(void); /* of the library, "0.1.0" */
BANKSHOT_API uint32_t bankshot_abi(void);        /* BANKSHOT_ABI as it was when the library was built */

enum bankshot_status {
    BANKSHOT_OK,
    BANKSHOT_INPUT,   /* a file, a name, an option or a policy is wrong, or the GPU cannot run the program */
    BANKSHOT_DEADLOCK /* of the simulated machine */
};

struct bankshot_error {
    enum bankshot_status status;
    char text[2048]; /* one line or several, without a newline at the end */
};

/* ---- a trace: what bankshot record, bankshot exec --record and bankshot import write ---- */

struct bankshot_trace;
BANKSHOT_API struct bankshot_trace *bankshot_trace_open(const char *path, struct bankshot_error *e);
BANKSHOT_API void bankshot_trace_close(struct bankshot_trace *t);
BANKSHOT_API uint32_t bankshot_trace_launches(const struct bankshot_trace *t);
/* Name; NULL: no such launch */
BANKSHOT_API const char *bankshot_trace_kernel(const struct bankshot_trace *t, uint32_t launch);
BANKSHOT_API uint64_t bankshot_trace_warp_insts(const struct bankshot_trace *t);

/* ---- a GPU: a preset, mechanisms, options ---- */

struct bankshot_gpu;
/* gpu: a name of `bankshot list gpus`, or a file. mechs: names of `bankshot list mechs`, commas between; NULL: none. */
BANKSHOT_API struct bankshot_gpu *bankshot_gpu_new(const char *gpu, const char *mechs,
                                                   struct bankshot_error *e);
BANKSHOT_API void bankshot_gpu_free(struct bankshot_gpu *g);
/* "section.option=value", as `bankshot list options` has them. Options that contradict each other are found by bankshot_run. */
BANKSHOT_API bool bankshot_gpu_set(struct bankshot_gpu *g, const char *assignment, struct bankshot_error *e);
/* The value of an option as text, which lives as long as g; NULL: there is none of that name. */
BANKSHOT_API const char *bankshot_gpu_get(struct bankshot_gpu *g, const char *option);

/* ---- a warp scheduler of the caller's ---- */

/* What a scheduler sees. Bits are warp slots of its partition. */
struct bankshot_warps {
    uint64_t ready;      /* can issue now; never empty */
    const uint64_t *age; /* by slot, of those that are ready: smaller is older */
};

/* A policy. The table must live as long as the GPU that was given it. There is one state for each scheduler of each SM, all
 * bytes 0 before init; SMs run on several threads, so nothing else may be written to. */
struct bankshot_scheduler {
    uint32_t abi; /* BANKSHOT_ABI */
    const char *name, *help;
    size_t state_b;
    /* Slots are 0 to slots - 1; those of other schedulers of a partition are never ready for this one. May be NULL. */
    void (*init)(void *state, uint32_t slots);
    /* A slot of w->ready, or -1: issue nothing in this cycle. May be called once more in a cycle, with fewer of them ready. */
    int (*pick)(void *state, const struct bankshot_warps *w);
    void (*issued)(void *state, uint32_t slot); /* may be NULL */
};

/* Sets sm.wsched to the policy's name; another value that is set later takes it out again. */
BANKSHOT_API bool bankshot_gpu_scheduler(struct bankshot_gpu *g, const struct bankshot_scheduler *s,
                                         struct bankshot_error *e);

/* A plug-in is a shared object with one symbol, which `bankshot run --plugin FILE.so` looks for:
 *
 *   const struct bankshot_scheduler bankshot_plugin = {.abi = BANKSHOT_ABI, .name = "mine", ...}; */
#define BANKSHOT_PLUGIN "bankshot_plugin"
extern BANKSHOT_API const struct bankshot_scheduler bankshot_plugin; /* the plug-in's; the library has none */

/* ---- a run ---- */

struct bankshot_run_opts {
    uint32_t threads; /* of the host; 0: one. The result does not depend on it */
    bool check;       /* that every operand is the one that the program's order says */
};

struct bankshot_result;
BANKSHOT_API struct bankshot_result *bankshot_run(struct bankshot_gpu *g, struct bankshot_trace *t,
                                                  const struct bankshot_run_opts *o,
                                                  struct bankshot_error *e);
BANKSHOT_API void bankshot_result_free(struct bankshot_result *r);
BANKSHOT_API uint64_t bankshot_cycles(const struct bankshot_result *r);        /* of the program */
BANKSHOT_API uint64_t bankshot_kernel_cycles(const struct bankshot_result *r); /* in which a kernel runs */
BANKSHOT_API double bankshot_energy_pj(const struct bankshot_result *r);
/* By its name in `bankshot list stats`. False: there is none, and *value stays. */
BANKSHOT_API bool bankshot_counter(const struct bankshot_result *r, const char *name, uint64_t *value);
/* Names of all counters, NULL after the last. */
BANKSHOT_API const char *bankshot_counter_name(const struct bankshot_result *r, uint32_t i);

#ifdef __cplusplus
}
#endif

#endif
