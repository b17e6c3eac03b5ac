/* The part of the play that goes on beside the worlds: views and forks of snapshots have what the model
 * had at that time, forks go on as the model does, and the difference of two snapshots turns a fork of
 * the one into what the other has. */
#include <kith/diff_bytes.h>
#include <kith/fork.h>
#include <kith/view.h>
#include <string.h>

#include "play.h"

/* ---- Views and forks --------------------------------------------------------------------------- */

static play_aside *put_aside(play *p, uint32_t number, kith_world *const *worlds)
{
    model next = model_copy(play_moment_model(p, number));
    next.unique_type = p->m.unique_type; /* the world's of now */
    return play_put_aside(p, next, worlds);
}

static void make_forks(play *p, uint32_t number, kith_world **forks)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK_RESULT(kith_fork_new(p->worlds[world].snapshots[number], NULL, &forks[world]),
                     KITH_OK);
    }
}

static void view(play *p, uint32_t number)
{
    play_name(p, "kith_view_new");
    kith_world *views[WORLD_COUNT];
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK_RESULT(kith_view_new(p->worlds[world].snapshots[number], NULL, &views[world]),
                     KITH_OK);
    }
    play_aside *kept = put_aside(p, number, views);
    play_look_aside(p);
    for (uint32_t asks = input_below(&p->in, 3); asks > 0 && p->m.relation_count != 0; asks--) {
        play_vias(p);
    }
    play_selects(p);
    play_take_back(p, kept);
}

static void fork_on(play *p, uint32_t number)
{
    play_name(p, "kith_fork_new");
    kith_world *forks[WORLD_COUNT];
    make_forks(p, number, forks);
    play_aside *kept = put_aside(p, number, forks);
    play_look_aside(p);
    play_go_on(p);
    play_take_back(p, kept);
}

/* ---- Differences ------------------------------------------------------------------------------- */

/* The difference as bytes; false: there are values that have none. */
static bool write_difference(play *p, int world, uint32_t before, uint32_t after, kith_bytes *bytes)
{
    played *w = &p->worlds[world];
    if (world == SUBJECT && play_wants_failure(p)) {
        play_fail_some(p);
        kith_result result =
            kith_snapshot_diff_bytes(w->snapshots[before], w->snapshots[after], bytes);
        bool failed = fail_nothing(&w->f);
        CHECK(result != KITH_ERR_MEMORY || failed);
    }
    kith_result result =
        kith_snapshot_diff_bytes(w->snapshots[before], w->snapshots[after], bytes);
    CHECK(result == KITH_OK || result == KITH_ERR_TYPE);
    return result == KITH_OK;
}

/* Bytes that are damaged change nothing, or lead to some state that holds together. */
static void apply_damaged(play *p, int world, uint32_t before, const kith_bytes *bytes)
{
    kith_world *fork;
    uint8_t *damaged = play_scratch(p, bytes->size);
    CHECK_RESULT(kith_fork_new(p->worlds[world].snapshots[before], NULL, &fork), KITH_OK);
    for (uint32_t tries = 0; tries < 20; tries++) {
        const uint64_t hash = kith_world_hash(fork);
        memcpy(damaged, bytes->data, bytes->size);
        for (uint32_t i = 1 + input_below(&p->in, 2); i > 0; i--) {
            const uint32_t limit = bytes->size < 65536 ? bytes->size : 65536;
            damaged[input_below(&p->in, limit)] ^= (uint8_t)(1u << input_below(&p->in, 8));
        }
        const kith_result result = kith_diff_apply(fork, damaged, bytes->size);
        CHECK(result == KITH_OK || kith_world_hash(fork) == hash);
        CHECK_WORLD(fork);
    }
    kith_world_free(fork);
}

/* Padding is not in a difference. */
static void look_without_padding(play *p)
{
    play_look_relations(p);
    play_look_names(p);
    play_look_keys(p);
    play_look_disabled(p);
    play_look_trackers(p);
    play_look_indexes(p);
    play_look_places(p);
    play_look_hashes(p);
}

/* Ends the forks. */
static void apply_difference(play *p, uint32_t before, uint32_t after, kith_world **forks)
{
    bool whole = true;
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_bytes bytes = {0};
        if (write_difference(p, world, before, after, &bytes)) {
            CHECK_RESULT(kith_diff_apply(forks[world], bytes.data, bytes.size), KITH_OK);
            CHECK_WORLD(forks[world]);
            apply_damaged(p, world, before, &bytes);
        } else {
            whole = false;
        }
        kith_bytes_free(p->worlds[world].world, &bytes);
    }
    const uint64_t content = play_moment_content(p, after);
    play_aside *kept = put_aside(p, after, forks);
    if (whole) {
        look_without_padding(p);
        CHECK(kith_content_hash(forks[TWIN]) == content);
    }
    play_take_back(p, kept);
}

/* Whether a world that is as the one model knows the types of resources and events of the other. */
static bool knows_types(const model *one, const model *other)
{
    bool knows = true;
    for (uint32_t i = 0; i < other->resources.count; i++) {
        const kith_type *type = other->resources.list[i].type;
        knows = knows && (model_rank(one, type) != UINT32_MAX || model_get(&one->resources, type));
    }
    for (uint32_t i = 0; i < other->queue_count; i++) {
        const kith_type *type = other->queues[i].type;
        knows = knows && (model_rank(one, type) != UINT32_MAX || model_queue_of(one, type));
    }
    return knows;
}

static void differ(play *p, uint32_t before, uint32_t after)
{
    play_name(p, "kith_diff_apply");
    kith_world *forks[WORLD_COUNT];
    make_forks(p, before, forks);
    apply_difference(p, before, after, forks);
}

/* Goes to a moment, and saves the worlds; false: there are values that have no bytes. */
static bool save_all(play *p, uint32_t number, kith_bytes *bytes)
{
    bool whole = true;
    play_restore(p, number);
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        if (world == SUBJECT && play_wants_failure(p)) {
            play_fail_some(p);
            kith_result failing = kith_world_save(w->world, &bytes[world]);
            CHECK(fail_nothing(&w->f) || failing != KITH_ERR_MEMORY);
        }
        kith_result result = kith_world_save(w->world, &bytes[world]);
        CHECK(result == KITH_OK || result == KITH_ERR_TYPE);
        whole = result == KITH_OK && whole;
    }
    return whole;
}

/* Goes back to a moment, and from there to another one, in the worlds themselves: by the difference, or
 * by loading what was saved then. */
static void differ_here(play *p, uint32_t before, uint32_t after, bool saved)
{
    kith_bytes bytes[WORLD_COUNT] = {{0}};
    play_look_observers(p);
    bool whole = !saved || save_all(p, after, bytes);
    play_system systems[PLAY_SYSTEMS]; /* as they are saved, also those that came after the moment */
    memcpy(systems, p->systems, sizeof systems);
    for (int world = 0; world < WORLD_COUNT && !saved; world++) {
        whole = write_difference(p, world, before, after, &bytes[world]) && whole;
    }
    if (whole) {
        play_restore(p, before);
        if (input_chance(&p->in, 50)) { /* or else nobody has asked in between */
            play_look_queries(p);
            play_look_lives(p);
            play_look_vias(p);
            play_look_disabled(p);
        }
        play_apply(p, after, bytes, saved);
        for (uint32_t i = 0; saved && i < PLAY_SYSTEMS; i++) {
            p->systems[i].enabled = systems[i].enabled;
        }
        look_without_padding(p);
        play_restore(p, after); /* with what padding there was */
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_bytes_free(p->worlds[world].world, &bytes[world]);
    }
}

void play_forks(play *p)
{
    const uint32_t number = input_below(&p->in, PLAY_SNAPSHOTS);
    const uint32_t other = input_below(&p->in, PLAY_SNAPSHOTS);
    const uint32_t choice = input_below(&p->in, 4);
    if (p->worlds[TWIN].snapshots[number] == NULL) {
        return;
    }
    if (choice == 0) {
        view(p, number);
    } else if (choice == 1) {
        fork_on(p, number);
    } else if (p->worlds[TWIN].snapshots[other] != NULL &&
               knows_types(play_moment_model(p, number), play_moment_model(p, other))) {
        if (choice == 2) {
            differ(p, number, other);
        } else {
            differ_here(p, number, other, input_chance(&p->in, 50));
        }
    }
}
