/* Kith: pairs: queries whose rows have several entities, which relations link.
 *
 *     KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
 *
 *     kith_query *rivals = KITH_QUERY(world, KITH_READ(Person),                    a: number 0
 *                                     KITH_PAIR(Likes, 0, 1),                      a likes b
 *                                     KITH_PAIR(Likes, 2, 1),                      so does c
 *                                     KITH_OTHER(2, KITH_READ(Person)));
 *     for (kith_iter it = kith_query_iter(rivals); kith_next_rows(&it);) {
 *         const kith_entity *a = kith_entities(&it), *b = kith_others(&it, 1), *c = kith_others(&it, 2);
 *         for (uint32_t i = 0; i < it.count; i++) {
 *             const Person *rival = KITH_TERM_AT(&it, 1, i, Person);               of c[i]
 *
 * The entities of a row have numbers. 0 is the one that the query is about, and that its other terms ask
 * as they always do. KITH_PAIR says which relation links two of them, and so finds the others: pairs are
 * followed in the order of the list, each from an end that is known to the other one. Where both are
 * known, it is checked. There is a row for each combination that is found, so an entity may be in any
 * number of rows.
 *
 *     KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 1, 0)                               they like each other
 *     KITH_PAIR(Likes, 0, 1), KITH_PAIR(Likes, 1, 2), KITH_PAIR(Likes, 2, 0)       a triangle
 *     KITH_PAIR(kith_child_of, 1, 0)                                         0, and each of its children
 *
 * Rows are in the order of the scan of number 0. Those of the same entity are in the order of the lists
 * that the first pair follows, then of the second one's, and so on: links from an entity, links to it,
 * or sources, in the order of kith_links_from, kith_links_to and kith_sources_of. Where both ends of
 * links are known, those from the source are in their order, and two entities with two links give two
 * rows. No index changes any of that. It takes time in proportion to the links that are followed.
 *
 * Rows come by kith_next_rows. KITH_AT and KITH_AT_MUT are about number 0, which may come several times
 * in a batch. kith_query_count counts rows, up to UINT32_MAX; kith_query_first, single and contains are
 * about number 0, single about an entity with one row. Live queries and observers have no pairs.
 *
 * In C++, use kith::pair, kith::other and kith::others of <kith/pair.hpp>. */
#ifndef KITH_PAIR_H
#define KITH_PAIR_H

#include <kith/via.h>

#ifdef __cplusplus
extern "C" {
#endif

#define KITH_ROW_ENTITIES 8u /* a row has up to so many, */
#define KITH_ROW_PAIRS 16u   /* and a query so many pairs */
#define KITH_ANY UINT32_MAX  /* in KITH_PAIR, instead of a number: any entity */

/* The relation R links entity `source` to entity `target`, numbers below KITH_ROW_ENTITIES: `target` is
 * its target or, of KITH_LINKS, there is a link from one to the other. One of them is 0, or in a pair
 * before. Numbers are given without gaps: a pair that finds number 2 comes with, or after, one that
 * finds 1.
 *
 * In KITH_IF_NOT and the other groups, it finds no entity, and asks whether two that the row has are
 * linked: KITH_IF_NOT(KITH_PAIR(Likes, 1, 0)). */
#define KITH_PAIR(R, source, target)                                                               \
    KITH_PAIR_OF_(&R##_type, KITH_NUMBER_(source), KITH_NUMBER_(target))

/* The same of KITH_LINKS, where the link is an entity of the row too:
 *     KITH_PAIR_BY(Likes, 2, 0, 1), KITH_OTHER(2, KITH_READ(Likes))
 * It may be number 0: then the query goes through all links, and finds both ends of each. */
#define KITH_PAIR_BY(R, link, source, target)                                                      \
    KITH_PAIR_OF_(&R##_type, KITH_NUMBER_(source), KITH_NUMBER_(target), KITH_NUMBER_(link))

/* In KITH_PAIR, KITH_ANY in the place of one end says that there is a link with any entity. It finds no
 * entity: the row stays one, however many links there are, and a query whose pairs are all like that has
 * one row for each entity, also by kith_next, and may be a live query.
 *     KITH_PAIR(Likes, KITH_ANY, 0)                    somebody likes it
 *     KITH_IF_NOT(KITH_PAIR(Likes, KITH_ANY, 0))       nobody likes it
 *     KITH_IF_NOT(KITH_PAIR(Likes, 1, KITH_ANY))       number 1 of the row likes nobody
 * It takes one look at the lists of links for each row. */

/* Two numbers of the row are the same entity. To leave that out: KITH_IF_NOT(KITH_IF_SAME(0, 2)). */
#define KITH_IF_SAME(number, other)                                                                \
    KITH_PAIR_OF_(NULL, KITH_NUMBER_(number), KITH_NUMBER_(other))

/* A term about an entity of the row: KITH_READ, KITH_WITH, KITH_WITHOUT, KITH_OPTIONAL, a condition,
 * KITH_VIA or KITH_UP. Values are read by KITH_TERM_AT, as those of KITH_VIA. It is asked as soon as the
 * entity is found.
 *     KITH_OTHER(1, KITH_READ(Health)), KITH_OTHER(1, KITH_IF(Health, current, <, 20)) */
#define KITH_OTHER(number, ...)                                                                    \
    {                                                                                              \
        NULL, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                              \
        {                                                                                          \
            .op = KITH_OP_OTHER, .offset = (number), .terms = KITH_TERMS(__VA_ARGS__)              \
        }                                                                                          \
    }

/* In conditions, as KITH_THIS and KITH_OF_THIS: the entity of the row, and what KITH_ITS, KITH_ITS_VIA
 * or KITH_ITS_UP say of it.
 *     KITH_IF(Health, current, <, KITH_OF_OTHER(1, KITH_ITS(Health, current)))
 *     KITH_OTHER(2, KITH_IF(Targets, target, !=, KITH_THE_OTHER(1))) */
#define KITH_THE_OTHER(number) kith_other_((number), NULL)
#define KITH_OF_OTHER(number, ...) kith_other_((number), (const kith_operand[]){__VA_ARGS__})

/* The entities with a number in the rows of a batch, one for each row, valid until the next batch. 0
 * gives those of kith_entities.
 * Misuse: there is no batch, or rows of the query have no such number. */
KITH_API const kith_entity *kith_others(const kith_iter *it, uint32_t number);

/* The parts of these macros. */
static inline kith_operand kith_other_(uint32_t number, const kith_operand *of)
{
    return kith_operand_of_(KITH_OPERAND_OTHER, NULL, NULL, number, of);
}
#define KITH_NUMBER_(number)                                                                       \
    {                                                                                              \
        .kind = KITH_OPERAND_OTHER, .length = (number)                                             \
    }
#define KITH_PAIR_OF_(type, ...)                                                                   \
    {                                                                                              \
        (type), KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                         \
        {                                                                                          \
            .op = KITH_OP_PAIR, .values = (const kith_operand[])                                   \
            {                                                                                      \
                __VA_ARGS__,                                                                       \
                {                                                                                  \
                    .kind = KITH_OPERAND_NONE                                                      \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

#ifdef __cplusplus
}
#endif
#endif
