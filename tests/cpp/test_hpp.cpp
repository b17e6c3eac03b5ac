/* C++ beside C: the same descriptors, the same worlds, the same messages. What each template of
 * kith.hpp does is tested beside the examples. */
#include <kith/kith.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

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
};
KITH_TYPE_VERSION(AllKinds, 3, KITH_FIELD(AllKinds, f64), KITH_FIELD(AllKinds, i64),
                  KITH_FIELD(AllKinds, u64), KITH_FIELD(AllKinds, entity),
                  KITH_FIELD(AllKinds, f32), KITH_FIELD(AllKinds, i32), KITH_FIELD(AllKinds, u32),
                  KITH_FIELD(AllKinds, i16), KITH_FIELD(AllKinds, u16), KITH_FIELD(AllKinds, i8),
                  KITH_FIELD(AllKinds, u8), KITH_FIELD(AllKinds, text), KITH_FIELD(AllKinds, flag),
                  KITH_FIELD(AllKinds, color), KITH_FIELD(AllKinds, last));

KITH_TAG(Frozen);

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
using game::Position;

static void test_kinds()
{
    static const kith_kind kinds[] = {
        KITH_F64, KITH_I64, KITH_U64, KITH_ENTITY, KITH_F32,  KITH_I32,  KITH_U32, KITH_I16,
        KITH_U16, KITH_I8,  KITH_U8,  KITH_CHAR,   KITH_BOOL, KITH_U16, KITH_U16,
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
        const kith_component_def def{layout};
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

int main()
{
    test_kinds();
    test_c_descriptors();
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_messages(layout);
    }
    test_want_of_memory();
    return 0;
}
