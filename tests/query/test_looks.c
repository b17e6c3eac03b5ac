/* What counts as a change, and as seen: looks within looks, tags, padding. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

enum { ROWS = 3000 };

static uint32_t look(kith_query *query)
{
    uint32_t seen = 0;
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        seen += it.count;
    }
    CHECK_RESULT(it.result, KITH_OK);
    return seen;
}

static kith_query *query_changed(kith_world *world, const kith_type *type)
{
    const kith_term term = {type, KITH_ACCESS_NONE, KITH_MUST_CHANGED, 0, NULL};
    kith_query *query;
    CHECK_RESULT(kith_query_new(world, &(kith_query_def){.terms = KITH_TERMS(term)}, &query),
                 KITH_OK);
    return query;
}

/* ---- Looks within looks ---------------------------------------------------------------------- */

/* What an inner look has seen stays seen, though an outer one that began before it ends after it. */
TEST_EACH_LAYOUT(an_outer_look_that_ends_later_takes_nothing_back, layout)
{
    for (int exact = 0; exact < 2; exact++) {
        fixture f = fixture_new();
        const kith_component_def def = {.layout = layout, .exact_changes = exact == 1};
        CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
        kith_query *query = query_changed(f.world, &Position_type);
        kith_iter outer = kith_query_iter(query);
        CHECK(kith_next(&outer));
        CHECK_RESULT(KITH_SET(f.world, e, Position, {3, 4}), KITH_OK);
        CHECK_UINT(look(query), 1);
        CHECK(!kith_next(&outer));
        CHECK_UINT(kith_query_count(query), 0);
        CHECK_UINT(look(query), 0);
        /* And what comes after the inner look, within the outer one, is seen by the next. */
        CHECK_RESULT(KITH_SET(f.world, e, Position, {5, 6}), KITH_OK);
        outer = kith_query_iter(query);
        CHECK(kith_next(&outer));
        CHECK_UINT(look(query), 1);
        CHECK_RESULT(KITH_SET(f.world, e, Position, {7, 8}), KITH_OK);
        CHECK(!kith_next(&outer));
        CHECK_UINT(look(query), 1);
        CHECK_UINT(look(query), 0);
        fixture_free(&f);
    }
}

/* ---- Tags ------------------------------------------------------------------------------------ */

/* The ways to give an entity a component that it has. */
typedef enum way {
    WAY_SET,
    WAY_SET_SEVERAL,
    WAY_QUEUE_SET,
    WAY_ADD, /* which leaves it as it is */
    WAY_QUEUE_ADD,
    WAYS
} way;

static void give_again(kith_world *world, way w, kith_entity e, const kith_type *type)
{
    const kith_value value = {type, NULL};
    kith_commands *commands = kith_commands_new(world, NULL);
    switch (w) {
    case WAY_SET: CHECK_RESULT(kith_set(world, e, type, NULL), KITH_OK); break;
    case WAY_SET_SEVERAL: CHECK_RESULT(kith_set_values(world, e, &value, 1), KITH_OK); break;
    case WAY_QUEUE_SET: CHECK_RESULT(kith_commands_set(commands, e, type, NULL), KITH_OK); break;
    case WAY_ADD: CHECK_RESULT(kith_add(world, e, type), KITH_OK); break;
    case WAY_QUEUE_ADD: CHECK_RESULT(kith_commands_add(commands, e, type), KITH_OK); break;
    case WAYS: break;
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    kith_commands_free(commands);
    CHECK_WORLD(world);
}

/* Setting is a change, also of a tag, which has no value to tell; adding what is there is none. */
TEST_EACH_LAYOUT(a_tag_that_is_set_again_counts_as_changed, layout)
{
    static kith_entity e[ROWS];
    for (int tag = 0; tag < 2; tag++) {
        const kith_type *type = tag == 1 ? &Frozen_type : &Position_type;
        fixture f = fixture_with_all(layout);
        const kith_values values = {type, NULL, true};
        CHECK_RESULT(kith_spawn_many(f.world, ROWS, &values, 1, e), KITH_OK);
        kith_query *query = query_changed(f.world, type);
        CHECK_UINT(look(query), ROWS);
        for (int w = 0; w < WAYS; w++) {
            give_again(f.world, (way)w, e[1500], type);
            CHECK_INT(kith_query_contains(query, e[1500]), w < WAY_ADD);
            CHECK_INT(look(query) != 0, w < WAY_ADD);
            CHECK_UINT(look(query), 0);
        }
        fixture_free(&f);
    }
}

/* ---- Padding --------------------------------------------------------------------------------- */

/* With padding that the type names as arrays of bytes: inside, at the end, or in front. */
typedef struct Gaps {
    uint8_t front[4];
    uint32_t value;
    uint8_t small;
    uint8_t back[3];
} Gaps;
KITH_TYPE(Gaps, KITH_FIELD(Gaps, front, KITH_PADDING), KITH_FIELD(Gaps, value),
          KITH_FIELD(Gaps, small), KITH_FIELD(Gaps, back, KITH_PADDING));

/* Sets one byte of the value; returns how many a look then sees. */
static uint32_t look_after(fixture *f, kith_query *query, kith_entity e, Gaps *value, size_t byte)
{
    ((uint8_t *)value)[byte] ^= 0x40;
    CHECK_RESULT(kith_set(f->world, e, &Gaps_type, value), KITH_OK);
    uint32_t seen = look(query);
    CHECK_UINT(look(query), 0);
    CHECK_WORLD(f->world);
    return seen;
}

/* Each byte by itself. */
TEST_EACH_LAYOUT(padding_whose_size_is_given_changes_nothing, layout)
{
    fixture f = fixture_new();
    const kith_component_def def = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(f.world, &Gaps_type, &def), KITH_OK);
    Gaps value;
    memset(&value, 0, sizeof(value));
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_set(f.world, e, &Gaps_type, &value), KITH_OK);
    kith_query *query = query_changed(f.world, &Gaps_type);
    CHECK_UINT(look(query), 1);
    uint64_t hash = kith_world_hash(f.world);
    for (size_t byte = 0; byte < sizeof(Gaps); byte++) {
        bool counts = byte >= offsetof(Gaps, value) && byte <= offsetof(Gaps, small);
        CHECK_UINT(look_after(&f, query, e, &value, byte), counts);
        CHECK_INT(kith_world_hash(f.world) != hash, counts);
        hash = kith_world_hash(f.world);
    }
    fixture_free(&f);
}
