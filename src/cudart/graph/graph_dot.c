/* SPDX-License-Identifier: Apache-2.0 */
/* A graph as a dot file. */
#include "cudart/graph/graph.h"

static const char *const kinds[] = {
    [RO_LAUNCH] = "kernel", [RO_COPY] = "memcpy",      [RO_SET] = "memset",  [RO_HOST] = "host",
    [RO_RECORD] = "record", [RO_WAIT] = "wait",        [RO_ALLOC] = "alloc", [RO_FREE] = "free",
    [RO_EMPTY] = "empty",   [RO_CHILD] = "child graph"};

/* Nodes by their way from the outermost graph, so that names are unique. */
static void print(FILE *f, const struct rt_graph *g, const char *path, unsigned depth)
{
    char inner[256];
    fprintf(f, "%*ssubgraph \"cluster%s\" {\n", (int)depth * 2, "", path);
    vec_each (&g->nodes, at) {
        const struct rt_node *n = *at;
        fprintf(f, "%*s\"%s/%u\" [label=\"%u %s", (int)depth * 2 + 2, "", path, n->id, n->id,
                kinds[n->op.kind]);
        if (n->op.kind == RO_LAUNCH)
            fprintf(f, "\\n%s", n->op.launch.kernel->name);
        fprintf(f, "\"];\n");
        vec_each (&n->deps, d)
            fprintf(f, "%*s\"%s/%u\" -> \"%s/%u\";\n", (int)depth * 2 + 2, "", path, (*d)->id, path, n->id);
        if (n->op.kind == RO_CHILD && snprintf(inner, sizeof inner, "%s/%u", path, n->id) < (int)sizeof inner)
            print(f, n->op.child, inner, depth + 1);
    }
    fprintf(f, "%*s}\n", (int)depth * 2, "");
}

/* Flags ask for more detail, which there is none of. */
RT_API cudaError_t cudaGraphDebugDotPrint(cudaGraph_t h, const char *path, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    const struct rt_graph *g = rt_obj_get(rt, h, RK_GRAPH);
    (void)flags;
    FILE *f = g && path ? fopen(path, "w") : NULL;
    if (!f)
        return rt_leave(rt, g && path ? cudaErrorOperatingSystem : cudaErrorInvalidValue);
    fprintf(f, "digraph dot {\n");
    print(f, g, "", 1);
    fprintf(f, "}\n");
    bool good = fclose(f) == 0;
    return rt_leave(rt, good ? cudaSuccess : cudaErrorOperatingSystem);
}
