/* The storage that drives an iteration: its rows are visited in order. */
#ifndef KI_QUERY_DRIVER_H
#define KI_QUERY_DRIVER_H

#include "query/query.h"

typedef enum ki_driver_kind {
    KI_DRIVE_TABLES,
    KI_DRIVE_SPARSE,
    KI_DRIVE_SLOTS,
    KI_DRIVE_ONE /* a single entity */
} ki_driver_kind;

typedef struct ki_driver {
    const kith_query *query;
    ki_driver_kind kind;
    uint32_t term;   /* of KI_DRIVE_SPARSE and KI_DRIVE_SLOTS */
    ki_table *table; /* of KI_DRIVE_TABLES: the table that is being visited */
    kith_entity one; /* of KI_DRIVE_ONE */
} ki_driver;

/* Picks the storage that drives a query. Needs no memory. */
void ki_driver_pick(ki_driver *driver, const kith_query *query);

/* The component whose storage drives; for KI_DRIVE_SPARSE and KI_DRIVE_SLOTS. */
static inline const ki_component *ki_driver_component(const ki_driver *driver)
{
    return driver->query->terms[driver->term].component;
}

/* Whether a term's values are those of the driving storage; not for KI_DRIVE_ONE. */
static inline bool ki_driver_holds(const ki_driver *driver, uint32_t term)
{
    return driver->kind == KI_DRIVE_TABLES
               ? driver->query->terms[term].component->layout == KITH_TABLE
               : term == driver->term;
}

/* Whether a term's values are in the same order as the driving storage: in it, or in another slot
 * array. */
bool ki_driver_is_aligned(const ki_driver *driver, uint32_t term);

/* The handles of the driving storage from `row` on, as many as are consecutive in memory; NULL for
 * KI_DRIVE_SLOTS, which has none. */
static inline const kith_entity *ki_driver_entities(const ki_driver *driver, uint32_t row)
{
    switch (driver->kind) {
    case KI_DRIVE_TABLES: return ki_column_at(&driver->table->rows.entities, row);
    case KI_DRIVE_SPARSE:
        return ki_column_at(&ki_driver_component(driver)->in.sparse.rows.entities, row);
    case KI_DRIVE_SLOTS: return NULL;
    case KI_DRIVE_ONE: break;
    }
    return &driver->one;
}

/* The entity in a row. */
kith_entity ki_driver_entity(const ki_driver *driver, uint32_t row);

/* The column that has a component's values in the rows of the driving storage; where slots drive, some
 * may be absent. NULL: they are elsewhere, or nowhere. */
const ki_column *ki_driver_column(const ki_driver *driver, const ki_component *component);

#endif
