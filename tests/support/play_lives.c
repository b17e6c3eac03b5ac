/* The part of the play that is about live queries: they tell the difference of two full looks. */
#include <string.h>

#include "play.h"

#define MOST_BYTES 200u /* of a value; larger ones are followed in many parts */

/* What a live query asks for. */
typedef struct asked {
    kith_term terms[PLAY_LIVE_TERMS];
    const kith_type *counted[4]; /* types whose values count */
} asked;

static bool is_asked(const asked *a, const kith_type *type)
{
    for (uint32_t i = 0; a->terms[i].type != NULL; i++) {
        if (a->terms[i].type == type) {
            return true;
        }
    }
    return false;
}

/* A component that is there, one that may be, and one that must or must not be. */
static asked choose(play *p)
{
    asked a = {0};
    uint32_t terms = 0;
    uint32_t counted = 0;
    static const kith_role roles[] = {KITH_MUST, KITH_MAY, KITH_MUST_NOT, KITH_MUST};
    for (uint32_t i = 0; i < 3; i++) {
        const kith_type *type = play_small(p, MOST_BYTES);
        kith_role role = roles[i == 0 ? 0 : input_below(&p->in, 4)];
        bool reads = role == KITH_MAY || (role == KITH_MUST && input_chance(&p->in, 70));
        if (type == NULL || is_asked(&a, type)) {
            continue;
        }
        a.terms[terms++] = (kith_term){
            .type = type, .access = reads ? KITH_ACCESS_READ : KITH_ACCESS_NONE, .role = role};
        if (reads && type->size != 0) {
            a.counted[counted++] = type;
        }
    }
    return a;
}

static void make(play *p, uint32_t number)
{
    const asked a = choose(p);
    if (a.terms[0].type == NULL) {
        return;
    }
    for (uint32_t i = 0; a.terms[i].type != NULL; i++) {
        p->tracking =
            p->tracking || a.terms[i].access == KITH_ACCESS_NONE || a.terms[i].type->size == 0;
    }
    memcpy(p->asked.live_terms[number], a.terms, sizeof(a.terms));
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        kith_query *query = NULL;
        CHECK_RESULT(kith_query_new(w->world, &(kith_query_def){.terms = a.terms}, &query),
                     KITH_OK);
        w->lives[number] = live_model_new(w->world, query, a.counted);
    }
}

/* Those that match are in it. */
static void check_members(const play *p, uint32_t number, const kith_live *live)
{
    const kith_term *terms = p->asked.live_terms[number];
    uint32_t term_count = 0;
    while (terms[term_count].type != NULL) {
        term_count++;
    }
    for (uint32_t i = 0; i < p->m.entity_count; i++) {
        const model_entity *entity = &p->m.entities[i];
        CHECK_INT(kith_live_has(live, entity->handle),
                  model_matches(&p->m, entity, terms, term_count));
    }
}

static void ask(play *p, uint32_t number, bool may_fail)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        live_model *followed = &w->lives[number];
        if (followed->live == NULL) {
            continue;
        }
        if (world == SUBJECT && may_fail && play_wants_failure(p)) {
            kith_live_changes changes;
            play_fail_some(p);
            kith_result result = kith_live_next(followed->live, &changes);
            bool failed = fail_nothing(&w->f);
            CHECK(result == KITH_OK || (result == KITH_ERR_MEMORY && failed));
            if (result == KITH_OK) {
                live_model_compare(followed, &changes);
            }
        }
        live_model_check(followed);
        check_members(p, number, followed->live);
        CHECK_WORLD(w->world);
    }
}

void play_lives(play *p)
{
    uint32_t number = input_below(&p->in, PLAY_LIVES);
    bool drops = input_chance(&p->in, 8);
    play_name(p, "kith_live_next");
    if (p->worlds[SUBJECT].lives[number].live == NULL) {
        make(p, number);
    } else if (drops) {
        for (int world = 0; world < WORLD_COUNT; world++) {
            live_model_free(&p->worlds[world].lives[number]);
        }
    }
    ask(p, number, true);
}

void play_look_lives(play *p)
{
    for (uint32_t i = 0; i < PLAY_LIVES; i++) {
        ask(p, i, false);
    }
}

void play_end_lives(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        for (uint32_t i = 0; i < PLAY_LIVES; i++) {
            live_model_forget(&p->worlds[world].lives[i]);
        }
    }
}
