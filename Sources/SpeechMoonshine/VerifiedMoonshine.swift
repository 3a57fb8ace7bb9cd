import Domain
import Synchronization
import Threads
import OnnxRuntime

/// Moonshine for a program that must not crash: its files are compared with their hashes, and library and model are
/// tried in a separate process, before any of them is loaded. The first `prepare` does so, concurrently with the rest
/// of the start; until then, and where it fails, the streaming recogniser is used alone.
public final class VerifiedMoonshine: UtteranceRecogniser {
    /// `moonshine`.
    public let name = "moonshine"
    private let loader: Loader
    private let loaded = Mutex<MoonshineRecogniser?>(nil)

    /// - Parameters:
    ///   - folder: where `deploy/second-ear` put it.
    ///   - trial: loads library and model in a separate process; throws where that fails.
    ///   - onLoad: called once with the outcome: nil, or why it is not used.
    public init(
        folder: String, trial: @escaping @Sendable (String) throws -> Void,
        onLoad: @escaping @Sendable ((any Error)?) -> Void
    ) {
        loader = Loader(folder: folder, trial: trial, onLoad: onLoad)
    }

    /// The first file that is missing; nil where none is.
    public static func missing(in folder: String) -> String? { ModelFiles.missing(in: folder) }

    /// Loads it the first time, and uses the vocabulary from the next utterance on.
    /// - Throws: `OnnxError`, each time, where it cannot be used.
    public func prepare(_ vocabulary: Vocabulary) async throws {
        let recogniser = try await loader.load()
        try await recogniser.prepare(vocabulary)
        loaded.withLock { $0 = recogniser }
    }

    /// Transcribes an utterance.
    /// - Throws: `OnnxError`, also while it is not loaded: an utterance does not wait for that.
    public func transcribe(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult {
        try await recogniser.transcribe(samples, answering: answering)
    }

    /// Scores sentences on the last utterance.
    public func rescore(_ texts: [String]) async throws -> [ConstrainedResult.Reading] {
        try await recogniser.rescore(texts)
    }

    /// Releases what is kept of the last utterance.
    public func release() async { await loaded.withLock { $0 }?.release() }

    private var recogniser: MoonshineRecogniser {
        get throws {
            guard let recogniser = loaded.withLock({ $0 }) else {
                throw OnnxError(call: "transcribe", detail: "it is still being checked, or unavailable")
            }
            return recogniser
        }
    }
}

/// Checks and loads the model on its own queue, as hashing and waiting for a process block.
private actor Loader {
    private let executor = QueueExecutor(label: "vanorb.moonshine.check", qos: .utility)
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let folder: String
    private let trial: @Sendable (String) throws -> Void
    private let onLoad: @Sendable ((any Error)?) -> Void
    private var result: Result<MoonshineRecogniser, any Error>?

    init(
        folder: String, trial: @escaping @Sendable (String) throws -> Void,
        onLoad: @escaping @Sendable ((any Error)?) -> Void
    ) {
        (self.folder, self.trial, self.onLoad) = (folder, trial, onLoad)
    }

    func load() throws -> MoonshineRecogniser {
        if let result { return try result.get() }
        let result = Result {
            try ModelFiles.check(folder)
            try trial(folder)
            return try MoonshineRecogniser(checked: folder)
        }
        self.result = result
        if case .failure(let error) = result { onLoad(error) } else { onLoad(nil) }
        return try result.get()
    }
}

/// Tries library and model before anything depends on them. Damaged files, or files for another processor, may crash
/// the process that loads them: so it runs in a separate one.
public enum MoonshineTrial {
    /// Loads library and model and transcribes a second of silence. For a process that may crash.
    /// - Throws: `OnnxError`.
    public static func run(folder: String) throws {
        let model = try MoonshineModel(folder: folder, OnnxSettings())
        let silence = [Float](repeating: 0, count: 16_000)
        let decoding = try model.encode(silence, rows: 2, steps: 4, stop: OnnxStop(model.library))
        try decoding.begin(Tokeniser.start)
        try decoding.step([(0, 300), (0, 301)])
    }
}
