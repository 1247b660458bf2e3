/* SPDX-License-Identifier: Apache-2.0 */
/* What does not exist here fails with cudaErrorNotSupported and its name on stderr, once, and is the last error. */
#include "prog.h"
#include "rig.h"

static cudaIpcMemHandle_t mem;
static cudaIpcEventHandle_t event;

static cudaError_t ipc_get_mem(void) { return cudaIpcGetMemHandle(&mem, NULL); }
static cudaError_t ipc_open_mem(void) { return cudaIpcOpenMemHandle(&(void *){NULL}, mem, 0); }
static cudaError_t ipc_get_event(void) { return cudaIpcGetEventHandle(&event, NULL); }
static cudaError_t mipmap(void)
{
    return cudaMallocMipmappedArray(NULL, NULL, (struct cudaExtent){1, 1, 1}, 1, 0);
}
static cudaError_t external(void) { return cudaImportExternalMemory(NULL, NULL); }
static cudaError_t conditional(void) { return cudaGraphConditionalHandleCreate(NULL, NULL, 0, 0); }
static cudaError_t pool_export(void) { return cudaMemPoolExportPointer(NULL, NULL); }
static cudaError_t export_table(void) { return cudaGetExportTable(NULL, NULL); }

static const struct {
    cudaError_t (*call)(void);
    const char *name;
} calls[] = {
    {ipc_get_mem, "cudaIpcGetMemHandle"},      {ipc_open_mem, "cudaIpcOpenMemHandle"},
    {ipc_get_event, "cudaIpcGetEventHandle"},  {mipmap, "cudaMallocMipmappedArray"},
    {external, "cudaImportExternalMemory"},    {conditional, "cudaGraphConditionalHandleCreate"},
    {pool_export, "cudaMemPoolExportPointer"}, {export_table, "cudaGetExportTable"},
};

static void told_once(void **state)
{
    char want[128], text[256];
    (void)state;
    for (unsigned i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        for (int again = 0; again < 2; again++) {
            struct quiet q;
            quiet_begin(&q);
            cudaError_t e = calls[i].call();
            quiet_end(&q, text, sizeof text);
            assert_int_equal(e, cudaErrorNotSupported);
            snprintf(want, sizeof want, "bankshot: %s: not supported\n", calls[i].name);
            assert_string_equal(text, again ? "" : want);
            assert_int_equal(cudaGetLastError(), cudaErrorNotSupported);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(told_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
