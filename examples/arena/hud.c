#include <kith/floats.h>

#include "arena/hud.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "arena/picture.h"
#include "support/must.h"

#define INK KITH_RGB(214, 222, 235)
#define FAINT KITH_RGB(122, 130, 150)
#define BACK KITH_RGB(24, 26, 36)

static const kith_term_style ink = {.fg = INK, .bg = BACK};
static const kith_term_style faint = {.fg = FAINT, .bg = BACK};

/* ---- The first and the last row -------------------------------------------------------------- */

static const Health *player_health(const arena_view *view, float *bonus)
{
    const Health *health = NULL;
    kith_iter it = kith_query_iter(view->players);
    while (kith_next(&it)) {
        health = KITH_AT(&it, 0, 0, Health);
        *bonus = KITH_AT(&it, 1, 0, Gun)->bonus;
    }
    must(NULL, it.result);
    return health;
}

static void draw_score(kith_screen *screen, const arena_view *view)
{
    const Game *game = KITH_RESOURCE(view->arena->world, Game);
    const int width = kith_screen_width(screen);
    float bonus = 0;
    const Health *health = player_health(view, &bonus);
    const float part = health != NULL ? (float)health->current / (float)health->max : 0;
    kith_screen_fill(screen, (kith_screen_rect){0, 0, width, 1}, ' ', ink);
    kith_screen_text(screen, 1, 0, "♥", (kith_term_style){.fg = KITH_RGB(255, 92, 87), .bg = BACK});
    kith_screen_bar(screen, 3, 0, 16, part, picture_health_style(part));
    kith_screen_print(screen, 20, 0, ink, "%3" PRId32, health != NULL ? health->current : 0);
    if (bonus > 0) {
        const kith_term_style gold = {KITH_RGB(255, 216, 102), BACK, KITH_BOLD};
        kith_screen_print(screen, 25, 0, gold, "triple %.0f s", (double)bonus);
    }
    const char *format = width < 70 ? "%06" PRIu32 "  wave %" PRIu32
                                    : "score %06" PRIu32 "   wave %" PRIu32 "   enemies %" PRIu32;
    char text[80];
    snprintf(text, sizeof(text), format, game->score, game->wave, game->enemies);
    kith_screen_text(screen, width - 1 - kith_screen_text_width(text), 0, text,
                     (kith_term_style){INK, BACK, KITH_BOLD});
}

static void draw_hints(kith_screen *screen, const arena_view *view, const hud_state *state)
{
    const int width = kith_screen_width(screen);
    const int row = kith_screen_height(screen) - 1;
    const Game *game = KITH_RESOURCE(view->arena->world, Game);
    kith_screen_fill(screen, (kith_screen_rect){0, row, width, 1}, ' ', faint);
    if (state->paused) {
        kith_screen_text(screen, 1, row, "Paused   p go on   . one step",
                         (kith_term_style){INK, BACK, KITH_BOLD});
    } else if (view->notice_seconds > 0) {
        char text[sizeof(view->notice) + 1] = {0};
        memcpy(text, view->notice, sizeof(view->notice));
        kith_screen_text(screen, 1, row, text, (kith_term_style){INK, BACK, KITH_BOLD});
    } else if (state->live) {
        kith_screen_text(screen, 1, row,
                         width < 80 ? "? help   q quit"
                                    : "? help   space shoot   p pause   o engine   q quit",
                         faint);
    }
    char text[80];
    snprintf(text, sizeof(text), "%s%s best %06" PRIu32, state->self ? "self " : "",
             state->slow ? "slow " : "", game->best);
    kith_screen_text(screen, width - 1 - kith_screen_text_width(text), row, text, faint);
}

/* ---- In the middle --------------------------------------------------------------------------- */

static void draw_lines(kith_screen *screen, const char *const *lines, int count)
{
    int wide = 0;
    for (int i = 0; i < count; i++) {
        int columns = kith_screen_text_width(lines[i]);
        wide = columns > wide ? columns : wide;
    }
    const kith_screen_rect box = {(kith_screen_width(screen) - wide) / 2 - 3,
                                  (kith_screen_height(screen) - count) / 2 - 1, wide + 6,
                                  count + 2};
    kith_screen_fill(screen, box, ' ', ink);
    kith_screen_box(screen, box, KITH_BORDER_ROUND, faint);
    for (int i = 0; i < count; i++) {
        kith_screen_text(screen, box.x + 3, box.y + 1 + i, lines[i],
                         i == 0 ? (kith_term_style){INK, BACK, KITH_BOLD} : ink);
    }
}

static void draw_help(kith_screen *screen)
{
    static const char *const lines[] = {
        "The arena",
        "",
        "arrows, WASD   fly",
        "space          shoot what is ahead; shots fall",
        "mouse button   shoot where it points",
        "p, Enter       pause",
        ".              one step",
        "t              slow motion",
        "m              a thousand moths more",
        "o              what the engine does",
        "b              let it play itself",
        "r              again, when it is over",
        "q              quit",
    };
    draw_lines(screen, lines, sizeof(lines) / sizeof(lines[0]));
}

static void draw_over(kith_screen *screen, const Game *game)
{
    char score[64];
    snprintf(score, sizeof(score), "%" PRIu32 " points, wave %" PRIu32, game->score, game->wave);
    const char *const lines[] = {
        "Game over",
        score,
        game->score == game->best && game->score > 0 ? "your best" : "",
        "r  again      q  quit",
    };
    draw_lines(screen, lines, sizeof(lines) / sizeof(lines[0]));
}

void hud_draw(kith_screen *screen, const arena_view *view, const hud_state *state)
{
    const Game *game = KITH_RESOURCE(view->arena->world, Game);
    static const char *const ended[] = {"The recording ends here.", "q  quit"};
    draw_score(screen, view);
    draw_hints(screen, view, state);
    if (state->help) {
        draw_help(screen);
    } else if (state->ended) {
        draw_lines(screen, ended, 2);
    } else if (game->over) {
        draw_over(screen, game);
    }
}
