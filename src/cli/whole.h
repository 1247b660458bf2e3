/* SPDX-License-Identifier: Apache-2.0 */
/* Traces for use: a partial one gives numbers that look right and are not, so a command takes it only where the user says so. */
#ifndef CLI_WHOLE_H
#define CLI_WHOLE_H

#include "base/diag.h"
#include "trace/trace.h"

/* What a trace lacks, as a sentence's part in the arena; NULL: nothing. */
const char *whole_lacks(struct arena *a, const struct tr_reader *r);

/* Whose code its kernels are: "" for our compiler's, else ", NVIDIA's code for sm_90", in the arena. */
const char *whole_code(struct arena *a, const struct tr_reader *r);
/* The same in a word: ptx, sass, both. */
const char *whole_code_word(const struct tr_reader *r);

/* Opens a trace that is to be timed; `name` is what the user calls it. NULL after reporting: it cannot be read, has nothing to
 * time, or is partial and `partial_ok` (--allow-partial) is not given. */
struct tr_reader *whole_open(const char *path, const char *name, bool partial_ok, struct diag *d);

/* A row of a command's options. */
#define WHOLE_OPT(to)                                                                                        \
    {                                                                                                        \
        "allow-partial", CLI_FLAG, &(to), 0, 0, NULL,                                                        \
            "take traces whose recording did not come to its end, for what they have"                        \
    }

#endif
