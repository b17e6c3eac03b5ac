/* Names of entities in command buffers: what counts is what siblings have at the end. */
#include <stdio.h>

#include "names.h"

TEST(siblings_exchange_names_and_parents_in_one_buffer)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    kith_entity ship = named(world, "ship", KITH_NONE);
    kith_entity base = named(world, "base", KITH_NONE);
    kith_entity a = named(world, "a", ship);
    kith_entity b = named(world, "b", ship);
    kith_entity c = named(world, "a", base);
    const kith_name name_a = name_value(world, "a");
    const kith_name name_b = name_value(world, "b");
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_commands_set(commands, a, &kith_name_type, &name_b);
    CHECK_CLASH(world, kith_commands_apply(commands, NULL));
    CHECK_STR(kith_error(world), "kith_commands_apply: \"ship/b\" (Entity(3v0)) and \"ship/a\""
                                 " (Entity(2v0)) would both have the name \"b\" below \"ship\""
                                 " (Entity(0v0)); names of siblings differ");
    kith_commands_set(commands, b, &kith_name_type, &name_a);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/a"), b);
    CHECK_SAME(kith_find(world, "ship/b"), a);
    CHECK_WORLD(world);
    /* Parents: each alone would clash. */
    KITH_SET(commands, b, kith_child_of, {base});
    CHECK_CLASH(world, kith_commands_apply(commands, NULL));
    KITH_SET(commands, c, kith_child_of, {ship});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/a"), c);
    CHECK_SAME(kith_find(world, "base/a"), b);
    CHECK_WORLD(world);
    /* A new one with the name of one that ends, goes, or is renamed. */
    kith_entity made = kith_commands_spawn(commands);
    KITH_SET(commands, made, kith_child_of, {ship});
    kith_commands_set(commands, made, &kith_name_type, &name_a);
    KITH_DESPAWN(commands, c);
    kith_entity root = kith_commands_spawn(commands);
    kith_commands_set(commands, root, &kith_name_type, &name_a);
    kith_entity under = kith_commands_spawn(commands);
    KITH_SET(commands, under, kith_child_of, {root});
    kith_commands_set(commands, under, &kith_name_type, &name_a);
    KITH_REMOVE(commands, a, kith_child_of);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/a"), kith_commands_real(commands, made));
    CHECK_SAME(kith_find(world, "a/a"), kith_commands_real(commands, under));
    CHECK_SAME(kith_find(world, "b"), a);
    CHECK_WORLD(world);
    /* Two new ones. */
    for (int i = 0; i < 2; i++) {
        kith_entity twin = kith_commands_spawn(commands);
        KITH_SET(commands, twin, kith_child_of, {base});
        kith_commands_set(commands, twin, &kith_name_type, &name_b);
    }
    CHECK_CLASH(world, kith_commands_apply(commands, NULL));
    CHECK_CONTAINS(kith_error(world), " would both have the name \"b\" below \"base\"");
    kith_commands_discard(commands);
    /* Without its parent it would be beside another one; cleared, it has no name. */
    const kith_name both = name_value(world, "b");
    kith_entity child = named(world, "b", ship);
    KITH_REMOVE(commands, child, kith_child_of);
    CHECK_CLASH(world, kith_commands_apply(commands, NULL));
    KITH_REMOVE_ALL(commands, child);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_PTR_NULL(kith_name_of(world, child));
    KITH_REMOVE_ALL(commands, child);
    kith_commands_set(commands, child, &kith_name_type, &both);
    CHECK_CLASH(world, kith_commands_apply(commands, NULL));
    kith_commands_discard(commands);
    kith_commands_add(commands, child, &kith_name_type); /* zero bytes */
    CHECK_REFUSED(world, kith_commands_apply(commands, NULL), KITH_ERR_INPUT);
    kith_commands_discard(commands);
    kith_commands_add(commands, a, &kith_name_type); /* it has one, and moves */
    KITH_SET(commands, a, kith_child_of, {ship});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(kith_find(world, "ship/b"), a);
    CHECK_WORLD(world);
    kith_commands_free(commands);
    fixture_free(&f);
}

/* Where an entity was found once takes no room for long. */
TEST(names_that_are_gone_are_forgotten)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    enum { MANY = 600 };
    static kith_entity parents[MANY];
    static kith_name names[MANY];
    kith_entity gun = named(world, "gun", KITH_NONE);
    kith_commands *commands = kith_commands_new(world, NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        char text[16];
        snprintf(text, sizeof text, "n%u", i);
        names[i] = name_value(world, text);
        parents[i] = kith_spawn_empty(world);
    }
    const kith_child_of last = {parents[MANY - 1]};
    CHECK_RESULT(kith_set(world, gun, &kith_child_of_type, &last), KITH_OK);
    size_t before = kith_memory(world).used;
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(kith_set(world, gun, &kith_name_type, &names[i]), KITH_OK);
    }
    CHECK(kith_memory(world).used < before + 2048);
    for (uint32_t i = 0; i < MANY; i++) {
        CHECK_RESULT(kith_set_parent(world, gun, parents[i]), KITH_OK);
    }
    CHECK(kith_memory(world).used < before + 2048);
    for (uint32_t i = 0; i < MANY; i++) {
        kith_commands_set(commands, gun, &kith_name_type, &names[0]);
        KITH_SET(commands, gun, kith_child_of, {parents[i]});
        CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
        before = i == 1 ? kith_memory(world).used : before; /* with what the buffer keeps */
    }
    CHECK(kith_memory(world).used < before + 2048);
    CHECK_SAME(kith_find_child(world, parents[MANY - 1], "n0"), gun);
    CHECK_WORLD(world);
    kith_commands_free(commands);
    fixture_free(&f);
}

/* Names are new to the world when the commands are applied. */
TEST(the_first_name_may_be_queued)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    const kith_name name = name_value(world, "a");
    kith_commands *commands = kith_commands_new(world, NULL);
    kith_entity parent = kith_commands_spawn(commands);
    kith_entity child = kith_commands_spawn(commands);
    kith_commands_set(commands, parent, &kith_name_type, &name);
    kith_commands_set(commands, child, &kith_name_type, &name);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_ERR_CONFLICT);
    KITH_SET(commands, child, kith_child_of, {parent});
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(kith_find(world, "a/a"), kith_commands_real(commands, child));
    CHECK_SAME(kith_find(world, "a"), kith_commands_real(commands, parent));
    CHECK_WORLD(world);
    kith_commands_free(commands);
    fixture_free(&f);
}
