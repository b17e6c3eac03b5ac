/* The parts of a text. */
#include "scene/scene_part.h"

#include <kith/reflect.h>
#include <string.h>

#include "scene/draft_block.h"

kith_reader ki_scene_reader_at(const ki_scene_source *source, const char *place)
{
    kith_reader reader = {.text = source->text + source->mark,
                          .length = source->length - source->mark,
                          .next = place};
    kith_read_token(&reader);
    return reader;
}

/* Reads the next token, and returns the end of the one before it. */
static const char *pass(kith_reader *reader)
{
    const char *end = reader->token.start + reader->token.length;
    kith_read_token(reader);
    return end;
}

/* Passes a name, and the end of it: what is after a colon is another token. */
static size_t pass_name(kith_reader *reader)
{
    size_t length = ki_scene_path_length(reader);
    const char *colon = memchr(reader->token.start, ':', length);
    length = colon == NULL ? length : (size_t)(colon - reader->token.start);
    reader->next = reader->token.start + length;
    kith_read_token(reader);
    return length;
}

ki_scene_heading ki_scene_read_heading(kith_reader *reader)
{
    ki_scene_heading heading = {.word_end = pass(reader)};
    heading.end = heading.word_end;
    if (!reader->token.first && !kith_token_is(reader, ":") && !kith_token_is(reader, "{")) {
        heading.name = reader->token.start;
        heading.name_length = pass_name(reader);
        heading.end = heading.name + heading.name_length;
    }
    while (!reader->token.first && !kith_token_is(reader, "{")) {
        heading.end = pass(reader);
    }
    heading.opens = !reader->token.first;
    if (heading.opens) {
        pass(reader);
    }
    return heading;
}

bool ki_scene_is_end_of_block(const kith_reader *reader)
{
    return ki_scene_is_block_word(reader);
}

const char *ki_scene_child_end(const ki_scene_source *source, const char *start)
{
    kith_reader reader = ki_scene_reader_at(source, start);
    const ki_scene_heading heading = ki_scene_read_heading(&reader);
    const char *end = heading.end;
    for (uint32_t depth = heading.opens; depth > 0; end = pass(&reader)) {
        depth += kith_token_is(&reader, "{");
        depth -= kith_token_is(&reader, "}");
    }
    return end;
}

/* The component that the last token names. */
static const kith_type *find_type(kith_reader *reader, const kith_scene *scene)
{
    char name[256] = "";
    return kith_read_name(reader, "a type", name, sizeof name) == KITH_OK
               ? kith_type_find(scene->world, name)
               : NULL;
}

/* Reads on after the } of a value, and returns the end of it. */
static const char *pass_value(kith_reader *reader)
{
    while (!kith_token_is(reader, "}") && reader->token.kind != KITH_TOKEN_END) {
        kith_read_token(reader);
    }
    return pass(reader);
}

bool ki_scene_next_line(kith_reader *reader, const kith_scene *scene, ki_scene_line *line)
{
    if (ki_scene_is_block_word(reader) || ki_scene_is_child_word(reader) ||
        kith_token_is(reader, "}")) {
        return false;
    }
    *line = (ki_scene_line){.start = reader->token.start};
    if (reader->token.kind == KITH_TOKEN_NUMBER && *reader->token.start == '-') {
        line->removal = true;
        reader->next = reader->token.start + 1;
        kith_read_token(reader);
    }
    line->type = find_type(reader, scene);
    line->end = pass(reader);
    if (kith_token_is(reader, "{")) {
        line->open = reader->token.start;
        line->end = pass_value(reader);
    }
    return true;
}

bool ki_scene_next_field(kith_reader *reader, const kith_type *type, ki_scene_field *field)
{
    char name[128];
    if (kith_token_is(reader, "}") || reader->token.kind == KITH_TOKEN_END) {
        return false;
    }
    field->start = reader->token.start;
    kith_read_name(reader, "a field", name, sizeof name);
    field->field = kith_field_find(type, name);
    pass(reader); /* the = */
    pass(reader);
    field->value = reader->token.start;
    field->end = field->value;
    for (int depth = 0; reader->token.kind != KITH_TOKEN_END &&
                        (depth > 0 || !(kith_token_is(reader, ",") || kith_token_is(reader, "}")));
         field->end = pass(reader)) {
        depth += kith_token_is(reader, "[") ? 1 : kith_token_is(reader, "]") ? -1 : 0;
    }
    if (kith_token_is(reader, ",")) {
        pass(reader);
    }
    return true;
}

/* ---- Lines --------------------------------------------------------------------------------- */

const char *ki_scene_line_start(const ki_scene_source *source, const char *place)
{
    const char *first = source->text + source->mark;
    while (place > first && place[-1] != '\n') {
        place--;
    }
    return place;
}

const char *ki_scene_line_next(const ki_scene_source *source, const char *place)
{
    const char *end = source->text + source->length;
    const char *found = memchr(place, '\n', (size_t)(end - place));
    return found == NULL ? end : found + 1;
}

const char *ki_scene_line_end(const ki_scene_source *source, const char *place)
{
    const char *end = ki_scene_line_next(source, place);
    end -= end > place && end[-1] == '\n';
    return end - (end > place && end[-1] == '\r');
}

/* How far a line is indented, and what its first character is: '\n' for a blank one. */
static size_t indent_of(const ki_scene_source *source, const char *line, char *first)
{
    const char *end = source->text + source->length;
    const char *at = line;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) {
        at++;
    }
    *first = '\n';
    if (at < end) {
        *first = *at;
    }
    return (size_t)(at - line);
}

void ki_scene_block_range(const ki_scene_source *source, const char *start, const char *last,
                          const char **from, const char **to)
{
    const char *begin = source->text + source->mark;
    const char *end = source->text + source->length;
    char first;
    *from = ki_scene_line_start(source, start);
    size_t indent = indent_of(source, *from, &first);
    while (*from > begin) {
        const char *above = ki_scene_line_start(source, *from - 1);
        if (indent_of(source, above, &first) != indent || first != '#') {
            break;
        }
        *from = above;
    }
    *to = ki_scene_line_next(source, last);
    while (*to < end && indent_of(source, *to, &first) > indent && first == '#') {
        *to = ki_scene_line_next(source, *to);
    }
    while (*to < end && (indent_of(source, *to, &first), first == '\n')) {
        *to = ki_scene_line_next(source, *to);
    }
    while (*to == end && *from > begin) {
        const char *above = ki_scene_line_start(source, *from - 1);
        indent_of(source, above, &first);
        if (first != '\n') {
            break;
        }
        *from = above;
    }
}
