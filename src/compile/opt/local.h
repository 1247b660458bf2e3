/* SPDX-License-Identifier: Apache-2.0 */
/* Constants travel to their readers inside blocks. Changes sources only: the definitions stay what they are. */
#ifndef COMPILE_LOCAL_H
#define COMPILE_LOCAL_H

#include "compile/opt/defs.h"

bool local_constants(const struct defs *d); /* did any? */

#endif
