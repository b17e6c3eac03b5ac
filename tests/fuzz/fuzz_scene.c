/* Any bytes as a scene: loading ends, tells a place in the text if it fails, and is all or nothing.
 *
 * The first byte says how much memory the world may hold. The loader is included as source, so that
 * the fuzzer sees its branches. */

#include "../../examples/support/scene.c"
#include "../../examples/support/scene_draft.c"
#include "../../examples/support/scene_names.c"
#include "../../examples/support/scene_token.c"
#include "../../examples/support/scene_value.c"

typedef struct Position {
    float x, y;
} Position;
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

/* One field of every kind. */
typedef struct All {
    uint64_t u64;
    int64_t i64;
    double f64;
    kith_entity one;
    kith_entity two[2];
    uint32_t u32;
    int32_t i32;
    float f32[3];
    uint16_t u16;
    int16_t i16;
    uint8_t u8;
    int8_t i8;
    char letter;
    char text[8];
    bool yes;
    unsigned char bytes[4];
} All;
KITH_TYPE(All, KITH_FIELD(All, u64), KITH_FIELD(All, i64), KITH_FIELD(All, f64),
          KITH_FIELD(All, one), KITH_FIELD(All, two), KITH_FIELD(All, u32), KITH_FIELD(All, i32),
          KITH_FIELD(All, f32), KITH_FIELD(All, u16), KITH_FIELD(All, i16), KITH_FIELD(All, u8),
          KITH_FIELD(All, i8), KITH_FIELD(All, letter), KITH_FIELD(All, text),
          KITH_FIELD(All, yes), KITH_FIELD_AS(All, bytes, KITH_BYTES));

KITH_TAG(Frozen);

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

static kith_world *new_world(size_t limit)
{
    static const kith_component_def sparse = { .layout = KITH_SPARSE };
    static const kith_component_def slot = { .layout = KITH_SLOT };
    kith_world *world = kith_world_new(&(kith_world_def){ .memory_limit = limit });
    if (world == NULL || kith_register(world, &Position_type, NULL) != KITH_OK ||
        kith_register(world, &All_type, &sparse) != KITH_OK ||
        kith_register(world, &Frozen_type, &slot) != KITH_OK ||
        kith_is_none(kith_spawn_empty(world))) {
        kith_world_free(world);
        return NULL;
    }
    return world;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) {
        return 0;
    }
    size_t limit = data[0] < 64 ? 16384 + (size_t)data[0] * 1024 : 0;
    kith_world *world = new_world(limit);
    if (world == NULL) {
        return 0;
    }
    const uint64_t whole = kith_world_hash(world);
    const uint64_t content = kith_content_hash(world);

    /* A copy, so that reading one byte too far is seen. */
    char *text = malloc(size - 1 + (size == 1));
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    uint32_t count = 77;
    scene_error error;
    kith_result result = scene_load(world, text, size - 1, &count, &error);
    free(text);

    require(kith_world_check(world) == KITH_OK);
    if (result == KITH_OK) {
        require(kith_entity_count(world) == count + 1);
    } else {
        require(count == 77 && kith_content_hash(world) == content);
        require(memchr(error.message, '\0', sizeof error.message) != NULL);
        require(result == KITH_ERR_MEMORY ||
                (result == KITH_ERR_INPUT && error.line > 0 && error.column > 0 &&
                 strstr(error.message, "expected") != NULL && kith_world_hash(world) == whole));
    }
    kith_world_free(world);
    return 0;
}
