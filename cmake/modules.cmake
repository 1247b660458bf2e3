# One static library per module, in layer order: a module links the modules before it and no others,
# so an upward call fails to link as well as failing tools/layers.
set(MODULES base conf stat ir ptx compile exec trace annotate mem sm gpu energy db cudart cli)

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZMA REQUIRED IMPORTED_TARGET liblzma)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
pkg_check_modules(INIH REQUIRED IMPORTED_TARGET inih)
set(LIBS_conf PkgConfig::INIH)
set(LIBS_trace PkgConfig::ZSTD PkgConfig::LZMA PkgConfig::ZLIB PkgConfig::XXHASH)
set(LIBS_cudart PkgConfig::ZSTD PkgConfig::LZ4)
set(LIBS_cli PkgConfig::JANSSON)

# The same objects go into the programs and into the runtime's shared library; with hidden symbols, position-independent
# code is what compilers make for programs anyway.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)

# The timing model's calls between files are short and many: its modules are optimised together when a program is linked.
include(CheckIPOSupported)
check_ipo_supported(RESULT ipo LANGUAGES C)
set(IPO_MODULES mem sm)
if(BANKSHOT_SANITIZE OR NOT ipo)
    set(IPO_MODULES)
endif()

set(BANKSHOT_LIBS)
foreach(mod IN LISTS MODULES)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${mod}/*.c)
    set(objects)
    if(mod STREQUAL "exec")
        # The lane operations are compiled more than once, for different instruction sets.
        list(FILTER sources EXCLUDE REGEX "/src/exec/alu_[^/]*\\.c$")
        set(EXEC_ALU_OBJECTS)
        include(${PROJECT_SOURCE_DIR}/src/exec/alu.cmake OPTIONAL)
        set(objects ${EXEC_ALU_OBJECTS})
    endif()
    list(FILTER sources EXCLUDE REGEX "/src/cli/main\\.c$|/src/cudart/abi_[^/]*\\.c$")
    if(NOT sources AND NOT objects)
        continue()
    endif()
    add_library(${mod} STATIC ${sources} ${objects})
    target_include_directories(${mod} PUBLIC ${PROJECT_SOURCE_DIR}/src)
    set_target_properties(${mod} PROPERTIES LINKER_LANGUAGE C OUTPUT_NAME bankshot_${mod})
    if(mod IN_LIST IPO_MODULES)
        set_target_properties(${mod} PROPERTIES INTERPROCEDURAL_OPTIMIZATION_RELEASE ON)
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
target_compile_definitions(cli PRIVATE BANKSHOT_VERSION="${PROJECT_VERSION}")
target_link_libraries(bankshot PRIVATE ${BANKSHOT_LINK})

file(GLOB bench_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.c)
if(bench_sources)
    add_executable(bankshot-bench ${bench_sources})
    target_compile_definitions(bankshot-bench PRIVATE KERNELS_DIR="${PROJECT_SOURCE_DIR}/kernels"
        CONF_DIR="${PROJECT_SOURCE_DIR}/conf")
    target_link_libraries(bankshot-bench PRIVATE ${BANKSHOT_LINK})
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
