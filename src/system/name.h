/* Names of systems, groups and phases. */
#ifndef KI_SYSTEM_NAME_H
#define KI_SYSTEM_NAME_H

#include <stdbool.h>
#include <string.h>

#include "base/hash.h"

#define KI_SYSTEM_NAME_MAX 127

static inline bool ki_name_is_valid(const char *name)
{
    return name != NULL && name[0] != '\0' && strlen(name) <= KI_SYSTEM_NAME_MAX;
}

/* The key of a name in maps. */
static inline uint64_t ki_name_key(const char *name)
{
    return ki_hash_text(KI_HASH_SEED, name);
}

#endif
