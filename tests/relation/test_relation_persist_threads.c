/* Threads read the links of views while the owner of the world changes them. */
#include <kith/kith.h>
#include <pthread.h>

#include "kept_relations.h"

enum { LINK_READERS = 4, LINK_ROUNDS = 30 };

/* A thread, and what it is handed: a view, and what the world was. */
typedef struct link_reader {
    pthread_t thread;
    kith_world *view;
    uint64_t hash;
    char links[16384];
} link_reader;

static void *read_links(void *context)
{
    link_reader *reader = context;
    char links[16384];
    kith_world_claim(reader->view);
    write_links(reader->view, links, sizeof links);
    CHECK_STR(links, reader->links);
    CHECK(kith_world_hash(reader->view) == reader->hash);
    CHECK_WORLD(reader->view);
    kith_world_free(reader->view);
    return NULL;
}

TEST_WITHIN(60, threads_read_links_of_views)
{
    static link_reader readers[LINK_READERS];
    kept_world k = kept_world_new(3);
    for (int round = 0; round < (test_short() ? 6 : LINK_ROUNDS); round++) {
        for (int i = 0; i < LINK_READERS; i++) {
            kith_snapshot *taken;
            CHECK_RESULT(kith_snapshot_take(k.f.world, &taken), KITH_OK);
            CHECK_RESULT(kith_view_new(taken, NULL, &readers[i].view), KITH_OK);
            kith_snapshot_free(taken);
            readers[i].hash = kith_world_hash(k.f.world);
            write_links(k.f.world, readers[i].links, sizeof readers[i].links);
            kith_world_release(readers[i].view);
            CHECK_INT(pthread_create(&readers[i].thread, NULL, read_links, &readers[i]), 0);
            kept_play(k.f.world, k.list, &k.random, 60);
        }
        for (int i = 0; i < LINK_READERS; i++) {
            CHECK_INT(pthread_join(readers[i].thread, NULL), 0);
        }
        CHECK_WORLD(k.f.world);
    }
    fixture_free(&k.f);
}
