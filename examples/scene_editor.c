/* scene_editor: changes a scene; saves its text, comments and all */

#include <inttypes.h>
#include <kith/kith.h>
#include <kith/scene.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/load.h"
#include "support/must.h"

KITH_COMPONENT(Position, (float, x), (float, y));
KITH_COMPONENT(Health, (int32_t, current), (int32_t, max));
KITH_COMPONENT(Hunts, (kith_entity, target));
KITH_COMPONENT(Gravity, (float, x), (float, y)); /* a resource */
KITH_TAG(Asleep);

#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

static const char help[] =
    "usage: scene_editor [FILE]\n"
    "\n"
    "Loads a scene (examples/scene_editor.kith, if none is given), reads commands\n"
    "from standard input, and prints what the text is then:\n"
    "\n"
    "  rename OLD NEW           gives an entity another name\n"
    "  set NAME COMPONENT ...   Position { x = 3 }, for example: other fields stay\n"
    "  add NAME [PREFAB]        makes an entity\n"
    "  remove NAME              ends one\n"
    "  undo, redo               go back before a change, up to 100 of them, and ahead\n"
    "  save                     writes the files of the scene\n";

enum { UNDO_MOST = 100 };

typedef struct editor {
    kith_world *world;
    kith_scene *scene;
    kith_snapshot *states[UNDO_MOST + 1]; /* before the first change, and after each one */
    uint32_t now;                         /* the state that the world is in */
    uint32_t last;                        /* the last one, to which `redo` leads */
} editor;

/* The entity of a name, which must be there. */
static kith_entity find(const editor *e, const char *name)
{
    kith_entity entity = kith_scene_find(e->scene, name);
    if (!KITH_ALIVE(e->world, entity)) {
        fail("there is no entity \"%s\"", name);
    }
    return entity;
}

/* What a name in a value means. */
static kith_result find_entity(kith_reader *reader, void *context, kith_entity *entity)
{
    char name[64];
    const editor *e = context;
    kith_result result = kith_read_name(reader, "the name of an entity", name, sizeof name);
    if (result == KITH_OK) {
        *entity = find(e, name);
    }
    return result;
}

/* Reads `COMPONENT { ... }` over what the entity has of it. */
static void set(editor *e, kith_entity entity, const char *text)
{
    union {
        char bytes[64];
        max_align_t aligned;
    } value = {{0}};
    char name[64];
    kith_text_error error = {.message = ""};
    kith_reader reader = {.text = text,
                          .length = strlen(text),
                          .error = &error,
                          .find_entity = find_entity,
                          .context = e,
                          .world = e->world};
    const kith_type *type = NULL;
    kith_result result = kith_read_token(&reader);
    if (result == KITH_OK) {
        result = kith_read_name(&reader, "a component", name, sizeof name);
    }
    if (result == KITH_OK && (type = kith_type_find(e->world, name)) == NULL) {
        result = kith_read_expected(&reader, "a component");
    }
    if (result == KITH_OK && kith_has(e->world, entity, type) && type->size > 0) {
        must(e->world, kith_get_bytes(e->world, entity, type, value.bytes, type->size));
    }
    if (result == KITH_OK) {
        result = kith_read_token(&reader);
    }
    if (result == KITH_OK && kith_token_is(&reader, "{")) {
        result = kith_read_value(&reader, type, value.bytes);
    }
    if (result != KITH_OK) {
        fail("set: column %" PRIu32 ": %s", error.column, error.message);
    }
    must(e->world, kith_set(e->world, entity, type, type->size > 0 ? value.bytes : NULL));
}

static void add(editor *e, const char *name, const char *of)
{
    kith_entity entity;
    uint32_t index;
    const kith_prefab *prefab = *of == '\0' ? NULL : kith_scene_prefab(e->scene, of);
    if (prefab == NULL && *of != '\0') {
        fail("there is no prefab \"%s\"", of);
    }
    must(e->world, prefab == NULL ? kith_spawn(e->world, NULL, 0, &entity)
                                  : kith_prefab_spawn(prefab, NULL, 0, &entity));
    must(e->world, kith_scene_add(e->scene, entity, prefab, &index));
    must(e->world, kith_scene_set_name(e->scene, index, name));
}

static void save(const editor *e)
{
    const char *path;
    kith_scene_error error;
    for (uint32_t i = 0; (path = kith_scene_file(e->scene, i)) != NULL; i++) {
        const kith_scene_save_def def = {.scene = e->scene, .file = i};
        if (kith_scene_save_file(e->world, &def, path, &error) != KITH_OK) {
            refuse_scene(&error);
        }
    }
}

/* Keeps the state that the world is in now, after a change. */
static void keep(editor *e)
{
    for (; e->last > e->now; e->last--) {
        kith_snapshot_free(e->states[e->last]);
    }
    if (e->now == UNDO_MOST) {
        kith_snapshot_free(e->states[0]);
        memmove(e->states, e->states + 1, UNDO_MOST * sizeof e->states[0]);
        e->now--;
    }
    e->last = ++e->now;
    must(e->world, kith_snapshot_take(e->world, &e->states[e->now]));
}

static void go_to(editor *e, bool there, uint32_t state)
{
    if (!there) {
        fail("there is nothing to %s", state == e->now + 1 ? "redo" : "undo");
    }
    must(e->world, kith_snapshot_restore(e->world, e->states[state]));
    e->now = state;
}

static void change(editor *e, const char *word, const char *name, const char *rest)
{
    if (strcmp(word, "rename") == 0) {
        uint32_t index = kith_scene_index_of(e->scene, find(e, name));
        must(e->world, kith_scene_set_name(e->scene, index, rest));
    } else if (strcmp(word, "set") == 0) {
        set(e, find(e, name), rest);
    } else if (strcmp(word, "add") == 0) {
        add(e, name, rest);
    } else if (strcmp(word, "remove") == 0) {
        must(e->world, KITH_DESPAWN(e->world, find(e, name)));
    } else {
        fail("there is no command \"%s\"; see --help", word);
    }
    keep(e);
}

static void run(editor *e, const char *line)
{
    char word[16] = "", name[64] = "";
    int rest = 0;
    (void)sscanf(line, "%15s %63s %n", word, name, &rest);
    if (strcmp(word, "undo") == 0) {
        go_to(e, e->now > 0, e->now - 1);
    } else if (strcmp(word, "redo") == 0) {
        go_to(e, e->now < e->last, e->now + 1);
    } else if (strcmp(word, "save") == 0) {
        save(e);
    } else {
        change(e, word, name, line + rest);
    }
}

static bool print(void *context, const char *bytes, size_t count)
{
    (void)context;
    return fwrite(bytes, 1, count, stdout) == count;
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *path = NULL;
    arguments args = arguments_of(argv, "scene_editor", help);
    for (const char *arg; (arg = arguments_next(&args)) != NULL;) {
        if (arg[0] == '-' || path != NULL) {
            arguments_unknown(&args);
        }
        path = arg;
    }
    editor e = {.world = must_make(kith_world_new(NULL))};
    must(e.world, KITH_TYPES(e.world, Position, Health, Hunts, Gravity, Asleep));
    kith_scene_error error;
    path = path != NULL ? path : EXAMPLES_DIR "/scene_editor.kith";
    if (kith_scene_load_file(e.world, path, &e.scene, &error) != KITH_OK) {
        refuse_scene(&error);
    }
    must(e.world, kith_snapshot_take(e.world, &e.states[0]));
    char line[256];
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        run(&e, line);
    }
    const kith_scene_save_def def = {.scene = e.scene};
    if (kith_scene_save(e.world, &def, print, NULL, &error) == KITH_ERR_INPUT) {
        refuse_scene(&error);
    }
    must_print();
    for (uint32_t i = 0; i <= e.last; i++) {
        kith_snapshot_free(e.states[i]);
    }
    kith_scene_free(e.scene);
    kith_world_free(e.world);
    return 0;
}
