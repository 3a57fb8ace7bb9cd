import CALSA
import Foundation

/// The controls of real cards, through ALSA's simple mixer. A card is opened for every access, so that one that was
/// plugged in is found, and one that was unplugged is released.
struct ALSAMixer: Mixer {
    let configuration: ALSAConfiguration

    func open(_ control: MixerControl) throws(ALSAError) -> any MixerElement {
        try ALSAMixerElement(control, configuration: configuration)
    }
}

/// Owns an open mixer and accesses one of its controls.
final class ALSAMixerElement: MixerElement {
    private let mixer: OpenMixer
    private let element: OpaquePointer
    private let channels: [snd_mixer_selem_channel_id_t]
    let range: ClosedRange<Int>
    let volumes: [Int]
    let isOn: Bool

    init(_ control: MixerControl, configuration: ALSAConfiguration) throws(ALSAError) {
        mixer = try OpenMixer(card: control.card, configuration: configuration)
        element = try mixer.element(control)
        let channels = try Self.channels(of: element, control)
        self.channels = channels
        range = try Self.range(of: element)
        var volumes: [Int] = []
        for channel in channels { volumes.append(try Self.volume(of: element, channel)) }
        self.volumes = volumes
        isOn = try Self.isOn(element, channels)
    }

    /// - Throws: `ALSAError` where the control has no playback volume.
    private static func channels(
        of element: OpaquePointer, _ control: MixerControl
    ) throws(ALSAError) -> [snd_mixer_selem_channel_id_t] {
        guard snd_mixer_selem_has_playback_volume(element) != 0 else {
            throw ALSAError(
                call: "snd_mixer_selem_has_playback_volume", code: -EINVAL, words: "\(control) has no playback volume")
        }
        let all = (SND_MIXER_SCHN_FRONT_LEFT.rawValue...SND_MIXER_SCHN_LAST.rawValue).map {
            snd_mixer_selem_channel_id_t($0)
        }
        return all.filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
    }

    private static func range(of element: OpaquePointer) throws(ALSAError) -> ClosedRange<Int> {
        var low = 0, high = 0
        try ALSACall.check("snd_mixer_selem_get_playback_volume_range") {
            snd_mixer_selem_get_playback_volume_range(element, &low, &high)
        }
        return min(low, high)...max(low, high)
    }

    private static func volume(
        of element: OpaquePointer, _ channel: snd_mixer_selem_channel_id_t
    ) throws(ALSAError) -> Int {
        var volume = 0
        try ALSACall.check("snd_mixer_selem_get_playback_volume") {
            snd_mixer_selem_get_playback_volume(element, channel, &volume)
        }
        return volume
    }

    private static func isOn(
        _ element: OpaquePointer, _ channels: [snd_mixer_selem_channel_id_t]
    ) throws(ALSAError) -> Bool {
        guard snd_mixer_selem_has_playback_switch(element) != 0 else { return true }
        for channel in channels {
            var isOn: Int32 = 0
            try ALSACall.check("snd_mixer_selem_get_playback_switch") {
                snd_mixer_selem_get_playback_switch(element, channel, &isOn)
            }
            if isOn != 0 { return true }
        }
        return false
    }

    func lowered(by decibels: Double) -> [Int] {
        zip(channels, volumes).map { channel, volume in
            let wanted = inDecibels(channel, less: decibels) ?? asAmplitude(volume, less: decibels)
            return min(max(wanted, range.lowerBound), volume)
        }
    }

    /// By the card's own table of decibels; nil where it has none, or the channel is silent already.
    private func inDecibels(_ channel: snd_mixer_selem_channel_id_t, less decibels: Double) -> Int? {
        // In hundredths. A table may end in silence, which is a number far below all others.
        let silence = -900_000
        var now = 0, volume = 0
        guard snd_mixer_selem_get_playback_dB(element, channel, &now) >= 0, now > silence else { return nil }
        let wanted = now - Int((100 * decibels).rounded())
        guard snd_mixer_selem_ask_playback_dB_vol(element, wanted, -1, &volume) >= 0 else { return nil }
        return volume
    }

    /// A control without decibels is taken as one of amplitude: 20 dB are a tenth.
    private func asAmplitude(_ volume: Int, less decibels: Double) -> Int {
        range.lowerBound + Int(Double(volume - range.lowerBound) * pow(10, -decibels / 20))
    }

    func set(_ volumes: [Int]) throws(ALSAError) {
        for (channel, volume) in zip(channels, volumes) {
            try ALSACall.check("snd_mixer_selem_set_playback_volume") {
                snd_mixer_selem_set_playback_volume(element, channel, volume)
            }
        }
    }
}

/// Owns the mixer of one card.
private final class OpenMixer {
    private let handle: OpaquePointer

    init(card: String, configuration: ALSAConfiguration) throws(ALSAError) {
        var mixer: OpaquePointer?
        try ALSACall.check("snd_mixer_open") { snd_mixer_open(&mixer, 0) }
        guard let mixer else { throw ALSAError(call: "snd_mixer_open", code: -ENOMEM) }
        do {
            try Self.load(mixer, card, configuration)
        } catch {
            snd_mixer_close(mixer)
            throw error
        }
        handle = mixer
    }

    // Closes the card's controls, too.
    deinit { snd_mixer_close(handle) }

    private static func load(
        _ mixer: OpaquePointer, _ card: String, _ configuration: ALSAConfiguration
    ) throws(ALSAError) {
        let tree = try configuration.tree()
        var controls: OpaquePointer?
        try ALSACall.check("snd_ctl_open") { snd_ctl_open_lconf(&controls, card, 0, tree.top) }
        var high: OpaquePointer?
        do {
            try ALSACall.check("snd_hctl_open_ctl") { snd_hctl_open_ctl(&high, controls) }
        } catch {
            snd_ctl_close(controls)
            throw error
        }
        // Closes it where it fails.
        try ALSACall.check("snd_mixer_attach_hctl") { snd_mixer_attach_hctl(mixer, high) }
        try ALSACall.check("snd_mixer_selem_register") { snd_mixer_selem_register(mixer, nil, nil) }
        try ALSACall.check("snd_mixer_load") { snd_mixer_load(mixer) }
    }

    func element(_ control: MixerControl) throws(ALSAError) -> OpaquePointer {
        var id: OpaquePointer?
        try ALSACall.check("snd_mixer_selem_id_malloc") { snd_mixer_selem_id_malloc(&id) }
        defer { snd_mixer_selem_id_free(id) }
        snd_mixer_selem_id_set_name(id, control.control)
        snd_mixer_selem_id_set_index(id, UInt32(clamping: control.index))
        guard let found = snd_mixer_find_selem(handle, id) else {
            let names = Set(names).sorted().joined(separator: ", ")
            throw ALSAError(
                call: "snd_mixer_find_selem", code: -ENOENT,
                words: "the card has no control \(control); " + (names.isEmpty ? "it has none" : "it has: \(names)"))
        }
        return found
    }

    /// The names of all controls.
    private var names: [String] {
        var result: [String] = [], next = snd_mixer_first_elem(handle)
        while let element = next {
            if let name = snd_mixer_selem_get_name(element) { result.append(String(cString: name)) }
            next = snd_mixer_elem_next(element)
        }
        return result
    }
}
