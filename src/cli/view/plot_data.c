/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/csv.h"
#include "cli/view/plot.h"
#include "db/stmt.h"

/* ---- what was chosen ---- */

static bool put_words(struct db *db, const char *kind, const struct cli_list *words, struct diag *d)
{
    struct stmt s = stmt_of(db, "INSERT INTO temp.only_these VALUES (?, ?)");
    vec_each (&words->items, w) {
        stmt_text(&s, kind);
        stmt_text(&s, *w);
        stmt_run(&s);
    }
    return stmt_end(&s, d);
}

/* Every word must be in the file: a misspelling is no empty chart. */
static bool check_words(struct db *db, struct diag *d)
{
    struct stmt s = stmt_of(
        db,
        "SELECT kind, value FROM only_these o WHERE NOT EXISTS (SELECT 1 FROM point p WHERE o.value = CASE "
        "o.kind WHEN 'workload' THEN p.workload WHEN 'gpu' THEN p.gpu WHEN 'mech' THEN p.mechs ELSE "
        "p.size END)");
    bool ok = true;
    while (stmt_row(&s)) {
        diag_plain(d, "--%s %s: the database has no such run", stmt_column(&s, 0), stmt_column(&s, 1));
        ok = false;
    }
    return stmt_end(&s, d) && ok;
}

/* The words of a text, as a JSON list. */
#define WORDS(text) "'[' || replace(json_quote(" text "), ' ', '\",\"') || ']'"

static const char chosen_sql[] =
    "CREATE TEMP TABLE chosen AS SELECT r.*, CASE WHEN (SELECT program FROM given) THEN r.cycles ELSE "
    "r.kernel_cycles END AS time, "
    "'' AS name FROM result r WHERE "
    "(NOT EXISTS (SELECT 1 FROM only_these WHERE kind = 'workload') OR workload IN (SELECT value FROM "
    "only_these WHERE kind = 'workload')) AND "
    "(NOT EXISTS (SELECT 1 FROM only_these WHERE kind = 'gpu') OR gpu IN (SELECT value FROM only_these WHERE "
    "kind = 'gpu')) AND "
    "(NOT EXISTS (SELECT 1 FROM only_these WHERE kind = 'mech') OR mechs IN (SELECT value FROM only_these "
    "WHERE kind = 'mech')) AND "
    "(NOT EXISTS (SELECT 1 FROM only_these WHERE kind = 'size') OR size IN (SELECT value FROM only_these "
    "WHERE kind = 'size'));"
    "UPDATE chosen SET name = workload"
    " || CASE WHEN (SELECT count(DISTINCT size) FROM chosen) > 1 THEN ' ' || size ELSE '' END"
    " || CASE WHEN (SELECT count(DISTINCT max_regs) FROM chosen) > 1 AND max_regs THEN ' @' || max_regs ELSE "
    "'' END"
    " || CASE WHEN (SELECT count(DISTINCT code_order) FROM chosen) > 1 THEN ' ' || code_order ELSE '' END"
    " || CASE WHEN (SELECT count(DISTINCT gpu) FROM chosen) > 1 THEN ' ' || gpu ELSE '' END"
    " || coalesce((SELECT ' ' || group_concat(value, ' ') FROM json_each(" WORDS(
        "chosen.options") ") WHERE value NOT IN "
                          "(SELECT w.value FROM chosen c, json_each(" WORDS(
                              "c.options") ") w GROUP BY w.value HAVING count(*) = (SELECT count(*) FROM "
                                           "chosen)) AND value <> ''), '')";

static bool choose(struct db *db, const struct plot_opts *o, struct diag *d)
{
    bool ok = db_exec(db,
                      "CREATE TEMP TABLE only_these (kind TEXT, value TEXT); CREATE TEMP TABLE given (x "
                      "TEXT, y TEXT, measure TEXT, "
                      "cost TEXT, memory TEXT, program INTEGER)",
                      d) &&
              put_words(db, "workload", &o->workloads, d) && put_words(db, "gpu", &o->gpus, d) &&
              put_words(db, "mech", &o->mechs, d) && put_words(db, "size", &o->sizes, d) &&
              check_words(db, d);
    if (!ok)
        return false;
    struct stmt s = stmt_of(db, "INSERT INTO given VALUES (?, ?, ?, ?, ?, ?)");
    stmt_text(&s, o->x);
    stmt_text(&s, o->y);
    stmt_text(&s, o->measure);
    stmt_text(&s, o->cost);
    stmt_text(&s, o->memory);
    stmt_int(&s, o->program);
    stmt_run(&s);
    return stmt_end(&s, d) && db_exec(db, chosen_sql, d);
}

/* ---- the table ---- */

static const char *keep(struct plot_data *p, const char *text)
{
    return arena_strndup(&p->arena, text, strlen(text));
}

/* Index of the text in the list, which it is added to. Charts have few of both: what people can still tell apart. */
#define INDEX(p, list, text)                                                                                 \
    ({                                                                                                       \
        uint32_t i_ = 0;                                                                                     \
        while (i_ < (list)->n && strcmp((list)->at[i_], text) != 0)                                          \
            i_++;                                                                                            \
        if (i_ == (list)->n)                                                                                 \
            vec_push(list, keep(p, text));                                                                   \
        i_;                                                                                                  \
    })

bool plot_read(struct db *db, const struct plot_chart *c, const struct plot_opts *o, struct plot_data *out,
               struct diag *d)
{
    struct cell {
        uint32_t row, column;
        const char *value;
    };
    VEC(struct cell) cells = {0};
    *out = (struct plot_data){0};
    if (!choose(db, o, d))
        return false;
    struct stmt s = stmt_of(db, c->query);
    while (stmt_row(&s)) {
        uint32_t before = out->keys.n, row = INDEX(out, &out->keys, stmt_column(&s, 0));
        if (out->keys.n > before)
            vec_push(&out->labels, keep(out, stmt_column(&s, 1)));
        struct cell cell = {.row = row, .column = INDEX(out, &out->series, stmt_column(&s, 2))};
        if (sqlite3_column_type(s.s, 3) != SQLITE_NULL)
            cell.value = arena_printf(&out->arena, "%.10g", sqlite3_column_double(s.s, 3));
        vec_push(&cells, cell);
    }
    vec_resize(&out->cells, out->keys.n * out->series.n);
    vec_each (&cells, cell)
        out->cells.at[cell->row * out->series.n + cell->column] = cell->value;
    vec_free(&cells);
    return stmt_end(&s, d);
}

void plot_data_free(struct plot_data *p)
{
    vec_free(&p->series);
    vec_free(&p->keys);
    vec_free(&p->labels);
    vec_free(&p->cells);
    arena_free(&p->arena);
}

/* A name in a file that is read by gnuplot has no tabs, quotes or line ends, and is no comment. */
static void put_cell(FILE *to, const char *text, bool csv)
{
    if (csv) {
        csv_cell(to, text);
        return;
    }
    fputs(*text ? "" : "?", to);
    for (; *text; text++)
        fputc(strchr("\t\r\n\"#", *text) ? ' ' : *text, to);
}

void plot_write(const struct plot_data *p, FILE *to, bool csv)
{
    const char *between = csv ? "," : "\t";
    fputs("name", to);
    vec_each (&p->series, s) {
        fputs(between, to);
        put_cell(to, *s, csv);
    }
    for (uint32_t i = 0; i < p->keys.n; i++) {
        fputc('\n', to);
        put_cell(to, p->labels.at[i], csv);
        for (uint32_t k = 0; k < p->series.n; k++) {
            const char *v = p->cells.at[i * p->series.n + k];
            fprintf(to, "%s%s", between, v ? v : csv ? "" : "?");
        }
    }
    fputc('\n', to);
}
