/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a configuration file of GPGPU-Sim or Accel-Sim as a preset: gpgpusim.def says which of its options mean which of ours. */
#ifndef GPU_GPGPUSIM_H
#define GPU_GPGPUSIM_H

#include "conf/conf.h"

/* Sets the options that the flags of a gpgpusim.config have a meaning for; a trace.config in the same folder is read too.
 * `ignored`: the flags that have none, separated by spaces, in c's arena. False after reporting. */
bool gpgpusim_read(struct conf *c, const char *path, const char **ignored, struct diag *d);

#endif
