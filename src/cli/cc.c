/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot cc: CUDA programs to executables, with Debian's clang, the headers of this project and its
 * runtime library. Each .cu file is compiled twice, as in nvcc: its device code to PTX, then its host code
 * with that PTX inside. */
#include "cli/cc/unit.h"
#include "cli/resource.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char story[] =
    "Compiles and links CUDA C++ (.cu) with C and C++ files, objects and libraries, without a CUDA toolkit:\n"
    "clang compiles (clang-19 where it is; $BANKSHOT_CLANG names another) with Bankshot's own CUDA headers,\n"
    "and the program is linked with Bankshot's runtime: ./APP runs at once, `bankshot record` traces it.\n"
    "Options are those of nvcc, as -name or --name, with a value as =VALUE or as the next word. -W, -f\n"
    "and -m options go to the host compilation (-fopenmp too, -Xcompiler or not). What concerns only\n"
    "NVIDIA's assembler and linker is accepted and has no effect. For build systems there is bin/nvcc in\n"
    "lib/bankshot, which is this command, and for CMake bankshot.cmake, a toolchain file.\n";

/* Where the results of source number n go: to the names that the user asked for, else to the temporary
 * folder. */
static struct cc_unit plan_unit(struct cc *c, const struct cc_input *in, uint32_t n)
{
    struct cc_job *j = c->job;
    const char *base = cc_stem(c, in->path);
    struct cc_unit u = {.source = in->path, .lang = in->lang};
    u.object = arena_printf(&j->arena, "%s/%u-%s.o", c->tmp, n, base);
    u.ptx = arena_printf(&j->arena, "%s/%u-%s.ptx", c->tmp, n, base);
    u.image = j->stop == CC_TO_PTX ? NULL : arena_printf(&j->arena, "%s/%u-%s.image", c->tmp, n, base);
    u.callers = arena_printf(&j->arena, "%s/%u-%s.callers.ptx", c->tmp, n, base);
    u.ir = arena_printf(&j->arena, "%s/%u-%s.ll", c->tmp, n, base);
    if (j->rdc && in->lang == CC_CUDA && j->stop != CC_TO_TEXT)
        u.assembly = arena_printf(&j->arena, "%s/%u-%s.s", c->tmp, n, base);
    if (j->sm >= CC_SM_CLUSTERS && !(j->stop == CC_TO_PTX && cc_wants_deps(j)))
        u.deps = arena_printf(&j->arena, "%s/%u-%s.d", c->tmp, n, base);
    u.target = cc_result(c, "a.out");
    if (j->stop == CC_TO_OBJECT)
        u.target = u.object = cc_result(c, cc_join(c, base, ".o"));
    if (j->stop == CC_TO_PTX) {
        u.target = cc_result(c, cc_join(c, base, ".ptx"));
        u.ptx = cc_aside(c, u.target);
    } else if (j->keep && in->lang == CC_CUDA) {
        u.ptx = cc_aside(c, cc_kept_ptx(c, base));
    }
    return u;
}

static bool compile_all(struct cc *c)
{
    uint32_t n = 0;
    vec_each (&c->job->inputs, in) {
        if (in->lang == CC_LINK || (c->job->stop == CC_TO_PTX && in->lang != CC_CUDA))
            continue;
        struct cc_unit u = plan_unit(c, in, n++);
        c->job->link.w.at[in->link_at] = u.object;
        if (!u.ptx || !(in->lang == CC_CUDA ? cc_compile_cuda(c, &u) : cc_compile_host(c, &u)))
            return false;
    }
    return true;
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
        if (in->lang == CC_CUDA && access(cc_join(c, c->home, "/device.bc"), R_OK) != 0) {
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
    if (!check_inputs(c->job) || !find_parts(c) || !cc_check_results(c))
        return CLI_USAGE;
    cc_hold_signals(&c->mask);
    c->tmp = c->job->dry_run ? "/tmp/bankshot-cc" : cc_temp_dir(&c->job->arena);
    bool ok = c->tmp && compile_all(c) && cc_finish(c);
    ok = cc_end_results(c, ok) && ok;
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
    if (argc == 2 && strcmp(argv[1], CLI_TELL_FILES) == 0) {
        cc_print_files(stdout);
        status = CLI_OK;
    } else if (cc_read_args(&job, argc, argv)) {
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
