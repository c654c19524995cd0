# cmake -DNM=NM -DLIBRARY=FILE -DHEADER=FILE -P exports.cmake: the library has the functions that the
# header says it has, and no others.
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE lines
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[A-Za-z_0-9]+\n" exported "${lines}")
list(TRANSFORM exported STRIP)
file(READ ${HEADER} text)
string(REGEX MATCHALL "LINEARIZE_API [a-z]+[ \n]+linearize_[a-z_]+" declared "${text}")
list(TRANSFORM declared REPLACE ".*[ \n]" "")
list(SORT exported)
list(SORT declared)
if(NOT declared OR NOT exported STREQUAL declared)
  message(FATAL_ERROR "${LIBRARY} has ${exported}, ${HEADER} says ${declared}")
endif()
