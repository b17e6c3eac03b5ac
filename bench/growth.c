/* How what one call takes grows with the number of others that there are: the least of several rounds,
 * among few and among eight times as many. tests/costs does the same for all calls, in steps counted. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

#define ROUNDS 5u
#define TIMES 8u     /* as many are many */
#define TARGET 4.0   /* times what one takes among few: memory that is farther away may do that */
#define MEASURED 256 /* calls, where the others are there already */

typedef struct growth {
    const char *what;
    uint32_t few;
    double (*run)(uint32_t n); /* ns of one among n */
} growth;

static void expect(bool right, const char *what)
{
    if (!right) {
        bench_fail(what);
    }
}

/* ---- Systems, each after the one that is registered next -------------------------------------- */

static void run_nothing(kith_iter *it)
{
    (void)it;
}

static kith_world *world_of_systems(uint32_t n)
{
    kith_world *world = bench_world(KITH_TABLE);
    for (uint32_t i = 0; i < n; i++) {
        char name[24], next[24];
        snprintf(name, sizeof name, "system %u", i);
        snprintf(next, sizeof next, "system %u", i + 1);
        const kith_system_def def = {.name = name,
                                     .run = run_nothing,
                                     .query.terms = KITH_TERMS(KITH_READ(Position)),
                                     .after = i + 1 < n ? next : NULL};
        expect(kith_system_add(world, &def) == KITH_OK, "a system is not added");
    }
    return world;
}

static double build_schedule(uint32_t n)
{
    kith_world *world = world_of_systems(n);
    double start = bench_now();
    expect(kith_schedule_build(world) == KITH_OK, "a schedule is not built");
    double ns = bench_now() - start;
    kith_world_free(world);
    return ns / n;
}

static double print_schedule(uint32_t n)
{
    kith_world *world = world_of_systems(n);
    size_t size = (size_t)n * 256, length = 0;
    char *text = bench_take(size);
    expect(kith_schedule_build(world) == KITH_OK, "a schedule is not built");
    double start = bench_now();
    kith_schedule_print(world, text, size, &length);
    double ns = bench_now() - start;
    expect(length > n && length < size, "a schedule is not printed");
    free(text);
    kith_world_free(world);
    return ns / n;
}

/* ---- What hangs on a world, of which the oldest are freed -------------------------------------- */

static double free_buffers(uint32_t n)
{
    kith_world *world = bench_world(KITH_TABLE);
    kith_commands **made = bench_take(n * sizeof *made);
    for (uint32_t i = 0; i < n; i++) {
        made[i] = kith_commands_new(world, NULL);
        expect(made[i] != NULL, "no memory for a buffer");
    }
    double start = bench_now();
    for (uint32_t i = 0; i < MEASURED; i++) {
        kith_commands_free(made[i]);
    }
    double ns = bench_now() - start;
    free(made);
    kith_world_free(world);
    return ns / MEASURED;
}

static double free_trackers(uint32_t n)
{
    kith_world *world = bench_world(KITH_TABLE);
    kith_tracker **made = bench_take(n * sizeof *made);
    for (uint32_t i = 0; i < n; i++) {
        expect(kith_tracker_new(world, &Position_type, &made[i]) == KITH_OK,
               "no memory for a tracker");
    }
    double start = bench_now();
    for (uint32_t i = 0; i < MEASURED; i++) {
        kith_tracker_free(made[i]);
    }
    double ns = bench_now() - start;
    free(made);
    kith_world_free(world);
    return ns / MEASURED;
}

static void ignore(const kith_observed *observed)
{
    (void)observed;
}

/* More of them, among n. */
static double make_observers(uint32_t n)
{
    kith_world *world = bench_world(KITH_TABLE);
    double start = bench_now();
    for (uint32_t i = 0; i < n + MEASURED; i++) {
        start = i == n ? bench_now() : start;
        char name[24];
        snprintf(name, sizeof name, "observer %u", i);
        const kith_observer_def def = {
            .name = name, .kind = KITH_ON_ADD, .type = &Position_type, .run = ignore};
        expect(kith_observer_new(world, &def, NULL) == KITH_OK, "no memory for an observer");
    }
    double ns = bench_now() - start;
    kith_world_free(world);
    return ns / MEASURED;
}

/* ---- Tables ------------------------------------------------------------------------------------ */

#define SET_TYPES 15u

/* Spawns an entity with Position and a set of types, told by the bits of its number. */
static void spawn_set(kith_world *world, const kith_type *types, uint32_t set)
{
    kith_value values[SET_TYPES + 1] = {{&Position_type, NULL}};
    uint32_t count = 1;
    for (uint32_t bit = 0; bit < SET_TYPES; bit++) {
        if (set >> bit & 1) {
            values[count++] = (kith_value){&types[bit], NULL};
        }
    }
    expect(!kith_is_none(kith_spawn_or_none(world, values, count)), "no memory for an entity");
}

static void look_by_query(kith_world *world, kith_query *query)
{
    (void)world;
    kith_iter it = kith_query_iter(query);
    expect(kith_next(&it), "a query matches nothing");
    kith_iter_close(&it);
}

static void look_at_memory(kith_world *world, kith_query *query)
{
    (void)query;
    kith_table_stats stats;
    expect(kith_table_memory(world, 1, &stats, NULL, 0) == KITH_OK, "a table is not there");
}

/* More new tables, among n, and a look after each. */
static double make_tables(uint32_t n, void (*look)(kith_world *world, kith_query *query))
{
    kith_world *world = bench_world(KITH_TABLE);
    bench_types made = bench_types_new("Set", 0, SET_TYPES, 1);
    for (uint32_t i = 0; i < SET_TYPES; i++) {
        expect(kith_register(world, &made.types[i], NULL) == KITH_OK, "no memory for a type");
    }
    kith_query *query = KITH_QUERY(world, KITH_WRITE(Position));
    /* In no order of their own: 40,503 is odd, so each set comes once. */
    const uint32_t all = 1u << SET_TYPES;
    double start = bench_now();
    for (uint32_t i = 0; i < n + MEASURED; i++) {
        if (i == n) {
            look(world, query);
            start = bench_now();
        }
        spawn_set(world, made.types, i * 40503u % all);
        if (i >= n) {
            look(world, query);
        }
    }
    double ns = bench_now() - start;
    kith_world_free(world);
    bench_types_free(made);
    return ns / MEASURED;
}

static double make_tables_queried(uint32_t n)
{
    return make_tables(n, look_by_query);
}

static double make_tables_told(uint32_t n)
{
    return make_tables(n, look_at_memory);
}

/* ---- Types and values --------------------------------------------------------------------------- */

/* The first entity with so many components, and a second one. */
static double spawn_values(uint32_t n)
{
    kith_world *world = bench_world(KITH_TABLE);
    bench_types made = bench_types_new("Part", 0, n, 1);
    kith_value *values = bench_take(n * sizeof *values);
    for (uint32_t i = 0; i < n; i++) {
        expect(kith_register(world, &made.types[i], NULL) == KITH_OK, "no memory for a type");
        values[n - 1 - i] = (kith_value){&made.types[i], NULL};
    }
    double start = bench_now();
    for (uint32_t i = 0; i < 2; i++) {
        expect(!kith_is_none(kith_spawn_or_none(world, values, n)), "no memory for an entity");
    }
    double ns = (bench_now() - start) / 2;
    kith_world_free(world);
    bench_types_free(made);
    free(values);
    return ns / n;
}

/* An entity with four components, of which one was registered last. */
static double step_through(uint32_t n, kith_layout layout)
{
    kith_world *world = bench_world(layout);
    bench_types made = bench_types_new("Known", 0, n, 1);
    const kith_component_def def = {.layout = layout};
    for (uint32_t i = 0; i < n; i++) {
        expect(kith_register(world, &made.types[i], &def) == KITH_OK, "no memory for a type");
    }
    kith_entity entity = KITH_SPAWN(world, KITH_VALUE(Position), KITH_VALUE(Velocity),
                                    {&made.types[n / 2], NULL}, {&made.types[n - 1], NULL});
    uint32_t count = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < MEASURED; i++) {
        for (const kith_type *type = kith_component_next(world, entity, NULL); type != NULL;
             type = kith_component_next(world, entity, type)) {
            count++;
        }
    }
    double ns = bench_now() - start;
    expect(count == 4 * MEASURED, "an entity has other components than it was given");
    kith_world_free(world);
    bench_types_free(made);
    return ns / count;
}

static double step_through_tables(uint32_t n)
{
    return step_through(n, KITH_TABLE);
}

static double step_through_others(uint32_t n)
{
    return step_through(n, KITH_SPARSE);
}

/* Fields in the reverse of their order. */
static double parse_fields(uint32_t n)
{
    uint32_t number = 0;
    char(*names)[24] = bench_take(n * sizeof *names);
    kith_field *fields = bench_take(n * sizeof *fields);
    uint32_t *values = bench_take(n * sizeof *values);
    char *text = bench_take((size_t)n * 32);
    size_t length = 0;
    for (uint32_t i = 0; i < n; i++) {
        snprintf(names[i], sizeof names[i], "field%u", i);
        fields[i] = (kith_field){names[i], i * 4, 4, KITH_U32};
    }
    for (uint32_t i = n; i-- > 0;) {
        length +=
            (size_t)snprintf(text + length, 32, "%cfield%u = %u", i + 1 == n ? '{' : ',', i, i);
    }
    memcpy(text + length, "}", 2);
    const kith_type type = {.name = "Record",
                            .size = n * 4,
                            .align = 4,
                            .field_count = n,
                            .fields = fields,
                            .number = &number};
    kith_world *world = kith_world_new(NULL);
    double start = bench_now();
    kith_result result = kith_parse_value(world, &type, text, values);
    double ns = bench_now() - start;
    expect(result == KITH_OK && values[n - 1] == n - 1, "a value is not parsed");
    kith_world_free(world);
    free(text);
    free(values);
    free(fields);
    free(names);
    return ns / n;
}

static double intern_texts(uint32_t n)
{
    char(*texts)[24] = bench_take(n * sizeof *texts);
    for (uint32_t i = 0; i < n; i++) {
        snprintf(texts[i], sizeof texts[i], "text %u", i);
    }
    kith_world *world = kith_world_new(NULL);
    kith_text text;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        kith_text_intern(world, texts[i], &text);
    }
    double ns = bench_now() - start;
    expect(kith_memory(world).text_count >= n, "a text is not kept");
    kith_world_free(world);
    free(texts);
    return ns / n;
}

/* ---- All of them -------------------------------------------------------------------------------- */

static const growth rows[] = {
    {"kith_schedule_build, a system of n", 250, build_schedule},
    {"kith_schedule_print, a system of n", 250, print_schedule},
    {"kith_commands_free, among n buffers", 12500, free_buffers},
    {"kith_tracker_free, among n trackers", 12500, free_trackers},
    {"kith_observer_new, among n observers", 2500, make_observers},
    {"a new table among n, a query that has it", 2000, make_tables_queried},
    {"a new table among n, kith_table_memory", 2000, make_tables_told},
    {"kith_spawn, a value of n", 500, spawn_values},
    {"kith_parse_value, a field of n", 512, parse_fields},
    {"kith_component_next, n types in tables", 500, step_through_tables},
    {"kith_component_next, n types in sparse sets", 500, step_through_others},
    {"kith_text_intern, a text of n", 125000, intern_texts},
};

static double least(const growth *row, uint32_t n)
{
    double best = row->run(n);
    for (uint32_t round = 1; round < ROUNDS; round++) {
        double ns = row->run(n);
        best = ns < best ? ns : best;
    }
    return best;
}

void bench_growth(void)
{
    printf("%-43s %6s %5s %6s %5s %5s\n", "what one takes among n; among 8 n", "n", "ns", "ns",
           "times", "most");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const growth *row = &rows[i];
        double of_few = least(row, row->few);
        double of_many = least(row, row->few * TIMES);
        double times = of_many / of_few;
        printf("%-43s %6u %5.0f %6.0f %5.2f %5.2f %s\n", row->what, row->few, of_few, of_many,
               times, TARGET, bench_verdict(times, TARGET));
        fflush(stdout);
    }
}
