import AudioALSA
import Foundation
import SystemTestKit
import Testing

/// The controls of a sound card for tests: a plugin of ALSA's own kind (external control), compiled when the tests run.
/// The volumes are kept in a file, as a card keeps them while programs come and go. ALSA and our code above it are the
/// real ones.
///
/// “Music” has two channels and 0 to 100 in steps of half a decibel, ending in silence; “Plain” has one channel, 0 to
/// 1000 and no decibels; “Speech” has one channel, 0 to 20 and a switch.
struct TestMixer {
    let configuration: ALSAConfiguration
    private let file: String

    /// Builds the controls in `folder`; the card's name is `card`.
    init(in folder: TemporaryFolder) throws {
        let library = folder.file("libmixer.so")
        file = folder.file("volumes")
        try Self.source.write(toFile: folder.file("mixer.c"), atomically: true, encoding: .utf8)
        let flags = ["-shared", "-fPIC", "-DPIC", "-o", library, folder.file("mixer.c"), "-lasound"]
        try AudioTools.run("/usr/bin/env", ["cc"] + flags)
        configuration = try ALSAConfiguration(
            text: """
                ctl_type.vanorbmixer { lib "\(library)" }
                ctl.card { type vanorbmixer file "\(file)" }
                """)
        set(music: [80, 70], plain: 500, speech: 10)
    }

    /// The volumes as the card has them.
    var music: [Int] { Array(values[0...1]) }
    var plain: Int { values[2] }
    var speech: Int { values[3] }

    func set(music: [Int]? = nil, plain: Int? = nil, speech: Int? = nil, isSpeechOn: Bool = true) {
        let now = FileManager.default.fileExists(atPath: file) ? values : [0, 0, 0, 0, 0]
        let new = (music ?? Array(now[0...1])) + [plain ?? now[2], speech ?? now[3], isSpeechOn ? 1 : 0]
        try? new.map(String.init).joined(separator: " ").write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// Takes the card away: it cannot be opened any more; or puts it back.
    func unplug() throws { try FileManager.default.moveItem(atPath: file, toPath: file + ".gone") }
    func plugIn() throws { try FileManager.default.moveItem(atPath: file + ".gone", toPath: file) }

    private var values: [Int] {
        let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
        return text.split(separator: " ").compactMap { Int($0) }
    }

    private static let source = #"""
        #include <alsa/asoundlib.h>
        #include <alsa/control_external.h>
        #include <stdio.h>

        typedef struct { snd_ctl_ext_t ext; char path[400]; } card_t;
        static const char *names[] = {
            "Music Playback Volume", "Plain Playback Volume", "Speech Playback Volume", "Speech Playback Switch"};
        static const int first[] = {0, 2, 3, 4}, counts[] = {2, 1, 1, 1}, highest[] = {100, 1000, 20, 1};
        // A scale from -50 dB in steps of 0.5 dB; the lowest is silence.
        static const unsigned int scale[] = {SND_CTL_TLVT_DB_SCALE, 8, (unsigned int)-5000, 0x10000 | 50};

        static int load(card_t *c, long *all) {
            FILE *f = fopen(c->path, "r");
            if (!f) return -ENODEV;
            int n = fscanf(f, "%ld %ld %ld %ld %ld", all, all + 1, all + 2, all + 3, all + 4);
            fclose(f);
            return n == 5 ? 0 : -EIO;
        }
        static int count(snd_ctl_ext_t *e) { (void)e; return 4; }
        static int list(snd_ctl_ext_t *e, unsigned int at, snd_ctl_elem_id_t *id) {
            (void)e;
            snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
            snd_ctl_elem_id_set_name(id, names[at]);
            return 0;
        }
        static snd_ctl_ext_key_t find(snd_ctl_ext_t *e, const snd_ctl_elem_id_t *id) {
            (void)e;
            for (int i = 0; i < 4; i++) if (!strcmp(snd_ctl_elem_id_get_name(id), names[i])) return i;
            return SND_CTL_EXT_KEY_NOT_FOUND;
        }
        static int attribute(snd_ctl_ext_t *e, snd_ctl_ext_key_t key, int *type, unsigned int *access, unsigned int *n) {
            *type = key == 3 ? SND_CTL_ELEM_TYPE_BOOLEAN : SND_CTL_ELEM_TYPE_INTEGER;
            *access = SND_CTL_EXT_ACCESS_READWRITE;
            if (key == 0) { *access |= SND_CTL_EXT_ACCESS_TLV_READ; e->tlv.p = scale; }
            *n = counts[key];
            return 0;
        }
        static int info(snd_ctl_ext_t *e, snd_ctl_ext_key_t key, long *low, long *high, long *step) {
            (void)e;
            *low = 0; *high = highest[key]; *step = 1;
            return 0;
        }
        static int get(snd_ctl_ext_t *e, snd_ctl_ext_key_t key, long *value) {
            long all[5];
            int code = load(e->private_data, all);
            if (code < 0) return code;
            for (int i = 0; i < counts[key]; i++) value[i] = all[first[key] + i];
            return 0;
        }
        static int put(snd_ctl_ext_t *e, snd_ctl_ext_key_t key, long *value) {
            card_t *c = e->private_data;
            long all[5];
            int code = load(c, all);
            if (code < 0) return code;
            for (int i = 0; i < counts[key]; i++) all[first[key] + i] = value[i];
            FILE *f = fopen(c->path, "w");
            if (!f) return -EIO;
            fprintf(f, "%ld %ld %ld %ld %ld", all[0], all[1], all[2], all[3], all[4]);
            fclose(f);
            return 1;
        }
        static int event(snd_ctl_ext_t *e, snd_ctl_elem_id_t *id, unsigned int *mask) {
            (void)e; (void)id; (void)mask;
            return -EAGAIN;
        }
        static void shut(snd_ctl_ext_t *e) { free(e->private_data); }
        static const snd_ctl_ext_callback_t calls = {
            .close = shut, .elem_count = count, .elem_list = list, .find_elem = find, .get_attribute = attribute,
            .get_integer_info = info, .read_integer = get, .write_integer = put, .read_event = event,
        };

        SND_CTL_PLUGIN_DEFINE_FUNC(vanorbmixer) {
            snd_config_iterator_t i, next;
            const char *file = "";
            (void)root;
            snd_config_for_each(i, next, conf) {
                snd_config_t *node = snd_config_iterator_entry(i);
                const char *id;
                if (snd_config_get_id(node, &id) >= 0 && !strcmp(id, "file")) snd_config_get_string(node, &file);
            }
            if (access(file, R_OK)) return -ENODEV;
            card_t *c = calloc(1, sizeof *c);
            snprintf(c->path, sizeof c->path, "%s", file);
            c->ext.version = SND_CTL_EXT_VERSION;
            strcpy(c->ext.id, "test");
            strcpy(c->ext.name, "VanOrb test mixer");
            c->ext.poll_fd = -1;
            c->ext.callback = &calls;
            c->ext.private_data = c;
            int code = snd_ctl_ext_create(&c->ext, name, mode);
            if (code < 0) { free(c); return code; }
            *handlep = c->ext.handle;
            return 0;
        }
        SND_CTL_PLUGIN_SYMBOL(vanorbmixer);
        """#
}
