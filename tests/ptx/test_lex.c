/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens and numbers. */
#include "base/nearest.h"
#include "rig.h"

#include "ptx/lex.h"
#include "ptx/optab.h"

static struct ptx_tok toks[64];
static struct diag diag;

static uint32_t lex_all(const char *text)
{
    struct ptx_lex lx;
    uint32_t n = 0;
    char *copy = xstrdup(text); /* exact size, so that the sanitizer sees a step too far */
    diag_free(&diag);
    ptx_lex_init(&lx, "t.ptx", copy, strlen(copy), &diag);
    do
        ptx_lex_next(&lx, &toks[n]);
    while (toks[n++].kind != TK_EOF && n < 64);
    for (uint32_t i = 0; i < n; i++) /* positions stay valid when the copy is gone */
        toks[i].s = text + (toks[i].s - copy);
    free(copy);
    return n - 1;
}

static void words(void **state)
{
    (void)state;
    assert_int_equal(lex_all("ld.global.L1::no_allocate.v4.f32 {%f1,_}, [%rd1+-16];"), 18);
    static const int kinds[] = {TK_IDENT, TK_DOT, TK_DOT, TK_DOT,   TK_DOT, '{', TK_IDENT, ',', TK_IDENT,
                                '}',      ',',    '[',    TK_IDENT, '+',    '-', TK_INT,   ']', ';'};
    for (int i = 0; i < 18; i++)
        assert_int_equal(toks[i].kind, kinds[i]);
    assert_true(ptx_tok_is(&toks[2], "L1::no_allocate"));
    assert_true(ptx_tok_is(&toks[6], "%f1"));
    assert_int_equal(toks[4].col, 29);
    assert_true(toks[4].glued);
    assert_false(toks[5].glued);
    assert_int_equal(toks[17].end_col, 54);
}

static void names(void **state)
{
    (void)state;
    assert_int_equal(lex_all("$L__BB0_1: %tid.x _Z1fv .2d a$b %r<3>"), 11);
    assert_true(ptx_tok_is(&toks[0], "$L__BB0_1"));
    assert_int_equal(toks[1].kind, ':');
    assert_true(ptx_tok_is(&toks[2], "%tid"));
    assert_true(toks[3].kind == TK_DOT && toks[3].glued && ptx_tok_is(&toks[3], "x"));
    assert_true(ptx_tok_is(&toks[4], "_Z1fv"));
    assert_true(toks[5].kind == TK_DOT && ptx_tok_is(&toks[5], "2d"));
    assert_true(ptx_tok_is(&toks[6], "a$b"));
    assert_true(ptx_tok_is(&toks[7], "%r"));
}

static void comments(void **state)
{
    (void)state;
    assert_int_equal(lex_all("a // b\n/* c\n d */ e /**/f\r\n\tg"), 4);
    assert_true(ptx_tok_is(&toks[1], "e") && toks[1].line == 3 && toks[1].col == 7 && toks[1].bol);
    assert_true(ptx_tok_is(&toks[2], "f") && !toks[2].bol && !toks[2].glued);
    assert_true(ptx_tok_is(&toks[3], "g") && toks[3].line == 4 && toks[3].col == 2 && toks[3].bol);
    assert_int_equal(diag.errors, 0);
    lex_all("a /* b\n");
    assert_string_equal(diag.msg[0].text, "comment is not closed");
    assert_int_equal(diag.msg[0].col, 3);
    lex_all("a //");
    assert_int_equal(diag.errors, 0);
    lex_all("a /");
    assert_int_equal(diag.errors, 0);
}

static void strings(void **state)
{
    (void)state;
    assert_int_equal(lex_all(".file 1 \"a\\\"b.cu\""), 3);
    assert_true(toks[2].kind == TK_STRING && ptx_tok_is(&toks[2], "a\\\"b.cu"));
    lex_all("\"abc\n;");
    assert_string_equal(diag.msg[0].text, "string is not closed");
    lex_all("\"abc\\");
    assert_string_equal(diag.msg[0].text, "string is not closed");
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int kind;
        uint64_t value;
        bool is_unsigned;
    } rows[] = {
        {"0", TK_INT, 0, false},
        {"42", TK_INT, 42, false},
        {"42U", TK_INT, 42, true},
        {"0x1fU", TK_INT, 31, true},
        {"0XFF", TK_INT, 255, false},
        {"017", TK_INT, 15, false},
        {"0b101", TK_INT, 5, false},
        {"18446744073709551615", TK_INT, UINT64_MAX, true},
        {"9223372036854775807", TK_INT, INT64_MAX, false},
        {"0xffffffffffffffff", TK_INT, UINT64_MAX, true},
        {"1.5", TK_DOUBLE, 0x3ff8000000000000, false},
        {"1e3", TK_DOUBLE, 0x408f400000000000, false},
        {"1.", TK_DOUBLE, 0x3ff0000000000000, false},
        {"0.5E-1", TK_DOUBLE, 0x3fa999999999999a, false},
        {"0f3F800000", TK_SINGLE, 0x3f800000, false},
        {"0F7fc00000", TK_SINGLE, 0x7fc00000, false},
        {"0d3FF0000000000000", TK_DOUBLE, 0x3ff0000000000000, false},
        {"0Dffffffffffffffff", TK_DOUBLE, UINT64_MAX, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(lex_all(rows[i].text), 1);
        assert_int_equal(diag.errors, 0);
        assert_int_equal(toks[0].kind, rows[i].kind);
        assert_true(toks[0].value == rows[i].value);
        assert_int_equal(toks[0].is_unsigned, rows[i].is_unsigned);
    }
}

static void bad_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"18446744073709551616", "integer constant does not fit in 64 bits"},
        {"0x10000000000000000", "integer constant does not fit in 64 bits"},
        {"0x", "a hexadecimal constant needs a digit"},
        {"0b2", "a binary constant needs a digit"},
        {"0f3F8", "a 0f constant has 8 hexadecimal digits"},
        {"0d3F800000", "a 0d constant has 16 hexadecimal digits"},
        {"12ab", "bad number '12ab'"},
        {"08", "bad number '08'"},
        {"1e", "bad number '1e'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(lex_all(rows[i].text), 1);
        assert_int_equal(diag.errors, 1);
        assert_string_equal(diag.msg[0].text, rows[i].message);
    }
}

static void junk(void **state)
{
    (void)state;
    assert_int_equal(lex_all("a \x01\x02\xff b # c"), 3);
    assert_int_equal(diag.errors, 2);
    assert_string_equal(diag.msg[0].text, "unexpected byte 0x01");
    assert_string_equal(diag.msg[1].text, "unexpected character '#'");
    assert_int_equal(diag.msg[1].col, 9);
    assert_int_equal(lex_all("% . \\ ' a"), 2); /* '%' is an operator of expressions */
    assert_int_equal(diag.errors, 3);
}

static void table_words(void **state)
{
    (void)state;
    static struct ptx_words w;
    char buf[64];
    ptx_words_init(&w);
    const char *bad = ptx_words_undefined(&w, buf, sizeof buf);
    if (bad)
        fail_msg("ops.def uses an undefined word: %s", bad);
    if ((bad = ptx_rules_init(&w)))
        fail_msg("rules.def uses an undefined word: %s", bad);
    for (int i = 0; i < P_COUNT; i++) {
        assert_true(ptx_ops[i].min_ops <= ptx_ops[i].max_ops && ptx_ops[i].max_ops <= PTX_MAX_OPNDS);
        assert_true(ptx_ops[i].min_types <= ptx_ops[i].max_types && ptx_ops[i].max_types <= PTX_MAX_TYPES);
    }
    assert_string_equal(nearest_name("addd", 4, ptx_op_names, P_COUNT), "add");
    assert_string_equal(nearest_name("sqrtf", 5, ptx_op_names, P_COUNT), "sqrt");
    assert_null(nearest_name("frobnicate", 10, ptx_op_names, P_COUNT));
    assert_null(nearest_name("x", 1, ptx_op_names, P_COUNT));
}

static void shapes(void **state)
{
    (void)state;
    uint16_t v[3];
    assert_true(ptx_shape("m16n8k16", 8, v) && v[0] == 16 && v[1] == 8 && v[2] == 16);
    assert_true(ptx_shape("m8n8", 4, v) && v[0] == 8 && v[1] == 8 && v[2] == 0);
    assert_true(ptx_shape("m8n8k128", 8, v) && v[2] == 128);
    assert_false(ptx_shape("mma", 3, v));
    assert_false(ptx_shape("m8", 2, v));
    assert_false(ptx_shape("m8n8k", 5, v));
    assert_false(ptx_shape("m8n8k4x", 7, v));
    assert_false(ptx_shape("m99999n8", 8, v));
    assert_false(ptx_shape("", 0, v));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),   cmocka_unit_test(names),       cmocka_unit_test(comments),
        cmocka_unit_test(strings), cmocka_unit_test(numbers),     cmocka_unit_test(bad_numbers),
        cmocka_unit_test(junk),    cmocka_unit_test(table_words), cmocka_unit_test(shapes),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    diag_free(&diag);
    return rc;
}
