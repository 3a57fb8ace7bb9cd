#pragma once
#include <pocketsphinx.h>
#include <ps_lattice.h>
#include <sphinxbase/cmn.h>
#include <sphinxbase/err.h>
#include <sphinxbase/feat.h>
#include <sphinxbase/fsg_model.h>
#include <stdarg.h>
#include <stdio.h>

// Swift cannot define a C function of variable arguments, which is what sphinxbase's log callback is. This one formats
// the line and passes it to a plain function.
typedef void (*vanorb_sphinx_sink)(int level, const char *text);

static inline void vanorb_sphinx_forward(void *sink, err_lvl_t level, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ((vanorb_sphinx_sink)sink)((int)level, text);
}

static inline void vanorb_sphinx_set_sink(vanorb_sphinx_sink sink) {
    err_set_callback(vanorb_sphinx_forward, (void *)sink);
}
