/* A world with observers, beside a naive model that knows of whom they have to be told: entities by
 * slot, what each observer was told last by slot, and lists of what is to be told. Whatever changes the
 * world changes the model in the same step; a delivery is then compared with what the model has. */
#ifndef KITH_TEST_WATCH_H
#define KITH_TEST_WATCH_H

#include <kith/kith.h>

#include "components.h"
#include "input.h"
#include "note.h"
#include "owned.h"
#include "test.h"

#define WATCH_TYPES 9u
#define WATCH_OWNED 0u /* the numbers of some of them */
#define WATCH_NOTE 1u
#define WATCH_BIG 6u      /* a row a block */
#define WATCH_BURNING 8u  /* that observers add to those of whom they are told */
#define WATCH_FILLERS 62u /* tags that fill tables, so that there are more columns than bits */
#define WATCH_SLOTS 4096u
#define WATCH_OBSERVERS 24u
#define WATCH_TERMS 4u
#define WATCH_VALUES 5u    /* of a step, at most */
#define WATCH_ALSO 2u      /* types whose values an observer of despawns gets besides, at most */
#define WATCH_NUMBERS 200u /* a value stands for a number below this */

/* Tags, bytes of several sizes, and values with hooks: Owned with all of them, Note without `move`. */
extern const kith_type *const watch_types[WATCH_TYPES];

/* Another tag for each number below WATCH_FILLERS. */
const kith_type *watch_filler(uint32_t number);

typedef union watch_room {
    Big big;
    Aligned aligned;
    Owned owned;
    Note note;
} watch_room;

typedef struct watch_entity {
    kith_entity handle;
    bool alive;
    bool has[WATCH_TYPES];
    uint32_t numbers[WATCH_TYPES];
} watch_entity;

/* Something that is to be told, or was. */
typedef struct watch_event {
    uint64_t call; /* those of one call may be told in any order; of the told ones, 0 */
    kith_entity entity;
    uint32_t number;           /* the value that was lost, for an observer of values; otherwise 0 */
    uint32_t also[WATCH_ALSO]; /* what else it had, plus 1; 0: it had none, or that is not asked */
} watch_event;

typedef struct watch_events {
    watch_event *list;
    uint32_t count;
    uint32_t capacity;
} watch_events;

/* What an observer of values, or of a query's match, was told last of a slot. */
typedef struct watch_known {
    kith_entity entity; /* had the component, or matched; KITH_NONE: nobody did */
    uint32_t number;
    bool maybe; /* may be told though it is as it was: see blur in watch_observers.c */
    bool told;  /* at this delivery */
} watch_known;

typedef struct watch watch;

typedef enum watch_reaction {
    WATCH_STILL,
    WATCH_QUEUES,
    WATCH_ACTS,
    WATCH_REACTIONS
} watch_reaction;

typedef struct watch_observer {
    watch *owner;
    kith_observer *made; /* NULL: this place is free */
    kith_observer_kind kind;
    uint32_t type;                    /* its number; not of KITH_ON_ENTER and KITH_ON_LEAVE */
    kith_term terms[WATCH_TERMS + 1]; /* and the end */
    uint32_t term_types[WATCH_TERMS];
    uint32_t term_count;
    bool values;
    uint32_t also[WATCH_ALSO]; /* their numbers */
    uint32_t also_count;
    watch_reaction reaction;
    watch_events expected;
    watch_events told;
    watch_known known[WATCH_SLOTS];
} watch_observer;

struct watch {
    fixture f;
    kith_world *world;
    owned_record owned;
    kith_commands *commands;
    input in;
    bool exact[WATCH_TYPES];
    uint32_t cap;   /* of entities */
    uint32_t count; /* of those alive */
    watch_entity entities[WATCH_SLOTS];
    watch_observer observers[WATCH_OBSERVERS];
    uint64_t call;
    bool unordered;      /* the events of now are of one call */
    bool loose;          /* of the events that are expected, some need not be told */
    bool filled;         /* there are fillers */
    bool left;           /* a delivery has failed since the last one */
    bool calm;           /* no allocation fails, so that observers may react */
    watch_entity *ended; /* since the last delivery, as they were then */
    uint32_t ended_count;
    uint32_t ended_capacity;
    watch_events acted;  /* who was set burning by observers as they were told */
    watch_events queued; /* who is, when all have been told */
    uint64_t seed;
    uint64_t number; /* of the step */
    char note[128];
};

/* A call that may fail, and what it does to the model once it has succeeded. */
typedef struct watch_step {
    const char *name;
    kith_result (*act)(watch *w, struct watch_step *s);
    void (*expect)(watch *w, const struct watch_step *s); /* NULL: nothing */
    kith_entity entity;                                   /* one of those alive */
    kith_entity made;
    kith_value values[WATCH_VALUES];
    uint32_t types[WATCH_VALUES];   /* the numbers of their types, */
    uint32_t numbers[WATCH_VALUES]; /* and those that they stand for */
    uint32_t value_count;
    kith_entity *entities; /* room for WATCH_SLOTS */
    uint32_t count;
    uint32_t ended;
    const struct watch_command *commands;
    watch_observer *observer;
    bool run;  /* it is a kith_run */
    bool once; /* a failure is left at that, and the model does nothing */
    bool fill; /* with the fillers */
} watch_step;

/* ---- Values: watch.c ----------------------------------------------------------------------------- */

/* A value that stands for a number, which is the caller's to end. */
void watch_value_make(watch *w, uint32_t type, uint32_t number, void *value);
void watch_value_end(watch *w, uint32_t type, void *value);

/* The number that a value stands for, of which every byte is checked. 0 of a tag. */
uint32_t watch_value_read(uint32_t type, const void *value);

/* Writes over a value where it stands. */
void watch_value_write(uint32_t type, uint32_t number, void *value);

/* What a component has that is added without a value. */
uint32_t watch_initial(uint32_t type);

/* ---- What happened: watch.c ---------------------------------------------------------------------- */

void watch_push(watch_events *events, watch_event event);

/* NULL if it is not alive. */
watch_entity *watch_find(watch *w, kith_entity handle);
/* One of those alive; NULL if there are none. */
watch_entity *watch_choose(watch *w);

/* What the world has done, for the model and the lists of those who are to be told. */
watch_entity *watch_spawned(watch *w, kith_entity handle);
void watch_gained(watch *w, watch_entity *entity, uint32_t type, uint32_t number);
void watch_lost(watch *w, watch_entity *entity, uint32_t type);
void watch_gained_all_of(watch *w, watch_entity *entity, const watch_entity *source);
void watch_cleared(watch *w, watch_entity *entity);
void watch_ended(watch *w, watch_entity *entity);

/* The world has what the model has. */
void watch_check(watch *w);

/* ---- Steps: watch.c, watch_changes.c, watch_commands.c ------------------------------------------- */

/* What a failure tells besides: the seed, the step, and this. */
void watch_name(watch *w, const char *name);

/* Makes the call until it succeeds, and then has the model do the same. Every third step begins with
 * failures, of one allocation or hook or of each in turn: they leave the world as it was. */
void watch_attempt(watch *w, watch_step *s);

uint32_t watch_choose_type(watch *w);
uint32_t watch_choose_number(watch *w, uint32_t type);

/* Makes more, if there is room in the model. */
void watch_spawn_some(watch *w, watch_step *s);
/* Ends up to half of those alive. */
void watch_despawn_some(watch *w, watch_step *s);
/* Any change but by commands; `s->entity` is alive. */
void watch_change(watch *w, watch_step *s);
/* A buffer of commands. */
void watch_commands(watch *w, watch_step *s);

/* ---- Who is told: watch_observers.c -------------------------------------------------------------- */

/* Makes the observer that a place describes. Where that fails there is none. */
kith_result watch_observer_make(watch_observer *o);
/* Frees it, if there is one, and its place. */
void watch_observer_end(watch_observer *o);

/* Delivers by kith_observers_flush, or by kith_run. If that fails nobody may have been told. */
kith_result watch_deliver(watch *w, bool run);
/* Compares what was told with what was to be told. */
void watch_delivered(watch *w);

/* Somebody got or lost a component: all who are to be told have it in their lists. */
void watch_note_change(watch *w, kith_entity entity, uint32_t type, bool lost, uint32_t number);

#endif
