/* Types that are made up at run time: what they are, what is refused, and that they are as good as
 * compiled ones. */
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "test.h"

#define FIELDS(...)                                                                                \
    .fields = (const kith_field[]){__VA_ARGS__},                                                   \
    .field_count = sizeof((const kith_field[]){__VA_ARGS__}) / sizeof(kith_field)

static const kith_field cookable_fields[] = {{"minutes", 0, 4, KITH_F32}, {"heat", 4, 4, KITH_I32}};
static const kith_type_def cookable_def = {
    .name = "Cookable", .size = 8, .align = 4, .fields = cookable_fields, .field_count = 2};

typedef struct cookable {
    float minutes;
    int32_t heat;
} cookable;

static const kith_type *defined(fixture *f, const kith_type_def *def)
{
    const kith_type *type = NULL;
    CHECK_RESULT(kith_define(f->world, def, &type), KITH_OK);
    CHECK_PTR_NOT_NULL(type);
    return type;
}

/* ---- A defined type works everywhere --------------------------------------------------------- */

static void double_heat(kith_world *world, const kith_type *type)
{
    const kith_term terms[] = {{type, KITH_ACCESS_WRITE, KITH_MUST, 0, NULL}, {0}};
    const kith_query_def def = {.terms = terms};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(world, &def, &query), KITH_OK);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            ((cookable *)kith_at_slow(&it, 0, i, type, KITH_ACCESS_WRITE))->heat *= 2;
        }
    }
    kith_query_free(query);
}

TEST_EACH_LAYOUT(a_defined_type_works_everywhere, layout)
{
    fixture f = fixture_new();
    kith_type_def def = cookable_def;
    def.layout = layout;
    const kith_type *type = defined(&f, &def);
    kith_layout seen = (kith_layout)99;
    CHECK_RESULT(kith_layout_of(f.world, type, &seen), KITH_OK);
    CHECK_INT(seen, layout);
    CHECK(kith_type_find(f.world, "Cookable") == type && kith_type_at(f.world, 0) == type);
    CHECK(type->number != NULL && *type->number != 0);

    const cookable raw = {1.5f, 7};
    kith_entity stove = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_set(f.world, stove, type, &raw), KITH_OK);
    kith_entity pan = KITH_NONE;
    CHECK_RESULT(kith_spawn(f.world, &(kith_value){type, &raw}, 1, &pan), KITH_OK);
    double_heat(f.world, type);
    CHECK_INT(((const cookable *)kith_get(f.world, pan, type))->heat, 14);
    CHECK_RESULT(kith_remove(f.world, pan, type), KITH_OK);
    CHECK(!kith_has(f.world, pan, type) && kith_has(f.world, stove, type));

    CHECK_RESULT(kith_resource_set(f.world, type, &raw), KITH_OK);
    CHECK_RESULT(kith_event_send(f.world, type, &raw), KITH_OK);
    fixture_free(&f);
}

TEST(a_definition_may_be_freed)
{
    fixture f = fixture_new();
    char *name = malloc(16);
    char *field_name = malloc(16);
    kith_field *fields = malloc(sizeof *fields);
    kith_type_def *def = malloc(sizeof *def);
    CHECK(name != NULL && field_name != NULL && fields != NULL && def != NULL);
    strcpy(name, "Fleeting");
    strcpy(field_name, "seconds");
    *fields = (kith_field){field_name, 0, 0, KITH_F64};
    *def = (kith_type_def){.name = name, .fields = fields, .field_count = 1};
    const kith_type *type = defined(&f, def);
    memset(name, '?', 8);
    memset(field_name, '?', 7);
    memset(fields, 0x55, sizeof *fields);
    free(name);
    free(field_name);
    free(fields);
    free(def);
    CHECK_STR(type->name, "Fleeting");
    CHECK_STR(type->fields[0].name, "seconds");
    CHECK_UINT(type->size, 8);
    fixture_free(&f);
}

/* ---- The same and another ------------------------------------------------------------------- */

TEST(what_is_defined_again_is_the_same_type)
{
    fixture f = fixture_new();
    fixture other = fixture_new();
    const kith_type *type = defined(&f, &cookable_def);
    const uint64_t before = kith_world_hash(f.world);
    const size_t used = kith_memory(f.world).used;
    CHECK(defined(&f, &cookable_def) == type);
    CHECK(defined(&other, &cookable_def) == type);
    CHECK_RESULT(kith_define(f.world, &cookable_def, NULL), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 1);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_UINT(kith_memory(f.world).used, used);
    fixture_free(&f);
    fixture_free(&other);
}

/* A program and its editor may both say what Position is. */
TEST(a_definition_may_say_what_was_compiled)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const uint32_t count = kith_type_count(f.world);
    for (uint32_t i = 0; i < count; i++) {
        const kith_type *compiled = kith_type_at(f.world, i);
        const kith_type_def def = {
            compiled->name,   compiled->size,        compiled->align, compiled->version,
            compiled->fields, compiled->field_count, KITH_TABLE,      NULL,
            compiled->padded, compiled->relation};
        CHECK(defined(&f, &def) == compiled);
    }
    CHECK_UINT(kith_type_count(f.world), count);
    kith_type_def def = cookable_def;
    def.name = "Position";
    const uint64_t before = kith_world_hash(f.world);
    const kith_type *type = &Velocity_type;
    CHECK_RESULT(kith_define(f.world, &def, &type), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world), "kith_define: 'Position' is registered as another type:"
                                   " it has no field 'minutes' there");
    CHECK(type == &Velocity_type);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

TEST(another_definition_of_a_name_is_a_conflict)
{
    fixture f = fixture_new();
    defined(&f, &cookable_def);
    kith_type_def def = cookable_def;
    def.version = 2;
    CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "version 0 there, 2 here");
    def = cookable_def;
    def.layout = KITH_SLOT;
    CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_ERR_CONFLICT);
    CHECK_STR(kith_error(f.world),
              "kith_define: 'Cookable' is registered with layout KITH_TABLE, not KITH_SLOT");
    def.layout = (kith_layout)9;
    CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "9 is no layout");
    CHECK_UINT(kith_type_count(f.world), 1);
    fixture_free(&f);
}

/* ---- Fields that Kith places ----------------------------------------------------------------- */

typedef struct Laid {
    uint8_t level;
    float charge;
    char name[5];
    kith_entity owner;
    bool open;
    double weight;
    int16_t steps[3];
} Laid;
KITH_TYPE(Laid, KITH_FIELD(Laid, level), KITH_GAP, KITH_FIELD(Laid, charge), KITH_FIELD(Laid, name),
          KITH_GAP, KITH_FIELD(Laid, owner), KITH_FIELD(Laid, open), KITH_GAP,
          KITH_FIELD(Laid, weight), KITH_FIELD(Laid, steps), KITH_GAP);

/* As the compiler lays them out, and so much so that it is the same type. */
TEST(fields_are_placed_as_c_places_them)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Laid_type, NULL), KITH_OK);
    const kith_type_def def = {.name = "Laid",
                               FIELDS({"level", .kind = KITH_U8}, {"charge", .kind = KITH_F32},
                                      {"name", .size = 5, .kind = KITH_CHAR},
                                      {"owner", .kind = KITH_ENTITY}, {"open", .kind = KITH_BOOL},
                                      {"weight", .kind = KITH_F64}, {"steps", 0, 6, KITH_I16})};
    CHECK(defined(&f, &def) == kith_type_find(f.world, "Laid"));
    fixture_free(&f);
}

TEST(size_and_alignment_follow_from_the_fields)
{
    fixture f = fixture_new();
    kith_type_def def = {.name = "Wide", .align = 64, FIELDS({"x", .kind = KITH_F32})};
    const kith_type *type = defined(&f, &def);
    CHECK_UINT(type->size, 64);
    CHECK_UINT(type->align, 64);
    def = (kith_type_def){.name = "Low", .align = 1, FIELDS({"x", .kind = KITH_F64})};
    const uint32_t wide = _Alignof(struct { double value; }); /* 4 on 32-bit x86 */
    CHECK_UINT(defined(&f, &def)->align, wide);
    def = (kith_type_def){
        .name = "Given", .size = 16, FIELDS({"x", 0, 0, KITH_F64}, {"y", 8, 8, KITH_U16})};
    type = defined(&f, &def);
    CHECK_UINT(type->align, wide);
    CHECK_UINT(type->fields[0].size, 8);
    def = (kith_type_def){.name = "Packed",
                          .size = 9,
                          .align = 1,
                          FIELDS({"x", 0, 0, KITH_F64}, {"y", 8, 0, KITH_U8})};
    CHECK_UINT(defined(&f, &def)->align, 1);
    def =
        (kith_type_def){.name = "Holes",
                        FIELDS({"x", .kind = KITH_U8}, {"gap", .kind = KITH_PADDING},
                               {"own", .size = 2, .kind = KITH_PADDING}, {"y", .kind = KITH_U32})};
    type = defined(&f, &def);
    CHECK_UINT(type->size, 8);
    CHECK_UINT(type->field_count, 2); /* padding is not among them */
    CHECK(type->padded);
    def = (kith_type_def){.name = "Tag"};
    type = defined(&f, &def);
    CHECK_UINT(type->size, 0);
    kith_entity e = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_add(f.world, e, type), KITH_OK);
    CHECK(kith_has(f.world, e, type));
    fixture_free(&f);
}

/* ---- Relations --------------------------------------------------------------------------------- */

KITH_RELATION(Follows, KITH_CLEAR, (float, distance));
KITH_LINKS(Likes, KITH_CASCADE);

static const kith_field follows_fields[] = {{"target", .kind = KITH_ENTITY},
                                            {"distance", .kind = KITH_F32}};
static const kith_field likes_fields[] = {{"source", .kind = KITH_ENTITY},
                                          {"target", .kind = KITH_ENTITY}};

TEST_EACH_LAYOUT(a_defined_relation_is_one, layout)
{
    fixture f = fixture_new();
    const kith_type_def def = {.name = "PartOf",
                               .fields = follows_fields,
                               .field_count = 1,
                               .layout = layout,
                               .relation = KITH_CASCADE | KITH_ACYCLIC};
    const kith_type *part_of = defined(&f, &def);
    CHECK_UINT(part_of->relation, KITH_CASCADE | KITH_ACYCLIC);
    const kith_entity ship = kith_spawn_empty(f.world);
    const kith_entity gun = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_set(f.world, gun, part_of, &ship), KITH_OK);
    CHECK_SAME(kith_target(f.world, gun, part_of), ship);
    CHECK_SAME(kith_source_first(f.world, ship, part_of), gun);
    CHECK_RESULT(kith_set(f.world, ship, part_of, &gun), KITH_ERR_CYCLE);
    kith_query *parts = kith_query_text(f.world, "* where PartOf -> PartOf = this", NULL);
    CHECK_PTR_NOT_NULL(parts);
    CHECK_UINT(kith_query_count(parts), 0);
    kith_query_free(parts);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_despawn(f.world, ship), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* The same definition is the same type as a declared one. */
TEST_EACH_LAYOUT(a_defined_relation_is_a_declared_one, layout)
{
    fixture f = fixture_new();
    const kith_type *follows = defined(&f, &(kith_type_def){.name = "Follows",
                                                            .fields = follows_fields,
                                                            .field_count = 2,
                                                            .layout = layout,
                                                            .relation = KITH_CLEAR});
    const kith_type *likes = defined(&f, &(kith_type_def){.name = "Likes",
                                                          .fields = likes_fields,
                                                          .field_count = 2,
                                                          .layout = layout,
                                                          .relation = KITH_MANY | KITH_CASCADE});
    const kith_entity one = kith_spawn_empty(f.world);
    const kith_entity two = KITH_SPAWN(f.world, KITH_VALUE(Follows, {one, 3}));
    const kith_entity link = KITH_SPAWN(f.world, KITH_VALUE(Likes, {one, two}));
    CHECK_SAME(kith_target(f.world, two, follows), one);
    CHECK_SAME(kith_link_find(f.world, one, two, likes), link);
    CHECK_RESULT(kith_despawn(f.world, two), KITH_OK); /* and the link, and with it the source */
    CHECK_UINT(kith_entity_count(f.world), 0);
    CHECK_WORLD(f.world);
    const kith_type_def other = {
        .name = "Follows", .fields = follows_fields, .field_count = 2, .relation = KITH_CASCADE};
    CHECK_RESULT(kith_define(f.world, &other, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "relation with rules 2 there, 1 here");
    fixture_free(&f);
}

/* ---- What is refused ------------------------------------------------------------------------- */

static void check_refused(fixture *f, kith_type_def def, const char *message)
{
    const uint64_t before = kith_world_hash(f->world);
    const kith_type *type = &Position_type;
    CHECK_RESULT(kith_define(f->world, &def, &type), KITH_ERR_INPUT);
    CHECK_STR(kith_error(f->world), message);
    CHECK(type == &Position_type);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_WORLD(f->world);
}

#define DEF(def_size, ...)                                                                         \
    (kith_type_def)                                                                                \
    {                                                                                              \
        .name = "Subject", .size = (def_size), FIELDS(__VA_ARGS__)                                 \
    }

/* A gap says nothing where Kith places the fields; where they have places, it covers what it follows. */
TEST(a_definition_may_have_gaps)
{
    fixture f = fixture_new();
    const kith_field placed[] = {
        {.name = "small", .kind = KITH_U8}, KITH_GAP, {.name = "large", .kind = KITH_U32}};
    const kith_type *type =
        defined(&f, &(kith_type_def){.name = "Placed", .fields = placed, .field_count = 3});
    CHECK_UINT(type->size, 8);
    CHECK_UINT(type->field_count, 2);
    CHECK_UINT(type->fields[1].offset, 4);
    const kith_field given[] = {{"small", 0, 1, KITH_U8}, KITH_GAP, {"large", 4, 4, KITH_U32}};
    type =
        defined(&f, &(kith_type_def){
                        .name = "Given", .size = 8, .align = 4, .fields = given, .field_count = 3});
    CHECK_UINT(type->field_count, 2);
    CHECK(type->padded);
    const kith_field first[] = {KITH_GAP, {"large", 4, 4, KITH_U32}};
    const kith_type_def wrong = {
        .name = "Wrong", .size = 8, .align = 4, .fields = first, .field_count = 2};
    CHECK_RESULT(kith_define(f.world, &wrong, &type), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "gap");
    fixture_free(&f);
}

TEST(a_definition_that_makes_no_sense_is_refused)
{
    fixture f = fixture_new();
    check_refused(&f, (kith_type_def){0},
                  "kith_define: '(null)' is no name for a type: 1 to 127 letters, digits, '_', '.'"
                  " and ':', not starting with a digit");
    check_refused(&f, (kith_type_def){.name = "Subject", .field_count = 1},
                  "kith_define: Subject: 1 fields, at NULL; at most 4096 are allowed");
    check_refused(
        &f,
        (kith_type_def){.name = "Subject", .fields = cookable_fields, .field_count = UINT32_MAX},
        "kith_define: Subject: 4294967295 fields, at an address; at most 4096 are"
        " allowed");
    check_refused(&f, DEF(8, {"x", 0, 4, KITH_F32}),
                  "kith_define: Subject: no field covers byte 4 of 8, after x: name the field that"
                  " is missing, or write KITH_GAP after x if the compiler leaves these bytes");
    check_refused(&f, DEF(0, {"x", 0, 4, KITH_F32}, {"y", 4, 4, KITH_F32}),
                  "kith_define: Subject.y is at byte 4 of a struct without a size: give the size"
                  " too, or leave the offsets to Kith");
    check_refused(&f, DEF(0, {"x", 0, 0, (kith_kind)77}),
                  "kith_define: Subject.x: 77 is no kind of field");
    check_refused(&f, DEF(0, {"x", 0, 6, KITH_F32}),
                  "kith_define: Subject.x: 6 bytes are not one or more values of kind f32"
                  " (4 bytes)");
    check_refused(&f, DEF(0, {NULL, .kind = KITH_U8}, {"y", .kind = KITH_F64}),
                  "kith_define: Subject: field number 0 has no name of 1 to 127 bytes");
    check_refused(&f, DEF(0, {"x", .kind = KITH_U8}, {"x", .kind = KITH_F64}),
                  "kith_define: Subject: two fields are named 'x'");
    check_refused(&f, DEF(0, {"x", 0, 0x100001, KITH_U8}),
                  "kith_define: Subject: 1048577 bytes are more than 1048576");
    check_refused(&f, DEF(0, {"x", 0, UINT32_MAX, KITH_U8}, {"y", 0, UINT32_MAX, KITH_U8}),
                  "kith_define: Subject: 4294967295 bytes are more than 1048576");
    kith_type_def def = DEF(0, {"x", 0, 0, KITH_U8});
    def.align = 3;
    check_refused(&f, def,
                  "kith_define: Subject: alignment 3 is no power of two up to 4096 that divides the"
                  " size 3");
    CHECK_UINT(kith_type_count(f.world), 0);
    fixture_free(&f);
}

TEST(a_relation_that_makes_no_sense_is_refused)
{
    fixture f = fixture_new();
    kith_type_def def = {.name = "Subject", .fields = follows_fields, .field_count = 2};
    for (uint32_t rules = 1; rules < 64; rules++) {
        const uint32_t rule = rules & 7;
        const bool one = rule == KITH_CASCADE || rule == KITH_CLEAR || rule == KITH_REFUSE;
        const uint32_t both = KITH_MANY | KITH_ACYCLIC;
        if (!one || rules > 31 || (rules & both) == both) {
            def.relation = rules;
            CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_ERR_INPUT);
            CHECK_CONTAINS(kith_error(f.world),
                           "kith_define: Subject: the rules of a relation are");
        }
    }
    def.relation = KITH_CLEAR | KITH_MANY;
    check_refused(&f, def,
                  "kith_define: Subject is a relation, and so its first field is one kith_entity,"
                  " and its second another, and it has no hooks; see KITH_RELATION and KITH_LINKS");
    def.relation = KITH_CLEAR;
    def.field_count = 0;
    check_refused(&f, def,
                  "kith_define: Subject is a relation, and so its first field is one kith_entity,"
                  " and it has no hooks; see KITH_RELATION and KITH_LINKS");
    def.fields = &follows_fields[1];
    def.field_count = 1;
    check_refused(&f, def,
                  "kith_define: Subject is a relation, and so its first field is one kith_entity,"
                  " and it has no hooks; see KITH_RELATION and KITH_LINKS");
    const kith_hooks hooks = {.destroy = NULL};
    def.fields = follows_fields;
    def.field_count = 2;
    def.hooks = &hooks;
    CHECK_RESULT(kith_define(f.world, &def, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Subject");
    CHECK_UINT(kith_type_count(f.world), 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST(many_fields_are_placed)
{
    static kith_field fields[4096];
    static char names[4096][8];
    fixture f = fixture_new();
    for (uint32_t i = 0; i < 4096; i++) {
        snprintf(names[i], sizeof names[i], "f%u", i);
        fields[i] = (kith_field){names[i], 0, 0, i < 2048 ? KITH_U8 : KITH_U16};
    }
    kith_type_def def = {.name = "Many", .fields = fields, .field_count = 4096};
    CHECK_UINT(defined(&f, &def)->size, 2048 * 3);
    /* Padding does not count. */
    def.name = "Mixed";
    for (uint32_t i = 0; i < 4096; i++) {
        fields[i].kind = i % 2 == 0 ? KITH_U8 : KITH_U16;
    }
    CHECK_UINT(defined(&f, &def)->size, 4096 * 2);
    fixture_free(&f);
}
