# SPDX-License-Identifier: Apache-2.0
# Names of kernels, for the other programs of this folder.

# _Z7productILb1ELi2EEvPKf is product<1,2>.
function short(name, text, len) {
    if (name !~ /^_Z[0-9]/)
        return name
    text = substr(name, 3)
    len = text + 0
    sub(/^[0-9]+/, "", text)
    name = substr(text, 1, len)
    text = substr(text, len + 1)
    if (text ~ /^IL/) {
        sub(/EE.*/, "E", text)
        sub(/^I/, "", text)
        gsub(/L[a-z]/, "", text)
        gsub(/E/, ",", text)
        sub(/,$/, "", text)
        name = name "<" text ">"
    }
    return name
}
