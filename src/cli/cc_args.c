/* The command line of bankshot cc: that of nvcc, in all its spellings, as one table. nvcc takes -name and
 * --name alike, and values as -name=value or -name value; single letters may touch their value (-Idir).
 * What nvcc would hand to the host compiler unasked (-W..., -f..., -m...) goes to the host pass. */
#include "base/nearest.h"
#include "cli/cc.h"

#include <unistd.h>

/* No value; =value or the next word; TOUCH: also -xvalue; LIST: several values with commas between, which may
 * touch a single letter. */
enum form { NONE, VALUE, TOUCH, LIST };

struct row {
    const char *name, *alias; /* without dashes */
    enum form form;
    bool (*set)(struct cc_job *j, const struct row *r, const char *value);
    const char *text; /* for set */
    const char *help; /* "VALUE  what it does"; NULL: not in the list of options */
};

/* What rows do. Each returns false after a message. */

static bool to_both(struct cc_job *j, const struct row *r, const char *value)
{
    cc_add(&j->both, r->text);
    if (value)
        cc_add(&j->both, value);
    return true;
}

/* A folder of headers, unless it is a toolkit's: those headers and ours exclude each other. */
static bool to_include(struct cc_job *j, const struct row *r, const char *value)
{
    if (access(arena_printf(&j->arena, "%s/crt/host_runtime.h", value), F_OK) == 0)
        return true;
    return to_both(j, r, value);
}

static bool to_host(struct cc_job *j, const struct row *r, const char *value)
{
    cc_add(&j->host, r->text);
    if (value)
        cc_add(&j->host, value);
    return true;
}

static bool to_link(struct cc_job *j, const struct row *r, const char *value)
{
    cc_add(&j->link, r->text);
    if (value)
        cc_add(&j->link, value);
    return true;
}

static bool to_host_and_link(struct cc_job *j, const struct row *r, const char *value)
{
    return to_host(j, r, value) && to_link(j, r, value);
}

/* A word for the host compiler. What decides about the text is for the device pass too, since nvcc has both
 * preprocessed by it: a program may ask for _OPENMP, of which clang's device pass knows nothing. (gcc's value:
 * from OpenMP 5 on clang's omp.h has parts that this pass refuses.) Other things are asked for when compiling and when linking: -fopenmp, -fsanitize=, -pg. */
static void add_host_word(struct cc_job *j, const char *word)
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

static bool host_list(struct cc_job *j, const struct row *r, const char *value)
{
    (void)r;
    struct cc_words words = {0};
    cc_add_quoted(&j->arena, &words, value);
    vec_each (&words.w, w)
        add_host_word(j, *w);
    vec_free(&words.w);
    return true;
}

static bool link_list(struct cc_job *j, const struct row *r, const char *value)
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

/* Libraries of the toolkit: the runtime is linked anyway, and for the others there is nothing to link; a
 * program that calls them gets the linker's message, which names the function. */
static bool set_library(struct cc_job *j, const struct row *r, const char *value)
{
    (void)r;
    static const char *const runtime[] = {"cudart", "cudart_static", "cudadevrt"};
    static const char *const absent[] = {"cublas",   "cublasLt", "cufft",      "curand", "cusparse",
                                         "cusolver", "nvrtc",    "nvToolsExt", "nppc",   "cupti"};
    if (strcmp(value, "gomp") ==
        0) { /* gcc's: clang's has gcc's functions too, but not the other way round */
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
    cc_add(&j->link, arena_printf(&j->arena, "-l%s", value));
    return true;
}

/* sm_NN or compute_NN anywhere in the value: the largest counts. native and all mean the default. */
static bool set_arch(struct cc_job *j, const struct row *r, const char *value)
{
    bool known = strcmp(value, "native") == 0 || strncmp(value, "all", 3) == 0;
    uint32_t best = 0;
    for (const char *p = value; *p;) {
        const char *number = strncmp(p, "sm_", 3) == 0        ? p + 3
                             : strncmp(p, "compute_", 8) == 0 ? p + 8
                                                              : NULL;
        uint32_t sm = number ? (uint32_t)strtoul(number, NULL, 10) : 0;
        if (sm >= 10 && sm < 1000) {
            known = true;
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
    return true;
}

/* text: the option for the device pass where the value is the one that text begins with. */
static bool set_bool(struct cc_job *j, const struct row *r, const char *value)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        cli_error("-%s=%s: expected true or false", r->name, value);
        return false;
    }
    if (strncmp(r->text, value, strlen(value)) == 0)
        cc_add_list(&j->arena, &j->device, r->text + strlen(value) + 1);
    return true;
}

static bool set_fast_math(struct cc_job *j, const struct row *r, const char *value)
{
    (void)value;
    cc_add_list(&j->arena, &j->device, r->text);
    return true;
}

static bool set_max_regs(struct cc_job *j, const struct row *r, const char *value)
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

static bool set_lang(struct cc_job *j, const struct row *r, const char *value)
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

static bool set_std(struct cc_job *j, const struct row *r, const char *value)
{
    (void)r;
    /* A file in C knows no standard of C++: cc.c gives it to the files it fits. */
    j->std = value;
    return true;
}

static bool set_output(struct cc_job *j, const struct row *r, const char *value)
{
    (void)r;
    j->output = value;
    return true;
}

static bool set_opt(struct cc_job *j, const struct row *r, const char *value)
{
    (void)r;
    j->opt = arena_printf(&j->arena, "-O%s", value);
    return true;
}

static bool set_stop(struct cc_job *j, const struct row *r, const char *value)
{
    (void)value;
    j->stop = r->text[0] == 'c'   ? CC_TO_OBJECT
              : r->text[0] == 'p' ? CC_TO_PTX
              : r->text[0] == 'l' ? CC_TO_LIBRARY
                                  : CC_TO_TEXT;
    if (j->stop == CC_TO_TEXT)
        cc_add(&j->host, r->text);
    return true;
}

static bool set_shared(struct cc_job *j, const struct row *r, const char *value)
{
    (void)value;
    cc_add(&j->host, "-fPIC");
    cc_add(&j->link, r->text);
    return true;
}

static bool set_deps(struct cc_job *j, const struct row *r, const char *value)
{
    if (strcmp(r->text, "-MF") == 0)
        j->dep_file = value;
    else
        j->deps = r->text;
    return true;
}

static bool set_dep_word(struct cc_job *j, const struct row *r, const char *value)
{
    cc_add(&j->dep_words, r->text);
    if (value)
        cc_add(&j->dep_words, value);
    j->dep_target = j->dep_target || value;
    return true;
}

static bool set_flag(struct cc_job *j, const struct row *r, const char *value)
{
    switch (r->text[0]) {
    case 'k': j->keep = true; break;
    case 'K': j->keep_dir = value; break;
    case 'D': j->out_dir = value; break;
    case 'd': j->dry_run = true; break;
    case 'v': j->verbose = true; break;
    case 'h': j->help = true; break;
    case 'V': j->version = true; break;
    case 'G': j->debug_device = true; break;
    }
    return true;
}

/* -dopt=on: -G without its effect on the code. */
static bool set_device_opt(struct cc_job *j, const struct row *r, const char *value)
{
    if (strcmp(value, "on") != 0) {
        cli_error("-%s=%s: expected on", r->name, value);
        return false;
    }
    j->optimise_device = true;
    return true;
}

static bool set_stream(struct cc_job *j, const struct row *r, const char *value)
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

static bool set_machine(struct cc_job *j, const struct row *r, const char *value)
{
    (void)j;
    if (strcmp(value, "64") == 0)
        return true;
    cli_error("-%s %s is not supported: programs are of 64 bits here", r->name, value);
    return false;
}

static bool ignore(struct cc_job *j, const struct row *r, const char *value)
{
    (void)j, (void)r, (void)value;
    return true;
}

static bool refuse(struct cc_job *j, const struct row *r, const char *value)
{
    (void)j, (void)value;
    cli_error("-%s is not supported: %s", r->name, r->text);
    return false;
}

static const struct row rows[] = {
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
     "sm_NN  __CUDA_ARCH__ (default sm_80); also -gencode"},
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
    {"rdc", "relocatable-device-code", VALUE, ignore, NULL,
     "true|false  accepted; device code that calls another file's is refused"},
    {"dc", "device-c", NONE, set_stop, "c", NULL},
    {"Xcompiler", "compiler-options", VALUE, host_list, NULL, "A,B  options of the host compilation"},
    {"Xlinker", "linker-options", VALUE, link_list, NULL, "A,B  options of the linker"},
    {"MD", "generate-dependencies-with-compile", NONE, set_deps, "-MD",
     "write dependencies as well; also -MMD, -M, -MM, -MF, -MP, -MT, -MQ"},
    {"MMD", "generate-nonsystem-dependencies-with-compile", NONE, set_deps, "-MMD", NULL},
    {"M", "generate-dependencies", NONE, set_stop, "-M", NULL},
    {"MM", "generate-nonsystem-dependencies", NONE, set_stop, "-MM", NULL},
    {"MF", "dependency-output", VALUE, set_deps, "-MF", NULL},
    {"MP", "generate-dependency-targets", NONE, set_dep_word, "-MP", NULL},
    {"MT", NULL, VALUE, set_dep_word, "-MT", NULL},
    {"MQ", NULL, VALUE, set_dep_word, "-MQ", NULL},
    {"keep", "save-temps", NONE, set_flag, "k", "keep the PTX, as FILE.ptx (--keep-dir DIR: there)"},
    {"keep-dir", NULL, VALUE, set_flag, "K", NULL},
    {"dryrun", "dry-run", NONE, set_flag, "d", "print the commands and run nothing"},
    {"v", "verbose", NONE, set_flag, "v", "print the commands as they run"},
    {"h", "help", NONE, set_flag, "h", NULL},
    {"V", "version", NONE, set_flag, "V", "print the version, in nvcc's form"},
    {"optf", "options-file", LIST, ignore, NULL,
     "FILE  read more options from FILE; also @FILE"}, /* cc_expand */
    {"default-stream", NULL, VALUE, set_stream, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1", NULL},
    {"expt-extended-lambda", "extended-lambda", NONE, to_both, "-D__CUDACC_EXTENDED_LAMBDA__=1", NULL},
    {"expt-relaxed-constexpr", NULL, NONE, to_both, "-D__CUDACC_RELAXED_CONSTEXPR__=1", NULL},
    {"pthread", NULL, NONE, to_host_and_link, "-pthread", NULL},
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
    {"m64", NULL, NONE, ignore, NULL, NULL},
    {"m", "machine", VALUE, set_machine, NULL, NULL},
    /* What would need something that is not here. */
    {"m32", NULL, NONE, refuse, "programs are of 64 bits here", NULL},
    {"nostdinc", NULL, NONE, refuse, "the CUDA headers need the standard ones", NULL},
    {"dlink", "device-link", NONE, refuse, "device code is not linked across files", NULL},
    {"dlto", "dlink-time-opt", NONE, refuse, "device code is not linked across files", NULL},
    {"cubin", NULL, NONE, refuse, "there is no machine code of GPUs here; -ptx writes PTX", NULL},
    {"fatbin", NULL, NONE, refuse, "there is no machine code of GPUs here; -ptx writes PTX", NULL},
    {"run", NULL, NONE, refuse, "build with -o and run the program", NULL},
    {"target-dir", NULL, VALUE, refuse, "programs are built for this machine", NULL},
    {"static", NULL, NONE, refuse, "the runtime is a shared library", NULL},
};
enum { NROWS = sizeof rows / sizeof *rows };

void cc_print_options(FILE *to)
{
    for (uint32_t i = 0; i < NROWS; i++) {
        const char *help = rows[i].help;
        if (!help)
            continue;
        const char *gap = rows[i].form == NONE ? NULL : strstr(help, "  ");
        char left[64];
        snprintf(left, sizeof left, "-%s%s%.*s", rows[i].name, gap ? " " : "", gap ? (int)(gap - help) : 0,
                 help);
        fprintf(to, "  %-22s %s\n", left, gap ? gap + 2 : help);
    }
    fprintf(to, "  %-22s %s\n", "--help", "print this");
}

static void add_input(struct cc_job *j, const char *path)
{
    static const struct {
        const char *ending;
        enum cc_lang lang;
    } endings[] = {{".cu", CC_CUDA}, {".c", CC_C},     {".cpp", CC_CXX},
                   {".cc", CC_CXX},  {".cxx", CC_CXX}, {".C", CC_CXX}};
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    struct cc_input in = {path, CC_LINK, j->link.w.n};
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i].ending) == 0)
            in.lang = endings[i].lang;
    if (j->lang != CC_BY_NAME)
        in.lang = j->lang;
    vec_push(&j->inputs, in);
    cc_add(&j->link, path); /* a source's object takes this place later */
}

/* The row of a word such as -arch=sm_80, --gpu-architecture or -Idir; *value is what follows the name in
 * the word. */
static const struct row *find_row(const char *word, const char **value)
{
    const char *name = word + 1 + (word[1] == '-');
    size_t len = strcspn(name, "=");
    for (uint32_t i = 0; i < NROWS; i++) {
        const struct row *r = &rows[i];
        if ((strlen(r->name) == len && memcmp(r->name, name, len) == 0 && !(len == 1 && word[1] == '-')) ||
            (r->alias && strlen(r->alias) == len && memcmp(r->alias, name, len) == 0)) {
            *value = name[len] ? name + len + 1 : NULL;
            return r;
        }
    }
    for (uint32_t i = 0; i < NROWS && word[1] != '-'; i++)
        if (rows[i].form >= TOUCH && !rows[i].name[1] && rows[i].name[0] == word[1]) {
            *value = word + 2;
            return &rows[i];
        }
    return NULL;
}

static bool unknown(const char *word)
{
    const char *names[2 * NROWS], *name = word + 1 + (word[1] == '-');
    uint32_t n = 0;
    for (uint32_t i = 0; i < NROWS; i++) {
        names[n++] = rows[i].name;
        if (rows[i].alias)
            names[n++] = rows[i].alias;
    }
    const char *near = nearest_name(name, strcspn(name, "="), names, n);
    if (near)
        cli_error("unknown option %s; did you mean -%s?", word, near);
    else
        cli_error("unknown option %s; see bankshot cc --help", word);
    return false;
}

/* Words of a host compiler that nvcc passes on, or that people write without -Xcompiler. */
static bool host_word(struct cc_job *j, const char *word)
{
    if (strncmp(word, "-Wl,", 4) == 0) {
        cc_add(&j->link, word);
        return true;
    }
    if (word[1] == 'f' || word[1] == 'm') {
        add_host_word(j, word);
        return true;
    }
    if (word[1] == 'W' || word[1] == 'g') {
        cc_add(&j->host, word);
        return true;
    }
    return unknown(word);
}

/* nvcc's -Werror takes the kinds of warnings as a value, which clang's -Werror does not. */
static bool is_werror_kind(const char *next)
{
    static const char *const kinds[] = {
        "all-warnings",          "cross-execution-space-call", "reorder",
        "default-stream-launch", "missing-launch-bounds",      "ext-lambda-captures-this"};
    for (size_t i = 0; next && i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(next, kinds[i]) == 0)
            return true;
    return false;
}

/* A value, or each of a list of them. */
static bool set_row(struct cc_job *j, const struct row *r, const char *value)
{
    if (r->form != LIST)
        return r->set(j, r, value);
    struct cc_words list = {0};
    bool ok = true;
    cc_add_list(&j->arena, &list, value);
    vec_each (&list.w, w)
        ok = ok && r->set(j, r, *w);
    vec_free(&list.w);
    return ok;
}

static bool read_option(struct cc_job *j, const struct cc_words *words, uint32_t *at)
{
    const char *word = words->w.at[(*at)++], *value = NULL;
    if (strcmp(word, "-Werror") == 0 && is_werror_kind(*at < words->w.n ? words->w.at[*at] : NULL)) {
        ++*at;
        return true;
    }
    const struct row *r = find_row(word, &value);
    if (!r)
        return host_word(j, word);
    if (r->form == NONE && value) {
        cli_error("-%s takes no value: %s", r->name, word);
        return false;
    }
    if (r->form != NONE && (!value || !*value)) {
        if (*at >= words->w.n) {
            cli_error("-%s needs a value", r->name);
            return false;
        }
        value = words->w.at[(*at)++];
    }
    return set_row(j, r, value);
}

static bool read_words(struct cc_job *j, const struct cc_words *words)
{
    for (uint32_t i = 0; i < words->w.n;) {
        const char *w = words->w.at[i];
        if (w[0] == '-' && w[1]) {
            if (!read_option(j, words, &i))
                return false;
        } else if (w[0] == '-') {
            cli_error("standard input is not read: name a file");
            return false;
        } else {
            add_input(j, w);
            i++;
        }
    }
    return true;
}

bool cc_read_args(struct cc_job *j, int argc, char **argv)
{
    struct cc_words words = {0};
    bool ok = cc_expand(&j->arena, &words, argc, argv) && read_words(j, &words);
    vec_free(&words.w);
    j->sm = j->sm ? j->sm : CC_SM_DEFAULT;
    j->debug_device = j->debug_device && !j->optimise_device;
    return ok;
}

void cc_job_free(struct cc_job *j)
{
    vec_free(&j->inputs);
    vec_free(&j->both.w);
    vec_free(&j->host.w);
    vec_free(&j->device.w);
    vec_free(&j->dep_words.w);
    vec_free(&j->link.w);
    arena_free(&j->arena);
}
