/* SPDX-License-Identifier: Apache-2.0 */
#include "ini.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LINE_B = 200, NAME_B = 50 }; /* inih's limits */

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    for (size_t n = strlen(s); n && isspace((unsigned char)s[n - 1]); n--)
        s[n - 1] = 0;
    return s;
}

/* The first of `chars` or of a comment, which begins with a ; after a blank. */
static char *find(char *s, const char *chars)
{
    for (; *s && !strchr(chars, *s); s++)
        if (*s == ';' && s[-1] == ' ')
            break;
    return s;
}

int ini_parse_stream(ini_reader reader, void *stream, ini_handler handler, void *user)
{
    char line[LINE_B], section[NAME_B] = "";
    int bad = 0;
    for (int n = 1; reader(line, sizeof line, stream); n++) {
        char *s = trim(line), *end;
        bool fine = true;
        if (!*s || *s == ';' || *s == '#') {
            continue;
        } else if (*s == '[') {
            end = strchr(s, ']');
            fine = end;
            if (fine) {
                *end = 0;
                snprintf(section, sizeof section, "%s", s + 1);
            }
        } else {
            end = s + strcspn(s, "=:");
            fine = *end;
            if (fine) {
                *end = 0;
                char *value = trim(end + 1), *note = *value ? find(value + 1, "") : value;
                *note = 0;
                fine = handler(user, section, trim(s), trim(value));
            }
        }
        if (!fine && !bad)
            bad = n;
    }
    return bad;
}
