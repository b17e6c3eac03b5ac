#include <kith/floats.h>

#include "game/contacts.h"

/* The most that events can be kept: they are forgotten at the start of the run after so many. The
 * collision system may be switched off for one run fewer, since it reads them in the last. */
enum { CONTACTS_KEEP = 1024 };

static const kith_field page_fields[] = {KITH_FIELD(ki_game_contact_page, a),
                                         KITH_FIELD(ki_game_contact_page, b),
                                         KITH_FIELD(ki_game_contact_page, count)};
static uint32_t even_number, odd_number;

#define CONTACT_QUEUE(name, number)                                                                \
    {                                                                                              \
        name, sizeof(ki_game_contact_page), _Alignof(ki_game_contact_page), 0,                     \
            sizeof page_fields / sizeof page_fields[0], page_fields, &(number), KITH_TABLE, false, \
            false, 0                                                                               \
    }
static const kith_type contact_queues[2] = {
    CONTACT_QUEUE("kith.game.contacts.even", even_number),
    CONTACT_QUEUE("kith.game.contacts.odd", odd_number),
};

kith_result ki_game_contacts_register(kith_world *world)
{
    static const kith_event_def def = {.keep = CONTACTS_KEEP};
    kith_result result = kith_event_register(world, &contact_queues[0], &def);
    return result == KITH_OK ? kith_event_register(world, &contact_queues[1], &def) : result;
}

/* The number of the queue in use: the one that is not empty. */
static int queue_in_use(const kith_world *world)
{
    return kith_event_count(world, &contact_queues[1]) > 0;
}

size_t ki_game_contacts_count(const kith_world *world)
{
    uint32_t pages = kith_event_count(world, &contact_queues[queue_in_use(world)]);
    return (size_t)pages * KI_GAME_CONTACTS_PAGE;
}

ki_game_contact_reader ki_game_contacts_read(const kith_world *world)
{
    return (ki_game_contact_reader){.world = world, .queue = &contact_queues[queue_in_use(world)]};
}

bool ki_game_contacts_turn(ki_game_contact_reader *reader)
{
    reader->page = kith_event_at(reader->world, reader->queue, reader->event);
    reader->event++;
    reader->within = 0;
    return reader->page != NULL;
}

ki_game_contact_writer ki_game_contacts_write(kith_world *world)
{
    int used = queue_in_use(world);
    return (ki_game_contact_writer){
        .world = world, .queue = &contact_queues[!used], .old = &contact_queues[used]};
}

kith_result ki_game_contacts_flush(ki_game_contact_writer *writer)
{
    if (writer->page.count == 0) {
        return KITH_OK;
    }
    kith_result result = kith_event_send(writer->world, writer->queue, &writer->page);
    if (result == KITH_OK) {
        writer->page = (ki_game_contact_page){.count = 0};
    }
    return result;
}

void ki_game_contacts_finish(ki_game_contact_writer *writer, bool keep)
{
    kith_event_clear(writer->world, keep ? writer->old : writer->queue);
}
