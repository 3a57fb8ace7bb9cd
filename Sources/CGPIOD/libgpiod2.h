#pragma once
// The panel's functions over libgpiod 2 (Debian 13: 2.2), by its documented interface. Included by shim.h, which
// declares what is asked for.

/// A requested line with its chip. Zero-initialised means closed.
struct vanorb_gpio {
    struct gpiod_chip *chip;
    struct gpiod_line_request *line;
    struct gpiod_edge_event_buffer *events;
    unsigned int offset;
};

/// Two requested lines with their chip. Zero-initialised means closed.
struct vanorb_gpio_pair {
    struct gpiod_chip *chip;
    struct gpiod_line_request *lines;
    unsigned int offsets[2];
};

/// The chip of this path. A device that is no chip is told as version 1 tells it: ENODEV says that a chip is missing.
static inline struct gpiod_chip *vanorb_gpio_open_path(const char *path) {
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip && errno == ENODEV) errno = ENOTTY;
    return chip;
}

/// The chip of this label; version 1 looks it up by itself.
static inline struct gpiod_chip *vanorb_gpio_chip_labelled(const char *label) {
    int code = ENOENT;
    for (int number = 0; number < 64; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/gpiochip%d", number);
        struct gpiod_chip *chip = gpiod_chip_open(path);
        if (!chip) {
            // Access that is denied explains more than a label that is nowhere.
            if (errno == EACCES || errno == EPERM) code = errno;
            continue;
        }
        struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
        bool is_it = info && strcmp(gpiod_chip_info_get_label(info), label) == 0;
        if (info) gpiod_chip_info_free(info);
        if (is_it) return chip;
        gpiod_chip_close(chip);
    }
    return errno = code, (struct gpiod_chip *)NULL;
}

/// Version 2 opens a chip by its path only: a name or a number is looked for in /dev, as its own tools do.
static inline struct gpiod_chip *vanorb_gpio_open_chip(const char *chip) {
    char path[64];
    bool is_number = *chip && strspn(chip, "0123456789") == strlen(chip);
    if (*chip == '/') return vanorb_gpio_open_path(chip);
    int length = snprintf(path, sizeof path, is_number ? "/dev/gpiochip%s" : "/dev/%s", chip);
    struct gpiod_chip *found = length < (int)sizeof path ? vanorb_gpio_open_path(path) : (errno = ENOENT, NULL);
    if (found || errno != ENOENT || is_number) return found;
    return vanorb_gpio_chip_labelled(chip);
}

/// The number of the line of this name, or -1 with errno.
static inline int vanorb_gpio_offset(struct gpiod_chip *chip, const char *name) {
    return gpiod_chip_get_line_offset_from_name(chip, name);
}

static inline void vanorb_gpio_close(struct vanorb_gpio *gpio) {
    // Release the line before closing the chip.
    if (gpio->line) gpiod_line_request_release(gpio->line);
    if (gpio->events) gpiod_edge_event_buffer_free(gpio->events);
    if (gpio->chip) gpiod_chip_close(gpio->chip);
    gpio->line = NULL;
    gpio->events = NULL;
    gpio->chip = NULL;
}

/// Requests lines of one chip that are all used alike.
static inline struct gpiod_line_request *vanorb_gpio_request_lines(
    struct gpiod_chip *chip, const unsigned int *offsets, size_t count, int use, bool is_active_low, int bias) {
    static const enum gpiod_line_bias biases[] = {
        GPIOD_LINE_BIAS_AS_IS, GPIOD_LINE_BIAS_DISABLED, GPIOD_LINE_BIAS_PULL_UP, GPIOD_LINE_BIAS_PULL_DOWN};
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *config = gpiod_request_config_new();
    struct gpiod_line_request *request = NULL;
    if (settings && lines && config) {
        gpiod_request_config_set_consumer(config, "vanorb");
        gpiod_line_settings_set_active_low(settings, is_active_low);
        gpiod_line_settings_set_bias(settings, biases[bias & 3]);
        gpiod_line_settings_set_direction(
            settings, use == vanorb_gpio_output ? GPIOD_LINE_DIRECTION_OUTPUT : GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
        if (use == vanorb_gpio_edges) {
            gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
            gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
            gpiod_line_settings_set_debounce_period_us(settings, 5000);
        }
        if (gpiod_line_config_add_line_settings(lines, offsets, count, settings) == 0)
            request = gpiod_chip_request_lines(chip, config, lines);
    }
    int code = errno; // Freeing must not hide why the request failed.
    if (config) gpiod_request_config_free(config);
    if (lines) gpiod_line_config_free(lines);
    if (settings) gpiod_line_settings_free(settings);
    errno = code;
    return request;
}

static inline int vanorb_gpio_request_line(
    struct vanorb_gpio *gpio, const struct vanorb_gpio_request *request, const char **call) {
    *call = "gpiod_chip_request_lines";
    gpio->line = vanorb_gpio_request_lines(
        gpio->chip, &gpio->offset, 1, request->use, request->is_active_low, request->bias);
    if (!gpio->line) return errno ? errno : EIO;
    if (request->use != vanorb_gpio_edges) return 0;
    *call = "gpiod_edge_event_buffer_new";
    gpio->events = gpiod_edge_event_buffer_new(1);
    return gpio->events ? 0 : (errno ? errno : ENOMEM);
}

/// 1 when an edge waits, 0 when none came in time, -1 with errno.
static inline int vanorb_gpio_wait(struct vanorb_gpio *gpio, int64_t nanoseconds) {
    return gpiod_line_request_wait_edge_events(gpio->line, nanoseconds);
}

/// Takes one edge: 1 when the line became active, 0 when inactive, -1 with errno. `time` is when the kernel saw it, in
/// nanoseconds of CLOCK_MONOTONIC.
static inline int vanorb_gpio_read_edge(struct vanorb_gpio *gpio, int64_t *time) {
    if (gpiod_line_request_read_edge_events(gpio->line, gpio->events, 1) < 1) return -1;
    struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(gpio->events, 0);
    *time = (int64_t)gpiod_edge_event_get_timestamp_ns(event);
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

/// True when the kernel debounces an input, by 5 ms.
static inline bool vanorb_gpio_debounces(void) { return true; }

/// 1 when somebody holds the line, with the name in `user`, 0 when nobody does, -1 with errno.
static inline int vanorb_gpio_user(struct gpiod_chip *chip, unsigned int offset, char *user, size_t size) {
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return -1;
    const char *name = gpiod_line_info_get_consumer(info);
    bool is_used = gpiod_line_info_is_used(info);
    snprintf(user, size, "%s", name ? name : "");
    gpiod_line_info_free(info);
    return is_used;
}

static inline void vanorb_gpio_pair_close(struct vanorb_gpio_pair *pair) {
    if (pair->lines) gpiod_line_request_release(pair->lines);
    if (pair->chip) gpiod_chip_close(pair->chip);
    pair->lines = NULL;
    pair->chip = NULL;
}

static inline int vanorb_gpio_pair_request(
    struct vanorb_gpio_pair *pair, unsigned int offsets[2], const char **call) {
    *call = "gpiod_chip_request_lines";
    // The library takes the same line twice for one; the kernel, which version 1 asks, refuses it.
    if (offsets[0] == offsets[1]) return EBUSY;
    memcpy(pair->offsets, offsets, sizeof pair->offsets);
    pair->lines = vanorb_gpio_request_lines(pair->chip, offsets, 2, vanorb_gpio_output, false, 0);
    return pair->lines ? 0 : (errno ? errno : EIO);
}

/// 0, or -1 with errno.
static inline int vanorb_gpio_pair_set(struct vanorb_gpio_pair *pair, int first, int second) {
    const enum gpiod_line_value values[2] = {
        first ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE,
        second ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE};
    return gpiod_line_request_set_values_subset(pair->lines, 2, pair->offsets, values);
}
