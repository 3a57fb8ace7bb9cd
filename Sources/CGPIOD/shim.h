#pragma once
#include <errno.h>
#include <gpiod.h>
#include <linux/spi/spidev.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

// libgpiod 1 (Debian 12) and 2 (Debian 13) share no call. What the panel needs is these few functions; each version
// implements them, and Swift sees no other difference.

/// A requested line with its chip. Zero-initialised means closed.
struct vanorb_gpio {
    struct gpiod_chip *chip;
#if defined(GPIOD_LINE_BULK_MAX_LINES)
    struct gpiod_line *line;
#else
    struct gpiod_line_request *line;
    struct gpiod_edge_event_buffer *events;
    unsigned int offset;
#endif
};

/// What is asked for: an input with both edges, or an output that starts inactive.
struct vanorb_gpio_request {
    const char *chip;      // path, name or number; version 1 also takes a label
    const char *line_name; // NULL: `offset` counts
    unsigned int offset;
    bool is_output;
    bool is_active_low;
    int bias; // 0 as it is, 1 none, 2 pull-up, 3 pull-down
};

#if defined(GPIOD_LINE_BULK_MAX_LINES)

static inline void vanorb_gpio_close(struct vanorb_gpio *gpio) {
    if (gpio->line) gpiod_line_release(gpio->line);
    if (gpio->chip) gpiod_chip_close(gpio->chip);
    gpio->line = NULL;
    gpio->chip = NULL;
}

/// 0, or an errno with the name of the call that failed in `call`. Nothing stays open after a failure.
static inline int vanorb_gpio_open(
    struct vanorb_gpio *gpio, const struct vanorb_gpio_request *request, const char **call) {
    *call = "gpiod_chip_open_lookup";
    gpio->line = NULL;
    gpio->chip = gpiod_chip_open_lookup(request->chip);
    if (!gpio->chip) return errno ? errno : ENOENT;
    *call = request->line_name ? "gpiod_chip_find_line" : "gpiod_chip_get_line";
    struct gpiod_line *line = request->line_name ? gpiod_chip_find_line(gpio->chip, request->line_name)
                                                 : gpiod_chip_get_line(gpio->chip, request->offset);
    int code = line ? 0 : (errno ? errno : ENOENT);
    if (!code) {
        static const int biases[] = {
            0, GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
            GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN};
        struct gpiod_line_request_config config = {
            .consumer = "vanorb",
            .request_type = request->is_output ? GPIOD_LINE_REQUEST_DIRECTION_OUTPUT
                                               : GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES,
            .flags = biases[request->bias & 3] | (request->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0)};
        *call = "gpiod_line_request";
        if (gpiod_line_request(line, &config, 0) == 0) gpio->line = line;
        else code = errno;
    }
    if (code) vanorb_gpio_close(gpio);
    return code;
}

/// 1 when an edge waits, 0 when none came in time, -1 with errno.
static inline int vanorb_gpio_wait(struct vanorb_gpio *gpio, int64_t nanoseconds) {
    struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return gpiod_line_event_wait(gpio->line, &timeout);
}

/// Takes one edge: 1 when the line became active, 0 when inactive, -1 with errno.
static inline int vanorb_gpio_read_edge(struct vanorb_gpio *gpio) {
    struct gpiod_line_event event;
    if (gpiod_line_event_read(gpio->line, &event) < 0) return -1;
    return event.event_type == GPIOD_LINE_EVENT_RISING_EDGE;
}

/// 1 active, 0 inactive, -1 with errno.
static inline int vanorb_gpio_get(struct vanorb_gpio *gpio) { return gpiod_line_get_value(gpio->line); }

/// 0, or -1 with errno.
static inline int vanorb_gpio_set(struct vanorb_gpio *gpio, int value) {
    return gpiod_line_set_value(gpio->line, value);
}

/// True when the kernel debounces an input, by 5 ms.
static inline bool vanorb_gpio_debounces(void) { return false; }

#else // libgpiod 2

/// True when the kernel debounces an input, by 5 ms.
static inline bool vanorb_gpio_debounces(void) { return true; }

static inline void vanorb_gpio_close(struct vanorb_gpio *gpio) {
    // Release the line before closing the chip.
    if (gpio->line) gpiod_line_request_release(gpio->line);
    if (gpio->events) gpiod_edge_event_buffer_free(gpio->events);
    if (gpio->chip) gpiod_chip_close(gpio->chip);
    gpio->line = NULL;
    gpio->events = NULL;
    gpio->chip = NULL;
}

/// Version 2 opens a chip by its path only: a name or a number is looked for in /dev, as its own tools do.
static inline struct gpiod_chip *vanorb_gpio_open_chip(const char *chip) {
    char path[64];
    bool is_number = *chip && strspn(chip, "0123456789") == strlen(chip);
    if (*chip == '/') return gpiod_chip_open(chip);
    int length = snprintf(path, sizeof path, is_number ? "/dev/gpiochip%s" : "/dev/%s", chip);
    if (length >= (int)sizeof path) return errno = ENOENT, (struct gpiod_chip *)NULL;
    return gpiod_chip_open(path);
}

static inline struct gpiod_line_request *vanorb_gpio_request_line(
    struct vanorb_gpio *gpio, const struct vanorb_gpio_request *request) {
    static const enum gpiod_line_bias biases[] = {
        GPIOD_LINE_BIAS_AS_IS, GPIOD_LINE_BIAS_DISABLED, GPIOD_LINE_BIAS_PULL_UP, GPIOD_LINE_BIAS_PULL_DOWN};
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    struct gpiod_line_request *line = NULL;
    if (settings && lines && config) {
        gpiod_request_config_set_consumer(config, "vanorb");
        gpiod_line_settings_set_active_low(settings, request->is_active_low);
        gpiod_line_settings_set_bias(settings, biases[request->bias & 3]);
        gpiod_line_settings_set_direction(
            settings, request->is_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT);
        if (!request->is_output) {
            gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
            gpiod_line_settings_set_debounce_period_us(settings, 5000);
        }
        if (gpiod_line_config_add_line_settings(lines, &gpio->offset, 1, settings) == 0)
            line = gpiod_chip_request_lines(gpio->chip, config, lines);
    }
    int code = errno; // Freeing must not hide why the request failed.
    if (config) gpiod_request_config_free(config);
    if (lines) gpiod_line_config_free(lines);
    if (settings) gpiod_line_settings_free(settings);
    errno = code;
    return line;
}

/// 0, or an errno with the name of the call that failed in `call`. Nothing stays open after a failure.
static inline int vanorb_gpio_open(
    struct vanorb_gpio *gpio, const struct vanorb_gpio_request *request, const char **call) {
    int code = 0;
    *call = "gpiod_chip_open";
    gpio->line = NULL;
    gpio->events = NULL;
    gpio->offset = request->offset;
    gpio->chip = vanorb_gpio_open_chip(request->chip);
    if (!gpio->chip) return errno ? errno : ENOENT;
    if (request->line_name) {
        *call = "gpiod_chip_get_line_offset_from_name";
        int offset = gpiod_chip_get_line_offset_from_name(gpio->chip, request->line_name);
        if (offset < 0) code = errno ? errno : ENOENT;
        else gpio->offset = (unsigned int)offset;
    }
    if (!code) {
        *call = "gpiod_chip_request_lines";
        gpio->line = vanorb_gpio_request_line(gpio, request);
        if (!gpio->line) code = errno ? errno : EIO;
    }
    if (!code && !request->is_output) {
        *call = "gpiod_edge_event_buffer_new";
        gpio->events = gpiod_edge_event_buffer_new(1);
        if (!gpio->events) code = errno ? errno : ENOMEM;
    }
    if (code) vanorb_gpio_close(gpio);
    return code;
}

/// 1 when an edge waits, 0 when none came in time, -1 with errno.
static inline int vanorb_gpio_wait(struct vanorb_gpio *gpio, int64_t nanoseconds) {
    return gpiod_line_request_wait_edge_events(gpio->line, nanoseconds);
}

/// Takes one edge: 1 when the line became active, 0 when inactive, -1 with errno.
static inline int vanorb_gpio_read_edge(struct vanorb_gpio *gpio) {
    if (gpiod_line_request_read_edge_events(gpio->line, gpio->events, 1) < 1) return -1;
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(gpio->events, 0);
    return gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE;
}

/// 1 active, 0 inactive, -1 with errno.
static inline int vanorb_gpio_get(struct vanorb_gpio *gpio) {
    return (int)gpiod_line_request_get_value(gpio->line, gpio->offset);
}

/// 0, or -1 with errno.
static inline int vanorb_gpio_set(struct vanorb_gpio *gpio, int value) {
    return gpiod_line_request_set_value(
        gpio->line, gpio->offset, value ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
}

#endif

// The requests of spidev are macros that Swift cannot read, and ioctl takes any number of arguments.
/// Mode 0, 8 bits, `hertz` at most: 0, or an errno.
static inline int vanorb_spi_configure(int device, uint32_t hertz) {
    uint8_t mode = SPI_MODE_0, bits = 8;
    if (ioctl(device, SPI_IOC_WR_MODE, &mode) < 0) return errno;
    if (ioctl(device, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0) return errno;
    if (ioctl(device, SPI_IOC_WR_MAX_SPEED_HZ, &hertz) < 0) return errno;
    return 0;
}
