/* Any bytes as a query in text: reading ends, tells a place if it fails, and leaves the world as it was;
 * what was read is written in a normal form that is read as the same.
 *
 * The first byte says how much memory the world may hold. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "label.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_TAG(Frozen, KITH_SLOT);
KITH_RELATION(Link, KITH_CLEAR);
KITH_LINKS(Both, KITH_CLEAR, (int32_t, n));
KITH_COMPONENT(Mark, (int32_t, n), (kith_entity, of));

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static kith_world *new_world(size_t limit)
{
    kith_world *world = kith_world_new(&(kith_world_def){.memory_limit = limit});
    if (world != NULL &&
        KITH_TYPES(world, Position, Kinds, Frozen, Label, Link, Both, Mark) == KITH_OK &&
        kith_register(world, &kith_child_of_type, NULL) == KITH_OK) {
        kith_entity first = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2}));
        kith_entity second =
            KITH_SPAWN(world, KITH_VALUE(Kinds, {0}), KITH_VALUE(Label, {.text = {0}}));
        if (!kith_is_none(first) && !kith_is_none(second) &&
            KITH_SET(world, second, Link, {first}) == KITH_OK &&
            KITH_SET(world, second, kith_child_of, {first}) == KITH_OK &&
            KITH_SET(world, first, Link, {second}) == KITH_OK &&
            KITH_SET(world, first, Mark, {3, second}) == KITH_OK &&
            kith_set_name(world, first, "a") == KITH_OK &&
            kith_set_name(world, second, "ab") == KITH_OK &&
            !kith_is_none(KITH_SPAWN(world, KITH_VALUE(Both, {first, second, 4})))) {
            return world;
        }
    }
    kith_world_free(world);
    return NULL;
}

static void require_reason(const char *text, const kith_text_error *error)
{
    char shown[800];
    require(error->line != 0 || strstr(error->message, "memory") != NULL);
    require(error->line == 0 || strstr(error->message, "expected") != NULL);
    require(kith_print_text_error(text, error, shown, sizeof shown) < sizeof shown);
}

static void look_at_tidy(kith_world *world, const char *text)
{
    static char tidy[1 << 14];
    static char again[1 << 14];
    kith_text_error error = {.line = 0};
    size_t length = 0;
    if (kith_query_text_tidy(world, text, tidy, sizeof tidy, &length, &error) != KITH_OK) {
        require_reason(text, &error);
    } else if (length < sizeof tidy && kith_query_text_tidy(world, tidy, again, sizeof again, NULL,
                                                            &error) != KITH_ERR_MEMORY) {
        require(strcmp(tidy, again) == 0);
    }
}

static void look_at_query(kith_world *world, const char *text)
{
    const uint64_t whole = kith_world_hash(world);
    kith_text_error error = {.line = 0};
    kith_query *query = kith_query_text(world, text, &error);
    if (query == NULL) {
        require_reason(text, &error);
    } else {
        require(kith_query_count(query) <= 3);
    }
    require(kith_world_hash(world) == whole);
    require(kith_world_check(world) == KITH_OK);
}

/* All rows are read and printed; each name that the text may ask for has a value. */
static void look_at_select(kith_world *world, const char *text)
{
    static char row[1 << 10];
    kith_text_error error = {.line = 0};
    kith_select *select = NULL;
    if (kith_select_new(world, text, &error, &select) != KITH_OK) {
        require_reason(text, &error);
        return;
    }
    kith_select_bind(select, "x", 0.5);
    kith_select_bind(select, "n", 1);
    kith_select_bind(select, "p", "a/**");
    if (kith_select_run(select) == KITH_OK) {
        for (uint32_t i = 0; i < kith_select_row_count(select); i++) {
            kith_select_print(select, i, KITH_SELECT_TEXT, row, sizeof row);
            kith_select_print(select, i, KITH_SELECT_JSON, row, sizeof row);
        }
    } else {
        require(kith_select_row_count(select) == 0);
    }
    kith_select_free(select);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t limit = size > 0 && data[0] < 64 ? 16384 + (size_t)data[0] * 1024 : 0;
    kith_world *world = size == 0 ? NULL : new_world(limit);
    if (world == NULL) {
        return 0;
    }
    /* A copy, so that reading one byte too far is seen. */
    char *text = malloc(size);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    look_at_tidy(world, text);
    look_at_query(world, text);
    look_at_select(world, text);
    free(text);
    kith_world_free(world);
    return 0;
}
