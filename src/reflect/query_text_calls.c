/* Reads what has a component in brackets: has(T), within(T, x, y, distance), distance(T, x, y). */
#include "reflect/query_syntax_read.h"

kith_result ki_syntax_read_component(ki_syntax *syntax, kith_role role, kith_access access,
                                     uint32_t *number)
{
    KI_TRY(ki_syntax_read_name(syntax, KI_SYNTAX_TERM, "a component", number));
    syntax->nodes[*number].role = role;
    syntax->nodes[*number].access = access;
    return KITH_OK;
}

/* Reads the numbers of a place, and the distance from there if there shall be one. */
static kith_result syntax_read_place(ki_syntax *syntax, ki_syntax_kind kind, kith_token start,

                                     kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                     uint32_t component)
{
    const bool within = kind == KI_SYNTAX_WITHIN;
    const uint32_t least = within ? 3 : 2;
    uint32_t first = 0;
    uint32_t count = 0;
    KI_TRY(ki_syntax_need_mark(
        syntax, ',', within ? "after the component of within" : "after the component of distance"));
    KI_TRY(ki_syntax_read_list(syntax, read, &first));
    for (uint32_t i = first; i != 0; i = syntax->nodes[i].next) {
        count++;
    }
    syntax->nodes[component].next = first;
    return count == least || count == least + 1
               ? KITH_OK
               : ki_syntax_fail_at(syntax, start, "%s, or with x, y and z",
                                   within ? "within(Position, x, y, distance)"
                                          : "distance(Position, x, y)");
}

kith_result ki_syntax_read_call(ki_syntax *syntax, ki_syntax_kind kind,
                                kith_result (*read)(ki_syntax *syntax, uint32_t *number),
                                uint32_t *number)
{
    kith_token start = syntax->reader.token;
    uint32_t component = 0;
    KI_TRY(ki_syntax_next(syntax));
    KI_TRY(ki_syntax_next(syntax)); /* the bracket */
    KI_TRY(ki_syntax_read_component(syntax, KITH_MUST, KITH_ACCESS_NONE, &component));
    if (kind != KI_SYNTAX_HAS) {
        KI_TRY(syntax_read_place(syntax, kind, start, read, component));
    }
    const char *place = kind == KI_SYNTAX_HAS      ? "after the component of has"
                        : kind == KI_SYNTAX_WITHIN ? "or a comma after a value of within"
                                                   : "or a comma after a value of distance";
    KI_TRY(ki_syntax_need_mark(syntax, ')', place));
    return ki_syntax_add_over(syntax, kind, component, start, number);
}
