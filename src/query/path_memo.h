/* A memo of one pattern: whether its starts fit the paths of entities. What an entity's path fits is
 * found by a climb to its root; the next one ends where it comes to an entity that is known. So a query
 * takes steps for each entity that it asks and for each above these, instead of for each ancestor of
 * each.
 *
 * A start is what comes before a "**" of the pattern, and is told by its length. It fits a path if the
 * start and the "**" do. Then all shorter starts fit as well.
 *
 * It is derived: no snapshot holds it, and without memory it knows less. The owner's thread makes,
 * refreshes and frees it. In between, threads may find and note side by side, while no name or parent
 * changes. */
#ifndef KI_QUERY_PATH_MEMO_H
#define KI_QUERY_PATH_MEMO_H

#include "store/store.h"

/* What is known of an entity. Other threads may read it while it is written: all that is ever in it is
 * true. */
typedef struct ki_path_known {
    uint64_t time;  /* of the memo, when it was noted; another one: nothing is known */
    uint32_t fits;  /* shorter starts than this fit */
    uint32_t fails; /* starts of at least this length do not */
} ki_path_known;

typedef struct ki_path_memo {
    ki_heap *heap;
    ki_path_known **pages; /* by slot; NULL: nothing is known of any of them */
    uint32_t page_capacity;
    uint64_t time;        /* write clock when it was begun; 0: it knows nothing */
    uint32_t link_blocks; /* how many blocks of links there were then */
} ki_path_memo;

/* A memo that knows nothing; NULL: no memory. */
ki_path_memo *ki_path_memo_new(ki_heap *heap);

/* NULL is fine. */
void ki_path_memo_free(ki_path_memo *memo);

/* The pattern is another one, or a restore brought older names and links back. */
void ki_path_memo_forget(ki_path_memo *memo);

/* Begins anew, if a name or a parent changed, and makes room for the slots that there are. */
void ki_path_memo_refresh(ki_store *store, ki_path_memo *memo);

/* Whether what is known is so: no name or parent changed since the memo was refreshed. */
bool ki_path_memo_is_right(const ki_store *store, const ki_path_memo *memo);

/* Whether it is known if the path of the entity in slot `index` fits a start of `length` bytes. */
bool ki_path_memo_find(const ki_path_memo *memo, uint32_t index, uint32_t length, bool *fits);

/* Notes that, unless there is no room. */
void ki_path_memo_note(const ki_path_memo *memo, uint32_t index, uint32_t length, bool fits);

#endif
