# cmake --install, and the package Linearize for find_package, from the build folder too.
#
#   PREFIX/lib/linearize-22/      all that is for LLVM 22; other versions go beside it
#     bin/                        linearize-config and the other tools
#     lib/liblinearize.so         the plugin, the C libraries, and what is preloaded
#     include/ cmake/             the headers, the package
#   PREFIX/bin/NAME-22, NAME      links to the tools; NAME is the version installed last
#
# Components: linearize, c (the C libraries), commands and unversioned (the links).
# Manual pages are those in the build folder's share/man/man1.
#
# The build folder has the same bin/, lib/, include/ and cmake/, so that whoever looks for a file
# from its own place, as linearize-config does, finds it in both.
include(CMakePackageConfigHelpers)

set(linearize_home lib/linearize-${LLVM_VERSION_MAJOR})
configure_file(cmake/LinearizeConfig.cmake.in cmake/LinearizeConfig.cmake @ONLY)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/cmake/LinearizeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/include" "${CMAKE_BINARY_DIR}/include" SYMBOLIC)

install(TARGETS linearize_plugin LIBRARY DESTINATION ${linearize_home}/lib)
install(TARGETS linearize_preload linearize_counting linearize_choosing LIBRARY DESTINATION ${linearize_home}/lib)
if(TARGET linearize_sort)
  install(PROGRAMS "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/liblinearize-sort.so"
    DESTINATION ${linearize_home}/lib)
endif()
install(TARGETS linearize linearize_c_threads LIBRARY DESTINATION ${linearize_home}/lib COMPONENT c)
install(DIRECTORY include/ DESTINATION ${linearize_home}/include COMPONENT c)
install(FILES "${CMAKE_BINARY_DIR}/cmake/LinearizeConfig.cmake"
  "${CMAKE_BINARY_DIR}/cmake/LinearizeConfigVersion.cmake" DESTINATION ${linearize_home}/cmake)

# install_link(FILE TARGET COMPONENT): a link in PREFIX/bin, relative, so that all may move.
function(install_link file target component)
  file(CREATE_LINK "${target}" "${CMAKE_BINARY_DIR}/links/${file}" SYMBOLIC)
  install(FILES "${CMAKE_BINARY_DIR}/links/${file}" DESTINATION bin COMPONENT ${component})
endfunction()

# A tool is a target, or a script that is configured to be in build/bin.
file(GLOB tools RELATIVE "${CMAKE_SOURCE_DIR}/tools" CONFIGURE_DEPENDS tools/linearize-*)
file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/links")
install(TARGETS linearize-command RUNTIME DESTINATION ${linearize_home}/bin)
install_link(linearize-${LLVM_VERSION_MAJOR} ../${linearize_home}/bin/linearize commands)
install_link(linearize linearize-${LLVM_VERSION_MAJOR} unversioned)
foreach(tool IN LISTS tools)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION ${linearize_home}/bin)
    if(NOT LLVM_LIBRARY_DIRS MATCHES "^/usr/") # not where the loader looks
      set_target_properties(${tool} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    endif()
  else()
    install(PROGRAMS "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}" DESTINATION ${linearize_home}/bin)
  endif()
  install_link(${tool}-${LLVM_VERSION_MAJOR} ../${linearize_home}/bin/${tool} commands)
  install_link(${tool} ${tool}-${LLVM_VERSION_MAJOR} unversioned)
endforeach()
# Which there are is known once all is built.
find_program(GZIP gzip REQUIRED)
install(CODE "
  set(folder \"\${CMAKE_INSTALL_PREFIX}/${linearize_home}/share/man/man1\")
  file(GLOB pages \"${CMAKE_BINARY_DIR}/share/man/man1/*.1\")
  foreach(page IN LISTS pages)
    file(INSTALL \"\${page}\" DESTINATION \"\${folder}\")
    get_filename_component(name \"\${page}\" NAME)
    execute_process(COMMAND ${GZIP} -9nf \"\$ENV{DESTDIR}\${folder}/\${name}\"
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()")

# install_manual_links(SUFFIX COMPONENT): as the tools have them in PREFIX/bin.
function(install_manual_links suffix component)
  install(CODE "
    set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/man/man1\")
    file(GLOB pages \"${CMAKE_BINARY_DIR}/share/man/man1/*.1\")
    foreach(page IN LISTS pages)
      get_filename_component(name \"\${page}\" NAME_WE)
      file(MAKE_DIRECTORY \"\${folder}\")
      file(CREATE_LINK \"../../../${linearize_home}/share/man/man1/\${name}.1.gz\"
        \"\${folder}/\${name}${suffix}.1.gz\" SYMBOLIC)
    endforeach()" COMPONENT ${component})
endfunction()
install_manual_links("-${LLVM_VERSION_MAJOR}" commands)
install_manual_links("" unversioned)
