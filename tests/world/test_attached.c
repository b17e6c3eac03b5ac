/* What other code attaches to a world: found by its key, ended once. */
#include <kith/kith.h>

#include "components.h"
#include "test.h"

typedef struct thing {
    int *clock; /* counts the ends of all things */
    int ended;  /* what the clock said when this one ended; 0: it did not */
    kith_query *query;
} thing;

static void end_thing(void *ended)
{
    thing *one = ended;
    CHECK_INT(one->ended, 0);
    one->ended = ++*one->clock;
    kith_query_free(one->query);
}

static thing things[100];
static int clock_of_things;

static void make_things(void)
{
    clock_of_things = 0;
    for (size_t i = 0; i < sizeof things / sizeof things[0]; i++) {
        things[i] = (thing){.clock = &clock_of_things};
    }
}

TEST(what_is_attached_is_found_by_its_key)
{
    make_things();
    fixture f = fixture_new();
    fixture g = fixture_new();
    CHECK_PTR_NULL(kith_attached(f.world, &things[0]));
    for (int i = 0; i < 100; i++) {
        CHECK_RESULT(kith_attach(f.world, &things[i], &things[99 - i], NULL), KITH_OK);
    }
    for (int i = 0; i < 100; i++) {
        CHECK(kith_attached(f.world, &things[i]) == &things[99 - i]);
        CHECK_PTR_NULL(kith_attached(g.world, &things[i]));
    }
    CHECK_PTR_NULL(kith_attached(f.world, NULL));
    CHECK_WORLD(f.world);
    fixture_free(&f);
    fixture_free(&g);
    CHECK_INT(clock_of_things, 0);
}

TEST(what_is_replaced_or_taken_away_ends)
{
    make_things();
    fixture f = fixture_new();
    for (int i = 0; i < 3; i++) {
        CHECK_RESULT(kith_attach(f.world, &things[i], &things[i], end_thing), KITH_OK);
    }
    CHECK_RESULT(kith_attach(f.world, &things[1], &things[3], end_thing), KITH_OK);
    CHECK_INT(things[1].ended, 1);
    CHECK(kith_attached(f.world, &things[1]) == &things[3]);
    CHECK_RESULT(kith_attach(f.world, &things[0], NULL, NULL), KITH_OK);
    CHECK_INT(things[0].ended, 2);
    CHECK_PTR_NULL(kith_attached(f.world, &things[0]));
    CHECK_RESULT(kith_attach(f.world, &things[0], NULL, NULL), KITH_OK);
    CHECK_INT(clock_of_things, 2);
    fixture_free(&f);
    CHECK_INT(things[3].ended, 3);
    CHECK_INT(things[2].ended, 4);
}

/* Those that were attached later end earlier, and may still give back what the world gave them. */
TEST_EACH_LAYOUT(what_is_attached_ends_before_its_world, layout)
{
    make_things();
    fixture f = fixture_with_all(layout);
    kith_query *open = KITH_QUERY(f.world, KITH_READ(Position));
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Position))));
    kith_iter it = kith_query_iter(open);
    CHECK(kith_next(&it));
    for (int i = 0; i < 10; i++) {
        things[i].query = KITH_QUERY(f.world, KITH_READ(Position));
        CHECK_PTR_NOT_NULL(things[i].query);
        CHECK_RESULT(kith_attach(f.world, &things[i], &things[i], end_thing), KITH_OK);
    }
    kith_iter_close(&it);
    fixture_free(&f);
    for (int i = 0; i < 10; i++) {
        CHECK_INT(things[i].ended, 10 - i);
    }
}

/* Neither hash, nor what is saved, knows of it. */
TEST(what_is_attached_is_no_part_of_the_state)
{
    fixture f = fixture_new();
    const uint64_t hash = kith_world_hash(f.world);
    const uint64_t content = kith_content_hash(f.world);
    CHECK_RESULT(kith_attach(f.world, &f, &f, NULL), KITH_OK);
    CHECK(kith_world_hash(f.world) == hash);
    CHECK(kith_content_hash(f.world) == content);
    fixture_free(&f);
}
