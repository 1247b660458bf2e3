/* SPDX-License-Identifier: Apache-2.0 */
/* Precompiled headers. Reading cuda_runtime.h and what it includes, 200 files, is most of the time that a small program takes, in
 * the device pass as in the host pass. clang keeps what it has read in a file, one for each set of options that it depends on, in
 * the cache's folder:
 *   headers/KEY.pch    KEY is a digest of the options, the compiler and the home folder
 *   headers/KEY.d      a digest of that file, and the rule with the names of all that was read
 * It is used where it says what the header would: by the same options, nothing that was read has changed since, and no folder or
 * macro of the user's comes between. Where that is not so, where there is no folder for it or anything else fails, the header is
 * read as it always was. */
#include "base/file.h"
#include "cli/cachedir.h"
#include "cli/cc/unit.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { PCH_CLANG = 19, KEPT = 24, PCH_LIMIT_B = 1 << 28, RULE_LIMIT_B = 1 << 22, DIGEST_N = 16 };
static const char header[] = "cuda_runtime.h";

/* The words of a pass: those that the header's meaning depends on, and the folders in which it might find other files. */
struct pass {
    uint32_t at; /* of "-include cuda_runtime.h" */
    struct cc_words words, folders;
};

/* From C++20 on clang has modules, and takes a host function and a device function of the same parameters, read back from a file,
 * for one that was written twice. */
static bool has_modules(const char *word)
{
    const char *plus = strncmp(word, "-std=", 5) == 0 ? strstr(word, "++") : NULL;
    return plus && plus[2] == '2';
}

/* Ours say of lines what does not matter before there is code; other debug information is of the header, too. */
static bool is_of_lines(const char *word)
{
    return strcmp(word, "-gline-tables-only") == 0 || strcmp(word, "-gno-inline-line-tables") == 0;
}

/* Names in capitals are the user's own; the header asks for those of the library and of CUDA. */
static bool own_macro(const char *definition)
{
    return isupper((unsigned char)definition[0]) && strncmp(definition, "CU", 2) != 0 &&
           strncmp(definition, "BANKSHOT", 8) != 0;
}

/* Is the word `name`, or does it begin with it? Its value, in this word or the next one; NULL: it is another. */
static const char *value_of(const struct cc_words *v, uint32_t *i, const char *name)
{
    const char *word = v->w.at[*i];
    size_t n = strlen(name);
    if (strncmp(word, name, n) != 0)
        return NULL;
    return word[n] || *i + 1 == v->w.n ? word + n : v->w.at[++*i];
}

/* False: another header may come before this one, or a macro that it depends on. */
static bool read_pass(const struct cc_words *v, const char *include, struct pass *p)
{
    static const char *const others[] = {"-include", "-imacros", "-Xp", "-Wp,"};
    bool found = false;
    for (uint32_t i = 0; i < v->w.n; i++) {
        const char *word = v->w.at[i], *value;
        if (!found && strcmp(word, "-include") == 0 && strcmp(v->w.at[i + 1], header) == 0) {
            found = true;
            p->at = i++;
            continue;
        }
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            if (strncmp(word, others[k], strlen(others[k])) == 0)
                return false;
        if ((value = value_of(v, &i, "-isystem")) || (value = value_of(v, &i, "-I"))) {
            if (strcmp(value, include) != 0) {
                cc_add(&p->folders, value);
                continue;
            }
            cc_add(&p->words, "-isystem");
            word = value;
        } else if ((value = value_of(v, &i, "-D")) || (value = value_of(v, &i, "-U"))) {
            if (!own_macro(value))
                return false;
            continue;
        } else if (is_of_lines(word)) {
            continue;
        } else if (has_modules(word) || strncmp(word, "-g", 2) == 0) {
            return false;
        }
        cc_add(&p->words, word);
    }
    return found && access(header, F_OK) != 0;
}

/* A compiler of another day may not read what this one wrote. */
static const char *key_of(struct cc *c, const struct pass *p)
{
    struct stat st = {0};
    XXH3_state_t *s = XXH3_createState();
    if (!s)
        abort();
    XXH3_64bits_reset(s);
    (void)stat(c->tool.clang, &st);
    const char *who = arena_printf(&c->job->arena, "%s %s %s %lld %lld", BANKSHOT_VERSION, c->tool.clang,
                                   c->tool.version, (long long)st.st_mtime, (long long)st.st_size);
    XXH3_64bits_update(s, who, strlen(who) + 1);
    vec_each (&p->words.w, w)
        XXH3_64bits_update(s, *w, strlen(*w) + 1);
    uint64_t sum = XXH3_64bits_digest(s);
    XXH3_freeState(s);
    return arena_printf(&c->job->arena, "%016llx", (unsigned long long)sum);
}

/* The digest of a file, as text; NULL: it cannot be read. */
static const char *digest_of(struct cc *c, const char *path)
{
    struct diag d = {0};
    struct file_text t;
    const char *text = NULL;
    if (file_read(path, PCH_LIMIT_B, &t, &d)) {
        text = arena_printf(&c->job->arena, "%0*llx", DIGEST_N, (unsigned long long)XXH3_64bits(t.at, t.n));
        file_free(&t);
    }
    diag_free(&d);
    return text;
}

/* Negative, 0, positive: a is before b, the same, after it. */
static int order(struct timespec a, struct timespec b)
{
    if (a.tv_sec != b.tv_sec)
        return a.tv_sec < b.tv_sec ? -1 : 1;
    return (a.tv_nsec > b.tv_nsec) - (a.tv_nsec < b.tv_nsec);
}

/* A file that was read is what it was then, and no folder has one of its name. */
static bool stands(struct cc *c, const char *name, const struct pass *p, struct timespec made)
{
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    struct stat st;
    if (stat(name, &st) != 0 || order(st.st_ctim, made) >= 0)
        return false;
    vec_each (&p->folders.w, f)
        if (access(arena_printf(&c->job->arena, "%s/%s", *f, last), F_OK) == 0)
            return false;
    return true;
}

static bool is_good(struct cc *c, const char *pch, const char *rule, const struct pass *p)
{
    struct diag d = {0};
    struct file_text t;
    struct stat st;
    bool good = false;
    if (stat(pch, &st) == 0 && access(rule, R_OK) == 0 && file_read(rule, RULE_LIMIT_B, &t, &d)) {
        const char *digest = t.n > DIGEST_N ? digest_of(c, pch) : NULL, *at = t.at + DIGEST_N;
        char *name = arena_alloc(&c->job->arena, t.n + 1);
        good = digest && memcmp(t.at, digest, DIGEST_N) == 0;
        while (good && cc_next_name(&at, name))
            good = stands(c, name, p, st.st_mtim);
        file_free(&t);
    }
    diag_free(&d);
    return good;
}

struct entry {
    const char *path;
    struct timespec at;
};

static int by_age(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return order(y->at, x->at);
}

/* The oldest go: whoever still wants one makes it again. */
static void thin_out(struct arena *a, const char *folder)
{
    VEC(struct entry) all = {0};
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *path = arena_printf(a, "%s/%s", folder, e->d_name);
        struct stat st;
        if (e->d_name[0] != '.' && stat(path, &st) == 0)
            vec_push(&all, (struct entry){path, st.st_mtim});
    }
    if (d)
        closedir(d);
    if (all.n)
        qsort(all.at, all.n, sizeof *all.at, by_age);
    for (uint32_t i = 2 * KEPT; i < all.n; i++)
        unlink(all.at[i].path);
    vec_free(&all);
}

/* The rule behind the digest of what it is of. */
static bool write_rule(struct cc *c, const char *from, const char *pch, const char *to)
{
    struct diag d = {0};
    struct file_text t;
    const char *digest = digest_of(c, pch);
    bool ok = digest && file_read(from, RULE_LIMIT_B, &t, &d);
    if (ok) {
        FILE *f = fopen(to, "w");
        ok = f && fprintf(f, "%s\n%s", digest, t.at) > 0;
        ok = f && fclose(f) == 0 && ok;
        file_free(&t);
    }
    diag_free(&d);
    return ok;
}

/* The header is what is included; the source is a file of the home folder that it has included by then, so there is nothing in
 * it. */
static bool make(struct cc *c, const struct pass *p, const char *pch, const char *rule)
{
    struct arena *a = &c->job->arena;
    const char *tmp = arena_printf(a, "%s.%ld", pch, (long)getpid()), *read = cc_join(c, tmp, ".rule"),
               *mine = cc_join(c, tmp, ".d");
    const char *const rest[] = {"-include",
                                header,
                                "-w",
                                "-Xclang",
                                "-emit-pch",
                                "-S",
                                cc_join(c, c->home, "/include/host_defines.h"),
                                "-MD",
                                "-MF",
                                read,
                                "-o",
                                tmp,
                                NULL};
    struct cc_words v = {0};
    cc_add_all(&v, &p->words);
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++)
        cc_add(&v, rest[i]);
    bool ok = cc_run((char *const *)v.w.at, CC_MUTE, &c->mask, &c->stopped) == 0 &&
              write_rule(c, read, tmp, mine) && rename(tmp, pch) == 0 && rename(mine, rule) == 0;
    vec_free(&v.w);
    unlink(read);
    if (!ok) {
        unlink(tmp);
        unlink(mine);
    }
    return ok;
}

/* Where the precompiled header is, made where it is missing; NULL: there is none. */
static const char *find(struct cc *c, const struct pass *p)
{
    struct arena *a = &c->job->arena;
    struct diag d = {0};
    const char *home = cache_home(a, &d), *folder = home ? cc_join(c, home, "/headers") : NULL, *pch = NULL;
    if (folder && cache_folder(folder, &d)) {
        pch = arena_printf(a, "%s/%s.pch", folder, key_of(c, p));
        const char *rule = arena_printf(a, "%.*s.d", (int)(strlen(pch) - 4), pch);
        if (!is_good(c, pch, rule, p)) {
            bool made = make(c, p, pch, rule);
            thin_out(a, folder);
            pch = made && is_good(c, pch, rule, p) ? pch : NULL;
        }
    }
    diag_free(&d);
    return pch;
}

/* Other versions of clang have not been tried. A job that is only shown makes nothing; with -rdc=true the options name the source
 * file. */
void cc_precompile(struct cc *c, struct cc_words *v)
{
    struct pass p = {0};
    const char *pch = NULL;
    if (c->tool.major == PCH_CLANG && !c->job->dry_run && !c->job->rdc &&
        read_pass(v, cc_join(c, c->home, "/include"), &p))
        pch = find(c, &p);
    if (pch) {
        v->w.at[p.at] = "-include-pch";
        v->w.at[p.at + 1] = pch;
    }
    vec_free(&p.words.w);
    vec_free(&p.folders.w);
}
