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

/* Whether a valid name can be one of several, as in "gravity, input". */
static inline bool ki_name_is_listable(const char *name)
{
    return strchr(name, ',') == NULL && name[0] != ' ' && name[strlen(name) - 1] != ' ';
}

/* The key of a name in maps. */
static inline uint64_t ki_name_key(const char *name)
{
    return ki_hash_text(KI_HASH_SEED, name);
}

#endif
