#include "store/register.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/hash.h"
#include "base/threads.h"

/* One registered definition: the copy that callers see, and what it points to. */
typedef struct registered {
    kith_type type;
    uint32_t number;
    uint64_t hash;
} registered;

/* With the hash, so that others than the one that is searched for need not be looked at. */
typedef struct register_place {
    registered *entry;
    uint64_t hash;
} register_place;

static ki_lock register_lock = KI_LOCK_INIT;
static register_place *register_index; /* open addressing by hash of the name; NULL where empty */
static uint32_t register_capacity;
static uint32_t register_count;
static uint8_t *register_room; /* for entries to come, one after the other */
static size_t register_left;   /* bytes there */

#define REGISTER_PIECE 4096u

void *(*ki_register_allocate)(size_t size) = malloc;

static bool register_same_field(const kith_field *a, const kith_field *b)
{
    return a->offset == b->offset && a->size == b->size && a->kind == b->kind && b->name != NULL &&
           strcmp(a->name, b->name) == 0;
}

/* Whether a type is that of an entry, whose fields have no padding. How padding is described does not
 * count: it is what the fields leave. */
static bool register_same_type(const kith_type *kept, const kith_type *type)
{
    if (kept->size != type->size || kept->align != type->align || kept->version != type->version ||
        kept->relation != type->relation || kept->field_count > type->field_count ||
        strcmp(kept->name, type->name) != 0) {
        return false;
    }
    uint32_t same = 0;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind == KITH_PADDING) {
            continue;
        }
        if (same == kept->field_count ||
            !register_same_field(&kept->fields[same], &type->fields[i])) {
            return false;
        }
        same++;
    }
    return same == kept->field_count;
}

/* The registered definition, or NULL; the lock is held. `*alone` tells that no other has the name. */
static registered *register_search(const kith_type *type, uint64_t hash, bool *alone)
{
    *alone = true;
    if (register_capacity == 0) {
        return NULL;
    }
    uint32_t mask = register_capacity - 1;
    uint32_t slot = (uint32_t)hash & mask;
    for (; register_index[slot].entry != NULL; slot = (slot + 1) & mask) {
        if (register_index[slot].hash == hash) {
            *alone = false; /* there may be more after it */
            if (register_same_type(&register_index[slot].entry->type, type)) {
                return register_index[slot].entry;
            }
        }
    }
    return NULL;
}

static void register_insert(register_place added)
{
    uint32_t mask = register_capacity - 1;
    uint32_t slot = (uint32_t)added.hash & mask;
    while (register_index[slot].entry != NULL) {
        slot = (slot + 1) & mask;
    }
    register_index[slot] = added;
}

static bool register_reserve(void)
{
    if ((register_count + 1) * 2 <= register_capacity) {
        return true;
    }
    uint32_t old_capacity = register_capacity;
    register_place *old = register_index;
    uint32_t capacity = old_capacity == 0 ? 64 : old_capacity * 2;
    register_place *grown = ki_register_allocate(capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    memset(grown, 0, capacity * sizeof *grown);
    register_index = grown;
    register_capacity = capacity;
    for (uint32_t i = 0; i < old_capacity; i++) {
        if (old[i].entry != NULL) {
            register_insert(old[i]);
        }
    }
    free(old);
    return true;
}

/* Memory for an entry, until the process ends. */
static void *register_take(size_t bytes)
{
    bytes = ki_round_up(bytes, _Alignof(registered));
    if (bytes > register_left) {
        size_t size = bytes > REGISTER_PIECE ? bytes : REGISTER_PIECE;
        void *room = ki_register_allocate(size);
        if (room == NULL) {
            return NULL;
        }
        register_room = room;
        register_left = size;
    }
    register_room += bytes;
    register_left -= bytes;
    return register_room - bytes;
}

static char *register_copy_text(char **at, const char *text)
{
    char *copy = *at;
    do {
        *(*at)++ = *text;
    } while (*text++ != '\0');
    return copy;
}

/* A copy in one slab of memory: the entry, the fields without padding, the texts, which have so many
 * bytes. */
static registered *register_copy(const kith_type *type, size_t texts, uint64_t hash)
{
    registered *entry =
        register_take(sizeof *entry + type->field_count * sizeof(kith_field) + texts);
    if (entry == NULL) {
        return NULL;
    }
    kith_field *fields = (kith_field *)(void *)(entry + 1);
    char *at = (char *)(fields + type->field_count);
    *entry = (registered){.type = *type, .number = register_count + 1, .hash = hash};
    entry->type.name = register_copy_text(&at, type->name);
    entry->type.fields = fields;
    entry->type.field_count = 0;
    entry->type.number = &entry->number;
    entry->type.padded = true;
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (type->fields[i].kind != KITH_PADDING) {
            kith_field *field = &fields[entry->type.field_count++];
            *field = type->fields[i];
            field->name = register_copy_text(&at, field->name);
        }
    }
    return entry;
}

/* The lock is held, and the number is written only once: later reads do not race. */
static void register_remember(const kith_type *type, const registered *entry)
{
    if (type->number != NULL && ki_type_number(type) == 0) {
        KI_STORE(type->number, entry->number);
    }
}

static registered *register_find_or_add(const kith_type *type, size_t texts, bool *alone)
{
    uint64_t hash = ki_hash_text(KI_HASH_SEED, type->name);
    registered *entry = register_search(type, hash, alone);
    if (entry == NULL && register_reserve()) {
        entry = register_copy(type, texts, hash);
        if (entry != NULL) {
            register_insert((register_place){entry, hash});
            register_count++;
        }
    }
    return entry;
}

kith_result ki_register_add(ki_context *context, const char *call, const kith_type *type,
                            const kith_type **kept, bool *alone)
{
    size_t texts;
    KI_TRY(ki_type_validate(context, call, type, &texts));
    bool none;
    ki_lock_acquire(&register_lock);
    const registered *entry = register_find_or_add(type, texts, alone == NULL ? &none : alone);
    uint32_t claimed = ki_type_number(type);
    if (entry != NULL) {
        register_remember(type, entry);
    }
    ki_lock_release(&register_lock);
    if (entry == NULL) {
        return KITH_ERR_MEMORY;
    }
    if (claimed != 0 && claimed != entry->number) {
        return ki_fail(
            context, KITH_ERR_INPUT,
            "%s: '%s': its `number` belongs to another type; each type needs one of its own", call,
            type->name);
    }
    *kept = &entry->type;
    return KITH_OK;
}

uint32_t ki_register_number_slow(const kith_type *type)
{
    if (type->name == NULL || (type->fields == NULL && type->field_count != 0)) {
        return 0;
    }
    uint64_t hash = ki_hash_text(KI_HASH_SEED, type->name);
    bool alone;
    ki_lock_acquire(&register_lock);
    const registered *entry = register_search(type, hash, &alone);
    if (entry != NULL) {
        register_remember(type, entry);
    }
    ki_lock_release(&register_lock);
    return entry == NULL ? 0 : entry->number;
}

static const kith_type *register_find(const char *name, uint64_t hash,
                                      bool (*known)(const void *context, uint32_t number),
                                      const void *context)
{
    const kith_type *found = NULL;
    ki_lock_acquire(&register_lock);
    uint32_t mask = register_capacity - 1;
    uint32_t slot = (uint32_t)hash & mask;
    for (; register_capacity != 0 && register_index[slot].entry != NULL && found == NULL;
         slot = (slot + 1) & mask) {
        const registered *entry = register_index[slot].entry;
        if (register_index[slot].hash == hash && strcmp(entry->type.name, name) == 0 &&
            known(context, entry->number)) {
            found = &entry->type;
        }
    }
    ki_lock_release(&register_lock);
    return found;
}

const kith_type *ki_register_find_name(const char *name,
                                       bool (*known)(const void *context, uint32_t number),
                                       const void *context)
{
    return register_find(name, ki_hash_text(KI_HASH_SEED, name), known, context);
}

const kith_type *ki_register_find_namesake(const kith_type *kept,
                                           bool (*known)(const void *context, uint32_t number),
                                           const void *context)
{
    const registered *entry = (const registered *)(const void *)kept; /* its first member */
    return register_find(kept->name, entry->hash, known, context);
}
