#include "must.h"

#include <stdio.h>
#include <stdlib.h>

void must(const kith_world *world, kith_result result)
{
    if (result != KITH_OK) {
        const char *detail = world != NULL ? kith_error(world) : "";
        fprintf(stderr, "%s%s%s\n", kith_result_name(result), *detail != '\0' ? ": " : "", detail);
        exit(1);
    }
}

kith_entity must_spawn(kith_entity entity)
{
    must(NULL, kith_is_none(entity) ? KITH_ERR_MEMORY : KITH_OK);
    return entity;
}
