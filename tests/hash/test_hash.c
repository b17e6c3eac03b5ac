/* What kith_world_hash and kith_content_hash see, and what they do not.
 *
 * Each case takes two equal worlds down two ways, and says whether the hashes may tell them apart. */
#include <stdio.h>
#include <string.h>

#include "hashes.h"
#include "label.h"
#include "nothing.h"
#include "share.h"

#include <kith/kith.h>

static void nothing(scene *s)
{
    (void)s;
}

/* ---- Ways ---------------------------------------------------------------------------------- */

static void set_value(scene *s)
{
    ok(KITH_SET(s->world, s->b, Position, {3, 4.5f}));
}

static void set_negative_zero(scene *s)
{
    ok(KITH_SET(s->world, s->a, Velocity, {0, -0.0f}));
}

static void set_through_pointer(scene *s)
{
    KITH_GET_MUT(s->world, s->c, Velocity)->dx = 9;
}

static void set_through_query(scene *s)
{
    kith_query *query = KITH_QUERY(s->world, KITH_WRITE(Name));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        KITH_AT_MUT(&it, 0, Name)->text[0] = 'e';
    }
    kith_query_free(query);
}

static void swap_values(scene *s)
{
    ok(KITH_SET(s->world, s->a, Position, {3, 4}));
    ok(KITH_SET(s->world, s->b, Position, {1, 2}));
}

/* The same bytes in another component of the same shape. */
static void set_twin_types(scene *s)
{
    ok(KITH_SET(s->world, s->empty, Velocity, {1, 2}));
}

static void set_twin_types_back(scene *s)
{
    ok(KITH_SET(s->world, s->empty, Position, {1, 2}));
}

static void add_tag(scene *s)
{
    ok(KITH_ADD(s->world, s->a, Frozen));
}

static void remove_tag(scene *s)
{
    ok(KITH_REMOVE(s->world, s->d, Frozen));
}

static void add_zeros(scene *s)
{
    ok(KITH_ADD(s->world, s->empty, Health));
}

static void remove_value(scene *s)
{
    ok(KITH_REMOVE(s->world, s->c, Velocity));
}

static void spawn_empty(scene *s)
{
    CHECK(!kith_is_none(kith_spawn_empty(s->world)));
}

static void despawn_empty(scene *s)
{
    ok(kith_despawn(s->world, s->empty));
}

/* The same entity in its slot's second life. */
static void live_again(scene *s)
{
    ok(kith_despawn(s->world, s->empty));
    kith_entity again = kith_spawn_empty(s->world);
    CHECK_INT(again.index1, s->empty.index1);
    CHECK_INT(again.generation, s->empty.generation + 1);
}

/* A dead slot more: what comes next has another handle. */
static void spend_slot(scene *s)
{
    ok(kith_despawn(s->world, kith_spawn_empty(s->world)));
}

static void spend_slot_twice(scene *s)
{
    spend_slot(s);
    spend_slot(s);
}

static void despawn_two(scene *s)
{
    ok(kith_despawn(s->world, s->a));
    ok(kith_despawn(s->world, s->d));
}

static void despawn_two_the_other_way(scene *s)
{
    ok(kith_despawn(s->world, s->d));
    ok(kith_despawn(s->world, s->a));
}

/* Sends a on a way through another table and back: it is now the last row. In sparse sets that is
 * nothing, since no Position moved. */
static void reorder_rows(scene *s)
{
    ok(KITH_ADD(s->world, s->a, Burning));
    ok(KITH_REMOVE(s->world, s->a, Burning));
}

/* Takes a value away and gives it back: it is now the last of its sparse set, and its row the last. */
static void reorder_values(scene *s)
{
    ok(KITH_REMOVE(s->world, s->a, Position));
    ok(KITH_SET(s->world, s->a, Position, {1, 2}));
}

static void register_more(scene *s)
{
    static uint32_t number;
    static const kith_type more = {"More", 0, 1, 0, 0, NULL, &number, KITH_TABLE, false, false, 0};
    ok(kith_register(s->world, &more, &(kith_component_def){.layout = s->layout}));
}

static void register_events(scene *s)
{
    ok(kith_event_register(s->world, &Extra_type, &(kith_event_def){.keep = 3}));
}

static void set_resource(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Health, {1, 3}));
}

static void add_resource(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Position, {0, 0}));
}

static void remove_resource(scene *s)
{
    ok(kith_resource_remove(s->world, &Health_type));
}

static void add_resources(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Position, {1, 1}));
    ok(KITH_RESOURCE_SET(s->world, Extra, {1, 1, 1}));
}

static void add_resources_the_other_way(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Extra, {1, 1, 1}));
    ok(KITH_RESOURCE_SET(s->world, Position, {1, 1}));
}

static void send_event(scene *s)
{
    ok(KITH_SEND(s->world, Byte, {1}));
}

static void send_other_event(scene *s)
{
    ok(KITH_SEND(s->world, Byte, {2}));
}

static void send_tag(scene *s)
{
    ok(kith_event_send(s->world, &Burning_type, NULL));
}

static void send_tag_twice(scene *s)
{
    send_tag(s);
    send_tag(s);
}

static void clear_events(scene *s)
{
    kith_event_clear(s->world, &Byte_type);
}

/* The same event, but a reader that starts now has missed another number of them. */
static void clear_and_send(scene *s)
{
    kith_event_clear(s->world, &Byte_type);
    ok(KITH_SEND(s->world, Byte, {1}));
}

static void keep_events(scene *s)
{
    ok(kith_event_register(s->world, &Extra_type, &(kith_event_def){.keep = 1}));
    ok(KITH_SEND(s->world, Extra, {1, 2, 3}));
}

static void keep_events_longer(scene *s)
{
    ok(kith_event_register(s->world, &Extra_type, &(kith_event_def){.keep = 2}));
    ok(KITH_SEND(s->world, Extra, {1, 2, 3}));
}

static void tick(scene *s)
{
    ok(kith_run(s->world, 1));
}

/* The same events at the same tick, but they end at different ones. */
static void send_and_tick(scene *s)
{
    ok(KITH_SEND(s->world, Extra, {1, 2, 3}));
    tick(s);
}

static void tick_and_send(scene *s)
{
    tick(s);
    ok(KITH_SEND(s->world, Extra, {1, 2, 3}));
}

static void tick_twice(scene *s)
{
    tick(s);
    tick(s);
}

static void add_system(scene *s, const char *name, int32_t priority)
{
    ok(kith_system_add(
        s->world,
        &(kith_system_def){.name = name, .priority = priority, .update = update_nothing}));
}

static void add_systems(scene *s)
{
    add_system(s, "one", 0);
    add_system(s, "two", 0);
}

static void add_systems_the_other_way(scene *s)
{
    add_system(s, "two", 0);
    add_system(s, "one", 0);
}

static void add_systems_in_order(scene *s)
{
    add_system(s, "two", 1);
    add_system(s, "one", 0);
}

static void add_systems_in_that_order(scene *s)
{
    add_system(s, "one", 0);
    add_system(s, "two", 1);
}

static void switch_system(scene *s)
{
    add_systems(s);
    ok(kith_system_enable(s->world, "two", false));
}

static void add_and_remove_system(scene *s)
{
    add_system(s, "one", 0);
    ok(kith_system_remove(s->world, "one"));
}

/* From here on: what does not count. */

static void touch(scene *s)
{
    CHECK_PTR_NOT_NULL(KITH_GET_MUT(s->world, s->a, Position));
    CHECK_PTR_NOT_NULL(KITH_RESOURCE_MUT(s->world, Health));
}

static void touch_through_query(scene *s)
{
    kith_query *query = KITH_QUERY(s->world, KITH_WRITE(Position), KITH_OPTIONAL_MUT(Velocity));
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
    }
    ok(it.result);
    kith_query_free(query);
}

static void set_the_same(scene *s)
{
    ok(KITH_SET(s->world, s->b, Position, {3, 4}));
    ok(KITH_ADD(s->world, s->b, Velocity));
    ok(KITH_RESOURCE_SET(s->world, Health, {1, 2}));
}

/* Tables that nobody is in: `empty` was alone in them, and went back to where it was alone. */
static void leave_empty_tables(scene *s)
{
    ok(KITH_ADD(s->world, s->empty, Big));
    ok(KITH_ADD(s->world, s->empty, Aligned));
    ok(kith_remove_all(s->world, s->empty));
}

static void leave_and_reclaim(scene *s)
{
    leave_empty_tables(s);
    kith_world_trim(s->world);
}

static void reclaim(scene *s)
{
    kith_world_trim(s->world);
}

static void make_query(scene *s)
{
    CHECK_PTR_NOT_NULL(KITH_QUERY(s->world, KITH_READ(Position), KITH_WITHOUT(Frozen)));
}

static void fail_to_spawn(scene *s)
{
    kith_values values[] = {{&Position_type, NULL, true}, {&Big_type, NULL, true}};
    fail_allocation(&s->f, 6);
    CHECK_RESULT(kith_spawn_many(s->world, 3000, values, 2, NULL), KITH_ERR_MEMORY);
    CHECK(fail_nothing(&s->f));
}

static void fail_to_set(scene *s)
{
    CHECK_RESULT(KITH_SET(s->world, KITH_NONE, Position, {1, 2}), KITH_ERR_DEAD);
    CHECK_RESULT(kith_system_enable(s->world, "nobody", true), KITH_ERR_UNKNOWN);
}

static void yield_and_claim(scene *s)
{
    kith_world_release(s->world);
    kith_world_claim(s->world);
}

/* Bytes of Padded that mean nothing. */
static void set_padding(scene *s)
{
    unsigned char bytes[sizeof(Padded)];
    memset(bytes, 0xAB, sizeof(bytes));
    memset(bytes + offsetof(Padded, small), 0, 1);
    memset(bytes + offsetof(Padded, large), 0, 4);
    memset(bytes + offsetof(Padded, last), 0, 1);
    ok(kith_set_bytes(s->world, s->d, &Padded_type, bytes, sizeof(bytes)));
}

/* Tables that were made in another order are visited in the same one. */
static void make_two_tables(scene *s)
{
    kith_entity e = KITH_SPAWN(s->world, KITH_VALUE(Byte));
    kith_entity f = KITH_SPAWN(s->world, KITH_VALUE(Target));
    CHECK(!kith_is_none(e) && !kith_is_none(f));
}

static void make_two_tables_the_other_way(scene *s)
{
    kith_entity e = kith_spawn_empty(s->world);
    kith_entity f = KITH_SPAWN(s->world, KITH_VALUE(Target));
    CHECK(!kith_is_none(f));
    ok(KITH_ADD(s->world, e, Byte));
}

static void share_and_free(scene *s)
{
    test_share *shared = test_share_world(s->world);
    CHECK_PTR_NOT_NULL(shared);
    test_share_free(shared);
}

/* Every block is copied: each is written, with what it holds. */
static void share_and_write(scene *s)
{
    test_share *shared = test_share_world(s->world);
    CHECK_PTR_NOT_NULL(shared);
    touch(s);
    touch_through_query(s);
    set_the_same(s);
    test_share_free(shared);
}

/* ---- Cases --------------------------------------------------------------------------------- */

#define TABLE_BIT 1u
#define SPARSE_BIT 2u
#define SLOT_BIT 4u
#define ALWAYS 7u
#define NEVER 0u

typedef struct hash_case {
    const char *what;
    void (*one)(scene *s);
    void (*other)(scene *s);
    uint32_t world;   /* layouts on which kith_world_hash tells the two apart */
    uint32_t content; /* ... and kith_content_hash */
} hash_case;

static const hash_case cases[] = {
    {"a value", nothing, set_value, ALWAYS, ALWAYS},
    {"the sign of a zero", nothing, set_negative_zero, ALWAYS, ALWAYS},
    {"a value through a pointer", nothing, set_through_pointer, ALWAYS, ALWAYS},
    {"a value through a query", nothing, set_through_query, ALWAYS, ALWAYS},
    {"two values exchanged", nothing, swap_values, ALWAYS, ALWAYS},
    {"which type a value is of", set_twin_types, set_twin_types_back, ALWAYS, ALWAYS},
    {"a tag more", nothing, add_tag, ALWAYS, ALWAYS},
    {"a tag less", nothing, remove_tag, ALWAYS, ALWAYS},
    {"a value of zeros", nothing, add_zeros, ALWAYS, ALWAYS},
    {"a value less", nothing, remove_value, ALWAYS, ALWAYS},
    {"an entity more", nothing, spawn_empty, ALWAYS, ALWAYS},
    {"an entity less", nothing, despawn_empty, ALWAYS, ALWAYS},
    {"a generation", nothing, live_again, ALWAYS, ALWAYS},
    {"a dead slot", nothing, spend_slot, ALWAYS, NEVER},
    {"a dead slot's generation", spend_slot, spend_slot_twice, ALWAYS, NEVER},
    {"the order of dead slots", despawn_two, despawn_two_the_other_way, ALWAYS, NEVER},
    {"the order of rows", nothing, reorder_rows, TABLE_BIT, NEVER},
    {"the order of values", nothing, reorder_values, TABLE_BIT | SPARSE_BIT, NEVER},
    {"a type more that nothing has", nothing, register_more, NEVER, NEVER},
    {"events of a type that were never sent", nothing, register_events, NEVER, NEVER},
    {"a resource's value", nothing, set_resource, ALWAYS, ALWAYS},
    {"a resource more", nothing, add_resource, ALWAYS, ALWAYS},
    {"a resource less", nothing, remove_resource, ALWAYS, ALWAYS},
    {"an event more", nothing, send_event, ALWAYS, NEVER},
    {"an event's value", send_event, send_other_event, ALWAYS, NEVER},
    {"an event that is a tag", send_tag, send_tag_twice, ALWAYS, NEVER},
    {"no more events", nothing, clear_events, ALWAYS, NEVER},
    {"events that were dropped", nothing, clear_and_send, ALWAYS, NEVER},
    {"how long events are kept", keep_events, keep_events_longer, ALWAYS, NEVER},
    {"a tick", nothing, tick, ALWAYS, NEVER},
    {"a second tick", tick, tick_twice, ALWAYS, NEVER},
    {"when an event was sent", send_and_tick, tick_and_send, ALWAYS, NEVER},
    {"a system", nothing, add_systems, ALWAYS, NEVER},
    {"the order of systems", add_systems, add_systems_the_other_way, ALWAYS, NEVER},
    {"the priority of a system", add_systems, add_systems_in_order, ALWAYS, NEVER},
    {"a system's switch", add_systems, switch_system, ALWAYS, NEVER},

    {"nothing", nothing, nothing, NEVER, NEVER},
    {"the order in which systems came", add_systems_in_order, add_systems_in_that_order, NEVER,
     NEVER},
    {"a system that is gone", nothing, add_and_remove_system, NEVER, NEVER},
    {"a write that writes nothing", nothing, touch, NEVER, NEVER},
    {"a query that writes nothing", nothing, touch_through_query, NEVER, NEVER},
    {"the same values again", nothing, set_the_same, NEVER, NEVER},
    {"empty tables", nothing, leave_empty_tables, NEVER, NEVER},
    {"empty tables that were reclaimed", nothing, leave_and_reclaim, NEVER, NEVER},
    {"kith_world_trim", nothing, reclaim, NEVER, NEVER},
    {"a query", nothing, make_query, NEVER, NEVER},
    {"room that a failed call has left", nothing, fail_to_spawn, NEVER, NEVER},
    {"errors", nothing, fail_to_set, NEVER, NEVER},
    {"a change of owner", nothing, yield_and_claim, NEVER, NEVER},
    {"padding", nothing, set_padding, NEVER, NEVER},
    {"the order in which tables came", make_two_tables, make_two_tables_the_other_way, NEVER,
     NEVER},
    {"the order in which resources came", add_resources, add_resources_the_other_way, NEVER, NEVER},
    {"blocks that were shared", nothing, share_and_free, NEVER, NEVER},
    {"blocks that were shared and written", nothing, share_and_write, NEVER, NEVER},
};

static void try_case(const hash_case *tried, kith_layout layout)
{
    static char note[128];
    snprintf(note, sizeof(note), "%s, %s", tried->what, layout_name(layout));
    test_note(note);
    scene one = scene_new(layout);
    scene other = scene_new(layout);
    CHECK(kith_world_hash(one.world) == kith_world_hash(other.world));
    CHECK(kith_content_hash(one.world) == kith_content_hash(other.world));
    tried->one(&one);
    tried->other(&other);
    uint32_t bit = 1u << (uint32_t)layout;
    CHECK_INT(kith_world_hash(one.world) != kith_world_hash(other.world),
              (tried->world & bit) != 0);
    CHECK_INT(kith_content_hash(one.world) != kith_content_hash(other.world),
              (tried->content & bit) != 0);
    fixture_free(&one.f);
    fixture_free(&other.f);
}

TEST_EACH_LAYOUT(hashes_see_what_counts_and_nothing_else, layout)
{
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        try_case(&cases[i], layout);
    }
}

/* Also where an array has several: two worlds differ in one text of it. */
TEST_EACH_LAYOUT(every_text_of_an_array_counts, layout)
{
    hashes seen[3];
    for (int differs = 0; differs < 3; differs++) { /* in none; in the first; in the second */
        fixture f = fixture_new();
        const kith_component_def def = {.layout = layout};
        kith_text words[2];
        ok(kith_register(f.world, &Label_type, &def));
        ok(kith_text_intern(f.world, "sword", &words[0]));
        ok(kith_text_intern(f.world, "shield", &words[1]));
        const Label label = {words[0], {words[differs == 1], words[differs == 2]}};
        KITH_SPAWN(f.world, KITH_VALUE(Label, label));
        seen[differs] = hashes_of(f.world);
        fixture_free(&f);
    }
    for (int differs = 1; differs < 3; differs++) {
        CHECK(seen[differs].world != seen[0].world);
        CHECK(seen[differs].content != seen[0].content);
    }
}

/* The hashes of blocks are summed: two blocks that change places, with the same values, count. */
TEST_EACH_LAYOUT(the_place_of_a_block_counts, layout)
{
    enum { BLOCK = 1024 };
    hashes seen[2];
    for (int late = 0; late < 2; late++) {
        fixture f = fixture_with_all(layout);
        for (int i = 0; i < 2 * BLOCK; i++) {
            float x = i / BLOCK == late ? 1 : 2;
            KITH_SPAWN(f.world, KITH_VALUE(Position, {x, 0}));
        }
        seen[late] = hashes_of(f.world);
        fixture_free(&f);
    }
    CHECK(seen[0].world != seen[1].world);
    CHECK(seen[0].content != seen[1].content);
}

/* Pages count in which no entity has the component any more do not count. */
TEST_EACH_LAYOUT(a_page_that_is_empty_does_not_count, layout)
{
    enum { COUNT = 20000 };
    fixture f = fixture_with_all(layout);
    kith_entity last = KITH_NONE;
    for (int i = 0; i < COUNT; i++) {
        last = kith_spawn_empty(f.world);
    }
    hashes before = hashes_of(f.world);
    ok(KITH_SET(f.world, last, Position, {1, 2}));
    ok(KITH_ADD(f.world, last, Frozen));
    hashes with = hashes_of(f.world);
    CHECK(with.world != before.world);
    CHECK(with.content != before.content);
    ok(KITH_REMOVE(f.world, last, Position));
    ok(KITH_REMOVE(f.world, last, Frozen));
    hashes after = hashes_of(f.world);
    CHECK_UINT(after.content, before.content);
    CHECK_UINT(after.world, before.world);
    kith_world_trim(f.world);
    CHECK_UINT(kith_world_hash(f.world), before.world);
    fixture_free(&f);
}
