#include "query/path_memo.h"

#include "store/relation.h"

#define MEMO_PAGE_SHIFT 8u
#define MEMO_PAGE_SLOTS (1u << MEMO_PAGE_SHIFT)
#define MEMO_PAGE_BYTES (MEMO_PAGE_SLOTS * sizeof(ki_path_known))

ki_path_memo *ki_path_memo_new(ki_heap *heap)
{
    ki_path_memo *memo = ki_heap_alloc_zeroed(heap, sizeof *memo, _Alignof(ki_path_memo));
    if (memo != NULL) {
        memo->heap = heap;
    }
    return memo;
}

void ki_path_memo_free(ki_path_memo *memo)
{
    if (memo == NULL) {
        return;
    }
    for (uint32_t i = 0; i < memo->page_capacity; i++) {
        ki_heap_free(memo->heap, memo->pages[i], MEMO_PAGE_BYTES, _Alignof(ki_path_known));
    }
    ki_heap_free(memo->heap, memo->pages, memo->page_capacity * sizeof *memo->pages,
                 _Alignof(max_align_t));
    ki_heap_free(memo->heap, memo, sizeof *memo, _Alignof(ki_path_memo));
}

void ki_path_memo_forget(ki_path_memo *memo)
{
    memo->time = 0;
}

/* ---- Whether it is right ----------------------------------------------------------------------- */

/* What paths are made of. */
typedef struct memo_origin {
    const ki_column *names; /* also written when an entity gets a name or loses it */
    const ki_column *links; /* to parents */
} memo_origin;

static memo_origin memo_origin_of(const ki_store *store)
{
    static const ki_column none;
    const ki_component *names = store->entity_names;
    return (memo_origin){names == NULL                ? &none
                         : names->layout == KITH_SLOT ? &names->in.slots.values
                                                      : &names->in.sparse.values,
                         store->child_of == NULL ? &none : &store->child_of->links};
}

bool ki_path_memo_is_right(const ki_store *store, const ki_path_memo *memo)
{
    const memo_origin origin = memo_origin_of(store);
    return memo->time != 0 && ki_column_is_same(origin.names, memo->time) &&
           ki_column_is_same(origin.links, memo->time) &&
           memo->link_blocks == origin.links->block_count;
}

/* Makes room for pages of each slot; those that are new know nothing. */
static kith_result memo_reserve(ki_path_memo *memo, uint32_t slots)
{
    const uint32_t was = memo->page_capacity;
    const uint32_t pages = slots / MEMO_PAGE_SLOTS + 1;
    KI_TRY(ki_heap_grow(memo->heap, &memo->pages, &memo->page_capacity, pages, sizeof *memo->pages,
                        4));
    for (uint32_t i = was; i < memo->page_capacity; i++) {
        memo->pages[i] = NULL;
    }
    return KITH_OK;
}

void ki_path_memo_refresh(ki_store *store, ki_path_memo *memo)
{
    memo_reserve(memo, store->entities.slots); /* without memory it knows less */
    if (!ki_path_memo_is_right(store, memo)) {
        const memo_origin origin = memo_origin_of(store);
        memo->link_blocks = origin.links->block_count;
        memo->time = store->columns.write_clock++;
    }
}

/* ---- What is known ----------------------------------------------------------------------------- */

bool ki_path_memo_find(const ki_path_memo *memo, uint32_t index, uint32_t length, bool *fits)
{
    const uint32_t number = index >> MEMO_PAGE_SHIFT;
    const ki_path_known *page =
        number < memo->page_capacity ? KI_LOAD_ACQUIRE(&memo->pages[number]) : NULL;
    const ki_path_known *known = page == NULL ? NULL : &page[index % MEMO_PAGE_SLOTS];
    if (known == NULL || KI_LOAD_ACQUIRE(&known->time) != memo->time) {
        return false;
    }
    *fits = length < KI_LOAD(&known->fits);
    return *fits || length >= KI_LOAD(&known->fails);
}

/* The page of a slot, which is made if it is not there; NULL: no room. If two threads make one, the
 * second one's is freed. */
static ki_path_known *memo_make_page(const ki_path_memo *memo, uint32_t number)
{
    if (number >= memo->page_capacity) {
        return NULL;
    }
    ki_path_known *page = KI_LOAD_ACQUIRE(&memo->pages[number]);
    if (page != NULL) {
        return page;
    }
    ki_path_known *made =
        ki_heap_alloc_zeroed(memo->heap, MEMO_PAGE_BYTES, _Alignof(ki_path_known));
    ki_heap_lock(memo->heap);
    page = memo->pages[number];
    if (page == NULL && made != NULL) {
        KI_STORE_RELEASE(&memo->pages[number], made);
        page = made;
        made = NULL;
    }
    ki_heap_unlock(memo->heap);
    ki_heap_free(memo->heap, made, MEMO_PAGE_BYTES, _Alignof(ki_path_known));
    return page;
}

void ki_path_memo_note(const ki_path_memo *memo, uint32_t index, uint32_t length, bool fits)
{
    ki_path_known *page = memo_make_page(memo, index >> MEMO_PAGE_SHIFT);
    if (page == NULL) {
        return;
    }
    ki_path_known *known = &page[index % MEMO_PAGE_SLOTS];
    const bool is_new = KI_LOAD_ACQUIRE(&known->time) != memo->time;
    const uint32_t fitted = is_new ? 0 : KI_LOAD(&known->fits);
    const uint32_t failed = is_new ? UINT32_MAX : KI_LOAD(&known->fails);
    KI_STORE(&known->fits, fits && length >= fitted ? length + 1 : fitted);
    KI_STORE(&known->fails, !fits && length < failed ? length : failed);
    KI_STORE_RELEASE(&known->time, memo->time);
}
