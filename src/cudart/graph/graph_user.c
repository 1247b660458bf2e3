/* SPDX-License-Identifier: Apache-2.0 */
/* User objects: what a program wants destroyed with the last graph that needs it. */
#include "cudart/graph/graph.h"

enum { USER_REFS_MAX = 1 << 20 }; /* of one call */

struct rt_user {
    struct rt_obj obj;
    void (*destroy)(void *);
    void *data;
    uint64_t refs;
};

void user_retain(struct rt_user *u, uint32_t n) { u->refs += n; }

void user_release(struct rt *rt, struct rt_user *u, uint32_t n)
{
    u->refs -= n < u->refs ? n : u->refs;
    if (u->refs)
        return;
    void (*destroy)(void *) = u->destroy;
    void *data = u->data;
    rt_obj_remove(rt, &u->obj);
    free(u);
    unsigned depth = rt_pause(rt);
    destroy(data);
    rt_resume(rt, depth);
}

static struct rt_user *get(struct rt *rt, cudaUserObject_t h) { return rt_obj_get(rt, h, RK_USER_OBJECT); }

RT_API cudaError_t cudaUserObjectCreate(cudaUserObject_t *out, void *ptr, cudaHostFn_t destroy,
                                        unsigned int refs, unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    if (!out || !destroy || !refs || refs > USER_REFS_MAX || flags != cudaUserObjectNoDestructorSync)
        return rt_leave(rt, cudaErrorInvalidValue);
    struct rt_user *u = xcalloc(1, sizeof *u);
    *u = (struct rt_user){.destroy = destroy, .data = ptr, .refs = refs};
    rt_obj_add(rt, &u->obj, RK_USER_OBJECT);
    *out = (cudaUserObject_t)u;
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaUserObjectRetain(cudaUserObject_t h, unsigned int n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_user *u = get(rt, h);
    bool good = u && n && n <= USER_REFS_MAX;
    if (good)
        user_retain(u, n);
    return rt_leave(rt, good ? cudaSuccess : cudaErrorInvalidValue);
}

RT_API cudaError_t cudaUserObjectRelease(cudaUserObject_t h, unsigned int n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_user *u = get(rt, h);
    bool good = u && n && n <= u->refs;
    if (good)
        user_release(rt, u, n);
    return rt_leave(rt, good ? cudaSuccess : cudaErrorInvalidValue);
}

/* With cudaGraphUserObjectMove the caller's references become the graph's. */
RT_API cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t h, unsigned int n,
                                             unsigned int flags)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_graph *g = rt_obj_get(rt, graph, RK_GRAPH);
    struct rt_user *u = get(rt, h);
    if (!g || !u || !n || n > USER_REFS_MAX || flags & ~(unsigned)cudaGraphUserObjectMove)
        return rt_leave(rt, cudaErrorInvalidValue);
    if (!(flags & cudaGraphUserObjectMove))
        user_retain(u, n);
    else if (n > u->refs)
        return rt_leave(rt, cudaErrorInvalidValue);
    for (unsigned i = 0; i < n; i++)
        vec_push(&g->users, u);
    return rt_leave(rt, cudaSuccess);
}

RT_API cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t h, unsigned int n)
{
    struct rt *rt = rt_enter(__func__);
    struct rt_graph *g = rt_obj_get(rt, graph, RK_GRAPH);
    struct rt_user *u = get(rt, h);
    uint32_t has = 0, kept = 0, drop = n;
    if (!g || !u || !n)
        return rt_leave(rt, cudaErrorInvalidValue);
    vec_each (&g->users, at)
        has += *at == u;
    if (has < n)
        return rt_leave(rt, cudaErrorInvalidValue);
    for (uint32_t i = 0; i < g->users.n; i++) {
        if (g->users.at[i] == u && drop)
            drop--;
        else
            g->users.at[kept++] = g->users.at[i];
    }
    g->users.n = kept;
    user_release(rt, u, n);
    return rt_leave(rt, cudaSuccess);
}
