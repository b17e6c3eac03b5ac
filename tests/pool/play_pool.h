/* Calls on a pool, as an input decides, beside a model that is too simple to be wrong: an array of who
 * lives where. */
#ifndef POOL_PLAY_POOL_H
#define POOL_PLAY_POOL_H

#include "input.h"
#include "pools.h"

enum { SLOTS = 3000, STALE = 64 };

typedef struct Thing {
    uint64_t serial;
    uint64_t mark[3];
} Thing;
KITH_POOL(thing_pool, Thing);

typedef struct model {
    bool lives[SLOTS];
    uint32_t generation[SLOTS];
    uint64_t serial[SLOTS];
    const void *address[SLOTS]; /* where the slot's value was first seen */
    uint32_t list[SLOTS];       /* free slots; who is used next stands last */
    uint32_t listed;
    uint32_t slots;
    uint32_t alive;
    uint64_t made;
    thing_pool_id stale[STALE]; /* some who were alive */
    uint32_t stale_count;
    bool oldest_first;
} model;

static inline Thing thing_of(uint64_t serial)
{
    return (Thing){serial, {serial * 3, ~serial, serial << 32}};
}

static inline uint32_t model_take(model *m)
{
    if (m->listed == 0) {
        CHECK(m->slots < SLOTS);
        return m->slots++;
    }
    if (!m->oldest_first) {
        return m->list[--m->listed];
    }
    uint32_t slot = m->list[0];
    memmove(m->list, m->list + 1, --m->listed * sizeof(m->list[0]));
    return slot;
}

static inline void model_kill(model *m, uint32_t slot)
{
    m->stale[m->stale_count++ % STALE] = (thing_pool_id){{slot + 1, m->generation[slot]}};
    m->lives[slot] = false;
    m->generation[slot]++;
    m->list[m->listed++] = slot;
    m->alive--;
}

static inline void create(model *m, thing_pool *pool)
{
    Thing thing = thing_of(++m->made);
    uint32_t slot = model_take(m);
    thing_pool_id id = thing_pool_create(pool, &thing);
    CHECK_ID(id.raw, slot + 1, m->generation[slot]);
    m->lives[slot] = true;
    m->serial[slot] = m->made;
    m->alive++;
    const void *address = thing_pool_get(pool, id);
    CHECK(m->address[slot] == NULL || m->address[slot] == address);
    m->address[slot] = address;
}

/* Whatever the id: the pool and the model agree on it. */
static inline void ask(const model *m, thing_pool *pool, thing_pool_id id, bool kill)
{
    uint32_t slot = id.raw.index1 - 1;
    bool lives = slot < m->slots && m->lives[slot] && m->generation[slot] == id.raw.generation;
    CHECK(thing_pool_alive(pool, id) == lives);
    const Thing *thing = thing_pool_get(pool, id);
    CHECK(thing == (lives ? m->address[slot] : NULL));
    CHECK(thing_pool_get_mut(pool, id) == thing);
    if (lives) {
        Thing expected = thing_of(m->serial[slot]);
        CHECK(memcmp(thing, &expected, sizeof(expected)) == 0);
    }
    if (kill) {
        CHECK_RESULT(thing_pool_kill(pool, id), lives ? KITH_OK : KITH_ERR_DEAD);
    }
}

static inline thing_pool_id random_id(const model *m, input *in)
{
    thing_pool_id id = {{0, 0}};
    uint32_t kind = input_below(in, 4);
    if (kind == 0 && m->stale_count > 0) {
        return m->stale[input_below(in, m->stale_count < STALE ? m->stale_count : STALE)];
    }
    if (kind == 1) { /* any bits */
        for (int i = 0; i < 4; i++) {
            id.raw.index1 = id.raw.index1 << 8 | input_byte(in);
            id.raw.generation = id.raw.generation << 8 | input_byte(in);
        }
        return id;
    }
    id.raw.index1 = input_below(in, m->slots + 2);
    if (id.raw.index1 != 0 && id.raw.index1 <= m->slots) {
        id.raw.generation = m->generation[id.raw.index1 - 1] - (kind == 2);
    }
    return id;
}

static inline void walk(const model *m, const thing_pool *pool)
{
    thing_pool_id e = {{0, 0}};
    for (uint32_t slot = 0; slot < m->slots; slot++) {
        kith_pool_id at = kith_pool_at((const kith_pool *)pool, slot);
        if (m->lives[slot]) {
            CHECK(thing_pool_next(pool, &e) == m->address[slot]);
            CHECK_ID(e.raw, slot + 1, m->generation[slot]);
            CHECK_ID(at, slot + 1, m->generation[slot]);
        } else {
            CHECK_ID(at, 0, 0);
        }
    }
    CHECK_PTR_NULL(thing_pool_next(pool, &e));
}

static inline void clear(model *m, thing_pool *pool)
{
    thing_pool_clear(pool);
    for (uint32_t i = 0; i < m->slots; i++) {
        uint32_t slot = m->oldest_first ? i : m->slots - 1 - i;
        if (m->lives[slot]) {
            model_kill(m, slot);
        }
    }
}

static inline void step(model *m, thing_pool *pool, input *in, uint32_t birth_percent)
{
    uint32_t kind = input_below(in, 100);
    if (kind < birth_percent && m->alive < SLOTS) {
        create(m, pool);
    } else if (kind < 80) {
        thing_pool_id id = random_id(m, in);
        uint32_t slot = id.raw.index1 - 1;
        bool lives = thing_pool_alive(pool, id);
        ask(m, pool, id, true);
        if (lives) {
            model_kill(m, slot);
        }
        ask(m, pool, id, false);
    } else if (kind < 97) {
        ask(m, pool, random_id(m, in), false);
    } else if (kind < 99) {
        CHECK_RESULT(thing_pool_reserve(pool, input_below(in, 100)), KITH_OK);
    } else if (input_chance(in, 5)) {
        clear(m, pool);
    } else {
        walk(m, pool);
    }
}

/* As many steps, or as many as the input has. */
static inline void play_pool(input *in, bool oldest_first, uint32_t steps)
{
    static model m;
    m = (model){.oldest_first = oldest_first};
    kith_pool_def def = pool_def();
    def.oldest_first = oldest_first;
    thing_pool *pool = thing_pool_new(&def);
    for (uint32_t i = 0; i < steps && !input_ended(in); i++) {
        step(&m, pool, in, i / 500 % 2 == 0 ? 60 : 30);
        CHECK_UINT(thing_pool_count(pool), m.alive);
        CHECK_UINT(thing_pool_memory(pool).slots, m.slots);
        CHECK_POOL(pool);
    }
    walk(&m, pool);
    end_pool(pool);
}

#endif
