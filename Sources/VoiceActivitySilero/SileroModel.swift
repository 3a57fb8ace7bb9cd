import Domain
import OnnxRuntime

/// Silero's voice activity, 16 kHz: PyPI `silero-vad` 6.2.3, `silero_vad_16k_op15.onnx`, MIT.
final class SileroModel: Sendable {
    /// Its file in the folder that `deploy/second-ear` fills.
    static let file = "silero_vad_16k_op15.onnx"
    /// Samples that are judged at once, and those before them that the model sees as well.
    static let frame = 512, context = 64
    /// Numbers of the recurrent state: two times 128.
    static let stateCount = 256

    private let library: OnnxLibrary
    private let weights: MappedFile

    /// Maps the file, and loads the library beside it.
    /// - Throws: `OnnxError`.
    init(folder: String) throws {
        library = try OnnxLibrary(path: "\(folder)/\(OnnxLibrary.file)")
        weights = try MappedFile(path: "\(folder)/\(Self.file)")
    }

    /// A stream of frames with a state of its own.
    /// - Throws: `OnnxError`, also for a file of another model.
    func stream() throws -> SileroStream { try SileroStream(library, weights) }
}

/// The model at work on one stream of sound. Used by one task at a time.
final class SileroStream {
    private static let inputName = CName("input"), stateName = CName("state"), rateName = CName("sr")
    private static let outputName = CName("output"), nextName = CName("stateN")

    private let session: OnnxSession
    private let stop: OnnxStop
    private let numbers: Numbers
    private let input, state, rate, output, next: OnnxSession.Tensor

    /// The memory of the tensors, which must outlive them.
    private final class Numbers {
        let input = UnsafeMutablePointer<Float>.allocate(capacity: SileroModel.context + SileroModel.frame)
        let state = UnsafeMutablePointer<Float>.allocate(capacity: SileroModel.stateCount)
        let next = UnsafeMutablePointer<Float>.allocate(capacity: SileroModel.stateCount)
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 1)
        let rate = UnsafeMutablePointer<Int64>.allocate(capacity: 1)

        init() {
            rate.initialize(to: Int64(AudioFormat.sampleRate))
            output.initialize(to: 0)
            next.initialize(repeating: 0, count: SileroModel.stateCount)
            forget()
        }

        func forget() {
            input.initialize(repeating: 0, count: SileroModel.context + SileroModel.frame)
            state.initialize(repeating: 0, count: SileroModel.stateCount)
        }

        deinit {
            input.deallocate()
            state.deallocate()
            next.deallocate()
            output.deallocate()
            rate.deallocate()
        }
    }

    fileprivate init(_ library: OnnxLibrary, _ weights: MappedFile) throws {
        // A frame comes every 32 ms: one thread, and the few buffers are kept.
        session = try OnnxSession(library, model: weights, OnnxSettings(threads: 1, prepacks: true, usesArena: true))
        stop = try OnnxStop(library)
        numbers = Numbers()
        input = try session.tensor(numbers.input, [1, SileroModel.context + SileroModel.frame])
        state = try session.tensor(numbers.state, [2, 1, SileroModel.stateCount / 2])
        next = try session.tensor(numbers.next, [2, 1, SileroModel.stateCount / 2])
        rate = try session.tensor(numbers.rate, [])
        output = try session.tensor(numbers.output, [1, 1])
    }

    /// The probability, 0…1, that the frame holds speech.
    /// - Parameter samples: the next frame; a shorter one is taken as followed by silence.
    /// - Throws: `OnnxError`, also where the model's answer is no probability.
    func probability(of samples: [Int16]) throws -> Double {
        let count = min(samples.count, SileroModel.frame), frame = numbers.input + SileroModel.context
        for place in 0..<SileroModel.frame { frame[place] = place < count ? Float(samples[place]) / 32_768 : 0 }
        try session.run(
            stop, [(Self.inputName, input), (Self.stateName, state), (Self.rateName, rate)],
            writing: [(Self.outputName, output), (Self.nextName, next)])
        let probability = Double(numbers.output.pointee)
        guard (0...1).contains(probability) else {
            throw OnnxError(call: "voice activity", detail: "\(probability) is no probability")
        }
        numbers.state.update(from: numbers.next, count: SileroModel.stateCount)
        numbers.input.update(from: numbers.input + SileroModel.frame, count: SileroModel.context)
        return probability
    }

    /// Forgets the sound so far.
    func reset() { numbers.forget() }
}
