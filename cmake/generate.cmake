# SPDX-License-Identifier: Apache-2.0
# cmake -DROOT= -DLIST= -DSCHEMA= -DOUT= -P generate.cmake: writes OUT (see generated.cmake).
include(${CMAKE_CURRENT_LIST_DIR}/digest.cmake)
file(READ ${LIST} files)
digest_of(model ${ROOT} ${files})
file(READ ${SCHEMA} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "/* Made by cmake/generate.cmake. */
#include \"db/generated.h\"

const char db_model_digest[] = \"${model}\";
const char db_schema_sql[] = {${bytes}0};
")
