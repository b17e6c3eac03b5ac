/* Lookups: whatever happens between two questions, they find what kith_get does. */
#include <kith/kith.h>
#include <stdio.h>

#include "components.h"
#include "random.h"
#include "test.h"
#include "world/world.h"

enum { TAGS = 20, ENTITIES = 300, STEPS = 4000 };

/* Tags that make tables: more than a lookup remembers. */
static kith_type tags[TAGS];

static void register_tags(kith_world *world)
{
    static uint32_t numbers[TAGS];
    static char names[TAGS][8];
    for (uint32_t i = 0; i < TAGS; i++) {
        snprintf(names[i], sizeof names[i], "Tag%u", (unsigned)i);
        tags[i] = (kith_type){.name = names[i], .align = 1, .number = &numbers[i]};
        CHECK_RESULT(kith_register(world, &tags[i], NULL), KITH_OK);
    }
}

static void check_finds(fixture *f, kith_lookup *lookup, kith_entity entity)
{
    CHECK(KITH_GET(lookup, entity, Position) == KITH_GET(f->world, entity, Position));
    CHECK(kith_lookup_has(lookup, entity) == KITH_HAS(f->world, entity, Position));
    CHECK(KITH_GET(f->world, entity, Position) == kith_get(f->world, entity, &Position_type));
    CHECK(KITH_HAS(f->world, entity, Position) == kith_has(f->world, entity, &Position_type));
    CHECK(KITH_GET_MUT(f->world, entity, Position) == KITH_GET(f->world, entity, Position));
}

/* One step of a life: an entity comes, goes, or gets or loses something. */
static void change(fixture *f, kith_entity *entity, uint64_t *random)
{
    switch (random_below(random, 8)) {
    case 0: kith_despawn(f->world, *entity); break;
    case 1: KITH_REMOVE(f->world, *entity, Position); break;
    case 2: KITH_SET(f->world, *entity, Position, {1, 2}); break;
    case 3: kith_add(f->world, *entity, &tags[random_below(random, TAGS)]); break;
    case 4: kith_remove_all(f->world, *entity); break;
    default: kith_remove(f->world, *entity, &tags[random_below(random, TAGS)]); break;
    }
    if (!kith_alive(f->world, *entity)) {
        *entity = KITH_SPAWN(f->world, KITH_VALUE(Position, {3, 4}));
    }
}

TEST_EACH_LAYOUT(a_lookup_finds_what_get_does, layout)
{
    fixture f = fixture_with_all(layout);
    register_tags(f.world);
    kith_lookup lookup = KITH_LOOKUP(f.world, Position);
    CHECK_RESULT(lookup.result, KITH_OK);
    uint64_t random = 7;
    kith_entity entities[ENTITIES] = {{0, 0}};
    kith_entity old[ENTITIES] = {{0, 0}};
    for (uint32_t step = 0; step < STEPS; step++) {
        uint32_t i = random_below(&random, ENTITIES);
        old[i] = entities[i];
        change(&f, &entities[i], &random);
        if (step % 256 == 255) {
            kith_world_trim(f.world); /* ids of tables are used again after that */
        }
        for (uint32_t k = 0; k < 8; k++) {
            check_finds(&f, &lookup, entities[random_below(&random, ENTITIES)]);
        }
        check_finds(&f, &lookup, old[i]);
        check_finds(&f, &lookup, (kith_entity){entities[i].index1, entities[i].generation + 1});
        check_finds(&f, &lookup, (kith_entity){random_below(&random, UINT32_MAX), 0});
    }
    check_finds(&f, &lookup, KITH_NONE);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A slot that has used up its generations keeps the last one. */
TEST_EACH_LAYOUT(nothing_is_found_in_a_retired_slot, layout)
{
    fixture f = fixture_with_all(layout);
    kith_lookup lookup = KITH_LOOKUP(f.world, Position);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_despawn(f.world, first), KITH_OK);
    ki_record_at(&ki_world_store(f.world)->entities, first.index1 - 1)->generation = UINT32_MAX;
    kith_entity last = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    check_finds(&f, &lookup, last);
    CHECK_RESULT(kith_despawn(f.world, last), KITH_OK);
    CHECK(!kith_lookup_has(&lookup, last));
    check_finds(&f, &lookup, last);
    fixture_free(&f);
}

/* A table goes, and another gets its id. */
TEST(a_table_that_came_for_another_is_seen)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_lookup lookup = KITH_LOOKUP(f.world, Position);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health));
    check_finds(&f, &lookup, e);
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    kith_world_trim(f.world);
    e = KITH_SPAWN(f.world, KITH_VALUE(Velocity), KITH_VALUE(Health));
    check_finds(&f, &lookup, e);
    CHECK(!kith_lookup_has(&lookup, e));
    CHECK_RESULT(kith_despawn(f.world, e), KITH_OK);
    kith_world_trim(f.world);
    e = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}), KITH_VALUE(Extra));
    check_finds(&f, &lookup, e);
    CHECK_FLOAT(KITH_GET(&lookup, e, Position)->x, 5);
    fixture_free(&f);
}

/* What grew since is found: blocks and pages that were not there. */
TEST_EACH_LAYOUT(what_comes_later_is_found, layout)
{
    fixture f = fixture_with_all(layout);
    kith_lookup lookup = KITH_LOOKUP(f.world, Position);
    kith_lookup frozen = KITH_LOOKUP(f.world, Frozen);
    for (uint32_t i = 0; i < 10000; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        check_finds(&f, &lookup, e);
        CHECK(!kith_lookup_has(&frozen, e));
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_ADD(f.world, e, Frozen), KITH_OK);
        }
        CHECK_UINT(kith_lookup_has(&frozen, e), i % 3 == 0);
    }
    fixture_free(&f);
}

/* A tag has no value, and asking for one is no misuse. */
TEST_EACH_LAYOUT(a_tag_is_had_and_has_no_value, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Frozen));
    kith_lookup lookup = KITH_LOOKUP(f.world, Frozen);
    CHECK(kith_lookup_has(&lookup, e));
    CHECK_PTR_NULL(kith_lookup_get(&lookup, e, &Frozen_type));
    fixture_free(&f);
}

TEST(a_lookup_registers_its_type)
{
    fixture f = fixture_new();
    kith_lookup lookup = KITH_LOOKUP(f.world, Position);
    CHECK_UINT(kith_type_count(f.world), 1);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_FLOAT(KITH_GET(&lookup, e, Position)->y, 2);
    fixture_free(&f);
}

TEST(a_lookup_that_was_not_made_finds_nothing)
{
    fixture f = fixture_new();
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    const kith_type other = {.name = "Position", .align = 1};
    kith_lookup lookup = kith_lookup_new(f.world, &other);
    CHECK_RESULT(lookup.result, KITH_ERR_CONFLICT);
    CHECK(!kith_lookup_has(&lookup, e));
    CHECK_PTR_NULL(kith_lookup_get(&lookup, e, &other));
    lookup = kith_lookup_new(f.world, NULL);
    CHECK_RESULT(lookup.result, KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_lookup_new: the type is NULL");
    CHECK(!kith_lookup_has(&lookup, e));
    fixture_free(&f);
}

/* Each file has a descriptor of its own, which is the same type. */
TEST(a_lookup_is_of_one_type)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Velocity));
    kith_lookup lookup = KITH_LOOKUP(f.world, Position);
    uint32_t number = 0;
    kith_type another = Position_type;
    another.number = &number;
    CHECK(kith_lookup_get(&lookup, e, &another) == KITH_GET(f.world, e, Position));
    CHECK_PTR_NULL(KITH_GET(&lookup, e, Velocity));
    expect_misuse(&f, "kith_lookup: this one is of Position, not of Velocity");
    CHECK(!KITH_HAS(&lookup, e, Velocity));
    expect_misuse(&f, "kith_lookup: this one is of Position, not of Velocity");
    const kith_lookup *same = &lookup;
    CHECK(KITH_HAS(same, e, Position) && KITH_GET(same, e, Position) != NULL);
    CHECK_PTR_NULL(kith_lookup_get(&lookup, e, NULL));
    expect_misuse(&f, "kith_lookup: this one is of Position, not of (null)");
    fixture_free(&f);
}

/* In a loop of the program's own, the iterator is its world. */
TEST(an_iterator_of_ones_own_has_lookups)
{
    fixture f = fixture_with_all(KITH_SLOT);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    uint32_t found = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        kith_lookup lookup = KITH_LOOKUP(&it, Position);
        found += KITH_GET(&lookup, e, Position) != NULL;
    }
    CHECK_UINT(found, 1);
    fixture_free(&f);
}
