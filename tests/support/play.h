/* Plays random operations on three worlds and on the naive model, and compares them at each step.
 *
 *   SUBJECT   has allocations that fail and blocks that are shared
 *   TWIN      gets the same calls without that: must have the same kith_world_hash
 *   OTHER     has other layouts, and gets some calls as several smaller ones: must have the same
 *             kith_content_hash
 *
 * What is played is decoded from bytes (input.h), so that a fuzzer can drive it. */
#ifndef KITH_TEST_PLAY_H
#define KITH_TEST_PLAY_H

#include <kith/diff_bytes.h>
#include <kith/kith.h>

#include "input.h"
#include "live_model.h"
#include "model.h"
#include "model_links.h"
#include "test.h"

typedef struct play_options {
    uint64_t steps;
    bool no_failures; /* no allocation of SUBJECT fails */
    bool no_sharing;  /* none of its blocks are shared */
    bool commands;    /* almost all steps are command buffers about relations and names */
} play_options;

/* Plays until the steps are done or the input ends. Ends the test at the first difference, and says
 * with which seed and step. */
void play_run(const play_options *options, input in);

/* ---- From here on: what the parts of it share ---------------------------------------------------- */

enum { SUBJECT, TWIN, OTHER, WORLD_COUNT };

#define PLAY_TYPES 96u /* more than there are bits in a word */
#define PLAY_VALUES 8u
#define PLAY_TERMS 8u
#define PLAY_QUERIES 8u
#define PLAY_SHARES 4u
#define PLAY_HOT 6u
#define PLAY_KINDS 3u
#define PLAY_SYSTEMS 6u /* of which the last one is about links */
#define PLAY_FOLLOWERS 4u
#define PLAY_INDEXES 8u
#define PLAY_PLACES 2u
#define PLAY_LIVES 3u
#define PLAY_LIVE_TERMS 4u
#define PLAY_LEVELS 3u
#define PLAY_WATCHES 3u
#define PLAY_TRANSIENTS 4u
#define PLAY_VIAS 5u
#define PLAY_SNAPSHOTS 3u
#define PLAY_NAMES 300u /* texts, of which the last ones are no names */

typedef struct play play;
typedef struct play_follower play_follower;
typedef struct play_via play_via;
typedef struct operation operation;

/* What the hooks of a type know in one world. */
typedef struct play_hooked {
    kith_allocator allocator;
    uint32_t size;
    uint64_t live; /* values */
} play_hooked;

typedef struct played {
    const play *p;
    fixture f;
    kith_world *world;
    kith_layout layouts[PLAY_TYPES];
    kith_query *queries[PLAY_QUERIES];
    kith_query *vias[PLAY_VIAS];
    kith_query *levels[PLAY_LEVELS];
    kith_commands *commands;
    kith_lookup lookup; /* made now and then; whatever happens, it finds what kith_get does */
    const kith_type *looked_up;
    struct play_follower *followers;   /* NULL, or PLAY_FOLLOWERS of them; some without a tracker */
    kith_index *indexes[PLAY_INDEXES]; /* NULL: it is not there */
    kith_index_kind indexed_as[PLAY_INDEXES]; /* the kind, where there is one */
    bool indexed_by_call[PLAY_INDEXES];       /* its keys are computed by a function */
    kith_query *valued[PLAY_INDEXES];         /* that ask for one value; NULL: not made yet */
    kith_query *keyed[PLAY_INDEXES];          /* the same by a function */
    kith_index *places[PLAY_PLACES];          /* spatial ones */
    live_model lives[PLAY_LIVES];             /* some without a live query */
    uint64_t readers[PLAY_TYPES];             /* of the events of each type */
    struct play_watch *watches; /* NULL, or PLAY_WATCHES of them; some without observers */
    kith_snapshot *snapshots[PLAY_SNAPSHOTS];
    play_hooked hooked[PLAY_TYPES];
} played;

typedef struct play_query {
    bool used;
    kith_term terms[PLAY_TERMS + 1]; /* and the end */
    uint32_t term_count;
    const kith_type *driver;
} play_query;

/* A list of components that many entities are made with. */
typedef struct play_kind {
    const kith_type *types[PLAY_VALUES];
    uint32_t count;
} play_kind;

typedef struct play_system {
    int32_t priority;
    bool there;
    bool enabled;
    uint32_t age; /* when it was added, for equal priorities */
} play_system;

/* What a call gives back besides its result. Starts as EE bytes, and stays so where a call fails. */
typedef struct outcome {
    kith_entity entity;
    uint32_t count;
    kith_entity *entities; /* the operation's `count` of them; NULL where it wants none */
} outcome;

struct operation {
    const char *name;
    kith_result (*act)(played *w, const operation *op, outcome *out);
    kith_result (*act_other)(played *w, const operation *op, outcome *out); /* on OTHER; or NULL */
    /* Advances the model, if the call is to succeed. */
    kith_result (*expect)(play *p, const operation *op, outcome *out);
    bool judged;      /* whatever it is about, it can concern links and names */
    bool never_fails; /* for want of memory, unless blocks are shared or types are tracked */
    kith_entity entity;
    kith_entity source; /* whose value is to be set, if `bytes` is NULL */
    const kith_type *type;
    const void *bytes;
    size_t size;
    kith_value values[PLAY_VALUES];
    kith_values many[PLAY_VALUES];
    uint32_t value_count;
    const kith_entity *entities;
    uint32_t count;
    bool wants_entities;
    uint32_t number;
    const play_query *query;
    kith_layout layouts[WORLD_COUNT];
};

/* What is known of the queries, snapshots and observers that the worlds have. */
typedef struct play_asked {
    play_query queries[PLAY_QUERIES];
    play_via *vias[PLAY_VIAS]; /* NULL: none so far */
    play_query levels[PLAY_LEVELS];
    bool levels_down[PLAY_LEVELS]; /* parents first */
    kith_term live_terms[PLAY_LIVES][PLAY_LIVE_TERMS]; /* of live queries, and the end */
    struct play_moment *moments; /* NULL, or PLAY_SNAPSHOTS of them */
    struct test_stamps *stamps; /* what SUBJECT had at the last look, or NULL */
    model *told;       /* as it was when observers were told last; NULL: there are none */
    uint32_t attempts; /* since then */
    bool mixed;        /* since then, one call may have added and removed the same */
    bool ran;          /* since then, observers were told by kith_run */
} play_asked;

struct play {
    input in;
    uint64_t seed;
    uint64_t step;
    uint64_t salt; /* what values are made of */
    char note[128];
    bool failures;
    bool sharing;
    bool tracking;
    const kith_type *transients[PLAY_TRANSIENTS + 1]; /* and NULL */
    bool links;     /* relations and names are used much */
    bool commands;  /* as in the options */
    uint32_t wrong; /* bits 1 << kith_result: what `expect` finds wrong */
    kith_text names[PLAY_NAMES]; /* the same in all worlds */
    uint32_t cap; /* entities there should be at most, in this phase */
    uint64_t phase_end;
    const kith_type *hot[PLAY_HOT]; /* types that are used most, in this phase */
    play_kind kinds[PLAY_KINDS];    /* what most of its entities are made with */
    model m;
    played worlds[WORLD_COUNT];
    play_asked asked;
    uint32_t aside; /* how many others were put aside: see play_aside.c */
    play_system systems[PLAY_SYSTEMS];
    uint32_t system_age;
    uint64_t readers[PLAY_TYPES]; /* of the events of each type */
    uint32_t snapshot_count;     /* that each world has */
    struct test_share *shares[PLAY_SHARES];
    uint32_t share_count;
    void **scratch;             /* lives until the step ends */
    uint32_t scratch_count;
};

/* play_look.c */
void play_look_entities(play *p, const played *w);
void play_look_hashes(play *p);
void play_full_look(play *p);

/* play.c */
void play_attempt(play *p, const operation *op);
/* Whether some of SUBJECT's allocations shall fail in what comes next. */
bool play_wants_failure(play *p);
/* Lets them fail, until fail_nothing. */
void play_fail_some(play *p);
/* What is being done, for the message of a failure. */
void play_name(play *p, const char *name);
void *play_scratch(play *p, size_t size);
/* Bytes for a value; NULL for a tag, and sometimes for zero bytes. */
const void *play_bytes(play *p, const kith_type *type, uint32_t count);
const kith_type *play_registered(play *p);
/* One of all types; kith_disabled, here and above, only where kith_child_of is registered. */
const kith_type *play_any_type(play *p);
const kith_type *play_disabled_type(const play *p); /* the same; NULL: it is not to be asked for */
const kith_type *play_small(play *p, uint32_t size); /* registered, and no larger */
kith_entity play_living(play *p);                    /* KITH_NONE if there is none */
kith_entity play_entity(play *p);                    /* mostly living */
/* Components for an entity or several; now and then one of them twice. */
void play_choose_values(play *p, operation *op, uint32_t size);
bool play_named_twice(const operation *op);
/* How large a value may be: large ones are for small worlds. */
uint32_t play_size_limit(play *p);
/* Whether the model's entity is alive and has it. */
bool play_has(const play *p, kith_entity handle, const kith_type *type);

/* play_types.c */
const kith_type *play_type(uint32_t number);
uint32_t play_number(const kith_type *type);
/* The play's own copy of a type that the library named. */
const kith_type *play_same_type(const kith_type *type);
kith_layout play_layout(const played *w, const kith_type *type);
/* How many handles of entities a value begins with. */
uint32_t play_handles_in(const kith_type *type);

/* Numbers of types that are relations, the name of entities, and a type with a unique key. */
#define PLAY_GUARDED_FIRST 40u
#define PLAY_GUARDED_COUNT 12u
#define PLAY_KEYED 51u /* the last of them, which may have a unique key */
bool play_is_guarded(const kith_type *type);
#define PLAY_DISABLED 52u /* kith_disabled */

/* play_hooks.c */
bool play_is_hooked(const kith_type *type);
kith_result play_register(played *w, const kith_type *type, kith_layout layout);
void play_look_hooks(play *p);
void play_end_hooks(const play *p);

/* play_guarded.c */
/* Bytes of `count` values of a guarded type. */
const void *play_guarded_bytes(play *p, const kith_type *type, uint32_t count);
/* One that is not guarded, to be written in place. */
const kith_type *play_writable(play *p);
/* Whether an operation can concern links or names. */
bool play_concerns_links(const play *p, const operation *op);
/* What the operation leads to is judged: `expected`, unless links or names forbid it. If the subject's
 * result is one of several that may be, it is expected. Else the model becomes what it was. */
kith_result play_judge(play *p, const operation *op, kith_result expected, kith_result result,
                       model *before);

/* Links and names by calls of their own. */
void play_relations(play *p); /* play_relations.c */
void play_set_parent(play *p);
void play_look_relations(play *p);
void play_names(play *p); /* play_names.c */
void play_look_names(play *p);
void play_begin_names(play *p);
void play_keys(play *p); /* play_keys.c: unique keys */
void play_look_keys(play *p);
void play_make_key(kith_world *world, const model *m); /* if the model has one */
/* Gives a world the texts of names, by the same numbers as in all others. */
void play_intern_names(play *p, kith_world *world);
void play_vias(play *p); /* play_via.c: queries that follow relations, and rows of several */
void play_look_vias(play *p);
void play_end_vias(play *p);
struct play_links; /* play_naive.c: the model, for the naive evaluation of terms */
const struct play_links *play_find_links(play *p);
struct naive_world play_naive_world(const struct play_links *links);
void play_disabled(play *p); /* play_disabled.c: what is switched off with its parent */
void play_look_disabled(play *p);
void play_clone_tree(play *p); /* play_trees.c */
kith_entity play_parent(play *p); /* mostly one that has children */
kith_entity play_child(play *p, kith_entity parent); /* KITH_NONE: there may be none */
void play_levels(play *p); /* play_levels.c: queries that visit parents first, or children */

/* Steps, by what they are about. */
void play_entities(play *p, uint32_t choice); /* play_entities.c */
#define PLAY_ENTITIES_CHOICES 13u
void play_components(play *p, uint32_t choice); /* play_components.c */
/* All of the operation's values are set, or none. */
kith_result play_expect_several(play *p, const operation *op, outcome *out);
#define PLAY_COMPONENTS_CHOICES 20u
void play_fields(play *p, uint32_t choice); /* play_fields.c */
#define PLAY_FIELDS_CHOICES 6u
void play_values(play *p, uint32_t choice); /* play_values.c */
#define PLAY_VALUES_CHOICES 10u
void play_systems(play *p, uint32_t choice); /* play_systems.c */
#define PLAY_SYSTEMS_CHOICES 4u
void play_queries(play *p, uint32_t choice); /* play_queries.c */
#define PLAY_QUERIES_CHOICES 10u
/* The layout in whose order entities come, if that does not depend on sizes; otherwise -1. */
int play_sure_order(const played *w, const play_query *query); /* play_order.c */
/* One entity may come after another. */
void play_check_order(const play *p, const played *w, int order, const model_entity *previous,
                      const model_entity *entity);
void play_commands(play *p, uint32_t choice); /* play_commands.c */
#define PLAY_COMMANDS_CHOICES 6u
void play_sharing(play *p, uint32_t choice); /* play_sharing.c */
#define PLAY_SHARING_CHOICES 6u

void play_end_stamps(play *p);

/* Takes, restores or frees a snapshot of each world. */
void play_snapshots(play *p); /* play_snapshots.c */
void play_end_snapshots(play *p);
void play_restore(play *p, uint32_t number);
/* Makes the worlds what they were at a moment: by the difference to that from what they are; or, with
 * `saved`, from what they were saved as there, whatever they are. Each world has bytes of its own. */
void play_apply(play *p, uint32_t number, const kith_bytes *bytes, bool saved);
/* The model as it was when a snapshot was taken. */
const model *play_moment_model(const play *p, uint32_t number);
uint64_t play_moment_content(const play *p, uint32_t number);
/* Looks at views, forks and differences of snapshots. */
void play_forks(play *p); /* play_forks.c */

/* Worlds and a model that are put aside, while the play goes on with others: play_aside.c. */
typedef struct play_aside {
    model m;
    played worlds[WORLD_COUNT];
    play_asked asked;
} play_aside;

/* Goes on with other worlds and a model of them, which knows the types of now. */
play_aside *play_put_aside(play *p, model next, kith_world *const *worlds);
/* Ends those, and goes on with what was put aside. */
void play_take_back(play *p, play_aside *kept);
void play_look_aside(play *p); /* at the others */
void play_go_on(play *p);      /* some steps of all kinds that they can take */
/* An empty world, with the types of a model and the texts of names. */
kith_world *play_new_world(play *p, int world, const model *next); /* play_scenes.c */

/* Writes the worlds as scenes, and reads those. */
void play_scenes(play *p); /* play_scenes.c */
/* Moves entities to other worlds, and some of them back. */
void play_transfers(play *p); /* play_transfers.c */

/* Sorts by a type. */
void play_sort(play *p); /* play_sort.c */

/* Makes, drops or asks an index. */
void play_indexes(play *p); /* play_indexes.c */
void play_look_indexes(play *p);
void play_places(play *p); /* play_places.c: those by place */
void play_look_places(play *p);
void play_selects(play *p); /* play_selects.c: the first few in an order, in text */

/* Makes, drops or asks a live query. */
void play_lives(play *p); /* play_lives.c */
void play_look_lives(play *p);
void play_end_lives(play *p);

/* Adds, removes or switches a system. */
void play_change_systems(play *p);

/* Begins to track a type. */
void play_trackers(play *p); /* play_trackers.c */
void play_look_trackers(play *p);
void play_end_trackers(play *p);

/* Makes observers of a type and of a query. */
void play_observers(play *p); /* play_observers.c */
/* Tells all observers, and compares what they were told since the last time with the model. */
void play_look_observers(play *p);
/* What observers have been told is what there is now. */
void play_rewind_observers(play *p);
void play_end_observers(play *p);

/* Parts of a full look. */
void play_look_values(play *p);
void play_look_systems(play *p);
void play_look_queries(play *p);
void play_end_sharing(play *p);

#endif
