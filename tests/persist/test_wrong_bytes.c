/* What a world makes of bytes that are not the difference from what it is, or none at all. */
#include <kith/kith.h>
#include <string.h>

#include "follower.h"
#include "owned.h"
#include "random.h"
#include "wrong_bytes.h"

/* ---- What is refused ------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(another_world_is_refused, layout)
{
    pair p = pair_new(layout);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    follow(&p);
    check_refused(&p, KITH_ERR_CONFLICT, "other ticks, random numbers or slots");
    KITH_SET(p.f.world, a, Position, {5, 2});
    write_difference(&p);
    KITH_SET(p.g.world, a, Position, {3, 2});
    check_refused(&p, KITH_ERR_CONFLICT, "other values, rows or slots");
    KITH_SET(p.g.world, a, Position, {1, 3}); /* y is not what changed */
    CHECK_RESULT(apply(&p), KITH_OK);
    CHECK_FLOAT(KITH_GET(p.g.world, a, Position)->x, 5);
    CHECK_FLOAT(KITH_GET(p.g.world, a, Position)->y, 3);
    pair_free(&p);
}

/* The difference does not look at a component which it does not change, and would leave it behind. */
TEST(components_that_would_outlive_their_entity_are_refused)
{
    for (int layout = KITH_SPARSE; layout <= KITH_SLOT; layout++) {
        pair p = pair_new((kith_layout)layout);
        kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        follow(&p);
        KITH_SET(p.g.world, a, Byte, {1});
        kith_despawn(p.f.world, a);
        write_difference(&p);
        check_refused(&p, KITH_ERR_INPUT, "expected components of living entities only");
        CHECK_UINT(KITH_GET(p.g.world, a, Byte)->value, 1);
        pair_free(&p);
    }
}

/* An entity comes in the slot of one that ended, whose row is in a block that is not looked at. */
TEST(rows_that_would_outlive_their_entity_are_refused)
{
    pair p = pair_new(KITH_SPARSE);
    kith_entity a = KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity list[1100];
    const kith_values byte = {&Byte_type, NULL, false};
    CHECK_RESULT(kith_spawn_many(p.f.world, 1100, &byte, 1, list), KITH_OK);
    follow(&p);
    for (uint32_t i = 0; i < 1100; i++) {
        KITH_REMOVE(p.g.world, list[i], Byte);
    }
    KITH_ADD(p.g.world, a, Byte);
    for (uint32_t i = 1; i < 1100; i++) {
        KITH_ADD(p.g.world, list[i], Byte);
    }
    kith_despawn(p.f.world, a);
    KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {1}));
    write_difference(&p);
    check_refused(&p, KITH_ERR_INPUT, "expected components of living entities only");
    pair_free(&p);
}

TEST(types_have_to_be_the_same)
{
    static const kith_field other[] = {{"x", 0, 4, KITH_F32}, {"y", 4, 4, KITH_I32}};
    const kith_type_def def = {
        .name = "Position", .size = 8, .align = 4, .fields = other, .field_count = 2};
    for (int i = 0; i < 3; i++) {
        pair p = {.f = fixture_new(), .g = fixture_new()};
        CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
        KITH_SPAWN(p.f.world, KITH_VALUE(Position, {1, 2}));
        write_difference(&p);
        const kith_component_def slot = {.layout = KITH_SLOT};
        switch (i) {
        case 0: check_refused(&p, KITH_ERR_UNKNOWN, "the type 'Position' is not known"); break;
        case 1:
            CHECK_RESULT(kith_define(p.g.world, &def, NULL), KITH_OK);
            check_refused(&p, KITH_ERR_CONFLICT, "'Position' has other fields");
            break;
        default:
            CHECK_RESULT(kith_register(p.g.world, &Position_type, &slot), KITH_OK);
            check_refused(&p, KITH_ERR_CONFLICT, "'Position' has another layout");
        }
        pair_free(&p);
    }
}

TEST_EACH_LAYOUT(values_with_hooks_have_no_bytes, layout)
{
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_entity first = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity owner = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(KITH_ADD(f.world, owner, Owned), KITH_OK);
    kith_entity other = KITH_SPAWN(f.world, KITH_VALUE(Byte, {1}));
    CHECK_RESULT(KITH_ADD(f.world, other, Owned), KITH_OK);
    kith_snapshot *before, *after;
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_snapshot_take(f.world, &before), KITH_OK);

    /* They move with their entities, and go with them. */
    KITH_ADD(f.world, owner, Health);
    kith_despawn(f.world, first);
    kith_despawn(f.world, other);
    uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(kith_snapshot_take(f.world, &after), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(before, after, &bytes), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(f.world, before), KITH_OK);
    CHECK_RESULT(kith_diff_apply(f.world, bytes.data, bytes.size), KITH_OK);
    CHECK_WORLD(f.world);
    CHECK(kith_world_hash(f.world) == hash);
    CHECK_UINT(*KITH_GET(f.world, owner, Owned)->number, OWNED_INITIAL);

    /* But a new one, or a changed one, is refused. */
    CHECK_RESULT(kith_snapshot_diff_bytes(after, before, &bytes), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(f.world), "'Owned' has hooks");
    CHECK_UINT(bytes.size, 0);
    kith_snapshot_free(before);
    ++*KITH_GET_MUT(f.world, owner, Owned)->number;
    CHECK_RESULT(kith_snapshot_take(f.world, &before), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(after, before, &bytes), KITH_ERR_TYPE);
    kith_bytes_free(f.world, &bytes);
    fixture_free(&f);
    CHECK_UINT(record.live, 0);
}

TEST(texts_are_interned_only_with_a_difference_that_is_right)
{
    pair p = pair_new(KITH_TABLE);
    kith_entity a =
        KITH_SPAWN(p.f.world, KITH_VALUE(Label, {text_of(p.f.world, "new"), 1, 2, {0}}));
    write_difference(&p);
    p.bytes.size--;
    check_refused(&p, KITH_ERR_INPUT, "expected");
    CHECK(!kith_text_find(p.g.world, "new", NULL));
    p.bytes.size++;
    CHECK_RESULT(apply(&p), KITH_OK);
    CHECK_STR(kith_text_get(p.g.world, KITH_GET(p.g.world, a, Label)->text, NULL), "new");
    pair_free(&p);
}

/* ---- Any bytes ------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT_WITHIN(60, wrong_bytes_change_nothing, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world;
    kith_entity list[6];
    for (uint32_t i = 0; i < 6; i++) {
        list[i] = KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 2}), KITH_VALUE(Frozen));
    }
    KITH_SET(w, list[2], Label, {text_of(w, "old"), 1, 2, {3, 4}});
    KITH_RESOURCE_SET(w, Health, {1, 2});
    kith_despawn(w, list[5]);
    follow(&p);
    kith_despawn(w, list[1]);
    kith_despawn(w, list[3]);
    kith_entity e = KITH_SPAWN(w, KITH_VALUE(Position, {9, 9}), KITH_VALUE(Target, {list[0]}));
    KITH_SET(w, list[2], Label, {text_of(w, "new"), -1, 3, {3, 5}});
    KITH_REMOVE(w, list[4], Frozen);
    KITH_ADD(w, e, Frozen);
    KITH_SEND(w, Hit, {e, 5});
    kith_event_send(w, &Bell_type, NULL);
    kith_resource_remove(w, &Health_type);
    KITH_RESOURCE_SET(w, Wind, {1, e});
    CHECK_RESULT(kith_run(w, 1.0f), KITH_OK);
    write_difference(&p);
    apply_all_wrong(&p);
    pair_free(&p);
}

/* Two bytes at once, and bytes that are swapped, left out and doubled. */
TEST_EACH_LAYOUT_WITHIN(60, mangled_bytes_change_nothing, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world;
    kith_entity list[8];
    for (uint32_t i = 0; i < 8; i++) {
        list[i] = KITH_SPAWN(w, KITH_VALUE(Position, {(float)i, 2}));
        if (i % 2 == 0) {
            KITH_ADD(w, list[i], Frozen);
        }
    }
    follow(&p);
    kith_despawn(w, list[1]);
    kith_despawn(w, list[2]);
    KITH_ADD(w, list[3], Frozen);
    KITH_REMOVE(w, list[4], Position);
    KITH_SPAWN(w, KITH_VALUE(Position, {5, 5}), KITH_VALUE(Frozen));
    write_difference(&p);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
    uint64_t hash = kith_world_hash(p.g.world);
    uint64_t random = 5;
    unsigned char bytes[1024];
    for (uint32_t i = 0; i < (test_short() ? 2000u : 100000u); i++) {
        uint32_t size = p.bytes.size;
        CHECK(size < 1000);
        memcpy(bytes, p.bytes.data, size);
        for (uint32_t k = 1 + random_below(&random, 3); k > 0; k--) {
            uint32_t at = 21 + random_below(&random, size - 22);
            switch (random_below(&random, 5)) {
            case 0: bytes[at] = (unsigned char)random_below(&random, 12); break;
            case 1: bytes[at] = (unsigned char)(bytes[at] + 1); break;
            case 2: bytes[at] = (unsigned char)(bytes[at] - 1); break;
            case 3: memmove(bytes + at, bytes + at + 1, --size - at); break;
            default: memmove(bytes + at + 1, bytes + at, size++ - at);
            }
        }
        apply_wrong(p.g.world, before, hash, bytes, size);
    }
    pair_free(&p);
}

/* Two bytes at once are one or two higher, or one lower: an entity is in two rows, two are in one, a row
 * is left out, and so on. */
TEST_EACH_LAYOUT_WITHIN(60, neighbours_of_a_difference_change_nothing, layout)
{
    pair p = pair_new(layout);
    kith_world *w = p.f.world;
    kith_entity a = KITH_SPAWN(w, KITH_VALUE(Byte, {1}));
    kith_entity b = KITH_SPAWN(w, KITH_VALUE(Byte, {2}));
    follow(&p);
    kith_despawn(w, a);
    KITH_SPAWN(w, KITH_VALUE(Byte, {3}));
    KITH_SET(w, b, Byte, {5});
    write_difference(&p);
    kith_snapshot *before;
    CHECK_RESULT(kith_snapshot_take(p.g.world, &before), KITH_OK);
    uint64_t hash = kith_world_hash(p.g.world);
    unsigned char bytes[256];
    CHECK(p.bytes.size < sizeof bytes);
    static const unsigned char by[] = {1, 255, 2};
    for (uint32_t i = 35; i < p.bytes.size; i++) {
        for (uint32_t k = i + 1; k < p.bytes.size; k++) {
            for (uint32_t n = 0; n < 9; n++) {
                memcpy(bytes, p.bytes.data, p.bytes.size);
                bytes[i] = (unsigned char)(bytes[i] + by[n % 3]);
                bytes[k] = (unsigned char)(bytes[k] + by[n / 3]);
                apply_wrong(p.g.world, before, hash, bytes, p.bytes.size);
            }
        }
    }
    pair_free(&p);
}

/* A number has at most ten bytes, and 64 bits. */
TEST(numbers_that_are_too_large_are_told)
{
    pair p = pair_new(KITH_TABLE);
    write_difference(&p);
    unsigned char bytes[64] = {0};
    memcpy(bytes, p.bytes.data, 23); /* up to the tick */
    memset(bytes + 23, 0xff, 12);
    kith_result result = kith_diff_apply(p.g.world, bytes, 40);
    CHECK_RESULT(result, KITH_ERR_INPUT);
    CHECK_STR(kith_error(p.g.world), "kith_diff_apply: byte 23: expected a number of ticks");
    bytes[32] = 2;
    CHECK_RESULT(kith_diff_apply(p.g.world, bytes, 40), KITH_ERR_INPUT);
    CHECK_STR(kith_error(p.g.world), "kith_diff_apply: byte 23: expected a number of ticks");
    bytes[32] = 1;
    bytes[33] = 5;
    CHECK_RESULT(kith_diff_apply(p.g.world, bytes, 60), KITH_ERR_INPUT);
    CHECK_STR(kith_error(p.g.world),
              "kith_diff_apply: byte 23: expected a tick, and the same or the next one");
    CHECK_RESULT(kith_diff_apply(p.g.world, "KTHX", 4), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(p.g.world), "byte 0: expected \"KTHD\"");
    pair_free(&p);
}
