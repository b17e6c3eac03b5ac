/* Other threads describe entities while the owner changes which names there are: they get none. */
#include <kith/kith.h>
#include <pthread.h>
#include <stdatomic.h>

#include "test.h"

typedef struct naming {
    fixture f;
    kith_entity e;
    char name[16]; /* the owner writes it */
    _Atomic bool ends;
} naming;

static const char *name_it(void *context, kith_entity entity)
{
    const naming *n = context;
    return kith_entity_equal(n->e, entity) ? n->name : NULL;
}

static void *describe_all_along(void *user)
{
    naming *n = user;
    while (!atomic_load(&n->ends)) {
        CHECK_STR(kith_entity_describe(n->f.world, n->e).text, "Entity(0v0)");
        kith_log(n->f.world, KITH_LOG_DEBUG, "%s", kith_entity_describe(n->f.world, n->e).text);
    }
    return NULL;
}

TEST(other_threads_get_no_names)
{
    static naming n;
    n.f = fixture_new();
    n.e = kith_spawn_empty(n.f.world);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        CHECK_INT(pthread_create(&threads[i], NULL, describe_all_along, &n), 0);
    }
    kith_namer namers[2] = {{.name = name_it, .context = &n}, {.name = name_it, .context = &n}};
    for (int i = 0; i < 1000; i++) {
        n.name[0] = (char)('a' + i % 26);
        kith_namer_add(n.f.world, &namers[0]);
        kith_namer_add(n.f.world, &namers[1]);
        CHECK(kith_entity_describe(n.f.world, n.e).text[1] == n.name[0]);
        kith_namer_remove(&namers[0]);
        kith_namer_remove(&namers[1]);
    }
    atomic_store(&n.ends, true);
    for (int i = 0; i < 2; i++) {
        CHECK_INT(pthread_join(threads[i], NULL), 0);
    }
    fixture_free(&n.f);
}
