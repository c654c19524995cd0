# cmake -DOUTPUT=x.c -P embed.cmake FILE...: each file as an array of characters, report.css as
# report_css, ended by a NUL.
set(text "extern const char report_html[], report_css[], drawing_js[], panels_js[], report_js[];\n")
foreach(name IN ITEMS report.html report.css drawing.js panels.js report.js)
  file(READ ${FOLDER}/${name} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(REPLACE "." "_" variable ${name})
  string(APPEND text "const char ${variable}[] = {\n${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
