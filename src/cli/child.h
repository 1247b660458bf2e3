/* SPDX-License-Identifier: Apache-2.0 */
/* Running the user's program under a command: its terminal, input, output and fate are its own. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

#include <stdbool.h>
#include <stddef.h>

struct child_env {
    const char *name, *value; /* value NULL: removed */
};

struct child {
    char *const *argv;
    const struct child_env *env;
    size_t nenv;
    const char *output; /* not NULL: a file that takes what it prints, errors too */
    double seconds;     /* result: how long it ran, wall time */
};

/* Starts argv[0] (searched in PATH where it has no slash) with memory at the same addresses every time, passes on the
 * signals that this process is sent, waits. The status as a shell has it: that of the program, or 128 + the signal that
 * killed it. -1 after a message: it could not be started. */
int cli_child_run(struct child *c);

#endif
