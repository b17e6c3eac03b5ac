/* Opens and ends iterations, and gives access to the values of a batch. */
#include "query/iterator.h"

#include <stdio.h>

#include "query/binding.h"
#include "query/condition.h"
#include "query/row_batch.h"
#include "query/via_batch.h"
#include "store/register.h"

/* An open query that may write after the look that is about to be taken; NULL: none. */
static const kith_query *iter_writer(const ki_store *store)
{
    for (const kith_cursor *open = store->open; open != NULL; open = open->outer) {
        for (uint32_t i = 0; i < open->query->term_count; i++) {
            if (open->query->terms[i].access == KITH_ACCESS_WRITE) {
                return open->query;
            }
        }
    }
    return NULL;
}

/* Finds out what changed, for types with exact changes. */
static kith_result iter_refresh_changes(const kith_query *query)
{
    for (uint32_t i = 0; i < query->term_count; i++) {
        const ki_term *term = &query->terms[i];
        if (term->changed && term->component->value_diff != NULL) {
            KI_TRY(ki_value_diff_refresh(query->store, term->component));
        }
    }
    return KITH_OK;
}

/* Takes a look: what is written from here on has a later time than the one returned. */
static uint64_t iter_look(ki_store *store)
{
    return store->columns.write_clock++;
}

static kith_result iter_refresh(kith_query *query)
{
    KI_TRY(ki_matches_refresh(query));
    ki_query_refresh_derived(query);
    return query->looks ? iter_refresh_changes(query) : KITH_OK;
}

/* Starts a scan over everything that matches. */
static kith_result iter_start(kith_cursor *cursor)
{
    const kith_query *query = cursor->query;
    if (cursor->steady) {
        KI_ASSERT(cursor->scan.driver.query == query &&
                  cursor->scan.driver.kind == KI_DRIVE_TABLES);
        ki_scan_restart(&cursor->scan);
        return KITH_OK;
    }
    ki_scan_start(&cursor->scan, query, NULL);
    KI_TRY(ki_bind_prepare(cursor));
    return query->levels == NULL ? KITH_OK : ki_scan_order(&cursor->scan);
}

static kith_result iter_start_one(kith_cursor *cursor, kith_entity entity)
{
    ki_query_refresh_derived(cursor->query);
    ki_scan_start_one(&cursor->scan, cursor->query, entity);
    return ki_bind_prepare(cursor);
}

void ki_cursor_plan(kith_cursor *cursor, uint32_t threads)
{
    const kith_query *query = cursor->query;
    if (query->conditions != NULL) {
        ki_scan_by_plan(&cursor->scan,
                        ki_plan_for(&cursor->plan, query, &cursor->scan.driver, threads));
    }
}

kith_result ki_cursor_prepare(kith_cursor *cursor)
{
    kith_query *query = cursor->query;
    KI_TRY(iter_refresh(query));
    cursor->look = query->looks ? iter_look(query->store) : 0;
    return iter_start(cursor);
}

static void iter_reject_thread(const ki_store *store, const char *call, const char *file, int line)
{
    char where[256];
    snprintf(where, sizeof where, " (%s:%d)", file, line);
    ki_reject_thread(&store->context, call, where);
}

/* Reports that a query looks for changes while another one writes. Without a line, `file` is the call
 * that opens it. */
static KI_NOINLINE void iter_reject_look(const kith_query *query, const kith_query *writer,
                                         const char *call, const char *file, int line)
{
    char where[256] = "";
    if (line != 0) {
        snprintf(where, sizeof where, " (%s:%d)", file, line);
    }
    ki_misuse(&query->store->context,
              "%s: %s looks for changes%s, while %s is open and writes; close that first",
              line != 0 ? call : file, ki_query_label_of(query).text, where,
              ki_query_label_of(writer).text);
}

/* Inline in both calls that open, which need a part each: bench open costs 5% more without that. */
static inline kith_iter iter_open(kith_query *query, const char *call, bool all, kith_entity one,
                                  const char *file, int line)
{
    kith_iter it = {.result = KITH_ERR_MISUSE};
    if (KI_CHECKED && query == NULL) {
        ki_misuse(NULL, "%s: the query is NULL (%s:%d)", call, file, line);
        return it;
    }
    ki_store *store = query->store;
    it.context = &store->context;
    if (!ki_context_is_mine(&store->context) && !ki_context_enter(&store->context)) {
        iter_reject_thread(store, call, file, line);
        return it;
    }
    const kith_query *writer = query->looks && all ? iter_writer(store) : NULL;
    if (KI_CHECKED && writer != NULL) {
        iter_reject_look(query, writer, call, file, line);
        return it;
    }
    it.result = query->conditions != NULL ? ki_conditions_require_bound(query, call) : KITH_OK;
    it.result = all && it.result == KITH_OK ? iter_refresh(query) : it.result;
    if (it.result != KITH_OK) {
        return it;
    }
    kith_cursor *cursor = ki_cursor_open(query, file, line);
    if (cursor == NULL) {
        it.result = KITH_ERR_MEMORY;
        return it;
    }
    cursor->look = query->looks && all ? iter_look(store) : 0;
    it.result = all ? iter_start(cursor) : iter_start_one(cursor, one);
    if (it.result != KITH_OK) {
        ki_cursor_close(cursor);
        return it;
    }
    if (all) {
        ki_cursor_plan(cursor, 1);
    }
    it.cursor = cursor;
    it.serial = cursor->token.serial;
    it.binds = cursor->binds;
    it.term_count = query->term_count;
    return it;
}

kith_iter kith_query_iter_at(kith_query *query, const char *file, int line)
{
    return iter_open(query, "kith_query_iter", true, KITH_NONE, file, line);
}

kith_iter kith_query_iter_one_at(kith_query *query, kith_entity entity, const char *file, int line)
{
    return iter_open(query, "kith_query_iter_one", false, entity, file, line);
}

void kith_iter_close(kith_iter *it)
{
    if (KI_CHECKED && it == NULL) {
        ki_misuse(NULL, "kith_iter_close: the iterator is NULL");
        return;
    }
    if (it->cursor != NULL && it->cursor->token.serial == it->serial) {
        if (!ki_cursor_allows(it->cursor, "kith_iter_close")) {
            return;
        }
        if (it->cursor->lent) {
            ki_cursor_retire(it->cursor, it);
        } else {
            ki_cursor_close(it->cursor);
        }
    }
    it->cursor = NULL;
    it->binds = NULL;
    it->term_count = 0;
    it->count = 0;
    it->pending = 0;
}

kith_result ki_query_skip_changes(kith_query *query)
{
    kith_result result = iter_refresh_changes(query);
    query->looked = iter_look(query->store);
    return result;
}

void kith_query_skip_changes(kith_query *query)
{
    if (KI_CHECKED && query == NULL) {
        ki_misuse(NULL, "kith_query_skip_changes: the query is NULL");
        return;
    }
    ki_store *store = query->store;
    if (ki_context_require_thread(&store->context, "kith_query_skip_changes") != KITH_OK) {
        return;
    }
    const kith_query *writer = iter_writer(store);
    if (KI_CHECKED && writer != NULL) {
        ki_misuse(&store->context,
                  "kith_query_skip_changes: %s is open and writes; close that first",
                  ki_query_label_of(writer).text);
        return;
    }
    ki_query_skip_changes(query);
}

static const ki_context *iter_context(const kith_iter *it)
{
    return it == NULL ? NULL : it->context;
}

/* The cursor of an iterator that has a batch; NULL: it has none. */
static kith_cursor *iter_batch(const kith_iter *it)
{
    return it != NULL && it->count != 0 && it->cursor != NULL &&
                   it->cursor->token.serial == it->serial
               ? it->cursor
               : NULL;
}

const kith_entity *kith_entities(const kith_iter *it)
{
    kith_cursor *cursor = iter_batch(it);
    if (KI_CHECKED && cursor == NULL) {
        ki_misuse(iter_context(it),
                  "kith_entities: there is no batch; kith_next has to return true first");
        return NULL;
    }
    if (!ki_cursor_allows(cursor, "kith_entities")) {
        return NULL;
    }
    if (cursor->kind == KI_BATCH_ROWS) {
        return ki_row_batch_entities(cursor, it->count);
    }
    return ki_bind_entities(cursor, cursor->scan.row + it->first, it->count);
}

const kith_entity *kith_others(const kith_iter *it, uint32_t number)
{
    kith_cursor *cursor = iter_batch(it);
    if (KI_CHECKED && cursor == NULL) {
        ki_misuse(iter_context(it),
                  "kith_others: there is no batch; kith_next_rows has to return true first");
        return NULL;
    }
    if (!ki_cursor_allows(cursor, "kith_others")) {
        return NULL;
    }
    const ki_pairs *pairs = ki_query_pairs(cursor->query);
    const uint32_t count = pairs == NULL ? 1 : pairs->entity_count;
    if (KI_CHECKED && number >= count) {
        ki_misuse(&cursor->query->store->context,
                  "kith_others: rows of %s have no entity number %u; there are %u, counted from"
                  " 0",
                  ki_cursor_label_of(cursor).text, number, count);
        return NULL;
    }
    return number == 0 ? kith_entities(it)
                       : cursor->row_batch->others + (size_t)(number - 1) * KI_CHUNK_ROWS;
}

/* The number of the term about the entity itself that has a type, or with `via` of the first one about
 * another entity; KI_NO_TERM: there is none. */
static uint32_t iter_find_type(const kith_query *query, const kith_type *type, bool via)
{
    uint32_t number = ki_type_number_found(type);
    for (uint32_t i = 0; i < query->term_count; i++) {
        if ((query->terms[i].via != NULL) == via &&
            ki_type_number(query->terms[i].component->type) == number) {
            return i;
        }
    }
    return KI_NO_TERM;
}

/* Reports that there is no term that a call asks for, and returns KI_NO_TERM. */
static uint32_t iter_reject_type(const kith_cursor *cursor, const char *call,
                                 const kith_type *type, kith_access access)
{
    const kith_query *query = cursor->query;
    const char *name = type->name == NULL ? "(null)" : type->name;
    bool read = access == KITH_ACCESS_READ;
    uint32_t via = iter_find_type(query, type, true);
    if (via != KI_NO_TERM) {
        ki_misuse(
            &query->store->context,
            "%s: %s has a term for %s of another entity, which KITH_TERM_AT(it, %u, i, %s)"
            " reads, and none for the entity's own",
            call, ki_cursor_label_of(cursor).text, name, via, name);
    } else {
        ki_misuse(&query->store->context,
                  "%s: %s has no term for %s; give it KITH_%s(%s), in C++ kith::%s<%s>", call,
                  ki_cursor_label_of(cursor).text, name, read ? "READ" : "WRITE", name,
                  read ? "read" : "write", name);
    }
    return KI_NO_TERM;
}

/* The number of the term that a call asks for, by its number or its type; KI_NO_TERM: there is
 * none, which is reported. */
static uint32_t iter_find_term(const kith_cursor *cursor, const char *call, uint32_t term,
                               const kith_type *type, kith_access access)
{
    const kith_query *query = cursor->query;
    const char *name = type->name == NULL ? "(null)" : type->name;
    if (term == KITH_TERM_OF_TYPE_) {
        uint32_t found = iter_find_type(query, type, false);
        return found != KI_NO_TERM ? found : iter_reject_type(cursor, call, type, access);
    }
    if (term >= query->given_count) {
        ki_misuse(&query->store->context,
                  "%s: %s has no term number %u: there are %u, counted from 0, without"
                  " conditions",
                  call, ki_cursor_label_of(cursor).text, term, query->given_count);
        return KI_NO_TERM;
    }
    const kith_type *known = query->terms[term].component->type;
    if (ki_type_number(known) != ki_type_number_found(type)) {
        ki_misuse(&query->store->context, "%s: term number %u of %s is about %s, not about %s",
                  call, term, ki_cursor_label_of(cursor).text, known->name, name);
        return KI_NO_TERM;
    }
    return term;
}

/* Whether a term may be accessed in a way; if not, that is reported. */
static bool iter_may_access(const kith_cursor *cursor, const char *call, const ki_term *asked,
                            kith_access access)
{
    const ki_context *context = &cursor->query->store->context;
    const char *name = asked->component->type->name;
    bool read = access == KITH_ACCESS_READ;
    bool given = asked->via != NULL ? asked->via->valued && read : asked->access >= access;
    if (!KI_CHECKED || (given && asked->component->type->size != 0)) {
        return true;
    }
    if (asked->component->type->size == 0) {
        ki_misuse(context, "%s: %s is a tag, and has no value", call, name);
    } else if (asked->via != NULL && read) {
        ki_misuse(context,
                  "%s: %s has a term for %s of another entity that does not access it; declare"
                  " it as KITH_VIA(relation, KITH_READ(%s)) or KITH_UP(KITH_READ(%s))",
                  call, ki_cursor_label_of(cursor).text, name, name, name);
    } else if (asked->via != NULL) {
        ki_misuse(context,
                  "%s: %s only reads %s of another entity; write it through a lookup or a"
                  " command",
                  call, ki_cursor_label_of(cursor).text, name);
    } else {
        ki_misuse(context,
                  "%s: %s has a term for %s that %s; declare it as KITH_%s(%s), in C++"
                  " kith::%s<%s>",
                  call, ki_cursor_label_of(cursor).text, name,
                  asked->access == KITH_ACCESS_NONE ? "does not access it" : "only reads it",
                  read ? "READ" : "WRITE", name, read ? "read" : "write", name);
    }
    return false;
}

/* The term with the values that the caller asks for. KI_NO_TERM: it may not have them in this way,
 * which is reported. */
static uint32_t iter_term(const kith_cursor *cursor, const char *call, uint32_t term,
                          const kith_type *type, kith_access access)
{
    const kith_query *query = cursor->query;
    if (KI_CHECKED && type == NULL) {
        ki_misuse(&query->store->context, "%s: the type is NULL", call);
        return KI_NO_TERM;
    }
    term = iter_find_term(cursor, call, term, type, access);
    return term != KI_NO_TERM && iter_may_access(cursor, call, &query->terms[term], access)
               ? term
               : KI_NO_TERM;
}

/* The cursor of an iterator that has a batch, for a call by a thread that may; NULL: it has none, or may
 * not, which is reported. */
static kith_cursor *iter_require_batch(const kith_iter *it, const char *call)
{
    kith_cursor *cursor = iter_batch(it);
    if (KI_CHECKED && cursor == NULL) {
        ki_misuse(iter_context(it), "%s: there is no batch; kith_next has to return true first",
                  call);
        return NULL;
    }
    return ki_cursor_allows(cursor, call) ? cursor : NULL;
}

static void *iter_column(const kith_iter *it, const char *call, const kith_type *type,
                         kith_access access)
{
    const kith_cursor *cursor = iter_require_batch(it, call);
    uint32_t term =
        cursor == NULL ? KI_NO_TERM : iter_term(cursor, call, KITH_TERM_OF_TYPE_, type, access);
    if (term == KI_NO_TERM) {
        return NULL;
    }
    if (KI_CHECKED && cursor->kind == KI_BATCH_ROWS) {
        ki_misuse(&cursor->query->store->context,
                  "%s: kith_next_rows gives rows of %s, which are no arrays; use KITH_AT or"
                  " KITH_POINTERS, or loop with kith_next",
                  call, ki_cursor_label_of(cursor).text);
        return NULL;
    }
    char *base = cursor->binds[term].base;
    return base == NULL ? NULL : base + (size_t)it->first * type->size;
}

const void *kith_column(const kith_iter *it, const kith_type *type)
{
    return iter_column(it, "kith_column", type, KITH_ACCESS_READ);
}

void *kith_column_mut(const kith_iter *it, const kith_type *type)
{
    return iter_column(it, "kith_column_mut", type, KITH_ACCESS_WRITE);
}

void *kith_at_slow(const kith_iter *it, uint32_t term, uint32_t i, const kith_type *type,
                   kith_access access)
{
    const char *call = term == KITH_TERM_OF_TYPE_ ? "kith_at" : "kith_term_at";
    kith_cursor *cursor = iter_require_batch(it, call);
    term = cursor == NULL ? KI_NO_TERM : iter_term(cursor, call, term, type, access);
    if (term == KI_NO_TERM) {
        return NULL;
    }
    if (KI_CHECKED && i >= it->count) {
        ki_misuse(&cursor->query->store->context,
                  "%s: there is no entity number %u in a batch of %u of %s", call, i, it->count,
                  ki_cursor_label_of(cursor).text);
        return NULL;
    }
    if (cursor->query->terms[term].via != NULL) {
        return (void *)(uintptr_t)ki_via_pointers(cursor, term, it->count)[i];
    }
    if (cursor->kind == KI_BATCH_ROWS) {
        return ki_row_batch_pointers(cursor, term, it->count)[i];
    }
    char *base = cursor->binds[term].base;
    return base == NULL ? NULL : base + ((size_t)it->first + i) * type->size;
}

/* The addresses of a term's values in the batch at hand; NULL: misuse, which was reported. */
static const void *iter_pointers(const kith_iter *it, const char *call, uint32_t term,
                                 const kith_type *type, kith_access access)
{
    kith_cursor *cursor = iter_require_batch(it, call);
    term = cursor == NULL ? KI_NO_TERM : iter_term(cursor, call, term, type, access);
    if (term == KI_NO_TERM) {
        return NULL;
    }
    if (cursor->query->terms[term].via != NULL) {
        return ki_via_pointers(cursor, term, it->count);
    }
    if (KI_CHECKED && cursor->kind != KI_BATCH_ROWS) {
        ki_misuse(&cursor->query->store->context,
                  "%s: kith_next gives arrays of %s; use KITH_COLUMN, or loop with"
                  " kith_next_rows",
                  call, ki_cursor_label_of(cursor).text);
        return NULL;
    }
    return ki_row_batch_pointers(cursor, term, it->count);
}

const void *kith_pointers(const kith_iter *it, const kith_type *type, kith_access access)
{
    return iter_pointers(it, "kith_pointers", KITH_TERM_OF_TYPE_, type, access);
}

const void *kith_term_pointers(const kith_iter *it, uint32_t term, const kith_type *type)
{
    return iter_pointers(it, "kith_term_pointers", term, type, KITH_ACCESS_READ);
}
