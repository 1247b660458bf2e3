# SPDX-License-Identifier: Apache-2.0
# The lane operations, compiled once per host vector ISA from the same sources. Sets EXEC_ALU_OBJECTS.
#   plain   the baseline of the architecture without vectorisation
#   others  -O3 with the ISA's flags; alu_list.c decides at run time which the host can use
file(GLOB alu_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/alu_*.c)
list(FILTER alu_sources EXCLUDE REGEX "/alu_list\\.c$")

if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    set(alu_scalar -fno-vectorize -fno-slp-vectorize)
    set(alu_wide512 -mprefer-vector-width=512)
    set(alu_quiet -Wno-pass-failed) # a loop that stays scalar is no error
else()
    set(alu_scalar -fno-tree-vectorize -fno-tree-slp-vectorize)
    set(alu_wide512 -mprefer-vector-width=512)
    set(alu_quiet -Wno-psabi)
endif()
# Results must not depend on the build: no contraction, no reordering; nobody reads errno or the exception flags.
set(alu_common -ffp-contract=off -fno-math-errno -fno-trapping-math ${alu_quiet})

set(alu_variants plain)
set(alu_flags_plain -O2 ${alu_scalar} -DALU_SCALAR)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
    list(APPEND alu_variants avx2 avx512)
    set(alu_flags_avx2 -O3 -mavx2 -mfma -mf16c)
    set(alu_flags_avx512 -O3 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mfma ${alu_wide512})
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    list(APPEND alu_variants neon)
    set(alu_flags_neon -O3)
endif()

set(alu_defs)
foreach(v IN LISTS alu_variants)
    add_library(exec_alu_${v} OBJECT ${alu_sources})
    target_include_directories(exec_alu_${v} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(exec_alu_${v} PRIVATE ALU_VARIANT=${v})
    target_compile_options(exec_alu_${v} PRIVATE ${alu_common} ${alu_flags_${v}})
    list(APPEND EXEC_ALU_OBJECTS $<TARGET_OBJECTS:exec_alu_${v}>)
    string(TOUPPER ${v} upper)
    list(APPEND alu_defs EXEC_ALU_${upper}=1)
endforeach()

add_library(exec_alu_list OBJECT ${CMAKE_CURRENT_LIST_DIR}/alu_list.c)
target_include_directories(exec_alu_list PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_compile_definitions(exec_alu_list PRIVATE ${alu_defs})
list(APPEND EXEC_ALU_OBJECTS $<TARGET_OBJECTS:exec_alu_list>)
