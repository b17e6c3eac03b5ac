/* Calls that link entities, on a parent with children that all aim at a target. */
#include "relation_calls.h"

static const kith_entity untouched = {0xEEEEEEEE, 0xEEEEEEEE};

kith_result relation_call_set(stage *s)
{
    return KITH_SET(s->world, s->plain, Aims, {s->target, 2});
}

kith_result relation_call_set_target(stage *s)
{
    return KITH_SET(s->world, s->children[1], Aims, {s->plain, 3});
}

kith_result relation_call_set_value(stage *s)
{
    return KITH_SET(s->world, s->children[1], Aims, {s->target, 4});
}

kith_result relation_call_set_several(stage *s)
{
    return KITH_SET_VALUES(s->world, s->full, KITH_VALUE(Aims, {s->plain, 1}),
                           KITH_VALUE(kith_child_of, {s->target}));
}

kith_result relation_call_set_field(stage *s)
{
    return kith_set_field(s->world, s->children[2], &Aims_type, "target", KITH_ENTITY, &s->full,
                          sizeof s->full);
}

kith_result relation_call_remove(stage *s)
{
    return KITH_REMOVE(s->world, s->children[1], Aims);
}

kith_result relation_call_clear(stage *s)
{
    return kith_remove_all(s->world, s->children[0]);
}

kith_result relation_call_despawn_source(stage *s)
{
    return kith_despawn(s->world, s->children[1]);
}

kith_result relation_call_despawn_parent(stage *s)
{
    return kith_despawn(s->world, s->parent);
}

kith_result relation_call_despawn_target(stage *s)
{
    return kith_despawn(s->world, s->target);
}

kith_result relation_call_place(stage *s)
{
    return kith_source_place(s->world, s->children[2], &Aims_type, s->children[0]);
}

kith_result relation_call_place_last(stage *s)
{
    return kith_source_place(s->world, s->children[0], &Aims_type, KITH_NONE);
}

kith_result relation_call_parent(stage *s)
{
    return kith_set_parent(s->world, s->plain, s->parent);
}

kith_result relation_call_other_parent(stage *s)
{
    return kith_set_parent(s->world, s->children[0], s->children[3]);
}

kith_result relation_call_no_parent(stage *s)
{
    return kith_set_parent(s->world, s->children[2], KITH_NONE);
}

kith_result relation_call_insert(stage *s)
{
    return kith_insert_child(s->world, s->children[3], s->children[0]);
}

kith_result relation_call_insert_new(stage *s)
{
    return kith_insert_child(s->world, s->plain, s->children[1]);
}

static int by_slot_backwards(const kith_world *world, kith_entity a, kith_entity b, void *user)
{
    CHECK(kith_alive(world, a) && user == NULL);
    return a.index1 > b.index1 ? -1 : a.index1 < b.index1;
}

kith_result relation_call_sort(stage *s)
{
    return kith_sort_children(s->world, s->parent, by_slot_backwards, NULL);
}

kith_result relation_call_despawn_both(stage *s)
{
    const kith_entity both[] = {s->target, s->parent, s->children[1]};
    uint32_t ended = 77;
    kith_result result = kith_despawn_many(s->world, both, 3, &ended);
    CHECK_INT(ended == 77, result != KITH_OK);
    return result;
}

kith_result relation_call_spawn(stage *s)
{
    const kith_value values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Aims, {s->plain, 1}),
                                 KITH_VALUE(kith_child_of, {s->children[0]})};
    kith_entity made = untouched;
    kith_result result = kith_spawn(s->world, values, 3, &made);
    CHECK_INT(kith_entity_equal(made, untouched), result != KITH_OK);
    return result;
}

kith_result relation_call_spawn_many(stage *s)
{
    const Aims each[6] = {{s->plain, 1}, {s->full, 2},  {s->target, 3},
                          {s->full, 4},  {s->plain, 5}, {s->empty, 6}};
    const kith_values values[] = {KITH_VALUES(Aims, each), KITH_VALUE(kith_child_of, {s->parent})};
    kith_entity made[6] = {untouched};
    kith_result result = kith_spawn_many(s->world, 6, values, 2, made);
    CHECK_INT(kith_entity_equal(made[0], untouched), result != KITH_OK);
    return result;
}

kith_result relation_call_clone(stage *s)
{
    kith_entity clone = untouched;
    kith_result result = kith_clone(s->world, s->children[1], &clone);
    CHECK_INT(kith_entity_equal(clone, untouched), result != KITH_OK);
    if (result == KITH_OK) {
        CHECK(kith_entity_equal(kith_child_last(s->world, s->parent), clone));
    }
    return result;
}

kith_result relation_call_clone_tree(stage *s)
{
    kith_entity clone = untouched;
    const uint32_t count = kith_entity_count(s->world);
    kith_result result = kith_clone_tree(s->world, s->parent, &clone);
    CHECK_INT(kith_entity_equal(clone, untouched), result != KITH_OK);
    CHECK_UINT(kith_entity_count(s->world),
               result == KITH_OK ? count + 1 + kith_child_count(s->world, s->parent) : count);
    return result;
}

KITH_LINKS(Bonds, KITH_CLEAR);

static uint64_t mix(uint64_t a, kith_entity entity)
{
    return (a ^ entity.index1) * UINT64_C(0x9E3779B97F4A7C15) + entity.generation;
}

static uint64_t mix_sources(const kith_world *w, uint64_t a, kith_entity target)
{
    kith_entity e = kith_source_first(w, target, &Aims_type);
    for (; !kith_is_none(e); e = kith_source_next(w, e, &Aims_type)) {
        a = mix(mix(a, e), kith_target(w, e, &Aims_type));
        a = mix(a, kith_source_previous(w, e, &Aims_type));
    }
    for (kith_sources s = kith_sources_of(w, target, &Aims_type); kith_sources_next(&s);) {
        a = mix(a, s.entity);
    }
    a = mix(a, kith_source_last(w, target, &Aims_type));
    return a + kith_source_count(w, target, &Aims_type);
}

static uint64_t mix_children(const kith_world *w, uint64_t a, kith_entity parent)
{
    kith_entity e = kith_child_first(w, parent);
    for (; !kith_is_none(e); e = kith_child_next(w, e)) {
        a = mix(mix(a, e), kith_parent(w, e));
        a = mix(mix(a, kith_child_previous(w, e)), kith_root(w, e));
        a += kith_depth(w, e) + kith_is_ancestor(w, parent, e) + kith_is_enabled(w, e);
        a = mix(mix(a, kith_common_ancestor(w, parent, e)), kith_descendant_next(w, parent, e));
        a = mix(a, kith_descendant_next_by_level(w, parent, e));
    }
    for (kith_sources s = kith_children(w, parent); kith_sources_next(&s);) {
        kith_sources from = kith_links_from(w, s.entity, &Bonds_type);
        kith_sources to = kith_links_to(w, s.entity, &Bonds_type);
        a = mix(a, s.entity) + kith_sources_next(&from) + kith_sources_next(&to);
        a = mix(a, kith_link_find(w, s.entity, parent, &Bonds_type));
    }
    return mix(a, kith_child_last(w, parent)) + kith_child_count(w, parent);
}

uint64_t relation_call_ask(stage *s)
{
    const uint64_t sources = mix_sources(s->world, 1, s->target);
    CHECK(kith_source_count(s->world, s->target, &Aims_type) >= 4);
    return mix_children(s->world, mix_sources(s->world, sources, s->plain), s->parent);
}
