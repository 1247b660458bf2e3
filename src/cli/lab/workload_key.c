/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lab/workload_key.h"

#include "base/file.h"
#include "cli/cc/cc.h"
#include "cli/resource.h"

#include <dirent.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { FILE_MAX_B = 256 << 20, DEPTH_MAX = 8 };

struct digest {
    XXH3_state_t *state;
    struct arena *a;
    struct diag *d;
};

static void add_text(struct digest *g, const char *text)
{
    /* With its end, so that two texts differ from one. */
    XXH3_64bits_update(g->state, text, strlen(text) + 1);
}

static bool add_file(struct digest *g, const char *path)
{
    struct file_text t;
    if (!file_read(path, FILE_MAX_B, &t, g->d))
        return false;
    uint64_t n = t.n;
    XXH3_64bits_update(g->state, &n, sizeof n);
    XXH3_64bits_update(g->state, t.at, t.n);
    file_free(&t);
    return true;
}

/* Names and contents of the files whose names end in `ending`, sorted, in the folder and (depth > 0) the folders in it. */
static bool add_folder(struct digest *g, const char *dir, const char *ending, int depth)
{
    struct dirent **list;
    int n = scandir(dir, &list, NULL, alphasort);
    bool ok = n >= 0;
    if (!ok)
        diag_plain(g->d, "%s: cannot be read", dir);
    for (int i = 0; i < n; i++) {
        const char *name = list[i]->d_name, *path = arena_printf(g->a, "%s/%s", dir, name);
        size_t len = strlen(name), end = strlen(ending);
        struct stat st;
        if (ok && name[0] != '.' && stat(path, &st) == 0) {
            if (S_ISDIR(st.st_mode) && depth > 0) {
                add_text(g, name);
                ok = add_folder(g, path, ending, depth - 1);
            } else if (S_ISREG(st.st_mode) && len >= end && strcmp(name + len - end, ending) == 0) {
                add_text(g, name);
                ok = add_file(g, path);
            }
        }
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return ok;
}

static void digest_open(struct digest *g, struct arena *a, struct diag *d)
{
    *g = (struct digest){XXH3_createState(), a, d};
    if (!g->state)
        abort();
    XXH3_64bits_reset(g->state);
    add_text(g, BANKSHOT_VERSION);
}

static const char *digest_close(struct digest *g, bool ok)
{
    uint64_t sum = XXH3_64bits_digest(g->state);
    XXH3_freeState(g->state);
    return ok ? arena_printf(g->a, "%016llx", (unsigned long long)sum) : NULL;
}

const char *workload_program_key(struct arena *a, const char *source, const char *arch, const char *rules,
                                 struct diag *d)
{
    struct digest g;
    struct cc_tool clang;
    const char *headers = cli_resource(a, "include"), *shared = cli_resource(a, "workloads");
    const char *device = cli_resource(a, "device.bc");
    if (!headers || !shared || !device || !cc_find_clang(a, &clang))
        return NULL;
    digest_open(&g, a, d);
    add_text(&g, arena_printf(a, "%s %s", clang.clang, clang.version));
    add_text(&g, rules);
    add_text(&g, arch);
    bool ok = add_file(&g, source) && add_folder(&g, shared, ".h", 0) &&
              add_folder(&g, headers, "", DEPTH_MAX) && add_file(&g, device);
    return digest_close(&g, ok);
}

const char *workload_trace_key(struct arena *a, const char *program_key, const char *args, uint32_t max_regs,
                               const char *code, const char *file, struct diag *d)
{
    struct digest g;
    const char *runtime = cli_resource(a, "libbankshot-cuda.so");
    if (!runtime)
        return NULL;
    digest_open(&g, a, d);
    add_text(&g, program_key);
    add_text(&g, args);
    add_text(&g, arena_printf(a, "%u", max_regs));
    if (*code)
        add_text(&g, code + 1);
    return digest_close(&g, add_file(&g, runtime) && (!file || add_file(&g, file)));
}

const char *workload_file_key(struct arena *a, const char *program, const char *with, struct diag *d)
{
    struct digest g;
    const char *runtime = cli_resource(a, "libbankshot-cuda.so");
    if (!runtime)
        return NULL;
    digest_open(&g, a, d);
    add_text(&g, with);
    return digest_close(&g, add_file(&g, program) && add_file(&g, runtime));
}
