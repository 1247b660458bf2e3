/* Storage of collectors that keep registers. */
#ifndef SM_OPERANDS_KEPT_H
#define SM_OPERANDS_KEPT_H

#include "sm/storage.h"

struct sm_cfg;

/* Of `units` collectors per partition that keep `entries` registers each, instead of the plain ones' operands; `bits` more for each
 * entry. Two rows and one for these. */
uint32_t kept_storage(const struct sm_cfg *cfg, uint64_t units, uint64_t entries, uint64_t bits,
                      struct storage_row *rows);

#endif
