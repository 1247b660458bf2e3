/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of files that commands write, and how a file of each begins. An output may take the place of an earlier one of its
 * own kind; anything else under that name is more likely somebody's work and a slip of the hand. */
#ifndef CLI_FILEKIND_H
#define CLI_FILEKIND_H

#include <stdbool.h>

/* clang-format off */
#define FILE_KINDS(X)                                                                                        \
    X(TRACE, is_trace, "a trace")                                                                            \
    X(DATABASE, is_database, "a results database")                                                           \
    X(ANSWER, is_answer, "an answer of bankshot in JSON")                                                    \
    X(TIMELINE, is_timeline, "a timeline of bankshot in JSON")                                               \
    X(PIPELINE, is_pipeline, "a pipeline of bankshot for Konata or in JSON")                                 \
    X(PROFILE_CSV, is_profile, "a profile of bankshot in CSV")                                               \
    X(INTERVAL_CSV, is_interval, "intervals of bankshot in CSV")                                             \
    X(COMPARE_CSV, is_compare, "a table of bankshot compare in CSV")                                         \
    X(EXPLORE_CSV, is_explore, "a table of bankshot explore in CSV")                                         \
    X(VALUES, is_values, "an overlay of bankshot record --values")                                           \
    X(CORRELATE_CSV, is_correlate, "a table of bankshot correlate in CSV")                                    \
    X(CORRELATE_PAGE, is_correlate_page, "a page of bankshot correlate")                                      \
    X(CLAIMS_CSV, is_claims, "a table of bankshot repro in CSV")                                             \
    X(PAGE, is_page, "a page of bankshot report")                                                            \
    X(REPRO_PAGE, is_repro_page, "a page of bankshot repro")                                                 \
    X(REPRO_TEXT, is_repro_text, "a text of bankshot repro")                                                 \
    X(FIGURE, is_figure, "a figure or table of bankshot plot")                                               \
    X(FIGURE_DATA, is_figure_data, "the data of a figure of bankshot repro")                                 \
    X(PROGRAM, is_program, "an executable or a shared library")                                              \
    X(OBJECT, is_object, "an object file")                                                                   \
    X(LIBRARY, is_library, "a library of object files")                                                      \
    X(PTX, is_ptx, "PTX")                                                                                    \
    X(PREPROCESSED, is_preprocessed, "preprocessed source")                                                  \
    X(RULES, is_rules, "a file of dependencies")                                                             \
    X(ACCELSIM, is_accelsim, "a trace that bankshot export wrote")                                            \
    X(ACCELSIM_LIST, is_accelsim_list, "a list of traces in Accel-Sim's form")
/* clang-format on */

#define FILE_KIND_ENUM(name, is, what) FILE_##name,
enum file_kind { FILE_KINDS(FILE_KIND_ENUM) FILE_NKINDS };

/* With its article, for messages. */
const char *file_kind_what(enum file_kind k);
/* As the table has it, for bankshot help --files. */
const char *file_kind_name(enum file_kind k);
/* Is the file at path one of this kind, by its first and last bytes? An empty file is. */
bool file_is_kind(const char *path, enum file_kind k);

#endif
