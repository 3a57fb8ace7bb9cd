#pragma once
#include <errno.h>
#include <gpiod.h>
#include <linux/spi/spidev.h>
#include <stdbool.h>
#include <stdint.h>
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
    const char *chip;      // path, name, label or number as the library's own tools take it (2.x: path or name)
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

#else
#error "libgpiod 2: implement the functions above over gpiod_chip_request_lines"
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
