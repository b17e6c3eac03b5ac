/* What the library says of itself and of its numbers. */
#include <kith/kith.h>
#include <stdio.h>

#include "test.h"

TEST(results_have_the_names_of_their_constants)
{
#define NAMED(result) CHECK_STR(kith_result_name(result), #result)
    NAMED(KITH_OK);
    NAMED(KITH_ERR_MEMORY);
    NAMED(KITH_ERR_LIMIT);
    NAMED(KITH_ERR_DEAD);
    NAMED(KITH_ERR_ABSENT);
    NAMED(KITH_ERR_AMBIGUOUS);
    NAMED(KITH_ERR_CONFLICT);
    NAMED(KITH_ERR_UNKNOWN);
    NAMED(KITH_ERR_TYPE);
    NAMED(KITH_ERR_INPUT);
    NAMED(KITH_ERR_SYSTEM);
    NAMED(KITH_ERR_IO);
    NAMED(KITH_ERR_CORRUPT);
    NAMED(KITH_ERR_MISUSE);
#undef NAMED
    CHECK_INT(KITH_OK, 0);
    CHECK_STR(kith_result_name((kith_result)(KITH_ERR_MISUSE + 1)), "unknown result");
    CHECK_STR(kith_result_name((kith_result)-1), "unknown result");
    CHECK_STR(kith_result_name((kith_result)INT32_MAX), "unknown result");
}

TEST(the_library_is_of_the_headers_version)
{
    char version[32];
    snprintf(version, sizeof(version), "%d.%d.%d", KITH_VERSION_MAJOR, KITH_VERSION_MINOR,
             KITH_VERSION_PATCH);
    CHECK_STR(kith_version(), version);
}

TEST(kinds_have_names_and_sizes)
{
    static const struct {
        kith_kind kind;
        const char *name;
        uint32_t size;
    } kinds[] = {
        {KITH_BYTES, "bytes", 1}, {KITH_PADDING, "padding", 1}, {KITH_BOOL, "bool", 1},
        {KITH_CHAR, "char", 1},   {KITH_I8, "i8", 1},           {KITH_U8, "u8", 1},
        {KITH_I16, "i16", 2},     {KITH_U16, "u16", 2},         {KITH_I32, "i32", 4},
        {KITH_U32, "u32", 4},     {KITH_I64, "i64", 8},         {KITH_U64, "u64", 8},
        {KITH_F32, "f32", 4},     {KITH_F64, "f64", 8},         {KITH_ENTITY, "entity", 8},
        {KITH_TEXT, "text", 4},   {KITH_OPAQUE, "opaque", 1},
    };
    for (size_t i = 0; test_row(i, ROWS_OF(kinds)); i++) {
        CHECK_INT(kinds[i].kind, i);
        CHECK_STR(kith_kind_name(kinds[i].kind), kinds[i].name);
        CHECK_UINT(kith_kind_size(kinds[i].kind), kinds[i].size);
    }
    CHECK_STR(kith_kind_name((kith_kind)(KITH_OPAQUE + 1)), "unknown");
    CHECK_STR(kith_kind_name((kith_kind)-1), "unknown");
    CHECK_UINT(kith_kind_size((kith_kind)(KITH_OPAQUE + 1)), 0);
    CHECK_UINT(kith_kind_size((kith_kind)-1), 0);
}

TEST(handles_of_nobody)
{
    const kith_entity zeros = {0, 0};
    CHECK(kith_is_none(KITH_NONE));
    CHECK(kith_is_none(zeros));
    CHECK(kith_entity_equal(KITH_NONE, zeros));
    CHECK(!kith_is_none((kith_entity){0, 1}));
    CHECK(!kith_is_none((kith_entity){1, 0}));
    CHECK(!kith_entity_equal((kith_entity){1, 2}, (kith_entity){2, 1}));
    CHECK_UINT(kith_entity_slot((kith_entity){7, 3}), 6);
    CHECK_UINT(kith_entity_slot(KITH_NONE), UINT32_MAX);
}
