import Domain
import Foundation
import Setup

/// A voice that speaks sentences: one of flite's, which are built from real speakers, or another program's. Sentences
/// are cached in a folder.
struct SyntheticVoice: Sendable {
    /// The names of flite's voices.
    static let flite = ["awb", "kal16", "rms", "slt"]

    let name: String
    let cache: String
    /// The program that speaks: called with the text and the WAV file to write. Flite where it is nil.
    let program: String?

    init(name: String, cache: String) {
        (self.name, self.cache, program) = (name, cache, nil)
    }

    /// The voice of a program, by whose name it is called.
    init(program: String, cache: String) {
        (name, self.cache, self.program) = (URL(filePath: program).lastPathComponent, cache, program)
    }

    /// A sentence as 16 kHz mono, with silence before and after it.
    /// - Throws: `HearingFailure` when the program is missing or fails; `SoundFileFailure` for a damaged file of the
    ///   cache.
    func speak(_ text: String, lead: Duration, tail: Duration) throws -> [Int16] {
        func silence(_ duration: Duration) -> [Int16] {
            [Int16](repeating: 0, count: AudioFormat.samples(in: duration))
        }
        return silence(lead) + (try Recordings.read(file(text))) + silence(tail)
    }

    private func file(_ text: String) throws -> String {
        let folder = "\(cache)/\(name)", file = "\(folder)/\(String(StableHash.of(text), radix: 16)).wav"
        if FileManager.default.fileExists(atPath: file) { return file }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // A run that is cut short must not leave half a sentence under the name.
        let made = "\(file).\(getpid()).part"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = program.map { [$0, text, made] } ?? ["flite", "-voice", name, "-t", text, "-o", made]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0, rename(made, file) == 0 else {
            let advice = program.map { "see what \($0) says" } ?? "on Debian: apt-get install flite"
            throw HearingFailure(description: "“\(text)” was not spoken with the voice \(name); \(advice)")
        }
        return file
    }
}
