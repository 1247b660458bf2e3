/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/man.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

typedef VEC(char) text;

static bool read_all(int fd, text *out)
{
    for (;;) {
        vec_reserve(out, out->n + 4096);
        ssize_t k = read(fd, out->at + out->n, 4095);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0) {
            out->at[out->n] = 0;
            return k == 0;
        }
        out->n += (uint32_t)k;
    }
}

/* What `bankshot COMMAND --help` prints: a process of its own has a standard output of its own. */
static bool capture_help(const struct cli_cmd *c, text *out)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return false;
    pid_t child = fork();
    if (child == 0) {
        char name[64], help[] = "--help", *args[] = {name, help, NULL};
        snprintf(name, sizeof name, "%s", c->name);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        int status = c->run(2, args);
        _exit(fflush(stdout) == 0 ? status : CLI_FAILED);
    }
    close(ends[1]);
    bool ok = child > 0 && read_all(ends[0], out);
    close(ends[0]);
    int status = 1;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return ok && status == 0;
}

/* ---- troff ---- */

/* Text as it is: no line may begin with a command, and a minus is a minus. */
static void put(FILE *to, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i == 0 && (s[i] == '.' || s[i] == '\''))
            fputs("\\&", to);
        if (s[i] == '\\')
            fputs("\\e", to);
        else if (s[i] == '-')
            fputs("\\-", to);
        else
            fputc(s[i], to);
    }
}

static void put_line(FILE *to, const char *s, size_t n)
{
    put(to, s, n);
    fputc('\n', to);
}

/* "  --gpu NAME   meaning": how long the left part is; 0: the line is no option. */
static size_t option_part(const char *line, size_t n)
{
    if (n < 4 || line[0] != ' ' || line[1] != ' ' || line[2] != '-')
        return 0;
    for (size_t i = 2; i + 1 < n; i++)
        if (line[i] == ' ' && line[i + 1] == ' ')
            return i;
    /* A left part as wide as its column has one blank behind it: after the value, or the name. */
    size_t i = 2 + strcspn(line + 2, " ");
    return i < n ? i : n;
}

static void put_option(FILE *to, const char *line, size_t n, size_t left)
{
    size_t right = left;
    while (right < n && line[right] == ' ')
        right++;
    fputs(".TP\n.B ", to);
    put_line(to, line + 2, left - 2);
    put_line(to, line + right, n - right);
}

struct section {
    FILE *to;
    bool options, verbatim;
};

static void verbatim(struct section *s, bool on)
{
    if (on != s->verbatim)
        fputs(on ? ".PP\n.nf\n" : ".fi\n", s->to);
    s->verbatim = on;
}

static void convert_line(struct section *s, const char *line, size_t n)
{
    size_t left = s->options ? option_part(line, n) : 0;
    if (n == 8 && memcmp(line, "options:", 8) == 0) {
        verbatim(s, false);
        s->options = true;
    } else if (left) {
        put_option(s->to, line, n, left);
    } else if (n == 0) {
        verbatim(s, false);
        fputs(".PP\n", s->to);
    } else if (!s->options && (line[0] == ' ' || strncmp(line, "usage: ", 7) == 0)) {
        size_t skip = strncmp(line, "usage: ", 7) == 0 || strncmp(line, "       bankshot ", 16) == 0 ? 7 : 0;
        verbatim(s, true);
        put_line(s->to, line + skip, n - skip);
    } else {
        verbatim(s, false);
        while (n && *line == ' ') {
            line++;
            n--;
        }
        put_line(s->to, line, n);
    }
}

static void convert(FILE *to, const char *help)
{
    struct section s = {.to = to};
    for (const char *p = help; *p;) {
        size_t n = strcspn(p, "\n");
        convert_line(&s, p, n);
        p += n + (p[n] == '\n');
    }
    verbatim(&s, false);
}

/* ---- the page ---- */

static const char intro[] = ".SH NAME\nbankshot \\- a GPU simulator for the question how a GPU core should "
                            "store and move its operands\n"
                            ".SH SYNOPSIS\n.B bankshot\n.I COMMAND\n[\\fIARGUMENTS\\fR]\n"
                            ".SH DESCRIPTION\n"
                            "Bankshot compiles and runs CUDA programs without a GPU and without a CUDA "
                            "toolkit, records what every warp did "
                            "in a trace, and replays the trace on a cycle-level model of a GPU. Mechanisms "
                            "can be compared, options swept, "
                            "and results kept in a database, which can be shown as a page.\n";

static const char outro[] =
    ".SH EXIT STATUS\n.TP\n.B 0\nfine\n.TP\n.B 1\nthe kernel failed\n.TP\n.B 2\na mistake in the options or "
    "the "
    "input\n.TP\n.B 3\ndeadlock\n"
    ".SH ENVIRONMENT\n"
    ".TP\n.B BANKSHOT_HOME\nfolder with headers, runtime libraries, presets and workloads, if not beside the "
    "program\n"
    ".TP\n.B BANKSHOT_CACHE\nwhere bundled workloads and their traces are kept (else "
    "\\fB$XDG_CACHE_HOME/bankshot\\fR or "
    "\\fB~/.cache/bankshot\\fR)\n"
    ".TP\n.B BANKSHOT_CLANG\nthe compiler that \\fBbankshot cc\\fR calls\n"
    ".SH EXAMPLES\n.nf\n"
    "bankshot cc program.cu \\-o program\n"
    "bankshot record \\-o program.bst \\-\\- ./program\n"
    "bankshot run program.bst \\-\\-gpu volta \\-\\-profile\n"
    "bankshot compare program.bst hotspot \\-\\-mech base \\-\\-mech rba \\-\\-db results.db\n"
    "bankshot report results.db \\-o report.html\n.fi\n";

int man_page(const struct cli_cmd *commands, uint32_t n, FILE *to)
{
    fprintf(to, ".TH BANKSHOT 1 \"\" \"bankshot %s\" \"User commands\"\n%s.SH COMMANDS\n", BANKSHOT_VERSION,
            intro);
    for (uint32_t i = 0; i < n; i++) {
        fputs(".TP\n.B ", to);
        put_line(to, commands[i].name, strlen(commands[i].name));
        put_line(to, commands[i].summary, strlen(commands[i].summary));
    }
    for (uint32_t i = 0; i < n; i++) {
        text help = {0};
        bool ok = capture_help(&commands[i], &help);
        if (ok) {
            fprintf(to, ".SH bankshot %s\n", commands[i].name);
            convert(to, help.at);
        }
        vec_free(&help);
        if (!ok) {
            cli_error("the help of %s could not be read", commands[i].name);
            return CLI_FAILED;
        }
    }
    fputs(outro, to);
    return CLI_OK;
}

int man_words(const struct cli_cmd *command, FILE *to)
{
    text help = {0};
    bool ok = capture_help(command, &help);
    const char *list = ok ? strstr(help.at, "\noptions:\n") : NULL;
    for (const char *p = list ? list + 1 : ""; *p;) {
        size_t n = strcspn(p, "\n"), left = option_part(p, n);
        if (left) {
            size_t name = strcspn(p + 2, " ,=");
            bool value = 2 + name < left;
            fprintf(to, "%.*s%s\n", (int)name, p + 2, value ? "=" : "");
        }
        p += n + (p[n] == '\n');
    }
    vec_free(&help);
    return ok ? CLI_OK : CLI_FAILED;
}
