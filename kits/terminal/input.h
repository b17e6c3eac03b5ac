/* Input inside: a queue of events, the keys that are held, and a parser that takes a byte at a
 * time. */
#ifndef KI_TERMINAL_INPUT_H
#define KI_TERMINAL_INPUT_H

#include <kith/terminal.h>

#define KI_HELD_MAX 32
#define KI_SEQUENCE_MAX 64
#define KI_PASTE_NONE SIZE_MAX
#define KI_FOREVER UINT64_MAX
#define KI_MILLISECOND UINT64_C(1000000)

typedef enum ki_input_state {
    KI_INPUT_GROUND,
    KI_INPUT_ESCAPE,      /* after ESC */
    KI_INPUT_CONTROL,     /* after ESC [ */
    KI_INPUT_CONSOLE_KEY, /* after ESC [ [ : a function key of the Linux console */
    KI_INPUT_SHIFTED,     /* after ESC O */
    KI_INPUT_STRING,      /* after ESC ] and others like it: a reply that ends in BEL or ESC \ */
    KI_INPUT_STRING_END,  /* after an ESC in one */
    KI_INPUT_PASTED
} ki_input_state;

typedef struct ki_queued {
    kith_input_event event;
    size_t text; /* PASTE: where it starts in `text`; KI_PASTE_NONE: it has none */
} ki_queued;

typedef struct ki_held {
    uint32_t key;
    uint32_t modifiers;
    uint64_t until; /* when it counts as released; KI_FOREVER: when the terminal says so */
} ki_held;

/* The key that came last: the only one that a terminal repeats. */
typedef struct ki_typed {
    uint32_t key;
    uint64_t pressed; /* at the earliest: when somebody looked for the last time before */
    uint64_t came;    /* when it was seen last */
    bool repeats;     /* that may have been no press */
} ki_typed;

struct kith_input {
    kith_allocator allocator;
    uint64_t escape_ns;
    uint64_t first_hold_ns;
    uint64_t hold_ns;

    ki_queued *queue; /* from `head` to `count` */
    size_t head;
    size_t count;
    size_t capacity;
    char *text; /* of pastes that wait or are coming in */
    size_t text_length;
    size_t text_capacity;

    ki_input_state state;
    uint64_t looked;                /* when bytes or time were taken in last; 0: never */
    uint64_t last;                  /* when the last byte came */
    char sequence[KI_SEQUENCE_MAX]; /* what came since the state began */
    size_t sequence_length;         /* of more than fits, too: such a sequence is left out */
    char introducer;                /* STRING: what came after the ESC */
    bool meta;                      /* an ESC came before that of the sequence: Alt, or a key */
    uint32_t alt;                   /* KITH_ALT, if the character that is coming follows an ESC */
    unsigned char partial[5];       /* a character in UTF-8 that is not whole */
    int partial_length;
    int partial_size;
    size_t paste_start;
    int paste_matched; /* bytes of the end mark so far */

    ki_held held[KI_HELD_MAX]; /* the oldest first */
    int held_count;
    ki_typed typed;
    bool has_releases;
    bool counting; /* a trial: nothing is queued, just counted */
    size_t counted_events;
    size_t counted_text;
};

/* Adds an event. There is room: it was counted before. */
void ki_input_emit(kith_input *input, const kith_input_event *event);

/* A key or mouse button, with what follows for the keys that are held. `now` decides when it counts
 * as released. */
void ki_input_emit_key(kith_input *input, const kith_input_event *event, uint64_t now);
void ki_input_release_all(kith_input *input);

/* Releases the keys whose time is over. */
void ki_input_expire_held(kith_input *input, uint64_t now);

/* A character that was typed, or a control character. */
void ki_input_emit_typed(kith_input *input, uint32_t character, uint32_t modifiers, uint64_t now);

/* What a sequence means: "\033[" and what is in `sequence`; its last byte is `end`. */
void ki_input_control(kith_input *input, char end, uint64_t now);
void ki_input_shifted(kith_input *input, char end, uint64_t now);
void ki_input_console_key(kith_input *input, char end, uint64_t now);

/* The ESC that came before a sequence, if there was one, was a key by itself. */
void ki_input_end_meta(kith_input *input, uint64_t now);

void ki_input_byte(kith_input *input, unsigned char byte, uint64_t now);

/* Ends what has waited for too long. */
void ki_input_expire(kith_input *input, uint64_t now);

#endif
