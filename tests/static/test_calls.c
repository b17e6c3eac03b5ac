/* Worlds fixed at compile time: each call, with all that it may be handed. */
#include <kith/static.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "test.h"

typedef struct Position {
    float x, y;
} Position;

typedef struct Velocity {
    float dx, dy;
} Velocity;

#define GAME_COMPONENTS(X, W)                                                                      \
    X(W, Position, position)                                                                       \
    X(W, Velocity, velocity)                                                                       \
    X(W, bool, frozen)
KITH_STATIC_WORLD(game, GAME_COMPONENTS, 130);

#define ONE_COMPONENT(X, W) X(W, double, weight)
KITH_STATIC_WORLD(lone, ONE_COMPONENT, 1);
KITH_STATIC_WORLD(full_word, ONE_COMPONENT, 64);

#define CHECK_STATIC(name, world) CHECK_STR(check_text(name##_check(world)), "sound")

static const char *check_text(const char *wrong)
{
    return wrong != NULL ? wrong : "sound";
}

static kith_entity spawn(game *world)
{
    kith_entity e = KITH_NONE;
    CHECK_RESULT(game_spawn(world, &e), KITH_OK);
    return e;
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

TEST(all_zero_is_an_empty_world)
{
    static game zero;
    CHECK_STATIC(game, &zero);
    CHECK_UINT(game_count(&zero), 0);
    CHECK_UINT(game_query_count(&zero, (game_query){.with = {false}}), 0);
    CHECK_SAME(spawn(&zero), ((kith_entity){1, 0}));

    game *any = malloc(sizeof *any);
    CHECK_PTR_NOT_NULL(any);
    memset(any, 0xA5, sizeof *any);
    game_init(any);
    CHECK_STATIC(game, any);
    CHECK_SAME(spawn(any), ((kith_entity){1, 0}));
    CHECK_RESULT(game_add_velocity(any, (kith_entity){1, 0}), KITH_OK);
    CHECK_FLOAT(game_get_velocity(any, (kith_entity){1, 0})->dy, 0);
    game_init(any);
    CHECK_UINT(game_count(any), 0);
    CHECK(!game_alive(any, (kith_entity){1, 0}));
    CHECK_STATIC(game, any);
    free(any);
}

TEST(a_copy_is_another_world)
{
    static game world;
    kith_entity e = spawn(&world);
    CHECK_RESULT(game_set_position(&world, e, (Position){1, 2}), KITH_OK);
    static game copy;
    copy = world;
    CHECK_RESULT(game_set_position(&world, e, (Position){3, 4}), KITH_OK);
    CHECK_FLOAT(game_get_position(&copy, e)->x, 1);
    CHECK_RESULT(game_despawn(&world, e), KITH_OK);
    CHECK(game_alive(&copy, e));
    CHECK_STATIC(game, &world);
    CHECK_STATIC(game, &copy);
}

/* ---- Entities -------------------------------------------------------------------------------- */

TEST(spawn_says_when_it_is_full)
{
    static game world;
    kith_entity e[game_capacity];
    for (uint32_t i = 0; i < game_capacity; i++) {
        e[i] = spawn(&world);
        CHECK_UINT(kith_entity_slot(e[i]), i);
    }
    kith_entity none = {7, 7};
    CHECK_RESULT(game_spawn(&world, &none), KITH_ERR_LIMIT);
    CHECK_SAME(none, ((kith_entity){7, 7}));
    CHECK_UINT(game_count(&world), game_capacity);
    CHECK_STATIC(game, &world);

    /* Freed last, used first. */
    CHECK_RESULT(game_despawn(&world, e[3]), KITH_OK);
    CHECK_RESULT(game_despawn(&world, e[129]), KITH_OK);
    CHECK_RESULT(game_despawn(&world, e[64]), KITH_OK);
    CHECK_STATIC(game, &world);
    CHECK_SAME(spawn(&world), ((kith_entity){65, 1}));
    CHECK_SAME(spawn(&world), ((kith_entity){130, 1}));
    CHECK_SAME(spawn(&world), ((kith_entity){4, 1}));
    CHECK_RESULT(game_spawn(&world, &none), KITH_ERR_LIMIT);
    CHECK_STATIC(game, &world);
}

TEST(capacities_of_one_and_of_a_word)
{
    static lone one;
    kith_entity e = KITH_NONE;
    kith_entity other = KITH_NONE;
    CHECK_RESULT(lone_spawn(&one, &e), KITH_OK);
    CHECK_RESULT(lone_spawn(&one, &other), KITH_ERR_LIMIT);
    CHECK_RESULT(lone_set_weight(&one, e, 2.5), KITH_OK);
    CHECK_FLOAT(*lone_get_weight(&one, e), 2.5);
    CHECK_UINT(lone_query_count(&one, (lone_query){.with = {.weight = true}}), 1);
    CHECK_UINT(lone_query_count(&one, (lone_query){.without = {.weight = true}}), 0);
    CHECK_STATIC(lone, &one);

    static full_word world;
    for (uint32_t i = 0; i < 64; i++) {
        CHECK_RESULT(full_word_spawn(&world, &e), KITH_OK);
        CHECK_RESULT(full_word_set_weight(&world, e, i), KITH_OK);
    }
    CHECK_RESULT(full_word_spawn(&world, &other), KITH_ERR_LIMIT);
    uint32_t seen = 0;
    full_word_iter it = full_word_query_iter(&world, (full_word_query){.with = {.weight = true}});
    while (full_word_next(&it)) {
        CHECK_UINT(it.slot, seen++);
    }
    CHECK_UINT(seen, 64);
    CHECK(!full_word_next(&it));
    CHECK_STATIC(full_word, &world);
}

/* Every call refuses a handle of nobody, and changes nothing. */
static void check_nobody(game *world, kith_entity e)
{
    static game before;
    before = *world;
    CHECK(!game_alive(world, e));
    CHECK_RESULT(game_despawn(world, e), KITH_ERR_DEAD);
    CHECK_RESULT(game_set_position(world, e, (Position){9, 9}), KITH_ERR_DEAD);
    CHECK_RESULT(game_add_position(world, e), KITH_ERR_DEAD);
    CHECK_RESULT(game_remove_position(world, e), KITH_ERR_DEAD);
    CHECK(!game_has_position(world, e));
    CHECK_PTR_NULL(game_get_position(world, e));
    CHECK_PTR_NULL(game_get_mut_position(world, e));
    CHECK_INT(memcmp(&before, world, sizeof before), 0);
}

TEST(stale_handles_are_dead)
{
    static game world;
    kith_entity first = spawn(&world);
    CHECK_RESULT(game_set_position(&world, first, (Position){1, 2}), KITH_OK);
    CHECK_RESULT(game_despawn(&world, first), KITH_OK);
    check_nobody(&world, first);
    check_nobody(&world, (kith_entity){first.index1, first.generation + 1}); /* not yet born */

    kith_entity second = spawn(&world);
    CHECK_UINT(second.index1, first.index1);
    CHECK_UINT(second.generation, first.generation + 1);
    check_nobody(&world, first);
    CHECK(!game_has_position(&world, second));
    CHECK_PTR_NULL(game_get_position(&world, second));
    CHECK_RESULT(game_set_position(&world, second, (Position){3, 4}), KITH_OK);
    check_nobody(&world, first);
    CHECK_STATIC(game, &world);
}

TEST(any_bit_pattern_may_be_passed)
{
    static game world;
    kith_entity e[100];
    for (int i = 0; i < 100; i++) {
        e[i] = spawn(&world);
        CHECK_RESULT(game_add_position(&world, e[i]), KITH_OK);
    }
    static const uint32_t edges[] = {0, 1, 2, 100, 101, 129, 130, 131, 192, 193, 1u << 31,
                                     UINT32_MAX - 1, UINT32_MAX};
    for (size_t i = 0; test_row(i, ROWS_OF(edges)); i++) {
        for (size_t j = 0; j < sizeof edges / sizeof *edges; j++) {
            if (edges[j] != 0 || edges[i] == 0 || edges[i] > 100) {
                check_nobody(&world, (kith_entity){edges[i], edges[j]});
            }
        }
        CHECK_SAME(game_entity_at(&world, edges[i]),
                   edges[i] < 100 ? e[edges[i]] : KITH_NONE);
    }
    uint64_t seed = 1;
    for (int i = 0; i < 1000; i++) {
        uint64_t bits = random_next(&seed);
        check_nobody(&world, (kith_entity){(uint32_t)bits, (uint32_t)(bits >> 32) | 1});
    }
    CHECK_UINT(game_count(&world), 100);
    CHECK_STATIC(game, &world);
}

/* Four billion lives are shortened to the last two. */
TEST(a_slot_without_generations_is_retired)
{
    static game world;
    kith_entity keep = spawn(&world);
    kith_entity e = spawn(&world);
    CHECK_RESULT(game_despawn(&world, e), KITH_OK);
    world.records[kith_entity_slot(e)].generation = UINT32_MAX - 1;

    kith_entity last_but_one = spawn(&world);
    CHECK_SAME(last_but_one, ((kith_entity){2, UINT32_MAX - 1}));
    CHECK_RESULT(game_despawn(&world, last_but_one), KITH_OK);
    CHECK_STATIC(game, &world);
    kith_entity last = spawn(&world);
    CHECK_SAME(last, ((kith_entity){2, UINT32_MAX}));
    CHECK_STATIC(game, &world);
    CHECK_RESULT(game_despawn(&world, last), KITH_OK);
    CHECK_STATIC(game, &world);

    CHECK_SAME(spawn(&world), ((kith_entity){3, 0}));
    check_nobody(&world, last);
    check_nobody(&world, last_but_one);
    check_nobody(&world, (kith_entity){2, 0});
    while (game_count(&world) < game_capacity - 1) {
        CHECK(spawn(&world).index1 != 2);
    }
    kith_entity none = KITH_NONE;
    CHECK_RESULT(game_spawn(&world, &none), KITH_ERR_LIMIT);
    CHECK(game_alive(&world, keep));
    CHECK_STATIC(game, &world);
}

/* ---- Components ------------------------------------------------------------------------------ */

TEST(set_add_remove)
{
    static game world;
    kith_entity e = spawn(&world);
    kith_entity other = spawn(&world);
    game_values_position(&world)[0] = (Position){5, 5}; /* nobody's yet, so it means nothing */
    CHECK(!game_has_position(&world, e));
    CHECK_RESULT(game_remove_position(&world, e), KITH_ERR_ABSENT);

    CHECK_RESULT(game_add_position(&world, e), KITH_OK);
    CHECK(game_has_position(&world, e));
    CHECK_FLOAT(game_get_position(&world, e)->x, 0);
    CHECK_RESULT(game_set_position(&world, e, (Position){1, 2}), KITH_OK);
    CHECK_RESULT(game_add_position(&world, e), KITH_OK);
    CHECK_FLOAT(game_get_position(&world, e)->y, 2);
    game_get_mut_position(&world, e)->y = 3;
    CHECK_FLOAT(game_get_position(&world, e)->y, 3);
    CHECK(game_get_position(&world, e) == &game_values_position(&world)[kith_entity_slot(e)]);

    CHECK(!game_has_velocity(&world, e));
    CHECK(!game_has_position(&world, other));
    CHECK_RESULT(game_remove_position(&world, e), KITH_OK);
    CHECK(!game_has_position(&world, e));
    CHECK_PTR_NULL(game_get_mut_position(&world, e));
    CHECK_RESULT(game_remove_position(&world, e), KITH_ERR_ABSENT);
    CHECK_STATIC(game, &world);
}

TEST(unchecked_calls_take_slots)
{
    static game world;
    for (uint32_t slot = 0; slot < game_capacity; slot++) {
        CHECK_PTR_NULL(game_get_velocity_unchecked(&world, slot));
        CHECK_PTR_NULL(game_get_mut_velocity_unchecked(&world, slot));
        kith_entity e = spawn(&world);
        CHECK_PTR_NULL(game_get_velocity_unchecked(&world, slot));
        game_set_velocity_unchecked(&world, slot, (Velocity){(float)slot, 0});
        game_get_mut_velocity_unchecked(&world, slot)->dy = 1;
        CHECK_FLOAT(game_get_velocity(&world, e)->dx, slot);
        CHECK_FLOAT(game_get_velocity_unchecked(&world, slot)->dy, 1);
        CHECK_STATIC(game, &world);
    }
    CHECK_RESULT(game_despawn(&world, game_entity_at(&world, 65)), KITH_OK);
    CHECK_PTR_NULL(game_get_velocity_unchecked(&world, 65));
    CHECK_FLOAT(game_get_velocity_unchecked(&world, 66)->dx, 66);
}

/* ---- game_check ------------------------------------------------------------------------------ */

TEST(check_finds_what_is_broken)
{
    static game sound;
    kith_entity e[5];
    for (int i = 0; i < 5; i++) {
        e[i] = spawn(&sound);
    }
    CHECK_RESULT(game_set_velocity(&sound, e[4], (Velocity){1, 1}), KITH_OK);
    CHECK_RESULT(game_despawn(&sound, e[1]), KITH_OK);
    CHECK_RESULT(game_despawn(&sound, e[2]), KITH_OK); /* the free list is 2, 1 */
    CHECK_STATIC(game, &sound);

    static game world;
#define CHECK_BROKEN(change, text)                                                                 \
    do {                                                                                           \
        world = sound;                                                                             \
        change;                                                                                    \
        CHECK_STR(check_text(game_check(&world)), text);                                           \
    } while (0)
    CHECK_BROKEN(game_set_velocity_unchecked(&world, 1, (Velocity){1, 1}), "nobody has velocity");
    CHECK_BROKEN(world.has.frozen[2] = 1u << 31, "nobody has frozen");
    CHECK_BROKEN(world.slots.used = game_capacity + 1, "more slots are in use than there are");
    CHECK_BROKEN(world.alive[2] = 8, "an entity lives in a slot that was never used");
    CHECK_BROKEN(world.slots.alive++, "the number of living entities is wrong");
    CHECK_BROKEN(world.slots.free1 = 1, "the free list has a slot that is not free");
    CHECK_BROKEN(world.slots.free1 = 6, "the free list has a slot that is not free");
    CHECK_BROKEN(world.records[1].next1 = 3, "the free list is a ring");
    CHECK_BROKEN(world.slots.retired = 1, "the number of retired slots is wrong");
    CHECK_BROKEN(world.slots.free1 = 2, "a slot is neither alive nor free nor retired");
#undef CHECK_BROKEN
}
