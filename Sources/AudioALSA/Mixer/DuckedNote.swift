import Foundation

/// What was lowered and has to be given back, kept in a file from before the first volume changes until the last is
/// restored, so that it is found after a crash.
struct DuckedNote: Codable, Equatable {
    struct Entry: Codable, Equatable {
        let control: MixerControl
        /// The channels' volumes as the owner had them, in the card's own steps.
        let before: [Int]
        /// What they were set to.
        var set: [Int]
    }

    var entries: [Entry]

    /// The note in `file`; without entries where there is none, or none that can be understood.
    init(file: String) {
        let data = FileManager.default.contents(atPath: file)
        self = data.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? Self(entries: [])
    }

    init(entries: [Entry]) { self.entries = entries }

    /// Writes the note, or removes the file where nothing has to be given back. Either the old note or the new one is
    /// there at any time.
    func write(to file: String) throws {
        guard !entries.isEmpty else {
            if FileManager.default.fileExists(atPath: file) { try FileManager.default.removeItem(atPath: file) }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: file), options: .atomic)
    }
}
