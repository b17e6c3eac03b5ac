/* Random changes, snapshots, restores, views and ends of both, beside naive copies of all there is. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "random.h"
#include "test.h"

/* What an entity was: of each component a copy of its bytes, or NULL. */
typedef struct copied_entity {
    kith_entity handle;
    unsigned char *values[COMPONENT_COUNT];
    uint32_t number; /* of Owned; 0: it has none */
} copied_entity;

typedef struct copied_world {
    kith_snapshot *snapshot;
    kith_world *view; /* of it; or NULL */
    copied_entity *entities;
    uint32_t count;
    uint64_t hash;
    uint64_t content;
} copied_world;

enum { KEPT = 8, MOST = 5000 };

typedef struct game {
    fixture f;
    owned_record record;
    uint64_t random;
    copied_world kept[KEPT];
    kith_entity entities[MOST]; /* as many as there are, with dead ones among them */
    uint32_t count;
    kith_bytes bytes; /* the last difference */
    uint32_t applied;
    char note[64];
} game;

static void copy_entity(const game *g, copied_entity *copy)
{
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = component_types[i];
        const void *value = kith_get(g->f.world, copy->handle, type);
        copy->values[i] = NULL;
        if (kith_has(g->f.world, copy->handle, type)) {
            copy->values[i] = calloc(1, type->size + 1);
            CHECK_PTR_NOT_NULL(copy->values[i]);
            if (type->size != 0) {
                memcpy(copy->values[i], value, type->size);
            }
        }
    }
    const Owned *owned = KITH_GET(g->f.world, copy->handle, Owned);
    copy->number = owned == NULL ? 0 : *owned->number;
}

static void copy_world(game *g, copied_world *copy)
{
    copy->hash = kith_world_hash(g->f.world);
    copy->content = kith_content_hash(g->f.world);
    copy->entities = calloc(kith_entity_count(g->f.world) + 1, sizeof *copy->entities);
    CHECK_PTR_NOT_NULL(copy->entities);
    copy->count = 0;
    for (kith_entity e = kith_entity_next(g->f.world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(g->f.world, e)) {
        copied_entity *entity = &copy->entities[copy->count++];
        entity->handle = e;
        copy_entity(g, entity);
    }
}

static void free_copy(copied_world *copy)
{
    for (uint32_t i = 0; i < copy->count; i++) {
        for (uint32_t k = 0; k < COMPONENT_COUNT; k++) {
            free(copy->entities[i].values[k]);
        }
    }
    free(copy->entities);
    *copy = (copied_world){0};
}

static void compare_entity(const kith_world *world, const copied_entity *copy)
{
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        const kith_type *type = component_types[i];
        CHECK_INT(kith_has(world, copy->handle, type), copy->values[i] != NULL);
        if (copy->values[i] != NULL && type->size != 0) {
            const void *value = kith_get(world, copy->handle, type);
            CHECK_PTR_NOT_NULL(value);
            CHECK(memcmp(value, copy->values[i], type->size) == 0);
        }
    }
    const Owned *owned = KITH_GET(world, copy->handle, Owned);
    CHECK_UINT(owned == NULL ? 0 : *owned->number, copy->number);
}

static void compare_world(const kith_world *world, const copied_world *copy)
{
    CHECK_UINT(kith_entity_count(world), copy->count);
    kith_entity e = KITH_NONE;
    for (uint32_t i = 0; i < copy->count; i++) {
        e = kith_entity_next(world, e);
        CHECK_SAME(e, copy->entities[i].handle);
        compare_entity(world, &copy->entities[i]);
    }
    CHECK(kith_world_hash(world) == copy->hash);
    CHECK(kith_content_hash(world) == copy->content);
}

static kith_entity pick(game *g)
{
    return g->count == 0 ? KITH_NONE : g->entities[random_below(&g->random, g->count)];
}

static void spawn(game *g, uint32_t wanted)
{
    static const kith_type *const types[] = {&Position_type, &Extra_type, &Frozen_type, &Name_type};
    wanted = g->count + wanted > MOST ? MOST - g->count : wanted;
    kith_values values[4];
    uint32_t count = random_below(&g->random, 5);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = (kith_values){types[i], NULL, false};
    }
    if (kith_spawn_many(g->f.world, wanted, values, count, g->entities + g->count) == KITH_OK) {
        g->count += wanted;
    }
}

/* Changes a bit of a field, unless the byte is padding, which differences do not tell. */
static void change_byte(const kith_type *type, unsigned char *bytes, uint32_t at)
{
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        if (field->kind != KITH_PADDING && at >= field->offset &&
            at < field->offset + field->size) {
            bytes[at] ^= 1;
        }
    }
}

static void change_one(game *g)
{
    kith_entity e = pick(g);
    const kith_type *type = component_types[random_below(&g->random, COMPONENT_COUNT)];
    float x = (float)random_below(&g->random, 1000);
    switch (random_below(&g->random, 9)) {
    case 0: kith_despawn(g->f.world, e); break;
    case 1:
    case 2: kith_add(g->f.world, e, type); break;
    case 3: kith_remove(g->f.world, e, type); break;
    case 4: KITH_SET(g->f.world, e, Position, {x, 1}); break;
    case 5: KITH_ADD(g->f.world, e, Owned); break;
    case 6: KITH_REMOVE(g->f.world, e, Owned); break;
    case 7: {
        unsigned char *bytes = type->size == 0 ? NULL : kith_get_mut_or_null(g->f.world, e, type);
        if (bytes != NULL) {
            change_byte(type, bytes, random_below(&g->random, type->size));
        }
        break;
    }
    default: {
        Owned *owned = KITH_GET_MUT(g->f.world, e, Owned);
        if (owned != NULL) {
            *owned->number = 1 + (uint32_t)x;
        }
    }
    }
}

static void write_all(game *g)
{
    kith_query *query = KITH_QUERY(g->f.world, KITH_WRITE(Position));
    float x = (float)random_below(&g->random, 1000);
    kith_iter it = query == NULL ? (kith_iter){0} : kith_query_iter(query);
    while (query != NULL && kith_next(&it)) {
        Position *positions = KITH_COLUMN_MUT(&it, Position);
        for (uint32_t i = 0; i < it.count; i++) {
            positions[i].x += x;
        }
    }
    kith_query_free(query);
}

static void check_view(const copied_world *copy)
{
    if (copy->view != NULL) {
        CHECK_WORLD(copy->view);
        compare_world(copy->view, copy);
    }
}

/* Ends a snapshot and its view, one before the other. */
static void free_kept(game *g, copied_world *copy)
{
    check_view(copy);
    if (random_below(&g->random, 2) == 0) {
        kith_world_free(copy->view);
        copy->view = NULL;
    }
    kith_snapshot_free(copy->snapshot);
    check_view(copy);
    kith_world_free(copy->view);
    free_copy(copy);
}

/* Makes a view, or looks at the one that there is. */
static void view_one(game *g)
{
    copied_world *copy = &g->kept[random_below(&g->random, KEPT)];
    const kith_world_def def = {.allocator = test_memory_allocator(g->f.memory)};
    if (copy->snapshot != NULL && copy->view == NULL) {
        kith_result result = kith_view_new(copy->snapshot, &def, &copy->view);
        CHECK(result == (copy->view == NULL ? KITH_ERR_MEMORY : KITH_OK));
    }
    check_view(copy);
}

static void take(game *g)
{
    copied_world *copy = &g->kept[random_below(&g->random, KEPT)];
    free_kept(g, copy);
    if (kith_snapshot_take(g->f.world, &copy->snapshot) == KITH_OK) {
        copy_world(g, copy);
    }
}

/* ---- Differences, found by comparing the copies ---------------------------------------------- */

typedef struct expected {
    game *g;
    kith_difference list[40 * MOST];
    uint32_t count;
    uint32_t visited;
} expected;

static const copied_entity no_entity;

static void expect(expected *to, kith_difference_kind kind, const copied_entity *entity,
                   const kith_type *type, const kith_field *field)
{
    CHECK(to->count < ROWS_OF(to->list));
    to->list[to->count++] =
        (kith_difference){.kind = kind, .entity = entity->handle, .type = type, .field = field};
}

/* The components in order of their names; the last one is Owned. */
static const uint32_t by_name[] = {7, 5, 11, 6, 3, 10, 2, 4, COMPONENT_COUNT, 9, 0, 8, 1};

static void expect_component(expected *to, const copied_entity *was, const copied_entity *is,
                             uint32_t number)
{
    bool owned = number == COMPONENT_COUNT;
    const kith_type *type = owned ? &Owned_type : component_types[number];
    bool had = owned ? was->number != 0 : was->values[number] != NULL;
    bool has = owned ? is->number != 0 : is->values[number] != NULL;
    if (had != has) {
        expect(to, had ? KITH_DIFF_REMOVED : KITH_DIFF_ADDED, had ? was : is, type, NULL);
    } else if (owned && was->number != is->number) {
        expect(to, KITH_DIFF_CHANGED, is, type, NULL);
    }
    for (uint32_t i = 0; !owned && had && has && i < type->field_count; i++) {
        const kith_field *field = &type->fields[i];
        const uint32_t at = field->offset;
        if (field->kind != KITH_PADDING &&
            memcmp(was->values[number] + at, is->values[number] + at, field->size) != 0) {
            expect(to, KITH_DIFF_CHANGED, is, type, field);
        }
    }
}

static void expect_entity(expected *to, const copied_entity *was, const copied_entity *is)
{
    if (!kith_is_none(was->handle) && !kith_is_none(is->handle) &&
        !kith_entity_equal(was->handle, is->handle)) {
        expect_entity(to, was, &no_entity);
        expect_entity(to, &no_entity, is);
        return;
    }
    if (kith_is_none(was->handle) || kith_is_none(is->handle)) {
        bool gone = kith_is_none(is->handle);
        expect(to, gone ? KITH_DIFF_DESPAWNED : KITH_DIFF_SPAWNED, gone ? was : is, NULL, NULL);
    }
    for (uint32_t i = 0; i < ROWS_OF(by_name); i++) {
        expect_component(to, was, is, by_name[i]);
    }
}

static void expect_all(expected *to, const copied_world *a, const copied_world *b)
{
    for (uint32_t i = 0, k = 0; i < a->count || k < b->count;) {
        uint32_t was = i < a->count ? a->entities[i].handle.index1 : UINT32_MAX;
        uint32_t is = k < b->count ? b->entities[k].handle.index1 : UINT32_MAX;
        expect_entity(to, was <= is ? &a->entities[i] : &no_entity,
                      is <= was ? &b->entities[k] : &no_entity);
        i += was <= is;
        k += is <= was;
    }
}

/* Fields are of the world's copy of a type, which leaves padding out. */
static bool check_expected(void *context, const kith_difference *difference)
{
    expected *to = context;
    CHECK(to->visited < to->count);
    const kith_difference *next = &to->list[to->visited++];
    CHECK_INT(difference->kind, next->kind);
    CHECK_SAME(difference->entity, next->entity);
    CHECK_STR(difference->type == NULL ? "" : difference->type->name,
              next->type == NULL ? "" : next->type->name);
    CHECK_STR(difference->field == NULL ? "" : difference->field->name,
              next->field == NULL ? "" : next->field->name);
    return true;
}

static void compare_two(game *g)
{
    const copied_world *a = &g->kept[random_below(&g->random, KEPT)];
    const copied_world *b = &g->kept[random_below(&g->random, KEPT)];
    if (a->snapshot == NULL || b->snapshot == NULL) {
        return;
    }
    expected *to = calloc(1, sizeof *to);
    CHECK_PTR_NOT_NULL(to);
    to->g = g;
    expect_all(to, a, b);
    kith_result result = kith_snapshot_diff(a->snapshot, b->snapshot, check_expected, to);
    CHECK_UINT(to->visited, result == KITH_OK ? to->count : 0);
    free(to);
}

static void set_entities(game *g, const copied_world *copy)
{
    g->count = 0;
    for (uint32_t i = 0; i < copy->count && i < MOST; i++) {
        g->entities[g->count++] = copy->entities[i].handle;
    }
}

static void restore(game *g)
{
    const copied_world *copy = &g->kept[random_below(&g->random, KEPT)];
    if (copy->snapshot == NULL) {
        return;
    }
    uint64_t hash = kith_world_hash(g->f.world);
    if (kith_snapshot_restore(g->f.world, copy->snapshot) != KITH_OK) {
        CHECK(kith_world_hash(g->f.world) == hash);
        fail_nothing(&g->f);
        CHECK_RESULT(kith_snapshot_restore(g->f.world, copy->snapshot), KITH_OK);
    }
    compare_world(g->f.world, copy);
    set_entities(g, copy);
}

/* Goes back to one snapshot, and from there to another one by the difference. Values with hooks that
 * changed do not travel. */
static void apply(game *g)
{
    const copied_world *a = &g->kept[random_below(&g->random, KEPT)];
    const copied_world *b = &g->kept[random_below(&g->random, KEPT)];
    if (a->snapshot == NULL || b->snapshot == NULL) {
        return;
    }
    kith_result result = kith_snapshot_diff_bytes(a->snapshot, b->snapshot, &g->bytes);
    fail_nothing(&g->f);
    if (result != KITH_OK) {
        CHECK_UINT(g->bytes.size, 0);
        return;
    }
    CHECK_RESULT(kith_snapshot_restore(g->f.world, a->snapshot), KITH_OK);
    fail_allocation(&g->f, 1 + random_below(&g->random, 60));
    result = kith_diff_apply(g->f.world, g->bytes.data, g->bytes.size);
    bool failed = fail_nothing(&g->f);
    CHECK_RESULT(result, failed ? KITH_ERR_MEMORY : KITH_OK);
    if (failed) {
        compare_world(g->f.world, a);
        CHECK_WORLD(g->f.world);
        CHECK_RESULT(kith_diff_apply(g->f.world, g->bytes.data, g->bytes.size), KITH_OK);
    }
    g->applied++;
    compare_world(g->f.world, b);
    set_entities(g, b);
}

static void step(game *g)
{
    if (random_below(&g->random, 4) == 0) {
        fail_allocation(&g->f, 1 + random_below(&g->random, 6));
    }
    switch (random_below(&g->random, 20)) {
    case 0: spawn(g, 1 + random_below(&g->random, 1500)); break;
    case 1: spawn(g, 1); break;
    case 2: write_all(g); break;
    case 3:
    case 4: take(g); break;
    case 5:
    case 6: restore(g); break;
    case 7: free_kept(g, &g->kept[random_below(&g->random, KEPT)]); break;
    case 15: view_one(g); break;
    case 8: kith_world_trim(g->f.world); break;
    case 10:
    case 11: compare_two(g); break;
    case 12:
    case 13:
    case 14: apply(g); break;
    case 9: kith_despawn_many(g->f.world, g->entities, g->count / 2, NULL); break;
    default:
        for (uint32_t i = random_below(&g->random, 20); i > 0; i--) {
            change_one(g);
        }
    }
    fail_nothing(&g->f);
    CHECK_WORLD(g->f.world);
}

static void play(uint64_t seed, uint32_t steps)
{
    game *g = calloc(1, sizeof *g);
    CHECK_PTR_NOT_NULL(g);
    g->f = fixture_new();
    g->random = seed;
    test_note(g->note);
    register_mixed(g->f.world, seed);
    kith_hooks hooks = owned_hooks(&g->record);
    const kith_component_def def = {.layout = (kith_layout)(seed % LAYOUT_COUNT), .hooks = &hooks};
    CHECK_RESULT(kith_register(g->f.world, &Owned_type, &def), KITH_OK);
    for (uint32_t i = 0; i < steps; i++) {
        snprintf(g->note, sizeof g->note, "seed %llu, step %u", (unsigned long long)seed, i);
        step(g);
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        check_view(&g->kept[i]);
        kith_world_free(g->kept[i].view);
    }
    for (uint32_t i = 0; i < KEPT; i += 2) {
        kith_snapshot_free(g->kept[i].snapshot);
    }
    for (uint32_t i = 0; i < KEPT; i++) {
        free_copy(&g->kept[i]);
    }
    kith_bytes_free(g->f.world, &g->bytes);
    fixture_free(&g->f);
    CHECK_UINT(g->record.live, 0);
    test_note(NULL);
    free(g);
}

TEST_WITHIN(60, what_is_restored_is_what_was_copied)
{
    uint64_t first = test_number("KITH_TEST_SEED", 1);
    for (uint64_t seed = first; seed < first + (test_long()    ? 2000
                                                : test_short() ? 2
                                                               : 20);
         seed++) {
        play(seed, 150);
    }
}
