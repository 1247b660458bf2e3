/* SPDX-License-Identifier: Apache-2.0 */
#include "preset.h"

#include <assert.h>

void preset_set(struct preset *p, const char *assignment)
{
    struct diag d = {0};
    bool ok = conf_set(&p->conf, assignment, CONF_USER, &d);
    assert(ok);
    diag_free(&d);
}

void preset_init(struct preset *p, const char *name)
{
    char path[512], line[512], option[64], value[64], text[192];
    memset(p, 0, sizeof *p);
    conf_add(&p->conf, "sm", sm_opts, sm_nopts, &p->sm);
    if (!name)
        return;
    snprintf(path, sizeof path, "%s/../conf/gpus/%s.ini", TEST_DATA_DIR, name);
    FILE *f = fopen(path, "r");
    assert(f);
    for (bool in_sm = false; fgets(line, sizeof line, f);) {
        if (line[0] == '[')
            in_sm = strncmp(line, "[sm]", 4) == 0;
        else if (in_sm && sscanf(line, "%63[a-z0-9_] = %63s", option, value) == 2) {
            snprintf(text, sizeof text, "sm.%s=%s", option, value);
            preset_set(p, text);
        }
    }
    fclose(f);
}

void preset_free(struct preset *p) { conf_free(&p->conf); }
