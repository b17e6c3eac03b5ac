/* Scenes in a world in the middle of its life. */
/* mkstemp. */
#define _POSIX_C_SOURCE 200809L

#include "scene_calls.h"

#include <kith/kith.h>
#include <kith/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "prefab walker : stander\n"
                           "    Velocity { dx = 1 }\n"
                           "    - Name\n"
                           "prefab stander\n"
                           "    Position { x = 1 }\n"
                           "    Name { text = \"stander\" }\n"
                           "    Target { entity = third }\n"
                           "entity first : walker\n"
                           "    Position { y = 2 }\n"
                           "entity : stander\n"
                           "    Frozen\n"
                           "entity third\n"
                           "    Target { entity = first }\n"
                           "map\n"
                           "    across Position.x\n"
                           "    down Health.max\n"
                           "    's' = stander\n"
                           "    |.s|\n";

/* Enough for calls that only do the same by another way: each try of a sweep makes a world. */
static const char few[] = "prefab walker\n    Position { x = 1 }\nentity a : walker\n";

void scene_call_prepare(stage *s)
{
    const kith_component_def def = {.layout = s->def.layout};
    CHECK_RESULT(kith_register(s->world, &Target_type, &def), KITH_OK);
}

/* A world to save: without what is opaque. */
void scene_call_prepare_save(stage *s)
{
    scene_call_prepare(s);
    for (kith_entity e = kith_entity_next(s->world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(s->world, e)) {
        if (KITH_HAS(s->world, e, Owned)) {
            CHECK_RESULT(KITH_REMOVE(s->world, e, Owned), KITH_OK);
        }
    }
}

/* What fails writes nothing but its error. */
static void checked(kith_result result, const kith_scene *scene, const kith_scene_error *error)
{
    CHECK_INT(scene == NULL, result != KITH_OK);
    if (result != KITH_OK) {
        CHECK_STR(error->message, "the memory ran out");
        CHECK_UINT(error->line, 0);
    }
}

/* kith_scene_load or kith_scene_parse, of the text. */
static kith_result take_text(stage *s,
                             kith_result (*take)(kith_world *world, const char *text, size_t size,
                                                 kith_scene **scene, kith_scene_error *error))
{
    kith_scene *scene = NULL;
    kith_scene_error error;
    kith_result result = take(s->world, text, strlen(text), &scene, &error);
    checked(result, scene, &error);
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_load(stage *s)
{
    return take_text(s, kith_scene_load);
}

kith_result scene_call_parse(stage *s)
{
    return take_text(s, kith_scene_parse);
}

/* A file with a text; the path is a static one. */
static const char *text_file(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/kith-scene-XXXXXX");
    int file = mkstemp(path);
    CHECK(file >= 0);
    CHECK(write(file, few, strlen(few)) == (ssize_t)strlen(few));
    close(file);
    return path;
}

/* kith_scene_load_file or kith_scene_parse_file. */
static kith_result take_file(stage *s,
                             kith_result (*take)(kith_world *world, const char *path,
                                                 kith_scene **scene, kith_scene_error *error))
{
    kith_scene *scene = NULL;
    kith_scene_error error;
    const char *path = text_file();
    kith_result result = take(s->world, path, &scene, &error);
    remove(path);
    checked(result, scene, &error);
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_load_file(stage *s)
{
    return take_file(s, kith_scene_load_file);
}

kith_result scene_call_read_file(stage *s)
{
    return take_file(s, kith_scene_parse_file);
}

static kith_scene *read_scene(stage *s, const char *from, kith_result *result)
{
    kith_scene *scene = NULL;
    *result = kith_scene_parse(s->world, from, strlen(from), &scene, NULL);
    return scene;
}

kith_result scene_call_spawn(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, text, &result);
    if (scene != NULL) {
        CHECK_SAME(kith_scene_find(scene, "third"), KITH_NONE);
        result = kith_scene_spawn(scene);
        kith_entity third = kith_scene_find(scene, "third");
        CHECK_INT(kith_alive(s->world, third), result == KITH_OK);
    }
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_prefab_spawn(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, few, &result);
    kith_entity entity = KITH_NONE;
    if (scene != NULL) {
        const kith_value values[] = {KITH_VALUE(Position, {3, 4}), KITH_VALUE(Frozen)};
        result = kith_prefab_spawn(kith_scene_prefab(scene, "walker"), values, 2, &entity);
    }
    CHECK_INT(kith_is_none(entity), result != KITH_OK);
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_prefab_spawn_or_none(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, few, &result);
    if (scene != NULL) {
        kith_entity entity = KITH_SPAWN_FROM(s->world, kith_scene_prefab(scene, "walker"),
                                             KITH_VALUE(Position, {3, 4}), KITH_VALUE(Frozen));
        result = kith_is_none(entity) ? KITH_ERR_MEMORY : KITH_OK;
    }
    kith_scene_free(scene);
    return result;
}

/* More values than those for which there is room on the stack. */
kith_result scene_call_prefab_spawn_many(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, few, &result);
    kith_entity entities[3] = {KITH_NONE};
    if (scene != NULL) {
        kith_values values[40];
        for (int i = 0; i < 40; i++) {
            values[i] = (kith_values){&Health_type, NULL, false};
        }
        result =
            kith_prefab_spawn_many(kith_scene_prefab(scene, "walker"), 3, values, 40, entities);
    }
    CHECK_INT(kith_is_none(entities[0]), result != KITH_OK);
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_prefab_queue(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, few, &result);
    kith_commands *commands = scene == NULL ? NULL : kith_commands_new(s->world, NULL);
    if (scene != NULL && commands == NULL) {
        result = KITH_ERR_MEMORY;
    }
    if (commands != NULL) {
        const kith_value value = KITH_VALUE(Position, {3, 4});
        kith_entity entity =
            kith_prefab_queue(kith_scene_prefab(scene, "walker"), commands, &value, 1);
        result = kith_commands_apply(commands, NULL);
        CHECK(result != KITH_OK || !kith_is_none(entity));
    }
    kith_commands_free(commands);
    kith_scene_free(scene);
    return result;
}

/* A tree that is made of another one: more values than there is room for on the stack. */
static const char trees[] =
    "prefab gun\n    Target { entity = gun }\n    child flash\n"
    "prefab tank\n    Position { x = 1 }\n    Target { entity = turret/gun }\n"
    "    child turret {\n        child gun : gun\n    }\n"
    "entity a : tank\n    child turret/gun {\n        Health { max = 2 }\n"
    "        child { }\n    }\n    - child turret/gun/flash\n"
    "entity\n    Target { entity = a/turret/gun }\n";

kith_result scene_call_load_trees(stage *s)
{
    kith_scene *scene = NULL;
    kith_scene_error error;
    kith_result result = kith_scene_load(s->world, trees, strlen(trees), &scene, &error);
    checked(result, scene, &error);
    CHECK_INT(scene != NULL && !kith_is_none(kith_scene_find(scene, "a/turret/gun")),
              result == KITH_OK);
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_prefab_spawn_trees(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, trees, &result);
    kith_entity entities[3] = {KITH_NONE};
    if (scene != NULL) {
        const kith_values value = {&Health_type, NULL, false};
        result = kith_prefab_spawn_many(kith_scene_prefab(scene, "tank"), 3, &value, 1, entities);
    }
    CHECK_INT(kith_is_none(entities[0]), result != KITH_OK);
    kith_scene_free(scene);
    return result;
}

kith_result scene_call_prefab_spawn_parts(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, trees, &result);
    kith_entity entity = KITH_NONE;
    if (scene != NULL) {
        const kith_part_value values[] = {{"turret/gun", KITH_VALUE(Position, {3, 4})},
                                          {"", KITH_VALUE(Frozen)}};
        result = kith_prefab_spawn_parts(kith_scene_prefab(scene, "tank"), values, 2, &entity);
    }
    CHECK_INT(kith_is_none(entity), result != KITH_OK);
    kith_scene_free(scene);
    return result;
}

/* A tree with more entities than there is room for on the stack. */
kith_result scene_call_prefab_queue_parts(stage *s)
{
    char wide[2000] = "prefab wide\n    child first {\n        Target { entity = wide }\n    }\n";
    for (int i = 0; i < 70; i++) {
        strcat(wide, "    child\n");
    }
    kith_result result;
    kith_scene *scene = read_scene(s, wide, &result);
    kith_commands *commands = scene == NULL ? NULL : kith_commands_new(s->world, NULL);
    if (scene != NULL && commands == NULL) {
        result = KITH_ERR_MEMORY;
    }
    if (commands != NULL) {
        const kith_part_value value = {"first", KITH_VALUE(Position, {3, 4})};
        kith_entity entity =
            kith_prefab_queue_parts(kith_scene_prefab(scene, "wide"), commands, &value, 1);
        result = kith_commands_apply(commands, NULL);
        if (result == KITH_OK && kith_is_none(entity)) { /* nothing was queued */
            result = KITH_ERR_MEMORY;
        }
    }
    kith_commands_free(commands);
    kith_scene_free(scene);
    return result;
}

/* The texts that a sweep includes, and one that it uses. */
static kith_result open_few(void *context, const char *path, const char **included, size_t *length)
{
    (void)context;
    CHECK_STR(path, "dir/few.kith");
    *included = few;
    *length = strlen(few);
    return KITH_OK;
}

static const char using_others[] = "include \"../dir/few.kith\"\n"
                                   "resource Target { entity = b }\n"
                                   "resource Health { max = 9 }\n"
                                   "entity b : walker from other\n"
                                   "    Target { entity = a }\n"
                                   "map\n"
                                   "    across Position.x\n"
                                   "    down Position.y\n"
                                   "    's' = stander from other\n"
                                   "    |.s|\n";

/* A scene of several texts, and with prefabs of another one. */
static kith_result new_using_others(stage *s, kith_scene **other, kith_scene **scene)
{
    kith_result result;
    kith_scene_error error;
    *scene = NULL;
    *other = read_scene(s, text, &result);
    if (*other == NULL) {
        return result;
    }
    const kith_scene_library library = {"other", *other};
    const kith_scene_def def = {.text = using_others,
                                .length = strlen(using_others),
                                .path = "levels/one.kith",
                                .open = open_few,
                                .libraries = &library,
                                .library_count = 1};
    result = kith_scene_new(s->world, &def, scene, &error);
    checked(result, *scene, &error);
    return result;
}

kith_result scene_call_new(stage *s)
{
    kith_scene *other;
    kith_scene *scene;
    kith_result result = new_using_others(s, &other, &scene);
    CHECK(scene == NULL || strcmp(kith_scene_file(scene, 1), "dir/few.kith") == 0);
    kith_scene_free(scene);
    kith_scene_free(other);
    return result;
}

kith_result scene_call_spawn_resources(stage *s)
{
    kith_scene *other;
    kith_scene *scene;
    kith_result result = new_using_others(s, &other, &scene);
    result = result == KITH_OK ? kith_scene_spawn(scene) : result;
    kith_scene_free(scene);
    kith_scene_free(other);
    return result;
}

kith_result scene_call_add(stage *s)
{
    kith_scene *other;
    kith_scene *scene;
    const kith_entity entity = s->plain;
    uint32_t index = 99;
    kith_result result = new_using_others(s, &other, &scene);
    if (result == KITH_OK) {
        result = kith_scene_add(scene, entity, kith_scene_prefab(other, "walker"), &index);
        CHECK_UINT(kith_scene_count(scene), result == KITH_OK ? 4 : 3);
        CHECK_UINT(index, result == KITH_OK ? 3 : 99);
        CHECK_UINT(kith_scene_index_of(scene, entity), result == KITH_OK ? 3 : UINT32_MAX);
    }
    kith_scene_free(scene);
    kith_scene_free(other);
    return result;
}

kith_result scene_call_set_name(stage *s)
{
    kith_result result;
    kith_scene *scene = read_scene(s, text, &result);
    if (scene != NULL) {
        result = kith_scene_set_name(scene, 0, "another");
        CHECK_STR(kith_scene_name(scene, 0), result == KITH_OK ? "another" : "first");
    }
    kith_scene_free(scene);
    return result;
}

static bool count_bytes(void *context, const char *bytes, size_t count)
{
    (void)bytes;
    *(size_t *)context += count;
    return true;
}

kith_result scene_call_save(stage *s)
{
    kith_scene_error error = {.message = ""};
    size_t length = 0;
    kith_result result = kith_scene_save(s->world, NULL, count_bytes, &length, &error);
    CHECK(result != KITH_OK || length > 1000);
    CHECK(result == KITH_OK || strcmp(error.message, "the memory ran out") == 0);
    return result;
}

kith_result scene_call_save_some(stage *s)
{
    size_t length = 0;
    const kith_scene_save_def def = {.query = s->all, .lose_references = true};
    kith_result result = kith_scene_save(s->world, &def, count_bytes, &length, NULL);
    CHECK(result != KITH_OK || length > 50);
    return result;
}

kith_result scene_call_save_file(stage *s)
{
    const char *path = text_file();
    kith_result result = kith_scene_save_file(s->world, NULL, path, NULL);
    FILE *file = fopen(path, "rb");
    CHECK_PTR_NOT_NULL(file);
    fseek(file, 0, SEEK_END);
    CHECK_INT(ftell(file) == (long)strlen(few), result != KITH_OK);
    fclose(file);
    remove(path);
    return result;
}

uint64_t scene_call_ask(stage *s)
{
    char printed[64];
    const Position position = {3, 0.5f};
    uint64_t answer =
        kith_print_field(s->world, &Position_type.fields[1], &position, printed, sizeof printed);
    CHECK_STR(printed, "0.5");
    answer += kith_print_value_named(s->world, &Position_type, &position, NULL, NULL, printed,
                                     sizeof printed);
    kith_text_error error;
    kith_reader reader = {.text = printed, .length = strlen(printed), .error = &error};
    Position back = {0, 0};
    CHECK_RESULT(kith_read_token(&reader), KITH_OK);
    CHECK_RESULT(kith_read_value(&reader, &Position_type, &back), KITH_OK);
    CHECK(kith_token_is(&reader, "x") == false && back.x == 3 && back.y == 0.5f);
    CHECK_RESULT(kith_read_name(&reader, "a name", printed, 4), KITH_ERR_INPUT);
    kith_hint hint = {.word = "Positon", .length = 7};
    kith_hint_offer(&hint, "Position");
    CHECK_RESULT(kith_read_expected(&reader, "more%s", kith_hint_text(&hint).text), KITH_ERR_INPUT);
    CHECK_PTR_NOT_NULL((void *)(uintptr_t)kith_world_allocator(s->world).allocate);
    CHECK_PTR_NULL(kith_attached(s->world, s));
    return answer + error.column;
}
