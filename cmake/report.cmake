# SPDX-License-Identifier: Apache-2.0
# The page of `bankshot report`, whose files are in src/cli/view/report/, as strings in the program.
file(GLOB report_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/view/report/*)
set(embed ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
add_custom_command(OUTPUT ${GENERATED_DIR}/report_page.c
    COMMAND ${CMAKE_COMMAND} -DDIR=${PROJECT_SOURCE_DIR}/src/cli/view/report -DOUT=${GENERATED_DIR}/report_page.c -P ${embed}
    DEPENDS ${report_files} ${embed} COMMENT "Report page" VERBATIM)
list(APPEND SOURCES_cli ${GENERATED_DIR}/report_page.c)
