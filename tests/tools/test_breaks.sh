#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/format on a small tree: comments behind code that they broke go above it, and nothing else moves. Usage: test_breaks.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
cd "$tmp" || exit 1
mkdir -p tools src tests bench fuzz kernels examples web
cp "$root/tools/format" tools/ && cp "$root/.clang-format" .

long='with a comment that is too long to stand behind its code on one line of a hundred and ten'
cat >src/x.h <<END
struct a {
    uint32_t first, second;                     /* two, $long */
    uint32_t bits : 3;                          /* bits, $long */
    struct very *const where;                   /* a pointer, $long */
    uint64_t table[4][SOME_SIZE + 1];           /* an array, $long */
    void (*call)(void *state, uint32_t flight); /* a function, $long */
    bool ok;                                    /* short */
};
static int f(int x)
{
    if (x)
        return 1; /* a result, $long */
    int unusually_long_name = some_function_of_several_arguments(x + 1, x + 2, x + 3) + another_function(x + 4, x + 5) +
                              the_last_function_of_all(x); /* three, short */
    return unusually_long_name;
}
END
tools/format >out 2>&1
status=$?
if [ $status = 77 ]; then
    echo "skipped: $(cat out)"
    exit 77
fi
verdict "formats: status $status" "$([ $status = 0 ] && echo 1)"
cat >want <<END
struct a {
    /* Two, $long */
    uint32_t first, second;
    /* Bits, $long */
    uint32_t bits : 3;
    /* A pointer, $long */
    struct very *const where;
    /* An array, $long */
    uint64_t table[4][SOME_SIZE + 1];
    /* A function, $long */
    void (*call)(void *state, uint32_t flight);
    bool ok; /* short */
};
static int f(int x)
{
    if (x)
        return 1; /* a result, $long */
    int unusually_long_name = some_function_of_several_arguments(x + 1, x + 2, x + 3) +
                              another_function(x + 4, x + 5) + the_last_function_of_all(x); /* three, short */
    return unusually_long_name;
}
END
verdict "five comments are above what they broke, others where they were" "$(truth diff src/x.h want)"
verdict "what was formatted passes" "$(truth tools/format --check)"

# As clang-format leaves it: the type alone on its line.
cat >src/x.h <<END
struct a {
    bool
        plain_lines; /* one, $long */
};
END
tools/format --check >out 2>&1
verdict "a break is named with its line" "$([ $? = 1 ] && grep -q '^src/x.h:3: ' out && echo 1)"
cp src/x.h before
tools/format --help >out 2>&1
verdict "--help tells, and formats nothing" "$([ $? = 0 ] && grep -q '^usage: tools/format' out && cmp -s src/x.h before && echo 1)"
tools/format --chek >out 2>&1
verdict "an option that it does not know is refused" "$([ $? = 2 ] && cmp -s src/x.h before && echo 1)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
