/* SPDX-License-Identifier: Apache-2.0 */
/* A warp scheduler as a plug-in: stay with a warp as long as it can issue, then go to the youngest, where the usual one
 * (gto) goes to the oldest.
 *
 *   cc -shared -fPIC youngest.c -o youngest.so $(pkg-config --cflags bankshot)
 *   bankshot run TRACE.bst --plugin ./youngest.so */
#include <bankshot.h>

struct state {
    uint32_t last; /* slot that issued last */
    bool has_last;
};

static int pick(void *state, const struct bankshot_warps *w)
{
    const struct state *s = state;
    if (s->has_last && w->ready >> s->last & 1)
        return (int)s->last;
    int best = -1;
    for (int i = 0; i < 64; i++)
        if (w->ready >> i & 1 && (best < 0 || w->age[i] > w->age[best]))
            best = i;
    return best;
}

static void issued(void *state, uint32_t slot)
{
    *(struct state *)state = (struct state){.last = slot, .has_last = true};
}

const struct bankshot_scheduler bankshot_plugin = {
    .abi = BANKSHOT_ABI,
    .name = "youngest",
    .help = "the same warp as long as it can, then the youngest",
    .state_b = sizeof(struct state),
    .pick = pick,
    .issued = issued,
};
