/* The tracks of KITH_TABLE components: what an entity gets and loses is what one table has and the
 * other has not. */
#include "store/store.h"

/* What happens to a component between two tables: 1 it is got, -1 it is lost, 0 neither. */
static int tracks_step(const ki_component *component, const ki_table *from, const ki_table *to)
{
    bool had = from != NULL && ki_table_find(from, component->id) != KI_NO_COLUMN;
    bool has = to != NULL && ki_table_find(to, component->id) != KI_NO_COLUMN;
    return (int)has - (int)had;
}

/* The next tracked component from number `*i` on, of KITH_TABLE alone if `tables`; NULL behind the
 * last. */
static ki_component *tracks_next(const ki_store *store, uint32_t *i, bool tables)
{
    while (*i < store->component_count) {
        ki_component *component = store->components[(*i)++];
        if (component->track != NULL && (!tables || component->layout == KITH_TABLE)) {
            return component;
        }
    }
    return NULL;
}

KI_RARE kith_result ki_tracks_reserve_slow(ki_store *store, const ki_table *from,
                                           const ki_table *to, uint32_t count)
{
    uint32_t i = 0;
    for (ki_component *component = tracks_next(store, &i, true); component != NULL;
         component = tracks_next(store, &i, true)) {
        if (tracks_step(component, from, to) != 0) {
            KI_TRY(ki_track_reserve(&store->context.heap, component->track, count));
        }
    }
    return KITH_OK;
}

void ki_tracks_note_slow(ki_store *store, const ki_table *from, const ki_table *to,
                         kith_entity entity)
{
    uint32_t i = 0;
    for (ki_component *component = tracks_next(store, &i, true); component != NULL;
         component = tracks_next(store, &i, true)) {
        int step = tracks_step(component, from, to);
        if (step != 0) {
            ki_track_append(component->track, entity, step > 0 ? KITH_ADDED : KITH_REMOVED);
        }
    }
}

KI_RARE void ki_tracks_expect_slow(ki_store *store, const ki_table *from, const ki_table *to,
                                   uint32_t count)
{
    uint32_t i = 0;
    for (ki_component *component = tracks_next(store, &i, true); component != NULL;
         component = tracks_next(store, &i, true)) {
        component->track->pending += tracks_step(component, from, to) != 0 ? count : 0;
    }
}

kith_result ki_tracks_reserve_expected(ki_store *store)
{
    uint32_t i = 0;
    for (ki_component *component = store->track_count == 0 ? NULL : tracks_next(store, &i, false);
         component != NULL; component = tracks_next(store, &i, false)) {
        KI_TRY(ki_track_reserve(&store->context.heap, component->track, component->track->pending));
    }
    return KITH_OK;
}

void ki_tracks_expect_nothing(ki_store *store)
{
    uint32_t i = 0;
    for (ki_component *component = store->track_count == 0 ? NULL : tracks_next(store, &i, false);
         component != NULL; component = tracks_next(store, &i, false)) {
        component->track->pending = 0;
    }
}
