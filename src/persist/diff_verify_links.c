/* Whether the links of relations that were edited are what the values say. Lists are whole whatever the
 * difference was (diff_edit_links.c). What did not change is as it was: so only slots whose records or
 * values differ are looked at, and the sources of entities that ended. */
#include "persist/diff_edit.h"
#include "persist/diff_slots.h"

typedef struct verified_links {
    const ki_store *store; /* which is as the newer view */
    const ki_store_view *a;
    const ki_relation *relation;
    ki_heap *heap;
    ki_bitset open; /* slots from where targets lead to an end */
    const char *wrong;
} verified_links;

static bool verify_acyclic(const verified_links *links)
{
    return (links->relation->rules & KITH_ACYCLIC) != 0;
}

/* The target of a slot, plus one; 0: none, or it is known to lead to an end. */
static uint32_t verify_target1(const verified_links *links, uint32_t index)
{
    const uint32_t target1 = ki_relation_link(links->relation, index).target1;
    return target1 != 0 && ki_bitset_has(&links->open, target1 - 1) ? 0 : target1;
}

/* Whether targets lead from a slot to where it is known that they end. The slot that is waited for is
 * another one each time that twice as many were passed: it comes again only in a circle. */
static bool verify_ends(const verified_links *links, uint32_t index)
{
    uint32_t awaited = index;
    uint64_t passed = 0;
    uint64_t limit = 1;
    for (uint32_t at1; (at1 = verify_target1(links, index)) != 0;) {
        index = at1 - 1;
        if (index == awaited) {
            return false;
        }
        if (++passed == limit) {
            awaited = index;
            passed = 0;
            limit *= 2;
        }
    }
    return true;
}

/* Slots that lead to an end are noted, so that each slot is passed only once. */
static kith_result verify_path(verified_links *links, uint32_t index)
{
    if (ki_bitset_has(&links->open, index)) {
        return KITH_OK;
    }
    if (!verify_ends(links, index)) {
        links->wrong = "targets that do not lead in a circle";
        return KITH_ERR_INPUT;
    }
    for (uint32_t at1 = index + 1; at1 != 0;) {
        const uint32_t next1 = verify_target1(links, at1 - 1);
        KI_TRY(ki_bitset_reserve(&links->open, links->heap, at1 - 1));
        ki_bitset_insert(&links->open, at1 - 1);
        at1 = next1;
    }
    return KITH_OK;
}

/* Whether all that lead to a slot mean the entity that is in it now. */
static bool verify_sources(const verified_links *links, uint32_t index)
{
    uint32_t at1 = ki_relation_link(links->relation, index).first1;
    while (at1 != 0 && ki_relation_link_is_right(links->store, links->relation, at1 - 1)) {
        at1 = ki_relation_link(links->relation, at1 - 1).next1;
    }
    return at1 == 0;
}

static kith_result verify_link(void *context, uint32_t index)
{
    verified_links *links = context;
    const ki_record *was = ki_store_view_living(links->a, index);
    const ki_record *is = index < links->store->entities.slots
                              ? ki_record_at(&links->store->entities, index)
                              : NULL;
    const bool stays = was != NULL && is != NULL && is->table < KI_RETIRED_TABLE &&
                       is->generation == was->generation;
    if (!ki_relation_link_is_right(links->store, links->relation, index) ||
        (was != NULL && !stays && !verify_sources(links, index))) {
        links->wrong = "links that are what the values say, to living entities";
        return KITH_ERR_INPUT;
    }
    const uint32_t target1 = ki_relation_link(links->relation, index).target1;
    return target1 != 0 && verify_acyclic(links) &&
                   target1 != ki_store_view_link(links->a, links->relation, index).target1
               ? verify_path(links, index)
               : KITH_OK;
}

kith_result ki_diff_verify_links(ki_store *store, const ki_store_view *a, const ki_store_view *b,
                                 const char **wrong)
{
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < store->relation_count && result == KITH_OK; i++) {
        verified_links links = {.store = store,
                                .a = a,
                                .relation = store->relations[i],
                                .heap = &store->context.heap};
        if (!links.relation->component->transient) {
            result = ki_diff_each_slot(store, a, b, links.relation->component, verify_link, &links);
        }
        ki_bitset_free(&links.open, links.heap);
        *wrong = links.wrong;
    }
    return result;
}
