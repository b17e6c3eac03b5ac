/* Unique keys of all kinds of fields, what the messages say of them, and what commands leave of them. */
#include <kith/floats.h>

#include <stdio.h>

#include "owned.h"
#include "unique_keys.h"

KITH_COMPONENT(Label, (char, text, 6), (double, weight));
KITH_COMPONENT(Word, (kith_text, text));
KITH_COMPONENT(Small, (int8_t, i8), (int16_t, i16), (int64_t, i64), (uint64_t, u64), (bool, is),
               (char, letter));

static fixture kinds_world(kith_layout layout)
{
    fixture f = unique_world(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Label_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Word_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Small_type, &def), KITH_OK);
    return f;
}

/* A text in an array is compared up to its end, of which there may be none. */
TEST_EACH_LAYOUT(a_text_is_a_key, layout)
{
    fixture f = kinds_world(layout);
    kith_world *world = f.world;
    CHECK_RESULT(KITH_UNIQUE(world, Label, text), KITH_OK);
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Label, {"zoe", 1}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Label, {"zoey", 1}));
    kith_entity c = KITH_SPAWN(world, KITH_VALUE(Label, {"ziggy", 1}));
    kith_entity d = KITH_SPAWN(world, KITH_VALUE(Label, {{'z', 'i', 'g', 'g', 'y', '!'}, 1}));
    kith_entity e = KITH_SPAWN(world, KITH_VALUE(Label, {"", 1}));
    CHECK(!kith_is_none(b) && !kith_is_none(c) && !kith_is_none(d) && !kith_is_none(e));
    CHECK_DOUBLE(world, KITH_SET(world, b, Label, {"zoe\0!", 2}));
    CHECK_DOUBLE(world, KITH_SET(world, b, Label, {"\0z", 2}));
    CHECK_RESULT(KITH_SET(world, a, Label, {"zoe\0!", 2}), KITH_OK);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Label, {"zoe", 0}), a);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Label, {"zoey", 0}), b);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Label, {"ziggy", 0}), c);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Label, {{'z', 'i', 'g', 'g', 'y', '!'}, 0}), d);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Label, {"", 0}), e);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Label, {"z", 0}), KITH_NONE);
    CHECK_WORLD(world);
    fixture_free(&f);
}

/* The last error, which ends so. */
static void check_message(kith_world *world, const char *end)
{
    char text[100];
    snprintf(text, sizeof(text), "would have the same %s; it is a unique key", end);
    CHECK_CONTAINS(kith_error(world), text);
}

TEST_EACH_LAYOUT(messages_print_keys_of_all_kinds, layout)
{
    fixture f = kinds_world(layout);
    kith_world *world = f.world;
    kith_text word;
    CHECK_RESULT(kith_text_intern(world, "blue", &word), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(world, Word, text), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(world, Seat, who), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(world, Small, i8, i16, i64, u64, is, letter), KITH_OK);
    kith_entity a = kith_spawn_empty(world);
    kith_entity b = kith_spawn_empty(world);
    const Small small = {-128, -32768, INT64_MIN, UINT64_MAX, true, 'x'};
    CHECK_RESULT(KITH_SET(world, a, Word, {word}), KITH_OK);
    CHECK_RESULT(KITH_SET(world, a, Seat, {b}), KITH_OK);
    CHECK_RESULT(kith_set(world, a, &Small_type, &small), KITH_OK);
    CHECK_DOUBLE(world, KITH_SET(world, b, Word, {word}));
    check_message(world, "Word: text \"blue\"");
    CHECK_DOUBLE(world, KITH_SET(world, b, Seat, {b}));
    check_message(world, "Seat: who Entity(1v0)");
    CHECK_DOUBLE(world, kith_set(world, b, &Small_type, &small));
    CHECK_CONTAINS(kith_error(world), "Small: i8 -128, i16 -32768, i64 -9223372036854775808, u64"
                                      " 18446744073709551615, is true, letter \"x\"; it is");
    CHECK_RESULT(KITH_ADD(world, a, Label), KITH_OK);
    /* A slot that was used before: the one to come is named as it would be. */
    CHECK_RESULT(kith_despawn(world, b), KITH_OK);
    CHECK(kith_is_none(KITH_SPAWN(world, KITH_VALUE(Word, {word}))));
    CHECK_CONTAINS(kith_error(world), "Entity(0v0) and the new Entity(1v1) would have the same");
    CHECK_WORLD(world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(what_cannot_be_a_key_or_be_asked, layout)
{
    fixture f = kinds_world(layout);
    kith_world *world = f.world;
    const kith_unique_def weight = {.type = &Label_type, .fields = {"weight"}};
    CHECK_RESULT(kith_unique_new(world, &weight), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(world), "Label.weight cannot be a unique key");
    /* Hooks might change what is unique. */
    owned_record record = {.world = NULL};
    kith_hooks hooks = owned_hooks(&record);
    CHECK_RESULT(
        kith_register(world, &Owned_type, &(kith_component_def){.layout = layout, .hooks = &hooks}),
        KITH_OK);
    const kith_unique_def owned = {.type = &Owned_type, .fields = {Owned_type.fields[0].name}};
    CHECK_RESULT(kith_unique_new(world, &owned), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(world), "Owned has hooks");
    /* A query that only reads is not in the way, and goes on. */
    kith_query *reads = KITH_QUERY(world, KITH_READ(Label));
    CHECK_RESULT(KITH_UNIQUE(world, Label, text), KITH_OK);
    KITH_SPAWN(world, KITH_VALUE(Label, {"zoe", 1}));
    CHECK_UINT(kith_query_count(reads), 1);
    CHECK_SAME(kith_unique_find(world, &Label_type, NULL), KITH_NONE);
    expect_misuse(&f, "kith_unique_find: the type or the value is NULL");
    CHECK_SAME(KITH_FIND_UNIQUE(world, Word, {{0}}), KITH_NONE);
    expect_misuse(&f, "Word has no unique key in this world");
    fixture_free(&f);
}

/* Commands that follow one another leave the last word to the last of them. */
TEST_EACH_LAYOUT(only_what_is_left_of_commands_is_claimed, layout)
{
    fixture f = kinds_world(layout);
    kith_world *world = f.world;
    CHECK_RESULT(KITH_UNIQUE(world, Account, id), KITH_OK);
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Badge, {5}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Badge, {0}));
    kith_entity c = KITH_SPAWN(world, KITH_VALUE(Account, {.id = 1}));
    kith_commands *commands = kith_commands_new(world, NULL);
    /* What is added to an entity that was emptied is zero bytes, not what it was. */
    KITH_REMOVE_ALL(commands, a);
    KITH_ADD(commands, a, Badge);
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    KITH_SET(commands, b, Badge, {5});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 0, a);
    expect_badge(world, 5, b);
    /* Values of one that ends are nobody's. */
    KITH_SET(commands, a, Badge, {9});
    KITH_DESPAWN(commands, a);
    KITH_SET(commands, c, Badge, {9});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 9, c);
    expect_badge(world, 0, KITH_NONE);
    /* One key leaves, and not the other one of the same entity. */
    KITH_REMOVE(commands, c, Badge);
    KITH_SET(commands, b, Account, {.id = 1});
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    kith_commands_discard(commands);
    /* The same number is another key in another type. */
    KITH_SET(commands, b, Account, {.id = 9});
    KITH_SPAWN(commands, KITH_VALUE(Badge, {77}), KITH_VALUE(Account, {.id = 78}));
    KITH_SPAWN(commands, KITH_VALUE(Badge, {78}), KITH_VALUE(Account, {.id = 77}));
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(KITH_FIND_UNIQUE(world, Account, {.id = 9}), b);
    expect_badge(world, 9, c);
    /* A key that is set, and removed by the next command, is free. */
    KITH_SET(commands, b, Badge, {10});
    KITH_REMOVE(commands, b, Badge);
    KITH_SET(commands, c, Badge, {10});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 10, c);
    kith_commands_free(commands);
    fixture_free(&f);
}

/* However often the same is set, by whichever call; and another one each time. */
TEST_EACH_LAYOUT(a_key_that_is_set_again_takes_no_room, layout)
{
    fixture f = kinds_world(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Badge, {7}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Badge, {8}));
    kith_entity c = KITH_SPAWN(f.world, KITH_VALUE(Badge, {9}));
    size_t used = 0;
    for (uint32_t i = 0; i < 3000; i++) {
        const Badge badge = {8};
        CHECK_RESULT(KITH_SET(f.world, a, Badge, {7}), KITH_OK);
        CHECK_RESULT(kith_set_bytes(f.world, b, &Badge_type, &badge, sizeof(badge)), KITH_OK);
        CHECK_RESULT(KITH_SET(f.world, b, Badge, {7}), KITH_ERR_CONFLICT);
        CHECK_RESULT(KITH_SET(f.world, c, Badge, {100 + i}), KITH_OK);
        used = i == 10 ? kith_memory(f.world).used : used;
    }
    CHECK_UINT(kith_memory(f.world).used, used);
    expect_badge(f.world, 8, b);
    fixture_free(&f);
}
