/* Hooks that fail change nothing, whichever value it is, also where a shared block is copied. */
#include <kith/kith.h>

#include "components.h"
#include "owners.h"
#include "share.h"

typedef kith_result (*owners_call)(owners *o, kith_entity entity, const Owned *value);

static kith_result call_set(owners *o, kith_entity entity, const Owned *value)
{
    return kith_set(o->world, entity, &Owned_type, value);
}

static kith_result call_add(owners *o, kith_entity entity, const Owned *value)
{
    (void)entity;
    (void)value;
    return KITH_ADD(o->world, kith_entity_next(o->world, KITH_NONE), Owned);
}

static kith_result call_several(owners *o, kith_entity entity, const Owned *value)
{
    const kith_value values[] = {KITH_VALUE(Velocity, {1, 2}), {&Owned_type, value}};
    return kith_set_values(o->world, entity, values, 2);
}

static kith_result call_spawn(owners *o, kith_entity entity, const Owned *value)
{
    (void)entity;
    const kith_value values[] = {KITH_VALUE(Frozen), {&Owned_type, value}};
    kith_entity made = {9, 9};
    kith_result result = kith_spawn(o->world, values, 2, &made);
    CHECK(result == KITH_OK || kith_entity_equal(made, (kith_entity){9, 9}));
    return result;
}

static kith_result call_many(owners *o, kith_entity entity, const Owned *value)
{
    (void)entity;
    const kith_values values[] = {KITH_VALUE(Velocity, {1, 2}), {&Owned_type, value, false}};
    return kith_spawn_many(o->world, 5, values, 2, NULL);
}

static kith_result call_many_new(owners *o, kith_entity entity, const Owned *value)
{
    (void)entity;
    (void)value;
    const kith_values values = {&Owned_type, NULL, true};
    return kith_spawn_many(o->world, 5, &values, 1, NULL);
}

static kith_result call_clone(owners *o, kith_entity entity, const Owned *value)
{
    (void)value;
    kith_entity made;
    return kith_clone(o->world, entity, &made);
}

static kith_result call_despawn(owners *o, kith_entity entity, const Owned *value)
{
    (void)value;
    return kith_despawn(o->world, entity);
}

static kith_result call_remove(owners *o, kith_entity entity, const Owned *value)
{
    (void)value;
    return KITH_REMOVE(o->world, entity, Owned);
}

static kith_result call_write(owners *o, kith_entity entity, const Owned *value)
{
    (void)value;
    void *owned;
    return kith_get_mut(o->world, entity, &Owned_type, &owned);
}

static const owners_call calls[] = {call_set,    call_add,      call_several, call_spawn,
                                    call_many,   call_many_new, call_clone,   call_despawn,
                                    call_remove, call_write};

/* One attempt in which the nth value that a hook makes fails; false if there was no nth. */
static bool attempt(owners_call call, kith_layout layout, bool shared, uint64_t nth)
{
    owners o;
    owners_new(&o, layout);
    kith_spawn_empty(o.world);
    kith_entity e = KITH_NONE;
    for (uint32_t i = 0; i < 6; i++) {
        e = spawn_number(&o, i);
    }
    Owned value = owned_new(&o.record, 100);
    test_share *share = shared ? test_share_world(o.world) : NULL;
    uint64_t hash = kith_world_hash(o.world);
    uint64_t live = o.record.live;
    owned_fail(&o.record, nth);
    kith_result result = call(&o, e, &value);
    bool reached = o.record.calls >= o.record.fail_at;
    CHECK_WORLD(o.world);
    CHECK_INT(result != KITH_OK, reached);
    if (reached) {
        CHECK(kith_world_hash(o.world) == hash);
        CHECK_UINT(o.record.live, live);
        CHECK_RESULT(call(&o, e, &value), KITH_OK);
        CHECK_WORLD(o.world);
    }
    if (share != NULL) {
        test_share_free(share);
    }
    owned_end(&o.record, &value);
    owners_free(&o);
    return reached;
}

static void sweep_hooks(kith_layout layout, bool shared, uint64_t least)
{
    uint64_t failures = 0;
    for (size_t i = 0; test_row(i, ROWS_OF(calls)); i++) {
        for (uint64_t nth = 1; attempt(calls[i], layout, shared, nth); nth++) {
            failures++;
            CHECK(nth < 100);
        }
    }
    CHECK(failures >= least);
}

TEST_EACH_LAYOUT(a_hook_that_fails_changes_nothing, layout)
{
    sweep_hooks(layout, false, 15);
}

/* Un-sharing copies value by value, and any of them may fail. */
TEST_EACH_LAYOUT(a_hook_that_fails_changes_nothing_while_blocks_are_shared, layout)
{
    sweep_hooks(layout, true, 40);
}

TEST_EACH_LAYOUT(what_a_hook_returns_is_what_the_call_returns, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e = kith_spawn_empty(o.world);
    owned_fail(&o.record, 1);
    CHECK_RESULT(KITH_ADD(o.world, e, Owned), KITH_ERR_SYSTEM);
    owned_fail(&o.record, 1);
    CHECK_RESULT(set_number(&o, e, 1), KITH_ERR_MEMORY);
    CHECK(!KITH_HAS(o.world, e, Owned));
    owners_free(&o);
}

/* Who shares blocks keeps the values in them, and ends them when it was the last to hold them. */
TEST_EACH_LAYOUT(shared_values_live_as_long_as_anyone_holds_them, layout)
{
    owners o;
    owners_new(&o, layout);
    kith_entity e[10];
    for (uint32_t i = 0; i < 10; i++) {
        e[i] = spawn_number(&o, i);
    }
    uint32_t *held = KITH_GET(o.world, e[4], Owned)->number;
    test_share *share = test_share_world(o.world);
    check_live(&o, 10);
    CHECK_RESULT(set_number(&o, e[4], 40), KITH_OK);
    CHECK(o.record.live > 10);
    CHECK_UINT(*held, 4);
    for (uint32_t i = 0; i < 60; i++) { /* a small block grows */
        spawn_number(&o, i);
    }
    CHECK_RESULT(kith_despawn_many(o.world, e, 10, NULL), KITH_OK);
    CHECK_WORLD(o.world);
    CHECK_UINT(*held, 4);
    test_share_free(share);
    check_live(&o, 60);
    owners_free(&o);
}

/* Growing takes what is shared by copies, too; and they may fail. */
TEST(a_shared_block_that_grows_copies_its_values)
{
    for (uint64_t nth = 1;; nth++) {
        owners o;
        owners_new(&o, KITH_TABLE);
        for (uint32_t i = 0; i < 4; i++) { /* a first block of 16-byte values has four rows */
            spawn_number(&o, i);
        }
        kith_entity empty = kith_spawn_empty(o.world);
        test_share *share = test_share_world(o.world);
        uint64_t live = o.record.live;
        owned_fail(&o.record, nth);
        kith_result result = KITH_ADD(o.world, empty, Owned);
        bool reached = o.record.calls >= o.record.fail_at;
        CHECK_INT(result != KITH_OK, reached);
        CHECK_WORLD(o.world);
        CHECK(!reached || o.record.live == live);
        test_share_free(share);
        owners_free(&o);
        if (!reached) {
            CHECK(nth == 6);
            break;
        }
    }
}
