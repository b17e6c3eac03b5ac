/* The bare prototype: observers, who are told of a run of entities as it stands in a log. */
#include <stdlib.h>

#include "bare_store.h"

kith_result bare_observe_adds(bare_world *world, const bare_type *type, bare_told *run, void *user)
{
    if (bare_known(world, type) == NULL || run == NULL || world->logs[type->id].run != NULL) {
        return bare_misuse("bare_observe_adds", "no such type, no function, or there is one");
    }
    world->logs[type->id].run = run;
    world->logs[type->id].user = user;
    return KITH_OK;
}

kith_result bare_log_grow(bare_log *log)
{
    uint32_t capacity = log->capacity * 2 + 64;
    kith_entity *entities = realloc(log->entities, capacity * sizeof *entities);
    if (entities == NULL) {
        return KITH_ERR_MEMORY;
    }
    log->entities = entities;
    log->capacity = capacity;
    return KITH_OK;
}

kith_result bare_observe(bare_world *world)
{
    if (world == NULL || world->open != 0) {
        return bare_misuse("bare_observe", world == NULL ? "there is no world" : "a query is open");
    }
    for (uint32_t id = 0; id < BARE_TYPES; id++) {
        bare_log *log = &world->logs[id];
        if (log->count != 0) {
            log->run(log->entities, log->count, log->user);
            log->count = 0;
        }
    }
    return KITH_OK;
}
