/* C++ beside C: the same descriptors, the same worlds, the same messages, and command buffers. What the
 * other templates of kith.hpp do is tested beside the examples. */
#include <kith/kith.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

namespace game {

struct Position {
    float x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

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
KITH_TYPE_VERSION(AllKinds, 3, KITH_FIELD(AllKinds, f64), KITH_FIELD(AllKinds, i64),
                  KITH_FIELD(AllKinds, u64), KITH_FIELD(AllKinds, entity),
                  KITH_FIELD(AllKinds, f32), KITH_FIELD(AllKinds, i32), KITH_FIELD(AllKinds, u32),
                  KITH_FIELD(AllKinds, i16), KITH_FIELD(AllKinds, u16), KITH_FIELD(AllKinds, i8),
                  KITH_FIELD(AllKinds, u8), KITH_FIELD(AllKinds, text), KITH_FIELD(AllKinds, flag),
                  KITH_FIELD(AllKinds, color), KITH_FIELD(AllKinds, last),
                  KITH_FIELD(AllKinds, label));

/* A class that owns something, and counts how many there are. */
class Title {
public:
    Title() : Title("untitled") {}
    explicit Title(const char *text) : text_(text) { count++; }
    Title(const Title &other) : text_(fails_if_due(other.text_)) { count++; }
    Title(Title &&other) noexcept : text_(std::move(other.text_)) { count++; }
    Title &operator=(const Title &) = default;
    Title &operator=(Title &&) noexcept = default;
    ~Title() { count--; }

    const std::string &text() const noexcept { return text_; }

    static int count;
    static int due; /* the copy that fails; 0: none */

private:
    static const std::string &fails_if_due(const std::string &text)
    {
        if (due != 0 && --due == 0) {
            throw std::bad_alloc();
        }
        return text;
    }

    std::string text_;
};
int Title::count = 0;
int Title::due = 0;
KITH_OPAQUE_TYPE(Title);

std::uint64_t kith_hash(const Title &title) noexcept
{
    return std::hash<std::string>()(title.text());
}

/* One that cannot be copied. */
struct Box {
    std::unique_ptr<Title> title;
    std::uint64_t weight = 3;
};
KITH_OPAQUE_TYPE(Box);

/* A member that Kith reads beside one that it does not. */
struct Label {
    std::string text;
    std::uint64_t color;
};
KITH_TYPE(Label, KITH_FIELD_AS(Label, text, KITH_OPAQUE), KITH_FIELD(Label, color));

KITH_TAG(Frozen);

struct Leader {
    kith::entity who;
};
KITH_TYPE(Leader, KITH_FIELD(Leader, who));

}   // namespace game

/* Another library's idea of the same name. */
namespace other {

struct Position {
    std::int32_t x, y;
};
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));

}   // namespace other

using game::AllKinds;
using game::Frozen;
using game::Leader;
using game::Position;

static void test_kinds()
{
    static const kith_kind kinds[] = {
        KITH_F64, KITH_I64, KITH_U64, KITH_ENTITY, KITH_F32,  KITH_I32,  KITH_U32, KITH_I16,
        KITH_U16, KITH_I8,  KITH_U8,  KITH_CHAR,   KITH_BOOL, KITH_U16, KITH_U16, KITH_TEXT,
    };
    const kith_type *type = kith::type_of<AllKinds>();
    CHECK(type->field_count == sizeof(kinds) / sizeof(kinds[0]));
    CHECK(type->version == 3 && type->size == sizeof(AllKinds));
    for (std::uint32_t i = 0; i < type->field_count; i++) {
        CHECK(type->fields[i].kind == kinds[i]);
    }
    kith::world world;
    CHECK(world.register_type<AllKinds>() == KITH_OK);
    CHECK(kith::type_of<Frozen>()->size == 0 && kith::type_of<Frozen>()->align == 1);
}

/* What the C macros would have made of the same struct is the same type. */
static void test_c_descriptors()
{
    const kith_field fields[] = {{"x", 0, 4, KITH_F32}, {"y", 4, 4, KITH_F32}};
    const kith_type c_position = {"Position", 8, 4, 0, 2, fields, nullptr};
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

static std::string last_message;

static void remember(const char *message, void *)
{
    last_message = message;
}

static bool told(const char *part)
{
    bool found = last_message.find(part) != std::string::npos;
    last_message.clear();
    return found;
}

static kith::world new_world(kith_layout layout)
{
    kith_world_def def{};
    def.on_misuse = remember;
    kith::world world(def);
    CHECK(world.register_type<Position>(layout) == KITH_OK);
    CHECK(world.register_type<Frozen>(layout) == KITH_OK);
    CHECK(world.register_type<Leader>(layout) == KITH_OK);
    return world;
}

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
        CHECK(it.column<Frozen>(0) == nullptr && told("Frozen"));
        CHECK(world.remove<Position>(e) == KITH_ERR_MISUSE && told("test_hpp.cpp"));
    }
    auto reading = world.query<kith::read<Position>>();
    for (auto it = reading.iter(); it.next();) {
        CHECK(it.column_mut<Position>(0) == nullptr && told("read"));
        CHECK(it.at_mut<Position>(0, 0) == nullptr && told("read"));
        CHECK(it.at<Position>(0, it.count()) == nullptr && told("kith_at"));
    }

    /* The other library's struct is not this world's. */
    CHECK(world.get<other::Position>(e) == nullptr && told("Position"));
    CHECK(world.set<other::Position>(e, {1, 2}) == KITH_ERR_MISUSE && told("Position"));
    CHECK(world.register_type<other::Position>() == KITH_ERR_CONFLICT);
    CHECK(world.get<Position>(e)->x == 5);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static_assert(!std::is_copy_constructible<kith::commands>::value &&
                  !std::is_copy_assignable<kith::commands>::value &&
                  std::is_nothrow_move_constructible<kith::commands>::value &&
                  std::is_nothrow_move_assignable<kith::commands>::value,
              "a buffer has one owner");

/* What each call queues. */
static void test_queueing(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity a = world.spawn(Position{1, 2}, kith::zero<Frozen>);
    kith::entity b = world.spawn(Position{3, 4});
    kith::entity c = world.spawn(Position{5, 6});
    auto later = world.commands();
    CHECK(later);

    auto frozen = world.query<kith::read<Position>, kith::with<Frozen>>();
    CHECK(frozen.each([&](kith::entity e, const Position &p) {
        CHECK(later.remove<Frozen>(e) == KITH_OK);
        CHECK(later.set<Position>(e, {p.x + 10, p.y}) == KITH_OK);
    }) == KITH_OK);
    CHECK(later.add<Frozen>(b) == KITH_OK);
    CHECK(later.clear(c) == KITH_OK);
    kith::entity empty = later.spawn();
    kith::entity spark = later.spawn(Position{7, 8}, kith::zero<Frozen>);
    kith::entity twin = later.clone(b);
    kith::entity never = later.spawn(Leader{spark});
    CHECK(later.despawn(never) == KITH_OK);
    CHECK(later.set(empty, Leader{spark}) == KITH_OK);
    CHECK(later.set_several(spark, Leader{empty}, kith::zero<Position>) == KITH_OK);
    CHECK(later.despawn(kith::none) == KITH_OK);
    CHECK(!world.alive(spark) && later.real(spark) == kith::none && world.entity_count() == 3);

    std::uint32_t dead = 0;
    CHECK(later.apply(&dead) == KITH_OK && dead == 1);
    empty = later.real(empty);
    spark = later.real(spark);
    twin = later.real(twin);
    CHECK(world.entity_count() == 6 && later.real(never) == kith::none);
    CHECK(!world.has<Frozen>(a) && world.get<Position>(a)->x == 11);
    CHECK(world.has<Frozen>(b) && world.has<Frozen>(twin) && world.get<Position>(twin)->y == 4);
    CHECK(world.alive(c) && !world.has<Position>(c));
    CHECK(world.get<Leader>(empty)->who == spark && world.get<Leader>(spark)->who == empty);
    CHECK(world.get<Position>(spark)->x == 0 && world.has<Frozen>(spark));
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* A refused call fails the buffer until it forgets. */
static void test_failed_commands(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity e = world.spawn(Position{1, 2});
    auto later = world.commands();
    kith::entity old = later.spawn();
    later.forget();
    CHECK(later.despawn(e) == KITH_OK);
    CHECK(later.set<Leader>(e, {old}) == KITH_ERR_INPUT && later.error()[0] != '\0');
    CHECK(later.spawn() == kith::none && later.apply() == KITH_ERR_INPUT && world.alive(e));
    later.forget();
    CHECK(later.error()[0] == '\0' && later.apply() == KITH_OK && world.alive(e));

    CHECK(later.set<other::Position>(e, {1, 2}) == KITH_ERR_MISUSE && told("Position"));
    CHECK(later.apply() == KITH_ERR_MISUSE);
    later.forget();
    for (auto it = world.query<kith::write<Position>>().iter(); it.next();) {
        CHECK(!it.commands());   /* no system's */
        CHECK(later.apply() == KITH_ERR_MISUSE && told("test_hpp.cpp"));
    }

    auto small = world.commands(2000);
    CHECK(small);
    while (small.spawn(Position{1, 2}) != kith::none) {
    }
    CHECK(small.apply() == KITH_ERR_MEMORY && world.entity_count() == 1);
    CHECK(kith_commands_memory(small.c()).limit == 2000);
    CHECK(last_message.empty() && world.check() == KITH_OK);
}

/* Buffers are owned once; borrowed ones are left alone. */
static void test_owning_commands()
{
    kith::world world = new_world(KITH_TABLE);
    kith_commands *c = kith_commands_new(world.c(), nullptr);
    {
        kith::commands borrowed = kith::commands::borrow(c);
        kith::commands moved = std::move(borrowed);
        CHECK(!borrowed && moved.c() == c && moved.spawn() != kith::none);
    }
    CHECK(kith_memory(world.c()).commands != 0);
    kith::commands none;
    CHECK(!none);
    {
        kith::commands owner = kith::commands::adopt(c);
        none = std::move(owner);
        CHECK(!owner && none && none.apply() == KITH_OK && world.entity_count() == 1);
        none = world.commands();
        CHECK(none && none.c() != c);
    }
    {
        kith::commands gone = std::move(none);
    }
    CHECK(kith_memory(world.c()).commands == 0 && world.check() == KITH_OK);
}

/* Systems queue: by the open query, and for each entity, with or without its handle and dt. */
static void test_queueing_systems(kith_layout layout)
{
    kith::world world = new_world(layout);
    kith::entity rocket = world.spawn(Position{3, 0});
    world.spawn(Position{9, 0});

    CHECK((world.add_system<kith::write<Position>>(
              "burn", 1,
              [](kith::commands &later, float dt, kith::entity e, Position &p) {
                  p.x -= dt;
                  if (p.x <= 0) {
                      later.spawn(Leader{later.clone(e)});
                      later.despawn(e);
                  }
              })) == KITH_OK);
    CHECK((world.add_system<kith::read<Leader>, kith::without<Frozen>>(
              "freeze", 2,
              [](kith::batches &it) {
                  while (it.next()) {
                      for (std::uint32_t i = 0; i < it.count(); i++) {
                          it.commands().add<Frozen>(it.entities()[i]);
                      }
                  }
              })) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.run(1) == KITH_OK && world.alive(rocket));
    CHECK(world.entity_count() == 2 && world.run(1) == KITH_OK);
    CHECK(world.entity_count() == 3 && !world.alive(rocket));
    auto led = world.query<kith::read<Leader>, kith::with<Frozen>>();
    CHECK(led.count() == 1);
    led.each([&](const Leader &leader) { CHECK(world.get<Position>(leader.who)->x == 0); });
    CHECK(world.remove_system("burn") == KITH_OK && world.remove_system("freeze") == KITH_OK);

    CHECK((world.add_system<kith::with<Frozen>>(
              "bare", 1, [](kith::commands &later) { later.spawn(); })) == KITH_OK);
    CHECK((world.add_system<kith::with<Frozen>>("dt", 2, [](kith::commands &later, float dt) {
              later.spawn(Position{dt, 1});
          })) == KITH_OK);
    CHECK((world.add_system<kith::read<Leader>>(
              "entity", 3, [](kith::commands &later, kith::entity e, const Leader &leader) {
                  later.despawn(leader.who);
                  later.remove<Leader>(e);
              })) == KITH_OK);
    kith::entity other = world.spawn(Leader{kith::none});
    CHECK(world.run(4) == KITH_OK && world.entity_count() == 5);
    CHECK(led.count() == 0 && !world.has<Leader>(other));
    bool found = false;
    world.query<kith::read<Position>>().each([&](const Position &p) {
        found = found || (p.x == 4 && p.y == 1);
    });
    CHECK(found);
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
    void *memory = nullptr;
    if (posix_memalign(&memory, align < sizeof(void *) ? sizeof(void *) : align, size) != 0) {
        return nullptr;
    }
    m->held += size;
    return memory;
}

static void meter_release(void *context, void *memory, std::size_t size, std::size_t)
{
    static_cast<meter *>(context)->held -= size;
    std::free(memory);
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
                    kith_result result = world.add_system<kith::read<Position>>(
                        "system", 0, [](const Position &) {});
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
    moved.mark_seen();
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
    moved_here.skip();
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
    const kith_term others[] = {kith::write<game::Position>::c()};
    const kith_term resources[] = {kith::write<game::Position>::c()};
    const kith_term events[] = {kith::read<game::Leader>::c(), kith::write<game::Leader>::c()};
    kith_system_def def{};
    def.name = "follow";
    def.others = others;
    def.other_count = 1;
    def.resources = resources;
    def.resource_count = 1;
    def.events = events;
    def.event_count = 2;
    const auto follow = [](kith::batches &it) {
        CHECK(it.event<game::Leader>(0) == nullptr);
        CHECK(it.random() != it.random());
        CHECK(it.random_float() < 1);
        while (it.next()) {
            const kith::entity who = it.at<game::Leader>(0, 0)->who;
            game::Position *position = nullptr;
            CHECK(it.alive(who) && it.has<game::Position>(who));
            CHECK(it.get_mut(who, &position) == KITH_OK);
            position->x += 1;
            CHECK(it.get<game::Position>(who)->x == position->x);
            CHECK(it.resource_mut(&position) == KITH_OK);
            position->y += 1;
            CHECK(it.resource<game::Position>()->y == position->y);
            CHECK(it.get_mut(kith::none, &position) == KITH_ERR_DEAD);
            CHECK(it.send(game::Leader{who}) == KITH_OK);
        }
    };
    CHECK((world.add_system<kith::read<game::Leader>>(def, follow)) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.run(1) == KITH_OK);
    CHECK(world.get<game::Position>(leader)->x == 3);
    CHECK(world.resource<game::Position>()->y == 2);
    CHECK(world.event_count<game::Leader>() == 1);
    CHECK(world.alive(follower) && world.check() == KITH_OK);
}

/* Classes with constructors and a destructor, as components. */
void test_classes(kith_layout layout)
{
    using game::Box;
    using game::Title;
    {
        kith::world world;
        CHECK(world.register_type<Title>(layout) == KITH_OK);
        CHECK(world.register_type<Title>(layout) == KITH_OK);
        CHECK(world.register_type<Box>(layout) == KITH_OK);
        CHECK(world.register_type<Position>() == KITH_OK);
        const char *longer = "a title that is longer than a string holds without an allocation";
        const kith::entity a = world.spawn(Title("short"), Position{1, 2});
        const kith::entity b = world.spawn(Title(longer));
        CHECK(Title::count == 2);
        kith::entity c;
        CHECK(world.clone(b, &c) == KITH_OK);
        CHECK(world.add<Title>(world.spawn()) == KITH_OK);
        for (int i = 0; i < 100; i++) {   /* they move */
            CHECK(!kith_is_none(world.spawn(Title("more"))));
        }
        CHECK(world.set<Position>(b, {3, 4}) == KITH_OK);
        CHECK(world.despawn(a) == KITH_OK);
        CHECK(world.get<Title>(b)->text() == longer && world.get<Title>(c)->text() == longer);
        CHECK(Title::count == 103);
        Title::due = 1;
        CHECK(world.set(b, Title("another")) == KITH_ERR_MEMORY);
        CHECK(world.get<Title>(b)->text() == longer);
        Title::due = 0;
        const std::uint64_t hash = world.hash();
        CHECK(world.set(b, Title("another")) == KITH_OK);
        CHECK(world.hash() != hash);
        CHECK(world.remove<Title>(c) == KITH_OK && Title::count == 102);

        const kith::entity box = world.spawn();
        CHECK(world.add<Box>(box) == KITH_OK);
        CHECK(world.get<Box>(box)->weight == 3);
        world.get_mut<Box>(box)->title = std::make_unique<Title>("in a box");
        CHECK(world.set<Position>(box, {5, 6}) == KITH_OK);
        CHECK(world.get<Box>(box)->title->text() == "in a box");
        CHECK(world.clone(box, &c) == KITH_ERR_TYPE);
        CHECK(std::strstr(world.error(), "'Box' has hooks, but none to copy") != nullptr);

        CHECK(world.register_type<game::Label>(layout) == KITH_OK);
        const kith::entity label = world.spawn(game::Label{longer, 7});
        CHECK(world.get<game::Label>(label)->text == longer);
        char text[64];
        CHECK(kith_print_entity(world.c(), label, text, sizeof(text), nullptr) == KITH_OK);
        CHECK(std::strcmp(text, "Label { color = 7 }\n") == 0);
        CHECK(world.check() == KITH_OK);
    }
    CHECK(Title::count == 0);
}

/* The same where they are queued, kept and sent. */
void test_waiting_classes(kith_layout layout)
{
    using game::Box;
    using game::Title;
    const char *longer = "a title that is longer than a string holds without an allocation";
    {
        kith::world world;
        CHECK(world.set_resource(Title(longer)) == KITH_ERR_UNKNOWN);
        CHECK(world.send(Title(longer)) == KITH_ERR_UNKNOWN);
        CHECK(world.register_type<Title>(layout) == KITH_OK);
        CHECK(world.register_type<Box>(layout) == KITH_OK);
        CHECK(world.register_type<Position>() == KITH_OK);
        kith::commands later = world.commands();
        const kith::entity old = world.spawn(Title("old"));
        CHECK(later.set(old, Title("new")) == KITH_OK);
        CHECK(later.set(old, Title(longer)) == KITH_OK);
        const kith::entity spawned = later.spawn(Title("spawned"), Position{1, 2}, kith::zero<Box>);
        const kith::entity clone = later.clone(old);
        CHECK(Title::count == 4);
        CHECK(later.apply() == KITH_OK && Title::count == 3);
        CHECK(world.get<Title>(old)->text() == longer);
        CHECK(world.get<Title>(later.real(clone))->text() == longer);
        CHECK(world.get<Title>(later.real(spawned))->text() == "spawned");
        CHECK(world.get<Box>(later.real(spawned))->weight == 3);
        Title::due = 1;
        CHECK(later.set(old, Title("another")) == KITH_ERR_MEMORY);
        Title::due = 0;
        later.forget();
        CHECK(later.add<Title>(later.spawn()) == KITH_OK && Title::count == 4);

        CHECK(world.set_resource(Title(longer)) == KITH_OK);
        CHECK(world.set_resource<Box>() == KITH_OK);
        world.resource_mut<Box>()->title = std::make_unique<Title>("kept");
        CHECK(world.resource<Title>()->text() == longer && Title::count == 6);
        CHECK(world.remove_resource<Box>() == KITH_OK && Title::count == 5);
        for (int i = 0; i < 100; i++) {
            CHECK(world.send(Title(std::to_string(i).c_str())) == KITH_OK);
        }
        int sum = 0;
        for (const Title &title : world.events<Title>()) {
            sum += std::stoi(title.text());
        }
        CHECK(sum == 4950 && Title::count == 105);
        world.clear_events<Title>();
        CHECK(Title::count == 5 && world.send(Title(longer)) == KITH_OK);
        CHECK(world.check() == KITH_OK);
    }
    CHECK(Title::count == 0);
}

int main()
{
    test_texts();
    test_kinds();
    test_c_descriptors();
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_messages(layout);
        test_queueing(layout);
        test_failed_commands(layout);
        test_queueing_systems(layout);
        test_reaching_systems(layout);
        test_changes(layout);
        test_classes(layout);
        test_waiting_classes(layout);
    }
    test_owning_commands();
    test_want_of_memory();
    return 0;
}
