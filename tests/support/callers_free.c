#include <string.h>

#include "callers.h"

/* Calls that know of no world, or of none that has to be there still; those on pools are listed by how
 * they begin. */
static const char *const elsewhere[] = {
    "kith_world_new",
    "kith_misuse",
    "kith_result_name",
    "kith_version",
    "kith_log",
    "kith_entity_to_text",
    "kith_entity_from_text",
    "kith_kind_size",
    "kith_kind_name",
    "kith_field_find",
    "kith_clock_",
    "kith_pool_",
    "kith_read_token",
    "kith_token_is",
    "kith_read_name",
    "kith_read_fail",
    "kith_read_expected",
    "kith_read_place",
    "kith_hint_",
    "kith_print_text_error",
    "kith_grid_free",
    "kith_random_",
    "kith_next_rows", /* `it` is on a batch of arrays: see threads/test_threads_rows.c */
    "kith_pointers",
    "kith_sincos_f32",
    "kith_sin_f32",
    "kith_cos_f32",
    "kith_atan2_f32",
    "kith_turn_f32",
    "kith_transform2_",
    "kith_transform3_",
    "kith_quat_",
    "kith_term_pointers",
};

bool callers_are_free(const char *name)
{
    for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++) {
        size_t length = strlen(elsewhere[i]);
        bool begins = strncmp(name, elsewhere[i], length) == 0;
        if (begins && (name[length] == '\0' || elsewhere[i][length - 1] == '_')) {
            return true;
        }
    }
    return false;
}
