# SPDX-License-Identifier: Apache-2.0
# cmake -DROOT= -DLIST= -DOUT= -P generate_rules.cmake: writes OUT (see generated.cmake).
include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
file(READ ${LIST} files)
digest_of(rules ${ROOT} ${files})
file(WRITE ${OUT} "/* Made by cmake/generate_rules.cmake. */
#include \"cli/cc/rules.h\"

const char cc_rules_digest[] = \"${rules}\";
")
