#include "arena/panel.h"

#include <string.h>

#define INK KITH_RGB | 0xd6deeb
#define FAINT KITH_RGB | 0x7a8296
#define BACK KITH_RGB | 0x181a24

static const kith_terminal_style faint = {.fg = FAINT, .bg = BACK};

enum { KEY_COLUMNS = 14, TEXT_MOST = 52, TEXT_BYTES = 256 };

/* How a panel is laid out: rows that are on the screen are drawn, and all are counted. */
typedef struct layout {
    kith_screen *screen;   /* NULL: is just counted */
    kith_screen_rect text; /* inside of the border */
    bool tight;            /* without empty lines */
    int first, end;        /* rows of this page */
    int row;               /* the next one, from 0 */
} layout;

static int columns_of(const panel *shown)
{
    int columns = 0;
    for (int i = 0; i < shown->count; i++) {
        const panel_line *line = &shown->lines[i];
        int wide = kith_screen_text_width(line->text) + (line->key != NULL ? KEY_COLUMNS : 0);
        columns = wide > columns ? wide : columns;
    }
    return columns < TEXT_MOST ? columns : TEXT_MOST;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static void put_text(const layout *l, int x, const char *text, uint32_t attributes)
{
    if (l->screen != NULL && l->row >= l->first && l->row < l->end) {
        kith_screen_text(l->screen, l->text.x + x, l->text.y + l->row - l->first, text,
                         (kith_terminal_style){INK, BACK, attributes});
    }
}

/* The bytes of `text` that fit into so many columns: whole words, or at least one. */
static size_t fitting(const char *text, int columns)
{
    size_t fits = 0;
    for (size_t end = 0; text[end] != '\0';) {
        char words[TEXT_BYTES];
        end += strcspn(text + end, " ");
        memcpy(words, text, end);
        words[end] = '\0';
        if (fits > 0 && kith_screen_text_width(words) > columns) {
            break;
        }
        fits = end;
        end += text[end] == ' ';
    }
    return fits;
}

static void add_line(layout *l, const panel_line *line)
{
    const int x = line->key != NULL ? KEY_COLUMNS : 0;
    const uint32_t attributes = l->row == 0 ? KITH_BOLD : 0;
    const char *text = line->text;
    if (line->key != NULL) {
        put_text(l, 0, line->key, attributes);
    }
    do {
        char words[TEXT_BYTES] = {0};
        size_t length = fitting(text, l->text.width - x);
        memcpy(words, text, length);
        put_text(l, x, words, attributes);
        text += length + (text[length] == ' ');
        l->row++;
    } while (*text != '\0');
}

static int add_lines(layout *l, const panel *shown)
{
    l->row = 0;
    for (int i = 0; i < shown->count; i++) {
        if (!l->tight || shown->lines[i].text[0] != '\0') {
            add_line(l, &shown->lines[i]);
        }
    }
    return l->row;
}

/* ---- Pages ----------------------------------------------------------------------------------- */

static layout make_layout(const kith_screen *screen, const panel *shown, int *rows)
{
    const int wide = columns_of(shown);
    const int room = kith_screen_height(screen) - 2;
    layout l = {.text = {.width = wide}};
    if (l.text.width > kith_screen_width(screen) - 4) {
        l.text.width = kith_screen_width(screen) - 4;
    }
    *rows = add_lines(&l, shown);
    if (*rows > room) {
        l.tight = true;
        *rows = add_lines(&l, shown);
    }
    l.text.height = *rows < room ? *rows : room > 1 ? room : 1;
    return l;
}

int panel_pages(const kith_screen *screen, const panel *shown)
{
    int rows;
    const layout l = make_layout(screen, shown, &rows);
    return (rows + l.text.height - 1) / l.text.height;
}

void panel_draw(kith_screen *screen, const panel *shown, int page)
{
    int rows;
    layout l = make_layout(screen, shown, &rows);
    const int pages = (rows + l.text.height - 1) / l.text.height;
    const int margin = kith_screen_width(screen) - l.text.width > 6 ? 2 : 1;
    page = page < pages ? page : pages;
    l.text.x = (kith_screen_width(screen) - l.text.width) / 2;
    l.text.y = (kith_screen_height(screen) - l.text.height) / 2;
    const kith_screen_rect box = {l.text.x - margin - 1, l.text.y - 1,
                                  l.text.width + 2 * margin + 2, l.text.height + 2};
    kith_screen_fill(screen, box, ' ', faint);
    kith_screen_box(screen, box, KITH_BORDER_ROUND, faint);
    if (pages > 1) {
        kith_screen_print(screen, box.x + 2, box.y + box.height - 1, faint,
                          page < pages ? " %d of %d: ? " : " %d of %d ", page, pages);
    }
    l.screen = screen;
    l.first = (page - 1) * l.text.height;
    l.end = l.first + l.text.height;
    add_lines(&l, shown);
}
