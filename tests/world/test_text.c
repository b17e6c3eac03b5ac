/* Interned texts: each once, found again, the same for hashes whatever their numbers. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "label.h"
#include "test.h"

static kith_text intern(kith_world *world, const char *text)
{
    kith_text interned;
    CHECK_RESULT(kith_text_intern(world, text, &interned), KITH_OK);
    CHECK_RESULT(kith_world_check(world), KITH_OK);
    return interned;
}

TEST(a_text_is_kept_once)
{
    fixture f = fixture_new();
    char text[] = "sword";
    kith_text sword = intern(f.world, text);
    text[0] = 'w'; /* the world has its own */
    kith_text word = intern(f.world, text + 1);
    CHECK(!kith_text_equal(sword, word));
    CHECK(kith_text_equal(sword, intern(f.world, "sword")));
    CHECK(kith_text_equal(word, intern(f.world, "word")));
    size_t length = 0;
    CHECK_STR(kith_text_get(f.world, sword, &length), "sword");
    CHECK_UINT(length, 5);
    CHECK_UINT(kith_memory(f.world).text_count, 2);
    fixture_free(&f);
}

TEST(the_empty_text_is_all_zero_in_every_world)
{
    fixture f = fixture_new();
    kith_text none = {9};
    CHECK(kith_text_find(f.world, "", &none));
    CHECK_UINT(none.number, 0);
    CHECK_UINT(intern(f.world, "").number, 0);
    size_t length = 9;
    CHECK_STR(kith_text_get(f.world, (kith_text){0}, &length), "");
    CHECK_UINT(length, 0);
    CHECK_UINT(kith_memory(f.world).text_count, 0);
    CHECK_UINT(kith_memory(f.world).texts, 0);
    kith_text nothing = {9};
    CHECK_RESULT(kith_text_intern_bytes(f.world, NULL, 0, &nothing), KITH_OK);
    CHECK_UINT(nothing.number, 0);
    fixture_free(&f);
}

TEST(looking_for_a_text_does_not_intern_it)
{
    fixture f = fixture_new();
    kith_text found = {77};
    CHECK(!kith_text_find(f.world, "shield", &found));
    intern(f.world, "sword");
    CHECK(!kith_text_find(f.world, "shield", &found));
    CHECK(!kith_text_find(f.world, "swor", &found));
    CHECK(!kith_text_find(f.world, "swords", &found));
    CHECK_UINT(found.number, 77);
    CHECK(kith_text_find(f.world, "sword", &found));
    CHECK(kith_text_find(f.world, "sword", NULL));
    CHECK_UINT(kith_memory(f.world).text_count, 1);
    fixture_free(&f);
}

TEST(a_number_that_is_no_text_has_none)
{
    fixture f = fixture_new();
    size_t length = 5;
    CHECK_PTR_NULL(kith_text_get(f.world, (kith_text){1}, &length));
    intern(f.world, "one");
    CHECK_PTR_NULL(kith_text_get(f.world, (kith_text){2}, &length));
    CHECK_PTR_NULL(kith_text_get(f.world, (kith_text){UINT32_MAX}, &length));
    CHECK_UINT(length, 5);
    fixture_free(&f);
}

TEST(texts_may_have_any_bytes)
{
    fixture f = fixture_new();
    const char bytes[] = {'a', '\0', 'b', '\xFF'};
    kith_text all;
    kith_text part;
    CHECK_RESULT(kith_text_intern_bytes(f.world, bytes, 4, &all), KITH_OK);
    CHECK_RESULT(kith_text_intern_bytes(f.world, bytes, 1, &part), KITH_OK);
    CHECK(!kith_text_equal(all, part));
    CHECK(kith_text_equal(part, intern(f.world, "a")));
    size_t length;
    const char *kept = kith_text_get(f.world, all, &length);
    CHECK_UINT(length, 4);
    CHECK(memcmp(kept, bytes, 4) == 0);
    CHECK(kept[4] == '\0');
    fixture_free(&f);
}

/* Bytes stay where they are while thousands come after them. */
TEST(many_texts_stay_where_they_are)
{
    enum { COUNT = 5000 };
    fixture f = fixture_new();
    static const char *kept[COUNT];
    static kith_text texts[COUNT];
    char name[300];
    memset(name, '.', sizeof name);
    for (int i = 0; i < COUNT; i++) {
        snprintf(name + i % 250, 20, "%d", i);
        CHECK_RESULT(kith_text_intern(f.world, name, &texts[i]), KITH_OK);
        kept[i] = kith_text_get(f.world, texts[i], NULL);
        memset(name, '.', sizeof name);
    }
    for (int i = 0; i < COUNT; i++) {
        snprintf(name + i % 250, 20, "%d", i);
        CHECK(kith_text_get(f.world, texts[i], NULL) == kept[i]);
        CHECK_STR(kept[i], name);
        memset(name, '.', sizeof name);
    }
    CHECK_RESULT(kith_world_check(f.world), KITH_OK);
    CHECK_UINT(kith_memory(f.world).text_count, COUNT);
    CHECK(kith_memory(f.world).texts > COUNT * 100u);
    CHECK(kith_memory(f.world).texts < COUNT * 250u);
    fixture_free(&f);
}

TEST(a_text_that_is_too_long_is_refused)
{
    fixture f = fixture_new();
    kith_text text = {77};
    CHECK_RESULT(kith_text_intern_bytes(f.world, "x", UINT32_MAX, &text), KITH_ERR_LIMIT);
    CHECK_CONTAINS(kith_error(f.world), "kith_text_intern");
    CHECK_CONTAINS(kith_error(f.world), "4294967295 bytes");
    CHECK_UINT(text.number, 77);
    fixture_free(&f);
}

/* ---- In components --------------------------------------------------------------------------- */

/* Two worlds that intern in another order hold the same. */
TEST_EACH_LAYOUT(hashes_go_by_the_text_not_by_its_number, layout)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    kith_world *worlds[] = {f.world, g.world};
    kith_entity e = KITH_NONE;
    for (int i = 0; i < 2; i++) {
        CHECK_RESULT(kith_register(worlds[i], &Label_type, &(kith_component_def){.layout = layout}),
                     KITH_OK);
        kith_text b = intern(worlds[i], i == 0 ? "b" : "a");
        kith_text a = intern(worlds[i], i == 0 ? "a" : "b");
        if (i == 1) {
            kith_text swap = a;
            a = b;
            b = swap;
        }
        e = KITH_SPAWN(worlds[i], KITH_VALUE(Label, {a, {b, a}}));
        CHECK(!kith_is_none(e));
    }
    CHECK(KITH_GET(f.world, e, Label)->text.number != KITH_GET(g.world, e, Label)->text.number);
    CHECK_UINT(kith_world_hash(f.world), kith_world_hash(g.world));
    CHECK_UINT(kith_content_hash(f.world), kith_content_hash(g.world));

    /* Each text of an array counts. */
    Label changed = *KITH_GET(g.world, e, Label);
    changed.more[1] = changed.more[0];
    CHECK_RESULT(kith_set(g.world, e, &Label_type, &changed), KITH_OK);
    CHECK(kith_world_hash(f.world) != kith_world_hash(g.world));
    CHECK(kith_content_hash(f.world) != kith_content_hash(g.world));
    fixture_free(&f);
    fixture_free(&g);
}

TEST(interning_changes_no_structure_and_no_hash)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    uint64_t hash = kith_world_hash(f.world);
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        intern(f.world, "while a query is open");
    }
    CHECK_UINT(kith_world_hash(f.world), hash);
    fixture_free(&f);
}

/* ---- As text --------------------------------------------------------------------------------- */

TEST(texts_print_and_read_back)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Label_type, NULL), KITH_OK);
    Label label = {intern(f.world, "a \"rusty\" sword\n"), {{0}, intern(f.world, "iron")}};
    char text[200];
    kith_print_value(f.world, &Label_type, &label, text, sizeof text);
    CHECK_STR(text, "{ text = \"a \\\"rusty\\\" sword\\n\", more = [\"\", \"iron\"] }");
    Label back;
    CHECK_RESULT(kith_parse_value(f.world, &Label_type, text, &back), KITH_OK);
    CHECK(memcmp(&back, &label, sizeof back) == 0);

    fixture g = fixture_new();
    CHECK_RESULT(kith_register(g.world, &Label_type, NULL), KITH_OK);
    kith_entity e = kith_spawn_empty(g.world);
    char entity[220];
    snprintf(entity, sizeof entity, "Label %s", text);
    CHECK_RESULT(kith_parse_entity(g.world, e, entity), KITH_OK);
    CHECK_STR(kith_text_get(g.world, KITH_GET(g.world, e, Label)->more[1], NULL), "iron");
    fixture_free(&f);
    fixture_free(&g);
}

TEST(a_wrong_text_interns_nothing)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Label_type, NULL), KITH_OK);
    Label label = {{7}, {{8}, {9}}};
    static const char *const wrong[] = {
        "{ text = \"first\", more = [\"second\"] }",
        "{ text = first }",
        "{ text = 1 }",
        "{ text = 't' }",
        "{ text = \"\\q\" }",
        "{ text = \"first\"",
    };
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        test_note(wrong[i]);
        CHECK_RESULT(kith_parse_value(f.world, &Label_type, wrong[i], &label), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), "line 1, column ");
        CHECK_UINT(label.text.number, 7);
        CHECK_UINT(kith_memory(f.world).text_count, 0);
    }
    CHECK_RESULT(kith_parse_value(f.world, &Label_type, "{ text = first }", &label),
                 KITH_ERR_INPUT);
    CHECK_STR(kith_error(f.world), "kith_parse_value: line 1, column 10: expected a text in \" for"
                                   " Label.text, found \"first\"");
    CHECK_RESULT(kith_parse_value(f.world, &Label_type, "{ text = \"only looked at\" }", NULL),
                 KITH_OK);
    CHECK_UINT(kith_memory(f.world).text_count, 0);
    fixture_free(&f);
}

TEST(what_is_no_text_is_printed_as_such)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Label_type, NULL), KITH_OK);
    Label label = {{7}, {{0}, {0}}};
    char text[200];
    kith_print_value(f.world, &Label_type, &label, text, sizeof text);
    CHECK_STR(text, "{ text = unknown text 7, more = [\"\", \"\"] }");
    CHECK_RESULT(kith_parse_value(f.world, &Label_type, text, &label), KITH_ERR_INPUT);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Label, {{7}, {{0}, {0}}}));
    uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(KITH_SET(f.world, e, Label, {{8}, {{0}, {0}}}), KITH_OK);
    CHECK(kith_world_hash(f.world) != hash);
    fixture_free(&f);
}

/* Texts stand side by side in pieces of 256 bytes at first: whether one more fits is a matter of its
 * zero, too. */
TEST(texts_of_all_lengths_have_room_for_their_zero)
{
    static char bytes[600];
    memset(bytes, 't', sizeof(bytes));
    for (size_t first = 1; first < 300; first++) {
        for (size_t both = 250; both < 260; both++) {
            size_t second = both > first ? both - first : 1;
            fixture f = fixture_new();
            kith_text texts[3];
            size_t lengths[3] = {first, second, 1};
            for (int i = 0; i < 3; i++) {
                bytes[0] = (char)('a' + i);
                kith_result result =
                    kith_text_intern_bytes(f.world, bytes, lengths[i], &texts[i]);
                CHECK_RESULT(result, KITH_OK);
            }
            for (int i = 0; i < 3; i++) {
                size_t length = 0;
                const char *text = kith_text_get(f.world, texts[i], &length);
                CHECK_UINT(length, lengths[i]);
                CHECK_UINT(strlen(text), lengths[i]);
                CHECK_UINT(text[0], 'a' + i);
            }
            fixture_free(&f);
        }
    }
}
