#include <kith/floats.h>

#include "arena/hud.h"

#include <inttypes.h>
#include <kith/hierarchy.h>
#include <stdio.h>
#include <string.h>

#include "arena/panel.h"
#include "arena/picture.h"
#include "support/must.h"

#define INK KITH_RGB | 0xd6deeb
#define FAINT KITH_RGB | 0x7a8296
#define BACK KITH_RGB | 0x181a24

static const kith_terminal_style ink = {.fg = INK, .bg = BACK};
static const kith_terminal_style faint = {.fg = FAINT, .bg = BACK};

/* ---- The first rows and the last one -------------------------------------------------------------- */

static const Health *player_health(const arena_view *view, float *bonus)
{
    const Health *health = NULL;
    kith_iter it = kith_query_iter(view->players);
    while (kith_next(&it)) {
        health = KITH_AT(&it, 0, Health);
        *bonus = KITH_AT(&it, 0, Gun)->bonus;
    }
    must(NULL, it.result);
    return health;
}

/* Of several ways to say it, from long to short, the first that fits; the last if none does. */
static const char *fitting(const char *const *ways, int count, int columns)
{
    int i = 0;
    while (i + 1 < count && kith_screen_text_width(ways[i]) > columns) {
        i++;
    }
    return ways[i];
}

static void draw_right(kith_screen *screen, int row, const char *text, kith_terminal_style style)
{
    kith_screen_text(screen, kith_screen_width(screen) - 1 - kith_screen_text_width(text), row,
                     text, style);
}

/* The health, and the bonus while there is one, in so many columns. */
static void draw_health(kith_screen *screen, const Health *health, float bonus, int columns)
{
    const float part = health != NULL ? (float)health->current / (float)health->max : 0;
    char triple[24] = "";
    if (bonus > 0) {
        snprintf(triple, sizeof(triple), columns < 40 ? " x3" : "  triple %.0f s", (double)bonus);
    }
    int bar = columns - 8 - kith_screen_text_width(triple);
    bar = bar > 16 ? 16 : bar;
    kith_screen_text(screen, 1, 0, "♥",
                     (kith_terminal_style){.fg = KITH_RGB | 0xff5c57, .bg = BACK});
    kith_screen_bar(screen, 3, 0, bar, part, picture_health_style(part));
    kith_screen_print(screen, 3 + bar, 0, ink, " %3" PRId32, health != NULL ? health->current : 0);
    kith_screen_text(screen, 7 + bar, 0, triple,
                     (kith_terminal_style){KITH_RGB | 0xffd866, BACK, KITH_BOLD});
}

static void draw_score(kith_screen *screen, const arena_view *view)
{
    const Game *game = KITH_RESOURCE(view->arena->world, Game);
    const int width = kith_screen_width(screen);
    float bonus = 0;
    const Health *health = player_health(view, &bonus);
    char text[3][80];
    snprintf(text[0], sizeof(text[0]), "score %06" PRIu32 "   wave %" PRIu32 "   enemies %" PRIu32,
             game->score, game->wave, game->enemies);
    snprintf(text[1], sizeof(text[1]), "%06" PRIu32 "  wave %" PRIu32, game->score, game->wave);
    snprintf(text[2], sizeof(text[2]), "%06" PRIu32 " w%" PRIu32, game->score, game->wave);
    const char *score = fitting((const char *const[]){text[0], text[1], text[2]}, 3, width / 2);
    kith_screen_fill(screen, (kith_screen_rect){0, 0, width, 1}, ' ', ink);
    draw_health(screen, health, bonus, width - 2 - kith_screen_text_width(score));
    draw_right(screen, 0, score, (kith_terminal_style){INK, BACK, KITH_BOLD});
}

enum { BOSS_BAR = 20, BOSS_TURRETS = 6 };

/* A mark for each turret that a boss has left. */
static void draw_turrets(kith_screen *screen, int x, const kith_world *world, kith_entity boss)
{
    int count = 0;
    for (kith_entity e = kith_descendant_next(world, boss, boss);
         !kith_is_none(e) && count < BOSS_TURRETS; e = kith_descendant_next(world, boss, e)) {
        kith_screen_put(screen, x + count++, 1, 0x25C6,
                        (kith_terminal_style){.fg = KITH_RGB | 0xffb347, .bg = BACK});
    }
}

/* What a boss is called, how it is, and its turrets: in the second row, if they fit. */
static void draw_boss(kith_screen *screen, const arena_view *view)
{
    const kith_world *world = view->arena->world;
    const kith_entity self = kith_query_first(view->bosses);
    const Boss *boss = KITH_GET(world, self, Boss);
    const Health *health = KITH_GET(world, self, Health);
    if (boss == NULL || health == NULL) {
        return;
    }
    char name[sizeof(boss->name) + 1] = {0}; /* a text that fills its field has no zero */
    memcpy(name, boss->name, sizeof(boss->name));
    const float part = (float)health->current / (float)health->max;
    const int bar = 2 + kith_screen_text_width(name);
    const int turrets = bar + BOSS_BAR + 1;
    const int columns = turrets + BOSS_TURRETS + 1;
    const int x = (kith_screen_width(screen) - columns) / 2;
    if (x >= 0) {
        kith_screen_fill(screen, (kith_screen_rect){x, 1, columns, 1}, ' ', ink);
        kith_screen_text(screen, x + 1, 1, name,
                         (kith_terminal_style){KITH_RGB | 0xb48cff, BACK, KITH_BOLD});
        kith_screen_bar(screen, x + bar, 1, BOSS_BAR, part, picture_health_style(part));
        draw_turrets(screen, x + turrets, world, self);
    }
}

/* What is to be read at the left of the last row. */
static const char *hint(const arena_view *view, const hud_state *state, int width, char notice[64])
{
    static const char *const hints[] = {"? help   space shoot   p pause   o engine   q quit",
                                        "? help   q quit"};
    static const char *const paused[] = {"Paused   p go on   . one step", "Paused   p go on"};
    if (state->paused) {
        return fitting(paused, 2, width - 2);
    }
    if (state->back) {
        snprintf(notice, 64, "Back in time   %.1f s left", (double)state->left);
        return notice;
    }
    if (view->notice_seconds > 0) {
        memcpy(notice, view->notice, sizeof(view->notice));
        return notice;
    }
    return state->live ? fitting(hints, 2, width - 28) : "";
}

static void draw_hints(kith_screen *screen, const arena_view *view, const hud_state *state)
{
    const int width = kith_screen_width(screen);
    const int row = kith_screen_height(screen) - 1;
    const Game *game = KITH_RESOURCE(view->arena->world, Game);
    char notice[64] = {0}; /* longer than the view's: a text that fills its field has no zero */
    const char *left = hint(view, state, width, notice);
    const bool loud = state->paused || notice[0] != '\0';
    const char *mode = state->self && state->slow ? "self slow "
                       : state->self              ? "self "
                       : state->slow              ? "slow "
                                                  : "";
    char best[48];
    snprintf(best, sizeof(best), "%sbest %06" PRIu32, mode, game->best);
    kith_screen_fill(screen, (kith_screen_rect){0, row, width, 1}, ' ', faint);
    draw_right(
        screen, row,
        fitting((const char *const[]){best, mode, ""}, 3, width - 4 - kith_screen_text_width(left)),
        faint);
    kith_screen_text(screen, 1, row, left,
                     loud ? (kith_terminal_style){INK, BACK, KITH_BOLD} : faint);
}

/* ---- In the middle --------------------------------------------------------------------------- */

#define GOAL "Enemies come out of their nests, wave after wave. Shoot them before they get you."

static const panel_line intro_lines[] = {
    {NULL, "The arena"},
    {NULL, ""},
    {NULL, GOAL},
    {NULL, ""},
    {"arrows, WASD", "fly"},
    {"space", "shoot"},
    {"?", "all keys"},
    {NULL, ""},
    {NULL, "Press a key to begin."},
};

static const panel_line short_intro_lines[] = {
    {NULL, "The arena"}, {NULL, "Shoot what comes for you."}, {"arrows, WASD", "fly"},
    {"space", "shoot"},  {NULL, "Press a key to begin."},
};

static const panel_line help_lines[] = {
    {NULL, "The arena"},
    {NULL, GOAL},
    {NULL, ""},
    {"arrows, WASD", "fly"},
    {"space", "shoot what is ahead; shots fall"},
    {"mouse button", "shoot where it points"},
    {"p, Enter", "pause"},
    {".", "one step"},
    {"t", "slow motion"},
    {"z", "hold it: back in time"},
    {"m", "a thousand moths more"},
    {"o", "what the engine does"},
    {"b", "let it play itself"},
    {"r", "again, when it is over"},
    {"q", "quit"},
    {NULL, ""},
    {"[+]", "heals you"},
    {"[3]", "three shots at once, for a while"},
    {"◆ at the edge", "an enemy, in that direction"},
    {"moths", "harmless dots: catch them for points"},
};

static const panel_line idle_lines[] = {
    {NULL, "Paused"},
    {NULL, "You have not touched a key for a while."},
    {NULL, "Press one to go on."},
};

static const panel_line ended_lines[] = {
    {NULL, "The recording ends here."},
    {"q", "quit"},
};

#define PANEL(lines) ((panel){(lines), (int)(sizeof(lines) / sizeof((lines)[0]))})

static void draw_over(kith_screen *screen, const Game *game)
{
    char score[64];
    const bool best = game->score == game->best && game->score > 0;
    snprintf(score, sizeof(score), "%" PRIu32 " points, wave %" PRIu32, game->score, game->wave);
    const panel_line lines[] = {
        {NULL, "Game over"},
        {NULL, score},
        {NULL, best ? "your best" : ""},
        {NULL, "r  again      q  quit"},
    };
    panel_draw(screen, &PANEL(lines), 1);
}

static void draw_intro(kith_screen *screen)
{
    bool fits = panel_pages(screen, &PANEL(intro_lines)) == 1;
    panel_draw(screen, fits ? &PANEL(intro_lines) : &PANEL(short_intro_lines), 1);
}

int hud_help_pages(const kith_screen *screen)
{
    return panel_pages(screen, &PANEL(help_lines));
}

void hud_draw(kith_screen *screen, const arena_view *view, const hud_state *state)
{
    const Game *game = KITH_RESOURCE(view->arena->world, Game);
    draw_score(screen, view);
    draw_boss(screen, view);
    draw_hints(screen, view, state);
    if (state->help > 0) {
        panel_draw(screen, &PANEL(help_lines), state->help);
    } else if (state->intro) {
        draw_intro(screen);
    } else if (state->ended) {
        panel_draw(screen, &PANEL(ended_lines), 1);
    } else if (state->idle) {
        panel_draw(screen, &PANEL(idle_lines), 1);
    } else if (game->over) {
        draw_over(screen, game);
    }
}
