/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace's streams add up to, as rows of the results database: class.FP32, active.32, value.const, space.global.bytes,
 * reuse.3. */
#ifndef CLI_WATCH_TRACE_FACTS_H
#define CLI_WATCH_TRACE_FACTS_H

#include "db/db.h"

/* Two passes over the trace. False after reporting. */
bool trace_facts_put(const char *db_path, struct tr_reader *r, struct diag *d);

#endif
