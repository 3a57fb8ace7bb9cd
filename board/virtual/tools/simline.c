// Moves a simulated GPIO line with the timing of a hand, and watches one with the timing of a motor; a shell is too slow.
//
//   simline play PULL LEVEL:MICROSECONDS …   sets the level (1 up, 0 down) and waits, in turn
//   simline watch VALUE MILLISECONDS         prints “time level” (microseconds, from the start) at each change
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

static void pause_until(long long moment) {
    long long rest;
    while ((rest = moment - now()) > 0) {
        struct timespec time = {rest / 1000000, rest % 1000000 * 1000};
        nanosleep(&time, NULL);
    }
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

static int play(int count, char **steps) {
    long long due = now();
    int line = open(steps[0], O_WRONLY);
    if (line < 0) return fail(steps[0]);
    for (int i = 1; i < count; i++) {
        const char *word = steps[i][0] == '1' ? "pull-up" : "pull-down";
        const char *length = strchr(steps[i], ':');
        if (pwrite(line, word, strlen(word), 0) < 0) return fail("write");
        due += length ? atoll(length + 1) : 0;
        pause_until(due);
    }
    return close(line);
}

static int watch(const char *file, long long milliseconds) {
    long long start = now();
    int line = open(file, O_RDONLY), last = -1;
    if (line < 0) return fail(file);
    while (now() - start < milliseconds * 1000) {
        char level = 0;
        if (pread(line, &level, 1, 0) != 1) return fail("read");
        if (level != last) {
            printf("%lld %c\n", now() - start, level);
            fflush(stdout);
            last = level;
        }
        usleep(500);
    }
    return close(line);
}

int main(int count, char **words) {
    // A hand and an eye wait for no processor: beside a recogniser at work on all of them, whoever only looks when his
    // turn comes misses a pulse of 15 ms.
    struct sched_param first = {.sched_priority = 50};
    if (sched_setscheduler(0, SCHED_FIFO, &first) != 0) return fail("sched_setscheduler");
    if (count >= 4 && !strcmp(words[1], "play")) return play(count - 2, words + 2);
    if (count == 4 && !strcmp(words[1], "watch")) return watch(words[2], atoll(words[3]));
    fputs("simline play PULL LEVEL:MICROSECONDS … | simline watch VALUE MILLISECONDS\n", stderr);
    return 64;
}
