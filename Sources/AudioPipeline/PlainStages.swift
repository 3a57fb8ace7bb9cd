import Domain
import Foundation

/// Makes one channel of several.
final class MonoStage: SampleStage {
    private let channels: Int
    private let channel: Int?

    /// The mean of `channels`, or their `channel`, counted from 1.
    init(channels: Int, channel: Int?) {
        self.channels = max(1, channels)
        self.channel = channel
    }

    func process(_ samples: [Int16]) -> [Int16] {
        stride(from: 0, through: samples.count - channels, by: channels).map { start in
            if let channel { return samples[start + channel - 1] }
            var sum = 0
            for offset in 0..<channels { sum += Int(samples[start + offset]) }
            return Int16(clamping: sum / channels)
        }
    }

    func finish() -> [Int16] { [] }
    func reset() {}
}

/// Makes louder or quieter.
final class GainStage: SampleStage {
    private let factor: Float

    /// By so many decibels.
    init(decibels: Double) { factor = Float(pow(10, decibels / 20)) }

    func process(_ samples: [Int16]) -> [Int16] {
        samples.map { Int16(min(max(Float($0) * factor, -32_768), 32_767)) }
    }

    func finish() -> [Int16] { [] }
    func reset() {}
}

/// Cuts a stream into frames of one size.
struct Framer {
    private let size: Int
    private var waiting: [Int16] = []

    init(size: Int) { self.size = max(1, size) }

    /// The frames that are complete with `samples`.
    mutating func frames(of samples: [Int16]) -> [[Int16]] {
        if waiting.isEmpty, samples.count == size { return [samples] }
        waiting += samples
        let count = waiting.count / size
        let frames = (0..<count).map { Array(waiting[$0 * size..<($0 + 1) * size]) }
        waiting.removeFirst(count * size)
        return frames
    }

    mutating func reset() { waiting = [] }
}
