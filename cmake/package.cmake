# SPDX-License-Identifier: Apache-2.0
# The Debian package, by CPack: what `cmake --install` puts under /usr. `make deb` makes it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME bankshot)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR "Bankshot")
# A Debian maintainer is a name with an address; there is nobody with one yet, and none is made up.
set(CPACK_PACKAGE_CONTACT "The Bankshot authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "GPU simulator for operand storage: runs CUDA programs without a GPU")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Compiles and runs CUDA programs without a GPU and without a CUDA toolkit, records what every warp did, and replays it cycle by cycle on models of GPUs with the register files, caches and schedulers of the literature.\n The library libbankshot, its header and its pkg-config file are in the package as well.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# Libraries by their symbols; the clang that `bankshot cc` runs, and bundled workloads with it, must read the device functions' bitcode.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR} ${BANKSHOT_HOME_DIR})
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-19")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "gnuplot-nox, libomp-19-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, python3, python3-pandas")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
include(CPack)
