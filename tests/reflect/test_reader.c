/* Readers: texts of one's own with values in them. */
#include <kith/kith.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "owned.h"
#include "test.h"

typedef struct Sign {
    kith_text text, others[2];
    kith_entity owner;
} Sign;
KITH_TYPE(Sign, KITH_FIELD(Sign, text), KITH_FIELD(Sign, others), KITH_FIELD(Sign, owner));

/* A reader whose last token is the first of its text. */
static kith_reader reader_of(const char *text, kith_text_error *error)
{
    kith_reader reader = {.text = text, .length = strlen(text), .error = error};
    CHECK_RESULT(kith_read_token(&reader), KITH_OK);
    return reader;
}

static void expect_error(const kith_text_error *error, uint32_t column, const char *message)
{
    CHECK_UINT(error->line, 1);
    CHECK_UINT(error->column, column);
    CHECK_STR(error->message, message);
}

TEST(a_value_is_read_over_what_is_there)
{
    kith_text_error error;
    Position position = {1, 2};
    kith_reader reader = reader_of("{ y = 5 } then", &error);
    kith_reader copy = reader;
    CHECK_RESULT(kith_read_value(&reader, &Position_type, &position), KITH_OK);
    CHECK_FLOAT(position.x, 1);
    CHECK_FLOAT(position.y, 5);
    CHECK(kith_token_is(&reader, "then"));

    CHECK_RESULT(kith_read_value(&copy, &Position_type, NULL), KITH_OK);
    CHECK(kith_token_is(&copy, "then"));
    CHECK_RESULT(kith_read_token(&copy), KITH_OK);
    CHECK_INT(copy.token.kind, KITH_TOKEN_END);
}

/* Neither another that it begins with, nor one that begins with it; of what has ended, none. */
TEST(a_token_is_itself_alone)
{
    static const char *const texts[] = {"a", "ab", "abc", "b", "{", "\"ab\"", "12", "123", ""};
    enum { TEXTS = sizeof texts / sizeof texts[0] };
    for (size_t i = 0; i < TEXTS; i++) {
        kith_text_error error;
        kith_reader reader = reader_of(texts[i], &error);
        for (size_t k = 0; k < TEXTS; k++) {
            CHECK_INT(kith_token_is(&reader, texts[k]), i == k && *texts[k] != '\0');
        }
    }
}

/* Text does not say what only hooks know. */
TEST(opaque_fields_are_not_read)
{
    kith_text_error error;
    uint32_t number = 7;
    Owned value = {&number, 1, 2};
    kith_reader reader = reader_of("{ number = [1, 2, 3, 4, 5, 6, 7, 8] }", &error);
    CHECK_RESULT(kith_read_value(&reader, &Owned_type, &value), KITH_ERR_INPUT);
    expect_error(&error, 3,
                 "expected a field that text makes (Owned.number is opaque), found \"number\"");
    CHECK(value.number == &number);
    reader = reader_of("{ tag = 5 }", &error);
    CHECK_RESULT(kith_read_value(&reader, &Owned_type, &value), KITH_OK);
    CHECK(value.number == &number && value.tag == 5);
}

/* ---- Texts ----------------------------------------------------------------------------------- */

typedef struct kept_texts {
    char bytes[64];
    uint32_t count;
    uint32_t most;
} kept_texts;

static kith_result keep(kith_reader *reader, void *context, const char *bytes, size_t length,
                        kith_text *text)
{
    kept_texts *kept = context;
    CHECK_INT(reader->token.kind, KITH_TOKEN_TEXT);
    if (kept->count == kept->most) {
        return KITH_ERR_LIMIT;
    }
    strncat(kept->bytes, bytes, length);
    strcat(kept->bytes, ";");
    *text = (kith_text){++kept->count};
    return KITH_OK;
}

TEST(texts_become_those_of_the_world)
{
    fixture f = fixture_new();
    kith_text_error error;
    Sign sign = {.text = {0}};
    const char *text = "{ text = \"a \\x41\", others = [\"\", \"b\"] }";
    kith_reader reader = reader_of(text, &error);
    CHECK_RESULT(kith_read_value(&reader, &Sign_type, &sign), KITH_ERR_INPUT);
    expect_error(&error, 10,
                 "expected nothing for Sign.text, since there is no world to keep texts");
    reader = reader_of(text, &error);
    reader.world = f.world;
    CHECK_RESULT(kith_read_value(&reader, &Sign_type, NULL), KITH_OK);
    CHECK_UINT(kith_memory(f.world).text_count, 0);
    reader = reader_of(text, &error);
    reader.world = f.world;
    CHECK_RESULT(kith_read_value(&reader, &Sign_type, &sign), KITH_OK);
    CHECK_STR(kith_text_get(f.world, sign.text, NULL), "a A");
    CHECK_STR(kith_text_get(f.world, sign.others[1], NULL), "b");
    CHECK_UINT(sign.others[0].number, 0);
    fixture_free(&f);
}

TEST(texts_may_be_kept_elsewhere)
{
    fixture f = fixture_new();
    kith_text_error error;
    Sign sign = {.text = {0}};
    for (uint32_t most = 0; most <= 3; most++) {
        kept_texts kept = {.most = most};
        kith_reader reader = reader_of("{ text = \"a\\x42\", others = [\"\", \"c\"] }", &error);
        reader.world = f.world;
        reader.keep_text = keep;
        reader.context = &kept;
        CHECK_RESULT(kith_read_value(&reader, &Sign_type, NULL), KITH_OK);
        CHECK_UINT(kept.count, 0); /* it was only looked at */
        reader.next = NULL;
        CHECK_RESULT(kith_read_token(&reader), KITH_OK);
        CHECK_RESULT(kith_read_value(&reader, &Sign_type, &sign),
                     most == 3 ? KITH_OK : KITH_ERR_LIMIT);
        CHECK_UINT(kept.count, most);
        if (most == 3) {
            CHECK_STR(kept.bytes, "aB;;c;");
            CHECK_UINT(sign.text.number, 1);
            CHECK_UINT(sign.others[1].number, 3);
        }
        CHECK_UINT(kith_memory(f.world).text_count, 0);
    }
    fixture_free(&f);
}

/* ---- Entities -------------------------------------------------------------------------------- */

static kith_result find_hero(kith_reader *reader, void *context, kith_entity *entity)
{
    if (!kith_token_is(reader, "hero")) {
        return kith_read_expected(reader, "a hero");
    }
    *entity = *(kith_entity *)context;
    return KITH_OK;
}

TEST(entities_stand_by_names_of_ones_own)
{
    kith_text_error error;
    Target target = {KITH_NONE};
    kith_entity hero = {3, 4};
    kith_reader reader = reader_of("{ entity = hero }", &error);
    reader.find_entity = find_hero;
    reader.context = &hero;
    kith_reader copy = reader;
    CHECK_RESULT(kith_read_value(&reader, &Target_type, &target), KITH_OK);
    CHECK_SAME(target.entity, hero);
    CHECK_RESULT(kith_read_value(&copy, &Target_type, NULL), KITH_OK);

    reader = reader_of("{ entity = none }", &error);
    reader.find_entity = find_hero;
    CHECK_RESULT(kith_read_value(&reader, &Target_type, &target), KITH_OK);
    CHECK_SAME(target.entity, KITH_NONE);
    reader = reader_of("{ entity = villain }", &error);
    reader.find_entity = find_hero;
    CHECK_RESULT(kith_read_value(&reader, &Target_type, &target), KITH_ERR_INPUT);
    expect_error(&error, 12, "expected a hero, found \"villain\"");
    reader = reader_of("{ entity = hero }", &error);
    CHECK_RESULT(kith_read_value(&reader, &Target_type, &target), KITH_ERR_INPUT);
    reader = reader_of("{ entity = Entity(2v4) }", &error);
    CHECK_RESULT(kith_read_value(&reader, &Target_type, &target), KITH_OK);
    CHECK_SAME(target.entity, hero);
}

/* ---- Mistakes ----------------------------------------------------------------------------------- */

TEST(long_messages_end_behind_a_character)
{
    kith_text_error error;
    kith_reader reader = reader_of("x", &error);
    for (int first = 0; first < 4; first++) {
        CHECK_RESULT(
            kith_read_fail(&reader, reader.text, "%0*d\xF0\x9F\x90\x89%0100d", 504 + first, 0, 0),
            KITH_ERR_INPUT);
        size_t cut = first == 0 ? 508 : 504 + (size_t)first; /* in front of the dragon, or behind */
        CHECK_STR(error.message + cut, "...");
    }
}

/* A program that does not look at the result reads nothing that is not there, and comes to an end. */
/* A token of more than 40 bytes is cut off before the character that would be cut in two. */
TEST(a_long_token_is_cut_off_between_characters)
{
    static const char *const characters[] = {"a", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x99\x82"};
    for (size_t size = 1; size <= 4; size++) {
        for (size_t shift = 0; shift < 4; shift++) {
            char text[160] = "\"";
            char expected[160] = "expected a word, found the text \"";
            size_t shown = 1;
            for (size_t i = 0; i < shift; i++, shown++) {
                strcat(text, "-");
                strcat(expected, "-");
            }
            for (size_t i = 0; i < 30; i++) {
                strcat(text, characters[size - 1]);
                if (shown + size <= 40) {
                    strcat(expected, characters[size - 1]);
                    shown += size;
                }
            }
            const bool whole = strlen(text) + 1 <= 40;
            strcat(text, "\"");
            strcat(expected, whole ? "\"" : "...");
            kith_text_error error;
            kith_reader reader = {.text = text, .length = strlen(text), .error = &error};
            CHECK_RESULT(kith_read_token(&reader), KITH_OK);
            CHECK_RESULT(kith_read_expected(&reader, "a word"), KITH_ERR_INPUT);
            CHECK_STR(error.message, expected);
        }
    }
}

/* A name may be as long as the place for it, with its zero; in quotes, with escapes, as well. */
TEST(a_name_fits_that_leaves_room_for_its_zero)
{
    static const char *const texts[] = {"abcdef", "\"abcdef\"", "\"\\x61bcdef\""};
    for (size_t i = 0; i < 3; i++) {
        for (size_t size = 1; size < 10; size++) {
            char name[16];
            memset(name, '~', sizeof name);
            kith_text_error error;
            kith_reader reader = {.text = texts[i], .length = strlen(texts[i]), .error = &error};
            CHECK_RESULT(kith_read_token(&reader), KITH_OK);
            CHECK_RESULT(kith_read_name(&reader, "a short name", name, size),
                         size > 6 ? KITH_OK : KITH_ERR_INPUT);
            CHECK(name[size] == '~');
            if (size > 6) {
                CHECK_STR(name, "abcdef");
            } else {
                CHECK_CONTAINS(error.message, "expected a short name, found ");
            }
        }
    }
}

TEST(the_text_ends_where_no_token_can_be_read)
{
    static const char *const texts[] = {"position \"", "position \x01", "position 'a\n"};
    for (size_t i = 0; test_row(i, ROWS_OF(texts)); i++) {
        size_t length = strlen(texts[i]);
        char *text = malloc(length); /* without a zero behind it */
        CHECK_PTR_NOT_NULL(text);
        memcpy(text, texts[i], length);
        kith_text_error error;
        kith_reader reader = {.text = text, .length = length, .error = &error};
        CHECK_RESULT(kith_read_token(&reader), KITH_OK);
        CHECK(kith_token_is(&reader, "position"));
        for (int times = 0; times < 2; times++) {
            CHECK_RESULT(kith_read_token(&reader), KITH_ERR_INPUT);
            CHECK_UINT(error.column, 10);
            CHECK(reader.token.kind == KITH_TOKEN_END);
            CHECK(!kith_token_is(&reader, "position"));
            CHECK_RESULT(kith_read_expected(&reader, "a name"), KITH_ERR_INPUT);
            CHECK_STR(error.message, "expected a name, found the end of the text");
        }
        kith_hint hint = {.word = reader.token.start, .length = reader.token.length};
        kith_hint_offer(&hint, "positron");
        CHECK_PTR_NULL((void *)(uintptr_t)hint.best);
        free(text);
    }
}

/* A colon is a mark of its own, but where it joins the parts of a name. */
TEST(colons_stand_by_themselves)
{
    static const char text[] = "Position: game::Position a:b a::1 :: c:: Entity(2v1):";
    static const char *const tokens[] = {
        "Position", ":", "game::Position", "a", ":", "b", "a", ":", ":", "1", ":", ":", "c",
        ":",        ":", "Entity(2v1)",    ":"};
    kith_reader reader = {.text = text, .length = sizeof(text) - 1};
    for (size_t i = 0; test_row(i, ROWS_OF(tokens)); i++) {
        CHECK_RESULT(kith_read_token(&reader), KITH_OK);
        if (!kith_token_is(&reader, tokens[i])) {
            CHECK_STR(reader.token.start, tokens[i]);
        }
    }
    CHECK_RESULT(kith_read_token(&reader), KITH_OK);
    CHECK(reader.token.kind == KITH_TOKEN_END);
}
