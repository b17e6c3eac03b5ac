/* Collisions hurt, by the rules. */
#include <stdint.h>

#include "worlds.h"

static const kith_entity none = {0, 0};

static kith_entity spawn_at(fixture *f, float x, int32_t health)
{
    return KITH_SPAWN(f->world, KITH_VALUE(Position, {x, 5}),
                      KITH_VALUE(Collider, {.width = 2, .height = 2}),
                      KITH_VALUE(Health, {health, health}));
}

static fixture damage_new(kith_layout layout)
{
    return game_new(layout, KITH_GAME_COLLISION | KITH_GAME_DAMAGE);
}

static int32_t health_of(const fixture *f, kith_entity e)
{
    const Health *health = KITH_GET(f->world, e, Health);
    CHECK_PTR_NOT_NULL(health);
    return health->current;
}

/* As in the source's test "damage system reduces health on collision", by its rule: both take 1 in each
 * tick, and stay at 0. */
TEST_EACH_LAYOUT(touching_hurts_by_the_rule_of_the_source, layout)
{
    fixture f = damage_new(layout);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 1, .keep_dead = true}), KITH_OK);
    kith_entity a = spawn_at(&f, 5, 10);
    kith_entity b = spawn_at(&f, 6, 5);
    game_tick(&f, 0);
    CHECK_INT(health_of(&f, a), 9);
    CHECK_INT(health_of(&f, b), 4);
    for (int i = 0; i < 7; i++) {
        game_tick(&f, 0);
    }
    CHECK_INT(health_of(&f, a), 2);
    CHECK_INT(health_of(&f, b), 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(without_rules_and_damage_nobody_is_hurt, layout)
{
    fixture f = damage_new(layout);
    kith_entity a = spawn_at(&f, 5, 10);
    spawn_at(&f, 6, 5);
    game_tick(&f, 0);
    CHECK_UINT(kith_event_count(f.world, &Collision_type), 1);
    CHECK_INT(health_of(&f, a), 10);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(who_comes_to_nothing_dies_and_it_is_told, layout)
{
    fixture f = damage_new(layout);
    kith_entity victim = spawn_at(&f, 5, 10);
    kith_entity killer = spawn_at(&f, 6, 1000);
    CHECK_RESULT(KITH_SET(f.world, killer, Damage, {.amount = 6}), KITH_OK);
    game_tick(&f, 0);
    CHECK_INT(health_of(&f, victim), 4);
    CHECK_UINT(kith_event_count(f.world, &Death_type), 0);
    game_tick(&f, 0);
    CHECK(!kith_alive(f.world, victim));
    CHECK_UINT(kith_event_count(f.world, &Death_type), 1);
    const Death *death = KITH_EVENT(f.world, 0, Death);
    CHECK_SAME(death->entity, victim);
    CHECK_SAME(death->killer, killer);
    CHECK_FLOAT(death->x, 5);
    CHECK_FLOAT(death->y, 5);
    CHECK_INT(health_of(&f, killer), 1000);
    game_tick(&f, 0);
    CHECK_UINT(kith_event_count(f.world, &Death_type), 0);
    CHECK_INT(KITH_EVENT(f.world, 0, Collision)->phase, KITH_COLLISION_EXIT);
    fixture_free(&f);
}

/* Collisions that outlive their run would hurt in the next one too. */
TEST(collisions_hurt_once)
{
    static const kith_event_def kept = {.keep = 1};
    fixture f = fixture_new();
    CHECK_RESULT(kith_event_register(f.world, &kith_collision_type, &kept), KITH_OK);
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'Collision' are kept for 1 runs, not 0");
    CHECK(kith_system_at(f.world, 0, NULL, NULL) == NULL);
    CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL & ~KITH_GAME_DAMAGE), KITH_OK);
    fixture_free(&f);

    f = damage_new(KITH_TABLE);
    CHECK_RESULT(kith_event_register(f.world, &kith_collision_type, &kept), KITH_ERR_CONFLICT);
    fixture_free(&f);
}

/* Two that kill each other both die; one that two kill at once dies once. */
TEST_EACH_LAYOUT(each_dies_once, layout)
{
    fixture f = damage_new(layout);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 100}), KITH_OK);
    kith_entity a = spawn_at(&f, 5, 10);
    kith_entity b = spawn_at(&f, 6, 10);
    kith_entity c = spawn_at(&f, 5.5f, 10);
    game_tick(&f, 0);
    CHECK(!kith_alive(f.world, a));
    CHECK(!kith_alive(f.world, b));
    CHECK(!kith_alive(f.world, c));
    CHECK_UINT(kith_event_count(f.world, &Death_type), 3);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(the_dead_that_are_kept_are_left_alone, layout)
{
    fixture f = damage_new(layout);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = -50, .keep_dead = true}),
                 KITH_OK);
    kith_entity a = spawn_at(&f, 5, 10);
    kith_entity b = spawn_at(&f, 6, 10);
    KITH_GET_MUT(f.world, a, Health)->current = 0;
    KITH_GET_MUT(f.world, b, Health)->current = 3;
    game_tick(&f, 0);
    CHECK_INT(health_of(&f, a), 0);
    CHECK_INT(health_of(&f, b), 10); /* healed, up to its most */
    CHECK_UINT(kith_event_count(f.world, &Death_type), 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(damage_may_be_done_once_for_each_collision, layout)
{
    fixture f = damage_new(layout);
    kith_entity victim = spawn_at(&f, 5, 100);
    kith_entity trap = spawn_at(&f, 6, 100);
    CHECK_RESULT(KITH_SET(f.world, trap, Damage, {.amount = 7, .once = true}), KITH_OK);
    game_tick(&f, 0);
    game_tick(&f, 0);
    CHECK_INT(health_of(&f, victim), 93);
    CHECK_RESULT(KITH_SET(f.world, victim, Position, {50, 5}), KITH_OK);
    game_tick(&f, 0);
    CHECK_RESULT(KITH_SET(f.world, victim, Position, {5, 5}), KITH_OK);
    game_tick(&f, 0);
    CHECK_INT(health_of(&f, victim), 86);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(numbers_do_not_overflow, layout)
{
    static const struct {
        Health before;
        int32_t amount, after;
    } cases[] = {{{INT32_MAX, INT32_MAX}, INT32_MIN, INT32_MAX},
                 {{1, 10}, INT32_MAX, 0},
                 {{5, 10}, -3, 8},
                 {{15, 10}, -3, 15},
                 {{15, 10}, 3, 12},
                 {{INT32_MIN, 10}, 3, INT32_MIN},
                 {{-4, 10}, -3, -4}};
    fixture f = damage_new(layout);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.keep_dead = true}), KITH_OK);
    kith_entity victim = spawn_at(&f, 5, 1);
    kith_entity other = spawn_at(&f, 6, 1);
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        CHECK_RESULT(KITH_SET(f.world, victim, Health, cases[i].before), KITH_OK);
        const Damage damage = {.amount = cases[i].amount};
        CHECK_RESULT(KITH_SET(f.world, other, Damage, damage), KITH_OK);
        game_tick(&f, 0);
        CHECK_INT(health_of(&f, victim), cases[i].after);
    }
    fixture_free(&f);
}

/* A bullet flies through three; it hurts the one that it comes to first, whatever their slots are. */
TEST_EACH_LAYOUT(a_fragile_bullet_hurts_the_first_it_comes_to, layout)
{
    fixture f = game_new(layout, KITH_GAME_MOVEMENT | KITH_GAME_COLLISION | KITH_GAME_DAMAGE);
    kith_entity far = spawn_at(&f, 60, 10);
    kith_entity near = spawn_at(&f, 20, 10);
    kith_entity bullet =
        KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 5}), KITH_VALUE(Velocity, {1000, 0}),
                   KITH_VALUE(Collider, {0.25f, 0.25f, .swept = true}),
                   KITH_VALUE(Damage, {.amount = 4, .fragile = true}));
    kith_entity middle = spawn_at(&f, 40, 10);
    game_tick(&f, 0.1f);
    CHECK(!kith_alive(f.world, bullet));
    CHECK_INT(health_of(&f, near), 6);
    CHECK_INT(health_of(&f, middle), 10);
    CHECK_INT(health_of(&f, far), 10);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_fragile_bullet_ends_at_a_wall, layout)
{
    fixture f = damage_new(layout);
    kith_entity wall = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 5}),
                                  KITH_VALUE(Collider, {.width = 1, .height = 1}));
    kith_entity bullet = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 5}),
                                    KITH_VALUE(Collider, {.width = 1, .height = 1}),
                                    KITH_VALUE(Damage, {.amount = 4, .fragile = true}));
    game_tick(&f, 0.1f);
    CHECK(kith_alive(f.world, wall));
    CHECK(!kith_alive(f.world, bullet));
    CHECK_UINT(kith_event_count(f.world, &Death_type), 0);
    fixture_free(&f);
}

static kith_result despawn_other(kith_world *world, kith_iter *it)
{
    return kith_despawn(world, *(kith_entity *)it->user);
}

/* Who is gone before damage is done hurts nobody, as who is hurt, as a wall, or as a bullet. */
TEST_EACH_LAYOUT(who_is_gone_by_then_hurts_nobody, layout)
{
    for (int gone = 0; gone < 2; gone++) {
        fixture f = damage_new(layout);
        CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 1}), KITH_OK);
        kith_entity pair[] = {spawn_at(&f, 5, 10), spawn_at(&f, 6, 10)};
        CHECK_RESULT(KITH_SET(f.world, pair[0], Damage, {.amount = 3}), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, pair[1], Damage, {.amount = 4, .fragile = true}), KITH_OK);
        CHECK_RESULT(kith_system_add(f.world, &(kith_system_def){.name = "between",
                                                                 .priority = 350,
                                                                 .update = despawn_other,
                                                                 .user = &pair[gone]}),
                     KITH_OK);
        game_tick(&f, 0);
        CHECK_UINT(kith_event_count(f.world, &Collision_type), 1);
        CHECK(!kith_alive(f.world, pair[gone]));
        CHECK_INT(health_of(&f, pair[1 - gone]), 10);
        CHECK_UINT(kith_event_count(f.world, &Death_type), 0);
        fixture_free(&f);
    }
}

/* Several collisions of a tick come one after another, as they are told. */
TEST_EACH_LAYOUT(the_blow_that_kills_is_the_one_that_comes_to_nothing, layout)
{
    fixture f = game_new(layout, KITH_GAME_DAMAGE);
    kith_entity victim = spawn_at(&f, 0, 10);
    kith_entity healer = spawn_at(&f, 0, 1000);
    kith_entity killers[2] = {spawn_at(&f, 0, 1000), spawn_at(&f, 0, 1000)};
    CHECK_RESULT(KITH_SET(f.world, healer, Damage, {.amount = -100}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, killers[0], Damage, {.amount = 6}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, killers[1], Damage, {.amount = 6}), KITH_OK);
    const kith_entity by[] = {killers[0], healer, killers[1], killers[0], healer};
    for (size_t i = 0; test_row(i, ROWS_OF(by)); i++) {
        const Collision hit = {victim, by[i], KITH_COLLISION_STAY, 1};
        CHECK_RESULT(KITH_SEND(f.world, Collision, hit), KITH_OK);
    }
    game_tick(&f, 0);
    CHECK(!kith_alive(f.world, victim));
    CHECK_UINT(kith_event_count(f.world, &Death_type), 1);
    CHECK_SAME(KITH_EVENT(f.world, 0, Death)->killer, killers[0]);
    fixture_free(&f);
}

/* ---- Names that are taken ----------------------------------------------------------------------- */

/* Structs of other games, under the names of the kit's. */
typedef struct own_event {
    uint64_t number;
} own_event;
KITH_TYPE_NAMED(own_event, "Death", KITH_FIELD(own_event, number));

typedef struct own_collision {
    uint64_t number;
} own_collision;
KITH_TYPE_NAMED(own_collision, "Collision", KITH_FIELD(own_collision, number));

typedef struct own_space {
    uint64_t number;
} own_space;
KITH_TYPE_NAMED(own_space, "Space", KITH_FIELD(own_space, number));

typedef struct own_rules {
    uint64_t number;
} own_rules;
KITH_TYPE_NAMED(own_rules, "DamageRules", KITH_FIELD(own_rules, number));

static const struct {
    const char *name;
    const kith_type *type;
    bool is_event;
    uint32_t systems; /* that need it */
    const char *message;
} taken[] = {
    {"deaths", &own_event_type, true, KITH_GAME_DAMAGE, "there are events 'Death' of another type"},
    {"collisions", &own_collision_type, true, KITH_GAME_DAMAGE | KITH_GAME_COLLISION,
     "there are events 'Collision' of another type"},
    {"rules", &own_rules_type, false, KITH_GAME_DAMAGE,
     "there is a resource 'DamageRules' of another type"},
    {"space", &own_space_type, false, KITH_GAME_BOUNDS,
     "there is a resource 'Space' of another type"},
};

/* The systems that need it are not added, alone or with others; those that do not need it are. */
TEST(a_name_of_an_event_or_a_resource_may_be_taken)
{
    static const uint64_t number = 1;
    for (size_t i = 0; test_row(i, ROWS_OF(taken)); i++) {
        fixture f = fixture_new();
        test_note(taken[i].name);
        CHECK_RESULT((taken[i].is_event ? kith_event_send
                                        : kith_resource_set)(f.world, taken[i].type, &number),
                     KITH_OK);
        for (uint32_t bit = 1; bit <= taken[i].systems; bit *= 2) {
            if ((taken[i].systems & bit) != 0) {
                CHECK_RESULT(kith_game_add_systems(f.world, bit), KITH_ERR_CONFLICT);
                CHECK_CONTAINS(kith_error(f.world), taken[i].message);
            }
        }
        CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_ERR_CONFLICT);
        CHECK_CONTAINS(kith_error(f.world), taken[i].message);
        CHECK_PTR_NULL(kith_system_at(f.world, 0, NULL, NULL));
        CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL & ~taken[i].systems), KITH_OK);
        fixture_free(&f);
    }
}

/* Deaths may be kept as long as a program likes: it says so before or after the systems are added. */
TEST(deaths_may_be_kept)
{
    static const kith_event_def kept = {.keep = 2};
    for (int after = 0; after < 2; after++) {
        fixture f = fixture_new();
        if (!after) {
            CHECK_RESULT(kith_event_register(f.world, &Death_type, &kept), KITH_OK);
        }
        CHECK_RESULT(kith_game_add_systems(f.world, KITH_GAME_ALL), KITH_OK);
        if (after) {
            CHECK_RESULT(kith_event_register(f.world, &Death_type, &kept), KITH_OK);
        }
        CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 50}), KITH_OK);
        spawn_at(&f, 5, 10);
        spawn_at(&f, 6, 10);
        game_tick(&f, 0);
        game_tick(&f, 0);
        CHECK_UINT(kith_event_count(f.world, &Death_type), 2);
        fixture_free(&f);
    }
}

/* Trap of source 003: the index of a dead entity is its successor's. */
TEST_EACH_LAYOUT(events_of_the_dead_hurt_nobody, layout)
{
    fixture f = game_new(layout, KITH_GAME_DAMAGE);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, DamageRules, {.touch = 1}), KITH_OK);
    kith_entity dead = spawn_at(&f, 0, 10);
    CHECK_RESULT(kith_despawn(f.world, dead), KITH_OK);
    kith_entity next = spawn_at(&f, 0, 10);
    CHECK_UINT(kith_entity_slot(next), kith_entity_slot(dead));
    CHECK_RESULT(KITH_SEND(f.world, Collision, {dead, none, KITH_COLLISION_ENTER, 1}), KITH_OK);
    CHECK_RESULT(KITH_SEND(f.world, Collision, {next, dead, KITH_COLLISION_EXIT, 1}), KITH_OK);
    game_tick(&f, 0);
    CHECK_INT(health_of(&f, next), 10);
    fixture_free(&f);
}
