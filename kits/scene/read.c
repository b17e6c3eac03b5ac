/* Texts: entities and prefabs, their names, and what they extend. */
#include <inttypes.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/scene_error.h"
#include "scene/scene_map.h"

/* ---- Names ----------------------------------------------------------------------------------- */

/* Numbers a name of an entity where it first comes up, in a value or before its lines. */
static uint32_t number_of_name(ki_scene_draft *draft, const char *text, size_t length)
{
    kith_scene *scene = draft->scene;
    uint32_t number = ki_scene_names_find(&scene->names, text, length);
    return number != KI_SCENE_NOTHING
               ? number
               : ki_scene_names_add(&scene->names, &scene->arena, text, length);
}

static kith_result find_entity(kith_reader *reader, void *context, kith_entity *entity)
{
    ki_scene_draft *draft = context;
    uint32_t number = number_of_name(draft, reader->token.start, reader->token.length);
    if (number == KI_SCENE_NOTHING) {
        return KITH_ERR_MEMORY;
    }
    *entity = (kith_entity){.index1 = number + 1};
    draft->refers = true;
    return KITH_OK;
}

static kith_result keep_text(kith_reader *reader, void *context, const char *bytes, size_t length,
                             kith_text *text)
{
    (void)reader;
    ki_scene_draft *draft = context;
    return ki_scene_texts_keep(&draft->texts, bytes, length, text);
}

/* Finds the first name in the text that no entity has. Names are numbered in the order of
 * the text: lines that have to wait are looked at before they are read. */
static kith_result check_names(ki_scene_draft *draft)
{
    const ki_scene_names *names = &draft->scene->names;
    const ki_scene_name *unknown = NULL;
    for (uint32_t i = 0; i < names->names.count && unknown == NULL; i++) {
        const ki_scene_name *name = ki_scene_names_at(names, i);
        unknown = name->stands_for == KI_SCENE_NOTHING ? name : NULL;
    }
    if (unknown == NULL) {
        return KITH_OK;
    }
    kith_hint hint = {.word = unknown->text, .length = unknown->length};
    for (uint32_t i = 0; i < names->names.count; i++) {
        const ki_scene_name *name = ki_scene_names_at(names, i);
        if (name->stands_for != KI_SCENE_NOTHING) {
            kith_hint_offer(&hint, name->text);
        }
    }
    ki_scene_point_at(draft, unknown->where, unknown->length);
    return kith_read_expected(&draft->reader, "the name of an entity of this scene%s",
                              kith_hint_text(&hint).text);
}

/* ---- The first line ------------------------------------------------------------------------ */

/* How much of a word is a name: the part before a colon, if that has none of the signs of other
 * words. */
static size_t name_length(const kith_token *token)
{
    const char *colon = memchr(token->start, ':', token->length);
    size_t length = colon == NULL ? token->length : (size_t)(colon - token->start);
    bool name = token->kind == KITH_TOKEN_WORD && memchr(token->start, '[', length) == NULL &&
                memchr(token->start, '(', length) == NULL;
    return name ? length : 0;
}

/* Reads a name that may have a colon right after it. */
static kith_result read_word(ki_scene_draft *draft, const char *expected)
{
    kith_reader *reader = &draft->reader;
    size_t length = reader->token.first ? 0 : name_length(&reader->token);
    if (length == 0) {
        return kith_read_expected(reader, "%s", expected);
    }
    reader->token.length = length;
    if (kith_token_is(reader, "none")) {
        return kith_read_fail(reader, reader->token.start,
                              "expected another name: \"none\" means no entity");
    }
    reader->next = reader->token.start + length;
    return KITH_OK;
}

static kith_result name_taken(ki_scene_draft *draft, const char *before)
{
    uint32_t line;
    uint32_t column;
    kith_reader *reader = &draft->reader;
    kith_read_place(reader, before, &line, &column);
    size_t length = reader->token.length < 40 ? reader->token.length : 40;
    return kith_read_fail(reader, reader->token.start,
                          "expected another name: \"%.*s\" is taken in line %" PRIu32, (int)length,
                          reader->token.start, line);
}

/* Gives the last token as its name to entity or prefab number `stands_for`. */
static kith_result add_name(ki_scene_draft *draft, bool is_prefab, uint32_t stands_for,
                            const char **text)
{
    kith_scene *scene = draft->scene;
    ki_scene_names *names = is_prefab ? &scene->prefab_names : &scene->names;
    const kith_token *token = &draft->reader.token;
    uint32_t number = ki_scene_names_find(names, token->start, token->length);
    if (number == KI_SCENE_NOTHING) {
        number = ki_scene_names_add(names, &scene->arena, token->start, token->length);
        if (number == KI_SCENE_NOTHING) {
            return KITH_ERR_MEMORY;
        }
    }
    ki_scene_name *name = ki_scene_names_at(names, number);
    if (name->stands_for != KI_SCENE_NOTHING) {
        return name_taken(draft, name->where);
    }
    name->stands_for = stands_for;
    name->where = token->start;
    *text = name->text;
    return KITH_OK;
}

/* [NAME] [: PREFAB], after the word that begins it; the last token is the last of the line. */
static kith_result read_heading(ki_scene_draft *draft, uint32_t block, uint32_t number)
{
    kith_reader *reader = &draft->reader;
    ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    const char *end = reader->next;
    kith_result result = kith_read_token(reader);
    bool named = plan->is_prefab || (!reader->token.first && !kith_token_is(reader, ":"));
    if (result == KITH_OK && named) {
        result = read_word(draft, plan->is_prefab
                                      ? "a name after \"prefab\""
                                      : "a name, \":\" or the end of the line after \"entity\"");
        if (result == KITH_OK) {
            ki_scene_block *of = (ki_scene_block *)draft->scene->blocks.items + block;
            result = add_name(draft, plan->is_prefab, number, &of->name);
        }
        end = reader->next;
        result = result == KITH_OK ? kith_read_token(reader) : result;
    }
    if (result == KITH_OK && !reader->token.first && kith_token_is(reader, ":")) {
        result = kith_read_token(reader);
        result = result == KITH_OK ? read_word(draft, "the name of a prefab after \":\"") : result;
        plan->base = reader->token.start;
        plan->base_length = (uint32_t)reader->token.length;
        end = reader->next;
        result = result == KITH_OK ? kith_read_token(reader) : result;
    }
    plan->body = end;
    if (result == KITH_OK && !reader->token.first) {
        result = kith_read_expected(reader, plan->base == NULL ? "\":\" or the end of the line"
                                                               : "the end of the line");
    }
    return result;
}

/* ---- Entities and prefabs -------------------------------------------------------------------- */

static kith_result read_block(ki_scene_draft *draft)
{
    bool is_prefab = kith_token_is(&draft->reader, "prefab");
    const kith_scene *scene = draft->scene;
    uint32_t number = is_prefab ? scene->prefabs.count : scene->entities.count;
    uint32_t block;
    kith_result result = ki_scene_add_block(draft, is_prefab, &block);
    if (result == KITH_OK) {
        result = read_heading(draft, block, number);
    }
    if (result != KITH_OK) {
        return result;
    }
    if (ki_scene_plan_at(draft, block)->base == NULL) {
        return ki_scene_read_lines(draft, block, KI_SCENE_NOTHING);
    }
    uint32_t base = ki_scene_base_of(draft, block);
    bool ready = base != KI_SCENE_NOTHING && ki_scene_plan_at(draft, base)->state == KI_SCENE_READY;
    return ready ? ki_scene_read_lines(draft, block, base) : ki_scene_look_at_lines(draft);
}

/* Values as calls take them. Those that refer get bytes of their own, for handles. */
static kith_result prepare_prefab(kith_scene *scene, kith_prefab *prefab)
{
    const ki_scene_block *block = ki_scene_block_at(scene, prefab->block);
    const ki_scene_value *values = ki_scene_values_of(scene, block);
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
            ki_scene_link_value(scene, &values[i], NULL, bytes);
            prefab->values[i].data = bytes;
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

/* Blocks are in the order of the text, so that one walk through it finds all of their lines. */
static void find_places(ki_scene_draft *draft)
{
    kith_scene *scene = draft->scene;
    ki_scene_block *blocks = scene->blocks.items;
    const char *at = draft->reader.text;
    const char *line = at;
    uint32_t number = 1;
    for (uint32_t i = 0; i <= scene->blocks.count; i++) {
        bool last = i == scene->blocks.count;
        const char *start =
            last ? draft->reader.text + draft->reader.length : ki_scene_plan_at(draft, i)->start;
        for (; (at = memchr(at, '\n', (size_t)(start - at))) != NULL; line = ++at) {
            number++;
        }
        at = start;
        kith_scene_place *place = last ? &scene->end : &blocks[i].place;
        *place = (kith_scene_place){number, (uint32_t)(start - line) + 1};
    }
}

static kith_result read_text(ki_scene_draft *draft)
{
    kith_result result = kith_read_token(&draft->reader);
    if (result == KITH_OK && !ki_scene_at_block(draft)) {
        result = kith_read_expected(&draft->reader,
                                    "\"entity\", \"prefab\" or \"map\" before the first component");
    }
    while (result == KITH_OK && draft->reader.token.kind != KITH_TOKEN_END) {
        result =
            kith_token_is(&draft->reader, "map") ? ki_scene_read_map(draft) : read_block(draft);
    }
    if (result == KITH_OK) {
        result = ki_scene_inherit(draft);
    }
    if (result == KITH_OK) {
        result = check_names(draft);
    }
    if (result == KITH_OK) {
        result = ki_scene_texts_intern(&draft->texts, draft->scene->world);
    }
    if (result != KITH_OK) {
        return result;
    }
    find_places(draft);
    return prepare_prefabs(draft->scene);
}

static kith_scene *new_scene(kith_world *world)
{
    kith_allocator allocator = kith_world_allocator(world);
    kith_scene *scene = allocator.allocate(allocator.context, sizeof *scene, _Alignof(kith_scene));
    if (scene != NULL) {
        *scene = (kith_scene){.world = world, .arena = {.allocator = allocator}};
    }
    return scene;
}

void kith_scene_free(kith_scene *scene)
{
    if (scene == NULL) {
        return;
    }
    kith_allocator allocator = scene->arena.allocator;
    if (scene->handles != NULL) {
        allocator.release(allocator.context, scene->handles, ki_scene_handles_size(scene),
                          _Alignof(max_align_t));
    }
    ki_scene_names_free(&scene->names, &allocator);
    ki_scene_names_free(&scene->prefab_names, &allocator);
    ki_scene_list_free(&allocator, &scene->blocks, sizeof(ki_scene_block));
    ki_scene_list_free(&allocator, &scene->values, sizeof(ki_scene_value));
    ki_scene_list_free(&allocator, &scene->entities, sizeof(uint32_t));
    ki_scene_list_free(&allocator, &scene->prefabs, sizeof(kith_prefab));
    ki_scene_arena_free(&scene->arena);
    allocator.release(allocator.context, scene, sizeof *scene, _Alignof(kith_scene));
}

kith_result kith_scene_read(kith_world *world, const char *text, size_t length, kith_scene **scene,
                            kith_scene_error *error)
{
    if (world == NULL || text == NULL || scene == NULL) {
        return kith_misuse(world, "kith_scene_read: the world, the text or the scene is NULL");
    }
    if (kith_require_owner(world, "kith_scene_read") != KITH_OK) {
        return KITH_ERR_MISUSE;
    }
    if (length > UINT32_MAX) {
        return ki_scene_fail(world, error, NULL, KITH_ERR_LIMIT, "the text has 2^32 bytes or more");
    }
    static const char mark[] = "\xef\xbb\xbf";
    bool marked = length >= 3 && memcmp(text, mark, 3) == 0;
    ki_scene_draft draft = {.scene = new_scene(world),
                            .texts.arena.allocator = kith_world_allocator(world)};
    draft.reader = (kith_reader){.text = marked ? text + 3 : text,
                                 .length = marked ? length - 3 : length,
                                 .error = &draft.error,
                                 .find_entity = find_entity,
                                 .keep_text = keep_text,
                                 .context = &draft,
                                 .world = world};
    kith_result result = draft.scene == NULL ? KITH_ERR_MEMORY : read_text(&draft);
    if (draft.scene != NULL) {
        ki_scene_list_free(&draft.scene->arena.allocator, &draft.plans, sizeof(ki_scene_plan));
        ki_scene_list_free(&draft.scene->arena.allocator, &draft.maps, sizeof(ki_scene_map));
        ki_scene_texts_free(&draft.texts);
        ki_scene_index_free(&draft.index, &draft.scene->arena.allocator);
    }
    if (result == KITH_OK) {
        *scene = draft.scene;
        return KITH_OK;
    }
    kith_scene_free(draft.scene);
    return result == KITH_ERR_INPUT ? ki_scene_fail_in_text(world, error, NULL, &draft.error)
                                    : ki_scene_fail(world, error, NULL, result, NULL);
}
