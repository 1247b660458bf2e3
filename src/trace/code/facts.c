/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/code/facts.h"

#include <string.h>

enum where { BEGINS, ENDS, HAS };

static const struct {
    uint32_t fact;
    enum where where;
    const char *text;
} rows[] = {
#define TEXT(name, where, text) {TF_##name, where, text},
#include "trace/code/facts.def"
#undef TEXT
};

static bool ends(const char *text, const char *with)
{
    size_t n = strlen(text), m = strlen(with);
    return n > m && strcmp(text + n - m, with) == 0;
}

uint32_t tr_facts(const struct tr_insn *i)
{
    uint32_t facts = 0;
    for (uint32_t k = 0; i->text && k < sizeof rows / sizeof *rows; k++) {
        const char *text = rows[k].text;
        bool is = false;
        switch (rows[k].where) {
        case BEGINS: is = *text == *i->text && strncmp(i->text, text, strlen(text)) == 0; break;
        case ENDS: is = ends(i->text, text); break;
        case HAS: is = strstr(i->text, text); break;
        }
        facts |= is ? rows[k].fact : 0;
    }
    return facts;
}
