/* SPDX-License-Identifier: Apache-2.0 */
/* kernelslist.g: kernels and copies in order. */
#include "trace/accelsim/accelsim_import.h"

#include <sys/stat.h>

static bool exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISDIR(st.st_mode);
}

/* The file as the list names it, or packed. */
static const char *find_file(struct import *im, const char *dir, const char *name)
{
    static const char *const packed[] = {"", ".xz", ".gz", ".zst"};
    const char *path = NULL;
    for (uint32_t i = 0; i < sizeof packed / sizeof packed[0]; i++) {
        path = arena_printf(&im->arena, "%s/%s%s", dir, name, packed[i]);
        if (exists(path))
            return path;
    }
    return arena_printf(&im->arena, "%s/%s", dir, name);
}

static bool copy_line(const char *s, struct tr_copy *c)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } kinds[] = {{"MemcpyHtoD,", TRC_TO_DEVICE},
                 {"MemcpyDtoH,", TRC_TO_HOST},
                 {"MemcpyDtoD,", TRC_ON_DEVICE},
                 {"Memset,", TRC_SET}};
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t n = strlen(kinds[i].name);
        if (strncmp(s, kinds[i].name, n) != 0)
            continue;
        char *end, *end2;
        *c = (struct tr_copy){.kind = kinds[i].kind, .addr = strtoull(s + n, &end, 16)};
        if (end == s + n || *end != ',')
            return false;
        c->bytes = strtoull(end + 1, &end2, 10);
        return end2 != end + 1 && !end2[strspn(end2, " ")];
    }
    return false;
}

static bool list_line(struct import *im, const char *dir, char *s, const struct text_in *t)
{
    struct command c = {0};
    s += strspn(s, " ");
    s[strcspn(s, " \t")] = 0;
    if (strncmp(s, "kernel", 6) == 0) {
        size_t n = strlen(s);
        if (n > 7 && strcmp(s + n - 7, ".tracez") == 0) {
            diag_error(im->d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0,
                       "%s: the .tracez form is not read; unpack it to .traceg", s);
            return false;
        }
        c.path = find_file(im, dir, s);
        im->r->launches++;
    } else if (strncmp(s, "MemcpyHtoD", 10) == 0 || strncmp(s, "Mem", 3) == 0) {
        if (!copy_line(s, &c.copy)) {
            if (strncmp(s, "MemcpyHtoD", 10) != 0)
                return true;
            diag_error(im->d, text_name(t), NULL, 0, (uint32_t)text_line_number(t), 0,
                       "a copy without address and bytes");
            return false;
        }
    } else {
        return true;
    }
    vec_push(&im->list, c);
    return true;
}

bool import_list(struct import *im)
{
    struct stat st;
    const char *dir = im->o->dir, *path;
    if (stat(dir, &st) == 0 && S_ISDIR(st.st_mode)) {
        path = arena_printf(&im->arena, "%s/kernelslist.g", dir);
    } else {
        path = dir;
        const char *slash = strrchr(path, '/');
        dir = slash ? arena_strndup(&im->arena, path, (size_t)(slash - path)) : ".";
    }
    struct text_in *t = text_open(path, im->d);
    if (!t)
        return false;
    char *s;
    size_t n;
    bool ok = true;
    while (ok && (s = text_line(t, &n)))
        ok = list_line(im, dir, s, t);
    if (text_error(t))
        diag_error(im->d, path, NULL, 0, (uint32_t)text_line_number(t), 0, "%s", text_error(t));
    else if (ok && !im->r->launches)
        diag_error(im->d, path, NULL, 0, 0, 0, "the list names no kernel");
    text_close(t);
    return !im->d->errors;
}
