/* Entities, prefabs and resources in a text, and what the world has of them. */
#include <kith/resource.h>
#include <string.h>

#include "scene/keep.h"

/* ---- Lines of an entity ------------------------------------------------------------------------ */

/* What is done to a block: the entity that it is about, and where its next line would be. */
typedef struct block_edit {
    ki_scene_keep *keep;
    const ki_scene_saved *entry;
    uint32_t block;
    uint32_t base;
    kith_entity entity;
    const char *indent;
    size_t indent_length;
    const char *last; /* a place in its last line; NULL: it is not in the text */
    const char *in;   /* where lines begin of a child that has none; NULL: it has */
    bool braces;      /* it has { } in one line */
    bool *begun;      /* whether lines were begun there */
} block_edit;

static const char *value_of(const block_edit *edit, const kith_type *type)
{
    return type->size == 0 ? NULL : kith_get(edit->keep->task->world, edit->entity, type);
}

/* The name in the text that becomes the entity's EntityName, if no line says otherwise. NULL: none; that
 * of a child that is inherited is what it inherits. */
static const char *name_in_text(const block_edit *edit)
{
    const kith_scene *scene = edit->keep->scene;
    bool inherited = edit->base != KI_SCENE_NOTHING && ki_scene_is_child(scene, edit->base);
    if (edit->block != KI_SCENE_NOTHING) {
        const ki_scene_block *block = ki_scene_block_at(scene, edit->block);
        inherited = block->root != edit->block && block->shift != block->node;
    }
    bool named = edit->entry->name != NULL || edit->entry->referred;
    return scene->entity_names && named && !inherited
               ? ki_scene_saved_name(edit->keep->task, edit->entry)
               : NULL;
}

/* What the entity has of a component that no line is about, as ki_scene_expect tells. */
static const char *expect_unsaid(const block_edit *edit, const kith_type *type, kith_name *room,
                                 bool *has)
{
    ki_scene_keep *keep = edit->keep;
    const bool is_name = ki_scene_same_type(type, &kith_name_type);
    const char *name = is_name ? name_in_text(edit) : NULL;
    if (name == NULL) {
        bool whole = edit->block != KI_SCENE_NOTHING && !is_name;
        return ki_scene_expect(keep, whole ? edit->block : edit->base, type, has);
    }
    *has = true;
    if (!kith_text_find(keep->task->world, name, &room->text)) {
        room->text.number = UINT32_MAX; /* of no text, so that it is another than what there is */
    }
    return (const char *)room;
}

/* Begins a new line after the last one of the block. */
static void begin_line(const block_edit *edit)
{
    ki_scene_keep *keep = edit->keep;
    if (edit->in == NULL && edit->last != NULL) {
        ki_scene_insert_lines(keep, ki_scene_line_next(keep->source, edit->last));
    } else if (edit->in != NULL && !*edit->begun) {
        *edit->begun = true;
        ki_scene_replace(keep, edit->in, edit->in);
        ki_scene_add_text(keep, edit->braces ? "" : " {");
        ki_scene_add_text(keep, keep->newline);
    }
    ki_scene_add_bytes(keep, edit->indent, edit->indent_length);
}

static void end_new_line(const block_edit *edit)
{
    ki_scene_add_text(edit->keep, edit->keep->newline);
}

/* `- Component` */
static void add_removal(const block_edit *edit, const kith_type *type)
{
    const char *quote = ki_scene_needs_quotes(type->name) ? "\"" : "";
    const char *const parts[] = {"- ", quote, type->name, quote};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        ki_scene_add_text(edit->keep, parts[i]);
    }
}

/* How many lines of the text are about a component. Two are `- T` and then `T`: not what is
 * inherited, but a value from zero on. */
static uint32_t count_lines(const ki_scene_list *lines, const kith_type *type)
{
    const ki_scene_line *of = lines->items;
    uint32_t count = 0;
    for (uint32_t i = 0; i < lines->count; i++) {
        count += ki_scene_same_type(of[i].type, type);
    }
    return count;
}

/* Whether a line has fields. */
static bool has_fields(const block_edit *edit, const ki_scene_line *line)
{
    if (line->open == NULL) {
        return false;
    }
    kith_reader reader = ki_scene_reader_at(edit->keep->source, line->open);
    ki_scene_field field;
    kith_read_token(&reader);
    return ki_scene_next_field(&reader, line->type, &field);
}

/* A line that the text has. */
static kith_result edit_line(const block_edit *edit, const ki_scene_list *lines,
                             const ki_scene_line *line)
{
    static const kith_name no_name;
    ki_scene_keep *keep = edit->keep;
    bool inherits;
    bool has = ki_scene_keeps(keep->task->world, edit->entity, line->type) &&
               !ki_scene_is_lost(keep->task, line->type, value_of(edit, line->type));
    kith_name room;
    const bool is_name = ki_scene_same_type(line->type, &kith_name_type);
    const char *inherited = is_name ? expect_unsaid(edit, line->type, &room, &inherits)
                                    : ki_scene_expect(keep, edit->base, line->type, &inherits);
    bool twice = count_lines(lines, line->type) > 1;
    if (line->removal && has && !twice) {
        ki_scene_replace(keep, line->start, line->end);
        ki_scene_add_line(keep, line->type, value_of(edit, line->type), inherited);
    } else if (!line->removal && !has && inherits && !twice) {
        ki_scene_replace(keep, line->start, line->end);
        add_removal(edit, line->type);
    } else if (line->removal ? is_name && !inherits : !has) { /* the name in the text may be gone */
        ki_scene_remove_lines(keep, ki_scene_line_start(keep->source, line->start),
                              ki_scene_line_next(keep->source, line->end));
    }
    if (line->removal || !has || line->type->size == 0) {
        return KITH_OK;
    }
    const char *value = value_of(edit, line->type);
    bool said;
    const char *expected = ki_scene_expect(keep, edit->block, line->type, &said);
    if (expected == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (is_name && !twice && !has_fields(edit, line)) { /* it means the name in the text */
        expected = inherits ? inherited : (const char *)&no_name;
    }
    if (ki_scene_value_changed(keep, line->type, value, expected)) {
        ki_scene_edit_value(keep, line->type, line->open, line->end, value, expected);
    }
    return ki_scene_edit_names(keep, line, value, expected, false);
}

/* A line for what the entity has lost, which no line is about. */
static void add_lost(const block_edit *edit, const ki_scene_list *lines, const kith_type *type)
{
    if (!ki_scene_keeps(edit->keep->task->world, edit->entity, type) &&
        count_lines(lines, type) == 0) {
        begin_line(edit);
        add_removal(edit, type);
        end_new_line(edit);
    }
}

/* The same for the EntityName that the entity has by its name in the text, and does not inherit. */
static void add_lost_name(const block_edit *edit, const ki_scene_list *lines)
{
    const kith_type *type = kith_type_find(edit->keep->task->world, kith_name_type.name);
    bool inherits;
    ki_scene_expect(edit->keep, edit->base, type, &inherits);
    if (name_in_text(edit) != NULL && !inherits) {
        add_lost(edit, lines, type);
    }
}

/* Lines for what is not in those of the text, and not what is inherited. */
static void add_lines(const block_edit *edit, const ki_scene_list *lines)
{
    ki_scene_keep *keep = edit->keep;
    kith_world *world = keep->task->world;
    const kith_type *type = NULL;
    while ((type = ki_scene_next_kept(world, edit->entity, type)) != NULL) {
        bool inherits;
        kith_name room;
        const char *value = value_of(edit, type);
        const char *inherited = expect_unsaid(edit, type, &room, &inherits);
        bool same = inherits && (type->size == 0 || inherited == NULL ||
                                 !ki_scene_value_changed(keep, type, value, inherited));
        bool said =
            ki_scene_is_implied(edit->entry, type) || ki_scene_is_lost(keep->task, type, value);
        if (!same && !said && count_lines(lines, type) == 0) {
            begin_line(edit);
            ki_scene_add_line(keep, type, value, inherited);
            end_new_line(edit);
        }
    }
    add_lost_name(edit, lines);
    if (edit->base == KI_SCENE_NOTHING) {
        return;
    }
    const ki_scene_block *base = ki_scene_block_at(keep->scene, edit->base);
    for (uint32_t i = 0; i < base->value_count; i++) {
        add_lost(edit, lines, ki_scene_values_of(keep->scene, base)[i].type);
    }
}

/* ---- Blocks ------------------------------------------------------------------------------------ */

/* Edits the first line, if the entity has another name than there. */
static void edit_heading(ki_scene_keep *keep, const ki_scene_heading *heading, const char *name)
{
    size_t length = strlen(name);
    if (heading->name != NULL && length > 0) {
        if (length != heading->name_length || memcmp(heading->name, name, length) != 0) {
            ki_scene_replace(keep, heading->name, heading->name + heading->name_length);
            ki_scene_add_bytes(keep, name, length);
        }
    } else if (heading->name != NULL) {
        const char *end = heading->name + heading->name_length;
        ki_scene_replace(keep, heading->word_end, end);
        ki_scene_add_text(keep, heading->end > end && *end == ':' ? " " : "");
    } else if (length > 0) {
        ki_scene_replace(keep, heading->word_end, heading->word_end);
        ki_scene_add_text(keep, " ");
        ki_scene_add_bytes(keep, name, length);
    }
}

/* An entity that lives. */
static kith_result keep_living(ki_scene_keep *keep, kith_reader *reader, const block_edit *start)
{
    block_edit edit = *start;
    ki_scene_list lines = {0}; /* ki_scene_line */
    ki_scene_line line;
    kith_result result = KITH_OK;
    while (result == KITH_OK && ki_scene_next_line(reader, keep->scene, &line)) {
        ki_scene_line *added = ki_scene_list_add(&keep->task->allocator, &lines, 1, sizeof *added);
        if (added == NULL) {
            result = KITH_ERR_MEMORY;
        } else {
            *added = line;
        }
    }
    for (uint32_t i = 0; result == KITH_OK && i < lines.count; i++) {
        const ki_scene_line *next = (const ki_scene_line *)lines.items + i;
        edit.last = next->end;
        edit.indent = ki_scene_line_start(keep->source, next->start);
        edit.indent_length = (size_t)(next->start - edit.indent);
        result = edit_line(&edit, &lines, next);
    }
    if (result == KITH_OK) {
        add_lines(&edit, &lines);
    }
    ki_scene_list_free(&keep->task->allocator, &lines, sizeof(ki_scene_line));
    return result;
}

static void remove_block(ki_scene_keep *keep, const char *start, const char *last)
{
    const char *from;
    const char *to;
    ki_scene_block_range(keep->source, start, last, &from, &to);
    ki_scene_remove_lines(keep, from, to);
}

/* A resource: the world has it with another value, or not any more. */
static kith_result keep_resource(ki_scene_keep *keep, uint32_t number)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    kith_reader reader = ki_scene_reader_at(keep->source, block->start);
    ki_scene_line line;
    kith_read_token(&reader);
    ki_scene_next_line(&reader, keep->scene, &line);
    line.type = ki_scene_values_of(keep->scene, block)->type;
    const char *value = kith_resource_get(keep->task->world, line.type);
    if (value == NULL) {
        remove_block(keep, block->start, line.end);
        return KITH_OK;
    }
    bool has;
    const char *expected = ki_scene_expect(keep, number, line.type, &has);
    if (expected == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (ki_scene_value_changed(keep, line.type, value, expected)) {
        ki_scene_edit_value(keep, line.type, line.open, line.end, value, expected);
    }
    return ki_scene_edit_names(keep, &line, value, expected, false);
}

/* Whether something that a child is written in is not where it was. */
static bool is_in_gone(const ki_scene_keep *keep, const ki_scene_block *block)
{
    while (block->within != KI_SCENE_NOTHING) {
        block = ki_scene_block_at(keep->scene, block->within);
        if (!ki_scene_stays(keep, block->entity)) {
            return true;
        }
    }
    return false;
}

/* An entity that is dead, or elsewhere. */
static void drop_block(ki_scene_keep *keep, uint32_t number, const ki_scene_heading *heading)
{
    const kith_scene *scene = keep->scene;
    const ki_scene_block *block = ki_scene_block_at(scene, number);
    if (block->root == number) {
        kith_reader reader = ki_scene_reader_at(keep->source, block->start);
        const char *last = heading->end;
        ki_scene_read_heading(&reader);
        while (!ki_scene_is_end_of_block(&reader)) {
            last = reader.token.start + reader.token.length;
            kith_read_token(&reader);
        }
        remove_block(keep, block->start, last);
        return;
    }
    uint32_t parent =
        ki_scene_block_at(scene, ki_scene_node(scene, block->root, block->parent))->entity;
    const char *end = ki_scene_child_end(keep->source, block->start);
    if (block->shift == block->node || !ki_scene_stays(keep, parent)) {
        remove_block(keep, block->start, end);
        return;
    }
    ki_scene_replace(keep, block->start, end); /* it is inherited */
    ki_scene_add_text(keep, "- child ");
    ki_scene_add_text(
        keep, ki_scene_child_path(keep, number, ki_scene_block_at(scene, block->within)->node));
}

/* The path of a child, in which others may have other names now. */
static void edit_path(ki_scene_keep *keep, uint32_t number, const ki_scene_heading *heading)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    if (block->kind == KI_SCENE_ENTITY) {
        uint32_t within = ki_scene_block_at(keep->scene, block->within)->node;
        edit_heading(keep, heading, ki_scene_child_path(keep, number, within));
    }
}

/* Whether the path of a removal goes through a child of which the text has lines, and which is dead, or
 * elsewhere: these lines go, or become a removal themselves. */
static bool is_through_gone(const ki_scene_keep *keep, const ki_scene_block *block)
{
    const kith_scene *scene = keep->scene;
    const uint32_t within = ki_scene_block_at(scene, block->within)->node;
    for (uint32_t node = block->parent; node != within;) {
        const ki_scene_block *at =
            ki_scene_block_at(scene, ki_scene_node(scene, block->root, node));
        bool lines = at->within != KI_SCENE_NOTHING && !at->removed;
        if (lines && !ki_scene_stays(keep, at->entity)) {
            return true;
        }
        node = at->parent;
    }
    return false;
}

/* `- child PATH`. It goes if it would be about nothing. */
static void keep_removal(ki_scene_keep *keep, uint32_t number, bool made)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    kith_reader reader = ki_scene_reader_at(keep->source, block->start);
    reader.next = block->start + 1;
    kith_read_token(&reader);
    const ki_scene_heading heading = ki_scene_read_heading(&reader);
    if (made && is_through_gone(keep, block)) {
        remove_block(keep, block->start, heading.end);
    } else {
        edit_path(keep, number, &heading);
    }
}

/* A child that is where it was: its lines, in braces that it may not have yet. */
static kith_result keep_child(ki_scene_keep *keep, kith_reader *reader, const block_edit *start,
                              const ki_scene_heading *heading)
{
    char indent[128];
    const char *line =
        ki_scene_line_start(keep->source, ki_scene_block_at(keep->scene, start->block)->start);
    size_t length = (size_t)(ki_scene_block_at(keep->scene, start->block)->start - line);
    length = length < sizeof indent - 4 ? length : sizeof indent - 4;
    memcpy(indent, line, length);
    memcpy(indent + length, "    ", 4);
    bool begun = false;
    block_edit edit = *start;
    edit.indent = indent;
    edit.indent_length = length + 4;
    edit.begun = &begun;
    edit.braces = heading->opens && !reader->token.first && kith_token_is(reader, "}");
    edit.in = edit.braces ? reader->token.start : heading->opens ? NULL : heading->end;
    kith_result result = KITH_OK;
    if (edit.in == NULL) {
        result = keep_living(keep, reader, &edit);
    } else {
        const ki_scene_list none = {0};
        add_lines(&edit, &none);
    }
    if (begun) {
        ki_scene_add_bytes(keep, indent, length);
        ki_scene_add_text(keep, edit.braces ? "" : "}");
    }
    return result;
}

kith_result ki_scene_keep_block(ki_scene_keep *keep, uint32_t number, uint32_t entity)
{
    const ki_scene_block *block = ki_scene_block_at(keep->scene, number);
    keep->block = number;
    if (block->kind == KI_SCENE_RESOURCE) {
        return keep->scene->made ? keep_resource(keep, number) : KITH_OK;
    }
    kith_entity made =
        ki_scene_handle(keep->scene, ki_scene_block_at(keep->scene, block->root)->entity);
    if (!kith_is_none(made) && is_in_gone(keep, block)) {
        return KITH_OK;
    }
    if (block->removed) {
        keep_removal(keep, number, !kith_is_none(made));
        return KITH_OK;
    }
    kith_reader reader = ki_scene_reader_at(keep->source, block->start);
    const ki_scene_heading heading = ki_scene_read_heading(&reader);
    bool child = block->root != number;
    kith_entity handle =
        block->kind == KI_SCENE_ENTITY ? ki_scene_handle(keep->scene, entity) : KITH_NONE;
    const ki_scene_saved *entry = ki_scene_saved_of(keep->task, handle);
    if (kith_is_none(handle)) {
        if (child) {
            edit_path(keep, number, &heading);
        } else {
            edit_heading(keep, &heading, block->name);
        }
        return ki_scene_edit_all_names(keep, &reader, false);
    }
    if (!ki_scene_stays(keep, entity)) {
        drop_block(keep, number, &heading);
        return KITH_OK;
    }
    if (child) {
        edit_path(keep, number, &heading);
    } else {
        bool named = entry->name != NULL || entry->referred;
        edit_heading(keep, &heading, named ? ki_scene_saved_name(keep->task, entry) : "");
    }
    const block_edit edit = {.keep = keep,
                             .entry = entry,
                             .block = number,
                             .base = block->base,
                             .entity = handle,
                             .indent = "    ",
                             .indent_length = 4,
                             .last = heading.end};
    if (child) {
        return keep_child(keep, &reader, &edit, &heading);
    }
    return keep_living(keep, &reader, &edit);
}

void ki_scene_add_lines(ki_scene_keep *keep, kith_entity entity, uint32_t base, const char *indent)
{
    const ki_scene_list none = {0};
    const block_edit edit = {.keep = keep,
                             .entry = ki_scene_saved_of(keep->task, entity),
                             .block = KI_SCENE_NOTHING,
                             .base = base,
                             .entity = entity,
                             .indent = indent,
                             .indent_length = strlen(indent)};
    add_lines(&edit, &none);
}

void ki_scene_add_entity(ki_scene_keep *keep, const ki_scene_saved *entry, uint32_t base)
{
    ki_scene_add_text(keep, "entity");
    if (entry->name != NULL || entry->referred) {
        ki_scene_add_text(keep, " ");
        ki_scene_add_text(keep, ki_scene_saved_name(keep->task, entry));
    }
    if (base != KI_SCENE_NOTHING) {
        ki_scene_add_text(keep, " : ");
        ki_scene_add_text(keep, ki_scene_block_at(keep->scene, base)->name);
    }
    ki_scene_add_text(keep, keep->newline);
    ki_scene_add_lines(keep, entry->entity, base, "    ");
}
