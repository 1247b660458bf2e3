/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a trace that a program gives to libbankshot: each function does what its header says, a run ends with a result
 * whose counters fit together or with an error that has a text, and nothing else happens. Which GPU, mechanisms and options it
 * runs with is taken from a digest of the bytes, so that traces alone (the corpus of fuzz_trace) are the input. */
#include "trace_file.h"

#include "api/bankshot.h"

static const char *const gpus[] = {"volta20", "fermi",      "hopper",  "turing",
                                   "maxwell", "throughput", "nothing", ""};
static const char *const mechs[] = {NULL,      "rba",      "shuffle,rba", "malekeh",
                                    "regless", "warppool", "ltrf",        "rba,nobody"};
static const char *const sets[] = {"sm.banks=4",
                                   "sm.collectors=1",
                                   "sm.wsched=lrr",
                                   "gpu.l2_flush=true",
                                   "mem.simple=true",
                                   "sm.registers=1024",
                                   "sm.banks=many",
                                   "sm.=",
                                   "=",
                                   "\n"};

#define PICK(list, digest) ((list)[(digest) % (sizeof(list) / sizeof *(list))])

/* An error has a status and a text that ends; no error has neither. */
static void check_error(bool ok, const struct bankshot_error *e)
{
    CHECK(memchr(e->text, 0, sizeof e->text));
    CHECK(ok || (e->text[0] && (e->status == BANKSHOT_INPUT || e->status == BANKSHOT_DEADLOCK)));
}

static void check_trace(const struct bankshot_trace *t)
{
    uint32_t n = bankshot_trace_launches(t);
    for (uint32_t i = 0; i < n; i++)
        CHECK(bankshot_trace_kernel(t, i));
    CHECK(!bankshot_trace_kernel(t, n) && !bankshot_trace_kernel(t, UINT32_MAX));
    bankshot_trace_warp_insts(t);
}

static struct bankshot_gpu *make_gpu(uint64_t digest, const char *text)
{
    struct bankshot_error e = {0};
    struct bankshot_gpu *g = bankshot_gpu_new(PICK(gpus, digest), PICK(mechs, digest >> 8), &e);
    check_error(g, &e);
    if (!g)
        return NULL;
    check_error(bankshot_gpu_set(g, PICK(sets, digest >> 16), &e), &e);
    check_error(bankshot_gpu_set(g, text, &e), &e);
    bankshot_gpu_get(g, text);
    /* A fuzzer's run is small and short. */
    static const char *const bounds[] = {"gpu.sms=2", "gpu.most_cyc=20000", "mem.l2_kb=256", "mem.slices=4",
                                         "mem.channels=2"};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        bankshot_gpu_set(g, bounds[i], &e);
    return g;
}

static void check_result(const struct bankshot_result *r, const char *text)
{
    uint64_t issued, value = 7;
    CHECK(bankshot_kernel_cycles(r) <= bankshot_cycles(r));
    CHECK(bankshot_energy_pj(r) >= 0);
    CHECK(bankshot_counter(r, "sm.issued", &issued));
    uint32_t n = 0;
    for (; bankshot_counter_name(r, n); n++)
        CHECK(bankshot_counter(r, bankshot_counter_name(r, n), &value));
    CHECK(n > 100 && !bankshot_counter_name(r, UINT32_MAX));
    value = 7;
    CHECK(bankshot_counter(r, text, &value) || value == 7);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t digest = XXH3_64bits(data, size);
    struct bankshot_error e = {0};
    char path[64], text[48] = "";
    memcpy(text, data, size < sizeof text ? size : sizeof text - 1);
    int fd = open_input(data, size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct bankshot_trace *t = bankshot_trace_open(path, digest >> 60 ? &e : NULL);
    if (digest >> 60)
        check_error(t, &e);
    if (t)
        check_trace(t);
    struct bankshot_gpu *g = t ? make_gpu(digest, text) : NULL;
    if (g) {
        struct bankshot_run_opts o = {.threads = 1 + (digest >> 24) % 2, .check = digest >> 25 & 1};
        struct bankshot_result *r = bankshot_run(g, t, digest >> 26 & 1 ? &o : NULL, &e);
        check_error(r, &e);
        if (r)
            check_result(r, text);
        bankshot_result_free(r);
    }
    bankshot_gpu_free(g);
    bankshot_trace_close(t);
    close(fd);
    return 0;
}
