# SPDX-License-Identifier: Apache-2.0
# cmake -DROOT= -DLIST= -DSCHEMA= -DOUT= -P generate.cmake: writes OUT (see generated.cmake).
# Comments and white space decide no result: a source is digested without them, so that a sentence makes no figure old.
file(READ ${LIST} files)
set(all "")
foreach(f IN LISTS files)
    file(READ ${f} text)
    string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" " " text "${text}")
    string(REGEX REPLACE "[ \t\n]+" " " text "${text}")
    string(STRIP "${text}" text)
    string(SHA256 sum "${text}")
    file(RELATIVE_PATH name ${ROOT} ${f})
    string(APPEND all "${sum} ${name}\n")
endforeach()
string(SHA256 model "${all}")
string(SUBSTRING ${model} 0 16 model)
file(READ ${SCHEMA} bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
file(WRITE ${OUT} "/* Made by cmake/generate.cmake. */
#include \"db/generated.h\"

const char db_model_digest[] = \"${model}\";
const char db_schema_sql[] = {${bytes}0};
")
