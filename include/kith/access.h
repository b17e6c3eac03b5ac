/* Kith: private: kith_has, kith_get and kith_get_mut_or_null, and the same calls of systems, with their
 * usual case inline. KITH_HAS, KITH_GET and KITH_GET_MUT call these, and so do the methods of C++.
 *
 * Each finds what the function of its name finds, and calls it wherever something is unusual: another
 * thread, a type that the world does not know or the system not declare, a block that may not be written
 * yet. */
#ifndef KITH_ACCESS_H
#define KITH_ACCESS_H

#include <kith/inline.h>
#include <kith/system.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline bool kith_has_(const kith_world *world, kith_entity entity, const kith_type *type)
{
    const struct kith_place_ *place = kith_place_of_(world, type);
    return KITH_LIKELY_(place != NULL) ? kith_is_at_(place, entity) : kith_has(world, entity, type);
}

static inline const void *kith_get_(const kith_world *world, kith_entity entity,
                                    const kith_type *type)
{
    const struct kith_place_ *place = kith_place_of_(world, type);
    return KITH_LIKELY_(place != NULL && type->size != 0)
               ? kith_value_(place, entity, type->size, false)
               : kith_get(world, entity, type);
}

static inline void *kith_get_mut_(kith_world *world, kith_entity entity, const kith_type *type)
{
    const struct kith_place_ *place = kith_place_of_(world, type);
    void *value = KITH_LIKELY_(place != NULL && type->size != 0)
                      ? kith_value_(place, entity, type->size, true)
                      : NULL;
    return KITH_LIKELY_(value != NULL) ? value : kith_get_mut_or_null(world, entity, type);
}

/* The same for an iterator: inline when the call of a system does it with a type again. */
static inline bool kith_system_has_(const kith_iter *it, kith_entity entity, const kith_type *type)
{
    const struct kith_place_ *place =
        it == NULL ? NULL : kith_granted_(it->task, type, KITH_ACCESS_NONE);
    return KITH_LIKELY_(place != NULL) ? kith_is_at_(place, entity)
                                       : kith_system_has(it, entity, type);
}

static inline const void *kith_system_get_(const kith_iter *it, kith_entity entity,
                                           const kith_type *type)
{
    const struct kith_place_ *place =
        it == NULL ? NULL : kith_granted_(it->task, type, KITH_ACCESS_READ);
    return KITH_LIKELY_(place != NULL && type->size != 0)
               ? kith_value_(place, entity, type->size, false)
               : kith_system_get(it, entity, type);
}

static inline void *kith_system_get_mut_(const kith_iter *it, kith_entity entity,
                                         const kith_type *type)
{
    const struct kith_place_ *place =
        it == NULL ? NULL : kith_granted_(it->task, type, KITH_ACCESS_WRITE);
    void *value = KITH_LIKELY_(place != NULL && type->size != 0)
                      ? kith_value_(place, entity, type->size, true)
                      : NULL;
    return KITH_LIKELY_(value != NULL) ? value : kith_system_get_mut_or_null(it, entity, type);
}

#ifdef __cplusplus
}
#endif
#endif
