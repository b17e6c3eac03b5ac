/* colony: 20,000 agents gather food, sleep and die
 *
 * It shows systems that run in parallel, requests as events (agents decide side by side, and one
 * system serves them in turn), commands, resources, observers, a spatial index that a parallel
 * system asks, and timers and movement of the game kit. A second of the world is an hour of the
 * colony. */
#include <kith/floats.h>

#define KITH_GAME_NAMES
#include <kith/game.h>
#include <kith/kith.h>
#include <math.h>
#include <stdio.h>

#include "support/arguments.h"
#include "support/rollback.h"

#define TICK 0.5f /* hours */
#define TICKS_A_DAY 48
#define YEAR 8u      /* days */
#define SPEED 4.0f   /* cells an hour */
#define LOAD 0.5f    /* food that an agent carries; 1 is what an empty stomach holds */
#define SIGHT 64.0f  /* cells from which an agent sees food */
#define LITTLE 0.05f /* food that nobody walks for */

static const char help[] =
    "usage: colony [--ticks N] [--agents N] [--seed S] [--workers N] [--profile]\n"
    "              [--sync-test N]\n"
    "\n"
    "A colony gathers food, sleeps, has children and dies. A line is printed for each\n"
    "day, and at the end the world's hash: it is the same for any number of workers.\n"
    "\n"
    "  --ticks N     half hours to simulate; 384, a year, if not given\n"
    "  --agents N    how many there are at first, up to a million; 20,000\n"
    "  --seed S      of the random numbers; 1\n"
    "  --workers N   threads that help, up to 63; none\n"
    "  --profile     tells how long a tick took, and what took that long\n"
    "  --sync-test N after each tick go back N ticks, and play them again, with 0 to\n"
    "                3 workers: the hash has to be the same\n";

/* ---- What there is --------------------------------------------------------------------------- */

/* What an agent does until its Timer ends. */
enum { IDLE, TO_FOOD, TO_HOME, TO_ANYWHERE, SLEEPING };
enum { OF_HUNGER, OF_AGE };

KITH_COMPONENT(Agent, (kith_entity, home), (kith_entity, food), (uint32_t, task));
KITH_COMPONENT(Needs, (float, hunger), (float, tiredness), (float, age), (float, lifespan));
KITH_COMPONENT(Carrying, KITH_SPARSE, (float, amount));
KITH_TAG(Asleep, KITH_SLOT);
KITH_COMPONENT(Home, (float, stock), (int32_t, residents));
KITH_COMPONENT(Food, (float, amount), (float, most));      /* nothing grows where `most` is 0 */
KITH_COMPONENT(Ripe, KITH_SPARSE, (float, x), (float, y)); /* where food is that can be picked */

KITH_COMPONENT(Calendar, (float, hour), (uint32_t, day));
KITH_COMPONENT(Tally, (uint32_t, born), (uint32_t, starved), (uint32_t, aged), (uint32_t, loads),
               (uint32_t, late), (float, eaten));

KITH_COMPONENT(Pick, (kith_entity, agent), (kith_entity, food));   /* arrived at food, wants some */
KITH_COMPONENT(Arrive, (kith_entity, agent), (kith_entity, home)); /* is at home, and will eat */
KITH_COMPONENT(Born, (kith_entity, home));
KITH_COMPONENT(Died, (uint32_t, cause));

static uint32_t season(const Calendar *calendar)
{
    return calendar->day % YEAR * 4 / YEAR;
}

static bool is_night(const Calendar *calendar)
{
    return calendar->hour < 6 || calendar->hour >= 22;
}

/* ---- Time and needs -------------------------------------------------------------------------- */

static void pass_time(kith_iter *it)
{
    Calendar *calendar = KITH_RESOURCE_MUT(it, Calendar);
    calendar->hour += it->dt;
    if (calendar->hour >= 24) {
        calendar->hour -= 24;
        calendar->day++;
    }
}

/* All grow hungry and old. */
static void wear(kith_iter *it)
{
    const bool winter = season(KITH_RESOURCE(it, Calendar)) == 3;
    const float hunger = it->dt / (winter ? 40.0f : 48.0f);
    while (kith_next(it)) {
        Needs *needs = KITH_COLUMN_MUT(it, Needs);
        for (uint32_t i = 0; i < it->count; i++) {
            needs[i].hunger += hunger;
            needs[i].age += it->dt;
            if (needs[i].hunger < 1 && needs[i].age < needs[i].lifespan) {
                continue;
            }
            KITH_SEND(it, Died, {needs[i].hunger < 1 ? OF_AGE : OF_HUNGER});
            KITH_DESPAWN(it->commands, kith_entities(it)[i]);
        }
    }
}

static void tire(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Needs)->tiredness += it->dt / 18;
        }
    }
}

static void rest(kith_iter *it)
{
    while (kith_next_rows(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Needs *needs = KITH_AT_MUT(it, i, Needs);
            needs->tiredness = fmaxf(needs->tiredness - it->dt / 7, 0);
        }
    }
}

/* ---- What to do next -------------------------------------------------------------------------- */

/* Sets out for a place, to be exactly there when the timer ends. */
static void walk(kith_iter *it, uint32_t i, uint32_t task, Position to)
{
    const Position *at = KITH_AT(it, i, Position);
    float dx = to.x - at->x, dy = to.y - at->y;
    float distance = sqrtf(kith_mul_f32(dx, dx) + kith_mul_f32(dy, dy));
    float ticks = fmaxf(1, ceilf(distance / (SPEED * TICK)));
    KITH_AT_MUT(it, i, Agent)->task = task;
    KITH_AT_MUT(it, i, Timer)->remaining = (double)(ticks * TICK);
    *KITH_AT_MUT(it, i, Velocity) = (Velocity){dx / (ticks * TICK), dy / (ticks * TICK)};
}

/* KITH_NONE: none in sight. */
static kith_entity nearest_food(kith_index *ripe, Position at)
{
    kith_near found;
    uint32_t count;
    const kith_near_def in_sight = {.within = (double)SIGHT};
    kith_result result =
        kith_nearest(ripe, KITH_POINT((double)at.x, (double)at.y), 1, &in_sight, &found, &count);
    return result == KITH_OK && count == 1 ? found.entity : KITH_NONE;
}

static void choose(kith_iter *it, uint32_t i, bool sleepy)
{
    Agent *agent = KITH_AT_MUT(it, i, Agent);
    const Position *at = KITH_AT(it, i, Position), *home = KITH_GET(it, agent->home, Position);
    bool eats =
        KITH_AT(it, i, Needs)->hunger > 0.6f && KITH_GET(it, agent->home, Home)->stock > LITTLE;
    if (sleepy || eats || KITH_HAS(it, kith_entities(it)[i], Carrying)) {
        walk(it, i, TO_HOME, *home);
        return;
    }
    agent->food = nearest_food(it->user, *at);
    if (!kith_is_none(agent->food)) {
        walk(it, i, TO_FOOD, *KITH_GET(it, agent->food, Position));
        return;
    }
    Position to = *home;
    to.x += kith_random_uniform(KITH_RANDOM(it), -20, 20);
    to.y += kith_random_uniform(KITH_RANDOM(it), -20, 20);
    walk(it, i, TO_ANYWHERE, to);
}

/* Ends what an agent did until now, and begins something else. */
static void act(kith_iter *it, uint32_t i, bool night)
{
    kith_entity self = kith_entities(it)[i];
    Agent *agent = KITH_AT_MUT(it, i, Agent);
    Timer *timer = KITH_AT_MUT(it, i, Timer);
    float tiredness = KITH_AT(it, i, Needs)->tiredness;
    uint32_t done = agent->task;
    bool sleepy = night || tiredness > 0.9f;
    *KITH_AT_MUT(it, i, Velocity) = (Velocity){0, 0};
    agent->task = IDLE;
    timer->remaining = (double)TICK;
    if (done == TO_FOOD) {
        KITH_SEND(it, Pick, {self, agent->food});
        return;
    }
    if (done == TO_HOME) {
        KITH_SEND(it, Arrive, {self, agent->home});
        if (sleepy) {
            KITH_ADD(it->commands, self, Asleep);
            agent->task = SLEEPING;
            timer->remaining = (double)(TICK * ceilf(tiredness * 7 / TICK + 1));
        }
        return;
    }
    if (done == SLEEPING) {
        KITH_REMOVE(it->commands, self, Asleep);
    }
    choose(it, i, sleepy);
}

static void decide(kith_iter *it)
{
    const bool night = is_night(KITH_RESOURCE(it, Calendar));
    while (kith_next(it)) {
        const Timer *timer = KITH_COLUMN(it, Timer);
        for (uint32_t i = 0; i < it->count; i++) {
            if (timer[i].finished != 0) {
                act(it, i, night);
            }
        }
    }
}

/* ---- Food and homes --------------------------------------------------------------------------- */

/* Those who came to a bush get of it in turn, while there is some. */
static void pick(kith_iter *it)
{
    Tally *tally = KITH_RESOURCE_MUT(it, Tally);
    const Pick *request;
    for (uint32_t n = 0; (request = KITH_EVENT(it, n, Pick)) != NULL; n++) {
        Food *food = KITH_GET_MUT(it, request->food, Food);
        if (food == NULL || food->amount < LITTLE) {
            tally->late++;
            continue;
        }
        float load = fminf(food->amount, LOAD);
        food->amount -= load;
        tally->loads++;
        KITH_SET(it->commands, request->agent, Carrying, {load});
        if (food->amount < LITTLE) {
            if (food->most > 0) {
                KITH_REMOVE(it->commands, request->food, Ripe);
            } else {
                KITH_DESPAWN(it->commands, request->food);
            }
        }
    }
}

static void arrive(kith_iter *it)
{
    Tally *tally = KITH_RESOURCE_MUT(it, Tally);
    const Arrive *request;
    for (uint32_t n = 0; (request = KITH_EVENT(it, n, Arrive)) != NULL; n++) {
        Home *home = KITH_GET_MUT(it, request->home, Home);
        Needs *needs = KITH_GET_MUT(it, request->agent, Needs);
        const Carrying *load = KITH_GET(it, request->agent, Carrying);
        if (load != NULL) {
            home->stock += load->amount;
            KITH_REMOVE(it->commands, request->agent, Carrying);
        }
        float meal = fminf(needs->hunger, home->stock);
        home->stock -= meal;
        needs->hunger -= meal;
        tally->eaten += meal;
    }
}

static void grow(kith_iter *it)
{
    static const float of_season[] = {1.0f, 1.0f, 0.6f, 0.05f};
    float part = of_season[season(KITH_RESOURCE(it, Calendar))];
    while (kith_next(it)) {
        Food *food = KITH_COLUMN_MUT(it, Food);
        const Timer *timer = KITH_COLUMN(it, Timer);
        const Position *at = KITH_COLUMN(it, Position);
        for (uint32_t i = 0; i < it->count; i++) {
            if (timer[i].finished != 0) {
                float more = kith_mul_f32(food[i].most, part);
                bool was_ripe = food[i].amount >= LITTLE;
                food[i].amount = fminf(food[i].amount + more, food[i].most);
                if (!was_ripe && food[i].amount >= LITTLE) {
                    KITH_SET(it->commands, kith_entities(it)[i], Ripe, {at[i].x, at[i].y});
                }
            }
        }
    }
}

/* An agent that begins at its home: in a world, or in a command buffer. */
#define NEW_AGENT(target, its_home, place, days, old)                                              \
    KITH_SPAWN(target, KITH_VALUE(Agent, {.home = its_home}), KITH_VALUE(Position, *place),        \
               KITH_VALUE(Needs, {.lifespan = (days)*24, .age = (old)*24}), KITH_VALUE(Velocity),  \
               KITH_VALUE(Timer, {.remaining = (double)TICK}))

static void have_children(kith_iter *it)
{
    kith_random *random = KITH_RANDOM(it);
    while (kith_next(it)) {
        Home *home = KITH_COLUMN_MUT(it, Home);
        const Position *place = KITH_COLUMN(it, Position);
        const Timer *timer = KITH_COLUMN(it, Timer);
        for (uint32_t i = 0; i < it->count; i++) {
            if (timer[i].finished != 0 && home[i].stock > 3 && home[i].residents >= 2) {
                home[i].stock -= 2;
                float days = kith_random_uniform(random, 10, 30);
                NEW_AGENT(it->commands, kith_entities(it)[i], &place[i], days, 0);
                KITH_SEND(it, Born, {kith_entities(it)[i]});
            }
        }
    }
}

static void count_lives(kith_iter *it)
{
    Tally *tally = KITH_RESOURCE_MUT(it, Tally);
    const Died *died;
    tally->born += kith_system_event_count(it, &Born_type);
    for (uint32_t n = 0; (died = KITH_EVENT(it, n, Died)) != NULL; n++) {
        *(died->cause == OF_HUNGER ? &tally->starved : &tally->aged) += 1;
    }
}

/* Observers: homes know how many live there, wherever agents are made and ended. Homes do not end. */
static void move_in(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        const Agent *agent = KITH_GET(observed->world, observed->entities[i], Agent);
        ((Home *)must_make(KITH_GET_MUT(observed->world, agent->home, Home)))->residents++;
    }
}

/* What the dead carried is left where they were. */
static void move_out(const kith_observed *observed)
{
    const Agent *agents = KITH_COLUMN(observed, Agent);
    for (uint32_t i = 0; i < observed->count; i++) {
        ((Home *)must_make(KITH_GET_MUT(observed->world, agents[i].home, Home)))->residents--;
        const Carrying *load = KITH_AT(observed, i, Carrying);
        if (load != NULL) {
            const Position *at = KITH_AT(observed, i, Position);
            KITH_SPAWN(observed->commands, KITH_VALUE(Food, {load->amount, 0}),
                       KITH_VALUE(Position, *at), KITH_VALUE(Ripe, {at->x, at->y}));
        }
    }
}

/* ---- The world -------------------------------------------------------------------------------- */

static void add_systems(kith_world *world)
{
    kith_index *ripe = must_make(KITH_INDEX(world, KITH_INDEX_SPATIAL, Ripe, x, y));
    must(world, kith_game_add_systems(world, KITH_GAME_MOVEMENT | KITH_GAME_TIMER));
    must(world, KITH_SYSTEM(world, tire, KITH_WRITE(Needs), KITH_WITHOUT(Asleep)));
    must(world, KITH_SYSTEM(world, rest, KITH_WRITE(Needs), KITH_WITH(Asleep)));
    must(world, KITH_SYSTEM(world, pass_time, .priority = -50,
                            .resources = KITH_TERMS(KITH_WRITE(Calendar))));
    must(world, KITH_SYSTEM(world, wear, KITH_WRITE(Needs), .priority = 10, .parallel = true,
                            .resources = KITH_TERMS(KITH_READ(Calendar)),
                            .events = KITH_TERMS(KITH_WRITE(Died))));
    must(world,
         KITH_SYSTEM(world, decide, KITH_WRITE(Agent), KITH_WRITE(Timer), KITH_WRITE(Velocity),
                     KITH_READ(Needs), KITH_READ(Position), .priority = 20, .parallel = true,
                     .user = ripe, .indexes = KITH_INDEXES(ripe),
                     .lookups =
                         KITH_TERMS(KITH_READ(Position), KITH_READ(Home), KITH_READ(Carrying)),
                     .resources = KITH_TERMS(KITH_READ(Calendar)),
                     .events = KITH_TERMS(KITH_WRITE(Pick), KITH_WRITE(Arrive))));
    must(world, KITH_SYSTEM(world, pick, .priority = 30, .resources = KITH_TERMS(KITH_WRITE(Tally)),
                            .lookups = KITH_TERMS(KITH_WRITE(Food)),
                            .events = KITH_TERMS(KITH_READ(Pick))));
    must(world, KITH_SYSTEM(
                    world, arrive, .priority = 31, .resources = KITH_TERMS(KITH_WRITE(Tally)),
                    .lookups = KITH_TERMS(KITH_WRITE(Home), KITH_WRITE(Needs), KITH_READ(Carrying)),
                    .events = KITH_TERMS(KITH_READ(Arrive))));
    must(world,
         KITH_SYSTEM(world, have_children, KITH_WRITE(Home), KITH_READ(Position), KITH_READ(Timer),
                     .priority = 40, .parallel = true, .events = KITH_TERMS(KITH_WRITE(Born))));
    must(world, KITH_SYSTEM(world, grow, KITH_WRITE(Food), KITH_READ(Position), KITH_READ(Timer),
                            .priority = 40, .parallel = true,
                            .resources = KITH_TERMS(KITH_READ(Calendar))));
    must(world, KITH_SYSTEM(world, count_lives, .priority = 900,
                            .resources = KITH_TERMS(KITH_WRITE(Tally)),
                            .events = KITH_TERMS(KITH_READ(Born), KITH_READ(Died))));
    must(world, KITH_OBSERVE(world, KITH_ON_ADD, Agent, move_in));
    must(world, KITH_OBSERVE(world, KITH_ON_DESPAWN, Agent, move_out, .values = true,
                             .also = KITH_TERMS(KITH_READ(Carrying), KITH_READ(Position))));
}

/* Once a day, at any half hour. */
static Timer daily(kith_random *random)
{
    return (Timer){.remaining = (double)kith_random_int(random, 1, TICKS_A_DAY) * (double)TICK,
                   .period = 24};
}

static Position somewhere(kith_random *random, float side)
{
    Position place;
    place.x = kith_random_uniform(random, 0, side);
    place.y = kith_random_uniform(random, 0, side);
    return place;
}

static void settle(kith_world *world, uint32_t agents, uint32_t seed)
{
    kith_random random = {seed};
    float side = sqrtf((float)agents * 50);
    for (uint32_t i = 0; i < agents / 2 + 1; i++) {
        Position place = somewhere(&random, side);
        must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, place), KITH_VALUE(Food, {2, 2}),
                              KITH_VALUE(Timer, daily(&random)),
                              KITH_VALUE(Ripe, {place.x, place.y})));
    }
    Position place = {0, 0};
    kith_entity home = KITH_NONE;
    for (uint32_t i = 0; i < agents; i++) {
        if (i % 8 == 0) {
            place = somewhere(&random, side);
            home = must_spawn(KITH_SPAWN(world, KITH_VALUE(Position, place),
                                         KITH_VALUE(Home, {.stock = 4}),
                                         KITH_VALUE(Timer, daily(&random))));
        }
        float days = kith_random_uniform(&random, 10, 30);
        float age = kith_random_uniform(&random, 0, days);
        must_spawn(NEW_AGENT(world, home, &place, days, age));
    }
    must(world, KITH_RESOURCE_SET(world, Calendar, {.hour = 6}));
    must(world, KITH_RESOURCE_SET(world, Tally, {0}));
}

/* ---- What is told ------------------------------------------------------------------------------ */

/* A line for a day. */
static void print_day(kith_world *world, uint32_t day, kith_query *homes)
{
    static const char *const seasons[] = {"spring", "summer", "autumn", "winter"};
    float stock = 0;
    int32_t agents = 0;
    kith_iter it = kith_query_iter(homes);
    while (kith_next(&it)) {
        const Home *home = KITH_COLUMN(&it, Home);
        for (uint32_t i = 0; i < it.count; i++) {
            stock += home[i].stock;
            agents += home[i].residents;
        }
    }
    must(world, it.result);
    const Tally *t = KITH_RESOURCE(world, Tally);
    printf("%3u  %-6s %8d %6u %8u %6u %8u %6u %8.0f %8.0f\n", day,
           seasons[season(&(Calendar){.day = day - 1})], agents, t->born, t->starved, t->aged,
           t->loads, t->late, (double)t->eaten, (double)stock);
}

/* On a new day what happens is counted anew. */
static void play_tick(const void *input, void *context)
{
    kith_world *world = context;
    (void)input; /* nobody plays along */
    if (kith_tick_count(world) % TICKS_A_DAY == 0) {
        must(world, KITH_RESOURCE_SET(world, Tally, {0}));
    }
    must(world, kith_run(world, TICK));
}

/* `back`: ticks to go back after each, to play them again with other numbers of workers. */
static void simulate(kith_world *world, uint32_t ticks, uint32_t back, uint32_t workers)
{
    rollback *rolled = rollback_new(&(rollback_def){.world = world,
                                                    .ticks = back,
                                                    .workers = workers,
                                                    .play = play_tick,
                                                    .context = world});
    kith_query *homes = must_make(KITH_QUERY(world, KITH_READ(Home)));
    printf("day  season   agents   born  starved   aged    loads   late    eaten   stored\n");
    for (uint32_t tick = 1; tick <= ticks; tick++) {
        rollback_play(rolled, NULL);
        if (tick % TICKS_A_DAY == 0) {
            print_day(world, tick / TICKS_A_DAY, homes);
        }
    }
    rollback_free(rolled);
}

static void print_profile(const kith_world *world, double elapsed, uint32_t ticks)
{
    const char *name;
    printf("%.3f ms a tick; in systems:\n", elapsed * 1000 / ticks);
    for (uint32_t i = 0; (name = kith_system_at(world, i, NULL, NULL)) != NULL; i++) {
        kith_system_stats stats;
        must(world, kith_profile_system(world, name, &stats));
        printf("  %-14s %.3f ms\n", name, stats.total * 1000 / ticks);
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    uint32_t ticks = YEAR * TICKS_A_DAY, agents = 20000, seed = 1, workers = 0, back = 0;
    bool profile = false;
    const argument options[] = {{"--ticks", &ticks, 1, UINT32_MAX, NULL},
                                {"--agents", &agents, 1, 1000000, NULL},
                                {"--seed", &seed, 0, UINT32_MAX, NULL},
                                {"--workers", &workers, 0, 63, NULL},
                                {"--sync-test", &back, 1, 1000, NULL},
                                {"--profile", .given = &profile},
                                {0}};
    arguments_read(argv, "colony", help, options);
    kith_world *world = must_make(kith_world_new(&(kith_world_def){.seed = seed}));
    add_systems(world);
    settle(world, agents, seed);
    must(world, kith_workers_set(world, &(kith_workers_def){.threads = workers + 1}));
    if (profile) {
        must(world, kith_profile_start(world, 0));
    }
    double start = kith_clock_now();
    simulate(world, ticks, back, workers);
    double elapsed = kith_clock_now() - start;
    printf("hash %016llx\n", (unsigned long long)kith_world_hash(world));
    if (profile) {
        print_profile(world, elapsed, ticks);
    }
    kith_world_free(world);
    must_print();
    return 0;
}
