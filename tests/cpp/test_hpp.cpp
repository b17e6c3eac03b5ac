/* C++ beside C: the same descriptors, the same worlds, the same messages. What the other templates of
 * kith.hpp do is tested beside the examples. */
#include "hpp.hpp"

#include <new>
#include <string>
#include <utility>

namespace game {

struct Velocity {
    float dx, dy;
};
KITH_TYPE(Velocity, KITH_FIELD(Velocity, dx), KITH_FIELD(Velocity, dy));

enum class Color : std::uint16_t { red, green };

/* Every kind, arrays too. */
struct AllKinds {
    double f64[2];
    std::int64_t i64;
    std::uint64_t u64;
    kith::entity entity[3];
    float f32;
    std::int32_t i32;
    std::uint32_t u32[2];
    std::int16_t i16;
    std::uint16_t u16;
    signed char i8;
    unsigned char u8;
    char text[13];
    bool flag;
    Color color;
    std::uint16_t last;
    kith::text label[2];
};
KITH_TYPE(AllKinds, KITH_FIELD(AllKinds, f64), KITH_FIELD(AllKinds, i64), KITH_FIELD(AllKinds, u64),
          KITH_FIELD(AllKinds, entity), KITH_FIELD(AllKinds, f32), KITH_FIELD(AllKinds, i32),
          KITH_FIELD(AllKinds, u32), KITH_FIELD(AllKinds, i16), KITH_FIELD(AllKinds, u16),
          KITH_FIELD(AllKinds, i8), KITH_FIELD(AllKinds, u8), KITH_FIELD(AllKinds, text),
          KITH_FIELD(AllKinds, flag), KITH_FIELD(AllKinds, color), KITH_FIELD(AllKinds, last),
          KITH_FIELD(AllKinds, label));

/* Two that are found by their own descriptors, not by that of what they have in common. */
struct Vector {
    float x, y;
};
KITH_TYPE(Vector, KITH_FIELD(Vector, x), KITH_FIELD(Vector, y));
struct Force : Vector {};
KITH_TYPE(Force, KITH_FIELD(Force, x), KITH_FIELD(Force, y));
struct Drag : Vector {};
KITH_TYPE(Drag, KITH_FIELD(Drag, x), KITH_FIELD(Drag, y));

}   // namespace game

/* As a header says it that C includes, too. */
extern "C" {

typedef struct Mass {
    float kilograms;
} Mass;
KITH_TYPE(Mass, KITH_FIELD(Mass, kilograms));

typedef struct Charge {
    float coulombs;
} Charge;
KITH_TYPE(Charge, KITH_FIELD(Charge, coulombs));

KITH_TAG(Metal);
}

using game::AllKinds;
using game::Frozen;
using game::Leader;
using game::Position;

static void test_kinds()
{
    static const kith_kind kinds[] = {
        KITH_F64, KITH_I64, KITH_U64, KITH_ENTITY, KITH_F32,  KITH_I32, KITH_U32, KITH_I16,
        KITH_U16, KITH_I8,  KITH_U8,  KITH_CHAR,   KITH_BOOL, KITH_U16, KITH_U16, KITH_TEXT,
    };
    const kith_type *type = kith::type_of<AllKinds>();
    CHECK(type->field_count == sizeof(kinds) / sizeof(kinds[0]));
    CHECK(type->version == 0 && type->size == sizeof(AllKinds));
    for (std::uint32_t i = 0; i < type->field_count; i++) {
        CHECK(type->fields[i].kind == kinds[i]);
    }
    kith::world world;
    CHECK(world.register_type<AllKinds>() == KITH_OK);
    CHECK(kith::type_of<Frozen>()->size == 0 && kith::type_of<Frozen>()->align == 1);
}

/* The type of a struct is the one that was described for it, wherever that was. */
static void test_own_descriptors()
{
    kith::world world;
    CHECK(world.register_type<game::Vector>() == KITH_OK);
    CHECK(world.register_type<game::Force>() == KITH_OK);
    CHECK(world.register_type<game::Drag>(KITH_SPARSE) == KITH_OK);
    CHECK(world.register_type<Mass>() == KITH_OK && world.register_type<Charge>() == KITH_OK);
    CHECK(world.register_type<Metal>(KITH_SLOT) == KITH_OK);
    const kith::entity e = world.spawn(game::Force{{1, 2}}, Mass{3}, Charge{4}, kith::zero<Metal>);
    CHECK(world.has<game::Force>(e) && !world.has<game::Drag>(e) && !world.has<game::Vector>(e));
    CHECK(world.get<game::Force>(e)->y == 2 && world.get<Mass>(e)->kilograms == 3);
    CHECK(world.get<Charge>(e)->coulombs == 4 && world.has<Metal>(e));
    CHECK(world.check() == KITH_OK);
}

/* What the C macros would have made of the same struct is the same type. */
static void test_c_descriptors()
{
    const kith_field fields[] = {{"x", 0, 4, KITH_F32}, {"y", 4, 4, KITH_F32}};
    const kith_type c_position = {"Position", 8,       4,          0,     2,
                                  fields,     nullptr, KITH_TABLE, false, false, 0};
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        kith::world world;
        CHECK(world.register_type<Position>(layout) == KITH_OK);
        kith::entity e = world.spawn(Position{1, 2});
        CHECK(kith_get(world.c(), e, &c_position) == world.get<Position>(e));
        kith_component_def def{};
        def.layout = layout;
        CHECK(kith_register(world.c(), &c_position, &def) == KITH_OK);
        CHECK(kith_type_count(world.c()) == 1);
        CHECK(world.check() == KITH_OK);
    }
}

/* ---- Misuse ---------------------------------------------------------------------------------- */

/* A change in a loop is told with the line of the program, not of the header. */
static void test_messages(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity e = world.spawn(Position{1, 2});
    auto query = world.query<kith::write<Position>>();
    const std::string here = std::string(__FILE__) + ":" + std::to_string(__LINE__ + 1);
    query.each([&](kith::entity who, Position &p) {
        CHECK(world.despawn(who) == KITH_ERR_MISUSE && told(here.c_str()));
        CHECK(world.add<Frozen>(who) == KITH_ERR_MISUSE && told("kith_add"));
        CHECK(world.spawn() == kith::none && told("kith_spawn"));
        CHECK(world.set<Position>(who, {5, 6}) == KITH_OK && p.x == 5);
    });
    for (auto it = query.iter(); it.next();) {
        CHECK(it.column<Frozen>() == nullptr && told("Frozen"));
        CHECK(world.remove<Position>(e) == KITH_ERR_MISUSE && told("test_hpp.cpp"));
    }
    auto reading = world.query<kith::read<Position>>();
    for (auto it = reading.iter(); it.next();) {
        CHECK(it.column_mut<Position>() == nullptr && told("read"));
        CHECK(it.at_mut<Position>(0) == nullptr && told("read"));
        CHECK(it.at<Position>(it.count()) == nullptr && told("kith_at"));
    }

    /* The other library's struct is not this world's. */
    CHECK(world.get<other::Position>(e) == nullptr && told("Position"));
    CHECK(world.set<other::Position>(e, {1, 2}) == KITH_ERR_CONFLICT);
    CHECK(world.register_type<other::Position>() == KITH_ERR_CONFLICT);
    CHECK(world.get<Position>(e)->x == 5);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* ---- Queries --------------------------------------------------------------------------------- */

/* What a definition says besides the terms, whatever they are where it comes from. */
static void test_query_definitions(kith_layout layout, kith_layout second)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<game::Velocity>(second) == KITH_OK);
    for (int i = 0; i < 100; i++) {
        const kith::entity e = world.spawn(Position{0, 0}, game::Velocity{1, 2});
        CHECK(i % 7 != 0 || world.despawn(e) == KITH_OK);
        CHECK(world.spawn(Position{0, 0}) != kith::none);
    }
    kith_query_def def{};
    def.name = "moving";
    def.driver = kith::type_of<game::Velocity>();
    const kith_term other[] = {KITH_READ(Metal), {}};
    def.terms = other; /* the template's terms count */
    auto moving = world.query<kith::write<Position>, kith::read<game::Velocity>>(def);
    CHECK(moving && moving.count() == 85);
    for (auto it = moving.iter(); it.next();) {
        Position *position = it.column_mut<Position>();
        const game::Velocity *velocity = it.column<game::Velocity>();
        CHECK(position != nullptr && velocity != nullptr);
        for (std::uint32_t i = 0; i < it.count(); i++) {
            position[i].x += velocity[i].dx;
        }
        CHECK(it.column_mut<Mass>() == nullptr && told("\"moving\""));
    }
    float sum = 0;
    world.query<kith::read<Position>>().each([&](const Position &p) { sum += p.x; });
    CHECK(sum == 85);
    CHECK(world.query<>(def).c() == nullptr);
    def.driver = nullptr;
    CHECK(world.query<>(def).count() == world.entity_count());
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* One of some tags: they match, and have no value to hand over. */
static void test_terms_of_tags(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Metal>(KITH_SLOT) == KITH_OK);
    const kith::entity a = world.spawn(Position{1, 0}, kith::zero<Frozen>);
    const kith::entity b = world.spawn(Position{2, 0}, kith::zero<Metal>);
    CHECK(world.spawn(Position{4, 0}) != kith::none);
    auto query = world.query<kith::any_of<Frozen>, kith::write<Position>, kith::any_of<Metal>>();
    CHECK(query.count() == 2);
    CHECK(query.each([&](kith::entity e, Position &p) { p.x += e == a ? 10.0f : 20.0f; }) ==
          KITH_OK);
    CHECK(world.get<Position>(a)->x == 11 && world.get<Position>(b)->x == 22);
    CHECK((world.system<kith::optional<Metal>, kith::read<Frozen>>(
              kith::named("thaw").priority(1),
              [](kith::commands &later, kith::entity e) { later.remove<Frozen>(e); })) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && !world.has<Frozen>(a) && query.count() == 1);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* One of each group. */
static void test_groups_of_terms(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<Metal>(KITH_SLOT) == KITH_OK);
    CHECK(world.spawn(Position{1, 0}, kith::zero<Frozen>) != kith::none);
    CHECK(world.spawn(Position{2, 0}, kith::zero<Metal>) != kith::none);
    const kith::entity both = world.spawn(Position{3, 0}, kith::zero<Metal>, kith::zero<Frozen>);
    auto query = world.query<kith::any_of<Frozen, 1>, kith::any_of<Metal, 2>>();
    CHECK(query.count() == 1 && query.first() == both);
    CHECK((world.query<kith::any_of<Frozen, 1>, kith::any_of<Metal, 1>>().count()) == 3);
}

/* Events that are sent without a value: tags, which have none, and others. */
static void test_events_without_values(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.send<Metal>() == KITH_OK && world.send<Metal>() == KITH_OK);
    CHECK(world.send<Position>() == KITH_OK && world.event_count<Position>() == 1);
    std::uint32_t count = 0;
    for (const Metal &metal : world.events<Metal>()) {
        (void)metal;
        count++;
    }
    CHECK(count == 2 && world.event_count<Metal>() == 2 && world.events<Metal>().count() == 2);
    for (const Position &p : world.events<Position>()) {
        CHECK(p.x == 0 && p.y == 0);
    }
    world.clear_events<Metal>();
    CHECK((world.system<kith::with<Position>>("tell", [](kith::batches &it, kith::sender<Metal>) {
              CHECK(it.send<Metal>() == KITH_OK);
          })) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.event_count<Metal>() == 1);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

struct meter {
    std::size_t held;
    std::size_t left; /* allocations that still succeed */
};

static void *meter_allocate(void *context, std::size_t size, std::size_t align)
{
    meter *m = static_cast<meter *>(context);
    if (m->left == 0) {
        return nullptr;
    }
    m->left--;
    m->held += size;
    return ::operator new(size, std::align_val_t(align), std::nothrow);
}

static void meter_release(void *context, void *memory, std::size_t size, std::size_t align)
{
    static_cast<meter *>(context)->held -= size;
    ::operator delete(memory, std::align_val_t(align), std::nothrow);
}

/* Wherever memory ends: nothing throws, false and results tell, and everything is given back. */
static void test_want_of_memory()
{
    for (std::size_t allocations = 0; allocations < 60; allocations++) {
        meter m{0, allocations};
        kith_world_def def{};
        def.allocator = {meter_allocate, meter_release, &m};
        {
            kith::world world(def);
            if (world) {
                if (world.register_type<Position>() == KITH_OK) {
                    kith::entity e = world.spawn(Position{1, 2});
                    CHECK(e == kith::none || world.get<Position>(e)->y == 2);
                    auto query = world.query<kith::write<Position>>();
                    if (query) {
                        unsigned seen = 0;
                        kith_result result = query.each([&](Position &) { seen++; });
                        CHECK(result == KITH_ERR_MEMORY || seen == world.entity_count());
                    }
                    auto later = world.commands();
                    if (later) {
                        kith::entity spark = later.spawn(Position{3, 4}, kith::zero<Position>);
                        const bool applied = later.apply() == KITH_OK;
                        CHECK(applied == world.alive(later.real(spark)));
                    }
                    kith_result result = world.system<kith::read<Position>>(
                        kith::named("system").priority(0), [](const Position &) {});
                    CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
                }
                CHECK(world.check() == KITH_OK);
            }
        }
        CHECK(m.held == 0);
    }
}

/* Looks and trackers. */
static void test_changes(kith_layout layout)
{
    kith::world world;
    kith_component_def def{};
    def.layout = layout;
    def.exact_changes = true;
    CHECK(world.register_type<Position>(def) == KITH_OK);
    auto positions = world.track<Position>();
    CHECK(positions);
    const kith::entity a = world.spawn(Position{1, 2});
    const kith::entity b = world.spawn(Position{3, 4});
    auto moved = world.query<kith::changed<Position>>();
    unsigned seen = 0;
    CHECK(moved.each([&](const Position &) { seen++; }) == KITH_OK);
    CHECK(seen == 2 && moved.count() == 0);
    CHECK(world.set<Position>(b, {5, 6}) == KITH_OK);
    float x = 0;
    CHECK(moved.each([&](kith::entity e, const Position &p) {
        CHECK(e == b);
        x = p.x;
    }) == KITH_OK);
    CHECK(x == 5);
    CHECK(world.set<Position>(b, {7, 8}) == KITH_OK);
    moved.skip_changes();
    CHECK(moved.count() == 0);

    CHECK(world.despawn(a) == KITH_OK);
    CHECK(positions.pending() == 3);
    kith::tracker moved_here = std::move(positions);
    CHECK(!positions && moved_here);
    int alive = 0;
    kith::entity last{};
    moved_here.each([&](const kith_change &change) {
        alive += change.kind == KITH_ADDED ? 1 : -1;
        last = change.entity;
    });
    CHECK(alive == 1 && last == a);
    CHECK(world.despawn(b) == KITH_OK);
    moved_here.skip_changes();
    CHECK(moved_here.pending() == 0);
    CHECK(world.check() == KITH_OK);
}

static void test_texts()
{
    kith::world world;
    kith::text sword{};
    kith::text other{};
    kith::text none{};
    CHECK(world.intern("sword", sword) == KITH_OK);
    CHECK(world.intern(std::string("swo") + "rd", other) == KITH_OK);
    CHECK(sword == other && sword != none);
    CHECK(world.text_of(sword) == "sword" && world.text_of(none).empty());
    CHECK(world.text_of(none).data() != nullptr);
    CHECK(world.text_of(kith::text{99}).data() == nullptr);
    CHECK(world.intern(std::string_view(), none) == KITH_OK && none == kith::text{});
}

/* A system in C++ declares what it reaches, and reaches it. */
static void test_reaching_systems(kith_layout layout)
{
    kith::world world;
    CHECK(world.register_type<game::Position>(layout) == KITH_OK);
    CHECK(world.register_type<game::Leader>(layout) == KITH_OK);
    const kith::entity leader = world.spawn(game::Position{1, 2});
    const kith::entity follower = world.spawn(game::Leader{leader});
    CHECK(world.set_resource(game::Position{0, 0}) == KITH_OK);
    const auto follow = [](kith::batches &it, kith::lookup<game::Position>,
                           kith::resource<game::Position>, kith::events<game::Leader>,
                           kith::sender<game::Leader>,
                           kith::subquery<kith::read<game::Position>> all) {
        CHECK(it.events<game::Leader>().empty() && it.events<game::Leader>().count() == 0);
        CHECK(it.random().bits() != it.random().bits());
        CHECK(it.random().uniform() < 1 && it.random().index(1) == 0);
        while (it.next()) {
            const kith::entity who = it.at<game::Leader>(0)->who;
            CHECK(it.alive(who) && it.has<game::Position>(who));
            game::Position *position = it.get_mut<game::Position>(who);
            position->x += 1;
            CHECK(it.get<game::Position>(who)->x == position->x);
            position = it.resource_mut<game::Position>();
            position->y += 1;
            CHECK(it.resource<game::Position>()->y == position->y);
            CHECK(it.get_mut<game::Position>(kith::none) == nullptr);
            CHECK(it.send(game::Leader{who}) == KITH_OK);
            auto leaders = all.iter();
            CHECK(leaders.next() && leaders.count() == 1 && leaders.entities()[0] == who);
            CHECK(leaders.at<game::Position>(0)->x == it.get<game::Position>(who)->x);
            CHECK(!leaders.next());
            auto again = it.query(1);
            CHECK(again.next() && again.entities()[0] == who);
        }
    };
    CHECK((world.system<kith::read<game::Leader>>("follow", follow)) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.run(1) == KITH_OK);
    CHECK(world.get<game::Position>(leader)->x == 3);
    CHECK(world.resource<game::Position>()->y == 2);
    CHECK(world.event_count<game::Leader>() == 1);
    CHECK(world.alive(follower) && world.check() == KITH_OK);
}

/* A plain system has a definition like others. */
static void test_plain_definitions()
{
    kith::world world = new_world(KITH_TABLE);
    std::string order;
    CHECK(world.system("middle", [&](kith::world &) { order += 'm'; }) == KITH_OK);
    CHECK(world.system(kith::named("late").priority(-1).phase(KITH_PHASE_LATE),
                       [&](float) { order += 'l'; }) == KITH_OK);
    CHECK(world.system(kith::named("first").priority(1).before("middle"), [&] {
        order += 'f';
        return KITH_OK;
    }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && order == "fml");
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* A world of one's own ends once, and one that is borrowed not at all, whichever was assigned to
 * which. */
static void test_owning_worlds()
{
    kith_world *const somebodys = kith_world_new(nullptr);
    kith_commands *later = nullptr;
    {
        kith::world own;
        kith::world lent = kith::world::borrow(somebodys);
        own = std::move(lent);
        CHECK(own.c() == somebodys && own.spawn() != kith::none);
        /* A buffer of the world that ends with `lent` is told of the end. */
        later = kith_commands_new(lent.c(), nullptr);
        kith_commands_set_holder(later, &later);
    }
    CHECK(later == nullptr);
    CHECK(kith_entity_count(somebodys) == 1 && kith_world_check(somebodys) == KITH_OK);
    kith_world_free(somebodys);
}

static void test_log()
{
    std::string logged;
    kith_world_def def{};
    def.on_log = [](kith_log_level level, const char *message, void *context) {
        *static_cast<std::string *>(context) += std::to_string(level) + message;
    };
    def.log_context = &logged;
    kith::world world(def);
    world.log(KITH_LOG_INFO, "not this");
    world.log(KITH_LOG_WARNING, "100% of this");
    CHECK(logged == "2100% of this");
}

int main()
{
    test_log();
    test_texts();
    test_kinds();
    test_own_descriptors();
    test_c_descriptors();
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_messages(layout);
        test_terms_of_tags(layout);
        test_groups_of_terms(layout);
        test_events_without_values(layout);
        for (kith_layout second : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
            test_query_definitions(layout, second);
        }
        test_reaching_systems(layout);
        test_changes(layout);
    }
    test_plain_definitions();
    test_want_of_memory();
    test_owning_worlds();
    return 0;
}
