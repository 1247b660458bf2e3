/* SPDX-License-Identifier: Apache-2.0 */
/* What build systems ask nvcc before they use it. CMake takes a compiler for nvcc by a phrase of its --version;
 * from what -v prints it reads the toolkit's folders (lines "#$ NAME=VALUE"), the default architecture
 * ("-arch compute_NN") and, from the last line with the value of LIBRARIES in it, the command that links. */
#include "cli/cc/cc.h"

/* Of the headers in include/: CUDART_VERSION. */
#define CUDA_RELEASE "12.8"

void cc_print_version(FILE *to)
{
    fprintf(to,
            "bankshot cc %s, in place of nvcc: NVIDIA (R) Cuda compiler driver\n"
            "Cuda compilation tools, release " CUDA_RELEASE ", V" CUDA_RELEASE ".0\n",
            BANKSHOT_VERSION);
}

const char *cc_sm_name(struct cc_job *j)
{
    return arena_printf(&j->arena, "%u%s", j->sm, j->sm_a ? "a" : "");
}

void cc_print_archs(FILE *to, const char *prefix)
{
    static const char *const archs[] = {"50", "52", "53", "60", "61", "62", "70", "72",
                                        "75", "80", "86", "87", "89", "90", "90a"};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++)
        fprintf(to, "%s%s\n", prefix, archs[i]);
}

void cc_print_toolkit(const struct cc_job *j, const char *home)
{
    const char *path = getenv("PATH");
    fprintf(stderr,
            "#$ TOP=%s\n"
            "#$ NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice\n"
            "#$ PATH=%s/bin:%s\n"
            "#$ INCLUDES=\"-I%s/include\"\n"
            "#$ LIBRARIES=\"-L%s\"\n"
            "#$ TARGET=-arch compute_%u\n",
            home, home, home, path ? path : "", home, home, j->sm);
}

void cc_print_link(const struct cc_job *j, const char *home)
{
    fprintf(stderr, "#$ \"%s/bin/nvcc\" \"-L%s\" -lcudart -o \"%s\"\n", home, home,
            j->output ? j->output : "a.out");
}

void cc_print_command(const struct cc_words *v)
{
    fputs("#$", stderr);
    vec_each (&v->w, word) {
        const char *w = *word;
        bool plain = *w && strcspn(w, " \t\n\"'\\$`;&|<>()*?[]#~!{}") == strlen(w);
        fputc(' ', stderr);
        if (plain) {
            fputs(w, stderr);
            continue;
        }
        fputc('\'', stderr);
        for (; *w; w++)
            fputs(*w == '\'' ? "'\\''" : (char[]){*w, 0}, stderr);
        fputc('\'', stderr);
    }
    fputc('\n', stderr);
}
