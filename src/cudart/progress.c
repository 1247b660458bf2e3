/* SPDX-License-Identifier: Apache-2.0 */
#include "cudart/progress.h"

#include "base/demangle.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST_S 3.0 /* short programs show nothing */
#define EVERY_S 0.2
#define SHORT_S 0.5 /* a launch that ends before leaves the line to the next one */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_init(struct rt_progress *p, const char *where)
{
    *p = (struct rt_progress){.fd = -1};
    if (where && strcmp(where, "0") == 0)
        return;
    int fd = where && *where ? open(where, O_WRONLY | O_NOCTTY | O_CLOEXEC)
                             : fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    if (fd >= 0 && isatty(fd))
        p->fd = fd;
    else if (fd >= 0)
        close(fd);
}

/* In one piece, so that it does not mix with what others write. What a terminal does not take is no loss. */
static void put(const struct rt_progress *p, const char *text)
{
    if (write(p->fd, text, strlen(text)) < 0)
        return;
}

static void show(void *ctx, const struct exec_counts *c, uint64_t nctas)
{
    struct rt_progress *p = ctx;
    double now = now_s();
    if (now < p->next_s)
        return;
    p->next_s = now + EVERY_S;
    p->shown = true;
    char name[24], text[200], line[100];
    demangle(p->kernel, name, sizeof name);
    for (char *s = name; *s; s++)
        *s = *s < ' ' || *s > '~' ? '?' : *s;
    snprintf(text, sizeof text,
             "bankshot: %.0f s, %.1f M warp instructions, launch %u, %llu of %llu CTAs, %s", now - p->first_s,
             (double)(p->warp_insts + c->warp_insts) * 1e-6, p->launches, (unsigned long long)c->ctas,
             (unsigned long long)nctas, name);
    /* Not more than a terminal of 80 columns takes. The cursor goes back: what else is printed begins there. */
    snprintf(line, sizeof line, "\r%.79s\033[K\r", text);
    put(p, line);
}

exec_tick *progress_begin(struct rt_progress *p, const char *kernel)
{
    if (p->fd < 0)
        return NULL;
    p->kernel = kernel;
    p->began_s = now_s();
    if (p->first_s == 0) {
        p->first_s = p->began_s;
        p->next_s = p->began_s + FIRST_S;
    }
    return show;
}

void progress_end(struct rt_progress *p, const struct exec_counts *counts)
{
    if (p->fd < 0)
        return;
    p->launches++;
    p->warp_insts += counts->warp_insts;
    p->keep = p->shown && now_s() - p->began_s < SHORT_S;
    if (p->shown && !p->keep)
        progress_hide(p);
}

void progress_hide(struct rt_progress *p)
{
    if (p->shown)
        put(p, "\r\033[K");
    p->shown = false;
}
