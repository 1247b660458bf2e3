# SPDX-License-Identifier: Apache-2.0
# tests/<dir>/test_x.c is one cmocka program and one CTest named <dir>/x (the path may be deeper than
# one folder). The other .c files of the folder are helpers, linked into each of its tests.
# A test under tests/<module>/ links that module and the layers below it, any other test links them all.
# tests/<dir>/test_x.sh is run with the bankshot binary as its argument.
enable_testing()
find_package(PkgConfig REQUIRED)
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
    message(STATUS "cmocka is missing: the tests are not built (run tools/setup.sh)")
    return()
endif()

# Seconds, to end a test that hangs: one takes a few on an idle machine, and no limit may fail a slow or busy one.
set(TEST_TIMEOUT 1800)

add_custom_target(tests)
set(unit_tests)
file(GLOB_RECURSE all_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.c)
set(test_sources ${all_tests})
list(FILTER test_sources INCLUDE REGEX "/test_[^/]*\\.c$")

# What the tests of one folder share: helper sources, include paths, definitions, libraries.
function(add_test_helpers common dir rel)
    file(GLOB helpers CONFIGURE_DEPENDS ${dir}/*.c)
    list(FILTER helpers EXCLUDE REGEX "/test_[^/]*\\.c$")
    if(helpers)
        add_library(${common} OBJECT ${helpers})
        set(scope PUBLIC)
    else()
        add_library(${common} INTERFACE)
        set(scope INTERFACE)
    endif()
    target_include_directories(${common} ${scope} ${dir} ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${common} ${scope}
        TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests" KERNELS_DIR="${PROJECT_SOURCE_DIR}/kernels")
    string(REGEX REPLACE "/.*" "" top ${rel})
    set(libs ${BANKSHOT_LINK})
    if(top IN_LIST BANKSHOT_LIBS)
        set(libs ${top})
    endif()
    target_link_libraries(${common} ${scope} ${libs} PkgConfig::CMOCKA)
endfunction()

foreach(source IN LISTS test_sources)
    get_filename_component(dir ${source} DIRECTORY)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    file(RELATIVE_PATH rel ${PROJECT_SOURCE_DIR}/tests ${dir})
    string(REPLACE "/" "_" target "test_${rel}_${name}")

    string(REPLACE "/" "_" common "helpers_${rel}")
    if(NOT TARGET ${common})
        add_test_helpers(${common} ${dir} ${rel})
    endif()
    add_executable(${target} ${source})
    target_link_libraries(${target} PRIVATE ${common})
    add_dependencies(tests ${target})
    add_test(NAME ${rel}/${name} COMMAND ${target})
    list(APPEND unit_tests ${rel}/${name})
    set_tests_properties(${rel}/${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT})
endforeach()

file(GLOB_RECURSE shell_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.sh)
foreach(source IN LISTS shell_tests)
    get_filename_component(dir ${source} DIRECTORY)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    file(RELATIVE_PATH rel ${PROJECT_SOURCE_DIR}/tests ${dir})
    add_test(NAME ${rel}/${name} COMMAND sh ${source} $<TARGET_FILE:bankshot>)
    set_tests_properties(${rel}/${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT}
        ENVIRONMENT "KERNELS_DIR=${PROJECT_SOURCE_DIR}/kernels" SKIP_RETURN_CODE 77)
endforeach()

# A browser with a page in it; a minute on an idle machine.
set_tests_properties(web/page PROPERTIES TIMEOUT 1200)

add_test(NAME tools/layers COMMAND ${PROJECT_SOURCE_DIR}/tools/layers ${PROJECT_SOURCE_DIR}/src)
add_test(NAME tools/comment_names COMMAND ${PROJECT_SOURCE_DIR}/tools/comment-names ${PROJECT_SOURCE_DIR})
add_test(NAME tools/format COMMAND ${PROJECT_SOURCE_DIR}/tools/format --check)
set_tests_properties(tools/format PROPERTIES SKIP_RETURN_CODE 77)
add_test(NAME tools/licence COMMAND ${PROJECT_SOURCE_DIR}/tools/spdx --check)
set_tests_properties(tools/licence PROPERTIES SKIP_RETURN_CODE 77)

# One test per CUDA program that checks itself.
foreach(name bits warps atomics nv_atomics caches system memory errors streams textures graphs kernels kernel_errors services driver
        bulk old clusters fp8 dependent wgmma scopes scopes_old rand_host cub_block cub_device thrust small_headers blas
        hopper_code)
    add_test(NAME cuda/${name} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/cuda/program.sh $<TARGET_FILE:bankshot> ${name})
    set_tests_properties(cuda/${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT})
endforeach()

# One test per row of the workload suite, in a cache of the build's own.
set(manifest ${PROJECT_SOURCE_DIR}/workloads/manifest.csv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${manifest})
file(READ ${manifest} rows)
string(REGEX MATCHALL "\n[a-z0-9_]+," names "${rows}")
foreach(name IN LISTS names)
    string(REGEX REPLACE "[\n,]" "" name "${name}")
    add_test(NAME workloads/${name} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/workloads/one.sh $<TARGET_FILE:bankshot> ${name})
    set_tests_properties(workloads/${name} PROPERTIES TIMEOUT ${TEST_TIMEOUT}
        ENVIRONMENT "BANKSHOT_CACHE=${PROJECT_BINARY_DIR}/cache")
endforeach()

include(cmake/checks.cmake)
