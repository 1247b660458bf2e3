/* SPDX-License-Identifier: Apache-2.0 */
/* What the build makes for this room (cmake/generate_rules.cmake): a digest of the sources of bankshot cc, 16 hex digits. */
#ifndef CLI_CC_RULES_H
#define CLI_CC_RULES_H

extern const char cc_rules_digest[];

#endif
