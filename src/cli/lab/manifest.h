/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the bundled programs, home/workloads/manifest.csv: one row each with name, family, the program's folder, its fixed
 * arguments, who uses it in the literature (paper:class words), a line about it, the architecture it is built for where that is
 * not that of the suite (may be left out). Cells hold no commas. */
#ifndef CLI_LAB_MANIFEST_H
#define CLI_LAB_MANIFEST_H

#include "base/diag.h"

struct manifest_row {
    const char *name, *family, *program, *args, *uses, *about, *arch;
};

struct manifest {
    struct arena arena;
    VEC(struct manifest_row) rows;
};

/* False after reporting file, line and reason. manifest_free in either case. */
bool manifest_read(struct manifest *m, const char *path, struct diag *d);
/* The installed one. */
bool manifest_load(struct manifest *m, struct diag *d);
void manifest_free(struct manifest *m);

/* NULL after reporting, with the nearest name. */
const struct manifest_row *manifest_find(const struct manifest *m, const char *name, struct diag *d);

#endif
