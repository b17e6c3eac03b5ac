/* Kith: sorting: the order in which loops visit entities.
 *
 *     KITH_SORT(world, Sprite, layer);                 back to front, within each table
 *     KITH_SORT(world, Sprite, depth, .descending = true);
 *     kith_sort(world, &(kith_sort_def){.type = &Sprite_type, .compare = compare_sprites});
 *     kith_sort(world, &(kith_sort_def){.type = &Node_type, .order = KITH_PARENTS_FIRST});
 *
 * Sorting moves the rows of entities, once: each table by itself, and a KITH_SPARSE component's own set.
 * What changes later is not put in its place: new rows are at the end, and the last row fills the place
 * of one that leaves. Sort again when it matters; what is in order costs one look at its values. */
#ifndef KITH_SORT_H
#define KITH_SORT_H

#include <kith/query.h>
#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* By what to sort: `field`, `compare` or `order`. */
typedef struct kith_sort_def {
    const kith_type *type;
    const char *field; /* its name: "layer"; "color[2]" for one value of an array */
    bool descending;

    /* Less than 0 if value `a` comes before `b`, more than 0 if after it, 0 if neither. It must not call
     * into the world. What it says may be nonsense; then the order is too. */
    int (*compare)(const void *a, const void *b, void *user);
    void *user;

    /* By the hierarchy: KITH_PARENTS_FIRST or KITH_CHILDREN_FIRST. See kith_sort. */
    kith_order order;
} kith_sort_def;

/* Sorts the rows of every table that has a KITH_TABLE component, or the set of a KITH_SPARSE one, by its
 * values. Entities that are equal keep their order, ascending and descending: to sort by several keys,
 * sort by the last one first. Nothing happens to a table that is in order, nor to entities without the
 * component. The values of KITH_SLOT components are found by the entity's slot, and have no order.
 *
 * Numbers and enums are ordered by their values. Of floats, -0 and 0 are equal, all NaNs are equal, and
 * come after infinity. false comes before true. A KITH_CHAR is a byte from 0 to 255, an array of them
 * text up to the first zero or its end, ordered by bytes; so are interned texts. Handles are ordered by
 * slot, KITH_NONE first.
 *
 * With `order`, rows are ordered by the depth of their entities, as by a query with that `.order`;
 * within a depth, the children of one parent are together, in their order, and parents come in the
 * order of their own. Entities without a parent keep their order. So a sort by a field, and then by the
 * hierarchy, orders whole trees. Parents that the table does not have come after those that it has;
 * where they have none either, by slot. The type may be a tag then. It takes a pass over all entities
 * that have parents or children, and 8 bytes for each slot of the world while the call runs.
 *
 * Handles stay as they are. A row that moves is written, for KITH_CHANGED and for pointers, as when it
 * fills the place of another; exact changes see the same values. Pointers into tables that were out of
 * order die. While the call runs, it takes memory: up to 32 bytes for each row of these tables.
 *
 * KITH_ERR_INPUT     none or several of `field`, `compare` and `order`; the component is KITH_SLOT, or
 *                    a tag without `order`; the field has no order: bytes, KITH_OPAQUE, or an array
 *                    other than of KITH_CHAR
 * KITH_ERR_UNKNOWN   there is no such field; kith_error tells the nearest
 * KITH_ERR_MEMORY    nothing was moved
 * Misuse while a query is open. */
KITH_API kith_result kith_sort(kith_world *world, const kith_sort_def *def);

#ifndef __cplusplus
/* By a field; one that T does not have does not compile. After it may come `.descending = true`. */
#define KITH_SORT(world, T, ...) KITH_SORT_(world, T, __VA_ARGS__, .user = NULL)
#define KITH_SORT_(world, T, field_name, ...)                                                      \
    kith_sort((world), &(const kith_sort_def){                                                     \
                           .type = &T##_type,                                                      \
                           .field = sizeof(((T *)0)->field_name) != 0 ? #field_name : "",          \
                           __VA_ARGS__})
#endif

#ifdef __cplusplus
}
#endif
#endif
