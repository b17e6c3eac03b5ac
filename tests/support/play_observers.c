/* The part of the play that is about observers: how often they are told of each entity is what the model
 * says, of relations as of other components, and for cascades as for single calls. */
#include <kith/observer.h>
#include <stdlib.h>
#include <string.h>

#include "play.h"

#define MOST_BYTES 200u /* of a value that is told */

enum { ADDS, REMOVES, DESPAWNS, CHANGES, ENTERS, LEAVES, OBSERVER_COUNT };

/* Something that an observer was told. */
typedef struct told {
    kith_entity entity;
    unsigned char bytes[MOST_BYTES]; /* of REMOVES */
} told;

typedef struct play_observer {
    kith_observer_kind kind;
    const kith_type *type; /* NULL: of a query */
    told *list;
    uint32_t count;
    uint32_t capacity;
    uint32_t at; /* in the comparison */
} play_observer;

/* One world's observers of a type, and of a query that asks for it. */
typedef struct play_watch {
    const kith_type *type; /* NULL: there are none */
    kith_term terms[3];
    uint32_t term_count;
    play_observer observers[OBSERVER_COUNT];
} play_watch;

/* ---- Being told -------------------------------------------------------------------------------- */

static void be_told(const kith_observed *observed)
{
    play_observer *o = observed->user;
    CHECK(observed->count > 0 && observed->count <= 1024);
    CHECK(observed->kind == o->kind);
    CHECK((observed->type != NULL) == (o->type != NULL));
    const unsigned char *values = observed->values == NULL
                                      ? NULL
                                      : kith_observed_values(observed, observed->type);
    for (uint32_t i = 0; i < observed->count; i++) {
        if (o->count == o->capacity) {
            o->capacity = o->capacity * 2 + 16;
            o->list = realloc(o->list, o->capacity * sizeof(*o->list));
            CHECK_PTR_NOT_NULL(o->list);
        }
        told *one = &o->list[o->count++];
        one->entity = observed->entities[i];
        if (values != NULL) {
            memcpy(one->bytes, values + (size_t)i * o->type->size, o->type->size);
        }
    }
}

/* ---- Making ------------------------------------------------------------------------------------ */

static void observe(const played *w, play_watch *watch)
{
    static const kith_observer_kind kinds[OBSERVER_COUNT] = {
        KITH_ON_ADD, KITH_ON_REMOVE, KITH_ON_DESPAWN, KITH_ON_CHANGE, KITH_ON_ENTER, KITH_ON_LEAVE};
    for (int i = 0; i < OBSERVER_COUNT; i++) {
        play_observer *o = &watch->observers[i];
        o->kind = kinds[i];
        o->type = i < ENTERS ? watch->type : NULL;
        const kith_observer_def def = {
            .kind = o->kind,
            .type = o->type,
            .query = {.terms = i < ENTERS ? NULL : watch->terms},
            .values = i == REMOVES && watch->type->size != 0,
            .run = be_told,
            .user = o,
        };
        if (i != CHANGES || watch->type->size != 0) {
            CHECK_RESULT(kith_observer_new(w->world, &def, NULL), KITH_OK);
        }
    }
}

void play_rewind_observers(play *p)
{
    if (p->asked.told != NULL) {
        model_free(p->asked.told);
        *p->asked.told = model_copy(&p->m);
    }
    p->asked.attempts = 0;
    p->asked.mixed = false;
    p->asked.ran = false;
}

void play_observers(play *p)
{
    const uint32_t number = input_below(&p->in, PLAY_WATCHES);
    const kith_type *type =
        p->links && input_chance(&p->in, 60)
            ? play_type(PLAY_GUARDED_FIRST + input_below(&p->in, PLAY_GUARDED_COUNT))
            : play_small(p, MOST_BYTES);
    const kith_type *other = play_registered(p);
    const kith_role role = input_chance(&p->in, 50) ? KITH_MUST : KITH_MUST_NOT;
    play_look_observers(p);
    play_name(p, "kith_observer_new");
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        if (w->watches == NULL) {
            w->watches = calloc(PLAY_WATCHES, sizeof(*w->watches));
            CHECK_PTR_NOT_NULL(w->watches);
        }
        play_watch *watch = &w->watches[number];
        if (watch->type != NULL) {
            return;
        }
        watch->type = type;
        const kith_type *asked = type == p->m.disabled_type ? play_type(0) : type;
        watch->terms[watch->term_count++] = (kith_term){.type = asked, .role = KITH_MUST};
        if (other != asked && other != p->m.disabled_type) {
            /* kith_disabled is not among such terms */
            watch->terms[watch->term_count++] = (kith_term){.type = other, .role = role};
        }
        observe(w, watch);
    }
    if (p->asked.told == NULL) {
        p->asked.told = calloc(1, sizeof(*p->asked.told));
        CHECK_PTR_NOT_NULL(p->asked.told);
    }
    p->tracking = true;
    play_rewind_observers(p);
}

/* ---- Comparing --------------------------------------------------------------------------------- */

/* An entity as it was and as it is; NULL: not alive. */
typedef struct span {
    kith_entity handle;
    const model_entity *was;
    const model_entity *is;
} span;

static int compare_handles(const void *left, const void *right)
{
    const kith_entity *a = left;
    const kith_entity *b = right;
    if (a->index1 != b->index1) {
        return a->index1 < b->index1 ? -1 : 1;
    }
    return a->generation < b->generation ? -1 : a->generation > b->generation;
}

/* How often an observer was told of an entity; those before have been counted. `*first` is the
 * first that it was told, or NULL. */
static uint32_t count_told(play_observer *o, kith_entity entity, const told **first)
{
    uint32_t count = 0;
    *first = o->at < o->count ? &o->list[o->at] : NULL;
    for (; o->at < o->count && kith_entity_equal(o->list[o->at].entity, entity); o->at++) {
        count++;
    }
    return count;
}

static const model_value *value_of(const model_entity *entity, const kith_type *type)
{
    return entity == NULL ? NULL : model_get(&entity->values, type);
}

static bool matches(const play *p, const play_watch *watch, const model_entity *entity)
{
    return entity != NULL && model_matches(&p->m, entity, watch->terms, watch->term_count);
}

static void compare_entity(const play *p, play_watch *watch, const span *s)
{
    const bool exact = p->asked.attempts <= 1 && !p->asked.mixed && !p->asked.ran;
    const model_value *was = value_of(s->was, watch->type);
    const model_value *is = value_of(s->is, watch->type);
    const told *lost;
    const told *first;
    uint32_t counts[OBSERVER_COUNT];
    for (int i = 0; i < OBSERVER_COUNT; i++) {
        counts[i] = count_told(&watch->observers[i], s->handle, i == REMOVES ? &lost : &first);
    }
    CHECK_INT((int)counts[ADDS] - (int)counts[REMOVES], (is != NULL) - (was != NULL));
    CHECK(!exact || counts[ADDS] + counts[REMOVES] <= 1);
    if (exact && counts[REMOVES] == 1 && watch->type->size != 0) {
        CHECK(memcmp(lost->bytes, was->bytes, watch->type->size) == 0);
    }
    if (s->is != NULL) {
        CHECK_UINT(counts[DESPAWNS], 0);
    } else {
        CHECK(counts[DESPAWNS] == counts[REMOVES] ||
              (p->asked.ran && counts[DESPAWNS] < counts[REMOVES]));
    }
    const bool changed = is != NULL && watch->type->size != 0 &&
                         (was == NULL || memcmp(was->bytes, is->bytes, watch->type->size) != 0);
    CHECK(!changed || counts[CHANGES] > 0);
    CHECK(p->asked.ran || counts[CHANGES] <= (is != NULL));
    CHECK_INT((int)counts[ENTERS] - (int)counts[LEAVES],
              matches(p, watch, s->is) - matches(p, watch, s->was));
    CHECK(p->asked.ran || counts[ENTERS] + counts[LEAVES] <= 1);
}

/* Sorts what was told by entity, and lists those entities. Returns how many. */
static uint32_t gather_told(play_watch *watch, kith_entity *handles)
{
    uint32_t count = 0;
    for (int i = 0; i < OBSERVER_COUNT; i++) {
        play_observer *o = &watch->observers[i];
        if (o->count > 1) {
            qsort(o->list, o->count, sizeof(*o->list), compare_handles);
        }
        for (uint32_t k = 0; k < o->count; k++) {
            handles[count++] = o->list[k].entity;
        }
    }
    return count;
}

static void compare_watch(play *p, play_watch *watch)
{
    uint32_t most = p->m.entity_count + p->asked.told->entity_count;
    for (int i = 0; i < OBSERVER_COUNT; i++) {
        most += watch->observers[i].count;
    }
    kith_entity *handles = malloc((most + 1) * sizeof(*handles));
    CHECK_PTR_NOT_NULL(handles);
    uint32_t count = gather_told(watch, handles);
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        handles[count++] = p->m.entities[i].handle;
    }
    for (uint32_t i = 0; i < p->asked.told->entity_count; i++) {
        handles[count++] = p->asked.told->entities[i].handle;
    }
    if (count > 1) {
        qsort(handles, count, sizeof(*handles), compare_handles);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || !kith_entity_equal(handles[i - 1], handles[i])) {
            const span s = {handles[i], model_find(p->asked.told, handles[i]),
                            model_find(&p->m, handles[i])};
            compare_entity(p, watch, &s);
        }
    }
    free(handles);
    for (int i = 0; i < OBSERVER_COUNT; i++) {
        play_observer *o = &watch->observers[i];
        CHECK_UINT(o->at, o->count);
        o->at = 0;
        o->count = 0;
    }
}

static void flush(play *p, int world)
{
    played *w = &p->worlds[world];
    if (world == SUBJECT && play_wants_failure(p)) {
        play_fail_some(p);
        const kith_result result = kith_observers_flush(w->world);
        const bool failed = fail_nothing(&w->f);
        CHECK(result == KITH_OK || (result == KITH_ERR_MEMORY && failed));
    }
    CHECK_RESULT(kith_observers_flush(w->world), KITH_OK);
}

void play_look_observers(play *p)
{
    if (p->asked.told == NULL) {
        return;
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        flush(p, world);
        for (uint32_t i = 0; i < PLAY_WATCHES; i++) {
            if (p->worlds[world].watches[i].type != NULL) {
                compare_watch(p, &p->worlds[world].watches[i]);
            }
        }
    }
    play_rewind_observers(p);
}

/* The observers are freed with their worlds. */
void play_end_observers(play *p)
{
    if (p->asked.told == NULL) {
        return;
    }
    for (int world = 0; world < WORLD_COUNT; world++) {
        for (uint32_t i = 0; i < PLAY_WATCHES; i++) {
            for (int k = 0; k < OBSERVER_COUNT; k++) {
                free(p->worlds[world].watches[i].observers[k].list);
            }
        }
        free(p->worlds[world].watches);
    }
    model_free(p->asked.told);
    free(p->asked.told);
}
