/* The part of the play that looks at the whole of all worlds. */
#include <string.h>

#include "play.h"

static void look_at_components(const played *w, const model_entity *entity)
{
    const kith_type *previous = NULL;
    uint32_t count = 0;
    const char *last = NULL;
    while ((previous = kith_component_next(w->world, entity->handle, previous)) != NULL) {
        const kith_type *type = play_same_type(previous);
        CHECK(last == NULL || strcmp(last, previous->name) < 0);
        last = previous->name;
        count++;
        const model_value *value = model_get(&entity->values, type);
        CHECK_PTR_NOT_NULL(value);
        CHECK(kith_has(w->world, entity->handle, type));
        const void *bytes = kith_get(w->world, entity->handle, type);
        if (type->size == 0) {
            CHECK_PTR_NULL(bytes);
        } else {
            CHECK_PTR_NOT_NULL(bytes);
            CHECK_INT((uintptr_t)bytes % type->align, 0);
            CHECK(memcmp(bytes, value->bytes, type->size) == 0);
        }
    }
    CHECK_UINT(count, entity->values.count);
}

void play_look_entities(play *p, const played *w)
{
    CHECK_UINT(kith_entity_count(w->world), p->m.entity_count);
    kith_entity entity = KITH_NONE;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        entity = kith_entity_next(w->world, entity);
        CHECK_SAME(entity, p->m.entities[i].handle);
        CHECK(kith_alive(w->world, entity));
        look_at_components(w, &p->m.entities[i]);
    }
    CHECK(kith_is_none(kith_entity_next(w->world, entity)));
    for (uint32_t i = 0; i < p->m.ended_count && i < 16; i++) {
        kith_entity dead = p->m.ended[i];
        CHECK(!kith_alive(w->world, dead));
        dead.generation--;
        CHECK(!kith_alive(w->world, dead));
        CHECK_PTR_NULL(kith_component_next(w->world, dead, NULL));
    }
}

static void look_at_types(play *p, const played *w)
{
    CHECK_UINT(kith_type_count(w->world), p->m.type_count);
    for (uint32_t i = 0; i < p->m.type_count; i++) {
        const kith_type *there = kith_type_at(w->world, i);
        const kith_type *type = play_same_type(there);
        CHECK(model_rank(&p->m, type) != UINT32_MAX);
        CHECK(i == 0 || strcmp(kith_type_at(w->world, i - 1)->name, there->name) < 0);
        kith_layout layout;
        CHECK_RESULT(kith_layout_of(w->world, type, &layout), KITH_OK);
        CHECK_INT(layout, play_layout(w, type));
        uint32_t having = 0;
        for (uint32_t k = 0; k < p->m.entity_count; k++) {
            having += model_get(&p->m.entities[k].values, type) != NULL;
        }
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(w->world, type, &stats), KITH_OK);
        CHECK_UINT(stats.entities, having);
        CHECK_INT(stats.layout, layout);
        CHECK_UINT(stats.used, (size_t)having * type->size);
    }
    CHECK_PTR_NULL(kith_type_at(w->world, p->m.type_count));
}

static void look_at_memory(play *p, const played *w)
{
    kith_memory_stats memory = kith_memory(w->world);
    CHECK_UINT(memory.used + memory.commands, w->f.memory->bytes);
    CHECK_UINT(memory.allocations, w->f.memory->pieces);
    CHECK_UINT(memory.entities, p->m.entity_count);
    CHECK_UINT(memory.slots, p->m.slots);
    CHECK_UINT(memory.retired, 0);
    CHECK_UINT(memory.types, p->m.type_count);
    uint32_t rows = 0;
    kith_table_stats table;
    for (uint32_t i = 0; i < memory.tables; i++) {
        CHECK_RESULT(kith_table_memory(w->world, i, &table, NULL, 0), KITH_OK);
        rows += table.rows;
    }
    CHECK_UINT(rows, p->m.entity_count);
    CHECK_RESULT(kith_table_memory(w->world, memory.tables, &table, NULL, 0), KITH_ERR_UNKNOWN);
}

void play_look_hashes(play *p)
{
    uint64_t content = kith_content_hash(p->worlds[SUBJECT].world);
    CHECK(kith_world_hash(p->worlds[SUBJECT].world) == kith_world_hash(p->worlds[TWIN].world));
    CHECK(content == kith_content_hash(p->worlds[TWIN].world));
    CHECK(content == kith_content_hash(p->worlds[OTHER].world));
}

void play_full_look(play *p)
{
    play_look_observers(p); /* so that no values wait to be told */
    play_name(p, "look");
    play_look_hashes(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        CHECK_WORLD(w->world);
        play_look_entities(p, w);
        look_at_types(p, w);
        look_at_memory(p, w);
    }
    play_look_values(p);
    play_look_systems(p);
    play_look_queries(p);
    play_look_trackers(p);
    play_look_indexes(p);
    play_look_places(p);
    play_look_lives(p);
    play_look_hooks(p);
    play_look_relations(p);
    play_look_names(p);
    play_look_keys(p);
    play_look_vias(p);
    play_look_disabled(p);
    play_look_hashes(p);
}
