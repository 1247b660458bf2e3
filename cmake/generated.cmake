# SPDX-License-Identifier: Apache-2.0
# Sources that the build makes for src/db: the schema as a string, and the digest of everything that decides a result, so
# that results of another model are never taken for this one's.
set(GENERATED_DIR ${PROJECT_BINARY_DIR}/generated)
set(model_sources)
foreach(mod base conf stat ir trace annotate mem sm gpu energy)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${mod}/*.[ch] ${PROJECT_SOURCE_DIR}/src/${mod}/*.def)
    list(APPEND model_sources ${found})
endforeach()
set(schema ${PROJECT_SOURCE_DIR}/src/db/schema.sql)
set(script ${PROJECT_SOURCE_DIR}/cmake/generate.cmake)
file(WRITE ${GENERATED_DIR}/model_sources.txt.new "${model_sources}")
file(COPY_FILE ${GENERATED_DIR}/model_sources.txt.new ${GENERATED_DIR}/model_sources.txt ONLY_IF_DIFFERENT)
add_custom_command(OUTPUT ${GENERATED_DIR}/db_generated.c
    COMMAND ${CMAKE_COMMAND} -DROOT=${PROJECT_SOURCE_DIR} -DLIST=${GENERATED_DIR}/model_sources.txt -DSCHEMA=${schema}
        -DOUT=${GENERATED_DIR}/db_generated.c -P ${script}
    DEPENDS ${model_sources} ${GENERATED_DIR}/model_sources.txt ${schema} ${script}
    COMMENT "Digest of the model" VERBATIM)
set(SOURCES_db ${GENERATED_DIR}/db_generated.c)
