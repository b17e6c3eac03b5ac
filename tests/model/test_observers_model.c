/* Random changes to a world with observers of all kinds, each of which is told what a naive model says
 * (support/watch.h): over all layouts, sizes and hooks, with allocations and hooks that fail.
 *
 * KITH_TEST_SEED=7 plays that seed alone, KITH_TEST_STEPS=500 so many steps of each. */
#include <stdlib.h>
#include <string.h>

#include "watch.h"

/* ---- Observers ----------------------------------------------------------------------------------- */

static void choose_terms(watch *w, watch_observer *o)
{
    static const kith_role roles[] = {KITH_MUST, KITH_MUST_NOT, KITH_MAY, KITH_ONE_OF, KITH_ONE_OF};
    for (uint32_t wanted = 1 + input_below(&w->in, WATCH_TERMS); wanted > 0; wanted--) {
        uint32_t type = watch_choose_type(w);
        bool known = false;
        for (uint32_t i = 0; i < o->term_count; i++) {
            known = known || o->term_types[i] == type;
        }
        if (!known) {
            kith_role role = o->term_count == 0 ? KITH_MUST : roles[input_below(&w->in, 5)];
            o->terms[o->term_count] =
                (kith_term){watch_types[type], KITH_ACCESS_NONE, role, 0, NULL};
            o->term_types[o->term_count++] = type;
        }
    }
    /* What must be there need not stand first. */
    uint32_t place = input_below(&w->in, o->term_count);
    kith_term term = o->terms[0];
    uint32_t type = o->term_types[0];
    o->terms[0] = o->terms[place];
    o->term_types[0] = o->term_types[place];
    o->terms[place] = term;
    o->term_types[place] = type;
}

/* What else an observer of despawns gets, tags included. */
static void choose_also(watch *w, watch_observer *o)
{
    uint32_t wanted = o->kind == KITH_ON_DESPAWN && input_chance(&w->in, 75)
                          ? 1 + input_below(&w->in, WATCH_ALSO)
                          : 0;
    for (uint32_t i = 0; i < wanted; i++) {
        uint32_t type = watch_choose_type(w);
        if (type != o->type && (o->also_count == 0 || type != o->also[0])) {
            o->also[o->also_count++] = type;
        }
    }
}

static kith_result act_observer(watch *w, watch_step *s)
{
    (void)w;
    return watch_observer_make(s->observer);
}

/* An observer in a place by chance; who is there is freed first. */
static void step_observer(watch *w, watch_step *s)
{
    static const kith_observer_kind kinds[] = {
        KITH_ON_ADD,   KITH_ON_REMOVE, KITH_ON_DESPAWN, KITH_ON_CHANGE, KITH_ON_CHANGE,
        KITH_ON_ENTER, KITH_ON_ENTER,  KITH_ON_LEAVE,   KITH_ON_LEAVE,  KITH_ON_DESPAWN};
    watch_observer *o = &w->observers[input_below(&w->in, WATCH_OBSERVERS)];
    watch_observer_end(o);
    if (input_chance(&w->in, 20)) {
        return;
    }
    o->kind = kinds[input_below(&w->in, sizeof(kinds) / sizeof(kinds[0]))];
    o->reaction =
        (watch_reaction)(input_chance(&w->in, 25) ? input_below(&w->in, WATCH_REACTIONS) : 0);
    if (o->kind >= KITH_ON_ENTER) {
        choose_terms(w, o);
    } else {
        o->type = watch_choose_type(w);
        bool valued = watch_types[o->type]->size != 0;
        o->values = valued && (o->kind == KITH_ON_REMOVE || o->kind == KITH_ON_DESPAWN) &&
                    input_chance(&w->in, 75);
        if (o->kind == KITH_ON_CHANGE && !valued) {
            return;
        }
        choose_also(w, o);
    }
    s->name = "kith_observer_new";
    s->act = act_observer;
    s->observer = o;
    watch_attempt(w, s);
}

static kith_result act_deliver(watch *w, watch_step *s)
{
    return watch_deliver(w, s->run);
}

static void expect_delivered(watch *w, const watch_step *s)
{
    (void)s;
    watch_delivered(w);
}

static void step_deliver(watch *w, watch_step *s)
{
    s->name = "kith_observers_flush";
    s->act = act_deliver;
    s->expect = expect_delivered;
    s->run = input_chance(&w->in, 20);
    s->once = input_chance(&w->in, 50); /* what happens until the next delivery counts too */
    watch_attempt(w, s);
}

/* ---- Runs ---------------------------------------------------------------------------------------- */

static void take_step(watch *w)
{
    static kith_entity entities[WATCH_SLOTS];
    static watch_step s;
    memset(&s, 0, sizeof(s));
    s.entities = entities;
    if (w->count >= w->cap) {
        s.entity = watch_choose(w)->handle;
        watch_despawn_some(w, &s);
    } else if (w->count == 0 || input_chance(&w->in, 8)) {
        (w->count == 0 ? watch_spawn_some : step_observer)(w, &s);
    } else if (input_chance(&w->in, 12)) {
        step_deliver(w, &s);
    } else {
        s.entity = watch_choose(w)->handle;
        (input_chance(&w->in, 10) ? watch_commands : watch_change)(w, &s);
    }
    /* The larger the world, the rarer the looks: they cost in proportion to its size. */
    uint64_t check_every = w->count < 120 ? 1 : w->count < 1000 ? 5 : 20;
    if (w->number % check_every == 0) {
        CHECK_WORLD(w->world);
    }
    if (w->number % (check_every * 24) == 0) {
        watch_check(w);
    }
}

/* All types of one layout, or each of its own. */
static void begin(watch *w, uint64_t seed)
{
    static const uint32_t caps[] = {8, 60, 60, 90, 300, 300, 2600};
    w->seed = seed;
    w->in.seed = seed;
    w->f = fixture_new();
    w->world = w->f.world;
    w->cap = caps[input_below(&w->in, sizeof(caps) / sizeof(caps[0]))];
    kith_hooks hooks = owned_hooks(&w->owned);
    w->filled = w->cap <= 300 && input_chance(&w->in, 25);
    for (uint32_t i = 0; w->filled && i < WATCH_FILLERS; i++) {
        CHECK_RESULT(kith_register(w->world, watch_filler(i), NULL), KITH_OK);
    }
    uint32_t mix = input_below(&w->in, 6);
    for (uint32_t type = 0; type < WATCH_TYPES; type++) {
        uint32_t layout = mix < LAYOUT_COUNT ? mix : input_below(&w->in, LAYOUT_COUNT);
        w->exact[type] = watch_types[type]->size != 0 && input_chance(&w->in, 50);
        const kith_component_def def = {
            .layout = (kith_layout)layout,
            .exact_changes = w->exact[type],
            .hooks = type == WATCH_OWNED  ? &hooks
                     : type == WATCH_NOTE ? &note_hooks
                                          : NULL,
        };
        CHECK_RESULT(kith_register(w->world, watch_types[type], &def), KITH_OK);
    }
    w->commands = kith_commands_new(w->world, NULL);
    CHECK_PTR_NOT_NULL(w->commands);
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        w->observers[i].owner = w;
    }
}

/* Some observers are left for the world to free, and values that nobody was told of. */
static void end(watch *w)
{
    watch_check(w);
    CHECK_RESULT(watch_deliver(w, false), KITH_OK);
    watch_delivered(w);
    watch_check(w);
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        if (i % 2 == 0) {
            watch_observer_end(&w->observers[i]);
        }
    }
    for (watch_entity *entity; w->count > w->cap / 4 && (entity = watch_choose(w)) != NULL;) {
        CHECK_RESULT(kith_despawn(w->world, entity->handle), KITH_OK);
        watch_ended(w, entity);
    }
    fixture_free(&w->f);
    CHECK_UINT(w->owned.live, 0);
    CHECK_UINT(notes_live, 0);
    for (uint32_t i = 0; i < WATCH_OBSERVERS; i++) {
        free(w->observers[i].expected.list);
        free(w->observers[i].told.list);
    }
    free(w->ended);
    free(w->acted.list);
    free(w->queued.list);
}

static void play_seed(uint64_t seed, uint64_t steps)
{
    watch *w = calloc(1, sizeof(*w));
    CHECK_PTR_NOT_NULL(w);
    begin(w, seed);
    test_note(w->note);
    for (; w->number < steps; w->number++) {
        watch_name(w, "a change that cannot fail");
        take_step(w);
    }
    watch_name(w, "the end");
    end(w);
    test_note(NULL);
    free(w);
}

TEST_WITHIN(30, observers_are_told_what_the_model_says)
{
    uint64_t count = test_long() ? 400 : 24;
    uint64_t steps = test_number("KITH_TEST_STEPS", test_long() ? 5000 : 500);
    uint64_t only = test_number("KITH_TEST_SEED", 0);
    for (uint64_t seed = only == 0 ? 1 : only; seed <= (only == 0 ? count : only); seed++) {
        play_seed(seed, steps);
    }
}
