# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT= -DDIR= -P embed.cmake: writes the files of the report page as C strings (see report.cmake).
function(embed name)
    set(hex "")
    foreach(f IN LISTS ARGN)
        file(READ ${DIR}/${f} bytes HEX)
        string(APPEND hex "${bytes}0a")
    endforeach()
    string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
    set(text "${text}const char report_${name}[] = {\n${hex}0};\n" PARENT_SCOPE)
endfunction()

set(text "/* Made by cmake/embed.cmake. */\n#include \"cli/view/report.h\"\n\n")
embed(html page.html)
embed(css page.css)
embed(js basic.js model.js table.js label.js chart.js plane.js paint.js style.js export.js state.js overview.js glossary.js found.js advice.js axes.js breakdown.js roof.js light.js pairs.js
    beside.js time.js course.js detail.js pipeline_rows.js pipeline_draw.js pipeline.js page.js)
file(WRITE ${OUT} "${text}")
