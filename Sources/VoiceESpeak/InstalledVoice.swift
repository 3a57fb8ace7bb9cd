import Domain
import Foundation

/// A voice in the library's list.
struct InstalledVoice: Sendable, Equatable {
    /// Its name, such as `English (Received Pronunciation)`.
    let name: String
    /// Its file below the library's folder of voices, such as `gmw/en-GB-x-rp`: what it is loaded by.
    let identifier: String
    /// The languages it speaks, such as `en-gb-x-rp`.
    let languages: [String]

    /// True for a voice whose sound is made by the program mbrola; the library lists those whether or not they are
    /// installed.
    var needsMbrola: Bool { identifier.hasPrefix("mb/") }

    /// True when what the voice needs besides the library is there. Asking the library would make it print to the
    /// standard error stream.
    var isInstalled: Bool {
        guard needsMbrola else { return true }
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/mbrola") }
    }
}

extension VoiceChoice {
    func matches(_ voice: InstalledVoice) -> Bool {
        switch self {
        case .named(let name):
            let wanted = name.lowercased()
            let identifier = voice.identifier.lowercased()
            return voice.name.lowercased() == wanted || identifier == wanted || identifier.hasSuffix("/" + wanted)
                || voice.languages.contains(wanted)
        case .language(let language): return voice.languages.contains(language)
        case .languageFamily(let language):
            return voice.languages.contains { $0 == language || $0.hasPrefix(language + "-") }
        }
    }
}
