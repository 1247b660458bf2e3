/* SPDX-License-Identifier: Apache-2.0 */
/* One option of bankshot cc: rows.c has the table of all and what each does, args.c reads a command line with it. */
#ifndef CLI_CC_ROW_H
#define CLI_CC_ROW_H

#include "cli/cc/cc.h"

/* No value; =value or the next word; TOUCH: also -xvalue; LIST: several values with commas between, which may
 * touch a single letter. */
enum cc_form { NONE, VALUE, TOUCH, LIST };

struct cc_row {
    const char *name, *alias; /* without dashes */
    enum cc_form form;
    bool (*set)(struct cc_job *j, const struct cc_row *r, const char *value);
    const char *text; /* for set */
    const char *help; /* "VALUE  what it does"; NULL: not in the list of options */
};

extern const struct cc_row cc_rows[];
extern const uint32_t cc_nrows;

/* A word of the host compiler's own. */
void cc_add_host_word(struct cc_job *j, const char *word);

#endif
