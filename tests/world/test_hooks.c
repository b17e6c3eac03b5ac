/* Types with hooks: each value is made once, moved, and ended once, on each layout, whatever becomes of
 * its entity. The values own memory, so that AddressSanitizer and LeakSanitizer watch too. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "owners.h"

TEST_EACH_LAYOUT(a_value_is_made_and_ended_once, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e = spawn_number(&o, 5);
    check_live(&o, 1);
    CHECK_RESULT(set_number(&o, e, 6), KITH_OK);
    check_live(&o, 1);
    CHECK_UINT(number_of(&o, e), 6);
    CHECK_RESULT(KITH_ADD(o.world, e, Owned), KITH_OK);
    CHECK_UINT(number_of(&o, e), 6);
    CHECK_RESULT(KITH_REMOVE(o.world, e, Owned), KITH_OK);
    check_live(&o, 0);
    CHECK_RESULT(KITH_ADD(o.world, e, Owned), KITH_OK);
    check_live(&o, 1);
    CHECK_UINT(number_of(&o, e), OWNED_INITIAL);
    CHECK_RESULT(kith_set(o.world, e, &Owned_type, NULL), KITH_OK);
    check_live(&o, 1);
    CHECK_RESULT(kith_remove_all(o.world, e), KITH_OK);
    check_live(&o, 0);
    CHECK_RESULT(set_number(&o, e, 7), KITH_OK);
    CHECK_RESULT(kith_despawn(o.world, e), KITH_OK);
    check_live(&o, 0);
    CHECK_RESULT(set_number(&o, e, 8), KITH_ERR_DEAD);
    spawn_number(&o, 9);
    check_live(&o, 1);
    owners_free(&o);
}

/* Rows go from table to table, and the last of a table into its holes. */
TEST_EACH_LAYOUT(values_move_with_their_entities, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e[200];
    for (uint32_t i = 0; i < 200; i++) {
        e[i] = spawn_number(&o, i);
    }
    CHECK(o.record.moved >= 200);
    for (uint32_t i = 0; i < 200; i += 3) {
        CHECK_RESULT(KITH_SET(o.world, e[i], Velocity, {1, 2}), KITH_OK);
    }
    check_live(&o, 200);
    for (uint32_t i = 0; i < 200; i += 2) {
        CHECK_RESULT(kith_despawn(o.world, e[i]), KITH_OK);
    }
    check_live(&o, 100);
    for (uint32_t i = 1; i < 200; i += 2) {
        CHECK_UINT(number_of(&o, e[i]), i);
    }
    for (uint32_t i = 1; i < 100; i += 2) {
        CHECK_RESULT(i % 3 == 0 ? KITH_REMOVE(o.world, e[i], Owned)
                                : kith_remove_all(o.world, e[i]),
                     KITH_OK);
    }
    check_live(&o, 50);
    kith_world_trim(o.world);
    uint32_t ended;
    CHECK_RESULT(kith_despawn_many(o.world, e + 150, 50, &ended), KITH_OK);
    check_live(&o, 25);
    owners_free(&o);
}

TEST_EACH_LAYOUT(many_are_made_at_once, layout)
{
    owners o;
    owners_new(&o, layout);
    enum { COUNT = 3000 };
    static Owned values[COUNT];
    static kith_entity e[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        values[i] = owned_new(&o.record, i);
    }
    const kith_values each[] = {{&Owned_type, values, true}, KITH_VALUE(Velocity, {1, 2})};
    CHECK_RESULT(kith_spawn_many(o.world, COUNT, each, 2, e), KITH_OK);
    check_live(&o, 2 * COUNT);
    CHECK_UINT(number_of(&o, e[COUNT - 1]), COUNT - 1);
    const kith_values one = {&Owned_type, values + 7, false};
    CHECK_RESULT(kith_spawn_many(o.world, 100, &one, 1, e), KITH_OK);
    check_live(&o, 2 * COUNT + 100);
    CHECK_UINT(number_of(&o, e[99]), 7);
    const kith_values none = {&Owned_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(o.world, 10, &none, 1, e), KITH_OK);
    CHECK_UINT(number_of(&o, e[9]), OWNED_INITIAL);
    CHECK_RESULT(kith_spawn_many(o.world, 0, each, 2, e), KITH_OK);
    check_live(&o, 2 * COUNT + 110);
    for (uint32_t i = 0; i < COUNT; i++) {
        owned_end(&o.record, &values[i]);
    }
    owners_free(&o);
}

TEST_EACH_LAYOUT(several_values_and_clones, layout)
{
    owners o;
    owners_new(&o, layout);
    Owned value = owned_new(&o.record, 3);
    const kith_value values[] = {
        KITH_VALUE(Velocity, {1, 2}), {&Owned_type, &value}, KITH_VALUE(Position, {3, 4})};
    kith_entity e;
    CHECK_RESULT(kith_spawn(o.world, values, 3, &e), KITH_OK);
    check_live(&o, 2);
    kith_entity clone;
    CHECK_RESULT(kith_clone(o.world, e, &clone), KITH_OK);
    check_live(&o, 3);
    CHECK(KITH_GET(o.world, clone, Owned)->number != KITH_GET(o.world, e, Owned)->number);
    CHECK_UINT(number_of(&o, clone), 3);
    CHECK_FLOAT(KITH_GET(o.world, clone, Position)->y, 4);
    *value.number = value.tag = 4;
    CHECK_RESULT(kith_set_values(o.world, e, values, 3), KITH_OK); /* all are there */
    CHECK_UINT(number_of(&o, e), 4);
    CHECK_UINT(number_of(&o, clone), 3);
    CHECK_RESULT(KITH_REMOVE(o.world, e, Position), KITH_OK);
    CHECK_RESULT(kith_set_values(o.world, e, values, 3), KITH_OK); /* one is not */
    check_live(&o, 3);
    kith_entity other = kith_spawn_empty(o.world);
    CHECK_RESULT(kith_set_values(o.world, other, values + 1, 1), KITH_OK);
    check_live(&o, 4);
    const kith_value twice[] = {values[1], values[1]};
    CHECK_RESULT(kith_set_values(o.world, other, twice, 2), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_spawn(o.world, twice, 2, &e), KITH_ERR_CONFLICT);
    check_live(&o, 4);
    owned_end(&o.record, &value);
    /* From a value of the world's, which is copied before it may go. */
    CHECK_RESULT(kith_set(o.world, other, &Owned_type, KITH_GET(o.world, other, Owned)), KITH_OK);
    CHECK_UINT(number_of(&o, other), 4);
    owners_free(&o);
}

/* ---- Without a hook to copy */

TEST_EACH_LAYOUT(without_copy_values_are_taken_over, layout)
{
    owners o = {.f = fixture_new()};
    o.world = o.f.world;
    kith_hooks hooks = owned_hooks_without_copy(&o.record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(o.world, &Owned_type, &def), KITH_OK);
    kith_entity e = kith_spawn_empty(o.world);
    Owned first = owned_new(&o.record, 1);
    CHECK_RESULT(kith_set(o.world, e, &Owned_type, &first), KITH_OK);
    CHECK(KITH_GET(o.world, e, Owned)->number == first.number);
    check_live(&o, 1);
    Owned second = owned_new(&o.record, 2);
    CHECK_RESULT(kith_set(o.world, e, &Owned_type, &second), KITH_OK);
    check_live(&o, 1);
    CHECK_UINT(number_of(&o, e), 2);

    /* A call that fails takes nothing. */
    Owned third = owned_new(&o.record, 3);
    kith_entity none = kith_spawn_empty(o.world);
    for (size_t nth = 1;; nth++) {
        fail_allocation(&o.f, nth);
        kith_result result = kith_set(o.world, none, &Owned_type, &third);
        if (!fail_nothing(&o.f)) {
            CHECK_RESULT(result, KITH_OK);
            break;
        }
        CHECK_RESULT(result, KITH_ERR_MEMORY);
        check_live(&o, 2);
    }
    kith_entity made;
    CHECK_RESULT(kith_clone(o.world, e, &made), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(o.world), "'Owned' has hooks, but none to copy");
    Owned many[2] = {owned_new(&o.record, 4), owned_new(&o.record, 5)};
    kith_values values = {&Owned_type, many, false};
    CHECK_RESULT(kith_spawn_many(o.world, 2, &values, 1, NULL), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(o.world), "'Owned' has hooks, but none to copy one value for 2");
    values.each = true;
    CHECK_RESULT(kith_spawn_many(o.world, 2, &values, 1, NULL), KITH_OK);
    check_live(&o, 4);
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(o.world, &snapshot), KITH_ERR_TYPE);
    CHECK_WORLD(o.world);
    owners_free(&o);
}

/* Without any hook, values are bytes still, but opaque ones. */
TEST_EACH_LAYOUT(no_hook_is_needed, layout)
{
    fixture f = fixture_new();
    const kith_hooks hooks = {0};
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    uint32_t number = 3;
    uint32_t other = 3;
    Owned value = {&number, 4, 0};
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_ADD(f.world, e, Owned), KITH_OK);
    CHECK_PTR_NULL(KITH_GET(f.world, e, Owned)->number);
    CHECK_RESULT(kith_set(f.world, e, &Owned_type, &value), KITH_OK);
    uint64_t hash = kith_world_hash(f.world);
    value.number = &other;
    CHECK_RESULT(kith_set(f.world, e, &Owned_type, &value), KITH_OK);
    CHECK(KITH_GET(f.world, e, Owned)->number == &other);
    CHECK(kith_world_hash(f.world) == hash); /* an address does not count */
    value.tag = 5;
    CHECK_RESULT(kith_set(f.world, e, &Owned_type, &value), KITH_OK);
    CHECK(kith_world_hash(f.world) != hash);
    fixture_free(&f);
}

/* ---- Hashes and changes */

TEST_EACH_LAYOUT(a_value_counts_as_its_hook_says, layout)
{
    owners a;
    owners b;
    owners_new(&a, layout);
    owners_new(&b, layout);
    kith_entity first = spawn_number(&a, 5);
    kith_entity second = spawn_number(&b, 5);
    CHECK(kith_world_hash(a.world) == kith_world_hash(b.world));
    CHECK(kith_content_hash(a.world) == kith_content_hash(b.world));
    *KITH_GET_MUT(a.world, first, Owned)->number = 6; /* no byte of the value itself changed */
    CHECK(kith_world_hash(a.world) != kith_world_hash(b.world));
    CHECK(kith_content_hash(a.world) != kith_content_hash(b.world));
    *KITH_GET_MUT(b.world, second, Owned)->number = 6;
    CHECK(kith_world_hash(a.world) == kith_world_hash(b.world));
    owners_free(&a);
    owners_free(&b);
}

static uint32_t count_changed(kith_query *query)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        count += it.count;
    }
    return count;
}

TEST_EACH_LAYOUT(exact_changes_are_told_by_the_hash, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_component_def def = {.layout = layout, .exact_changes = true};
    CHECK_RESULT(kith_register(o.world, &Owned_type, &def), KITH_OK);
    kith_entity e[20];
    for (uint32_t i = 0; i < 20; i++) {
        e[i] = spawn_number(&o, i);
    }
    kith_query *changed = KITH_QUERY(o.world, KITH_CHANGED(Owned));
    CHECK_UINT(count_changed(changed), 20);
    CHECK_UINT(count_changed(changed), 0);
    Owned *owned = KITH_GET_MUT(o.world, e[3], Owned);
    *owned->number = 50;
    KITH_GET_MUT(o.world, e[7], Owned);
    CHECK_UINT(count_changed(changed), 1);
    CHECK_RESULT(set_number(&o, e[4], 4), KITH_OK); /* another address, the same value */
    CHECK_UINT(count_changed(changed), 0);
    check_live(&o, 20);
    owners_free(&o);
}

/* ---- What does not go with hooks */

TEST_EACH_LAYOUT(registering_with_hooks, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "'Owned': its field number is opaque");
    def.hooks = &hooks;
    CHECK_RESULT(kith_register(f.world, &Frozen_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "'Frozen' is a tag, and has no values to hook");
    kith_hooks no_hash = hooks;
    no_hash.hash = NULL;
    def = (kith_component_def){.layout = layout, .exact_changes = true, .hooks = &no_hash};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "without a hook that hashes");
    CHECK_PTR_NULL(kith_type_find(f.world, "Owned"));
    def.exact_changes = false;
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    def.exact_changes = true;
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_ERR_INPUT);
    def.exact_changes = false;
    def.hooks = &hooks;
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'Owned' is registered with other hooks");
    def.hooks = NULL;
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    def.hooks = &hooks;
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "'Position' is registered without hooks");
    fixture_free(&f);
}

/* Hooks are the type's, for values in resources and events too: whoever needs them, needs them there
 * before the first. */
TEST(hooks_come_before_values)
{
    fixture f = fixture_new();
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    Owned value = {0};
    CHECK_RESULT(kith_resource_set(f.world, &Owned_type, &value), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(f.world), "kith_resource_set: 'Owned': its field number is opaque");
    CHECK_RESULT(kith_event_send(f.world, &Owned_type, &value), KITH_ERR_TYPE);
    CHECK_RESULT(kith_event_register(f.world, &Owned_type, NULL), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(f.world), "register the type with them first");
    const kith_component_def def = {.hooks = &hooks};
    CHECK_RESULT(KITH_RESOURCE_SET(f.world, Extra, {1, 2, 3}), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Extra_type, &def), KITH_ERR_CONFLICT);
    CHECK_RESULT(KITH_SEND(f.world, Name, {"n"}), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Name_type, &def), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "there is a resource or an event 'Name' already");
    CHECK_RESULT(kith_register(f.world, &Extra_type, NULL), KITH_OK);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(bytes_and_texts_do_not_make_values_with_hooks, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e = spawn_number(&o, 5);
    char bytes[sizeof(Owned)] = {0};
    CHECK_RESULT(kith_set_bytes(o.world, e, &Owned_type, bytes, sizeof(bytes)), KITH_ERR_TYPE);
    CHECK_RESULT(kith_get_bytes(o.world, e, &Owned_type, bytes, sizeof(bytes)), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(o.world), "'Owned' has hooks");
    uint32_t tag;
    CHECK_RESULT(kith_get_field(o.world, e, &Owned_type, "tag", KITH_U32, &tag, 4), KITH_OK);
    CHECK_UINT(tag, 5);
    CHECK_RESULT(kith_get_field(o.world, e, &Owned_type, "number", KITH_OPAQUE, bytes, 8),
                 KITH_ERR_TYPE);
    CHECK_RESULT(kith_set_field(o.world, e, &Owned_type, "number", KITH_OPAQUE, bytes, 8),
                 KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(o.world), "Owned.number is opaque");
    char text[80];
    CHECK_RESULT(kith_print_entity(o.world, e, text, sizeof(text), NULL), KITH_OK);
    CHECK_STR(text, "Owned { tag = 5, unused = 0 }\n");
    CHECK_RESULT(kith_parse_entity(o.world, e, text), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(o.world), "a component without hooks");
    CHECK_RESULT(kith_parse_value(o.world, &Owned_type, "{ tag = 5 }", bytes), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(o.world), "Owned.number is opaque");
    CHECK_UINT(number_of(&o, e), 5);
    owners_free(&o);
}

TEST_EACH_LAYOUT(a_type_made_at_run_time_has_hooks, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_field fields[] = {{"number", 0, 8, KITH_OPAQUE}, {"tags", 8, 8, KITH_U32}};
    kith_type_def def = {.name = "Made",
                         .size = 16,
                         .align = 8,
                         .fields = fields,
                         .field_count = 2,
                         .layout = layout};
    const kith_type *type = NULL;
    CHECK_RESULT(kith_define(f.world, &def, &type), KITH_ERR_INPUT);
    def.hooks = &hooks;
    CHECK_RESULT(kith_define(f.world, &def, &type), KITH_OK);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_add(f.world, e, type), KITH_OK);
    CHECK_UINT(record.live, 1);
    CHECK_UINT(*((const Owned *)kith_get(f.world, e, type))->number, OWNED_INITIAL);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

/* ---- Commands: see tests/command/test_hooked.c too */

TEST_EACH_LAYOUT(command_buffers_move_and_end_values, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e[100];
    for (uint32_t i = 0; i < 100; i++) {
        e[i] = spawn_number(&o, i);
    }
    kith_commands *later = kith_commands_new(o.world, NULL);
    for (uint32_t i = 0; i < 100; i++) {
        switch (i % 5) {
        case 0: kith_commands_despawn(later, e[i]); break;
        case 1: KITH_SET(later, e[i], Velocity, {1, 2}); break;
        case 2: kith_commands_remove_all(later, e[i]); break;
        case 3: KITH_REMOVE(later, e[i], Owned); break;
        default: KITH_SET(later, e[i], Position, {1, 2}); break;
        }
    }
    CHECK_RESULT(kith_commands_apply(later, NULL), KITH_OK);
    check_live(&o, 40);
    CHECK_UINT(number_of(&o, e[96]), 96);
    CHECK_UINT(number_of(&o, e[99]), 99);
    owners_free(&o);
}

/* A value comes to no entity while a query is open, and is not kept; one that is there is replaced. */
TEST_EACH_LAYOUT(an_open_query_lets_values_be_replaced_only, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity has = spawn_number(&o, 1);
    kith_entity lacks = kith_spawn_empty(o.world);
    kith_query *query = KITH_QUERY(o.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    CHECK_RESULT(it.result, KITH_OK);
    CHECK_RESULT(set_number(&o, has, 2), KITH_OK);
    CHECK_RESULT(set_number(&o, lacks, 3), KITH_ERR_MISUSE);
    expect_misuse(&o.f, "kith_set");
    CHECK_RESULT(KITH_ADD(o.world, lacks, Owned), KITH_ERR_MISUSE);
    expect_misuse(&o.f, "kith_add");
    kith_iter_close(&it);
    CHECK(!KITH_HAS(o.world, lacks, Owned));
    CHECK_UINT(number_of(&o, has), 2);
    check_live(&o, 1);
    owners_free(&o);
}

/* ---- Hooks that call into the world: see test_misuse.c too */

TEST_EACH_LAYOUT(a_hook_cannot_change_the_structure, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e = spawn_number(&o, 1);
    o.record.world = o.world;
    CHECK_RESULT(KITH_REMOVE(o.world, e, Owned), KITH_OK);
    CHECK_RESULT(o.record.inner, KITH_ERR_MISUSE);
    CHECK_CONTAINS(o.f.misuse, "kith_despawn: a hook of 'Owned' is running");
    o.record.world = NULL;
    CHECK(kith_alive(o.world, e));
    CHECK_RESULT(KITH_SET(o.world, e, Velocity, {1, 2}), KITH_OK); /* it is allowed again */
    expect_misuse(&o.f, "hooks must not call into the world");
    owners_free(&o);
}
