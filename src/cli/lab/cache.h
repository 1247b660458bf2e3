/* SPDX-License-Identifier: Apache-2.0 */
/* What is made once and kept in the cache's folder (cli/cachedir.h). An entry is made under a name of this process, brought to
 * the disk and then renamed: whoever is killed or finds the disk full leaves nothing half done under its name, and two who make
 * the same do not disturb each other. */
#ifndef CLI_LAB_CACHE_H
#define CLI_LAB_CACHE_H

#include "cli/cachedir.h"

/* What a person hears of what takes time: nothing, a line for each thing, that and how far it has come. */
enum telling { TELL_NOTHING, TELL_LINES, TELL_PROGRESS };

/* Runs a command of this program, `tmp` being what it makes, and puts that in place. What it printed belongs to the report if it
 * fails; `tmp` is gone then. */
bool cache_make(struct arena *a, char *const *argv, const char *tmp, const char *path, const char *what,
                enum telling telling, struct diag *d);

/* Is there a trace that can be used? One that is not whole, left by a crash or by a program that did not look, is to be made
 * again. */
bool cache_has_trace(const char *path, enum telling telling);

#endif
