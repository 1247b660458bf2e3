/* SPDX-License-Identifier: Apache-2.0 */
#include "base/nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 }; /* longer names are not guessed at */

/* HOTSPOT is as near to hotspot as can be. */
static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* Levenshtein distance with swaps of neighbours, the two rows above at hand. */
static uint32_t edits(const char *a, size_t na, const char *b, size_t nb)
{
    uint32_t row[LONGEST + 1] = {0}, above[LONGEST + 1] = {0}, above2[LONGEST + 1];
    for (size_t j = 0; j <= nb; j++)
        row[j] = (uint32_t)j;
    for (size_t i = 0; i < na; i++) {
        memcpy(above2, above, sizeof above);
        memcpy(above, row, sizeof row);
        row[0] = (uint32_t)i + 1;
        for (size_t j = 0; j < nb; j++) {
            uint32_t keep = above[j] + !same(a[i], b[j]);
            uint32_t change = 1 + (row[j] < above[j + 1] ? row[j] : above[j + 1]);
            row[j + 1] = keep < change ? keep : change;
            if (i && j && same(a[i], b[j - 1]) && same(a[i - 1], b[j]) && above2[j - 1] + 1 < row[j + 1])
                row[j + 1] = above2[j - 1] + 1;
        }
    }
    return row[nb];
}

const char *nearest_name(const char *s, size_t len, const char *const *names, uint32_t n)
{
    if (len < 2 || len > LONGEST)
        return NULL;
    const char *best = NULL;
    uint32_t least = len < 4 ? 2 : len < 9 ? 3 : (uint32_t)len / 3 + 1;
    for (uint32_t i = 0; i < n; i++) {
        size_t ni = strlen(names[i]);
        if (ni > LONGEST)
            continue;
        uint32_t e = edits(s, len, names[i], ni);
        if (e < least) {
            least = e;
            best = names[i];
        }
    }
    return best;
}
