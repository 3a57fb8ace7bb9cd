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

/// One step of the order in which voices are tried.
public enum VoiceChoice: Sendable, Equatable {
    /// The voice of this name, file, or language, whatever its case; a file may be given without its folder.
    case named(String)
    /// A voice whose language is exactly this one.
    case language(String)
    /// A voice whose language is this one or a dialect of it.
    case languageFamily(String)

    /// The British voices: mbrola's en1, Received Pronunciation, plain British, any other.
    public static let british: [VoiceChoice] = [
        .named("mb/mb-en1"), .language("en-gb-x-rp"), .language("en-gb"), .languageFamily("en-gb"),
    ]

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
