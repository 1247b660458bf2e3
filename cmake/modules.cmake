# SPDX-License-Identifier: Apache-2.0
# One static library per module, in layer order: a module links the modules before it and no others,
# so an upward call fails to link as well as failing tools/layers.
set(MODULES base conf stat ir ptx compile sass exec trace annotate mem sm energy gpu db cudart api cli)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(INIH REQUIRED IMPORTED_TARGET inih)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
set(LIBS_conf PkgConfig::INIH)
set(LIBS_trace PkgConfig::ZSTD PkgConfig::LZMA PkgConfig::ZLIB PkgConfig::XXHASH)
set(LIBS_db PkgConfig::SQLITE PkgConfig::XXHASH)
set(LIBS_cudart PkgConfig::ZSTD PkgConfig::LZ4)
set(LIBS_api ${CMAKE_DL_LIBS})
set(LIBS_cli PkgConfig::JANSSON PkgConfig::XXHASH)

# The same objects go into the programs and into the runtime's shared library; with hidden symbols, position-independent
# code is what compilers make for programs anyway.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

include(cmake/generated.cmake)
include(cmake/report.cmake)
set(BANKSHOT_LIBS)
foreach(mod IN LISTS MODULES)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${mod}/*.c)
    set(objects)
    if(mod STREQUAL "exec")
        # The lane operations are compiled more than once, for different instruction sets.
        list(FILTER sources EXCLUDE REGEX "/src/exec/alu/alu_[^/]*\\.c$")
        set(EXEC_ALU_OBJECTS)
        include(${PROJECT_SOURCE_DIR}/src/exec/alu/alu.cmake OPTIONAL)
        set(objects ${EXEC_ALU_OBJECTS})
    endif()
    list(FILTER sources EXCLUDE REGEX "/src/cli/main\\.c$|/src/cudart/versions/abi_[^/]*\\.c$")
    if(NOT sources AND NOT objects)
        continue()
    endif()
    add_library(${mod} STATIC ${sources} ${objects} ${SOURCES_${mod}})
    target_include_directories(${mod} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    set_target_properties(${mod} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME bankshot_${mod})
    if(BANKSHOT_O3 AND mod MATCHES "^(exec|trace|mem|sm|gpu)$")
        target_compile_options(${mod} PRIVATE -O3)
    endif()
    # A vector made of neighbouring words is loaded before the stores of its words are done.
    if(BANKSHOT_O3 AND mod MATCHES "^(mem|sm|gpu)$")
        target_compile_options(${mod} PRIVATE -fno-tree-slp-vectorize)
    endif()
    # What requests go through is compiled as one: its files call each other for every one of them.
    if(BANKSHOT_O3 AND mod STREQUAL "mem")
        set_target_properties(mem PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    elseif(BANKSHOT_O3 AND mod STREQUAL "sm")
        file(GLOB together ${PROJECT_SOURCE_DIR}/src/sm/l1/*.c ${PROJECT_SOURCE_DIR}/src/sm/event.c
            ${PROJECT_SOURCE_DIR}/src/sm/issue.c ${PROJECT_SOURCE_DIR}/src/sm/code/fetch.c ${PROJECT_SOURCE_DIR}/src/sm/code/stream.c
            ${PROJECT_SOURCE_DIR}/src/sm/lsu/coalescer.c ${PROJECT_SOURCE_DIR}/src/sm/lsu/steps.c
            ${PROJECT_SOURCE_DIR}/src/sm/warps/warp.c ${PROJECT_SOURCE_DIR}/src/sm/warps/cta.c
            ${PROJECT_SOURCE_DIR}/src/sm/registers/flight.c)
        set_source_files_properties(${together} PROPERTIES UNITY_GROUP l1)
        set_target_properties(sm PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    endif()
    set(below ${BANKSHOT_LIBS})
    list(REVERSE below)
    target_link_libraries(${mod} PUBLIC ${below} ${LIBS_${mod}} m Threads::Threads)
    if(mod STREQUAL "cudart")
        # The CUDA headers come after the system's: their math.h and the like are for device code.
        target_compile_options(${mod} PUBLIC "SHELL:-iquote ${PROJECT_SOURCE_DIR}/include"
            "SHELL:-idirafter ${PROJECT_SOURCE_DIR}/include")
        target_compile_definitions(${mod} PRIVATE _GNU_SOURCE BANKSHOT_VERSION="${PROJECT_VERSION}")
    endif()
    list(APPEND BANKSHOT_LIBS ${mod})
endforeach()

set(BANKSHOT_LINK ${BANKSHOT_LIBS})
list(REVERSE BANKSHOT_LINK)

add_executable(bankshot ${PROJECT_SOURCE_DIR}/src/cli/main.c)
target_compile_definitions(bankshot PRIVATE BANKSHOT_VERSION="${PROJECT_VERSION}")
target_compile_definitions(api PRIVATE BANKSHOT_VERSION="${PROJECT_VERSION}")
target_compile_definitions(cli PRIVATE BANKSHOT_VERSION="${PROJECT_VERSION}")
target_link_libraries(bankshot PRIVATE ${BANKSHOT_LINK})

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
if(bench_sources)
    # Everything compiles it; linked, which takes a minute and more, it is for make bench alone.
    add_library(bench OBJECT ${bench_sources})
    target_compile_definitions(bench PRIVATE KERNELS_DIR="${PROJECT_SOURCE_DIR}/kernels" CONF_DIR="${PROJECT_SOURCE_DIR}/conf")
    target_link_libraries(bench PRIVATE ${BANKSHOT_LINK})
    add_executable(bankshot-bench EXCLUDE_FROM_ALL)
    target_link_libraries(bankshot-bench PRIVATE bench ${BANKSHOT_LINK})
endif()

file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/fuzz/fuzz_*.c)
if(BANKSHOT_FUZZ)
    foreach(source IN LISTS fuzz_sources)
        get_filename_component(name ${source} NAME_WE)
        add_executable(${name} ${source})
        target_link_libraries(${name} PRIVATE ${BANKSHOT_LINK})
        target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    endforeach()
endif()
