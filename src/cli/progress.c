/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_S 1.0 /* short work shows nothing */
#define EVERY_S 0.2

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *progress_left(char *out, size_t n, double seconds, uint64_t done, uint64_t total)
{
    out[0] = 0;
    if (seconds < FIRST_S || done * 50 < total || done > total || !done)
        return out;
    double left = seconds * (double)(total - done) / (double)done;
    unsigned long s = left < 1e7 ? (unsigned long)(left + 0.5) : 9999999;
    if (s >= 3600)
        snprintf(out, n, "%lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, n, "%lu:%02lu left", s / 60, s % 60);
    return out;
}

void progress_show(struct progress *p, uint64_t done, uint64_t total)
{
    if (p->on < 0)
        return;
    double now = now_s();
    if (p->next_s == 0) {
        p->on = isatty(STDERR_FILENO) ? 0 : -1;
        p->next_s = now + FIRST_S;
    }
    if (p->on < 0 || now < p->next_s)
        return;
    p->on = 1;
    p->next_s = now + EVERY_S;
    if (total)
        fprintf(stderr, "\r%s %3.0f%%\033[K", p->what, 100.0 * (double)done / (double)total);
    else
        fprintf(stderr, "\r%s %llu\033[K", p->what, (unsigned long long)done);
    fflush(stderr);
}

void progress_end(struct progress *p)
{
    if (p->on > 0)
        fputs("\r\033[K", stderr);
    p->on = 0;
}
