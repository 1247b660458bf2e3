/* SPDX-License-Identifier: Apache-2.0 */
#include "api/guest.h"

#include <dlfcn.h>
#include <string.h>

enum { MOST_STATE_B = 1 << 20, MOST_WAITS = 1 << 20 };

/* What the SM keeps for each scheduler: ours, then theirs. */
struct guest_state {
    const struct bankshot_scheduler *theirs;
    uint32_t waited; /* picks of nobody in a row */
    _Alignas(16) unsigned char state[];
};

static void guest_init(void *st, const struct sm_cfg *cfg)
{
    struct guest_state *s = st;
    s->theirs = ((const struct guest *)(const void *)cfg->guest)->theirs;
    if (s->theirs->init)
        s->theirs->init(s->state, cfg->warps);
}

/* One that waits for ever would be a run without end: a slot that does not exist ends it, with the policy's name. */
static int guest_pick(void *st, const struct wsched_view *v)
{
    struct guest_state *s = st;
    const struct bankshot_warps w = {.ready = v->ready, .age = v->age};
    int slot = s->theirs->pick(s->state, &w);
    s->waited = slot < 0 ? s->waited + 1 : 0;
    return s->waited > MOST_WAITS ? 64 : slot;
}

static void guest_issued(void *st, uint32_t slot)
{
    struct guest_state *s = st;
    if (s->theirs->issued)
        s->theirs->issued(s->state, slot);
}

static const char *lacks(const struct bankshot_scheduler *s)
{
    return !s->name || !*s->name ? "a name" : !s->pick ? "a function `pick`" : NULL;
}

bool guest_put(struct guest *g, const struct bankshot_scheduler *s, struct sm_cfg *cfg, struct diag *d)
{
    if (s->abi != BANKSHOT_ABI)
        diag_plain(
            d,
            "the scheduler was compiled with version %u of bankshot.h, this is version %u; compile it again",
            s->abi, (uint32_t)BANKSHOT_ABI);
    else if (lacks(s))
        diag_plain(d, "the scheduler%s%s lacks %s", s->name && *s->name ? " " : "", s->name ? s->name : "",
                   lacks(s));
    else if (wsched_find(s->name))
        diag_plain(d, "the scheduler has the name of a bundled one, %s", s->name);
    else if (s->state_b > MOST_STATE_B)
        diag_plain(d, "the scheduler %s wants a state of %zu bytes, more than %d", s->name, s->state_b,
                   MOST_STATE_B);
    else {
        *g = (struct guest){.ops = {.is = {.name = s->name,
                                           .help = s->help ? s->help : "",
                                           .state_b = sizeof(struct guest_state) + s->state_b},
                                    .init = guest_init,
                                    .pick = guest_pick,
                                    .issued = guest_issued},
                            .theirs = s};
        cfg->guest = &g->ops;
        cfg->wsched = s->name;
        return true;
    }
    return false;
}

const struct bankshot_scheduler *guest_load(const char *path, struct diag *d)
{
    struct arena a = {0};
    const char *file = strchr(path, '/') ? path : arena_printf(&a, "./%s", path);
    void *plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const void *table = plugin ? dlsym(plugin, BANKSHOT_PLUGIN) : NULL;
    if (!plugin)
        diag_plain(d, "%s", dlerror());
    else if (!table)
        diag_plain(d, "%s is no plug-in: it has no symbol " BANKSHOT_PLUGIN, path);
    if (plugin && !table)
        dlclose(plugin);
    arena_free(&a);
    return table;
}
