/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that is simulated: a preset, overlays of mechanisms, single options. Commands and the library load it here; nothing
 * is printed. */
#ifndef API_MACHINE_H
#define API_MACHINE_H

#include "gpu/gpu.h"

struct machine {
    const char *home;        /* api/home.h */
    const char *gpu;         /* name of conf/gpus, or a path with a slash, .ini or .config (GPGPU-Sim's) */
    const char *mechs;       /* names of conf/mechs, separated by commas; NULL or "base": none */
    const char *const *sets; /* section.option=value */
    uint32_t nsets;
};

/* Fills c. False after reporting. conf_free(&c->conf) in either case. *ignored: options of a GPGPU-Sim file that mean nothing,
 * "" where there are none. */
bool machine_make(const struct machine *m, struct gpu_conf *c, const char **ignored, struct diag *d);

/* Calls f with the name and path of every file of home/conf/`kind`, sorted. False after reporting. */
typedef void machine_visit(void *ctx, const char *name, const char *path);
bool machine_files(const char *home, const char *kind, machine_visit *f, void *ctx, struct diag *d);

#endif
