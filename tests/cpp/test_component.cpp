/* KITH_COMPONENT in C++: the same descriptors as in C, found by their struct, in any namespace. */
#include "hpp.hpp"

#include <cstring>

#include "declared.h"

namespace game {

KITH_COMPONENT(Inner, KITH_SPARSE, (float, x), (bool, on));
KITH_TAG(InnerTag, KITH_SLOT);

}   // namespace game

static void same_field(const kith_field &here, const kith_field &there)
{
    CHECK(std::strcmp(here.name, there.name) == 0);
    CHECK(here.offset == there.offset);
    CHECK(here.size == there.size);
    CHECK(here.kind == there.kind);
}

static void descriptors_are_those_of_c()
{
    static const kith_type *const here[DECLARED_COUNT] = DECLARED_TYPES;
    for (int i = 0; i < DECLARED_COUNT; i++) {
        const kith_type &type = *here[i];
        const kith_type &c = *declared_in_c[i];
        CHECK(&type != &c);
        CHECK(std::strcmp(type.name, c.name) == 0);
        CHECK(type.size == c.size && type.align == c.align && type.version == c.version);
        CHECK(type.layout == c.layout && type.padded == c.padded);
        CHECK(type.field_count == c.field_count);
        for (std::uint32_t k = 0; k < type.field_count; k++) {
            same_field(type.fields[k], c.fields[k]);
        }
        kith::world world;
        CHECK(kith_register(world.c(), &type, nullptr) == KITH_OK);
        CHECK(kith_register(world.c(), &c, nullptr) == KITH_OK);
        CHECK(kith_type_count(world.c()) == 1);
    }
}

static void types_are_found_by_their_structs()
{
    CHECK(kith::type_of<game::Inner>() == &game::Inner_type);
    CHECK(kith::type_of<game::InnerTag>() == &game::InnerTag_type);
    kith::world world;
    CHECK(world.register_type<game::Inner>() == KITH_OK);
    CHECK(world.register_type<game::InnerTag>() == KITH_OK);
    kith_layout layout = KITH_TABLE;
    CHECK(kith_layout_of(world.c(), &game::Inner_type, &layout) == KITH_OK);
    CHECK(layout == KITH_SPARSE);
    kith::entity e = world.spawn(game::Inner{2.5f, true});
    CHECK(world.get<game::Inner>(e)->x == 2.5f);
    CHECK(world.get<game::Inner>(e)->on);
}

/* The first use registers; a class has to be registered, so that its constructors are known. */
struct Counted {
    int count = 0;
    Counted() = default;
    Counted(const Counted &other) noexcept : count(other.count + 1) {}
    Counted &operator=(const Counted &) = default;
};
KITH_TYPE(Counted, KITH_FIELD(Counted, count));

static void first_uses_register()
{
    kith::world world;
    kith::entity e = world.spawn(game::Inner{1, false});
    kith_layout layout = KITH_TABLE;
    CHECK(kith_layout_of(world.c(), &game::Inner_type, &layout) == KITH_OK);
    CHECK(layout == KITH_SPARSE);
    CHECK(!world.has<game::InnerTag>(e) && world.get<DeclaredGun>(e) == nullptr);
    CHECK(kith_type_count(world.c()) == 1);
    CHECK(world.set(e, Counted()) == KITH_ERR_INPUT);
    CHECK(std::strstr(kith_error(world.c()), "'Counted' needs hooks") != nullptr);
    CHECK((world.register_types<game::Inner, Counted, game::InnerTag>() == KITH_OK));
    CHECK(kith_type_count(world.c()) == 3);
    CHECK(world.set(e, Counted()) == KITH_OK);
    CHECK(world.get<Counted>(e)->count >= 1);
    CHECK(kith_layout_of(world.c(), &game::InnerTag_type, &layout) == KITH_OK);
    CHECK(layout == KITH_SLOT);
    CHECK(world.check() == KITH_OK);
}

int main()
{
    first_uses_register();
    descriptors_are_those_of_c();
    types_are_found_by_their_structs();
    return 0;
}
