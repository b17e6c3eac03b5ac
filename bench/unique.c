/* A million accounts by a unique key, looked up at random, beside a bare table of hashes by hand. */
#include <stdlib.h>

#include "bench.h"

enum { ACCOUNTS = 1000000 };

#define PLACES (1u << 21)

typedef struct Account {
    uint32_t number;
    uint32_t points;
} Account;
KITH_TYPE(Account, KITH_FIELD(Account, number), KITH_FIELD(Account, points));

/* A place of the table by hand: a key and whose it is; nobody's is empty. */
typedef struct account_place {
    uint32_t number;
    kith_entity entity;
} account_place;

typedef struct unique_state {
    kith_world *world;
    Account *accounts;
    uint32_t *asked; /* numbers, in the order in which they are asked for */
    account_place *places;
} unique_state;

static uint64_t mix_number(uint64_t value)
{
    value = (value ^ value >> 32) * 0x9e3779b97f4a7c15u;
    return value ^ value >> 29;
}

static unique_state *open_accounts(uint32_t n)
{
    unique_state *state = bench_take(sizeof *state);
    *state = (unique_state){0};
    state->accounts = bench_take(n * sizeof *state->accounts);
    state->asked = bench_take(n * sizeof *state->asked);
    for (uint32_t i = 0; i < n; i++) {
        state->accounts[i] = (Account){i * 2654435761u, i}; /* all differ */
        state->asked[i] = (uint32_t)(mix_number(i + 7) % n) * 2654435761u;
    }
    return state;
}

static void close_accounts(void *opened)
{
    unique_state *state = opened;
    kith_world_free(state->world);
    free(state->accounts);
    free(state->asked);
    free(state->places);
    free(state);
}

/* ---- Kith ---------------------------------------------------------------------------------------- */

static void *open_unique(uint32_t n, kith_layout layout)
{
    unique_state *state = open_accounts(n);
    state->world = bench_world(layout);
    const kith_component_def def = {.layout = layout};
    const kith_values values[] = {{&Account_type, state->accounts, true}};
    if (kith_register(state->world, &Account_type, &def) != KITH_OK ||
        KITH_UNIQUE(state->world, Account, number) != KITH_OK ||
        kith_spawn_many(state->world, n, values, 1, NULL) != KITH_OK) {
        bench_fail("the accounts were not made");
    }
    return state;
}

static bench_sample find_unique(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const unique_state *state = opened;
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        sum += KITH_FIND_UNIQUE(state->world, Account, {.number = state->asked[i]}).index1;
    }
    return (bench_sample){bench_now() - start, sum};
}

/* ---- By hand ------------------------------------------------------------------------------------- */

static uint32_t place_of(uint32_t number)
{
    return (uint32_t)(mix_number(number) >> 20) & (PLACES - 1);
}

static void *open_table(uint32_t n, kith_layout layout)
{
    (void)layout;
    unique_state *state = open_accounts(n);
    state->places = bench_take(PLACES * sizeof *state->places);
    for (uint32_t i = 0; i < PLACES; i++) {
        state->places[i] = (account_place){0, KITH_NONE};
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = place_of(state->accounts[i].number);
        while (state->places[at].entity.index1 != 0) {
            at = (at + 1) & (PLACES - 1);
        }
        state->places[at] = (account_place){state->accounts[i].number, {i + 1, 0}};
    }
    return state;
}

static bench_sample find_in_table(void *opened, uint32_t n, kith_layout layout)
{
    (void)layout;
    const unique_state *state = opened;
    uint64_t sum = 0;
    double start = bench_now();
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = place_of(state->asked[i]);
        while (state->places[at].entity.index1 != 0 &&
               state->places[at].number != state->asked[i]) {
            at = (at + 1) & (PLACES - 1);
        }
        sum += state->places[at].entity.index1;
    }
    return (bench_sample){bench_now() - start, sum};
}

#define UNIQUE_ROW(layout)                                                                         \
    {                                                                                              \
        "unique", "found by a unique key of 10^6; beside a table of hashes", ACCOUNTS, layout, 2,  \
            {open_unique, find_unique, close_accounts},                                            \
            {open_table, find_in_table, close_accounts}, BENCH_ALONE                               \
    }

const bench_workload bench_unique[] = {UNIQUE_ROW(KITH_TABLE), UNIQUE_ROW(KITH_SPARSE),
                                       UNIQUE_ROW(KITH_SLOT)};
const uint32_t bench_unique_count = sizeof bench_unique / sizeof bench_unique[0];
