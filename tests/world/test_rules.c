/* None of the API's rules is without a test that breaks it: the messages of misuse in the source are
 * compared with the texts in the tests of misuse. A new rule needs a new trip there; a new wording has
 * to be brought there too. */
#include <dirent.h>
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "test.h"

/* Everything that the tests of misuse have between quotation marks, each text behind a zero byte. */
static char texts[1 << 18];
static size_t texts_length;

static char *read_file(const char *path)
{
    static char source[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        test_fail(path, 0, "cannot be read");
    }
    size_t length = fread(source, 1, sizeof(source) - 1, file);
    CHECK(length < sizeof(source) - 1);
    fclose(file);
    source[length] = '\0';
    return source;
}

/* Reads the literals that stand at `at` one after another, as one text; returns what follows. */
static const char *read_literals(const char *at, char *text, size_t size)
{
    size_t length = 0;
    while (*at == '"') {
        for (at++; *at != '"'; at++) {
            if (*at == '\\') {
                at++;
            }
            CHECK(length + 1 < size);
            text[length++] = *at;
        }
        at++;
        at += strspn(at, " \t\n\\");
    }
    text[length] = '\0';
    return at;
}

static void collect_texts(const char *root, const char *file)
{
    char path[1600];
    snprintf(path, sizeof(path), "%s%s", root, file);
    const char *at = read_file(path);
    while ((at = strchr(at, '"')) != NULL) {
        char text[1024];
        at = read_literals(at, text, sizeof(text));
        size_t size = strlen(text) + 1;
        CHECK(texts_length + size < sizeof(texts));
        memcpy(texts + texts_length, text, size);
        texts_length += size;
    }
}

static bool is_collected(const char *message)
{
    for (size_t at = 0; at < texts_length; at += strlen(texts + at) + 1) {
        if (strcmp(texts + at, message) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether the mark stands in its own definition. */
static bool is_definition(const char *source, const char *at)
{
    const char *line = at;
    while (line > source && line[-1] != '\n') {
        line--;
    }
    return strncmp(line, "#define", 7) == 0;
}

static uint32_t check_source(const char *path)
{
    static const char *const marks[] = {"KITH_REQUIRE(", "ki_misuse("};
    uint32_t found = 0;
    const char *source = read_file(path);
    for (int m = 0; m < 2; m++) {
        for (const char *at = source; (at = strstr(at, marks[m])) != NULL; at++) {
            const char *quote = strchr(at, '"');
            if (is_definition(source, at) || quote == NULL) {
                continue;
            }
            char message[1024];
            read_literals(quote, message, sizeof(message));
            if (!is_collected(message)) {
                test_fail(path, 0, "no test breaks the rule that says: %s", message);
            }
            found++;
        }
    }
    return found;
}

TEST(every_rule_of_the_source_is_broken_by_a_test)
{
    static const char *const rooms[] = {"store", "query", "world", "index", "system", "persist"};
    static const char *const files[] = {"tests/world/test_misuse.c", "tests/query/test_misuse.c",
                                        "tests/system/test_misuse.c", "tests/pool/test_misuse.c"};
    char root[1024];
    snprintf(root, sizeof(root), "%s", __FILE__);
    char *here = strstr(root, "tests/world/");
    CHECK_PTR_NOT_NULL(here);
    *here = '\0';
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        collect_texts(root, files[i]);
    }
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        char room[1200];
        snprintf(room, sizeof(room), "%ssrc/%s", root, rooms[i]);
        DIR *directory = opendir(room);
        struct dirent *entry;
        while (directory != NULL && (entry = readdir(directory)) != NULL) {
            size_t length = strlen(entry->d_name);
            if (length > 2 && entry->d_name[length - 2] == '.') {
                char path[1600];
                snprintf(path, sizeof(path), "%s/%s", room, entry->d_name);
                found += check_source(path);
            }
        }
        if (directory != NULL) {
            closedir(directory);
        }
    }
    CHECK(found > 50);
}
