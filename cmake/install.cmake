# SPDX-License-Identifier: Apache-2.0
# lib/bankshot is the home of what the program needs beside itself (src/api/home.h): the headers and the
# runtime libraries, in the build tree as after installation.
set(BANKSHOT_HOME_DIR ${PROJECT_BINARY_DIR}/lib/bankshot)
file(MAKE_DIRECTORY ${BANKSHOT_HOME_DIR})
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include ${BANKSHOT_HOME_DIR}/include SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/conf ${BANKSHOT_HOME_DIR}/conf SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/workloads ${BANKSHOT_HOME_DIR}/workloads SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/experiments ${BANKSHOT_HOME_DIR}/experiments SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/silicon ${BANKSHOT_HOME_DIR}/silicon SYMBOLIC)
file(CREATE_LINK ${PROJECT_SOURCE_DIR}/tools/correlate ${BANKSHOT_HOME_DIR}/correlate SYMBOLIC)

install(TARGETS bankshot RUNTIME DESTINATION bin)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ DESTINATION lib/bankshot/include)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/conf/ DESTINATION lib/bankshot/conf)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/workloads/ DESTINATION lib/bankshot/workloads)
# Without the comparison with silicon, whose programs are not installed; the report has its own, of the suite.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/experiments/ DESTINATION lib/bankshot/experiments PATTERN "silicon" EXCLUDE
    PATTERN "energy" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/silicon/suite-h200.csv DESTINATION lib/bankshot/silicon)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/tools/correlate DESTINATION lib/bankshot)
install(FILES ${PROJECT_SOURCE_DIR}/tools/profiler.set DESTINATION lib/bankshot)
# The runtime under all its names, the device functions, and what build systems take for a toolkit.
install(DIRECTORY ${BANKSHOT_HOME_DIR}/ DESTINATION lib/bankshot USE_SOURCE_PERMISSIONS
    FILES_MATCHING PATTERN "*.so*" PATTERN "*.a" PATTERN "device.bc" PATTERN "bankshot.cmake" PATTERN "bin/nvcc" PATTERN "include" EXCLUDE PATTERN "conf" EXCLUDE
    PATTERN "workloads" EXCLUDE PATTERN "experiments" EXCLUDE PATTERN "silicon" EXCLUDE)

# The manual page is made of the help texts; completion asks the program.
add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/bankshot.1
    COMMAND bankshot help --man > ${PROJECT_BINARY_DIR}/bankshot.1 DEPENDS bankshot COMMENT "Manual page" VERBATIM)
add_custom_target(man ALL DEPENDS ${PROJECT_BINARY_DIR}/bankshot.1)
install(FILES ${PROJECT_BINARY_DIR}/bankshot.1 DESTINATION share/man/man1)
install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/bankshot.bash DESTINATION share/bash-completion/completions RENAME bankshot)
install(FILES ${PROJECT_SOURCE_DIR}/tools/completion/_bankshot DESTINATION share/zsh/vendor-completions)

install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION share/doc/bankshot RENAME copyright)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CITATION.cff DESTINATION share/doc/bankshot)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION share/doc/bankshot/docs FILES_MATCHING PATTERN "*.md" PATTERN "generated" EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION share/doc/bankshot)

# All that a user needs, without the tests and the benchmark.
add_custom_target(product DEPENDS bankshot runtime libbankshot man)
if(TARGET device_math)
    add_dependencies(product device_math)
endif()
