import Domain
import Foundation
import Setup

/// One of flite's voices, which are built from real speakers. Sentences are cached in a folder.
struct FliteVoice: Sendable {
    static let names = ["awb", "kal16", "rms", "slt"]

    let name: String
    let cache: String

    /// A sentence as 16 kHz mono, with silence before and after it.
    /// - Throws: `HearingFailure` when flite is missing or fails; `SoundFileFailure` for a damaged file of the cache.
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
        process.arguments = ["flite", "-voice", name, "-t", text, "-o", made]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0, rename(made, file) == 0 else {
            throw HearingFailure(
                description: "flite did not speak “\(text)” with the voice \(name); on Debian: apt-get install flite")
        }
        return file
    }
}
