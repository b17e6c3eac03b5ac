#include "arena/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena/components.h"
#include "arena/console.h"
#include "support/arguments.h"

/* Where the files that come with it are found from anywhere; the build says it. */
#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

static const char help[] =
    "usage: arena [OPTIONS]\n"
    "\n"
    "A game on the terminal. Shoot what comes for you, wave after wave. Shots fall:\n"
    "aim high. Without a terminal it plays itself, and prints the last frame and a\n"
    "hash of the world.\n"
    "\n"
    "  arrows, WASD   fly                      p, Enter   pause\n"
    "  space          shoot what is ahead      .          one step (pauses)\n"
    "  mouse button   shoot where it points    t          slow motion\n"
    "  r              again, when it is over   m          a thousand moths more, up\n"
    "  ?              help                                to 100,000\n"
    "  q              quit                     b          let it play itself, or not\n"
    "  z              hold it: back in time,   o          what the engine does\n"
    "                 up to 30 seconds\n"
    "\n"
    "  --level NAME      cavern or pillars; or the path of a scene file, which has a\n"
    "                    point or a slash in it. See examples/arena/pillars.kith\n"
    "  --seed N          of all that is left to chance; if not given the time,\n"
    "                    headless 1\n"
    "  --workers N       threads that help, up to 63; the game is the same with any\n"
    "                    number\n"
    "  --moths N         release so many moths, in whole thousands, at the start\n"
    "  --wave N          begin with that wave, up to 1000: the third has a boss\n"
    "  --self            it plays itself\n"
    "  --look-ahead N    where it plays itself, it tries ten ways to go in copies of\n"
    "                    the game, N steps ahead, up to 90, and takes the best\n"
    "  --record FILE     write what the player does to a file\n"
    "  --replay FILE     do what such a file says; it has its own seed and level\n"
    "  --headless        play in memory, as fast as can be\n"
    "  --frames N        end after N frames; headless a frame is a step: 900 if not\n"
    "                    given\n"
    "  --sync-test N     after each step go back N steps, up to 1000, and play them\n"
    "                    again, with 0 to 3 workers: the hash has to be the same\n"
    "  --size WxH        of the screen in memory; 100x32 if not given\n"
    "  --ansi            print the last frame with its colours\n"
    "  --cast FILE       write what is shown as an asciinema recording\n";

static void read_size(arguments *args, arena_options *options)
{
    uint32_t width = 0;
    uint32_t height = 0;
    char end;
    const char *text = arguments_value(args);
    if (sscanf(text, "%4ux%4u%c", &width, &height, &end) != 2 || width < 40 || height < 12 ||
        width > 1000 || height > 1000) {
        arguments_refuse(args, "a size from 40x12 to 1000x1000", text);
    }
    options->width = width;
    options->height = height;
}

static bool read_file_option(arguments *args, const char *arg, arena_options *options)
{
    const struct {
        const char *name;
        const char **value;
    } files[] = {{"--level", &options->level},
                 {"--record", &options->record},
                 {"--replay", &options->replay},
                 {"--cast", &options->cast}};
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (strcmp(arg, files[i].name) == 0) {
            *files[i].value = arguments_value(args);
            if (options->level != NULL && strlen(options->level) > LEVEL_MOST) {
                arguments_refuse(args, "up to 251 bytes", options->level);
            }
            return true;
        }
    }
    return false;
}

static bool read_flag(const char *arg, arena_options *options)
{
    const struct {
        const char *name;
        bool *value;
    } flags[] = {
        {"--headless", &options->headless}, {"--self", &options->self}, {"--ansi", &options->ansi}};
    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        if (strcmp(arg, flags[i].name) == 0) {
            return *flags[i].value = true;
        }
    }
    return false;
}

/* A recording has all of a game: what would make it another one is refused, not ignored. */
static void check_replay(const arguments *args, const arena_options *options)
{
    const char *other = options->seeded          ? "--seed"
                        : options->level != NULL ? "--level"
                        : options->moths > 0     ? "--moths"
                        : options->wave > 0      ? "--wave"
                        : options->self          ? "--self"
                        : options->ahead > 0     ? "--look-ahead"
                                                 : NULL;
    if (options->replay != NULL && other != NULL) {
        fprintf(stderr, "%s: expected no %s beside --replay, which has its own; see --help\n",
                args->program, other);
        exit(2);
    }
}

arena_options options_read(char **argv)
{
    arena_options options = {.seed = 1, .width = 100, .height = 32};
    arguments args = arguments_of(argv, "arena", help);
    for (const char *arg; (arg = arguments_next(&args)) != NULL;) {
        if (read_file_option(&args, arg, &options) || read_flag(arg, &options)) {
            continue;
        }
        if (strcmp(arg, "--seed") == 0) {
            options.seed = arguments_count(&args);
            options.seeded = true;
        } else if (strcmp(arg, "--frames") == 0) {
            options.frames = arguments_from(&args, 1, UINT32_MAX);
        } else if (strcmp(arg, "--workers") == 0) {
            options.workers = arguments_from(&args, 0, 63);
        } else if (strcmp(arg, "--wave") == 0) {
            options.wave = arguments_from(&args, 1, LAST_WAVE);
        } else if (strcmp(arg, "--sync-test") == 0) {
            options.back = arguments_from(&args, 1, 1000);
        } else if (strcmp(arg, "--look-ahead") == 0) {
            options.ahead = arguments_from(&args, 1, 90);
        } else if (strcmp(arg, "--moths") == 0) {
            options.moths = arguments_from(&args, 0, 100000);
            if (options.moths % 1000 != 0) {
                arguments_refuse(&args, "whole thousands", args.rest[-1]);
            }
        } else if (strcmp(arg, "--size") == 0) {
            read_size(&args, &options);
        } else {
            arguments_unknown(&args);
        }
    }
    check_replay(&args, &options);
    options.level = options.level != NULL ? options.level : "cavern";
    options.headless = options.headless || !console_is_live();
    return options;
}

const char *options_level_path(const char *level, char path[LEVEL_PATH])
{
    if (strpbrk(level, "./") != NULL) {
        return level;
    }
    snprintf(path, LEVEL_PATH, "%s/arena/%s.kith", EXAMPLES_DIR, level);
    return path;
}
