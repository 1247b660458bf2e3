/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a group of tests: see cmocka.h. */
#include "isa.h"

jmp_buf *cmocka_frame;

int cmocka_run(const struct CMUnitTest *tests, size_t n, int (*setup)(void **), int (*teardown)(void **))
{
    void *state = NULL;
    unsigned failed = 0;
    jmp_buf frame;
    setup(&state);
    for (volatile size_t i = 0; i < n; i++) {
        cmocka_frame = &frame;
        if (setjmp(frame) == 0) {
            tests[i].fn(&state);
        } else {
            printf("FAILED %s\n", tests[i].name);
            failed++;
        }
        cmocka_frame = NULL;
        fflush(stdout);
    }
    teardown(&state);
    printf("%u of %zu tests failed\n", failed, n);
    return failed != 0;
}
