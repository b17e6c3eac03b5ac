/* Classes of C++ as components, in command buffers, as resources and as events. */
#include "hpp.hpp"

#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace game {

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

/* Members that Kith reads beside one that it does not: no padding, though a string may have 12 bytes. */
struct Label {
    std::string text;
    std::uint32_t color;
    std::uint32_t paper = 0;
};
KITH_TYPE(Label, KITH_FIELD(Label, text, KITH_OPAQUE), KITH_FIELD(Label, color),
          KITH_FIELD(Label, paper));

/* One whose copies fail, and not for want of memory. */
struct Unique {
    Unique() = default;
    Unique(const Unique &) { throw std::runtime_error("there is one"); }
    Unique(Unique &&) noexcept {}
    ~Unique() { number = 0; }
    int number = 1;
};
KITH_OPAQUE_TYPE(Unique);

/* What its address is, a class may answer as it likes. */
struct Handle {
    std::string text;
    const std::string *operator&() const noexcept { return nullptr; }
};
KITH_OPAQUE_TYPE(Handle);

/* A class by its destructor alone. */
struct Plain {
    explicit Plain(int number) : value(number) {}
    Plain(const Plain &other) noexcept : value(other.value) {}
    ~Plain() { value = 0; }
    int value;
};
KITH_TYPE(Plain, KITH_FIELD(Plain, value));

}   // namespace game

using game::Box;
using game::Position;
using game::Title;

/* Classes with constructors and a destructor, as components. */
static void test_classes(kith_layout layout)
{
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
        for (int i = 0; i < 100; i++) { /* they move */
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
        CHECK(std::strcmp(text, "Label { color = 7, paper = 0 }\n") == 0);
        CHECK(world.check() == KITH_OK);
    }
    CHECK(Title::count == 0);
}

/* The same where they are queued, kept and sent. */
static void test_waiting_classes(kith_layout layout)
{
    const char *longer = "a title that is longer than a string holds without an allocation";
    {
        kith::world world;
        CHECK(world.set_resource(Title(longer)) == KITH_ERR_UNKNOWN);
        CHECK(world.send(Title(longer)) == KITH_ERR_UNKNOWN);
        CHECK(world.send<Box>() == KITH_ERR_UNKNOWN);
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
        later.discard();
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
        CHECK(world.send<Box>() == KITH_OK && world.event_count<Box>() == 1);
        for (const Box &box : world.events<Box>()) {
            CHECK(box.weight == 3);
        }
        CHECK(Title::count == 5 && world.send(Title(longer)) == KITH_OK);
        CHECK(world.check() == KITH_OK);
    }
    CHECK(Title::count == 0);
}

/* Where a value is given, it counts, and not what its own operator& says. */
static void test_own_address(kith_layout layout)
{
    kith::world world;
    CHECK(world.register_type<game::Handle>(layout) == KITH_OK);
    const game::Handle one{"one"};
    const kith::entity e = world.spawn(one);
    CHECK(world.get<game::Handle>(e)->text == "one");
    CHECK(world.set(e, game::Handle{"two"}) == KITH_OK);
    CHECK(world.get<game::Handle>(e)->text == "two");
    CHECK(world.set_values(e, one) == KITH_OK);
    CHECK(world.get<game::Handle>(e)->text == "one");
    kith::commands later = world.commands();
    const kith::entity spawned = later.spawn(one);
    CHECK(later.set(e, game::Handle{"three"}) == KITH_OK && later.apply() == KITH_OK);
    CHECK(world.get<game::Handle>(later.real(spawned))->text == "one");
    CHECK(world.get<game::Handle>(e)->text == "three");
    CHECK(world.set_resource(one) == KITH_OK);
    CHECK(world.resource<game::Handle>()->text == "one");
    CHECK(world.send(one) == KITH_OK);
    for (const game::Handle &sent : world.events<game::Handle>()) {
        CHECK(sent.text == "one");
    }
    CHECK(world.check() == KITH_OK);
    world.clear_events<game::Handle>();
    CHECK(world.system("sender", [](kith::sender<game::Handle> all) {
        CHECK(all.send(game::Handle{"four"}) == KITH_OK);
    }) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.event_count<game::Handle>() == 1);
    for (const game::Handle &sent : world.events<game::Handle>()) {
        CHECK(sent.text == "four");
    }
    CHECK(world.check() == KITH_OK);
}

/* A class that is not registered has no hooks: its bytes alone are never taken for it. */
static void test_unregistered(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.spawn(Position{1, 2}) != kith::none);
    CHECK(world.send(game::Label{"none", 1}) == KITH_ERR_UNKNOWN);
    CHECK(world.set_resource(game::Label{"none", 1}) == KITH_ERR_UNKNOWN);
    CHECK(world.register_event<game::Label>(3) == KITH_ERR_UNKNOWN);
    CHECK(world.register_event<Position>(3) == KITH_OK);
    auto later = world.commands();
    CHECK(later.spawn(game::Label{"none", 1}) == kith::none);
    CHECK(later.apply() == KITH_ERR_INPUT);
    CHECK(world.system("labels", [](kith::batches &all, kith::sender<game::Label>) {
        const game::Label label{"a text that is too long to stand in a string itself", 1};
        const kith_result result = all.send(label);
        CHECK(result == all.result() && all.send<game::Label>() == result);
        return result;
    }) == KITH_OK);
    CHECK(world.run(1) == KITH_ERR_UNKNOWN && world.event_count<game::Label>() == 0);

    CHECK(world.register_type<game::Label>(layout) == KITH_OK);
    CHECK(world.register_event<game::Label>(0) == KITH_OK);
    CHECK(world.run(1) == KITH_OK && world.event_count<game::Label>() == 2);
    for (const game::Label &label : world.events<game::Label>()) {
        CHECK(label.text.empty() || label.color == 1);
    }
    CHECK(world.check() == KITH_OK && last_message.empty());
}

/* As C may register it: without hooks it is no better. */
static void test_registered_without_hooks(kith_layout layout)
{
    kith::world world = new_world(layout);
    const kith_type *label = kith::type_of<game::Plain>();
    kith_component_def def{};
    def.layout = layout;
    CHECK(kith_register(world.c(), label, &def) == KITH_OK);
    CHECK(world.send(game::Plain{1}) == KITH_ERR_UNKNOWN);
    CHECK(world.set_resource(game::Plain{1}) == KITH_ERR_UNKNOWN);
    CHECK(world.register_event<game::Plain>(1) == KITH_ERR_UNKNOWN);
}

/* Other exceptions than std::bad_alloc are another result. */
static void test_exceptions(kith_layout layout)
{
    kith::world world = new_world(layout);
    CHECK(world.register_type<game::Unique>(layout) == KITH_OK);
    const kith::entity e = world.spawn();
    CHECK(world.set(e, game::Unique()) == KITH_ERR_SYSTEM);
    CHECK(!world.has<game::Unique>(e) && world.alive(e));
    CHECK(world.add<game::Unique>(e) == KITH_OK && world.get<game::Unique>(e)->number == 1);
}

static std::uint32_t made_by_own_hooks;

static kith_result make_ones(void *values, std::uint32_t count, void *) noexcept
{
    made_by_own_hooks += count;
    for (std::uint32_t i = 0; i < count; i++) {
        static_cast<Position *>(values)[i] = {1, 1};
    }
    return KITH_OK;
}

/* Hooks that a definition gives are those of the type, and not what its class would have. */
static void test_own_hooks(kith_layout layout)
{
    kith::world world;
    kith_hooks hooks{};
    hooks.init = make_ones;
    kith_component_def def{};
    def.layout = layout;
    def.hooks = &hooks;
    made_by_own_hooks = 0;
    CHECK(world.register_type<Position>(def) == KITH_OK);
    const kith::entity e = world.spawn();
    CHECK(world.add<Position>(e) == KITH_OK);
    CHECK(made_by_own_hooks == 1 && world.get<Position>(e)->x == 1);
}

int main()
{
    for (kith_layout layout : {KITH_TABLE, KITH_SPARSE, KITH_SLOT}) {
        test_classes(layout);
        test_waiting_classes(layout);
        test_own_address(layout);
        test_unregistered(layout);
        test_registered_without_hooks(layout);
        test_exceptions(layout);
        test_own_hooks(layout);
    }
    return 0;
}
