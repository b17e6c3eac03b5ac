/* Names in the lines of blocks whose values stay as they are. */
#include "scene/keep.h"

kith_result ki_scene_edit_all_names(ki_scene_keep *keep, kith_reader *reader, bool mark)
{
    ki_scene_line line;
    kith_result result = KITH_OK;
    while (result == KITH_OK && ki_scene_next_line(reader, keep->scene, &line)) {
        result = ki_scene_edit_names(keep, &line, NULL, NULL, mark);
    }
    return result;
}

kith_result ki_scene_mark_block(ki_scene_keep *keep, uint32_t block)
{
    const ki_scene_block *of = ki_scene_block_at(keep->scene, block);
    if (of->removed) {
        return KITH_OK; /* one line, without values */
    }
    const ki_scene_source *saved = keep->source;
    keep->source = ki_scene_source_at(keep->scene, of->place.file); /* also in those beside it */
    keep->block = block;
    kith_reader reader = ki_scene_reader_at(keep->source, of->start);
    ki_scene_read_heading(&reader);
    const kith_result result = ki_scene_edit_all_names(keep, &reader, true);
    keep->source = saved;
    return result;
}

kith_result ki_scene_mark_living(ki_scene_keep *keep, uint32_t block)
{
    const ki_scene_block *of = ki_scene_block_at(keep->scene, block);
    const kith_world *world = keep->task->world;
    kith_entity entity = ki_scene_handle(keep->scene, of->entity);
    const ki_scene_source *saved = keep->source;
    keep->source = ki_scene_source_at(keep->scene, of->place.file); /* also in those beside it */
    kith_reader reader = ki_scene_reader_at(keep->source, of->start);
    ki_scene_line line;
    kith_result result = KITH_OK;
    keep->block = block;
    ki_scene_read_heading(&reader);
    while (result == KITH_OK && ki_scene_next_line(&reader, keep->scene, &line)) {
        bool has = ki_scene_keeps(world, entity, line.type);
        const char *expected = ki_scene_expect(keep, block, line.type, &has);
        const char *value = expected == NULL ? NULL : kith_get(world, entity, line.type);
        if (value != NULL && !line.removal) {
            result = ki_scene_edit_names(keep, &line, value, expected, true);
        }
    }
    keep->source = saved;
    return result;
}
