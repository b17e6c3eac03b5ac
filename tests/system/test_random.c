/* Random numbers of systems: what a system draws depends on the seed of the world, its name, the
 * tick and the part, and not on what it or other systems drew before. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

enum { TICKS = 6, DRAWN = 3 };

typedef struct draws {
    uint64_t numbers[TICKS][DRAWN]; /* by tick, of those in which it ran */
    uint32_t more;                  /* extra numbers that it draws */
} draws;

static const kith_world *world_now;

static void draw(kith_iter *it)
{
    draws *d = it->user;
    uint64_t *numbers = d->numbers[kith_tick_count(world_now) - 1];
    for (uint32_t i = 0; i < DRAWN; i++) {
        numbers[i] = kith_system_random(it);
    }
    for (uint32_t i = 0; i < d->more; i++) {
        (void)kith_system_random(it);
    }
}

/* Three systems that draw, side by side and one after another. `more` is how many extra numbers
 * each draws, and `off` a tick in which the first one does not run. */
static void play(bool parallel, uint32_t more, uint32_t off, draws all[3])
{
    static const char *const names[] = {"first", "beside", "after"};
    fixture f = fixture_new_with(&(kith_world_def){.seed = 7});
    world_now = f.world;
    register_all(f.world, KITH_TABLE);
    KITH_SPAWN(f.world, KITH_ZERO(Position));
    for (int i = 0; i < 3; i++) {
        all[i] = (draws){.more = more * (uint32_t)(i + 1)};
        const kith_system_def def = {.name = names[i],
                                     .run = draw,
                                     .user = &all[i],
                                     .parallel = parallel,
                                     .priority = i / 2,
                                     .query = {KITH_TERMS(KITH_READ(Position))}};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    }
    for (uint32_t t = 1; t <= TICKS; t++) {
        CHECK_RESULT(kith_system_enable(f.world, "first", t != off), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

TEST(each_tick_begins_a_stream_of_its_own)
{
    static draws plain[3];
    static draws other[3];
    for (int parallel = 0; parallel < 2; parallel++) {
        play(parallel, 0, 0, plain);
        for (uint32_t more = 0; more < 3; more++) {
            for (uint32_t off = 0; off <= TICKS; off++) {
                play(parallel, more, off, other);
                for (uint32_t i = 0; i < 3 * TICKS * DRAWN; i++) {
                    uint32_t system = i / TICKS / DRAWN;
                    uint32_t t = i / DRAWN % TICKS;
                    bool ran = system != 0 || t + 1 != off;
                    CHECK_UINT(other[system].numbers[t][i % DRAWN],
                               ran ? plain[system].numbers[t][i % DRAWN] : 0);
                }
            }
        }
    }
}

/* No number comes twice, over all ticks and systems. */
TEST(streams_do_not_meet)
{
    static draws all[3];
    play(false, 0, 0, all);
    for (uint32_t i = 0; i < 3 * TICKS * DRAWN; i++) {
        for (uint32_t k = 0; k < i; k++) {
            CHECK(all[i / TICKS / DRAWN].numbers[i / DRAWN % TICKS][i % DRAWN] !=
                  all[k / TICKS / DRAWN].numbers[k / DRAWN % TICKS][k % DRAWN]);
        }
    }
}

/* kith_system_random and the calls of <kith/random.h> draw from the same stream. */
static void draw_both(kith_iter *it)
{
    uint64_t *numbers = it->user;
    kith_random *random = kith_system_random_stream(it);
    kith_random copy = *random;
    for (uint32_t i = 0; i < DRAWN; i++) {
        numbers[i] = i % 2 == 0 ? kith_random_next(random) : kith_system_random(it);
        CHECK_UINT(numbers[i], kith_random_next(&copy));
    }
    CHECK(kith_system_random_stream(it) == random);
}

TEST(a_stream_is_that_of_the_call)
{
    uint64_t numbers[2][DRAWN];
    for (int i = 0; i < 2; i++) {
        fixture f = fixture_new_with(&(kith_world_def){.seed = 7});
        register_all(f.world, KITH_TABLE);
        KITH_SPAWN(f.world, KITH_ZERO(Position));
        draws d = {0};
        world_now = f.world;
        const kith_system_def def = {.name = "draws",
                                     .run = i == 0 ? draw_both : draw,
                                     .user = i == 0 ? (void *)numbers[0] : &d,
                                     .query = {KITH_TERMS(KITH_READ(Position))}};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        memcpy(numbers[1], d.numbers[0], sizeof numbers[1]);
        fixture_free(&f);
    }
    for (int i = 0; i < DRAWN; i++) {
        CHECK_UINT(numbers[0][i], numbers[1][i]);
    }
}
