/* Any bytes as the text of a value and of an entity: reading ends, tells a place if it fails, and is
 * all or nothing; what was read prints as a text that reads back as the same.
 *
 * The first byte says how much memory the world may hold. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "kinds.h"
#include "label.h"

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

KITH_TAG(Frozen);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static kith_world *new_world(size_t limit, kith_entity *entity)
{
    static const kith_component_def sparse = {.layout = KITH_SPARSE};
    static const kith_component_def slot = {.layout = KITH_SLOT};
    kith_world *world = kith_world_new(&(kith_world_def){.memory_limit = limit});
    if (world != NULL && kith_register(world, &Position_type, NULL) == KITH_OK &&
        kith_register(world, &Kinds_type, &sparse) == KITH_OK &&
        kith_register(world, &Frozen_type, &slot) == KITH_OK &&
        kith_register(world, &Label_type, &sparse) == KITH_OK &&
        !kith_is_none(*entity = KITH_SPAWN(world, KITH_VALUE(Position, {1, 2})))) {
        return world;
    }
    kith_world_free(world);
    return NULL;
}

static void require_place(const kith_world *world, const char *call)
{
    const char *error = kith_error(world);
    require(strncmp(error, call, strlen(call)) == 0);
    require(strncmp(error + strlen(call), ": line ", 7) == 0);
    require(strstr(error, "expected") != NULL);
}

/* A value that was read prints as a text of the same value. */
static void look_at_value(kith_world *world, const kith_type *type, const char *text)
{
    unsigned char value[sizeof(Kinds)];
    unsigned char again[sizeof(Kinds)];
    static char printed[1 << 14];
    memset(value, 0x55, sizeof value);
    if (kith_parse_value(world, type, text, value) != KITH_OK) {
        require_place(world, "kith_parse_value");
        require(value[0] == 0x55 && value[type->size - 1] == 0x55);
        return;
    }
    require(kith_print_value(world, type, value, printed, sizeof printed) < sizeof printed);
    require(kith_parse_value(world, type, printed, again) == KITH_OK);
    require(memcmp(value, again, type->size) == 0);
}

static void look_at_entity(kith_world *world, kith_entity entity, const char *text)
{
    static char printed[1 << 14];
    static char twin_printed[1 << 14];
    const uint64_t whole = kith_world_hash(world);
    kith_result result = kith_parse_entity(world, entity, text);
    require(kith_world_check(world) == KITH_OK);
    if (result != KITH_OK) {
        require(kith_world_hash(world) == whole);
        const char *error = kith_error(world);
        if (strstr(error, " cannot be the name of an entity: ") != NULL) {
            require(result == KITH_ERR_INPUT); /* the text is well formed, but its value is none */
        } else if (result == KITH_ERR_INPUT) {
            require_place(world, "kith_parse_entity");
        } else if (result != KITH_ERR_MEMORY) {
            /* A relation without a target, or with one that is not there or leads back. */
            require(result == KITH_ERR_DEAD || result == KITH_ERR_CYCLE);
            require(strncmp(error, "kith_parse_entity: ", 19) == 0);
            require(strstr(error, "ChildOf") != NULL);
        }
        return;
    }
    size_t length;
    require(kith_print_entity(world, entity, printed, sizeof printed, &length) == KITH_OK);
    require(length < sizeof printed);
    kith_entity twin = kith_spawn_empty(world);
    if (!kith_is_none(twin) && kith_parse_entity(world, twin, printed) == KITH_OK) {
        require(kith_print_entity(world, twin, twin_printed, sizeof twin_printed, &length) ==
                KITH_OK);
        require(strcmp(printed, twin_printed) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    kith_entity entity = KITH_NONE;
    size_t limit = size > 0 && data[0] < 64 ? 16384 + (size_t)data[0] * 1024 : 0;
    kith_world *world = size == 0 ? NULL : new_world(limit, &entity);
    if (world == NULL) {
        return 0;
    }
    /* A copy, so that reading one byte too far is seen. */
    char *text = malloc(size);
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    look_at_value(world, &Kinds_type, text);
    look_at_value(world, &Position_type, text);
    look_at_value(world, &Label_type, text);
    look_at_entity(world, entity, text);
    free(text);
    kith_world_free(world);
    return 0;
}
