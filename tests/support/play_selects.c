/* The part of the play that asks for the first few entities in an order, in text: by a field, or by the
 * distance from a place. What is found is what a plain sort of the model's values tells. */
#include <kith/floats.h>

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "play.h"

/* What entities come by. */
typedef struct play_order {
    const kith_type *type;
    const char *text; /* after `order by` */
    uint32_t offset;  /* of the field; or of the first of two coordinates */
    kith_kind kind;
    bool distance;
} play_order;

static const play_order orders[] = {
    {&Position_type, "distance(Position, $x, $y)", offsetof(Position, x), KITH_F32, true},
    {&Position_type, "Position.y", offsetof(Position, y), KITH_F32, false},
    {&Health_type, "Health.current", offsetof(Health, current), KITH_I32, false},
    {&Extra_type, "Extra.b", offsetof(Extra, b), KITH_F32, false},
    {&Byte_type, "Byte.value", offsetof(Byte, value), KITH_U8, false},
};

typedef struct play_select {
    const play_order *order;
    const kith_type *type;    /* of the order: the play's own copy */
    const kith_type *without; /* that entities lack; or NULL */
    double point[2];
    uint32_t limit;
    bool descending;
} play_select;

/* An entity, and the number that it comes by. */
typedef struct play_ranked {
    kith_entity entity;
    double number;
} play_ranked;

static double number_at(const unsigned char *bytes, kith_kind kind)
{
    float real;
    int32_t whole;
    if (kind == KITH_U8) {
        return *bytes;
    }
    memcpy(&real, bytes, sizeof real);
    memcpy(&whole, bytes, sizeof whole);
    return kind == KITH_F32 ? (double)real : whole;
}

static double number_of(const play_select *asked, const unsigned char *bytes)
{
    const play_order *order = asked->order;
    if (!order->distance) {
        return number_at(bytes + order->offset, order->kind);
    }
    const double x = number_at(bytes + order->offset, order->kind) - asked->point[0];
    const double y =
        number_at(bytes + order->offset + sizeof(float), order->kind) - asked->point[1];
    return kith_mul_f64(x, x) + kith_mul_f64(y, y);
}

/* A number that is none comes last. */
static int compare_ranked(const void *a, const void *b)
{
    const play_ranked *left = a, *right = b;
    const bool none = left->number != left->number, other = right->number != right->number;
    if (none || other) {
        return none - other;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static int compare_up(const void *a, const void *b)
{
    const play_ranked *left = a, *right = b;
    const int order = compare_ranked(a, b);
    return order != 0 ? order : left->entity.index1 < right->entity.index1 ? -1 : 1;
}

static int compare_down(const void *a, const void *b)
{
    const int order = compare_ranked(b, a);
    return order != 0 ? order : compare_up(a, b);
}

static uint32_t rank_all(const play *p, const play_select *asked, play_ranked *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const model_entity *entity = &p->m.entities[i];
        const model_value *value = model_get(&entity->values, asked->type);
        if (value != NULL &&
            (asked->without == NULL || model_get(&entity->values, asked->without) == NULL)) {
            list[count++] = (play_ranked){entity->handle, number_of(asked, value->bytes)};
        }
    }
    qsort(list, count, sizeof *list, asked->descending ? compare_down : compare_up);
    return count;
}

static kith_select *make_select(kith_world *world, const play_select *asked)
{
    char text[200];
    kith_select *select = NULL;
    /* At one distance entities come by slot anyway. */
    snprintf(text, sizeof text, "%s%s%s select entity order by %s%s%s limit $limit",
             asked->type->name, asked->without == NULL ? "" : ", !",
             asked->without == NULL ? "" : asked->without->name, asked->order->text,
             asked->descending ? " desc" : "", asked->order->distance ? "" : ", entity");
    CHECK_RESULT(kith_select_new(world, text, NULL, &select), KITH_OK);
    CHECK_RESULT(kith_select_bind(select, "limit", asked->limit), KITH_OK);
    if (asked->order->distance) {
        CHECK_RESULT(kith_select_bind(select, "x", asked->point[0]), KITH_OK);
        CHECK_RESULT(kith_select_bind(select, "y", asked->point[1]), KITH_OK);
    }
    return select;
}

static void check_select(play *p, int world, const play_select *asked, const play_ranked *list,
                         uint32_t count)
{
    played *w = &p->worlds[world];
    kith_select *select = make_select(w->world, asked);
    if (world == SUBJECT && play_wants_failure(p)) {
        play_fail_some(p);
        const kith_result result = kith_select_run(select);
        const bool failed = fail_nothing(&w->f);
        CHECK(result == KITH_OK || (result == KITH_ERR_MEMORY && failed));
    }
    CHECK_RESULT(kith_select_run(select), KITH_OK);
    CHECK_UINT(kith_select_row_count(select), asked->limit < count ? asked->limit : count);
    for (uint32_t i = 0; i < kith_select_row_count(select); i++) {
        kith_entity entity;
        memcpy(&entity, kith_select_value(select, i, 0), sizeof entity);
        CHECK_SAME(entity, list[i].entity);
    }
    kith_select_free(select);
}

/* The place is where an entity is, or zero. */
static void choose_point(play *p, play_select *asked)
{
    const model_entity *entity = model_find(&p->m, play_living(p));
    const model_value *value = entity == NULL ? NULL : model_get(&entity->values, asked->type);
    if (value != NULL) {
        asked->point[0] = number_at(value->bytes, KITH_F32);
        asked->point[1] = number_at(value->bytes + sizeof(float), KITH_F32);
    }
}

void play_selects(play *p)
{
    static const uint32_t limits[] = {0, 1, 3, 16, 17, 100, 100000};
    play_select asked = {.order = &orders[input_below(&p->in, (uint32_t)ROWS_OF(orders))]};
    asked.type = play_same_type(asked.order->type);
    asked.limit = limits[input_below(&p->in, (uint32_t)ROWS_OF(limits))];
    asked.descending = input_chance(&p->in, 30);
    const kith_type *without = play_same_type(&Frozen_type);
    if (input_chance(&p->in, 30) && model_rank(&p->m, without) != UINT32_MAX) {
        asked.without = without;
    }
    if (model_rank(&p->m, asked.type) == UINT32_MAX) {
        return;
    }
    if (asked.order->distance) {
        choose_point(p, &asked);
    }
    play_name(p, "kith_select_run");
    play_ranked *list = play_scratch(p, (p->m.entity_count + 1) * sizeof *list);
    const uint32_t count = rank_all(p, &asked, list);
    for (int world = 0; world < WORLD_COUNT; world++) {
        check_select(p, world, &asked, list, count);
    }
}
