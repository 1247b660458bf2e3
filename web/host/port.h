/* SPDX-License-Identifier: Apache-2.0 */
/* Included before every file: functions of POSIX that wasi-libc does not declare. */
#ifndef WEB_PORT_H
#define WEB_PORT_H

char *realpath(const char *path, char *out); /* no links: the path as it is, where there is such a file */
int mkstemp(char *name);                     /* always fails */

#endif
