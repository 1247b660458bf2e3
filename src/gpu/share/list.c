/* SPDX-License-Identifier: Apache-2.0 */
/* The registry: one line per policy. */
#include "gpu/gpu.h"
#include "gpu/share/share.h"

extern const struct share_ops share_alone, share_temporal, share_spatial, share_smk, share_quota;

static const struct share_ops *const list[] = {&share_alone, &share_temporal, &share_spatial, &share_smk,
                                               &share_quota};
enum { SHARES = sizeof list / sizeof list[0] };

const char *share_name(uint32_t i) { return i < SHARES ? list[i]->name : NULL; }

const struct share_ops *share_find(const char *name)
{
    for (uint32_t i = 0; i < SHARES; i++)
        if (strcmp(list[i]->name, name) == 0)
            return list[i];
    return NULL;
}
