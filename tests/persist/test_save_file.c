/* Saved worlds in files: whole, or as they were. */
/* symlink, mkfifo, lstat. */
#define _POSIX_C_SOURCE 200809L

#include <kith/kith.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "follower.h"
#include "owned.h"

#if defined(_WIN32)
#include <direct.h>
#define MAKE_DIRECTORY(path) _mkdir(path)
#else
#define MAKE_DIRECTORY(path) mkdir((path), 0700)
#endif

static const char path[] = "test_save_file.save";
static const char beside[] = "test_save_file.save.new";

static void spawn_some(kith_world *world, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK(!kith_is_none(KITH_SPAWN(world, KITH_VALUE(Position, {(float)i, 2}),
                                       KITH_VALUE(Health, {(int)i, 7}))));
    }
}

static void check_saved(kith_world *world)
{
    CHECK_RESULT(kith_world_save_file(world, path), KITH_OK);
    CHECK_WORLD(world);
    CHECK(remove(beside) != 0); /* nothing is left there */
}

/* Loads a file, which is refused and changes nothing. */
static void check_not_loaded_from(kith_world *world, const char *from, kith_result expected,
                          const char *message)
{
    const uint64_t hash = kith_world_hash(world);
    CHECK_RESULT(kith_world_load_file(world, from), expected);
    CHECK_CONTAINS(kith_error(world), message);
    CHECK_CONTAINS(kith_error(world), from);
    CHECK_WORLD(world);
    CHECK(kith_world_hash(world) == hash);
}

static void write_bytes(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    CHECK_PTR_NOT_NULL(file);
    CHECK(fwrite(bytes, 1, size, file) == size);
    CHECK_INT(fclose(file), 0);
}

/* Of as many bytes as one read gets, and of many times that. */
TEST_EACH_LAYOUT(a_world_goes_through_a_file, layout)
{
    static const uint32_t counts[] = {0, 1, 3000};
    for (uint32_t i = 0; i < 3; i++) {
        pair p = pair_new(layout);
        spawn_some(p.f.world, counts[i]);
        spawn_some(p.g.world, 5);
        check_saved(p.f.world);
        CHECK_RESULT(kith_world_load_file(p.g.world, path), KITH_OK);
        CHECK_WORLD(p.g.world);
        CHECK(kith_world_hash(p.g.world) == kith_world_hash(p.f.world));
        CHECK_UINT(kith_entity_count(p.g.world), counts[i]);
        pair_free(&p);
    }
    CHECK_INT(remove(path), 0);
}

/* The file is what kith_world_save writes, and a later one takes its place. */
TEST(a_file_has_the_bytes_and_is_replaced)
{
    pair p = pair_new(KITH_TABLE);
    spawn_some(p.f.world, 2000);
    check_saved(p.f.world);
    CHECK_RESULT(kith_despawn(p.f.world, kith_entity_next(p.f.world, KITH_NONE)), KITH_OK);
    check_saved(p.f.world);
    CHECK_RESULT(kith_world_save(p.f.world, &p.saved), KITH_OK);
    static char bytes[200000];
    FILE *file = fopen(path, "rb");
    CHECK_PTR_NOT_NULL(file);
    CHECK(fread(bytes, 1, sizeof bytes, file) == p.saved.size);
    CHECK_INT(fclose(file), 0);
    CHECK(memcmp(bytes, p.saved.data, p.saved.size) == 0);
    CHECK_INT(remove(path), 0);
    pair_free(&p);
}

TEST(a_file_that_is_no_saved_world_changes_nothing)
{
    pair p = pair_new(KITH_TABLE);
    spawn_some(p.f.world, 100);
    spawn_some(p.g.world, 5);
    CHECK_RESULT(kith_world_save(p.f.world, &p.saved), KITH_OK);
    remove(path);
    check_not_loaded_from(p.g.world, path, KITH_ERR_IO, "No such file or directory");
    write_bytes("", 0);
    check_not_loaded_from(p.g.world, path, KITH_ERR_INPUT, "kith_world_load_file");
    write_bytes("a text", 6);
    check_not_loaded_from(p.g.world, path, KITH_ERR_INPUT, "kith_world_load_file");
    write_bytes(p.saved.data, p.saved.size - 1);
    check_not_loaded_from(p.g.world, path, KITH_ERR_INPUT, "kith_world_load_file");
    p.saved.data[p.saved.size / 2] ^= 1;
    write_bytes(p.saved.data, p.saved.size);
    check_not_loaded_from(p.g.world, path, KITH_ERR_INPUT, "kith_world_load_file");
    CHECK_INT(remove(path), 0);
    pair_free(&p);
}

/* A path that is longer than a message. */
TEST(a_long_path_is_told_as_far_as_it_fits)
{
    static char longest[3000];
    memset(longest, 'x', sizeof longest - 1);
    pair p = pair_new(KITH_TABLE);
    CHECK_RESULT(kith_world_load_file(p.g.world, longest), KITH_ERR_IO);
    CHECK_CONTAINS(kith_error(p.g.world), "kith_world_load_file: xxxx");
    CHECK_RESULT(kith_world_save_file(p.g.world, longest), KITH_ERR_IO);
    CHECK_CONTAINS(kith_error(p.g.world), "kith_world_save_file: xxxx");
    CHECK_WORLD(p.g.world);
    pair_free(&p);
}

/* What is no file keeps its place, and nothing is left beside it. */
TEST(a_directory_is_no_file)
{
    static const char directory[] = "test_save_file.d";
    pair p = pair_new(KITH_TABLE);
    rmdir(directory);
    CHECK_INT(MAKE_DIRECTORY(directory), 0);
    CHECK_RESULT(kith_world_save_file(p.f.world, directory), KITH_ERR_IO);
    CHECK_CONTAINS(kith_error(p.f.world), "kith_world_save_file: test_save_file.d: ");
    CHECK(remove("test_save_file.d.new") != 0);
    check_not_loaded_from(p.f.world, directory, KITH_ERR_IO,
                          "kith_world_load_file: test_save_file.d: ");
    CHECK_INT(rmdir(directory), 0);
    pair_free(&p);
}

#if !defined(_WIN32) && !defined(__EMSCRIPTEN__) /* which have no pipes among their files */
TEST(a_device_is_not_replaced)
{
    static const char pipe_path[] = "test_save_file.pipe";
    pair p = pair_new(KITH_TABLE);
    remove(pipe_path);
    CHECK_INT(mkfifo(pipe_path, 0600), 0);
    CHECK_RESULT(kith_world_save_file(p.f.world, pipe_path), KITH_ERR_IO);
    CHECK_STR(kith_error(p.f.world),
              "kith_world_save_file: test_save_file.pipe: what is there is not a file");
    CHECK_WORLD(p.f.world);
    struct stat info;
    CHECK(stat(pipe_path, &info) == 0 && S_ISFIFO(info.st_mode));
    CHECK(remove("test_save_file.pipe.new") != 0);
    CHECK_INT(remove(pipe_path), 0);
    pair_free(&p);
}

TEST(a_symbolic_link_is_replaced)
{
    static const char link[] = "test_save_file.link";
    pair p = pair_new(KITH_TABLE);
    spawn_some(p.f.world, 3);
    check_saved(p.f.world);
    const uint64_t hash = kith_world_hash(p.f.world);
    remove(link);
    CHECK_INT(symlink(path, link), 0);
    spawn_some(p.f.world, 1);
    CHECK_RESULT(kith_world_save_file(p.f.world, link), KITH_OK);
    struct stat info;
    CHECK(lstat(link, &info) == 0 && S_ISREG(info.st_mode));
    CHECK_RESULT(kith_world_load_file(p.g.world, path), KITH_OK);
    CHECK(kith_world_hash(p.g.world) == hash);
    CHECK_INT(remove(link), 0);
    CHECK_INT(remove(path), 0);
    pair_free(&p);
}
#endif

static void check_old(kith_world *world, uint64_t hash)
{
    CHECK_RESULT(kith_world_load_file(world, path), KITH_OK);
    CHECK(kith_world_hash(world) == hash);
    CHECK(remove(beside) != 0);
}

/* The last bytes are written when the file is closed, which may fail as well; and a world that has no
 * bytes writes none. */
TEST(a_failure_leaves_the_file_that_was_there)
{
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    pair p = pair_new(KITH_TABLE);
    spawn_some(p.f.world, 3);
    check_saved(p.f.world);
    const uint64_t hash = kith_world_hash(p.f.world);
    CHECK_RESULT(kith_world_save_file(p.f.world, "no/such/place"), KITH_ERR_IO);
    CHECK_CONTAINS(kith_error(p.f.world),
                   "kith_world_save_file: no/such/place: No such file or directory");
#if !defined(_WIN32) /* which has no file that is always full */
    CHECK_INT(symlink("/dev/full", beside), 0);
    CHECK_RESULT(kith_world_save_file(p.f.world, path), KITH_ERR_IO);
    CHECK_CONTAINS(kith_error(p.f.world), "test_save_file.save: No space left on device");
    check_old(p.g.world, hash);
#endif
    CHECK_RESULT(kith_register(p.f.world, &Owned_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_OK);
    CHECK(!kith_is_none(KITH_SPAWN(p.f.world, KITH_VALUE(Owned))));
    CHECK_RESULT(kith_world_save_file(p.f.world, path), KITH_ERR_TYPE);
    CHECK_CONTAINS(kith_error(p.f.world), "kith_world_save_file: ");
    check_old(p.g.world, hash);
    CHECK_INT(remove(path), 0);
    pair_free(&p);
}
