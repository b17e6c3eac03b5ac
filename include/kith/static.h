/* Kith: worlds that are fixed when they are compiled: a list of components, a capacity, no memory
 * but the world's own struct. They share only the handle with other worlds. No library has to be
 * linked.
 *
 *     #define GAME_COMPONENTS(X, W)        \
 *         X(W, Position, position)         \
 *         X(W, Velocity, velocity)
 *     KITH_STATIC_WORLD(game, GAME_COMPONENTS, 1000);
 *
 *     static game world;                                   // all zero is an empty world
 *     kith_entity e;
 *     if (game_spawn(&world, &e) == KITH_OK) {             // or KITH_ERR_LIMIT, at 1,000
 *         game_set_position(&world, e, (Position){1, 3});
 *     }
 *
 * A row is X(W, type, name): any number of rows, at least one. The type is a struct, a number, an
 * enum or a pointer, whose values are copied as bytes, and not an array; the name becomes part of
 * the calls' names. Several rows may have the same type. A tag is a row of type bool or char.
 *
 * A component has an array with a value for each slot of the world, and a bit for each slot that tells
 * whether the value is there. So a value is found without a search, and never moves. */
#ifndef KITH_STATIC_H
#define KITH_STATIC_H

#include <kith/base.h>
#include <kith/entity.h>
#include <string.h>

#ifdef __cplusplus
#include <type_traits>
#endif

/* KITH_STATIC_WORLD(game, GAME_COMPONENTS, 1000); at file scope defines these types and functions.
 * `capacity` is a constant from 1 to 2^30. In the calls below, `name` is the name of a component.
 *
 * game            the world, about capacity * (8 bytes + what one of each component takes). May be
 *                 static, on the stack, or in memory of yours that is aligned for it. All zero, it
 *                 is empty and ready. A copy of it is another world with the same entities. Its
 *                 fields are private.
 * game_capacity   the constant.
 *
 * Entities. Handles are as in <kith/entity.h>: any bit pattern may be passed, and a dead one stays
 * dead, for a slot that has used up its generations is never used again.
 *
 * void game_init(game *world)
 *     Empties a world, or makes one of any bytes. Handles from before mean nothing: they may name
 *     entities that are spawned later.
 * kith_result game_spawn(game *world, kith_entity *entity)
 *     A new entity without components, in the slot that was freed last, or the first unused one.
 *     KITH_ERR_LIMIT   every slot is alive or retired; `*entity` is untouched
 * kith_result game_despawn(game *world, kith_entity entity)
 *     Ends the entity and all that it has. Takes a step for each component of the list.
 *     KITH_ERR_DEAD    it was not alive
 * bool game_alive(const game *world, kith_entity entity)
 * uint32_t game_count(const game *world)
 *     How many entities are alive.
 * kith_entity game_entity_at(const game *world, uint32_t slot)
 *     The entity that lives in a slot; KITH_NONE if none does, or if there is no such slot.
 *
 * One component of one entity. KITH_ERR_DEAD everywhere: the entity is not alive, nothing was done.
 *
 * kith_result game_set_name(game *world, kith_entity entity, T value)
 *     Gives the entity this value, adding the component where it is missing.
 * kith_result game_add_name(game *world, kith_entity entity)
 *     Adds the component with all bytes zero; one that is there stays as it is.
 * kith_result game_remove_name(game *world, kith_entity entity)
 *     KITH_ERR_ABSENT   the entity does not have it
 * bool game_has_name(const game *world, kith_entity entity)
 * const T *game_get_name(const game *world, kith_entity entity)
 * T *game_get_mut_name(game *world, kith_entity entity)
 *     The value; NULL if the entity is dead or does not have the component.
 *
 * The same by slot, for code that knows what it does. `slot` is below the capacity: that is not
 * checked, and another one is a wild pointer.
 *
 * void game_set_name_unchecked(game *world, uint32_t slot, T value)
 *     An entity must live in the slot. That is not checked either, and a value without an entity
 *     breaks the world.
 * const T *game_get_name_unchecked(const game *world, uint32_t slot)
 * T *game_get_mut_name_unchecked(game *world, uint32_t slot)
 *     The value; NULL if no entity lives there, or it does not have the component.
 * T *game_values_name(game *world)
 *     The array of all values, by slot. Those of slots without the component mean nothing, and may
 *     be overwritten.
 *
 * Queries: entities in order of their slots.
 *
 *     for (game_iter it = game_query_iter(&world, (game_query){.with = {.position = true},
 *                                                              .without = {.frozen = true}});
 *          game_next(&it);) {
 *         position[it.slot].x += 1;
 *     }
 *
 * game_query      two masks, `with` and `without`, each with a bool for every component. All zero
 *                 matches every entity.
 * game_iter game_query_iter(const game *world, game_query query)
 *     Nothing needs to be closed, and any number may be open. The world must outlive it.
 * bool game_next(game_iter *it)
 *     Moves on to the next entity; `it->slot` is its slot. False at the end and from then on.
 *     Everything may be changed meanwhile: an entity is visited if it matches at the time its slot
 *     is reached.
 * uint32_t game_query_count(const game *world, game_query query)
 *     How many entities match.
 *
 * const char *game_check(const game *world)
 *     Checks every invariant, in time proportional to the capacity. NULL, or what is wrong, by a bug,
 *     an unchecked call or a wild pointer. A static string.
 *
 * Pointers to values stay good as long as the world does. After its entity was despawned, or lost the
 * component, a pointer points to what the next entity of the slot will have. Several threads may read a
 * world while none changes it. */
#define KITH_STATIC_WORLD(world_name, COMPONENTS, capacity)                                        \
    KITH_STATIC_TYPES_(world_name, COMPONENTS, capacity)                                           \
    KITH_STATIC_ENTITIES_(world_name, COMPONENTS)                                                  \
    COMPONENTS(KITH_STATIC_COMPONENT_, world_name)                                                 \
    KITH_STATIC_QUERIES_(world_name, COMPONENTS)                                                   \
    KITH_STATIC_CHECKS_(world_name, COMPONENTS)                                                    \
    struct world_name

/* From here on: private. What does not depend on the list comes first, as functions. */

#ifdef __cplusplus
extern "C" {
#endif

#define KITH_STATIC_FN_ KITH_UNUSED_ static inline

typedef struct kith_static_record {
    uint32_t generation; /* of the entity here or, in a dead slot, of the next one */
    uint32_t next1;      /* in a dead slot: the next one that is free, plus 1; 0 at the end */
} kith_static_record;

typedef struct kith_static_slots {
    uint64_t changes; /* how often an entity was made, ended or changed, for open queries */
    uint32_t used;    /* slots from here on never lived */
    uint32_t alive;
    uint32_t retired;
    uint32_t free1; /* the slot that was freed last, plus 1; 0 if none is free */
} kith_static_slots;

KITH_STATIC_FN_ uint64_t kith_static_bit_(uint32_t slot)
{
    return (uint64_t)1 << (slot & 63);
}

KITH_STATIC_FN_ bool kith_static_test_(const uint64_t *bits, uint32_t slot)
{
    return (bits[slot >> 6] >> (slot & 63) & 1) != 0;
}

/* A dead slot's record holds the generation of its next life, so the bit must be set too. */
KITH_STATIC_FN_ bool kith_static_alive_(const kith_static_record *records, const uint64_t *alive,
                                        uint32_t capacity, kith_entity entity)
{
    uint32_t slot = kith_entity_slot(entity);
    return slot < capacity && records[slot].generation == entity.generation &&
           kith_static_test_(alive, slot);
}

KITH_STATIC_FN_ kith_result kith_static_spawn_(kith_static_slots *slots,
                                               kith_static_record *records, uint64_t *alive,
                                               uint32_t capacity, kith_entity *entity)
{
    uint32_t slot = slots->used;
    if (slots->free1 != 0) {
        slot = slots->free1 - 1;
        slots->free1 = records[slot].next1;
    } else if (slot < capacity) {
        slots->used++;
    } else {
        return KITH_ERR_LIMIT;
    }
    alive[slot >> 6] |= kith_static_bit_(slot);
    slots->alive++;
    slots->changes++;
    entity->index1 = slot + 1;
    entity->generation = records[slot].generation;
    return KITH_OK;
}

/* Ends the life in a slot. Its components are the caller's to clear. */
KITH_STATIC_FN_ void kith_static_despawn_(kith_static_slots *slots, kith_static_record *records,
                                          uint64_t *alive, uint32_t slot)
{
    alive[slot >> 6] &= ~kith_static_bit_(slot);
    slots->alive--;
    slots->changes++;
    if (records[slot].generation == UINT32_MAX) {
        slots->retired++;
        return;
    }
    records[slot].generation++;
    records[slot].next1 = slots->free1;
    slots->free1 = slot + 1;
}

/* The first thing wrong with slots, or NULL. */
KITH_STATIC_FN_ const char *kith_static_check_(const kith_static_slots *slots,
                                               const kith_static_record *records,
                                               const uint64_t *alive, uint32_t capacity)
{
    if (slots->used > capacity) {
        return "more slots are in use than there are";
    }
    uint32_t living = 0;
    uint32_t spent = 0; /* dead, without a generation left */
    for (uint32_t slot = 0; slot < (capacity + 63) / 64 * 64; slot++) {
        bool lives = kith_static_test_(alive, slot);
        if (lives && slot >= slots->used) {
            return "an entity lives in a slot that was never used";
        }
        living += lives;
        spent += !lives && slot < slots->used && records[slot].generation == UINT32_MAX;
    }
    if (living != slots->alive) {
        return "the number of living entities is wrong";
    }
    uint32_t free_slots = 0;
    for (uint32_t next1 = slots->free1; next1 != 0; next1 = records[next1 - 1].next1) {
        if (next1 > slots->used || kith_static_test_(alive, next1 - 1)) {
            return "the free list has a slot that is not free";
        }
        if (++free_slots > slots->used) {
            return "the free list is a ring";
        }
        spent -= records[next1 - 1].generation == UINT32_MAX;
    }
    if (spent != slots->retired) {
        return "the number of retired slots is wrong";
    }
    if (living + free_slots + slots->retired != slots->used) {
        return "a slot is neither alive nor free nor retired";
    }
    return NULL;
}

/* Whether a slot has a component, but no living entity. */
KITH_STATIC_FN_ bool kith_static_haunted_(const uint64_t *has, const uint64_t *alive,
                                          uint32_t words)
{
    uint64_t dead = 0;
    for (uint32_t i = 0; i < words; i++) {
        dead |= has[i] & ~alive[i];
    }
    return dead != 0;
}

#ifdef __cplusplus
}
#endif

/* What the rows become: one macro for each place that uses the list. */

#define KITH_STATIC_VALUES_(W, T, name) T name[W##_capacity];
#define KITH_STATIC_HAS_(W, T, name) uint64_t name[W##_words_];
#define KITH_STATIC_BOOL_(W, T, name) bool name;
#define KITH_STATIC_CLEAR_(W, T, name) world->has.name[slot >> 6] &= ~kith_static_bit_(slot);
#define KITH_STATIC_AND_(W, T, name)                                                               \
    if (query->with.name) {                                                                        \
        bits &= world->has.name[word];                                                             \
    }                                                                                              \
    if (query->without.name) {                                                                     \
        bits &= ~world->has.name[word];                                                            \
    }
#define KITH_STATIC_HAUNTED_(W, T, name)                                                           \
    if (kith_static_haunted_(world->has.name, world->alive, W##_words_)) {                         \
        return "nobody has " #name;                                                                \
    }

#ifdef __cplusplus
#define KITH_STATIC_ASSERT_(condition, text) static_assert(condition, text)
#define KITH_STATIC_PLAIN_(T)                                                                      \
    static_assert(std::is_trivially_copyable<T>::value, #T " is not plain bytes");
#else
#define KITH_STATIC_ASSERT_(condition, text) _Static_assert(condition, text)
#define KITH_STATIC_PLAIN_(T)
#endif

/* Values come last, so that all that decides where to look is close together. */
#define KITH_STATIC_TYPES_(W, COMPONENTS, slots_wanted)                                            \
    KITH_STATIC_ASSERT_((slots_wanted) >= 1 && (slots_wanted) <= 1 << 30,                          \
                        #W " has room for 1 to 2^30 entities");                                    \
    enum { W##_capacity = (slots_wanted), W##_words_ = ((slots_wanted) + 63) / 64 };               \
    typedef struct W {                                                                             \
        kith_static_slots slots;                                                                   \
        uint64_t alive[W##_words_];                                                                \
        struct {                                                                                   \
            COMPONENTS(KITH_STATIC_HAS_, W)                                                        \
        } has;                                                                                     \
        kith_static_record records[W##_capacity];                                                  \
        struct {                                                                                   \
            COMPONENTS(KITH_STATIC_VALUES_, W)                                                     \
        } values;                                                                                  \
    } W;                                                                                           \
    typedef struct W##_mask {                                                                      \
        COMPONENTS(KITH_STATIC_BOOL_, W)                                                           \
    } W##_mask;                                                                                    \
    typedef struct W##_query {                                                                     \
        W##_mask with;                                                                             \
        W##_mask without;                                                                          \
    } W##_query;                                                                                   \
    typedef struct W##_iter {                                                                      \
        uint32_t slot;                                                                             \
        uint32_t base_; /* slot of the lowest bit in bits_; 0 - 64 before the first word */        \
        uint64_t bits_; /* matching slots, still to be visited */                                  \
        uint64_t changes_;                                                                         \
        const W *world_;                                                                           \
        W##_query query_;                                                                          \
    } W##_iter;

#define KITH_STATIC_ENTITIES_(W, COMPONENTS)                                                       \
    KITH_STATIC_FN_ void W##_init(W *world)                                                        \
    {                                                                                              \
        memset(&world->slots, 0, sizeof world->slots);                                             \
        memset(world->alive, 0, sizeof world->alive);                                              \
        memset(&world->has, 0, sizeof world->has);                                                 \
        memset(world->records, 0, sizeof world->records);                                          \
    }                                                                                              \
    KITH_STATIC_FN_ kith_result W##_spawn(W *world, kith_entity *entity)                           \
    {                                                                                              \
        return kith_static_spawn_(&world->slots, world->records, world->alive, W##_capacity,       \
                                  entity);                                                         \
    }                                                                                              \
    KITH_STATIC_FN_ bool W##_alive(const W *world, kith_entity entity)                             \
    {                                                                                              \
        return kith_static_alive_(world->records, world->alive, W##_capacity, entity);             \
    }                                                                                              \
    KITH_STATIC_FN_ kith_result W##_despawn(W *world, kith_entity entity)                          \
    {                                                                                              \
        if (!W##_alive(world, entity)) {                                                           \
            return KITH_ERR_DEAD;                                                                  \
        }                                                                                          \
        uint32_t slot = kith_entity_slot(entity);                                                  \
        COMPONENTS(KITH_STATIC_CLEAR_, W)                                                          \
        kith_static_despawn_(&world->slots, world->records, world->alive, slot);                   \
        return KITH_OK;                                                                            \
    }                                                                                              \
    KITH_STATIC_FN_ uint32_t W##_count(const W *world)                                             \
    {                                                                                              \
        return world->slots.alive;                                                                 \
    }                                                                                              \
    KITH_STATIC_FN_ kith_entity W##_entity_at(const W *world, uint32_t slot)                       \
    {                                                                                              \
        kith_entity entity = KITH_NONE;                                                            \
        if (slot < (uint32_t)W##_capacity && kith_static_test_(world->alive, slot)) {              \
            entity.index1 = slot + 1;                                                              \
            entity.generation = world->records[slot].generation;                                   \
        }                                                                                          \
        return entity;                                                                             \
    }

/* That a slot has a component is one bit, which only the living have: the unchecked getter needs to
 * look at nothing else. `T const`, because T may be a pointer. */
#define KITH_STATIC_COMPONENT_(W, T, name)                                                         \
    KITH_STATIC_PLAIN_(T)                                                                          \
    KITH_STATIC_FN_ T *W##_values_##name(W *world)                                                 \
    {                                                                                              \
        return world->values.name;                                                                 \
    }                                                                                              \
    KITH_STATIC_FN_ void W##_set_##name##_unchecked(W *world, uint32_t slot, T value)              \
    {                                                                                              \
        world->slots.changes++;                                                                    \
        world->has.name[slot >> 6] |= kith_static_bit_(slot);                                      \
        world->values.name[slot] = value;                                                          \
    }                                                                                              \
    KITH_STATIC_FN_ T *W##_get_mut_##name##_unchecked(W *world, uint32_t slot)                     \
    {                                                                                              \
        return kith_static_test_(world->has.name, slot) ? &world->values.name[slot] : NULL;        \
    }                                                                                              \
    KITH_STATIC_FN_ T const *W##_get_##name##_unchecked(const W *world, uint32_t slot)             \
    {                                                                                              \
        return kith_static_test_(world->has.name, slot) ? &world->values.name[slot] : NULL;        \
    }                                                                                              \
    KITH_STATIC_FN_ kith_result W##_set_##name(W *world, kith_entity entity, T value)              \
    {                                                                                              \
        if (!W##_alive(world, entity)) {                                                           \
            return KITH_ERR_DEAD;                                                                  \
        }                                                                                          \
        W##_set_##name##_unchecked(world, kith_entity_slot(entity), value);                        \
        return KITH_OK;                                                                            \
    }                                                                                              \
    KITH_STATIC_FN_ bool W##_has_##name(const W *world, kith_entity entity)                        \
    {                                                                                              \
        return W##_alive(world, entity) &&                                                         \
               kith_static_test_(world->has.name, kith_entity_slot(entity));                       \
    }                                                                                              \
    KITH_STATIC_FN_ T const *W##_get_##name(const W *world, kith_entity entity)                    \
    {                                                                                              \
        return W##_has_##name(world, entity) ? &world->values.name[kith_entity_slot(entity)]       \
                                             : NULL;                                               \
    }                                                                                              \
    KITH_STATIC_FN_ T *W##_get_mut_##name(W *world, kith_entity entity)                            \
    {                                                                                              \
        return W##_has_##name(world, entity) ? &world->values.name[kith_entity_slot(entity)]       \
                                             : NULL;                                               \
    }                                                                                              \
    KITH_STATIC_FN_ kith_result W##_add_##name(W *world, kith_entity entity)                       \
    {                                                                                              \
        if (!W##_alive(world, entity)) {                                                           \
            return KITH_ERR_DEAD;                                                                  \
        }                                                                                          \
        uint32_t slot = kith_entity_slot(entity);                                                  \
        if (!kith_static_test_(world->has.name, slot)) {                                           \
            world->slots.changes++;                                                                \
            world->has.name[slot >> 6] |= kith_static_bit_(slot);                                  \
            memset((void *)&world->values.name[slot], 0, sizeof world->values.name[slot]);         \
        }                                                                                          \
        return KITH_OK;                                                                            \
    }                                                                                              \
    KITH_STATIC_FN_ kith_result W##_remove_##name(W *world, kith_entity entity)                    \
    {                                                                                              \
        if (!W##_alive(world, entity)) {                                                           \
            return KITH_ERR_DEAD;                                                                  \
        }                                                                                          \
        uint32_t slot = kith_entity_slot(entity);                                                  \
        if (!kith_static_test_(world->has.name, slot)) {                                           \
            return KITH_ERR_ABSENT;                                                                \
        }                                                                                          \
        world->slots.changes++;                                                                    \
        world->has.name[slot >> 6] &= ~kith_static_bit_(slot);                                     \
        return KITH_OK;                                                                            \
    }

/* If the query is a constant where it is opened, the compiler reduces W##_word_ to a few ANDs. Words are
 * read ahead, 64 slots at a time; the counter tells whether something changed since. */
#define KITH_STATIC_QUERIES_(W, COMPONENTS)                                                        \
    KITH_STATIC_FN_ uint64_t W##_word_(const W *world, const W##_query *query, uint32_t word)      \
    {                                                                                              \
        uint64_t bits = world->alive[word];                                                        \
        COMPONENTS(KITH_STATIC_AND_, W)                                                            \
        return bits;                                                                               \
    }                                                                                              \
    KITH_STATIC_FN_ W##_iter W##_query_iter(const W *world, W##_query query)                       \
    {                                                                                              \
        W##_iter it;                                                                               \
        it.slot = UINT32_MAX;                                                                      \
        it.base_ = 0u - 64;                                                                        \
        it.bits_ = 0;                                                                              \
        it.changes_ = world->slots.changes;                                                        \
        it.world_ = world;                                                                         \
        it.query_ = query;                                                                         \
        return it;                                                                                 \
    }                                                                                              \
    KITH_STATIC_FN_ bool W##_next(W##_iter *it)                                                    \
    {                                                                                              \
        const W *world = it->world_;                                                               \
        if (it->changes_ != world->slots.changes && it->base_ != 0u - 64) {                        \
            it->changes_ = world->slots.changes;                                                   \
            it->bits_ = W##_word_(world, &it->query_, it->base_ >> 6);                             \
            it->bits_ &= ~(uint64_t)1 << (it->slot & 63);                                          \
        }                                                                                          \
        while (it->bits_ == 0) {                                                                   \
            if (it->base_ + 64 >= (uint32_t)W##_capacity) {                                        \
                it->slot = UINT32_MAX;                                                             \
                return false;                                                                      \
            }                                                                                      \
            it->base_ += 64;                                                                       \
            it->bits_ = W##_word_(world, &it->query_, it->base_ >> 6);                             \
        }                                                                                          \
        it->slot = it->base_ + KITH_CTZ64_(it->bits_);                                             \
        it->bits_ &= it->bits_ - 1;                                                                \
        return true;                                                                               \
    }                                                                                              \
    KITH_STATIC_FN_ uint32_t W##_query_count(const W *world, W##_query query)                      \
    {                                                                                              \
        uint32_t count = 0;                                                                        \
        for (uint32_t word = 0; word < (uint32_t)W##_words_; word++) {                             \
            count += KITH_POPCOUNT64_(W##_word_(world, &query, word));                             \
        }                                                                                          \
        return count;                                                                              \
    }

#define KITH_STATIC_CHECKS_(W, COMPONENTS)                                                         \
    KITH_STATIC_FN_ const char *W##_check(const W *world)                                          \
    {                                                                                              \
        COMPONENTS(KITH_STATIC_HAUNTED_, W)                                                        \
        return kith_static_check_(&world->slots, world->records, world->alive, W##_capacity);      \
    }

#endif
