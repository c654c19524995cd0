# build/share/man/man1: a manual page for each tool, from its --help, where help2man is installed.
find_program(HELP2MAN help2man)

# add_manual_page(TOOL SUMMARY): of a tool, or script, of tools/.
function(add_manual_page tool summary)
  if(NOT HELP2MAN)
    return()
  endif()
  set(program "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${tool}")
  set(page "${CMAKE_BINARY_DIR}/share/man/man1/${tool}.1")
  set(script "${CMAKE_SOURCE_DIR}/cmake/man-page")
  if(TARGET ${tool})
    set(built ${tool})
  else()
    set(built "${program}")
  endif()
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/share/man/man1")
  add_custom_command(OUTPUT "${page}" VERBATIM DEPENDS "${built}" "${script}"
    COMMAND "${script}" "${program}" ${PROJECT_VERSION} "${summary}" > "${page}")
  add_custom_target(${tool}.1 ALL DEPENDS "${page}")
endfunction()

add_manual_page(linearize-cc "compiles CUDA files with linearized control flow")
add_manual_page(linearize-config "prints what is needed to compile with linearize")
add_manual_page(linearize-graph "shows what linearize does to control flow")
add_manual_page(linearize-report "writes a page that shows what linearize does and why")
add_manual_page(linearize-simt "runs GPU kernels on the CPU and counts what warps execute")
