#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A CMake project with the language CUDA, built by bankshot cc. Usage: test_cmake.sh BANKSHOT
set -u
. "$(dirname "$0")/cc_frame.sh"
home=$(dirname "$bankshot")/lib/bankshot
unset CUDACXX CUDAFLAGS CUDAHOSTCXX CUDAARCHS CXXFLAGS LDFLAGS # of whoever runs the test

sh_ok "nvcc answers for bankshot cc" test "$("$home/bin/nvcc" --version)" = "$("$bankshot" cc --version)"
ln -s "$home/bin/nvcc" nvcc
sh_ok "through a link too" ./nvcc --version

# prints APP WANT: what a program prints.
prints() {
    LD_PRELOAD=$preload "$1" >out 2>&1
    if [ "$(cat out)" = "$2" ]; then passed=$((passed + 1)); else fail "$1: want $2"; fi
}

# With the toolchain file, by Ninja: everything finds the runtime.
sh_ok "configure" cmake --toolchain "$home/bankshot.cmake" -G Ninja -S "$here/cmake" -B ninja
sh_ok "is taken for nvcc" test "$(grep -c 'found NVIDIA 12.8.0, toolkit 12.8.0, architectures 90$' out)" = 1
sh_ok "build" cmake --build ninja
sh_ok "in silence" test -z "$(grep -i warning out)"
prints ninja/app 'sum 1088'
prints ninja/alone 'sum 192'
prints ninja/host_cudart 'devices 1'
prints ninja/host_cudart_static 'devices 1'
prints ninja/host_cuda_driver 'devices 1'
sh_ok "PTX" grep -q '\.entry' ninja/CMakeFiles/text.dir/here.ptx
sh_ok "nothing left to do" sh -c 'cmake --build ninja | grep -q "no work to do"'
sh_ok "dependencies are known" sh -c "grep -q 'parts.h' ninja/.ninja_deps"

# As another compiler, by Make, with files of options; only what bankshot cc links finds the runtime itself.
sh_ok "configure for make" cmake -DCMAKE_CUDA_COMPILER="$home/bin/nvcc" -DCMAKE_CUDA_ARCHITECTURES=90 -DCMAKE_BUILD_TYPE=Release \
    -G 'Unix Makefiles' -S "$here/cmake" -B make
sh_ok "build alone" cmake --build make --target alone
prints make/alone 'sum 192'

# Device code across files: CMake has it linked by -dlink, which leaves it to the runtime.
sh_ok "configure with -rdc" cmake -DCMAKE_CUDA_SEPARABLE_COMPILATION=ON --toolchain "$home/bankshot.cmake" -G Ninja -S "$here/cmake" -B rdc
sh_ok "build with -rdc" cmake --build rdc --target alone
prints rdc/alone 'sum 192'

echo "test_cmake: $passed passed, $failed failed"
[ $failed = 0 ]
