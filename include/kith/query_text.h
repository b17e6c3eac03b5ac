/* Kith: queries in text, for consoles, editors and scripts.
 *
 *     kith_text_error error;
 *     kith_query *weak = kith_query_text(
 *         world, "Position, write Velocity, !Frozen where Health.current < 20", &error);
 *     if (weak == NULL) {
 *         fputs(kith_error(world), stderr);
 *     }
 *
 * docs/query-text.md has the grammar, with examples:
 *
 *     query     = [explain [analyze]] terms [where condition] [group by way, ...]
 *                 [select output, ...] [order by order] [limit number]
 *     terms     = * | term, ...
 *     term      = T | write T | with T | !T | ?T | ?write T | changed(T) | any(one_of, ...)
 *               | by -> term | up(term) | R(a, b) | R(a, b) as c | !R(a, b)
 *     one_of    = T | by -> one_of | up(one_of)
 *     condition = field < value | field between value and value | field in (value, ...)
 *               | field prefix text | field contains text | field like text | has(T)
 *               | path = text | path like text | within(T, x, y, distance)
 *               | condition and condition | condition or condition | not condition | (condition)
 *               | by -> condition | up(condition) | R(a, b)
 *     text      = 'text' | "text" | $name
 *     value     = number | 'text' | "text" | true | false | none | Entity(2v1) | way | $name
 *               | this -> way | this
 *     way       = field | by -> way | up(field)
 *     by        = Relation | field
 *     order     = output [desc], ... | parents first | children first
 *     output    = way | T | by -> T | entity | count | sum(way) | min(way) | max(way) | avg(way)
 *
 * Such a query is the same as one that is made in C from the same terms and conditions. Names mean
 * types that the world knows already (KITH_TYPES makes several known). */
#ifndef KITH_QUERY_TEXT_H
#define KITH_QUERY_TEXT_H

#include <kith/condition.h>
#include <kith/query.h>
#include <kith/reader.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a query from a text of terms and `where`, maybe with `order by parents first` or `order by
 * children first`, which is a kith_order. It is freed by kith_query_free, or with its world.
 *
 * NULL on failure. kith_error tells why, with line and column. So does `*error`, unless `error` is NULL;
 * line 0 means that the text is not the reason: memory ran out.
 *
 * explain, within, group by, select, order by anything else, and limit are mistakes here: they are for
 * kith_select_new. */
KITH_API kith_query *kith_query_text(kith_world *world, const char *text, kith_text_error *error);

/* Writes a query's text in its normal form, with single spaces and no needless brackets. It is read as
 * the same query. Names are not looked up. Like snprintf, it writes at most `size` bytes, with a zero
 * at the end; `*length`, unless `length` is NULL, becomes the length of the whole.
 *
 * KITH_ERR_INPUT    the text is wrong; see kith_query_text
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_query_text_tidy(kith_world *world, const char *text, char *tidy,
                                          size_t size, size_t *length, kith_text_error *error);

/* Writes how a query would find its entities now, and why: three lines for people, like snprintf. Their
 * wording may change. `*length`, unless `length` is NULL, becomes the length of the whole text.
 *
 *     plan: hash of Team (number)
 *     rows: about 12 of 10000, in tables
 *     why: asking all takes longer
 *
 * A query with conditions on values finds indexes by itself, see docs/indexes.md: the plan is an index,
 * or `scan`, if all rows are asked. The rows are estimates by counts that are there anyway. One more
 * line tells what is asked of other entities, if anything is:
 *
 *     follows: Targets -> Health, up(Position)
 *
 * And one more tells of a kith_order:
 *
 *     order: parents first
 *
 * With `analyze` the query is counted too, as kith_query_count does, and the last line tells what was
 * met:
 *
 *     met: 12 of 12 rows asked, in 0.004 ms
 *
 * KITH_ERR_INPUT   a parameter has no value */
KITH_API kith_result kith_query_explain(kith_query *query, bool analyze, char *text, size_t size,
                                        size_t *length);

/* Writes a mistake in a text as three lines, like snprintf: the message, the line of the text, and a
 * caret below the place. Of a long line it shows the part around the place.
 *
 *     line 1, column 16: expected a component that is registered (did you mean Velocity?), found ...
 *         Position, write Velocty
 *                         ^ */
KITH_API size_t kith_print_text_error(const char *text, const kith_text_error *error, char *shown,
                                      size_t size);

#ifdef __cplusplus
}
#endif
#endif
