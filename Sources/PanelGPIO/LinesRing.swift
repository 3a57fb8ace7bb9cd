import Foundation
import RingRenderer

/// Two lines that are set together: data and clock.
protocol LinePair: AnyObject {
    /// Makes the lines high or low.
    func set(data: Bool, clock: Bool) throws
}

extension GPIOPair: LinePair {
    func set(data: Bool, clock: Bool) throws { try set(data, clock) }
}

/// A ring of APA102 LEDs on two GPIO lines. The LED takes the data when the clock rises, at any speed, so
/// a program can set the levels itself; each is a system call.
final class LinesRing: RingDriver {
    /// The largest share of a core that it may use.
    let processorShare: Double? = 0.02
    private let configuration: RingConfiguration
    private let lines: any LinePair
    private let power: GPIOHandle?

    /// A ring on lines that are open already.
    init(_ configuration: RingConfiguration, lines: any LinePair, power: GPIOHandle? = nil) {
        self.configuration = configuration
        self.lines = lines
        self.power = power
    }

    func write(_ pixels: [RGB8]) throws {
        for byte in configuration.frame(pixels) {
            for place in stride(from: 7, through: 0, by: -1) {
                let bit = byte >> UInt8(place) & 1 == 1
                try lines.set(data: bit, clock: false)
                try lines.set(data: bit, clock: true)
            }
        }
        try lines.set(data: false, clock: false)
    }
}

/// The interval between frames, in seconds.
struct FramePace {
    /// The interval of a ring that costs little.
    static let usual = 1.0 / 30
    /// An upper limit, so that a single slow frame does not stop the ring.
    static let longest = 1.0
    private(set) var interval = FramePace.usual

    /// Adapts to a frame that took `seconds` of processor time, given its `share`.
    mutating func took(_ seconds: Double, share: Double) {
        interval = min(max(Self.usual, seconds / share), Self.longest)
    }

    /// The processor time of this thread, in seconds.
    static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
