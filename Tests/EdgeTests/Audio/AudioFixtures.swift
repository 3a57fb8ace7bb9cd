import Domain
import AudioALSA
import Foundation
import Logging
import Testing

/// A folder of one test's own, removed with it.
final class AudioFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("vanorb-audio-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Writes raw little-endian samples.
    @discardableResult
    func write(_ samples: [Int16], to name: String) throws -> String {
        let data = samples.withUnsafeBytes { Data($0) }
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    func samples(of name: String) throws -> [Int16] {
        let data = try Data(contentsOf: URL(fileURLWithPath: file(name)))
        var samples = [Int16](repeating: 0, count: data.count / 2)
        _ = samples.withUnsafeMutableBytes { data.copyBytes(to: $0) }
        return samples
    }

    /// An ALSA configuration whose device `NAME` plays into the file `NAME.raw` of this folder.
    func players(_ names: String...) throws -> ALSAConfiguration {
        try ALSAConfiguration(
            text: names.map { name in
                """
                pcm.\(name) {
                    type file
                    slave.pcm { type null }
                    file "\(file(name + ".raw"))"
                    format raw
                }
                """
            }.joined(separator: "\n"))
    }
}

enum AudioTools {
    static let logger = Logger(label: "test.audio") { _ in SwiftLogNoOpLogHandler() }

    /// Samples that tell their place: no two within a long run are alike, and none is zero.
    static func counting(_ count: Int) -> [Int16] {
        (0..<count).map { Int16(truncatingIfNeeded: $0 % 30_000 + 1) }
    }

    static func sine(hertz: Double, seconds: Double, rate: Int, amplitude: Double = 8_000) -> [Int16] {
        (0..<Int(seconds * Double(rate))).map {
            Int16((amplitude * sin(2 * .pi * hertz * Double($0) / Double(rate))).rounded())
        }
    }

    /// Runs a program to its end.
    static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) \(arguments)")
    }

    /// What flite says, as 16 kHz samples.
    static func speech(_ text: String, voice: String, in folder: AudioFolder) throws -> [Int16] {
        let wave = folder.file("\(voice).wav")
        try run("/usr/bin/flite", ["-voice", voice, "-t", text, "-o", wave])
        try run(
            "/usr/bin/sox",
            [wave, "-t", "raw", "-r", "16000", "-c", "1", "-e", "signed", "-b", "16", folder.file("\(voice).raw")])
        return try folder.samples(of: "\(voice).raw")
    }

    /// The first `count` samples of a capture, which must be without gaps.
    static func capture(_ count: Int, from capture: any MicrophoneCapture) async throws -> [Int16] {
        var samples: [Int16] = []
        while samples.count < count {
            let block = try #require(await capture.next())
            #expect(block.position == samples.count)
            samples += block.samples
        }
        return samples
    }

    static func sentences(_ sounds: [[Int16]], rate: Int) -> AsyncThrowingStream<SynthesisedSentence, any Error> {
        AsyncThrowingStream { stream in
            for samples in sounds {
                stream.yield(
                    SynthesisedSentence(text: "", sound: Sound(samples: samples, sampleRate: rate), words: []))
            }
            stream.finish()
        }
    }

    /// Waits, at most `limit`, until `condition` holds.
    static func eventually(within limit: Duration = .seconds(20), _ condition: () throws -> Bool) async throws -> Bool {
        let deadline = ContinuousClock.now + limit
        while try !condition() {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: .milliseconds(2))
        }
        return true
    }

    /// Names of this process's threads.
    static func threadNames() -> [String] {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }

    /// Descriptors of this process that point at sound files or devices.
    static func openPaths(containing part: String) -> Int {
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return numbers.count {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?.contains(part) ?? false
        }
    }
}
