/* Kith: scenes and prefabs for C++17. A kit: it needs the library kith::scene, and is not part of
 * <kith/kith.hpp>.
 *
 *     kith::scene level;
 *     if (level.load_file(world, "cave.kith") != KITH_OK) {
 *         std::puts(level.error_text().c_str());
 *     }
 *     kith::entity player = level.find("player");
 *     kith::entity grunt = level.prefab("goblin").spawn(Position{3, 4}); */
#ifndef KITH_SCENE_HPP
#define KITH_SCENE_HPP

#include <kith/commands.hpp>
#include <kith/reflect.hpp>
#include <kith/scene.h>
#include <kith/world.hpp>

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>

namespace kith {

/* A value for a child of a prefab, while the call that makes it lasts. */
template <typename T>
struct part {
    const char *path;
    const T &value;
};
template <typename T>
part<T> at(const char *path, const T &value) noexcept
{
    return {path, value};
}

/* A prefab of a scene, while that lives; false if there is none. */
class prefab {
public:
    explicit prefab(const kith_prefab *c) noexcept : c_(c) {}

    explicit operator bool() const noexcept { return c_ != nullptr; }
    const kith_prefab *c() const noexcept { return c_; }
    const char *name() const noexcept { return kith_prefab_name(c_); }

    /* spawn(Position{3, 4}): a new entity with these values besides its own, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) const noexcept
    {
        const kith_value list[] = {detail::value_of(values)..., {}};
        entity made = none;
        (void)kith_prefab_spawn(c_, list, sizeof...(Ts), &made);
        return made;
    }
    /* The same, queued: the provisional handle, or none. */
    template <typename... Ts>
    entity queue(commands &later, const Ts &...values) const noexcept
    {
        const kith_value list[] = {detail::value_of(values)..., {}};
        return kith_prefab_queue(c_, later.c(), list, sizeof...(Ts));
    }
    /* Copies the value that its entities get. KITH_ERR_ABSENT if they get none. */
    template <typename T>
    kith_result get(T &value) const noexcept
    {
        return kith_prefab_get(c_, type_of<T>(), std::addressof(value));
    }
    /* The same for a child: get("turret/gun", gun). */
    template <typename T>
    kith_result get(const char *path, T &value) const noexcept
    {
        return kith_prefab_get_part(c_, path, type_of<T>(), std::addressof(value));
    }

    /* spawn_parts(kith::at("turret/gun", Gun{2}), kith::at("", Position{3, 4})): with values for
     * children. */
    template <typename... Ts>
    entity spawn_parts(const part<Ts> &...values) const noexcept
    {
        const kith_part_value list[] = {{values.path, detail::value_of(values.value)}..., {}};
        entity made = none;
        (void)kith_prefab_spawn_parts(c_, list, sizeof...(Ts), &made);
        return made;
    }
    /* The same, queued: the provisional handle, or none. */
    template <typename... Ts>
    entity queue_parts(commands &later, const part<Ts> &...values) const noexcept
    {
        const kith_part_value list[] = {{values.path, detail::value_of(values.value)}..., {}};
        return kith_prefab_queue_parts(c_, later.c(), list, sizeof...(Ts));
    }

private:
    const kith_prefab *c_;
};

/* A scene that frees itself: its entities live on. It may outlive its world; only destroy it
 * then. */
class scene {
public:
    scene() noexcept = default;
    scene(scene &&other) noexcept
        : c_(std::exchange(other.c_, nullptr)), world_(other.world_), error_(other.error_)
    {
    }
    scene &operator=(scene &&other) noexcept
    {
        std::swap(c_, other.c_);
        std::swap(world_, other.world_);
        std::swap(error_, other.error_);
        return *this;
    }
    ~scene() { kith_scene_free(c_); }

    /* False before something was read. */
    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_scene *c() const noexcept { return c_; }

    /* ---- Reading. Each replaces what this object held, unless it fails: then error() tells
     * why. */

    /* Reads a text, makes its entities, and sets its resources. */
    kith_result load(world &into, std::string_view source) noexcept
    {
        kith_scene *made = nullptr;
        const kith_result result =
            kith_scene_load(into.c(), source.data(), source.size(), &made, &error_);
        return keep(into, result, made);
    }
    kith_result load_file(world &into, const char *path) noexcept
    {
        kith_scene *made = nullptr;
        const kith_result result = kith_scene_load_file(into.c(), path, &made, &error_);
        return keep(into, result, made);
    }
    /* The same without making anything: for prefabs, and for what spawn() makes. */
    kith_result parse(world &of, std::string_view source) noexcept
    {
        kith_scene *made = nullptr;
        const kith_result result =
            kith_scene_parse(of.c(), source.data(), source.size(), &made, &error_);
        return keep(of, result, made);
    }
    kith_result parse_file(world &of, const char *path) noexcept
    {
        kith_scene *made = nullptr;
        const kith_result result = kith_scene_parse_file(of.c(), path, &made, &error_);
        return keep(of, result, made);
    }
    /* With libraries, and files that come from elsewhere: kith_scene_new. */
    kith_result parse(world &of, const kith_scene_def &def) noexcept
    {
        kith_scene *made = nullptr;
        const kith_result result = kith_scene_new(of.c(), &def, &made, &error_);
        return keep(of, result, made);
    }

    const kith_scene_error &error() const noexcept { return error_; }
    /* "cave.kith:3:5: expected ..." */
    printed<> error_text() const noexcept
    {
        printed<> written;
        const int length = std::snprintf(written.bytes, sizeof(written.bytes), "%s:%u:%u: %s",
                                         error_.file, error_.line, error_.column, error_.message);
        written.length = length < 0 ? 0 : static_cast<std::size_t>(length);
        return written;
    }

    /* ---- Its entities and prefabs */

    /* Makes all of its entities, once more. */
    kith_result spawn() noexcept { return kith_scene_spawn(c_); }
    /* The entity of that name that was made last, or none. */
    entity find(const char *name) const noexcept { return kith_scene_find(c_, name); }
    std::uint32_t count() const noexcept { return kith_scene_count(c_); }
    entity at(std::uint32_t index) const noexcept { return kith_scene_at(c_, index); }
    const char *name(std::uint32_t index) const noexcept { return kith_scene_name(c_, index); }
    kith::prefab prefab(const char *name) const noexcept
    {
        return kith::prefab(kith_scene_prefab(c_, name));
    }
    kith::prefab prefab(std::uint32_t index) const noexcept
    {
        return kith::prefab(kith_scene_prefab_at(c_, index));
    }

    /* ---- Changing and saving it: for editors */

    kith_result set_name(std::uint32_t index, const char *name) noexcept
    {
        return kith_scene_set_name(c_, index, name);
    }
    /* Adds an entity of the world to the scene, as one of a prefab if that is given. */
    kith_result add(entity e, kith::prefab of = kith::prefab(nullptr)) noexcept
    {
        return kith_scene_add(c_, e, of.c(), nullptr);
    }
    /* Writes the text that was read, with what has changed since. */
    kith_result save_file(const char *path) noexcept
    {
        kith_scene_save_def def{};
        def.scene = c_;
        return kith_scene_save_file(world_, &def, path, &error_);
    }

private:
    kith_result keep(world &of, kith_result result, kith_scene *made) noexcept
    {
        if (result == KITH_OK) {
            kith_scene_free(std::exchange(c_, made));
            world_ = of.c();
        }
        return result;
    }

    kith_scene *c_ = nullptr;
    kith_world *world_ = nullptr;
    kith_scene_error error_{};
};

}   // namespace kith

#endif
