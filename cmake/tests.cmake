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

add_custom_target(tests)
file(GLOB_RECURSE all_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*.c)
set(test_sources ${all_tests})
list(FILTER test_sources INCLUDE REGEX "/test_[^/]*\\.c$")
foreach(source IN LISTS test_sources)
    get_filename_component(dir ${source} DIRECTORY)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    file(RELATIVE_PATH rel ${PROJECT_SOURCE_DIR}/tests ${dir})
    string(REPLACE "/" "_" target "test_${rel}_${name}")

    file(GLOB helpers CONFIGURE_DEPENDS ${dir}/*.c)
    list(FILTER helpers EXCLUDE REGEX "/test_[^/]*\\.c$")
    add_executable(${target} ${source} ${helpers})
    target_include_directories(${target} PRIVATE ${dir} ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${target} PRIVATE
        TEST_DATA_DIR="${PROJECT_SOURCE_DIR}/tests" KERNELS_DIR="${PROJECT_SOURCE_DIR}/kernels")
    string(REGEX REPLACE "/.*" "" top ${rel})
    if(top IN_LIST BANKSHOT_LIBS)
        target_link_libraries(${target} PRIVATE ${top} PkgConfig::CMOCKA)
    else()
        target_link_libraries(${target} PRIVATE ${BANKSHOT_LINK} PkgConfig::CMOCKA)
    endif()
    add_dependencies(tests ${target})
    add_test(NAME ${rel}/${name} COMMAND ${target})
    set_tests_properties(${rel}/${name} PROPERTIES TIMEOUT 120)
endforeach()

file(GLOB_RECURSE shell_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/test_*.sh)
foreach(source IN LISTS shell_tests)
    get_filename_component(dir ${source} DIRECTORY)
    get_filename_component(name ${source} NAME_WE)
    string(REGEX REPLACE "^test_" "" name ${name})
    file(RELATIVE_PATH rel ${PROJECT_SOURCE_DIR}/tests ${dir})
    add_test(NAME ${rel}/${name} COMMAND sh ${source} $<TARGET_FILE:bankshot>)
    set_tests_properties(${rel}/${name} PROPERTIES TIMEOUT 120
        ENVIRONMENT "KERNELS_DIR=${PROJECT_SOURCE_DIR}/kernels")
endforeach()

add_test(NAME tools/layers COMMAND ${PROJECT_SOURCE_DIR}/tools/layers ${PROJECT_SOURCE_DIR}/src)
add_test(NAME tools/format COMMAND ${PROJECT_SOURCE_DIR}/tools/format --check)
set_tests_properties(tools/format PROPERTIES SKIP_RETURN_CODE 77)
