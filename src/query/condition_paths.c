/* Conditions about paths of names. */
#include "query/condition.h"

#include "query/name_path.h"
#include "query/query.h"

void ki_conditions_refresh_paths(ki_store *store, const ki_conditions *conditions)
{
    for (uint32_t i = 0; i < conditions->count; i++) {
        if (conditions->nodes[i].memo != NULL) {
            ki_path_memo_refresh(store, conditions->nodes[i].memo);
        }
    }
}

void ki_conditions_forget_paths(const ki_conditions *conditions)
{
    for (uint32_t i = 0; i < conditions->count; i++) {
        if (conditions->nodes[i].memo != NULL) {
            ki_path_memo_forget(conditions->nodes[i].memo);
        }
    }
}

bool ki_condition_holds_of_path(const kith_query *query, const ki_condition_node *node,
                                uint32_t index)
{
    const ki_path_pattern pattern = {node->text, node->length, node->op == KITH_OP_PATH_LIKE,
                                     node->memo};
    return ki_path_holds(query->store, *query->conditions->texts, index, &pattern);
}
