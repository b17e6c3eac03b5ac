/* Maps: rows of characters become entities of prefabs, with their place in fields. */
#include <stdio.h>
#include <stdlib.h>

#include <kith/kith.h>

#include "scenes.h"

typedef struct Cell {
    uint8_t column;
    int8_t row;
    uint16_t what;
} Cell;
KITH_TYPE(Cell, KITH_FIELD(Cell, column), KITH_FIELD(Cell, row), KITH_FIELD(Cell, what));

static const char cave[] = "entity guard : goblin\n"
                           "map\n"
                           "    across Position.x\n"
                           "    down Position.y    # down the screen\n"
                           "    '#' = wall\n"
                           "    'g' = goblin       # which stands behind\n"
                           "    |###|\n"
                           "    |#.g#|   # a row may be longer than others\n"
                           "    ||\n"
                           "    | g|\r\n"
                           "prefab wall\n"
                           "    Frozen\n"
                           "prefab goblin\n"
                           "    Position { x = 77, y = 77 }\n"
                           "    Health { max = 20 }\n"
                           "    Party { leader = guard }\n"
                           "entity last\n";

static kith_entity check_cell(fixture *f, const kith_scene *scene, uint32_t index, float x, float y)
{
    kith_entity entity = kith_scene_at(scene, index);
    const Position *position = KITH_GET(f->world, entity, Position);
    CHECK_PTR_NOT_NULL((void *)(uintptr_t)position);
    CHECK_FLOAT(position->x, x);
    CHECK_FLOAT(position->y, y);
    CHECK_STR(kith_scene_name(scene, index), "");
    return entity;
}

static void check_place(const kith_scene *scene, uint32_t index, uint32_t line, uint32_t column)
{
    kith_scene_place place = kith_scene_place_at(scene, index);
    CHECK_UINT(place.line, line);
    CHECK_UINT(place.column, column);
}

TEST_EACH_LAYOUT(signs_become_entities, layout)
{
    fixture f = scene_fixture(layout);
    kith_scene *scene = load(&f, cave);
    CHECK_UINT(kith_scene_count(scene), 9);
    for (uint32_t i = 0; i < 3; i++) {
        kith_entity wall = check_cell(&f, scene, 1 + i, (float)i, 0);
        CHECK(KITH_HAS(f.world, wall, Frozen) && !KITH_HAS(f.world, wall, Health));
    }
    check_cell(&f, scene, 4, 0, 1);
    kith_entity goblin = check_cell(&f, scene, 5, 2, 1);
    CHECK_INT(KITH_GET(f.world, goblin, Health)->max, 20);
    CHECK_SAME(KITH_GET(f.world, goblin, Party)->leader, kith_scene_find(scene, "guard"));
    check_cell(&f, scene, 6, 3, 1);
    check_cell(&f, scene, 7, 1, 3);
    CHECK_FLOAT(KITH_GET(f.world, kith_scene_find(scene, "guard"), Position)->x, 77);
    CHECK_UINT(kith_entity_slot(kith_scene_find(scene, "last")), 8);
    check_place(scene, 0, 1, 1);
    check_place(scene, 3, 7, 8);
    check_place(scene, 6, 8, 9);
    check_place(scene, 7, 10, 7);
    check_place(scene, 8, 17, 1);
    check_place(scene, 9, 18, 1); /* the end of the text */
    check_place(scene, 10, 0, 0);
    scene_end(&f, scene);
}

/* Two components, of small numbers. */
TEST_EACH_LAYOUT(any_fields_take_the_place, layout)
{
    fixture f = scene_fixture_with(&Cell_type, layout);
    kith_scene *scene = load(&f, "prefab p\nCell { what = 5 }\nmap\nacross Cell.column\n"
                                 "down Health.max\n'.' = p\n|   .|\n|.|\n");
    kith_entity first = kith_scene_at(scene, 0);
    CHECK_UINT(KITH_GET(f.world, first, Cell)->column, 3);
    CHECK_UINT(KITH_GET(f.world, first, Cell)->what, 5);
    CHECK_INT(KITH_GET(f.world, first, Health)->max, 0);
    CHECK_INT(KITH_GET(f.world, kith_scene_at(scene, 1), Health)->max, 1);
    scene_end(&f, scene);
}

TEST(backslashes_and_quotes_are_signs)
{
    fixture f = scene_fixture(KITH_TABLE);
    kith_scene *scene = load(&f, "prefab slope\n"
                                 "    Position\n"
                                 "prefab quote\n"
                                 "    Frozen\n"
                                 "map\n"
                                 "    across Position.x\n"
                                 "    down Position.y\n"
                                 "    '\\\\' = slope\n"
                                 "    '\\'' = quote\n"
                                 "    |.\\'|\n");
    CHECK_UINT(kith_scene_count(scene), 2);
    CHECK(!KITH_HAS(f.world, check_cell(&f, scene, 0, 1, 0), Frozen));
    CHECK(KITH_HAS(f.world, check_cell(&f, scene, 1, 2, 0), Frozen));
    scene_end(&f, scene);
}

typedef struct wrong_map {
    const char *text;
    uint32_t line;
    uint32_t column;
    const char *message;
} wrong_map;

#define AXES "map\nacross Cell.column\ndown Cell.row\n"

static const wrong_map wrong_maps[] = {
    {"map cave", 1, 5, "expected the end of the line, found \"cave\""},
    {"map\nacross Cell", 2, 8,
     "expected a component and its field that takes a number, like Position.x, found \"Cell\""},
    {"map\nacross Cell.z", 2, 8,
     "expected a field of Cell that takes a number (there are column, row, what), found "
     "\"Cell.z\""},
    {"map\nacross Cell.colum", 2, 8,
     "expected a field of Cell that takes a number (did you mean column?), found \"Cell.colum\""},
    {"map\nacross Cel.column", 2, 8,
     "expected a component and its field that takes a number, like Position.x (did you mean "
     "Cell?), found \"Cel.column\""},
    {"map\nacross What.ever", 2, 8,
     "expected a component and its field that takes a number, like Position.x, found "
     "\"What.ever\""},
    {"map\nacross Name.text", 2, 8,
     "expected a field of Name that takes a number, found \"Name.text\""},
    {"map\nacross Party.leader", 2, 8,
     "expected a field of Party that takes a number (there are size), found \"Party.leader\""},
    {"map\ndown\nCell.row", 3, 1,
     "expected a component and its field that takes a number, like Position.x, found \"Cell.row\""},
    {"map\nacross Cell.column\nacross Cell.row\n", 3, 1,
     "expected each direction once, found \"across\""},
    {"map\ndown Cell.row\nacross Cell.row\n", 3, 8,
     "expected another field than for the other direction, found \"Cell.row\""},
    {"map\nacross Cell.column\n|#|", 3, 1,
     "expected \"across\" and \"down\" before the first row, found \"|\""},
    {AXES "'ab' = p", 4, 1,
     "expected a sign of one byte other than | and space, like '#', found the character 'ab'"},
    {AXES "'\\n' = p", 4, 1,
     "expected a sign of one byte other than | and space, like '#', found the character '\\n'"},
    {AXES "'|' = p", 4, 1,
     "expected a sign of one byte other than | and space, like '#', found the character '|'"},
    {AXES "' ' = p", 4, 1,
     "expected a sign of one byte other than | and space, like '#', found the character ' '"},
    {AXES "'#' p", 4, 5, "expected = after '#', found \"p\""},
    {AXES "'#' = 3", 4, 7, "expected the name of a prefab after =, found 3"},
    {AXES "'#' = p\n'#' = q", 5, 1, "expected another sign: '#' stands for a prefab already"},
    {AXES "'#' = p\n|#|", 4, 7, "expected a prefab of this scene, found \"p\""},
    {AXES "|..#|", 4, 4, "expected a sign that stands for a prefab, found '#'"},
    {AXES "|\xc3\xa4|", 4, 2, "expected a sign that stands for a prefab, found the byte 0xc3"},
    {AXES "| ..\n|", 4, 5, "expected | at the end of the row, found the end of the line"},
    {AXES "|", 4, 2, "expected | at the end of the row, found the end of the line"},
    {AXES "|..| x", 4, 6, "expected the end of the line, found \"x\""},
    {AXES "Position { x = 1 }", 4, 1,
     "expected \"across\", \"down\", a sign like '#', or a row between two |, found \"Position\""},
};

static void check_wrong(fixture *f, const wrong_map *wrong)
{
    kith_scene_error error;
    test_note(wrong->text);
    CHECK_RESULT(kith_scene_load(f->world, wrong->text, strlen(wrong->text), NULL, &error),
                 KITH_ERR_INPUT);
    CHECK_STR(error.message, wrong->message);
    CHECK_UINT(error.line, wrong->line);
    CHECK_UINT(error.column, wrong->column);
    CHECK_UINT(kith_entity_count(f->world), 0);
    test_note(NULL);
}

TEST(what_is_wrong_in_a_map_is_told)
{
    fixture f = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_register(f.world, &Cell_type, NULL), KITH_OK);
    for (size_t i = 0; test_row(i, ROWS_OF(wrong_maps)); i++) {
        check_wrong(&f, &wrong_maps[i]);
    }
    fixture_free(&f);
}

/* A field that is too small for its place is no silent wrap. */
TEST(a_map_may_be_too_large_for_its_fields)
{
    static char text[2048];
    fixture f = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_register(f.world, &Cell_type, NULL), KITH_OK);
    int length = snprintf(text, sizeof text, "prefab p\n" AXES "'#' = p\n|%256s#|\n", "");
    check_wrong(&f,
                &(wrong_map){text, 6, 258, "expected a smaller map: Cell.column cannot be 256"});
    length = snprintf(text, sizeof text, "prefab p\n" AXES "'#' = p\n");
    for (int row = 0; row < 128; row++) {
        length += snprintf(text + length, sizeof text - (size_t)length, "||\n");
    }
    snprintf(text + length, sizeof text - (size_t)length, "|#|\n");
    check_wrong(&f, &(wrong_map){text, 134, 2, "expected a smaller map: Cell.row cannot be 128"});
    fixture_free(&f);
}

/* A field for each kind of number. */
typedef struct Places {
    int64_t i64;
    uint64_t u64;
    double f64;
    int32_t i32;
    uint32_t u32;
    float f32;
    int16_t i16;
    uint16_t u16;
    int8_t i8;
    uint8_t u8;
} Places;
KITH_TYPE(Places, KITH_FIELD(Places, i64), KITH_FIELD(Places, u64), KITH_FIELD(Places, f64),
          KITH_FIELD(Places, i32), KITH_FIELD(Places, u32), KITH_FIELD(Places, f32),
          KITH_FIELD(Places, i16), KITH_FIELD(Places, u16), KITH_FIELD(Places, i8),
          KITH_FIELD(Places, u8), KITH_GAP);

/* A map whose only sign stands in that column of the first row, or in that row of the first column. */
static char *map_with_sign(const char *field, bool across, uint32_t place)
{
    static const char usual[] = "prefab p\nmap\n'#' = p\n";
    size_t size = sizeof usual + 200 + (size_t)place * (across ? 1 : 3);
    char *text = malloc(size);
    CHECK_PTR_NOT_NULL(text);
    int length =
        snprintf(text, size, "%sacross %s%s\ndown %s%s\n", usual, across ? "Places." : "Cell.",
                 across ? field : "column", across ? "Cell." : "Places.", across ? "row" : field);
    char *at = text + length;
    if (across) {
        *at++ = '|';
        memset(at, '.', place);
        at += place;
    } else {
        for (uint32_t row = 0; row < place; row++) {
            memcpy(at, "||\n", 3);
            at += 3;
        }
        *at++ = '|';
    }
    memcpy(at, "#|\n", 4);
    return text;
}

/* What the field of the entity in that place holds; -1 if the map is too large for it. */
static double placed(const char *field, bool across, uint32_t place)
{
    fixture f = scene_fixture(KITH_TABLE);
    CHECK_RESULT(kith_register(f.world, &Cell_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Places_type, NULL), KITH_OK);
    char *text = map_with_sign(field, across, place);
    kith_scene_error error;
    kith_scene *scene = NULL;
    kith_result result = kith_scene_load(f.world, text, strlen(text), &scene, &error);
    double value = -1;
    if (result == KITH_OK) {
        const Places *at = KITH_GET(f.world, kith_scene_at(scene, 0), Places);
        value = at->f64 + (double)at->f32 + (double)at->i64 + (double)at->u64 + at->i32 + at->u32 +
                at->i16 + at->u16 + at->i8 + at->u8; /* all but one are 0 */
    } else {
        char message[100];
        snprintf(message, sizeof message, "expected a smaller map: Places.%s cannot be %u", field,
                 place);
        CHECK_RESULT(result, KITH_ERR_INPUT);
        CHECK_STR(error.message, message);
    }
    CHECK_WORLD(f.world);
    kith_scene_free(scene);
    free(text);
    fixture_free(&f);
    return value;
}

/* Each field takes the places that fit into its kind of number, up to the last. */
TEST_WITHIN(20, each_kind_of_number_takes_the_places_that_fit)
{
    static const struct {
        const char *field;
        uint32_t most; /* 0: more than a text of some MB can have */
    } kinds[] = {{"i8", INT8_MAX}, {"u8", UINT8_MAX}, {"i16", INT16_MAX}, {"u16", UINT16_MAX},
                 {"i32", 0},       {"u32", 0},        {"i64", 0},         {"u64", 0},
                 {"f64", 0},       {"f32", 1u << 24}};
    for (size_t i = 0; test_row(i, ROWS_OF(kinds)); i++) {
        const char *field = kinds[i].field;
        const uint32_t most = kinds[i].most == 0 ? 70000 : kinds[i].most;
        for (int across = 0; across < (most > 100000 ? 1 : 2); across++) {
            CHECK_FLOAT(placed(field, across == 0, 0), 0);
            CHECK_FLOAT(placed(field, across == 0, 100), 100);
            CHECK_FLOAT(placed(field, across == 0, most), most);
            CHECK(kinds[i].most == 0 || placed(field, across == 0, most + 1) == -1);
        }
    }
}

/* Names of components and of fields may have dots in them. */
TEST_EACH_LAYOUT(an_axis_may_have_dots_in_its_names, layout)
{
    static const char *const names[][2] = {
        {"Body", "x"}, {"game.Body", "x"}, {"Body", "path[1].x"}, {"a.b.Body", "at.left.x"}};
    for (size_t i = 0; test_row(i, ROWS_OF(names)); i++) {
        fixture f = scene_fixture(layout);
        const kith_field fields[] = {{"other", 0, 0, KITH_I32}, {names[i][1], 0, 0, KITH_I32}};
        const kith_type_def def = {
            .name = names[i][0], .fields = fields, .field_count = 2, .layout = layout};
        const kith_type *type;
        CHECK_RESULT(kith_define(f.world, &def, &type), KITH_OK);
        char text[200];
        snprintf(text, sizeof text,
                 "prefab p\nmap\nacross %s.%s\ndown Position.y\n'#' = p\n||\n|..#|\n", names[i][0],
                 names[i][1]);
        kith_scene *scene = load(&f, text);
        int32_t place = -1;
        CHECK_RESULT(kith_get_field(f.world, kith_scene_at(scene, 0), type, names[i][1], KITH_I32,
                                    &place, sizeof place),
                     KITH_OK);
        CHECK_INT(place, 2);
        CHECK_FLOAT(KITH_GET(f.world, kith_scene_at(scene, 0), Position)->y, 1);
        scene_end(&f, scene);
    }
}
