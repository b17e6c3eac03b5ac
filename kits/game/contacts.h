/* The pairs that collided in the last tick, which a world keeps until the next one: in events, so
 * that they are part of its state, and nothing has to be freed.
 *
 * There are two queues, and one is in use. The next contacts are written to the other one, so that
 * a failure leaves those that are there. */
#ifndef KI_GAME_CONTACTS_H
#define KI_GAME_CONTACTS_H

#include <kith/game.h>

typedef struct ki_game_contact {
    kith_entity a, b;
} ki_game_contact;

/* Makes the queues. Results as for kith_event_register. */
kith_result ki_game_contacts_register(kith_world *world);

enum { KI_GAME_CONTACTS_PAGE = 63 };

/* An event of either queue. */
typedef struct ki_game_contact_page {
    kith_entity a[KI_GAME_CONTACTS_PAGE];
    kith_entity b[KI_GAME_CONTACTS_PAGE];
    uint32_t count;
} ki_game_contact_page;

/* As many as there are, or a few more. */
size_t ki_game_contacts_count(const kith_world *world);

/* Reads the contacts in the order in which they were written. */
typedef struct ki_game_contact_reader {
    const kith_world *world;
    const kith_type *queue;
    const ki_game_contact_page *page; /* NULL: the first has not been looked at */
    uint32_t event;                   /* the page after it */
    uint32_t within;                  /* the next contact in it */
} ki_game_contact_reader;

ki_game_contact_reader ki_game_contacts_read(const kith_world *world);

/* Goes on to the next page; false if there is none. A page has one contact at least. */
bool ki_game_contacts_turn(ki_game_contact_reader *reader);

/* The next one, without moving past it; false at the end. */
static inline bool ki_game_contacts_peek(ki_game_contact_reader *reader, ki_game_contact *contact)
{
    if ((reader->page == NULL || reader->within == reader->page->count) &&
        !ki_game_contacts_turn(reader)) {
        return false;
    }
    contact->a = reader->page->a[reader->within];
    contact->b = reader->page->b[reader->within];
    return true;
}

static inline void ki_game_contacts_skip(ki_game_contact_reader *reader)
{
    reader->within++;
}

/* Writes the contacts of a tick: all are added, and then flushed. */
typedef struct ki_game_contact_writer {
    kith_world *world;
    const kith_type *queue;
    const kith_type *old;
    ki_game_contact_page page; /* not yet sent */
} ki_game_contact_writer;

ki_game_contact_writer ki_game_contacts_write(kith_world *world);

/* KITH_ERR_MEMORY, KITH_ERR_LIMIT as for kith_event_send */
kith_result ki_game_contacts_flush(ki_game_contact_writer *writer);

static inline kith_result ki_game_contacts_add(ki_game_contact_writer *writer,
                                               const ki_game_contact *contact)
{
    ki_game_contact_page *page = &writer->page;
    kith_result result =
        page->count == KI_GAME_CONTACTS_PAGE ? ki_game_contacts_flush(writer) : KITH_OK;
    if (result == KITH_OK) {
        page->a[page->count] = contact->a;
        page->b[page->count++] = contact->b;
    }
    return result;
}

/* From here on these are the contacts, or else they are forgotten. */
void ki_game_contacts_finish(ki_game_contact_writer *writer, bool keep);

#endif
