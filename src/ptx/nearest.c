/* Guessing the opcode that a misspelt one was meant to be. */
#include "ptx/optab.h"

enum { LONGEST = 16 };

/* Edits (insert, drop, replace) that turn s into name. */
static uint32_t edits(const char *s, size_t len, const char *name)
{
    size_t n = strlen(name);
    uint32_t row[LONGEST + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = (uint32_t)j;
    for (size_t i = 0; i < len; i++) {
        uint32_t corner = row[0]++;
        for (size_t j = 0; j < n; j++) {
            uint32_t keep = corner + (s[i] != name[j]);
            uint32_t change = 1 + (row[j] < row[j + 1] ? row[j] : row[j + 1]);
            corner = row[j + 1];
            row[j + 1] = keep < change ? keep : change;
        }
    }
    return row[n];
}

const char *ptx_nearest_op(const char *s, size_t len)
{
    if (len < 2 || len > LONGEST)
        return NULL;
    const char *best = NULL;
    uint32_t least = len < 4 ? 2 : 3; /* one edit in a short name, two in a longer one */
    for (int i = 0; i < P_COUNT; i++) {
        uint32_t e = edits(s, len, ptx_op_names[i]);
        if (e < least) {
            least = e;
            best = ptx_op_names[i];
        }
    }
    return best;
}
