/* The pairs that collided in the last tick, which a world keeps until the next one: in events, so that
 * they are part of its state, and nothing has to be freed.
 *
 * There are two queues, of which one is in use. The next contacts are written to the other one, so
 * that a failure leaves those that are there. */
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

/* Reads the contacts in the order in which they were written. */
typedef struct ki_game_contact_reader {
    const kith_world *world;
    const kith_type *queue;
    const ki_game_contact_page *page; /* NULL: the first has not been looked at */
    uint32_t event;                   /* the page behind it */
    uint32_t within;                  /* the next contact in it */
} ki_game_contact_reader;

ki_game_contact_reader ki_game_contacts_read(const kith_world *world);

/* The next one, without going on to the one behind it; false at the end. */
bool ki_game_contacts_peek(ki_game_contact_reader *reader, ki_game_contact *contact);
void ki_game_contacts_skip(ki_game_contact_reader *reader);

/* Writes the contacts of a tick. They count when they are kept. */
typedef struct ki_game_contact_writer {
    kith_world *world;
    const kith_type *queue;
    const kith_type *old;
    ki_game_contact_page page; /* not yet sent */
} ki_game_contact_writer;

ki_game_contact_writer ki_game_contacts_write(kith_world *world);

/* KITH_ERR_MEMORY, KITH_ERR_LIMIT as for kith_event_send */
kith_result ki_game_contacts_add(ki_game_contact_writer *writer, const ki_game_contact *contact);

/* From here on these are the contacts. Fails as adding does. */
kith_result ki_game_contacts_keep(ki_game_contact_writer *writer);

/* Forgets what was written. */
void ki_game_contacts_drop(ki_game_contact_writer *writer);

#endif
