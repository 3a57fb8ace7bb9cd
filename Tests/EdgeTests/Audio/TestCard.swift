import AudioALSA
import Foundation
import SystemTestKit
import Testing

/// A sound card for tests: a plugin of ALSA's own kind (ioplug), compiled when the tests run, that keeps real time,
/// has one opener at a time, and can break in the ways in which a card does. ALSA and our code above it are the real
/// ones.
struct TestCard {
    enum Fault: String {
        case none, busy, denied
        /// As if unplugged, after `after` frames.
        case lost
        /// One overrun or underrun after `after` frames.
        case xrun
        /// Once suspended, and once interrupted, after `after` frames; goes on by itself.
        case suspend, interrupt
        /// No more samples after `after` frames.
        case stall
    }

    let configuration: ALSAConfiguration

    /// Builds the card in `folder`. It runs at `rate` with `channels`; it captures a ramp that counts frames (modulo
    /// 30 000, from 1) and plays into the file `card.raw` of the folder.
    /// Its buffer holds at most `largest` frames.
    init(
        in folder: TemporaryFolder, fault: Fault = .none, after: Int = 0, rate: Int = 16_000, channels: Int = 1,
        largest: Int = 250_000
    ) throws {
        let library = folder.file("libcard.so")
        try Self.source.write(toFile: folder.file("card.c"), atomically: true, encoding: .utf8)
        let flags = ["-shared", "-fPIC", "-DPIC", "-o", library, folder.file("card.c"), "-lasound"]
        try AudioTools.run("/usr/bin/env", ["cc"] + flags)
        configuration = try ALSAConfiguration(
            text: """
                pcm_type.vanorbcard { lib "\(library)" }
                pcm.card {
                    type vanorbcard
                    fault "\(fault.rawValue)"
                    after \(after)
                    rate \(rate)
                    channels \(channels)
                    largest \(largest)
                    file "\(folder.file("card.raw"))"
                }
                """)
    }

    private static let source = #"""
        #include <alsa/asoundlib.h>
        #include <alsa/pcm_external.h>
        #include <sys/timerfd.h>
        #include <time.h>

        typedef struct {
            snd_pcm_ioplug_t io;
            const char *fault;
            long after, rate, channels;
            FILE *file;
            double started;
            long long base, moved;
            int broken, fd;
        } card_t;

        static int openers;

        static double now(void) {
            struct timespec t;
            clock_gettime(CLOCK_MONOTONIC, &t);
            return t.tv_sec + t.tv_nsec * 1e-9;
        }
        static long long due(card_t *c) { return c->base + (long long)((now() - c->started) * c->rate); }
        static int reached(card_t *c) { return c->moved >= c->after; }

        static int card_start(snd_pcm_ioplug_t *io) {
            card_t *c = io->private_data;
            struct itimerspec every = {{0, 3000000}, {0, 3000000}};
            c->started = now();
            timerfd_settime(c->fd, 0, &every, NULL);
            return 0;
        }
        static int card_stop(snd_pcm_ioplug_t *io) { (void)io; return 0; }
        static int card_prepare(snd_pcm_ioplug_t *io) {
            card_t *c = io->private_data;
            c->base = c->moved = 0;
            if (c->broken) c->after = 1L << 40;
            return 0;
        }
        static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
            card_t *c = io->private_data;
            if (io->state != SND_PCM_STATE_RUNNING && io->state != SND_PCM_STATE_DRAINING) return 0;
            long long at = due(c);
            if (!strcmp(c->fault, "xrun") && reached(c) && !c->broken) { c->broken = 1; return -EPIPE; }
            if (!strcmp(c->fault, "stall") && at > c->after) at = c->after;
            if (io->stream == SND_PCM_STREAM_PLAYBACK && at > c->moved) {
                if (io->state != SND_PCM_STATE_DRAINING) return -EPIPE;
                at = c->moved;
            }
            if (io->stream == SND_PCM_STREAM_CAPTURE && at > c->moved + (long long)io->buffer_size) return -EPIPE;
            return at % io->buffer_size;
        }
        static snd_pcm_sframes_t card_transfer(
            snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas, snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
            card_t *c = io->private_data;
            if (!strcmp(c->fault, "lost") && reached(c)) return -ENODEV;
            if (!strcmp(c->fault, "suspend") && reached(c) && !c->broken) { c->broken = 1; return -ESTRPIPE; }
            if (!strcmp(c->fault, "interrupt") && reached(c) && !c->broken) { c->broken = 1; return -EINTR; }
            short *at = (short *)((char *)areas[0].addr + (areas[0].first + offset * areas[0].step) / 8);
            if (io->stream == SND_PCM_STREAM_PLAYBACK) fwrite(at, 2 * c->channels, size, c->file);
            else for (snd_pcm_uframes_t i = 0; i < size; i++)
                for (long k = 0; k < c->channels; k++) at[i * c->channels + k] = (c->moved + i) % 30000 + 1;
            c->moved += size;
            return size;
        }
        static int card_revents(
            snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count, unsigned short *revents) {
            card_t *c = io->private_data;
            unsigned long long ticks;
            (void)fds; (void)count;
            if (read(c->fd, &ticks, sizeof ticks) < 0) { *revents = 0; return 0; }
            *revents = io->stream == SND_PCM_STREAM_PLAYBACK ? POLLOUT : POLLIN;
            return 0;
        }
        static int card_close(snd_pcm_ioplug_t *io) {
            card_t *c = io->private_data;
            if (c->file) fclose(c->file);
            close(c->fd);
            free(c);
            openers--;
            return 0;
        }
        static const snd_pcm_ioplug_callback_t calls = {
            .start = card_start, .stop = card_stop, .prepare = card_prepare, .pointer = card_pointer,
            .transfer = card_transfer, .poll_revents = card_revents, .close = card_close,
        };

        SND_PCM_PLUGIN_DEFINE_FUNC(vanorbcard) {
            snd_config_iterator_t i, next;
            const char *fault = "none", *file = "/dev/null";
            long after = 0, rate = 16000, channels = 1, largest = 1;
            (void)root;
            snd_config_for_each(i, next, conf) {
                snd_config_t *node = snd_config_iterator_entry(i);
                const char *id;
                if (snd_config_get_id(node, &id) < 0) continue;
                if (!strcmp(id, "fault")) snd_config_get_string(node, &fault);
                else if (!strcmp(id, "file")) snd_config_get_string(node, &file);
                else if (!strcmp(id, "after")) snd_config_get_integer(node, &after);
                else if (!strcmp(id, "rate")) snd_config_get_integer(node, &rate);
                else if (!strcmp(id, "channels")) snd_config_get_integer(node, &channels);
                else if (!strcmp(id, "largest")) snd_config_get_integer(node, &largest);
            }
            if (!strcmp(fault, "denied")) return -EACCES;
            if (!strcmp(fault, "busy") || openers > 0) return -EBUSY;
            card_t *c = calloc(1, sizeof *c);
            c->fault = !strcmp(fault, "lost") ? "lost" : !strcmp(fault, "xrun") ? "xrun"
                : !strcmp(fault, "stall") ? "stall" : !strcmp(fault, "suspend") ? "suspend"
                : !strcmp(fault, "interrupt") ? "interrupt" : "none";
            c->after = after; c->rate = rate; c->channels = channels;
            if (stream == SND_PCM_STREAM_PLAYBACK) c->file = fopen(file, "ab");
            c->fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
            c->io.version = SND_PCM_IOPLUG_VERSION;
            c->io.name = "VanOrb test card";
            c->io.poll_fd = c->fd;
            c->io.poll_events = POLLIN;
            c->io.callback = &calls;
            c->io.private_data = c;
            int code = snd_pcm_ioplug_create(&c->io, name, stream, mode);
            if (code < 0) { free(c); return code; }
            openers++;
            unsigned int format = SND_PCM_FORMAT_S16_LE;
            unsigned int access[] = {SND_PCM_ACCESS_MMAP_INTERLEAVED, SND_PCM_ACCESS_RW_INTERLEAVED};
            snd_pcm_ioplug_set_param_list(&c->io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
            snd_pcm_ioplug_set_param_list(&c->io, SND_PCM_IOPLUG_HW_FORMAT, 1, &format);
            snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_CHANNELS, channels, channels);
            snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_RATE, rate, rate);
            snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
            snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 1 << 18);
            snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 128, 2 * channels * largest);
            *pcmp = c->io.pcm;
            return 0;
        }
        SND_PCM_PLUGIN_SYMBOL(vanorbcard);
        """#
}
