#include "query/driver.h"

#include "query/candidates.h"

static void driver_set(ki_driver *driver, uint32_t term)
{
    const ki_component *component = driver->query->terms[term].component;
    driver->term = term;
    driver->kind = component->layout == KITH_TABLE    ? KI_DRIVE_TABLES
                   : component->layout == KITH_SPARSE ? KI_DRIVE_SPARSE
                                                      : KI_DRIVE_SLOTS;
}

/* The smallest required storage drives; among equals the one whose term comes first. All required
 * tables together count as one storage, in the place of their first term. */
static void driver_pick_smallest(ki_driver *driver)
{
    const kith_query *query = driver->query;
    uint32_t smallest = UINT32_MAX;
    uint32_t first_table = KI_NO_TERM;
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->role != KITH_MUST) {
            continue;
        }
        if (term->component->layout == KITH_TABLE) {
            first_table = first_table == KI_NO_TERM ? i : first_table;
            continue;
        }
        uint32_t count = ki_store_count(query->store, term->component);
        if (driver->term == KI_NO_TERM || count < smallest) {
            smallest = count;
            driver_set(driver, i);
        }
    }
    if (first_table == KI_NO_TERM || driver->term == KI_NO_TERM) {
        return;
    }
    uint32_t rows = ki_query_table_rows(query, smallest == UINT32_MAX ? smallest : smallest + 1);
    if (rows < smallest || (rows == smallest && first_table < driver->term)) {
        driver_set(driver, first_table);
    }
}

void ki_driver_pick(ki_driver *driver, const kith_query *query)
{
    driver->query = query;
    driver->kind = KI_DRIVE_TABLES;
    driver->term = KI_NO_TERM;
    driver->table = NULL;
    driver->one = KITH_NONE;
    if (query->tables_only) {
        return;
    }
    if (query->pinned != KI_NO_TERM) {
        driver_set(driver, query->pinned);
    } else {
        driver_pick_smallest(driver);
    }
}

bool ki_driver_is_aligned(const ki_driver *driver, uint32_t term)
{
    const ki_term *asked = &driver->query->terms[term];
    return ki_driver_holds(driver, term) ||
           (driver->kind == KI_DRIVE_SLOTS && asked->role == KITH_MUST &&
            asked->component->layout == KITH_SLOT);
}

kith_entity ki_driver_entity(const ki_driver *driver, uint32_t row)
{
    const kith_entity *entities = ki_driver_entities(driver, row);
    return entities != NULL ? *entities : ki_entity_at(&driver->query->store->entities, row);
}

const ki_column *ki_driver_column(const ki_driver *driver, const ki_component *component)
{
    switch (driver->kind) {
    case KI_DRIVE_TABLES:
        return component->layout == KITH_TABLE ? ki_table_column(driver->table, component->id)
                                               : NULL;
    case KI_DRIVE_SPARSE:
        return component == ki_driver_component(driver) ? &component->in.sparse.values
                                                        : NULL;
    case KI_DRIVE_SLOTS:
        return component->layout == KITH_SLOT ? &component->in.slots.values : NULL;
    case KI_DRIVE_ONE: break;
    }
    return NULL;
}
