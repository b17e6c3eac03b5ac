/* Kith: namers: names of entities in messages.
 *
 * A message that tells of an entity prints its handle. With a namer, it prints the name as well:
 *     kith_transfer: "turret" (Entity(12v3)) is not alive
 *
 * Where no namer knows the entity, it is the name that the entity has itself (<kith/name.h>), after
 * those of its ancestors: "ship/turret". A scene names the entities that it made (<kith/scene.h>).
 * For other names, add a namer:
 *     static kith_namer names = { .name = name_of, .context = &level };
 *     kith_namer_add(world, &names); */
#ifndef KITH_NAMER_H
#define KITH_NAMER_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One that knows names of entities of a world. It is yours, and stays where it is while it is added.
 * Zeros where nothing is said. */
typedef struct kith_namer {
    /* The name of an entity, dead or alive, any bit pattern; NULL or "" if it has none here. Called
     * while a message is made, in the middle of any call, so it must neither call the world nor
     * allocate. The text is copied at once. */
    const char *(*name)(void *context, kith_entity entity);
    void *context; /* handed to `name` */

    kith_world *world; /* that it is added to: set by the calls here, NULL if there is none */
    struct kith_namer *next_, *previous_;
} kith_namer;

/* Has the world's messages ask a namer, before those that were added earlier. Allowed while queries
 * are open. Misuse: it is added already, here or to another world; it has no `name`. */
KITH_API void kith_namer_add(kith_world *world, kith_namer *namer);

/* Takes a namer away. One that is not added, or whose world was freed, is fine, and so is NULL. */
KITH_API void kith_namer_remove(kith_namer *namer);

/* An entity for a message, by value, so that it can be an argument of printf:
 *     kith_log(world, KITH_LOG_INFO, "%s fell", kith_entity_describe(world, entity).text);
 * Prints `"turret" (Entity(12v3))`, a name of more than 91 bytes cut and its control characters as
 * `?`, or `Entity(12v3)` if no namer knows the entity and it has no name of its own. Any thread may
 * call. Only the world's owner gets names, and it gets none from within query systems and hooks:
 * others cannot know whether names change meanwhile. */
typedef struct kith_entity_description {
    char text[128];
} kith_entity_description;

KITH_API kith_entity_description kith_entity_describe(const kith_world *world, kith_entity entity);

#ifdef __cplusplus
}
#endif
#endif
