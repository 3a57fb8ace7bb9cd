import Domain
import Synchronization
import Threads

/// Moonshine in a program that must stay up: its files are compared with their hashes, and library and model are tried
/// in a process of their own, before any of them is loaded. All that is done by the first `prepare`, beside the start;
/// until then, and where it fails, nothing is heard by it, and the other recogniser hears alone.
public final class VerifiedMoonshine: UtteranceRecogniser {
    /// `moonshine`.
    public let name = "moonshine"
    private let loader: Loader
    private let loaded = Mutex<MoonshineRecogniser?>(nil)

    /// - Parameters:
    ///   - folder: where `deploy/second-ear` put it.
    ///   - trial: loads library and model elsewhere; throws, or takes its own process with it, where they are of no
    ///     use.
    ///   - onLoad: told once how that went: nil, or why it is not used.
    public init(
        folder: String, trial: @escaping @Sendable (String) throws -> Void,
        onLoad: @escaping @Sendable ((any Error)?) -> Void
    ) {
        loader = Loader(folder: folder, trial: trial, onLoad: onLoad)
    }

    /// The file that is missing; nil where all are there.
    public static func missing(in folder: String) -> String? { ModelFiles.missing(in: folder) }

    /// Loads it, the first time, and lets it hear what the vocabulary has.
    /// - Throws: `MoonshineError`, each time, where it cannot be used.
    public func prepare(_ vocabulary: Vocabulary) async throws {
        let recogniser = try await loader.load()
        try await recogniser.prepare(vocabulary)
        loaded.withLock { $0 = recogniser }
    }

    /// What was said in an utterance.
    /// - Throws: `MoonshineError`, also while it is not loaded: nobody waits for that with an utterance.
    public func hear(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult {
        try await recogniser.hear(samples, answering: answering)
    }

    /// How well sentences fit the utterance that was heard last.
    public func weigh(_ texts: [String]) async throws -> [ConstrainedResult.Reading] {
        try await recogniser.weigh(texts)
    }

    /// Lets go what is kept of the utterance that was heard last.
    public func forget() async { await loaded.withLock { $0 }?.forget() }

    private var recogniser: MoonshineRecogniser {
        get throws {
            guard let recogniser = loaded.withLock({ $0 }) else {
                throw MoonshineError(call: "hear", detail: "it is being checked, or cannot be used")
            }
            return recogniser
        }
    }
}

/// Reads, hashes and waits for a process, on a queue of its own.
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
