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
// implements them in a file of its own, and Swift sees no other difference.

/// What a line is wanted for.
enum vanorb_gpio_use {
    vanorb_gpio_edges = 0,  // an input that reports both edges
    vanorb_gpio_input = 1,  // an input that is only looked at
    vanorb_gpio_output = 2, // an output that starts inactive
};

/// What is asked for.
struct vanorb_gpio_request {
    const char *chip;      // path, name, number or label; NULL: whichever chip has a line of that name
    const char *line_name; // NULL: `offset` counts
    unsigned int offset;
    int use; // enum vanorb_gpio_use
    bool is_active_low;
    int bias; // 0 as it is, 1 none, 2 pull-up, 3 pull-down
};

#if defined(GPIOD_LINE_BULK_MAX_LINES)
#include "libgpiod1.h"
#else
#include "libgpiod2.h"
#endif

/// Chips looked at where none is named. Their numbers have gaps where drivers came late.
enum { vanorb_gpio_chips = 64 };

/// Opens the chip that is asked for and finds the line's number on it: NULL with an errno, and in `call` what failed.
static inline struct gpiod_chip *vanorb_gpio_find(
    const struct vanorb_gpio_request *request, unsigned int *offset, const char **call) {
    *offset = request->offset;
    if (request->chip) {
        *call = "gpiod_chip_open";
        struct gpiod_chip *chip = vanorb_gpio_open_chip(request->chip);
        if (!chip) return errno = errno ? errno : ENOENT, (struct gpiod_chip *)NULL;
        if (!request->line_name) return chip;
        int found = vanorb_gpio_offset(chip, request->line_name);
        if (found >= 0) return *offset = (unsigned int)found, chip;
        int code = errno ? errno : ENOENT;
        gpiod_chip_close(chip);
        *call = "find the line by its name";
        return errno = code, (struct gpiod_chip *)NULL;
    }
    *call = "find the line on any chip";
    int code = ENOENT;
    for (int number = 0; request->line_name && number < vanorb_gpio_chips; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/gpiochip%d", number);
        struct gpiod_chip *chip = vanorb_gpio_open_chip(path);
        if (!chip) {
            // Access that is denied explains more than a line that is nowhere.
            if (errno == EACCES || errno == EPERM) code = errno;
            continue;
        }
        int found = vanorb_gpio_offset(chip, request->line_name);
        if (found >= 0) return *offset = (unsigned int)found, chip;
        gpiod_chip_close(chip);
    }
    return errno = code, (struct gpiod_chip *)NULL;
}

/// 0, or an errno with the name of the call that failed in `call`. Nothing stays open after a failure.
static inline int vanorb_gpio_open(
    struct vanorb_gpio *gpio, const struct vanorb_gpio_request *request, const char **call) {
    memset(gpio, 0, sizeof *gpio);
    errno = 0;
    gpio->chip = vanorb_gpio_find(request, &gpio->offset, call);
    if (!gpio->chip) return errno ? errno : ENOENT;
    int code = vanorb_gpio_request_line(gpio, request, call);
    if (code) vanorb_gpio_close(gpio);
    return code;
}

/// Two outputs of one chip that start inactive, requested and set together.
/// 0, or an errno with the name of the call that failed in `call`. Nothing stays open after a failure.
static inline int vanorb_gpio_pair_open(
    struct vanorb_gpio_pair *pair, const struct vanorb_gpio_request *first, const struct vanorb_gpio_request *second,
    const char **call) {
    unsigned int offsets[2];
    memset(pair, 0, sizeof *pair);
    errno = 0;
    pair->chip = vanorb_gpio_find(first, &offsets[0], call);
    if (!pair->chip) return errno ? errno : ENOENT;
    // The second line is on the first one's chip: only there can both be set at once.
    int found = second->line_name ? vanorb_gpio_offset(pair->chip, second->line_name) : (int)second->offset;
    if (found < 0) {
        int code = errno ? errno : ENOENT;
        *call = "find the line by its name";
        vanorb_gpio_pair_close(pair);
        return code;
    }
    offsets[1] = (unsigned int)found;
    int code = vanorb_gpio_pair_request(pair, offsets, call);
    if (code) vanorb_gpio_pair_close(pair);
    return code;
}

// The requests of spidev are macros that Swift cannot read, and ioctl takes any number of arguments.
/// Mode 0, 8 bits, `hertz` at most: 0, or an errno.
static inline int vanorb_spi_configure(int device, uint32_t hertz) {
    uint8_t mode = SPI_MODE_0, bits = 8;
    if (ioctl(device, SPI_IOC_WR_MODE, &mode) < 0) return errno;
    if (ioctl(device, SPI_IOC_WR_BITS_PER_WORD, &bits) < 0) return errno;
    if (ioctl(device, SPI_IOC_WR_MAX_SPEED_HZ, &hertz) < 0) return errno;
    return 0;
}
