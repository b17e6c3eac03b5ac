/* None of the API's rules is without a test that breaks it: the messages of misuse in the source are
 * compared with the texts in the tests of misuse. A new rule needs a new trip there; a new wording has
 * to be brought there too. */
#include <dirent.h>
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "headers.h"
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

static void collect_texts(const char *path)
{
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

static uint32_t check_source(const char *path)
{
    static const char *const marks[] = {"ki_misuse(", "kith_misuse("};
    uint32_t found = 0;
    const char *source = read_file(path);
    for (int m = 0; m < 2; m++) {
        for (const char *at = source; (at = strstr(at, marks[m])) != NULL; at++) {
            const char *quote = strchr(at, '"');
            if (quote == NULL) {
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

/* Calls `visit` for each entry of a directory but the hidden ones, with its path; returns the sum. */
static uint32_t each_entry(const char *directory_path, uint32_t (*visit)(const char *path))
{
    uint32_t sum = 0;
    DIR *directory = opendir(directory_path);
    struct dirent *entry;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] != '.') {
            char path[4096];
            int length = snprintf(path, sizeof(path), "%.2048s/%s", directory_path, entry->d_name);
            CHECK(length > 0 && (size_t)length < sizeof(path));
            sum += visit(path);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return sum;
}

static uint32_t collect_from_test(const char *path)
{
    if (strstr(path, "/test_misuse.c") != NULL) {
        collect_texts(path);
        return 1;
    }
    return 0;
}

static uint32_t check_if_source(const char *path)
{
    size_t length = strlen(path);
    const char *end = path + length - 2;
    bool is_source = strcmp(end, ".c") == 0 || strcmp(end, ".h") == 0;
    /* Where the two are defined. */
    return is_source && strstr(path, "/base/context.") == NULL ? check_source(path) : 0;
}

static uint32_t collect_from_room(const char *path)
{
    return each_entry(path, collect_from_test);
}

static uint32_t check_room(const char *path)
{
    return each_entry(path, check_if_source);
}

TEST(every_rule_of_the_source_is_broken_by_a_test)
{
    char folder[1024];
    source_path(folder, sizeof(folder), "tests");
    CHECK(each_entry(folder, collect_from_room) >= 3);
    source_path(folder, sizeof(folder), "src");
    CHECK(each_entry(folder, check_room) > 50);
    source_path(folder, sizeof(folder), "kits");
    CHECK(each_entry(folder, check_room) > 10);
}
