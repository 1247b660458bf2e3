# For CMake projects that use CUDA: cmake --toolchain HOME/bankshot.cmake. The language CUDA is then compiled by bankshot cc, and what
# the C and C++ compilers link finds the runtime when it runs, as what bankshot cc links does anyway.
get_filename_component(bankshot_home "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
set(CMAKE_CUDA_COMPILER "${bankshot_home}/bin/nvcc")
set(CUDAToolkit_ROOT "${bankshot_home}")
foreach(kind EXE SHARED MODULE)
    set(CMAKE_${kind}_LINKER_FLAGS_INIT "-Wl,-rpath,\"${bankshot_home}\"")
endforeach()
# SPDX-License-Identifier: Apache-2.0
