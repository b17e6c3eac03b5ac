/* The texts of a scene. */
#include "scene/source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

uint32_t ki_scene_source_of(const kith_scene *scene, const char *place)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < scene->sources.count; i++) {
        const ki_scene_source *source = ki_scene_source_at(scene, i);
        bool has =
            source->text != NULL && place >= source->text && place < source->text + source->length;
        number = has ? i : number;
    }
    return number;
}

void ki_scene_enter(ki_scene_draft *draft, uint32_t source)
{
    const ki_scene_source *of = ki_scene_source_at(draft->scene, source);
    draft->source = source;
    draft->reader.text = of->text + of->mark;
    draft->reader.length = of->length - of->mark;
    draft->reader.next = NULL;
}

void ki_scene_point_at(ki_scene_draft *draft, const char *start, size_t length)
{
    ki_scene_enter(draft, ki_scene_source_of(draft->scene, start));
    draft->reader.token = (kith_token){KITH_TOKEN_WORD, false, start, length};
}

bool ki_scene_leave(ki_scene_draft *draft)
{
    const ki_scene_source *source = ki_scene_source_at(draft->scene, draft->source);
    if (source->included_by == KI_SCENE_NOTHING) {
        return false;
    }
    ki_scene_enter(draft, source->included_by);
    draft->reader.next = source->resume;
    return true;
}

/* The place of the include that a source came from: "a.kith:3". */
static int print_include(const ki_scene_draft *draft, uint32_t number, char *text, size_t size)
{
    const ki_scene_source *source = ki_scene_source_at(draft->scene, number);
    const ki_scene_source *by = ki_scene_source_at(draft->scene, source->included_by);
    const kith_reader reader = {.text = by->text, .length = by->length};
    uint32_t line;
    uint32_t column;
    kith_read_place(&reader, source->include, &line, &column);
    return snprintf(text, size, "%s:%" PRIu32, by->path, line);
}

void ki_scene_add_chain(const ki_scene_draft *draft, kith_text_error *mistake)
{
    size_t length = strlen(mistake->message);
    uint32_t at = draft->source;
    for (uint32_t by; (by = ki_scene_source_at(draft->scene, at)->included_by) != KI_SCENE_NOTHING;
         at = by) {
        char place[300];
        print_include(draft, at, place, sizeof place);
        int added = snprintf(mistake->message + length, sizeof mistake->message - length, "%s%s",
                             at == draft->source ? "; included by " : ", ", place);
        length += (size_t)added;
        if (length >= sizeof mistake->message) {
            memcpy(mistake->message + sizeof mistake->message - 4, "...", 4);
            return;
        }
    }
}

/* ---- Paths ------------------------------------------------------------------------------------- */

static bool is_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

static bool is_absolute(const char *path)
{
#if defined(_WIN32)
    return is_separator(path[0]) || (path[0] != '\0' && path[1] == ':');
#else
    return is_separator(path[0]);
#endif
}

/* Where the last part of the path so far begins, if ".." may take it away; else its end. */
static size_t last_part(const char *path, size_t root, size_t length)
{
    size_t at = length;
    while (at > root && !is_separator(path[at - 1])) {
        at--;
    }
    bool up = length - at == 2 && memcmp(path + at, "..", 2) == 0;
    return length == at || up ? length : at;
}

/* The path of `name` beside the file `by`, without "." and, where it can be, ".." in it. NULL if
 * memory ran out. */
static const char *join_path(kith_scene *scene, const char *by, const char *name)
{
    size_t before = is_absolute(name) ? 0 : strlen(by);
    while (before > 0 && !is_separator(by[before - 1])) {
        before--;
    }
    size_t size = before + strlen(name) + 1;
    char *whole = ki_scene_arena_alloc(&scene->arena, size);
    char *path = ki_scene_arena_alloc(&scene->arena, size);
    if (whole == NULL || path == NULL) {
        return NULL;
    }
    snprintf(whole, size, "%.*s%s", (int)before, by, name);
    size_t root = is_absolute(whole) ? 1 : 0;
    size_t length = root;
    memcpy(path, whole, root);
    for (const char *at = whole + root; *at != '\0';) {
        size_t part = 0;
        while (at[part] != '\0' && !is_separator(at[part])) {
            part++;
        }
        bool dot = part == 0 || (part == 1 && *at == '.');
        bool up = part == 2 && memcmp(at, "..", 2) == 0;
        size_t last = length > root ? last_part(path, root, length - 1) : length;
        if (up && last < length - (length > root)) {
            length = last;
        } else if (!dot) {
            memcpy(path + length, at, part);
            length += part;
            path[length++] = '/';
        }
        at += part + (at[part] != '\0');
    }
    path[length > root ? length - 1 : length] = '\0';
    return path;
}

/* ---- Files ------------------------------------------------------------------------------------- */

static bool grow_text(const kith_allocator *allocator, ki_scene_source *source)
{
    size_t room = source->room == 0 ? 1 << 14 : source->room * 2;
    char *text = room < source->room ? NULL : allocator->allocate(allocator->context, room, 1);
    if (text == NULL) {
        return false;
    }
    if (source->text != NULL) {
        memcpy(text, source->text, source->length);
        allocator->release(allocator->context, source->text, source->room, 1);
    }
    source->text = text;
    source->room = room;
    return true;
}

/* In growing steps, since only plain files tell their size (a pipe does not). Ends where a byte
 * is zero: a file with one is not a text, and may never end (/dev/zero, /dev/urandom). */
static kith_result read_stream(FILE *stream, const kith_allocator *allocator,
                               ki_scene_source *source)
{
    size_t before;
    do {
        if (source->length == source->room && !grow_text(allocator, source)) {
            return KITH_ERR_MEMORY;
        }
        before = source->length;
        source->length += fread(source->text + before, 1, source->room - before, stream);
        if (memchr(source->text + before, '\0', source->length - before) != NULL) {
            return KITH_OK;
        }
    } while (source->length == source->room && source->length <= UINT32_MAX);
    return ferror(stream) ? KITH_ERR_IO : KITH_OK;
}

/* Reads the text of a source from the file at its path, up to the first byte that is zero if there
 * is one.
 * KITH_ERR_MEMORY
 * KITH_ERR_IO   `errno` tells why. */
static kith_result read_file(const kith_allocator *allocator, ki_scene_source *source)
{
    FILE *stream = fopen(source->path, "rb");
    if (stream == NULL) {
        return KITH_ERR_IO;
    }
    errno = 0;
    kith_result result = read_stream(stream, allocator, source);
    int reason = errno;
    fclose(stream);
    errno = reason;
    return result;
}

/* ---- Adding a text ----------------------------------------------------------------------------- */

/* Adds a source whose path is `path`, without a text. */
static ki_scene_source *add_source(ki_scene_draft *draft, const char *path)
{
    kith_scene *scene = draft->scene;
    const char *key = join_path(scene, "", path);
    ki_scene_source *source =
        ki_scene_list_add(&scene->arena.allocator, &scene->sources, 1, sizeof(ki_scene_source));
    if (key == NULL || source == NULL) {
        return NULL;
    }
    source->included_by = KI_SCENE_NOTHING;
    source->path = path;
    uint32_t number = ki_scene_names_add(&draft->files, &scene->arena, key, strlen(key));
    if (number == KI_SCENE_NOTHING) {
        return NULL;
    }
    ki_scene_names_at(&draft->files, number)->stands_for = scene->sources.count - 1;
    return source;
}

static kith_result copy_text(const kith_allocator *allocator, ki_scene_source *source,
                             const char *text, size_t length)
{
    if (length > UINT32_MAX) {
        return KITH_ERR_LIMIT;
    }
    size_t room = length == 0 ? 1 : length;
    source->text = allocator->allocate(allocator->context, room, 1);
    if (source->text == NULL) {
        return KITH_ERR_MEMORY;
    }
    source->room = room;
    source->length = length;
    if (length > 0) {
        memcpy(source->text, text, length);
    }
    return KITH_OK;
}

/* Reads on at the start of the last source. A file that has a zero byte may be without an end, and
 * is read only so far. */
static kith_result start_source(ki_scene_draft *draft, bool is_file)
{
    static const char mark[] = "\xef\xbb\xbf";
    uint32_t number = draft->scene->sources.count - 1;
    ki_scene_source *source = ki_scene_source_at(draft->scene, number);
    if (source->length > UINT32_MAX) {
        return KITH_ERR_LIMIT;
    }
    source->mark = source->length >= 3 && memcmp(source->text, mark, 3) == 0 ? 3 : 0;
    ki_scene_enter(draft, number);
    const char *zero = is_file ? memchr(source->text, '\0', source->length) : NULL;
    return zero == NULL
               ? KITH_OK
               : kith_read_fail(&draft->reader, zero, "expected text, found the byte 0x00");
}

kith_result ki_scene_open_first(ki_scene_draft *draft)
{
    const kith_scene_def *def = draft->def;
    kith_scene *scene = draft->scene;
    const char *given = def->path == NULL ? "" : def->path;
    const char *path = ki_scene_arena_copy(&scene->arena, given, strlen(given));
    ki_scene_source *source = path == NULL ? NULL : add_source(draft, path);
    if (source == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = def->text != NULL
                             ? copy_text(&scene->arena.allocator, source, def->text, def->length)
                             : read_file(&scene->arena.allocator, source);
    return result == KITH_OK ? start_source(draft, def->text == NULL) : result;
}

/* ---- Including --------------------------------------------------------------------------------- */

/* "a > b > a", from the file that is met again. */
static kith_result include_circle(ki_scene_draft *draft, uint32_t again, const char *place)
{
    char chain[300];
    size_t length = sizeof chain - 1;
    uint32_t at = draft->source;
    chain[length] = '\0';
    const char *last = ki_scene_source_at(draft->scene, again)->path;
    for (bool more = true; more; at = ki_scene_source_at(draft->scene, at)->included_by) {
        const char *path = ki_scene_source_at(draft->scene, at)->path;
        size_t size = strlen(path) + 3;
        more = at != again;
        if (size + 6 > length) {
            length -= 6;
            memcpy(chain + length, "... > ", 6);
            break;
        }
        length -= size;
        memcpy(chain + length, path, size - 3);
        memcpy(chain + length + size - 3, " > ", 3);
    }
    return kith_read_fail(&draft->reader, place,
                          "expected a file that does not include itself, found %s%.120s",
                          chain + length, last);
}

/* Whether a source is the one that is being read, or includes it. */
static bool is_under_way(const ki_scene_draft *draft, uint32_t source)
{
    uint32_t at = draft->source;
    while (at != KI_SCENE_NOTHING && at != source) {
        at = ki_scene_source_at(draft->scene, at)->included_by;
    }
    return at == source;
}

/* Gives the last source its text, from the disk or from the program. */
static kith_result fetch_text(ki_scene_draft *draft, const char *place)
{
    kith_scene *scene = draft->scene;
    const kith_scene_def *def = draft->def;
    ki_scene_source *source = ki_scene_source_at(scene, scene->sources.count - 1);
    const char *text = NULL;
    size_t length = 0;
    kith_result result;
    errno = 0;
    if (def->open != NULL) {
        result = def->open(def->context, source->path, &text, &length);
        if (result == KITH_OK && text == NULL) {
            return kith_misuse(scene->world,
                               "kith_scene_new: `open` returned KITH_OK without a text");
        }
        result =
            result == KITH_OK ? copy_text(&scene->arena.allocator, source, text, length) : result;
    } else {
        result = read_file(&scene->arena.allocator, source);
    }
    if (result != KITH_OK && result != KITH_ERR_MEMORY && result != KITH_ERR_MISUSE) {
        kith_read_fail(&draft->reader, place, "expected a file to include, found \"%.200s\": %s",
                       source->path,
                       def->open == NULL && result == KITH_ERR_IO ? strerror(errno)
                                                                  : kith_result_name(result));
    }
    return result;
}

static kith_result include_file(ki_scene_draft *draft, const char *name, const kith_token *token)
{
    kith_scene *scene = draft->scene;
    const char *path = join_path(scene, ki_scene_source_at(scene, draft->source)->path, name);
    if (path == NULL) {
        return KITH_ERR_MEMORY;
    }
    uint32_t known = ki_scene_names_find(&draft->files, path, strlen(path));
    if (known != KI_SCENE_NOTHING) {
        uint32_t source = ki_scene_names_at(&draft->files, known)->stands_for;
        return is_under_way(draft, source) ? include_circle(draft, source, token->start) : KITH_OK;
    }
    ki_scene_source *source = add_source(draft, path);
    if (source == NULL) {
        return KITH_ERR_MEMORY;
    }
    source->included_by = draft->source;
    source->include = token->start;
    source->resume = token->start + token->length;
    kith_result result = fetch_text(draft, token->start);
    result = result == KITH_OK ? start_source(draft, draft->def->open == NULL) : result;
    return result == KITH_OK ? kith_read_token(&draft->reader) : result;
}

kith_result ki_scene_include(ki_scene_draft *draft)
{
    kith_reader *reader = &draft->reader;
    const kith_scene_def *def = draft->def;
    kith_result result = kith_read_token(reader);
    const kith_token token = reader->token;
    if (result != KITH_OK) {
        return result;
    }
    if (token.first || token.kind != KITH_TOKEN_TEXT || token.length <= 2) {
        return kith_read_expected(reader, "a path in quotes after \"include\"");
    }
    if (def->open == NULL && def->path == NULL) {
        return kith_read_fail(reader, token.start,
                              "expected no \"include\" in a text without a path: read it from a"
                              " file, or set `path` or `open` of kith_scene_new");
    }
    char *name = ki_scene_arena_alloc(&draft->scene->arena, token.length);
    if (name == NULL) {
        return KITH_ERR_MEMORY;
    }
    result = kith_read_name(reader, "a path after \"include\"", name, token.length);
    result = result == KITH_OK ? kith_read_token(reader) : result;
    if (result == KITH_OK && !reader->token.first) {
        result = kith_read_expected(reader, "the end of the line");
    }
    return result == KITH_OK ? include_file(draft, name, &token) : result;
}
