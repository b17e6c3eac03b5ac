/* Compiles the conditions among a query's terms. */
#include "query/condition.h"

#include <stdio.h>

#include "query/pair_walk.h"
#include "query/path_memo.h"
#include "query/term_list.h"
#include "store/field_names.h"

/* ---- Nodes */

/* What is being made. */
typedef struct conditions_draft {
    ki_store *store;
    const char *call; /* for messages */
    const ki_texts *texts;
    ki_component *const *components; /* those of the types that are still to come */
    ki_conditions *made;
    bool of_other; /* what is being made is about another entity */
    ki_key_of key; /* it is about what that computes */
} conditions_draft;

/* What there has to be room for. */
typedef struct make_counts {
    uint32_t nodes;
    uint32_t parameters;
    uint32_t vias;
} make_counts;

/* Adds what a list of terms needs; `all`: also those that are no conditions. */
static void make_count(const kith_term *terms, bool all, make_counts *counts)
{
    for (uint32_t i = 0, count = ki_terms_count(terms); i < count; i++) {
        const kith_condition *condition = terms[i].condition;
        if (condition != NULL && condition->op == KITH_OP_PAIR) {
            counts->nodes++; /* needed in groups only */
        } else if (ki_via_is_condition(condition)) {
            counts->vias++;
            counts->nodes++;
            const kith_term *asked = ki_via_innermost(&terms[i]);
            const kith_term list[] = {*asked, {0}};
            make_count(list, false, counts);
        } else if (condition != NULL && condition->op == KITH_OP_KEY) {
            counts->nodes++;
            make_count(condition->terms, false, counts);
        } else if (condition == NULL) {
            counts->nodes += all;
        } else if (ki_condition_is_group(condition)) {
            counts->nodes++;
            make_count(condition->terms, true, counts);
        } else {
            uint32_t operand_count;
            const kith_operand *operands = ki_condition_operands(condition, &operand_count);
            for (uint32_t k = 0; k < operand_count; k++) {
                counts->parameters += operands[k].kind == KITH_OPERAND_BOUND;
                counts->vias += ki_operand_is_field(&operands[k]) && operands[k].of != NULL;
            }
            counts->nodes += ki_condition_has_list(condition) ? 1 + operand_count : 1;
        }
    }
}

static ki_condition_node *make_node(conditions_draft *draft, ki_condition_form form, kith_op op)
{
    ki_condition_node *node = &draft->made->nodes[draft->made->count++];
    *node = (ki_condition_node){.form = form,
                                .op = op,
                                .asked = op,
                                .end = draft->made->count,
                                .key = draft->key,
                                .parameter = KI_NO_PARAMETER,
                                .number = UINT32_MAX};
    return node;
}

/* Finds a field by its name or, if that is NULL, by its offset. */
static kith_result make_find_field(conditions_draft *draft, const char *name, uint32_t offset,
                                   uint32_t size, ki_place_of_field *found)
{
    ki_context *context = &draft->store->context;
    const kith_type *type = found->component->type;
    kith_field field = {.name = name, .kind = KITH_PADDING};
    if (name != NULL) {
        KI_TRY(ki_field_locate(context, draft->call, KITH_ERR_INPUT, type, name, &field));
    }
    for (uint32_t i = 0; name == NULL && i < type->field_count; i++) {
        const kith_field *known = &type->fields[i];
        uint32_t at = offset - known->offset;
        if (offset >= known->offset && at < known->size && known->kind != KITH_PADDING) {
            field = *known;
            if (size != known->size) {
                field.size = kith_kind_size(known->kind);
                field.offset = offset - at % field.size;
            }
        }
    }
    if (field.kind == KITH_PADDING) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s has no field %u bytes from its start",
                       draft->call, type->name, offset);
    }
    if (size != 0 && size != field.size) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s.%s has %u bytes in this world, and %u in the condition", draft->call,
                       type->name, field.name, field.size, size);
    }
    found->offset = field.offset;
    found->size = field.size;
    found->kind = field.kind;
    if (found->kind == KITH_OPAQUE) {
        return ki_fail(context, KITH_ERR_INPUT, "%s: %s.%s is opaque: only its hooks can read it",
                       draft->call, type->name, field.name);
    }
    if (field.size != kith_kind_size(field.kind) && field.kind != KITH_CHAR) {
        return ki_fail(context, KITH_ERR_INPUT,
                       "%s: %s.%s is %u values of %s; name one of them, as in %s[0]", draft->call,
                       type->name, field.name, field.size / kith_kind_size(field.kind),
                       kith_kind_name(field.kind), field.name);
    }
    return KITH_OK;
}

/* The parameter of a name, made if need be. */
static kith_result make_parameter(conditions_draft *draft, const char *name, uint32_t *number)
{
    ki_conditions *made = draft->made;
    ki_context *context = &draft->store->context;
    if (name == NULL || name[0] == '\0') {
        return ki_fail(context, KITH_ERR_INPUT, "%s: kith_bound without a name", draft->call);
    }
    for (*number = 0; *number < made->parameter_count; ++*number) {
        if (strcmp(made->parameters[*number].name, name) == 0) {
            return KITH_OK;
        }
    }
    char *copy = ki_heap_copy_text(&context->heap, name);
    if (copy == NULL) {
        return KITH_ERR_MEMORY;
    }
    made->parameters[made->parameter_count++] = (ki_parameter){.name = copy};
    return KITH_OK;
}

/* Keeps a copy of a node's text, to be its own. */
static kith_result make_keep_text(conditions_draft *draft, ki_condition_node *node)
{
    char *copy = ki_heap_alloc(&draft->store->context.heap, node->length, 1);
    if (copy != NULL) {
        memcpy(copy, node->text, node->length);
    }
    node->text = copy;
    return copy == NULL ? KITH_ERR_MEMORY : KITH_OK;
}

/* Adds a step to a way: by a field of the next component, by its name or, if that is NULL, by its
 * offset; with neither by `target`. */
static kith_result make_step(conditions_draft *draft, ki_via *via, const char *name,
                             uint32_t offset, uint32_t size)
{
    ki_place_of_field field = {.component = *draft->components++};
    const char *by = name == NULL && size == 0 ? "target" : name;
    KI_TRY(make_find_field(draft, by, offset, size, &field));
    if (field.kind != KITH_ENTITY) {
        return ki_fail(&draft->store->context, KITH_ERR_INPUT,
                       "%s: KITH_VIA_FIELD or KITH_ITS_VIA_FIELD: a field of %s is %s, and does not"
                       " lead to another entity",
                       draft->call, field.component->type->name, kith_kind_name(field.kind));
    }
    via->steps[via->step_count++] = (ki_via_step){field.component, field.offset};
    return KITH_OK;
}

static ki_via *make_new_via(conditions_draft *draft, bool from_other)
{
    ki_via *via = &draft->made->vias[draft->made->via_count];
    *via = (ki_via){.number = draft->made->via_count++, .term = KI_NO_TERM};
    draft->made->nested = draft->made->nested || from_other;
    return via;
}

/* Sets what a field is compared with: another field, which may be that of another entity. */
static kith_result make_fields(conditions_draft *draft, ki_condition_node *node,
                               const kith_operand *operand)
{
    ki_place_of_field *other = &node->other;
    node->form = operand->kind == KITH_OPERAND_FIELD ? KI_CONDITION_FIELDS : KI_CONDITION_JOIN;
    node->of_this = operand->kind == KITH_OPERAND_THIS || operand->kind == KITH_OPERAND_OTHER;
    node->entity = operand->kind == KITH_OPERAND_OTHER ? operand->length : 0;
    operand = node->of_this ? operand->of : operand;
    if (operand != NULL && operand->kind != KITH_OPERAND_FIELD) {
        ki_via *via = make_new_via(draft, draft->of_other && !node->of_this);
        via->entity = node->entity;
        for (; operand->kind != KITH_OPERAND_FIELD; operand = operand->of) {
            via->nearest = operand->kind == KITH_OPERAND_NEAREST;
            KI_TRY(make_step(draft, via, operand->as.string, 0, operand->length));
        }
        via->component = *draft->components;
        node->via = via;
    }
    other->kind = KITH_ENTITY;
    if (operand != NULL) {
        other->component = *draft->components++;
        KI_TRY(make_find_field(draft, operand->as.string, 0, operand->length, other));
    }
    bool texts = ki_condition_is_text(&node->field) && ki_condition_is_text(other);
    bool entities = node->field.kind == KITH_ENTITY && other->kind == KITH_ENTITY;
    bool number = !ki_condition_is_text(&node->field) && node->field.kind != KITH_ENTITY;
    bool other_number = !ki_condition_is_text(other) && other->kind != KITH_ENTITY;
    if (!texts && !entities && !(number && other_number)) {
        char name[KI_CONDITION_FIELD_NAME];
        ki_condition_name_field(node, name, sizeof name);
        return ki_fail(&draft->store->context, KITH_ERR_INPUT,
                       "%s: %s.%s is %s, and cannot be compared with %s%s%s, which is %s",
                       draft->call, node->field.component->type->name, name,
                       kith_kind_name(node->field.kind),
                       operand != NULL     ? other->component->type->name
                       : node->entity == 0 ? "KITH_THIS"
                                           : "KITH_THE_OTHER",
                       operand == NULL ? "" : ".", operand == NULL ? "" : operand->as.string,
                       kith_kind_name(other->kind));
    }
    return ki_condition_check_op(&draft->store->context, draft->call, node);
}

/* Sets what a node is compared with: a value, or one that is bound. */
static kith_result make_set(conditions_draft *draft, ki_condition_node *node,
                            const kith_operand *operand)
{
    if (operand->kind == KITH_OPERAND_BOUND) {
        return make_parameter(draft, operand->as.string, &node->parameter);
    }
    kith_result result =
        ki_condition_set_operand(&draft->store->context, draft->call, node, operand, draft->texts);
    if (result != KITH_OK) {
        node->text = NULL; /* it is the caller's */
        return result;
    }
    bool text = node->form == KI_CONDITION_STRING || node->form == KI_CONDITION_PATH;
    return text ? make_keep_text(draft, node) : KITH_OK;
}

/* Adds the node that compares a field with an operand. */
static kith_result make_comparison(conditions_draft *draft, const ki_place_of_field *field,
                                   kith_op op, const kith_operand *operand)
{
    ki_condition_node *node = make_node(draft, KI_CONDITION_NUMBER, op);
    node->field = *field;
    if (ki_operand_is_field(operand)) {
        return make_fields(draft, node, operand);
    }
    if (ki_condition_is_text(field)) {
        node->form = KI_CONDITION_STRING;
    } else if (field->kind == KITH_ENTITY) {
        node->form = KI_CONDITION_ENTITY;
    }
    KI_TRY(ki_condition_check_op(&draft->store->context, draft->call, node));
    return make_set(draft, node, operand);
}

/* Adds the node that compares the path of an entity with an operand. */
static kith_result make_path(conditions_draft *draft, ki_component *component, kith_op op,
                             const kith_operand *operand)
{
    if (component != draft->store->entity_names) {
        return ki_fail(&draft->store->context, KITH_ERR_INPUT,
                       "%s: a condition about a path is about kith_name, not about %s", draft->call,
                       component->type->name);
    }
    ki_condition_node *node = make_node(draft, KI_CONDITION_PATH, op);
    node->field = (ki_place_of_field){component, UINT32_MAX, 0, KITH_PADDING}; /* it is no field */
    draft->made->paths = true;
    if (op == KITH_OP_PATH_LIKE) {
        node->memo = ki_path_memo_new(&draft->store->context.heap);
        KI_TRY(node->memo == NULL ? KITH_ERR_MEMORY : KITH_OK);
    }
    return make_set(draft, node, operand);
}

/* Finds a field that is a coordinate. */
static kith_result make_coordinate(conditions_draft *draft, const char *name,
                                   ki_place_of_field *field)
{
    KI_TRY(make_find_field(draft, name, 0, 0, field));
    return field->kind >= KITH_I8 && field->kind <= KITH_F64
               ? KITH_OK
               : ki_fail(&draft->store->context, KITH_ERR_INPUT,
                         "%s: KITH_IF_WITHIN: %s.%s is %s, and no coordinate", draft->call,
                         field->component->type->name, name, kith_kind_name(field->kind));
}

/* Adds the node of a distance from a place, and those of its numbers. */
static kith_result make_within(conditions_draft *draft, ki_component *component,
                               const kith_condition *condition)
{
    static const char *const names[] = {"x", "y", "z"};
    uint32_t count;
    const kith_operand *operands = ki_condition_operands(condition, &count);
    ki_condition_node *within = make_node(draft, KI_CONDITION_WITHIN, KITH_OP_WITHIN);
    within->field = (ki_place_of_field){component, 0, component->type->size, KITH_OPAQUE};
    within->length = count - 1;
    KI_ASSERT(count <= 4); /* as was checked */
    for (uint32_t i = 0; i < count; i++) {
        ki_condition_node *number = make_node(draft, KI_CONDITION_COORDINATE, KITH_OP_WITHIN);
        number->field = (ki_place_of_field){component, 0, 0, KITH_PADDING};
        KI_TRY(i + 1 < count ? make_coordinate(draft, names[i], &number->field) : KITH_OK);
        KI_TRY(make_set(draft, number, &operands[i]));
    }
    within->end = draft->made->count;
    return KITH_OK;
}

static kith_result make_leaf(conditions_draft *draft, const kith_term *term)
{
    const kith_condition *condition = term->condition;
    ki_place_of_field field = {.component = *draft->components++};
    if (ki_op_is_of_path(condition->op)) {
        return make_path(draft, field.component, condition->op, &condition->value);
    }
    if (condition->op == KITH_OP_WITHIN) {
        return make_within(draft, field.component, condition);
    }
    KI_TRY(make_find_field(draft, condition->field, condition->offset, condition->size, &field));
    if (condition->op != KITH_OP_IN) {
        return make_comparison(draft, &field, condition->op, &condition->value);
    }
    uint32_t count;
    const kith_operand *operands = ki_condition_operands(condition, &count);
    ki_condition_node *any = make_node(draft, KI_CONDITION_GROUP, KITH_OP_ANY);
    for (uint32_t i = 0; i < count; i++) {
        KI_TRY(make_comparison(draft, &field, KITH_OP_EQUAL, &operands[i]));
    }
    any->end = draft->made->count;
    return KITH_OK;
}

static kith_result make_term(conditions_draft *draft, const kith_term *term);

/* Adds how a term reaches another entity and, unless it takes it as it is, the node that asks that. */
static kith_result make_via(conditions_draft *draft, const kith_term *term)
{
    const kith_term *asked = ki_via_innermost(term);
    ki_via *via = make_new_via(draft, draft->of_other);
    via->role = asked->role;
    via->conditional = asked->condition != NULL;
    for (; term != asked; term = term->condition->terms) {
        const kith_condition *step = term->condition;
        if (step->op == KITH_OP_OTHER) {
            via->entity = step->offset;
            continue;
        }
        via->nearest = step->op == KITH_OP_NEAREST;
        KI_TRY(make_step(draft, via, step->field, step->offset, step->size));
    }
    const bool links = asked->condition != NULL && asked->condition->op == KITH_OP_PAIR;
    if (asked->type != NULL && !links) { /* a pair asks entities of the row, not the other one */
        via->component = draft->components[0]; /* of a condition, it comes first */
        via->valued = asked->access != KITH_ACCESS_NONE && via->component->type->size != 0;
    }
    ki_condition_node *node = NULL;
    if (via->role != KITH_MAY) {
        node = make_node(draft, KI_CONDITION_VIA, KITH_OP_ALL);
        node->via = via;
    }
    if (via->conditional) {
        bool outer = draft->of_other;
        draft->of_other = true;
        KI_TRY(make_term(draft, asked));
        draft->of_other = outer;
        KI_ASSERT(node != NULL); /* what is optional asks for no value */
        node->end = draft->made->count;
    } else {
        draft->components++;
    }
    return KITH_OK;
}

/* Adds the node of a function, and those about what it computes. */
static kith_result make_key(conditions_draft *draft, const kith_term *term)
{
    ki_component *component = *draft->components++;
    const ki_component *computed = *draft->components; /* that of the first condition about it */
    const char *wrong = ki_key_of_wrong(component, computed);
    if (wrong != NULL) {
        return ki_fail(&draft->store->context, KITH_ERR_INPUT, "%s: KITH_IF_KEY: %s %s",
                       draft->call, component->type->name, wrong);
    }
    const kith_condition *condition = term->condition;
    draft->key = (ki_key_of){component, condition->key, condition->user, computed->type};
    ki_condition_node *node = make_node(draft, KI_CONDITION_KEY, KITH_OP_KEY);
    node->field = (ki_place_of_field){component, 0, component->type->size, KITH_OPAQUE};
    KI_TRY(make_term(draft, &condition->terms[0]));
    node->end = draft->made->count;
    draft->key = (ki_key_of){0};
    return KITH_OK;
}

/* Adds the node that asks for a link: between two entities of the row, or of one with any. */
static void make_linked(conditions_draft *draft, const kith_term *term)
{
    const kith_operand *numbers = term->condition->values;
    const bool any = ki_pair_is_of_any(term->condition);
    const bool from = numbers[1].length == KITH_ANY;
    ki_condition_node *node =
        make_node(draft, any ? KI_CONDITION_LINKED : KI_CONDITION_PAIR, KITH_OP_PAIR);
    node->field.component = term->type == NULL ? NULL : *draft->components++;
    node->from = from;
    node->entity = numbers[any && !from].length;
    node->to = any ? 0 : numbers[1].length;
}

static kith_result make_term(conditions_draft *draft, const kith_term *term)
{
    const kith_condition *condition = term->condition;
    if (ki_via_is_condition(condition)) {
        return make_via(draft, term);
    }
    if (condition != NULL && condition->op == KITH_OP_PAIR) {
        make_linked(draft, term);
        return KITH_OK;
    }
    if (condition != NULL && condition->op == KITH_OP_KEY) {
        return make_key(draft, term);
    }
    if (condition == NULL) {
        bool has = term->role == KITH_MUST;
        ki_condition_node *node =
            make_node(draft, has ? KI_CONDITION_HAS : KI_CONDITION_LACKS, KITH_OP_EQUAL);
        node->field.component = *draft->components++;
        return KITH_OK;
    }
    if (!ki_condition_is_group(condition)) {
        return make_leaf(draft, term);
    }
    ki_condition_node *group = make_node(draft, KI_CONDITION_GROUP, condition->op);
    for (uint32_t i = 0, count = ki_terms_count(condition->terms); i < count; i++) {
        KI_TRY(make_term(draft, &condition->terms[i]));
    }
    group->end = draft->made->count;
    return KITH_OK;
}

/* ---- Rows of several entities */

/* Adds a pair of the query's list. */
static kith_result make_pair(conditions_draft *draft, const kith_term *term)
{
    ki_context *context = &draft->store->context;
    ki_conditions *made = draft->made;
    const kith_operand *numbers = term->condition->values;
    const bool linked = numbers[2].kind == KITH_OPERAND_OTHER;
    made->pairs = made->pairs == NULL ? ki_pairs_new(&context->heap) : made->pairs;
    return made->pairs == NULL
               ? KITH_ERR_MEMORY
               : ki_pairs_add(context, draft->call, made->pairs, *draft->components++,
                              numbers[0].length, numbers[1].length,
                              linked ? numbers[2].length : KI_NOT_FOUND);
}

/* Takes an entity of the row into account for when a condition is asked. */
static kith_result make_ask_after(conditions_draft *draft, uint32_t number, uint32_t *after)
{
    const ki_pairs *pairs = draft->made->pairs;
    const uint32_t found = pairs != NULL ? pairs->found[number] : number == 0 ? 0 : KI_NOT_FOUND;
    *after = found > *after ? found : *after;
    return found != KI_NOT_FOUND
               ? KITH_OK
               : ki_fail(&draft->store->context, KITH_ERR_INPUT,
                         "%s: a term is about number %u of a row, which no pair finds", draft->call,
                         number);
}

/* Finds out after which step of the pairs each condition is asked. */
static kith_result make_place(conditions_draft *draft)
{
    ki_conditions *made = draft->made;
    for (uint32_t i = 0; i < made->via_count; i++) {
        uint32_t after = 0;
        KI_TRY(make_ask_after(draft, made->vias[i].entity, &after));
    }
    for (uint32_t i = 0; i < made->count; i = made->nodes[i].end) {
        uint32_t after = 0;
        for (uint32_t k = i; k < made->nodes[i].end; k++) {
            const ki_condition_node *node = &made->nodes[k];
            KI_TRY(make_ask_after(draft, node->entity, &after));
            KI_TRY(make_ask_after(draft, node->to, &after));
            KI_TRY(make_ask_after(draft, node->via == NULL ? 0 : node->via->entity, &after));
        }
        KI_ASSERT(after <= KI_PAIR_STEPS_MAX);
        made->nodes[i].after = after;
        if (made->pairs != NULL) {
            made->pairs->asked |= UINT64_C(1) << after;
        }
    }
    return made->pairs == NULL ? KITH_OK
                               : ki_pairs_check(&draft->store->context, draft->call, made->pairs);
}

/* ---- The whole */

static size_t make_bytes(uint32_t nodes, uint32_t vias)
{
    return sizeof(ki_conditions) + nodes * sizeof(ki_condition_node) + vias * sizeof(ki_via);
}

void ki_conditions_free(ki_heap *heap, ki_conditions *conditions)
{
    if (conditions == NULL) {
        return;
    }
    for (uint32_t i = 0; i < conditions->count; i++) {
        const ki_condition_node *node = &conditions->nodes[i];
        if (node->parameter == KI_NO_PARAMETER && node->text != NULL) {
            ki_heap_free(heap, (char *)(uintptr_t)node->text, node->length, 1);
        }
        ki_path_memo_free(node->memo);
    }
    for (uint32_t i = 0; i < conditions->parameter_count; i++) {
        ki_parameter *parameter = &conditions->parameters[i];
        ki_heap_free(heap, parameter->text, parameter->length, 1);
        ki_heap_free_text(heap, parameter->name);
    }
    ki_pairs_free(heap, conditions->pairs);
    ki_heap_free(heap, conditions->parameters,
                 conditions->parameter_room * sizeof *conditions->parameters,
                 _Alignof(ki_parameter));
    ki_heap_free(heap, conditions, make_bytes(conditions->room, conditions->via_room),
                 _Alignof(ki_conditions));
}

kith_result ki_conditions_make(ki_store *store, const char *call, ki_texts *const *texts,
                               const kith_term *terms, ki_component *const *components,
                               ki_conditions **made)
{
    ki_heap *heap = &store->context.heap;
    make_counts counts = {0};
    make_count(terms, false, &counts);
    *made = NULL;
    if (counts.nodes == 0) {
        return KITH_OK;
    }
    ki_conditions *conditions =
        ki_heap_alloc_zeroed(heap, make_bytes(counts.nodes, counts.vias), _Alignof(ki_conditions));
    if (conditions == NULL) {
        return KITH_ERR_MEMORY;
    }
    conditions->texts = texts;
    conditions->room = counts.nodes;
    conditions->vias = (ki_via *)(void *)(conditions->nodes + counts.nodes);
    conditions->via_room = counts.vias;
    conditions_draft draft = {store, call, *texts, components, conditions, false, {0}};
    kith_result result = KITH_OK;
    if (counts.parameters != 0) {
        conditions->parameters =
            ki_heap_alloc(heap, counts.parameters * sizeof(ki_parameter), _Alignof(ki_parameter));
        conditions->parameter_room = conditions->parameters == NULL ? 0 : counts.parameters;
        result = conditions->parameters == NULL ? KITH_ERR_MEMORY : KITH_OK;
    }
    uint32_t number = 0;
    for (uint32_t i = 0, all = ki_terms_count(terms); result == KITH_OK && i < all; i++) {
        uint32_t vias = conditions->via_count;
        const kith_condition *condition = terms[i].condition;
        bool numbered = ki_term_is_numbered(&terms[i]);
        bool pair = condition != NULL && condition->op == KITH_OP_PAIR && terms[i].type != NULL &&
                    !ki_pair_is_of_any(condition);
        result = condition == NULL ? KITH_OK
                 : pair            ? make_pair(&draft, &terms[i])
                                   : make_term(&draft, &terms[i]);
        if (numbered && conditions->via_count > vias) {
            conditions->vias[vias].term = number;
        }
        number += numbered;
    }
    result = result == KITH_OK ? make_place(&draft) : result;
    if (result != KITH_OK) {
        ki_conditions_free(heap, conditions);
        return result;
    }
    *made = conditions;
    return KITH_OK;
}
