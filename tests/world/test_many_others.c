/* Entities with components that are not in tables, of which there are thousands: what they have is what
 * a model says, whatever the numbers of these components. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "test.h"

enum {
    TYPES = 2600,
    ENTITIES = 12,
    NEIGHBOURS = 32,
    ROUND = 1024, /* of numbers that are told apart without asking */
    STEPS = 20000,
};

typedef struct many_others {
    kith_world *world;
    kith_type *types;
    kith_entity entities[ENTITIES];
    bool has[ENTITIES][TYPES];
    uint32_t last; /* the number of the type that was taken last */
    uint64_t seed;
} many_others;

static kith_type *make_types(void)
{
    static const kith_field field = {"value", 0, sizeof(uint32_t), KITH_U32};
    static uint32_t numbers[TYPES];
    static char names[TYPES][16];
    static kith_type types[TYPES];
    for (uint32_t i = 0; i < TYPES; i++) {
        /* Registered from the last name to the first. */
        snprintf(names[i], sizeof names[i], "Other%05u", (TYPES - i) % 100000);
        types[i] = (kith_type){.name = names[i],
                               .size = sizeof(uint32_t),
                               .align = (uint32_t) _Alignof(uint32_t),
                               .fields = &field,
                               .field_count = 1,
                               .number = &numbers[i]};
    }
    return types;
}

static many_others *many_new(void)
{
    many_others *m = calloc(1, sizeof *m);
    CHECK_PTR_NOT_NULL(m);
    m->seed = test_number("KITH_TEST_SEED", 11);
    m->types = make_types();
    m->world = kith_world_new(NULL);
    for (uint32_t i = 0; i < TYPES; i++) {
        const kith_component_def def = {.layout = i % 3 == 0 ? KITH_SLOT : KITH_SPARSE};
        CHECK_RESULT(kith_register(m->world, &m->types[i], &def), KITH_OK);
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        m->entities[i] = kith_spawn_empty(m->world);
    }
    return m;
}

static void many_free(many_others *m)
{
    kith_world_free(m->world);
    free(m);
}

/* Any type, or one that has something in common with the last one. */
static uint32_t take_type(many_others *m)
{
    uint32_t any = random_below(&m->seed, TYPES);
    switch (random_below(&m->seed, 5)) {
    case 0: m->last = any; break;
    case 1: m->last = (m->last + ROUND) % TYPES; break;
    case 2: m->last = (m->last + NEIGHBOURS) % TYPES; break;
    case 3: m->last = m->last / NEIGHBOURS * NEIGHBOURS + any % NEIGHBOURS; break;
    default: m->last = any % 80; break;
    }
    m->last = m->last < TYPES ? m->last : any;
    return m->last;
}

static void set_one(many_others *m, uint32_t who, uint32_t type)
{
    CHECK_RESULT(kith_set(m->world, m->entities[who], &m->types[type], &type), KITH_OK);
    m->has[who][type] = true;
}

static void step(many_others *m)
{
    uint32_t who = random_below(&m->seed, ENTITIES);
    uint32_t other = random_below(&m->seed, ENTITIES);
    uint32_t type = take_type(m);
    switch (random_below(&m->seed, 40)) {
    case 0:
        CHECK_RESULT(kith_remove_all(m->world, m->entities[who]), KITH_OK);
        memset(m->has[who], 0, sizeof m->has[who]);
        break;
    case 1:
        CHECK_RESULT(kith_despawn(m->world, m->entities[who]), KITH_OK);
        m->entities[who] = kith_spawn_empty(m->world);
        memset(m->has[who], 0, sizeof m->has[who]);
        break;
    case 2:
        CHECK_RESULT(kith_despawn_many(m->world, &m->entities[other], 1, NULL), KITH_OK);
        memset(m->has[other], 0, sizeof m->has[other]);
        if (who == other) {
            m->entities[who] = kith_spawn_empty(m->world);
            break;
        }
        CHECK_RESULT(kith_clone(m->world, m->entities[who], &m->entities[other]), KITH_OK);
        memcpy(m->has[other], m->has[who], sizeof m->has[who]);
        break;
    default:
        if (random_below(&m->seed, 3) == 0) {
            CHECK_RESULT(kith_remove(m->world, m->entities[who], &m->types[type]),
                         m->has[who][type] ? KITH_OK : KITH_ERR_ABSENT);
            m->has[who][type] = false;
        } else {
            set_one(m, who, type);
        }
    }
}

static void check_all(const many_others *m)
{
    for (uint32_t who = 0; who < ENTITIES; who++) {
        const kith_type *next = kith_component_next(m->world, m->entities[who], NULL);
        for (uint32_t type = TYPES; type-- > 0;) {
            if (!m->has[who][type]) {
                continue;
            }
            CHECK(next != NULL);
            CHECK_STR(next->name, m->types[type].name);
            const uint32_t *value = kith_get(m->world, m->entities[who], &m->types[type]);
            CHECK(value != NULL && *value == type);
            next = kith_component_next(m->world, m->entities[who], next);
        }
        CHECK_PTR_NULL(next);
    }
    CHECK_RESULT(kith_world_check(m->world), KITH_OK);
}

TEST_WITHIN(20, entities_have_what_a_model_says_among_thousands_of_types)
{
    many_others *m = many_new();
    for (uint32_t i = 0; i < STEPS; i++) {
        step(m);
        if (i % 50 == 49) {
            check_all(m);
        }
    }
    many_free(m);
}

/* All of them at once, and none that another one's number stands for. */
TEST_WITHIN(20, an_entity_has_thousands_of_components)
{
    many_others *m = many_new();
    for (uint32_t type = 0; type < TYPES; type++) {
        set_one(m, 0, type);
    }
    for (uint32_t type = 40; type < TYPES; type += ROUND) {
        set_one(m, 1, type);
    }
    check_all(m);
    CHECK_RESULT(kith_remove_all(m->world, m->entities[0]), KITH_OK);
    memset(m->has[0], 0, sizeof m->has[0]);
    CHECK_RESULT(kith_despawn(m->world, m->entities[1]), KITH_OK);
    m->entities[1] = kith_spawn_empty(m->world);
    memset(m->has[1], 0, sizeof m->has[1]);
    check_all(m);
    many_free(m);
}
