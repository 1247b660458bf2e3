# SPDX-License-Identifier: Apache-2.0
# digest_of(OUT ROOT FILES...): 16 hexadecimal digits of the files' names below ROOT and of their code.
# Comments and white space decide no result: a source is digested without them, so that a sentence makes no figure old.
function(digest_of out root)
    set(all "")
    foreach(f IN LISTS ARGN)
        file(READ ${f} text)
        string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" " " text "${text}")
        string(REGEX REPLACE "[ \t\n]+" " " text "${text}")
        string(STRIP "${text}" text)
        string(SHA256 sum "${text}")
        file(RELATIVE_PATH name ${root} ${f})
        string(APPEND all "${sum} ${name}\n")
    endforeach()
    string(SHA256 sum "${all}")
    string(SUBSTRING ${sum} 0 16 sum)
    set(${out} ${sum} PARENT_SCOPE)
endfunction()
