/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Grows by doubling, so that pipes and files of unknown size work the same way. */
static bool read_all(FILE *f, const char *path, size_t limit_b, struct file_text *out, struct diag *d)
{
    size_t cap = 0;
    for (;;) {
        if (cap - out->n < 2) {
            cap = cap ? 2 * cap : 64 * 1024;
            out->at = xrealloc(out->at, cap);
        }
        size_t got = fread(out->at + out->n, 1, cap - out->n - 1, f);
        out->n += got;
        if (out->n > limit_b) {
            diag_plain(d, "%s: larger than the limit of %zu bytes", path, limit_b);
            return false;
        }
        if (ferror(f)) {
            diag_plain(d, "%s: %s", path, strerror(errno));
            return false;
        }
        if (got == 0)
            break;
    }
    out->at[out->n] = 0;
    return true;
}

bool file_read(const char *path, size_t limit_b, struct file_text *out, struct diag *d)
{
    *out = (struct file_text){0};
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    if (!f) {
        diag_plain(d, "%s: %s", path, strerror(errno));
        return false;
    }
    struct stat st;
    bool ok = true;
    if (fstat(fileno(f), &st) == 0 && S_ISDIR(st.st_mode)) {
        diag_plain(d, "%s: is a directory", path);
        ok = false;
    }
    ok = ok && read_all(f, path, limit_b, out, d);
    if (!is_stdin)
        fclose(f);
    if (!ok)
        file_free(out);
    return ok;
}

void file_free(struct file_text *t)
{
    free(t->at);
    *t = (struct file_text){0};
}

bool file_sync(const char *path, struct diag *d)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL); /* EINVAL: nothing that could be synced */
    if (!ok)
        diag_plain(d, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return ok;
}
