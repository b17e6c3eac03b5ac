/* arena: a game on the terminal, of three kits; --help tells all */

/* Where to begin reading: components.h has what things are made of, systems.h in which order what is
 * done to them, and things.kith their numbers. Each system is in a file with what it belongs to;
 * world.c puts them together. The rest is around the world: play.c has the loop, pilot.c the player,
 * ahead.c one who looks ahead, view.c and hud.c what is to be seen. */

#include "arena/options.h"
#include "arena/play.h"

int main(int argc, char **argv)
{
    (void)argc;
    const arena_options options = options_read(argv);
    play(&options);
    return 0;
}
