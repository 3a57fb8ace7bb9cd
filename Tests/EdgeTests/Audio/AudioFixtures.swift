import Domain
import AudioALSA
import Foundation
import Logging
import SystemTestKit
import Testing

/// What tests of sound keep in their folder.
extension TemporaryFolder {
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
