/* SPDX-License-Identifier: Apache-2.0 */
/* The options of bankshot cc: those of nvcc, as one table, and what each does to the job. */
#include "cli/cc/row.h"

#include <unistd.h>

/* What rows do. Each returns false after a message. */

static bool to_both(struct cc_job *j, const struct cc_row *r, const char *value)
{
    cc_add(&j->both, r->text);
    if (value)
        cc_add(&j->both, value);
    return true;
}

/* A folder of headers, unless it is a toolkit's: those headers and ours exclude each other. */
static bool to_include(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (access(arena_printf(&j->arena, "%s/crt/host_runtime.h", value), F_OK) == 0)
        return true;
    return to_both(j, r, value);
}

/* -ftemplate-depth 900 is one word for clang. */
static bool to_both_joined(struct cc_job *j, const struct cc_row *r, const char *value)
{
    cc_add(&j->both, arena_printf(&j->arena, "%s=%s", r->text, value));
    return true;
}

static bool to_host(struct cc_job *j, const struct cc_row *r, const char *value)
{
    cc_add(&j->host, r->text);
    if (value)
        cc_add(&j->host, value);
    return true;
}

static bool to_link(struct cc_job *j, const struct cc_row *r, const char *value)
{
    cc_add(&j->link, r->text);
    if (value)
        cc_add(&j->link, value);
    return true;
}

static bool to_host_and_link(struct cc_job *j, const struct cc_row *r, const char *value)
{
    return to_host(j, r, value) && to_link(j, r, value);
}

/* A word for the host compiler. What decides about the text is for the device pass too, since nvcc has both preprocessed by it: a
 * program may ask for _OPENMP, of which clang's device pass knows nothing. (gcc's value: from OpenMP 5 on clang's omp.h has parts
 * that this pass refuses.) Other things are asked for when compiling and when linking: -fopenmp, -fsanitize=, -pg. */
void cc_add_host_word(struct cc_job *j, const char *word)
{
    if (word[0] == '-' && word[1] && strchr("DUI", word[1])) {
        cc_add(&j->both, word);
        return;
    }
    if (strcmp(word, "-fopenmp") == 0 || strcmp(word, "-fopenmp=libomp") == 0) {
        cc_add(&j->device, "-D_OPENMP=201511");
        j->openmp = true;
    }
    cc_add(&j->host, word);
    cc_add(&j->link, word);
}

static bool host_list(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)r;
    struct cc_words words = {0};
    cc_add_quoted(&j->arena, &words, value);
    vec_each (&words.w, w)
        cc_add_host_word(j, *w);
    vec_free(&words.w);
    return true;
}

static bool link_list(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)r;
    struct cc_words words = {0};
    cc_add_quoted(&j->arena, &words, value);
    vec_each (&words.w, w) {
        cc_add(&j->link, "-Xlinker");
        cc_add(&j->link, *w);
    }
    vec_free(&words.w);
    return true;
}

/* Libraries of the toolkit: the runtime is linked anyway; those that are here are shared only; for the others there is nothing to
 * link, and a program that calls them gets the linker's message, which names the function. */
static bool set_library(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)r;
    static const char *const runtime[] = {"cudart", "cudart_static", "cudadevrt", "culibos"};
    static const char *const shared[][2] = {
        {"curand_static", "curand"}, {"cublas_static", "cublas"}, {"cusparse_static", "cusparse"}};
    static const char *const absent[] = {"cublasLt",   "cufft", "cusolver", "nvrtc",
                                         "nvToolsExt", "nppc",  "cupti"};
    /* This is gcc's runtime. Clang's has gcc's functions too, but not the other way round. */
    if (strcmp(value, "gomp") == 0) {
        cc_add(&j->link, "-fopenmp");
        j->openmp = true;
        return true;
    }
    for (size_t i = 0; i < sizeof runtime / sizeof *runtime; i++)
        if (strcmp(value, runtime[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (strcmp(value, absent[i]) == 0) {
            fprintf(stderr, "bankshot: note: -l%s is left out: there is no such library here\n", value);
            return true;
        }
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strcmp(value, shared[i][0]) == 0)
            value = shared[i][1];
    cc_add(&j->link, arena_printf(&j->arena, "-l%s", value));
    return true;
}

/* sm_NN or compute_NN anywhere in the value: the largest counts. native and all mean the newest. Of the targets
 * with a letter (sm_100a, sm_120f) only sm_90a is one that clang and the executor have. */
static bool set_arch(struct cc_job *j, const struct cc_row *r, const char *value)
{
    bool known = strcmp(value, "native") == 0 || strncmp(value, "all", 3) == 0, all_features = false;
    uint32_t best = known ? CC_SM_MAX : 0;
    for (const char *p = value; *p;) {
        const char *number = strncmp(p, "sm_", 3) == 0        ? p + 3
                             : strncmp(p, "compute_", 8) == 0 ? p + 8
                                                              : NULL;
        char *end = NULL;
        uint32_t sm = number ? (uint32_t)strtoul(number, &end, 10) : 0;
        if (sm >= 10 && sm < 1000) {
            known = true;
            all_features = all_features || (sm == CC_SM_MAX && *end == 'a');
            best = sm > best ? sm : best;
        }
        p += strcspn(p, ",= []\"'");
        p += strspn(p, ",= []\"'");
    }
    if (!known) {
        cli_error("-%s=%s: expected sm_NN or compute_NN", r->name, value);
        return false;
    }
    best = best && best < CC_SM_MIN ? CC_SM_MIN : best > CC_SM_MAX ? CC_SM_MAX : best;
    j->sm = best > j->sm ? best : j->sm;
    j->sm_a = j->sm_a || all_features;
    return true;
}

/* text: the option for the device pass where the value is the one that text begins with. */
static bool set_bool(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        cli_error("-%s=%s: expected true or false", r->name, value);
        return false;
    }
    if (strncmp(r->text, value, strlen(value)) == 0)
        cc_add_list(&j->arena, &j->device, r->text + strlen(value) + 1);
    return true;
}

static bool set_fast_math(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)value;
    cc_add_list(&j->arena, &j->device, r->text);
    return true;
}

static bool set_max_regs(struct cc_job *j, const struct cc_row *r, const char *value)
{
    uint64_t n;
    if (!cli_u64(value, &n)) {
        cli_error("-%s=%s: expected a number", r->name, value);
        return false;
    }
    /* As nvcc does it: a bound below what a call needs is raised, and one that no GPU has is none. */
    j->max_regs = n == 0 ? 0 : n < 16 ? 16 : n > 255 ? 255 : (uint32_t)n;
    return true;
}

static bool set_lang(struct cc_job *j, const struct cc_row *r, const char *value)
{
    static const struct {
        const char *name;
        enum cc_lang lang;
    } langs[] = {{"cu", CC_CUDA}, {"cuda", CC_CUDA}, {"c", CC_C}, {"c++", CC_CXX}, {"none", CC_BY_NAME}};
    for (size_t i = 0; i < sizeof langs / sizeof *langs; i++)
        if (strcmp(value, langs[i].name) == 0) {
            j->lang = langs[i].lang;
            return true;
        }
    cli_error("-%s %s: expected cu, c or c++", r->name, value);
    return false;
}

static bool set_std(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)r;
    /* A file in C knows no standard of C++: cc.c gives it to the files it fits. */
    j->std = value;
    return true;
}

static bool set_output(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)r;
    j->output = value;
    return true;
}

static bool set_opt(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (strlen(value) != 1 || !strchr("0123sgz", *value)) {
        if (strcmp(value, "fast") != 0) {
            cli_error("-%s%s: expected 0 to 3", r->name, value);
            return false;
        }
    }
    j->opt = arena_printf(&j->arena, "-O%s", value);
    return true;
}

static bool set_stop(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)value;
    j->stop = r->text[0] == 'c'   ? CC_TO_OBJECT
              : r->text[0] == 'p' ? CC_TO_PTX
              : r->text[0] == 'l' ? CC_TO_LIBRARY
              : r->text[0] == 'd' ? CC_TO_LINK
                                  : CC_TO_TEXT;
    if (j->stop == CC_TO_TEXT)
        cc_add(&j->host, r->text);
    return true;
}

static bool set_rdc(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        cli_error("-%s=%s: expected true or false", r->name, value);
        return false;
    }
    j->rdc = value[0] == 't';
    return true;
}

static bool set_device_c(struct cc_job *j, const struct cc_row *r, const char *value)
{
    j->rdc = true;
    return set_stop(j, r, value);
}

static bool set_shared(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)value;
    cc_add(&j->host, "-fPIC");
    cc_add(&j->link, r->text);
    return true;
}

static bool set_deps(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (strcmp(r->text, "-MF") == 0)
        j->dep_file = value;
    else
        j->deps = r->text;
    return true;
}

static bool set_dep_word(struct cc_job *j, const struct cc_row *r, const char *value)
{
    cc_add(&j->dep_words, r->text);
    if (value)
        cc_add(&j->dep_words, value);
    j->dep_target = j->dep_target || value;
    return true;
}

static bool set_flag(struct cc_job *j, const struct cc_row *r, const char *value)
{
    switch (r->text[0]) {
    case 'k': j->keep = true; break;
    case 'K': j->keep_dir = value; break;
    case 'D': j->out_dir = value; break;
    case 'd': j->dry_run = true; break;
    case 'v': j->verbose = true; break;
    case 'h': j->help = true; break;
    case 'V': j->version = true; break;
    case 'A': j->list_archs = r->text + 1; break;
    case 'G': j->debug_device = true; break;
    }
    return true;
}

/* -dopt=on: -G without its effect on the code. */
static bool set_device_opt(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (strcmp(value, "on") != 0) {
        cli_error("-%s=%s: expected on", r->name, value);
        return false;
    }
    j->optimise_device = true;
    return true;
}

static bool set_stream(struct cc_job *j, const struct cc_row *r, const char *value)
{
    if (strcmp(value, "per-thread") == 0) {
        cc_add(&j->both, r->text);
        cc_add(&j->host, "-Xclang"); /* launches then call the functions of that stream */
        cc_add(&j->host, "-fgpu-default-stream=per-thread");
    } else if (strcmp(value, "legacy") != 0 && strcmp(value, "null") != 0) {
        cli_error("-%s=%s: expected legacy or per-thread", r->name, value);
        return false;
    }
    return true;
}

static bool set_machine(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)j;
    if (strcmp(value, "64") == 0)
        return true;
    cli_error("-%s %s is not supported: programs are of 64 bits here", r->name, value);
    return false;
}

static bool ignore(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)j, (void)r, (void)value;
    return true;
}

static bool refuse(struct cc_job *j, const struct cc_row *r, const char *value)
{
    (void)j, (void)value;
    cli_error("-%s is not supported: %s", r->name, r->text);
    return false;
}

const struct cc_row cc_rows[] = {
    {"o", "output-file", TOUCH, set_output, NULL, "FILE  name of the result (default a.out)"},
    {"odir", "output-directory", VALUE, set_flag, "D", "DIR  folder of the result where -o does not name it"},
    {"c", "compile", NONE, set_stop, "c", "compile to object files, do not link"},
    {"ptx", NULL, NONE, set_stop, "ptx", "write the device code as PTX and stop"},
    {"E", "preprocess", NONE, set_stop, "-E", "preprocess only, to standard output or -o"},
    {"x", NULL, TOUCH, set_lang, NULL, "LANG  cu, c or c++: the language of the files that follow"},
    {"I", "include-path", LIST, to_include, "-I", "DIR  search DIR for headers; also -isystem DIR"},
    {"isystem", "system-include", LIST, to_include, "-isystem", NULL},
    {"include", "pre-include", LIST, to_both, "-include",
     "FILE  as if the source began with #include \"FILE\""},
    {"D", "define-macro", LIST, to_both, "-D", "NAME[=VALUE]  define a macro; -U NAME undefines it"},
    {"U", "undefine-macro", LIST, to_both, "-U", NULL},
    {"std", NULL, VALUE, set_std, NULL, "c++14|c++17|c++20  language standard (default c++17)"},
    {"O", "optimize", TOUCH, set_opt, NULL, "N  optimisation of host code; device code has -O3, or -G"},
    {"g", "debug", NONE, to_host_and_link, "-g", "debug information for host code"},
    {"G", "device-debug", NONE, set_flag, "G", "device code without optimisation"},
    {"dopt", NULL, VALUE, set_device_opt, NULL, NULL},
    {"lineinfo", "generate-line-info", NONE, ignore, NULL, "accepted; device code always has line numbers"},
    {"l", "library", LIST, set_library, NULL, "NAME  link a library; -L DIR says where"},
    {"L", "library-path", LIST, to_link, "-L", NULL},
    {"shared", NULL, NONE, set_shared, "-shared", "make a shared library"},
    {"lib", NULL, NONE, set_stop, "lib", "make a library of objects (default a.a)"},
    {"arch", "gpu-architecture", VALUE, set_arch, NULL,
     "sm_NN  __CUDA_ARCH__ (default sm_90; sm_90a: all of Hopper); also -gencode"},
    {"gencode", "generate-code", VALUE, set_arch, NULL, NULL},
    {"code", "gpu-code", VALUE, set_arch, NULL, NULL},
    {"use_fast_math", NULL, NONE, set_fast_math,
     "-fgpu-flush-denormals-to-zero,-fgpu-approx-transcendentals,-D__USE_FAST_MATH__=1,-mllvm,"
     "-nvptx-prec-divf32=0,-mllvm,-nvptx-prec-sqrtf32=0",
     "approximate functions and division, no subnormals, in device code"},
    {"ftz", NULL, VALUE, set_bool, "true:-fgpu-flush-denormals-to-zero", NULL},
    {"prec-div", NULL, VALUE, set_bool, "false:-mllvm,-nvptx-prec-divf32=1", NULL},
    {"prec-sqrt", NULL, VALUE, set_bool, "false:-D__CUDA_PREC_SQRT=0", NULL},
    {"fmad", NULL, VALUE, set_bool, "false:-ffp-contract=off",
     "true|false  join multiplication and addition in device code (default true; never with -G)"},
    {"maxrregcount", NULL, VALUE, set_max_regs, NULL, "N  registers per thread at most"},
    {"rdc", "relocatable-device-code", VALUE, set_rdc, NULL,
     "true|false  device code uses that of other files; also -dc"},
    {"dc", "device-c", NONE, set_device_c, "c", NULL},
    {"dlink", "device-link", NONE, set_stop, "d", NULL},
    {"dw", "device-w", NONE, set_stop, "c", NULL},
    {"Xcompiler", "compiler-options", VALUE, host_list, NULL, "A,B  options of the host compilation"},
    {"Xlinker", "linker-options", VALUE, link_list, NULL, "A,B  options of the linker"},
    {"MD", "generate-dependencies-with-compile", NONE, set_deps, "-MD",
     "write dependencies as well; also -MMD, -M, -MM, -MF, -MP, -MT, -MQ"},
    {"MMD", "generate-nonsystem-dependencies-with-compile", NONE, set_deps, "-MMD", NULL},
    {"M", "generate-dependencies", NONE, set_stop, "-M", NULL},
    {"MM", "generate-nonsystem-dependencies", NONE, set_stop, "-MM", NULL},
    {"MF", "dependency-output", VALUE, set_deps, "-MF", NULL},
    {"MP", "generate-dependency-targets", NONE, set_dep_word, "-MP", NULL},
    {"MT", "dependency-target-name", VALUE, set_dep_word, "-MT", NULL},
    {"MQ", NULL, VALUE, set_dep_word, "-MQ", NULL},
    {"keep", "save-temps", NONE, set_flag, "k", "keep the PTX, as FILE.ptx (--keep-dir DIR: there)"},
    {"keep-dir", NULL, VALUE, set_flag, "K", NULL},
    {"dryrun", "dry-run", NONE, set_flag, "d", "print the commands and run nothing"},
    {"v", "verbose", NONE, set_flag, "v", "print the commands as they run"},
    {"h", "help", NONE, set_flag, "h", NULL},
    {"V", "version", NONE, set_flag, "V", "print the version, in nvcc's form"},
    /* cc_expand has done it. */
    {"optf", "options-file", LIST, ignore, NULL, "FILE  read more options from FILE; also @FILE"},
    {"arch-ls", "list-gpu-arch", NONE, set_flag, "Acompute_", NULL},
    {"code-ls", "list-gpu-code", NONE, set_flag, "Asm_", NULL},
    {"default-stream", NULL, VALUE, set_stream, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", NULL},
    {"expt-extended-lambda", "extended-lambda", NONE, to_both, "-D__CUDACC_EXTENDED_LAMBDA__=1", NULL},
    {"expt-relaxed-constexpr", NULL, NONE, to_both, "-D__CUDACC_RELAXED_CONSTEXPR__=1", NULL},
    {"pthread", NULL, NONE, to_host_and_link, "-pthread", NULL},
    {"pg", "profile", NONE, to_host_and_link, "-pg", NULL},
    {"noeh", "no-exceptions", NONE, to_host, "-fno-exceptions", NULL},
    {"ftemplate-depth", NULL, VALUE, to_both_joined, "-ftemplate-depth", NULL},
    {"ftemplate-backtrace-limit", NULL, VALUE, to_both_joined, "-ftemplate-backtrace-limit", NULL},
    {"rdynamic", NULL, NONE, to_link, "-rdynamic", NULL},
    {"w", "disable-warnings", NONE, to_host, "-w", NULL},
    {"pedantic", NULL, NONE, to_host, "-pedantic", NULL},
    /* Of NVIDIA's tools alone; none of them changes what a program computes. */
    {"Xptxas", "ptxas-options", VALUE, ignore, NULL, NULL},
    {"Xnvlink", "nvlink-options", VALUE, ignore, NULL, NULL},
    {"Xfatbin", "fatbin-options", VALUE, ignore, NULL, NULL},
    {"Xcudafe", NULL, VALUE, ignore, NULL, NULL},
    {"Xarchive", "archive-options", VALUE, ignore, NULL, NULL},
    {"ccbin", "compiler-bindir", VALUE, ignore, NULL, NULL},
    {"cudart", "cuda-runtime", VALUE, ignore, NULL, NULL},
    {"cudadevrt", NULL, VALUE, ignore, NULL, NULL},
    {"diag-suppress", NULL, VALUE, ignore, NULL, NULL},
    {"diag-warn", NULL, VALUE, ignore, NULL, NULL},
    {"diag-error", NULL, VALUE, ignore, NULL, NULL},
    {"t", "threads", TOUCH, ignore, NULL, NULL},
    {"split-compile", NULL, VALUE, ignore, NULL, NULL},
    {"Wno-deprecated-gpu-targets", NULL, NONE, ignore, NULL, NULL},
    {"restrict", NULL, NONE, ignore, NULL, NULL},
    {"res-usage", "resource-usage", NONE, ignore, NULL, NULL},
    {"src-in-ptx", "source-in-ptx", NONE, ignore, NULL, NULL},
    {"display-error-number", "err-no", NONE, ignore, NULL, NULL},
    {"no-display-error-number", "no-err-no", NONE, ignore, NULL, NULL},
    {"allow-unsupported-compiler", NULL, NONE, ignore, NULL, NULL},
    {"forward-unknown-to-host-compiler", "forward-unknown-opts", NONE, ignore, NULL, NULL},
    {"extra-device-vectorization", NULL, NONE, ignore, NULL, NULL},
    {"no-device-link", "nodlink", NONE, ignore, NULL, NULL},
    {"link", NULL, NONE, ignore, NULL, NULL},
    {"use-local-env", NULL, NONE, ignore, NULL, NULL},
    {"force-cl-env-setup", NULL, NONE, ignore, NULL, NULL},
    {"objtemp", "objdir-as-tempdir", NONE, ignore, NULL, NULL},
    {"nohdinitlist", "no-host-device-initializer-list", NONE, ignore, NULL, NULL},
    {"nohdmoveforward", "no-host-device-move-forward", NONE, ignore, NULL, NULL},
    {"forward-unknown-to-host-linker", NULL, NONE, ignore, NULL, NULL},
    {"noprof", "dont-use-profile", NONE, ignore, NULL, NULL},
    {"no-align-double", NULL, NONE, ignore, NULL, NULL},
    {"keep-device-functions", NULL, NONE, ignore, NULL, NULL},
    {"Wdefault-stream-launch", NULL, NONE, ignore, NULL, NULL},
    {"Wmissing-launch-bounds", NULL, NONE, ignore, NULL, NULL},
    {"Wext-lambda-captures-this", NULL, NONE, ignore, NULL, NULL},
    {"ewp", "extensible-whole-program", NONE, ignore, NULL, NULL},
    {"no-compress", NULL, NONE, ignore, NULL, NULL},
    {"jobserver", NULL, NONE, ignore, NULL, NULL},
    {"opt-info", "optimization-info", VALUE, ignore, NULL, NULL},
    {"Ofc", "Ofast-compile", VALUE, ignore, NULL, NULL},
    {"ldir", "libdevice-directory", VALUE, ignore, NULL, NULL},
    {"arbin", "archiver-binary", VALUE, ignore, NULL, NULL},
    {"static-global-template-stub", NULL, VALUE, ignore, NULL, NULL},
    {"device-entity-has-hidden-visibility", NULL, VALUE, ignore, NULL, NULL},
    {"split-compile-extended", NULL, VALUE, ignore, NULL, NULL},
    {"fdevice-time-trace", NULL, VALUE, ignore, NULL, NULL},
    {"time", NULL, VALUE, ignore, NULL, NULL},
    {"idp", "input-drive-prefix", VALUE, ignore, NULL, NULL},
    {"ddp", "dependency-drive-prefix", VALUE, ignore, NULL, NULL},
    {"dp", "drive-prefix", VALUE, ignore, NULL, NULL},
    {"brief-diag", "brief-diagnostics", VALUE, ignore, NULL, NULL},
    {"jtd", "jump-table-density", VALUE, ignore, NULL, NULL},
    {"device-stack-protector", NULL, VALUE, ignore, NULL, NULL},
    {"compress-mode", NULL, VALUE, ignore, NULL, NULL},
    {"frandom-seed", NULL, VALUE, ignore, NULL, NULL},
    {"m64", NULL, NONE, ignore, NULL, NULL},
    {"m", "machine", VALUE, set_machine, NULL, NULL},
    /* What would need something that is not here. */
    {"m32", NULL, NONE, refuse, "programs are of 64 bits here", NULL},
    {"nostdinc", NULL, NONE, refuse, "the CUDA headers need the standard ones", NULL},
    {"dlto", "dlink-time-opt", NONE, refuse, "device code is linked when the program runs", NULL},
    {"lto", NULL, NONE, refuse, "device code is linked when the program runs", NULL},
    {"gen-opt-lto", NULL, NONE, refuse, "device code is linked when the program runs", NULL},
    {"ltoir", NULL, NONE, refuse, "device code is linked when the program runs", NULL},
    {"optix-ir", NULL, NONE, refuse, "there is no OptiX here; -ptx writes PTX", NULL},
    {"cuda", NULL, NONE, refuse, "host and device code are compiled apart; -E or -ptx", NULL},
    {"clean", "clean-targets", NONE, refuse, "nothing but the result is left behind", NULL},
    {"cubin", NULL, NONE, refuse, "there is no machine code of GPUs here; -ptx writes PTX", NULL},
    {"fatbin", NULL, NONE, refuse, "there is no machine code of GPUs here; -ptx writes PTX", NULL},
    {"run", NULL, NONE, refuse, "build with -o and run the program", NULL},
    {"target-dir", "target-directory", VALUE, refuse, "programs are built for this machine", NULL},
    {"static", NULL, NONE, refuse, "the runtime is a shared library", NULL},
};
const uint32_t cc_nrows = sizeof cc_rows / sizeof *cc_rows;
