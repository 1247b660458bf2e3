/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/workload.h"

#include "cli/cc/rules.h"
#include "cli/cli.h"
#include "cli/lab/cache.h"
#include "cli/lab/workload_key.h"
#include "cli/program.h"
#include "cli/resource.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REGS_MIN = 16, REGS_MAX = 255, ARGS_MAX = 32 };
static const char ptx_mark[] = "@ptx", sm1x_mark[] = "@sm1x", sm75_mark[] = "@sm75";
static const char *const sizes[] = {"small", "default", "large"};

/* NAME[:SIZE][@REGISTERS][@ptx][@sm1x] or NAME[:SIZE]@sm75, taken apart. */
struct request {
    const char *name, *size;
    uint32_t max_regs; /* 0: no limit */
    bool ptx_order;    /* not scheduled */
    bool short_addr;   /* global addresses are one register */
    bool sm75;         /* NVIDIA's machine code */
};

static bool parse_size(const char *text, const char **out, struct diag *d)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (strcmp(text, sizes[i]) == 0) {
            *out = sizes[i];
            return true;
        }
    diag_plain(d, "unknown size '%s'; small, default or large", text);
    return false;
}

/* An @ and what stands behind it: how the program's kernels are compiled. */
static bool parse_code(struct arena *a, const char *at, const char *text, struct request *r, struct diag *d)
{
    uint64_t n;
    if (workload_is_ptx(at)) {
        r->ptx_order = true;
        return true;
    }
    if (workload_is_sm1x(at)) {
        r->short_addr = true;
        return true;
    }
    if (workload_is_sm75(at)) {
        r->sm75 = true;
        return true;
    }
    const char *digits = arena_strndup(a, at + 1, strcspn(at + 1, "@"));
    if (cli_u64(digits, &n) && n >= REGS_MIN && n <= REGS_MAX) {
        r->max_regs = (uint32_t)n;
        return true;
    }
    diag_plain(d,
               "%s: after @ there should be registers per thread, %d to %d, not '%s'; or ptx, "
               "or sm1x, or sm75",
               text, REGS_MIN, REGS_MAX, digits);
    return false;
}

static bool parse_request(struct arena *a, const char *text, struct request *r, struct diag *d)
{
    char *name = arena_strndup(a, text, strcspn(text, "@")), *colon = strrchr(name, ':');
    *r = (struct request){.name = name, .size = "default"};
    for (const char *at = strchr(text, '@'); at; at = strchr(at + 1, '@'))
        if (!parse_code(a, at, text, r, d))
            return false;
    if (r->sm75 && (r->max_regs || r->ptx_order || r->short_addr)) {
        diag_plain(d,
                   "%s: machine code (@sm75) has its own registers, order and addresses; no other @ goes "
                   "with it",
                   text);
        return false;
    }
    if (!colon)
        return true;
    *colon = 0;
    return parse_size(colon + 1, &r->size, d);
}

bool workload_is_file(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".bst") == 0);
}

size_t workload_part(const char *name)
{
    return workload_is_file(name) && access(name, F_OK) == 0 ? strlen(name) : strcspn(name, "+");
}

static bool is_mark(const char *at, const char *mark)
{
    size_t n = strlen(mark);
    return strncmp(at, mark, n) == 0 && strchr("@", at[n]);
}

bool workload_is_ptx(const char *at) { return is_mark(at, ptx_mark); }

bool workload_is_sm1x(const char *at) { return is_mark(at, sm1x_mark); }

bool workload_is_sm75(const char *at) { return is_mark(at, sm75_mark); }

static char *word(struct arena *a, const char *text) { return arena_strndup(a, text, strlen(text)); }

static const char *self(struct arena *a, struct diag *d)
{
    char *path = realpath("/proc/self/exe", NULL);
    if (!path)
        diag_plain(d, "the path of this program is not known: %s", strerror(errno));
    const char *copy = path ? word(a, path) : NULL;
    free(path);
    return copy;
}

/* What programs of the suite are compiled for where the manifest says nothing: the papers' claims and the stored
 * matrix rest on this code, so it does not follow the default of bankshot cc. */
#define WORKLOAD_ARCH "sm_80"

static const char *arch_of(const struct manifest_row *row) { return *row->arch ? row->arch : WORKLOAD_ARCH; }

static const char *build(struct arena *a, const struct manifest_row *row, const char *cache, const char *key,
                         const char *source, enum telling telling, struct diag *d)
{
    /* Under its own name: that is in the trace, and the digest, which depends on the compiler's place, should not be. */
    const char *folder = arena_printf(a, "%s/bin-%s", cache, key), *me;
    const char *path = arena_printf(a, "%s/%s", folder, row->program);
    if (access(path, X_OK) == 0)
        return path;
    if (!cache_folder(folder, d) || !(me = self(a, d)))
        return NULL;
    const char *tmp = arena_printf(a, "%s.%ld", path, (long)getpid());
    char *arch = arena_printf(a, "-arch=%s", arch_of(row));
    char *argv[] = {word(a, me), word(a, "cc"), word(a, source), word(a, "-o"), word(a, tmp), arch, NULL};
    return cache_make(a, argv, tmp, path, arena_printf(a, "compiling %s", row->program), telling, d) ? path
                                                                                                     : NULL;
}

/* NVIDIA's machine code of the program, which tools/machine-code made. NULL after reporting: there is none. */
static const char *machine_code(struct arena *a, const struct manifest_row *row, struct diag *d)
{
    const char *home = cli_home(a);
    const char *path = home ? arena_printf(a, "%s/workloads/%s/sm_75.fatbin", home, row->program) : NULL;
    if (!path || access(path, R_OK) == 0)
        return path;
    diag_plain(d,
               "%s@sm75: %s has no machine code for sm_75 with Bankshot (workloads/%s/sm_75.fatbin); where "
               "there is nvcc: tools/machine-code %s",
               row->name, row->program, row->program, row->program);
    return NULL;
}

/* code: a file with the machine code that it is to run; NULL: what bankshot cc compiled. */
static const char *record(struct arena *a, const struct manifest_row *row, const struct request *r,
                          const char *program, const char *args, const char *code, const char *path,
                          enum telling telling, struct diag *d)
{
    const char *tmp = arena_printf(a, "%s.%ld", path, (long)getpid()), *me = self(a, d);
    if (!me)
        return NULL;
    char *argv[ARGS_MAX] = {word(a, me), word(a, "record"), word(a, "-o"), word(a, tmp)};
    uint32_t n = 4;
    if (r->max_regs) {
        argv[n++] = word(a, "--max-regs");
        argv[n++] = arena_printf(a, "%u", r->max_regs);
    }
    if (r->ptx_order)
        argv[n++] = word(a, "--no-schedule");
    if (r->short_addr)
        argv[n++] = word(a, "--short-addresses");
    if (code) {
        argv[n++] = word(a, "--cubin");
        argv[n++] = word(a, code);
    }
    argv[n++] = word(a, "--");
    argv[n++] = word(a, program);
    char *rest = word(a, args), *save = NULL;
    for (char *w = strtok_r(rest, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (n == ARGS_MAX - 1) {
            diag_plain(d, "%s: too many arguments in the manifest", row->name);
            return NULL;
        }
        argv[n++] = w;
    }
    const char *regs = r->max_regs ? arena_printf(a, ", %u registers", r->max_regs) : "";
    const char *what = arena_printf(a, "recording %s, %s%s%s", row->name, r->size, regs,
                                    r->ptx_order    ? ", in PTX order"
                                    : r->short_addr ? ", with 32-bit addresses"
                                    : code          ? ", NVIDIA's machine code for sm_75"
                                                    : "");
    return cache_make(a, argv, tmp, path, what, telling, d) ? path : NULL;
}

/* What is wanted of a name. */
enum step { COMPILED, RECORDED };

/* The path of its trace; where only the program is wanted, of that. */
static const char *bundled(struct arena *a, const struct manifest *m, const char *name, enum step step,
                           enum telling telling, struct diag *d)
{
    struct request r;
    const struct manifest_row *row = parse_request(a, name, &r, d) ? manifest_find(m, r.name, d) : NULL;
    const char *cache = row ? cache_home(a, d) : NULL;
    if (!cache)
        return NULL;
    const char *source = cli_resource(a, arena_printf(a, "workloads/%s/%s.cu", row->program, row->program));
    const char *key = source ? workload_program_key(a, source, arch_of(row), cc_rules_digest, d) : NULL;
    const char *args = arena_printf(a, "--size %s%s%s", r.size, *row->args ? " " : "", row->args);
    const char *code = r.sm75         ? "-sm75"
                       : r.ptx_order  ? r.short_addr ? "-ptx-sm1x" : "-ptx"
                       : r.short_addr ? "-sm1x"
                                      : "";
    const char *file = key && r.sm75 ? machine_code(a, row, d) : NULL;
    if (!key || (r.sm75 && !file))
        return NULL;
    const char *trace_key = workload_trace_key(a, key, args, r.max_regs, code, file, d);
    if (!trace_key)
        return NULL;
    const char *regs = r.max_regs ? arena_printf(a, "-r%u", r.max_regs) : "";
    const char *path =
        arena_printf(a, "%s/%s-%s%s%s-%s.bst", cache, row->name, r.size, regs, code, trace_key);
    if (step == RECORDED && cache_has_trace(path, telling))
        return path;
    const char *program = build(a, row, cache, key, source, telling, d);
    return program && step == RECORDED ? record(a, row, &r, program, args, file, path, telling, d) : program;
}

/* A source where a trace is expected: the commands that make one of it. True: that was reported. */
static bool is_source(const char *name, struct diag *d)
{
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    int stem = (int)(dot ? (size_t)(dot - base) : strlen(base));
    if (!dot || strcmp(dot, ".cu") != 0 || access(name, R_OK) != 0)
        return false;
    diag_plain(
        d,
        "%s is CUDA source, no trace: bankshot cc %s -o %.*s && bankshot record -o %.*s.bst -- ./%.*s, then "
        "%.*s.bst can be timed",
        name, name, stem, base, stem, base, stem, base, stem, base);
    return true;
}

/* A program of the user's: recorded on first use, like a bundled one. Which code of it runs $BANKSHOT_CODE says (record
 * --code). */
static const char *of_program(struct arena *a, const char *program, enum telling telling, struct diag *d)
{
    const char *code = getenv("BANKSHOT_CODE"), *cache = cache_home(a, d), *me = cache ? self(a, d) : NULL;
    const char *key = me ? workload_file_key(a, program, code ? code : "", d) : NULL;
    if (!key)
        return NULL;
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    const char *path = arena_printf(a, "%s/%s-%s.bst", cache, name, key);
    if (cache_has_trace(path, telling))
        return path;
    const char *tmp = arena_printf(a, "%s.%ld", path, (long)getpid());
    char *argv[] = {word(a, me),   word(a, "record"), word(a, "-o"), word(a, tmp),
                    word(a, "--"), word(a, program),  NULL};
    return cache_make(a, argv, tmp, path, arena_printf(a, "recording %s", name), telling, d) ? path : NULL;
}

static const char *find_trace(struct arena *a, const char *name, enum step step, enum telling telling,
                              struct diag *d)
{
    if (is_source(name, d))
        return NULL;
    if (workload_is_file(name))
        return program_is_elf(name) && access(name, X_OK) == 0 ? of_program(a, name, telling, d) : name;
    struct manifest m = {0};
    const char *path = manifest_load(&m, d) ? bundled(a, &m, name, step, telling, d) : NULL;
    manifest_free(&m);
    return path;
}

const char *workload_trace(struct arena *a, const char *name, bool quiet, struct diag *d)
{
    return find_trace(a, name, RECORDED, quiet ? TELL_NOTHING : TELL_PROGRESS, d);
}

/* One name in a process of its own; several on one terminal would write over each other's progress. */
static int prepare_one(const char *name, enum step step, bool quiet)
{
    struct arena a = {0};
    struct diag d = {0};
    bool ok = find_trace(&a, name, step, quiet ? TELL_NOTHING : TELL_LINES, &d);
    diag_print(&d, stderr);
    diag_free(&d);
    arena_free(&a);
    return ok ? CLI_OK : CLI_USAGE;
}

static bool prepare_all(const char *const *names, uint32_t n, enum step step, uint32_t jobs, bool quiet)
{
    bool ok = true;
    uint32_t running = 0;
    fflush(NULL);
    for (uint32_t i = 0; i < n || running;) {
        if (i < n && running < jobs) {
            const char *name = names[i++];
            if (workload_is_file(name))
                continue;
            pid_t pid = fork();
            if (pid == 0)
                _exit(prepare_one(name, step, quiet));
            if (pid < 0) {
                ok = prepare_one(name, step, quiet) == CLI_OK && ok;
                continue;
            }
            running++;
            continue;
        }
        int status;
        if (wait(&status) < 0)
            break;
        running--;
        ok = ok && WIFEXITED(status) && WEXITSTATUS(status) == CLI_OK;
    }
    return ok;
}

bool workload_prepare(const char *const *names, uint32_t n, uint32_t jobs, bool quiet)
{
    return prepare_all(names, n, RECORDED, jobs, quiet);
}

bool workload_compile(const char *const *names, uint32_t n, uint32_t jobs, bool quiet)
{
    return prepare_all(names, n, COMPILED, jobs, quiet);
}

/* a+b: each part by itself, and they are one. */
static bool expand_parts(struct arena *a, const char *text, struct workload_list *out, struct diag *d)
{
    bool ok = true;
    for (const char *p = text; ok && *p;) {
        struct workload_list one = {0};
        size_t n = workload_part(p);
        const char *part = arena_strndup(a, p, n);
        ok = workload_expand(a, part, &one, d);
        if (ok && one.names.n != 1) {
            diag_plain(d, "%s: '%s' is several workloads", text, part);
            ok = false;
        }
        vec_free(&one.names);
        p += n + (p[n] == '+');
    }
    if (ok)
        vec_push(&out->names, word(a, text));
    return ok;
}

bool workload_expand(struct arena *a, const char *text, struct workload_list *out, struct diag *d)
{
    static const char family[] = "family:";
    if (is_source(text, d))
        return false;
    if (text[workload_part(text)] == '+')
        return expand_parts(a, text, out, d);
    if (workload_is_file(text)) {
        vec_push(&out->names, word(a, text));
        return true;
    }
    bool of_family = strncmp(text, family, sizeof family - 1) == 0;
    const char *body = of_family ? text + sizeof family - 1 : text, *rest = body + strcspn(body, ":@");
    const char *head = arena_strndup(a, body, (size_t)(rest - body));
    struct manifest m = {0};
    struct request r;
    bool ok = manifest_load(&m, d) && parse_request(a, body, &r, d), any = false;
    if (ok && !of_family && strcmp(head, "all") != 0) {
        ok = any = manifest_find(&m, head, d);
        if (ok)
            vec_push(&out->names, word(a, text));
    } else if (ok) {
        vec_each (&m.rows, row)
            if (!of_family || strcmp(row->family, head) == 0) {
                vec_push(&out->names, arena_printf(a, "%s%s", row->name, rest));
                any = true;
            }
        if (!any)
            diag_plain(d, "no workload is of family '%s'; see bankshot list workloads", head);
    }
    manifest_free(&m);
    return ok && any;
}
