/* What kith_snapshot_diff tells, in which order, and as which text. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "test.h"

static kith_snapshot *take(const fixture *f)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(f->world, &snapshot), KITH_OK);
    CHECK_WORLD(f->world);
    return snapshot;
}

typedef struct lines {
    const kith_world *world;
    char text[4096];
    size_t length;
    uint32_t most; /* after which to stop; 0: never */
    uint32_t count;
} lines;

static bool add_line(void *context, const kith_difference *difference)
{
    lines *to = context;
    to->length += kith_print_difference(to->world, difference, to->text + to->length,
                                        sizeof to->text - to->length);
    CHECK(to->length + 2 < sizeof to->text);
    to->text[to->length++] = '\n';
    to->text[to->length] = '\0';
    to->count++;
    return to->count != to->most;
}

/* Checks what differs, as text. */
static void check_diff(const fixture *f, const kith_snapshot *before, const kith_snapshot *after,
                       const char *expected)
{
    lines to = {.world = f->world};
    CHECK_RESULT(kith_snapshot_diff(before, after, add_line, &to), KITH_OK);
    CHECK_STR(to.text, expected);
}

/* Checks what differs between a snapshot and what the world is now. */
static void check_now(const fixture *f, const kith_snapshot *before, const char *expected)
{
    kith_snapshot *now = take(f);
    check_diff(f, before, now, expected);
    check_diff(f, now, now, "");
    kith_snapshot_free(now);
}

TEST_EACH_LAYOUT(entities_and_components_are_told_by_slot, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    kith_entity second = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}));
    kith_entity third = KITH_SPAWN(f.world, KITH_VALUE(Position, {5, 6}));
    kith_snapshot *before = take(&f);
    check_now(&f, before, "");

    CHECK_RESULT(KITH_DESPAWN(f.world, first), KITH_OK);
    kith_entity again = KITH_SPAWN(f.world, KITH_VALUE(Target, {third}), KITH_VALUE(Byte, {7}));
    CHECK_UINT(again.index1, first.index1);
    CHECK_RESULT(KITH_SET(f.world, second, Position, {3, 9}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, second, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, third, Position), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, third, Burning), KITH_OK);
    check_now(&f, before,
              "Entity(0v0) despawned\n"
              "Entity(0v0): - Frozen\n"
              "Entity(0v0): - Position { x = 1, y = 2 }\n"
              "Entity(0v1) spawned\n"
              "Entity(0v1): + Byte { value = 7 }\n"
              "Entity(0v1): + Target { entity = Entity(2v0) }\n"
              "Entity(1v0): + Health { current = 1, max = 2 }\n"
              "Entity(1v0): Position.y 4 -> 9\n"
              "Entity(2v0): + Burning\n"
              "Entity(2v0): - Position { x = 5, y = 6 }\n");

    /* The other way around. */
    kith_snapshot *now = take(&f);
    check_diff(&f, now, before,
               "Entity(0v1) despawned\n"
               "Entity(0v1): - Byte { value = 7 }\n"
               "Entity(0v1): - Target { entity = Entity(2v0) }\n"
               "Entity(0v0) spawned\n"
               "Entity(0v0): + Frozen\n"
               "Entity(0v0): + Position { x = 1, y = 2 }\n"
               "Entity(1v0): - Health { current = 1, max = 2 }\n"
               "Entity(1v0): Position.y 9 -> 4\n"
               "Entity(2v0): - Burning\n"
               "Entity(2v0): + Position { x = 5, y = 6 }\n");
    fixture_free(&f);
}

/* Rows move when others go, when their entity gets another component, and when they are sorted. */
TEST_EACH_LAYOUT(where_an_entity_has_its_row_does_not_count, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity entities[3000];
    for (uint32_t i = 0; i < 3000; i++) {
        entities[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)(3000 - i), 1}));
    }
    kith_snapshot *before = take(&f);
    if (layout != KITH_SLOT) {
        CHECK_RESULT(KITH_SORT(f.world, Position, x), KITH_OK);
    }
    check_now(&f, before, "");
    CHECK_RESULT(KITH_DESPAWN(f.world, entities[10]), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, entities[20], Frozen), KITH_OK);
    Position *position = KITH_GET_MUT(f.world, entities[2999], Position);
    position->x = -0.0f;
    check_now(&f, before,
              "Entity(10v0) despawned\n"
              "Entity(10v0): - Position { x = 2990, y = 1 }\n"
              "Entity(20v0): + Frozen\n"
              "Entity(2999v0): Position.x 1 -> -0\n");
    fixture_free(&f);
}

/* Bits count, not what floats say; padding does not. */
TEST_EACH_LAYOUT(fields_are_compared_bit_by_bit, layout)
{
    fixture f = fixture_with_all(layout);
    Padded padded;
    memset(&padded, 0, sizeof padded);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {0, 0}));
    CHECK_RESULT(kith_set(f.world, e, &Padded_type, &padded), KITH_OK);
    kith_snapshot *before = take(&f);
    KITH_GET_MUT(f.world, e, Position)->y = -0.0f;
    memset(&padded, 0x55, sizeof padded);
    padded.small = 0;
    padded.large = 8;
    padded.last = 0;
    memcpy(KITH_GET_MUT(f.world, e, Padded), &padded, sizeof padded);
    check_now(&f, before,
              "Entity(0v0): Padded.large 0 -> 8\n"
              "Entity(0v0): Position.y 0 -> -0\n");
    kith_snapshot *middle = take(&f);
    padded.large = 8;
    memset(&padded, 0x77, sizeof padded);
    padded.small = 0;
    padded.large = 8;
    padded.last = 0;
    memcpy(KITH_GET_MUT(f.world, e, Padded), &padded, sizeof padded);
    check_now(&f, middle, "");
    fixture_free(&f);
}

/* Values with a hook `hash` are told as a whole; copies of them have other pointers. */
TEST_EACH_LAYOUT(values_with_hooks_are_compared_by_their_hash, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Owned));
    kith_entity second = KITH_SPAWN(f.world, KITH_VALUE(Owned));
    kith_snapshot *before = take(&f);
    *KITH_GET_MUT(f.world, second, Owned)->number = 5;
    CHECK(KITH_GET_MUT(f.world, first, Owned) != NULL);
    check_now(&f, before, "Entity(1v0): Owned changed\n");
    CHECK_RESULT(KITH_REMOVE(f.world, first, Owned), KITH_OK);
    check_now(&f, before,
              "Entity(0v0): - Owned { tag = 77, unused = 0 }\n"
              "Entity(1v0): Owned changed\n");
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* Without that hook their fields are told, except those that only the hooks understand. */
TEST_EACH_LAYOUT(values_with_hooks_and_no_hash_are_compared_by_their_fields, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    hooks.hash = NULL;
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Owned));
    kith_entity second = KITH_SPAWN(f.world, KITH_VALUE(Owned));
    kith_snapshot *before = take(&f);
    *KITH_GET_MUT(f.world, first, Owned)->number = 5;
    check_now(&f, before, "");
    KITH_GET_MUT(f.world, second, Owned)->tag = 6;
    check_now(&f, before, "Entity(1v0): Owned.tag 77 -> 6\n");
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* Columns of many blocks, of which all others are shared. */
TEST_EACH_LAYOUT(any_block_of_a_long_column_is_looked_at, layout)
{
    enum { COUNT = 40000 };
    fixture f = fixture_with_all(layout);
    kith_entity *entities = malloc(COUNT * sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    const kith_values values[] = {{&Position_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(f.world, COUNT, values, 1, entities), KITH_OK);
    kith_snapshot *before = take(&f);
    for (uint32_t i = 500; i < COUNT; i += 1024) {
        KITH_GET_MUT(f.world, entities[i], Position)->x = 1;
        char expected[64];
        snprintf(expected, sizeof expected, "Entity(%uv0): Position.x 0 -> 1\n", i);
        check_now(&f, before, expected);
        kith_snapshot_free(before);
        before = take(&f);
    }
    free(entities);
    fixture_free(&f);
}

/* The same number of events of the same age: others, and the same ones sent again. */
TEST(events_differ_by_their_values_and_by_how_many_came_before)
{
    fixture f = fixture_new();
    kith_snapshot *none = take(&f);
    CHECK_RESULT(kith_event_send(f.world, &Byte_type, &(Byte){1}), KITH_OK);
    kith_snapshot *one = take(&f);
    CHECK_RESULT(kith_snapshot_restore(f.world, none), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Byte_type, &(Byte){1}), KITH_OK);
    check_now(&f, one, "");
    CHECK_RESULT(kith_snapshot_restore(f.world, none), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Byte_type, &(Byte){2}), KITH_OK);
    check_now(&f, one, "events Byte\n");
    CHECK_RESULT(kith_snapshot_restore(f.world, one), KITH_OK);
    kith_event_clear(f.world, &Byte_type);
    CHECK_RESULT(kith_event_send(f.world, &Byte_type, &(Byte){1}), KITH_OK);
    check_now(&f, one, "events Byte\n");
    fixture_free(&f);
}

TEST(resources_events_and_numbers_are_told_after_entities)
{
    fixture f = fixture_new();
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 2}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Velocity, {1, 2}), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Target_type, &(Target){KITH_NONE}), KITH_OK);
    kith_snapshot *before = take(&f);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 3}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {1, 2, 3}), KITH_OK);
    CHECK_RESULT(kith_resource_remove(f.world, &Velocity_type), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, &Byte_type, &(Byte){1}), KITH_OK);
    check_now(&f, before,
              "+ resource Extra { a = 1, b = 2, c = 3 }\n"
              "resource Health.max 2 -> 3\n"
              "- resource Velocity { dx = 1, dy = 2 }\n"
              "events Byte\n");
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    check_now(&f, before,
              "+ resource Extra { a = 1, b = 2, c = 3 }\n"
              "resource Health.max 2 -> 3\n"
              "- resource Velocity { dx = 1, dy = 2 }\n"
              "events Byte\n"
              "events Target\n"
              "ticks 0 -> 1\n");
    fixture_free(&f);
}

TEST(the_state_of_random_numbers_is_told)
{
    fixture f = fixture_new();
    kith_snapshot *before = take(&f);
    kith_random_next(kith_world_random(f.world));
    lines to = {.world = f.world};
    kith_snapshot *now = take(&f);
    CHECK_RESULT(kith_snapshot_diff(before, now, add_line, &to), KITH_OK);
    CHECK_UINT(to.count, 1);
    CHECK(strncmp(to.text, "random ", 7) == 0);
    CHECK_CONTAINS(to.text, " -> ");
    fixture_free(&f);
}

/* A type, a table and a queue that came between the two. */
TEST_EACH_LAYOUT(what_came_since_is_told, layout)
{
    fixture f = fixture_new();
    kith_entity e = kith_spawn_empty(f.world);
    kith_snapshot *before = take(&f);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    kith_snapshot *now = take(&f);
    check_diff(&f, before, now, "Entity(0v0): + Position { x = 1, y = 2 }\n");
    check_diff(&f, now, before, "Entity(0v0): - Position { x = 1, y = 2 }\n");
    fixture_free(&f);
}

TEST(transient_components_are_not_compared)
{
    fixture f = fixture_new();
    const kith_component_def def = {.layout = KITH_SPARSE, .transient = true};
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    kith_entity e = kith_spawn_empty(f.world);
    kith_snapshot *before = take(&f);
    CHECK_RESULT(KITH_SET(f.world, e, Position, {1, 2}), KITH_OK);
    check_now(&f, before, "");
    fixture_free(&f);
}

TEST(a_visit_stops_when_it_is_told_to)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_snapshot *before = take(&f);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {1, 2}));
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 3}), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    kith_snapshot *now = take(&f);
    lines all = {.world = f.world};
    CHECK_RESULT(kith_snapshot_diff(before, now, add_line, &all), KITH_OK);
    CHECK_UINT(all.count, 7);
    for (uint32_t most = 1; most <= all.count; most++) {
        lines to = {.world = f.world, .most = most};
        CHECK_RESULT(kith_snapshot_diff(before, now, add_line, &to), KITH_OK);
        CHECK_UINT(to.count, most);
        CHECK(strncmp(all.text, to.text, to.length) == 0);
    }
    fixture_free(&f);
}

static const char *name_of(void *context, kith_entity entity)
{
    (void)context;
    return entity.index1 == 1 ? "ship" : NULL;
}

/* A text without room is cut, and its length is told. */
/* What a visit does to the world: each time something else. */
static bool change_world(void *context, const kith_difference *difference)
{
    lines *to = context;
    kith_world *world = (kith_world *)(uintptr_t)to->world;
    kith_entity made = KITH_SPAWN(world, KITH_VALUE(Position, {9, 9}), KITH_VALUE(Burning));
    CHECK(!kith_is_none(made));
    CHECK_RESULT(KITH_SET(world, made, Health, {3, 4}), KITH_OK);
    if (difference->kind == KITH_DIFF_CHANGED) {
        CHECK_RESULT(kith_despawn(world, difference->entity), KITH_OK);
        char name[16];
        snprintf(name, sizeof name, "Late%u", to->count);
        const kith_type *type;
        CHECK_RESULT(kith_define(world, &(kith_type_def){.name = name}, &type), KITH_OK);
        CHECK_RESULT(kith_add(world, made, type), KITH_OK);
    }
    CHECK_RESULT(KITH_RESOURCE_SET(world, Target, {made}), KITH_OK);
    CHECK_RESULT(KITH_SEND(world, Health, {1, 1}), KITH_OK);
    kith_world_trim(world);
    CHECK_WORLD(world);
    return add_line(context, difference);
}

/* What is visited is of the snapshots, so it is the same whatever becomes of the world meanwhile. */
TEST_EACH_LAYOUT(the_world_may_change_while_differences_are_visited, layout)
{
    fixture f = fixture_with_all(layout);
    static kith_entity entities[3000];
    const kith_values values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Target)};
    CHECK_RESULT(kith_spawn_many(f.world, 3000, values, 2, entities), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 2}), KITH_OK);
    kith_snapshot *before = take(&f);
    for (uint32_t i = 0; i < 3000; i += 100) {
        CHECK_RESULT(KITH_SET(f.world, entities[i], Position, {1, (float)i + 3}), KITH_OK);
    }
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Health, {1, 3}), KITH_OK);
    kith_snapshot *after = take(&f);
    lines quiet = {.world = f.world};
    CHECK_RESULT(kith_snapshot_diff(before, after, add_line, &quiet), KITH_OK);
    CHECK_UINT(quiet.count, 31);
    lines busy = {.world = f.world};
    CHECK_RESULT(kith_snapshot_diff(before, after, change_world, &busy), KITH_OK);
    CHECK_STR(busy.text, quiet.text);
    CHECK_RESULT(kith_snapshot_restore(f.world, after), KITH_OK);
    check_now(&f, after, "");
    fixture_free(&f);
}

static bool free_world(void *context, const kith_difference *difference)
{
    fixture *f = context;
    (void)difference;
    kith_world_free(f->world);
    expect_misuse(f, "kith_world_free: kith_snapshot_diff is under way");
    return true;
}

TEST(a_world_is_not_freed_while_differences_are_visited)
{
    fixture f = fixture_new();
    kith_snapshot *before = take(&f);
    CHECK(!kith_is_none(kith_spawn_empty(f.world)));
    kith_snapshot *after = take(&f);
    CHECK_RESULT(kith_snapshot_diff(before, after, free_world, &f), KITH_OK);
    check_diff(&f, before, after, "Entity(0v0) spawned\n");
    fixture_free(&f);
}

TEST(a_difference_is_printed_like_snprintf)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_namer namer = {.name = name_of};
    kith_namer_add(f.world, &namer);
    const Position before = {1, 2};
    const Position after = {3, 2};
    const kith_difference difference = {.kind = KITH_DIFF_CHANGED,
                                        .entity = {1, 0},
                                        .type = &Position_type,
                                        .field = kith_field_find(&Position_type, "x"),
                                        .before = &before,
                                        .after = &after};
    static const char expected[] = "\"ship\" (Entity(0v0)): Position.x 1 -> 3";
    for (size_t size = 0; size < sizeof expected + 2; size++) {
        char text[sizeof expected + 2];
        memset(text, '?', sizeof text);
        CHECK_UINT(kith_print_difference(f.world, &difference, text, size), strlen(expected));
        char cut[sizeof expected + 2];
        memset(cut, '?', sizeof cut);
        if (size != 0) {
            snprintf(cut, size, "%s", expected);
        }
        CHECK(memcmp(text, cut, sizeof cut) == 0);
    }
    CHECK_UINT(kith_print_difference(f.world, &difference, NULL, 0), strlen(expected));
    fixture_free(&f);
}
