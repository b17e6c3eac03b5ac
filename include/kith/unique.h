/* Kith: unique keys: no two living entities have the same.
 *
 *     KITH_UNIQUE(world, Account, id);
 *     ...
 *     KITH_SET(world, player, Account, {.id = 17, .name = "ziggy"});
 *     kith_entity who = KITH_FIND_UNIQUE(world, Account, {.id = 17});
 *
 * A call that would give two entities the same key fails with KITH_ERR_CONFLICT and changes nothing;
 * kith_error names the type, the key and both entities. That goes for all that writes values: kith_set,
 * kith_add, whose value is zero bytes, kith_set_field, spawning, cloning, kith_commands_apply, which
 * checks the state after its last command, kith_transfer and kith_diff_apply.
 *
 * A type with a unique key is guarded: its values cannot be written through pointers and arrays, since
 * no call would see it. KITH_GET_MUT, and queries with KITH_WRITE of the type, are misuse. */
#ifndef KITH_UNIQUE_H
#define KITH_UNIQUE_H

#include <kith/index.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_unique_def {
    /* KITH_FIELDS(T, a, b) fills in these two: one to six fields, which are unique together, and NULL
     * after them. */
    const kith_type *type;
    const char *fields[KITH_INDEX_FIELDS];
} kith_unique_def;

/* Makes some fields of a component, in any layout, a unique key from now on. They are whole numbers,
 * bools, enums, entities, interned texts or texts in arrays of char. Entities without the component have
 * no key. That it is unique is not part of snapshots and of kith_world_hash, and stays so when one
 * is restored; views of a snapshot and forks have the keys of their world. It looks at all entities
 * once, and pointers from kith_get_mut into values of the type die. A type that is not registered is
 * registered, which may fail: see kith_register. Misuse while a query is open.
 * KITH_ERR_CONFLICT  two entities have the same, and kith_error names them; or the type has a unique key
 *                    already, a query writes it, or there are snapshots, which may hold the same twice
 * KITH_ERR_TYPE      the type has hooks
 * KITH_ERR_INPUT     there is no field, or one after a NULL, or one is of another kind
 * KITH_ERR_UNKNOWN   there is no such field
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_unique_new(kith_world *world, const kith_unique_def *def);

/* Ends the unique key of a type: its values may be equal again, and are written like any others. A type
 * without a unique key is fine, and so is NULL. Misuse while a query is open. */
KITH_API void kith_unique_free(kith_world *world, const kith_type *type);

/* The entity whose key has the same fields as `*value`, which is a value of the type; its other fields
 * do not count. KITH_NONE: nobody has it. Takes one hash lookup, and nothing has to be brought up to
 * date. The world's owner may call, and so may systems, without declaring the type: no system
 * writes its values.
 *
 * Misuse: the type has no unique key. */
KITH_API kith_entity kith_unique_find(const kith_world *world, const kith_type *type,
                                      const void *value);

#ifndef __cplusplus
/* KITH_UNIQUE(world, Account, id): kith_unique_new. A field that T does not have does not compile. */
#define KITH_UNIQUE(world, T, ...)                                                                 \
    kith_unique_new((world), &(kith_unique_def){KITH_FIELDS(T, __VA_ARGS__)})

/* KITH_FIND_UNIQUE(world, Account, {.id = 17}): kith_unique_find. */
#define KITH_FIND_UNIQUE(world, T, ...)                                                            \
    kith_unique_find((world), &T##_type, (const T[1]){__VA_ARGS__})
#endif

#ifdef __cplusplus
}
#endif
#endif
