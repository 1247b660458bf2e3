/* SPDX-License-Identifier: Apache-2.0 */
/* Where a file is or would be, whatever path names it: links are followed, and a file that is not there yet has a place too.
 * Two paths of one place are one file. Asked before anything is written. */
#ifndef BASE_PLACE_H
#define BASE_PLACE_H

#include <stdbool.h>
#include <sys/stat.h>

struct place {
    struct stat st; /* of the file itself; undefined where it is not there */
    bool exists;
    /* Absolute and without links; for a missing file its folder is. NULL: the folder is missing, too */
    char *path;
};

/* 0, or an errno: the path names nothing that is or could be a file. place_free in either case. */
int place_find(const char *path, struct place *out);
bool place_same(const struct place *a, const struct place *b);
void place_free(struct place *p);

#endif
