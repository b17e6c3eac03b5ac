/* Parts of ships, found by their ship and their name, in random order, beside a table of hashes by hand
 * with the same keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { PARTS = 16 };

/* A place of the table by hand: a key and whose it is; nobody's is empty. */
typedef struct name_place {
    kith_entity parent;
    kith_entity entity;
    char name[12];
} name_place;

typedef struct names_state {
    kith_world *world;
    kith_entity *ships;
    uint32_t *asked; /* numbers of parts, in the order in which they are asked for */
    name_place *places;
    uint32_t mask; /* of places */
    char texts[PARTS][12];
} names_state;

static uint64_t mix_part(uint64_t value)
{
    value = (value ^ value >> 32) * 0x9e3779b97f4a7c15u;
    return value ^ value >> 29;
}

static names_state *open_parts(uint32_t n)
{
    names_state *state = bench_take(sizeof *state);
    *state = (names_state){0};
    state->ships = bench_take(n / PARTS * sizeof *state->ships);
    state->asked = bench_take(n * sizeof *state->asked);
    for (uint32_t i = 0; i < n; i++) {
        state->asked[i] = (uint32_t)(mix_part(i + 7) % n);
    }
    for (uint32_t i = 0; i < PARTS; i++) {
        snprintf(state->texts[i], sizeof state->texts[i], "part %u", i * 37);
    }
    return state;
}

static void close_parts(void *opened)
{
    names_state *state = opened;
    kith_world_free(state->world);
    free(state->ships);
    free(state->asked);
    free(state->places);
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static void *open_names(uint32_t n, kith_layout layout)
{
    names_state *state = open_parts(n);
    state->world = bench_world(layout);
    const kith_component_def def = {.layout = layout};
    bool made = kith_register(state->world, &kith_name_type, &def) == KITH_OK;
    for (uint32_t i = 0; i < n / PARTS; i++) {
        state->ships[i] = kith_spawn_empty(state->world);
    }
    for (uint32_t i = 0; i < n; i++) {
        kith_entity part = kith_spawn_empty(state->world);
        made = made && kith_set_parent(state->world, part, state->ships[i / PARTS]) == KITH_OK &&
               kith_set_name(state->world, part, state->texts[i % PARTS]) == KITH_OK;
    }
    if (!made) {
        bench_fail("the parts were not made");
    }
    return state;
}

static bench_sample find_names(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const names_state *state = opened;
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t part = state->asked[i];
        const kith_entity ship = state->ships[part / PARTS];
        sum += kith_find_child(state->world, ship, state->texts[part % PARTS]).index1;
    }
    return (bench_sample){bench_now() - start, sum};
}

/* ---- By hand ------------------------------------------------------------------------------------- */

/* FNV-1a of the text, and the parent. */
static uint64_t hash_name(kith_entity parent, const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name != '\0'; name++) {
        hash = (hash ^ (uint8_t)*name) * 0x100000001b3u;
    }
    return mix_part(hash ^ ((uint64_t)parent.index1 << 32 | parent.generation));
}

static bool is_place_of(const name_place *place, kith_entity parent, const char *name)
{
    return place->parent.index1 == parent.index1 && place->parent.generation == parent.generation &&
           strcmp(place->name, name) == 0;
}

static void *open_name_table(uint32_t n, kith_layout layout)
{
    (void)layout;
    names_state *state = open_parts(n);
    uint32_t capacity = 1;
    while (capacity < 2 * n) {
        capacity *= 2;
    }
    state->mask = capacity - 1;
    state->places = bench_take(capacity * sizeof *state->places);
    memset(state->places, 0, capacity * sizeof *state->places);
    for (uint32_t i = 0; i < n; i++) {
        const kith_entity ship = {i / PARTS + 1, 0};
        const char *name = state->texts[i % PARTS];
        uint32_t at = (uint32_t)(hash_name(ship, name) >> 20) & state->mask;
        state->ships[i / PARTS] = ship;
        while (state->places[at].entity.index1 != 0) {
            at = (at + 1) & state->mask;
        }
        state->places[at] = (name_place){.parent = ship, .entity = {n / PARTS + i + 1, 0}};
        strcpy(state->places[at].name, name);
    }
    return state;
}

static bench_sample find_in_name_table(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const names_state *state = opened;
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t part = state->asked[i];
        const kith_entity ship = state->ships[part / PARTS];
        const char *name = state->texts[part % PARTS];
        uint32_t at = (uint32_t)(hash_name(ship, name) >> 20) & state->mask;
        while (state->places[at].entity.index1 != 0 &&
               !is_place_of(&state->places[at], ship, name)) {
            at = (at + 1) & state->mask;
        }
        sum += state->places[at].entity.index1;
    }
    return (bench_sample){bench_now() - start, sum};
}

#define NAMES_ROW(n, layout)                                                                       \
    {                                                                                              \
        "find-name", "children found by name; beside a table of hashes by hand", n, layout, 2,     \
            {open_names, find_names, close_parts},                                                 \
            {open_name_table, find_in_name_table, close_parts}, BENCH_ALONE                        \
    }

const bench_workload bench_names[] = {NAMES_ROW(16000, KITH_SPARSE), NAMES_ROW(16000, KITH_SLOT),
                                      NAMES_ROW(1600000, KITH_SLOT)};
const uint32_t bench_names_count = sizeof bench_names / sizeof bench_names[0];
