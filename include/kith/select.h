/* Kith: selections: queries in text whose result is a table of values: chosen fields of the entities
 * that match, in order, or sums over groups of them.
 *
 *     kith_select *worst;
 *     kith_select_new(world, "Health, Name select entity, Name.text, Health.current"
 *                            " order by Health.current limit $most", NULL, &worst);
 *     kith_select_bind(worst, "most", 10);
 *     kith_select_run(worst);
 *     for (uint32_t row = 0; row < kith_select_row_count(worst); row++) {
 *         const int32_t *health = kith_select_value(worst, row, 2);
 *         ...
 *     }
 *     kith_select_free(worst);
 *
 * <kith/query_text.h> has the grammar, and docs/query-text.md describes it. The rows are copies, read
 * when kith_select_run is called; they stay until the next run.
 *
 * Rows are in the order of `order by`; those that are equal there, and all if there is none, are in the
 * order of the query's scan. With `group by` there is one row for each combination of values, in the
 * order of these values, if `order by` says nothing else; with sums but without `group by` there is one
 * row. Numbers are added in the order of the scan, so the same state gives the same bits.
 *
 * With `explain` before it, the rows of a selection are the plan of its query: lines of text in a column
 * `plan`, see kith_query_explain. `explain analyze` also counts what matches.
 *
 * Threads: only the owner thread calls. */
#ifndef KITH_SELECT_H
#define KITH_SELECT_H

#include <kith/query_text.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_select kith_select;

/* Makes a selection of a text. Without `select`, it gives the entity and all fields of the components
 * that the terms read; with `group by`, what it groups by and the count. It is freed by
 * kith_select_free, or with its world.
 *
 * KITH_ERR_INPUT    the text is wrong: kith_error and `*error`, if that is not NULL, tell where and why
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_select_new(kith_world *world, const char *text, kith_text_error *error,
                                     kith_select **select);

/* NULL is fine. */
KITH_API void kith_select_free(kith_select *select);

/* Gives a value to the places of the text that have `$name`, until the next call.
 *     kith_select_bind(worst, "most", 10);
 *
 * KITH_ERR_UNKNOWN   the text has no such name
 * KITH_ERR_INPUT     the value does not fit there
 * KITH_ERR_MEMORY    for the copy of a text */
KITH_API kith_result kith_select_bind_operand(kith_select *select, const char *name,
                                              kith_operand operand);
#define kith_select_bind(select, name, value)                                                      \
    kith_select_bind_operand((select), (name), KITH_OPERAND_(value))

/* Reads the world. What a `changed(T)` has seen counts as seen by this selection.
 *
 * It keeps all rows in the world's memory until the next run: each takes the size of its values and a
 * byte a value, rounded up to 8, and 4 bytes, or 8 if they are sorted. With `limit`, these are only the
 * rows that it gives; with `order by` as well, while it runs, up to twice as many and 1,024 more. With
 * sums, or without a limit, all entities that match count.
 *
 * KITH_ERR_INPUT    a parameter has no value; kith_error tells which
 * KITH_ERR_LIMIT    a sum of whole numbers does not fit into 64 bits
 * KITH_ERR_MEMORY
 * After an error there are no rows. */
KITH_API kith_result kith_select_run(kith_select *select);

/* The rows of the last run; 0 before there was one. */
KITH_API uint32_t kith_select_row_count(const kith_select *select);

/* The values of a row; also before the first run. */
KITH_API uint32_t kith_select_column_count(const kith_select *select);

/* What a column has: `name` is the output as the text has it, `kind` and `size` are those of its values,
 * `offset` is 0. A count is KITH_U64. A sum is KITH_I64, KITH_U64 or KITH_F64, as the field is; avg is
 * KITH_F64; min and max are as the field is. NULL if there is no such column. */
KITH_API const kith_field *kith_select_column(const kith_select *select, uint32_t column);

/* One value. NULL: the entity lacks the component, or no entity of the group has it; or there is no such
 * row or column. It stays until the next run. */
KITH_API const void *kith_select_value(const kith_select *select, uint32_t row, uint32_t column);

typedef enum kith_select_format {
    KITH_SELECT_TEXT = 0, /* values as kith_print_field writes them, with a tab between them; one
                             that is absent is - */
    KITH_SELECT_JSON      /* {"Health.current": 3, ...}; one that is absent is null; entities, and
                             floats that JSON has no number for, are texts: "Entity(2v1)", "nan" */
} kith_select_format;

/* Writes one row as a line without an end, like snprintf. In JSON, bytes of a text that are not UTF-8
 * become the characters with their numbers, \u0080 to \u00ff. */
KITH_API size_t kith_select_print(const kith_select *select, uint32_t row,
                                  kith_select_format format, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
