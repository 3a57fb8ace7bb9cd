import Domain
import Synchronization

/// A microphone that hears what the test says, opening by opening.
public final class ScriptedMicrophone: Microphone {
    /// What one opening of the microphone delivers.
    public struct Opening: Sendable {
        /// What comes behind the samples.
        public enum End: Sendable {
            /// Silence without end, as fast as it is taken.
            case silence
            /// Nothing until the test feeds more, or the capture is closed.
            case waiting
            /// The device goes.
            case failure(DeviceFailure)
        }
        let samples: [Int16]
        let end: End
        let refusal: DeviceFailure?

        /// Delivers `samples` and then what `end` says.
        public static func hears(_ samples: [Int16], then end: End = .silence) -> Opening {
            Opening(samples: samples, end: end, refusal: nil)
        }
        /// Half a second of voice, then silence.
        public static var utterance: Opening { .hears(SampleSound.voice(.milliseconds(512))) }
        /// Cannot be opened.
        public static func refused(_ reason: DeviceFailure.Reason) -> Opening {
            let failure = DeviceFailure(device: "fake", reason: reason, detail: "open: as the test wants it")
            return Opening(samples: [], end: .waiting, refusal: failure)
        }
        /// Delivers `samples` and then loses the device.
        public static func loses(after samples: [Int16]) -> Opening {
            .hears(samples, then: .failure(DeviceFailure(device: "fake", reason: .lost, detail: "read: gone")))
        }
    }

    /// What happens to the microphone.
    public enum Event: Sendable, Equatable {
        /// It was asked to open, or a capture was closed; with the number of the opening, from 1.
        case opened(Int, SoundSource), closed(Int)
    }

    /// What has happened.
    public let journal = Journal<Event>("microphone")
    private let openings: Mutex<(left: [Opening], count: Int)>
    private let blockSize: Int
    private let latest = Mutex<ScriptedCapture?>(nil)
    private let probing = Mutex<DeviceFailure.Reason?>(nil)

    /// A microphone that is opened once for each of `openings`; one opening more fails the test.
    public init(_ openings: [Opening], blockSize: Int = AudioFormat.blockSize) {
        self.openings = Mutex((openings, 0))
        self.blockSize = blockSize
    }

    /// Opens for the next of the openings.
    /// - Throws: `DeviceFailure` where the test wants one.
    public func open(_ source: SoundSource) async throws -> any MicrophoneCapture {
        let (opening, number) = openings.withLock { openings -> (Opening, Int) in
            guard !openings.left.isEmpty else { unexpected("Microphone.open, opening \(openings.count + 1)") }
            openings.count += 1
            return (openings.left.removeFirst(), openings.count)
        }
        journal.note(.opened(number, source))
        if let refusal = opening.refusal { throw refusal }
        let capture = ScriptedCapture(opening, blockSize: blockSize) { [journal] in journal.note(.closed(number)) }
        latest.withLock { $0 = capture }
        return capture
    }

    /// Probing fails from now on, or works again.
    public func failProbes(_ reason: DeviceFailure.Reason?) { probing.withLock { $0 = reason } }

    /// Fails where the test wants it; is no opening.
    public func probe() async throws {
        guard let reason = probing.withLock({ $0 }) else { return }
        throw DeviceFailure(device: "fake", reason: reason, detail: "probe: as the test wants it")
    }

    /// Lets the present opening hear more.
    public func feed(_ samples: [Int16]) { latest.withLock { $0 }?.feed(samples) }

    /// Returns once `count` openings have been asked for.
    /// - Throws: `NeverHappened`.
    public func opened(_ count: Int = 1) async throws {
        try await journal.until("opening \(count)") { events in
            events.contains { if case .opened(count, _) = $0 { true } else { false } }
        }
    }

    /// Returns once the capture of an opening has been closed.
    /// - Throws: `NeverHappened`.
    public func closed(_ number: Int = 1) async throws {
        try await journal.until("closing \(number)") { $0.contains(.closed(number)) }
    }
}

/// One opening of the scripted microphone.
private final class ScriptedCapture: MicrophoneCapture {
    private struct State {
        var samples: ArraySlice<Int16>
        var position = 0
        var isClosed = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state: Mutex<State>
    private let end: ScriptedMicrophone.Opening.End
    private let blockSize: Int
    private let onClose: @Sendable () -> Void

    init(_ opening: ScriptedMicrophone.Opening, blockSize: Int, onClose: @escaping @Sendable () -> Void) {
        state = Mutex(State(samples: opening.samples[...]))
        end = opening.end
        self.blockSize = blockSize
        self.onClose = onClose
    }

    var losses: AudioLosses { AudioLosses() }

    func next() async throws -> AudioBlock? {
        while true {
            // Others get their turn between blocks, as they do with a device.
            await Task.yield()
            let (isClosed, block) = state.withLock { ($0.isClosed, take(&$0)) }
            if isClosed { return nil }
            if let block { return block }
            if case .failure(let failure) = end { throw failure }
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    if state.isClosed || !state.samples.isEmpty { return true }
                    guard state.waiting == nil else { unexpected("a second MicrophoneCapture.next at the same time") }
                    state.waiting = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        }
    }

    private func take(_ state: inout State) -> AudioBlock? {
        var samples = Array(state.samples.prefix(blockSize))
        if samples.isEmpty {
            guard case .silence = end else { return nil }
            samples = Array(repeating: 0, count: blockSize)
        }
        defer { state.position += samples.count }
        state.samples = state.samples.dropFirst(blockSize)
        return AudioBlock(position: state.position, samples: samples)
    }

    func feed(_ samples: [Int16]) {
        let waiting = state.withLock { state in
            state.samples.append(contentsOf: samples)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    func close() {
        let (isFirst, waiting) = state.withLock { state in
            defer { (state.isClosed, state.waiting) = (true, nil) }
            return (!state.isClosed, state.waiting)
        }
        if isFirst { onClose() }
        waiting?.resume()
    }
}
