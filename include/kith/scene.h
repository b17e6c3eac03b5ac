/* Kith: scenes: entities and their components as a text that people write, and prefabs.
 *
 *     # A comment runs to the end of its line.
 *     prefab goblin
 *         Health { current = 20, max = 20 }
 *         Sprite { glyph = 'g', color = 2 }
 *         Asleep
 *
 *     prefab chief : goblin          # all that goblin has, except what is here
 *         Health { max = 50 }        # current stays 20
 *         - Asleep                   # is not inherited
 *
 *     entity player
 *         Position { x = 5, y = 10.5 }
 *         Sprite { glyph = '@' }
 *
 *     entity grunt : goblin
 *         Position { x = 9 }
 *         Hunts { target = player }  # by name, forwards or backwards; or none
 *
 *     entity : chief                 # needs no name
 *
 *     entity tank
 *         Position { x = 1 }
 *         child turret : turret {    # is one of its children: ChildOf { target = tank }
 *             Hunts { target = player }
 *             child flag
 *         }
 *
 * `entity` or `prefab`, first in a line, begins one; its name and the prefab that it extends are on
 * the same line. Each line after it is a component that is registered in the world, with its value
 * as in <kith/reflect.h>, which may go on over several lines. A component without a value, or a
 * field without one, has what is inherited, or else zero bytes. Where a component or field is
 * inherited, what the line says counts. Prefabs may come after those that extend them.
 *
 * Children come after the components of what they are written in. `{` at the end of the line begins
 * the lines of a child, and `}` in a line ends them. What extends a prefab has its children: `child
 * gun {...}` changes one that is inherited, `child turret/gun {...}` a deeper one, and `- child
 * turret` leaves one out. Names of children are their own among siblings. A value names them by a
 * path, turret/gun, whose first name is looked for among the children of the entity that has the
 * value, then of its parent, and so on; then it is that of an entity of the scene. In a prefab its
 * own name means what is made of it.
 *
 * A relation (see <kith/relation.h>) of an entity has a target, and a link of KITH_LINKS has both
 * ends. A circle of targets of one that is KITH_ACYCLIC is an error. Sources are linked in the order
 * of their entities in the scene.
 *
 * A map is drawn in characters. A sign of a prefab becomes an entity of that prefab, without a
 * name. Its fields `across` and `down` are its column and row, from 0:
 *
 *     map
 *         across Position.x          # any fields that take numbers
 *         down Position.y
 *         '#' = wall
 *         'g' = goblin
 *         |#########|
 *         |#..g    #|
 *         |#########|
 *
 * `.` and space are empty, unless the legend gives them (space cannot be given); other characters
 * that it does not give are errors. They are of one byte; the legend gives \ and ' as '\\' and
 * '\''. A row may be empty, and as long as it likes.
 *
 * Three more lines begin with a word of their own:
 *
 *     include "monsters.kith"        # counts as if the text of that file were here
 *     resource Gravity { y = 9.8 }   # the world's value of that type, see <kith/resource.h>
 *     entity bat : bat from cave     # of the prefabs of another scene: see kith_scene_library
 *
 * The path of an included file is relative to the file that includes it. A file that is included
 * twice counts once. A file that includes itself, also through others, is an error. A resource's
 * type is registered as a component, or the world has a resource of it.
 *
 * Names of entities and prefabs are of letters, digits, `_` and `.`, and do not start with a digit.
 * The kith_scene knows them and, unless the definition has `entity_names`, the world does not. While
 * the scene lives, messages about entities that it made last print their names too: see
 * kith_entity_describe. A prefab and an entity may have the same name. A component that is called
 * "entity", "prefab", "child", "map", "include" or "resource" is written in quotes.
 *
 * A text has less than 2^32 bytes, in lines of any length. Lists within values nest, and
 * so do children, to any depth. Prefabs may extend prefabs to any depth, and files include files to
 * any depth. Children that are inherited make no more than 2^24 entities and prefabs. A byte order
 * mark at the start is skipped.
 *
 * This is a kit: a library of its own, kith::scene. Calls are the world's owner's, except those
 * that only ask a scene or a prefab, from kith_scene_find to kith_prefab_get: any thread may ask,
 * while no thread spawns, changes or frees the scene. The thread that fills a buffer may call
 * kith_prefab_queue. */
#ifndef KITH_SCENE_H
#define KITH_SCENE_H

#include <kith/commands.h>
#include <kith/query.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a text says: entities, their names, resources and prefabs. It keeps the text as well, to
 * save it again. It belongs to the world that it was read for, and its memory counts for that
 * world's limit. You free it, before or after the world; other calls come before. */
typedef struct kith_scene kith_scene;

/* A prefab of a scene, which lives as long as the scene. */
typedef struct kith_prefab kith_prefab;

/* What is wrong, and where. Written by calls that fail with anything but KITH_ERR_MISUSE. */
typedef struct kith_scene_error {
    char file[256];    /* the path that was given, or of an included file; "" if there was none. Cut
                          off if it is longer */
    uint32_t line;     /* from 1; 0 if no place in a text is to blame */
    uint32_t column;   /* from 1, in bytes */
    char message[512]; /* one line: what was expected, and what was found instead */
} kith_scene_error;

/* ---- Loading ------------------------------------------------------------------------------- */

/* Reads a text of `length` bytes, any bytes, makes its entities, in its order, and sets its
 * resources: all or none. On failure the world is as it was. `scene` may be NULL if neither names
 * nor prefabs are wanted; `error` may be NULL. A text from memory includes nothing: see
 * kith_scene_new.
 *
 * KITH_ERR_INPUT    the text is not a scene for this world: `*error` tells the first place
 * KITH_ERR_LIMIT    the text has 2^32 bytes or more, or 2^24 entities; or kith_commands_apply's or
 *                   kith_text_intern's
 * KITH_ERR_MEMORY
 * After the last two, texts that were interned before stay.
 * Misuse while a query is open. */
KITH_API kith_result kith_scene_load(kith_world *world, const char *text, size_t length,
                                     kith_scene **scene, kith_scene_error *error);

/* The same from a file.
 * KITH_ERR_IO      it cannot be read, or a file that it includes: `*error` tells why
 * KITH_ERR_INPUT   also for a byte that is zero, wherever it is. Others as above */
KITH_API kith_result kith_scene_load_file(kith_world *world, const char *path, kith_scene **scene,
                                          kith_scene_error *error);

/* Reads a text without making anything: for a file of prefabs, or a level or group of entities that
 * will be made more than once. Results as for kith_scene_load. Allowed while queries are open. */
KITH_API kith_result kith_scene_parse(kith_world *world, const char *text, size_t length,
                                      kith_scene **scene, kith_scene_error *error);
KITH_API kith_result kith_scene_parse_file(kith_world *world, const char *path, kith_scene **scene,
                                           kith_scene_error *error);

/* Another scene, and the name that a text gives it to use its prefabs: `bat from cave`. A prefab is
 * copied when the text is read, so the other scene may be freed before the new one. Where the values
 * of a prefab name an entity, it is the one that the other scene had made last at that time. */
typedef struct kith_scene_library {
    const char *name;        /* a name, like those of prefabs */
    const kith_scene *scene; /* of the same world */
} kith_scene_library;

/* Gives the text of an included file, any bytes. They need to stay until the next call only.
 * `path` is relative to what the including file's path is relative to. Returns KITH_OK, or an error
 * that becomes that of the reading call. */
typedef kith_result (*kith_scene_open_fn)(void *context, const char *path, const char **text,
                                          size_t *length);

/* What to read. Set `text` or `path`; the rest may be zero. */
typedef struct kith_scene_def {
    const char *text; /* NULL: that of the file at `path` */
    size_t length;
    const char *path; /* for errors, and what included files are relative to; may be NULL */

    /* NULL: included files are read from the disk, except for a `text` without a `path`, which
     * includes nothing. The file at `path` itself is always read from the disk. */
    kith_scene_open_fn open;
    void *context; /* handed to `open` */

    const kith_scene_library *libraries;
    uint32_t library_count;

    /* Entities and children get their names in the text as EntityNames too, so that kith_find finds
     * "tank/turret". Where a line says EntityName or - EntityName, that counts. Names of prefabs,
     * and of their entities in a map, are none. */
    bool entity_names;
} kith_scene_def;

/* Reads a text without making anything, like kith_scene_parse, in one of the ways that `def` tells.
 * Results as for kith_scene_parse_file, and those of `open`. */
KITH_API kith_result kith_scene_new(kith_world *world, const kith_scene_def *def,
                                    kith_scene **scene, kith_scene_error *error);

/* Makes all entities of a scene, in the order of kith_scene_at, and sets its resources: all or
 * none. May be called again and again: each time makes new entities, and their references are to
 * one another. Those that were added with kith_scene_add leave the scene.
 * KITH_ERR_TYPE     a resource's type got hooks since the text was read
 * KITH_ERR_DEAD     the target of a relation is an entity of another scene, which is not alive
 * KITH_ERR_CONFLICT the world has a resource of that name and another type; or two siblings would have
 *                   the same EntityName, or two entities the same unique key
 * KITH_ERR_MEMORY   the world is as it was, and the scene as well
 * KITH_ERR_LIMIT    as for kith_scene_load
 * Misuse while a query is open. */
KITH_API kith_result kith_scene_spawn(kith_scene *scene);

/* Frees a scene with its prefabs; its entities live on. NULL is fine. */
KITH_API void kith_scene_free(kith_scene *scene);

/* ---- Its entities --------------------------------------------------------------------------- */

/* The entity of that name, or of a path of names, "tank/turret", that was made last; KITH_NONE if
 * none was, or the scene has no such name. Whether it still lives is not asked. */
KITH_API kith_entity kith_scene_find(const kith_scene *scene, const char *name);

/* How many entities the text has, and those that were made last, in its order; children come after
 * their root, inherited ones first. KITH_NONE if none were made, and for numbers of
 * `kith_scene_count` and above. Those that were added come after them. */
KITH_API uint32_t kith_scene_count(const kith_scene *scene);
KITH_API kith_entity kith_scene_at(const kith_scene *scene, uint32_t index);

/* The name of an entity of the text, of a child the last one of its path; "" if it has none; NULL
 * for numbers of `kith_scene_count` and above. Lives as long as the scene. */
KITH_API const char *kith_scene_name(const kith_scene *scene, uint32_t index);

/* The number of an entity that the scene made last or that was added, dead or alive; UINT32_MAX if
 * it is not one of them. Takes time in proportion to the scene's entities. */
KITH_API uint32_t kith_scene_index_of(const kith_scene *scene, kith_entity entity);

/* The paths of the files that the scene was read from: that of the text itself first, "" if it has
 * none, then those that were included; NULL after the last. */
KITH_API const char *kith_scene_file(const kith_scene *scene, uint32_t index);

/* A place in a text: for errors of your own, beside those of reading. */
typedef struct kith_scene_place {
    uint32_t line;   /* from 1 */
    uint32_t column; /* from 1, in bytes */
    uint32_t file;   /* for kith_scene_file */
} kith_scene_place;

/* Where the text has an entity: the word that begins it, or its sign in a map; for a child that is
 * inherited that of its root. For the number
 * `kith_scene_count` the end of the text, where another one could be; zeros for numbers above, and
 * for entities that were added. */
KITH_API kith_scene_place kith_scene_place_at(const kith_scene *scene, uint32_t index);

/* ---- Kinds of entities ------------------------------------------------------------------------
 *
 * Which prefab an entity was made of, for queries. Where the world has registered the type when a
 * scene is read, every entity of a prefab of that scene gets one, with the name of the prefab:
 *     KITH_TYPES(world, kith_is_a);
 *     KITH_QUERY(world, KITH_IF(kith_is_a, prefab, ==, "goblin"))
 * and in text: "* where IsA.prefab = 'goblin'". An entity of a prefab that extends goblin has its own
 * name there. KITH_IF_IS_A finds both: `kinds` has the names of all that the prefab extends, from the
 * first one on, and its own, with a space on both sides of each: " goblin chief ". They may have 4,096
 * bytes together. */
typedef struct kith_is_a {
    kith_text prefab;
    kith_text kinds;
} kith_is_a;

/* A condition: the entity is of this prefab, or of one that extends it. The name is a literal.
 *     KITH_QUERY(world, KITH_IF_IS_A("goblin"))
 * In text: "* where IsA.kinds contains ' goblin '". */
#define KITH_IF_IS_A(name) KITH_IF_CONTAINS(kith_is_a, kinds, " " name " ")

#ifdef __cplusplus
KITH_UNUSED_ static const kith_description_ kith_is_a_type("IsA", (uint32_t)sizeof(kith_is_a),
                                                           (uint32_t)alignof(kith_is_a), 0,
                                                           {KITH_FIELD(kith_is_a, prefab),
                                                            KITH_FIELD(kith_is_a, kinds)},
                                                           KITH_SLOT, false, false);
KITH_TYPE_OF_(kith_is_a);
#else
KITH_UNUSED_ static const kith_field kith_is_a_fields[] = {KITH_FIELD(kith_is_a, prefab),
                                                           KITH_FIELD(kith_is_a, kinds)};
KITH_UNUSED_ static uint32_t kith_is_a_number;
KITH_UNUSED_ static const kith_type kith_is_a_type = {"IsA",
                                                      (uint32_t)sizeof(kith_is_a),
                                                      (uint32_t) _Alignof(kith_is_a),
                                                      0,
                                                      2,
                                                      kith_is_a_fields,
                                                      &kith_is_a_number,
                                                      KITH_SLOT,
                                                      false,
                                                      false,
                                                      0};
#endif

/* ---- Prefabs --------------------------------------------------------------------------------
 *
 * A prefab with children is made as a whole: what its values name within it is what is made with
 * it. Another entity that a prefab's value names is the one that kith_scene_spawn made last, and
 * KITH_NONE before that. A relation without a living target fails what spawns it, with
 * KITH_ERR_DEAD, and what would close a circle of targets with KITH_ERR_CYCLE. */

/* The prefab of that name; NULL if there is none. */
KITH_API const kith_prefab *kith_scene_prefab(const kith_scene *scene, const char *name);

/* All of them, in the order of the text: NULL after the last. */
KITH_API const kith_prefab *kith_scene_prefab_at(const kith_scene *scene, uint32_t index);

/* Its name, which lives as long as the scene. */
KITH_API const char *kith_prefab_name(const kith_prefab *prefab);

/* Copies the value that its entities get, to be changed and given as an override. Tags take NULL.
 * KITH_ERR_ABSENT   it has no such component
 * KITH_ERR_TYPE     its size is another */
KITH_API kith_result kith_prefab_get(const kith_prefab *prefab, const kith_type *type, void *value);

/* Makes an entity of a prefab, and its children. A value in `values` replaces the component of that
 * type which the prefab itself has, or is added to it. Of two of the same type the last one counts.
 * `entity`, which may be NULL, becomes the root.
 * Results as for kith_spawn, but KITH_ERR_CONFLICT; with children those of kith_commands_apply too.
 * Misuse while a query is open. */
KITH_API kith_result kith_prefab_spawn(const kith_prefab *prefab, const kith_value *values,
                                       uint32_t value_count, kith_entity *entity);

/* Makes `count` of them, all or none, as kith_spawn_many does; the same holds for `values`.
 * `entities` are the roots. */
KITH_API kith_result kith_prefab_spawn_many(const kith_prefab *prefab, uint32_t count,
                                            const kith_values *values, uint32_t value_count,
                                            kith_entity *entities);

/* Queues one, and returns the provisional handle of its root. Takes no memory of its own, unless it
 * makes more than 64 entities or has a value of more than 256 bytes that names one of them: if it
 * runs out, nothing is queued. The thread that fills the buffer may call it, unless another thread
 * spawns the scene at the same time. KITH_NONE on failure: see kith_commands_error. Misuse if the
 * buffer is of another world than the scene. */
KITH_API kith_entity kith_prefab_queue(const kith_prefab *prefab, kith_commands *commands,
                                       const kith_value *values, uint32_t value_count);

/* A value for an entity that a prefab makes: {"turret/gun", KITH_VALUE(Gun, {2, 0})}. */
typedef struct kith_part_value {
    const char *path; /* names of children, from one of the root on; "" or NULL: the root */
    kith_value value;
} kith_part_value;

/* As kith_prefab_get, of a child by its path.
 * KITH_ERR_ABSENT   there is no such child, or it has no such component */
KITH_API kith_result kith_prefab_get_part(const kith_prefab *prefab, const char *path,
                                          const kith_type *type, void *value);

/* As kith_prefab_spawn, with values for the root and for its children.
 * KITH_ERR_ABSENT   there is no child of a path */
KITH_API kith_result kith_prefab_spawn_parts(const kith_prefab *prefab,
                                             const kith_part_value *values, uint32_t value_count,
                                             kith_entity *entity);

/* As kith_prefab_queue, with values for the root and for its children. KITH_NONE, and nothing is
 * queued, if there is no child of a path. */
KITH_API kith_entity kith_prefab_queue_parts(const kith_prefab *prefab, kith_commands *commands,
                                             const kith_part_value *values, uint32_t value_count);

/* As kith_prefab_spawn, but returns the entity, or KITH_NONE: then kith_error tells why. The world
 * is the prefab's own: misuse otherwise. */
KITH_API kith_entity kith_prefab_spawn_or_none(const kith_prefab *prefab, kith_world *world,
                                               const kith_value *values, uint32_t value_count);

/* Spawns or queues one: `target` is a kith_world * or a kith_commands *, as for KITH_SPAWN. Values
 * are those that are not the prefab's, or none. Returns the entity, or its provisional handle, or
 * KITH_NONE.
 *     KITH_SPAWN_FROM(world, goblin, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Frozen))
 *     KITH_SPAWN_FROM(it->commands, goblin) */
#ifndef __cplusplus
#define KITH_SPAWN_FROM(target, ...) KITH_SPAWN_FROM_(target, __VA_ARGS__, {0})
/* Private: the list has one value more, so that it is never empty. */
#define KITH_SPAWN_FROM_(target, prefab, ...)                                                      \
    KITH_CHANGE_(target, kith_prefab_spawn_or_none, kith_prefab_queue)                             \
    ((prefab), (void *)(target), (const kith_value[]){__VA_ARGS__},                                \
     (uint32_t)(sizeof((const kith_value[]){__VA_ARGS__}) / sizeof(kith_value)) - 1)
#endif

/* ---- Changing a scene -------------------------------------------------------------------------
 *
 * For editors: what is changed here and in the world is in the text that kith_scene_save writes
 * with `scene`. Snapshots of the world keep it: kith_snapshot_restore undoes it. */

/* Gives an entity of the scene, by its number, another name; "" or NULL: none. The saved text names
 * it so wherever it refers to it. A name of an entity that is dead is free.
 * KITH_ERR_INPUT      it is not a name, there is no entity of that number, or it is an inherited
 *                     child
 * KITH_ERR_CONFLICT   another entity of the scene has that name: a sibling, if it is a child; or it
 *                     would
 *                     be that of a child and of an entity that is not one
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_scene_set_name(kith_scene *scene, uint32_t index, const char *name);

/* Adds a living entity of the world to the scene, without a name, as its last. The saved text has
 * it at the end: as one of `prefab`, with what is different, unless that is NULL. The prefab is one
 * of this scene or of one of its libraries. `index` may be NULL.
 * KITH_ERR_DEAD
 * KITH_ERR_CONFLICT   it is in the scene already
 * KITH_ERR_INPUT      the prefab is of a scene that is not among the libraries
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_scene_add(kith_scene *scene, kith_entity entity,
                                    const kith_prefab *prefab, uint32_t *index);

/* ---- Saving -------------------------------------------------------------------------------- */

/* What to save, all of the world that is saved. All zero is a good default. */
typedef struct kith_scene_save_def {
    kith_query *query; /* only the entities that match it; NULL: all */

    /* A scene whose entities keep their names, if it made them last and they live; or NULL. Others
     * get names, such as `e12`, if something refers to them. */
    const kith_scene *names;

    /* All resources of the world are saved as well. */
    bool resources;

    /* A scene that is saved as the text that it was read from, instead of the world: with its
     * prefabs, order and comments. Only what changed since is another: see kith_scene_save. Then
     * the three above are 0. */
    const kith_scene *scene;
    uint32_t file; /* which one of kith_scene_file, if `scene` is set */

    /* A field that names an entity which is dead, or not among those that are saved, is an error,
     * for the text could not say it. With this it is written as none, and a relation is left
     * out, as is a link without both ends. Two children of the same name whose parents are left
     * out are still an error. */
    bool lose_references;
} kith_scene_save_def;

/* Takes some bytes of the text; false if it cannot, which ends the saving. Changing the structure
 * of the world from there is misuse. */
typedef bool (*kith_scene_write_fn)(void *context, const char *bytes, size_t count);

/* Writes entities, in the order of their slots, as a text that reads back as the same values: to
 * the bit, with the exceptions of kith_print_value. Prefabs are not written, but the entities made
 * of them are. If every slot of the world has been used once, and all entities live, an empty world
 * with the same types that reads the text has the same kith_content_hash (with resources, if
 * `resources` says so, and if the slots of children are in the order of the text). Children are in
 * their parents, in their order, unless the parent is not saved. NULL `def` is a def of zeros.
 *
 * With `scene`, it writes the text of that scene, byte for byte, except that
 * - a field of an entity or resource that has another value has the new one in its line;
 * - components that an entity got or lost since are lines that are new or gone;
 * - entities that are dead, and resources that were removed, are gone, with the comments right
 * above
 *   and within them;
 * - an entity of a map that is not what its sign and place say is an entity of its own, after the
 * map;
 * - an inherited child that changed has lines at the end of its root; a child that is now one of
 * another
 *   entity, or elsewhere among its siblings, is an entity of its own at the end of the text;
 * - names are those of now, wherever they are; and what was added follows at the end of the text.
 * The text says what the world has of the scene's entities that live, and of its resources. If the
 * scene made nothing, it is as it was read.
 *
 * KITH_ERR_INPUT    a reference that cannot be written, a kith_text that is none of this world's,
 *                   or
 *                   a component with hooks, which cannot be read from text: `*error` tells
 *                   which. Nothing was written
 * KITH_ERR_IO       `write` returned false
 * KITH_ERR_MEMORY */
KITH_API kith_result kith_scene_save(kith_world *world, const kith_scene_save_def *def,
                                     kith_scene_write_fn write, void *context,
                                     kith_scene_error *error);

/* The same to a file, which is written as `path` with ".new" appended and then replaces a file
 * of that name. A failure leaves that file as it was. A symbolic link is replaced, too. A directory
 * or a device is not.
 * KITH_ERR_IO   it cannot be written: `*error` tells why */
KITH_API kith_result kith_scene_save_file(kith_world *world, const kith_scene_save_def *def,
                                          const char *path, kith_scene_error *error);

#ifdef __cplusplus
}
#endif
#endif
