/* The part of the play that is about trackers: whoever reads all changes knows who has what. */
#include <stdlib.h>

#include "play.h"

/* What one tracker's changes have come to. */
struct play_follower {
    kith_tracker *tracker;
    const kith_type *type;
    uint32_t *generation1; /* by slot: that of whoever has it, plus one; 0: nobody */
    uint32_t slots;
};

static void follow(play_follower *f, const kith_change *change)
{
    uint32_t slot = kith_entity_slot(change->entity);
    if (slot >= f->slots) {
        uint32_t slots = slot + 64;
        f->generation1 = realloc(f->generation1, slots * sizeof(*f->generation1));
        CHECK_PTR_NOT_NULL(f->generation1);
        for (uint32_t i = f->slots; i < slots; i++) {
            f->generation1[i] = 0;
        }
        f->slots = slots;
    }
    if (change->kind == KITH_ADDED) {
        CHECK_UINT(f->generation1[slot], 0);
        f->generation1[slot] = change->entity.generation + 1;
    } else {
        CHECK_UINT(f->generation1[slot], change->entity.generation + 1);
        f->generation1[slot] = 0;
    }
}

static void read_all(play_follower *f)
{
    kith_change change;
    uint64_t pending = kith_tracker_pending(f->tracker);
    for (; kith_tracker_next(f->tracker, &change); pending--) {
        follow(f, &change);
    }
    CHECK_UINT(pending, 0);
}

static void check_follower(play *p, const played *w, play_follower *f)
{
    read_all(f);
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const model_entity *entity = &p->m.entities[i];
        uint32_t slot = kith_entity_slot(entity->handle);
        bool has = model_get(&entity->values, f->type) != NULL;
        uint32_t known = slot < f->slots ? f->generation1[slot] : 0;
        CHECK_UINT(known, has ? entity->handle.generation + 1 : 0);
        count += has;
    }
    for (uint32_t slot = 0; slot < f->slots; slot++) {
        count -= f->generation1[slot] != 0;
    }
    CHECK_UINT(count, 0);
    CHECK_WORLD(w->world);
}

/* A follower begins anew: it has to be told who has it now. */
static void start(play *p, played *w, play_follower *f, const kith_type *type)
{
    kith_tracker_free(f->tracker);
    free(f->generation1);
    *f = (play_follower){.type = type};
    CHECK_RESULT(kith_tracker_new(w->world, type, &f->tracker), KITH_OK);
    CHECK_UINT(kith_tracker_pending(f->tracker), 0);
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        if (model_get(&p->m.entities[i].values, type) != NULL) {
            kith_change change = {p->m.entities[i].handle, KITH_ADDED};
            follow(f, &change);
        }
    }
}

static void each_follower(play *p, uint32_t number, const kith_type *type)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        if (w->followers == NULL) {
            w->followers = calloc(PLAY_FOLLOWERS, sizeof(*w->followers));
            CHECK_PTR_NOT_NULL(w->followers);
        }
        start(p, w, &w->followers[number], type);
    }
}

void play_trackers(play *p)
{
    play_name(p, "kith_tracker_new");
    p->tracking = true;
    each_follower(p, input_below(&p->in, PLAY_FOLLOWERS), play_registered(p));
}

void play_look_trackers(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        for (uint32_t i = 0; w->followers != NULL && i < PLAY_FOLLOWERS; i++) {
            if (w->followers[i].tracker != NULL) {
                check_follower(p, w, &w->followers[i]);
            }
        }
    }
}

void play_end_trackers(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        for (uint32_t i = 0; w->followers != NULL && i < PLAY_FOLLOWERS; i++) {
            free(w->followers[i].generation1);
        }
        free(w->followers);
    }
}
