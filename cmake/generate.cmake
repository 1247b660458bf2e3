# cmake -DROOT= -DLIST= -DSCHEMA= -DOUT= -P generate.cmake: writes OUT (see generated.cmake).
file(READ ${LIST} files)
set(all "")
foreach(f IN LISTS files)
    file(SHA256 ${f} sum)
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
