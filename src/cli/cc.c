/* bankshot cc: CUDA programs to executables, with Debian's clang, the headers of this project and its
 * runtime library. Each .cu file is compiled twice, as in nvcc: its device code to PTX, then its host code
 * with that PTX inside. */
#include "cli/cc/cc.h"
#include "cli/resource.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static const char story[] =
    "Compiles and links CUDA C++ (.cu) with C and C++ files, objects and libraries, without a CUDA toolkit:\n"
    "clang compiles (clang-19 where it is; $BANKSHOT_CLANG names another) with Bankshot's own CUDA headers,\n"
    "and the program is linked with Bankshot's runtime: ./APP runs at once, `bankshot record` traces it.\n"
    "Options are those of nvcc, as -name or --name, with a value as =VALUE or as the next word. -W, -f\n"
    "and -m options go to the host compilation (-fopenmp too, -Xcompiler or not). What concerns only\n"
    "NVIDIA's assembler and linker is accepted and has no effect. For build systems there is bin/nvcc in\n"
    "lib/bankshot, which is this command, and for CMake bankshot.cmake, a toolchain file.\n";

struct cc {
    struct cc_job *job;
    struct cc_tool tool;
    const char *home, *tmp;
    sigset_t mask; /* of signals, before this command */
    int stopped;   /* the signal that ended a command, 0: none */
};

/* One source file on its way. */
struct unit {
    const char *source;
    enum cc_lang lang;
    const char *ir, *ptx, *callers, *object;
    const char *assembly; /* of the host code, on its way to the object; NULL: not wanted */
    const char *deps;     /* the files it was made of; NULL: not asked for */
    bool to_callers;      /* lines of inlined functions are their callers' */
    const char *image;    /* the PTX as the host code has it; NULL: not wanted */
    const char *target;   /* what its dependencies are those of */
};

static void add_all(struct cc_words *to, const struct cc_words *from)
{
    vec_each (&from->w, p)
        cc_add(to, *p);
}

/* Runs one command of the compiler, whose own messages say what is wrong. */
static bool run_command(struct cc *c, struct cc_words *v)
{
    if (c->job->dry_run || c->job->verbose)
        cc_print_command(v);
    int status = 0;
    if (!c->job->dry_run) {
        cc_add(v, NULL);
        status = cc_run((char *const *)v->w.at, &c->mask, &c->stopped);
        if (status >= 128 && !c->stopped)
            cli_error("%s was ended by signal %d", v->w.at[0], status - 128);
    }
    vec_free(&v->w);
    return status == 0 && !c->stopped;
}

static const char *join(struct cc *c, const char *a, const char *b)
{
    return arena_printf(&c->job->arena, "%s%s", a, b);
}

/* dir/file.cu -> file, as nvcc names what it makes. */
static const char *stem(struct cc *c, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    return arena_strndup(&c->job->arena, name, dot && dot != name ? (size_t)(dot - name) : strlen(name));
}

static void add_std(struct cc *c, struct cc_words *v, bool cxx)
{
    const char *std = c->job->std;
    if (std && cxx == (strncmp(std, "c++", 3) == 0 || strncmp(std, "gnu++", 5) == 0))
        cc_add(v, join(c, "-std=", std));
}

/* A folder in which clang finds no toolkit: one that is installed shall have no say, nor our own, which looks
 * like one to build systems. */
static const char *no_toolkit(struct cc *c)
{
    return arena_printf(&c->job->arena, "--cuda-path=%s/include", c->home);
}

/* What both passes of a .cu file have in common. The version only makes clang use the launch calls of CUDA 9.2
 * and later. */
static struct cc_words cuda_words(struct cc *c)
{
    struct cc_words v = {0};
    cc_add(&v, c->tool.clang);
    static const char *const fixed[] = {"-x",
                                        "cuda",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-Wno-unknown-cuda-version",
                                        "-Xclang",
                                        "-target-sdk-version=11.0"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    cc_add(&v, no_toolkit(c));
    cc_add(&v, arena_printf(&c->job->arena, "--cuda-gpu-arch=sm_%s", cc_sm_name(c->job)));
    cc_add(&v, "-isystem");
    cc_add(&v, join(c, c->home, "/include"));
    cc_add(&v, "-include");
    cc_add(&v, "cuda_runtime.h");
    add_std(c, &v, true);
    add_all(&v, &c->job->both);
    return v;
}

/* -rdc=true. The two passes must agree on a name for what a file keeps to itself but the host knows: one that no other has. */
static void add_rdc(struct cc *c, struct cc_words *v, const struct unit *u)
{
    uint64_t id = 14695981039346656037u; /* FNV-1a */
    if (!c->job->rdc)
        return;
    for (const char *p = join(c, u->source, u->target); *p; p++)
        id = (id ^ (unsigned char)*p) * 1099511628211u;
    cc_add(v, "-fgpu-rdc");
    cc_add(v, "-fuse-cuid=none"); /* the driver would only give its own to the device pass */
    cc_add(v, "-Xclang");
    cc_add(v, arena_printf(&c->job->arena, "-cuid=%016llx", (unsigned long long)id));
}

/* The options that decide about device code, for CUDA source. */
static struct cc_words device_words(struct cc *c, const struct unit *u)
{
    struct cc_words v = cuda_words(c);
    add_rdc(c, &v, u);
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
    cc_add(&v, join(c, c->home, "/device.bc"));
    add_all(&v, &c->job->device);
    return v;
}

/* Those of the back end, for CUDA source and for LLVM assembly. Addresses in shared, constant and local
 * memory have 32 bits, as nvcc's have: fewer instructions. */
static void add_back_end(struct cc *c, struct cc_words *v, const char *source, const char *output)
{
    cc_add(v, "-mllvm");
    cc_add(v, "-nvptx-short-ptr");
    cc_add(v, "-Xclang");
    cc_add(v, "-target-feature");
    cc_add(v, "-Xclang");
    cc_add(v, arena_printf(&c->job->arena, "+ptx%u", c->tool.ptx));
    cc_add(v, "-S");
    cc_add(v, source);
    cc_add(v, "-o");
    cc_add(v, output);
}

/* Copies of structures become wide ones (cc/ir.c), parameters that nobody writes stay where they are (cc/constant.c): the
 * optimised code as LLVM assembly, and from there to PTX. */
static bool edit_ir(struct cc *c, const struct unit *u)
{
    struct cc_words v = device_words(c, u);
    cc_add(&v, "-emit-llvm");
    add_back_end(c, &v, u->source, u->ir);
    if (!run_command(c, &v))
        return false;
    int copies = cc_widen_copies(u->ir), constants = copies >= 0 ? cc_mark_constants(u->ir) : -1;
    if (constants < 0 || copies + constants == 0)
        return constants == 0;
    v = (struct cc_words){0};
    static const char *const fixed[] = {"--target=nvptx64-nvidia-cuda",
                                        "-x",
                                        "ir",
                                        "-w",
                                        "-O3",
                                        "-Xclang",
                                        "-disable-llvm-passes",
                                        "-Xclang",
                                        "-fcuda-short-ptr"};
    cc_add(&v, c->tool.clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    cc_add(&v, no_toolkit(c));
    cc_add(&v, arena_printf(&c->job->arena, "-march=sm_%s", cc_sm_name(c->job)));
    bool fmad = true;
    for (uint32_t i = 0; i < c->job->device.w.n; i++) {
        const char *w = c->job->device.w.at[i];
        fmad = fmad && strcmp(w, "-ffp-contract=off") != 0;
        if (strcmp(w, "-mllvm") == 0 && i + 1 < c->job->device.w.n) {
            cc_add(&v, w);
            cc_add(&v, c->job->device.w.at[++i]);
        }
    }
    cc_add(&v, "-mllvm"); /* LLVM assembly does not say that CUDA joins multiplications and additions */
    cc_add(&v, fmad ? "-nvptx-fma-level=1" : "-nvptx-fma-level=0");
    add_back_end(c, &v, u->ir, u->ptx);
    return run_command(c, &v);
}

/* -MD: beside what is made, x.o gives x.d; the rule in it names that, not a temporary object. */
static void add_deps(struct cc *c, struct cc_words *v, const struct unit *u)
{
    const struct cc_job *j = c->job;
    add_all(v, &j->dep_words);
    if (j->deps) {
        const char *slash = strrchr(u->target, '/'), *dot = strrchr(slash ? slash : u->target, '.');
        int n = (int)(dot ? (size_t)(dot - u->target) : strlen(u->target));
        cc_add(v, j->deps);
        cc_add(v, "-MF");
        cc_add(v, j->dep_file ? j->dep_file : arena_printf(&c->job->arena, "%.*s.d", n, u->target));
        if (!j->dep_target) {
            cc_add(v, "-MT");
            cc_add(v, u->target);
        }
    } else if (j->dep_file) {
        cc_add(v, "-MF");
        cc_add(v, j->dep_file);
    }
}

static bool device_code(struct cc *c, const struct unit *u)
{
    struct cc_words v = device_words(c, u);
    if (u->deps) {
        cc_add(&v, "-MD");
        cc_add(&v, "-MF");
        cc_add(&v, u->deps);
    } else if (c->job->stop == CC_TO_PTX) { /* else the host pass sees to that */
        add_deps(c, &v, u);
    }
    add_back_end(c, &v, u->source, u->ptx);
    if (!run_command(c, &v))
        return false;
    return c->job->dry_run || c->job->debug_device || !cc_wants_edits(u->ptx) || edit_ir(c, u);
}

/* The kernels that have __cluster_dims__ (cc/cluster.c). */
static bool find_clusters(struct cc *c, const struct unit *u, struct cc_clusters *to)
{
    struct arena *a = &c->job->arena;
    if (c->job->sm < CC_SM_CLUSTERS || (u->deps && !cc_names_clusters(a, u->deps, c->home)))
        return true;
    struct cc_words v = device_words(c, u);
    static const char *const fixed[] = {"-O0", "-Xclang", "-disable-llvm-passes", "-emit-llvm"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    add_back_end(c, &v, u->source, u->ir);
    return run_command(c, &v) && cc_find_clusters(a, u->ir, to);
}

static bool finish_ptx(struct cc *c, const struct unit *u)
{
    struct cc_clusters clusters = {0};
    bool ok = find_clusters(c, u, &clusters) && cc_finish_ptx(u->ptx, u->image, u->source, c->job, &clusters);
    vec_free(&clusters.of);
    return ok;
}

static bool device_pass(struct cc *c, const struct unit *u)
{
    if (!device_code(c, u))
        return false;
    if (c->job->dry_run)
        return true;
    if (cc_has_foreign_lines(u->ptx)) {
        struct unit again = *u;
        again.ptx = u->callers;
        again.to_callers = true;
        if (!device_code(c, &again) || !cc_take_caller_lines(u->ptx, u->callers))
            return false;
    }
    return finish_ptx(c, u);
}

/* The rest of a host compilation: -c into the object, or text to where the user wants it. */
static bool host_pass(struct cc *c, struct cc_words *v, const struct unit *u)
{
    cc_add(v, c->job->opt ? c->job->opt : "-O2");
    cc_add(v, "-ffp-contract=off"); /* what the host computes does not depend on the host's machine */
    add_all(v, &c->job->host);
    add_deps(c, v, u);
    const char *to = c->job->stop == CC_TO_TEXT ? c->job->output : u->assembly ? u->assembly : u->object;
    if (c->job->stop != CC_TO_TEXT)
        cc_add(v, u->assembly ? "-S" : "-c");
    cc_add(v, u->source);
    if (to) {
        cc_add(v, "-o");
        cc_add(v, to);
    }
    return run_command(c, v);
}

/* -rdc=true: the object registers its device code with the runtime, which links it. */
static bool assemble(struct cc *c, const struct unit *u)
{
    struct cc_words v = {0};
    if (!c->job->dry_run && !cc_register_with_runtime(u->assembly))
        return false;
    cc_add(&v, c->tool.clang);
    cc_add(&v, "-c");
    cc_add(&v, u->assembly);
    cc_add(&v, "-o");
    cc_add(&v, u->object);
    return run_command(c, &v);
}

static bool compile_cuda(struct cc *c, const struct unit *u)
{
    struct cc_words v = {0};
    if (c->job->stop != CC_TO_TEXT && !device_pass(c, u))
        return false;
    if (c->job->stop == CC_TO_PTX)
        return true;
    v = cuda_words(c);
    add_rdc(c, &v, u);
    cc_add(&v, "--cuda-host-only");
    if (c->job->stop != CC_TO_TEXT) {
        cc_add(&v, "-Xclang");
        cc_add(&v, "-fcuda-include-gpubinary");
        cc_add(&v, "-Xclang");
        cc_add(&v, u->image);
    }
    return host_pass(c, &v, u) && (!u->assembly || assemble(c, u));
}

static bool compile_host(struct cc *c, const struct unit *u)
{
    struct cc_words v = {0};
    cc_add(&v, c->tool.clang);
    cc_add(&v, "-x");
    cc_add(&v, u->lang == CC_C ? "c" : "c++");
    cc_add(&v, "-isystem");
    cc_add(&v, join(c, c->home, "/include"));
    add_std(c, &v, u->lang == CC_CXX);
    add_all(&v, &c->job->both);
    return host_pass(c, &v, u);
}

/* What is made: -o, or a name in the folder of -odir. */
static const char *result(struct cc *c, const char *name)
{
    const struct cc_job *j = c->job;
    if (j->output)
        return j->output;
    return j->out_dir ? arena_printf(&c->job->arena, "%s/%s", j->out_dir, name) : name;
}

/* Where the results of source number n go: to the names that the user asked for, else to the temporary
 * folder. */
static struct unit plan_unit(struct cc *c, const struct cc_input *in, uint32_t n)
{
    struct cc_job *j = c->job;
    const char *base = stem(c, in->path);
    struct unit u = {.source = in->path, .lang = in->lang};
    u.object = arena_printf(&j->arena, "%s/%u-%s.o", c->tmp, n, base);
    u.ptx = arena_printf(&j->arena, "%s/%u-%s.ptx", c->tmp, n, base);
    u.image = j->stop == CC_TO_PTX ? NULL : arena_printf(&j->arena, "%s/%u-%s.image", c->tmp, n, base);
    u.callers = arena_printf(&j->arena, "%s/%u-%s.callers.ptx", c->tmp, n, base);
    u.ir = arena_printf(&j->arena, "%s/%u-%s.ll", c->tmp, n, base);
    if (j->rdc && in->lang == CC_CUDA && j->stop != CC_TO_TEXT)
        u.assembly = arena_printf(&j->arena, "%s/%u-%s.s", c->tmp, n, base);
    bool own_deps = j->stop == CC_TO_PTX && (j->deps || j->dep_file || j->dep_words.w.n);
    if (j->sm >= CC_SM_CLUSTERS && !own_deps)
        u.deps = arena_printf(&j->arena, "%s/%u-%s.d", c->tmp, n, base);
    u.target = result(c, "a.out");
    if (j->stop == CC_TO_OBJECT)
        u.target = u.object = result(c, join(c, base, ".o"));
    if (j->stop == CC_TO_PTX)
        u.target = u.ptx = result(c, join(c, base, ".ptx"));
    else if (j->keep)
        u.ptx = arena_printf(&j->arena, "%s%s%s.ptx", j->keep_dir ? j->keep_dir : "", j->keep_dir ? "/" : "",
                             base);
    return u;
}

static bool compile_all(struct cc *c)
{
    uint32_t n = 0;
    vec_each (&c->job->inputs, in) {
        if (in->lang == CC_LINK || (c->job->stop == CC_TO_PTX && in->lang != CC_CUDA))
            continue;
        struct unit u = plan_unit(c, in, n++);
        c->job->link.w.at[in->link_at] = u.object;
        if (!(in->lang == CC_CUDA ? compile_cuda(c, &u) : compile_host(c, &u)))
            return false;
    }
    return true;
}

/* Our folder is searched first, so that a toolkit's -L has no say; the program finds the runtime there
 * when it runs. */
static bool link_app(struct cc *c)
{
    struct cc_words v = {0};
    if (c->job->dry_run || c->job->verbose)
        cc_print_link(c->job, c->home);
    cc_add(&v, c->tool.clang);
    cc_add(&v, "--driver-mode=g++");
    cc_add(&v, join(c, "-L", c->home));
    cc_add(&v, "-Xlinker");
    cc_add(&v, join(c, "-rpath=", c->home));
    add_all(&v, &c->job->link);
    cc_add(&v, "-lcudart");
    cc_add(&v, "-o");
    cc_add(&v, result(c, "a.out"));
    return run_command(c, &v);
}

/* -lib: the objects alone; options of the linker and other libraries have no place in an archive. */
static bool make_library(struct cc *c)
{
    struct cc_words v = {0};
    const char *ar, *to = result(c, "a.a");
    if (!cc_find_program(&c->job->arena, "ar", &ar)) {
        cli_error("ar is missing, which makes libraries; as root: apt-get install binutils");
        return false;
    }
    if (!c->job->dry_run)
        unlink(to);
    cc_add(&v, ar);
    cc_add(&v, "qcs");
    cc_add(&v, to);
    vec_each (&c->job->inputs, in)
        cc_add(&v, c->job->link.w.at[in->link_at]);
    return run_command(c, &v);
}

/* -dlink: build systems link the object that nvcc makes here. */
static bool make_nothing(struct cc *c)
{
    struct cc_words v = {0};
    static const char *const fixed[] = {"-x", "c", "-c", "/dev/null", "-o"};
    cc_add(&v, c->tool.clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    cc_add(&v, result(c, "a_dlink.o"));
    return run_command(c, &v);
}

static bool finish(struct cc *c)
{
    switch (c->job->stop) {
    case CC_TO_APP: return link_app(c);
    case CC_TO_LIBRARY: return make_library(c);
    case CC_TO_LINK: return make_nothing(c);
    default: return true;
    }
}

static bool check_inputs(const struct cc_job *j)
{
    uint32_t sources = 0, cuda = 0;
    vec_each (&j->inputs, in) {
        if (access(in->path, R_OK) != 0) {
            cli_error("%s: %s", in->path, strerror(errno));
            return false;
        }
        sources += in->lang != CC_LINK;
        cuda += in->lang == CC_CUDA;
    }
    if (j->inputs.n == 0)
        cli_error("FILE.cu is missing: bankshot cc FILE... -o APP");
    else if (j->stop > CC_TO_LINK && sources == 0)
        cli_error("there is no source file among the arguments");
    else if (j->stop == CC_TO_PTX && cuda == 0)
        cli_error("-ptx: there is no .cu file among the arguments");
    else if (j->stop > CC_TO_LINK && j->output && (j->stop == CC_TO_PTX ? cuda : sources) > 1)
        cli_error("-o %s: one name for the results of several files", j->output);
    else
        return true;
    return false;
}

/* The parts of the installation that this job needs. */
static bool find_parts(struct cc *c)
{
    struct arena *a = &c->job->arena;
    if (!cli_resource(a, "include/cuda_runtime.h") || !cc_find_clang(a, &c->tool))
        return false;
    if (c->job->stop == CC_TO_APP && !cli_resource(a, "libcudart.so"))
        return false;
    if (c->job->sm_a && c->tool.major < CC_SM_A_CLANG) {
        cli_error("-arch=sm_%s: %s does not know it; as root: apt-get install clang-19", cc_sm_name(c->job),
                  c->tool.clang);
        return false;
    }
    if (c->job->openmp && !cc_has_openmp(&c->tool))
        return false;
    vec_each (&c->job->inputs, in)
        if (in->lang == CC_CUDA && access(join(c, c->home, "/device.bc"), R_OK) != 0) {
            cli_error("%s/device.bc is missing, the device functions; as root: apt-get install clang-19, "
                      "then build Bankshot again",
                      c->home);
            return false;
        }
    return true;
}

static int run_job(struct cc *c)
{
    c->home = cli_home(&c->job->arena);
    if (!c->home)
        return CLI_USAGE;
    if (c->job->dry_run || c->job->verbose)
        cc_print_toolkit(c->job, c->home);
    if (!check_inputs(c->job) || !find_parts(c))
        return CLI_USAGE;
    cc_hold_signals(&c->mask);
    c->tmp = c->job->dry_run ? "/tmp/bankshot-cc" : cc_temp_dir(&c->job->arena);
    bool ok = c->tmp && compile_all(c) && finish(c);
    if (c->tmp && !c->job->dry_run)
        cc_remove_dir(c->tmp);
    if (c->stopped)
        raise(c->stopped);
    sigprocmask(SIG_SETMASK, &c->mask, NULL);
    return ok ? CLI_OK : CLI_USAGE;
}

int cli_cc(int argc, char **argv)
{
    struct cc_job job = {0};
    struct cc c = {.job = &job};
    int status = CLI_USAGE;
    if (cc_read_args(&job, argc, argv)) {
        if (job.help) {
            printf("usage: bankshot cc FILE... [-o APP] [OPTIONS]\n\n%s\noptions:\n", story);
            cc_print_options(stdout);
            status = CLI_OK;
        } else if (job.version) {
            cc_print_version(stdout);
            status = CLI_OK;
        } else if (job.list_archs) {
            cc_print_archs(stdout, job.list_archs);
            status = CLI_OK;
        } else {
            status = run_job(&c);
        }
    }
    cc_job_free(&job);
    return status;
}
