# SPDX-License-Identifier: Apache-2.0
# What `make check` runs beside the tests. A label says which tests, a target what they need built:
#   asan, tests-asan   the cmocka programs, and the scripts that start bankshot only: a program that `bankshot cc` made
#                      cannot load a runtime library with clang's sanitizers in it. Of undefined behaviour the preset leaves out
#                      what the address sanitizer sees as well (null, object-size) and sums that leave an object without an
#                      access (pointer-overflow): they are 60% of the compilation. make asan looks for all of it
#   tsan, tests-tsan   the cmocka programs that run several threads
#   tidy               clang-tidy without its analyser (make tidy: with it, minutes), in a build folder of clang's
set(cli_scripts accelsim commands compare energy gpgpusim list man profile report repro run sweep)
list(TRANSFORM cli_scripts PREPEND cli/)
set(threaded_tests cli/timeline cudart/concurrent cudart/threads gpu/clusters gpu/observe gpu/park gpu/same gpu/spans gpu/team
    trace/threads)

set_property(TEST ${unit_tests} ${cli_scripts} APPEND PROPERTY LABELS asan)
add_custom_target(tests-asan DEPENDS tests bankshot)
set_property(TEST ${threaded_tests} APPEND PROPERTY LABELS tsan)
add_custom_target(tests-tsan)
foreach(name IN LISTS threaded_tests)
    string(REPLACE "/" "_" target "test_${name}")
    add_dependencies(tests-tsan ${target})
endforeach()

if(BANKSHOT_SANITIZE)
    set_property(TEST cli/report APPEND PROPERTY ENVIRONMENT NO_BROWSER=1)
endif()
if(BANKSHOT_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # Searching for leaks takes gcc's library seconds per process on arm64, and a script starts many.
    get_property(scripts DIRECTORY PROPERTY TESTS)
    list(REMOVE_ITEM scripts ${unit_tests})
    set_property(TEST ${scripts} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
elseif(BANKSHOT_SANITIZE)
    # clang's library asks another program for functions and lines: this one came with the linker, LLVM's may be missing.
    find_program(BANKSHOT_ADDR2LINE addr2line)
    get_property(tests DIRECTORY PROPERTY TESTS)
    foreach(tool ASAN UBSAN TSAN)
        set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT
            ${tool}_OPTIONS=print_stacktrace=1:external_symbolizer_path=${BANKSHOT_ADDR2LINE})
    endforeach()
elseif(CMAKE_C_COMPILER_ID MATCHES "Clang")
    add_test(NAME tools/tidy COMMAND ${PROJECT_SOURCE_DIR}/tools/tidy --quick ${PROJECT_BINARY_DIR})
    set_tests_properties(tools/tidy PROPERTIES LABELS tidy TIMEOUT ${TEST_TIMEOUT} RUN_SERIAL ON)
endif()
