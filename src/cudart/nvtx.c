/* SPDX-License-Identifier: Apache-2.0 */
/* NVTX ranges as regions of interest: launches inside a range of the name in BANKSHOT_NVTX are marked in the trace, as those
 * between the profiler's switches are (TL_REGION).
 *
 * Programs come by these functions in two ways. Those that bankshot cc compiled, or that are linked with nvToolsExt, call them by
 * name. Those with NVIDIA's header call pointers of the header's own; it loads the library that NVTX_INJECTION64_PATH names
 * and calls InitializeInjectionNvtx2 in it, which is handed a table of those pointers by module and number (nvtx3's
 * nvtxDetail/nvtxTypes.h) and sets them. */
#include "cudart/rt.h"

#include "nvtx3/nvToolsExt.h"

enum { RANGES = 128 }; /* open at a time in a thread; deeper ones count as not being of the name */

/* Push and pop: of the calling thread. */
struct nvtx_thread {
    uint32_t depth, open; /* ranges; of these, those of the name */
    bool wanted[RANGES];
};
static _Thread_local struct nvtx_thread mine;

static bool is_wanted(const char *wanted, const char *message)
{
    return wanted && message && (strcmp(wanted, "*") == 0 || strcmp(wanted, message) == 0);
}

static bool wide_is_wanted(const char *wanted, const wchar_t *message)
{
    char text[256];
    size_t n = 0;
    while (message && message[n] && n < sizeof text - 1) {
        text[n] = message[n] < 128 ? (char)message[n] : '?';
        n++;
    }
    text[n] = 0;
    return message && is_wanted(wanted, text);
}

/* Strings that were registered are their own handles. */
static bool event_is_wanted(const char *wanted, const nvtxEventAttributes_t *e)
{
    if (!e || e->size < offsetof(nvtxEventAttributes_t, message) + sizeof e->message)
        return false;
    switch (e->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII: return is_wanted(wanted, e->message.ascii);
    case NVTX_MESSAGE_TYPE_UNICODE: return wide_is_wanted(wanted, e->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED: return is_wanted(wanted, (const char *)e->message.registered);
    default: return false;
    }
}

static const char *wanted_name(void)
{
    struct rt *rt = rt_enter_early();
    const char *name = rt->cfg.nvtx;
    rt_leave_quiet(rt);
    return name;
}

bool rt_in_nvtx(const struct rt *rt) { return mine.open || rt->nvtx_open; }

static int push(bool wanted)
{
    if (mine.depth < RANGES) {
        mine.wanted[mine.depth] = wanted;
        mine.open += wanted;
    }
    return (int)mine.depth++;
}

/* What is started in one thread may be ended in another. The number has in its last bit whether it is of the name. */
static nvtxRangeId_t start(bool wanted)
{
    struct rt *rt = rt_enter_early();
    nvtxRangeId_t id = ++rt->nvtx_ranges << 1 | wanted;
    rt->nvtx_open += wanted;
    rt_leave_quiet(rt);
    return id;
}

RT_API int nvtxRangePushA(const char *message) { return push(is_wanted(wanted_name(), message)); }
RT_API int nvtxRangePushW(const wchar_t *message) { return push(wide_is_wanted(wanted_name(), message)); }
RT_API int nvtxRangePushEx(const nvtxEventAttributes_t *e) { return push(event_is_wanted(wanted_name(), e)); }

RT_API int nvtxRangePop(void)
{
    if (!mine.depth)
        return NVTX_NO_PUSH_POP_TRACKING;
    if (--mine.depth < RANGES)
        mine.open -= mine.wanted[mine.depth];
    return (int)mine.depth;
}

RT_API nvtxRangeId_t nvtxRangeStartA(const char *message) { return start(is_wanted(wanted_name(), message)); }
RT_API nvtxRangeId_t nvtxRangeStartW(const wchar_t *message)
{
    return start(wide_is_wanted(wanted_name(), message));
}
RT_API nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *e)
{
    return start(event_is_wanted(wanted_name(), e));
}

RT_API void nvtxRangeEnd(nvtxRangeId_t id)
{
    struct rt *rt = rt_enter_early();
    if (id & 1 && id >> 1 <= rt->nvtx_ranges && rt->nvtx_open)
        rt->nvtx_open--;
    rt_leave_quiet(rt);
}

/* Domains keep the names of libraries apart; which one a range is of does not matter here. */
RT_API nvtxDomainHandle_t nvtxDomainCreateA(const char *name)
{
    static char one;
    (void)name;
    return (nvtxDomainHandle_t)(void *)&one;
}
RT_API void nvtxDomainDestroy(nvtxDomainHandle_t d) { (void)d; }
RT_API nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t d, const char *text)
{
    (void)d;
    return (nvtxStringHandle_t)(void *)xstrdup(text ? text : ""); /* registered for the life of the process */
}
RT_API int nvtxDomainRangePushEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e)
{
    (void)d;
    return nvtxRangePushEx(e);
}
RT_API int nvtxDomainRangePop(nvtxDomainHandle_t d)
{
    (void)d;
    return nvtxRangePop();
}
RT_API nvtxRangeId_t nvtxDomainRangeStartEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e)
{
    (void)d;
    return nvtxRangeStartEx(e);
}
RT_API void nvtxDomainRangeEnd(nvtxDomainHandle_t d, nvtxRangeId_t id)
{
    (void)d;
    nvtxRangeEnd(id);
}

/* Taken and dropped. */
RT_API void nvtxInitialize(const void *reserved) { (void)reserved; }
RT_API void nvtxMarkA(const char *message) { (void)message; }
RT_API void nvtxMarkW(const wchar_t *message) { (void)message; }
RT_API void nvtxMarkEx(const nvtxEventAttributes_t *e) { (void)e; }
RT_API void nvtxDomainMarkEx(nvtxDomainHandle_t d, const nvtxEventAttributes_t *e) { (void)d, (void)e; }
RT_API void nvtxNameOsThreadA(uint32_t thread, const char *name) { (void)thread, (void)name; }
RT_API void nvtxNameCategoryA(uint32_t category, const char *name) { (void)category, (void)name; }

/* ---- the header's table ---- */

typedef void (*any_fn)(void);
enum { TABLE_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };

struct callbacks {
    size_t size_b;
    int (*table)(int module, any_fn ***table, unsigned *n);
};

struct slot {
    unsigned module, number;
    any_fn to;
};
static const struct slot slots[] = {
    {MODULE_CORE, 4, (any_fn)nvtxRangeStartEx},
    {MODULE_CORE, 5, (any_fn)nvtxRangeStartA},
    {MODULE_CORE, 6, (any_fn)nvtxRangeStartW},
    {MODULE_CORE, 7, (any_fn)nvtxRangeEnd},
    {MODULE_CORE, 8, (any_fn)nvtxRangePushEx},
    {MODULE_CORE, 9, (any_fn)nvtxRangePushA},
    {MODULE_CORE, 10, (any_fn)nvtxRangePushW},
    {MODULE_CORE, 11, (any_fn)nvtxRangePop},
    {MODULE_CORE2, 2, (any_fn)nvtxDomainRangeStartEx},
    {MODULE_CORE2, 3, (any_fn)nvtxDomainRangeEnd},
    {MODULE_CORE2, 4, (any_fn)nvtxDomainRangePushEx},
    {MODULE_CORE2, 5, (any_fn)nvtxDomainRangePop},
    {MODULE_CORE2, 10, (any_fn)nvtxDomainRegisterStringA},
    {MODULE_CORE2, 12, (any_fn)nvtxDomainCreateA},
    {MODULE_CORE2, 14, (any_fn)nvtxDomainDestroy},
};

RT_API int InitializeInjectionNvtx2(const void *(*get)(uint32_t id));
int InitializeInjectionNvtx2(const void *(*get)(uint32_t id))
{
    const struct callbacks *c = get ? get(TABLE_CALLBACKS) : NULL;
    if (!c || c->size_b < sizeof *c)
        return 0;
    for (unsigned i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        any_fn **table = NULL;
        unsigned n = 0;
        if (c->table((int)slots[i].module, &table, &n) && slots[i].number < n && table[slots[i].number])
            *table[slots[i].number] = slots[i].to;
    }
    return 1;
}
