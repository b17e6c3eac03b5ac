#include "scene/scene_error.h"

#include <inttypes.h>
#include <stdio.h>

enum { ERROR_MESSAGE = 256 + 64 + 512 }; /* a path, a place in it, and what is wrong there */

kith_result ki_scene_fail(kith_world *world, kith_scene_error *error, const char *path,
                          kith_result result, const char *message)
{
    if (result == KITH_ERR_MISUSE) {
        return result;
    }
    message = message != NULL             ? message
              : result == KITH_ERR_MEMORY ? "the memory ran out"
              : result == KITH_ERR_LIMIT  ? "the scene is too large"
                                          : kith_result_name(result);
    if (error != NULL) {
        error->line = error->column = 0;
        snprintf(error->file, sizeof error->file, "%s", path == NULL ? "" : path);
        snprintf(error->message, sizeof error->message, "%s", message);
    }
    if (path == NULL) {
        return kith_fail(world, result, message);
    }
    char told[ERROR_MESSAGE];
    snprintf(told, sizeof told, "%.255s: %s", path, message);
    return kith_fail(world, result, told);
}

kith_result ki_scene_fail_in_text(kith_world *world, kith_scene_error *error, const char *path,
                                  kith_result result, const kith_text_error *mistake)
{
    ki_scene_fail(world, error, path, result, mistake->message);
    if (error != NULL) {
        error->line = mistake->line;
        error->column = mistake->column;
    }
    char told[ERROR_MESSAGE];
    if (path != NULL) {
        snprintf(told, sizeof told, "%.255s:%" PRIu32 ":%" PRIu32 ": %s", path, mistake->line,
                 mistake->column, mistake->message);
    } else {
        snprintf(told, sizeof told, "the scene's line %" PRIu32 ", column %" PRIu32 ": %s",
                 mistake->line, mistake->column, mistake->message);
    }
    return kith_fail(world, result, told);
}
