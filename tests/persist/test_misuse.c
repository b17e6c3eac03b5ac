/* Misuse of snapshots: each rule is broken once, and nothing changes. */
#include <kith/kith.h>

#include "../world/trips.h"

static kith_snapshot *taken;
static uint32_t tried;

static bool never_visit(void *context, const kith_difference *difference)
{
    (void)context;
    (void)difference;
    CHECK(false);
    return false;
}

/* Tries all calls, each of which is told and does nothing. */
static void try_all(stage *s, const char *message)
{
    kith_snapshot *other = NULL;
    CHECK_TOLD(s, kith_snapshot_take(s->world, &other) == KITH_ERR_MISUSE, message);
    CHECK_PTR_NULL(other);
    CHECK_TOLD(s, kith_snapshot_restore(s->world, taken) == KITH_ERR_MISUSE, message);
    CHECK_TOLD(s, kith_snapshot_diff(taken, taken, never_visit, NULL) == KITH_ERR_MISUSE, message);
    kith_world *view = NULL;
    CHECK_TOLD(s, kith_view_new(taken, NULL, &view) == KITH_ERR_MISUSE, message);
    CHECK_PTR_NULL(view);
    CHECK_TOLD(s, kith_fork_new(taken, NULL, &view) == KITH_ERR_MISUSE, message);
    CHECK_PTR_NULL(view);
    kith_bytes bytes = {0};
    CHECK_TOLD(s, kith_snapshot_diff_bytes(taken, taken, &bytes) == KITH_ERR_MISUSE, message);
    CHECK_PTR_NULL(bytes.data);
    CHECK_TOLD(s, kith_diff_apply(s->world, "KTHD", 4) == KITH_ERR_MISUSE, message);
    CHECK_TOLD(s, kith_world_save(s->world, &bytes) == KITH_ERR_MISUSE, message);
    CHECK_PTR_NULL(bytes.data);
    CHECK_TOLD(s, kith_world_load(s->world, "KTHS", 4) == KITH_ERR_MISUSE, message);
    CHECK_TOLD(s, kith_world_save_file(s->world, "/nowhere/at/all") == KITH_ERR_MISUSE, message);
    CHECK_TOLD(s, kith_world_load_file(s->world, "/nowhere/at/all") == KITH_ERR_MISUSE, message);
    CHECK_TOLD(s, (kith_snapshot_free(taken), true), message);
    tried++;
}

TEST(arguments_that_are_nothing_are_told)
{
    stage s = stage_open();
    CHECK_TOLD(&s, kith_snapshot_take(s.world, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_take: the place for the snapshot is NULL");
    CHECK_TOLD(&s, kith_snapshot_restore(s.world, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_restore: the snapshot is %s");
    kith_snapshot_free(NULL);
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    CHECK_TOLD(&s, kith_snapshot_diff(NULL, taken, never_visit, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_diff: a snapshot is NULL");
    CHECK_TOLD(&s, kith_snapshot_diff(taken, NULL, never_visit, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_diff: a snapshot is NULL");
    CHECK_TOLD(&s, kith_snapshot_diff(taken, taken, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_diff: the function to visit with is NULL");
    CHECK_TOLD(&s, kith_view_new(taken, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_view_new: the place for the view is NULL");
    CHECK_TOLD(&s, kith_fork_new(taken, NULL, NULL) == KITH_ERR_MISUSE,
               "kith_fork_new: the place for the fork is NULL");
    kith_bytes bytes = {0};
    CHECK_TOLD(&s, kith_snapshot_diff_bytes(NULL, taken, &bytes) == KITH_ERR_MISUSE,
               "kith_snapshot_diff_bytes: a snapshot is NULL");
    CHECK_TOLD(&s, kith_snapshot_diff_bytes(taken, NULL, &bytes) == KITH_ERR_MISUSE,
               "kith_snapshot_diff_bytes: a snapshot is NULL");
    CHECK_TOLD(&s, kith_snapshot_diff_bytes(taken, taken, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_diff_bytes: the place for the bytes is NULL");
    CHECK_TOLD(&s, kith_diff_apply(s.world, NULL, 1) == KITH_ERR_MISUSE,
               "%s: the bytes are NULL");
    CHECK_RESULT(kith_diff_apply(s.world, NULL, 0), KITH_ERR_INPUT);
    CHECK_TOLD(&s, kith_world_save(s.world, NULL) == KITH_ERR_MISUSE,
               "%s: the place for the bytes is NULL");
    CHECK_TOLD(&s, kith_world_load(s.world, NULL, 1) == KITH_ERR_MISUSE,
               "%s: the bytes are NULL");
    CHECK_TOLD(&s, kith_world_save_file(s.world, NULL) == KITH_ERR_MISUSE,
               "%s: the path is NULL");
    CHECK_TOLD(&s, kith_world_load_file(s.world, NULL) == KITH_ERR_MISUSE,
               "%s: the path is NULL");
    char text[8] = "text";
    CHECK_TOLD(&s, kith_print_difference(s.world, NULL, text, sizeof text) == 0,
               "kith_print_difference: the difference is NULL");
    CHECK_STR(text, "");
    stage_close(&s);
}

TEST(a_snapshot_of_another_world_is_told)
{
    stage s = stage_open();
    fixture other = fixture_new();
    CHECK_RESULT(kith_snapshot_take(other.world, &taken), KITH_OK);
    CHECK_TOLD(&s, kith_snapshot_restore(s.world, taken) == KITH_ERR_MISUSE,
               "kith_snapshot_restore: the snapshot is %s");
    kith_snapshot *own;
    CHECK_RESULT(kith_snapshot_take(s.world, &own), KITH_OK);
    CHECK_TOLD(&s, kith_snapshot_diff(own, taken, never_visit, NULL) == KITH_ERR_MISUSE,
               "kith_snapshot_diff: the snapshots are of two worlds");
    kith_bytes bytes = {0};
    CHECK_TOLD(&s, kith_snapshot_diff_bytes(own, taken, &bytes) == KITH_ERR_MISUSE,
               "kith_snapshot_diff_bytes: the snapshots are of two worlds");
    fixture_free(&other);
    stage_close(&s);
}

TEST(an_open_query_is_told)
{
    stage s = stage_open();
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    tried = 0;
    for (kith_iter it = kith_query_iter(s.query); kith_next(&it);) {
        try_all(&s, "%s: the world is being iterated (%s); do it when the loop has ended"
                    " (kith_iter_close)");
    }
    CHECK_UINT(tried, 1);
    CHECK_RESULT(kith_snapshot_restore(s.world, taken), KITH_OK);
    stage_close(&s);
}

static const char under_way[] = "%s: %s is under way; call it when that has returned";

static kith_result try_in_system(kith_world *world, kith_iter *it)
{
    (void)world;
    try_all(it->user, under_way);
    return KITH_OK;
}

static void try_in_observer(const kith_observed *observed)
{
    try_all(observed->user, under_way);
}

TEST(a_run_is_told)
{
    stage s = stage_open();
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    const kith_system_def def = {.name = "tries", .update = try_in_system, .user = &s};
    CHECK_RESULT(kith_system_add(s.world, &def), KITH_OK);
    tried = 0;
    CHECK_RESULT(kith_run(s.world, 1), KITH_OK);
    CHECK_UINT(tried, 1);
    CHECK_RESULT(kith_system_remove(s.world, "tries"), KITH_OK);
    stage_close(&s);
}

TEST(a_delivery_to_observers_is_told)
{
    stage s = stage_open();
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    const kith_observer_def def = {
        .type = &Velocity_type, .kind = KITH_ON_ADD, .run = try_in_observer, .user = &s};
    kith_observer *observer;
    CHECK_RESULT(kith_observer_new(s.world, &def, &observer), KITH_OK);
    CHECK(kith_alive(s.world, KITH_SPAWN(s.world, KITH_VALUE(Velocity))));
    s.content = kith_content_hash(s.world);
    tried = 0;
    CHECK_RESULT(kith_observers_flush(s.world), KITH_OK);
    CHECK_UINT(tried, 1);
    kith_observer_free(observer);
    stage_close(&s);
}

static bool try_in_visit(void *context, const kith_difference *difference)
{
    (void)difference;
    try_all(context, under_way);
    return true;
}

TEST(a_visit_of_differences_is_told)
{
    stage s = stage_open();
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    CHECK(!kith_is_none(kith_spawn_empty(s.world)));
    kith_snapshot *now;
    CHECK_RESULT(kith_snapshot_take(s.world, &now), KITH_OK);
    s.content = kith_content_hash(s.world);
    tried = 0;
    CHECK_RESULT(kith_snapshot_diff(taken, now, try_in_visit, &s), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff(now, taken, try_in_visit, &s), KITH_OK);
    CHECK_UINT(tried, 2);
    CHECK_RESULT(kith_snapshot_restore(s.world, taken), KITH_OK);
    stage_close(&s);
}

/* ---- What is attached ------------------------------------------------------------------------- */

static kith_result take_nothing(void *thing, void **state)
{
    (void)thing, (void)state;
    return KITH_OK;
}

static void restore_nothing(void *thing, const void *state)
{
    (void)thing, (void)state;
}

static void free_nothing(void *state)
{
    (void)state;
}

TEST(functions_that_are_missing_are_told)
{
    stage s = stage_open();
    CHECK_RESULT(kith_attach(s.world, &s, &s, NULL), KITH_OK);
    const kith_attached_state wrong[] = {{NULL, restore_nothing, free_nothing},
                                         {take_nothing, NULL, free_nothing},
                                         {take_nothing, restore_nothing, NULL}};
    for (int i = 0; i < 3; i++) {
        CHECK_TOLD(&s, kith_attach_state(s.world, &s, &wrong[i]) == KITH_ERR_MISUSE,
                   "kith_attach_state: `%s` is NULL");
    }
    stage_close(&s);
}

/* ---- Views ------------------------------------------------------------------------------------ */

static char of_view[512];

static void be_told_of_view(const char *message, void *context)
{
    (void)context;
    CHECK_STR(of_view, "");
    snprintf(of_view, sizeof of_view, "%s", message);
}

/* A call on a view is told, once, with this message. */
#define CHECK_TOLD_OF_VIEW(holds, message)                                                         \
    (CHECK(holds), check_fits(__FILE__, __LINE__, of_view, (message)), (void)(of_view[0] = '\0'))

static kith_result leave_a_query_open(kith_world *fork, void *context)
{
    kith_query *query = KITH_QUERY(fork, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    (void)context;
    return kith_next(&it) ? KITH_OK : KITH_ERR_INPUT;
}

static kith_result spawn_one(kith_world *fork, void *context)
{
    (void)context;
    return kith_is_none(KITH_SPAWN(fork, KITH_VALUE(Position))) ? KITH_ERR_MEMORY : KITH_OK;
}

static kith_result despawn_one(kith_world *fork, void *context)
{
    return kith_despawn(fork, *(const kith_entity *)context);
}

static void be_told_of_nothing(const char *message, void *context)
{
    (void)message, (void)context;
}

TEST(set_up_leaves_entities_and_queries_alone)
{
    stage s = stage_open();
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    kith_world *fork = NULL;
    kith_fork_def def = {.set_up = leave_a_query_open,
                         .context = &s.e,
                         .world = {.on_misuse = be_told_of_nothing}}; /* of the open query, too */
    CHECK_TOLD(&s, kith_fork_new(taken, &def, &fork) == KITH_ERR_MISUSE,
               "kith_fork_new: `set_up` left a query open, or gave the fork away");
    def.set_up = spawn_one;
    CHECK_TOLD(&s, kith_fork_new(taken, &def, &fork) == KITH_ERR_MISUSE,
               "kith_fork_new: `set_up` spawned or despawned");
    def.set_up = despawn_one;
    CHECK_TOLD(&s, kith_fork_new(taken, &def, &fork) == KITH_ERR_MISUSE,
               "kith_fork_new: `set_up` spawned or despawned");
    CHECK_PTR_NULL(fork);
    stage_close(&s);
}

TEST(views_are_not_written)
{
    stage s = stage_open();
    CHECK_ENDS(kith_view_new(NULL, NULL, NULL), "kith_view_new: the snapshot is NULL");
    CHECK_ENDS(kith_fork_new(NULL, NULL, NULL), "kith_fork_new: the snapshot is NULL");
    CHECK_RESULT(kith_snapshot_take(s.world, &taken), KITH_OK);
    const kith_world_def def = {.on_misuse = be_told_of_view};
    kith_world *view;
    CHECK_RESULT(kith_view_new(taken, &def, &view), KITH_OK);
    static const char only_read[] =
        "%s: the world is a view of a snapshot, which is only read; change the world that the"
        " snapshot is of";
    CHECK_TOLD_OF_VIEW(KITH_SET(view, s.e, Position, {1, 2}) == KITH_ERR_MISUSE,
                       "%s: the world is a view of a snapshot, which is only read; change the world"
                       " that the snapshot is of");
    CHECK_TOLD_OF_VIEW(KITH_DESPAWN(view, s.e) == KITH_ERR_MISUSE, only_read);
    CHECK_CONTAINS(kith_error(view), "kith_despawn: ");
    CHECK_TOLD_OF_VIEW(KITH_QUERY(view, KITH_READ(Byte), KITH_WRITE(Position)) == NULL,
                       "%s: the query writes '%s', but the world is a view of a"
                       " snapshot, which is only read");
    kith_query *query = KITH_QUERY(view, KITH_READ(Position));
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        CHECK_TOLD_OF_VIEW(KITH_REMOVE(view, s.e, Position) == KITH_ERR_MISUSE, only_read);
        CHECK_TOLD_OF_VIEW((kith_world_release(view), true),
                           "%s: the world is being iterated (%s); do it when the loop has ended"
                           " (kith_iter_close)");
    }
    CHECK_TOLD(&s, (kith_world_free(s.world), true), "kith_world_free: %s");
    kith_world_free(view);
    stage_close(&s);
}
