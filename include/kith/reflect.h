/* Kith: reflection: types made at run time, fields by name, and values as text: for editors,
 * scripts and consoles.
 *
 * Names, kinds, sizes and texts are input here, not code: what does not fit is an error, not
 * misuse, and kith_error tells where. */
#ifndef KITH_REFLECT_H
#define KITH_REFLECT_H

#include <kith/reader.h>
#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types that are made at run time --------------------------------------------------------- */

/* What KITH_TYPE and kith_component_def give together. Nothing in it needs to outlive the call.
 *
 * With `size` 0, Kith lays the fields out as C does: in this order, each aligned as a member of a
 * struct; bytes between them are padding. Offsets must then be 0. In both cases a field of size 0 is
 * one value of its kind. A type without fields is a tag. */
typedef struct kith_type_def {
    const char *name; /* as in kith_type */
    uint32_t size;    /* bytes; 0: as the fields need */
    uint32_t align;   /* 0: the largest of a field; with `size` 0, at least that */
    uint32_t version;
    const kith_field *fields;
    uint32_t field_count;
    kith_layout layout;
    const kith_hooks *hooks; /* as in kith_component_def */
    bool padded;             /* as in kith_type */
    uint32_t relation;       /* kith_relation_rule bits, as KITH_RELATION and KITH_LINKS have them:
                                the first field is the target, or with KITH_MANY the first two are
                                source and target, each one KITH_ENTITY; 0: it is not a relation */
} kith_type_def;

/* Makes a type from `def` and registers it as a component of this world. The same definition always
 * makes the same type, in every world, and the same as KITH_TYPE: see kith_register. The type is as
 * fast as a compiled one, and lives until the process ends: each new one takes memory, outside of
 * the world's. `type` may be NULL. For the other options of kith_component_def, call kith_register
 * afterwards.
 *
 * KITH_ERR_INPUT      it makes no sense; kith_error tells which field and why
 * KITH_ERR_CONFLICT   another type has its name (kith_error tells the difference), or it is already
 *                     registered with another layout or other hooks
 * KITH_ERR_LIMIT      65,535 types are registered
 * KITH_ERR_MEMORY
 * Misuse while a query is open. */
KITH_API kith_result kith_define(kith_world *world, const kith_type_def *def,
                                 const kith_type **type);

/* ---- Fields by name -------------------------------------------------------------------------- */

/* The field of that name, or NULL. Padding has no name. */
KITH_API const kith_field *kith_field_find(const kith_type *type, const char *name);

/* Copies a field of an entity's component to `value`. `field` is its name: "color" for a whole
 * array, or "color[2]" for one value of it, counted from 0. `kind` and `size` are those that you
 * expect: nothing is converted.
 *
 * KITH_ERR_TYPE      the field has another kind or size (kith_error names both), or is KITH_OPAQUE
 * KITH_ERR_UNKNOWN   there is no such field (kith_error tells the nearest, or lists them), or the type
 *                    is NULL
 * KITH_ERR_DEAD, KITH_ERR_ABSENT */
KITH_API kith_result kith_get_field(const kith_world *world, kith_entity entity,
                                    const kith_type *type, const char *field, kith_kind kind,
                                    void *value, size_t size);

/* Writes a field in the same way. The entity must have the component; as for kith_get_mut, it counts as
 * changed.
 *
 * Errors as for kith_get_field, and
 * KITH_ERR_MEMORY   the value had to be copied before it was written, and memory ran out */
KITH_API kith_result kith_set_field(kith_world *world, kith_entity entity, const kith_type *type,
                                    const char *field, kith_kind kind, const void *value,
                                    size_t size);

/* ---- Values as text --------------------------------------------------------------------------- */

/* The text of a value names its fields, in any order; fields that are zero may be left out. The
 * text of an entity has one component on each line:
 *
 *     Position { x = -3, y = 0.1 }
 *     Weapon { level = 0x10, name = "long \"bow\"", owner = Entity(2v1), marks = [1, 2], sharp = true }
 *     Frozen                                  # a tag, or a component whose bytes are all zero
 *
 * Whole numbers are decimal or 0x..; a byte of KITH_BYTES is a number. A char is 'x'; an array of
 * chars and a kith_text are a "text". Escapes are \n \t \0 \\ \' \" and \x1f. Floats are written
 * with the fewest digits that read back as the same value; whole ones below 1e+20 with all digits.
 * Special floats are inf, -inf, nan, and nan(0x7fc00001) with all its bits. Names that are not
 * plain words are in quotes.
 *
 * What is printed reads back as the same bytes, except padding, which is zero, and bools, which are
 * 0 or 1. A kith_text that is not the world's is printed so that it does not read back. The locale
 * does not matter. KITH_OPAQUE fields are not written. Components with hooks, and types with
 * KITH_OPAQUE fields, are not read. */

/* Writes a value, without the name of its type: `{ x = -3, y = 0.1 }`. Like snprintf, it writes at
 * most `size` bytes, with a zero at the end, and returns the length of the whole text without the
 * zero. `text` may be NULL if `size` is 0. The type must be one that kith_register takes; it need
 * not be registered. `world` has the texts of KITH_TEXT fields; NULL if there are none. */
KITH_API size_t kith_print_value(const kith_world *world, const kith_type *type, const void *value,
                                 char *text, size_t size);

/* Gives the name of an entity in a text: a word that a kith_reader reads back as this entity. NULL:
 * it is written as by kith_entity_to_text. The name is copied before the next call. */
typedef const char *(*kith_entity_name_fn)(void *context, kith_entity entity);

/* The same with names for entities, also for KITH_NONE. */
KITH_API size_t kith_print_value_named(const kith_world *world, const kith_type *type,
                                       const void *value, kith_entity_name_fn name, void *context,
                                       char *text, size_t size);

/* Writes a single field of a value; KITH_OPAQUE and KITH_PADDING give an empty text. `value` is the
 * start of the whole value. The field need not be a type's: {.size = 4, .kind = KITH_F32} prints a
 * float. Misuse, with an empty text: an unknown kind, or a size that is not a multiple of the
 * kind's. */
KITH_API size_t kith_print_field(const kith_world *world, const kith_field *field,
                                 const void *value, char *text, size_t size);

/* Reads a value into `value`; NULL `value` only checks the text. Texts of KITH_TEXT fields are
 * interned, once all of the text is known to be right.
 *
 * KITH_ERR_INPUT   the text is wrong (kith_error tells line, column in bytes from 1, and what was
 *                  expected), or the type makes no sense. `*value` is untouched
 * KITH_ERR_MEMORY  for the check of a type that is not registered, and for texts; those that were
 *                  interned before stay */
KITH_API kith_result kith_parse_value(kith_world *world, const kith_type *type, const char *text,
                                      void *value);

/* Reads a text as one field of an entity's component, and writes it: "7" for "marks[1]", "[1, 2]" for
 * "marks", "0.5" for "velocity.x". The text is what kith_print_field writes, `field` as in
 * kith_get_field. As for kith_set_field, the entity must have the component, which counts as changed.
 *
 * KITH_ERR_INPUT     the text is wrong: kith_error tells line and column, what was expected, and for
 *                    which field; or the component has hooks
 * KITH_ERR_UNKNOWN   there is no such field: kith_error tells the nearest, or lists them; or the type is
 *                    not registered
 * KITH_ERR_TYPE      the field is KITH_OPAQUE
 * KITH_ERR_DEAD, KITH_ERR_ABSENT
 * KITH_ERR_MEMORY    texts that were interned before stay */
KITH_API kith_result kith_field_from_text(kith_world *world, kith_entity entity,
                                          const kith_type *type, const char *field,
                                          const char *text);

/* Writes all components of an entity, in order of the names of their types. Like
 * kith_print_value; `*length` becomes the length of the whole text; `length` may be NULL.
 *
 * KITH_ERR_DEAD */
KITH_API kith_result kith_print_entity(const kith_world *world, kith_entity entity, char *text,
                                       size_t size, size_t *length);

/* Sets the components that the text names on an entity: all of them, or none. Other components
 * stay. What kith_set_values says about pointers and open queries holds here.
 *
 * KITH_ERR_INPUT   the text is wrong, or names what is not registered: see kith_parse_value
 * KITH_ERR_DEAD, KITH_ERR_CYCLE, KITH_ERR_CONFLICT, KITH_ERR_LIMIT   as for kith_set_values: also if a
 *                  relation is named without its target
 * KITH_ERR_MEMORY  texts that were interned before stay */
KITH_API kith_result kith_parse_entity(kith_world *world, kith_entity entity, const char *text);

#ifdef __cplusplus
}
#endif
#endif
