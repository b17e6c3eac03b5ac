/* Several observers of one type read one list of changes: a restore puts each where it was in it, also
 * where others came or went that need the values of what is lost. */
#include <kith/kith.h>

#include "components.h"
#include "owned.h"
#include "restoring.h"

typedef struct told {
    uint32_t count;
    uint64_t entities; /* the sum of their slots */
    float values;      /* the sum of `x` of those that came with a value */
} told;

static void tell(const kith_observed *observed)
{
    told *t = observed->user;
    for (uint32_t i = 0; i < observed->count; i++) {
        t->entities += observed->entities[i].index1;
        t->values += observed->values == NULL ? 0 : KITH_AT(observed, i, Position)->x;
    }
    t->count += observed->count;
}

static kith_observer *observe(const fixture *f, kith_observer_kind kind, bool values, told *t)
{
    kith_observer *observer;
    const kith_observer_def def = {
        .kind = kind, .type = &Position_type, .values = values, .run = tell, .user = t};
    CHECK_RESULT(kith_observer_new(f->world, &def, &observer), KITH_OK);
    return observer;
}

static void spawn(const fixture *f, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        KITH_SPAWN(f->world, KITH_VALUE(Position, {1, 0}), KITH_VALUE(Health));
    }
}

/* Takes the component from the first entities that have it. */
static void remove_some(const fixture *f, uint32_t count)
{
    kith_entity e = KITH_NONE;
    for (uint32_t i = 0; i < count;) {
        e = kith_entity_next(f->world, e);
        i += KITH_REMOVE(f->world, e, Position) == KITH_OK;
    }
    CHECK_WORLD(f->world);
}

/* Delivers, and compares with what was told the first time. */
static void flush(const fixture *f, told *t, told expected)
{
    *t = (told){0};
    CHECK_RESULT(kith_observers_flush(f->world), KITH_OK);
    CHECK_WORLD(f->world);
    CHECK_UINT(t->count, expected.count);
    CHECK_UINT(t->entities, expected.entities);
    CHECK_FLOAT(t->values, expected.values);
}

/* The second observer was made when more had happened than one piece of the list holds. */
TEST_EACH_LAYOUT(each_reader_of_a_list_goes_on_where_it_was, layout)
{
    fixture f = fixture_with_all(layout);
    told early, late;
    observe(&f, KITH_ON_ADD, false, &early);
    spawn(&f, 1300);
    observe(&f, KITH_ON_ADD, false, &late);
    spawn(&f, 7);
    kith_snapshot *snapshot = take(&f);
    for (int i = 0; i < 3; i++) {
        late = (told){0};
        flush(&f, &early, (told){.count = 1307, .entities = 1307 * 1308 / 2});
        CHECK_UINT(late.count, 7);
        CHECK_UINT(late.entities, 1307 * 1308 / 2 - 1300 * 1301 / 2);
        spawn(&f, 900);
        restore(&f, snapshot);
    }
    fixture_free(&f);
}

/* The same for values: each gets those that were lost since it was made. */
TEST_EACH_LAYOUT(each_reader_gets_the_values_that_it_had_to_get, layout)
{
    fixture f = fixture_with_all(layout);
    told early, late;
    spawn(&f, 2000);
    observe(&f, KITH_ON_REMOVE, true, &early);
    remove_some(&f, 1300);
    observe(&f, KITH_ON_REMOVE, true, &late);
    remove_some(&f, 7);
    kith_snapshot *snapshot = take(&f);
    for (int i = 0; i < 3; i++) {
        late = (told){0};
        flush(&f, &early, (told){.count = 1307, .entities = 1307 * 1308 / 2, .values = 1307});
        CHECK_UINT(late.count, 7);
        CHECK_FLOAT(late.values, 7);
        remove_some(&f, 600);
        restore(&f, snapshot);
    }
    fixture_free(&f);
}

/* What was lost when the snapshot was taken has no value kept; what is lost after the restore has. */
TEST_EACH_LAYOUT(a_reader_of_values_came_since, layout)
{
    fixture f = fixture_with_all(layout);
    told plain, valued;
    spawn(&f, 20);
    observe(&f, KITH_ON_REMOVE, false, &plain);
    remove_some(&f, 3);
    kith_snapshot *snapshot = take(&f);
    observe(&f, KITH_ON_REMOVE, true, &valued);
    for (int i = 0; i < 3; i++) {
        restore(&f, snapshot);
        remove_some(&f, 5);
        plain = (told){0};
        flush(&f, &valued, (told){.count = 5, .entities = 4 + 5 + 6 + 7 + 8, .values = 5});
        CHECK_UINT(plain.count, 8);
    }
    fixture_free(&f);
}

/* Nobody needs values any more: the world keeps none. */
TEST_EACH_LAYOUT(a_reader_of_values_went_since, layout)
{
    fixture f = fixture_with_all(layout);
    told plain, valued;
    spawn(&f, 20);
    observe(&f, KITH_ON_REMOVE, false, &plain);
    kith_observer *goes = observe(&f, KITH_ON_REMOVE, true, &valued);
    remove_some(&f, 3);
    kith_snapshot *snapshot = take(&f);
    kith_observer_free(goes);
    for (int i = 0; i < 3; i++) {
        restore(&f, snapshot);
        remove_some(&f, 5);
        flush(&f, &plain, (told){.count = 8, .entities = 36});
    }
    observe(&f, KITH_ON_REMOVE, true, &valued);
    restore(&f, snapshot);
    remove_some(&f, 2);
    flush(&f, &valued, (told){.count = 2, .entities = 4 + 5, .values = 2});
    fixture_free(&f);
}

/* The hooked values that a list holds for readers who are gone are destroyed. */
TEST_EACH_LAYOUT(hooked_values_that_nobody_needs_any_more, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    told plain, valued;
    const kith_hooks hooks = owned_hooks(&record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &def), KITH_OK);
    kith_observer_def observed = {
        .kind = KITH_ON_DESPAWN, .type = &Owned_type, .run = tell, .user = &plain};
    CHECK_RESULT(kith_observer_new(f.world, &observed, NULL), KITH_OK);
    kith_observer *goes;
    observed.kind = KITH_ON_REMOVE;
    observed.values = true;
    observed.user = &valued;
    CHECK_RESULT(kith_observer_new(f.world, &observed, &goes), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Health));
    CHECK_RESULT(KITH_ADD(f.world, e, Owned), KITH_OK);
    CHECK_RESULT(KITH_REMOVE(f.world, e, Owned), KITH_OK);
    kith_snapshot *snapshot = take(&f);
    kith_observer_free(goes);
    uint64_t taken = record.live;
    for (int i = 0; i < 3; i++) {
        restore(&f, snapshot);
        CHECK_UINT(record.live, taken);
    }
    kith_snapshot_free(snapshot);
    CHECK_UINT(record.live, 0);
    fixture_free(&f);
}
