/* Unique keys: no two entities get the same, whichever call would bring that about. */
#include <string.h>

#include "components.h"
#include "random.h"

typedef struct Account {
    int32_t id;
    int32_t server;
    char name[12];
} Account;
KITH_TYPE(Account, KITH_FIELD(Account, id), KITH_FIELD(Account, server), KITH_FIELD(Account, name));

/* Small plain values: those that calls write in the shortest way. */
typedef struct Badge {
    uint32_t number;
} Badge;
KITH_TYPE(Badge, KITH_FIELD(Badge, number));

typedef struct Seat {
    kith_entity who;
} Seat;
KITH_TYPE(Seat, KITH_FIELD(Seat, who));

static fixture unique_world(kith_layout layout)
{
    fixture f = fixture_with_all(layout);
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(f.world, &Account_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Badge_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Seat_type, &def), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(f.world, Badge, number), KITH_OK);
    return f;
}

static void expect_badge(kith_world *world, uint32_t number, kith_entity entity)
{
    kith_entity found = KITH_FIND_UNIQUE(world, Badge, {number});
    CHECK_UINT(found.index1, entity.index1);
    CHECK_UINT(found.generation, entity.generation);
    CHECK_WORLD(world);
}

/* Whether a call failed as a double key does, and left the world as it was. */
#define CHECK_DOUBLE(world, call)                                                                  \
    do {                                                                                           \
        uint64_t hash_before = kith_content_hash(world);                                           \
        CHECK_RESULT((call), KITH_ERR_CONFLICT);                                                   \
        CHECK(kith_content_hash(world) == hash_before);                                            \
        CHECK_WORLD(world);                                                                        \
    } while (0)

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
    CHECK_DOUBLE(world, kith_set_field(world, b, &Badge_type, "number", KITH_U32, &number,
                                       sizeof(number)));
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
            CHECK_RESULT(kith_diff_apply(guarded.world, bytes.data, bytes.size),
                         KITH_ERR_CONFLICT);
            CHECK_STR(kith_error(guarded.world), "kith_diff_apply: Entity(0v0) and Entity(3v0) have"
                                                 " the same Badge: number 3");
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

/* ---- Against a model that looks at all ------------------------------------------------------- */

#define MODEL_ENTITIES 24u
#define MODEL_KEYS 16u
#define MODEL_NONE UINT32_MAX

typedef struct unique_model {
    kith_world *world;
    kith_commands *commands;
    uint64_t random;
    kith_entity entities[MODEL_ENTITIES]; /* KITH_NONE: not there */
    uint32_t keys[MODEL_ENTITIES];        /* MODEL_NONE: it has none */
} unique_model;

static bool model_is_unique(const uint32_t *keys)
{
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (keys[i] != MODEL_NONE && keys[i] == keys[k]) {
                return false;
            }
        }
    }
    return true;
}

static void model_compare(const unique_model *m)
{
    for (uint32_t key = 0; key < MODEL_KEYS; key++) {
        kith_entity expected = KITH_NONE;
        for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
            expected = m->keys[i] == key ? m->entities[i] : expected;
        }
        kith_entity found = KITH_FIND_UNIQUE(m->world, Badge, {key});
        CHECK_UINT(found.index1, expected.index1);
        CHECK_UINT(found.generation, expected.generation);
    }
    CHECK_WORLD(m->world);
}

/* Does one thing at once. */
static void model_step(unique_model *m)
{
    uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    uint32_t key = random_below(&m->random, MODEL_KEYS);
    uint32_t keys[MODEL_ENTITIES];
    memcpy(keys, m->keys, sizeof(keys));
    if (kith_is_none(m->entities[i])) {
        keys[i] = key;
        m->entities[i] = random_below(&m->random, 2) == 0
                             ? KITH_SPAWN(m->world, KITH_VALUE(Badge, {key}))
                             : KITH_SPAWN(m->world, KITH_VALUE(Badge, {key}), KITH_VALUE(Position));
        CHECK_INT(!kith_is_none(m->entities[i]), model_is_unique(keys));
        m->keys[i] = model_is_unique(keys) ? key : MODEL_NONE;
        return;
    }
    switch (random_below(&m->random, 6)) {
    case 0:
        CHECK_RESULT(kith_despawn(m->world, m->entities[i]), KITH_OK);
        m->entities[i] = KITH_NONE;
        m->keys[i] = MODEL_NONE;
        break;
    case 1:
        kith_remove(m->world, m->entities[i], &Badge_type);
        m->keys[i] = MODEL_NONE;
        break;
    case 2: kith_remove(m->world, m->entities[i], &Position_type); break;
    case 3:
        CHECK_RESULT(kith_remove_all(m->world, m->entities[i]), KITH_OK);
        m->keys[i] = MODEL_NONE;
        break;
    default:
        keys[i] = key;
        CHECK_RESULT(KITH_SET(m->world, m->entities[i], Badge, {key}),
                     model_is_unique(keys) ? KITH_OK : KITH_ERR_CONFLICT);
        m->keys[i] = model_is_unique(keys) ? key : m->keys[i];
    }
}

/* Queues some things, and applies them all or none. */
static void model_apply(unique_model *m)
{
    kith_entity entities[MODEL_ENTITIES];
    uint32_t keys[MODEL_ENTITIES];
    bool made[MODEL_ENTITIES] = {false};
    memcpy(entities, m->entities, sizeof(entities));
    memcpy(keys, m->keys, sizeof(keys));
    for (uint32_t n = 2 + random_below(&m->random, 5); n > 0; n--) {
        uint32_t i = random_below(&m->random, MODEL_ENTITIES);
        uint32_t key = random_below(&m->random, MODEL_KEYS);
        uint32_t what = random_below(&m->random, 8);
        if (kith_is_none(entities[i])) {
            entities[i] = KITH_SPAWN(m->commands, KITH_VALUE(Badge, {key}));
            keys[i] = key;
            made[i] = true;
        } else if (what == 0) {
            KITH_DESPAWN(m->commands, entities[i]);
            entities[i] = KITH_NONE;
            keys[i] = MODEL_NONE;
            made[i] = false;
        } else if (what == 1) {
            KITH_REMOVE(m->commands, entities[i], Badge);
            keys[i] = MODEL_NONE;
        } else if (what == 2) {
            KITH_ADD(m->commands, entities[i], Badge);
            keys[i] = keys[i] == MODEL_NONE ? 0 : keys[i];
        } else if (what == 3) {
            KITH_REMOVE_ALL(m->commands, entities[i]);
            keys[i] = MODEL_NONE;
        } else {
            KITH_SET(m->commands, entities[i], Badge, {key});
            keys[i] = key;
        }
    }
    uint64_t hash = kith_content_hash(m->world);
    kith_result result = kith_commands_apply(m->commands, NULL);
    CHECK_RESULT(result, model_is_unique(keys) ? KITH_OK : KITH_ERR_CONFLICT);
    if (result != KITH_OK) {
        CHECK(kith_content_hash(m->world) == hash);
        kith_commands_discard(m->commands);
        return;
    }
    memcpy(m->keys, keys, sizeof(keys));
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        m->entities[i] = made[i] ? kith_commands_real(m->commands, entities[i]) : entities[i];
    }
}

TEST_EACH_LAYOUT_WITHIN(20, random_changes_agree_with_a_model, layout)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        fixture f = unique_world(layout);
        unique_model m = {.world = f.world, .random = seed};
        unique_model kept = m;
        kith_snapshot *snapshot = NULL;
        m.commands = kith_commands_new(f.world, NULL);
        memset(m.keys, 0xFF, sizeof(m.keys));
        for (uint32_t step = 0; step < 300; step++) {
            uint32_t what = random_below(&m.random, 30);
            if (what == 0) {
                kith_snapshot_free(snapshot);
                CHECK_RESULT(kith_snapshot_take(m.world, &snapshot), KITH_OK);
                kept = m;
            } else if (what == 1 && snapshot != NULL) {
                CHECK_RESULT(kith_snapshot_restore(m.world, snapshot), KITH_OK);
                memcpy(m.keys, kept.keys, sizeof(m.keys));
                memcpy(m.entities, kept.entities, sizeof(m.entities));
            } else if (what < 10) {
                model_apply(&m);
            } else {
                model_step(&m);
            }
            model_compare(&m);
        }
        kith_snapshot_free(snapshot);
        kith_commands_free(m.commands);
        fixture_free(&f);
    }
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
                  "kith_unique_new: Odd has no field \"wieght\"");
    check_refused(f.world, &Odd_type, NULL, KITH_ERR_INPUT,
                  "kith_unique_new: a unique key of Odd names no field; give it KITH_FIELDS");
    kith_query *query = KITH_QUERY(f.world, KITH_WRITE(Account));
    check_refused(f.world, &Account_type, "id", KITH_ERR_CONFLICT,
                  "kith_unique_new: the query \"(unnamed)\" writes Account in place; free it"
                  " first");
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

/* ---- Without memory -------------------------------------------------------------------------- */

typedef struct swept {
    fixture f;
    kith_world *world;
    kith_snapshot *snapshot; /* or NULL */
    kith_entity with;        /* Badge 1 */
    kith_entity without;     /* Position */
    kith_commands *commands; /* in which something is queued */
} swept;

typedef kith_result (*swept_act)(swept *s);

static kith_result act_set(swept *s)
{
    return KITH_SET(s->world, s->with, Badge, {500});
}

static kith_result act_add(swept *s)
{
    return KITH_SET(s->world, s->without, Badge, {500});
}

static kith_result act_set_values(swept *s)
{
    const kith_value values[] = {KITH_VALUE(Velocity), KITH_VALUE(Badge, {500})};
    return kith_set_values(s->world, s->without, values, 2);
}

static kith_result act_set_field(swept *s)
{
    const uint32_t number = 500;
    return kith_set_field(s->world, s->with, &Badge_type, "number", KITH_U32, &number,
                          sizeof(number));
}

static kith_result act_spawn(swept *s)
{
    const kith_value value = KITH_VALUE(Badge, {500});
    kith_entity made;
    return kith_spawn(s->world, &value, 1, &made);
}

static kith_result act_spawn_many(swept *s)
{
    Badge badges[40];
    for (uint32_t i = 0; i < 40; i++) {
        badges[i].number = 500 + i;
    }
    const kith_values values = KITH_VALUES(Badge, badges);
    return kith_spawn_many(s->world, 40, &values, 1, NULL);
}

static kith_result act_apply(swept *s)
{
    return kith_commands_apply(s->commands, NULL);
}

static kith_result act_make(swept *s)
{
    return s->snapshot != NULL ? KITH_OK : KITH_UNIQUE(s->world, Account, id);
}

static swept swept_new(kith_layout layout, uint32_t count, bool shared)
{
    swept s = {.f = unique_world(layout)};
    s.world = s.f.world;
    s.with = KITH_SPAWN(s.world, KITH_VALUE(Badge, {1}));
    s.without = KITH_SPAWN(s.world, KITH_VALUE(Position));
    KITH_SPAWN(s.world, KITH_VALUE(Account, {.id = 1}));
    for (uint32_t i = 2; i < count; i++) {
        KITH_SPAWN(s.world, KITH_VALUE(Badge, {i}));
    }
    s.commands = kith_commands_new(s.world, NULL);
    KITH_SET(s.commands, s.with, Badge, {2});
    KITH_SET(s.commands, kith_unique_find(s.world, &Badge_type, &(Badge){2}), Badge, {1});
    for (uint32_t i = 0; i < 20; i++) {
        KITH_SPAWN(s.commands, KITH_VALUE(Badge, {600 + i}));
    }
    if (shared) {
        CHECK_RESULT(kith_snapshot_take(s.world, &s.snapshot), KITH_OK);
    }
    return s;
}

/* Whichever allocation of a call fails, nothing has changed, and the next call does it. */
static void sweep_unique(kith_layout layout, uint32_t count, bool shared, swept_act act)
{
    for (size_t nth = 1;; nth++) {
        swept s = swept_new(layout, count, shared);
        uint64_t hash = kith_content_hash(s.world);
        fail_allocation(&s.f, nth);
        kith_result result = act(&s);
        bool reached = fail_nothing(&s.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(!reached || kith_content_hash(s.world) == hash);
        CHECK_UINT(KITH_FIND_UNIQUE(s.world, Badge, {3}).index1, count > 3 ? s.without.index1 + 3 : 0);
        CHECK_WORLD(s.world);
        if (reached) {
            CHECK_RESULT(act(&s), KITH_OK);
            CHECK_WORLD(s.world);
        }
        kith_commands_free(s.commands);
        kith_snapshot_free(s.snapshot);
        fixture_free(&s.f);
        if (!reached) {
            break;
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(10, nothing_changes_without_memory, layout)
{
    static const swept_act acts[] = {act_set,   act_add,        act_set_values, act_set_field,
                                     act_spawn, act_spawn_many, act_apply,      act_make};
    static const uint32_t counts[] = {3, 6, 7, 8, 9, 17}; /* where maps are just full */
    for (uint32_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
        for (uint32_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
            sweep_unique(layout, counts[k], false, acts[i]);
            sweep_unique(layout, counts[k], true, acts[i]);
        }
    }
}
