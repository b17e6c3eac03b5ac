/* Observers of despawns get what else the entities had. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "test.h"

/* The despawns of entities with Health since the last delivery, with what else they had. */
typedef struct fallen {
    kith_entity entities[4000];
    int32_t health[4000];
    float x[4000];      /* of their Position; -1: they had none */
    bool burning[4000]; /* they had that tag */
    uint32_t count;
} fallen;

static void keep_fallen(const kith_observed *observed)
{
    fallen *f = observed->user;
    CHECK(f->count + observed->count <= 4000);
    for (uint32_t i = 0; i < observed->count; i++) {
        const Position *position = KITH_AT(observed, i, Position);
        f->entities[f->count] = observed->entities[i];
        f->health[f->count] = KITH_AT(observed, i, Health)->current;
        f->x[f->count] = position == NULL ? -1 : position->x;
        f->burning[f->count] = kith_observed_value(observed, i, &Burning_type) != NULL;
        f->count++;
    }
}

static kith_observer *observe_fallen(kith_world *world, fallen *f)
{
    f->count = 0;
    kith_observer *observer;
    const kith_observer_def def = {.kind = KITH_ON_DESPAWN,
                                   .type = &Health_type,
                                   .values = true,
                                   .also = KITH_TERMS(KITH_READ(Position), KITH_READ(Burning)),
                                   .run = keep_fallen,
                                   .user = f};
    CHECK_RESULT(kith_observer_new(world, &def, &observer), KITH_OK);
    return observer;
}

static void deliver(kith_world *world)
{
    CHECK_WORLD(world);
    CHECK_RESULT(kith_observers_flush(world), KITH_OK);
    CHECK_WORLD(world);
}

/* An entity of this number, with all three components. */
static kith_entity spawn_full(kith_world *world, int32_t number)
{
    return KITH_SPAWN(world, KITH_VALUE(Health, {number, 0}),
                      KITH_VALUE(Position, {(float)number, 0}), KITH_VALUE(Burning));
}

static void check_fallen(const fallen *f, uint32_t i, kith_entity entity, int32_t health, float x,
                         bool burning)
{
    CHECK(i < f->count);
    CHECK_SAME(f->entities[i], entity);
    CHECK_INT(f->health[i], health);
    CHECK_FLOAT(f->x[i], x);
    CHECK_INT(f->burning[i], burning);
}

/* ---- What they had ----------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(each_way_of_ending_keeps_the_values, layout)
{
    fixture f = fixture_with_all(layout);
    fixture other = fixture_with_all(layout);
    static fallen l;
    observe_fallen(f.world, &l);
    kith_entity e[7];
    for (int i = 0; i < 7; i++) {
        e[i] = spawn_full(f.world, i);
    }
    CHECK_RESULT(kith_clone(f.world, e[5], &e[6]), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, e[0]), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e + 1, 2, NULL), KITH_OK);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_commands_despawn(commands, e[3]);
    KITH_SET(commands, e[4], Position, {44, 0});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_RESULT(kith_transfer(f.world, e + 4, 1, other.world, NULL), KITH_OK);
    KITH_GET_MUT(f.world, e[6], Position)->x = 66;
    CHECK_RESULT(kith_despawn(f.world, e[6]), KITH_OK);
    deliver(f.world);
    CHECK_UINT(l.count, 6);
    for (uint32_t i = 0; i < 4; i++) {
        check_fallen(&l, i, e[i], (int32_t)i, (float)i, true);
    }
    check_fallen(&l, 4, e[4], 4, 44, true);
    check_fallen(&l, 5, e[6], 5, 66, true);
    CHECK(kith_alive(f.world, e[5]));
    fixture_free(&other);
    fixture_free(&f);
}

/* What an entity lost before it was despawned, it did not have then: in whatever way it was lost. */
TEST_EACH_LAYOUT(what_was_lost_before_is_not_told, layout)
{
    fixture f = fixture_with_all(layout);
    static fallen l;
    observe_fallen(f.world, &l);
    kith_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = spawn_full(f.world, i);
    }
    kith_commands *commands = kith_commands_new(f.world, NULL);
    CHECK_RESULT(KITH_REMOVE(f.world, e[0], Position), KITH_OK);
    CHECK_RESULT(kith_remove_all(f.world, e[1]), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[1], Health, {10, 0}), KITH_OK);
    KITH_REMOVE(commands, e[2], Burning);
    kith_commands_remove_all(commands, e[3]);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[3], Position, {33, 0}), KITH_OK); /* and has it again */
    /* It lost what is observed before the rest. */
    CHECK_RESULT(KITH_REMOVE(f.world, e[4], Health), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e, 6, NULL), KITH_OK);
    deliver(f.world);
    CHECK_UINT(l.count, 7); /* two of them lost Health twice */
    check_fallen(&l, 0, e[1], 1, -1, false);
    check_fallen(&l, 1, e[3], 3, 33, false);
    check_fallen(&l, 2, e[4], 4, 4, true);
    check_fallen(&l, 3, e[0], 0, -1, true);
    check_fallen(&l, 4, e[1], 10, -1, false);
    check_fallen(&l, 5, e[2], 2, 2, false);
    check_fallen(&l, 6, e[5], 5, 5, true);
    fixture_free(&f);
}

/* More than chunks of the logs and one call hold, in slots that are used again; every third entity
 * lacks one thing, every fifth another. */
static void end_many(kith_layout health, kith_layout position, kith_layout burning)
{
    enum { MANY = 1700 };
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Health_type, &(kith_component_def){.layout = health}),
                 KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Position_type, &(kith_component_def){.layout = position}),
                 KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Burning_type, &(kith_component_def){.layout = burning}),
                 KITH_OK);
    static fallen l;
    observe_fallen(f.world, &l);
    static kith_entity e[2 * MANY];
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t k = 0; k < 2; k++) {
            for (uint32_t i = k * MANY; i < (k + 1) * MANY; i++) {
                e[i] = spawn_full(f.world, (int32_t)i);
                CHECK_RESULT(i % 3 != 0 ? KITH_OK : KITH_REMOVE(f.world, e[i], Position), KITH_OK);
                CHECK_RESULT(i % 5 != 0 ? KITH_OK : KITH_REMOVE(f.world, e[i], Burning), KITH_OK);
            }
            for (uint32_t i = k * MANY; round == 1 && i < (k + 1) * MANY; i++) {
                kith_commands_despawn(commands, e[i]);
            }
            CHECK_RESULT(round == 1 ? kith_commands_apply(commands, NULL)
                                    : kith_despawn_many(f.world, e + k * MANY, MANY, NULL),
                         KITH_OK);
        }
        deliver(f.world);
        CHECK_UINT(l.count, 2 * MANY);
        for (uint32_t i = 0; i < l.count; i++) {
            uint32_t number = (uint32_t)l.health[i];
            check_fallen(&l, i, e[number], (int32_t)number, number % 3 == 0 ? -1 : (float)number,
                         number % 5 != 0);
        }
        l.count = 0;
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
        CHECK_UINT(stats.tracked, 0);
    }
    fixture_free(&f);
}

TEST_EACH_LAYOUT(many_on_every_mix_of_layouts, layout)
{
    for (uint32_t position = 0; position < LAYOUT_COUNT; position++) {
        end_many(layout, (kith_layout)position, (kith_layout)((position + 1) % LAYOUT_COUNT));
    }
}

/* What is told at the next delivery stays; what nobody will be told of goes. */
TEST_EACH_LAYOUT(values_that_belong_to_no_despawn_go, layout)
{
    fixture f = fixture_with_all(layout);
    static fallen l;
    kith_observer *observer = observe_fallen(f.world, &l);
    for (int round = 0; round < 3; round++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        CHECK_RESULT(kith_despawn(f.world, e), KITH_OK); /* never had Health */
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
        CHECK_UINT(stats.tracked, 2 * sizeof(kith_entity) + sizeof(Position));
        deliver(f.world);
        CHECK_UINT(l.count, 0);
        CHECK_RESULT(kith_component_memory(f.world, &Position_type, &stats), KITH_OK);
        CHECK_UINT(stats.tracked, 0);
    }
    kith_entity e = spawn_full(f.world, 7);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    kith_observer_free(observer);
    deliver(f.world);
    CHECK_UINT(l.count, 0);
    fixture_free(&f);
}

/* ---- Observers among others -------------------------------------------------------------------- */

/* Despawns the entities of which it is told. */
static void end_at_once(const kith_observed *observed)
{
    CHECK_RESULT(kith_despawn_many(observed->world, observed->entities, observed->count, NULL),
                 KITH_OK);
}

/* No more memory from here on. */
static void end_memory(const kith_observed *observed)
{
    test_memory_fail(observed->user, 1, true);
}

/* An entity that lost the component and lives may be despawned by an observer that is called earlier in
 * the same delivery. It is told with what it had; what else was despawned then is told next time. */
static void end_before_the_call(kith_layout layout, bool without_memory)
{
    fixture f = fixture_with_all(layout);
    static fallen l;
    const kith_observer_def ends = {.kind = KITH_ON_ADD, .type = &Byte_type, .run = end_at_once};
    CHECK_RESULT(kith_observer_new(f.world, &ends, NULL), KITH_OK);
    const kith_observer_def fails = {
        .kind = KITH_ON_ADD, .type = &Byte_type, .run = end_memory, .user = f.memory};
    CHECK_RESULT(without_memory ? kith_observer_new(f.world, &fails, NULL) : KITH_OK, KITH_OK);
    observe_fallen(f.world, &l);
    kith_entity loses = spawn_full(f.world, 1);
    kith_entity keeps = spawn_full(f.world, 2);
    kith_entity before = spawn_full(f.world, 3);
    kith_entity bare = KITH_SPAWN(f.world, KITH_VALUE(Health, {4, 0}));
    kith_entity loses_too = spawn_full(f.world, 5);
    CHECK_RESULT(KITH_REMOVE(f.world, loses_too, Health), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, loses, Health), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, bare, Health), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, before), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, loses, Byte), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, keeps, Byte), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, loses_too, Byte), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, bare, Byte), KITH_OK);
    deliver(f.world);
    CHECK(test_memory_fail_nothing(f.memory) == without_memory);
    CHECK_UINT(l.count, 4);
    check_fallen(&l, 0, loses_too, 5, 5, true);
    check_fallen(&l, 1, loses, 1, 1, true);
    check_fallen(&l, 2, bare, 4, -1, false);
    check_fallen(&l, 3, before, 3, 3, true);
    l.count = 0;
    deliver(f.world);
    CHECK_UINT(l.count, 1);
    check_fallen(&l, 0, keeps, 2, 2, true);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(despawned_by_an_earlier_observer, layout)
{
    end_before_the_call(layout, false);
}

TEST_EACH_LAYOUT(despawned_by_an_earlier_observer_without_memory, layout)
{
    end_before_the_call(layout, true);
}

/* ---- Values with hooks ------------------------------------------------------------------------- */

static void sum_owned(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        const Owned *owned = KITH_AT(observed, i, Owned);
        *(uint64_t *)observed->user += owned == NULL ? 1 : *owned->number;
    }
}

static kith_observer *observe_owners(kith_world *world, uint64_t *sum)
{
    kith_observer *observer;
    const kith_observer_def def = {.kind = KITH_ON_DESPAWN,
                                   .type = &Position_type,
                                   .also = KITH_TERMS(KITH_READ(Owned)),
                                   .run = sum_owned,
                                   .user = sum};
    CHECK_RESULT(kith_observer_new(world, &def, &observer), KITH_OK);
    return observer;
}

/* They live until all observers were told, and are then destroyed. */
TEST_EACH_LAYOUT(values_with_hooks_live_until_all_were_told, layout)
{
    enum { MANY = 1100 };
    fixture f = fixture_with_all(layout);
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    uint64_t sums[3] = {0, 0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        observe_owners(f.world, &sums[i]);
    }
    kith_observer *freed = observe_owners(f.world, &sums[2]);
    static kith_entity e[MANY];
    const kith_values values[] = {{&Owned_type, NULL, true}, KITH_VALUE(Position, {1, 2})};
    CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 2, e), KITH_OK);
    for (uint32_t i = 0; i < MANY; i += 2) {
        CHECK_RESULT(KITH_REMOVE(f.world, e[i], Owned), KITH_OK);
    }
    CHECK_RESULT(kith_despawn_many(f.world, e, MANY, NULL), KITH_OK);
    CHECK_UINT(record.live, MANY);
    kith_observer_free(freed);
    CHECK_UINT(record.live, MANY);
    deliver(f.world);
    CHECK_UINT(sums[0], MANY / 2 * (1 + OWNED_INITIAL));
    CHECK_UINT(sums[1], sums[0]);
    CHECK_UINT(sums[2], 0);
    CHECK_UINT(record.live, 0);
    CHECK_RESULT(kith_spawn_many(f.world, 3, values, 2, e), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e, 3, NULL), KITH_OK);
    CHECK_UINT(record.live, 3); /* nobody was told */
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* ---- Definitions ------------------------------------------------------------------------------- */

static void check_refused(kith_world *world, const kith_observer_def *def, const char *why)
{
    kith_observer *observer = NULL;
    CHECK_RESULT(kith_observer_new(world, def, &observer), KITH_ERR_INPUT);
    CHECK_STR(kith_error(world), why);
    CHECK_PTR_NULL(observer);
    CHECK_WORLD(world);
}

TEST(definitions_that_are_not_valid)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_observer_def def = {.name = "dead",
                             .kind = KITH_ON_REMOVE,
                             .type = &Health_type,
                             .also = KITH_TERMS(KITH_READ(Position)),
                             .run = keep_fallen};
    check_refused(f.world, &def,
                  "kith_observer_new: 'dead' has `also`, but its kind is not KITH_ON_DESPAWN");
    def.kind = KITH_ON_DESPAWN;
    def.also = KITH_TERMS(KITH_READ(Position), KITH_WITH(Burning));
    check_refused(f.world, &def,
                  "kith_observer_new: 'dead' has a term in `also` that is not KITH_READ");
    def.also = KITH_TERMS(KITH_READ(Health));
    check_refused(f.world, &def,
                  "kith_observer_new: 'dead' has its own type 'Health' in `also`; set `values`"
                  " instead");
    def.also = KITH_TERMS(KITH_READ(Position), KITH_READ(Position));
    check_refused(f.world, &def, "kith_observer_new: 'dead' has 'Position' twice in `also`");
    def.also = KITH_TERMS({&Position_type, (kith_access)7, KITH_MUST, 0, NULL});
    check_refused(f.world, &def,
                  "kith_observer_new: term 0 of `also`: 7 is not an access; a list ends with a term"
                  " of zeros, which KITH_TERMS adds");
    fixture_free(&f);
}
