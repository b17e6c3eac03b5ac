/* Texts: entities and prefabs, their names, and what they extend. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/import.h"
#include "scene/scene_link.h"
#include "scene/scene_map.h"
#include "scene/source.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* Notes a word that means an entity, or a path of them, to be resolved when their tree is there. */
static kith_result find_entity(kith_reader *reader, void *context, kith_entity *entity)
{
    ki_scene_draft *draft = context;
    size_t length = ki_scene_path_length(reader);
    reader->next = reader->token.start + length;
    *entity = (kith_entity){draft->words.count + 1, KI_SCENE_UNRESOLVED};
    if (draft->looks_only) {
        return KITH_OK;
    }
    ki_scene_word *word =
        ki_scene_list_add(&draft->scene->arena.allocator, &draft->words, 1, sizeof *word);
    if (word == NULL) {
        return KITH_ERR_MEMORY;
    }
    *word = (ki_scene_word){reader->token.start, length, draft->block, KITH_NONE};
    return KITH_OK;
}

static kith_result keep_text(kith_reader *reader, void *context, const char *bytes, size_t length,
                             kith_text *text)
{
    (void)reader;
    ki_scene_draft *draft = context;
    return ki_scene_texts_keep(&draft->texts, bytes, length, text);
}

/* ---- Entities and prefabs -------------------------------------------------------------------- */

/* What was read last is read again, when what its children extend is there. */
static void forget_lines(ki_scene_draft *draft, uint32_t block)
{
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    ki_scene_plan_at(draft, block)->read = false;
    draft->scene->values.count -= of->value_count;
    of->value_count = 0;
    draft->words.count = 0;
    draft->open.count = 0;
}

static kith_result read_block(ki_scene_draft *draft)
{
    bool is_prefab = kith_token_is(&draft->reader, "prefab");
    const kith_scene *scene = draft->scene;
    uint32_t number = is_prefab ? scene->prefabs.count : scene->blocks.count;
    uint32_t block;
    kith_result result =
        ki_scene_add_root(draft, is_prefab ? KI_SCENE_PREFAB : KI_SCENE_ENTITY, &block);
    if (result == KITH_OK) {
        result = ki_scene_read_first_line(draft, block, number);
    }
    if (result != KITH_OK) {
        return result;
    }
    uint32_t base = KI_SCENE_NOTHING;
    bool ready = ki_scene_plan_at(draft, block)->base == NULL;
    if (!ready) {
        base = ki_scene_base_of(draft, block);
        ready = base != KI_SCENE_NOTHING && ki_scene_plan_at(draft, base)->state == KI_SCENE_READY;
    }
    result = ready ? ki_scene_read_lines(draft, block, base) : ki_scene_look_at_lines(draft);
    if (result == KITH_OK && !ki_scene_at_block(draft)) {
        forget_lines(draft, block);
        ready = false;
        result = ki_scene_read_children(draft, block);
    }
    return result == KITH_OK && ready ? ki_scene_make_tree(draft, block) : result;
}

/* Whether a value names an entity of the tree that has it. */
static bool refers_to_node(const ki_scene_value *value)
{
    for (uint32_t i = 0; i < value->type->field_count; i++) {
        const kith_field *field = &value->type->fields[i];
        uint32_t end = field->kind == KITH_ENTITY ? field->size : 0;
        for (uint32_t at = 0; at < end; at += (uint32_t)sizeof(kith_entity)) {
            kith_entity entity;
            memcpy(&entity, value->bytes + field->offset + at, sizeof entity);
            if (entity.index1 != 0 && entity.generation == KI_SCENE_BY_NODE) {
                return true;
            }
        }
    }
    return false;
}

/* Values as calls take them. Those that refer get bytes of their own, for handles. */
static kith_result prepare_prefab(kith_scene *scene, kith_prefab *prefab)
{
    const ki_scene_block *block = ki_scene_block_at(scene, prefab->block);
    const ki_scene_value *values = ki_scene_values_of(scene, block);
    const ki_scene_handles none = {NULL, NULL, prefab->block};
    prefab->is_tree = block->node_count > 0;
    prefab->value_count = block->value_count;
    prefab->values = ki_scene_arena_alloc(&scene->arena, block->value_count * sizeof(kith_value));
    if (prefab->values == NULL) {
        return KITH_ERR_MEMORY;
    }
    for (uint32_t i = 0; i < block->value_count; i++) {
        const kith_type *type = values[i].type;
        prefab->values[i] = (kith_value){type, values[i].bytes};
        if (values[i].refers) {
            void *bytes = ki_scene_arena_alloc(&scene->arena, type->size);
            if (bytes == NULL) {
                return KITH_ERR_MEMORY;
            }
            ki_scene_link_value(scene, &values[i], &none, bytes);
            prefab->values[i].data = bytes;
            prefab->is_tree = prefab->is_tree || refers_to_node(&values[i]);
        }
    }
    return KITH_OK;
}

static kith_result prepare_prefabs(kith_scene *scene)
{
    kith_prefab *prefabs = scene->prefabs.items;
    kith_result result = KITH_OK;
    for (uint32_t i = 0; result == KITH_OK && i < scene->prefabs.count; i++) {
        result = prepare_prefab(scene, &prefabs[i]);
    }
    return result;
}

/* How far the lines of a source are counted. */
typedef struct line_count {
    const char *at;
    const char *line;
    uint32_t number;
} line_count;

static kith_scene_place count_to(line_count *count, const char *place, uint32_t file)
{
    const char *at = count->at;
    for (; (at = memchr(at, '\n', (size_t)(place - at))) != NULL; count->line = ++at) {
        count->number++;
    }
    count->at = place;
    return (kith_scene_place){count->number, (uint32_t)(place - count->line) + 1, file};
}

/* A block that is in a text. */
typedef struct placed_block {
    const char *start;
    uint32_t file;
    uint32_t block;
} placed_block;

static int compare_placed(const void *a, const void *b)
{
    const placed_block *first = a;
    const placed_block *second = b;
    if (first->file != second->file) {
        return first->file < second->file ? -1 : 1;
    }
    return (first->start > second->start) - (first->start < second->start);
}

/* Counts lines in the order of the texts, so that one walk through each finds all places. */
static void count_places(kith_scene *scene, line_count *count, placed_block *placed)
{
    ki_scene_block *blocks = scene->blocks.items;
    uint32_t found = 0;
    for (uint32_t i = 0; i < scene->blocks.count; i++) {
        if (blocks[i].start != NULL) {
            placed[found++] = (placed_block){blocks[i].start, blocks[i].place.file, i};
        }
    }
    if (found > 1) {
        qsort(placed, found, sizeof *placed, compare_placed);
    }
    for (uint32_t i = 0; i < found; i++) {
        blocks[placed[i].block].place =
            count_to(&count[placed[i].file], placed[i].start, placed[i].file);
    }
    for (uint32_t i = 0; i < scene->blocks.count; i++) {
        if (blocks[i].start == NULL) {
            blocks[i].place = blocks[blocks[i].root].place; /* it is inherited */
        }
    }
}

static kith_result find_places(kith_scene *scene)
{
    ki_scene_list counts = {0};
    ki_scene_list placed = {0};
    const kith_allocator *allocator = &scene->arena.allocator;
    line_count *count = ki_scene_list_add(allocator, &counts, scene->sources.count, sizeof *count);
    bool enough = count != NULL && ki_scene_list_add(allocator, &placed, scene->blocks.count + 1,
                                                     sizeof(placed_block)) != NULL;
    for (uint32_t i = 0; enough && i < scene->sources.count; i++) {
        const ki_scene_source *source = ki_scene_source_at(scene, i);
        count[i] = (line_count){source->text + source->mark, source->text + source->mark, 1};
    }
    if (enough) {
        count_places(scene, count, placed.items);
        const ki_scene_source *first = ki_scene_source_at(scene, 0);
        scene->end = count_to(&count[0], first->text + first->length, 0);
    }
    ki_scene_list_free(allocator, &placed, sizeof(placed_block));
    ki_scene_list_free(allocator, &counts, sizeof *count);
    return enough ? KITH_OK : KITH_ERR_MEMORY;
}

/* Reads all blocks, of all texts. */
static kith_result read_blocks(ki_scene_draft *draft)
{
    kith_reader *reader = &draft->reader;
    kith_result result = kith_read_token(reader);
    while (result == KITH_OK) {
        if (reader->token.kind == KITH_TOKEN_END) {
            if (!ki_scene_leave(draft)) {
                return KITH_OK;
            }
            result = kith_read_token(reader);
        } else if (!ki_scene_at_block(draft)) {
            result = kith_read_expected(reader, "\"entity\", \"prefab\", \"map\", \"resource\" or"
                                                " \"include\" before the first component");
        } else if (kith_token_is(reader, "map")) {
            result = ki_scene_read_map(draft);
        } else if (kith_token_is(reader, "include")) {
            result = ki_scene_include(draft);
        } else if (kith_token_is(reader, "resource")) {
            result = ki_scene_read_resource(draft);
        } else {
            result = read_block(draft);
        }
    }
    return result;
}

kith_result ki_scene_read_draft(ki_scene_draft *draft)
{
    draft->reader.find_entity = find_entity;
    draft->reader.keep_text = keep_text;
    draft->reader.context = draft;
    draft->child_of = kith_type_find(draft->scene->world, kith_child_of_type.name);
    if (draft->child_of->relation == 0) { /* the program has another type of that name */
        draft->child_of = &kith_child_of_type;
    }
    draft->is_a = kith_type_find(draft->scene->world, "IsA");
    if (draft->def->entity_names) {
        draft->entity_name = kith_type_find(draft->scene->world, kith_name_type.name);
    }
    kith_scene *scene = draft->scene;
    scene->entity_names = draft->def->entity_names;
    kith_result result = read_blocks(draft);
    result = result == KITH_OK ? ki_scene_inherit(draft) : result;
    result = result == KITH_OK ? ki_scene_number_entities(draft) : result;
    result = result == KITH_OK ? ki_scene_check_names(draft) : result;
    result = result == KITH_OK ? find_places(scene) : result;
    result = result == KITH_OK ? ki_scene_check_relations(draft) : result;
    result = result == KITH_OK ? ki_scene_texts_intern(&draft->texts, scene->world) : result;
    scene->text_entities = scene->entities.count;
    return result == KITH_OK ? prepare_prefabs(scene) : result;
}
