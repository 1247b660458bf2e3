/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* on_exit */
/* The process's trace: what it says of the program, and what becomes of it when it cannot be written. */
#include "cudart/recording.h"

#include "trace/write/record.h"

#include <sys/stat.h>
#include <unistd.h>

/* The arguments as the process has them, each with its zero. */
struct words {
    VEC(char) text;
};

static void read_words(struct words *w)
{
    FILE *f = fopen("/proc/self/cmdline", "r");
    for (int c; f && (c = getc(f)) != EOF;)
        vec_push(&w->text, (char)c);
    if (f)
        fclose(f);
    if (w->text.n && w->text.at[w->text.n - 1])
        vec_push(&w->text, 0);
}

/* What is left of a word without its folders, if it is a path: the program itself, a path from the root or from . or .., or any
 * other name of a file that is there. 3/4 is no path. */
static const char *without_folders(struct arena *a, const char *word, bool program)
{
    const char *equals = word[0] == '-' ? strchr(word, '=') : NULL, *path = equals ? equals + 1 : word;
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    const char *name = path + n;
    while (name > path && name[-1] != '/')
        name--;
    bool is_path = program || *path == '/' || strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0;
    if (name == path || (!is_path && access(path, F_OK) != 0))
        return word;
    return arena_printf(a, "%.*s%.*s", (int)(path - word), word, (int)(path + n - name), name);
}

void recording_describe(struct arena *a, const char *words, size_t n, const char **program,
                        const char **command)
{
    *program = *command = "";
    for (size_t at = 0; at < n; at += strlen(words + at) + 1) {
        const char *sep = at ? " " : "", *word = words + at;
        *program = arena_printf(a, "%s%s%s", *program, sep, without_folders(a, word, !at));
        *command = arena_printf(a, "%s%s%s", *command, sep, word);
    }
}

/* exit tells its status to who asks, before destructors run. */
static void note_status(int status, void *rt) { ((struct rt *)rt)->exit_status = status; }

void rt_note_status(struct rt *rt)
{
    rt->exit_status = -1;
    on_exit(note_status, rt);
}

void rt_begin_trace(struct rt *rt)
{
    struct diag d = {0};
    rt->rec_tried = true;
    if (!rt->cfg.record)
        return;
    struct stat st;
    if (stat(rt->cfg.record, &st) == 0 && st.st_size > 0) { /* a script may start several programs */
        rt_message("%s is there already: this program is not recorded", rt->cfg.record);
        return;
    }
    struct arena a = {0};
    struct words w = {0};
    struct tr_info info = {.maker = "bankshot " BANKSHOT_VERSION};
    read_words(&w);
    recording_describe(&a, w.text.at, w.text.n, &info.program, &info.command);
    rt->rec = tr_recorder_new(rt->cfg.record, &info, &d);
    if (!rt->rec) {
        diag_print(&d, stderr);
        rt_message("%s: no trace is written", rt->cfg.record);
    }
    rt_note_status(rt);
    diag_free(&d);
    vec_free(&w.text);
    arena_free(&a);
    rt_check_trace(rt);
}

void rt_check_trace(struct rt *rt)
{
    const char *why = tr_recorder_failed(rt->rec);
    if (!why || rt->rec_told)
        return;
    rt->rec_told = true;
    rt_message("%s: the trace ends here, what the program does from now on is not recorded", why);
}

void rt_launch_missed(struct rt *rt)
{
    rt->nmissed++;
    tr_recorder_missed(rt->rec);
}

/* An overlay: what the kinds of values toggled, where there were any. Four digits are more than is known. */
static bool write_values(const struct rt *rt)
{
    const struct exec_values *v = exec_values(rt->dev);
    FILE *f = fopen(rt->cfg.values, "w");
    if (!f)
        return false;
    fputs("; How much values toggled (bankshot record --values): 0 they stand still, 1 they are "
          "random.\n[energy]\n",
          f);
    for (enum exec_value k = 0; k < EV_KINDS; k++) {
        if (v->random[k])
            fprintf(f, "toggle_%s = %.4f\n", exec_value_name(k), (double)v->flips[k] / (double)v->random[k]);
    }
    bool ok = !ferror(f);
    return fclose(f) == 0 && ok;
}

bool rt_end_trace(struct rt *rt)
{
    struct diag d = {0};
    bool ok = tr_recorder_close(rt->rec, &d);
    if (rt->rec && rt->cfg.values && !write_values(rt)) {
        rt_message("%s cannot be written", rt->cfg.values);
        ok = false;
    }
    if (!ok && !rt->rec_told)
        diag_print(&d, stderr);
    rt->rec = NULL;
    diag_free(&d);
    return ok;
}
