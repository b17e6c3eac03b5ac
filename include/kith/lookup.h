/* Kith: lookups: values of one component by entity, for loops that follow many handles.
 *
 *     kith_lookup health = KITH_LOOKUP(world, Health);             or KITH_LOOKUP(it, Health)
 *     for (uint32_t i = 0; i < n; i++) {
 *         const Health *h = KITH_GET(&health, targets[i], Health);
 *         if (h != NULL) ...                                       NULL: dead, or without Health
 *     }
 *
 * What KITH_GET checks in each call, the thread, the world and what a system declares, is checked once,
 * when the lookup is made. The handle is checked each time, and what happens to entities and tables
 * meanwhile is seen.
 *
 * A lookup is a struct on the stack of the thread that made it. Two threads must not share one. It must
 * not be used after its world was freed, nor after the system that made it returned. */
#ifndef KITH_LOOKUP_H
#define KITH_LOOKUP_H

#include <kith/inline.h>
#include <kith/query.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kith_lookup {
    kith_result result;     /* KITH_OK, or why it could not be made: then it finds nothing */
    const kith_type *type_; /* private from here on; NULL: there are no values */
    const kith_world *world_;
    struct kith_place_ place_;
} kith_lookup;

/* A lookup of one component. A type that is not registered is: see kith_register.
 *
 * If it could not be made, `result` says why: KITH_ERR_MISUSE, or what registering returned. */
KITH_API kith_lookup kith_lookup_new(kith_world *world, const kith_type *type);

/* The same in a system, which must declare the component, as for kith_system_get: otherwise misuse. For
 * an iterator that the program opened itself it is kith_lookup_new of its world. */
KITH_API kith_lookup kith_system_lookup(const kith_iter *it, const kith_type *type);

/* Private: whether a type that is not the very one of a lookup is the same; reports misuse if not. */
KITH_API bool kith_lookup_fits_(const kith_world *world, const kith_type *own,
                                const kith_type *type);

/* Whether the entity is alive and has the component. */
static inline bool kith_lookup_has(const kith_lookup *lookup, kith_entity entity)
{
    return kith_is_at_(&lookup->place_, entity);
}

/* Private: KITH_HAS of a lookup. Misuse: `type` is not the lookup's. */
static inline bool kith_lookup_has_(const kith_lookup *lookup, kith_entity entity,
                                    const kith_type *type)
{
    return (KITH_LIKELY_(lookup->type_ == type) ||
            kith_lookup_fits_(lookup->world_, lookup->type_, type)) &&
           kith_lookup_has(lookup, entity);
}

/* The value, to read; NULL if the entity is dead or has none, and for a tag. It lives as long as one
 * from kith_get. Misuse: `type` is not the lookup's. */
static inline const void *kith_lookup_get(const kith_lookup *lookup, kith_entity entity,
                                          const kith_type *type)
{
    if (!KITH_LIKELY_(lookup->type_ == type) &&
        !kith_lookup_fits_(lookup->world_, lookup->type_, type)) {
        return NULL;
    }
    return kith_value_(&lookup->place_, entity, type->size, false);
}

#ifdef __cplusplus
}
#endif
#endif
