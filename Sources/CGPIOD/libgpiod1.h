#pragma once
// The panel's functions over libgpiod 1 (Debian 12: 1.6). Included by shim.h, which declares what is asked for.

/// A requested line with its chip. Zero-initialised means closed.
struct vanorb_gpio {
    struct gpiod_chip *chip;
    struct gpiod_line *line;
    unsigned int offset;
};

/// Two requested lines with their chip. Zero-initialised means closed.
struct vanorb_gpio_pair {
    struct gpiod_chip *chip;
    struct gpiod_line_bulk lines;
    bool is_requested;
};

static inline struct gpiod_chip *vanorb_gpio_open_chip(const char *chip) {
    // The look-up takes for a path only what begins with /dev/.
    if (*chip == '/') return gpiod_chip_open(chip);
    bool is_number = *chip && strspn(chip, "0123456789") == strlen(chip);
    struct gpiod_chip *found = gpiod_chip_open_lookup(chip);
    if (found || errno != ENOENT || is_number) return found;
    // It has forgotten whether it was access that was denied, which explains more than a label that is nowhere.
    return gpiod_chip_open_by_label(chip);
}

/// The number of the line of this name, or -1 with errno.
static inline int vanorb_gpio_offset(struct gpiod_chip *chip, const char *name) {
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    return line ? (int)gpiod_line_offset(line) : -1;
}

static inline void vanorb_gpio_close(struct vanorb_gpio *gpio) {
    // Release the line before closing the chip.
    if (gpio->line) gpiod_line_release(gpio->line);
    if (gpio->chip) gpiod_chip_close(gpio->chip);
    gpio->line = NULL;
    gpio->chip = NULL;
}

static inline int vanorb_gpio_request_line(
    struct vanorb_gpio *gpio, const struct vanorb_gpio_request *request, const char **call) {
    static const int uses[] = {
        GPIOD_LINE_REQUEST_EVENT_BOTH_EDGES, GPIOD_LINE_REQUEST_DIRECTION_INPUT, GPIOD_LINE_REQUEST_DIRECTION_OUTPUT};
    static const int biases[] = {
        0, GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE, GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP,
        GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN};
    *call = "gpiod_chip_get_line";
    struct gpiod_line *line = gpiod_chip_get_line(gpio->chip, gpio->offset);
    if (!line) return errno ? errno : ENOENT;
    struct gpiod_line_request_config config = {
        .consumer = "vanorb",
        .request_type = uses[request->use],
        .flags = biases[request->bias & 3] | (request->is_active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0)};
    *call = "gpiod_line_request";
    if (gpiod_line_request(line, &config, 0) != 0) return errno ? errno : EIO;
    gpio->line = line;
    return 0;
}

/// 1 when an edge waits, 0 when none came in time, -1 with errno.
static inline int vanorb_gpio_wait(struct vanorb_gpio *gpio, int64_t nanoseconds) {
    struct timespec timeout = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    return gpiod_line_event_wait(gpio->line, &timeout);
}

/// Takes one edge: 1 when the line became active, 0 when inactive, -1 with errno. `time` is when the kernel saw it, in
/// nanoseconds of CLOCK_MONOTONIC (since Linux 5.7).
static inline int vanorb_gpio_read_edge(struct vanorb_gpio *gpio, int64_t *time) {
    struct gpiod_line_event event;
    if (gpiod_line_event_read(gpio->line, &event) < 0) return -1;
    *time = (int64_t)event.ts.tv_sec * 1000000000 + event.ts.tv_nsec;
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

/// 1 when somebody holds the line, with the name in `user`, 0 when nobody does, -1 with errno.
static inline int vanorb_gpio_user(struct gpiod_chip *chip, unsigned int offset, char *user, size_t size) {
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (!line) return -1;
    const char *name = gpiod_line_consumer(line);
    snprintf(user, size, "%s", name ? name : "");
    return gpiod_line_is_used(line);
}

static inline void vanorb_gpio_pair_close(struct vanorb_gpio_pair *pair) {
    if (pair->is_requested) gpiod_line_release_bulk(&pair->lines);
    if (pair->chip) gpiod_chip_close(pair->chip);
    pair->is_requested = false;
    pair->chip = NULL;
}

static inline int vanorb_gpio_pair_request(
    struct vanorb_gpio_pair *pair, unsigned int offsets[2], const char **call) {
    static const int values[2] = {0, 0};
    struct gpiod_line_request_config config = {
        .consumer = "vanorb", .request_type = GPIOD_LINE_REQUEST_DIRECTION_OUTPUT};
    *call = "gpiod_chip_get_lines";
    if (gpiod_chip_get_lines(pair->chip, offsets, 2, &pair->lines) != 0) return errno ? errno : ENOENT;
    *call = "gpiod_line_request_bulk";
    if (gpiod_line_request_bulk(&pair->lines, &config, values) != 0) return errno ? errno : EIO;
    pair->is_requested = true;
    return 0;
}

/// 0, or -1 with errno.
static inline int vanorb_gpio_pair_set(struct vanorb_gpio_pair *pair, int first, int second) {
    const int values[2] = {first, second};
    return gpiod_line_set_value_bulk(&pair->lines, values);
}
