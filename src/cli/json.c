#include "cli/json.h"

#include "base/arena.h"

#include <stdlib.h>

json_t *cli_json_number(uint64_t v) { return json_integer((json_int_t)v); }

json_t *cli_json_text(const char *s)
{
    json_t *j = json_string(s);
    if (j)
        return j;
    char *clean = xstrdup(s);
    for (char *p = clean; *p; p++)
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    j = json_string(clean);
    free(clean);
    return j;
}
