#include "snapshot_calls.h"

#include <fcntl.h>
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

kith_result snapshot_call_take(stage *s)
{
    kith_snapshot *snapshot = NULL;
    kith_result result = kith_snapshot_take(s->world, &snapshot);
    CHECK_INT(snapshot == NULL, result != KITH_OK);
    return result;
}

void snapshot_call_prepare_first(stage *s)
{
    kith_snapshot_free(s->snapshot);
    s->snapshot = NULL;
}

static kith_allocator attached_memory;

static kith_result attached_take(void *thing, void **state)
{
    (void)thing;
    *state = attached_memory.allocate(attached_memory.context, 64, 8);
    return *state == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

static void attached_restore(void *thing, const void *state)
{
    (void)thing, (void)state;
}

static void attached_free(void *state)
{
    attached_memory.release(attached_memory.context, state, 64, 8);
}

void snapshot_call_prepare_attached(stage *s)
{
    static const kith_attached_state state = {attached_take, attached_restore, attached_free};
    static char things[2];
    snapshot_call_prepare_first(s);
    attached_memory = kith_world_allocator(s->world);
    for (int i = 0; i < 2; i++) {
        CHECK_RESULT(kith_attach(s->world, &things[i], &things[i], NULL), KITH_OK);
        CHECK_RESULT(kith_attach_state(s->world, &things[i], &state), KITH_OK);
    }
}

static void snapshot_change(stage *s)
{
    Position positions[1500] = {{1, 2}};
    kith_entity entities[1500];
    const kith_values values[] = {KITH_VALUES(Position, positions), KITH_VALUE(Extra, {1, 2, 3})};
    CHECK_RESULT(kith_spawn_many(s->world, 1500, values, 2, entities), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, s->plain), KITH_OK);
    CHECK_RESULT(kith_despawn(s->world, s->owner), KITH_OK);
    CHECK_RESULT(KITH_SET(s->world, s->full, Health, {3, 4}), KITH_OK);
}

void snapshot_call_prepare(stage *s)
{
    CHECK_RESULT(kith_snapshot_take(s->world, &s->snapshot), KITH_OK);
    snapshot_change(s);
}

void snapshot_call_prepare_restore(stage *s)
{
    snapshot_call_prepare(s);
    kith_entity entity;
    while (!kith_is_none(entity = kith_entity_next(s->world, KITH_NONE))) {
        CHECK_RESULT(kith_despawn(s->world, entity), KITH_OK);
    }
    kith_world_trim(s->world); /* so that there is no room for what was */
}

kith_result snapshot_call_restore(stage *s)
{
    return kith_snapshot_restore(s->world, s->snapshot);
}

static kith_snapshot *snapshot_changed; /* after snapshot_change; its world frees it */

void snapshot_call_prepare_diff(stage *s)
{
    snapshot_call_prepare(s);
    CHECK_RESULT(KITH_SET(s->world, s->empty, Byte, {1}), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(s->world, &snapshot_changed), KITH_OK);
}

static bool snapshot_count_difference(void *context, const kith_difference *difference)
{
    (void)difference;
    ++*(uint32_t *)context;
    return true;
}

/* What it tells of failed if there was no memory to begin; never a part. */
kith_result snapshot_call_diff(stage *s)
{
    uint32_t count = 0;
    kith_result result =
        kith_snapshot_diff(s->snapshot, snapshot_changed, snapshot_count_difference, &count);
    CHECK_INT(count > 4500, result == KITH_OK);
    CHECK_INT(count == 0, result != KITH_OK);
    return result;
}

void snapshot_call_prepare_view(stage *s)
{
    kith_text text;
    snapshot_call_prepare(s);
    CHECK_RESULT(kith_text_intern(s->world, "a text that the view has too", &text), KITH_OK);
}

/* The view takes its memory from the world, in one thread, so that all of it is swept. */
kith_result snapshot_call_view(stage *s)
{
    kith_world *view = NULL;
    const kith_world_def def = {.allocator = test_memory_allocator(s->f.memory)};
    kith_result result = kith_view_new(s->snapshot, &def, &view);
    CHECK_INT(view == NULL, result != KITH_OK);
    if (view != NULL) {
        CHECK_WORLD(view);
        CHECK(!kith_alive(view, s->gone) && kith_alive(view, s->plain));
    }
    kith_world_free(view);
    return result;
}

static void snapshot_tick(kith_iter *it)
{
    while (kith_next(it)) {
    }
}

static void snapshot_told(const kith_observed *observed)
{
    (void)observed;
}

static kith_result snapshot_set_up(kith_world *fork, void *context)
{
    (void)context;
    kith_result result = kith_system_add(
        fork, &(kith_system_def){.name = "of the fork",
                                 .run = snapshot_tick,
                                 .query.terms = KITH_TERMS(KITH_CHANGED(Position))});
    return result != KITH_OK ? result
                             : kith_observer_new(fork,
                                                 &(kith_observer_def){
                                                     .kind = KITH_ON_ENTER,
                                                     .query.terms = KITH_TERMS(KITH_READ(Position)),
                                                     .run = snapshot_told},
                                                 NULL);
}

/* The fork takes its memory from the world, as above. */
kith_result snapshot_call_fork(stage *s)
{
    kith_world *fork = NULL;
    const kith_fork_def def = {.set_up = snapshot_set_up,
                               .world = {.allocator = test_memory_allocator(s->f.memory)}};
    kith_result result = kith_fork_new(s->snapshot, &def, &fork);
    CHECK_INT(fork == NULL, result != KITH_OK);
    if (fork != NULL) {
        CHECK_WORLD(fork);
        CHECK(!kith_alive(fork, s->gone) && kith_alive(fork, s->plain));
    }
    kith_world_free(fork);
    return result;
}

kith_result snapshot_call_diff_bytes(stage *s)
{
    kith_bytes bytes = {0};
    kith_result result = kith_snapshot_diff_bytes(s->snapshot, snapshot_changed, &bytes);
    CHECK_INT(bytes.size > 4500, result == KITH_OK);
    kith_bytes_free(s->world, &bytes);
    return result;
}

static unsigned char snapshot_bytes[1 << 18];
static uint32_t snapshot_size;

void snapshot_call_prepare_apply(stage *s)
{
    snapshot_call_prepare_diff(s);
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_snapshot_diff_bytes(s->snapshot, snapshot_changed, &bytes), KITH_OK);
    CHECK(bytes.size <= sizeof snapshot_bytes);
    memcpy(snapshot_bytes, bytes.data, bytes.size);
    snapshot_size = bytes.size;
    kith_bytes_free(s->world, &bytes);
    CHECK_RESULT(kith_snapshot_restore(s->world, s->snapshot), KITH_OK);
    kith_snapshot_free(snapshot_changed);
    kith_world_trim(s->world);
}

kith_result snapshot_call_apply(stage *s)
{
    return kith_diff_apply(s->world, snapshot_bytes, snapshot_size);
}

/* Without values that have hooks. */
void snapshot_call_prepare_save(stage *s)
{
    CHECK_RESULT(kith_snapshot_take(s->world, &s->snapshot), KITH_OK);
    for (kith_entity e = kith_entity_next(s->world, KITH_NONE); !kith_is_none(e);) {
        const kith_entity next = kith_entity_next(s->world, e);
        CHECK_RESULT(KITH_HAS(s->world, e, Owned) ? kith_despawn(s->world, e) : KITH_OK, KITH_OK);
        e = next;
    }
}

kith_result snapshot_call_save(stage *s)
{
    kith_bytes bytes = {0};
    kith_result result = kith_world_save(s->world, &bytes);
    CHECK_INT(bytes.size > 100, result == KITH_OK);
    kith_bytes_free(s->world, &bytes);
    return result;
}

void snapshot_call_prepare_load(stage *s)
{
    snapshot_call_prepare_save(s);
    kith_bytes bytes = {0};
    CHECK_RESULT(kith_world_save(s->world, &bytes), KITH_OK);
    CHECK(bytes.size <= sizeof snapshot_bytes);
    memcpy(snapshot_bytes, bytes.data, bytes.size);
    snapshot_size = bytes.size;
    kith_bytes_free(s->world, &bytes);
    CHECK_RESULT(kith_snapshot_restore(s->world, s->snapshot), KITH_OK);
    kith_world_trim(s->world);
}

kith_result snapshot_call_load(stage *s)
{
    return kith_world_load(s->world, snapshot_bytes, snapshot_size);
}

/* A new file with these bytes. No test that runs beside this one has its name, not even where all
 * processes have the same number. */
static const char *save_file(const void *bytes, size_t size)
{
    static char path[64];
    int made = -1;
    for (int i = 0; made < 0; i++) {
        CHECK(i < 1000);
        snprintf(path, sizeof path, "sweep-%d-%d.save", (int)getpid(), i);
        made = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    }
    CHECK_INT(close(made), 0);
    FILE *file = fopen(path, "wb");
    CHECK_PTR_NOT_NULL(file);
    CHECK(fwrite(bytes, 1, size, file) == size);
    CHECK_INT(fclose(file), 0);
    return path;
}

kith_result snapshot_call_save_file(stage *s)
{
    const char *path = save_file("old", 3);
    kith_result result = kith_world_save_file(s->world, path);
    FILE *file = fopen(path, "rb");
    CHECK_PTR_NOT_NULL(file);
    CHECK_INT(fseek(file, 0, SEEK_END), 0);
    CHECK_INT(ftell(file) > 100, result == KITH_OK);
    CHECK_INT(ftell(file) == 3, result != KITH_OK);
    CHECK_INT(fclose(file), 0);
    CHECK_INT(remove(path), 0);
    return result;
}

kith_result snapshot_call_load_file(stage *s)
{
    const char *path = save_file(snapshot_bytes, snapshot_size);
    kith_result result = kith_world_load_file(s->world, path);
    CHECK_INT(remove(path), 0);
    return result;
}
