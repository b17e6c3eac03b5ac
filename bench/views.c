/* What views cost: making one, and the frame of the owner while another thread reads them. */
#include <kith/kith.h>
#include <pthread.h>
#include <stdlib.h>

#include "bench.h"

#define FEW 10000u
#define MANY 1000000u
#define ROUNDS 101u
#define BLOCK 1024u
#define STEP 100u /* one of so many blocks is written in a frame */

typedef struct watched {
    kith_world *world;
    kith_entity *handles;
    uint32_t count;
    kith_snapshot *last;
    uint32_t frame;
    pthread_mutex_t lock; /* of the rest */
    pthread_cond_t changed;
    kith_world *view; /* to be read by the other thread; NULL: it has read the last one */
    bool over;
    double sum; /* of what the thread read, which is needed then */
} watched;

static void require(kith_result result)
{
    if (result != KITH_OK) {
        bench_fail("a view fails");
    }
}

static void begin(watched *w, uint32_t count)
{
    *w = (watched){.count = count, .handles = bench_take(count * sizeof *w->handles)};
    w->world = bench_filled_world(KITH_TABLE, count, w->handles);
    require(kith_snapshot_take(w->world, &w->last));
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
}

static void end(watched *w)
{
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    kith_world_free(w->world);
    free(w->handles);
}

/* Moves those in one block of a hundred, and takes a snapshot. */
static void play_frame(watched *w)
{
    for (uint32_t first = w->frame++ % STEP * BLOCK; first < w->count; first += STEP * BLOCK) {
        for (uint32_t i = first; i < first + BLOCK && i < w->count; i++) {
            KITH_GET_MUT(w->world, w->handles[i], Position)->x += BENCH_DT;
        }
    }
    kith_snapshot *snapshot;
    require(kith_snapshot_take(w->world, &snapshot));
    kith_snapshot_free(w->last);
    w->last = snapshot;
}

static kith_world *make_view(watched *w)
{
    kith_world *view;
    require(kith_view_new(w->last, NULL, &view));
    return view;
}

static void frame_alone(watched *w)
{
    play_frame(w);
}

/* A frame, and a view for the other thread if it has none. */
static void frame_watched(watched *w)
{
    play_frame(w);
    pthread_mutex_lock(&w->lock);
    if (w->view == NULL) {
        w->view = make_view(w);
        kith_world_release(w->view);
        pthread_cond_signal(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
}

static void *read_views(void *context)
{
    watched *w = context;
    double sum = 0;
    pthread_mutex_lock(&w->lock);
    while (!w->over || w->view != NULL) {
        if (w->view == NULL) {
            pthread_cond_wait(&w->changed, &w->lock);
            continue;
        }
        pthread_mutex_unlock(&w->lock);
        kith_world_claim(w->view);
        kith_query *query = KITH_QUERY(w->view, KITH_READ(Position));
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            const Position *positions = KITH_COLUMN(&it, Position);
            for (uint32_t i = 0; i < it.count; i++) {
                sum += (double)positions[i].x;
            }
        }
        kith_world_free(w->view);
        pthread_mutex_lock(&w->lock);
        w->view = NULL;
    }
    w->sum = sum;
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void view_made(watched *w)
{
    w->view = make_view(w);
}

static bench_figure measure_frames(const char *what, watched *w, void (*frame)(watched *w),
                                   double target)
{
    double us[ROUNDS];
    for (uint32_t i = 0; i < ROUNDS; i++) {
        double start = bench_now();
        frame(w);
        us[i] = (bench_now() - start) / 1e3;
        if (frame == view_made) {
            kith_world_free(w->view);
            w->view = NULL;
        }
    }
    bench_sort(us, ROUNDS);
    bench_figure figure = {.what = what,
                           .unit = "us",
                           .least = us[0],
                           .median = us[ROUNDS / 2],
                           .target = target,
                           .of_median = true};
    bench_print_figure(figure);
    return figure;
}

void bench_views(void)
{
    bench_print_figure_head("views");
    watched w;
    begin(&w, FEW);
    measure_frames("kith_view_new, of 10^4 entities", &w, view_made, 20);
    end(&w);
    begin(&w, MANY);
    measure_frames("the same of 10^6", &w, view_made, 0);
    bench_figure alone = measure_frames("a frame of 10^6, with a snapshot", &w, frame_alone, 0);
    pthread_t thread;
    if (pthread_create(&thread, NULL, read_views, &w) != 0) {
        bench_fail("no thread");
    }
    bench_figure watched_frame =
        measure_frames("the same, a thread sums views", &w, frame_watched, 0);
    pthread_mutex_lock(&w.lock);
    w.over = true;
    pthread_cond_signal(&w.changed);
    pthread_mutex_unlock(&w.lock);
    pthread_join(thread, NULL);
    bench_print_figure((bench_figure){.what = "... beside the frame alone",
                                      .unit = "",
                                      .least = watched_frame.least / alone.least,
                                      .median = watched_frame.median / alone.median});
    end(&w);
}
