// Proves the functions of Sources/CGPIOD over the libgpiod that it is compiled with; Swift sees nothing else of it.
//
//   shim-test errors   what fails without lines, and how it is told; for any machine
//   shim-test lines    the virtual board's lines, as root, while nobody holds them
//
// Ends with “N checks passed”, or at the first one that fails.
#include "shim.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// The one difference that Swift's errors show: what the library calls its own functions.
#ifdef GPIOD_LINE_BULK_MAX_LINES
#define VERSION 1
static const char *const call_line = "gpiod_chip_get_line", *const call_request = "gpiod_line_request",
                  *const call_pair = "gpiod_line_request_bulk";
#else
#define VERSION 2
static const char *const call_line = "gpiod_chip_request_lines", *const call_request = "gpiod_chip_request_lines",
                  *const call_pair = "gpiod_chip_request_lines";
#endif
static const char *const call_open = "gpiod_chip_open", *const call_name = "find the line by its name",
                  *const call_any = "find the line on any chip";

enum { no_bias, bias_none, bias_up, bias_down };
static const int64_t millisecond = 1000000, patience = 20000 * 1000000LL;

// MARK: checks

static int checks;

static void end(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "shim-test.c:%d: not so: %s\n", __LINE__, #condition);                                     \
            end(__VA_ARGS__);                                                                                          \
        }                                                                                                              \
        checks++;                                                                                                      \
    } while (0)

static int descriptors(void) {
    int count = 0;
    for (int number = 0; number < 256; number++) count += fcntl(number, F_GETFD) >= 0;
    return count;
}

static bool is_closed(const struct vanorb_gpio *gpio) {
    static const struct vanorb_gpio closed;
    return gpio->chip == closed.chip && gpio->line == closed.line;
}

/// Opening fails with this errno and names this call, and nothing stays open.
static void fails(const char *what, int code, const char *call, struct vanorb_gpio_request request) {
    struct vanorb_gpio gpio;
    const char *told = NULL;
    memset(&gpio, 0xA5, sizeof gpio); // Whatever was there before.
    errno = EDOM;
    int before = descriptors(), found = vanorb_gpio_open(&gpio, &request, &told);
    CHECK(found == code, "%s: %s (%d), in %s", what, strerror(found), found, told ? told : "nothing");
    CHECK(told && strcmp(told, call) == 0, "%s: names %s, not %s", what, told ? told : "nothing", call);
    CHECK(is_closed(&gpio) && descriptors() == before, "%s: something stays open", what);
    vanorb_gpio_close(&gpio);
    vanorb_gpio_close(&gpio);
    CHECK(is_closed(&gpio), "%s: closed twice", what);
}

static void pair_fails(
    const char *what, int code, const char *call, struct vanorb_gpio_request first, struct vanorb_gpio_request second) {
    struct vanorb_gpio_pair pair;
    const char *told = NULL;
    memset(&pair, 0xA5, sizeof pair);
    errno = EDOM;
    int before = descriptors(), found = vanorb_gpio_pair_open(&pair, &first, &second, &told);
    CHECK(found == code, "%s: %s (%d), in %s", what, strerror(found), found, told ? told : "nothing");
    CHECK(told && strcmp(told, call) == 0, "%s: names %s, not %s", what, told ? told : "nothing", call);
    CHECK(!pair.chip && descriptors() == before, "%s: something stays open", what);
    vanorb_gpio_pair_close(&pair);
    vanorb_gpio_pair_close(&pair);
    CHECK(!pair.chip, "%s: closed twice", what);
}

#define LINE(...) ((struct vanorb_gpio_request){__VA_ARGS__})

// MARK: errors

/// What a search of all chips ends with: a chip that may not be opened explains more than a line that is nowhere.
static int nowhere(void) {
    for (int number = 0; number < vanorb_gpio_chips; number++) {
        char path[32];
        snprintf(path, sizeof path, "/dev/gpiochip%d", number);
        if (access(path, R_OK | W_OK) != 0 && errno == EACCES) return EACCES;
    }
    return ENOENT;
}

static void prove_errors(void) {
    static const char name[] = "VANORB-NO-SUCH-LINE";
    fails("a path that is not there", ENOENT, call_open, LINE(.chip = "/dev/gpiochip97"));
    fails("a name that is not there", nowhere(), call_open, LINE(.chip = "gpiochip97"));
    fails("a number that is not there", ENOENT, call_open, LINE(.chip = "97"));
    fails("a label that is not there", nowhere(), call_open, LINE(.chip = "pinctrl-nobody"));
    fails("a path that is not there, and a name", ENOENT, call_open, LINE(.chip = "/dev/gpiochip97", .line_name = name));
    fails("a folder that is not there", ENOENT, call_open, LINE(.chip = "/no/such/folder/gpiochip0"));

    // Version 2 asks sysfs which devices are chips.
    int no_chip = VERSION == 1 || access("/sys/dev/char", F_OK) == 0 ? ENOTTY : ENOENT;
    fails("/dev/null", no_chip, call_open, LINE(.chip = "/dev/null"));
    if (no_chip == ENOTTY) fails("/dev/null by name", ENOTTY, call_open, LINE(.chip = "null"));
    fails("a folder", VERSION == 1 ? EISDIR : ENOTTY, call_open, LINE(.chip = "/dev"));
    char file[] = "/tmp/shim-test.XXXXXX";
    int descriptor = mkstemp(file);
    CHECK(descriptor >= 0, "%s: %s", file, strerror(errno));
    close(descriptor);
    fails("a file", ENOTTY, call_open, LINE(.chip = file));
    unlink(file);

    char word[5001], number[101];
    memset(word, 'x', sizeof word - 1);
    word[sizeof word - 1] = 0;
    memset(number, '9', sizeof number - 1);
    number[sizeof number - 1] = 0;
    fails("a name of 200 letters", nowhere(), call_open, LINE(.chip = word + sizeof word - 201));
    fails("a number of 100 digits", ENOENT, call_open, LINE(.chip = number));
    word[0] = '/';
    fails("a path of 5000 letters", ENAMETOOLONG, call_open, LINE(.chip = word));

    fails("no chip with such a line", nowhere(), call_any, LINE(.line_name = name));
    fails("no chip with a line of 5000 letters", nowhere(), call_any, LINE(.line_name = word));
    fails("no chip and no name", ENOENT, call_any, LINE(.offset = 3));
    for (int use = vanorb_gpio_edges; use <= vanorb_gpio_output; use++)
        fails("each use", ENOENT, call_open, LINE(.chip = "97", .use = use, .bias = bias_up, .is_active_low = true));

    unsigned int offset = 0;
    const char *call = NULL;
    struct vanorb_gpio_request request = LINE(.chip = "97", .offset = 5);
    CHECK(!vanorb_gpio_find(&request, &offset, &call) && errno == ENOENT, "%s", strerror(errno));
    CHECK(offset == 5, "the line's number is %u", offset);

    struct vanorb_gpio gpio = {0};
    vanorb_gpio_close(&gpio);
    CHECK(is_closed(&gpio), "what never was open is closed");
    pair_fails("a pair without its chip", ENOENT, call_open, LINE(.chip = "97"), LINE(.chip = "97", .offset = 1));
    pair_fails("a pair on no GPIO chip", no_chip, call_open, LINE(.chip = "/dev/null"), LINE(.offset = 1));
    pair_fails("a pair that is nowhere", nowhere(), call_any, LINE(.line_name = name), LINE(.line_name = "other"));

    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    CHECK(vanorb_spi_configure(null, 1000000) == ENOTTY, "/dev/null is no SPI device");
    close(null);
    CHECK(vanorb_spi_configure(-1, 1000000) == EBADF, "nothing is no SPI device");
}

// MARK: the virtual board

static const char button_pull[] = "/run/lines/button/pull", motor_value[] = "/run/lines/motor/value";
static const char board_label[] = "pinctrl-sim";
static int board_number; // of /dev/gpiochip…

static void put(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, text, strlen(text)) < 0) end("%s: %s", path, strerror(errno));
    close(file);
}

static const char *get(const char *path) {
    static char text[64];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (count < 0) end("%s: %s", path, strerror(errno));
    close(file);
    text[count] = 0;
    text[strcspn(text, "\n")] = 0;
    return text;
}

/// The button's line, by what it is connected to.
static void level(bool is_high) { put(button_pull, is_high ? "pull-up" : "pull-down"); }

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void rest(int64_t nanoseconds) {
    struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    nanosleep(&time, NULL);
}

static void open_line(const char *what, struct vanorb_gpio *gpio, struct vanorb_gpio_request request) {
    const char *call = NULL;
    int code = vanorb_gpio_open(gpio, &request, &call);
    CHECK(code == 0, "%s: %s, in %s", what, strerror(code), call);
}

static void finds(const char *what, const char *chip, const char *name, unsigned int expected) {
    unsigned int offset = 77;
    const char *call = NULL;
    struct vanorb_gpio_request request = LINE(.chip = chip, .line_name = name, .offset = expected);
    int before = descriptors();
    struct gpiod_chip *found = vanorb_gpio_find(&request, &offset, &call);
    CHECK(found, "%s: %s, in %s", what, strerror(errno), call);
    CHECK(offset == expected, "%s: line %u, not %u", what, offset, expected);
    gpiod_chip_close(found);
    CHECK(descriptors() == before, "%s: something stays open", what);
}

/// Who holds the button's line; "" when nobody does.
static const char *holder(void) {
    static char name[64];
    unsigned int offset;
    const char *call = NULL;
    struct vanorb_gpio_request request = LINE(.line_name = "GPIO17");
    struct gpiod_chip *chip = vanorb_gpio_find(&request, &offset, &call);
    if (!chip) end("GPIO17: %s, in %s", strerror(errno), call);
    int answer = vanorb_gpio_user(chip, offset, name, sizeof name);
    gpiod_chip_close(chip);
    CHECK(answer >= 0, "who holds GPIO17: %s", strerror(errno));
    return answer ? name : "";
}

static void prove_finding(void) {
    char path[PATH_MAX], name[32];
    // …/gpiochipN/sim_gpio0
    const char *chip = realpath("/run/lines/button", path) ? strstr(path, "/gpiochip") : NULL;
    if (!chip) end("/run/lines/button is not a simulated line");
    board_number = atoi(chip + strlen("/gpiochip"));
    finds("GPIO17 on whichever chip", NULL, "GPIO17", 0);
    finds("GPIO6 on whichever chip", NULL, "GPIO6", 7);
    finds("by label", board_label, "GPIO27", 1);
    finds("by label and number", board_label, NULL, 3);
    snprintf(name, sizeof name, "%d", board_number);
    finds("by the chip's number", name, "GPIO27", 1);
    snprintf(name, sizeof name, "gpiochip%d", board_number);
    finds("by the chip's name", name, "GPIO27", 1);
    snprintf(name, sizeof name, "/dev/gpiochip%d", board_number);
    finds("by the chip's path", name, "GPIO27", 1);

    fails("a chip without this line", ENOENT, call_name, LINE(.chip = board_label, .line_name = "GPIO99"));
    fails("no chip with this line", ENOENT, call_any, LINE(.line_name = "GPIO99"));
    fails("half a name", ENOENT, call_any, LINE(.line_name = "GPIO1"));
    fails("half a label", ENOENT, call_open, LINE(.chip = "pinctrl"));
    fails("a line beyond the last", EINVAL, call_line, LINE(.chip = board_label, .offset = 8));
    fails("a line far beyond", EINVAL, call_line, LINE(.chip = board_label, .offset = 4000000000));
}

// A second chip, for the ones behind the first.
#define SECOND "/sys/kernel/config/gpio-sim/shim-test"

static void remove_second(void) {
    int live = open(SECOND "/live", O_WRONLY | O_CLOEXEC);
    if (live < 0) return;
    if (write(live, "0", 1) < 0) perror(SECOND);
    close(live);
    rmdir(SECOND "/bank0/line2");
    rmdir(SECOND "/bank0");
    rmdir(SECOND);
}

static void prove_second_chip(void) {
    remove_second();
    atexit(remove_second);
    if (mkdir(SECOND, 0755) != 0 || mkdir(SECOND "/bank0", 0755) != 0) end(SECOND ": %s", strerror(errno));
    put(SECOND "/bank0/num_lines", "4");
    put(SECOND "/bank0/label", "pinctrl-second");
    if (mkdir(SECOND "/bank0/line2", 0755) != 0) end(SECOND "/bank0/line2: %s", strerror(errno));
    put(SECOND "/bank0/line2/name", "SECOND2");
    put(SECOND "/live", "1");
    // udev makes the device.
    for (int64_t limit = now() + patience; now() < limit; rest(10 * millisecond)) {
        struct vanorb_gpio_request request = LINE(.chip = get(SECOND "/bank0/chip_name"));
        unsigned int offset;
        const char *call;
        struct gpiod_chip *chip = vanorb_gpio_find(&request, &offset, &call);
        if (!chip) continue;
        gpiod_chip_close(chip);
        break;
    }
    finds("the second chip's line on whichever chip", NULL, "SECOND2", 2);
    finds("the second chip by label", "pinctrl-second", "SECOND2", 2);
    finds("the first chip still by label", board_label, "GPIO27", 1);
    finds("the first chip's line on whichever chip", NULL, "GPIO6", 7);
    fails("the first chip's line on the second", ENOENT, call_name,
        LINE(.chip = "pinctrl-second", .line_name = "GPIO17"));
    pair_fails("a pair on two chips", ENOENT, call_name, LINE(.line_name = "GPIO22", .use = vanorb_gpio_output),
        LINE(.line_name = "SECOND2", .use = vanorb_gpio_output));
    remove_second();
    fails("the second chip once it is gone", ENOENT, call_open, LINE(.chip = "pinctrl-second"));
}

/// A user of no group at all, as vanorbd is without its udev rule.
static void prove_denial(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        char path[32];
        if (setgid(65534) != 0 || setuid(65534) != 0) _exit(1);
        int first = checks;
        snprintf(path, sizeof path, "/dev/gpiochip%d", board_number);
        fails("a stranger, by path", EACCES, call_open, LINE(.chip = path, .line_name = "GPIO17"));
        fails("a stranger, by name", EACCES, call_open, LINE(.chip = path + strlen("/dev/"), .line_name = "GPIO17"));
        fails("a stranger, by number", EACCES, call_open, LINE(.chip = path + strlen("/dev/gpiochip")));
        fails("a stranger, by label", EACCES, call_open, LINE(.chip = board_label, .line_name = "GPIO17"));
        fails("a stranger, on whichever chip", EACCES, call_any, LINE(.line_name = "GPIO17"));
        fails("a stranger, a path that is not there", ENOENT, call_open, LINE(.chip = "/dev/gpiochip97"));
        fails("a stranger, a number that is not there", ENOENT, call_open, LINE(.chip = "97"));
        prove_errors();
        _exit(checks - first);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) > 1, "a stranger's checks: status %d", status);
    checks += WEXITSTATUS(status);
}

static void prove_input(void) {
    struct vanorb_gpio gpio;
    level(true);
    open_line("an input", &gpio, LINE(.line_name = "GPIO17", .use = vanorb_gpio_input));
    CHECK(vanorb_gpio_get(&gpio) == 1, "up is active");
    level(false);
    CHECK(vanorb_gpio_get(&gpio) == 0, "down is inactive");
    CHECK(strcmp(get(button_pull), "pull-down") == 0, "a line without bias is left as it is");
    vanorb_gpio_close(&gpio);

    // The chip takes a bias for a resistor: it moves the level.
    open_line("a pull-up", &gpio,
        LINE(.line_name = "GPIO17", .use = vanorb_gpio_input, .is_active_low = true, .bias = bias_up));
    CHECK(strcmp(get(button_pull), "pull-up") == 0, "the bias is %s", get(button_pull));
    CHECK(vanorb_gpio_get(&gpio) == 0, "active low, up is inactive");
    level(false);
    CHECK(vanorb_gpio_get(&gpio) == 1, "active low, down is active");
    CHECK(strcmp(holder(), "vanorb") == 0, "the holder is “%s”", holder());
    char short_name[4] = "???";
    CHECK(vanorb_gpio_user(gpio.chip, 0, short_name, sizeof short_name) == 1 && strcmp(short_name, "van") == 0,
        "a short name is %.4s", short_name);
    CHECK(vanorb_gpio_user(gpio.chip, 99, short_name, sizeof short_name) == -1, "line 99 has no holder");
    int before = errno;
    CHECK(before == EINVAL, "line 99: %s", strerror(before));
    vanorb_gpio_close(&gpio);
    vanorb_gpio_close(&gpio);
    CHECK(strcmp(holder(), "") == 0, "after the close the holder is “%s”", holder());

    level(true);
    open_line("a pull-down", &gpio, LINE(.line_name = "GPIO17", .use = vanorb_gpio_input, .bias = bias_down));
    CHECK(strcmp(get(button_pull), "pull-down") == 0, "the bias is %s", get(button_pull));
    vanorb_gpio_close(&gpio);
    level(true);
    open_line("no bias", &gpio, LINE(.line_name = "GPIO17", .use = vanorb_gpio_input, .bias = bias_none));
    CHECK(strcmp(get(button_pull), "pull-up") == 0, "the bias is %s", get(button_pull));
    vanorb_gpio_close(&gpio);
}

/// Edges that wait are taken at once, the others waited for.
static int next_edge(struct vanorb_gpio *gpio, int64_t limit, int64_t *time) {
    int waits = vanorb_gpio_wait(gpio, limit);
    if (waits < 0) end("waiting for an edge: %s", strerror(errno));
    if (!waits) return -1;
    int edge = vanorb_gpio_read_edge(gpio, time);
    if (edge < 0) end("reading an edge: %s", strerror(errno));
    return edge;
}

static void on_alarm(int number) { (void)number; }

static const int64_t settled = 25000000; // longer than any debouncing, on an emulated board too

static void prove_edges(void) {
    struct vanorb_gpio gpio;
    int64_t time = 0, last = 0, start;
    level(true);
    open_line("the button", &gpio,
        LINE(.line_name = "GPIO17", .use = vanorb_gpio_edges, .is_active_low = true, .bias = bias_up));
    CHECK(vanorb_gpio_get(&gpio) == 0, "it is released");
    start = now();
    CHECK(vanorb_gpio_wait(&gpio, 0) == 0, "nothing waits");
    CHECK(vanorb_gpio_wait(&gpio, 40 * millisecond) == 0, "nothing comes");
    CHECK(now() - start >= 40 * millisecond && now() - start < patience, "it waited %lld ns", (long long)(now() - start));

    // One by one: each is told when it happens.
    for (int number = 0; number < 10; number++) {
        bool is_press = number % 2 == 0;
        start = now();
        level(!is_press);
        CHECK(next_edge(&gpio, patience, &time) == is_press, "edge %d is the other one", number);
        CHECK(time >= start && time <= now(), "edge %d: kernel's time %lld, %lld to %lld", number, (long long)time,
            (long long)start, (long long)now());
        CHECK(time > last, "edge %d: the time ran back by %lld ns", number, (long long)(last - time));
        CHECK(vanorb_gpio_get(&gpio) == is_press, "edge %d: the level", number);
        last = time;
        rest(settled);
    }
    CHECK(vanorb_gpio_wait(&gpio, 0) == 0, "each edge came once");

    // Waiting: they come in order, with the times at which they happened.
    int64_t moments[12];
    for (int number = 0; number < 12; number++) {
        moments[number] = now();
        level(number % 2);
        rest(settled);
    }
    for (int number = 0; number < 12; number++) {
        CHECK(next_edge(&gpio, patience, &time) == (number % 2 == 0), "waiting edge %d is the other one", number);
        CHECK(time >= moments[number] && (number == 11 || time < moments[number + 1]),
            "waiting edge %d: %lld ns after it happened", number, (long long)(time - moments[number]));
        CHECK(time > last, "waiting edge %d: the time ran back", number);
        last = time;
    }
    CHECK(vanorb_gpio_wait(&gpio, 0) == 0, "no edge is left");

    // A signal ends the wait, as Swift expects it.
    struct sigaction action = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 30000}}, NULL);
    int waits = vanorb_gpio_wait(&gpio, patience);
    int code = errno;
    CHECK(waits == -1 && code == EINTR, "a signal: %d, %s", waits, strerror(code));

    // What is closed reports nothing into the next request.
    level(false);
    rest(settled);
    vanorb_gpio_close(&gpio);
    level(true);
    open_line("the button again", &gpio,
        LINE(.line_name = "GPIO17", .use = vanorb_gpio_edges, .is_active_low = true, .bias = bias_up));
    CHECK(vanorb_gpio_wait(&gpio, settled) == 0, "an earlier edge was told again");
    vanorb_gpio_close(&gpio);
}

/// Moves the line eight times, less than 4 ms apart: ends as it began. False where the machine was too slow for that.
static bool chatter(void) {
    bool was_quick = true;
    int file = open(button_pull, O_WRONLY | O_CLOEXEC);
    if (file < 0) end("%s: %s", button_pull, strerror(errno));
    int64_t last = now();
    for (int number = 0; number < 8; number++) {
        const char *word = number % 2 == 0 ? "pull-down" : "pull-up";
        if (pwrite(file, word, strlen(word), 0) < 0) end("%s: %s", button_pull, strerror(errno));
        was_quick = was_quick && now() - last < 4 * millisecond;
        last = now();
        while (now() - last < millisecond / 2) {}
    }
    close(file);
    return was_quick && now() - last < 4 * millisecond;
}

/// Chatters quickly enough, and presses if that is wanted. A machine that is busy with other things needs some tries:
/// chatter that rests for more than 5 ms is a press.
static void chatter_and(bool is_press, struct vanorb_gpio *gpio) {
    int64_t limit = now() + 3 * patience, time;
    for (;;) {
        bool was_quick = chatter();
        int64_t last = now();
        if (is_press) level(false);
        if (was_quick && now() - last < 4 * millisecond) return;
        if (now() > limit) end("this machine is too slow to chatter like a switch");
        level(true);
        rest(settled);
        while (next_edge(gpio, 0, &time) >= 0) {}
    }
}

static void prove_debouncing(void) {
    CHECK(vanorb_gpio_debounces() == (VERSION == 2), "it says that it does");
    if (!vanorb_gpio_debounces()) return;
    struct vanorb_gpio gpio;
    int64_t time, start;
    level(true);
    open_line("the button", &gpio,
        LINE(.line_name = "GPIO17", .use = vanorb_gpio_edges, .is_active_low = true, .bias = bias_up));
    for (int round = 0; round < 3; round++) {
        chatter_and(false, &gpio);
        CHECK(next_edge(&gpio, settled, &time) == -1, "chatter that ends as it began is an edge");
    }
    for (int round = 0; round < 3; round++) {
        start = now();
        chatter_and(true, &gpio);
        CHECK(next_edge(&gpio, patience, &time) == 1, "chatter and a press are a press");
        CHECK(time > start && time <= now(), "its time is %lld ns after it began", (long long)(time - start));
        CHECK(next_edge(&gpio, settled, &time) == -1, "chatter and a press are one press");
        level(true);
        CHECK(next_edge(&gpio, patience, &time) == 0, "the release");
        CHECK(next_edge(&gpio, settled, &time) == -1, "the release is one");
    }
    vanorb_gpio_close(&gpio);
}

#if VERSION == 2
/// What the kernel says that it was asked for.
static void prove_settings(void) {
    struct vanorb_gpio gpio;
    open_line("the button", &gpio,
        LINE(.line_name = "GPIO17", .use = vanorb_gpio_edges, .is_active_low = true, .bias = bias_up));
    struct gpiod_line_info *info = gpiod_chip_get_line_info(gpio.chip, gpio.offset);
    CHECK(info, "%s", strerror(errno));
    CHECK(gpiod_line_info_get_direction(info) == GPIOD_LINE_DIRECTION_INPUT, "an input");
    CHECK(gpiod_line_info_get_edge_detection(info) == GPIOD_LINE_EDGE_BOTH, "both edges");
    CHECK(gpiod_line_info_get_bias(info) == GPIOD_LINE_BIAS_PULL_UP, "pulled up");
    CHECK(gpiod_line_info_is_active_low(info), "active low");
    CHECK(gpiod_line_info_get_event_clock(info) == GPIOD_LINE_CLOCK_MONOTONIC, "the monotonic clock");
    CHECK(gpiod_line_info_is_debounced(info) && gpiod_line_info_get_debounce_period_us(info) == 5000, "debounced: %lu",
        gpiod_line_info_get_debounce_period_us(info));
    gpiod_line_info_free(info);
    vanorb_gpio_close(&gpio);
}
#endif

static void prove_output(void) {
    struct vanorb_gpio gpio, second;
    open_line("the motor", &gpio, LINE(.line_name = "GPIO27", .use = vanorb_gpio_output));
    CHECK(strcmp(get(motor_value), "0") == 0 && vanorb_gpio_get(&gpio) == 0, "it starts inactive");
    for (int round = 0; round < 3; round++) {
        CHECK(vanorb_gpio_set(&gpio, 1) == 0, "%s", strerror(errno));
        CHECK(strcmp(get(motor_value), "1") == 0 && vanorb_gpio_get(&gpio) == 1, "it is active");
        CHECK(vanorb_gpio_set(&gpio, 0) == 0, "%s", strerror(errno));
        CHECK(strcmp(get(motor_value), "0") == 0 && vanorb_gpio_get(&gpio) == 0, "it is inactive");
    }
    CHECK(vanorb_gpio_set(&gpio, 7) == 0 && vanorb_gpio_get(&gpio) == 1, "any number but 0 is active");

    fails("requested twice", EBUSY, call_request, LINE(.line_name = "GPIO27", .use = vanorb_gpio_output));
    fails("requested twice, to look at", EBUSY, call_request, LINE(.line_name = "GPIO27", .use = vanorb_gpio_input));
    fails("requested twice, for edges", EBUSY, call_request, LINE(.line_name = "GPIO27", .use = vanorb_gpio_edges));
    CHECK(strcmp(get(motor_value), "1") == 0, "who was refused changed nothing");
    open_line("another line of the chip", &second, LINE(.line_name = "GPIO17", .use = vanorb_gpio_input));
    vanorb_gpio_close(&second);
    vanorb_gpio_close(&gpio);

    open_line("the motor once more", &gpio, LINE(.line_name = "GPIO27", .use = vanorb_gpio_output));
    CHECK(strcmp(get(motor_value), "0") == 0, "it starts inactive again");
    vanorb_gpio_close(&gpio);

    open_line("active low", &gpio, LINE(.line_name = "GPIO27", .use = vanorb_gpio_output, .is_active_low = true));
    CHECK(strcmp(get(motor_value), "1") == 0 && vanorb_gpio_get(&gpio) == 0, "active low, it starts up");
    CHECK(vanorb_gpio_set(&gpio, 1) == 0 && strcmp(get(motor_value), "0") == 0, "active low, active is down");
    vanorb_gpio_close(&gpio);
}

static void prove_pair(void) {
    static const char data_value[] = "/run/lines/button/../sim_gpio2/value",
                      clock_value[] = "/run/lines/button/../sim_gpio3/value";
    struct vanorb_gpio_request data = LINE(.line_name = "GPIO22", .use = vanorb_gpio_output);
    struct vanorb_gpio_request clock = LINE(.line_name = "GPIO23", .use = vanorb_gpio_output);
    struct vanorb_gpio_pair pair;
    const char *call = NULL;
    int before = descriptors(), code = vanorb_gpio_pair_open(&pair, &data, &clock, &call);
    CHECK(code == 0, "data and clock: %s, in %s", strerror(code), call);
    CHECK(strcmp(get(data_value), "0") == 0 && strcmp(get(clock_value), "0") == 0, "both start inactive");
    for (int bits = 7; bits >= 0; bits--) {
        CHECK(vanorb_gpio_pair_set(&pair, bits & 1, bits & 2) == 0, "%s", strerror(errno));
        CHECK(atoi(get(data_value)) == (bits & 1), "bits %d: data is %s", bits, get(data_value));
        CHECK(atoi(get(clock_value)) == (bits >> 1 & 1), "bits %d: clock is %s", bits, get(clock_value));
    }
    pair_fails("a pair requested twice", EBUSY, call_pair, data, clock);
    fails("a line of the pair", EBUSY, call_request, clock);
    vanorb_gpio_pair_close(&pair);
    vanorb_gpio_pair_close(&pair);
    CHECK(descriptors() == before, "the pair is closed");

    // By number, the other way round: the order is that of the request, not the chip's.
    code = vanorb_gpio_pair_open(
        &pair, &LINE(.chip = board_label, .offset = 3), &LINE(.chip = board_label, .offset = 2), &call);
    CHECK(code == 0, "clock and data by number: %s, in %s", strerror(code), call);
    CHECK(vanorb_gpio_pair_set(&pair, 1, 0) == 0, "%s", strerror(errno));
    CHECK(atoi(get(clock_value)) == 1 && atoi(get(data_value)) == 0, "the first is the one named first");
    vanorb_gpio_pair_close(&pair);

    struct vanorb_gpio gpio;
    open_line("the clock", &gpio, clock);
    pair_fails("a pair of which one is held", EBUSY, call_pair, data, clock);
    vanorb_gpio_close(&gpio);
    pair_fails("a pair whose second is not there", ENOENT, call_name, data, LINE(.line_name = "GPIO99"));
    pair_fails("a pair whose first is not there", ENOENT, call_any, LINE(.line_name = "GPIO99"), clock);
    pair_fails("a pair of one line", EBUSY, call_pair, data, data);
    open_line("data afterwards", &gpio, data);
    vanorb_gpio_close(&gpio);
}

static void prove_lines(void) {
    if (strcmp(holder(), "") != 0) end("%s holds GPIO17: end it first", holder());
    int before = descriptors();
    prove_finding();
    prove_second_chip();
    prove_denial();
    prove_input();
    prove_edges();
    prove_debouncing();
#if VERSION == 2
    prove_settings();
#endif
    prove_output();
    prove_pair();
    level(true);
    CHECK(descriptors() == before, "%d descriptors are open, %d were", descriptors(), before);
}

int main(int count, char **words) {
    const char *part = count == 2 ? words[1] : "";
    if (!strcmp(part, "errors")) prove_errors();
    else if (!strcmp(part, "lines")) prove_lines();
    else return fputs("shim-test errors | lines\n", stderr), 64;
    printf("%s: %d checks passed over libgpiod %d\n", part, checks, VERSION);
    return 0;
}
