/* The change logs of components that are in tables: what is noted when entities go from one table
 * to another (either may be NULL). A table knows which of its columns are of tracked
 * components, so tables without any pass at the cost of a compare. */
#ifndef KI_STORE_TABLE_LOGS_H
#define KI_STORE_TABLE_LOGS_H

#include "store/store.h"

/* Follows a component from here on, and no more if nobody wants to know. KITH_ERR_MEMORY. */
kith_result ki_table_logs_begin(ki_store *store, ki_component *component);
void ki_table_logs_end_unread(ki_store *store, ki_component *component);

/* Has a new table know which of its components are tracked. */
void ki_table_logs_mark(const ki_store *store, ki_table *table);

/* What is wrong with what it knows, or NULL. */
const char *ki_table_logs_check(const ki_store *store, const ki_table *table);

/* The first column from `column` on of a tracked component that `table` has and `other` has not;
 * KI_NO_COLUMN if there is none. */
uint32_t ki_table_logs_next(const ki_store *store, const ki_table *table, const ki_table *other,
                            uint32_t column);

kith_result ki_table_logs_reserve_slow(ki_store *store, const ki_table *from, const ki_table *to,
                                       uint32_t count);
void ki_table_logs_append_slow(ki_store *store, const ki_table *from, const ki_table *to,
                               const kith_entity *entities, const uint32_t *rows, uint32_t count);

static inline bool ki_tables_are_logged(const ki_table *from, const ki_table *to)
{
    return ((from == NULL ? 0 : from->logged) | (to == NULL ? 0 : to->logged)) != 0;
}

/* Makes ki_table_logs_append certain for `count` entities. KITH_ERR_MEMORY. */
static inline kith_result ki_table_logs_reserve(ki_store *store, const ki_table *from,
                                                const ki_table *to, uint32_t count)
{
    return !ki_tables_are_logged(from, to) ? KITH_OK
                                           : ki_table_logs_reserve_slow(store, from, to, count);
}

/* Notes what entities got and lose. They are still in these rows of `from`, which are ready to be
 * left; NULL `rows` if that is NULL. */
static inline void ki_table_logs_append(ki_store *store, const ki_table *from, const ki_table *to,
                                        const kith_entity *entities, const uint32_t *rows,
                                        uint32_t count)
{
    if (ki_tables_are_logged(from, to)) {
        ki_table_logs_append_slow(store, from, to, entities, rows, count);
    }
}

#endif
