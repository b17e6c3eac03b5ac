/* Unique keys where they are easily mixed up: different keys with the same hash, keys of many fields,
 * and handles that change on the way into another world. */
#include "base/hash.h"
#include "random.h"
#include "store/field_key.h"
#include "unique_keys.h"

/* ---- Keys with equal hashes ------------------------------------------------------------------ */

typedef struct Wide {
    uint64_t first;
    uint64_t second;
    uint32_t other;
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, first), KITH_FIELD(Wide, second), KITH_FIELD(Wide, other),
          KITH_GAP);

#define WIDES 24u

/* A hash of two numbers mixes the second one into that of the first: so for each first one there is a
 * second one with which the hash of both is what is wanted. */
static Wide wide_of(uint64_t first)
{
    const uint64_t wanted = 12345;
    return (Wide){.first = first, .second = wanted ^ ki_hash_u64(KI_HASH_SEED, first)};
}

static fixture wide_world(kith_layout layout)
{
    fixture f = unique_world(layout);
    const Wide a = wide_of(1);
    const Wide b = wide_of(2);
    CHECK_RESULT(kith_register(f.world, &Wide_type, &(kith_component_def){.layout = layout}),
                 KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(f.world, Wide, first, second), KITH_OK);
    CHECK(ki_key_hash(Wide_type.fields, 2, (const uint8_t *)&a) ==
          ki_key_hash(Wide_type.fields, 2, (const uint8_t *)&b));
    return f;
}

static kith_entity find_wide(kith_world *world, uint64_t first)
{
    const Wide wide = wide_of(first);
    return kith_unique_find(world, &Wide_type, &wide);
}

static kith_result set_wide(kith_world *world, kith_entity entity, uint64_t first)
{
    const Wide wide = wide_of(first);
    return kith_set(world, entity, &Wide_type, &wide);
}

TEST_EACH_LAYOUT(keys_with_one_hash_are_different_keys, layout)
{
    fixture f = wide_world(layout);
    kith_world *world = f.world;
    kith_entity a = kith_spawn_empty(world);
    kith_entity b = kith_spawn_empty(world);
    kith_entity c = kith_spawn_empty(world);
    CHECK_RESULT(set_wide(world, a, 1), KITH_OK);
    CHECK_RESULT(set_wide(world, b, 2), KITH_OK);
    CHECK_DOUBLE(world, set_wide(world, c, 1));
    CHECK_DOUBLE(world, set_wide(world, c, 2));
    CHECK_RESULT(set_wide(world, c, 3), KITH_OK);
    CHECK_SAME(find_wide(world, 1), a);
    CHECK_SAME(find_wide(world, 2), b);
    CHECK_SAME(find_wide(world, 3), c);
    CHECK_SAME(find_wide(world, 4), KITH_NONE);
    /* The entry of one that has another key of this hash by now stays. */
    CHECK_RESULT(set_wide(world, a, 5), KITH_OK);
    CHECK_SAME(find_wide(world, 1), KITH_NONE);
    CHECK_SAME(find_wide(world, 5), a);
    CHECK_RESULT(set_wide(world, b, 1), KITH_OK);
    CHECK_SAME(find_wide(world, 1), b);
    CHECK_SAME(find_wide(world, 2), KITH_NONE);
    CHECK_WORLD(world);
    /* In one buffer as well: these exchange keys, and those would have the same. */
    kith_commands *commands = kith_commands_new(world, NULL);
    const Wide one = wide_of(1);
    const Wide five = wide_of(5);
    const Wide six = wide_of(6);
    kith_commands_set(commands, a, &Wide_type, &one);
    kith_commands_set(commands, b, &Wide_type, &five);
    kith_commands_spawn_values(commands, (kith_value[]){{&Wide_type, &six}}, 1);
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_SAME(find_wide(world, 1), a);
    CHECK_SAME(find_wide(world, 5), b);
    CHECK(!kith_is_none(find_wide(world, 6)));
    kith_commands_set(commands, c, &Wide_type, &one);
    kith_commands_set(commands, a, &Wide_type, &six);
    CHECK_DOUBLE(world, kith_commands_apply(commands, NULL));
    kith_commands_free(commands);
    const Wide many[] = {wide_of(10), wide_of(11), wide_of(12)};
    const Wide twice[] = {wide_of(21), wide_of(20), wide_of(20)};
    const kith_values good = KITH_VALUES(Wide, many);
    const kith_values bad = KITH_VALUES(Wide, twice);
    CHECK_DOUBLE(world, kith_spawn_many(world, 3, &bad, 1, NULL));
    CHECK_RESULT(kith_spawn_many(world, 3, &good, 1, NULL), KITH_OK);
    CHECK_DOUBLE(world, kith_spawn_many(world, 3, &good, 1, NULL));
    CHECK(!kith_is_none(find_wide(world, 12)));
    fixture_free(&f);
}

/* At random, and through restores, maps that grow, and a fork: all keys have one hash. */
TEST_EACH_LAYOUT(many_keys_with_one_hash, layout)
{
    fixture f = wide_world(layout);
    kith_world *world = f.world;
    kith_entity entities[WIDES];
    uint64_t keys[WIDES] = {0};
    uint64_t kept[WIDES] = {0};
    uint64_t random = 5;
    kith_snapshot *snapshot = NULL;
    for (uint32_t i = 0; i < WIDES; i++) {
        entities[i] = kith_spawn_empty(world);
    }
    for (uint32_t step = 0; step < 1500; step++) {
        uint32_t i = random_below(&random, WIDES);
        uint64_t key = 1 + random_below(&random, 40);
        uint32_t what = random_below(&random, 40);
        if (what < 8) {
            kith_remove(world, entities[i], &Wide_type);
            keys[i] = 0;
        } else if (what == 8) {
            kith_snapshot_free(snapshot);
            CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
            memcpy(kept, keys, sizeof(keys));
        } else if (what == 9 && snapshot != NULL) {
            CHECK_RESULT(kith_snapshot_restore(world, snapshot), KITH_OK);
            memcpy(keys, kept, sizeof(keys));
        } else {
            bool taken = false;
            for (uint32_t k = 0; k < WIDES; k++) {
                taken = taken || (k != i && keys[k] == key);
            }
            CHECK_RESULT(set_wide(world, entities[i], key), taken ? KITH_ERR_CONFLICT : KITH_OK);
            keys[i] = taken ? keys[i] : key;
        }
        for (key = 1; key <= 40; key++) {
            kith_entity expected = KITH_NONE;
            for (uint32_t k = 0; k < WIDES; k++) {
                expected = keys[k] == key ? entities[k] : expected;
            }
            CHECK_SAME(find_wide(world, key), expected);
        }
        CHECK_WORLD(world);
    }
    kith_snapshot_free(snapshot);
    fixture_free(&f);
}

/* An index that is a hash of such fields finds those with the value alone, and so do queries. */
TEST_EACH_LAYOUT(an_index_tells_values_with_one_hash_apart, layout)
{
    fixture f = wide_world(layout);
    kith_entity entities[1000];
    for (uint32_t i = 0; i < 1000; i++) {
        entities[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(set_wide(f.world, entities[i], 1 + i), KITH_OK);
    }
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Wide, first, second)};
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Wide, first, ==, kith_bound("first")),
                                   KITH_IF(Wide, second, ==, kith_bound("second")));
    for (uint64_t first = 1; first <= 1001; first += 125) {
        const Wide wide = wide_of(first);
        kith_index_found found;
        CHECK_RESULT(kith_index_find(index, &wide, &found), KITH_OK);
        CHECK_UINT(found.count, first <= 1000);
        CHECK(found.count == 0 || kith_entity_equal(found.entities[0], entities[first - 1]));
        CHECK_RESULT(kith_query_bind(query, "first", wide.first), KITH_OK);
        CHECK_RESULT(kith_query_bind(query, "second", wide.second), KITH_OK);
        CHECK_UINT(kith_query_count(query), first <= 1000);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

KITH_COMPONENT(Six, (int8_t, a), (uint16_t, b), (kith_text, c), (char, d, 5), (bool, e),
               (kith_entity, f));

/* Each field counts, in a key of as many as there may be. */
TEST_EACH_LAYOUT(keys_of_six_fields, layout)
{
    fixture f = fixture_new();
    kith_world *world = f.world;
    CHECK_RESULT(kith_register(world, &Six_type, &(kith_component_def){.layout = layout}), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(world, Six, a, b, c, d, e, f), KITH_OK);
    Six values[8];
    kith_entity made[8];
    for (uint32_t i = 0; i < 8; i++) {
        Six *six = &values[i];
        memset(six, 0, sizeof(*six));
        memcpy(six->d, i == 4 ? "x\0abc" : "x\0def", 5);
        switch (i) {
        case 1: six->a = -128; break;
        case 2: six->b = 65535; break;
        case 3: CHECK_RESULT(kith_text_intern(world, "word", &six->c), KITH_OK); break;
        case 4: break; /* the same text as the first: what is after its end does not count */
        case 5: six->e = true; break;
        case 6: six->f = made[0]; break;
        case 7: memcpy(six->d, "xyzzy", 5); break;
        default: break;
        }
        const kith_value value = {&Six_type, six};
        CHECK_RESULT(kith_spawn(world, &value, 1, &made[i]), i == 4 ? KITH_ERR_CONFLICT : KITH_OK);
    }
    for (uint32_t i = 0; i < 8; i++) {
        CHECK_SAME(kith_unique_find(world, &Six_type, &values[i]), made[i == 4 ? 0 : i]);
    }
    CHECK_WORLD(world);
    fixture_free(&f);
}

/* ---- Calls that write in other ways ---------------------------------------------------------- */

/* Handles are other ones in the other world: the key is compared as what it will be there. */
TEST_EACH_LAYOUT(transferred_handles_are_keys_as_they_will_be, layout)
{
    for (uint32_t clash = 0; clash < 3; clash++) {
        fixture from = unique_world(layout);
        fixture to = unique_world(layout);
        CHECK_RESULT(KITH_UNIQUE(from.world, Seat, who), KITH_OK);
        CHECK_RESULT(KITH_UNIQUE(to.world, Seat, who), KITH_OK);
        kith_spawn_empty(from.world);
        kith_entity pair[2] = {kith_spawn_empty(from.world), kith_spawn_empty(from.world)};
        CHECK_RESULT(KITH_SET(from.world, pair[0], Seat, {pair[1]}), KITH_OK);
        CHECK_RESULT(KITH_SET(from.world, pair[1], Seat, {pair[0]}), KITH_OK);
        for (uint32_t i = 0; i < 6; i++) {
            kith_spawn_empty(to.world);
        }
        /* The new ones will be in slots 7 and 8; somebody there has the next handle, or the old one. */
        const kith_entity known = {clash == 1 ? 9 : clash == 2 ? 3 : 20, 0};
        kith_entity sitting = KITH_SPAWN(to.world, KITH_VALUE(Seat, {known}));
        CHECK_UINT(sitting.index1, 7);
        kith_entity moved[2];
        const uint64_t before = kith_content_hash(from.world);
        const kith_result result = kith_transfer(from.world, pair, 2, to.world, moved);
        CHECK_RESULT(result, clash == 1 ? KITH_ERR_CONFLICT : KITH_OK);
        CHECK(result == KITH_OK || kith_content_hash(from.world) == before);
        if (result == KITH_OK) {
            CHECK_SAME(KITH_FIND_UNIQUE(to.world, Seat, {moved[1]}), moved[0]);
            CHECK_SAME(KITH_FIND_UNIQUE(to.world, Seat, {moved[0]}), moved[1]);
            CHECK_SAME(KITH_FIND_UNIQUE(from.world, Seat, {pair[0]}), KITH_NONE);
        }
        CHECK_SAME(KITH_FIND_UNIQUE(to.world, Seat, {known}), sitting);
        CHECK_WORLD(from.world);
        CHECK_WORLD(to.world);
        fixture_free(&from);
        fixture_free(&to);
    }
}

static void touch_badges(kith_iter *it)
{
    while (kith_next(it)) {
        KITH_COLUMN_MUT(it, Badge)[0].number = 1;
    }
}

/* Systems that write in place are in the way of a key, as queries are. */
TEST_EACH_LAYOUT(a_system_that_writes_in_place_is_in_the_way, layout)
{
    fixture f = unique_world(layout);
    kith_unique_free(f.world, &Badge_type);
    KITH_SPAWN(f.world, KITH_VALUE(Badge, {1}));
    KITH_SPAWN(f.world, KITH_VALUE(Badge, {2}));
    const kith_system_def def = {
        .name = "touch", .run = touch_badges, .query.terms = KITH_TERMS(KITH_WRITE(Badge))};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(f.world, Badge, number), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_system_remove(f.world, "touch"), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(f.world, Badge, number), KITH_OK);
    CHECK(kith_system_add(f.world, &def) != KITH_OK);
    expect_misuse(&f, "Badge has a unique key");
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Wherever memory runs out, the keys of before are found; then the difference is applied. */
TEST_EACH_LAYOUT(a_difference_fails_and_the_keys_are_there, layout)
{
    fixture source = unique_world(layout);
    kith_snapshot *snapshots[2];
    kith_bytes bytes = {0};
    for (uint32_t i = 0; i < 80; i++) {
        if (i == 6) {
            CHECK_RESULT(kith_snapshot_take(source.world, &snapshots[0]), KITH_OK);
        }
        KITH_SPAWN(source.world, KITH_VALUE(Badge, {i}));
    }
    CHECK_RESULT(kith_snapshot_take(source.world, &snapshots[1]), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(snapshots[0], snapshots[1], &bytes), KITH_OK);
    for (size_t nth = 1;; nth++) {
        fixture f = unique_world(layout);
        for (uint32_t i = 0; i < 6; i++) {
            KITH_SPAWN(f.world, KITH_VALUE(Badge, {i}));
        }
        fail_allocation(&f, nth);
        kith_result result = kith_diff_apply(f.world, bytes.data, bytes.size);
        bool reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        for (uint32_t i = 0; i < 80; i++) {
            CHECK_UINT(KITH_FIND_UNIQUE(f.world, Badge, {i}).index1, reached && i >= 6 ? 0 : i + 1);
        }
        CHECK_WORLD(f.world);
        if (reached) {
            CHECK_RESULT(kith_diff_apply(f.world, bytes.data, bytes.size), KITH_OK);
            CHECK_UINT(KITH_FIND_UNIQUE(f.world, Badge, {79}).index1, 80);
        }
        fixture_free(&f);
        if (!reached) {
            break;
        }
    }
    kith_bytes_free(source.world, &bytes);
    kith_snapshot_free(snapshots[0]);
    kith_snapshot_free(snapshots[1]);
    fixture_free(&source);
}

/* A difference brings more entities than there were: the map grows, and forgets nothing, whether the
 * difference is applied or not. Then back, to a snapshot from before. */
TEST_EACH_LAYOUT(a_difference_of_many_entities, layout)
{
    for (int clash = 0; clash < 2; clash++) {
        fixture source = unique_world(layout);
        fixture guarded = unique_world(layout);
        kith_unique_free(source.world, &Badge_type);
        kith_snapshot *before;
        kith_snapshot *after;
        kith_snapshot *early;
        kith_entity made[300];
        for (uint32_t i = 0; i < 300; i++) {
            if (i == 5) {
                CHECK_RESULT(kith_snapshot_take(source.world, &before), KITH_OK);
            }
            const Badge badge = {clash == 1 && i == 299 ? 3 : i};
            made[i] = kith_spawn_or_none(source.world, (kith_value[]){{&Badge_type, &badge}}, 1);
            if (i < 5) {
                CHECK(!kith_is_none(KITH_SPAWN(guarded.world, KITH_VALUE(Badge, {i}))));
            }
        }
        CHECK_RESULT(kith_snapshot_take(source.world, &after), KITH_OK);
        kith_bytes bytes = {0};
        CHECK_RESULT(kith_snapshot_diff_bytes(before, after, &bytes), KITH_OK);
        CHECK_RESULT(kith_snapshot_take(guarded.world, &early), KITH_OK);
        const uint64_t was = kith_world_hash(guarded.world);
        CHECK_RESULT(kith_diff_apply(guarded.world, bytes.data, bytes.size),
                     clash == 1 ? KITH_ERR_CONFLICT : KITH_OK);
        CHECK(clash == 0 || kith_world_hash(guarded.world) == was);
        for (uint32_t i = 0; i < 300; i++) {
            CHECK_SAME(KITH_FIND_UNIQUE(guarded.world, Badge, {i}),
                       clash == 1 && i >= 5 ? KITH_NONE : made[i]);
        }
        CHECK_WORLD(guarded.world);
        CHECK_RESULT(kith_snapshot_restore(guarded.world, early), KITH_OK);
        CHECK(kith_world_hash(guarded.world) == was);
        for (uint32_t i = 0; i < 6; i++) {
            expect_badge(guarded.world, i, i < 5 ? made[i] : KITH_NONE);
        }
        CHECK_DOUBLE(guarded.world, KITH_SET(guarded.world, made[0], Badge, {4}));
        kith_bytes_free(source.world, &bytes);
        kith_snapshot_free(before);
        kith_snapshot_free(after);
        kith_snapshot_free(early);
        fixture_free(&source);
        fixture_free(&guarded);
    }
}
