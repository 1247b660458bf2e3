/* SPDX-License-Identifier: Apache-2.0 */
/* A file of LLVM assembly, read whole and written anew. */
#include "cli/cc/ir.h"

#include "base/file.h"

#include <errno.h>

static bool write_file(const char *path, const struct ir_edit *e, const struct file_text *t)
{
    FILE *f = fopen(path, "w");
    bool ok = f != NULL;
    if (f) {
        e->write(e->ctx, f, t->at, t->at + t->n);
        ok = !ferror(f);
        ok = fclose(f) == 0 && ok;
    }
    if (!ok)
        cli_error("cannot write %s: %s", path, strerror(errno));
    return ok;
}

bool ir_edit_file(const char *from, const char *to, const struct ir_edit *e)
{
    struct diag d = {0};
    struct file_text t;
    bool ok = file_read(from, IR_LIMIT_B, &t, &d);
    if (ok) {
        if (!e->look || e->look(e->ctx, t.at, t.at + t.n))
            ok = write_file(to, e, &t);
        file_free(&t);
    } else {
        diag_print(&d, stderr);
    }
    diag_free(&d);
    return ok;
}
