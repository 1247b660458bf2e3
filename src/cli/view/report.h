/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of bankshot report: the page as the build embedded it, and the database as the JSON that the page reads. */
#ifndef CLI_VIEW_REPORT_H
#define CLI_VIEW_REPORT_H

#include "db/db.h"

#include <stdio.h>

/* src/cli/view/report/: page.html has @CSS@, @DATA@ and @JS@ where the others go. Made by cmake/embed.cmake. */
extern const char report_html[], report_css[], report_js[];

/* Cycles of a real GPU, in a file as tools/suite-measure writes it, and the preset that is compared with it. */
struct report_silicon {
    const char *gpu, *path;
};

/* What is shown beside the database. */
struct report_also {
    struct report_silicon silicon;
    const char *const *pipelines; /* files of run --pipeline FILE.json */
    uint32_t npipelines;
};

/* Writes all that the page shows. It may stand inside a script element: no '<' occurs in it. False after reporting. */
bool report_data(struct db *db, const struct report_also *also, FILE *to, struct diag *d);

#endif
