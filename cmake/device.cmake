# SPDX-License-Identifier: Apache-2.0
# lib/bankshot/device.bc: the device functions (lib/device) as LLVM bitcode, which `bankshot cc` gives clang to link into
# kernels. Compiled by the clang that cc uses first; without one the build goes on and cc says what is missing.
find_program(BANKSHOT_DEVICE_CLANG NAMES clang-19 clang-20 clang-18 clang-17 clang-16 clang-14 clang)
if(NOT BANKSHOT_DEVICE_CLANG)
    message(STATUS "clang is missing: no device functions, so no `bankshot cc` (run tools/setup.sh)")
    return()
endif()

set(device_bc ${PROJECT_BINARY_DIR}/lib/bankshot/device.bc)
set(device_ll ${PROJECT_BINARY_DIR}/device.ll)
file(GLOB device_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/device/*.[ch])
# A function with another target-cpu than its caller is not inlined: these attributes go, and each kernel's own apply.
add_custom_command(OUTPUT ${device_bc}
    COMMAND ${BANKSHOT_DEVICE_CLANG} --target=nvptx64-nvidia-cuda -march=sm_70 -std=gnu17 -O2 -ffp-contract=off
        -fno-math-errno -Wall -Wextra -Werror -S -emit-llvm ${PROJECT_SOURCE_DIR}/lib/device/device.c -o ${device_ll}
    COMMAND sed -i -E "s/\"(target-cpu|target-features|frame-pointer)\"=\"[^\"]*\"//g" ${device_ll}
    COMMAND ${BANKSHOT_DEVICE_CLANG} --target=nvptx64-nvidia-cuda -Wno-override-module -x ir -c -emit-llvm
        -Xclang -disable-llvm-passes ${device_ll} -o ${device_bc}
    DEPENDS ${device_sources}
    COMMENT "Building device functions"
    VERBATIM)
add_custom_target(device_math ALL DEPENDS ${device_bc})
