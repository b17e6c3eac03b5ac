/* What the things of the arena are made of. Where something is, how it moves, collides and gets hurt
 * comes with the game kit; here is what only this game knows.
 *
 * The unit of length is a cell of the map, which is a square: two columns and a row of the screen. */
#ifndef EXAMPLES_ARENA_COMPONENTS_H
#define EXAMPLES_ARENA_COMPONENTS_H

#define KITH_GAME_NAMES
#include <kith/game.h>
#include <kith/kith.h>

/* The bits of a Collider's `layers` and `mask`; the scene files give them as numbers. */
enum {
    LAYER_WALL = 1,
    LAYER_PLAYER = 2,
    LAYER_ENEMY = 4,
    LAYER_SHOT = 8,  /* the player's */
    LAYER_BOLT = 16, /* the enemies' */
    LAYER_GIFT = 32
};

/* ---- Components ------------------------------------------------------------------------------ */

/* Walls stop it. */
typedef struct Solid {
    float bounce; /* the part of its speed that it keeps, backwards */
} Solid;
KITH_TYPE(Solid, KITH_FIELD(Solid, bounce));

/* Where somebody points, and whether the trigger is pulled. Written by the player's input, or by
 * what enemies think. */
typedef struct Aim {
    float x, y; /* of length 1 */
    bool fire;
} Aim;
KITH_TYPE(Aim, KITH_FIELD(Aim, x), KITH_FIELD(Aim, y), KITH_FIELD(Aim, fire), KITH_GAP);

typedef struct Gun {
    char shot[8];  /* the prefab that it shoots */
    float every;   /* seconds between shots */
    float wait;    /* seconds until the next */
    float speed;   /* of a shot */
    float drop;    /* a shot's Gravity */
    float spread;  /* how far shots go astray, as the tangent of the angle */
    uint32_t many; /* shots at once, side by side */
    float bonus;   /* seconds in which there are three times as many */
} Gun;
KITH_TYPE(Gun, KITH_FIELD(Gun, shot), KITH_FIELD(Gun, every), KITH_FIELD(Gun, wait),
          KITH_FIELD(Gun, speed), KITH_FIELD(Gun, drop), KITH_FIELD(Gun, spread),
          KITH_FIELD(Gun, many), KITH_FIELD(Gun, bonus));

typedef struct Enemy {
    uint32_t score;
    float sight; /* as far as it sees the player, if no wall is in the way */
    float keep;  /* and so far from the player it stays */
} Enemy;
KITH_TYPE(Enemy, KITH_FIELD(Enemy, score), KITH_FIELD(Enemy, sight), KITH_FIELD(Enemy, keep));

/* Carries Turrets: its children, or theirs. */
typedef struct Boss {
    char name[16];
    float turn; /* radians in a second, and all that it carries with it */
} Boss;
KITH_TYPE(Boss, KITH_FIELD(Boss, name), KITH_FIELD(Boss, turn));

/* Sits where its Local2 says, and shoots on its own. */
typedef struct Turret {
    uint32_t score;
    float sight; /* as an Enemy's */
    float turn;  /* radians in a second, at most */
} Turret;
KITH_TYPE(Turret, KITH_FIELD(Turret, score), KITH_FIELD(Turret, sight), KITH_FIELD(Turret, turn));

/* On a prefab: waves may have it. */
typedef struct Recruit {
    uint32_t wave;  /* the first that has it */
    uint32_t cost;  /* of what a wave can spend, which is 2 more each time */
    uint32_t every; /* not 0: it is in every third wave, say, and alone of its kind */
} Recruit;
KITH_TYPE(Recruit, KITH_FIELD(Recruit, wave), KITH_FIELD(Recruit, cost),
          KITH_FIELD(Recruit, every));

/* Flies about without a plan, and is eaten by the player. */
typedef struct Moth {
    float speed;
    float reach; /* the distance from which it is eaten */
} Moth;
/* Scenes and hashes know the field as "near", which is a macro on Windows. */
KITH_TYPE(Moth, KITH_FIELD(Moth, speed),
          {"near", (uint32_t)offsetof(Moth, reach), sizeof(float), KITH_F32});

/* What the player gets who touches it, besides what its Damage does (which heals, if negative). */
typedef struct Gift {
    float bonus; /* seconds for Gun.bonus */
} Gift;
KITH_TYPE(Gift, KITH_FIELD(Gift, bonus));

/* A picture from sprites.txt, instead of the Sprite's one character. */
typedef struct Picture {
    char name[12];
} Picture;
KITH_TYPE(Picture, KITH_FIELD(Picture, name));

/* Was hit a moment ago: it flashes, and shows its health. Comes and goes. */
typedef struct Hurt {
    float seconds; /* until that is over */
} Hurt;
KITH_TYPE(Hurt, KITH_FIELD(Hurt, seconds));

/* Flies apart into sparks in the next step, and is gone. */
typedef struct Burst {
    uint32_t sparks;
    uint32_t color; /* as in <kith/terminal.h> */
    float speed;
} Burst;
KITH_TYPE(Burst, KITH_FIELD(Burst, sparks), KITH_FIELD(Burst, color), KITH_FIELD(Burst, speed));

typedef struct Spark {
    uint32_t color;
    float life; /* seconds that it had at first: it fades as its Lifetime goes down */
} Spark;
KITH_TYPE(Spark, KITH_FIELD(Spark, color), KITH_FIELD(Spark, life));

KITH_TAG(Wall);
KITH_TAG(Nest);  /* enemies come out of it */
KITH_TAG(Start); /* the player is here at first */

/* ---- Resources ------------------------------------------------------------------------------- */

enum {
    INPUT_UP = 1,
    INPUT_DOWN = 2,
    INPUT_LEFT = 4,
    INPUT_RIGHT = 8,
    INPUT_FIRE = 16,
    INPUT_MOTHS = 32, /* a thousand more */
    INPUT_AGAIN = 64, /* a new game, once this one is over */
    INPUT_BACK = 128  /* one step back, instead of one ahead; then no other bit counts */
};

/* What the player does in this step. Everything that happens follows from these, the level and the
 * seed: who records them can play it all again. */
typedef struct Input {
    uint32_t keys;        /* the bits above */
    int32_t aim_x, aim_y; /* where to shoot: only the direction counts. 0, 0: ahead */
} Input;
KITH_TYPE(Input, KITH_FIELD(Input, keys), KITH_FIELD(Input, aim_x), KITH_FIELD(Input, aim_y));

enum { LAST_WAVE = 1000 }; /* that a game can begin with */

typedef struct Game {
    uint32_t score, best;
    uint32_t wave;
    uint32_t enemies; /* alive */
    uint32_t moths;   /* likewise */
    float rest;       /* seconds until the next wave, once there are no enemies */
    bool over;
} Game;
KITH_TYPE(Game, KITH_FIELD(Game, score), KITH_FIELD(Game, best), KITH_FIELD(Game, wave),
          KITH_FIELD(Game, enemies), KITH_FIELD(Game, moths), KITH_FIELD(Game, rest),
          KITH_FIELD(Game, over), KITH_GAP);

/* Where the player is: what the others are after. */
typedef struct Target {
    float x, y;
    bool alive;
} Target;
KITH_TYPE(Target, KITH_FIELD(Target, x), KITH_FIELD(Target, y), KITH_FIELD(Target, alive),
          KITH_GAP);

/* ---- Events ---------------------------------------------------------------------------------- */

/* The ground trembles. */
typedef struct Quake {
    float cells, seconds;
} Quake;
KITH_TYPE(Quake, KITH_FIELD(Quake, cells), KITH_FIELD(Quake, seconds));

/* Something that the player should read. */
typedef struct Notice {
    char text[48];
} Notice;
KITH_TYPE(Notice, KITH_FIELD(Notice, text));

#endif
