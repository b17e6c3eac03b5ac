/* The workload `mixed` by hand: the loops that one would write for each kind of storage. */
#include <stdlib.h>
#include <string.h>

#include "mixed.h"

enum { POSITION, VELOCITY, WIND, HEALTH, ARMOR, REGEN, HEAT };

static const size_t sizes[MIXED_TYPES] = {8, 8, 8, 4, 4, 4, 4};

/* A component as a sparse set, or as bits and an array by entity. */
typedef struct hand_set {
    uint32_t count;
    uint32_t *rows1;  /* by entity: the row plus one, or 0 */
    uint32_t *owners; /* by row */
    uint64_t *bits;   /* by entity */
    void *values;     /* by row; or by entity */
} hand_set;

/* The entities that have the same components. */
typedef struct hand_table {
    uint32_t count;
    void *columns[MIXED_TYPES]; /* NULL: absent */
} hand_table;

#define HAND_TABLES (1u << MIXED_TYPES)

struct mixed_hand {
    uint32_t n;
    kith_layout layout;
    hand_set sets[MIXED_TYPES];
    hand_table tables[HAND_TABLES];
};

static void *hand_zeroed(size_t bytes)
{
    return memset(bench_take(bytes), 0, bytes);
}

static void hand_put(void *values, uint32_t row, uint32_t type, uint32_t i)
{
    mixed_value value = mixed_start(i, type);
    memcpy((char *)values + row * sizes[type], &value, sizes[type]);
}

static void hand_fill_set(hand_set *set, uint32_t type, uint32_t n, kith_layout layout)
{
    set->rows1 = hand_zeroed(n * sizeof *set->rows1);
    set->owners = hand_zeroed(n * sizeof *set->owners);
    set->bits = hand_zeroed((n / 64 + 1) * sizeof *set->bits);
    set->values = hand_zeroed(n * sizes[type]);
    for (uint32_t i = 0; i < n; i++) {
        if (mixed_has(i, type)) {
            hand_put(set->values, layout == KITH_SLOT ? i : set->count, type, i);
            set->bits[i / 64] |= UINT64_C(1) << i % 64;
            set->owners[set->count++] = i;
            set->rows1[i] = set->count;
        }
    }
}

static uint32_t hand_table_of(uint32_t i)
{
    uint32_t table = 0;
    for (uint32_t type = 0; type < MIXED_TYPES; type++) {
        table |= (uint32_t)mixed_has(i, type) << type;
    }
    return table;
}

static void hand_fill_tables(mixed_hand *hand)
{
    uint32_t counts[HAND_TABLES] = {0};
    for (uint32_t i = 0; i < hand->n; i++) {
        counts[hand_table_of(i)]++;
    }
    for (uint32_t t = 0; t < HAND_TABLES; t++) {
        for (uint32_t type = 0; type < MIXED_TYPES; type++) {
            hand->tables[t].columns[type] =
                (t >> type & 1) != 0 ? hand_zeroed((counts[t] + 1) * sizes[type]) : NULL;
        }
    }
    for (uint32_t i = 0; i < hand->n; i++) {
        hand_table *table = &hand->tables[hand_table_of(i)];
        for (uint32_t type = 0; type < MIXED_TYPES; type++) {
            if (table->columns[type] != NULL) {
                hand_put(table->columns[type], table->count, type, i);
            }
        }
        table->count++;
    }
}

mixed_hand *mixed_hand_new(uint32_t n, kith_layout layout)
{
    mixed_hand *hand = hand_zeroed(sizeof *hand);
    hand->n = n;
    hand->layout = layout;
    if (layout == KITH_TABLE) {
        hand_fill_tables(hand);
        return hand;
    }
    for (uint32_t type = 0; type < MIXED_TYPES; type++) {
        hand_fill_set(&hand->sets[type], type, n, layout);
    }
    return hand;
}

void mixed_hand_free(mixed_hand *hand)
{
    if (hand == NULL) {
        return;
    }
    for (uint32_t type = 0; type < MIXED_TYPES; type++) {
        free(hand->sets[type].rows1);
        free(hand->sets[type].owners);
        free(hand->sets[type].bits);
        free(hand->sets[type].values);
        for (uint32_t t = 0; t < HAND_TABLES; t++) {
            free(hand->tables[t].columns[type]);
        }
    }
    free(hand);
}

/* ---- Sparse sets: the smallest drives */

static void move_sparse(hand_set *positions, const hand_set *velocities)
{
    Position *position = positions->values;
    const Velocity *velocity = velocities->values;
    for (uint32_t row = 0; row < velocities->count; row++) {
        uint32_t row1 = positions->rows1[velocities->owners[row]];
        if (row1 != 0) {
            mixed_move(&position[row1 - 1], &velocity[row]);
        }
    }
}

static void heal_sparse(hand_set *healths, const hand_set *regens)
{
    Health *health = healths->values;
    const Regen *regen = regens->values;
    for (uint32_t row = 0; row < healths->count; row++) {
        uint32_t row1 = regens->rows1[healths->owners[row]];
        if (row1 != 0) {
            mixed_heal(&health[row], &regen[row1 - 1]);
        }
    }
}

static void blow_sparse(hand_set *velocities, const hand_set *winds, const hand_set *positions)
{
    Velocity *velocity = velocities->values;
    const Wind *wind = winds->values;
    const Position *position = positions->values;
    for (uint32_t row = 0; row < winds->count; row++) {
        uint32_t velocity1 = velocities->rows1[winds->owners[row]];
        uint32_t position1 = positions->rows1[winds->owners[row]];
        if (velocity1 != 0 && position1 != 0) {
            mixed_blow(&velocity[velocity1 - 1], &wind[row], &position[position1 - 1]);
        }
    }
}

static void burn_sparse(hand_set *healths, const hand_set *armors, const hand_set *heats)
{
    Health *health = healths->values;
    const Armor *armor = armors->values;
    const Heat *heat = heats->values;
    for (uint32_t row = 0; row < armors->count; row++) {
        uint32_t health1 = healths->rows1[armors->owners[row]];
        uint32_t heat1 = heats->rows1[armors->owners[row]];
        if (health1 != 0 && heat1 != 0) {
            mixed_burn(&health[health1 - 1], &armor[row], &heat[heat1 - 1]);
        }
    }
}

static void frame_sparse(mixed_hand *hand)
{
    hand_set *sets = hand->sets;
    move_sparse(&sets[POSITION], &sets[VELOCITY]);
    heal_sparse(&sets[HEALTH], &sets[REGEN]);
    Heat *heat = sets[HEAT].values;
    for (uint32_t row = 0; row < sets[HEAT].count; row++) {
        mixed_warm(&heat[row]);
    }
    blow_sparse(&sets[VELOCITY], &sets[WIND], &sets[POSITION]);
    burn_sparse(&sets[HEALTH], &sets[ARMOR], &sets[HEAT]);
}

/* ---- Bit sets and arrays */

/* Runs a statement for each entity `i` whose bit is set in the word of number `word`. */
#define HAND_EACH(bits_of_word, ...)                                                               \
    for (uint32_t word = 0; word < n / 64 + 1; word++) {                                           \
        for (uint64_t bits = (bits_of_word); bits != 0; bits &= bits - 1) {                        \
            uint32_t i = word * 64 + KITH_CTZ64_(bits);                                            \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    }

static void frame_slots(mixed_hand *hand)
{
    uint32_t n = hand->n;
    const hand_set *sets = hand->sets;
    Position *position = sets[POSITION].values;
    Velocity *velocity = sets[VELOCITY].values;
    const Wind *wind = sets[WIND].values;
    Health *health = sets[HEALTH].values;
    const Armor *armor = sets[ARMOR].values;
    const Regen *regen = sets[REGEN].values;
    Heat *heat = sets[HEAT].values;
    HAND_EACH(sets[POSITION].bits[word] & sets[VELOCITY].bits[word],
              mixed_move(&position[i], &velocity[i]))
    HAND_EACH(sets[HEALTH].bits[word] & sets[REGEN].bits[word], mixed_heal(&health[i], &regen[i]))
    HAND_EACH(sets[HEAT].bits[word], mixed_warm(&heat[i]))
    HAND_EACH(sets[VELOCITY].bits[word] & sets[WIND].bits[word] & sets[POSITION].bits[word],
              mixed_blow(&velocity[i], &wind[i], &position[i]))
    HAND_EACH(sets[HEALTH].bits[word] & sets[ARMOR].bits[word] & sets[HEAT].bits[word],
              mixed_burn(&health[i], &armor[i], &heat[i]))
}

/* ---- Tables */

/* Runs a statement for each row `i` of the tables that have the component, or the components. */
#define HAND_TABLES_EACH(types, ...)                                                               \
    for (uint32_t t = 0; t < HAND_TABLES; t++) {                                                   \
        if ((t & (types)) == (types)) {                                                            \
            const hand_table *table = &hand->tables[t];                                            \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static void frame_tables(mixed_hand *hand)
{
    HAND_TABLES_EACH(1u << POSITION | 1u << VELOCITY, {
        Position *position = table->columns[POSITION];
        const Velocity *velocity = table->columns[VELOCITY];
        for (uint32_t i = 0; i < table->count; i++) {
            mixed_move(&position[i], &velocity[i]);
        }
    })
    HAND_TABLES_EACH(1u << HEALTH | 1u << REGEN, {
        Health *health = table->columns[HEALTH];
        const Regen *regen = table->columns[REGEN];
        for (uint32_t i = 0; i < table->count; i++) {
            mixed_heal(&health[i], &regen[i]);
        }
    })
    HAND_TABLES_EACH(1u << HEAT, {
        Heat *heat = table->columns[HEAT];
        for (uint32_t i = 0; i < table->count; i++) {
            mixed_warm(&heat[i]);
        }
    })
    HAND_TABLES_EACH(1u << VELOCITY | 1u << WIND | 1u << POSITION, {
        Velocity *velocity = table->columns[VELOCITY];
        const Wind *wind = table->columns[WIND];
        const Position *position = table->columns[POSITION];
        for (uint32_t i = 0; i < table->count; i++) {
            mixed_blow(&velocity[i], &wind[i], &position[i]);
        }
    })
    HAND_TABLES_EACH(1u << HEALTH | 1u << ARMOR | 1u << HEAT, {
        Health *health = table->columns[HEALTH];
        const Armor *armor = table->columns[ARMOR];
        const Heat *heat = table->columns[HEAT];
        for (uint32_t i = 0; i < table->count; i++) {
            mixed_burn(&health[i], &armor[i], &heat[i]);
        }
    })
}

void mixed_hand_frame(mixed_hand *hand)
{
    switch (hand->layout) {
    case KITH_TABLE: frame_tables(hand); break;
    case KITH_SPARSE: frame_sparse(hand); break;
    case KITH_SLOT: frame_slots(hand); break;
    }
}

/* The sum of `count` values of a type. */
static double sum_values(const void *values, uint32_t type, uint32_t count)
{
    const float *floats = values;
    double sum = 0;
    for (size_t i = 0; i < count * sizes[type] / sizeof *floats; i++) {
        sum += (double)floats[i];
    }
    return sum;
}

uint64_t mixed_hand_sum(const mixed_hand *hand)
{
    static const uint32_t written[] = {POSITION, VELOCITY, HEALTH, HEAT};
    double sum = 0;
    for (uint32_t i = 0; i < sizeof written / sizeof written[0]; i++) {
        const hand_set *set = &hand->sets[written[i]];
        uint32_t count = hand->layout == KITH_SLOT ? hand->n : set->count;
        sum += hand->layout == KITH_TABLE ? 0 : sum_values(set->values, written[i], count);
        for (uint32_t t = 0; hand->layout == KITH_TABLE && t < HAND_TABLES; t++) {
            const hand_table *table = &hand->tables[t];
            sum += table->columns[written[i]] == NULL
                       ? 0
                       : sum_values(table->columns[written[i]], written[i], table->count);
        }
    }
    return (uint64_t)(int64_t)sum;
}
