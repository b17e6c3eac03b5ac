/* The part of the play that writes the worlds as scenes and reads those into empty worlds, which then
 * have what the model says, and go on as it does. */
#include <kith/scene.h>
#include <kith/text.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

#define SCENE_TERMS 40u
#define SCENE_BYTES 200000u /* of values, at most: larger worlds are not written */

/* What is to be written, and what has to come of it. */
typedef struct playing_scene {
    kith_term terms[SCENE_TERMS + 1];
    uint32_t term_count;
    bool lose;      /* references to what is not written */
    bool resources; /* are written too */
    bool *saved;    /* by the place of an entity among the model's */
    uint32_t *order; /* places of those that are saved, in the order of the text */
    uint32_t count;
    uint32_t *number; /* by place: where in `order` it is */
    bool complete;    /* no reference is lost */
} playing_scene;

typedef struct scene_text {
    char *bytes;
    size_t length;
    size_t capacity;
} scene_text;

static bool write_text(void *context, const char *bytes, size_t count)
{
    scene_text *text = context;
    if (text->length + count > text->capacity) {
        text->capacity = (text->length + count) * 2;
        text->bytes = realloc(text->bytes, text->capacity);
        CHECK_PTR_NOT_NULL(text->bytes);
    }
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    return true;
}

/* ---- What is written --------------------------------------------------------------------------- */

/* Without values that have hooks, and now and then without others, or those without them. */
static void choose_terms(play *p, playing_scene *s)
{
    for (uint32_t i = 0; i < p->m.type_count; i++) {
        const kith_type *type = p->m.types[i];
        if (play_is_hooked(type) && s->term_count < SCENE_TERMS - 1) {
            s->terms[s->term_count++] = (kith_term){.type = type, .role = KITH_MUST_NOT};
        }
    }
    const kith_type *type = play_registered(p);
    if (input_chance(&p->in, 40) && !play_is_hooked(type)) {
        s->terms[s->term_count++] = (kith_term){
            .type = type, .role = input_chance(&p->in, 50) ? KITH_MUST : KITH_MUST_NOT};
    }
}

/* The place of an entity among the model's, if it is written; UINT32_MAX: it is not. */
static uint32_t saved_place(const play *p, const playing_scene *s, kith_entity entity)
{
    const model_entity *found = model_find(&p->m, entity);
    const uint32_t at = found == NULL ? UINT32_MAX : (uint32_t)(found - p->m.entities);
    return at != UINT32_MAX && s->saved[at] ? at : UINT32_MAX;
}

static const model_relation *children_of(const play *p)
{
    return model_relation_of(&p->m, play_same_type(&kith_child_of_type), false);
}

/* An entity and all below it that is written in it. */
static void add_tree(const play *p, playing_scene *s, uint32_t at)
{
    s->number[at] = s->count;
    s->order[s->count++] = at;
    const model_relation *children = children_of(p);
    for (uint32_t i = 0; children != NULL && i < children->count; i++) {
        const uint32_t child = saved_place(p, s, children->list[i].source);
        if (child != UINT32_MAX &&
            kith_entity_equal(children->list[i].target, p->m.entities[at].handle)) {
            add_tree(p, s, child);
        }
    }
}

static void choose_order(play *p, playing_scene *s)
{
    s->saved = play_scratch(p, p->m.entity_count * sizeof(*s->saved));
    s->order = play_scratch(p, p->m.entity_count * sizeof(*s->order));
    s->number = play_scratch(p, p->m.entity_count * sizeof(*s->number));
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        s->saved[i] = model_matches(&p->m, &p->m.entities[i], s->terms, s->term_count);
    }
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const kith_entity parent = model_parent(&p->m, p->m.entities[i].handle);
        if (s->saved[i] && saved_place(p, s, parent) == UINT32_MAX) {
            add_tree(p, s, i);
        }
    }
}

/* ---- What is read ------------------------------------------------------------------------------ */

/* The value as it is read: with the new handles, and without what padding is. False: it is a link that
 * is left out. */
static bool read_value(const play *p, playing_scene *s, const kith_type *type,
                       const unsigned char *bytes, unsigned char *to)
{
    bool whole = true;
    memset(to, 0, type->size);
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING) {
            memcpy(to + field->offset, bytes + field->offset, field->size);
        }
    }
    for (uint32_t i = 0; i < play_handles_in(type); i++) {
        kith_entity entity;
        memcpy(&entity, bytes + i * sizeof(entity), sizeof(entity));
        const uint32_t at = saved_place(p, s, entity);
        s->complete = s->complete && (at != UINT32_MAX || kith_is_none(entity));
        whole = whole && at != UINT32_MAX;
        entity = at == UINT32_MAX ? KITH_NONE : (kith_entity){s->number[at] + 1, 0};
        memcpy(to + i * sizeof(entity), &entity, sizeof(entity));
    }
    return whole || type->relation == 0;
}

/* What a world has that has read the text. */
static model read_model(play *p, playing_scene *s)
{
    model next = model_empty_like(&p->m);
    unsigned char *value = play_scratch(p, 1u << 17);
    for (uint32_t i = 0; i < p->m.type_count; i++) {
        model_register(&next, p->m.types[i]);
    }
    model_register(&next, play_same_type(&kith_child_of_type));
    for (uint32_t i = 0; i < s->count; i++) {
        const model_values *values = &p->m.entities[s->order[i]].values;
        model_entity *made = model_spawn(&next);
        for (uint32_t k = 0; k < values->count; k++) {
            const kith_type *type = values->list[k].type;
            if (!model_is_transient(&p->m, type) &&
                read_value(p, s, type, values->list[k].bytes, value)) {
                model_set(&made->values, type, value);
            }
        }
    }
    for (uint32_t i = 0; s->resources && i < p->m.resources.count; i++) {
        const kith_type *type = p->m.resources.list[i].type;
        model_register(&next, type);
        read_value(p, s, type, p->m.resources.list[i].bytes, value);
        model_set(&next.resources, type, value);
    }
    return next;
}

/* A value without a text of the world cannot be written; entities have names that are texts. */
static bool resources_can_be_written(const play *p)
{
    for (uint32_t i = 0; i < p->m.resources.count; i++) {
        const kith_type *type = p->m.resources.list[i].type;
        kith_text text = {0};
        if (type == p->m.name_type) {
            memcpy(&text, p->m.resources.list[i].bytes, sizeof(text));
        }
        if (play_is_hooked(type) ||
            kith_text_get(p->worlds[TWIN].world, text, NULL) == NULL) {
            return false;
        }
    }
    return true;
}

/* ---- Calls ------------------------------------------------------------------------------------- */

static kith_result write_scene(kith_world *world, const playing_scene *s, kith_query *query,
                               scene_text *text)
{
    const kith_scene_save_def def = {
        .query = query, .resources = s->resources, .lose_references = s->lose};
    text->length = 0;
    return kith_scene_save(world, &def, write_text, text, NULL);
}

/* The text of a world, with SUBJECT's allocations failing at first. */
static kith_result write_world(play *p, int world, const playing_scene *s, scene_text *text)
{
    played *w = &p->worlds[world];
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = s->terms}, &query), KITH_OK);
    const uint64_t hash = kith_world_hash(w->world);
    kith_result result = KITH_ERR_MEMORY;
    if (world == SUBJECT && play_wants_failure(p)) {
        play_fail_some(p);
        result = write_scene(w->world, s, query, text);
        const bool failed = fail_nothing(&w->f);
        CHECK(result != KITH_ERR_MEMORY || failed);
    }
    if (result == KITH_ERR_MEMORY) {
        result = write_scene(w->world, s, query, text);
    }
    CHECK(kith_world_hash(w->world) == hash);
    kith_query_free(query);
    return result;
}

kith_world *play_new_world(play *p, int world, const model *next)
{
    played *w = &p->worlds[world];
    const kith_world_def def = {.allocator = test_memory_allocator(w->f.memory)};
    kith_world *made = kith_world_new(&def);
    CHECK_PTR_NOT_NULL(made);
    play_intern_names(p, made);
    kith_world *kept = w->world;
    w->world = made;
    for (uint32_t i = 0; i < next->type_count; i++) {
        CHECK_RESULT(play_register(w, next->types[i], play_layout(w, next->types[i])), KITH_OK);
    }
    w->world = kept;
    play_make_key(made, next);
    return made;
}

static kith_scene *read_world(play *p, int world, kith_world *made, const scene_text *text)
{
    const char *bytes = text->length == 0 ? "" : text->bytes;
    fixture *f = &p->worlds[world].f;
    kith_scene *scene = NULL;
    kith_scene_error error = {.message = ""};
    if (world == SUBJECT && play_wants_failure(p)) {
        const uint64_t hash = kith_world_hash(made);
        play_fail_some(p);
        const kith_result result = kith_scene_load(made, bytes, text->length, &scene, &error);
        const bool failed = fail_nothing(f);
        CHECK_WORLD(made);
        if (result == KITH_OK) {
            return scene;
        }
        CHECK(result == KITH_ERR_MEMORY && failed);
        CHECK(kith_world_hash(made) == hash);
        error.message[0] = '\0';
    }
    CHECK_RESULT(kith_scene_load(made, bytes, text->length, &scene, &error), KITH_OK);
    CHECK(error.message[0] == '\0');
    return scene;
}

/* ---- The whole --------------------------------------------------------------------------------- */

static void look_at_resources(const play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        uint32_t count = 0;
        while (kith_resource_at(p->worlds[world].world, count) != NULL) {
            count++;
        }
        CHECK_UINT(count, p->m.resources.count);
        for (uint32_t i = 0; i < count; i++) {
            const model_value *value = &p->m.resources.list[i];
            const void *bytes = kith_resource_get(p->worlds[world].world, value->type);
            CHECK_PTR_NOT_NULL(bytes);
            CHECK(memcmp(bytes, value->bytes, value->type->size) == 0);
        }
    }
}

static void read_back(play *p, playing_scene *s, model *next, const scene_text *text)
{
    kith_world *worlds[WORLD_COUNT];
    kith_scene *scenes[WORLD_COUNT];
    for (int world = 0; world < WORLD_COUNT; world++) {
        worlds[world] = play_new_world(p, world, next);
        scenes[world] = read_world(p, world, worlds[world], text);
        CHECK_PTR_NOT_NULL(scenes[world]);
        CHECK_UINT(kith_scene_count(scenes[world]), s->count);
        for (uint32_t i = 0; i < s->count; i++) {
            CHECK_SAME(kith_scene_at(scenes[world], i), next->entities[i].handle);
        }
    }
    play_aside *kept = play_put_aside(p, *next, worlds);
    look_at_resources(p);
    play_look_aside(p);
    play_go_on(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_scene_free(scenes[world]);
    }
    play_take_back(p, kept);
}

static size_t size_of_values(const play *p)
{
    size_t size = 0;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const model_values *values = &p->m.entities[i].values;
        for (uint32_t k = 0; k < values->count; k++) {
            size += values->list[k].type->size + 16;
        }
    }
    return size;
}

void play_scenes(play *p)
{
    if (size_of_values(p) > SCENE_BYTES) {
        return;
    }
    play_name(p, "kith_scene_save");
    playing_scene s = {.lose = input_chance(&p->in, 75), .complete = true};
    s.resources = input_chance(&p->in, 50) && resources_can_be_written(p);
    choose_terms(p, &s);
    choose_order(p, &s);
    model next = read_model(p, &s);
    scene_text texts[WORLD_COUNT] = {{0}};
    const uint32_t wrong = model_settle(&next); /* names that only parents told apart */
    CHECK(wrong == 0 || wrong == 1u << KITH_ERR_CONFLICT);
    const kith_result expected =
        (s.lose || s.complete) && wrong == 0 ? KITH_OK : KITH_ERR_INPUT;
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK_RESULT(write_world(p, world, &s, &texts[world]), expected);
        CHECK_UINT(texts[world].length, texts[SUBJECT].length);
        CHECK(texts[world].length == 0 ||
              memcmp(texts[world].bytes, texts[SUBJECT].bytes, texts[world].length) == 0);
    }
    if (expected == KITH_OK) {
        read_back(p, &s, &next, &texts[SUBJECT]);
    } else {
        CHECK_UINT(texts[SUBJECT].length, 0);
        model_free(&next);
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        free(texts[world].bytes);
    }
}
