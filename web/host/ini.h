/* SPDX-License-Identifier: Apache-2.0 */
/* The one function of inih that src/conf calls, with its meaning for the files in conf/: Debian has no inih for WebAssembly. */
#ifndef WEB_INI_H
#define WEB_INI_H

typedef int (*ini_handler)(void *user, const char *section, const char *name, const char *value);
typedef char *(*ini_reader)(char *text, int size, void *stream);

/* 0, or the first line that is neither a section nor an assignment, or that the handler returned 0 for. */
int ini_parse_stream(ini_reader reader, void *stream, ini_handler handler, void *user);

#endif
