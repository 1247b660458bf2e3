/* SPDX-License-Identifier: Apache-2.0 */
/* Digests: a machine is its options, a run is its trace, machine and model. */
#include "db/key.h"
#include "db/generated.h"
#include "gpu/gpu.h"

#include <xxhash.h>

static void add(XXH3_state_t *h, const char *text)
{
    XXH3_128bits_update(h, text, strlen(text) + 1); /* with the zero: "ab" "c" is not "a" "bc" */
}

static struct db_key finish(XXH3_state_t *h)
{
    struct db_key k;
    XXH128_hash_t v = XXH3_128bits_digest(h);
    snprintf(k.text, sizeof k.text, "%016llx%016llx", (unsigned long long)v.high64,
             (unsigned long long)v.low64);
    XXH3_freeState(h);
    return k;
}

static XXH3_state_t *start(void)
{
    XXH3_state_t *h = XXH3_createState();
    if (!h) {
        fputs("bankshot: out of memory\n", stderr);
        exit(4);
    }
    XXH3_128bits_reset(h);
    return h;
}

static void add_option(void *ctx, const char *section, const struct conf_opt *o, const char *value,
                       const char *source)
{
    (void)source;
    add(ctx, section);
    add(ctx, o->name);
    add(ctx, value);
}

struct db_key db_machine_key(struct gpu_conf *c)
{
    XXH3_state_t *h = start();
    conf_each(&c->conf, add_option, h);
    return finish(h);
}

struct db_key db_run_key(const uint64_t *traces, uint32_t n, const struct db_key *machine)
{
    XXH3_state_t *h = start();
    for (uint32_t i = 0; i < n; i++)
        add(h, db_identity(traces[i]).text);
    add(h, db_model_digest);
    add(h, machine->text);
    return finish(h);
}

struct db_identity db_identity(uint64_t trace)
{
    struct db_identity id;
    snprintf(id.text, sizeof id.text, "%016llx", (unsigned long long)trace);
    return id;
}
