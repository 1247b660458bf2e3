/* SPDX-License-Identifier: Apache-2.0 */
/* The manual page and the words for shell completion, made of the same help texts that users read. */
#ifndef CLI_MAN_H
#define CLI_MAN_H

#include "cli/cli.h"

/* bankshot(1), in troff. Returns the exit status. */
int man_page(const struct cli_cmd *commands, uint32_t n, FILE *to);
/* Options of a command, one a line; an option with a value ends in =. */
int man_words(const struct cli_cmd *command, FILE *to);

#endif
