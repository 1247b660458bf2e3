#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/silicon-rows beside a program that prints rows and a machine that says their cycles: names with commas, rows that were not
# measured, launches before the first row. Usage: test_silicon_rows.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
command -v python3 >/dev/null || exit 77
cd "$tmp" || exit 1

cat >machine <<'END'
#!/bin/sh
if [ "$1" = record ]; then
    printf 'group,row,units,cycles\nhit,lines 4, warps 1,128,7\ntries,lines 4, warps 1,128,99\nhit,plain,64,7\n# done, all\nhit,lines 4, warps 2, far,128,7\n'
else
    while [ "$1" != --json ]; do shift; done
    echo '{"kernels": [{"cycles": 5}, {"cycles": 100}, {"cycles": 310}, {"cycles": 50}, {"cycles": 90}, {"cycles": 1000}, {"cycles": 1500}]}' >"$2"
fi
END
chmod +x machine
printf '# an H200\ngroup,row,units,cycles\nhit,lines 4, warps 1,128,200\nhit,lines 4, warps 2, far,128,400\n' >measured.csv
"$root/tools/silicon-rows" ./machine program measured.csv >out 2>&1
says() # NAME PATTERN
{
    verdict "$1" "$(grep -Eq "$2" out && echo 1)"
}
says "a name with a comma" '^hit lines 4, warps 1 +200 +210 +\+5\.0%'
says "a name with two" '^hit lines 4, warps 2, far +400 +500 +\+25\.0%'
says "the mean of both" '^2 rows, mean absolute error 15\.0%'
verdict "a row that was not measured" "$(grep -q plain out || echo 1)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
