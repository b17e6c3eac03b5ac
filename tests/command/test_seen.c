/* What commands write is seen by the next look, in blocks of every size. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "stage.h"
#include "test.h"

enum { ROWS = 2600, CRATES = 12 };

/* Blocks of it have half as many rows as those of handles. */
typedef struct Wide {
    uint64_t words[4];
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, words));

/* Which of the rows are named, and in which order. */
typedef struct choice {
    uint32_t first;
    uint32_t every;
    bool backwards;
} choice;

static const choice choices[] = {
    {0, 1, false}, {0, 1, true}, {3, 100, false}, {700, 1, false}, {2, 700, true}};

static bool is_chosen(const choice *by, uint32_t i)
{
    return i >= by->first && (i - by->first) % by->every == 0;
}

/* Which entities a look sees, by their slots. */
static void look(kith_query *query, bool *seen)
{
    memset(seen, 0, ROWS * sizeof(*seen));
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            seen[kith_entities(&it)[i].index1 - 1] = true;
        }
    }
    CHECK_RESULT(it.result, KITH_OK);
}

typedef struct written {
    kith_layout layout;
    const kith_type *type;
    uint32_t rows;
    bool is_new; /* the entities do not have it before */
} written;

static void check_seen(const written *w, const choice *by)
{
    static kith_entity e[ROWS];
    static bool seen[ROWS];
    static const Crate value = {.words = {1}};
    fixture f = fixture_new();
    const kith_component_def def = {.layout = w->layout};
    CHECK_RESULT(kith_register(f.world, &Byte_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, w->type, &def), KITH_OK);
    const kith_values values[] = {{&Byte_type, NULL, true}, {w->type, NULL, true}};
    CHECK_RESULT(kith_spawn_many(f.world, w->rows, values, w->is_new ? 1 : 2, e), KITH_OK);
    const kith_term changed = {w->type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL};
    kith_query *query;
    CHECK_RESULT(kith_query_new(f.world, &(kith_query_def){.terms = KITH_TERMS(changed)}, &query),
                 KITH_OK);
    look(query, seen);
    CHECK_INT(seen[0], !w->is_new);
    look(query, seen);
    CHECK(!seen[0]);

    kith_commands *commands = kith_commands_new(f.world, NULL);
    for (uint32_t k = 0; k < w->rows; k++) {
        uint32_t i = by->backwards ? w->rows - 1 - k : k;
        if (is_chosen(by, i)) {
            CHECK_RESULT(kith_commands_set(commands, e[i], w->type, &value), KITH_OK);
        }
    }
    CHECK_RESULT(kith_commands_apply(commands, NULL), KITH_OK);
    CHECK_WORLD(f.world);
    look(query, seen);
    for (uint32_t i = 0; i < w->rows; i++) {
        CHECK(seen[e[i].index1 - 1] || !is_chosen(by, i));
    }
    look(query, seen);
    for (uint32_t i = 0; i < w->rows; i++) {
        CHECK(!seen[i]);
    }
    fixture_free(&f);
}

/* Of values from 8 bytes to more than 8 KB, which have from 1,024 rows a block down to one. */
TEST_EACH_LAYOUT_WITHIN(10, what_commands_write_is_seen_in_blocks_of_every_size, layout)
{
    const written cases[] = {
        {layout, &Position_type, ROWS, false}, {layout, &Position_type, ROWS, true},
        {layout, &Name_type, ROWS, false},     {layout, &Name_type, ROWS, true},
        {layout, &Wide_type, ROWS, false},     {layout, &Wide_type, ROWS, true},
        {layout, &Aligned_type, ROWS, false},  {layout, &Aligned_type, ROWS, true},
        {layout, &Crate_type, CRATES, false},  {layout, &Crate_type, CRATES, true}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        for (size_t k = 0; k < sizeof(choices) / sizeof(choices[0]); k++) {
            check_seen(&cases[i], &choices[k]);
        }
    }
}
