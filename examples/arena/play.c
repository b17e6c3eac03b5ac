#include <kith/floats.h>

#include "arena/play.h"

#include <errno.h>
#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arena/ahead.h"
#include "arena/console.h"
#include "arena/hud.h"
#include "arena/pilot.h"
#include "arena/recording.h"
#include "support/must.h"
#include "support/rollback.h"
#include "support/terminal.h"
#include "support/timeline.h"

enum { USUAL_STEPS = 900, IDLE_STEPS = 6 * STEPS_PER_SECOND, BACK_STEPS = 30 * STEPS_PER_SECOND };

typedef struct session {
    const arena_options *options;
    arena_world arena;
    arena_view view;
    arena_pilot pilot;
    arena_ahead ahead;
    kith_terminal *term;
    kith_loop loop;
    FILE *cast;
    arena_recorder recorder;
    arena_replay replay;
    timeline *line;   /* plays the steps */
    rollback *rolled; /* plays them with --sync-test */
    hud_state hud;
    kith_input_event mouse; /* the last one */
    Recording head;         /* what the game began with */
    uint32_t idle_steps;    /* since the player did something */
    uint32_t moths_to_come; /* in thousands */
    uint64_t steps;         /* to play; 0: until something ends it */
    uint64_t played;
} session;

/* ---- Beginning ------------------------------------------------------------------------------- */

static void play_step(const void *input, void *context)
{
    arena_step(context, input);
}

/* Nobody goes back in a game that plays itself without a terminal. */
static void open_history(session *s)
{
    const arena_options *options = s->options;
    bool back = options->back == 0 && (!options->headless || options->replay != NULL);
    s->rolled = rollback_new(&(rollback_def){.world = s->arena.world,
                                             .ticks = options->back,
                                             .workers = options->workers,
                                             .input_size = sizeof(Input),
                                             .play = play_step,
                                             .context = &s->arena});
    s->line = timeline_new(&(timeline_def){.world = s->arena.world,
                                           .ticks = back ? BACK_STEPS : 0,
                                           .input_size = sizeof(Input),
                                           .own = &s->view.seen,
                                           .own_size = sizeof(s->view.seen),
                                           .play = play_step,
                                           .context = &s->arena});
}

/* The game, as the options or a recording say. What is wrong with files is told here, while the
 * terminal is still as it was. */
static void open_game(session *s)
{
    const arena_options *options = s->options;
    char path[LEVEL_PATH];
    Recording head = {.version = RECORDING_VERSION,
                      .seed = options->seed,
                      .wave = options->wave > 0 ? options->wave : 1};
    if (!options->seeded && !options->headless) {
        head.seed = (uint64_t)time(NULL);
    }
    snprintf(head.level, sizeof(head.level), "%s", options->level); /* it fits: see options.h */
    if (options->replay != NULL) {
        replay_open(&s->replay, options->replay);
        head = s->replay.head;
    }
    arena_open(&s->arena, &(arena_def){.level = options_level_path(head.level, path),
                                       .seed = head.seed,
                                       .wave = head.wave,
                                       .workers = options->workers});
    head.start = kith_world_hash(s->arena.world);
    if (options->replay != NULL) {
        replay_check_start(&s->replay, head.start);
    }
    if (options->record != NULL) {
        recorder_open(&s->recorder, options->record, &head);
    }
    pilot_open(&s->pilot, &s->arena);
    view_open(&s->view, &s->arena);
    open_history(s);
    s->head = head;
}

static void close_terminal(void *context)
{
    session *s = context;
    kith_terminal_close(s->term);
    s->term = NULL;
}

static void open_terminal(session *s)
{
    const arena_options *options = s->options;
    kith_result result =
        kith_terminal_open(&(kith_terminal_def){.output = options->headless ? KITH_TERMINAL_HEADLESS
                                                                            : KITH_TERMINAL_LIVE,
                                                .width = (int)options->width,
                                                .height = (int)options->height,
                                                .title = "The arena",
                                                .mouse = true},
                           &s->term);
    if (result == KITH_ERR_ABSENT) {
        const char *name = getenv("TERM");
        const bool named = name != NULL && *name != '\0';
        fail("the game cannot be shown on this terminal, as TERM is %s.\n"
             "Set TERM to what it is, such as xterm-256color; or let it play itself: --headless",
             named ? name : "not set");
    }
    must(NULL, result);
    fail_calls(close_terminal, s);
    if (options->cast != NULL) {
        s->cast = fopen(options->cast, "w");
        if (s->cast == NULL || kith_terminal_record(s->term, s->cast) != KITH_OK) {
            fail("%s: %s", options->cast, strerror(errno));
        }
    }
}

/* In memory a frame is a step: that many are played. */
static void start_loop(session *s)
{
    const arena_options *options = s->options;
    bool usual = options->frames == 0 && options->replay == NULL;
    if (options->headless) {
        s->steps = usual ? USUAL_STEPS : options->frames;
    }
    must(NULL, kith_loop_start(&s->loop,
                               &(kith_loop_def){.steps = STEPS_PER_SECOND,
                                                .rate = options->headless ? STEPS_PER_SECOND : 60,
                                                .frames = options->headless ? 0 : options->frames,
                                                .clock = kith_terminal_clock(s->term)}));
}

/* ---- Keys that are not the player's but the loop's ------------------------------------------- */

static void set_overlay(session *s, bool on)
{
    s->hud.overlay = on;
    if (on) {
        must(s->arena.world, kith_profile_start(s->arena.world, 0));
    } else {
        kith_profile_stop(s->arena.world);
    }
}

/* The player's keys are those that are held: see pilot_read_keys. */
static uint32_t bit_of_key(uint32_t key)
{
    switch (key) {
    case KITH_KEY_UP:
    case 'w': return INPUT_UP;
    case KITH_KEY_DOWN:
    case 's': return INPUT_DOWN;
    case KITH_KEY_LEFT:
    case 'a': return INPUT_LEFT;
    case KITH_KEY_RIGHT:
    case 'd': return INPUT_RIGHT;
    case KITH_KEY_SPACE: return INPUT_FIRE;
    case 'm': return INPUT_MOTHS;
    case 'r': return INPUT_AGAIN;
    default: return 0;
    }
}

static void press(session *s, uint32_t key, uint32_t character)
{
    switch (character == '?' ? '?' : key) {
    case 'q': kith_loop_stop(&s->loop); break;
    case '?':
        s->hud.help =
            s->hud.help < hud_help_pages(kith_terminal_screen(s->term)) ? s->hud.help + 1 : 0;
        break;
    case KITH_KEY_ESCAPE: s->hud.help = 0; break;
    case 'o': set_overlay(s, !s->hud.overlay); break;
    case 't': s->hud.slow = !s->hud.slow; break;
    case 'b': s->hud.self = !s->hud.self; break;
    case 'p':
    case KITH_KEY_ENTER: s->hud.paused = !s->hud.paused; break;
    case '.':
        s->hud.paused = true;
        s->loop.paused = true;
        kith_loop_single_step(&s->loop);
        break;
    default: break;
    }
}

/* The key that begins the game, or goes on with one that waited for a key, does not pause it again. */
static bool begins(session *s, uint32_t key)
{
    bool waited = s->hud.intro || s->hud.idle;
    bool own = key == 'q' || key == '?' || key == 'o' || key == 't' || key == 'b' || key == 'm';
    s->hud.intro = s->hud.idle = false;
    s->idle_steps = 0;
    return waited && !own;
}

static void take_key(session *s, const kith_input_event *event)
{
    bool again = event->action == KITH_ACTION_REPEAT && (event->key == '.' || event->key == 'm');
    if ((event->action != KITH_ACTION_PRESS && !again) || begins(s, event->key)) {
        return;
    }
    press(s, event->key, event->character);
    bool steers = !s->loop.paused && !s->hud.self;
    s->pilot.pressed |= bit_of_key(event->key) & (steers ? UINT32_MAX : INPUT_MOTHS | INPUT_AGAIN);
}

static void take_mouse(session *s, const kith_input_event *event)
{
    s->mouse = *event;
    if (event->action == KITH_ACTION_PRESS && !begins(s, event->key) &&
        event->key == KITH_MOUSE_LEFT && !s->loop.paused && !s->hud.self) {
        s->pilot.pressed |= INPUT_FIRE;
        s->pilot.clicked = true;
    }
}

static bool is_paused(const session *s)
{
    return s->hud.paused || s->hud.help > 0 || s->hud.ended || s->hud.intro || s->hud.idle;
}

static void take_events(session *s)
{
    for (kith_input_event event; kith_terminal_next_event(s->term, &event);) {
        if (event.kind == KITH_INPUT_KEY) {
            take_key(s, &event);
        } else if (event.kind == KITH_INPUT_MOUSE) {
            take_mouse(s, &event);
        } else if (event.kind == KITH_INPUT_CLOSED) {
            kith_loop_stop(&s->loop);
        }
    }
    s->loop.paused = is_paused(s);
    s->loop.speed = s->hud.slow ? 0.25f : 1;
}

/* ---- Steps and frames ------------------------------------------------------------------------ */

/* What is done in the next step; false at the end of a recording. */
static bool next_input(session *s, Input *input)
{
    if (s->options->replay != NULL) {
        return replay_next(&s->replay, input);
    }
    if (s->moths_to_come > 0) {
        s->moths_to_come--;
        s->pilot.pressed |= INPUT_MOTHS;
    }
    if (!s->options->headless && s->options->back == 0 && kith_terminal_held(s->term, 'z')) {
        s->pilot.pressed = 0;
        *input = (Input){.keys = INPUT_BACK};
        return true;
    }
    bool self = s->hud.self || s->options->headless;
    *input = self ? ahead_think(&s->ahead, &s->pilot)
                  : pilot_read_keys(&s->pilot, s->term, &s->view.camera, &s->mouse);
    return true;
}

/* Who does not steer does not know how yet, or is not there: the game waits, instead of ending. */
static void note_idle(session *s, const Input *input)
{
    const Game *game = KITH_RESOURCE(s->arena.world, Game);
    bool steered = (input->keys & ~(uint32_t)(INPUT_MOTHS | INPUT_AGAIN)) != 0;
    s->idle_steps = s->hud.self || steered || game->over ? 0 : s->idle_steps + 1;
    s->hud.idle = s->hud.live && s->idle_steps >= IDLE_STEPS;
    s->loop.paused = s->loop.paused || s->hud.idle;
}

/* Ahead or back. */
static void play_input(session *s, const Input *input)
{
    s->hud.back = (input->keys & INPUT_BACK) != 0;
    if (s->options->back > 0) {
        if (s->hud.back) {
            fail("the recording goes back in time, which --sync-test cannot");
        }
        rollback_play(s->rolled, input);
    } else if (s->hud.back) {
        timeline_back(s->line);
    } else {
        timeline_play(s->line, input);
    }
    s->hud.left = (float)timeline_length(s->line) / STEPS_PER_SECOND;
}

static void step(session *s)
{
    Input input;
    if (!next_input(s, &input)) {
        s->hud.ended = true;
        return;
    }
    recorder_add(&s->recorder, &input);
    play_input(s, &input);
    s->played++;
    note_idle(s, &input);
    view_step(&s->view, kith_terminal_screen(s->term));
}

static void draw(session *s)
{
    kith_screen *screen = kith_terminal_screen(s->term);
    view_draw(&s->view, screen, s->options->headless ? 1 : s->loop.alpha);
    if (s->hud.overlay) {
        overlay_draw(screen, s->arena.world, s->term, &s->loop);
    }
    hud_draw(screen, &s->view, &s->hud);
    kith_result result = kith_terminal_present(s->term);
    if (result == KITH_ERR_IO && s->cast != NULL) {
        fail("%s: cannot be written", s->options->cast);
    }
    must(NULL, result == KITH_ERR_ABSENT ? KITH_OK : result); /* gone: an event will tell */
}

/* Nobody sees the frames in memory, but for the last, and those that are recorded. */
static bool is_shown(const session *s)
{
    return !s->options->headless || s->cast != NULL;
}

/* A run in memory ends by itself. */
static bool is_over(const session *s)
{
    return s->hud.ended || (s->steps > 0 && s->played == s->steps);
}

static void play_frames(session *s)
{
    while (kith_loop_next_frame(&s->loop)) {
        take_events(s);
        while (!is_over(s) && kith_loop_next_step(&s->loop)) {
            step(s);
        }
        if (is_shown(s)) {
            draw(s);
        }
        if (s->options->headless) {
            console_progress(s->played, is_over(s) ? s->played : s->steps);
            if (is_over(s)) {
                break;
            }
        }
    }
    draw(s);
}

/* ---- Ending ---------------------------------------------------------------------------------- */

static void end(session *s)
{
    const kith_world *world = s->arena.world;
    const Game *game = KITH_RESOURCE(world, Game);
    const Recording *head = &s->head;
    if (s->options->headless) {
        terminal_print(s->term, s->options->ansi ? KITH_FORMAT_ANSI : KITH_FORMAT_TEXT);
    }
    close_terminal(s);
    if (s->cast != NULL && fclose(s->cast) != 0) {
        fail("%s: %s", s->options->cast, strerror(errno));
    }
    recorder_close(&s->recorder);
    printf("step %" PRIu64 ": score %" PRIu32 ", best %" PRIu32 ", wave %" PRIu32 ", %" PRIu32
           " entities\n",
           kith_tick_count(world), game->score, game->best, game->wave, kith_entity_count(world));
    printf("seed %" PRIu64 ", level %s. The same keys end in a world of the same hash,\n"
           "on any machine:\n",
           head->seed, head->level);
    printf("hash 0x%016" PRIx64 "\n", kith_world_hash(world));
    must_print();
    view_close(&s->view);
    replay_close(&s->replay);
    rollback_free(s->rolled);
    timeline_free(s->line);
    arena_close(&s->arena);
}

void play(const arena_options *options)
{
    session s = {.options = options,
                 .moths_to_come = options->moths / 1000,
                 .ahead.steps = options->ahead,
                 .hud = {.self = options->self || options->headless || options->replay != NULL,
                         .live = !options->headless}};
    s.hud.intro = s.hud.live && !s.hud.self;
    open_game(&s);
    open_terminal(&s);
    start_loop(&s);
    play_frames(&s);
    end(&s);
    fail_calls(NULL, NULL);
}
