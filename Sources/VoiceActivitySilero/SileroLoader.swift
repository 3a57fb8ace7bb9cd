import Domain
import OnnxRuntime
import Synchronization

/// Loads the model once its files are known to be whole, and hands it to the detectors.
public final class SileroLoader: Sendable {
    static let sums = [
        (name: SileroModel.file, sum: "7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49")
    ]

    private let folder: String
    private let trial: @Sendable ([String]) throws -> Void
    private let loaded = Mutex<SileroModel?>(nil)

    /// - Parameters:
    ///   - folder: where `deploy/second-ear` put library and model.
    ///   - trial: is given the files, and works with them in another process, for a program that must not crash by what
    ///     is damaged; throws where that fails.
    public init(folder: String, trial: @escaping @Sendable (_ files: [String]) throws -> Void = { _ in }) {
        self.folder = folder
        self.trial = trial
    }

    /// One that has loaded a model, for tests.
    init(loaded model: SileroModel) {
        (folder, trial) = ("", { _ in })
        loaded.withLock { $0 = model }
    }

    /// The first file that is missing; nil where none is.
    public static func missing(in folder: String) -> String? {
        FileSums(sums + [(name: OnnxLibrary.file, sum: "")]).missing(in: folder)
    }

    /// Checks and loads the model. Takes as long as hashing and the trial do: not for the pool of tasks.
    /// - Throws: `OnnxError` for files that are missing or damaged, and the trial's error.
    public func load() throws {
        let advice = "Get it with deploy/second-ear"
        if let name = Self.missing(in: folder) {
            throw OnnxError(call: "voice activity", detail: "\(folder)/\(name) is missing. \(advice)")
        }
        guard let librarySum = OnnxLibrary.sum else {
            throw OnnxError(call: "voice activity", detail: "ONNX Runtime is not supported on this processor")
        }
        if let damage = try FileSums(Self.sums + [(name: OnnxLibrary.file, sum: librarySum)]).damage(in: folder) {
            throw OnnxError(call: "voice activity", detail: "damaged files in \(folder): \(damage). \(advice)")
        }
        try trial([OnnxLibrary.file, SileroModel.file].map { "\(folder)/\($0)" })
        let model = try SileroModel(folder: folder)
        loaded.withLock { $0 = model }
    }

    /// The model, once it is loaded.
    var model: SileroModel? { loaded.withLock { $0 } }

    /// Judges a second of silence. For a process that may crash.
    /// - Throws: `OnnxError`.
    public static func tryHere(folder: String) throws {
        let stream = try SileroModel(folder: folder).stream()
        for _ in 0..<32 { _ = try stream.probability(of: [Int16](repeating: 0, count: SileroModel.frame)) }
    }
}
