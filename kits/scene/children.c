/* Children, as they are written within entities and prefabs:
 *
 *     child turret : gun_turret {
 *         Aim { speed = 2 }
 *         child gun
 *     }
 *     - child antenna */
#include <inttypes.h>
#include <string.h>

#include "scene/draft_block.h"

/* A path of names, which the last token begins; the rest of its line is another token. */
static kith_result read_path(ki_scene_draft *draft, uint32_t block)
{
    kith_reader *reader = &draft->reader;
    const kith_token start = reader->token;
    size_t length = ki_scene_path_length(reader);
    const char *colon = memchr(start.start, ':', length);
    length = colon == NULL ? length : (size_t)(colon - start.start);
    kith_result result =
        ki_scene_read_word(draft, "a name, \":\", \"{\" or the end of the line after \"child\"");
    if (result != KITH_OK) {
        return result;
    }
    ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    plan->name = start.start;
    plan->name_length = (uint32_t)length;
    reader->next = start.start + length;
    return KITH_OK;
}

/* - child PATH */
static kith_result read_removed_child(ki_scene_draft *draft, uint32_t block)
{
    kith_reader *reader = &draft->reader;
    ki_scene_draft_block(draft, block)->removed = true;
    reader->next = reader->token.start + 1;
    kith_result result = kith_read_token(reader); /* child */
    result = result == KITH_OK ? kith_read_token(reader) : result;
    if (result == KITH_OK && reader->token.first) {
        return kith_read_expected(reader, "the name of a child after \"- child\"");
    }
    result = result == KITH_OK ? read_path(draft, block) : result;
    return result == KITH_OK ? kith_read_token(reader) : result;
}

/* child [PATH] [: PREFAB] [{]; `*opens` tells if there are lines. */
static kith_result read_child_heading(ki_scene_draft *draft, uint32_t block, bool *opens)
{
    kith_reader *reader = &draft->reader;
    const char *end;
    kith_result result = kith_read_token(reader);
    if (result == KITH_OK && !reader->token.first && !kith_token_is(reader, ":") &&
        !kith_token_is(reader, "{")) {
        result = read_path(draft, block);
        result = result == KITH_OK ? kith_read_token(reader) : result;
    }
    draft->line_end = "\":\", \"{\" or the end of the line";
    if (result == KITH_OK && !reader->token.first && kith_token_is(reader, ":")) {
        result = ki_scene_read_base(draft, block, &end);
        draft->line_end = "\"{\" or the end of the line";
    }
    *opens = result == KITH_OK && !reader->token.first && kith_token_is(reader, "{");
    if (*opens) {
        ki_scene_plan_at(draft, block)->body = reader->next;
        draft->line_end = "the end of the line";
        result = kith_read_token(reader);
        if (result == KITH_OK && kith_token_is(reader, "}")) {
            return KITH_OK; /* { } in one line */
        }
    }
    return result;
}

/* Adds a child that is written in block `*in`; that becomes the child, if it has lines. */
static kith_result read_child(ki_scene_draft *draft, uint32_t *in)
{
    uint32_t block;
    bool opens = false;
    bool removed = draft->reader.token.kind == KITH_TOKEN_NUMBER; /* of a minus */
    uint32_t root = ki_scene_draft_block(draft, *in)->root;
    ki_scene_kind kind = ki_scene_draft_block(draft, root)->kind;
    kith_result result = ki_scene_add_block(draft, kind, &block);
    if (result != KITH_OK) {
        return result;
    }
    ki_scene_draft_block(draft, block)->root = root;
    ki_scene_draft_block(draft, block)->within = *in;
    draft->line_end = "the end of the line";
    result = removed ? read_removed_child(draft, block) : read_child_heading(draft, block, &opens);
    if (result == KITH_OK && !(opens && kith_token_is(&draft->reader, "}"))) {
        result = ki_scene_end_line(draft);
    }
    if (result == KITH_OK && opens) {
        *in = block;
        result = ki_scene_look_at_lines(draft);
    }
    return result;
}

/* The lines of a child go on, although they should have ended. */
static kith_result not_closed(ki_scene_draft *draft, uint32_t block)
{
    uint32_t line;
    uint32_t column;
    kith_read_place(&draft->reader, ki_scene_draft_block(draft, block)->start, &line, &column);
    return kith_read_expected(&draft->reader, "\"}\" for the child in line %" PRIu32, line);
}

kith_result ki_scene_read_children(ki_scene_draft *draft, uint32_t root)
{
    kith_reader *reader = &draft->reader;
    uint32_t in = root;
    kith_result result = KITH_OK;
    while (result == KITH_OK && !ki_scene_at_block(draft)) {
        if (ki_scene_at_child(draft)) {
            result = read_child(draft, &in);
        } else if (in != root && kith_token_is(reader, "}")) {
            in = ki_scene_draft_block(draft, in)->within;
            draft->line_end = "the end of the line";
            result = kith_read_token(reader);
            result = result == KITH_OK ? ki_scene_end_line(draft) : result;
        } else {
            result = kith_read_expected(reader, in == root
                                                    ? "\"child\" or the next block: components come"
                                                      " before children"
                                                    : "\"child\" or \"}\": components come before"
                                                      " children");
        }
    }
    if (result == KITH_OK && in != root) {
        result = not_closed(draft, in);
    }
    ki_scene_plan_at(draft, root)->extent = draft->scene->blocks.count - root;
    return result;
}
