/* Lines that the text does not have yet: about children that an entity inherits, after its own; and at
 * the end of the text those of entities that were added or left their places. */
#include "scene/keep.h"

/* ---- What is inherited --------------------------------------------------------------------------- */

/* Where lines go that follow all others of a block and its children. */
static const char *end_of_block(const ki_scene_keep *keep, uint32_t root)
{
    kith_reader reader =
        ki_scene_reader_at(keep->source, ki_scene_block_at(keep->scene, root)->start);
    const char *last = ki_scene_read_heading(&reader).end;
    while (!ki_scene_is_end_of_block(&reader)) {
        last = reader.token.start + reader.token.length;
        kith_read_token(&reader);
    }
    return ki_scene_line_next(keep->source, last);
}

void ki_scene_keep_inherited(ki_scene_keep *keep, uint32_t root)
{
    const kith_scene *scene = keep->scene;
    const char *end = NULL;
    for (uint32_t i = 1; i <= ki_scene_block_at(scene, root)->node_count; i++) {
        uint32_t number = ki_scene_node(scene, root, i);
        const ki_scene_block *block = ki_scene_block_at(scene, number);
        uint32_t parent =
            ki_scene_block_at(scene, ki_scene_node(scene, root, block->parent))->entity;
        bool stays = !block->removed && ki_scene_stays(keep, block->entity);
        if (block->within != KI_SCENE_NOTHING || block->removed ||
            (!stays && !ki_scene_stays(keep, parent)) ||
            (stays && !ki_scene_entity_changed(keep, number))) {
            continue;
        }
        end = end == NULL ? end_of_block(keep, root) : end;
        ki_scene_insert_lines(keep, end);
        ki_scene_add_text(keep, stays ? "    child " : "    - child ");
        ki_scene_add_text(keep, ki_scene_child_path(keep, number, 0));
        if (stays) {
            ki_scene_add_text(keep, " {");
            ki_scene_add_text(keep, keep->newline);
            ki_scene_add_lines(keep, ki_scene_handle(scene, block->entity), number, "        ");
            ki_scene_add_text(keep, "    }");
        }
        ki_scene_add_text(keep, keep->newline);
    }
}

/* ---- The end of the text ----------------------------------------------------------------------- */

static void add_one(ki_scene_keep *keep, const ki_scene_saved *entry, bool *first)
{
    const ki_scene_source *source = keep->source;
    ki_scene_insert_lines(keep, source->text + source->length);
    ki_scene_add_text(keep, *first ? "" : keep->newline);
    ki_scene_add_entity(
        keep, entry, ki_scene_base_alone(keep, ki_scene_block_number(keep->scene, entry->number)));
    *first = false;
}

void ki_scene_add_leaving(ki_scene_keep *keep)
{
    const kith_world *world = keep->task->world;
    bool first = keep->source->length == keep->source->mark;
    for (uint32_t i = 0; i < keep->places.count; i++) {
        const ki_scene_saved *entry = ki_scene_saved_number(keep->task, i);
        if (entry != NULL && !ki_scene_stays(keep, entry->number) &&
            ki_scene_saved_of(keep->task, kith_parent(world, entry->entity)) == NULL) {
            add_one(keep, entry, &first);
        }
    }
    for (uint32_t i = 0; i < keep->places.count; i++) {
        const ki_scene_saved *parent = ki_scene_saved_number(keep->task, i);
        kith_entity child = parent == NULL ? KITH_NONE : kith_child_first(world, parent->entity);
        for (; !kith_is_none(child); child = kith_child_next(world, child)) {
            const ki_scene_saved *entry = ki_scene_saved_of(keep->task, child);
            if (entry != NULL && !ki_scene_stays(keep, entry->number)) {
                add_one(keep, entry, &first);
            }
        }
    }
}
