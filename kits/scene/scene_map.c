/* Maps: rows of characters. Each may be the sign of a prefab, and makes an entity of it. */
#include <kith/floats.h>

#include <inttypes.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/import.h"
#include "scene/scene_map.h"

/* The numbers that fit into a field of a kind go from 0 to this. */
static uint64_t most_of(kith_kind kind)
{
    switch (kind) {
    case KITH_I8: return INT8_MAX;
    case KITH_U8: return UINT8_MAX;
    case KITH_I16: return INT16_MAX;
    case KITH_U16: return UINT16_MAX;
    case KITH_I32: return INT32_MAX;
    case KITH_F32: return UINT64_C(1) << 24; /* all below are floats */
    case KITH_U32:
    case KITH_I64:
    case KITH_U64:
    case KITH_F64: return UINT32_MAX;
    default: return 0; /* takes no number */
    }
}

static bool takes_number(const kith_field *field)
{
    return field->size == kith_kind_size(field->kind) && most_of(field->kind) != 0;
}

/* Tells that the last token is not an axis. `type` is the component that it names, and `field` what
 * comes after that; NULL if it names none. */
static kith_result expect_axis(ki_scene_draft *draft, const char *name, const kith_type *type,
                               const char *field)
{
    const kith_world *world = draft->scene->world;
    kith_hint hint = {.word = name, .length = strcspn(name, ".")};
    if (type != NULL) {
        hint = (kith_hint){.word = field, .length = strlen(field)};
        for (uint32_t i = 0; i < type->field_count; i++) {
            if (takes_number(&type->fields[i])) {
                kith_hint_offer(&hint, type->fields[i].name);
            }
        }
        return kith_read_expected(&draft->reader, "a field of %s that takes a number%s", type->name,
                                  kith_hint_text(&hint).text);
    }
    for (uint32_t i = 0; i < kith_type_count(world); i++) {
        kith_hint_offer(&hint, kith_type_at(world, i)->name);
    }
    bool similar = hint.best != NULL && hint.distance != 0;
    return kith_read_expected(&draft->reader,
                              "a component and its field that takes a number, like Position.x%s",
                              similar ? kith_hint_text(&hint).text : "");
}

/* Notes a place in the last line of the map that is being read. */
static void end_map_at(ki_scene_draft *draft, const char *place)
{
    const char **ends = draft->scene->map_ends.items;
    ends[draft->scene->map_ends.count - 1] = place;
}

/* Component.field, after "across" or "down"; reads on. `other` is that of the other direction. */
static kith_result read_axis(ki_scene_draft *draft, ki_scene_axis *axis, const ki_scene_axis *other)
{
    kith_reader *reader = &draft->reader;
    if (axis->field != NULL) {
        return kith_read_expected(reader, "each direction once");
    }
    kith_result result = kith_read_token(reader);
    if (result != KITH_OK) {
        return result;
    }
    char name[256];
    end_map_at(draft, reader->token.start);
    result =
        kith_read_name(reader, "a component and its field, like Position.x", name, sizeof name);
    const kith_type *known = NULL;
    const char *rest = NULL;
    char *dot = result == KITH_OK && !reader->token.first ? strchr(name, '.') : NULL;
    for (; dot != NULL && axis->field == NULL; dot = strchr(dot + 1, '.')) {
        *dot = '\0';
        axis->type = kith_type_find(draft->scene->world, name);
        *dot = '.';
        if (axis->type != NULL) {
            known = axis->type;
            rest = dot + 1;
            axis->field = kith_field_find(known, rest);
        }
    }
    if (result == KITH_OK && (axis->field == NULL || !takes_number(axis->field))) {
        return expect_axis(draft, name, known, rest);
    }
    if (result == KITH_OK && axis->field == other->field) {
        return kith_read_expected(reader, "another field than for the other direction");
    }
    if (result == KITH_OK && kith_has_hooks(draft->scene->world, axis->type)) {
        return kith_read_expected(reader, "a component whose values have no hooks");
    }
    return result == KITH_OK ? kith_read_token(reader) : result;
}

/* The sign that a character of the text is; 0 if it is none. What the quotes need a backslash for
 * is one byte in a row. */
static unsigned char sign_of(const kith_token *token)
{
    bool escaped = token->length == 4 && token->start[1] == '\\' &&
                   (token->start[2] == '\\' || token->start[2] == '\'');
    unsigned char sign = (unsigned char)token->start[escaped ? 2 : 1];
    return (token->length == 3 || escaped) && sign > ' ' && sign != '|' ? sign : 0;
}

/* 'c' = PREFAB; reads on. */
static kith_result read_legend(ki_scene_draft *draft, ki_scene_map *map)
{
    kith_reader *reader = &draft->reader;
    const kith_token token = reader->token;
    unsigned char sign = sign_of(&token);
    if (sign == 0) {
        return kith_read_expected(reader, "a sign of one byte other than | and space, like '#'");
    }
    if (map->names[sign] != NULL) {
        return kith_read_fail(reader, token.start,
                              "expected another sign: '%c' stands for a prefab"
                              " already",
                              sign);
    }
    kith_result result = kith_read_token(reader);
    if (result == KITH_OK && !kith_token_is(reader, "=")) {
        result = kith_read_expected(reader, "= after '%c'", sign);
    }
    result = result == KITH_OK ? kith_read_token(reader) : result;
    if (result == KITH_OK && (reader->token.first || reader->token.kind != KITH_TOKEN_WORD)) {
        result = kith_read_expected(reader, "the name of a prefab after =");
    }
    if (result != KITH_OK) {
        return result;
    }
    map->names[sign] = reader->token.start;
    map->lengths[sign] = (uint32_t)reader->token.length;
    result = kith_read_token(reader);
    uint32_t import = KI_SCENE_NOTHING;
    const char *end = NULL;
    if (result == KITH_OK) {
        result = ki_scene_read_from(draft, map->names[sign], map->lengths[sign], &import, &end);
    }
    map->imports[sign] = import + 1; /* 0 for KI_SCENE_NOTHING */
    end_map_at(draft, end == NULL ? map->names[sign] : end);
    return result;
}

/* A place in a map becomes an entity like others, but that it has a place instead of lines. */
static kith_result add_cell(ki_scene_draft *draft, const ki_scene_map *map, uint32_t number,
                            const char *at, uint32_t column)
{
    unsigned char sign = (unsigned char)*at;
    if (map->names[sign] == NULL) {
        if (sign == ' ' || sign == '.') {
            return KITH_OK;
        }
        return kith_read_fail(
            &draft->reader, at,
            sign > ' ' && sign < 0x7f
                ? "expected a sign that stands for a prefab, found '%c'"
                : "expected a sign that stands for a prefab, found the byte 0x%02x",
            sign);
    }
    const ki_scene_axis *axes[2] = {&map->across, &map->down};
    const uint32_t places[2] = {column, map->rows};
    for (int i = 0; i < 2; i++) {
        if (places[i] > most_of(axes[i]->field->kind)) {
            return kith_read_fail(&draft->reader, at,
                                  "expected a smaller map: %s.%s cannot be %" PRIu32,
                                  axes[i]->type->name, axes[i]->field->name, places[i]);
        }
    }
    uint32_t block;
    kith_result result = ki_scene_add_root(draft, KI_SCENE_ENTITY, &block);
    if (result != KITH_OK) {
        return result;
    }
    ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    plan->base = map->names[sign];
    plan->base_length = map->lengths[sign];
    plan->column = column;
    plan->row = map->rows;
    ki_scene_block *of = ki_scene_draft_block(draft, block);
    of->start = at;
    of->map = number + 1;
    of->base = map->imports[sign] == 0 ? KI_SCENE_NOTHING : map->imports[sign] - 1;
    return KITH_OK;
}

/* What is between two |; reads on. */
static kith_result read_row(ki_scene_draft *draft, ki_scene_map *map, uint32_t number)
{
    kith_reader *reader = &draft->reader;
    if (map->across.field == NULL || map->down.field == NULL) {
        return kith_read_expected(reader, "\"across\" and \"down\" before the first row");
    }
    const char *start = reader->token.start + 1;
    const char *end = reader->text + reader->length;
    const char *at = start;
    kith_result result = KITH_OK;
    for (; result == KITH_OK && at < end && *at != '|' && *at != '\n'; at++) {
        result = add_cell(draft, map, number, at, (uint32_t)(at - start));
    }
    if (result == KITH_OK && (at == end || *at != '|')) {
        result = kith_read_fail(reader, at,
                                "expected | at the end of the row, found the end of the"
                                " line");
    }
    if (result != KITH_OK) {
        return result;
    }
    reader->next = at + 1;
    end_map_at(draft, at);
    map->rows++;
    return kith_read_token(reader);
}

kith_result ki_scene_read_map(ki_scene_draft *draft)
{
    kith_reader *reader = &draft->reader;
    uint32_t number = draft->maps.count;
    const kith_allocator *allocator = &draft->scene->arena.allocator;
    ki_scene_map *map = ki_scene_list_add(allocator, &draft->maps, 1, sizeof *map);
    bool enough = map != NULL && ki_scene_list_add(allocator, &draft->scene->map_ends, 1,
                                                   sizeof(const char *)) != NULL;
    kith_result result = enough ? kith_read_token(reader) : KITH_ERR_MEMORY;
    while (result == KITH_OK && !ki_scene_at_block(draft)) {
        if (!reader->token.first) {
            result = kith_read_expected(reader, "the end of the line");
        } else if (kith_token_is(reader, "across")) {
            result = read_axis(draft, &map->across, &map->down);
        } else if (kith_token_is(reader, "down")) {
            result = read_axis(draft, &map->down, &map->across);
        } else if (reader->token.kind == KITH_TOKEN_CHAR) {
            result = read_legend(draft, map);
        } else if (kith_token_is(reader, "|")) {
            result = read_row(draft, map, number);
        } else {
            result = kith_read_expected(reader, "\"across\", \"down\", a sign like '#', or a row"
                                                " between two |");
        }
    }
    return result;
}

static void store_place(const kith_field *field, char *value, uint32_t place)
{
    const uint8_t u8 = (uint8_t)place;
    const uint16_t u16 = (uint16_t)place;
    const uint64_t u64 = place;
    const float f32 = (float)place;
    const double f64 = place;
    const void *from = field->kind == KITH_F32   ? &f32
                       : field->kind == KITH_F64 ? (const void *)&f64
                       : field->size == 1        ? (const void *)&u8
                       : field->size == 2        ? (const void *)&u16
                       : field->size == 4        ? (const void *)&place
                                                 : (const void *)&u64;
    memcpy(value + field->offset, from, field->size);
}

kith_result ki_scene_place_cell(ki_scene_draft *draft, uint32_t block)
{
    const ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    const ki_scene_map *map =
        (const ki_scene_map *)draft->maps.items + ki_scene_draft_block(draft, block)->map - 1;
    char *across = ki_scene_own_value(draft, block, map->across.type);
    if (across == NULL) {
        return KITH_ERR_MEMORY;
    }
    store_place(map->across.field, across, plan->column);
    char *down = map->down.type == map->across.type
                     ? across
                     : ki_scene_own_value(draft, block, map->down.type);
    if (down == NULL) {
        return KITH_ERR_MEMORY;
    }
    store_place(map->down.field, down, plan->row);
    return KITH_OK;
}
