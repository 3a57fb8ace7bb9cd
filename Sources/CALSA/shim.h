#pragma once
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ALSA tells why a call failed only to an error handler, and that takes a va_list, which Swift cannot receive on every
// architecture. The handler below keeps the words instead of printing them, per thread, as ALSA's local handler is.
// Use these from one Swift file only: each object file gets a copy of the buffer of its own.
// Inside a function, because Swift's compiler leaves out a variable of the file's.
#define VANORB_ALSA_ROOM 2048
static inline char *vanorb_alsa_words(void) {
    static _Thread_local char words[VANORB_ALSA_ROOM];
    return words;
}

static inline void vanorb_alsa_keep_words(
    const char *file, int line, const char *function, int error, const char *format, va_list arguments) {
    (void)file; (void)line; (void)function; (void)error;
    char *words = vanorb_alsa_words();
    size_t used = strlen(words);
    size_t space = VANORB_ALSA_ROOM - used;
    if (space < 4) return;
    if (used > 0) {
        memcpy(words + used, "; ", 3);
        used += 2;
        space -= 2;
    }
    vsnprintf(words + used, space, format, arguments);
}

// Starts keeping what ALSA says on this thread; returns the handler that was set before.
static inline snd_local_error_handler_t vanorb_alsa_listen(void) {
    vanorb_alsa_words()[0] = 0;
    return snd_lib_error_set_local(vanorb_alsa_keep_words);
}

// Ends it, and returns the words, which stay valid until this thread listens again.
static inline const char *vanorb_alsa_stop_listening(snd_local_error_handler_t earlier) {
    snd_lib_error_set_local(earlier);
    return vanorb_alsa_words();
}
