/* Worlds fixed at compile time, beside a naive model: random operations, and after each of them the
 * invariants and what was touched; now and then everything. */
#include <kith/static.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "test.h"

typedef struct Point {
    float x, y, z;
} Point;

typedef struct Line {
    _Alignas(16) uint64_t words[8];
} Line;

/* A hundred components, of ten types. */
#define TEN(X, W, d)                                                                               \
    X(W, uint8_t, c##d##0)                                                                         \
    X(W, uint64_t, c##d##1)                                                                        \
    X(W, Point, c##d##2)                                                                           \
    X(W, double, c##d##3)                                                                          \
    X(W, kith_entity, c##d##4)                                                                     \
    X(W, Line, c##d##5)                                                                            \
    X(W, uint16_t, c##d##6)                                                                        \
    X(W, int32_t, c##d##7)                                                                         \
    X(W, char, c##d##8)                                                                            \
    X(W, int64_t, c##d##9)
#define HUNDRED(X, W)                                                                              \
    TEN(X, W, 0)                                                                                   \
    TEN(X, W, 1)                                                                                   \
    TEN(X, W, 2)                                                                                   \
    TEN(X, W, 3)                                                                                   \
    TEN(X, W, 4)                                                                                   \
    TEN(X, W, 5)                                                                                   \
    TEN(X, W, 6)                                                                                   \
    TEN(X, W, 7)                                                                                   \
    TEN(X, W, 8)                                                                                   \
    TEN(X, W, 9)
KITH_STATIC_WORLD(wide, HUNDRED, 70);

#define THREE(X, W)                                                                                \
    X(W, Point, a)                                                                                 \
    X(W, uint8_t, b)                                                                               \
    X(W, Line, c)
KITH_STATIC_WORLD(tall, THREE, 200);

/* ---- Both worlds through one table of calls -------------------------------------------------- */

/* A value is this byte all over. */
typedef struct component_calls {
    size_t size;
    kith_result (*set)(void *world, kith_entity entity, uint8_t byte);
    void (*set_unchecked)(void *world, uint32_t slot, uint8_t byte);
    kith_result (*add)(void *world, kith_entity entity);
    kith_result (*remove)(void *world, kith_entity entity);
    bool (*has)(const void *world, kith_entity entity);
    const void *(*get)(const void *world, kith_entity entity);
    void *(*get_mut)(void *world, kith_entity entity);
    const void *(*get_unchecked)(const void *world, uint32_t slot);
} component_calls;

typedef struct world_calls {
    uint32_t capacity;
    uint32_t components;
    const component_calls *component;
    void (*init)(void *world);
    kith_result (*spawn)(void *world, kith_entity *entity);
    kith_result (*despawn)(void *world, kith_entity entity);
    bool (*alive)(const void *world, kith_entity entity);
    uint32_t (*count)(const void *world);
    kith_entity (*entity_at)(const void *world, uint32_t slot);
    uint32_t (*query)(const void *world, const bool *with, const bool *without, uint32_t *slots);
    uint32_t (*query_count)(const void *world, const bool *with, const bool *without);
    const char *(*check)(const void *world);
} world_calls;

#define WRAP(W, T, name)                                                                           \
    static kith_result W##_##name##_set(void *world, kith_entity entity, uint8_t byte)             \
    {                                                                                              \
        T value;                                                                                   \
        memset(&value, byte, sizeof value);                                                        \
        return W##_set_##name((W *)world, entity, value);                                          \
    }                                                                                              \
    static void W##_##name##_set_unchecked(void *world, uint32_t slot, uint8_t byte)               \
    {                                                                                              \
        T value;                                                                                   \
        memset(&value, byte, sizeof value);                                                        \
        W##_set_##name##_unchecked((W *)world, slot, value);                                       \
    }                                                                                              \
    static kith_result W##_##name##_add(void *world, kith_entity entity)                           \
    {                                                                                              \
        return W##_add_##name((W *)world, entity);                                                 \
    }                                                                                              \
    static kith_result W##_##name##_remove(void *world, kith_entity entity)                        \
    {                                                                                              \
        return W##_remove_##name((W *)world, entity);                                              \
    }                                                                                              \
    static bool W##_##name##_has(const void *world, kith_entity entity)                            \
    {                                                                                              \
        return W##_has_##name((const W *)world, entity);                                           \
    }                                                                                              \
    static const void *W##_##name##_get(const void *world, kith_entity entity)                     \
    {                                                                                              \
        return W##_get_##name((const W *)world, entity);                                           \
    }                                                                                              \
    static void *W##_##name##_get_mut(void *world, kith_entity entity)                             \
    {                                                                                              \
        return W##_get_mut_##name((W *)world, entity);                                             \
    }                                                                                              \
    static const void *W##_##name##_get_unchecked(const void *world, uint32_t slot)                \
    {                                                                                              \
        CHECK(W##_get_##name##_unchecked((const W *)world, slot) ==                                \
              W##_get_mut_##name##_unchecked((W *)(uintptr_t)world, slot));                        \
        return W##_get_##name##_unchecked((const W *)world, slot);                                 \
    }

#define ROW(W, T, name)                                                                            \
    {sizeof(T),             W##_##name##_set, W##_##name##_set_unchecked, W##_##name##_add,        \
     W##_##name##_remove,   W##_##name##_has, W##_##name##_get,           W##_##name##_get_mut,    \
     W##_##name##_get_unchecked},

#define WRAP_WORLD(W, LIST)                                                                        \
    LIST(WRAP, W)                                                                                  \
    static const component_calls W##_components[] = {LIST(ROW, W)};                                \
    static void W##_do_init(void *world)                                                           \
    {                                                                                              \
        W##_init((W *)world);                                                                      \
    }                                                                                              \
    static kith_result W##_do_spawn(void *world, kith_entity *entity)                              \
    {                                                                                              \
        return W##_spawn((W *)world, entity);                                                      \
    }                                                                                              \
    static kith_result W##_do_despawn(void *world, kith_entity entity)                             \
    {                                                                                              \
        return W##_despawn((W *)world, entity);                                                    \
    }                                                                                              \
    static bool W##_do_alive(const void *world, kith_entity entity)                                \
    {                                                                                              \
        return W##_alive((const W *)world, entity);                                                \
    }                                                                                              \
    static uint32_t W##_do_count(const void *world)                                                \
    {                                                                                              \
        return W##_count((const W *)world);                                                        \
    }                                                                                              \
    static kith_entity W##_do_entity_at(const void *world, uint32_t slot)                          \
    {                                                                                              \
        return W##_entity_at((const W *)world, slot);                                              \
    }                                                                                              \
    static W##_query W##_make_query(const bool *with, const bool *without)                         \
    {                                                                                              \
        W##_query query;                                                                           \
        memcpy(&query.with, with, sizeof query.with);                                              \
        memcpy(&query.without, without, sizeof query.without);                                     \
        return query;                                                                              \
    }                                                                                              \
    static uint32_t W##_do_query(const void *world, const bool *with, const bool *without,         \
                                 uint32_t *slots)                                                  \
    {                                                                                              \
        uint32_t count = 0;                                                                        \
        W##_iter it = W##_query_iter((const W *)world, W##_make_query(with, without));             \
        while (W##_next(&it)) {                                                                    \
            CHECK(count < (uint32_t)W##_capacity);                                                 \
            slots[count++] = it.slot;                                                              \
        }                                                                                          \
        return count;                                                                              \
    }                                                                                              \
    static uint32_t W##_do_query_count(const void *world, const bool *with, const bool *without)   \
    {                                                                                              \
        return W##_query_count((const W *)world, W##_make_query(with, without));                   \
    }                                                                                              \
    static const char *W##_do_check(const void *world)                                             \
    {                                                                                              \
        return W##_check((const W *)world);                                                        \
    }                                                                                              \
    static const world_calls W##_calls = {W##_capacity,                                            \
                                          sizeof W##_components / sizeof *W##_components,          \
                                          W##_components,                                          \
                                          W##_do_init,                                             \
                                          W##_do_spawn,                                            \
                                          W##_do_despawn,                                          \
                                          W##_do_alive,                                            \
                                          W##_do_count,                                            \
                                          W##_do_entity_at,                                        \
                                          W##_do_query,                                            \
                                          W##_do_query_count,                                      \
                                          W##_do_check};

WRAP_WORLD(wide, HUNDRED)
WRAP_WORLD(tall, THREE)

/* ---- The model ------------------------------------------------------------------------------- */

enum { SLOTS = 200, COMPONENTS = 100, DEAD = 64 };

typedef struct model {
    bool alive[SLOTS];
    bool used[SLOTS];
    uint32_t generation[SLOTS];
    bool has[SLOTS][COMPONENTS];
    uint8_t value[SLOTS][COMPONENTS];
    uint32_t freed[SLOTS]; /* the last is used first */
    uint32_t freed_count;
    uint32_t alive_count;
    kith_entity dead[DEAD]; /* handles that outlived their entities */
    uint32_t dead_count;
} model;

typedef struct play {
    const world_calls *calls;
    void *world;
    model m;
    uint64_t seed;
} play;

static bool model_alive(const play *p, kith_entity e)
{
    uint32_t slot = e.index1 - 1;
    return slot < p->calls->capacity && p->m.alive[slot] && p->m.generation[slot] == e.generation;
}

/* Mostly somebody alive; else a stale handle, or any bits. */
static kith_entity pick(play *p)
{
    uint32_t way = random_below(&p->seed, 10);
    if (way == 0) {
        uint64_t bits = random_next(&p->seed);
        return (kith_entity){(uint32_t)bits % (p->calls->capacity + 2),
                             (uint32_t)(bits >> 32) % 8};
    }
    if (way == 1 && p->m.dead_count > 0) {
        return p->m.dead[random_below(&p->seed, p->m.dead_count < DEAD ? p->m.dead_count : DEAD)];
    }
    uint32_t slot = random_below(&p->seed, p->calls->capacity);
    return (kith_entity){slot + 1, p->m.generation[slot]};
}

static void check_value(const play *p, uint32_t slot, uint32_t number)
{
    const component_calls *component = &p->calls->component[number];
    kith_entity e = {slot + 1, p->m.generation[slot]};
    bool has = p->m.alive[slot] && p->m.has[slot][number];
    CHECK(component->has(p->world, e) == has);
    const uint8_t *bytes = component->get(p->world, e);
    CHECK((bytes != NULL) == has);
    CHECK(component->get_mut(p->world, e) == bytes);
    CHECK(component->get_unchecked(p->world, slot) == bytes);
    for (size_t i = 0; has && i < component->size; i++) {
        CHECK_UINT(bytes[i], p->m.value[slot][number]);
    }
}

static void check_query(play *p, const bool *with, const bool *without)
{
    uint32_t slots[SLOTS];
    uint32_t count = p->calls->query(p->world, with, without, slots);
    uint32_t expected = 0;
    for (uint32_t slot = 0; slot < p->calls->capacity; slot++) {
        bool matches = p->m.alive[slot];
        for (uint32_t i = 0; matches && i < p->calls->components; i++) {
            matches = !(with[i] && !p->m.has[slot][i]) && !(without[i] && p->m.has[slot][i]);
        }
        if (matches) {
            CHECK(expected < count);
            CHECK_UINT(slots[expected], slot);
            expected++;
        }
    }
    CHECK_UINT(count, expected);
    CHECK_UINT(p->calls->query_count(p->world, with, without), expected);
}

static void check_all(play *p)
{
    for (uint32_t slot = 0; slot < p->calls->capacity; slot++) {
        kith_entity e = {slot + 1, p->m.generation[slot]};
        CHECK_SAME(p->calls->entity_at(p->world, slot), p->m.alive[slot] ? e : KITH_NONE);
        for (uint32_t i = 0; i < p->calls->components; i++) {
            check_value(p, slot, i);
        }
    }
    for (int n = 0; n < 5; n++) {
        bool with[COMPONENTS] = {false};
        bool without[COMPONENTS] = {false};
        for (int i = n; i > 0; i--) {
            bool *mask = random_below(&p->seed, 3) == 0 ? without : with;
            mask[random_below(&p->seed, p->calls->components)] = true;
        }
        check_query(p, with, without);
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void step_spawn(play *p)
{
    kith_entity e = {77, 77};
    kith_result result = p->calls->spawn(p->world, &e);
    uint32_t slot = 0;
    if (p->m.freed_count > 0) {
        slot = p->m.freed[--p->m.freed_count];
    } else {
        while (slot < p->calls->capacity && p->m.used[slot]) {
            slot++;
        }
        if (slot == p->calls->capacity) {
            CHECK_RESULT(result, KITH_ERR_LIMIT);
            CHECK_SAME(e, ((kith_entity){77, 77}));
            return;
        }
    }
    CHECK_RESULT(result, KITH_OK);
    CHECK_SAME(e, ((kith_entity){slot + 1, p->m.generation[slot]}));
    p->m.alive[slot] = true;
    p->m.used[slot] = true;
    p->m.alive_count++;
}

static void step_despawn(play *p, kith_entity e)
{
    bool alive = model_alive(p, e);
    CHECK_RESULT(p->calls->despawn(p->world, e), alive ? KITH_OK : KITH_ERR_DEAD);
    if (alive) {
        uint32_t slot = kith_entity_slot(e);
        p->m.alive[slot] = false;
        p->m.alive_count--;
        p->m.generation[slot]++;
        memset(p->m.has[slot], 0, sizeof p->m.has[slot]);
        p->m.freed[p->m.freed_count++] = slot;
        p->m.dead[p->m.dead_count++ % DEAD] = e;
    }
}

static void step_component(play *p, kith_entity e)
{
    uint32_t number = random_below(&p->seed, p->calls->components);
    const component_calls *component = &p->calls->component[number];
    uint8_t byte = (uint8_t)random_next(&p->seed);
    bool alive = model_alive(p, e);
    uint32_t slot = kith_entity_slot(e);
    kith_result expected = alive ? KITH_OK : KITH_ERR_DEAD;
    switch (random_below(&p->seed, 5)) {
    case 0:
        if (!alive) {
            return;
        }
        component->set_unchecked(p->world, slot, byte);
        break;
    case 1:
    case 2: CHECK_RESULT(component->set(p->world, e, byte), expected); break;
    case 3:
        CHECK_RESULT(component->add(p->world, e), expected);
        byte = alive && p->m.has[slot][number] ? p->m.value[slot][number] : 0;
        break;
    default:
        if (alive && !p->m.has[slot][number]) {
            expected = KITH_ERR_ABSENT;
        }
        CHECK_RESULT(component->remove(p->world, e), expected);
        if (alive) {
            p->m.has[slot][number] = false;
            check_value(p, slot, number);
        }
        return;
    }
    if (alive) {
        p->m.has[slot][number] = true;
        p->m.value[slot][number] = byte;
        check_value(p, slot, number);
    }
}

static void play_steps(const world_calls *calls, void *world, uint64_t seed, int steps)
{
    static play p;
    static char note[64];
    p = (play){.calls = calls, .world = world, .seed = seed};
    test_note(note);
    calls->init(world);
    for (int step = 0; step < steps; step++) {
        snprintf(note, sizeof note, "seed %llu, step %d", (unsigned long long)seed, step);
        bool growing = step / 400 % 2 == 0; /* full, then nearly empty, and so on */
        uint32_t way = random_below(&p.seed, 10);
        if (way < (growing ? 3u : 1u)) {
            step_spawn(&p);
        } else if (way < 4) {
            step_despawn(&p, pick(&p));
        } else {
            step_component(&p, pick(&p));
        }
        const char *wrong = calls->check(world);
        CHECK_STR(wrong != NULL ? wrong : "sound", "sound");
        CHECK_UINT(calls->count(world), p.m.alive_count);
        kith_entity e = pick(&p);
        CHECK(calls->alive(world, e) == model_alive(&p, e));
        if (step % 50 == 0) {
            check_all(&p);
        }
    }
    test_note(NULL);
}

TEST(a_few_components_beside_the_model)
{
    static tall world;
    for (uint64_t seed = 1; seed <= (test_long() ? 2000 : 10); seed++) {
        memset(&world, (int)seed, sizeof world);
        play_steps(&tall_calls, &world, seed, 4000);
    }
}

TEST(a_hundred_components_beside_the_model)
{
    static wide world;
    CHECK_UINT(wide_calls.components, 100);
    for (uint64_t seed = 1; seed <= (test_long() ? 2000 : 5); seed++) {
        memset(&world, (int)seed, sizeof world);
        play_steps(&wide_calls, &world, seed, 4000);
    }
}
