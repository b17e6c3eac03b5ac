/* The part of the play that goes on with other worlds for a while: views, forks, what scenes were read
 * into, and what entities were moved to. All that belongs to the worlds and the model of before is put
 * aside, and is there again afterwards. */
#include <stdlib.h>
#include <string.h>

#include "play.h"

#define MOST_ASIDE 2u /* worlds aside of worlds aside */

/* The worlds begin without queries, snapshots, observers and so on. */
static void change_worlds(play *p, play_aside *kept, kith_world *const *worlds)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        kept->worlds[world] = *w;
        played *was = &kept->worlds[world];
        memset(w, 0, sizeof(*w));
        w->p = was->p;
        w->f = was->f;
        w->world = worlds[world];
        memcpy(w->layouts, was->layouts, sizeof(w->layouts));
        memcpy(w->readers, was->readers, sizeof(w->readers));
        memcpy(w->hooked, was->hooked, sizeof(w->hooked)); /* where they count all worlds' */
    }
}

play_aside *play_put_aside(play *p, model next, kith_world *const *worlds)
{
    play_aside *kept = calloc(1, sizeof(*kept));
    CHECK_PTR_NOT_NULL(kept);
    kept->m = p->m;
    p->m = next;
    for (uint32_t i = 0; i < kept->m.type_count; i++) {
        model_register(&p->m, kept->m.types[i]);
    }
    change_worlds(p, kept, worlds);
    kept->asked = p->asked;
    p->asked = (play_asked){0};
    p->aside++;
    return kept;
}

void play_take_back(play *p, play_aside *kept)
{
    play_end_snapshots(p);
    play_end_trackers(p);
    play_end_observers(p);
    play_end_lives(p);
    play_end_vias(p);
    model_free(&p->m);
    p->m = kept->m;
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        kith_world_free(w->world);
        memcpy(kept->worlds[world].hooked, w->hooked, sizeof(w->hooked));
        *w = kept->worlds[world];
    }
    p->asked = kept->asked;
    p->aside--;
    free(kept);
}

void play_look_aside(play *p)
{
    play_look_relations(p);
    play_look_names(p);
    play_look_keys(p);
    play_look_disabled(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        play_look_entities(p, &p->worlds[world]);
        CHECK_WORLD(p->worlds[world].world);
    }
}

/* What takes relations and names that are registered. */
static void go_on_with_links(play *p)
{
    switch (input_below(&p->in, 5)) {
    case 0: play_relations(p); break;
    case 1: play_disabled(p); break;
    case 2: input_chance(&p->in, 85) ? play_names(p) : play_keys(p); break;
    case 3: play_levels(p); break;
    default: play_vias(p); break;
    }
}

/* Does one of the things that these worlds can do. */
static void go_on_once(play *p)
{
    if (p->links && input_chance(&p->in, 40)) {
        go_on_with_links(p);
        return;
    }
    switch (input_below(&p->in, 12)) {
    case 0: play_clone_tree(p); break;
    case 1:
    case 2: play_queries(p, input_below(&p->in, PLAY_QUERIES_CHOICES)); break;
    case 3: play_lives(p); break;
    case 4: play_commands(p, input_below(&p->in, PLAY_COMMANDS_CHOICES)); break;
    case 5: play_snapshots(p); break;
    case 6: input_chance(&p->in, 50) ? play_indexes(p) : play_places(p); break;
    case 7: input_chance(&p->in, 50) ? play_observers(p) : play_trackers(p); break;
    case 8:
    case 9: play_components(p, input_below(&p->in, 16)); break;
    case 10: play_selects(p); break;
    default: play_entities(p, 6 + input_below(&p->in, 4)); break;
    }
}

void play_go_on(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        w->commands = kith_commands_new(w->world, NULL);
        CHECK_PTR_NOT_NULL(w->commands);
    }
    for (uint32_t steps = 1 + input_below(&p->in, 24); steps > 0; steps--) {
        go_on_once(p);
        if (p->aside < MOST_ASIDE && input_chance(&p->in, 5)) {
            play_forks(p);
        }
        input_chance(&p->in, 40) ? play_look_observers(p) : (void)(p->asked.mixed = true);
        play_look_relations(p);
    }
    play_look_observers(p);
    play_look_queries(p);
    play_look_trackers(p);
    play_look_indexes(p);
    play_look_places(p);
    play_look_lives(p);
    play_look_vias(p);
    play_look_aside(p);
    play_look_hashes(p);
}
