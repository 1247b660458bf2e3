# SPDX-License-Identifier: Apache-2.0
# CUDA's mathematical libraries (lib/curand and so on): device code as any program's, compiled by the `bankshot cc` just built and
# linked as shared libraries under the names that programs of CUDA 12 and 13 ask for. Sources are named by their place in this
# project, so that traces do not depend on where that is.
if(NOT TARGET device_math)
    return()
endif()

# What the objects depend on: bankshot itself is only built before them, for most changes to it are none to their code.
file(GLOB compiler CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/cc.c ${PROJECT_SOURCE_DIR}/src/cli/cc/*.[ch])

# The first soname is the library, the others are links to it.
function(add_cuda_library name)
    file(GLOB sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/${name}/*.cu)
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/lib/${name}/*.h ${PROJECT_SOURCE_DIR}/include/*.h)
    set(objects)
    foreach(source ${sources})
        set(object ${PROJECT_BINARY_DIR}/${source}.o)
        get_filename_component(dir ${object} DIRECTORY)
        file(MAKE_DIRECTORY ${dir})
        add_custom_command(OUTPUT ${object}
            COMMAND ${CMAKE_COMMAND} -E env BANKSHOT_CACHE=${PROJECT_BINARY_DIR}/cache
                $<TARGET_FILE:bankshot> cc -c -arch=sm_80 -Xcompiler -fPIC,-fno-exceptions,-fno-rtti ${source} -o ${object}
            WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
            DEPENDS ${source} ${headers} ${compiler} device_math
            COMMENT "Building ${source}" VERBATIM)
        list(APPEND objects ${object})
    endforeach()
    list(GET ARGN 0 soname)
    set(script ${PROJECT_BINARY_DIR}/lib${name}.map)
    file(CONFIGURE OUTPUT ${script} CONTENT "{ global: ${name}*; local: *; };\n")
    add_runtime_library(${name} ${soname} "${objects}" ${script})
    target_link_libraries(${name} PRIVATE bankshot-cuda m)
    foreach(link lib${name}.so ${ARGN})
        if(NOT link STREQUAL soname)
            file(CREATE_LINK ${soname} ${runtime_dir}/${link} SYMBOLIC)
        endif()
        file(CREATE_LINK ../${soname} ${runtime_dir}/lib64/${link} SYMBOLIC)
    endforeach()
    add_dependencies(product ${name})
endfunction()

add_cuda_library(curand libcurand.so.10)
add_cuda_library(cublas libcublas.so.12 libcublas.so.13)
add_cuda_library(cusparse libcusparse.so.12)
