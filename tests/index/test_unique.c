/* Unique keys: no two entities get the same, whichever call would bring that about. */
#include "unique_keys.h"

TEST_EACH_LAYOUT(a_key_leads_to_the_entity_that_has_it_now, layout)
{
    fixture f = unique_world(layout);
    expect_badge(f.world, 0, KITH_NONE);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Badge, {7}));
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Badge, {8}));
    expect_badge(f.world, 7, a);
    expect_badge(f.world, 8, b);
    CHECK_RESULT(KITH_SET(f.world, a, Badge, {9}), KITH_OK);
    expect_badge(f.world, 7, KITH_NONE);
    expect_badge(f.world, 9, a);
    CHECK_RESULT(KITH_SET(f.world, a, Badge, {9}), KITH_OK); /* the same again */
    CHECK_RESULT(KITH_ADD(f.world, a, Position), KITH_OK);   /* a move */
    expect_badge(f.world, 9, a);
    CHECK_RESULT(KITH_SET(f.world, b, Badge, {7}), KITH_OK);
    expect_badge(f.world, 7, b);
    CHECK_RESULT(KITH_REMOVE(f.world, b, Badge), KITH_OK);
    expect_badge(f.world, 7, KITH_NONE);
    CHECK_RESULT(KITH_SET(f.world, a, Badge, {7}), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, a), KITH_OK);
    expect_badge(f.world, 7, KITH_NONE);
    a = KITH_SPAWN(f.world, KITH_VALUE(Badge, {7})); /* in the same slot */
    expect_badge(f.world, 7, a);
    CHECK_RESULT(kith_remove_all(f.world, a), KITH_OK);
    expect_badge(f.world, 7, KITH_NONE);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(no_call_gives_two_entities_the_same_key, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Badge, {7}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Badge, {8}), KITH_VALUE(Position, {1, 2}));
    kith_entity c = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
    kith_entity made;
    const Badge seven = {7};
    const uint32_t number = 7;
    const kith_value both[] = {KITH_VALUE(Velocity), KITH_VALUE(Badge, {7})};
    CHECK_DOUBLE(world, KITH_SET(world, b, Badge, {7}));
    CHECK_DOUBLE(world, KITH_SET(world, c, Badge, {7}));
    CHECK_DOUBLE(world, kith_set_bytes(world, b, &Badge_type, &seven, sizeof(seven)));
    CHECK_DOUBLE(world, kith_set_values(world, b, both, 2));
    CHECK_DOUBLE(world, kith_set_values(world, c, both, 2));
    CHECK_DOUBLE(world, kith_spawn(world, both, 2, &made));
    CHECK_DOUBLE(world, kith_clone(world, a, &made));
    CHECK_DOUBLE(
        world, kith_set_field(world, b, &Badge_type, "number", KITH_U32, &number, sizeof(number)));
    CHECK_DOUBLE(world, kith_field_from_text(world, b, &Badge_type, "number", "7"));
    const Badge fresh[] = {{1}, {2}, {7}};
    const Badge same[] = {{1}, {2}, {1}};
    const kith_values three = KITH_VALUES(Badge, fresh);
    const kith_values twice = KITH_VALUES(Badge, same);
    const kith_values one_for_all = {&Badge_type, &fresh[0], false};
    CHECK_DOUBLE(world, kith_spawn_many(world, 3, &three, 1, NULL));
    CHECK_DOUBLE(world, kith_spawn_many(world, 3, &twice, 1, NULL));
    CHECK_DOUBLE(world, kith_spawn_many(world, 2, &one_for_all, 1, NULL));
    kith_entity made_two[2];
    CHECK_RESULT(kith_spawn_many(world, 2, &three, 1, made_two), KITH_OK);
    expect_badge(world, 1, made_two[0]);
    expect_badge(world, 2, made_two[1]);
    CHECK_RESULT(KITH_ADD(world, c, Badge), KITH_OK); /* zero bytes */
    expect_badge(world, 0, c);
    made = KITH_SPAWN(world, KITH_VALUE(Position));
    CHECK_DOUBLE(world, KITH_ADD(world, made, Badge));
    expect_badge(world, 7, a);
    expect_badge(world, 8, b);
    fixture_free(&f);
}

/* Bundles and transitions that were kept from before are not used any more, nor after. */
TEST_EACH_LAYOUT(what_was_done_before_there_was_a_key_is_asked_about_now, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    kith_unique_free(world, &Badge_type);
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Badge, {7}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Badge, {7}));
    const kith_value value = KITH_VALUE(Badge, {3});
    CHECK_RESULT(kith_set_values(world, a, &value, 1), KITH_OK);
    CHECK_RESULT(kith_set_values(world, b, &value, 1), KITH_OK);
    CHECK_DOUBLE(world, KITH_UNIQUE(world, Badge, number));
    CHECK_STR(kith_error(world), "kith_unique_new: Entity(0v0) and Entity(1v0) have the same"
                                 " Badge: number 3");
    KITH_GET_MUT(world, b, Badge)->number = 4;
    CHECK_RESULT(KITH_UNIQUE(world, Badge, number), KITH_OK);
    CHECK_DOUBLE(world, KITH_UNIQUE(world, Badge, number));
    expect_badge(world, 4, b);
    CHECK_DOUBLE(world, kith_set_values(world, b, &value, 1));
    CHECK(kith_is_none(KITH_SPAWN(world, KITH_VALUE(Badge, {4}))));
    kith_unique_free(world, &Badge_type);
    kith_unique_free(world, &Badge_type);
    CHECK_RESULT(KITH_SET(world, b, Badge, {3}), KITH_OK);
    CHECK_RESULT(kith_set_values(world, b, &value, 1), KITH_OK);
    KITH_GET_MUT(world, b, Badge)->number = 3;
    CHECK_WORLD(world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(errors_name_the_key_and_both_entities, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    CHECK_RESULT(KITH_UNIQUE(world, Account, name, server), KITH_OK);
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Account, {.server = -2, .name = "ziggy"}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Account, {.server = -1, .name = "ziggy"}));
    CHECK_DOUBLE(world, KITH_SET(world, b, Account, {1, -2, "ziggy"}));
    CHECK_STR(kith_error(world), "kith_set: Entity(0v0) and Entity(1v0) would have the same"
                                 " Account: name \"ziggy\", server -2; it is a unique key");
    CHECK(kith_is_none(KITH_SPAWN(world, KITH_VALUE(Account, {1, -2, "ziggy"}))));
    CHECK_STR(kith_error(world), "kith_spawn: Entity(0v0) and the new Entity(2v0) would have the"
                                 " same Account: name \"ziggy\", server -2; it is a unique key");
    CHECK_UINT(KITH_FIND_UNIQUE(world, Account, {9, -2, "ziggy"}).index1, a.index1);
    CHECK_UINT(KITH_FIND_UNIQUE(world, Account, {9, -2, "zigg"}).index1, 0);
    /* Bytes after the end of a text do not count. */
    Account longer = {9, -2, "ziggy\0abcde"};
    CHECK_UINT(kith_unique_find(world, &Account_type, &longer).index1, a.index1);
    const Badge same[] = {{5}, {6}, {5}};
    const kith_values values = KITH_VALUES(Badge, same);
    CHECK_DOUBLE(world, kith_spawn_many(world, 3, &values, 1, NULL));
    CHECK_STR(kith_error(world), "kith_spawn_many: the new entity number 1 and the new entity"
                                 " number 3 would have the same Badge: number 5; it is a unique"
                                 " key");
    fixture_free(&f);
}

TEST_EACH_LAYOUT(entities_exchange_keys_in_one_buffer, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Badge, {1}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Badge, {2}), KITH_VALUE(Position));
    kith_commands *commands = kith_commands_new(world, NULL);
    KITH_SET(commands, a, Badge, {2});
    KITH_SET(commands, b, Badge, {1});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 1, b);
    expect_badge(world, 2, a);
    /* A key goes from one that ends to a new one, and from that which loses it to another. */
    KITH_DESPAWN(commands, b);
    kith_entity made = KITH_SPAWN(commands, KITH_VALUE(Badge, {1}));
    kith_entity heir = KITH_SPAWN(commands, KITH_VALUE(Badge, {2}));
    KITH_REMOVE(commands, a, Badge);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    made = kith_commands_real(commands, made);
    expect_badge(world, 1, made);
    expect_badge(world, 2, kith_commands_real(commands, heir));
    /* One that is spawned and ended in the same buffer has no key. */
    kith_entity brief = KITH_SPAWN(commands, KITH_VALUE(Badge, {1}));
    KITH_DESPAWN(commands, brief);
    KITH_REMOVE_ALL(commands, made);
    KITH_ADD(commands, a, Badge);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 1, KITH_NONE);
    expect_badge(world, 0, a);
    kith_commands_free(commands);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(a_buffer_with_a_double_key_is_not_applied, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    kith_entity a = KITH_SPAWN(world, KITH_VALUE(Badge, {1}));
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Badge, {2}));
    kith_entity c = KITH_SPAWN(world, KITH_VALUE(Position));
    kith_commands *commands = kith_commands_new(world, NULL);
    KITH_SET(commands, a, Badge, {2});
    KITH_SET(commands, c, Velocity, {1, 2});
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    CHECK_STR(kith_error(world), "kith_commands_apply: Entity(1v0) and Entity(0v0) would have the"
                                 " same Badge: number 2; it is a unique key");
    KITH_SET(commands, b, Badge, {5}); /* now it can be */
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 2, a);
    expect_badge(world, 5, b);
    KITH_SPAWN(commands, KITH_VALUE(Badge, {8}));
    KITH_SPAWN(commands, KITH_VALUE(Badge, {8}));
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    kith_commands_discard(commands);
    KITH_ADD(commands, a, Badge); /* keeps what it has */
    KITH_SET(commands, b, Badge, {2});
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    kith_commands_discard(commands);
    KITH_CLONE(commands, a);
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    kith_commands_discard(commands);
    kith_entity clone = KITH_CLONE(commands, a);
    KITH_SET(commands, clone, Badge, {9});
    KITH_SET(commands, KITH_CLONE(commands, c), Badge, {10});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    expect_badge(world, 9, kith_commands_real(commands, clone));
    kith_commands_free(commands);
    fixture_free(&f);
}

/* Runs of many groups need more room than the last of them alone. */
TEST_EACH_LAYOUT(many_commands_of_many_kinds_have_room, layout)
{
    fixture f = unique_world(layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    kith_entity made[200];
    for (uint32_t i = 0; i < 200; i++) {
        made[i] = KITH_SPAWN(commands, KITH_VALUE(Badge, {i}));
        if (i % 2 != 0) {
            KITH_SET(commands, made[i], Position, {1, 2});
        }
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    for (uint32_t i = 0; i < 200; i++) {
        CHECK_UINT(KITH_FIND_UNIQUE(f.world, Badge, {i}).index1,
                   kith_commands_real(commands, made[i]).index1);
    }
    kith_commands_free(commands);
    fixture_free(&f);
}

/* A key may be an entity that the same buffer makes. */
TEST_EACH_LAYOUT(keys_that_are_entities_are_the_real_ones, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    CHECK_RESULT(KITH_UNIQUE(world, Seat, who), KITH_OK);
    kith_entity a = kith_spawn_empty(world);
    kith_entity b = kith_spawn_empty(world);
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_entity who = KITH_SPAWN(commands, KITH_VALUE(Position));
    KITH_SET(commands, a, Seat, {who});
    KITH_SET(commands, b, Seat, {who});
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    KITH_SET(commands, b, Seat, {a});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_UINT(KITH_FIND_UNIQUE(world, Seat, {kith_commands_real(commands, who)}).index1, a.index1);
    CHECK_UINT(KITH_FIND_UNIQUE(world, Seat, {a}).index1, b.index1);
    kith_entity c = kith_spawn_empty(world);
    CHECK_DOUBLE(world, KITH_SET(world, c, Seat, {a}));
    kith_commands_free(commands);
    fixture_free(&f);
}

/* Somebody may have kept a made-up handle, which the buffer brings to life. */
TEST_EACH_LAYOUT(a_key_that_is_an_entity_to_come_is_compared_as_what_it_will_be, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    CHECK_RESULT(KITH_UNIQUE(world, Seat, who), KITH_OK);
    kith_entity a = kith_spawn_empty(world);
    kith_entity b = KITH_SPAWN(world, KITH_VALUE(Seat, {{3, 0}}));
    CHECK_UINT(b.index1, 2);
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_entity who = KITH_SPAWN(commands, KITH_VALUE(Position));
    KITH_SET(commands, a, Seat, {who});
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    kith_commands_free(commands);
    fixture_free(&f);
}

/* Not even where the block was written a moment ago, and a pointer needs no call. */
TEST_EACH_LAYOUT(pointers_into_guarded_values_are_not_given, layout)
{
    fixture f = unique_world(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Badge, {1}));
    CHECK_RESULT(KITH_SET(f.world, a, Badge, {2}), KITH_OK);
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, a, Badge));
    expect_misuse(&f, "Badge has a unique key");
    expect_badge(f.world, 2, a);
    fixture_free(&f);
}

/* Keys that were given up before are found again after a restore, and those since then are not. */
TEST_EACH_LAYOUT(a_restored_world_finds_its_keys, layout)
{
    fixture f = unique_world(layout);
    kith_world *world = f.world;
    kith_entity entities[40];
    for (uint32_t i = 0; i < 40; i++) {
        entities[i] = KITH_SPAWN(world, KITH_VALUE(Badge, {i}));
    }
    kith_snapshot *snapshot = NULL;
    CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
    CHECK_DOUBLE(world, KITH_UNIQUE(world, Account, id));
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 40; i++) {
            CHECK_RESULT(KITH_SET(world, entities[i], Badge, {100 + i}), KITH_OK);
        }
        for (uint32_t i = 0; i < 40; i += 2) {
            CHECK_RESULT(kith_despawn(world, entities[i]), KITH_OK);
            CHECK(!kith_is_none(KITH_SPAWN(world, KITH_VALUE(Badge, {39 - i}))));
        }
        CHECK_RESULT(kith_snapshot_restore(world, snapshot), KITH_OK);
        for (uint32_t i = 0; i < 40; i++) {
            expect_badge(world, i, entities[i]);
            CHECK_UINT(KITH_FIND_UNIQUE(world, Badge, {100 + i}).index1, 0);
        }
        CHECK_DOUBLE(world, KITH_SET(world, entities[0], Badge, {1}));
    }
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* Views and forks find who had a key when the snapshot was taken, whatever became of it, and forks go
 * their own ways. */
TEST_EACH_LAYOUT(views_and_forks_find_by_their_keys, layout)
{
    enum { MANY = 3000 };
    static kith_entity entities[MANY];
    fixture f = unique_world(layout);
    kith_snapshot *snapshot = NULL;
    kith_world *worlds[2];
    for (uint32_t i = 0; i < MANY; i++) {
        entities[i] = KITH_SPAWN(f.world, KITH_VALUE(Badge, {i}));
    }
    CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(KITH_SET(f.world, entities[i], Badge, {MANY + i}), KITH_OK);
    }
    CHECK_RESULT(kith_view_new(snapshot, NULL, &worlds[0]), KITH_OK);
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &worlds[1]), KITH_OK);
    for (uint32_t i = 0; i < MANY; i += 7) {
        CHECK_SAME(KITH_FIND_UNIQUE(worlds[0], Badge, {i}), entities[i]);
        CHECK_SAME(KITH_FIND_UNIQUE(worlds[1], Badge, {i}), entities[i]);
        CHECK_SAME(KITH_FIND_UNIQUE(f.world, Badge, {i}), KITH_NONE);
    }
    CHECK_RESULT(KITH_SET(worlds[1], entities[0], Badge, {2 * MANY}), KITH_OK);
    CHECK_DOUBLE(worlds[1], KITH_SET(worlds[1], entities[0], Badge, {1}));
    CHECK_SAME(KITH_FIND_UNIQUE(worlds[0], Badge, {2 * MANY}), KITH_NONE);
    CHECK_SAME(KITH_FIND_UNIQUE(f.world, Badge, {2 * MANY}), KITH_NONE);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_WORLD(worlds[i]);
        kith_world_free(worlds[i]);
    }
    CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
    expect_badge(f.world, 5, entities[5]);
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* Views and forks of a world in which one of several keys has ended, where memory runs out. */
TEST_EACH_LAYOUT(copies_of_keys_survive_every_allocation_failure, layout)
{
    for (int forks = 0; forks < 2; forks++) {
        fixture f = unique_world(layout);
        kith_snapshot *snapshot = NULL;
        kith_world *copy = NULL;
        CHECK_RESULT(KITH_UNIQUE(f.world, Account, id), KITH_OK);
        CHECK_RESULT(KITH_UNIQUE(f.world, Seat, who), KITH_OK);
        const kith_fork_def def = {.world = {.allocator = test_memory_allocator(f.memory)}};
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Badge, {4}));
        kith_unique_free(f.world, &Account_type);
        CHECK_RESULT(KITH_SET(f.world, e, Seat, {e}), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        uint32_t failures = 0;
        for (bool reached = true; reached; failures += reached) {
            fail_allocation(&f, failures + 1);
            kith_result result = forks != 0 ? kith_fork_new(snapshot, &def, &copy)
                                            : kith_view_new(snapshot, &def.world, &copy);
            reached = fail_nothing(&f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_WORLD(f.world);
        }
        CHECK(failures >= 8);
        CHECK_SAME(KITH_FIND_UNIQUE(copy, Badge, {4}), e);
        CHECK_SAME(KITH_FIND_UNIQUE(copy, Seat, {e}), e);
        CHECK_WORLD(copy);
        kith_world_free(copy);
        kith_snapshot_free(snapshot);
        fixture_free(&f);
    }
}

/* What is cleared away after an exchange was true in a snapshot. There are so many that some of what
 * leads to one key is in two blocks, of which only one is written. */
TEST_EACH_LAYOUT(keys_that_are_exchanged_are_found_again_after_a_restore, layout)
{
    enum { MANY = 30000 };
    static kith_entity entities[MANY];
    fixture f = unique_world(layout);
    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        entities[i] = KITH_SPAWN(f.world, KITH_VALUE(Badge, {i}));
    }
    for (uint32_t i = 0; i < MANY; i += 2) {
        kith_snapshot *snapshot;
        CHECK_RESULT(kith_snapshot_take(f.world, &snapshot), KITH_OK);
        KITH_SET(commands, entities[i], Badge, {i + 1});
        KITH_SET(commands, entities[i + 1], Badge, {i});
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        CHECK_SAME(KITH_FIND_UNIQUE(f.world, Badge, {i}), entities[i + 1]);
        CHECK_RESULT(kith_snapshot_restore(f.world, snapshot), KITH_OK);
        CHECK_SAME(KITH_FIND_UNIQUE(f.world, Badge, {i}), entities[i]);
        CHECK_SAME(KITH_FIND_UNIQUE(f.world, Badge, {i + 1}), entities[i + 1]);
        kith_snapshot_free(snapshot);
    }
    CHECK_WORLD(f.world);
    kith_commands_free(commands);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(transfers_and_differences_are_asked_about, layout)
{
    fixture from = unique_world(layout);
    fixture to = unique_world(layout);
    kith_entity a = KITH_SPAWN(from.world, KITH_VALUE(Badge, {1}));
    kith_entity b = KITH_SPAWN(to.world, KITH_VALUE(Badge, {1}));
    kith_entity moved;
    uint64_t before = kith_content_hash(from.world);
    CHECK_DOUBLE(to.world, kith_transfer(from.world, &a, 1, to.world, &moved));
    CHECK(kith_content_hash(from.world) == before);
    CHECK_RESULT(KITH_SET(to.world, b, Badge, {2}), KITH_OK);
    CHECK_RESULT(kith_transfer(from.world, &a, 1, to.world, &moved), KITH_OK);
    expect_badge(to.world, 1, moved);
    expect_badge(from.world, 1, KITH_NONE);
    fixture_free(&from);
    fixture_free(&to);
}

/* Two worlds that are the same; what becomes of one is to become of the other. */
TEST_EACH_LAYOUT(a_difference_with_a_double_key_is_not_applied, layout)
{
    fixture free_one = unique_world(layout);
    fixture guarded = unique_world(layout);
    kith_unique_free(free_one.world, &Badge_type);
    kith_entity a[4];
    for (uint32_t i = 0; i < 4; i++) {
        a[i] = KITH_SPAWN(free_one.world, KITH_VALUE(Badge, {i}));
        CHECK(!kith_is_none(KITH_SPAWN(guarded.world, KITH_VALUE(Badge, {i}))));
    }
    for (uint32_t round = 0; round < 2; round++) {
        kith_snapshot *before = NULL;
        kith_snapshot *after = NULL;
        kith_bytes bytes = {0};
        CHECK_RESULT(kith_snapshot_take(free_one.world, &before), KITH_OK);
        CHECK_RESULT(KITH_SET(free_one.world, a[0], Badge, {round == 0 ? 9 : 3}), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(free_one.world, &after), KITH_OK);
        CHECK_RESULT(kith_snapshot_diff_bytes(before, after, &bytes), KITH_OK);
        if (round == 0) {
            CHECK_RESULT(kith_diff_apply(guarded.world, bytes.data, bytes.size), KITH_OK);
            expect_badge(guarded.world, 9, a[0]);
            expect_badge(guarded.world, 0, KITH_NONE);
        } else {
            uint64_t was = kith_content_hash(guarded.world);
            CHECK_RESULT(kith_diff_apply(guarded.world, bytes.data, bytes.size), KITH_ERR_CONFLICT);
            CHECK_STR(kith_error(guarded.world),
                      "kith_diff_apply: Entity(3v0) and Entity(0v0) would have the same Badge:"
                      " number 3; it is a unique key");
            CHECK(kith_content_hash(guarded.world) == was);
            expect_badge(guarded.world, 9, a[0]);
            expect_badge(guarded.world, 3, a[3]);
        }
        kith_bytes_free(free_one.world, &bytes);
        kith_snapshot_free(before);
        kith_snapshot_free(after);
    }
    fixture_free(&free_one);
    fixture_free(&guarded);
}

/* ---- Making one ------------------------------------------------------------------------------ */

typedef struct Odd {
    float weight;
    uint8_t bytes[4];
    uint16_t pair[2];
} Odd;
KITH_TYPE(Odd, KITH_FIELD(Odd, weight), KITH_FIELD(Odd, bytes), KITH_FIELD(Odd, pair));

static void check_refused(kith_world *world, const kith_type *type, const char *field,
                          kith_result expected, const char *message)
{
    const kith_unique_def def = {.type = type, .fields = {field}};
    CHECK_RESULT(kith_unique_new(world, &def), expected);
    CHECK_STR(kith_error(world), message);
}

TEST(only_what_is_compared_exactly_is_a_key)
{
    fixture f = unique_world(KITH_TABLE);
    check_refused(f.world, &Odd_type, "weight", KITH_ERR_INPUT,
                  "kith_unique_new: Odd.weight cannot be a unique key: only whole numbers, bools,"
                  " entities and texts can");
    check_refused(f.world, &Odd_type, "pair", KITH_ERR_INPUT,
                  "kith_unique_new: Odd.pair cannot be a unique key: only whole numbers, bools,"
                  " entities and texts can");
    check_refused(f.world, &Odd_type, "wieght", KITH_ERR_UNKNOWN,
                  "kith_unique_new: Odd has no field 'wieght' (did you mean weight?)");
    check_refused(f.world, &Odd_type, NULL, KITH_ERR_INPUT,
                  "kith_unique_new: a unique key of Odd names no field; give it KITH_FIELDS");
    const kith_unique_def gap = {.type = &Odd_type, .fields = {NULL, NULL, "bytes"}};
    CHECK_RESULT(kith_unique_new(f.world, &gap), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world),
              "kith_unique_new: fields[2] of Odd is \"bytes\", but fields[0] is NULL, which ends"
              " the list");
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Account));
    check_refused(f.world, &Account_type, "id", KITH_ERR_CONFLICT,
                  "kith_unique_new: the query of Account writes Account in place; free it first");
    kith_query_free(query);
    CHECK_RESULT(KITH_UNIQUE(f.world, Account, id), KITH_OK);
    fixture_free(&f);
}

/* A world is the same, whether it has unique keys or not. */
TEST_EACH_LAYOUT(a_key_is_no_part_of_the_state, layout)
{
    fixture with = unique_world(layout);
    fixture without = unique_world(layout);
    kith_unique_free(without.world, &Badge_type);
    for (uint32_t i = 0; i < 100; i++) {
        kith_entity a = KITH_SPAWN(with.world, KITH_VALUE(Badge, {i}));
        kith_entity b = KITH_SPAWN(without.world, KITH_VALUE(Badge, {i}));
        if (i % 3 == 0) {
            CHECK_RESULT(KITH_SET(with.world, a, Badge, {1000 + i}), KITH_OK);
            CHECK_RESULT(KITH_SET(without.world, b, Badge, {1000 + i}), KITH_OK);
        }
    }
    CHECK(kith_world_hash(with.world) == kith_world_hash(without.world));
    fixture_free(&with);
    fixture_free(&without);
}

/* Keys that come and go leave nothing that grows. */
TEST_EACH_LAYOUT(a_key_that_is_passed_on_takes_no_room, layout)
{
    fixture f = unique_world(layout);
    kith_entity entities[50];
    for (uint32_t i = 0; i < 50; i++) {
        entities[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    }
    uint64_t used = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        CHECK_RESULT(KITH_SET(f.world, entities[i % 50], Badge, {i % 500 == 0 ? 7 : i}), KITH_OK);
        CHECK_RESULT(KITH_REMOVE(f.world, entities[i % 50], Badge), KITH_OK);
        if (i == 5000) {
            used = kith_memory(f.world).used;
        }
    }
    CHECK_UINT(kith_memory(f.world).used, used);
    fixture_free(&f);
}

static kith_world *system_world;

static void find_in_system(kith_iter *it)
{
    uint32_t found = 0;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity who = KITH_FIND_UNIQUE(system_world, Badge, {i});
            found += who.index1 == kith_entities(it)[i].index1;
        }
    }
    CHECK_UINT(found, 5);
}

TEST_EACH_LAYOUT(systems_find_by_key, layout)
{
    fixture f = unique_world(layout);
    system_world = f.world;
    for (uint32_t i = 0; i < 5; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Badge, {i}), KITH_VALUE(Position));
    }
    const kith_system_def def = {
        .name = "find", .run = find_in_system, .query.terms = KITH_TERMS(KITH_READ(Position))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    fixture_free(&f);
}
