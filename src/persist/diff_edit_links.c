/* Reads the order of sources, once entities and components are what they become. */
#include <stddef.h>
#include <string.h>

#include "persist/diff_edit.h"

/* The value of a relation in a slot; NULL: it has none. What is to be in a row and is in none has none:
 * that is told afterwards (diff_verify.c). */
static const void *edit_link_value(const ki_store *store, const ki_component *component,
                                   uint32_t index)
{
    const ki_record *record =
        index < store->entities.slots ? ki_record_at(&store->entities, index) : NULL;
    return record == NULL || record->table >= store->table_slots
               ? NULL
               : ki_store_value(store, component, index, record);
}

static void edit_note_link(ki_diff_edit *edit, const ki_relation *relation, uint32_t index)
{
    edit->values.before = ki_diff_hash_link(edit->values.before,
                                            ki_store_view_link(edit->a, relation, index));
}

static kith_result edit_cut_links(ki_diff_edit *edit, ki_relation *relation)
{
    ki_store *store = &edit->world->store;
    uint32_t next = 0;
    while (ki_unpack_next(&edit->from, &next, KI_SLOTS_MAX, "a slot")) {
        const uint32_t index = next - 1;
        if (ki_relation_link(relation, index).target1 == 0 ||
            edit_link_value(store, relation->component, index) != NULL) {
            ki_unpack_wrong(&edit->from, edit->from.at, "a slot that lost the relation");
            break;
        }
        edit_note_link(edit, relation, index);
        KI_TRY(ki_relation_set_link(store, relation, index, 0, 0));
    }
    return ki_diff_edit_status(edit);
}

/* Puts a source where it comes. `*last1` is the one that was named before it. */
static kith_result edit_put_link(ki_diff_edit *edit, ki_relation *relation, uint32_t index,
                                 uint32_t *last1)
{
    ki_store *store = &edit->world->store;
    const uint32_t at = edit->from.at;
    const uint64_t code =
        ki_unpack_number(&edit->from, (uint64_t)KI_SLOTS_MAX + 1, "the source that comes next");
    const uint32_t before1 = code == 0 ? 0 : code == 1 ? *last1 : (uint32_t)code - 1;
    const void *value = edit_link_value(store, relation->component, index);
    const kith_entity target = ki_relation_target(relation, value);
    if (ki_record_of(&store->entities, target) == NULL) {
        ki_unpack_wrong(&edit->from, at, "a source whose target lives");
    } else if (code != 0 &&
               (before1 == 0 || before1 == index + 1 ||
                ki_relation_link(relation, before1 - 1).target1 != target.index1)) {
        ki_unpack_wrong(&edit->from, at, "another source of the same target");
    }
    KI_TRY(ki_diff_edit_status(edit));
    edit_note_link(edit, relation, index);
    *last1 = index + 1;
    return ki_relation_set_link(store, relation, index, target.index1, before1);
}

static kith_result edit_put_links(ki_diff_edit *edit, ki_relation *relation)
{
    uint32_t last1 = 0;
    for (;;) {
        uint64_t index1 =
            ki_unpack_number(&edit->from, edit->world->store.entities.slots, "a slot plus one");
        KI_TRY(ki_diff_edit_status(edit));
        if (index1 == 0) {
            return KITH_OK;
        }
        KI_TRY(edit_put_link(edit, relation, (uint32_t)index1 - 1, &last1));
    }
}

kith_result ki_diff_empty_links(ki_diff_edit *edit)
{
    ki_store *store = &edit->world->store;
    for (uint32_t i = 0; i < store->relation_count; i++) {
        ki_relation *relation = store->relations[i];
        const uint32_t slots = relation->component->transient ? 0 : store->entities.slots;
        for (uint32_t index = 0; index < slots; index++) {
            if (ki_relation_link(relation, index).target1 != 0) {
                KI_TRY(ki_relation_set_link(store, relation, index, 0, 0));
            }
        }
    }
    return KITH_OK;
}

kith_result ki_diff_edit_links(ki_diff_edit *edit)
{
    const kith_type *last = NULL;
    for (;;) {
        uint32_t at = edit->from.at;
        const kith_type *type = ki_diff_edit_type(edit);
        if (type != NULL && last != NULL && strcmp(last->name, type->name) >= 0) {
            ki_unpack_wrong(&edit->from, at, "relations in order of their names");
        }
        KI_TRY(ki_diff_edit_status(edit));
        if (type == NULL) {
            return KITH_OK;
        }
        last = type;
        const ki_component *component = ki_world_component(edit->world, type);
        if (component == NULL || component->relation == NULL || component->transient) {
            ki_unpack_wrong(&edit->from, at, "the type of a relation");
            return ki_diff_edit_status(edit);
        }
        ki_relation *relation = component->relation;
        for (; relation != NULL; relation = relation->other) {
            KI_TRY(edit_cut_links(edit, relation));
            KI_TRY(edit_put_links(edit, relation));
        }
    }
}
