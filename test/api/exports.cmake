# cmake -DNM=NM -DLIBRARY=FILE -DHEADERS=FILE,FILE... -P exports.cmake: the library has the functions
# that the headers say it has, and no others.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE lines
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z_0-9]+\n" exported "${lines}")
list(TRANSFORM exported STRIP)
set(text "")
string(REPLACE "," ";" headers "${HEADERS}")
foreach(header IN LISTS headers)
  file(READ ${header} more)
  string(APPEND text "${more}")
endforeach()
string(REGEX MATCHALL "LINEARIZE_API [a-z]+[ \n]+linearize_[a-z_]+" declared "${text}")
list(TRANSFORM declared REPLACE ".*[ \n]" "")
list(SORT exported)
list(SORT declared)
if(NOT declared OR NOT exported STREQUAL declared)
  message(FATAL_ERROR "${LIBRARY} has ${exported}, ${HEADERS} say ${declared}")
endif()
