/* Kith: what kith::world begins with: who owns it, its log and hashes, its types. */
#ifndef KITH_WORLD_OWNER_HPP
#define KITH_WORLD_OWNER_HPP

#include <kith/schedule.h>
#include <kith/tracker.hpp>
#include <kith/type.hpp>
#include <kith/world.h>

#include <cstdint>
#include <utility>

namespace kith::detail {

/* A world of one's own, or one that is borrowed. */
class world_owner {
public:
    /* Takes a world over, to free it; or uses one that somebody else frees. */
    world_owner(kith_world *c, bool owned) noexcept : c_(c), owned_(owned) {}

    world_owner(world_owner &&other) noexcept
        : c_(std::exchange(other.c_, nullptr)), owned_(other.owned_)
    {
    }
    world_owner &operator=(world_owner &&other) noexcept
    {
        std::swap(c_, other.c_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~world_owner()
    {
        if (owned_) {
            kith_world_free(c_);
        }
    }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_world *c() const noexcept { return c_; }

    const char *error() const noexcept { return kith_error(c_); }
    void log(kith_log_level level, const char *message) const noexcept
    {
        kith_log(c_, level, "%s", message);
    }
    kith_result check() noexcept { return kith_world_check(c_); }
    std::uint64_t hash() const noexcept { return kith_world_hash(c_); }
    std::uint64_t content_hash() const noexcept { return kith_content_hash(c_); }

    /* Hands the world over to another thread, such as a view: one releases it, the other claims it. */
    void release() noexcept { kith_world_release(c_); }
    void claim() noexcept { kith_world_claim(c_); }

    /* Threads that run systems, the one that calls run() among them: 1 to 64. The outcome is the same
     * for any number. */
    kith_result set_threads(std::uint32_t threads) noexcept
    {
        kith_workers_def def{};
        def.threads = threads;
        return kith_workers_set(c_, &def);
    }
    std::uint32_t thread_count() const noexcept { return kith_thread_count(c_); }

    /* ---- Types */

    template <typename T>
    kith_result register_type(kith_layout layout = KITH_TABLE) noexcept
    {
        kith_component_def def{};
        def.layout = layout;
        return register_type<T>(def);
    }

    template <typename T>
    kith_result register_type(const kith_component_def &def) noexcept
    {
        kith_component_def own = def;
        own.hooks = def.hooks != nullptr ? def.hooks : hooks_of<T>();
        return kith_register(c_, type_of<T>(), &own);
    }

    /* Registers those that are not yet, as they are declared; classes with their hooks. On failure those
     * before it are registered. */
    template <typename... T>
    kith_result register_types() noexcept
    {
        kith_result result = KITH_OK;
        (void)((result = register_if_new<T>(), result == KITH_OK) && ...);
        return result;
    }

    /* Follows T from here on. */
    template <typename T>
    tracker track() noexcept
    {
        kith_tracker *made = nullptr;
        kith_tracker_new(c_, type_of<T>(), &made);
        return tracker(made);
    }

private:
    template <typename T>
    kith_result register_if_new() noexcept
    {
        return kith_layout_of(c_, type_of<T>(), nullptr) == KITH_OK ? KITH_OK : register_type<T>();
    }

    kith_world *c_;
    bool owned_;
};

}   // namespace kith::detail

#endif
