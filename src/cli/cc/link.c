/* SPDX-License-Identifier: Apache-2.0 */
/* What the objects become together. */
#include "cli/cc/unit.h"

#include <unistd.h>

/* Our folder is searched first, so that a toolkit's -L has no say; the program finds the runtime there
 * when it runs. */
static bool link_app(struct cc *c)
{
    struct cc_words v = {0};
    const char *to = cc_aside(c, cc_result(c, "a.out"));
    if (!to)
        return false;
    if (c->job->dry_run || c->job->verbose)
        cc_print_link(c->job, c->home);
    cc_add(&v, c->tool.clang);
    cc_add(&v, "--driver-mode=g++");
    cc_add(&v, cc_join(c, "-L", c->home));
    cc_add(&v, "-Xlinker");
    cc_add(&v, cc_join(c, "-rpath=", c->home));
    cc_add_all(&v, &c->job->link);
    cc_add(&v, "-lcudart");
    cc_add(&v, "-o");
    cc_add(&v, to);
    return cc_command(c, &v);
}

/* -lib: the objects alone; options of the linker and other libraries have no place in an archive. */
static bool make_library(struct cc *c)
{
    struct cc_words v = {0};
    const char *ar, *to = cc_aside(c, cc_result(c, "a.a"));
    if (!to)
        return false;
    if (!cc_find_program(&c->job->arena, "ar", &ar)) {
        cli_error("ar is missing, which makes libraries; as root: apt-get install binutils");
        return false;
    }
    cc_add(&v, ar);
    cc_add(&v, "qcs");
    cc_add(&v, to);
    vec_each (&c->job->inputs, in)
        cc_add(&v, c->job->link.w.at[in->link_at]);
    return cc_command(c, &v);
}

/* -dlink: build systems link the object that nvcc makes here. */
static bool make_nothing(struct cc *c)
{
    struct cc_words v = {0};
    static const char *const fixed[] = {"-x", "c", "-c", "/dev/null", "-o"};
    cc_add(&v, c->tool.clang);
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        cc_add(&v, fixed[i]);
    cc_add(&v, cc_result(c, "a_dlink.o"));
    return cc_command(c, &v);
}

bool cc_finish(struct cc *c)
{
    switch (c->job->stop) {
    case CC_TO_APP: return link_app(c);
    case CC_TO_LIBRARY: return make_library(c);
    case CC_TO_LINK: return make_nothing(c);
    default: return true;
    }
}
