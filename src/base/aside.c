/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* O_TMPFILE, mkostemp */
#include "base/aside.h"

#include "base/arena.h"
#include "base/place.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct aside {
    int fd;
    FILE *f;      /* of that, if one was asked for */
    char *path;   /* where it goes; NULL: it is written in place */
    char *folder; /* of that */
    mode_t mode;
};

bool aside_is_ours(const struct place *p)
{
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
        struct stat st;
        if (p->exists && fstat(fd, &st) == 0 && st.st_dev == p->st.st_dev && st.st_ino == p->st.st_ino)
            return true;
    }
    return false;
}

/* The rights that open(path, O_CREAT, 0666) would give. */
static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static char *name_in(const char *folder)
{
    struct arena a = {0};
    char *name = xstrdup(arena_printf(&a, "%s/.bankshot-XXXXXX", folder));
    arena_free(&a);
    return name;
}

/* Without a name, from the beginning or from now on. */
static int open_nameless(const char *folder)
{
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL))
        return fd;
    char *name = name_in(folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

static int open_in_place(const struct place *p, const char *path)
{
    struct stat st;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &st) == 0 && st.st_dev == p->st.st_dev && st.st_ino == p->st.st_ino)
            return fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
}

/* 0, or an errno. */
static int find(const char *path, struct place *p)
{
    int why = place_find(path, p);
    return !why && p->exists && S_ISDIR(p->st.st_mode) ? EISDIR : why;
}

static bool is_in_place(const struct place *p)
{
    return p->exists && (!S_ISREG(p->st.st_mode) || aside_is_ours(p));
}

static char *folder_of(const struct place *p)
{
    size_t n = (size_t)(strrchr(p->path, '/') - p->path);
    char *folder = xstrdup(n ? p->path : "/");
    folder[n ? n : 1] = 0;
    return folder;
}

/* 0, or an errno. */
static int aside_free(struct aside *a)
{
    int why = a->fd < 0 || (a->f ? fclose(a->f) : close(a->fd)) == 0 ? 0 : errno;
    free(a->path);
    free(a->folder);
    free(a);
    return why;
}

struct aside *aside_open(const char *path, int *why)
{
    struct place p;
    struct aside *a = NULL;
    *why = find(path, &p);
    if (!*why) {
        a = xcalloc(1, sizeof *a);
        if (is_in_place(&p)) {
            a->fd = open_in_place(&p, path);
        } else {
            a->path = xstrdup(p.path);
            a->folder = folder_of(&p);
            a->mode = p.exists ? p.st.st_mode & 07777 : usual_mode();
            a->fd = open_nameless(a->folder);
        }
        if (a->fd < 0) {
            *why = errno;
            aside_free(a);
            a = NULL;
        }
    }
    place_free(&p);
    return a;
}

int aside_fd(const struct aside *a) { return a->fd; }

FILE *aside_stream(struct aside *a)
{
    if (!a->f)
        a->f = fdopen(a->fd, "w");
    return a->f;
}

bool aside_is_file(const struct aside *a) { return a->path; }

/* Where the file system cannot name what has no name: the content goes to a file that has one. */
static int copy_to(int from, int to)
{
    enum { STEP = 1 << 16 };
    char *b = xcalloc(1, STEP);
    off_t at = 0;
    int why = 0;
    for (ssize_t n; !why && (n = pread(from, b, STEP, at)) != 0; at += n) {
        if (n < 0) {
            why = errno;
            break;
        }
        for (ssize_t done = 0, k; !why && done < n; done += k) {
            k = write(to, b + done, (size_t)(n - done));
            if (k < 0)
                why = errno;
        }
    }
    free(b);
    return why;
}

/* The name of a file with the content, beside the one that it will have. */
static int give_name(const struct aside *a, char **name)
{
    char from[32];
    *name = name_in(a->folder);
    int fd = mkostemp(*name, O_CLOEXEC);
    if (fd < 0)
        return errno;
    snprintf(from, sizeof from, "/proc/self/fd/%d", a->fd);
    /* A link is never made over a file, and the name is taken: it is given up just before. */
    unlink(*name);
    if (linkat(AT_FDCWD, from, AT_FDCWD, *name, AT_SYMLINK_FOLLOW) == 0) {
        close(fd);
        return 0;
    }
    close(fd);
    fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int why = fd < 0 ? errno : copy_to(a->fd, fd);
    if (fd >= 0 && !why && fchmod(fd, a->mode) != 0)
        why = errno;
    if (fd >= 0 && close(fd) != 0 && !why)
        why = errno;
    if (why)
        unlink(*name);
    return why;
}

static int put_in_place(const struct aside *a)
{
    char *name = NULL;
    struct stat st;
    if (stat(a->path, &st) == 0 && (st.st_uid != geteuid() || st.st_gid != getegid()) &&
        fchown(a->fd, st.st_uid, st.st_gid) != 0)
        errno = 0; /* only root may give files away: then it is ours */
    int why = fchmod(a->fd, a->mode) == 0 ? 0 : errno;
    why = why ? why : give_name(a, &name);
    if (!why && rename(name, a->path) != 0) {
        why = errno;
        unlink(name);
    }
    free(name);
    return why;
}

int aside_keep(struct aside *a)
{
    int why = a->f && ferror(a->f) ? EIO : 0;
    if (a->f && fflush(a->f) != 0)
        why = errno;
    if (a->path && !why) {
        /* Between the two names a signal waits: it would leave the first. */
        sigset_t all, before;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &before);
        why = put_in_place(a);
        sigprocmask(SIG_SETMASK, &before, NULL);
    }
    int closed = aside_free(a);
    return why ? why : closed;
}

void aside_drop(struct aside *a) { aside_free(a); }

char *aside_draft(const char *path, int *why)
{
    enum { KEPT = 60 }; /* of a long name the end, so that the longest names have room for ours */
    struct place p;
    struct arena a = {0};
    char *draft = NULL;
    *why = find(path, &p);
    if (!*why && is_in_place(&p)) {
        draft = xstrdup(path);
    } else if (!*why) {
        char *folder = folder_of(&p);
        const char *name = strrchr(p.path, '/') + 1;
        size_t n = strlen(name);
        draft = xstrdup(arena_printf(&a, "%s/.bankshot-%ld-%s", folder, (long)getpid(),
                                     name + (n > KEPT ? n - KEPT : 0)));
        if (unlink(draft) != 0 && errno != ENOENT) /* of a process of that number, long ago */
            *why = errno;
        free(folder);
    }
    place_free(&p);
    arena_free(&a);
    if (*why) {
        free(draft);
        draft = NULL;
    }
    return draft;
}

int aside_take(const char *draft, const char *path)
{
    struct place p;
    if (strcmp(draft, path) == 0)
        return 0;
    int why = find(path, &p);
    if (!why && rename(draft, p.path) != 0)
        why = errno;
    if (why)
        unlink(draft);
    place_free(&p);
    return why;
}
