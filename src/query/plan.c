/* Chooses how a query with conditions finds its rows, and what a scan needs of the choice. */
#include "query/plan.h"

#include "query/candidates.h"
#include "query/cursor.h"

#define PLAN_TABLES 16u     /* of so many tables one is asked; all of the first ones */
#define PLAN_SKIPPED 128u   /* cost of asking a source once what it skips */
#define PLAN_ONE_BY_ONE 16u /* cost of a row whose values are not found by its place */
#define PLAN_CALLED 256u    /* cost of a row for which a function is called */

/* ---- Wants */

/* Whether a node can be a want by itself. */
static bool plan_is_comparison(const ki_condition_node *node)
{
    switch (node->form) {
    case KI_CONDITION_NUMBER: return node->op != KITH_OP_NOT_EQUAL;
    case KI_CONDITION_ENTITY: return node->op == KITH_OP_EQUAL;
    case KI_CONDITION_STRING: return node->op == KITH_OP_EQUAL || node->op == KITH_OP_PREFIX;
    case KI_CONDITION_WITHIN:
    case KI_CONDITION_PATH: return true;
    default: return false;
    }
}

/* Whether a group is a list of values of one field. */
static bool plan_is_list(const ki_condition_node *nodes, uint32_t number)
{
    const ki_condition_node *group = &nodes[number];
    const ki_place_of_field *field = &nodes[number + 1].field;
    if (group->form != KI_CONDITION_GROUP || group->op != KITH_OP_ANY || group->end == number + 1) {
        return false;
    }
    for (uint32_t i = number + 1; i < group->end; i = nodes[i].end) {
        if (!plan_is_comparison(&nodes[i]) || nodes[i].op != KITH_OP_EQUAL ||
            nodes[i].field.component != field->component ||
            nodes[i].field.offset != field->offset) {
            return false;
        }
    }
    return true;
}

/* The component whose sources may know of a want. */
static const ki_component *plan_component(const ki_condition_node *want)
{
    const ki_key_of *key = ki_want_key(want);
    return key->component != NULL ? key->component : ki_want_field(want)->component;
}

/* Whether one source may know of two wants: they are about one component, or one key. */
static bool plan_is_same_subject(const ki_condition_node *a, const ki_condition_node *b)
{
    return plan_component(a) == plan_component(b) &&
           ki_key_of_is_same(ki_want_key(a), ki_want_key(b));
}

/* Adds the wants about what `like` is about among the nodes from `first` to before `end`. All of these
 * nodes must hold. If `like` is NULL: all that are about a component that has sources. */
static void plan_find_wants(const ki_condition_node *nodes, uint32_t first, uint32_t end,
                            const ki_condition_node *like, ki_wants *wants)
{
    for (uint32_t i = first; i < end; i = nodes[i].end) {
        const ki_condition_node *node = &nodes[i];
        if (node->form == KI_CONDITION_KEY ||
            (node->form == KI_CONDITION_GROUP && node->op == KITH_OP_ALL)) {
            plan_find_wants(nodes, i + 1, node->end, like, wants);
        } else if (wants->count < KI_WANTS_MAX &&
                   (plan_is_comparison(node) || plan_is_list(nodes, i))) {
            bool takes = like == NULL ? plan_component(node)->sources != NULL
                                      : plan_is_same_subject(node, like);
            if (takes && !(ki_want_is_list(node) ? node + 1 : node)->written) {
                wants->nodes[wants->count++] = node;
            }
        }
    }
}

static ki_wants plan_wants(const kith_query *query, const ki_condition_node *like)
{
    ki_wants wants = {.texts = *query->conditions->texts};
    plan_find_wants(query->conditions->nodes, 0, query->conditions->count, like, &wants);
    return wants;
}

void ki_plan_avoid(kith_query *query, const ki_component *component)
{
    ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; conditions != NULL && i < conditions->count; i++) {
        ki_condition_node *node = &conditions->nodes[i];
        node->written = node->written || node->field.component == component ||
                        node->key.component == component;
    }
}

/* ---- Choosing */

/* Whether a component's values are in the order of the rows that are visited. */
static bool plan_is_aligned(const ki_component *component, const ki_driver *driver)
{
    switch (driver->kind) {
    case KI_DRIVE_TABLES: return component->layout == KITH_TABLE;
    case KI_DRIVE_SPARSE: return component == ki_driver_component(driver);
    case KI_DRIVE_SLOTS: return component->layout == KITH_SLOT;
    case KI_DRIVE_ONE: break;
    }
    return false;
}

/* What a scan costs for each row. The first condition decides: it leaves fewer rows to the others. */
static uint32_t plan_row_cost(const kith_query *query, const ki_driver *driver)
{
    if (query->conditions == NULL) {
        return 1;
    }
    const ki_condition_node *first = query->conditions->nodes;
    const ki_condition_node *end = first + query->conditions->count;
    while (first < end && first->form == KI_CONDITION_GROUP) {
        first++;
    }
    if (first == end) {
        return 1; /* all groups are empty: no field is asked */
    }
    if (first->form == KI_CONDITION_KEY) {
        return PLAN_CALLED;
    }
    bool masks = first->form == KI_CONDITION_NUMBER && first->field.kind != KITH_BOOL;
    return masks && plan_is_aligned(first->field.component, driver) ? 1 : PLAN_ONE_BY_ONE;
}

static uint64_t plan_rows(const kith_query *query, const ki_driver *driver)
{
    switch (driver->kind) {
    case KI_DRIVE_TABLES: return ki_query_table_rows(query, UINT32_MAX);
    case KI_DRIVE_SPARSE: return ki_driver_component(driver)->in.sparse.rows.count;
    case KI_DRIVE_SLOTS: return query->store->entities.slots;
    case KI_DRIVE_ONE: break;
    }
    return 1;
}

/* What the scan costs, which threads share. */
static uint64_t plan_scan_cost(const ki_plan *plan)
{
    return (uint64_t)plan->rows * plan->row_cost / plan->threads;
}

/* How many named rows cost more than that. One thread finds them, before the others begin. */
static uint32_t plan_enough(const ki_plan *plan)
{
    uint64_t enough = plan_scan_cost(plan) / KI_PLAN_NAMED + 1;
    return enough < UINT32_MAX ? (uint32_t)enough : UINT32_MAX;
}

/* What the rows cost that a source does not spare. */
static uint64_t plan_use_cost(const ki_plan *plan, const ki_source *source, const ki_offer *offer)
{
    if (source->calls->kind == KI_SOURCE_SLOTS) {
        return (uint64_t)offer->rows * KI_PLAN_NAMED;
    }
    uint64_t asked = (uint64_t)offer->asked * PLAN_SKIPPED;
    return ((uint64_t)offer->rows * plan->row_cost + asked) / plan->threads;
}

/* Whether a source can tell of the rows that are visited. */
static bool plan_suits(const ki_source *source, const ki_driver *driver)
{
    return source->calls->kind == KI_SOURCE_SLOTS || plan_is_aligned(source->component, driver);
}

/* Finds out about how many of the rows that are visited a source does not skip. Of many tables only some
 * are asked, and no more once enough of them have nothing to skip, so that this takes little of the time
 * of a scan. */
static void plan_count_kept(const ki_plan *plan, ki_source *source, const ki_wants *wants,
                            const kith_query *query, const ki_driver *driver, ki_offer *offer)
{
    if (driver->kind != KI_DRIVE_TABLES) {
        offer->asked = 1;
        offer->rows = source->calls->kept(source, wants, 0, plan->rows);
        return;
    }
    uint64_t kept = 0;
    uint64_t rows = 0;
    ki_candidates candidates = {0};
    const ki_table *table;
    while ((table = ki_candidates_next(query, &candidates)) != NULL) {
        bool asks = offer->asked < PLAN_TABLES || offer->asked % PLAN_TABLES == 0;
        if (table->rows.count != 0 && asks) {
            rows += table->rows.count;
            kept += source->calls->kept(source, wants, table->id, table->rows.count);
        }
        offer->asked += table->rows.count != 0;
        if (kept == rows && offer->asked > PLAN_TABLES * PLAN_TABLES) {
            break;
        }
    }
    offer->rows = rows == 0 ? 0 : (uint32_t)(kept * plan->rows / rows);
}

/* Takes the offer of a source, if it is the best so far. */
static void plan_consider(ki_plan *plan, ki_source *source, const ki_wants *wants,
                          const kith_query *query, const ki_driver *driver)
{
    ki_offer offer = {0};
    if (!source->calls->offer(source, wants, plan_enough(plan), &offer)) {
        return;
    }
    if (source->calls->kind == KI_SOURCE_BLOCKS) {
        plan_count_kept(plan, source, wants, query, driver, &offer);
    }
    if (plan->best != NULL && plan_use_cost(plan, plan->best, &plan->offer) <=
                                  plan_use_cost(plan, source, &offer)) {
        return;
    }
    plan->best = source;
    plan->offer = offer;
    plan->wants = *wants;
}

/* Takes the best offer of all sources. */
static void plan_consider_all(ki_plan *plan, const kith_query *query, const ki_driver *driver)
{
    const ki_wants all = plan_wants(query, NULL);
    for (uint32_t i = 0; i < all.count; i++) {
        const ki_condition_node *want = all.nodes[i];
        bool first = true;
        for (uint32_t k = 0; k < i; k++) {
            first = first && !plan_is_same_subject(all.nodes[k], want);
        }
        const ki_wants wants = plan_wants(query, want);
        for (ki_source *source = first ? plan_component(want)->sources : NULL; source != NULL;
             source = source->next) {
            if (ki_key_of_is_same(&source->key, ki_want_key(want)) && plan_suits(source, driver)) {
                plan_consider(plan, source, &wants, query, driver);
            }
        }
    }
}

/* Decides whether the best source is used. `*debt` is what the scan costs more, if it is not used only
 * because it is not up to date. A source that could do nothing when it was up to date may be of use by
 * now: a fifth of each scan counts, so that finding out takes little of the time of all scans. */
static ki_plan_reason plan_decide(ki_plan *plan, uint64_t *debt)
{
    const ki_source *best = plan->best;
    uint64_t scan_cost = plan_scan_cost(plan);
    uint64_t use = plan_use_cost(plan, best, &plan->offer);
    uint64_t update = (uint64_t)plan->offer.stale * plan->offer.fields * KI_PLAN_LOOKED;
    bool paid = best->debt >= update * KI_PLAN_DEBTS;
    *debt = 0;
    if (!best->used) {
        plan->again = true;
        return KI_PLAN_CHOSEN;
    }
    if (use >= scan_cost) {
        plan->again = paid && update != 0;
        *debt = update == 0 ? 0 : scan_cost / KI_PLAN_DEBTS;
        return KI_PLAN_MANY_MATCH;
    }
    if (use + update <= scan_cost || paid) {
        return KI_PLAN_CHOSEN;
    }
    *debt = scan_cost - use;
    return KI_PLAN_STALE;
}

/* Chooses, and returns what plan_make notes as debt. */
static uint64_t plan_choose(ki_plan *plan, const kith_query *query, const ki_driver *driver,
                            uint32_t threads)
{
    plan->threads = threads;
    plan->source = NULL;
    plan->best = NULL;
    plan->again = false;
    plan->reason = KI_PLAN_NO_CONDITION;
    plan->rows = (uint32_t)plan_rows(query, driver);
    plan->row_cost = plan_row_cost(query, driver);
    if (query->conditions == NULL || driver->kind == KI_DRIVE_ONE) {
        return 0;
    }
    plan->reason = KI_PLAN_FEW_ROWS;
    if (plan->rows < KI_PLAN_ROWS_MIN) {
        return 0;
    }
    plan->reason = KI_PLAN_NO_SOURCE;
    plan_consider_all(plan, query, driver);
    uint64_t debt = 0;
    if (plan->best != NULL) {
        plan->reason = plan_decide(plan, &debt);
    }
    return debt;
}

void ki_plan_choose(ki_plan *plan, const kith_query *query, const ki_driver *driver,
                    uint32_t threads)
{
    plan_choose(plan, query, driver, threads);
}

/* ---- Places */

/* The place of an entity in the storage that drives; false: it has none there. */
static bool plan_locate(const kith_query *query, const ki_driver *driver, uint32_t slot,
                        uint64_t *place)
{
    if (driver->kind == KI_DRIVE_SLOTS) {
        *place = slot;
        return true;
    }
    if (driver->kind == KI_DRIVE_SPARSE) {
        uint32_t row1 = ki_sparse_row1(&ki_driver_component(driver)->in.sparse, slot);
        *place = row1 - 1;
        return row1 != 0;
    }
    const ki_record *record = ki_record_at(&query->store->entities, slot);
    *place = (uint64_t)record->table << 32 | record->row;
    return true;
}

/* Puts a place where it belongs among those below it in a heap of the greatest first. */
static void plan_sift(uint64_t *heap, uint32_t count, uint32_t at, uint64_t place)
{
    for (uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && heap[child] < heap[child + 1];
        if (place >= heap[child]) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = place;
}

/* Sorts places. Those of entities that were made one after the other are in order already. */
static void plan_sort(uint64_t *places, uint32_t count)
{
    uint32_t sorted = 1;
    while (sorted < count && places[sorted] >= places[sorted - 1]) {
        sorted++;
    }
    if (sorted >= count) {
        return;
    }
    for (uint32_t i = count / 2; i-- > 0;) {
        plan_sift(places, count, i, places[i]);
    }
    for (uint32_t last = count - 1; last > 0; last--) {
        uint64_t place = places[last];
        places[last] = places[0];
        plan_sift(places, last, 0, place);
    }
}

kith_result ki_plan_name(ki_plan *plan, const kith_query *query, const ki_driver *driver)
{
    ki_heap *heap = &query->store->context.heap;
    KI_TRY(ki_heap_grow(heap, &plan->places, &plan->place_capacity, plan->list.count,
                        sizeof *plan->places, 64));
    plan->place_count = 0;
    for (uint32_t i = 0; i < plan->list.count; i++) {
        uint64_t *place = &plan->places[plan->place_count];
        plan->place_count += plan_locate(query, driver, plan->list.slots[i], place);
    }
    plan_sort(plan->places, plan->place_count);
    plan->named = true;
    return KITH_OK;
}

/* Finds the rows of the entities that a source names. KITH_ERR_MEMORY, KITH_ERR_LIMIT. */
static kith_result plan_list(ki_plan *plan, const kith_query *query, const ki_driver *driver)
{
    plan->list.count = 0;
    KI_TRY(plan->source->calls->list(plan->source, &plan->wants, plan_enough(plan), &plan->list));
    return ki_plan_name(plan, query, driver);
}

/* Chooses, and brings the source that is chosen up to date. One that never was makes its offer without
 * knowing anything: then the choice is made again. */
static kith_result plan_refresh(ki_plan *plan, const kith_query *query, const ki_driver *driver,
                                uint32_t threads)
{
    for (;;) {
        uint64_t debt = plan_choose(plan, query, driver, threads);
        ki_source *best = plan->best;
        if (plan->reason != KI_PLAN_CHOSEN && !plan->again) {
            if (best != NULL) {
                best->debt += debt;
            }
            return KITH_OK;
        }
        best->used = true;
        best->debt = 0;
        KI_TRY(best->calls->refresh(best));
        if (!plan->again) {
            plan->source = best;
            return KITH_OK;
        }
    }
}

/* Decides, and readies the source that is taken. */
static void plan_make(ki_plan *plan, const kith_query *query, const ki_driver *driver,
                      uint32_t threads)
{
    kith_result result = plan_refresh(plan, query, driver, threads);
    plan->named = false;
    if (plan->source != NULL && plan->source->calls->kind == KI_SOURCE_SLOTS) {
        result = plan_list(plan, query, driver);
    }
    if (result != KITH_OK) {
        plan->source = NULL;
        plan->reason = result == KITH_ERR_LIMIT ? KI_PLAN_MANY_MATCH : KI_PLAN_FAILED;
    }
}

/* Whether any condition is about a component with a source: usually none is. */
static bool plan_is_possible(const kith_query *query)
{
    const ki_conditions *conditions = query->conditions;
    for (uint32_t i = 0; conditions != NULL && i < conditions->count; i++) {
        const ki_component *component = conditions->nodes[i].field.component;
        if (component != NULL && component->sources != NULL) {
            return query->store->columns.lock == NULL;
        }
    }
    return false;
}

kith_result ki_plan_reserve(ki_plan **kept, const kith_query *query)
{
    ki_heap *heap = &query->store->context.heap;
    if (*kept == NULL) {
        *kept = ki_heap_alloc_zeroed(heap, sizeof **kept, _Alignof(ki_plan));
    }
    return *kept != NULL ? KITH_OK : ki_without_message(heap, KITH_ERR_MEMORY);
}

const ki_plan *ki_plan_for(ki_plan **kept, const kith_query *query, const ki_driver *driver,
                           uint32_t threads)
{
    if (!plan_is_possible(query)) {
        if (*kept != NULL) {
            (*kept)->best = NULL; /* it may be gone */
        }
        return NULL;
    }
    if (ki_plan_reserve(kept, query) != KITH_OK) {
        return NULL;
    }
    plan_make(*kept, query, driver, threads);
    return (*kept)->source == NULL ? NULL : *kept;
}

void ki_plans_drop_source(ki_store *store, const ki_source *source)
{
    for (kith_cursor *cursor = store->open; cursor != NULL; cursor = cursor->outer) {
        if (cursor->plan != NULL && cursor->plan->source == source) {
            cursor->plan->source = NULL; /* the rows that it named are known */
        }
    }
}

void ki_plan_free(ki_heap *heap, ki_plan *plan)
{
    if (plan != NULL) {
        ki_heap_free(heap, plan->list.slots, plan->list.capacity * sizeof *plan->list.slots,
                     _Alignof(max_align_t));
        ki_heap_free(heap, plan->places, plan->place_capacity * sizeof *plan->places,
                     _Alignof(max_align_t));
        ki_heap_free(heap, plan, sizeof *plan, _Alignof(ki_plan));
    }
}

/* ---- Scanning by it */

static uint32_t plan_table(const ki_driver *driver)
{
    return driver->kind == KI_DRIVE_TABLES ? driver->table->id : 0;
}

/* Moves to the first place from one on. Usually that is one of the next. */
static void plan_seek(const ki_plan *plan, ki_plan_progress *progress, uint64_t place)
{
    uint32_t at = progress->at;
    uint32_t steps = 8;
    while (at < plan->place_count && plan->places[at] < place && steps != 0) {
        at++;
        steps--;
    }
    bool after = at == plan->place_count || plan->places[at] >= place;
    if (!after || (at > 0 && plan->places[at - 1] >= place)) {
        uint32_t low = after ? 0 : at;
        uint32_t high = after ? at : plan->place_count;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (plan->places[middle] < place) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        at = low;
    }
    progress->at = at;
}

/* The first row from `row` on, at most `end`, that a source of blocks does not skip. */
static uint32_t plan_skip(const ki_plan *plan, ki_plan_progress *progress, uint32_t table,
                          uint32_t row, uint32_t end)
{
    uint64_t first = (uint64_t)table << 32 | row;
    if (plan->source == NULL || first - progress->kept < progress->kept_count) {
        return row;
    }
    uint32_t until = end;
    uint32_t kept =
        plan->source->calls->skip(plan->source, &plan->wants, table, row, end, &until);
    progress->kept = (uint64_t)table << 32 | kept;
    progress->kept_count = until - kept;
    return kept;
}

uint32_t ki_plan_next(const ki_plan *plan, ki_plan_progress *progress, const ki_driver *driver,
                      uint32_t row, uint32_t end)
{
    uint32_t table = plan_table(driver);
    if (!plan->named) {
        return plan_skip(plan, progress, table, row, end);
    }
    plan_seek(plan, progress, (uint64_t)table << 32 | row);
    if (progress->at == plan->place_count || plan->places[progress->at] >> 32 != table) {
        return end;
    }
    return ki_min_u32((uint32_t)plan->places[progress->at], end);
}

/* Drops the rows that are not named. */
static void plan_filter_named(const ki_plan *plan, ki_plan_progress *progress, uint32_t table,
                              uint32_t row, uint64_t *masks, uint32_t words)
{
    const uint64_t first = (uint64_t)table << 32 | row;
    plan_seek(plan, progress, first);
    for (uint32_t word = 0, at = progress->at; word < words; word++) {
        const uint64_t end = first + (word + UINT64_C(1)) * 64;
        uint64_t named = 0;
        for (; at < plan->place_count && plan->places[at] < end; at++) {
            named |= UINT64_C(1) << (plan->places[at] - first) % 64;
        }
        masks[word] &= named;
    }
}

/* Drops the rows that a source of blocks skips. */
static void plan_filter_blocks(const ki_plan *plan, ki_plan_progress *progress, uint32_t table,
                               uint32_t row, uint32_t end, uint64_t *masks)
{
    for (uint32_t at = row; at < end && plan->source != NULL;) {
        uint32_t kept = plan_skip(plan, progress, table, at, end);
        ki_bits_clear(masks, at - row, kept - at);
        at = (uint32_t)(progress->kept + progress->kept_count);
    }
}

void ki_plan_filter(const ki_plan *plan, ki_plan_progress *progress, const ki_driver *driver,
                    uint32_t row, uint64_t *masks, uint32_t words)
{
    uint32_t table = plan_table(driver);
    if (plan->named) {
        plan_filter_named(plan, progress, table, row, masks, words);
    } else {
        plan_filter_blocks(plan, progress, table, row, row + words * 64, masks);
    }
}
