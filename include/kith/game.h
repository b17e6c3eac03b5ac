/* Kith: the game kit: components that most games have, and the systems that move them, let them
 * collide, and hurt them.
 *
 *     #define KITH_GAME_NAMES         Position for kith_position, and so on
 *     #include <kith/game.h>
 *
 *     kith_game_add_systems(world, KITH_GAME_ALL);
 *     kith_entity ball = KITH_SPAWN(world, KITH_VALUE(Position, {5, 10}),
 *         KITH_VALUE(Velocity, {3, 0}), KITH_VALUE(Collider, {.width = 1, .height = 1}));
 *     kith_run(world, 1.0f / 60);
 *     const Collision *hit;
 *     for (uint32_t i = 0; (hit = KITH_EVENT(world, i, Collision)) != NULL; i++) ...
 *
 * A world, and so a scene, knows the components as Position, Velocity, Gravity, Health, Sprite,
 * Collider, Damage, Lifetime, Timer, Player, Controller and Bounds, and those of
 * <kith/game/transform.h> as Local2, Global2, Local3 and Global3. In C they are called
 * kith_position and so on, so that the header takes no names of yours; with KITH_GAME_NAMES they have
 * both names. A struct of your own that is called Position and has the same fields is the same type.
 *
 * Lengths are in any unit that you like, the same everywhere: cells, say, for the terminal. x grows
 * to the right, and y downwards. Times are in seconds. Any bits are safe as a number: what
 * not-a-number and infinity do is told where it matters.
 *
 * This is a kit: a library of its own, kith::game. Only the world's owner thread makes these calls,
 * except those that take a const kith_grid. */
#ifndef KITH_GAME_H
#define KITH_GAME_H

#include <kith/game/transform.h>
#include <kith/kith.h>

/* ---- Components ------------------------------------------------------------------------------ */

/* Where it is: the middle of its Collider, if it has one. */
typedef struct kith_position {
    float x, y;
} kith_position;
KITH_TYPE_NAMED(kith_position, "Position", KITH_FIELD(kith_position, x),
                KITH_FIELD(kith_position, y));

/* How far it moves in a second. Infinite: its Position becomes infinite, or not a number, in the
 * first tick that takes time. */
typedef struct kith_velocity {
    float dx, dy;
} kith_velocity;
KITH_TYPE_NAMED(kith_velocity, "Velocity", KITH_FIELD(kith_velocity, dx),
                KITH_FIELD(kith_velocity, dy));

/* What a second adds to its dy: it falls. Negative: it rises. */
typedef struct kith_gravity {
    float force;
} kith_gravity;
KITH_TYPE_NAMED(kith_gravity, "Gravity", KITH_FIELD(kith_gravity, force));

typedef struct kith_health {
    int32_t current, max;
} kith_health;
KITH_TYPE_NAMED(kith_health, "Health", KITH_FIELD(kith_health, current),
                KITH_FIELD(kith_health, max));

/* What it looks like, for the program's drawing: no system of this kit reads it. */
typedef struct kith_sprite {
    char glyph[8];       /* UTF-8, up to 7 bytes and a zero */
    uint32_t foreground; /* colours as in <kith/terminal.h>: KITH_RGB | 0xff0000 is 0x01ff0000, */
    uint32_t background; /* KITH_RED 0x02000001, and 0 none */
    int32_t layer;       /* higher ones are drawn over lower ones */
} kith_sprite;
KITH_TYPE_NAMED(kith_sprite, "Sprite", KITH_FIELD(kith_sprite, glyph),
                KITH_FIELD(kith_sprite, foreground), KITH_FIELD(kith_sprite, background),
                KITH_FIELD(kith_sprite, layer));

/* A box around its Position that collides with others: see kith_collision. */
typedef struct kith_collider {
    float width,
        height;      /* of the whole box. 0: a point or a line, which collides with boxes that it
                            is inside of. Negative or not a number: it collides with nothing */
    uint32_t layers; /* what it is, as bits of your own; 0: the first bit */
    uint32_t mask;   /* the layers of those that it meets; 0: all. Two collide if each one's mask
                            has a layer of the other */
    bool swept;      /* its way counts, not only where it is now: for what is fast. The way is the
                            straight line from Position - Velocity * dt to Position */
} kith_collider;
KITH_TYPE_NAMED(kith_collider, "Collider", KITH_FIELD(kith_collider, width),
                KITH_FIELD(kith_collider, height), KITH_FIELD(kith_collider, layers),
                KITH_FIELD(kith_collider, mask), KITH_FIELD(kith_collider, swept),
                KITH_GAP);

/* What it does to the Health of those it collides with: see kith_damage_rules. */
typedef struct kith_damage {
    int32_t amount; /* taken in each tick of a collision; negative: it heals, up to `max` */
    bool once;      /* only in the tick in which the collision begins */
    bool fragile;   /* it ends as soon as it collides with anything, having hurt only that */
} kith_damage;
KITH_TYPE_NAMED(kith_damage, "Damage", KITH_FIELD(kith_damage, amount),
                KITH_FIELD(kith_damage, once), KITH_FIELD(kith_damage, fragile),
                KITH_GAP);

/* How long it has to live. When that is over (or not a number), it is despawned. */
typedef struct kith_lifetime {
    float seconds;
} kith_lifetime;
KITH_TYPE_NAMED(kith_lifetime, "Lifetime", KITH_FIELD(kith_lifetime, seconds));

/* Tells when some time is over, once or again and again. It stays on the entity:
 *     {.remaining = 3}                once, in 3 seconds
 *     {.period = 2}                   every 2 seconds, in 2 seconds for the first time
 *     {.remaining = 0.5, .period = 2} every 2 seconds, in half a second for the first time
 *
 * Your systems look at `finished`. Systems that run after "timer" see it in the tick in which the time
 * is over. "timer" has the priority -100 in the phase "update".
 *
 * It does not drift: what a tick is too long by counts for the next time. A tick that is longer than
 * the period finishes it more than once. */
typedef struct kith_timer {
    double remaining; /* seconds until it finishes. 0 or less: it starts, with `period`; without one
                          it does nothing. Infinite or not a number: it never finishes */
    double period; /* above 0 and finite: it starts again when it finishes, after so many seconds */
    uint32_t finished; /* how often it finished in the last tick; at most 2^32 - 1 */
    bool paused;       /* no time passes for it */
} kith_timer;
KITH_TYPE_NAMED(kith_timer, "Timer", KITH_FIELD(kith_timer, remaining),
                KITH_FIELD(kith_timer, period), KITH_FIELD(kith_timer, finished),
                KITH_FIELD(kith_timer, paused), KITH_GAP);

/* A player's own figure. For your code to find it by: no system of this kit reads it. */
typedef struct kith_player {
    uint32_t number; /* which player's, from 0 */
} kith_player;
KITH_TYPE_NAMED(kith_player, "Player", KITH_FIELD(kith_player, number));

/* What it wants to do: written by the keys, by another machine, or by a system that thinks for it.
 * Its Velocity becomes x, y times `speed`; longer than 1, x, y counts as 1 long. */
typedef struct kith_controller {
    float x, y;       /* where to; 0, 0 or not a number: nowhere */
    float speed;      /* at full length. Infinite or not a number: it does not move */
    uint32_t buttons; /* bits of your own */
} kith_controller;
KITH_TYPE_NAMED(kith_controller, "Controller", KITH_FIELD(kith_controller, x),
                KITH_FIELD(kith_controller, y), KITH_FIELD(kith_controller, speed),
                KITH_FIELD(kith_controller, buttons));

/* What happens at the border. */
typedef enum kith_bounds_rule {
    KITH_BOUNDS_BOUNCE = 0, /* it is reflected, box and all, and its Velocity with it */
    KITH_BOUNDS_WRAP,       /* its Position comes back in on the other side */
    KITH_BOUNDS_CLAMP,      /* it stays inside, box and all */
    KITH_BOUNDS_DESPAWN     /* it is despawned when all of its box is outside */
} kith_bounds_rule;

/* A rectangle that it does not leave. A box that is larger is kept in its middle; a bounce of more
 * than the whole rectangle ends at the border. A Position that is not a number comes to the left or
 * the top, and DESPAWN takes it for outside, as infinity. An infinite edge is at the largest finite
 * number, so that nothing infinite stays inside. A rectangle whose right is not at least its left,
 * or is at infinity as a whole, bounds nothing on that axis; the same holds for bottom and top. An
 * unknown rule does nothing. */
typedef struct kith_bounds {
    float left, top, right, bottom; /* all 0: the world's kith_space */
    kith_bounds_rule rule;          /* in a scene a number: 0 bounce, 1 wrap, 2 clamp, 3 despawn */
} kith_bounds;
KITH_TYPE_NAMED(kith_bounds, "Bounds", KITH_FIELD(kith_bounds, left), KITH_FIELD(kith_bounds, top),
                KITH_FIELD(kith_bounds, right), KITH_FIELD(kith_bounds, bottom),
                KITH_FIELD(kith_bounds, rule));

/* ---- Resources: for the whole world, if you set them ----------------------------------------- */

/* The rectangle of entities with Bounds that have none of their own. Without it they have no
 * bounds. */
typedef struct kith_space {
    float left, top, right, bottom;
} kith_space;
KITH_TYPE_NAMED(kith_space, "Space", KITH_FIELD(kith_space, left), KITH_FIELD(kith_space, top),
                KITH_FIELD(kith_space, right), KITH_FIELD(kith_space, bottom));

/* How collisions hurt. In each tick in which two collide, each takes its Damage's `amount` from the
 * other's Health, which stays from 0 to `max`. What comes to 0 dies: that is told by a kith_death,
 * and the entity is despawned. What is at 0 already is left alone. If one of the two was despawned
 * before damage is done, neither is hurt.
 *
 * A tick in which memory runs out hurts nobody. The next one does what it would have done, except
 * for `once`: a collision begins in one tick alone. */
typedef struct kith_damage_rules {
    int32_t touch;  /* the amount of entities that have no Damage. 0 if this resource is not set */
    bool keep_dead; /* the dead are not despawned: that is up to you */
} kith_damage_rules;
KITH_TYPE_NAMED(kith_damage_rules, "DamageRules", KITH_FIELD(kith_damage_rules, touch),
                KITH_FIELD(kith_damage_rules, keep_dead),
                KITH_GAP);

/* ---- Events ----------------------------------------------------------------------------------- */

typedef enum kith_collision_phase {
    KITH_COLLISION_ENTER = 0, /* they did not collide in the last tick (of the collision system) */
    KITH_COLLISION_STAY,      /* they did, and do */
    KITH_COLLISION_EXIT       /* they did, and do not: they parted, or one is dead, or has lost its
                                 Collider or Position. `a` or `b` may be dead */
} kith_collision_phase;

/* Two that collide, or have ceased to: each pair once a tick, as many as there are.
 *
 * They collide if their boxes overlap; boxes that only touch do not. In the terms of x: a collides
 * with b if a.x - a.width / 2 < b.x + b.width / 2 and a.x + a.width / 2 > b.x - b.width / 2. Where
 * a number is NaN that does not hold; infinite boxes are fine. If one of them is swept, it is
 * enough that the boxes overlapped at some time since the last tick. A box with an infinite side is
 * compared with all others; for the rest the time is near to linear in their number.
 *
 * The world keeps the collisions for the next tick of the system, as a part of its state. While the
 * system is off, it keeps them for up to 1,023 runs. A tick in which memory runs out tells nothing,
 * and the next one tells what has changed since the last that did.
 *
 * Order: swept pairs by `time`, then the others; those of the same time by a's slot, then b's. */
typedef struct kith_collision {
    kith_entity a, b; /* a has the lower slot */
    kith_collision_phase phase;
    float time; /* when in the tick they began to overlap, from 0, its start, to 1, its end. 1 if
                   neither is swept, and for KITH_COLLISION_EXIT */
} kith_collision;
KITH_TYPE_NAMED(kith_collision, "Collision", KITH_FIELD(kith_collision, a),
                KITH_FIELD(kith_collision, b), KITH_FIELD(kith_collision, phase),
                KITH_FIELD(kith_collision, time));

/* The Health of an entity has come to 0. */
typedef struct kith_death {
    kith_entity entity; /* dead by now, unless the rules say `keep_dead` */
    kith_entity killer; /* the last that did damage; maybe dead as well */
    float x, y;         /* where it was; 0, 0 if it had no Position */
} kith_death;
KITH_TYPE_NAMED(kith_death, "Death", KITH_FIELD(kith_death, entity), KITH_FIELD(kith_death, killer),
                KITH_FIELD(kith_death, x), KITH_FIELD(kith_death, y));

/* ---- Short names ------------------------------------------------------------------------------ */

#ifdef KITH_GAME_NAMES
typedef kith_position Position;
typedef kith_velocity Velocity;
typedef kith_gravity Gravity;
typedef kith_health Health;
typedef kith_sprite Sprite;
typedef kith_collider Collider;
typedef kith_damage Damage;
typedef kith_lifetime Lifetime;
typedef kith_timer Timer;
typedef kith_player Player;
typedef kith_controller Controller;
typedef kith_bounds Bounds;
typedef kith_local2 Local2;
typedef kith_global2 Global2;
typedef kith_local3 Local3;
typedef kith_global3 Global3;
typedef kith_space Space;
typedef kith_damage_rules DamageRules;
typedef kith_collision Collision;
typedef kith_death Death;
/* What KITH_READ(Position) and the like look for. */
#define Position_type kith_position_type
#define Velocity_type kith_velocity_type
#define Gravity_type kith_gravity_type
#define Health_type kith_health_type
#define Sprite_type kith_sprite_type
#define Collider_type kith_collider_type
#define Damage_type kith_damage_type
#define Lifetime_type kith_lifetime_type
#define Timer_type kith_timer_type
#define Player_type kith_player_type
#define Controller_type kith_controller_type
#define Bounds_type kith_bounds_type
#define Local2_type kith_local2_type
#define Global2_type kith_global2_type
#define Local3_type kith_local3_type
#define Global3_type kith_global3_type
#define Space_type kith_space_type
#define DamageRules_type kith_damage_rules_type
#define Collision_type kith_collision_type
#define Death_type kith_death_type
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Systems ---------------------------------------------------------------------------------- */

/* The systems of the kit, as bits. Each has a priority, and a name for kith_system_enable and
 * kith_system_replace. All are in the group "game". Their phase is "update" unless another one is
 * named here. */
#define KITH_GAME_CONTROL 1u    /* "control", 50: Velocity from Controller */
#define KITH_GAME_GRAVITY 2u    /* "gravity", 100: adds Gravity to Velocity */
#define KITH_GAME_MOVEMENT 4u   /* "movement", 200: adds Velocity to Position */
#define KITH_GAME_BOUNDS 8u     /* "bounds", 250: keeps Position within Bounds */
#define KITH_GAME_COLLISION 16u /* "collision", 300: sends kith_collision; plain: it runs alone */
#define KITH_GAME_DAMAGE                                                                           \
    32u /* "damage", 400: Health from kith_collision; sends kith_death; plain */
#define KITH_GAME_LIFETIME 64u /* "lifetime", 500: despawns what has outlived its Lifetime */
#define KITH_GAME_TIMER 128u   /* "timer", -100: tells which Timer has finished */
#define KITH_GAME_TRANSFORMS                                                                       \
    256u /* "transforms", 0, of the phase "late": Global2 and Global3 from Local2 and Local3, down  \
            hierarchies; plain */
#define KITH_GAME_ALL 511u

/* Registers the kit's components, with layouts as they are in `def` (NULL: KITH_TABLE). Those that
 * are registered already keep their layout, so that you can choose it for each.
 *
 * KITH_ERR_CONFLICT   one of the names is taken by another type
 * KITH_ERR_LIMIT, KITH_ERR_MEMORY, KITH_ERR_INPUT as for kith_register
 * On failure some may be registered. Misuse while a query is open. */
KITH_API kith_result kith_game_register(kith_world *world, const kith_component_def *def);

/* Adds systems: some of the bits above. Registers components as kith_game_register does with NULL.
 *
 * KITH_ERR_INPUT      a bit belongs to no system
 * KITH_ERR_CONFLICT   one of the names is taken: by a system, or by a component, an event or a
 *                     resource that is another struct; or damage is to be added, and collisions are
 *                     kept for more than their own run (kith_event_register): each would hurt several
 *                     times
 * KITH_ERR_LIMIT, KITH_ERR_MEMORY
 * On failure none is added, but components may be registered. Misuse from within kith_run and while
 * a query is open. */
KITH_API kith_result kith_game_add_systems(kith_world *world, uint32_t systems);

/* ---- Who is where ------------------------------------------------------------------------------- */

/* A list of the boxes of a world, arranged so that those in a place are found at once. It shows
 * what was there when it was last built: good for walls, built when a level is loaded, and for all
 * that moves if it is built in every tick. */
typedef struct kith_grid kith_grid;

/* A new, empty grid. Registers the kit's components, as kith_game_register does with NULL; NULL if
 * that fails, or memory ran out. Its memory counts for the world's limit. You free it, before or
 * after the world; other calls come before. Misuse while a query is open. */
KITH_API kith_grid *kith_grid_new(kith_world *world);

/* NULL is fine. */
KITH_API void kith_grid_free(kith_grid *grid);

/* Fills it with all that have Position and Collider and are of one of these layers (0: all), where
 * they are now. `swept` does not count. In time near to linear in their number. The world still lives.
 * KITH_ERR_MEMORY   it is as it was */
KITH_API kith_result kith_grid_build(kith_grid *grid, uint32_t layers);

/* How many are in it. Any thread, while nobody builds or frees it. */
KITH_API uint32_t kith_grid_count(const kith_grid *grid);

/* Finds the entities with a box that overlaps this one (touching is not enough; with NaN none
 * does), on one of these layers (0: all), in the order of their slots. Writes the handles of the
 * first `capacity` to `entities`, which may be NULL where that is 0, and returns how many there
 * are. Any thread, while nobody builds or frees it. */
KITH_API uint32_t kith_grid_box(const kith_grid *grid, float left, float top, float right,
                                float bottom, uint32_t layers, kith_entity *entities,
                                uint32_t capacity);

/* The first, by slot, with a box that has the point inside of it, not on its edge; KITH_NONE if
 * there is none. Otherwise as kith_grid_box. */
KITH_API kith_entity kith_grid_point(const kith_grid *grid, float x, float y, uint32_t layers);

/* The entity that is nearest to the point by its Position, the middle of its box, and nearer than
 * `radius` (which may be INFINITY), on one of these layers (0: all). At the same distance, the first by
 * slot.
 * KITH_NONE if there is none, and for numbers that make no sense. Infinite boxes have no middle. Any
 * thread, while nobody builds or frees the grid. */
KITH_API kith_entity kith_grid_nearest(const kith_grid *grid, float x, float y, float radius,
                                       uint32_t layers);

#ifdef __cplusplus
}
#endif
#endif
