/* What kith_world_hash and kith_content_hash see, and what they do not.
 *
 * Each case takes two equal worlds down two ways, and says whether the hashes may tell them apart. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "share.h"
#include "test.h"

#include <kith/system.h>

/* ---- The worlds ---------------------------------------------------------------------------- */

/* a, b and c have Position and Velocity; d Position, Frozen, Name and Padded; `empty` nothing. */
typedef struct scene {
    fixture f;
    kith_world *world;
    kith_layout layout;
    kith_entity a, b, c, d, empty;
} scene;

static scene scene_new(kith_layout layout)
{
    scene s = { .f = fixture_new(), .layout = layout };
    s.world = s.f.world;
    register_all(s.world, layout);
    s.a = KITH_SPAWN(s.world, KITH_VALUE(Position, { 1, 2 }), KITH_VALUE(Velocity, { 0, 0 }));
    s.b = KITH_SPAWN(s.world, KITH_VALUE(Position, { 3, 4 }), KITH_VALUE(Velocity, { 7, 8 }));
    s.c = KITH_SPAWN(s.world, KITH_VALUE(Position, { 5, 6 }), KITH_VALUE(Velocity, { 7, 8 }));
    s.d = KITH_SPAWN(s.world, KITH_VALUE(Position, { 1, 2 }), KITH_ZERO(Frozen),
                     KITH_VALUE(Name, { "d" }), KITH_ZERO(Padded));
    s.empty = kith_spawn_empty(s.world);
    CHECK_RESULT(KITH_RESOURCE_SET(s.world, Health, { 1, 2 }), KITH_OK);
    CHECK_RESULT(KITH_SEND(s.world, Byte, { 1 }), KITH_OK);
    return s;
}

static void ok(kith_result result)
{
    CHECK_RESULT(result, KITH_OK);
}

static void nothing(scene *s)
{
    (void)s;
}

/* ---- Ways ---------------------------------------------------------------------------------- */

static void set_value(scene *s)
{
    ok(KITH_SET(s->world, s->b, Position, { 3, 4.5f }));
}

static void set_negative_zero(scene *s)
{
    ok(KITH_SET(s->world, s->a, Velocity, { 0, -0.0f }));
}

static void set_through_pointer(scene *s)
{
    KITH_GET_MUT(s->world, s->c, Velocity)->dx = 9;
}

static void set_through_query(scene *s)
{
    kith_query *query = KITH_QUERY(s->world, KITH_WRITE(Name));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        KITH_AT_MUT(&it, 0, 0, Name)->text[0] = 'e';
    }
    kith_query_free(query);
}

static void swap_values(scene *s)
{
    ok(KITH_SET(s->world, s->a, Position, { 3, 4 }));
    ok(KITH_SET(s->world, s->b, Position, { 1, 2 }));
}

/* The same bytes in another component of the same shape. */
static void set_twin_types(scene *s)
{
    ok(KITH_SET(s->world, s->empty, Velocity, { 1, 2 }));
}

static void set_twin_types_back(scene *s)
{
    ok(KITH_SET(s->world, s->empty, Position, { 1, 2 }));
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
    ok(KITH_SET(s->world, s->a, Position, { 1, 2 }));
}

static void register_more(scene *s)
{
    static uint32_t number;
    static const kith_type more = { "More", 0, 1, 0, 0, NULL, &number };
    ok(kith_register(s->world, &more, &(kith_component_def){ .layout = s->layout }));
}

static void set_resource(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Health, { 1, 3 }));
}

static void add_resource(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Position, { 0, 0 }));
}

static void remove_resource(scene *s)
{
    ok(kith_resource_remove(s->world, &Health_type));
}

static void add_resources(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Position, { 1, 1 }));
    ok(KITH_RESOURCE_SET(s->world, Extra, { 1, 1, 1 }));
}

static void add_resources_the_other_way(scene *s)
{
    ok(KITH_RESOURCE_SET(s->world, Extra, { 1, 1, 1 }));
    ok(KITH_RESOURCE_SET(s->world, Position, { 1, 1 }));
}

static void send_event(scene *s)
{
    ok(KITH_SEND(s->world, Byte, { 1 }));
}

static void send_other_event(scene *s)
{
    ok(KITH_SEND(s->world, Byte, { 2 }));
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
    ok(KITH_SEND(s->world, Byte, { 1 }));
}

static void keep_events(scene *s)
{
    ok(kith_event_register(s->world, &Extra_type, &(kith_event_def){ .keep = 1 }));
}

static void keep_events_longer(scene *s)
{
    ok(kith_event_register(s->world, &Extra_type, &(kith_event_def){ .keep = 2 }));
}

static void tick(scene *s)
{
    ok(kith_run(s->world, 1));
}

/* The same events at the same tick, but they end at different ones. */
static void send_and_tick(scene *s)
{
    ok(KITH_SEND(s->world, Extra, { 1, 2, 3 }));
    tick(s);
}

static void tick_and_send(scene *s)
{
    tick(s);
    ok(KITH_SEND(s->world, Extra, { 1, 2, 3 }));
}

static void tick_twice(scene *s)
{
    tick(s);
    tick(s);
}

static kith_result do_nothing(kith_world *world, float dt, void *user)
{
    (void)world;
    (void)dt;
    (void)user;
    return KITH_OK;
}

static void add_system(scene *s, const char *name, int32_t priority)
{
    ok(kith_system_add(s->world, &(kith_system_def){ .name = name,
                                                     .priority = priority,
                                                     .update = do_nothing }));
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
    kith_query *query = KITH_QUERY(s->world, KITH_WRITE(Position), KITH_MAY_WRITE(Velocity));
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
    }
    ok(it.result);
    kith_query_free(query);
}

static void set_the_same(scene *s)
{
    ok(KITH_SET(s->world, s->b, Position, { 3, 4 }));
    ok(KITH_ADD(s->world, s->b, Velocity));
    ok(KITH_RESOURCE_SET(s->world, Health, { 1, 2 }));
}

/* Tables that nobody is in: `empty` was alone in them, and went back to where it was alone. */
static void leave_empty_tables(scene *s)
{
    ok(KITH_ADD(s->world, s->empty, Big));
    ok(KITH_ADD(s->world, s->empty, Aligned));
    ok(kith_clear(s->world, s->empty));
}

static void leave_and_reclaim(scene *s)
{
    leave_empty_tables(s);
    kith_reclaim(s->world);
}

static void reclaim(scene *s)
{
    kith_reclaim(s->world);
}

static void make_query(scene *s)
{
    CHECK_PTR_NOT_NULL(KITH_QUERY(s->world, KITH_READ(Position), KITH_WITHOUT(Frozen)));
}

static void fail_to_spawn(scene *s)
{
    kith_values values[] = { { &Position_type, NULL, false }, { &Big_type, NULL, false } };
    fail_allocation(&s->f, 6);
    CHECK_RESULT(kith_spawn_many(s->world, 3000, values, 2, NULL), KITH_ERR_MEMORY);
    CHECK(fail_nothing(&s->f));
}

static void fail_to_set(scene *s)
{
    CHECK_RESULT(KITH_SET(s->world, KITH_NONE, Position, { 1, 2 }), KITH_ERR_DEAD);
    CHECK_RESULT(kith_system_enable(s->world, "nobody", true), KITH_ERR_UNKNOWN);
}

static void yield_and_claim(scene *s)
{
    kith_world_yield(s->world);
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
    kith_entity e = KITH_SPAWN(s->world, KITH_ZERO(Byte));
    kith_entity f = KITH_SPAWN(s->world, KITH_ZERO(Target));
    CHECK(!kith_is_none(e) && !kith_is_none(f));
}

static void make_two_tables_the_other_way(scene *s)
{
    kith_entity e = kith_spawn_empty(s->world);
    kith_entity f = KITH_SPAWN(s->world, KITH_ZERO(Target));
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
    test_share_check(shared);
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
    { "a value", nothing, set_value, ALWAYS, ALWAYS },
    { "the sign of a zero", nothing, set_negative_zero, ALWAYS, ALWAYS },
    { "a value through a pointer", nothing, set_through_pointer, ALWAYS, ALWAYS },
    { "a value through a query", nothing, set_through_query, ALWAYS, ALWAYS },
    { "two values exchanged", nothing, swap_values, ALWAYS, ALWAYS },
    { "which type a value is of", set_twin_types, set_twin_types_back, ALWAYS, ALWAYS },
    { "a tag more", nothing, add_tag, ALWAYS, ALWAYS },
    { "a tag less", nothing, remove_tag, ALWAYS, ALWAYS },
    { "a value of zeros", nothing, add_zeros, ALWAYS, ALWAYS },
    { "a value less", nothing, remove_value, ALWAYS, ALWAYS },
    { "an entity more", nothing, spawn_empty, ALWAYS, ALWAYS },
    { "an entity less", nothing, despawn_empty, ALWAYS, ALWAYS },
    { "a generation", nothing, live_again, ALWAYS, ALWAYS },
    { "a dead slot", nothing, spend_slot, ALWAYS, NEVER },
    { "a dead slot's generation", spend_slot, spend_slot_twice, ALWAYS, NEVER },
    { "the order of dead slots", despawn_two, despawn_two_the_other_way, ALWAYS, NEVER },
    { "the order of rows", nothing, reorder_rows, TABLE_BIT, NEVER },
    { "the order of values", nothing, reorder_values, TABLE_BIT | SPARSE_BIT, NEVER },
    { "a type more", nothing, register_more, ALWAYS, NEVER },
    { "a resource's value", nothing, set_resource, ALWAYS, ALWAYS },
    { "a resource more", nothing, add_resource, ALWAYS, ALWAYS },
    { "a resource less", nothing, remove_resource, ALWAYS, ALWAYS },
    { "an event more", nothing, send_event, ALWAYS, NEVER },
    { "an event's value", send_event, send_other_event, ALWAYS, NEVER },
    { "an event that is a tag", send_tag, send_tag_twice, ALWAYS, NEVER },
    { "no more events", nothing, clear_events, ALWAYS, NEVER },
    { "events that were dropped", nothing, clear_and_send, ALWAYS, NEVER },
    { "how long events are kept", keep_events, keep_events_longer, ALWAYS, NEVER },
    { "a tick", nothing, tick, ALWAYS, NEVER },
    { "a second tick", tick, tick_twice, ALWAYS, NEVER },
    { "when an event was sent", send_and_tick, tick_and_send, ALWAYS, NEVER },
    { "a system", nothing, add_systems, ALWAYS, NEVER },
    { "the order of systems", add_systems, add_systems_the_other_way, ALWAYS, NEVER },
    { "the priority of a system", add_systems, add_systems_in_order, ALWAYS, NEVER },
    { "a system's switch", add_systems, switch_system, ALWAYS, NEVER },

    { "nothing", nothing, nothing, NEVER, NEVER },
    { "the order in which systems came", add_systems_in_order, add_systems_in_that_order, NEVER,
      NEVER },
    { "a system that is gone", nothing, add_and_remove_system, NEVER, NEVER },
    { "a write that writes nothing", nothing, touch, NEVER, NEVER },
    { "a query that writes nothing", nothing, touch_through_query, NEVER, NEVER },
    { "the same values again", nothing, set_the_same, NEVER, NEVER },
    { "empty tables", nothing, leave_empty_tables, NEVER, NEVER },
    { "empty tables that were reclaimed", nothing, leave_and_reclaim, NEVER, NEVER },
    { "kith_reclaim", nothing, reclaim, NEVER, NEVER },
    { "a query", nothing, make_query, NEVER, NEVER },
    { "room that a failed call has left", nothing, fail_to_spawn, NEVER, NEVER },
    { "errors", nothing, fail_to_set, NEVER, NEVER },
    { "a change of owner", nothing, yield_and_claim, NEVER, NEVER },
    { "padding", nothing, set_padding, NEVER, NEVER },
    { "the order in which tables came", make_two_tables, make_two_tables_the_other_way, NEVER,
      NEVER },
    { "the order in which resources came", add_resources, add_resources_the_other_way, NEVER,
      NEVER },
    { "blocks that were shared", nothing, share_and_free, NEVER, NEVER },
    { "blocks that were shared and written", nothing, share_and_write, NEVER, NEVER },
};

static char note[128];

static void try_case(const hash_case *tried, kith_layout layout)
{
    snprintf(note, sizeof(note), "%s, %s", tried->what, layout_name(layout));
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
    test_note(note);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        try_case(&cases[i], layout);
    }
    test_note(NULL);
}

/* ---- What differs from the start ----------------------------------------------------------- */

typedef struct hashes {
    uint64_t world;
    uint64_t content;
} hashes;

static hashes hashes_of(const kith_world *world)
{
    return (hashes){ kith_world_hash(world), kith_content_hash(world) };
}

/* A small world whose two types are registered in this order, with these layouts. */
static hashes small_world(const kith_type *first, kith_layout first_layout, const kith_type *second,
                          kith_layout second_layout, const kith_world_def *def)
{
    fixture f = fixture_new_with(def);
    ok(kith_register(f.world, first, &(kith_component_def){ .layout = first_layout }));
    ok(kith_register(f.world, second, &(kith_component_def){ .layout = second_layout }));
    for (float i = 0; i < 10; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(f.world, { first, &(Position){ i, 2 } },
                                       { second, &(Position){ i, 4 } })));
    }
    hashes result = hashes_of(f.world);
    fixture_free(&f);
    return result;
}

TEST(layouts_and_order_of_registration_count_for_the_world_alone)
{
    hashes base = small_world(&Position_type, KITH_TABLE, &Velocity_type, KITH_TABLE, NULL);
    for (int first = 0; first < LAYOUT_COUNT; first++) {
        for (int second = 0; second < LAYOUT_COUNT; second++) {
            hashes other = small_world(&Position_type, (kith_layout)first, &Velocity_type,
                                       (kith_layout)second, NULL);
            CHECK_INT(other.world != base.world, first != 0 || second != 0);
            CHECK(other.content == base.content);
        }
    }
    /* The values change places with the types, so that the content is another. */
    hashes turned = small_world(&Velocity_type, KITH_TABLE, &Position_type, KITH_TABLE, NULL);
    CHECK(turned.world != base.world);
    CHECK(turned.content != base.content);
}

/* Also where no entity has the component yet: later ones will be visited in another order. */
TEST(layouts_of_types_that_nobody_has_count)
{
    uint64_t seen[LAYOUT_COUNT];
    for (int layout = 0; layout < LAYOUT_COUNT; layout++) {
        fixture f = fixture_new();
        ok(kith_register(f.world, &Position_type,
                         &(kith_component_def){ .layout = (kith_layout)layout }));
        seen[layout] = kith_world_hash(f.world);
        fixture_free(&f);
    }
    CHECK(seen[0] != seen[1] && seen[1] != seen[2] && seen[0] != seen[2]);
}

/* Values of one and the same content, under types that were registered the other way round. */
TEST(order_of_registration_is_no_content)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    ok(kith_register(f.world, &Position_type, NULL));
    ok(kith_register(f.world, &Health_type, NULL));
    ok(kith_register(g.world, &Health_type, NULL));
    ok(kith_register(g.world, &Position_type, NULL));
    const kith_value values[] = { KITH_VALUE(Health, { 1, 2 }), KITH_VALUE(Position, { 3, 4 }) };
    kith_entity e;
    ok(kith_spawn(f.world, values, 2, &e));
    ok(kith_spawn(g.world, values, 2, &e));
    CHECK(kith_world_hash(f.world) != kith_world_hash(g.world));
    CHECK(kith_content_hash(f.world) == kith_content_hash(g.world));
    fixture_free(&f);
    fixture_free(&g);
}

TEST(where_memory_comes_from_does_not_count)
{
    hashes base = small_world(&Position_type, KITH_TABLE, &Velocity_type, KITH_SPARSE, NULL);
    const kith_world_def defs[] = { { .expected_entities = 5000 },
                                    { .expected_types = 100 },
                                    { .memory_limit = 10000000 } };
    for (size_t i = 0; i < 3; i++) {
        hashes other =
            small_world(&Position_type, KITH_TABLE, &Velocity_type, KITH_SPARSE, &defs[i]);
        CHECK(other.world == base.world && other.content == base.content);
    }
    /* The C library's own allocator. */
    kith_world *world = kith_world_new(NULL);
    fixture f = fixture_new();
    CHECK(kith_world_hash(world) == kith_world_hash(f.world));
    CHECK(kith_content_hash(world) == kith_content_hash(f.world));
    kith_world_free(world);
    fixture_free(&f);
}

/* The same struct under another name, with another version or other fields is another type. */
TEST(names_versions_and_fields_of_types_count)
{
    static const kith_field bytes = { "bytes", 0, 8, KITH_BYTES };
    static const kith_field other = { "others", 0, 8, KITH_BYTES };
    static const kith_field words = { "bytes", 0, 8, KITH_U32 };
    static uint32_t numbers[5];
    const kith_type types[] = { { "One", 8, 4, 0, 1, &bytes, &numbers[0] },
                                { "Two", 8, 4, 0, 1, &bytes, &numbers[1] },
                                { "Two", 8, 4, 1, 1, &bytes, &numbers[2] },
                                { "Two", 8, 4, 0, 1, &other, &numbers[3] },
                                { "Two", 8, 4, 0, 1, &words, &numbers[4] } };
    hashes all[5];
    for (size_t i = 0; i < 5; i++) {
        all[i] = small_world(&types[i], KITH_TABLE, &Velocity_type, KITH_TABLE, NULL);
        for (size_t k = 0; k < i; k++) {
            CHECK(all[i].world != all[k].world);
        }
    }
    CHECK(all[0].content != all[1].content);
}

/* ---- Every bit ----------------------------------------------------------------------------- */

static bool is_padding(const kith_type *type, uint32_t offset)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING && offset >= field->offset &&
            offset < field->offset + field->size) {
            return false;
        }
    }
    return true;
}

static void flip(kith_world *world, kith_entity entity, const kith_type *type, uint32_t bit)
{
    unsigned char *bytes = kith_get_mut_or_null(world, entity, type);
    CHECK_PTR_NOT_NULL(bytes);
    bytes[bit / 8] = (unsigned char)(bytes[bit / 8] ^ 1u << bit % 8);
}

/* No bit of a value is overlooked, and none of its padding is looked at. */
TEST_EACH_LAYOUT_WITHIN(20, every_bit_of_a_value_counts, layout)
{
    scene s = scene_new(layout);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = component_types[i];
        if (type->size == 0) {
            continue;
        }
        ok(kith_add(s.world, s.empty, type));
        hashes before = hashes_of(s.world);
        /* A stride that is odd and no power of two meets every place within a word. */
        uint32_t stride = type->size > 100 ? 37 : 1;
        for (uint32_t bit = 0; bit < 8 * type->size; bit += stride) {
            flip(s.world, s.empty, type, bit);
            hashes after = hashes_of(s.world);
            bool padding = is_padding(type, bit / 8);
            CHECK_INT(after.world == before.world, padding);
            CHECK_INT(after.content == before.content, padding);
            flip(s.world, s.empty, type, bit);
        }
        hashes back = hashes_of(s.world);
        CHECK(back.world == before.world && back.content == before.content);
        ok(kith_remove(s.world, s.empty, type));
    }
    fixture_free(&s.f);
}

/* Padding whose size is told, where Padded leaves it to be found. */
TEST_EACH_LAYOUT(padding_of_a_given_size_does_not_count, layout)
{
    static const kith_field fields[] = { { "pad", 2, 2, KITH_PADDING },
                                         { "bytes", 0, 2, KITH_U16 },
                                         { "rest", 4, 3, KITH_PADDING },
                                         { "last", 7, 1, KITH_I8 } };
    static uint32_t number;
    static const kith_type type = { "SizedPadding", 8, 2, 0, 4, fields, &number };
    fixture f = fixture_new();
    ok(kith_register(f.world, &type, &(kith_component_def){ .layout = layout }));
    kith_entity e = KITH_SPAWN(f.world, { &type, NULL });
    hashes before = hashes_of(f.world);
    for (uint32_t bit = 0; bit < 64; bit++) {
        flip(f.world, e, &type, bit);
        hashes after = hashes_of(f.world);
        CHECK_INT(after.world == before.world, is_padding(&type, bit / 8));
        CHECK_INT(after.content == before.content, is_padding(&type, bit / 8));
        flip(f.world, e, &type, bit);
    }
    fixture_free(&f);
}

/* Rows behind the first block count like those in it. */
TEST_EACH_LAYOUT(every_row_counts, layout)
{
    fixture f = fixture_new();
    register_all(f.world, layout);
    enum { ROWS = 2500 };
    static kith_entity entities[ROWS];
    const kith_values values[] = { KITH_REPEAT(Position, { 1, 2 }), KITH_REPEAT(Byte, { 3 }) };
    ok(kith_spawn_many(f.world, ROWS, values, 2, entities));
    hashes before = hashes_of(f.world);
    for (uint32_t i = 0; i < ROWS; i += 83) {
        flip(f.world, entities[i], &Byte_type, i % 8);
        hashes after = hashes_of(f.world);
        CHECK(after.world != before.world && after.content != before.content);
        flip(f.world, entities[i], &Byte_type, i % 8);
    }
    hashes back = hashes_of(f.world);
    CHECK(back.world == before.world && back.content == before.content);
    fixture_free(&f);
}
