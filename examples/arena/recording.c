#include "arena/recording.h"

#include <errno.h>
#include <inttypes.h>
#include <kith/reflect.h>
#include <stdlib.h>
#include <string.h>

#include "support/must.h"

static const char letters[] = "udlrfmab"; /* of the INPUT_ bits, from the lowest */

static _Noreturn void refuse_file(const char *path)
{
    fail("%s: %s", path, strerror(errno));
}

/* ---- Writing --------------------------------------------------------------------------------- */

static void write_line(const arena_recorder *recorder, const kith_type *type, const void *value)
{
    char text[2048];
    kith_print_value(NULL, type, value, text, sizeof(text));
    if (fprintf(recorder->file, "%s %s\n", type->name, text) < 0 || fflush(recorder->file) != 0) {
        refuse_file(recorder->path);
    }
}

static void write_held(arena_recorder *recorder)
{
    Held held = {
        .steps = recorder->steps, .aim_x = recorder->input.aim_x, .aim_y = recorder->input.aim_y};
    size_t length = 0;
    for (uint32_t bit = 0; letters[bit] != '\0'; bit++) {
        if ((recorder->input.keys >> bit & 1) != 0) {
            held.keys[length++] = letters[bit];
        }
    }
    if (held.steps > 0) {
        write_line(recorder, &Held_type, &held);
    }
    recorder->steps = 0;
}

void recorder_open(arena_recorder *recorder, const char *path, const Recording *head)
{
    recorder->path = path;
    recorder->file = fopen(path, "w");
    if (recorder->file == NULL) {
        refuse_file(path);
    }
    write_line(recorder, &Recording_type, head);
}

void recorder_add(arena_recorder *recorder, const Input *input)
{
    if (recorder->file == NULL) {
        return;
    }
    const Input *last = &recorder->input;
    if (input->keys != last->keys || input->aim_x != last->aim_x || input->aim_y != last->aim_y) {
        write_held(recorder);
        recorder->input = *input;
    }
    recorder->steps++;
}

void recorder_close(arena_recorder *recorder)
{
    if (recorder->file != NULL) {
        write_held(recorder);
        if (fclose(recorder->file) != 0) {
            refuse_file(recorder->path);
        }
    }
}

/* ---- Playing it again ------------------------------------------------------------------------ */

static _Noreturn void refuse_text(const arena_replay *replay)
{
    fail("%s:%" PRIu32 ":%" PRIu32 ": %s", replay->path, replay->error.line, replay->error.column,
         replay->error.message);
}

static void check_text(const arena_replay *replay, kith_result result)
{
    if (result != KITH_OK) {
        refuse_text(replay);
    }
}

/* The value of a line that begins with the type's name. */
static const char *read_line(arena_replay *replay, const kith_type *type, void *value)
{
    const char *start = replay->reader.token.start;
    if (!kith_token_is(&replay->reader, type->name)) {
        kith_read_expected(&replay->reader, "\"%s\"", type->name);
        refuse_text(replay);
    }
    check_text(replay, kith_read_token(&replay->reader));
    if (!kith_token_is(&replay->reader, "{")) {
        kith_read_expected(&replay->reader, "\"{\" after \"%s\"", type->name);
        refuse_text(replay);
    }
    check_text(replay, kith_read_value(&replay->reader, type, value));
    return start;
}

static uint32_t read_keys(arena_replay *replay, const char *start, const Held *held)
{
    uint32_t keys = 0;
    for (size_t i = 0; i < sizeof(held->keys) && held->keys[i] != '\0'; i++) {
        const char *letter = strchr(letters, held->keys[i]);
        if (letter == NULL) {
            kith_read_fail(&replay->reader, start, "expected keys of the letters %s, found '%c'",
                           letters, held->keys[i]);
            refuse_text(replay);
        }
        keys |= 1u << (letter - letters);
    }
    return keys;
}

static bool read_held(arena_replay *replay)
{
    if (replay->reader.token.kind == KITH_TOKEN_END) {
        return false;
    }
    Held held = {0};
    const char *start = read_line(replay, &Held_type, &held);
    replay->left = held.steps;
    replay->input = (Input){read_keys(replay, start, &held), held.aim_x, held.aim_y};
    return true;
}

static void read_head(arena_replay *replay)
{
    replay->reader =
        (kith_reader){.text = replay->text, .length = replay->size, .error = &replay->error};
    check_text(replay, kith_read_token(&replay->reader));
    const char *start = read_line(replay, &Recording_type, &replay->head);
    replay->head.level[sizeof(replay->head.level) - 1] = '\0';
    if (replay->head.version != RECORDING_VERSION) {
        kith_read_fail(&replay->reader, start, "expected version %d, found %" PRIu32,
                       RECORDING_VERSION, replay->head.version);
        refuse_text(replay);
    }
    if (replay->head.wave < 1 || replay->head.wave > LAST_WAVE) {
        kith_read_fail(&replay->reader, start, "expected a wave from 1 to %d, found %" PRIu32,
                       LAST_WAVE, replay->head.wave);
        refuse_text(replay);
    }
}

static void read_file(arena_replay *replay, const char *path)
{
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        refuse_file(path);
    }
    for (size_t got = 1; got > 0; replay->size += got) {
        char *larger = realloc(replay->text, replay->size + 65536);
        if (larger == NULL) {
            refuse_file(path);
        }
        replay->text = larger;
        got = fread(replay->text + replay->size, 1, 65536, file);
        if (memchr(replay->text + replay->size, '\0', got) != NULL) {
            fail("%s: expected text, found a byte that is zero", path); /* /dev/zero never ends */
        }
    }
    if (ferror(file)) {
        refuse_file(path);
    }
    fclose(file);
}

void replay_open(arena_replay *replay, const char *path)
{
    *replay = (arena_replay){.path = path};
    read_file(replay, path);
    read_head(replay);
    while (read_held(replay)) {
    }
    read_head(replay); /* there is no mistake in it: from the start, then */
    replay->left = 0;
}

void replay_check_start(arena_replay *replay, uint64_t start)
{
    if (replay->head.start != start) {
        kith_read_fail(&replay->reader, replay->text,
                       "expected a recording of this version of the game and of level \"%s\"",
                       replay->head.level);
        refuse_text(replay);
    }
}

bool replay_next(arena_replay *replay, Input *input)
{
    while (replay->left == 0) {
        if (!read_held(replay)) {
            return false;
        }
    }
    replay->left--;
    *input = replay->input;
    return true;
}

void replay_close(arena_replay *replay)
{
    free(replay->text);
}
