/* Kith: terms of other entities: queries that follow relations.
 *
 *     kith_query *turrets = KITH_QUERY(world, KITH_READ(Turret), KITH_UP(KITH_READ(Position)),
 *                                      KITH_VIA(Targets, KITH_READ(Health)),
 *                                      KITH_VIA(Targets, KITH_IF(Health, current, <, 20)));
 *     for (kith_iter it = kith_query_iter(turrets); kith_next(&it);) {
 *         for (uint32_t i = 0; i < it.count; i++) {
 *             const Position *ship = KITH_TERM_AT(&it, 1, i, Position);
 *             const Health *enemy = KITH_TERM_AT(&it, 2, i, Health);
 *
 * Such a term asks the target of a relation, or an ancestor, what another term would ask the entity:
 *
 *     KITH_READ(T)      the other entity has T; its value is read
 *     KITH_WITH(T)      it has T
 *     KITH_WITHOUT(T)   it does not have T
 *     KITH_OPTIONAL(T)  the value; NULL if there is no such entity, or it does not have T
 *     KITH_ANY_OF(T, n) the same, and one of group n is there, here or in terms of any entity
 *     KITH_IF(T, ...)   it has T, with such a value; of KITH_VIA, also KITH_IF_ANY and the like
 *
 * An entity without the relation has no target, and satisfies KITH_OPTIONAL only, or KITH_ANY_OF if
 * another one of the group is there.
 *
 * The values are read by KITH_TERM_AT alone, with the number of the term, which is counted from 0 among
 * those that are no conditions. A query has one term for a type of the entity itself, which KITH_AT and
 * KITH_COLUMN find, and any number of terms of other entities. These do not write, and do not ask for
 * changes: to write, use a lookup or a command.
 *
 * Batches have the entities that match, in the order of the scan, as always. Where the values of other
 * entities are is found once for a batch, when it is handed out or when they are asked for.
 *
 * A loop that goes from parents to children (`.order = KITH_PARENTS_FIRST`) may write what such a term
 * reads of ancestors: they were visited in batches before.
 *
 * In KITH_IF_ANY and the like, KITH_VIA and KITH_UP are about KITH_WITH, KITH_WITHOUT and conditions. */
#ifndef KITH_VIA_H
#define KITH_VIA_H

#include <kith/condition.h>
#include <kith/hierarchy.h>

/* A term about the target of the relation R; of links (KITH_LINKS), about what they lead to by `target`.
 * There may be up to four relations one after the other, and an ancestor at the end:
 *     KITH_VIA(Targets, KITH_VIA(DockedAt, KITH_READ(Name)))
 *     KITH_VIA(Targets, KITH_UP(KITH_READ(Team)))
 *
 * Then kith_query_new fails with KITH_ERR_INPUT if R is not a relation, or if it is about a term that is
 * not in the list above. It is misuse if that writes. */
#define KITH_VIA(R, ...) KITH_VIA_(R, 0, NULL, __VA_ARGS__)

/* The same by any field that is a kith_entity, of a component or of links. A handle of an entity that
 * is dead leads nowhere.
 *     KITH_VIA_FIELD(Likes, source, KITH_READ(Health))
 *     KITH_VIA_FIELD(Bullet, shooter, KITH_WITH(Player)) */
#define KITH_VIA_FIELD(T, its_field, ...)                                                          \
    KITH_VIA_(T, (uint32_t)sizeof(((T *)0)->its_field), #its_field, __VA_ARGS__)

/* A term about the nearest ancestor that has the component in question: the parent, or the parent of
 * that, and so on. KITH_UP(KITH_WITHOUT(T)) says that no ancestor has T; there need not be one. Of
 * conditions it takes those about one field. It takes time in proportion to how far away that is. */
#define KITH_UP(...)                                                                               \
    {                                                                                              \
        &kith_child_of_type, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)               \
        {                                                                                          \
            .op = KITH_OP_NEAREST, .terms = KITH_TERMS(__VA_ARGS__)                                \
        }                                                                                          \
    }

/* ---- Comparing entities
 *
 * A condition may compare a field with what another entity has, or with the entity that the query is
 * about:
 *
 *     KITH_VIA(Targets, KITH_IF(Targets, target, ==, KITH_THIS))          they aim at each other
 *     KITH_IF(Team, number, !=, KITH_ITS_VIA(Targets, KITH_ITS(Team, number)))
 *     KITH_IF(Targets, target, ==, KITH_ITS_VIA(kith_child_of, KITH_ITS(Targets, target)))
 *     KITH_VIA(Targets, KITH_IF(Team, number, ==, KITH_OF_THIS(KITH_ITS(Team, number))))
 *
 * These stand for a value, as KITH_ITS does. They begin at the entity that the condition is about, which
 * in KITH_VIA is the target; KITH_OF_THIS begins at the entity that the query is about. If there is no
 * such entity, or it does not have the component, the condition does not hold. */

/* The entity that the query is about: the one that its batches have. */
#define KITH_THIS kith_operand_of_(KITH_OPERAND_THIS, NULL, NULL, 0, NULL)

/* What KITH_ITS, KITH_ITS_VIA or KITH_ITS_UP say of that one. */
#define KITH_OF_THIS(...) KITH_OPERAND_OF_(KITH_OPERAND_THIS, NULL, NULL, 0, __VA_ARGS__)

/* What they say of the target of the relation R, or of what a field leads to; one after the other, as
 * KITH_VIA. */
#define KITH_ITS_VIA(R, ...)                                                                       \
    KITH_OPERAND_OF_(KITH_OPERAND_TARGET, &R##_type, NULL, 0, __VA_ARGS__)
#define KITH_ITS_VIA_FIELD(T, its_field, ...)                                                      \
    KITH_OPERAND_OF_(KITH_OPERAND_TARGET, &T##_type, #its_field,                                   \
                     (uint32_t)sizeof(((T *)0)->its_field), __VA_ARGS__)

/* KITH_ITS_UP(KITH_ITS(Team, number)): the value of the nearest ancestor that has the component. */
#define KITH_ITS_UP(...)                                                                           \
    KITH_OPERAND_OF_(KITH_OPERAND_NEAREST, &kith_child_of_type, NULL, 0, __VA_ARGS__)

/* The parts of these macros. */
#define KITH_VIA_(R, its_size, its_name, ...)                                                      \
    {                                                                                              \
        &R##_type, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                         \
        {                                                                                          \
            .op = KITH_OP_TARGET, .field = (its_name), .size = (its_size),                         \
            .terms = KITH_TERMS(__VA_ARGS__)                                                       \
        }                                                                                          \
    }
#define KITH_OPERAND_OF_(kind, type, field, size, ...)                                             \
    kith_operand_of_((kind), (type), (field), (size), (const kith_operand[]){__VA_ARGS__})

#endif
