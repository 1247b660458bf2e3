# SPDX-License-Identifier: Apache-2.0
# Sources that the build makes: for src/db the schema as a string, and the digest of everything that decides a result, so
# that results of another model are never taken for this one's; for src/cli the digest of what bankshot cc does to a program, so
# that a program which other rules compiled is never taken from the cache.
set(GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)

# list_sources(NAME FILES...): FILES in GENERATED_DIR/NAME, which is touched when the list has changed.
function(list_sources name)
    file(WRITE ${GENERATED_DIR}/${name}.new "${ARGN}")
    file(COPY_FILE ${GENERATED_DIR}/${name}.new ${GENERATED_DIR}/${name} ONLY_IF_DIFFERENT)
endfunction()

set(model_sources)
foreach(mod base conf stat ir trace annotate mem sm gpu energy)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${mod}/*.[ch] ${PROJECT_SOURCE_DIR}/src/${mod}/*.def)
    list(APPEND model_sources ${found})
endforeach()
list_sources(model_sources.txt ${model_sources})
set(schema ${PROJECT_SOURCE_DIR}/src/db/schema.sql)
set(digest ${PROJECT_SOURCE_DIR}/cmake/digest.cmake)
set(script ${PROJECT_SOURCE_DIR}/cmake/generate.cmake)
add_custom_command(OUTPUT ${GENERATED_DIR}/db_generated.c
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DLIST=${GENERATED_DIR}/model_sources.txt -DSCHEMA=${schema}
        -DOUT=${GENERATED_DIR}/db_generated.c -P ${script}
    DEPENDS ${model_sources} ${GENERATED_DIR}/model_sources.txt ${schema} ${script} ${digest}
    COMMENT "Digest of the model" VERBATIM)
set(SOURCES_db ${GENERATED_DIR}/db_generated.c)

file(GLOB rules_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/cc/*.[ch])
list(APPEND rules_sources ${PROJECT_SOURCE_DIR}/src/cli/cc.c)
list_sources(rules_sources.txt ${rules_sources})
set(script ${PROJECT_SOURCE_DIR}/cmake/generate_rules.cmake)
add_custom_command(OUTPUT ${GENERATED_DIR}/cc_rules.c
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DLIST=${GENERATED_DIR}/rules_sources.txt
        -DOUT=${GENERATED_DIR}/cc_rules.c -P ${script}
    DEPENDS ${rules_sources} ${GENERATED_DIR}/rules_sources.txt ${script} ${digest}
    COMMENT "Digest of the compiler driver" VERBATIM)
set(SOURCES_cli ${GENERATED_DIR}/cc_rules.c)
