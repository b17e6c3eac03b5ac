/* Who may call what: each public call is made where its header forbids it (in a hook, in another thread,
 * in a query system), and where it allows it. A call that is refused names itself, changes nothing, and
 * returns what stands for nothing. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <kith/kith.h>

#include "callers.h"
#include "headers.h"

static void check_is_listed(const char *name, void *context)
{
    (void)context;
    const callers_call *c = callers_calls;
    while (c != NULL && strcmp(c->name, name) != 0) {
        c = c->next;
    }
    if ((c != NULL) == callers_are_free(name)) {
        test_fail(__FILE__, __LINE__,
                  c == NULL ? "nobody says in support/callers.c who may call %s"
                            : "support/callers.c lists %s twice",
                  name);
    }
}

TEST(every_call_of_the_headers_is_listed)
{
    uint32_t count = headers_each_call(check_is_listed, NULL);
    CHECK(count + headers_each_call_of("game", check_is_listed, NULL) > 190);
}

/* ---- Places ------------------------------------------------------------------------------------ */

/* Where a call is made. */
typedef struct place {
    const char *told; /* what the message says of it */
    bool (*allows)(caller by);
    bool (*has)(caller by); /* whether there is something to make the call on; NULL: for all */
    /* Gets the thread there, and makes the call. */
    void (*visit)(subject *s);
    bool changes; /* getting there changes the world */
} place;

static const place *here;
static const callers_call *current;

/* Makes the call that is up, and looks at what comes of it. */
static void make_call(subject *s)
{
    bool allowed = here->allows(current->by);
    int answer = current->make(s);
    CHECK(answer == CALLER_SILENT || answer == (allowed ? CALLER_ALLOWED : CALLER_REFUSED));
    if (allowed) {
        CHECK_UINT(misuse_count(&s->f), 0);
        return;
    }
    char call_name[128];
    size_t length = strcspn(s->f.misuse, ": "); /* a verb may follow */
    CHECK(length < sizeof(call_name));
    snprintf(call_name, sizeof(call_name), "%.*s", (int)length, s->f.misuse);
    CHECK(length > 5);
    CHECK_INT(strncmp(current->name, call_name, length), 0);
    expect_misuse(&s->f, here->told);
}

static void *make_in_thread(void *context)
{
    make_call(context);
    return NULL;
}

static void in_another_thread(void *(*make)(void *), subject *s)
{
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, make, s), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
}

/* Of the hooks that run from here on, which one makes the call; 0: it was made. */
static uint32_t hook_to_call_from;

static void make_in_hook(void *context)
{
    if (hook_to_call_from != 0 && --hook_to_call_from == 0) {
        make_call(context);
    }
}

static void enter_hooks(subject *s, uint32_t nth)
{
    hook_to_call_from = nth;
    s->record.context = s;
    s->record.inside = make_in_hook;
}

static void leave_hooks(subject *s)
{
    s->record.inside = NULL;
    CHECK_UINT(hook_to_call_from, 0);
}

/* With a query open, on a batch with the entity. */
static void with_open_query(subject *s, void (*visit)(subject *s))
{
    kith_iter it = kith_query_iter_one(s->query, s->e);
    CHECK(kith_next(&it));
    s->it = &it;
    visit(s);
    CHECK_UINT(it.count, 1);
    CHECK_FLOAT(KITH_COLUMN(&it, Position)->x, 1);
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_OK);
}

static void set_value(subject *s)
{
    Owned value = owned_new(&s->record, OWNED_INITIAL);
    CHECK_RESULT(kith_set(s->world, s->owner, &Owned_type, &value), KITH_OK);
    leave_hooks(s);
    owned_end(&s->record, &value);
}

static void visit_hooks_of_a_set(subject *s)
{
    static const uint32_t copy_destroy_and_move = 3;
    for (uint32_t nth = 1; nth <= copy_destroy_and_move; nth++) {
        enter_hooks(s, nth);
        set_value(s);
    }
}

static void visit_hook(subject *s)
{
    with_open_query(s, visit_hooks_of_a_set);
}

static void visit_hash(subject *s)
{
    uint64_t before = kith_content_hash(s->world);
    enter_hooks(s, 1);
    CHECK_UINT(kith_content_hash(s->world), before);
    leave_hooks(s);
    enter_hooks(s, 1);
    CHECK(kith_content_hash(s->world) != 0);
    leave_hooks(s);
}

static void visit_thread_now(subject *s)
{
    in_another_thread(make_in_thread, s);
}

static void visit_thread(subject *s)
{
    with_open_query(s, visit_thread_now);
}

/* A buffer of another thread's, which copies a value into it. */
static void *fill_buffer(void *context)
{
    subject *s = context;
    kith_commands *filled = s->out.pointer;
    Owned value = owned_new(&s->record, 1);
    enter_hooks(s, 1);
    CHECK_RESULT(kith_commands_set(filled, s->e, &Owned_type, &value), KITH_OK);
    leave_hooks(s);
    owned_end(&s->record, &value);
    return NULL;
}

static void visit_hook_of_a_buffer(subject *s)
{
    kith_commands *filled = kith_commands_new(s->world, NULL);
    s->out.pointer = filled;
    in_another_thread(fill_buffer, s);
    kith_commands_free(filled);
}

static void be_told(const kith_observed *observed)
{
    (void)observed;
}

/* The owner's, and as snapshots have it; those that wait: as an event, a resource, a lost value that is
 * told, a command's. */
#define VALUES_AT_THE_END 6u

static void visit_yielded(subject *s)
{
    kith_world_release(s->world);
    make_call(s);
    kith_world_claim(s->world);
}

/* Which of the values that the world ends with makes the call. */
static uint32_t end_to_call_from;

static void visit_end(subject *s)
{
    kith_world *world = s->world;
    const kith_observer_def keeping = {
        .kind = KITH_ON_REMOVE, .type = &Owned_type, .run = be_told, .values = true};
    CHECK_RESULT(kith_observer_new(world, &keeping, NULL), KITH_OK);
    CHECK_RESULT(kith_despawn(world, KITH_SPAWN(world, KITH_VALUE(Owned))), KITH_OK);
    CHECK_RESULT(kith_resource_set(world, &Owned_type, NULL), KITH_OK);
    CHECK_RESULT(kith_event_send(world, &Owned_type, NULL), KITH_OK);
    CHECK_RESULT(kith_commands_set(s->commands, s->e, &Owned_type, NULL), KITH_OK);
    s->commands = kith_commands_new(world, NULL); /* comes before the other one in the list */
    CHECK_UINT(s->record.live, VALUES_AT_THE_END);
    enter_hooks(s, end_to_call_from);
    kith_world_free(world);
    leave_hooks(s);
    CHECK_UINT(s->record.live, 0);
    const kith_world_def def = {.allocator = test_memory_allocator(s->f.memory)};
    s->f.world = s->world = kith_world_new(&def); /* for what follows */
}

/* ---- Places: query systems ----------------------------------------------------------------------- */

static void (*within_system)(subject *s);

static void stand_on_entity(kith_iter *it)
{
    subject *s = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            if (kith_entity_equal(kith_entities(it)[i], s->e)) {
                s->it = it;
                within_system(s);
                s->it = NULL;
                kith_iter_close(it);
                return;
            }
        }
    }
}

static void run_system(subject *s)
{
    const kith_system_def def = {.name = "system",
                                 .group = "group",
                                 .run = stand_on_entity,
                                 .user = s,
                                 .query.terms = KITH_TERMS(KITH_WRITE(Position)),
                                 .queries =
                                     {{.terms = KITH_TERMS(KITH_READ(Velocity))}},
                                 .lookups = KITH_TERMS(KITH_WRITE(Position)),
                                 .resources = KITH_TERMS(KITH_WRITE(Position)),
                                 .events = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Position))};
    CHECK_RESULT(kith_system_add(s->world, &def), KITH_OK);
    CHECK_RESULT(kith_run(s->world, 1), KITH_OK);
}

static void visit_system(subject *s)
{
    within_system = make_call;
    run_system(s);
}

static void visit_thread_of_system(subject *s)
{
    within_system = visit_thread_now;
    run_system(s);
}

static void queue_value(subject *s)
{
    Owned value = owned_new(&s->record, 1);
    enter_hooks(s, 1);
    CHECK_RESULT(kith_commands_set(s->it->commands, s->e, &Owned_type, &value), KITH_OK);
    leave_hooks(s);
    owned_end(&s->record, &value);
}

static void visit_hook_of_system(subject *s)
{
    within_system = queue_value;
    run_system(s);
}

/* A job that is done at once, by a thread that was made for it: all systems of a stage run there. */
typedef struct job {
    void (*work)(void *job);
    void *job;
} job;

static void *do_job(void *context)
{
    job *j = context;
    j->work(j->job);
    return NULL;
}

static void *do_elsewhere(void (*work)(void *job), void *of, void *context)
{
    (void)context;
    job j = {work, of};
    pthread_t thread;
    CHECK_INT(pthread_create(&thread, NULL, do_job, &j), 0);
    CHECK_INT(pthread_join(thread, NULL), 0);
    return NULL;
}

static void finish_nothing(void *handle, void *context)
{
    (void)handle;
    (void)context;
}

static pthread_t owning_thread;

static void make_call_of_worker(subject *s)
{
    CHECK(!pthread_equal(pthread_self(), owning_thread));
    make_call(s);
}

static void visit_worker(subject *s)
{
    const kith_system_def beside = {
        .name = "beside", .run = kith_iter_close, .query.terms = KITH_TERMS(KITH_READ(Velocity))};
    const kith_workers_def def = {.threads = 2, .enqueue = do_elsewhere, .finish = finish_nothing};
    CHECK_RESULT(kith_system_add(s->world, &beside), KITH_OK);
    CHECK_RESULT(kith_workers_set(s->world, &def), KITH_OK);
    within_system = make_call_of_worker;
    owning_thread = pthread_self();
    run_system(s);
    CHECK_RESULT(kith_workers_set(s->world, NULL), KITH_OK);
}

/* ---- All calls in all places ---------------------------------------------------------------------- */

static bool allows_free(caller by)
{
    return by == BY_ANYONE;
}

static bool allows_all_but_owners(caller by)
{
    return by != BY_OWNER && by != BY_PLAIN;
}

static bool has_all_but_systems(caller by)
{
    return by != BY_SYSTEM && by != BY_PLAIN;
}

static bool has_no_iterator(caller by)
{
    return has_all_but_systems(by) && by != BY_ITER;
}

static void call_everything(const place *where)
{
    here = where;
    uint32_t made = 0;
    for (current = callers_calls; current != NULL; current = current->next) {
        if (where->has != NULL && !where->has(current->by)) {
            continue;
        }
        test_note(current->name);
        subject *s = subject_new();
        uint64_t before = kith_content_hash(s->world);
        bool claims = strcmp(current->name, "kith_world_claim") == 0;
        if (!claims || where->visit != visit_yielded) {
            where->visit(s);
            made++;
        }
        CHECK(where->changes || kith_content_hash(s->world) == before);
        CHECK_WORLD(s->world);
        subject_free(s);
    }
    test_note(NULL);
    CHECK(made > 120);
}

TEST_WITHIN(20, in_a_hook)
{
    call_everything(&(place){"a hook of 'Owned' is running", allows_free, has_all_but_systems,
                             visit_hook, false});
}

TEST_WITHIN(20, in_a_hook_that_hashes)
{
    call_everything(
        &(place){"a hook of 'Owned' is running", allows_free, has_no_iterator, visit_hash, false});
}

TEST_WITHIN(20, in_a_hook_in_another_thread)
{
    call_everything(&(place){"a hook of 'Owned' is running", allows_free, has_no_iterator,
                             visit_hook_of_a_buffer, false});
}

static bool allows_nothing(caller by)
{
    (void)by;
    return false;
}

static bool has_owners(caller by)
{
    return by == BY_OWNER || by == BY_READER;
}

/* Nothing is gone yet that may be called there. */
TEST_WITHIN(60, in_a_hook_while_the_world_is_freed)
{
    for (end_to_call_from = 1; end_to_call_from <= VALUES_AT_THE_END; end_to_call_from++) {
        call_everything(&(place){"hook", allows_nothing, has_owners, visit_end, true});
    }
}

TEST_WITHIN(20, in_another_thread)
{
    call_everything(
        &(place){"another thread", allows_free, has_all_but_systems, visit_thread, false});
}

TEST_WITHIN(20, in_nobodys_thread)
{
    call_everything(
        &(place){"the world was released", allows_free, has_no_iterator, visit_yielded, false});
}

TEST_WITHIN(20, in_a_query_system)
{
    call_everything(&(place){"called from within query system \"system\"", allows_all_but_owners,
                             NULL, visit_system, false});
}

TEST_WITHIN(20, in_a_query_system_in_another_thread)
{
    call_everything(&(place){"called from within query system \"system\"", allows_all_but_owners,
                             NULL, visit_worker, false});
}

TEST_WITHIN(20, in_a_hook_in_a_query_system)
{
    call_everything(
        &(place){"a hook of 'Owned' is running", allows_free, NULL, visit_hook_of_system, true});
}

TEST_WITHIN(20, in_another_thread_while_a_query_system_runs)
{
    call_everything(&(place){"", allows_free, NULL, visit_thread_of_system, false});
}
