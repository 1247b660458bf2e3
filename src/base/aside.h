/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is written aside and gets its name when it is complete: whoever looks sees the old content or all of the new
 * one. Until then it has no name at all, so that a process that is killed leaves nothing behind. Behind a link, what the
 * link points to is replaced. What is no regular file (a terminal, a pipe, /dev/null), and what the process has as standard
 * output or standard error, is written as it comes. */
#ifndef BASE_ASIDE_H
#define BASE_ASIDE_H

#include <stdbool.h>
#include <stdio.h>

struct aside;

/* NULL: *why is an errno. */
struct aside *aside_open(const char *path, int *why);
/* To write to; the caller does not close it. Its offset is 0, or where the device or pipe is. */
int aside_fd(const struct aside *a);
/* The same as a stream, which the caller does not close either; NULL where there is no room for one. */
FILE *aside_stream(struct aside *a);
/* Could it be read back and changed before it gets its name? */
bool aside_is_file(const struct aside *a);
/* Gives the file its name, and frees a. 0, or an errno: not all was written, and what had the name is as it was. */
int aside_keep(struct aside *a);
/* As if it had never been. */
void aside_drop(struct aside *a);

/* For a program that writes the file by itself: a name beside it, of a file that is not there, which ends as the path does.
 * For what is written in place, the path itself. Freed by the caller; NULL: *why is an errno. */
char *aside_draft(const char *path, int *why);
/* The draft gets the path's name. 0, or an errno: then it is removed. */
int aside_take(const char *draft, const char *path);

/* Is this the file that standard output or standard error goes to? */
struct place;
bool aside_is_ours(const struct place *p);

#endif
