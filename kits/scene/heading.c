/* The first lines of entities, prefabs and children: names, and what they extend. */
#include <inttypes.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/import.h"
#include "scene/source.h"

kith_result ki_scene_read_word(ki_scene_draft *draft, const char *expected)
{
    kith_reader *reader = &draft->reader;
    size_t length = reader->token.first ? 0 : ki_scene_name_length(&reader->token);
    if (length == 0) {
        return kith_read_expected(reader, "%s", expected);
    }
    reader->token.length = length;
    if (kith_token_is(reader, "none")) {
        return kith_read_fail(reader, reader->token.start,
                              "expected another name: \"none\" means no entity");
    }
    reader->next = reader->token.start + length;
    return KITH_OK;
}

kith_result ki_scene_name_taken(ki_scene_draft *draft, const char *before)
{
    uint32_t line;
    uint32_t column;
    kith_reader *reader = &draft->reader;
    uint32_t file = ki_scene_source_of(draft->scene, before);
    const ki_scene_source *source = ki_scene_source_at(draft->scene, file);
    const kith_reader there = {.text = source->text, .length = source->length};
    kith_read_place(&there, before, &line, &column);
    size_t length = reader->token.length < 40 ? reader->token.length : 40;
    return kith_read_fail(reader, reader->token.start,
                          "expected another name: \"%.*s\" is taken in line %" PRIu32 "%s%.200s",
                          (int)length, reader->token.start, line,
                          file == draft->source ? "" : " of ",
                          file == draft->source ? "" : source->path);
}

/* Gives the last token as its name to entity or prefab number `stands_for`. */
static kith_result add_name(ki_scene_draft *draft, bool is_prefab, uint32_t stands_for,
                            const char **text)
{
    kith_scene *scene = draft->scene;
    ki_scene_names *names = is_prefab ? &scene->prefab_names : &scene->names;
    const kith_token *token = &draft->reader.token;
    uint32_t number = ki_scene_names_find(names, token->start, token->length);
    if (number == KI_SCENE_NOTHING) {
        number = ki_scene_names_add(names, &scene->arena, token->start, token->length);
        if (number == KI_SCENE_NOTHING) {
            return KITH_ERR_MEMORY;
        }
    }
    ki_scene_name *name = ki_scene_names_at(names, number);
    if (name->stands_for != KI_SCENE_NOTHING) {
        return ki_scene_name_taken(draft, name->where);
    }
    name->stands_for = stands_for;
    name->where = token->start;
    *text = name->text;
    return KITH_OK;
}

kith_result ki_scene_read_base(ki_scene_draft *draft, uint32_t block, const char **end)
{
    kith_reader *reader = &draft->reader;
    kith_result result = kith_read_token(reader);
    result =
        result == KITH_OK ? ki_scene_read_word(draft, "the name of a prefab after \":\"") : result;
    if (result != KITH_OK) {
        return result;
    }
    const kith_token base = reader->token;
    uint32_t import = KI_SCENE_NOTHING;
    *end = reader->next;
    result = kith_read_token(reader);
    result = result == KITH_OK ? ki_scene_read_from(draft, base.start, base.length, &import, end)
                               : result;
    ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    plan->base = base.start;
    plan->base_length = (uint32_t)base.length;
    ki_scene_draft_block(draft, block)->base = import;
    return result;
}

kith_result ki_scene_read_first_line(ki_scene_draft *draft, uint32_t block, uint32_t number)
{
    kith_reader *reader = &draft->reader;
    bool is_prefab = ki_scene_draft_block(draft, block)->kind == KI_SCENE_PREFAB;
    const char *end = reader->next;
    kith_result result = kith_read_token(reader);
    bool named = is_prefab || (!reader->token.first && !kith_token_is(reader, ":"));
    if (result == KITH_OK && named) {
        result = ki_scene_read_word(
            draft, is_prefab ? "a name after \"prefab\""
                             : "a name, \":\" or the end of the line after \"entity\"");
        if (result == KITH_OK) {
            result = add_name(draft, is_prefab, number, &ki_scene_draft_block(draft, block)->name);
        }
        end = reader->next;
        result = result == KITH_OK ? kith_read_token(reader) : result;
    }
    bool extends = result == KITH_OK && !reader->token.first && kith_token_is(reader, ":");
    if (extends) {
        result = ki_scene_read_base(draft, block, &end);
    }
    ki_scene_plan_at(draft, block)->body = end;
    if (result == KITH_OK && !reader->token.first) {
        result = kith_read_expected(reader, extends ? "the end of the line"
                                                    : "\":\" or the end of the line");
    }
    return result;
}
