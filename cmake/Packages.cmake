# cpack, or ninja package: a Debian package linearize-22, for LLVM 22. Packages for several LLVMs can
# be installed together; Debian's alternatives choose what linearize-config and the others are.
set(package linearize-${LLVM_VERSION_MAJOR})
set(LINEARIZE_CONTACT "The linearize project <maintainers@linearize.example>"
  CACHE STRING "Who is responsible for the package")
set(package_files "${CMAKE_BINARY_DIR}/packages/debian")
foreach(file IN ITEMS postinst prerm changelog copyright)
  configure_file(packages/debian/${file}.in "${package_files}/${file}" @ONLY
    USE_SOURCE_PERMISSIONS)
endforeach()
execute_process(COMMAND ${GZIP} -9nf "${package_files}/changelog" COMMAND_ERROR_IS_FATAL ANY)
install(FILES "${package_files}/changelog.gz" "${package_files}/copyright"
  DESTINATION share/doc/${package} COMPONENT debian)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ${package})
set(CPACK_PACKAGE_CONTACT "${LINEARIZE_CONTACT}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL linearize c commands debian) # what is unversioned isn't a package's own
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-${LLVM_VERSION_MAJOR}, graphviz")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "llvm-${LLVM_VERSION_MAJOR}, llvm-${LLVM_VERSION_MAJOR}-dev")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${package_files}/postinst;${package_files}/prerm")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "LLVM ${LLVM_VERSION_MAJOR} pass that linearizes unstructured GPU control flow")
set(CPACK_PACKAGE_DESCRIPTION
  "A GPU runs the threads of a warp together. In unstructured control flow
(short circuits, goto, shared tails, loops with several exits or entries)
they come together again late. This plugin for clang ${LLVM_VERSION_MAJOR} turns such control
flow of CUDA kernels into structured, guarded control flow, in which threads
meet early.

With it come tools that show what happens to a kernel (linearize-graph), run
kernels on the CPU and count what warps execute (linearize-simt), and tell
the options for compilers (linearize-config), a CMake package, and the same
as a C library.")
include(CPack)
