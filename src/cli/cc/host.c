/* SPDX-License-Identifier: Apache-2.0 */
/* The host pass: a CUDA source with its PTX inside, or plain C and C++, to an object. */
#include "cli/cc/unit.h"

/* The rest of a host compilation: -c into the object, or text to where the user wants it. */
static bool host_pass(struct cc *c, struct cc_words *v, const struct cc_unit *u)
{
    cc_add(v, c->job->opt ? c->job->opt : "-O2");
    cc_add(v, "-ffp-contract=off"); /* what the host computes does not depend on the host's machine */
    cc_add_all(v, &c->job->host);
    if (u->lang == CC_CUDA && c->job->stop != CC_TO_TEXT) {
        if (!cc_wants_deps(c->job))
            cc_precompile(c, v);
        cc_add(v, "-Xclang");
        cc_add(v, "-fcuda-include-gpubinary");
        cc_add(v, "-Xclang");
        cc_add(v, u->image);
    }
    if (!cc_add_deps(c, v, u)) {
        vec_free(&v->w);
        return false;
    }
    const char *to = c->job->stop == CC_TO_TEXT ? c->job->output : u->assembly ? u->assembly : u->object;
    if (c->job->stop != CC_TO_TEXT)
        cc_add(v, u->assembly ? "-S" : "-c");
    cc_add(v, u->source);
    if (to) {
        cc_add(v, "-o");
        cc_add(v, to);
    }
    return cc_command(c, v);
}

/* -rdc=true: the object registers its device code with the runtime, which links it. */
static bool assemble(struct cc *c, const struct cc_unit *u)
{
    struct cc_words v = {0};
    if (!c->job->dry_run && !cc_register_with_runtime(u->assembly))
        return false;
    cc_add(&v, c->tool.clang);
    cc_add(&v, "-c");
    cc_add(&v, u->assembly);
    cc_add(&v, "-o");
    cc_add(&v, u->object);
    return cc_command(c, &v);
}

bool cc_compile_cuda(struct cc *c, const struct cc_unit *u)
{
    struct cc_words v = {0};
    if (c->job->stop != CC_TO_TEXT && !cc_device_pass(c, u))
        return false;
    if (c->job->stop == CC_TO_PTX)
        return true;
    v = cc_cuda_words(c);
    cc_add_rdc(c, &v, u);
    cc_add(&v, "--cuda-host-only");
    return host_pass(c, &v, u) && (!u->assembly || assemble(c, u));
}

bool cc_compile_host(struct cc *c, const struct cc_unit *u)
{
    struct cc_words v = {0};
    cc_add(&v, c->tool.clang);
    cc_add(&v, "-x");
    cc_add(&v, u->lang == CC_C ? "c" : "c++");
    cc_add(&v, "-isystem");
    cc_add(&v, cc_join(c, c->home, "/include"));
    cc_add_std(c, &v, u->lang == CC_CXX);
    cc_add_all(&v, &c->job->both);
    return host_pass(c, &v, u);
}
