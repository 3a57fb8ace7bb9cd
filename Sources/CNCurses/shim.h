#pragma once
// Wide characters are declared only where they are asked for.
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE 700
#include <locale.h>
#include <ncurses.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

// The standard screen, its size and the standard streams are variables of C, which Swift 6 does not let anybody share;
// and several calls are macros. What a full-screen view needs of them is these few functions.

/// Characters beyond ASCII have a width, and are not drawn as question marks, only in a locale that has them.
static inline void vanorb_terminal_use_locale(void) {
    const char *locale = setlocale(LC_CTYPE, "");
    if (!locale || MB_CUR_MAX < 2) setlocale(LC_CTYPE, "C.UTF-8");
}

/// Columns that a character takes, 0 to 2; -1 for one that is not printed.
static inline int vanorb_terminal_width(wchar_t character) { return wcwidth(character); }

/// The stream of a descriptor: the standard ones where it is theirs.
static inline FILE *vanorb_terminal_stream(int descriptor, const char *mode) {
    return descriptor == 0 ? stdin : descriptor == 1 ? stdout : fdopen(descriptor, mode);
}

/// Takes the terminal of two descriptors over, as one of `type`: NULL where nothing is known of such a terminal.
static inline SCREEN *vanorb_terminal_open(const char *type, int output, int input) {
    vanorb_terminal_use_locale();
    // A lone Escape shall not wait a second for the rest of a key's sequence.
    set_escdelay(25);
    FILE *out = vanorb_terminal_stream(output, "w"), *in = vanorb_terminal_stream(input, "r");
    SCREEN *screen = out && in ? newterm(type, out, in) : NULL;
    if (!screen) return NULL;
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    if (has_colors()) {
        start_color();
        use_default_colors();
    }
    return screen;
}

/// Gives the terminal back as it was.
static inline void vanorb_terminal_close(SCREEN *screen) {
    endwin();
    delscreen(screen);
}

/// Colours that the terminal has; 0 for none.
static inline int vanorb_terminal_colours(void) { return has_colors() ? COLORS : 0; }

/// The terminal's size.
static inline void vanorb_terminal_size(int *rows, int *columns) { getmaxyx(stdscr, *rows, *columns); }

/// Takes a new size over, and draws everything again with the next frame.
static inline void vanorb_terminal_resize(int rows, int columns) {
    resizeterm(rows, columns);
    clearok(curscr, TRUE);
}

/// Pairs of colours that the terminal has, with pair 0, which is its own.
static inline int vanorb_terminal_pairs(void) { return has_colors() ? COLOR_PAIRS : 0; }

/// Makes a pair the pair of two colours; cells that show it as it was are drawn again. False where that is refused.
static inline bool vanorb_terminal_set_pair(int pair, int foreground, int background) {
    return init_extended_pair(pair, foreground, background) != ERR;
}

/// Puts one character, with what combines with it, into a cell; true where that could be done.
static inline bool vanorb_terminal_put(
    int row, int column, const wchar_t *text, bool bold, bool reverse, bool underline, int pair) {
    attr_t attributes = (bold ? WA_BOLD : 0) | (reverse ? WA_REVERSE : 0) | (underline ? WA_UNDERLINE : 0);
    cchar_t cell;
    if (setcchar(&cell, text, attributes, 0, &pair) == ERR) return false;
    // The bottom right cell is an error to ncurses, as the cursor cannot go on; it is drawn nevertheless.
    mvadd_wch(row, column, &cell);
    return true;
}

/// Sends to the terminal what has changed.
static inline void vanorb_terminal_show(void) { refresh(); }

/// The next key or character: OK for a character, KEY_CODE_YES for a key, ERR where none waits.
static inline int vanorb_terminal_key(wint_t *key) { return get_wch(key); }
