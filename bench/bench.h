/* What the benchmarks share: a workload is done by Kith and by hand-written arrays in turn, in the same
 * process, and both must come to the same checksum. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <kith/kith.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;

KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));
KITH_TYPE(Velocity, KITH_FIELD(Velocity, x), KITH_FIELD(Velocity, y));

#define BENCH_DT 0.5f

/* One measured run: the time of the measured part alone, and what it came to. */
typedef struct bench_sample {
    double ns;
    uint64_t checksum;
} bench_sample;

/* One side of a workload. `open` prepares what is not measured, and may be NULL. */
typedef struct bench_side {
    void *(*open)(uint32_t n, kith_layout layout);
    bench_sample (*run)(void *state, uint32_t n, kith_layout layout);
    void (*close)(void *state);
} bench_side;

#define BENCH_NO_SIDE                                                                              \
    {                                                                                              \
        NULL, NULL, NULL                                                                           \
    }

/* What else there is in Kith's world. A row in another setting than the first is beside the same row
 * without that, instead of beside arrays. */
typedef enum bench_setting {
    BENCH_ALONE, /* nothing */
    /* A query has just looked for changes: the first write to each block has to say that it was one. */
    BENCH_WATCHED,
    /* An index of a component that the row is about was just asked. The work alone is measured, and not
     * asking the index after it: rows like places-refresh measure that. */
    BENCH_INDEXED,
    /* That index was freed then: what an indexed row is beside, so that both find the same in caches. */
    BENCH_UNINDEXED,
    /* A snapshot is taken first, in place of the one from before the warm-up. That is measured, and
     * so is copying blocks when they are written. */
    BENCH_SNAPSHOTS
} bench_setting;

/* Times the same row without. */
#define BENCH_SETTING_TARGET 1.3

typedef struct bench_workload {
    const char *name;
    const char *what;
    uint32_t n;
    kith_layout layout;
    double target; /* times what it is beside; 0: none is set */
    bench_side kith;
    bench_side arrays; /* BENCH_NO_SIDE in a setting */
    bench_setting setting;
} bench_workload;

/* Rows of a workload in each setting: in one layout; and of 100,000 in each layout. Names are literals,
 * and what follows is open, run, close. */
#define BENCH_ROW_IN(setting, name, what, n, layout, ...)                                          \
    {                                                                                              \
        name, what, n, layout, BENCH_SETTING_TARGET, {__VA_ARGS__}, BENCH_NO_SIDE, setting         \
    }
#define BENCH_WHAT_WATCHED "after a look for changes; beside the row without"
#define BENCH_WHAT_INDEXED "with an index; asking it after is untimed; beside the row"
#define BENCH_WHAT_SNAPSHOTS "a snapshot taken first, timed too; beside the row"
#define BENCH_ROW_IN_SETTINGS(name, n, layout, ...)                                                \
    BENCH_ROW_IN(BENCH_WATCHED, name "-watched", BENCH_WHAT_WATCHED, n, layout, __VA_ARGS__),      \
        BENCH_ROW_IN(BENCH_INDEXED, name "-indexed", BENCH_WHAT_INDEXED, n, layout, __VA_ARGS__),  \
        BENCH_ROW_IN(BENCH_SNAPSHOTS, name "-snapshots", BENCH_WHAT_SNAPSHOTS, n, layout,          \
                     __VA_ARGS__)
#define BENCH_LAYOUTS_IN(setting, name, what, ...)                                                 \
    BENCH_ROW_IN(setting, name, what, 100000, KITH_TABLE, __VA_ARGS__),                            \
        BENCH_ROW_IN(setting, name, "", 100000, KITH_SPARSE, __VA_ARGS__),                         \
        BENCH_ROW_IN(setting, name, "", 100000, KITH_SLOT, __VA_ARGS__)
#define BENCH_LAYOUTS_IN_SETTINGS(name, ...)                                                       \
    BENCH_LAYOUTS_IN(BENCH_WATCHED, name "-watched", BENCH_WHAT_WATCHED, __VA_ARGS__),             \
        BENCH_LAYOUTS_IN(BENCH_INDEXED, name "-indexed", BENCH_WHAT_INDEXED, __VA_ARGS__),         \
        BENCH_LAYOUTS_IN(BENCH_SNAPSHOTS, name "-snapshots", BENCH_WHAT_SNAPSHOTS, __VA_ARGS__)

/* What one workload came to: ns per operation. */
typedef struct bench_row {
    const bench_workload *workload;
    uint32_t n;
    double ns;
    double median;
    double arrays_ns; /* of what it is beside */
    double arrays_median;
    double ratio; /* of the minima */
    double median_ratio;
    bool right; /* both sides came to the same checksum */
} bench_row;

/* Which round it is, the same for all sides: for workloads that play something else in each. */
extern uint32_t bench_round;

/* Runs a side in a setting, which its run has to make by bench_frame_new. */
bench_sample bench_run_in(bench_setting setting, const bench_side *side, void *state, uint32_t n,
                          kith_layout layout);

/* What a setting needs in a world. */
typedef struct bench_frame {
    bench_setting setting;
    kith_world *world;
    kith_index *index;
    kith_snapshot *snapshot; /* the last one */
} bench_frame;

/* To be called when the world is filled, before it is warmed up. An index is of the first field of
 * `indexed`: of what the row adds, sets or removes, or else of Position. */
bench_frame bench_frame_new(kith_world *world, const kith_type *indexed);

/* Begins what is measured, and tells when that was. */
double bench_frame_start(bench_frame *frame);

/* Runs both sides in turn, `rounds` times after a warm-up. */
bench_row bench_measure(const bench_workload *workload, uint32_t n, uint32_t rounds);

const char *bench_layout_name(kith_layout layout);

/* ---- What is printed. Targets are part of what they are for: of a workload, or of a figure's call. */

/* Only what has a target is run and printed. */
extern bool bench_targets_only;

/* Whether a measured value keeps to a target; false where there is none. */
bool bench_is_met(double value, double target);

/* What a line says of its target, in a word; what it says is counted for the summary. */
const char *bench_verdict(double value, double target);

void bench_print_head(void);
void bench_print_row(const bench_row *row);

/* A figure that is not a ratio: its least and its median, the latter 0 where it has none. A target (0:
 * none) is for the least, unless `of_median` says otherwise. */
typedef struct bench_figure {
    const char *what;
    const char *unit;
    double least;
    double median;
    double target;
    bool of_median;
} bench_figure;
void bench_print_figure_head(const char *what);
void bench_print_figure(bench_figure figure);

/* How many targets were met and missed. */
void bench_print_summary(void);

/* Files to write; what goes wrong is told on stderr, and NULL or false returned. */
FILE *bench_open_file(const char *path);
bool bench_close_file(FILE *file, const char *path);

/* Writes rows for machines; or draws how the cost of one workload grows with n: its rows are in order of
 * layout and n. */
bool bench_write_json(const char *path, const bench_row *rows, uint32_t count);
bool bench_write_plot(const char *path, const bench_row *rows, uint32_t count);

/* Prints how the cost of one call grows with the number of others that there are. */
void bench_growth(void);

/* Prints the longest single operations. */
void bench_latency(void);

/* Prints what snapshots cost. */
void bench_snapshots(void);
void bench_snapshot_found(void);  /* of what is found by keys and indexes: part of it, */
void bench_snapshot_tables(void); /* and of many tables */
void bench_forks(void);
void bench_views(void);

/* Prints what rollback costs: a snapshot and a hash in each frame. */
void bench_rollback(void);

/* Prints what saving and loading a world costs. */
void bench_save(void);

/* Prints what a fresh query costs. */
void bench_fresh_query(void);

/* All workloads, in the order in which they are run. */
uint32_t bench_workload_count(void);
const bench_workload *bench_workload_at(uint32_t number);
uint32_t bench_workload_rounds(uint32_t number);

/* Workloads whose instructions are counted, and that are not timed. */
extern const bench_workload bench_steps[];
extern const uint32_t bench_steps_count;

/* A fresh query over 1,024 tables, what matches 256 of them counted, freed: n times. */
void *bench_open_fresh(uint32_t n, kith_layout layout);
bench_sample bench_run_fresh(void *state, uint32_t n, kith_layout layout);
void bench_close_fresh(void *state);

extern const bench_workload bench_create[];
extern const uint32_t bench_create_count;
extern const bench_workload bench_destroy[];
extern const uint32_t bench_destroy_count;
extern const bench_workload bench_change[];
extern const uint32_t bench_change_count;
extern const bench_workload bench_get[];
extern const uint32_t bench_get_count;
extern const bench_workload bench_loop[];
extern const uint32_t bench_loop_count;
extern const bench_workload bench_filter[];
extern const uint32_t bench_filter_count;
extern const bench_workload bench_mixed[];
extern const uint32_t bench_mixed_count;
extern const bench_workload bench_count[];
extern const uint32_t bench_count_count;
extern const bench_workload bench_condition[];
extern const uint32_t bench_condition_count;
extern const bench_workload bench_join[];
extern const uint32_t bench_join_count;
extern const bench_workload bench_linked[];
extern const uint32_t bench_linked_count;
extern const bench_workload bench_planned[];
extern const uint32_t bench_planned_count;
extern const bench_workload bench_filtered[];
extern const uint32_t bench_filtered_count;
extern const bench_workload bench_tables[];
extern const uint32_t bench_tables_count;
extern const bench_workload bench_commands[];
extern const uint32_t bench_commands_count;
extern const bench_workload bench_systems[];
extern const uint32_t bench_systems_count;
extern const bench_workload bench_parallel[]; /* what needs two cores */
extern const uint32_t bench_parallel_count;
extern const bench_workload bench_observers[];
extern const uint32_t bench_observers_count;
extern const bench_workload bench_scene[];
extern const uint32_t bench_scene_count;
extern const bench_workload bench_collide[];
extern const uint32_t bench_collide_count;
extern const bench_workload bench_sorting[];
extern const uint32_t bench_sorting_count;
extern const bench_workload bench_places[];
extern const uint32_t bench_places_count;
extern const bench_workload bench_boxes[];
extern const uint32_t bench_boxes_count;
extern const bench_workload bench_space[];
extern const uint32_t bench_space_count;
extern const bench_workload bench_prefix[];
extern const uint32_t bench_prefix_count;
extern const bench_workload bench_ordered[];
extern const uint32_t bench_ordered_count;
extern const bench_workload bench_refresh[];
extern const uint32_t bench_refresh_count;
extern const bench_workload bench_live[];
extern const uint32_t bench_live_count;
extern const bench_workload bench_unique[];
extern const uint32_t bench_unique_count;
extern const bench_workload bench_levels[];
extern const uint32_t bench_levels_count;
extern const bench_workload bench_links[];
extern const uint32_t bench_links_count;
extern const bench_workload bench_names[];
extern const uint32_t bench_names_count;
extern const bench_workload bench_query_text[];
extern const uint32_t bench_query_text_count;
extern const bench_workload bench_transforms[];
extern const uint32_t bench_transforms_count;

/* Nanoseconds on a clock that only goes forward. What stands between a side's first and second call of
 * it is what is measured; the program that counts instructions goes by that, too. */
double bench_now(void);

/* Says what went wrong, and ends the program. */
_Noreturn void bench_fail(const char *what);

/* The slots of what an index found, added up. Ends the program if `result` is an error. */
static inline uint64_t bench_sum_found(kith_result result, const kith_index_found *found)
{
    if (result != KITH_OK) {
        bench_fail("an index was not asked");
    }
    uint64_t sum = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        sum += found->entities[i].index1;
    }
    return sum;
}

/* The slots of a query's rows, added up. */
static inline uint64_t bench_sum_rows(kith_query *query)
{
    uint64_t sum = 0;
    for (kith_iter it = kith_query_iter(query); kith_next_rows(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            sum += kith_entities(&it)[i].index1;
        }
    }
    return sum;
}

/* malloc that ends the program with a message if there is no memory. */
void *bench_take(size_t size);

/* A world with Position and Velocity in one layout. */
kith_world *bench_world(kith_layout layout);

/* The values that entity number `i` starts with: small integers, so that sums are exact. */
static inline Position bench_position(uint32_t i)
{
    return (Position){(float)(i % 64), (float)(i % 32)};
}

static inline Velocity bench_velocity(uint32_t i)
{
    return (Velocity){(float)(i % 8), (float)(i % 4)};
}

typedef struct Extra {
    float a, b, c;
} Extra;
KITH_TYPE(Extra, KITH_FIELD(Extra, a), KITH_FIELD(Extra, b), KITH_FIELD(Extra, c));

KITH_TAG(Marker);

/* n entities with Position and Velocity, in a world that also knows Extra and Marker; all in one
 * layout. Their handles go to `handles`, in order of creation, unless that is NULL. */
kith_world *bench_filled_world(kith_layout layout, uint32_t n, kith_entity *handles);

/* Types PREFIX0, PREFIX1, ..., counted from `first`: of so many floats, at most 3, and with no struct
 * behind them. Worlds keep what they need of them. */
typedef struct bench_types {
    kith_type *types;
    uint32_t *numbers;
    char (*names)[16];
} bench_types;
bench_types bench_types_new(const char *prefix, uint32_t first, uint32_t count, uint32_t floats);
void bench_types_free(bench_types made);

/* Sorts samples, least first, and returns them. */
double *bench_sort(double *samples, uint32_t count);

/* The next one of a row of random numbers, which goes on from `*random`. */
static inline uint32_t bench_random(uint64_t *random)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*random >> 32);
}

/* The same from 0 up to `limit`. */
static inline float bench_random_float(uint64_t *random, float limit)
{
    return (float)(bench_random(random) >> 8) * (1.0f / (1 << 24)) * limit;
}

/* Numbers 0 to n - 1, shuffled, always in the same way. */
uint32_t *bench_shuffled(uint32_t n);

/* Prints what Kith's memory is used for. */
void bench_memory(void);

/* Prints what frames on the terminal cost. */
void bench_terminal(void);

#endif
