import Domain

/// The board's sound devices, as `Health` names them.
public enum SoundPart: String, Sendable, CaseIterable {
    /// What hears.
    case microphone
    /// What speaks.
    case speaker
    /// What the chimes sound from.
    case chimes

    /// The program that lists what the kernel knows.
    private var lister: String { self == .microphone ? "arecord -l" : "aplay -l" }
    /// The key of the board file.
    private var key: String {
        switch self {
        case .microphone: "“device” under microphone"
        case .speaker: "“speech” under speaker"
        case .chimes: "“media” under speaker"
        }
    }

    /// What the owner can do. Each device is tried again by itself, so a restart is never part of it.
    package func advice(_ reason: DeviceFailure.Reason) -> String {
        switch reason {
        case .missing: "“\(lister)” lists what is plugged in; plug it in, or mend \(key) in the board file"
        case .busy: "another program holds it; “fuser -v /dev/snd/*” says which; end that one"
        case .noPermission:
            "the daemon's account must be in the group audio (“usermod -aG audio vanorb”, then restart the service), or "
                + "a udev rule must give /dev/snd to it"
        case .lost: "it was there and went: check its plug and its power; “\(lister)” shows whether it is back"
        case .unusable:
            "it is there and does not work as asked: compare what it can do (“\(dumper)”) with \(key) and, for a "
                + "microphone, with rate and channels under audio in the board file"
        }
    }

    private var dumper: String {
        self == .microphone ? "arecord -D DEVICE --dump-hw-params" : "aplay -D DEVICE --dump-hw-params /dev/zero"
    }
}

extension Health {
    /// Says why a sound device cannot be used, and what to do. A board without chimes does its work all the same.
    package func report(_ part: SoundPart, _ failure: DeviceFailure) {
        report(
            part.rawValue, part == .chimes ? .warning : .failed, "\(failure)", advice: part.advice(failure.reason))
    }

    /// True while a part is known not to work, or to work in part.
    func isTroubled(_ part: String) -> Bool { all.contains { $0.name == part && $0.state != .ok } }
}
