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
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    for (int i = 0; i < 3; i++) {
        all[i] = (draws){.more = more * (uint32_t)(i + 1)};
        const kith_system_def def = {.name = names[i],
                                     .run = draw,
                                     .user = &all[i],
                                     .parallel = parallel,
                                     .priority = i / 2,
                                     .query.terms = KITH_TERMS(KITH_READ(Position))};
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
        KITH_SPAWN(f.world, KITH_VALUE(Position));
        draws d = {0};
        world_now = f.world;
        const kith_system_def def = {.name = "draws",
                                     .run = i == 0 ? draw_both : draw,
                                     .user = i == 0 ? (void *)numbers[0] : &d,
                                     .query.terms = KITH_TERMS(KITH_READ(Position))};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        memcpy(numbers[1], d.numbers[0], sizeof numbers[1]);
        fixture_free(&f);
    }
    for (int i = 0; i < DRAWN; i++) {
        CHECK_UINT(numbers[0][i], numbers[1][i]);
    }
}

/* ---- The world's own stream ------------------------------------------------------------------ */

static void draw_nothing_of_the_world(kith_iter *it)
{
    CHECK(KITH_RANDOM(it) == kith_system_random_stream(it));
    (void)kith_system_random(it);
}

static kith_result draw_in_plain(kith_world *world, kith_iter *it)
{
    uint64_t *numbers = it->user;
    kith_random copy = *kith_world_random(world);
    CHECK(KITH_RANDOM(it) != KITH_RANDOM(world) && KITH_RANDOM(it)->state != copy.state);
    numbers[0] = kith_system_random(it);
    CHECK_UINT(KITH_RANDOM(world)->state, copy.state);
    numbers[1] = kith_random_next(KITH_RANDOM(world));
    CHECK_UINT(numbers[1], kith_random_next(&copy));
    return KITH_OK;
}

/* Systems draw from streams of their own. */
TEST(a_world_has_a_stream)
{
    fixture f = fixture_new_with(&(kith_world_def){.seed = 7});
    fixture twin = fixture_new_with(&(kith_world_def){.seed = 7});
    fixture other = fixture_new_with(&(kith_world_def){.seed = 8});
    kith_random of_seed = {7};
    uint64_t numbers[3][2];
    fixture *all[] = {&f, &twin, &other};
    for (int i = 0; i < 3; i++) {
        register_all(all[i]->world, KITH_TABLE);
        const kith_system_def defs[] = {
            {.name = "draws",
             .run = draw_nothing_of_the_world,
             .query.terms = KITH_TERMS(KITH_READ(Position))},
            {.name = "plain", .update = draw_in_plain, .user = numbers[i]}};
        CHECK_RESULT(kith_system_add(all[i]->world, &defs[0]), KITH_OK);
        CHECK_RESULT(kith_system_add(all[i]->world, &defs[1]), KITH_OK);
        CHECK_RESULT(kith_run(all[i]->world, 1), KITH_OK);
    }
    CHECK_UINT(numbers[0][0], numbers[1][0]);
    CHECK_UINT(numbers[0][1], numbers[1][1]);
    CHECK(numbers[0][0] != numbers[2][0] && numbers[0][1] != numbers[2][1]);
    CHECK(numbers[0][1] != kith_random_next(&of_seed) && numbers[0][0] != numbers[0][1]);
    for (int i = 0; i < 3; i++) {
        fixture_free(all[i]);
    }
}

TEST(the_stream_of_a_world_is_in_its_hash)
{
    fixture f = fixture_new_with(&(kith_world_def){.seed = 7});
    fixture twin = fixture_new_with(&(kith_world_def){.seed = 7});
    fixture other = fixture_new_with(&(kith_world_def){.seed = 8});
    CHECK(kith_world_hash(f.world) == kith_world_hash(twin.world));
    CHECK(kith_world_hash(f.world) != kith_world_hash(other.world));
    const uint64_t content = kith_content_hash(f.world);
    CHECK_UINT(content, kith_content_hash(other.world));
    for (int i = 0; i < 10; i++) {
        uint64_t before = kith_world_hash(f.world);
        float drawn = kith_random_uniform(KITH_RANDOM(f.world), 0, 80);
        CHECK(kith_world_hash(f.world) != before);
        CHECK(kith_world_hash(f.world) != kith_world_hash(twin.world));
        CHECK_FLOAT(kith_random_uniform(KITH_RANDOM(twin.world), 0, 80), drawn);
        CHECK(kith_world_hash(f.world) == kith_world_hash(twin.world));
    }
    CHECK_UINT(kith_content_hash(f.world), content);
    CHECK_WORLD(f.world);
    fixture_free(&other);
    fixture_free(&twin);
    fixture_free(&f);
}

/* An iterator that the program opened itself stands for its world, as in all verbs. */
TEST(an_iterator_of_ones_own_draws_from_the_world)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_iter it = kith_query_iter(query);
    kith_random copy = *KITH_RANDOM(f.world);
    CHECK(KITH_RANDOM(&it) == KITH_RANDOM(f.world));
    CHECK_UINT(kith_system_random(&it), kith_random_next(&copy));
    kith_iter_close(&it);
    CHECK_UINT(kith_random_next(KITH_RANDOM(&it)), kith_random_next(&copy));
    fixture_free(&f);
}
