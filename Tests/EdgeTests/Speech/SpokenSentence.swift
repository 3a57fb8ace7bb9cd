import Domain
import Foundation
import Testing

/// Speech made at test time by one of flite's voices, which are built from real speakers.
struct SpokenSentence {
    /// 16 kHz mono, with silence before and after.
    let samples: [Int16]

    init(_ text: String, voice: String = "slt") throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("spoken-\(UUID().uuidString).wav")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flite")
        process.arguments = ["-voice", voice, "-t", text, "-o", file.path]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "flite did not speak")
        let wave = try Data(contentsOf: file)
        let body = wave.dropFirst(44)
        let spoken = body.withUnsafeBytes { raw in
            (0..<(raw.count / 2)).map { Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
        }
        let rate = wave.dropFirst(24).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let silence = [Int16](repeating: 0, count: 8_000)
        samples = silence + Self.resampled(spoken, from: rate) + silence
    }

    /// kal's recordings have 8 kHz; the others 16 kHz already. Linear interpolation is enough for a test.
    private static func resampled(_ samples: [Int16], from rate: Int) -> [Int16] {
        guard rate != 16_000, !samples.isEmpty else { return samples }
        return (0..<(samples.count * 16_000 / rate)).map { index in
            let place = Double(index) * Double(rate) / 16_000
            let left = min(Int(place), samples.count - 1)
            let right = min(left + 1, samples.count - 1)
            let part = place - Double(left)
            return Int16(Double(samples[left]) * (1 - part) + Double(samples[right]) * part)
        }
    }

    /// The samples in blocks, as the microphone delivers them.
    var blocks: [[Int16]] {
        stride(from: 0, to: samples.count, by: 512).map { Array(samples[$0..<min($0 + 512, samples.count)]) }
    }
}

extension SpokenSentence {
    /// A sound of a synthesiser's, with silence before and after.
    init(_ sound: Sound) {
        let silence = [Int16](repeating: 0, count: 8_000)
        samples = silence + Self.resampled(sound.samples, from: sound.sampleRate) + silence
    }
}
