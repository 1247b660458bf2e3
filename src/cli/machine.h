/* SPDX-License-Identifier: Apache-2.0 */
/* The machine a command simulates, as its options say (api/machine.h). */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

#include "api/machine.h"
#include "cli/cli.h"

struct machine_opts {
    const char *gpu;      /* name of conf/gpus, or a path with a slash, .ini or .config (GPGPU-Sim's) */
    const char *mechs;    /* names of conf/mechs, separated by commas; NULL or "base": none */
    struct cli_list sets; /* section.option=value */
    bool sample;          /* --sample: gpu.sample is MACHINE_SAMPLE, unless sets say otherwise */
};
#define MACHINE_SAMPLE "0.03"
#define MACHINE_SAMPLE_OPT(flag)                                                                             \
    {                                                                                                        \
        "sample", CLI_FLAG, &(flag), 0, 0, NULL,                                                             \
            "estimate from a part of the instructions, with an interval (gpu.sample=" MACHINE_SAMPLE ")"     \
    }

/* Rows for a command's option table. */
#define MACHINE_OPTS(m)                                                                                      \
    {"gpu", CLI_IN, &(m).gpu, 0, 0, "NAME", "preset (see bankshot list gpus), or a file"},                   \
        {"mech", CLI_STR, &(m).mechs, 0, 0, "NAME,...", "mechanisms (see bankshot list mechs)"},             \
    {                                                                                                        \
        "set", CLI_LIST, &(m).sets, 0, 0, "KEY=VALUE", "one option (see bankshot list options)"              \
    }

/* Fills c. False after reporting. conf_free(&c->conf) in either case. */
bool machine_load(const struct machine_opts *m, struct gpu_conf *c, struct diag *d);

/* Prints what was set and changes nothing. seen: what was printed before and is not said again, NULL: nothing was; which: printed
 * before it, NULL: nothing is. */
struct machine_warnings {
    struct arena arena;
    VEC(const char *) texts;
};
void machine_warn(struct gpu_conf *c, const char *which, struct machine_warnings *seen);
/* What the machine has not that the trace's code asks for (gpu/capable.h). */
void machine_warn_code(const struct gpu_conf *c, const struct tr_reader *t, const char *which,
                       struct machine_warnings *seen);
void machine_warnings_free(struct machine_warnings *w);

/* Calls f with the name and path of every file of home/conf/`kind`, sorted. False: printed why not. */
bool machine_each(const char *kind, machine_visit *f, void *ctx);

#endif
