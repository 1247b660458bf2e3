/* SPDX-License-Identifier: Apache-2.0 */
/* What is wrong is said once, at its place, and the rest of the text is read on. */
#include "rig.h"

struct row {
    const char *text;
    const char *want; /* "line:col: message", one per line */
};

static void check(const char *head, const char *tail, const struct row *row)
{
    struct diag d = {0};
    char got[4096] = "";
    size_t n = 0, len = strlen(head) + strlen(row->text) + strlen(tail) + 1;
    char *text = xmalloc(len);
    snprintf(text, len, "%s%s%s", head, row->text, tail);
    assert_null(ptx_parse("t.ptx", text, strlen(text), &d));
    free(text);
    for (uint32_t i = 0; i < d.n; i++)
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%u:%u: %s", i ? "\n" : "", d.msg[i].line,
                              d.msg[i].col, d.msg[i].text);
    assert_true(d.errors > 0 && d.errors == d.n);
    diag_free(&d);
    if (strcmp(got, row->want) != 0)
        fail_msg("\n%s\ngives\n%s\nnot\n%s", row->text, got, row->want);
}

static const struct row insn_rows[] = {
    {"ad.u32 %r1, %r2, %r3;", "6:1: unknown opcode 'ad'; did you mean 'add'?"},
    {"frobnicate %r1;", "6:1: unknown opcode 'frobnicate'"},
    {"%p1 bra L;\nL:", "6:1: unknown opcode '%p1'"},
    {"wgmma.fence;", "6:1: 'wgmma' needs '.sync'"},
    {"wgmma.sync.aligned;", "6:1: 'wgmma' needs '.mma_async', '.fence', '.commit_group' or '.wait_group'"},
    {"add.f33 %f1, %f2, %f3;", "6:4: unknown modifier '.f33' of 'add'"},
    {"add.volatile.f32 %f1, %f2, %f3;", "6:4: 'add' has no modifier '.volatile'"},
    {"add.b32 %r1, %r2, %r3;", "6:4: 'add' does not take type '.b32'"},
    {"add.u32.u32 %r1, %r2, %r3;", "6:8: 'add' takes 1 type"},
    {"add %r1, %r2, %r3;", "6:1: 'add' needs a type"},
    {"cvt.f32 %f1, %r1;", "6:1: 'cvt' needs 2 types"},
    {"ld.im2col.u32 %r1, [%r2];", "6:3: '.im2col' is not supported"},
    {"cvt.rn.satfinite.e2m1x2.f32 %rs1, %f1, %f2;", "6:17: '.e2m1x2' is not supported"},
    {"setp.lt.gt.s32 %p1, %r1, %r2;", "6:8: modifier '.gt' contradicts an earlier one"},
    {"add.rn.rz.f32 %f1,%f2,%f3;", "6:7: modifier '.rz' contradicts an earlier one"},
    {"add.ftz.ftz.f32 %f1,%f2,%f3;", "6:8: modifier '.ftz' is given twice"},
    {"ld.global.shared.u32 %r1, [%rd1];", "6:10: modifier '.shared' contradicts an earlier one"},
    {"ld.global.v2.v4.u32 %r1, [%rd1];", "6:13: modifier '.v4' contradicts an earlier one"},
    {"add.m16n8k16.u32 %r1,%r2,%r3;", "6:4: 'add' has no shape"},
    {"mma.sync.aligned.m8n8k4.m8n8k4.row.col.f64.f64.f64.f64 %r1,%r1,%r1,%r1;",
     "6:24: second shape '.m8n8k4'"},
    {"mul.s32 %r1, %r2, %r3;", "6:1: 'mul' needs '.lo', '.hi' or '.wide'"},
    {"setp.s32 %p1, %r2, %r3;", "6:1: 'setp' needs a comparison"},
    {"fma.f32 %f1, %f2, %f3, %f4;", "6:1: 'fma' needs a rounding"},
    {"div.f32 %f1, %f2, %f3;", "6:1: 'div' needs a rounding, '.approx' or '.full'"},
    {"atom.global.u32 %r1, [%rd1], 1;", "6:1: 'atom' needs an operation such as '.add'"},
    {"add.ftz.s32 %r1, %r2, %r3;", "6:1: '.ftz' needs a floating type"},
    {"mul.wide.f32 %f1, %f2, %f3;", "6:1: '.wide' needs an integer type"},
    {"div.rn.full.f32 %f1, %f2, %f3;", "6:1: '.full' contradicts another modifier of 'div'"},
    {"ld.relaxed.gpu.sys.u32 %r1, [%rd1];", "6:1: '.sys' contradicts another modifier of 'ld'"},
    {"add.u32 %r1, %r2;", "6:1: 'add' takes 3 operands, not 2"},
    {"add.u32 %r1, %r2, %r3, %r4;", "6:1: 'add' takes 3 operands, not 4"},
    {"ret 5;", "6:1: 'ret' takes 0 operands, not 1"},
    {"ld.u32 %r1;", "6:1: 'ld' takes 2 to 4 operands, not 1"},
    {"add.foo.u32 %r1, %r2;\nbar.baz 0;",
     "6:4: unknown modifier '.foo' of 'add'\n7:4: unknown modifier '.baz' of 'bar'"},
};

static const struct row operand_rows[] = {
    {"add.u32 %r1, %r99, %r3;\nadd.u32 %r2, %r99, %x.y;",
     "6:14: register '%r99' is not declared\n7:20: register '%x' is not declared"},
    {"mov.u32 %r1, %nosuch;", "6:14: register '%nosuch' is not declared"},
    {"mov.u32 %r1, nosuch;", "6:14: 'nosuch' is not declared"},
    {"@%r1 bra L;\nL:", "6:2: guard '%r1' is not a predicate register"},
    {"@a bra L;\nL:", "6:2: guard 'a' is not a predicate register"},
    {"@%p9 bra L;\n@%p9 bra L;\nL:", "6:2: register '%p9' is not declared"},
    {"@5 bra L;\nL:", "6:2: expected a predicate register before '5'"},
    {"add.u32 %r1 %r2, %r3;", "6:13: expected ';' before '%r2'"},
    {"add.u32 %r1, , %r3;", "6:14: expected an operand before ','"},
    {"add.u32 %r1, %r2,;", "6:18: expected an operand before ';'"},
    {"mov.b64 {%r1, %r2, %rd1;\nret;", "6:24: expected ',' or '}' before ';'"},
    {"mov.b64 {%r1, %r2 %r3}, %rd1;\nret;", "6:19: expected ',' or '}' before '%r3'"},
    {"mov.b64 {%r1, %bad}, %rd1;\nret;", "6:15: register '%bad' is not declared"},
    {"mov.b64 {}, %rd1;", "6:9: empty vector"},
    {"mov.b64 {%r1,{%r2}}, %rd1;\nret;", "6:14: expected a register, name or constant before '{'"},
    {"ld.u32 %r1, [%rd1;", "6:18: expected ']' before ';'"},
    {"ld.u32 %r1, [%rd1+%r1];", "6:19: expected a constant before '%r1'"},
    {"ld.u32 %r1, [];", "6:14: expected an address before ']'"},
    {"ld.u32 %r1, [%tid.x];", "6:14: '%tid' cannot be an address"},
    {"ld.u32 %r1, [1.5];", "6:14: an address must be an integer"},
    {"mov.u32 %r1, %tid;", "6:14: '%tid' needs a component: .x, .y or .z"},
    {"mov.u32 %r1, 1/0;", "6:15: division by zero"},
    {"mov.u32 %r1, 1+1.5;", "6:15: a constant expression takes integers"},
    {"mov.u32 %r1, ~1.5;", "6:14: '~' takes an integer"},
    {"mov.u32 %r1, (1;", "6:16: expected ')' before ';'"},
    {"mov.u32 %r1, (.f32)1;", "6:15: expected a constant before '.f32'"},
    {"mov.u32 %r1, 99999999999999999999;", "6:14: integer constant does not fit in 64 bits"},
    {"mov.u32 %r1, 0f3F80;", "6:14: a 0f constant has 8 hexadecimal digits"},
    {"mov.u32 %r1|5, %r2;", "6:13: expected a register behind '|' before '5'"},
    {"mov.u32 %r1|a, %r2;", "6:13: expected a register behind '|'"},
    {"mov.u32 %r1, a[%r1];", "6:16: expected a constant index before '%r1'"},
    {"mov.u32 %r1.x, 5;", "6:12: selector '.x' of a register is not supported"},
    {".reg .v2 .b32 v;\nmov.u32 v.z, 5;", "7:10: a .v2 register has no component '.z'"},
    {"tex.2d.v4.f32.f32 {%f1}, [%rd1, {%f1}, {%f2}, {%f3}];", "6:47: too many operands in brackets"},
    {"tex.2d.v4.f32.f32 {%f1}, [%rd1, [%f1]];", "6:33: expected a register or vector before '['"},
    {"\x01\x02 ret;", "6:1: unexpected byte 0x01"},
};

static const struct row body_rows[] = {
    {"add.u32 %r1, %r2, %r3\nmul.lo.u32 %r1, %r2, %r3;\nmul.lo.u33 %r1, %r1, 1;",
     "6:22: expected ';'\n8:7: unknown modifier '.u33' of 'mul'"},
    {"mov.u32 %r1, %r2 // no semicolon", "6:17: expected ';'"},
    {"bra NOWHERE;", "6:5: unknown label 'NOWHERE'"},
    {"bra IN;\n{ IN: ret; }", "6:5: unknown label 'IN'"},
    {"bra %r1;", "6:5: expected a label before '%r1'"},
    {"L: L: ret;", "6:4: label 'L' is already defined"},
    {"ts: .branchtargets L, M;\nL: ret;", "6:23: unknown label 'M'"},
    {"brx.idx %r1, L;\nL: ret;", "6:14: 'L' is a label, not a table"},
    {"bra ts;\nts: .branchtargets L;\nL:", "6:5: 'ts' is a table, not a label"},
    {"call nosuch;\ncall nosuch;", "6:6: 'nosuch' is not declared"},
    {"call (%r1), a;", "6:13: 'a' cannot be called"},
    {"call 5;", "6:6: expected the function to call before '5'"},
    {"call (%r1) k;", "6:12: expected ',' behind the return value before 'k'"},
    {".reg .b32 %r1;", "6:11: '%r1' is already declared"},
    {".reg .b32 %r<5>;", "6:11: '%r<>' is already declared"},
    {".reg .b32 %big<1048577>;", "6:16: function 'k' declares more than 1048576 registers"},
    {".reg .b32 %a<1000000>; .reg .b32 %b<1000000>;",
     "6:37: function 'k' declares more than 1048576 registers"},
    {".reg .texref t;", "6:6: nothing can be declared as '.texref' here"},
    {".reg .f33 t;", "6:6: '.f33' is not a type"},
    {".reg b32 t;", "6:6: expected a type before 'b32'"},
    {".shared .b8 x[];", "6:13: array 'x' needs a size"},
    {".shared .b8 x[4]; .shared .b8 x[4];", "6:31: 'x' is already declared"},
    {".global .u32 g;", "6:1: '.global' cannot be declared inside a function"},
    {".shared .u32 s = 5;", "6:16: 's' cannot have an initialiser"},
    {".shared .align 3 .b8 x;", "6:16: alignment 3 is not a power of two up to 65536"},
    {".shared .pred q;", "6:9: nothing can be declared as '.pred' here"},
    {".shared .b8 x[4][];", "6:18: only the first dimension may be left open"},
    {".bogus 5;", "6:1: unknown directive '.bogus' in a function"},
    {".pragma nounroll;", "6:9: expected a string before 'nounroll'"},
    {"{", "4:25: the body of 'k' is not closed"},
    {"}", "7:1: expected a directive before '}'"},
    {"5;\nad.u32;", "6:1: expected an instruction before '5'\n7:1: unknown opcode 'ad'; did you mean 'add'?"},
};

static const struct row module_rows[] = {
    {".bogus\n.global .u32 a;\n.bogus2", "4:1: unknown directive '.bogus'\n6:1: unknown directive '.bogus2'"},
    {".visible ;\n", "4:10: expected a function or variable before ';'"},
    {".global .u32 a;\n.global .u32 a;\n", "5:14: 'a' is already declared"},
    {".global .u32 a[2] = {1,2,3};", "4:26: too many initialisers for 'a'"},
    {".global .u32 a[2] = {1,2 3};\n.global .u32 b = ;",
     "4:26: expected ',' or '}' before '3'\n5:18: expected a constant before ';'"},
    {".global .u32 a[2][2] = {{{1}}};", "4:26: too many braces"},
    {".global .u32 a[2][2] = {{1,2,3}};", "4:30: too many initialisers for 'a'"},
    {".global .u8 a[9] = {0xFF(a), 3};", "4:30: the address before is not complete"},
    {".global .u8 a[9] = {0xFF00(a)};", "4:21: mask 0xff00 is not the next part of an address"},
    {".global .u8 a[1] = {a};", "4:21: an address does not fit in '.u8'"},
    {".global .u64 p = nosuch;", "4:18: 'nosuch' is not declared"},
    {".global .u64 p[] = {};", "4:20: array 'p' needs a size"},
    {".global .u32 p[][0] = {{1}};", "4:23: too many initialisers for 'p'"},
    {".global .b16 h = 1.5;", "4:18: a floating constant does not fit in '.b16'"},
    {".extern .global .u32 x = 5;", "4:24: 'x' cannot have an initialiser"},
    {".global .texref t = {1};", "4:19: 't' cannot have an initialiser"},
    {".global .b8 x[1099511627777];", "4:15: array is too large"},
    {".global .b8 x[1048576][1048576][2];", "4:13: 'x' is too large"},
    {".global .b8 x[][1099511627776][16777216];", "4:13: 'x' is too large"},
    {".global .u32 .u64 x;", "4:14: second type '.u64' in a declaration"},
    {".global .u32 b[3] = {1, 2, 3}\n.global .u32 c, c;",
     "4:30: expected ';'\n5:17: 'c' is already declared"},
    {".reg .b32 %r1;", "4:1: '.reg' cannot be declared outside a function"},
    {".local .b32 l;", "4:1: '.local' cannot be declared outside a function"},
    {".entry k(.param .u33 a) { ret; }\n.entry j() { foo; }",
     "4:17: '.u33' is not a type\n5:14: unknown opcode 'foo'"},
    {".entry k(.param .u32 a, .param .u32 a) { ret; }", "4:37: 'a' is already declared"},
    {".entry k() { ret; }\n.entry k() { rett; }", "5:8: function 'k' is already defined"},
    {".func f(.param .b32 a);\n.func f() { ret; }", "5:7: 'f' is declared differently in line 4"},
    {".func f();\n.entry f() { ret; }", "5:8: 'f' is declared differently in line 4"},
    {".global .u32 f;\n.func f() { ret; }", "5:7: 'f' is already declared"},
    {".func f() { ret; }\n.global .u32 f;", "5:14: 'f' is already declared"},
    {".global .u32 v;\n.func f() { t: .calltargets v; ret; }", "5:29: 'v' is not a function"},
    {".entry (.param .u32 r) k() {}", "4:8: a kernel returns nothing"},
    {".entry k() { ret;", "4:12: the body of 'k' is not closed"},
    {".entry k() { { bra L; }", "4:12: the body of 'k' is not closed"},
    {".entry k() .bogus { ret; }\n.entry j() { ret 1; }",
     "4:12: unknown directive '.bogus' of a function\n5:14: 'ret' takes 0 operands, not 1"},
    {".entry k() .reqnctapercluster 4, 5, 1 { ret; }",
     "4:12: a cluster of 4 x 5 x 1 CTAs: 1 to 16 are possible"},
    {".entry k() .reqnctapercluster 0 { ret; }", "4:12: a cluster of 0 x 1 x 1 CTAs: 1 to 16 are possible"},
    {".address_size 16\n", "4:15: address size must be 32 or 64"},
    {".alias a, b;", "4:8: 'a' is not a declared function without a body"},
    {".section .x {", "4:10: section 'x' is not closed"},
    {"/* x", "4:1: comment is not closed"},
    {".file 99999999 \"x\"", "4:7: file number 99999999 is too large"},
};

static const struct row head_rows[] = {
    {"", "1:1: expected '.version' at the beginning of the module"},
    {"junk\nmore { junk", "1:1: expected '.version' at the beginning of the module"},
    {".target sm_80\n", "1:1: expected '.version' at the beginning of the module"},
    {".version 7\n.target sm_80", "1:10: expected a version like 8.0 before '7'"},
    {".version 7.0", "1:13: the module has no '.target'"},
    {".version 7.0 .global .u32 a;", "1:14: expected '.target' before this"},
    {".version 7.0\n.target compute_80\n", "2:9: unknown target 'compute_80'"},
    {".version 1e5\n.target sm_80", "1:10: bad version '1e5'"},
};

#define BODY_HEAD HEAD ".entry k(.param .u64 a) {\n" REGS
#define RUN(rows, head, tail)                                                                                \
    do {                                                                                                     \
        (void)state;                                                                                         \
        for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++)                                           \
            check(head, tail, &(rows)[i]);                                                                   \
    } while (0)

static void insns(void **state) { RUN(insn_rows, BODY_HEAD, "\n}\n"); }
static void operands(void **state) { RUN(operand_rows, BODY_HEAD, "\n}\n"); }
static void bodies(void **state) { RUN(body_rows, BODY_HEAD, "\n}\n"); }
static void modules(void **state) { RUN(module_rows, HEAD, ""); }
static void heads(void **state) { RUN(head_rows, "", ""); }

static struct diag broken;

static uint32_t errors_of(const char *text, size_t len)
{
    diag_free(&broken);
    struct ptx_module *m = ptx_parse("t.ptx", text, len, &broken);
    ptx_module_free(m);
    assert_true((m == NULL) == (broken.errors > 0));
    return broken.errors;
}

/* Nesting is bounded wherever the grammar nests. */
static void nesting(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        char open;
        const char *message;
    } rows[] = {
        {BODY_HEAD "mov.u32 %r1, ", '(', "expression is nested more than 64 deep"},
        {BODY_HEAD "mov.u32 %r1, ", '-', "expression is nested more than 64 deep"},
        {BODY_HEAD, '{', "scopes are nested more than 128 deep"},
        {HEAD ".global .u32 a[2] = ", '{', "too many braces"},
        {BODY_HEAD "ld.u32 %r1, ", '[', "expected an address before '['"},
        {BODY_HEAD "mov.b64 ", '{', "expected a register, name or constant before '{'"},
    };
    enum { DEEP = 100000 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].before);
        char *text = xmalloc(n + DEEP);
        memcpy(text, rows[i].before, n);
        memset(text + n, rows[i].open, DEEP);
        assert_true(errors_of(text, n + DEEP) > 0);
        assert_string_equal(broken.msg[0].text, rows[i].message);
        free(text);
    }
    static const char words[] = HEAD ".global .u64 a = ";
    size_t n = sizeof words - 1;
    char *text = xmalloc(n + 8 * 20000);
    memcpy(text, words, n);
    for (int i = 0; i < 20000; i++)
        memcpy(text + n + 8 * i, "generic(", 8);
    assert_true(errors_of(text, n + 8 * 20000) > 0);
    free(text);
}

/* A NUL inside the text, and every prefix of a program with a bit of everything. */
static void broken_texts(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".global .align 4 .u32 g[2][2] = {{1,2},{3}};\n.extern .func (.param .b32 r) f(.param .b64 a);\n"
        ".entry k(.param .u64 k_0) .maxntid 32 {\n.reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n.loc "
        "1 2 3\n"
        "ld.param.u64 %rd1, [k_0+4];\n@!%p1 bra L;\n{ .param .b64 p0; call (_), f, (p0); }\nmov.b64 {%r1,_}, "
        "%rd1;\n"
        "t: .branchtargets L;\nbrx.idx %r1, t;\nL: tex.2d.v4.s32.f32 {%r1,%r2,%r3,%r4}, [%rd1, {%r1,%r2}];\n"
        "/* c */ .pragma \"x\"; ret;\n}\n.section .d { .b8 1 }\n";
    assert_int_equal(errors_of(text, sizeof text - 1), 0);
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *copy = xmalloc(n + 1); /* exact, so that a read behind the end is seen */
        memcpy(copy, text, n);
        errors_of(copy, n);
        if (n) {
            copy[n / 2] = 0;
            assert_true(errors_of(copy, n) > 0 || n / 2 == n - 1 || n < 8);
        }
        free(copy);
    }
}

/* Errors do not stop at the first, and stop being kept at DIAG_MAX. */
static void many(void **state)
{
    (void)state;
    char text[8192] = HEAD ".entry k() {\n";
    for (int i = 0; i < 50; i++)
        strcat(text, "bogus;\n");
    strcat(text, "}\n");
    assert_int_equal(errors_of(text, strlen(text)), 50);
    assert_int_equal(broken.n, DIAG_MAX);
    assert_int_equal(broken.msg[19].line, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(insns),        cmocka_unit_test(operands), cmocka_unit_test(bodies),
        cmocka_unit_test(modules),      cmocka_unit_test(heads),    cmocka_unit_test(nesting),
        cmocka_unit_test(broken_texts), cmocka_unit_test(many),
    };
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    diag_free(&broken);
    return rc;
}
