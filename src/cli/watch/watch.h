/* SPDX-License-Identifier: Apache-2.0 */
/* Several observers of one run as one. They are told in the order they were added. */
#ifndef CLI_WATCH_WATCH_H
#define CLI_WATCH_WATCH_H

#include "gpu/gpu.h"

/* A program whose run is watched: tenant number i of a run is the i-th of a list. */
struct watched {
    const char *name;
    struct tr_reader *trace;
};

struct watch;
struct watch *watch_new(uint32_t sms);
/* NULL is nobody. The observer must outlive the run; all of those that want samples want them equally often. */
void watch_add(struct watch *w, const struct gpu_observer *o);
const struct gpu_observer *watch_observer(struct watch *w); /* NULL where nobody was added */
void watch_free(struct watch *w);

#endif
