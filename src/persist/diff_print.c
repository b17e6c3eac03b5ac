/* Writes differences as text. */
#include <kith/diff.h>
#include <kith/namer.h>
#include <kith/reflect.h>

#include "base/text_out.h"
#include "world/world.h"

typedef struct diff_line {
    const kith_world *world;
    ki_text_out to;
} diff_line;

static void line_add(diff_line *line, const char *text)
{
    ki_text_add_string(&line->to, text);
}

static void line_add_value(diff_line *line, const kith_type *type, const void *value)
{
    size_t room;
    char *rest = ki_text_rest(&line->to, &room);
    line->to.length += kith_print_value(line->world, type, value, rest, room);
}

static void line_add_field(diff_line *line, const kith_field *field, const void *value)
{
    size_t room;
    char *rest = ki_text_rest(&line->to, &room);
    line->to.length += kith_print_field(line->world, field, value, rest, room);
}

/* "- Position { x = 1, y = 2 }" */
static void line_add_whole(diff_line *line, const char *sign, const kith_type *type,
                           const void *value)
{
    line_add(line, sign);
    line_add(line, type->name);
    if (value != NULL) {
        line_add(line, " ");
        line_add_value(line, type, value);
    }
}

/* "Position.x 1 -> 2" */
static void line_add_change(diff_line *line, const kith_difference *difference)
{
    const kith_field *field = difference->field;
    if (difference->type != NULL) {
        line_add(line, difference->type->name);
        line_add(line, field == NULL ? " changed" : ".");
    }
    if (field != NULL) {
        line_add(line, field->name);
        line_add(line, " ");
        line_add_field(line, field, difference->before);
        line_add(line, " -> ");
        line_add_field(line, field, difference->after);
    }
}

static void line_add_difference(diff_line *line, const kith_difference *difference)
{
    const kith_type *type = difference->type;
    if (!kith_is_none(difference->entity)) {
        line_add(line, kith_entity_describe(line->world, difference->entity).text);
        line_add(line, difference->kind == KITH_DIFF_DESPAWNED ? " despawned"
                       : difference->kind == KITH_DIFF_SPAWNED ? " spawned"
                                                               : ": ");
    }
    switch (difference->kind) {
    case KITH_DIFF_DESPAWNED:
    case KITH_DIFF_SPAWNED: break;
    case KITH_DIFF_REMOVED: line_add_whole(line, "- ", type, difference->before); break;
    case KITH_DIFF_ADDED: line_add_whole(line, "+ ", type, difference->after); break;
    case KITH_DIFF_RESOURCE_REMOVED:
        line_add_whole(line, "- resource ", type, difference->before);
        break;
    case KITH_DIFF_RESOURCE_ADDED:
        line_add_whole(line, "+ resource ", type, difference->after);
        break;
    case KITH_DIFF_EVENTS: line_add_whole(line, "events ", type, NULL); break;
    case KITH_DIFF_RESOURCE_CHANGED:
        line_add(line, "resource ");
        line_add_change(line, difference);
        break;
    case KITH_DIFF_CHANGED:
    case KITH_DIFF_TICKS:
    case KITH_DIFF_RANDOM: line_add_change(line, difference); break;
    }
}

size_t kith_print_difference(const kith_world *world, const kith_difference *difference, char *text,
                             size_t size)
{
    diff_line line = {.world = world, .to = ki_text_start(text, size)};
    if (ki_world_require_owner(world, "kith_print_difference") != KITH_OK) {
        return 0;
    }
    if (KI_CHECKED && difference == NULL) {
        ki_misuse(&world->store.context, "kith_print_difference: the difference is NULL");
        return 0;
    }
    line_add_difference(&line, difference);
    return line.to.length;
}
