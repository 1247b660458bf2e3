/* Guessing what a misspelt name was meant to be. */
#include "cli/cli.h"

enum { NEAREST_LEN = 63 }; /* longer names are not guessed at */

/* Levenshtein distance, one row at a time. */
static uint32_t distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > NEAREST_LEN || nb > NEAREST_LEN)
        return UINT32_MAX;
    uint32_t row[NEAREST_LEN + 1];
    for (size_t j = 0; j <= nb; j++)
        row[j] = (uint32_t)j;
    for (size_t i = 1; i <= na; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= nb; j++) {
            uint32_t best = diagonal + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[nb];
}

const char *cli_nearest(const char *text, const char *const *names, uint32_t n)
{
    const char *best = NULL;
    uint32_t best_d = (uint32_t)strlen(text) / 2 + 1; /* half the letters wrong is not a misspelling */
    for (uint32_t i = 0; i < n; i++) {
        uint32_t d = distance(text, names[i]);
        if (d < best_d) {
            best = names[i];
            best_d = d;
        }
    }
    return best;
}
