#include <kith/floats.h>

#include "world/unique_key.h"

#include <inttypes.h>
#include <kith/namer.h>
#include <kith/unique.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "query/query.h"
#include "query/terms.h"
#include "store/field_names.h"
#include "world/bundle.h"
#include "world/entity_name.h"
#include "world/first_use.h"

/* ---- Messages -------------------------------------------------------------------------------- */

typedef struct unique_text {
    char text[256];
} unique_text;

static void unique_print_text(const char *bytes, size_t length, char *text, size_t size)
{
    int most = length > 80 ? 80 : (int)length;
    snprintf(text, size, "\"%.*s\"%s", most, bytes, length > 80 ? "..." : "");
}

/* A signed number of the bytes of a field. */
static int64_t unique_signed(const kith_field *field, const uint8_t *at)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    switch (field->kind) {
    case KITH_I8: memcpy(&i8, at, sizeof i8); return i8;
    case KITH_I16: memcpy(&i16, at, sizeof i16); return i16;
    case KITH_I32: memcpy(&i32, at, sizeof i32); return i32;
    default: memcpy(&i64, at, sizeof i64); return i64;
    }
}

static void unique_print_field(const kith_world *world, const kith_field *field,
                               const uint8_t *value, char *text, size_t size)
{
    const uint8_t *at = value + field->offset;
    uint64_t number = field->kind == KITH_CHAR ? 0 : ki_key_of_field(field, value);
    switch (field->kind) {
    case KITH_BOOL: snprintf(text, size, "%s", number != 0 ? "true" : "false"); break;
    case KITH_CHAR: {
        const uint8_t *end = memchr(at, 0, field->size);
        size_t length = end == NULL ? field->size : (size_t)(end - at);
        unique_print_text((const char *)at, length, text, size);
        break;
    }
    case KITH_I8:
    case KITH_I16:
    case KITH_I32:
    case KITH_I64: snprintf(text, size, "%" PRId64, unique_signed(field, at)); break;
    case KITH_ENTITY: {
        kith_entity entity;
        memcpy(&entity, at, sizeof entity);
        snprintf(text, size, "%s", kith_entity_describe(world, entity).text);
        break;
    }
    case KITH_TEXT: {
        const ki_text *interned = ki_texts_at(world->texts, (uint32_t)number);
        unique_print_text(interned == NULL ? "" : interned->bytes,
                          interned == NULL ? 0 : interned->length, text, size);
        break;
    }
    default: snprintf(text, size, "%" PRIu64, number); break;
    }
}

/* `id 17, server 2` */
static unique_text unique_print(const kith_world *world, const ki_unique *unique,
                                const uint8_t *value)
{
    unique_text printed = {""};
    size_t used = 0;
    for (uint32_t i = 0; i < unique->field_count && used < sizeof printed.text; i++) {
        char text[160];
        unique_print_field(world, &unique->fields[i], value, text, sizeof text);
        int length = snprintf(printed.text + used, sizeof printed.text - used, "%s%s %s",
                              i == 0 ? "" : ", ", unique->fields[i].name, text);
        used += length < 0 ? 0 : (size_t)length;
    }
    return printed;
}

/* An entity, or which of those that the call makes. */
static unique_text unique_describe(const kith_world *world, kith_entity entity)
{
    unique_text described;
    if (entity.index1 == 0) {
        snprintf(described.text, sizeof described.text, "the new entity number %u",
                 entity.generation);
        return described;
    }
    bool lives = ki_record_of(&world->store.entities, entity) != NULL;
    snprintf(described.text, sizeof described.text, "%s%s", lives ? "" : "the new ",
             kith_entity_describe(world, entity).text);
    return described;
}

/* Tells of two siblings that would have the same name. */
static kith_result unique_reject_name(const kith_world *world, ki_context *context,
                                      const char *call, const void *key, kith_entity has,
                                      kith_entity wants)
{
    uint64_t name;
    memcpy(&name, key, sizeof name);
    const uint32_t parent1 = (uint32_t)(name >> 32);
    const ki_text *text = ki_texts_at(world->texts, (uint32_t)name);
    unique_text below = {"without a parent"};
    if (parent1 != 0) {
        snprintf(below.text, sizeof below.text, "below %s",
                 kith_entity_describe(world, ki_world_entity_in(world, parent1 - 1)).text);
    }
    return ki_fail(context, KITH_ERR_CONFLICT,
                   "%s: %s and %s would both have the name \"%.80s\" %s; names of siblings differ",
                   call, unique_describe(world, has).text, unique_describe(world, wants).text,
                   text == NULL ? "" : text->bytes, below.text);
}

static kith_result unique_reject(const kith_world *world, ki_context *context, const char *call,
                                 const ki_unique *unique, const void *key, kith_entity has,
                                 kith_entity wants)
{
    return unique->names
               ? unique_reject_name(world, context, call, key, has, wants)
               : ki_fail(context, KITH_ERR_CONFLICT,
                         "%s: %s and %s would have the same %s: %s; it is a unique key", call,
                         unique_describe(world, has).text, unique_describe(world, wants).text,
                         unique->component->type->name, unique_print(world, unique, key).text);
}

/* ---- One entity ------------------------------------------------------------------------------ */

kith_result ki_unique_claim(kith_world *world, const char *call, ki_component *component,
                            kith_entity entity, const void *value)
{
    ki_store *store = &world->store;
    ki_unique *unique = component->unique;
    if (unique->names) {
        KI_TRY(ki_entity_name_accept(world, &store->context, call, value));
    }
    uint64_t name;
    const uint8_t *key = ki_unique_key(store, unique, value, entity.index1 - 1, &name);
    uint32_t other = ki_unique_find(store, unique, key);
    if (other != 0 && other != entity.index1) {
        return unique_reject(world, &store->context, call, unique, key,
                             ki_entity_at(&store->entities, other - 1), entity);
    }
    return ki_unique_put(store, unique, key, entity.index1 - 1);
}

/* ---- Many at once ---------------------------------------------------------------------------- */

typedef struct ki_key_claim {
    const ki_component *component;
    kith_entity entity; /* or which of those that the call makes */
    const void *value;
    uint64_t name; /* the key, if that is not the value */
} ki_key_claim;

static const uint8_t *claim_key(const ki_key_claim *claim)
{
    const ki_unique *unique = claim->component->unique;
    return unique->names ? (const uint8_t *)&claim->name : ki_unique_value(unique, claim->value);
}

void ki_key_claims_init(ki_key_claims *claims, kith_world *world, const char *call,
                        ki_context *context)
{
    *claims = (ki_key_claims){.world = world, .call = call, .context = context};
}

void ki_key_claims_free(ki_key_claims *claims)
{
    ki_heap *heap = &claims->context->heap;
    ki_uniques_release(&claims->world->store);
    ki_map_free(heap, &claims->leaving);
    ki_map_free(heap, &claims->claimed);
    ki_heap_free(heap, claims->claims, claims->capacity * sizeof *claims->claims,
                 _Alignof(max_align_t));
}

static uint64_t claims_place(const ki_component *component, uint32_t index)
{
    return (uint64_t)component->id << 32 | index;
}

kith_result ki_key_claims_leave(ki_key_claims *claims, const ki_component *component,
                                kith_entity entity)
{
    uint64_t place = claims_place(component, entity.index1 - 1);
    if (ki_map_find(&claims->leaving, place) == NULL) {
        KI_TRY(ki_map_reserve(&claims->context->heap, &claims->leaving));
        ki_map_insert(&claims->leaving, place, claims);
    }
    return KITH_OK;
}

kith_result ki_key_claims_reserve(ki_key_claims *claims, ki_component *component, uint32_t count)
{
    if (count > UINT32_MAX - claims->count) {
        return ki_without_message(&claims->context->heap, KITH_ERR_LIMIT);
    }
    KI_TRY(ki_unique_reserve(&claims->world->store, component->unique, count));
    return ki_heap_grow(&claims->context->heap, &claims->claims, &claims->capacity,
                        claims->count + count, sizeof *claims->claims, 16);
}

/* Whether two entities are one. Those that the call makes have no other name. */
static bool claims_same_entity(kith_entity a, kith_entity b)
{
    return a.index1 == b.index1 && a.generation == b.generation;
}

/* Makes sure that no entity has the key of a claim which does not lose it. */
static kith_result claims_check_store(const ki_key_claims *claims, const ki_key_claim *claim)
{
    const ki_store *store = &claims->world->store;
    const ki_unique *unique = claim->component->unique;
    const uint8_t *key = claim_key(claim);
    uint32_t other = ki_unique_find(store, unique, key);
    return other == 0 || other == claim->entity.index1 ||
                   ki_map_find(&claims->leaving, claims_place(claim->component, other - 1)) != NULL
               ? KITH_OK
               : unique_reject(claims->world, claims->context, claims->call, unique, key,
                               ki_entity_at(&store->entities, other - 1), claim->entity);
}

kith_result ki_key_claims_add(ki_key_claims *claims, ki_component *component, kith_entity entity,
                              uint32_t index, const void *value)
{
    ki_unique *unique = component->unique;
    if (unique->names) {
        KI_TRY(ki_entity_name_accept(claims->world, claims->context, claims->call, value));
    }
    ki_key_claim *added = &claims->claims[claims->count];
    *added = (ki_key_claim){component, entity, value, 0};
    const uint8_t *key =
        ki_unique_key(&claims->world->store, unique, value, index, &added->name);
    KI_TRY(claims_check_store(claims, added));
    uint64_t hash =
        ki_hash_u64(ki_key_hash(unique->fields, unique->field_count, key), component->id);
    uint32_t at;
    KI_TRY(ki_map_reserve(&claims->context->heap, &claims->claimed));
    uintptr_t number = (uintptr_t)ki_map_first(&claims->claimed, hash, &at);
    for (; number != 0; number = (uintptr_t)ki_map_next(&claims->claimed, hash, &at)) {
        const ki_key_claim *claim = &claims->claims[number - 1];
        if (claim->component == component && !claims_same_entity(claim->entity, entity) &&
            ki_key_same(unique->fields, unique->field_count, claim_key(claim), key)) {
            return unique_reject(claims->world, claims->context, claims->call, unique, key,
                                 claim->entity, entity);
        }
    }
    claims->count++;
    ki_map_insert(&claims->claimed, hash, (void *)(uintptr_t)claims->count);
    ki_unique_hold(unique);
    return ki_unique_put(&claims->world->store, unique, key, index);
}

void ki_key_claims_settle(const ki_key_claims *claims)
{
    for (uint32_t i = 0; i < claims->count; i++) {
        const ki_key_claim *claim = &claims->claims[i];
        ki_unique_tidy(&claims->world->store, claim->component->unique, claim_key(claim));
    }
}

/* ---- Making one ------------------------------------------------------------------------------ */

static kith_result unique_add_field(ki_context *context, ki_unique *unique, const char *name)
{
    const kith_type *type = unique->component->type;
    const kith_field *field;
    KI_TRY(ki_field_require(context, "kith_unique_new", type, name, &field));
    if (!ki_key_is_hashed(field) || field->kind == KITH_F32 || field->kind == KITH_F64) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "kith_unique_new: %s.%s cannot be a unique key: only whole numbers, bools,"
                       " entities and texts can",
                       type->name, name);
    }
    unique->fields[unique->field_count++] = *field;
    return KITH_OK;
}

static kith_result unique_read_def(ki_context *context, ki_unique *unique,
                                   const kith_unique_def *def)
{
    const kith_type *type = unique->component->type;
    if (unique->component->hooks != NULL) {
        return ki_fail(context, KITH_ERR_TYPE,
                       "kith_unique_new: %s has hooks, which might change what is unique",
                       type->name);
    }
    KI_TRY(ki_field_list_check(context, "kith_unique_new", type, def->fields, KI_UNIQUE_FIELDS));
    for (uint32_t i = 0; i < KI_UNIQUE_FIELDS && def->fields[i] != NULL; i++) {
        KI_TRY(unique_add_field(context, unique, def->fields[i]));
    }
    return unique->field_count != 0
               ? KITH_OK
               : ki_fail(context, KITH_ERR_INPUT,
                         "kith_unique_new: a unique key of %s names no field; give it KITH_FIELDS",
                         type->name);
}

/* Why the values cannot be guarded from now on. */
static kith_result unique_may_begin(const kith_world *world, const ki_component *component)
{
    ki_context *context = ki_world_context(world);
    const char *name = component->type->name;
    if (component->unique != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT, "kith_unique_new: %s has a unique key already",
                       name);
    }
    if (world->store.views != NULL) {
        return ki_fail(context, KITH_ERR_CONFLICT,
                       "kith_unique_new: there are snapshots, in which keys of %s may be double;"
                       " free them first",
                       name);
    }
    for (const kith_query *query = world->store.queries; query != NULL; query = query->next) {
        for (uint32_t i = 0; i < query->term_count; i++) {
            if (query->terms[i].component == component &&
                query->terms[i].access == KITH_ACCESS_WRITE) {
                return ki_fail(context, KITH_ERR_CONFLICT,
                               "kith_unique_new: %s writes %s in place; free it first",
                               ki_query_label_of(query).text, name);
            }
        }
    }
    return KITH_OK;
}

/* Tells of two entities that have what is to be a key. */
static kith_result unique_reject_pair(kith_world *world, const ki_unique *unique,
                                      ki_unique_pair pair)
{
    ki_store *store = &world->store;
    const ki_record *record = ki_record_of(&store->entities, pair.first);
    const void *value = ki_store_value(store, unique->component, pair.first.index1 - 1, record);
    return ki_fail(&store->context, KITH_ERR_CONFLICT,
                   "kith_unique_new: %s and %s have the same %s: %s",
                   kith_entity_describe(world, pair.first).text,
                   kith_entity_describe(world, pair.second).text, unique->component->type->name,
                   unique_print(world, unique, value).text);
}

kith_result kith_unique_new(kith_world *world, const kith_unique_def *def)
{
    KI_TRY(ki_world_begin_change(world, "kith_unique_new"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(context, "kith_unique_new: the definition is NULL");
    }
    ki_component *component;
    KI_TRY(ki_world_use_to_change(world, "kith_unique_new", def->type, &component));
    ki_unique key = {.component = component};
    ki_unique_pair pair = {KITH_NONE, KITH_NONE};
    KI_TRY(unique_read_def(context, &key, def));
    KI_TRY(unique_may_begin(world, component));
    kith_result result = ki_unique_begin(&world->store, &key, &pair);
    if (result == KITH_ERR_CONFLICT) {
        return unique_reject_pair(world, &key, pair);
    }
    if (result == KITH_OK) {
        ki_bundles_forget(world);
    }
    return result;
}

void kith_unique_free(kith_world *world, const kith_type *type)
{
    if (ki_world_require_change(world, "kith_unique_free") != KITH_OK) {
        return;
    }
    ki_component *component = type == NULL ? NULL : ki_world_component(world, type);
    if (component != NULL && component != world->store.entity_names) {
        ki_unique_end(&world->store, component);
        ki_bundles_forget(world);
    }
}

kith_entity kith_unique_find(const kith_world *world, const kith_type *type, const void *value)
{
    if (ki_world_require_reader(world, "kith_unique_find") != KITH_OK) {
        return KITH_NONE;
    }
    const ki_context *context = &world->store.context;
    if (KI_CHECKED && (type == NULL || value == NULL)) {
        ki_misuse(context, "kith_unique_find: the type or the value is NULL");
        return KITH_NONE;
    }
    const ki_component *component = ki_world_component(world, type);
    const ki_unique *unique = component == NULL ? NULL : component->unique;
    if (unique == NULL || unique->names) {
        if (KI_CHECKED) {
            ki_misuse(context,
                      "kith_unique_find: %s has no unique key in this world; see KITH_UNIQUE",
                      type->name);
        }
        return KITH_NONE;
    }
    const uint32_t index1 = ki_unique_find(&world->store, unique, value);
    return index1 == 0 ? KITH_NONE : ki_entity_at(&world->store.entities, index1 - 1);
}
