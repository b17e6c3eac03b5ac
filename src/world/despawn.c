/* Ends entities. KI_NOINLINE keeps the usual case of a call without a stack frame: the rows destroy of the
 * bench take up to 5 % more without. */
#include "store/change_set.h"
#include "store/transition.h"
#include "world/cascade.h"
#include "world/first_use.h"

/* ---- With what relations lead to them --------------------------------------------------------- */

/* What a cascade is about to do. */
typedef struct despawning {
    kith_world *world;
    ki_cascade cascade;
    ki_link_changes links;
    ki_change_set set;
    kith_entity *ends;     /* those of the cascade, */
    const ki_edge **edges; /* and by which those that lose a KITH_TABLE relation move */
} despawning;

static kith_result despawn_unlink(despawning *d)
{
    for (uint32_t i = 0; i < d->cascade.end_count; i++) {
        KI_TRY(ki_link_changes_cut_all(&d->links, d->cascade.ends[i]));
    }
    for (uint32_t i = 0; i < d->cascade.cleared_count; i++) {
        const ki_cleared *cleared = &d->cascade.cleared[i];
        KI_TRY(ki_link_changes_add(&d->links, cleared->relation, cleared->index, 0, 0));
    }
    return KITH_OK;
}

/* Expects what is cleared to lose the relation. An entity that loses several moves as often. */
static kith_result despawn_expect_cleared(despawning *d, uint32_t i)
{
    ki_store *store = &d->world->store;
    const ki_cleared *cleared = &d->cascade.cleared[i];
    ki_component *component = cleared->relation->component;
    const ki_record *record = ki_record_at(&store->entities, cleared->index);
    d->edges[i] = NULL;
    if (component->layout != KITH_TABLE) {
        return ki_change_set_lose(&d->set, component, &cleared->index, 1, false);
    }
    ki_table *from = store->tables[record->table];
    for (uint32_t k = i; k > 0 && cleared[-1].index == cleared->index; k--, cleared--) {
        if (d->edges[k - 1] != NULL) {
            from = d->edges[k - 1]->to;
            break;
        }
    }
    KI_TRY(ki_store_edge(store, from, component->id, &d->edges[i]));
    if (!ki_rows_mark(&store->columns, &store->tables[record->table]->rows, record->row) ||
        !ki_record_mark(&store->columns, &store->entities, d->cascade.cleared[i].index)) {
        return KITH_ERR_MEMORY;
    }
    return ki_change_set_move(&d->set, from, d->edges[i]->to, 1);
}

static kith_result despawn_reserve(despawning *d)
{
    const ki_store *store = &d->world->store;
    for (uint32_t i = 0; i < d->cascade.cleared_count; i++) {
        KI_TRY(despawn_expect_cleared(d, i));
    }
    for (uint32_t i = 0; i < d->cascade.end_count; i++) {
        d->ends[i] = ki_entity_at(&store->entities, d->cascade.ends[i]);
    }
    KI_TRY(ki_change_set_end(&d->set, d->ends, d->cascade.end_count));
    return ki_change_set_reserve(&d->set);
}

static void despawn_commit(despawning *d)
{
    ki_store *store = &d->world->store;
    for (uint32_t i = 0; i < d->cascade.cleared_count; i++) {
        const ki_cleared *cleared = &d->cascade.cleared[i];
        if (d->edges[i] == NULL) {
            ki_storage_remove(cleared->relation->component,
                              ki_entity_at(&store->entities, cleared->index));
        } else {
            uint32_t row = ki_move_begin(store, d->edges[i], cleared->index);
            ki_move_end(store, d->edges[i], cleared->index, row);
        }
    }
    ki_transition_end_reserved(store, d->ends, d->cascade.end_count);
}

/* Ends all that a cascade has. */
static kith_result despawn_all(despawning *d)
{
    ki_heap *heap = &d->world->store.context.heap;
    size_t ends = d->cascade.end_count * sizeof *d->ends;
    size_t bytes = ends + d->cascade.cleared_count * sizeof(const ki_edge *);
    d->ends = ki_heap_alloc(heap, bytes, _Alignof(max_align_t));
    if (d->ends == NULL) {
        return KITH_ERR_MEMORY;
    }
    d->edges = (const ki_edge **)(void *)((char *)d->ends + ends);
    ki_link_changes_begin(&d->links, &d->world->store, heap);
    ki_change_set_init(&d->set, &d->world->store, heap);
    kith_result result = despawn_unlink(d);
    result = result == KITH_OK ? despawn_reserve(d) : result;
    if (result == KITH_OK) {
        despawn_commit(d);
    }
    ki_change_set_free(&d->set);
    ki_link_changes_end(&d->links, result);
    ki_heap_free(heap, d->ends, bytes, _Alignof(max_align_t));
    return result;
}

static kith_result despawn_cascade(kith_world *world, const char *call, const kith_entity *entities,
                                   uint32_t count)
{
    despawning d;
    d.world = world;
    ki_cascade_begin(&d.cascade, world, call, &world->store.context);
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < count && result == KITH_OK; i++) {
        if (ki_record_of(&world->store.entities, entities[i]) != NULL) {
            result = ki_cascade_add(&d.cascade, entities[i].index1 - 1);
        }
    }
    result = result == KITH_OK ? ki_cascade_finish(&d.cascade) : result;
    if (result == KITH_OK && d.cascade.end_count != 0) {
        result = despawn_all(&d);
    }
    ki_cascade_free(&d.cascade);
    return result;
}

/* Ends a living entity of a world with relations. Most have no sources. */
static KI_NOINLINE kith_result despawn_linked(kith_world *world, kith_entity entity)
{
    ki_store *store = &world->store;
    uint32_t index = entity.index1 - 1;
    for (uint32_t i = 0; i < store->relation_count; i++) {
        if (ki_relation_link(store->relations[i], index).first1 != 0) {
            return despawn_cascade(world, "kith_despawn", &entity, 1);
        }
    }
    ki_link_changes links;
    ki_link_changes_begin(&links, store, &store->context.heap);
    kith_result result = ki_link_changes_cut_all(&links, index);
    if (result == KITH_OK) {
        result = ki_transition_end(store, entity, ki_record_at(&store->entities, index));
    }
    return ki_link_changes_end(&links, result);
}

/* ---- One -------------------------------------------------------------------------------------- */

static inline kith_result despawn_one(kith_world *world, kith_entity entity)
{
    ki_store *store = &world->store;
    ki_record *record = ki_record_of(&store->entities, entity);
    if (KI_UNLIKELY(record == NULL)) {
        return ki_world_dead(world, "kith_despawn", entity);
    }
    return KI_LIKELY(store->relation_count == 0) ? ki_transition_end(store, entity, record)
                                                 : despawn_linked(world, entity);
}

/* kith_despawn where it is not known that the world may be changed. */
static KI_NOINLINE kith_result despawn_slow(kith_world *world, kith_entity entity)
{
    KI_TRY(ki_world_require_change(world, "kith_despawn"));
    return despawn_one(world, entity);
}

kith_result kith_despawn(kith_world *world, kith_entity entity)
{
    return KI_LIKELY(ki_world_may_change(world)) ? despawn_one(world, entity)
                                                 : despawn_slow(world, entity);
}

/* ---- Many ------------------------------------------------------------------------------------- */

kith_result ki_world_reserve_ends(kith_world *world, const kith_entity *entities, uint32_t count)
{
    ki_change_set set;
    ki_change_set_init(&set, &world->store, &world->store.context.heap);
    kith_result result = ki_change_set_end(&set, entities, count);
    if (result == KITH_OK) {
        result = ki_change_set_reserve(&set);
    }
    ki_change_set_free(&set);
    return result;
}

kith_result kith_despawn_many(kith_world *world, const kith_entity *entities, uint32_t count,
                              uint32_t *ended)
{
    KI_TRY(ki_world_begin_change(world, "kith_despawn_many"));
    if (KI_CHECKED && entities == NULL && count != 0) {
        return ki_misuse(&world->store.context,
                         "kith_despawn_many: %u handles, but their address is NULL", count);
    }
    uint32_t alive = ki_entities_alive(&world->store.entities);
    if (world->store.relation_count != 0) {
        KI_TRY(despawn_cascade(world, "kith_despawn_many", entities, count));
    } else {
        KI_TRY(ki_world_reserve_ends(world, entities, count));
        ki_transition_end_reserved(&world->store, entities, count);
    }
    if (ended != NULL) {
        *ended = alive - ki_entities_alive(&world->store.entities);
    }
    return KITH_OK;
}
