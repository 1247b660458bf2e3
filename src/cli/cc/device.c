/* SPDX-License-Identifier: Apache-2.0 */
/* The device pass: CUDA source to PTX, looked over on the way. */
#include "cli/cc/unit.h"

#include <errno.h>

/* Those of the back end, for CUDA source and for LLVM assembly. Addresses in shared, constant and local
 * memory have 32 bits, as nvcc's have: fewer instructions. */
static void add_back_end(struct cc *c, struct cc_words *v)
{
    cc_add(v, "-mllvm");
    cc_add(v, "-nvptx-short-ptr");
    cc_add(v, "-Xclang");
    cc_add(v, "-target-feature");
    cc_add(v, "-Xclang");
    cc_add(v, arena_printf(&c->job->arena, "+ptx%u", c->tool.ptx));
}

/* The options that decide about device code, for CUDA source. */
static struct cc_words device_words(struct cc *c, const struct cc_unit *u)
{
    struct cc_words v = cc_cuda_words(c);
    cc_add_rdc(c, &v, u);
    cc_add(&v, "--cuda-device-only");
    cc_add(&v, "-w"); /* the host pass sees the same text and warns */
    cc_add(&v, c->job->debug_device ? "-O0" : "-O3");
    if (c->job->debug_device) /* as nvcc, which then leaves -fmad=true without effect */
        cc_add(&v, "-ffp-contract=off");
    /* Lines change no instruction. Their files are named as the user did, and those of this installation
     * by their place in it: a trace is the same wherever the program was compiled. */
    cc_add(&v, "-gline-tables-only");
    if (u->to_callers)
        cc_add(&v, "-gno-inline-line-tables");
    cc_add(&v, "-fdebug-compilation-dir=.");
    cc_add(&v, arena_printf(&c->job->arena, "-fdebug-prefix-map=%s/=", c->home));
    cc_add(&v, "-fcuda-short-ptr");
    cc_add(&v, "-Xclang");
    cc_add(&v, "-mlink-builtin-bitcode");
    cc_add(&v, "-Xclang");
    cc_add(&v, cc_join(c, c->home, "/device.bc"));
    cc_add_all(&v, &c->job->device);
    add_back_end(c, &v);
    return v;
}

static void add_files(struct cc_words *v, const char *source, const char *output)
{
    cc_add(v, "-S");
    cc_add(v, source);
    cc_add(v, "-o");
    cc_add(v, output);
}

/* Settings of the optimiser are nvcc's, read off what nvcc 13 makes of loops of 1 to 24 loads and of 8 to 4,096 or an unknown
 * number of rounds. Loops whose rounds are known are unrolled whole up to about 850 of LLVM's instructions (clang: 300), or
 * else by a divisor of the rounds up to about 200 (clang: 75) and 32 copies. Others are unrolled by four (clang: by eight)
 * within the same limit, also where the number of rounds takes a division (clang: not). A loop whose result is a formula of
 * its rounds stays a loop (clang: the formula). One run of the optimiser has one bound for both kinds, so there are two runs:
 * the first leaves loops of known length that stay loops alone, the second the others. */
static const char *const unknown_rounds[] = {"-unroll-max-count=4", "-unroll-allow-partial=false", NULL};
static const char *const known_rounds[] = {"-unroll-max-count=32", "-unroll-runtime=false", NULL};

static void add_setting(struct cc_words *v, const char *setting)
{
    cc_add(v, "-mllvm");
    cc_add(v, setting);
}

/* Code for sm_80 and before keeps the settings that the stored figures of the suite were measured with. */
static bool optimise(struct cc *c, const char *ir, const char *const *loops, bool last, const char *to)
{
    static const char *const fixed[] = {
        "--target=nvptx64-nvidia-cuda", "-x", "ir", "-w", "-O3", "-Xclang", "-fcuda-short-ptr"};
    /* ... and of vectors: one that is loaded stays whole if some of its elements are not used. */
    static const char *const settings[] = {"-unroll-threshold=850", "-unroll-partial-threshold=200",
                                           "-scev-cheap-expansion-budget=100", "-replexitval=never",
                                           "-disable-vector-combine"};
    struct cc_words v = {0};
    cc_add(&v, c->tool.clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        add_setting(&v, settings[i]);
    if (c->job->sm >= CC_SM_DEFAULT) {
        /* A loop that ends at n >= limit keeps that comparison: where it is made one for equality, n is replaced by the limit
         * behind the loop, and loops with a second way out copy one of the two in every round. */
        add_setting(&v, "-disable-lftr");
        /* Two ways that do the same to different addresses stay two: one atomic on a chosen address is not one on a known one. */
        add_setting(&v, "-simplifycfg-sink-common=false");
        /* LLVM 17 and later put assembly that exits where nothing can be reached, and in front of that a switch asks for its
         * last case, too; in front of a trap it does not. */
        if (c->tool.major >= 17)
            add_setting(&v, "-trap-unreachable");
    }
    for (; *loops; loops++)
        add_setting(&v, *loops);
    cc_add(&v, cc_no_toolkit(c));
    cc_add(&v, arena_printf(&c->job->arena, "-march=sm_%s", cc_sm_name(c->job)));
    for (uint32_t i = 0; i + 1 < c->job->device.w.n; i++)
        if (strcmp(c->job->device.w.at[i], "-mllvm") == 0) {
            cc_add(&v, "-mllvm");
            cc_add(&v, c->job->device.w.at[++i]);
        }
    if (!last)
        cc_add(&v, "-emit-llvm");
    add_back_end(c, &v);
    add_files(&v, ir, to);
    return cc_command(c, &v);
}

/* Optimised and written as PTX. */
static bool finish_ir(struct cc *c, const char *ir, const char *ptx)
{
    const char *between = cc_join(c, ir, ".unrolled.ll"), *folded = between;
    if (!optimise(c, ir, unknown_rounds, false, between))
        return false;
    if (c->job->sm >= CC_SM_DEFAULT && !c->job->dry_run) {
        folded = cc_join(c, ir, ".folded.ll");
        if (!cc_fold_ir(between, folded) || !cc_walk_rows(folded))
            return false;
    }
    return optimise(c, folded, known_rounds, true, ptx);
}

static bool has_word(const struct cc_words *v, const char *word)
{
    for (uint32_t i = 0; i < v->w.n; i++)
        if (strcmp(v->w.at[i], word) == 0)
            return true;
    return false;
}

/* Code whose vectors are accessed as a whole (cc/ir.c), unless that leaves a variable in local memory which its members alone do
 * not: a vector of which parts of elements are used. */
static bool from_ir(struct cc *c, const struct cc_unit *u)
{
    const char *edited = cc_join(c, u->ir, ".edited.ll"), *other = cc_join(c, u->ptx, ".other");
    const struct cc_words *device = &c->job->device;
    /* Attributes as LLVM 16 writes them */
    bool dry = c->job->dry_run, wary = c->job->sm >= CC_SM_DEFAULT && c->tool.major >= 16;
    struct cc_ir wanted = {.whole = true,
                           .flush = has_word(device, "-fgpu-flush-denormals-to-zero"),
                           .wary = wary,
                           .roots = wary && !has_word(device, "-nvptx-prec-sqrtf32=0"),
                           .reciprocals = wary && !has_word(device, "-nvptx-prec-divf32=0") &&
                                          !has_word(device, "-nvptx-prec-divf32=1")};
    if (!dry && (cc_mark_constants(u->ir) < 0 || cc_edit_ir(u->ir, edited, &wanted) < 0))
        return false;
    if (!finish_ir(c, edited, u->ptx))
        return false;
    uint64_t local_b = dry ? 0 : cc_local_bytes(u->ptx);
    if (!local_b)
        return true;
    wanted.whole = false;
    if (cc_edit_ir(u->ir, edited, &wanted) < 0 || !finish_ir(c, edited, other))
        return false;
    if (cc_local_bytes(other) < local_b && rename(other, u->ptx) != 0) {
        cli_error("cannot write %s: %s", u->ptx, strerror(errno));
        return false;
    }
    remove(other);
    return true;
}

/* In two steps, with LLVM assembly between them; with -G in one. */
static bool device_code(struct cc *c, const struct cc_unit *u)
{
    struct cc_words v = device_words(c, u);
    bool whole = c->job->debug_device;
    if (c->job->stop != CC_TO_PTX || !cc_wants_deps(c->job))
        cc_precompile(c, &v);
    if (u->deps) {
        cc_add(&v, "-MD");
        cc_add(&v, "-MF");
        cc_add(&v, u->deps);
    } else if (c->job->stop == CC_TO_PTX) { /* else the host pass sees to that */
        if (!cc_add_deps(c, &v, u)) {
            vec_free(&v.w);
            return false;
        }
    }
    if (!whole) {
        cc_add(&v, "-Xclang");
        cc_add(&v, "-disable-llvm-passes");
        cc_add(&v, "-emit-llvm");
    }
    add_files(&v, u->source, whole ? u->ptx : u->ir);
    return cc_command(c, &v) && (whole || from_ir(c, u));
}

/* The kernels that have __cluster_dims__ (cc/cluster.c). */
static bool find_clusters(struct cc *c, const struct cc_unit *u, struct cc_clusters *to)
{
    struct arena *a = &c->job->arena;
    if (c->job->sm < CC_SM_CLUSTERS || (u->deps && !cc_names_clusters(a, u->deps, c->home)))
        return true;
    struct cc_words v = device_words(c, u);
    static const char *const fixed[] = {"-O0", "-Xclang", "-disable-llvm-passes", "-emit-llvm"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    add_files(&v, u->source, u->ir);
    return cc_command(c, &v) && cc_find_clusters(a, u->ir, to);
}

static bool finish_ptx(struct cc *c, const struct cc_unit *u)
{
    struct cc_clusters clusters = {0};
    bool ok = find_clusters(c, u, &clusters) && cc_finish_ptx(u->ptx, u->image, u->source, c->job, &clusters);
    vec_free(&clusters.of);
    return ok;
}

bool cc_device_pass(struct cc *c, const struct cc_unit *u)
{
    if (!device_code(c, u))
        return false;
    if (c->job->dry_run)
        return true;
    if (cc_has_foreign_lines(u->ptx)) {
        struct cc_unit again = *u;
        again.ptx = u->callers;
        again.to_callers = true;
        if (!device_code(c, &again) || !cc_take_caller_lines(u->ptx, u->callers))
            return false;
    }
    return finish_ptx(c, u);
}
