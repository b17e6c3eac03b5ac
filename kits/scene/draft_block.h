/* A block of a draft: an entity or prefab, and its components while they are read. */
#ifndef KI_SCENE_DRAFT_BLOCK_H
#define KI_SCENE_DRAFT_BLOCK_H

#include "scene/draft.h"

/* Whether the last token begins an entity, prefab, map, resource or include, or ends the text. */
bool ki_scene_at_block(const ki_scene_draft *draft);
bool ki_scene_is_block_word(const kith_reader *reader);

/* Whether the last token begins a line about a child. */
bool ki_scene_at_child(const ki_scene_draft *draft);
bool ki_scene_is_child_word(const kith_reader *reader);

/* How much of a word is a name: the part before a colon, if that has none of the signs of other
 * words; 0: nothing. */
size_t ki_scene_name_length(const kith_token *token);

/* The length of a path of names, NAME/NAME, that starts with the last token, a word. */
size_t ki_scene_path_length(const kith_reader *reader);

/* heading.c: reads a name that may have a colon right after it; the last token is that name then. */
kith_result ki_scene_read_word(ki_scene_draft *draft, const char *expected);

/* Reads PREFAB [from LIBRARY], after the colon; reads on, after `*end`. */
kith_result ki_scene_read_base(ki_scene_draft *draft, uint32_t block, const char **end);

/* Reads [NAME] [: PREFAB] of an entity, or of prefab `number`, after the word that begins it; the last
 * token is the last of the line. */
kith_result ki_scene_read_first_line(ki_scene_draft *draft, uint32_t block, uint32_t number);

/* Fails because the last token is a name that was given before, at that place. */
kith_result ki_scene_name_taken(ki_scene_draft *draft, const char *before);

/* draft_block.c: adds a block, from the last token on. */
kith_result ki_scene_add_block(ki_scene_draft *draft, ki_scene_kind kind, uint32_t *block);

/* Adds one that is not a child. */
kith_result ki_scene_add_root(ki_scene_draft *draft, ki_scene_kind kind, uint32_t *block);

/* Adds a number to a list of uint32_t; false if memory ran out. */
bool ki_scene_list_number(const kith_allocator *allocator, ki_scene_list *list, uint32_t number);

/* Gives a block copies of what another one has. False if memory ran out. */
bool ki_scene_copy_values(kith_scene *scene, uint32_t block, uint32_t base);

/* Gives a block the components of block `base` (KI_SCENE_NOTHING: none). Their values are shared
 * until a line changes them. */
kith_result ki_scene_start_block(ki_scene_draft *draft, uint32_t block, uint32_t base);

/* Finds a component of the block that is being read; `*value` is NULL if the block does not have
 * it.
 * KITH_ERR_MEMORY. */
kith_result ki_scene_find_value(ki_scene_draft *draft, uint32_t block, const kith_type *type,
                                ki_scene_value **value);

/* Adds a component to the block that is being read. NULL if memory ran out. */
ki_scene_value *ki_scene_add_value(ki_scene_draft *draft, uint32_t block, const kith_type *type);

/* Copies the bytes of a value, which may be shared with other blocks: for frame 0. NULL if memory ran
 * out. */
char *ki_scene_copy_bytes(ki_scene_draft *draft, const ki_scene_value *value);

/* Gives the block that is being read bytes of its own for a component: a copy of what it inherits,
 * or zeros. NULL if memory ran out. For a component that has bytes. */
char *ki_scene_own_value(ki_scene_draft *draft, uint32_t block, const kith_type *type);

/* Removes the components whose type is NULL. */
void ki_scene_close_gaps(ki_scene_draft *draft, uint32_t block);

/* The block that a block extends; KI_SCENE_NOTHING if it is not there (yet). */
uint32_t ki_scene_base_of(const ki_scene_draft *draft, uint32_t block);

#endif
