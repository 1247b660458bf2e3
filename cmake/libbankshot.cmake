# SPDX-License-Identifier: Apache-2.0
# libbankshot: the modules behind src/api/bankshot.h as one shared library that exports the functions of that header and nothing
# else; with it the header, and what pkg-config tells of them.
add_library(libbankshot SHARED $<TARGET_OBJECTS:api>)
set(script ${PROJECT_SOURCE_DIR}/cmake/libbankshot.map)
set_target_properties(libbankshot PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME bankshot VERSION ${PROJECT_VERSION} SOVERSION 0 LINK_DEPENDS ${script})
set(below ${BANKSHOT_LIBS})
list(REMOVE_ITEM below cli api cudart db)
list(REVERSE below)
target_link_libraries(libbankshot PRIVATE ${below} ${CMAKE_DL_LIBS} m Threads::Threads)
target_link_options(libbankshot PRIVATE -Wl,--version-script=${script} -Wl,-Bsymbolic-functions)
if(NOT BANKSHOT_SANITIZE)
    target_link_options(libbankshot PRIVATE -Wl,-z,defs)
endif()

file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/bankshot.pc @ONLY CONTENT [[prefix=${pcfiledir}/../..

Name: bankshot
Description: GPU simulator: replays traces, counts what happened
Version: @PROJECT_VERSION@
Cflags: -I${prefix}/include
Libs: -L${prefix}/lib -lbankshot
]])
install(TARGETS libbankshot LIBRARY DESTINATION lib)
install(FILES ${PROJECT_SOURCE_DIR}/src/api/bankshot.h DESTINATION include)
install(FILES ${PROJECT_BINARY_DIR}/bankshot.pc DESTINATION lib/pkgconfig)
