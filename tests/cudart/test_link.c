/* SPDX-License-Identifier: Apache-2.0 */
/* Linking PTX: own names, weak definitions, numbers of source files; the result parses. */
#include "cudart/code/link.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD ".version 8.0\n.target sm_80\n.address_size 64\n"

static const char first[] = HEAD
    ".extern .func (.param .b32 r) helper (.param .b32 p) ; // declared here\n"
    ".extern .global .align 4 .u32 count;\n"
    ".global .align 4 .b8 own[8] = {1, 2};\n"
    ".weak .func twice() { ret; }\n"
    ".file 1 \"a.cu\"\n"
    ".visible .entry k(.param .u64 p)\n{\n\t.shared .b8 own_part[4];\n\t.reg .b64 %rd<2>;\n\t.loc 1 5 3\n"
    "\tmov.u64 %rd1, own;\n\tcall twice;\n\tret;\n}\n"
    ".section .debug_str { .b8 own }\n";
static const char second[] =
    HEAD ".func (.param .b32 r) own(.param .b32 p);\n"
         ".visible .global .align 4 .u32 count = 5;\n"
         ".weak .func twice() { trap; }\n"
         ".file 1 \"b.cu\"\n.file 2 \"c.cu\"\n"
         ".visible .func (.param .b32 r) helper(.param .b32 p)\n{\n\t.param .b32 x, y;\n"
         "\t.loc 2 7 1, function_name $L1, inlined_at 1 9 1\n\tcall (y), own, (x);\n\tret;\n}\n"
         ".func (.param .b32 r) own(.param .b32 p) { ret; }\n"
         ".section .debug_str { $L1: .b8 0 }\n";

static void test_names(void **state)
{
    (void)state;
    const char *both[] = {first, second};
    char *text = link_texts(both, 2);
    assert_non_null(strstr(text, ".b8 own$0[8]"));
    assert_non_null(strstr(text, "mov.u64 %rd1, own$0;"));
    assert_non_null(strstr(text, "call (y), own$1, (x);"));
    assert_non_null(strstr(text, "own_part[4]"));
    assert_null(strstr(text, "trap"));
    assert_non_null(strstr(text, ".file 3 \"b.cu\""));
    assert_non_null(strstr(text, ".loc 4 7 1, function_name $L1, inlined_at 3 9 1"));
    assert_non_null(strstr(text, ".loc 1 5 3"));
    struct diag d = {0};
    struct ptx_module *m = ptx_parse("linked", text, strlen(text), &d);
    assert_int_equal(d.errors, 0);
    assert_non_null(m);
    assert_true(ptx_find_func(m, "helper")->has_body);
    ptx_module_free(m);
    diag_free(&d);
    free(text);
}

/* A weak definition gives way to a strong one, wherever that is. */
static void test_strong(void **state)
{
    (void)state;
    const char *both[] = {HEAD ".weak .func f() { trap; }\n", HEAD ".visible .func f() { ret; }\n"};
    char *text = link_texts(both, 2);
    assert_null(strstr(text, "trap"));
    assert_non_null(strstr(text, "ret"));
    free(text);
}

/* Text that is no PTX comes through, and nothing is read past its end. */
static void test_damage(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof second; n++) {
        char *part = strndup(second, n);
        const char *texts[] = {part, first};
        char *text = link_texts(texts, 2);
        assert_non_null(text);
        free(text);
        free(part);
    }
    const char *nothing[] = {""};
    char *text = link_texts(nothing, 1);
    assert_string_equal(text, "\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_strong),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
