/* What the engine does, in numbers and bars: from kith_memory, <kith/profile.h>, and the loop. */
#include <kith/floats.h>

#include <inttypes.h>
#include <kith/profile.h>

#include "arena/hud.h"

#define INK KITH_RGB | 0xd6deeb
#define FAINT KITH_RGB | 0x7a8296
#define BACK KITH_RGB | 0x141620
#define BAR KITH_RGB | 0x61afef
#define TROUGH KITH_RGB | 0x262a38

enum { WIDTH = 44, NAME = 12 };

static const kith_terminal_style ink = {.fg = INK, .bg = BACK};
static const kith_terminal_style faint = {.fg = FAINT, .bg = BACK};

static int draw_world(kith_screen *screen, int x, int y, const kith_world *world)
{
    kith_memory_stats memory = kith_memory(world);
    kith_screen_print(screen, x, y++, ink, "entities %8" PRIu32 "   tables %4" PRIu32,
                      memory.entities, memory.tables);
    kith_screen_print(screen, x, y++, ink, "memory   %8.1f MiB  in %zu pieces",
                      (double)memory.used / 1048576, memory.allocations);
    kith_screen_print(screen, x, y++, faint, "commands %8.1f MiB  tick %" PRIu64,
                      (double)memory.commands / 1048576, kith_tick_count(world));
    return y;
}

static int draw_loop(kith_screen *screen, int x, int y, const kith_terminal *term,
                     const kith_loop *loop)
{
    float frames[KITH_LOOP_HISTORY];
    kith_loop_stats stats = kith_loop_statistics(loop);
    kith_terminal_stats sent = kith_terminal_statistics(term);
    size_t count = loop->frame > KITH_LOOP_HISTORY ? KITH_LOOP_HISTORY : (size_t)(loop->frame - 1);
    for (size_t i = 0; i < count; i++) {
        size_t oldest = (size_t)(loop->frame - 1 - count);
        frames[i] = (float)loop->history[(oldest + i) % KITH_LOOP_HISTORY];
    }
    double mean = (double)stats.mean_ns / 1e6;
    kith_screen_print(screen, x, y++, ink, "frames   %8.1f ms   longest %.1f ms", mean,
                      (double)stats.longest_ns / 1e6);
    kith_screen_print(screen, x, y++, ink, "work     %8.1f ms   %" PRIu32 " bytes sent",
                      (double)stats.busy_ns / 1e6, sent.last_bytes);
    kith_screen_print(screen, x, y++, faint, "dropped  %8.1f s    %" PRIu64 " frames unsent",
                      (double)stats.dropped_ns / 1e9, sent.dropped);
    kith_screen_spark(screen, x, y++, WIDTH - 4, frames, count, 0,
                      (kith_terminal_style){.fg = BAR, .bg = BACK});
    return y;
}

/* What a system took in the last step that it was in; 0 if there was none. */
static double seconds_of(const kith_world *world, const char *name)
{
    kith_system_stats stats;
    bool ran = kith_profile_system(world, name, &stats) == KITH_OK && stats.runs > 0;
    return ran ? stats.elapsed + stats.apply : 0;
}

/* The longest bar is that of the slowest system, or of a millisecond. Where there is no room for all
 * systems, those that took next to nothing are left out. */
static void draw_systems(kith_screen *screen, int x, int y, int bottom, const kith_world *world)
{
    const char *name;
    double all = 0;
    double slowest = 0.001;
    int count = 0;
    for (uint32_t i = 0; (name = kith_system_at(world, i, NULL, NULL)) != NULL; i++) {
        double seconds = seconds_of(world, name);
        all += seconds;
        slowest = seconds > slowest ? seconds : slowest;
        count++;
    }
    const double least = y + count < bottom ? 0 : 0.000002;
    kith_screen_print(screen, x, y++, ink, "a step   %8.2f ms   of %.1f", all * 1e3,
                      1e3 / STEPS_PER_SECOND);
    for (uint32_t i = 0; (name = kith_system_at(world, i, NULL, NULL)) != NULL; i++) {
        double seconds = seconds_of(world, name);
        if (seconds < least) {
            continue;
        }
        kith_screen_print(screen, x, y, ink, "%-*s", NAME, name);
        kith_screen_bar(screen, x + NAME, y, WIDTH - NAME - 14, (float)(seconds / slowest),
                        (kith_terminal_style){.fg = BAR, .bg = TROUGH});
        kith_screen_print(screen, x + WIDTH - 13, y++, ink, "%6.3f ms", seconds * 1e3);
    }
}

void overlay_draw(kith_screen *screen, const kith_world *world, const kith_terminal *term,
                  const kith_loop *loop)
{
    const int right = kith_screen_width(screen) - WIDTH - 1;
    const int left = right > 0 ? right : 0;
    const int height = kith_screen_height(screen) - 3;
    const kith_screen_rect box = {left, 1, WIDTH, height > 33 ? 33 : height};
    kith_screen_fill(screen, box, ' ', ink);
    kith_screen_rect before = kith_screen_clip(screen, box);
    int y = draw_world(screen, left + 2, 2, world);
    y = draw_loop(screen, left + 2, y + 1, term, loop);
    draw_systems(screen, left + 2, y + 1, box.y + box.height, world);
    kith_screen_clip(screen, before);
}
