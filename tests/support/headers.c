/* opendir and readdir. */
#define _POSIX_C_SOURCE 200809L

#include "headers.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

void source_path(char *folder, size_t size, const char *name)
{
    const char *source = getenv("KITH_SOURCE");
    if (source != NULL && *source != '\0') {
        snprintf(folder, size, "%s/%s", source, name);
        return;
    }
    static const char *const here = __FILE__;
    const char *tests = strstr(here, "tests/support/");
    CHECK_PTR_NOT_NULL(tests);
    snprintf(folder, size, "%.*s%s", (int)(tests - here), here, name);
}

/* Whether a header is that of a kit whose tests go through its calls themselves: "terminal.h", if
 * there are "kits/terminal" and "tests/terminal/test_null.c". */
static bool is_gone_through_elsewhere(const char *header)
{
    const int length = (int)strcspn(header, ".");
    char name[512];
    char path[1024];
    snprintf(name, sizeof(name), "kits/%.*s", length, header);
    source_path(path, sizeof(path), name);
    DIR *kit = opendir(path);
    snprintf(name, sizeof(name), "tests/%.*s/test_null.c", length, header);
    source_path(path, sizeof(path), name);
    FILE *test = fopen(path, "r");
    if (kit != NULL) {
        closedir(kit);
    }
    if (test != NULL) {
        fclose(test);
    }
    return kit != NULL && test != NULL;
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        test_fail(__FILE__, __LINE__, "cannot read %s", path);
    }
    char *text = NULL;
    size_t size = 0;
    for (;;) {
        text = realloc(text, size + 4097);
        CHECK_PTR_NOT_NULL(text);
        size_t got = fread(text + size, 1, 4096, file);
        size += got;
        if (got == 0) {
            break;
        }
    }
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Declarations start a line with KITH_API; the name is what stands before the first parenthesis. */
static uint32_t visit_text(const char *text, headers_visit visit, void *context)
{
    static const char mark[] = "KITH_API";
    uint32_t count = 0;
    for (const char *at = strstr(text, mark); at != NULL; at = strstr(at + 1, mark)) {
        if (at > text && strncmp(at - 8, "#define ", 8) == 0) {
            continue;
        }
        CHECK(at > text && at[-1] == '\n');
        const char *end = strchr(at, '(');
        const char *whole = strchr(at, ';');
        CHECK(end != NULL && whole != NULL);
        const char *start = end;
        while (isalnum((unsigned char)start[-1]) || start[-1] == '_') {
            start--;
        }
        char name[128];
        char declaration[1024];
        snprintf(name, sizeof(name), "%.*s", (int)(end - start), start);
        snprintf(declaration, sizeof(declaration), "%.*s", (int)(whole - at), at);
        if (end[-1] != '_') {
            visit(name, declaration, context);
            count++;
        }
    }
    return count;
}

static uint32_t visit_header(const char *folder, const char *header, headers_visit visit,
                             void *context)
{
    char path[1024];
    snprintf(path, sizeof(path), "%s/%s", folder, header);
    char *text = read_whole(path);
    uint32_t count = visit_text(text, visit, context);
    free(text);
    return count;
}

/* The headers in a folder of the repository, and in folders in it: nothing where there is none. */
static uint32_t visit_folder(const char *name, headers_visit visit, void *context)
{
    char folder[512];
    source_path(folder, sizeof(folder), name);
    DIR *directory = opendir(folder);
    uint32_t count = 0;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        const char *ending = strchr(entry->d_name, '.');
        if (is_gone_through_elsewhere(entry->d_name)) {
            continue;
        }
        if (ending == NULL) {
            char inner[512];
            snprintf(inner, sizeof(inner), "%s/%s", name, entry->d_name);
            count += visit_folder(inner, visit, context);
        } else if (strcmp(ending, ".h") == 0) {
            count += visit_header(folder, entry->d_name, visit, context);
        }
    }
    if (directory != NULL) {
        closedir(directory);
    }
    return count;
}

uint32_t headers_each_declaration(headers_visit visit, void *context)
{
    uint32_t count = visit_folder("include/kith", visit, context);
    CHECK(count != 0);
    return count;
}

uint32_t headers_each_declaration_of(const char *kit, headers_visit visit, void *context)
{
    char folder[512];
    char name[512];
    source_path(folder, sizeof(folder), "include/kith");
    snprintf(name, sizeof(name), "%s.h", kit);
    uint32_t count = visit_header(folder, name, visit, context);
    snprintf(name, sizeof(name), "include/kith/%s", kit);
    return count + visit_folder(name, visit, context);
}

/* For those who want the name alone. */
typedef struct names {
    void (*visit)(const char *name, void *context);
    void *context;
} names;

static void visit_name(const char *name, const char *declaration, void *context)
{
    const names *n = context;
    (void)declaration;
    n->visit(name, n->context);
}

uint32_t headers_each_call(void (*visit)(const char *name, void *context), void *context)
{
    return headers_each_declaration(visit_name, &(names){visit, context});
}

uint32_t headers_each_call_of(const char *kit, void (*visit)(const char *name, void *context),
                              void *context)
{
    return headers_each_declaration_of(kit, visit_name, &(names){visit, context});
}
