/* Views: worlds that read what a snapshot has, while its own world goes on. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "owned.h"
#include "random.h"
#include "rewound.h"
#include "test.h"

enum { MANY = 3000 };

/* A world with a bit of everything, a view of it, and what the view has to show. */
typedef struct viewed {
    fixture f;
    kith_world *world;
    kith_entity first; /* of MANY with Position {1, 2} and Health; every third one is Frozen too */
    kith_entity dead;
    kith_snapshot *snapshot;
    kith_world *view;
    uint64_t hash;
    uint64_t content;
} viewed;

static void told(const char *message, void *context)
{
    (void)context;
    test_fail(__FILE__, __LINE__, "%s", message);
}

static kith_world *view_of(fixture *f, const kith_snapshot *snapshot)
{
    kith_world *view;
    const kith_world_def def = {.allocator = test_memory_allocator(f->memory), .on_misuse = told};
    CHECK_RESULT(kith_view_new(snapshot, &def, &view), KITH_OK);
    CHECK_WORLD(view);
    return view;
}

static viewed viewed_new(kith_layout layout)
{
    viewed v = {.f = fixture_with_all(layout)};
    v.world = v.f.world;
    kith_entity entities[MANY];
    const kith_values values[] = {KITH_VALUE(Position, {1, 2}), KITH_VALUE(Health, {5, 9})};
    CHECK_RESULT(kith_spawn_many(v.world, MANY, values, 2, entities), KITH_OK);
    for (uint32_t i = 0; i < MANY; i += 3) {
        CHECK_RESULT(KITH_ADD(v.world, entities[i], Frozen), KITH_OK);
    }
    v.first = entities[0];
    v.dead = entities[MANY - 1];
    CHECK_RESULT(KITH_DESPAWN(v.world, v.dead), KITH_OK);
    CHECK_RESULT(kith_run(v.world, 1), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(v.world, Velocity, {7, 8}), KITH_OK);
    CHECK_RESULT(KITH_SEND(v.world, Extra, {1, 2, 3}), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(v.world, &v.snapshot), KITH_OK);
    v.hash = kith_world_hash(v.world);
    v.content = kith_content_hash(v.world);
    v.view = view_of(&v.f, v.snapshot);
    return v;
}

static void viewed_free(viewed *v)
{
    kith_world_free(v->view);
    fixture_free(&v->f);
}

/* Leaves nothing as it was. */
static void change_all(viewed *v)
{
    kith_query *query = KITH_QUERY(v->world, KITH_WRITE(Position), KITH_WRITE(Health));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        memset(KITH_COLUMN_MUT(&it, Position), 1, it.count * sizeof(Position));
        memset(KITH_COLUMN_MUT(&it, Health), 1, it.count * sizeof(Health));
    }
    for (uint32_t i = 0; i < 100; i++) {
        CHECK_RESULT(KITH_DESPAWN(v->world, kith_entity_next(v->world, KITH_NONE)), KITH_OK);
    }
    for (kith_entity e = kith_entity_next(v->world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(v->world, e)) {
        CHECK_RESULT(KITH_HAS(v->world, e, Health) ? KITH_REMOVE(v->world, e, Health)
                                                   : KITH_ADD(v->world, e, Burning),
                     KITH_OK);
    }
    CHECK_RESULT(KITH_RESOURCE_SET(v->world, Velocity, {0, 0}), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(v->world, Name, {"new"}), KITH_OK);
    CHECK_RESULT(KITH_SEND(v->world, Extra, {4, 5, 6}), KITH_OK);
    CHECK_RESULT(KITH_SEND(v->world, Byte, {1}), KITH_OK);
    CHECK_RESULT(kith_run(v->world, 1), KITH_OK);
    CHECK_RESULT(kith_run(v->world, 1), KITH_OK);
    kith_random_int(kith_world_random(v->world), 1, 6);
    CHECK_WORLD(v->world);
}

/* Asks by handle. */
static void check_values(const viewed *v)
{
    const Position *position = KITH_GET(v->view, v->first, Position);
    CHECK_FLOAT(position->x, 1);
    CHECK_FLOAT(position->y, 2);
    CHECK(KITH_HAS(v->view, v->first, Frozen) && !KITH_HAS(v->view, v->first, Burning));
    CHECK(!kith_alive(v->view, v->dead));
    CHECK_PTR_NULL(KITH_GET(v->view, v->dead, Position));
    CHECK_UINT(kith_entity_count(v->view), MANY - 1);
    CHECK_SAME(kith_entity_next(v->view, KITH_NONE), v->first);
    const void *pointers[2];
    const kith_entity two[2] = {v->first, v->dead};
    CHECK_UINT(kith_get_many(v->view, &Health_type, two, 2, pointers), 1);
    CHECK_INT(((const Health *)pointers[0])->max, 9);
    kith_lookup lookup = kith_lookup_new(v->view, &Health_type);
    CHECK_RESULT(lookup.result, KITH_OK);
    char text[256];
    size_t length;
    CHECK_RESULT(kith_print_entity(v->view, v->first, text, sizeof text, &length), KITH_OK);
    CHECK_CONTAINS(text, "Position { x = 1, y = 2 }");
    CHECK_CONTAINS(text, "Frozen");
}

/* Asks by queries, in C and in text, with a condition, by batches and by rows; and by an index. */
static void check_queries(const viewed *v)
{
    kith_query *query = KITH_QUERY(v->view, KITH_READ(Position), KITH_WITHOUT(Frozen),
                                   KITH_IF(Health, current, ==, 5));
    CHECK_PTR_NOT_NULL(query);
    double sum = 0;
    uint32_t rows = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += (double)KITH_COLUMN(&it, Position)[i].y;
        }
    }
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        rows += it.count;
    }
    CHECK_UINT(rows, MANY - MANY / 3 - 1);
    CHECK_FLOAT(sum, 2 * (MANY - MANY / 3 - 1));
    CHECK_UINT(kith_query_count(query), rows);
    kith_query_free(query);

    kith_query *text = kith_query_text(v->view, "Position, Frozen where Health.max = 9", NULL);
    CHECK_PTR_NOT_NULL(text);
    CHECK_UINT(kith_query_count(text), MANY / 3);
    kith_select *select;
    CHECK_RESULT(kith_select_new(v->view, "Frozen select sum(Health.max)", NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), 1);
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Health, max)};
    CHECK_RESULT(kith_index_new(v->view, &def, &index), KITH_OK);
    kith_index_found found;
    CHECK_RESULT(kith_index_find(index, &(Health){.max = 9}, &found), KITH_OK);
    CHECK_UINT(found.count, MANY - 1);
    kith_query_free(text);
    kith_select_free(select);
}

static void check_rest(const viewed *v)
{
    CHECK_UINT(kith_tick_count(v->view), 1);
    CHECK_FLOAT(KITH_RESOURCE(v->view, Velocity)->dx, 7);
    CHECK_PTR_NULL(KITH_RESOURCE(v->view, Name));
    CHECK_STR(kith_resource_at(v->view, 0)->name, "Velocity");
    CHECK_UINT(kith_event_count(v->view, &Extra_type), 1);
    CHECK_FLOAT(((const Extra *)kith_event_at(v->view, &Extra_type, 0))->c, 3);
    uint64_t reader = 0;
    CHECK_PTR_NOT_NULL(kith_event_next(v->view, &Extra_type, &reader, NULL));
    CHECK_PTR_NULL(kith_event_next(v->view, &Extra_type, &reader, NULL));
    CHECK_UINT(kith_event_count(v->view, &Byte_type), 0);
    kith_layout layout;
    kith_layout same;
    CHECK_RESULT(kith_layout_of(v->view, &Position_type, &layout), KITH_OK);
    CHECK_RESULT(kith_layout_of(v->world, &Position_type, &same), KITH_OK);
    CHECK_INT(layout, same);
    CHECK_UINT(kith_type_count(v->view), kith_type_count(v->world));
}

static void check_view(const viewed *v)
{
    CHECK_WORLD(v->view);
    CHECK(kith_world_hash(v->view) == v->hash);
    CHECK(kith_content_hash(v->view) == v->content);
    check_values(v);
    check_queries(v);
    check_rest(v);
    CHECK_WORLD(v->view);
    CHECK(kith_world_hash(v->view) == v->hash);
}

TEST_EACH_LAYOUT(a_view_shows_what_was, layout)
{
    viewed v = viewed_new(layout);
    check_view(&v);
    change_all(&v);
    check_view(&v);
    kith_snapshot_free(v.snapshot);
    change_all(&v);
    check_view(&v);
    viewed_free(&v);
}

/* Also of a snapshot that is not the last, after others came, and its own was restored. */
TEST_EACH_LAYOUT(snapshots_and_views_come_and_go, layout)
{
    viewed v = viewed_new(layout);
    kith_snapshot *later;
    change_all(&v);
    uint64_t changed = kith_world_hash(v.world);
    CHECK_RESULT(kith_snapshot_take(v.world, &later), KITH_OK);
    kith_world *other = view_of(&v.f, later);
    kith_world *again = view_of(&v.f, v.snapshot);
    CHECK_RESULT(kith_snapshot_restore(v.world, v.snapshot), KITH_OK);
    change_all(&v);
    kith_snapshot_free(later);
    CHECK(kith_world_hash(other) == changed);
    CHECK(kith_world_hash(again) == v.hash);
    kith_world_free(again);
    check_view(&v);
    CHECK_WORLD(other);
    kith_world_free(other);
    viewed_free(&v);
}

/* A table that was given back leaves its number free. */
TEST(tables_have_the_same_numbers)
{
    viewed v = {.f = fixture_with_all(KITH_TABLE)};
    v.world = v.f.world;
    kith_entity gone = KITH_SPAWN(v.world, KITH_VALUE(Byte));
    kith_entity stays = KITH_SPAWN(v.world, KITH_VALUE(Name, {"stays"}), KITH_VALUE(Health));
    CHECK_RESULT(KITH_DESPAWN(v.world, gone), KITH_OK);
    kith_world_trim(v.world);
    CHECK_UINT(kith_memory(v.world).tables, 2);
    CHECK_RESULT(kith_snapshot_take(v.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    CHECK_UINT(kith_memory(v.view).tables, 2);
    CHECK_STR(KITH_GET(v.view, stays, Name)->text, "stays");
    CHECK(kith_world_hash(v.view) == kith_world_hash(v.world));
    viewed_free(&v);
}

TEST(an_empty_world_has_a_view)
{
    viewed v = {.f = fixture_new()};
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    CHECK_UINT(kith_entity_count(v.view), 0);
    CHECK(kith_is_none(kith_entity_next(v.view, KITH_NONE)));
    CHECK(kith_world_hash(v.view) == kith_world_hash(v.f.world));
    viewed_free(&v);
}

/* What comes to the world later is unknown to the view, also by a query of that. */
TEST(types_that_come_later_are_unknown)
{
    viewed v = {.f = fixture_new()};
    kith_entity e = KITH_SPAWN(v.f.world, KITH_VALUE(Position, {1, 2}));
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    CHECK_RESULT(KITH_ADD(v.f.world, e, Burning), KITH_OK);
    CHECK_RESULT(KITH_SET(v.f.world, e, Health, {1, 2}), KITH_OK);
    CHECK(!KITH_HAS(v.view, e, Burning));
    kith_query *query = KITH_QUERY(v.view, KITH_READ(Health));
    CHECK_PTR_NOT_NULL(query);
    CHECK_UINT(kith_query_count(query), 0);
    uint64_t hash = kith_world_hash(v.view);
    kith_world *newer = view_of(&v.f, v.snapshot); /* which knows them */
    CHECK_PTR_NOT_NULL(kith_type_find(newer, "Burning"));
    CHECK(kith_world_hash(newer) == hash);
    kith_world_free(newer);
    viewed_free(&v);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

typedef struct Title {
    kith_text text;
} Title;
KITH_TYPE(Title, KITH_FIELD(Title, text));

TEST(texts_have_the_same_numbers)
{
    viewed v = {.f = fixture_new()};
    kith_text texts[500];
    char name[16];
    for (uint32_t i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "text %u", i);
        CHECK_RESULT(kith_text_intern(v.f.world, name, &texts[i]), KITH_OK);
        CHECK(!kith_is_none(KITH_SPAWN(v.f.world, KITH_VALUE(Title, {texts[i]}))));
    }
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    kith_text later;
    CHECK_RESULT(kith_text_intern(v.f.world, "later", &later), KITH_OK);
    for (uint32_t i = 0; i < 500; i++) {
        snprintf(name, sizeof name, "text %u", i);
        kith_text found;
        CHECK(kith_text_find(v.view, name, &found));
        CHECK_UINT(found.number, texts[i].number);
        CHECK_STR(kith_text_get(v.view, texts[i], NULL), name);
    }
    CHECK(!kith_text_find(v.view, "later", NULL));
    kith_text own;
    CHECK_RESULT(kith_text_intern(v.view, "of the view alone", &own), KITH_OK);
    CHECK(!kith_text_find(v.f.world, "of the view alone", NULL));
    kith_query *query = kith_query_text(v.view, "Title where Title.text = \"text 77\"", NULL);
    CHECK_PTR_NOT_NULL(query);
    CHECK_UINT(kith_query_count(query), 1);
    kith_text_error error;
    CHECK_PTR_NULL(kith_query_text(v.view, "write Title", &error));
    CHECK_CONTAINS(kith_error(v.view), "the world is a view");
    CHECK_UINT(error.line, 1);
    CHECK(kith_world_hash(v.view) == kith_world_hash(v.f.world));
    viewed_free(&v);
}

/* ---- Values with hooks, changes, systems ----------------------------------------------------- */

TEST_EACH_LAYOUT(values_with_hooks_belong_to_the_snapshot, layout)
{
    viewed v = {.f = fixture_new()};
    owned_record record = {0};
    kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(v.f.world, &Owned_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(v.f.world, KITH_VALUE(Owned));
    CHECK_RESULT(kith_resource_set(v.f.world, &Owned_type, NULL), KITH_OK);
    CHECK_RESULT(kith_event_send(v.f.world, &Owned_type, NULL), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    uint64_t live = record.live;
    v.hash = kith_world_hash(v.f.world);
    v.view = view_of(&v.f, v.snapshot);
    kith_world *other = view_of(&v.f, v.snapshot);
    CHECK_UINT(record.live, live);
    *KITH_GET_MUT(v.f.world, e, Owned)->number = 5;
    CHECK_RESULT(kith_resource_remove(v.f.world, &Owned_type), KITH_OK);
    kith_event_clear(v.f.world, &Owned_type);
    CHECK_UINT(*KITH_GET(v.view, e, Owned)->number, OWNED_INITIAL);
    CHECK_UINT(*KITH_RESOURCE(v.view, Owned)->number, OWNED_INITIAL);
    CHECK(kith_has_hooks(v.view, &Owned_type));
    CHECK(kith_world_hash(v.view) == v.hash);
    CHECK_WORLD(v.view);
    kith_world_free(other);
    CHECK(kith_world_hash(v.view) == v.hash);
    kith_snapshot_free(v.snapshot);
    CHECK(kith_world_hash(v.view) == v.hash);
    viewed_free(&v);
    CHECK_UINT(record.live, 0);
}

TEST(a_view_has_no_transient_components)
{
    viewed v = {.f = fixture_new()};
    const kith_component_def def = {.layout = KITH_SPARSE, .transient = true};
    CHECK_RESULT(kith_register(v.f.world, &Byte_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(v.f.world, KITH_VALUE(Byte), KITH_VALUE(Position));
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    CHECK(!KITH_HAS(v.view, e, Byte) && KITH_HAS(v.view, e, Position));
    CHECK(kith_is_transient(v.view, &Byte_type));
    CHECK(kith_world_hash(v.view) == kith_world_hash(v.f.world));
    viewed_free(&v);
}

/* Also in a block of which a log tells what was written, for an index: the view has no such log. */
TEST_EACH_LAYOUT(all_is_changed_once, layout)
{
    viewed v = {.f = fixture_with_all(layout)};
    kith_entity e = KITH_SPAWN(v.f.world, KITH_VALUE(Position));
    CHECK(!kith_is_none(KITH_SPAWN(v.f.world, KITH_VALUE(Position))));
    kith_index *index;
    const kith_index_def def = {.kind = KITH_INDEX_HASH, KITH_FIELDS(Position, x)};
    kith_index_found found;
    CHECK_RESULT(kith_index_new(v.f.world, &def, &index), KITH_OK);
    CHECK_RESULT(kith_index_find(index, &(Position){0}, &found), KITH_OK);
    CHECK_UINT(found.count, 2);
    CHECK_RESULT(KITH_SET(v.f.world, e, Position, {3, 4}), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    kith_query *changed = KITH_QUERY(v.view, KITH_CHANGED(Position));
    uint32_t count = 0;
    for (uint32_t look = 0; look < 2; look++) {
        for (kith_iter it = kith_query_iter(changed); kith_next(&it);) {
            count += it.count;
        }
        CHECK_UINT(count, 2);
    }
    viewed_free(&v);
}

/* Systems with intervals and switches, which a world's hash has: so has that of the view. */
TEST(the_hash_is_that_of_the_world)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        rewound r;
        rewound_begin(&r, seed);
        for (uint32_t i = 0; i < 20; i++) {
            rewound_step(&r);
        }
        rewound_act(&r);
        kith_snapshot *snapshot;
        CHECK_RESULT(kith_snapshot_take(r.world, &snapshot), KITH_OK);
        uint64_t hash = kith_world_hash(r.world);
        kith_world *view = view_of(&r.f, snapshot);
        CHECK(kith_world_hash(view) == hash);
        for (uint32_t i = 0; i < 20; i++) {
            rewound_step(&r);
            CHECK(kith_world_hash(view) == hash);
        }
        CHECK_WORLD(view);
        kith_world_free(view);
        rewound_end(&r);
    }
}

/* The snapshot is taken before systems are brought into order. */
TEST(the_hash_has_systems_in_order)
{
    viewed v = {.f = fixture_new()};
    const kith_system_def defs[] = {{.name = "goes", .update = update_nothing},
                                    {.name = "early", .update = update_nothing, .priority = -1},
                                    {.name = "late", .update = update_nothing, .priority = 1}};
    for (uint32_t i = 0; i < ROWS_OF(defs); i++) {
        CHECK_RESULT(kith_system_add(v.f.world, &defs[i]), KITH_OK);
    }
    CHECK_RESULT(kith_system_remove(v.f.world, "goes"), KITH_OK); /* the last one takes its place */
    CHECK_RESULT(kith_snapshot_take(v.f.world, &v.snapshot), KITH_OK);
    v.view = view_of(&v.f, v.snapshot);
    CHECK(kith_world_hash(v.view) == kith_world_hash(v.f.world));
    viewed_free(&v);
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Memory of a freed snapshot comes back when its last view has ended, and the world looks. */
static void check_memory_comes_back(void (*look)(kith_world *world))
{
    viewed v = viewed_new(KITH_TABLE);
    kith_world *other = view_of(&v.f, v.snapshot);
    kith_world_trim(v.world);
    kith_snapshot_free(v.snapshot);
    change_all(&v);
    look(v.world);
    uint64_t both = kith_memory(v.world).used;
    kith_world_free(v.view);
    look(v.world);
    CHECK_UINT(kith_memory(v.world).used, both);
    kith_world_free(other);
    CHECK_UINT(kith_memory(v.world).used, both);
    look(v.world);
    CHECK(kith_memory(v.world).used + MANY * sizeof(Position) < both);
    CHECK_WORLD(v.world);
    fixture_free(&v.f);
}

static void look_by_trim(kith_world *world)
{
    kith_world_trim(world);
}

static void look_by_snapshot(kith_world *world)
{
    kith_snapshot *snapshot;
    CHECK_RESULT(kith_snapshot_take(world, &snapshot), KITH_OK);
    kith_snapshot_free(snapshot);
}

TEST(the_memory_of_a_freed_snapshot_comes_back)
{
    check_memory_comes_back(look_by_trim);
    check_memory_comes_back(look_by_snapshot);
}

/* Also beside snapshots that came before it, and after. */
TEST(a_freed_snapshot_ends_beside_others)
{
    viewed v = viewed_new(KITH_TABLE);
    kith_snapshot *middle;
    kith_snapshot *last;
    change_all(&v);
    CHECK_RESULT(kith_snapshot_take(v.world, &middle), KITH_OK);
    change_all(&v);
    kith_world *view = view_of(&v.f, middle);
    kith_snapshot_free(middle);
    CHECK_RESULT(kith_snapshot_take(v.world, &last), KITH_OK);
    kith_world_trim(v.world);
    uint64_t all = kith_memory(v.world).used;
    kith_world_free(view);
    kith_world_trim(v.world);
    CHECK(kith_memory(v.world).used + MANY * sizeof(Position) < all);
    CHECK_RESULT(kith_snapshot_restore(v.world, v.snapshot), KITH_OK);
    CHECK(kith_world_hash(v.world) == v.hash);
    CHECK_RESULT(kith_snapshot_restore(v.world, last), KITH_OK);
    CHECK_WORLD(v.world);
    viewed_free(&v);
}

TEST(a_world_is_not_freed_before_its_views)
{
    viewed v = viewed_new(KITH_SLOT);
    kith_snapshot_free(v.snapshot);
    kith_world_free(v.world);
    expect_misuse(&v.f, "kith_world_free: there are views of its snapshots");
    check_view(&v);
    CHECK_WORLD(v.world);
    viewed_free(&v);
}

/* A view has memory of its own: each allocation fails once, and nothing is left or changed. */
TEST_EACH_LAYOUT(memory_runs_out, layout)
{
    viewed v = viewed_new(layout);
    test_memory *memory = test_memory_new();
    const kith_world_def def = {.allocator = test_memory_allocator(memory)};
    uint64_t used = kith_memory(v.world).used;
    kith_result result = KITH_ERR_MEMORY;
    for (size_t nth = 1; result != KITH_OK; nth++) {
        kith_world *view = NULL;
        test_memory_fail(memory, nth, nth % 2 == 0);
        result = kith_view_new(v.snapshot, &def, &view);
        CHECK_INT(test_memory_fail_nothing(memory), result != KITH_OK);
        CHECK_INT(result, view == NULL ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_UINT(kith_memory(v.world).used, used);
        CHECK(view != NULL || memory->pieces == 0);
        CHECK(view == NULL || kith_world_hash(view) == v.hash);
        kith_world_free(view);
        CHECK_UINT(memory->pieces, 0);
        CHECK(nth < 500);
    }
    check_view(&v);
    CHECK_WORLD(v.world);
    test_memory_free(memory);
    viewed_free(&v);
}
