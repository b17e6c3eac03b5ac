/* Kith: names of entities, by which they are found, and which messages show.
 *
 *     kith_set_name(world, ship, "ship");
 *     kith_set_name(world, turret, "turret");
 *     kith_set_parent(world, turret, ship);
 *     kith_entity found = kith_find(world, "ship/turret");
 *
 * A name is unique among siblings: entities with the same parent (<kith/hierarchy.h>), or without
 * one. A call that would give two siblings the same name fails with KITH_ERR_CONFLICT and changes
 * nothing; kith_error names both. That goes for what writes names and for what gives an entity
 * another parent, or none: kith_set, kith_set_field, spawning, kith_set_parent, kith_remove,
 * kith_commands_apply, which looks at how all is after the last command, kith_transfer and
 * kith_diff_apply. A clone has no name, except below the root of a cloned tree.
 *
 * A name is a component, kith_name, which a world, and so a scene and a query in text, knows as
 * EntityName: programs often have a component Name of their own. It is guarded, as a unique key is:
 * its values are not written through pointers and arrays. A command buffer queues a name as any
 * other value:
 *     kith_text text;
 *     kith_text_intern(world, "turret", &text);
 *     KITH_SET(commands, turret, kith_name, {text});
 *
 * A name has at least one byte, no "/" and no zero byte, and is not "." or "..": else what would
 * set it fails with KITH_ERR_INPUT. Upper and lower case are different. The layout is KITH_SLOT, or
 * KITH_SPARSE where kith_register says so; hooks are KITH_ERR_INPUT. */
#ifndef KITH_NAME_H
#define KITH_NAME_H

#include <kith/condition.h>
#include <kith/hierarchy.h>
#include <kith/text.h>

/* The name of an entity. */
typedef struct kith_name {
    kith_text text;
} kith_name;

#ifdef __cplusplus
KITH_UNUSED_ static const kith_description_ kith_name_type("EntityName",
                                                           (uint32_t)sizeof(kith_name),
                                                           (uint32_t)alignof(kith_name), 0,
                                                           {KITH_FIELD(kith_name, text)}, KITH_SLOT,
                                                           false, false, 0u);
KITH_TYPE_OF_(kith_name);
#else
KITH_UNUSED_ static const kith_field kith_name_fields[] = {KITH_FIELD(kith_name, text)};
KITH_UNUSED_ static uint32_t kith_name_number;
KITH_UNUSED_ static const kith_type kith_name_type = {"EntityName",
                                                      (uint32_t)sizeof(kith_name),
                                                      (uint32_t) _Alignof(kith_name),
                                                      0,
                                                      1,
                                                      kith_name_fields,
                                                      &kith_name_number,
                                                      KITH_SLOT,
                                                      false,
                                                      false,
                                                      0};
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Gives an entity a name, which the world copies; NULL or "": it has none from now on.
 * KITH_ERR_DEAD      the entity is not alive
 * KITH_ERR_CONFLICT  a sibling has the name; kith_error names both
 * KITH_ERR_INPUT     it cannot be a name
 * KITH_ERR_MEMORY, KITH_ERR_LIMIT (kith_text_intern)
 * Misuse while a query is open, if the entity gets or loses its name by that. */
KITH_API kith_result kith_set_name(kith_world *world, kith_entity entity, const char *name);

/* The name that an entity has; NULL: it has none, or is dead. The text stays in place until the
 * world is freed. The world's owner may call this and all below, and so may systems, without
 * declaring the type: no system writes names. */
KITH_API const char *kith_name_of(const kith_world *world, kith_entity entity);

/* The entity at a path of names, "ship/turret/barrel", from those without a parent on; KITH_NONE: there
 * is none. Each name takes two looks into tables of hashes. A "/" in front makes no difference. */
KITH_API kith_entity kith_find(const kith_world *world, const char *path);

/* The same from an entity on: its child by the first name, the child of that by the second, and so on.
 * "." is the entity itself, ".." its parent, also in the middle of a path. A path with "/" in front
 * begins as kith_find does; so do all with KITH_NONE. */
KITH_API kith_entity kith_find_from(const kith_world *world, kith_entity entity, const char *path);

/* The child with a name; KITH_NONE as `parent`: the entity without a parent that has it. KITH_NONE:
 * there is none. */
KITH_API kith_entity kith_find_child(const kith_world *world, kith_entity parent, const char *name);

/* Conditions of queries (<kith/condition.h>) about the path of an entity, as kith_path writes it. An
 * entity without one does not satisfy them. A "/" in front makes no difference.
 *
 *     KITH_IF_PATH("ship/turret")         the entity that kith_find finds
 *     KITH_IF_PATH_LIKE("ship/barrel*")   "*" is for any bytes of a name, or none
 *
 * In KITH_IF_PATH_LIKE, a name that is "**" stands for any number of names, or none.
 *
 * Instead of a text, both take a kith_text or kith_bound. Names alone are asked as any field:
 * KITH_IF_PREFIX(kith_name, text, "tur"). */
#define KITH_IF_PATH(...) KITH_IF_PATH_(KITH_OP_PATH, __VA_ARGS__)
#define KITH_IF_PATH_LIKE(...) KITH_IF_PATH_(KITH_OP_PATH_LIKE, __VA_ARGS__)
#define KITH_IF_PATH_(its_op, ...)                                                                 \
    {                                                                                              \
        &kith_name_type, KITH_ACCESS_NONE, KITH_MUST, 0, &(const kith_condition)                   \
        {                                                                                          \
            .op = (its_op), .value = KITH_OPERAND_((__VA_ARGS__))                                  \
        }                                                                                          \
    }

/* Writes the path by which kith_find finds an entity, cut to `size` bytes with the zero that ends
 * it, and returns its length without the zero, as snprintf does. 0, and "": the entity is dead, or
 * it or one of its ancestors has no name. `buffer` may be NULL if `size` is 0. */
KITH_API size_t kith_path(const kith_world *world, kith_entity entity, char *buffer, size_t size);

#ifdef __cplusplus
}
#endif
#endif
