import Foundation
import SignalProcessing
import SoundFiles
import Testing

private let recordings = ProcessInfo.processInfo.environment["VANORB_RECORDINGS"]

/// Measures on human speech, which is not part of the project.
@Suite(.enabled(if: recordings != nil, "VANORB_RECORDINGS names no folder"))
struct VoiceActivityRecordingTests {
    private let folder = recordings ?? ""
    private let reader = LibSndFileReader { try Resampler.convert($0, from: $1) }

    private func blocks(_ samples: [Int16]) -> [[Int16]] {
        stride(from: 0, to: samples.count - 511, by: 512).map { Array(samples[$0..<$0 + 512]) }
    }

    /// The place of the first of three blocks in a row that are taken for speech, and of the last such block.
    private func span(of samples: [Int16]) throws -> (first: Int, last: Int)? {
        let detector = try SpeexVoiceActivity()
        let found = blocks(samples).map { detector.speechProbability(of: $0) > 0.5 }
        guard found.count > 2, let first = (2..<found.count).first(where: { found[($0 - 2)...$0].allSatisfy { $0 } }),
            let last = found.lastIndex(of: true)
        else { return nil }
        return (first, last)
    }

    private func loudest(_ samples: [Int16]) -> Double {
        stride(from: 0, to: samples.count - 2_047, by: 2_048).map { start in
            samples[start..<start + 2_048].reduce(0.0) { $0 + Double($1) * Double($1) }
        }.max() ?? 0
    }

    /// Speech with a crop of noise, scaled so that the loudest 2048 samples of each are `decibels` apart; the sum is
    /// divided by twice its peak.
    private func mix(_ speech: [Int16], _ noise: ArraySlice<Int16>, decibels: Double) -> [Int16] {
        let gain = (loudest(speech) / loudest(Array(noise)) / pow(10, decibels / 10)).squareRoot()
        let sum = zip(speech, noise).map { Double($0) + gain * Double($1) }
        let peak = sum.map(abs).max() ?? 1
        return sum.map { Int16($0 / (2 * peak) * 32_767) }
    }

    private func orders() throws -> [(name: String, samples: [Int16])] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/coffee")
        let sounds = names.filter { $0.hasSuffix(".flac") }.sorted()
        let step = ProcessInfo.processInfo.environment["VANORB_RECORDINGS_ALL"] == nil ? 6 : 1
        return try stride(from: 0, to: sounds.count, by: step).map {
            (sounds[$0], try reader.read(path: folder + "/coffee/" + sounds[$0]))
        }
    }

    @Test(arguments: [nil, 24, 12, 6] as [Double?])
    func spokenOrders_areFound(decibels: Double?) throws {
        let noise = try reader.read(path: folder + "/kitchen-noise.flac")
        let orders = try orders()
        var found = 0
        var ended = 0
        for (index, order) in orders.enumerated() {
            // The order's own end, where nothing else sounds.
            guard let clean = try span(of: order.samples) else { continue }
            let start = (index * 44_111) % max(1, noise.count - order.samples.count)
            let heard = decibels.map { mix(order.samples, noise[start...], decibels: $0) } ?? order.samples
            guard let span = try span(of: heard), span.first <= clean.last else { continue }
            found += 1
            if span.last <= clean.last + 16 { ended += 1 }
        }
        print(
            "voice activity at \(decibels.map { "\($0) dB" } ?? "clean"): found \(found) of \(orders.count),",
            "silent from 0.5 s after the end \(ended)")
        #expect(Double(found) >= (decibels ?? 99 < 12 ? 0.9 : 0.98) * Double(orders.count))
    }

    @Test(arguments: [1, 0.25])
    func kitchenNoise_isHardlyEverSpeech(gain: Double) throws {
        let noise = try reader.read(path: folder + "/kitchen-noise.flac").map { Int16(Double($0) * gain) }
        let detector = try SpeexVoiceActivity()
        let found = blocks(noise).map { detector.speechProbability(of: $0) > 0.5 }
        let seconds = Double(found.count { $0 }) * 0.032
        print("kitchen noise times \(gain): \(seconds) s of \(Double(found.count) * 0.032) s taken for speech")
        #expect(seconds < 2)
    }
}
