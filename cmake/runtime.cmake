# SPDX-License-Identifier: Apache-2.0
# The CUDA stand-in as programs find it, in BANKSHOT_HOME_DIR:
#   libbankshot-cuda.so   everything: the one state of a process behind the runtime and the driver API
#   libcudart.so.11.0, libcudart.so.12, libcudart.so.13, libcuda.so.1
#                         the names that programs were linked with; each needs the first one and has only what is different
#                         in its version of CUDA, and the version node that references to it ask for
#   libbankshot-static.so      what programs with NVIDIA's runtime linked in are started with
#   libcudart.so, libcuda.so   what -lcudart and -lcuda find: both libraries, as a linker script
#   libnvToolsExt.so           what -lnvToolsExt finds: ranges are in the first library
#   libcudart_static.a, libcudadevrt.a   names that build systems link with; the first is the shared runtime too
#   bin/nvcc, lib64, bankshot.cmake      what makes the folder a CUDA toolkit for them
# Symbols of libbankshot-cuda.so have no version, which the dynamic linker takes for any that is asked for.
set(runtime_dir ${PROJECT_BINARY_DIR}/lib/bankshot)
file(MAKE_DIRECTORY ${runtime_dir})

function(add_runtime_library target soname sources script)
    add_library(${target} SHARED ${sources})
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE C LIBRARY_OUTPUT_DIRECTORY ${runtime_dir}
        PREFIX "" SUFFIX "" OUTPUT_NAME ${soname} BUILD_RPATH "\$ORIGIN" INSTALL_RPATH "\$ORIGIN"
        BUILD_WITH_INSTALL_RPATH ON LINK_DEPENDS ${script})
    target_link_options(${target} PRIVATE -Wl,-soname,${soname} -Wl,--version-script=${script} -Wl,--no-as-needed -Wl,-Bsymbolic-functions)
endfunction()

set(script ${PROJECT_SOURCE_DIR}/cmake/runtime.map)
add_runtime_library(bankshot-cuda libbankshot-cuda.so "$<TARGET_OBJECTS:cudart>" ${script})
set(below ${BANKSHOT_LIBS})
list(REMOVE_ITEM below cudart api cli db) # db: programs need no SQLite
list(REVERSE below)
target_link_libraries(bankshot-cuda PRIVATE ${below} ${LIBS_cudart} m Threads::Threads)
# It stays when a plug-in that brought it is unloaded: the state and the trace are the process's.
target_link_options(bankshot-cuda PRIVATE -Wl,-z,nodelete)
if(NOT BANKSHOT_SANITIZE)
    target_link_options(bankshot-cuda PRIVATE -Wl,-z,defs)
endif()

foreach(soname libcudart.so.11.0 libcudart.so.12 libcudart.so.13 libcuda.so.1)
    set(version_script ${PROJECT_BINARY_DIR}/${soname}.map)
    if(soname STREQUAL "libcuda.so.1")
        set(source ${PROJECT_SOURCE_DIR}/src/cudart/versions/abi_cuda.c)
        file(CONFIGURE OUTPUT ${version_script} CONTENT "{ local: *; };\n")
    else()
        string(REGEX MATCH "[0-9]+" major ${soname})
        set(source ${PROJECT_SOURCE_DIR}/src/cudart/versions/abi_${major}.c)
        file(CONFIGURE OUTPUT ${version_script} CONTENT "${soname} { global: cuda*; __cuda*; local: *; };\n")
    endif()
    string(REPLACE ".so." "-" target ${soname})
    add_runtime_library(${target} ${soname} ${source} ${version_script})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(${target} PRIVATE "SHELL:-iquote ${PROJECT_SOURCE_DIR}/include"
        "SHELL:-idirafter ${PROJECT_SOURCE_DIR}/include")
    target_link_libraries(${target} PRIVATE bankshot-cuda)
    list(APPEND runtime_libraries ${target})
endforeach()

# For programs with NVIDIA's runtime linked in. Nothing else is linked to it: it opens the library of the program's version.
if(NOT BANKSHOT_SANITIZE)
    add_library(bankshot-static SHARED ${PROJECT_SOURCE_DIR}/src/cudart/versions/abi_static.c)
    set_target_properties(bankshot-static PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${runtime_dir} PREFIX "" SUFFIX ""
        OUTPUT_NAME libbankshot-static.so)
    target_link_libraries(bankshot-static PRIVATE ${CMAKE_DL_LIBS})
    list(APPEND runtime_libraries bankshot-static)
endif()

file(CONFIGURE OUTPUT ${runtime_dir}/libcudart.so CONTENT "INPUT(libcudart.so.12 libbankshot-cuda.so)\n")
file(CONFIGURE OUTPUT ${runtime_dir}/libcuda.so CONTENT "INPUT(libcuda.so.1 libbankshot-cuda.so)\n")
file(CONFIGURE OUTPUT ${runtime_dir}/libcudart_static.a CONTENT "INPUT(libcudart.so.12 libbankshot-cuda.so)\n")
file(CONFIGURE OUTPUT ${runtime_dir}/libnvToolsExt.so CONTENT "INPUT(libbankshot-cuda.so)\n")
file(CONFIGURE OUTPUT ${runtime_dir}/libcudadevrt.a CONTENT "!<arch>\n")
configure_file(${PROJECT_SOURCE_DIR}/lib/toolkit/nvcc ${runtime_dir}/bin/nvcc COPYONLY)
configure_file(${PROJECT_SOURCE_DIR}/lib/toolkit/bankshot.cmake ${runtime_dir}/bankshot.cmake COPYONLY)
# The libraries under the folder's name that toolkits have, each as a link: a link to the folder itself would have no end.
if(IS_SYMLINK ${runtime_dir}/lib64)
    file(REMOVE ${runtime_dir}/lib64)
endif()
file(MAKE_DIRECTORY ${runtime_dir}/lib64)
foreach(name libbankshot-cuda.so libcudart.so.11.0 libcudart.so.12 libcudart.so.13 libcuda.so.1 libcudart.so libcuda.so
        libcudart_static.a libcudadevrt.a libnvToolsExt.so)
    file(CREATE_LINK ../${name} ${runtime_dir}/lib64/${name} SYMBOLIC)
endforeach()
add_custom_target(runtime ALL DEPENDS bankshot-cuda ${runtime_libraries})
