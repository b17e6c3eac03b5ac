/* Kith: types that only exist at run time, fields by name, and values as text: for editors, scripts
 * and consoles.
 *
 * Names, kinds, sizes and texts are input here, not code: what does not fit is an error, and
 * kith_error tells where. */
#ifndef KITH_REFLECT_H
#define KITH_REFLECT_H

#include <kith/reader.h>
#include <kith/type.h>
#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types that the program makes up while it runs ------------------------------------------- */

/* What KITH_TYPE and kith_component_def say together. Nothing in it needs to outlive the call.
 *
 * With `size` 0 Kith lays the fields out as C does: in this order, each aligned as a member of a
 * struct is, with padding declared where it is needed. Offsets are then 0.
 * In both cases a field of size 0 is one value of its kind. No fields at all make a tag. */
typedef struct kith_type_def {
    const char *name; /* as in kith_type */
    uint32_t size;    /* bytes; 0: the fields tell */
    uint32_t align;   /* 0: that of the field that needs most; laid out, at least that */
    uint32_t version;
    const kith_field *fields;
    uint32_t field_count;
    kith_layout layout;
    const kith_hooks *hooks; /* as in kith_component_def */
} kith_type_def;

/* Makes a type from `def` and registers it as a component of this world. What is defined again is
 * the same type, in every world, also as one that KITH_TYPE described: what kith_register says of
 * types holds here. The type is as fast as a compiled one, and lives until the process ends: a
 * program that goes on making up different ones goes on using memory, outside of the world's.
 * `type` may be NULL. What else kith_component_def offers, kith_register turns on afterwards.
 *
 * KITH_ERR_INPUT      it makes no sense; kith_error tells which field and why
 * KITH_ERR_CONFLICT   its name is taken by another type (kith_error tells how it differs), or it is
 *                     here with another layout or with other hooks
 * KITH_ERR_LIMIT      65,535 types are registered
 * KITH_ERR_MEMORY
 * Misuse while a query is open. */
KITH_API kith_result kith_define(kith_world *world, const kith_type_def *def,
                                 const kith_type **type);

/* ---- Fields by name -------------------------------------------------------------------------- */

/* The field of that name; NULL if there is none. Padding has no name. */
KITH_API const kith_field *kith_field_find(const kith_type *type, const char *name);

/* Reads a field of an entity's component into `size` bytes of yours. `field` is its name, "color"
 * for the whole of an array, or "color[2]" for one value of it, counted from 0. `kind` and `size`
 * say what you take it for: nothing is converted.
 *
 * KITH_ERR_TYPE      the field is of another kind or size, or KITH_OPAQUE; kith_error names both
 * KITH_ERR_UNKNOWN   no such field, and kith_error lists those that there are; or the type is not
 *                    registered
 * KITH_ERR_DEAD, KITH_ERR_ABSENT */
KITH_API kith_result kith_get_field(const kith_world *world, kith_entity entity,
                                    const kith_type *type, const char *field, kith_kind kind,
                                    void *value, size_t size);

/* Writes one likewise. The component must be there, as for kith_get_mut, and the same is changed.
 *
 * Errors as for kith_get_field, and
 * KITH_ERR_MEMORY   only while blocks are shared with a snapshot */
KITH_API kith_result kith_set_field(kith_world *world, kith_entity entity, const kith_type *type,
                                    const char *field, kith_kind kind, const void *value,
                                    size_t size);

/* ---- Values as text --------------------------------------------------------------------------- */

/* The text of a value names its fields, in any order, and leaves out those that are zero if you
 * like; that of an entity is a component on each line:
 *
 *     Position { x = -3, y = 0.1 }
 *     Weapon { level = 0x10, name = "long \"bow\"", owner = Entity(2v1), marks = [1, 2], sharp = true }
 *     Frozen                                  # a tag, or a component whose bytes are all zero
 *
 * Whole numbers are decimal or 0x..; a byte of KITH_BYTES is a number. A char is 'x', an array of
 * chars a "text", and so is a kith_text. Escapes are \n \t \0 \\ \' \" and \x1f. Floats are written
 * with the fewest digits that read back as the same value, whole ones below 1e+20 with all of
 * theirs; there are inf, -inf, nan, and nan(0x7fc00001) with all its bits. Names that are no plain
 * words stand in quotes. What is printed reads back as the same bytes, but for padding, which is zero,
 * and bools, which are 0 or 1. A kith_text that is none of the world's is printed as what does not read
 * back. The host's locale does not matter. Fields that are KITH_OPAQUE are not written; components with
 * hooks, and types with such fields, are not read. */

/* Writes a value, without the name of its type: `{ x = -3, y = 0.1 }`. Like snprintf: at most
 * `size` bytes with the zero at the end (`text` may be NULL where that is 0), and returns how long
 * the whole text is without it. The type is one that kith_register takes; it need not be
 * registered. `world` is the one whose texts its kith_text are; NULL where there are none. */
KITH_API size_t kith_print_value(const kith_world *world, const kith_type *type, const void *value,
                                 char *text, size_t size);

/* What an entity is called in a text: a word that reads back as this entity (kith_reader), or NULL,
 * and it is written as kith_print does. The name is copied before the function is called again. */
typedef const char *(*kith_entity_name_fn)(void *context, kith_entity entity);

/* The same with names for entities, KITH_NONE included. */
KITH_API size_t kith_print_value_named(const kith_world *world, const kith_type *type,
                                       const void *value, kith_entity_name_fn name, void *context,
                                       char *text, size_t size);

/* Likewise a single field of a value; those that are KITH_OPAQUE or KITH_PADDING have an empty text.
 * `value` is where the whole of the value starts. With a field of your own, that need not be any
 * type's: {.size = 4, .kind = KITH_F32} for a float. Misuse, and an empty text: a kind that there is
 * not, or a size that is not that of one or more values of the kind. */
KITH_API size_t kith_print_field(const kith_world *world, const kith_field *field,
                                 const void *value, char *text, size_t size);

/* Reads one into `value`; NULL `value` only looks if the text is right. What stands in fields of
 * kind KITH_TEXT is interned, when all of the text is known to be right.
 *
 * KITH_ERR_INPUT   it is not: kith_error tells line, column (in bytes, from 1) and what was
 *                  expected; or the type makes no sense. `*value` is untouched
 * KITH_ERR_MEMORY  for the check of a type that is not registered, and for texts; what was interned
 *                  before stays */
KITH_API kith_result kith_parse_value(kith_world *world, const kith_type *type, const char *text,
                                      void *value);

/* Writes all that an entity has, in order of registration. Like kith_print_value; `*length` is how
 * long the whole text is, and may be NULL. KITH_ERR_DEAD */
KITH_API kith_result kith_print_entity(const kith_world *world, kith_entity entity, char *text,
                                       size_t size, size_t *length);

/* Sets on an entity the components that the text names: all of them, or none. It keeps what else it
 * has. What kith_set_several says of pointers and open queries holds here.
 *
 * KITH_ERR_INPUT   the text is not right, or names what is not registered: see kith_parse_value
 * KITH_ERR_DEAD, KITH_ERR_LIMIT
 * KITH_ERR_MEMORY  texts that were interned before stay */
KITH_API kith_result kith_parse_entity(kith_world *world, kith_entity entity, const char *text);

#ifdef __cplusplus
}
#endif
#endif
