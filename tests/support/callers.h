/* Each public call, on a world that has all that there is to call on, and who may make it: for tests
 * that make it where its header forbids it. */
#ifndef KITH_TEST_CALLERS_H
#define KITH_TEST_CALLERS_H

#include <kith/game.h>
#include <kith/kith.h>
#include <kith/scene.h>

#include "components.h"
#include "owned.h"
#include "test.h"

/* What there is to make calls on. */
typedef struct subject {
    fixture f;
    kith_world *world;
    owned_record record;
    kith_entity e;     /* Position {1, 2} */
    kith_entity owner; /* Owned; a child of `e` */
    kith_entity last;  /* the other child of `e` */
    kith_query *query; /* KITH_WRITE(Position) */
    kith_index *places; /* of Position */
    kith_tracker *tracker;
    kith_select *select;
    kith_index *index; /* of Position.x */
    kith_live *live;   /* of Position */
    kith_observer *observer;
    kith_commands *commands;
    kith_snapshot *snapshot;
    kith_snapshot *other_snapshot; /* to be freed */
    kith_scene *scene;
    const kith_prefab *prefab;
    kith_grid *grid;
    kith_namer namer; /* is added */
    kith_namer other_namer;
    kith_iter *it; /* on a batch with `e`: one that is open, or a system's. The caller's to set */
    kith_observed observed;
    kith_reader reader;
    Position value;
    char text[256];
    size_t length;
    union subject_answer {
        kith_entity entity;
        void *pointer;
        const void *pointers[1];
        uint64_t number;
        kith_text text;
        kith_component_stats component;
        kith_table_stats table;
        kith_change change;
        Position position;
        kith_index_found found;
        kith_near nearest;
    } out;
} subject;

subject *subject_new(void);
void subject_free(subject *s);

/* Who may make a call. */
typedef enum caller {
    BY_OWNER,  /* the thread that owns the world, outside of hooks and query systems */
    BY_READER, /* it, and query systems */
    BY_ITER,   /* it, with an iterator of its own; a system, with the one that it was given */
    BY_SYSTEM, /* a system, with the one that it was given */
    BY_PLAIN,  /* a plain system, with that */
    BY_ANYONE  /* any thread, hooks included */
} caller;

enum { CALLER_ALLOWED, CALLER_REFUSED, CALLER_SILENT /* it returns nothing */ };

typedef struct callers_call {
    const char *name;
    caller by;
    int (*make)(subject *s); /* CALLER_REFUSED, if it returned what a refused one does */
    const struct callers_call *next;
} callers_call;

/* The list of them. */
extern const callers_call *callers_calls;

/* Whether a call knows of no world, or of none that has to be there still. */
bool callers_are_free(const char *name);

#endif
