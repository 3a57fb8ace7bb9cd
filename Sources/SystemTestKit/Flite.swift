import Foundation

/// Speech made at test time by one of flite's voices, which are built from real speakers.
package enum Flite {
    /// Has a voice say something into a WAV file.
    /// - Parameter voice: `awb`, `rms` and `slt` speak at 16 kHz, `kal16` too; `kal` at 8 kHz.
    /// - Throws: `NotInTime` where flite fails.
    package static func speak(_ text: String, voice: String = "slt", to path: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/flite")
        process.arguments = ["-voice", voice, "-t", text, "-o", path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw NotInTime(description: "flite -voice \(voice): \(process.terminationStatus)")
        }
    }

    /// What a voice says, as 16 kHz mono samples.
    package static func samples(_ text: String, voice: String = "slt") throws -> [Int16] {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        try speak(text, voice: voice, to: folder.file("spoken.wav"))
        let wave = try Data(contentsOf: URL(fileURLWithPath: folder.file("spoken.wav")))
        // flite's header has 44 bytes, the sampling rate at byte 24 (RIFF WAVE, format chunk).
        let body = wave.dropFirst(44)
        let spoken = body.withUnsafeBytes { raw in
            (0..<(raw.count / 2)).map { Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
        }
        let rate = wave.dropFirst(24).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return resampled(spoken, from: rate)
    }

    /// At 16 kHz; linear interpolation is enough for a test.
    package static func resampled(_ samples: [Int16], from rate: Int) -> [Int16] {
        guard rate != 16_000, !samples.isEmpty else { return samples }
        return (0..<(samples.count * 16_000 / rate)).map { index in
            let place = Double(index) * Double(rate) / 16_000
            let left = min(Int(place), samples.count - 1)
            let right = min(left + 1, samples.count - 1)
            let part = place - Double(left)
            return Int16(Double(samples[left]) * (1 - part) + Double(samples[right]) * part)
        }
    }
}
