/* SPDX-License-Identifier: Apache-2.0 */
/* Words that passes of the compiler have in common, and running its commands. */
#include "cli/cc/unit.h"

void cc_add_all(struct cc_words *to, const struct cc_words *from)
{
    vec_each (&from->w, p)
        cc_add(to, *p);
}

bool cc_command(struct cc *c, struct cc_words *v)
{
    if (c->job->dry_run || c->job->verbose)
        cc_print_command(v);
    int status = 0;
    if (!c->job->dry_run && !c->stopped) {
        cc_add(v, NULL);
        status = cc_run((char *const *)v->w.at, CC_HEARD, &c->mask, &c->stopped);
        if (status >= 128 && !c->stopped)
            cli_error("%s was ended by signal %d", v->w.at[0], status - 128);
    }
    vec_free(&v->w);
    return status == 0 && !c->stopped;
}

const char *cc_join(struct cc *c, const char *a, const char *b)
{
    return arena_printf(&c->job->arena, "%s%s", a, b);
}

void cc_add_std(struct cc *c, struct cc_words *v, bool cxx)
{
    const char *std = c->job->std;
    if (std && cxx == (strncmp(std, "c++", 3) == 0 || strncmp(std, "gnu++", 5) == 0))
        cc_add(v, cc_join(c, "-std=", std));
}

const char *cc_no_toolkit(struct cc *c)
{
    return arena_printf(&c->job->arena, "--cuda-path=%s/include", c->home);
}

/* The version only makes clang use the launch calls of CUDA 9.2
 * and later. */
struct cc_words cc_cuda_words(struct cc *c)
{
    struct cc_words v = {0};
    cc_add(&v, c->tool.clang);
    static const char *const fixed[] = {"-x",
                                        "cuda",
                                        "-nocudainc",
                                        "-nocudalib",
                                        "-Wno-unknown-cuda-version",
                                        "-Wno-error=register", /* C++17 forbids the word, nvcc does not */
                                        "-Xclang",
                                        "-target-sdk-version=11.0"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    cc_add(&v, cc_no_toolkit(c));
    cc_add(&v, arena_printf(&c->job->arena, "--cuda-gpu-arch=sm_%s", cc_sm_name(c->job)));
    cc_add(&v, "-isystem");
    cc_add(&v, cc_join(c, c->home, "/include"));
    cc_add(&v, "-include");
    cc_add(&v, "cuda_runtime.h");
    cc_add_std(c, &v, true);
    cc_add_all(&v, &c->job->both);
    return v;
}

/* -rdc=true. The two passes must agree on a name for what a file keeps to itself but the host knows: one that no other has. */
void cc_add_rdc(struct cc *c, struct cc_words *v, const struct cc_unit *u)
{
    uint64_t id = 14695981039346656037u; /* FNV-1a */
    if (!c->job->rdc)
        return;
    for (const char *p = cc_join(c, u->source, u->target); *p; p++)
        id = (id ^ (unsigned char)*p) * 1099511628211u;
    cc_add(v, "-fgpu-rdc");
    cc_add(v, "-fuse-cuid=none"); /* the driver would only give its own to the device pass */
    cc_add(v, "-Xclang");
    cc_add(v, arena_printf(&c->job->arena, "-cuid=%016llx", (unsigned long long)id));
}

/* The rule in the file names what is made, not a temporary object. */
bool cc_add_deps(struct cc *c, struct cc_words *v, const struct cc_unit *u)
{
    const struct cc_job *j = c->job;
    const char *file = cc_dep_file(c, u->target), *to = file ? cc_aside(c, file) : NULL;
    if (file && !to)
        return false;
    cc_add_all(v, &j->dep_words);
    if (j->deps)
        cc_add(v, j->deps);
    if (to) {
        cc_add(v, "-MF");
        cc_add(v, to);
    }
    if (j->deps && !j->dep_target) {
        cc_add(v, "-MT");
        cc_add(v, u->target);
    }
    return true;
}

/* Names are separated by spaces and the ends of lines, which a backslash precedes; one before a space makes it part of a name.
 * What ends with a colon is made of them. */
bool cc_next_name(const char **at, char *name)
{
    for (const char *p = *at; *p;) {
        size_t n = 0;
        while (*p == ' ' || *p == '\n' || (p[0] == '\\' && p[1] == '\n'))
            p++;
        for (; *p && *p != ' ' && *p != '\n' && !(p[0] == '\\' && p[1] == '\n'); p++) {
            if (p[0] == '\\' && (p[1] == ' ' || p[1] == '#'))
                p++;
            name[n++] = *p;
        }
        name[n] = 0;
        *at = p;
        if (n && name[n - 1] != ':')
            return true;
    }
    return false;
}
