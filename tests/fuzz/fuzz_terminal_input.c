/* Any bytes, in pieces of any size at any time, as what a terminal sends: parsing ends, and the events
 * are ones that there are. Cut another way within the same times, they mean the same.
 *
 * A first byte tells how long the pieces are, a second one how much time is between them. */
#include <kith/terminal.h>
#include <stdlib.h>
#include <string.h>

static void require(bool holds)
{
    if (!holds) {
        abort();
    }
}

/* FNV-1a over what an event tells. */
static uint64_t add_event(uint64_t hash, const kith_input_event *e)
{
    const uint64_t parts[] = {e->kind,      e->action,      e->key,         e->character,
                              e->modifiers, (uint64_t)e->x, (uint64_t)e->y, e->size};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        hash = (hash ^ parts[i]) * 0x100000001b3u;
    }
    for (size_t i = 0; i < e->size; i++) {
        hash = (hash ^ (unsigned char)e->text[i]) * 0x100000001b3u;
    }
    return hash;
}

static uint64_t take_events(kith_input *input, uint64_t hash)
{
    kith_input_event e;
    while (kith_input_next(input, &e)) {
        require(e.kind > KITH_INPUT_NONE && e.kind < KITH_INPUT_RESIZE);
        require(e.action <= KITH_ACTION_MOVE);
        require(e.kind != KITH_INPUT_KEY || e.key != 0);
        require(e.kind != KITH_INPUT_MOUSE || (e.x >= 0 && e.y >= 0));
        require(e.kind != KITH_INPUT_PASTE || e.text[e.size] == '\0');
        require(e.action != KITH_ACTION_PRESS || e.kind != KITH_INPUT_MOUSE || e.key != 0);
        hash = add_event(hash, &e);
    }
    return hash;
}

/* Feeds in pieces, all of them at the same time if `step` is 0. */
static uint64_t meaning_of(const uint8_t *data, size_t size, size_t piece, uint64_t step)
{
    kith_input *input = kith_input_new(NULL);
    uint64_t hash = 0xcbf29ce484222325u;
    uint64_t now = 1;
    require(input != NULL);
    for (size_t at = 0; at < size; at += piece) {
        size_t length = size - at < piece ? size - at : piece;
        uint8_t *bytes = malloc(length); /* so that reading one too far is seen */
        require(bytes != NULL);
        memcpy(bytes, data + at, length);
        require(kith_input_feed(input, bytes, length, now) == KITH_OK);
        free(bytes);
        now += step;
        require(kith_input_tick(input, now) == KITH_OK);
        hash = take_events(input, hash);
    }
    require(kith_input_tick(input, now + UINT64_C(60000000000)) == KITH_OK);
    hash = take_events(input, hash);
    kith_input_free(input);
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 2) {
        meaning_of(data + 2, size - 2, data[0] % 32 + 1u, data[1] * UINT64_C(2000000));
        require(meaning_of(data + 2, size - 2, data[0] % 32 + 1u, 0) ==
                meaning_of(data + 2, size - 2, size, 0));
    }
    return 0;
}
