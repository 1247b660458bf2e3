/* Values of the JSON that commands write. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include <jansson.h>
#include <stdint.h>

json_t *cli_json_number(uint64_t v);
/* Bytes that are no UTF-8 (a program's arguments may hold any) are replaced. */
json_t *cli_json_text(const char *s);

#endif
