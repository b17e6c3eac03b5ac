#include <kith/floats.h>

#include "reflect/select_distance.h"

#include "query/condition.h"

kith_result ki_select_find_distance(ki_compiler *c, uint32_t number, ki_select_distance *distance)
{
    const kith_token component =
        ki_syntax_at(&c->syntax, ki_syntax_at(&c->syntax, number)->first)->name;
    const kith_field *fields[3];
    uint32_t numbers = ki_syntax_at(&c->syntax, ki_syntax_at(&c->syntax, number)->first)->next;
    for (distance->count = 0; numbers != 0; numbers = ki_syntax_at(&c->syntax, numbers)->next) {
        distance->count++;
    }
    KI_TRY(ki_compile_component(c, component, &distance->type));
    KI_TRY(ki_compile_coordinates(c, component, distance->type, distance->count, fields));
    for (uint32_t i = 0; i < distance->count; i++) {
        distance->fields[i] = *fields[i];
    }
    return KITH_OK;
}

ki_source_order ki_select_order_by(const ki_select_distance *distance)
{
    ki_source_order order = {.field_count = distance->count};
    for (uint32_t i = 0; i < distance->count; i++) {
        const kith_field *field = &distance->fields[i];
        order.fields[i] = (ki_place_of_field){
            .offset = field->offset, .size = field->size, .kind = field->kind};
    }
    return order;
}

void ki_select_point(const ki_select_distance *distance, double point[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        const kith_operand *value = &distance->point[i].value;
        point[i] = i >= distance->count             ? 0
                   : value->kind == KITH_OPERAND_I64 ? (double)value->as.i64
                   : value->kind == KITH_OPERAND_U64 ? (double)value->as.u64
                                                     : value->as.f64;
    }
}

double ki_select_square(const ki_select_distance *distance, const double point[3],
                        const void *value)
{
    double square = 0;
    for (uint32_t i = 0; i < distance->count; i++) {
        const kith_field *field = &distance->fields[i];
        const double apart =
            ki_number_read(field->kind, (const char *)value + field->offset) - point[i];
        square += kith_mul_f64(apart, apart);
    }
    return square;
}
