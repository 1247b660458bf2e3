/* SPDX-License-Identifier: Apache-2.0 */
/* bankshot sass: NVIDIA's machine code as text. */
#include "sass/sass.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/vec.h"
#include "cli/cli.h"
#include "cli/sass_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX_B = 256 << 20 };

/* Places that code goes to, numbered in the order in which they are met. */
struct labels {
    VEC(uint64_t) at;
};

static void label(void *ctx, uint64_t address, char *buf, size_t n)
{
    struct labels *l = ctx;
    uint32_t k = 0;
    while (k < l->at.n && l->at.at[k] != address)
        k++;
    if (k == l->at.n)
        vec_push(&l->at, address);
    snprintf(buf, n, ".L_x_%u", k);
}

/* Two hexadecimal numbers, low word first; what follows them is not read. */
static bool two_words(const char *s, const char *end, uint64_t w[2])
{
    for (unsigned k = 0; k < 2; k++) {
        char *after;
        while (s < end && (*s == ' ' || *s == '\t'))
            s++;
        if (s == end || !isxdigit((unsigned char)*s))
            return false;
        w[k] = strtoull(s, &after, 16);
        if (after > end || after - s > 18)
            return false;
        s = after;
    }
    return s == end || isspace((unsigned char)*s);
}

static int print_words(const char *path, unsigned arch, bool control, bool executes)
{
    struct diag d = {0};
    struct file_text f;
    struct labels labels = {0};
    int status = CLI_OK;
    uint64_t pc = 0;
    unsigned line = 0, unknown = 0;
    if (!file_read(path, WORDS_MAX_B, &f, &d)) {
        diag_print(&d, stderr);
        diag_free(&d);
        return CLI_USAGE;
    }
    for (const char *s = f.at, *end; s < f.at + f.n && status == CLI_OK; s = end + 1) {
        char text[SASS_TEXT_B], why[SASS_TEXT_B];
        struct sass_insn i;
        uint64_t w[2];
        end = memchr(s, '\n', (size_t)(f.at + f.n - s));
        end = end ? end : f.at + f.n;
        line++;
        if (s == end || *s == '#')
            continue;
        if (!two_words(s, end, w)) {
            cli_error("%s:%u: not two hexadecimal words", path, line);
            status = CLI_USAGE;
        } else if (sass_decode(arch, w[0], w[1], &i, why, sizeof why)) {
            sass_print(text, sizeof text, &i, pc, label, &labels);
            if (control) {
                char c[32];
                sass_print_ctl(c, sizeof c, &i.ctl);
                printf("%s  ", c);
            }
            fputs(text, stdout);
            if (executes)
                printf("\t%s", sass_executes(&i, why, sizeof why) ? "executed" : why);
            putchar('\n');
        } else {
            printf("? 0x%016" PRIx64 " 0x%016" PRIx64 ": %s\n", w[0], w[1], why);
            unknown++;
        }
        pc += 16;
    }
    if (unknown)
        cli_error("%s: %u instruction%s not known", path, unknown, cli_s(unknown));
    vec_free(&labels.at);
    file_free(&f);
    diag_free(&d);
    return unknown && status == CLI_OK ? CLI_USAGE : status;
}

int cli_sass(int argc, char **argv)
{
    const char *arch = "sm_90a", *words = NULL, *file = NULL, *kernel = NULL;
    bool control = false, list = false, executes = false;
    int status = CLI_OK;
    const struct cli_opt opts[] = {
        {"arch", CLI_STR, &arch, 0, 0, "sm_N",
         "the architecture: sm_75, sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a"},
        {"words", CLI_IN, &words, 0, 0, "FILE",
         "lines of two hexadecimal words, low and high (-: standard input)"},
        {"kernel", CLI_STR, &kernel, 0, 0, "NAME", "of FILE only this kernel"},
        {"list", CLI_FLAG, &list, 0, 0, NULL, "of FILE the kernels and what they take, not their code"},
        {"control", CLI_FLAG, &control, 0, 0, NULL,
         "barriers waited for, read and write barrier, yield, stall count before each instruction"},
        {"executes", CLI_FLAG, &executes, 0, 0, NULL,
         "behind each instruction whether it is executed here, or why not"},
    };
    const struct cli_spec spec = {
        .usage = "sass FILE [--kernel NAME] [--list] [--control] | sass --arch sm_N --words FILE [--control] "
                 "[--executes]",
        .story =
            "Prints the machine code of NVIDIA GPUs that a cubin, a fat binary or a program built by nvcc "
            "has, as\n"
            "NVIDIA's disassembler does, with registers, parameters and memory of each kernel. --words: "
            "single\n"
            "instructions; places that branches go to are numbered in the order in which they are met.\n",
        .positional = &file,
        .npositional = 1,
        .positional_name = "FILE",
        .opts = opts,
        .nopts = sizeof opts / sizeof opts[0],
    };
    if (!cli_parse(&spec, argc, argv, &status))
        return status;
    if (file && words) {
        cli_error("sass: either FILE or --words FILE");
        return CLI_USAGE;
    }
    if (file)
        return sass_print_file(
            &(struct sass_file_opts){.path = file, .kernel = kernel, .list = list, .control = control});
    unsigned a = sass_arch(arch);
    if (!a) {
        cli_error(
            "--arch %s: no such architecture; there are sm_75, sm_80, sm_86, sm_89, sm_90a, sm_100a, sm_120a",
            arch);
        return CLI_USAGE;
    }
    if (!words) {
        cli_error("sass: nothing to print; give FILE or --words FILE");
        return CLI_USAGE;
    }
    return print_words(words, a, control, executes);
}
