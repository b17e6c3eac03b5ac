/* What the benchmarks share: a workload is done by Kith and by hand-written arrays, in turn, in the
 * same process, and both must come to the same checksum. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <kith/kith.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;

KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));
KITH_TYPE(Velocity, KITH_FIELD(Velocity, x), KITH_FIELD(Velocity, y));

#define BENCH_DT 0.5f

/* One measured run: the time of the measured part alone, and what it came to. */
typedef struct bench_sample {
    double ns;
    uint64_t checksum;
} bench_sample;

/* One side of a workload. `open` prepares what is not measured, and may be NULL. */
typedef struct bench_side {
    void *(*open)(uint32_t n, kith_layout layout);
    bench_sample (*run)(void *state, uint32_t n, kith_layout layout);
    void (*close)(void *state);
} bench_side;

typedef struct bench_workload {
    const char *name;
    const char *what;
    uint32_t n;
    kith_layout layout;
    double target; /* times the arrays; 0: none is set */
    bench_side kith;
    bench_side arrays;
} bench_workload;

extern const bench_workload bench_create[];
extern const uint32_t bench_create_count;
extern const bench_workload bench_get[];
extern const uint32_t bench_get_count;
extern const bench_workload bench_loop[];
extern const uint32_t bench_loop_count;
extern const bench_workload bench_commands[];
extern const uint32_t bench_commands_count;
extern const bench_workload bench_scene[];
extern const uint32_t bench_scene_count;

/* Nanoseconds on a clock that only goes forward. */
double bench_now(void);

/* malloc that ends the program with a message if there is no memory. */
void *bench_take(size_t size);

/* A world with Position and Velocity in one layout. */
kith_world *bench_world(kith_layout layout);

/* The values that entity number `i` starts with: small integers, so that sums are exact. */
static inline Position bench_position(uint32_t i)
{
    return (Position){(float)(i % 64), (float)(i % 32)};
}

static inline Velocity bench_velocity(uint32_t i)
{
    return (Velocity){(float)(i % 8), (float)(i % 4)};
}

/* Numbers 0 to n - 1, shuffled, always in the same way. */
uint32_t *bench_shuffled(uint32_t n);

/* Prints what Kith's memory is used for. */
void bench_memory(void);

#endif
