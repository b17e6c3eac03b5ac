/* A world that follows another one by the bytes of differences. */
#ifndef KITH_TEST_FOLLOWER_H
#define KITH_TEST_FOLLOWER_H

#include <kith/kith.h>

#include "components.h"
#include "test.h"

KITH_COMPONENT(Label, (kith_text, text), (int64_t, score), (double, weight), (uint16_t, pair, 2));
KITH_COMPONENT(Wind, (float, x), (kith_entity, source));
KITH_COMPONENT(Hit, (kith_entity, target), (int16_t, damage));
KITH_TAG(Bell);

/* A world, its last snapshot, and a world that follows it. */
typedef struct pair {
    fixture f;
    fixture g;
    kith_snapshot *before;
    kith_bytes bytes;
    kith_bytes saved; /* the first world as it was when it was followed last */
    uint64_t saved_hash;
} pair;

static inline void register_own(kith_world *world, kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    CHECK_RESULT(kith_register(world, &Label_type, &def), KITH_OK);
    KITH_TYPES(world, Wind, Hit, Bell);
}

/* In the two worlds types have other numbers, and texts too. */
static inline pair pair_new(kith_layout layout)
{
    pair p = {.f = fixture_new(), .g = fixture_new()};
    kith_text text;
    register_all(p.f.world, layout);
    register_own(p.f.world, layout);
    register_own(p.g.world, layout);
    register_all(p.g.world, layout);
    CHECK_RESULT(kith_text_intern(p.g.world, "only there", &text), KITH_OK);
    CHECK_RESULT(kith_snapshot_take(p.f.world, &p.before), KITH_OK);
    return p;
}

static inline void pair_free(pair *p)
{
    kith_bytes_free(p->f.world, &p->bytes);
    kith_bytes_free(p->f.world, &p->saved);
    CHECK_PTR_NULL(p->bytes.data);
    fixture_free(&p->f);
    fixture_free(&p->g);
}

/* Writes what became of the first world since the last time. */
static inline void write_difference(pair *p)
{
    kith_snapshot *after;
    CHECK_RESULT(kith_snapshot_take(p->f.world, &after), KITH_OK);
    CHECK_RESULT(kith_snapshot_diff_bytes(p->before, after, &p->bytes), KITH_OK);
    CHECK_WORLD(p->f.world);
    kith_snapshot_free(p->before);
    p->before = after;
}

static inline kith_result apply(pair *p)
{
    kith_result result = kith_diff_apply(p->g.world, p->bytes.data, p->bytes.size);
    CHECK_WORLD(p->g.world);
    return result;
}

static inline void load(pair *p)
{
    CHECK_RESULT(kith_world_load(p->g.world, p->saved.data, p->saved.size), KITH_OK);
    CHECK_WORLD(p->g.world);
    CHECK(kith_world_hash(p->g.world) == p->saved_hash);
}

/* The second world becomes what the first is, by a difference. */
static inline void follow_difference(pair *p)
{
    write_difference(p);
    kith_result result = apply(p);
    if (result != KITH_OK) {
        CHECK_STR(kith_error(p->g.world), "");
    }
    CHECK(kith_content_hash(p->g.world) == kith_content_hash(p->f.world));
    CHECK(kith_world_hash(p->g.world) == kith_world_hash(p->f.world));
}

/* And by loading what was saved: what the first one was before, and what it is. */
static inline void follow(pair *p)
{
    follow_difference(p);
    if (p->saved.size != 0) {
        load(p);
    }
    CHECK_RESULT(kith_world_save(p->f.world, &p->saved), KITH_OK);
    CHECK_WORLD(p->f.world);
    p->saved_hash = kith_world_hash(p->f.world);
    load(p);
}

static inline kith_text text_of(kith_world *world, const char *bytes)
{
    kith_text text;
    CHECK_RESULT(kith_text_intern(world, bytes, &text), KITH_OK);
    return text;
}

/* Applies the bytes, which is refused and changes nothing. */
static inline void check_refused(pair *p, kith_result expected, const char *message)
{
    uint64_t hash = kith_world_hash(p->g.world);
    CHECK_RESULT(apply(p), expected);
    CHECK_CONTAINS(kith_error(p->g.world), message);
    CHECK(kith_world_hash(p->g.world) == hash);
}

#endif
