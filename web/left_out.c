/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands of main.c ask of modules that are left out: bundled programs, the results database, threads. */
#include "base/arena.h"
#include "cli/cli.h"
#include "cli/lab/pool.h"
#include "cli/lab/workload.h"
#include "cli/sass_file.h"
#include "db/db.h"
#include "db/generated.h"
#include "gpu/team.h"

/* ---- bundled programs: nothing could compile them, so that every name is a file's ---- */

const char *workload_trace(struct arena *a, const char *name, bool quiet, struct diag *d)
{
    (void)a, (void)quiet, (void)d;
    return name;
}

bool workload_is_file(const char *name) { return (void)name, true; }
size_t workload_part(const char *name) { return strlen(name); }
bool workload_is_ptx(const char *at) { return (void)at, false; }
uint32_t pool_processors(void) { return 1; }

/* ---- machine code of NVIDIA's: the page takes PTX ---- */

int sass_print_file(const struct sass_file_opts *o)
{
    return cli_error("%s: machine code is not read here", o->path);
}

/* ---- the database ---- */

const char *db_model(void) { return db_model_digest; }
const char *db_code_order(const struct db_point *p) { return (void)p, ""; }

/* ---- threads: the caller does it all ---- */

struct team {
    int none;
};

struct team *team_new(uint32_t threads) { return (void)threads, xcalloc(1, sizeof(struct team)); }
void team_free(struct team *t) { free(t); }
void team_offer(struct team *t, void (*f)(void *ctx), void *ctx) { (void)t, (void)f, (void)ctx; }
bool team_busy(const struct team *t) { return (void)t, false; }
uint32_t team_threads(const struct team *t) { return (void)t, 1; }
uint64_t team_shared(const struct team *t) { return (void)t, 0; }

void team_run(struct team *t, const struct team_list *lists, uint32_t nlists, uint32_t worth, void *ctx)
{
    (void)t, (void)worth;
    for (uint32_t k = 0; k < nlists; k++)
        for (uint32_t i = 0; i < lists[k].n; i++)
            lists[k].f(ctx, i);
}
