import Domain
import Foundation
import OnnxRuntime

/// Moonshine tiny-en: an encoder that makes features of a whole utterance, and a decoder that writes tokens from them.
/// Used by one actor at a time.
final class MoonshineModel {
    static let layers = 6, heads = 8, headSize = 36, width = 288
    /// Samples that one frame of the encoder stands for; the decoder's mask counts them so.
    static let frame = 384
    /// The names of the model's files in its folder.
    static let files = (
        encoder: "encoder_model.ort", decoder: "decoder_model_merged.ort", tokeniser: "tokenizer.bin"
    )

    let library: OnnxLibrary
    let tokeniser: Tokeniser
    private let encoder: OnnxSession
    fileprivate let decoder: OnnxSession

    /// Loads the model of a folder.
    /// - Throws: `OnnxError`.
    init(folder: String, _ settings: OnnxSettings) throws {
        let table = try MappedFile(path: "\(folder)/\(Self.files.tokeniser)")
        tokeniser = try Tokeniser(Array(UnsafeRawBufferPointer(start: table.start, count: table.count)))
        library = try OnnxLibrary(path: "\(folder)/\(OnnxLibrary.file)")
        encoder = try OnnxSession(library, model: MappedFile(path: "\(folder)/\(Self.files.encoder)"), settings)
        decoder = try OnnxSession(library, model: MappedFile(path: "\(folder)/\(Self.files.decoder)"), settings)
    }

    private static let waveform = CName("input_values"), waveformMask = CName("attention_mask")
    private static let features = CName("last_hidden_state")

    /// Encodes an utterance for decoding.
    /// - Parameter samples: 16 kHz mono, −1…1.
    /// - Throws: `OnnxError`.
    func encode(_ samples: [Float], rows: Int, steps: Int, stop: OnnxStop) throws -> MoonshineDecoding {
        var samples = samples, mask = [Int64](repeating: 1, count: samples.count)
        let count = samples.count
        return try samples.withUnsafeMutableBufferPointer { samples in
            try mask.withUnsafeMutableBufferPointer { mask in
                guard let start = samples.baseAddress, let maskStart = mask.baseAddress else {
                    throw OnnxError(call: "encode", detail: "the utterance is empty")
                }
                let inputs = [
                    (Self.waveform, try encoder.tensor(start, [1, count])),
                    (Self.waveformMask, try encoder.tensor(maskStart, [1, count])),
                ]
                return try encoder.run(stop, inputs, reading: Self.features) { shape, values in
                    guard shape.count == 3, shape[2] == Self.width, shape[1] > 0 else {
                        throw OnnxError(call: "encoder", detail: "its output has the shape \(shape)")
                    }
                    return MoonshineDecoding(
                        self, EncodedUtterance(features: values, frames: shape[1], samples: count), rows: rows,
                        steps: steps, stop: stop)
                }
            }
        }
    }
}

/// What the encoder made of an utterance.
struct EncodedUtterance {
    /// A row of `MoonshineModel.width` for each frame; valid during the call only.
    let features: UnsafePointer<Float>
    let frames: Int, samples: Int
}

/// The decoding of one utterance, with several hypotheses at once: a row each.
///
/// All memory is allocated at the beginning, but for the library's own small objects.
final class MoonshineDecoding {
    private typealias Memory = UnsafeMutablePointer<Float>

    private let model: MoonshineModel
    private let stop: OnnxStop
    private let frames: Int, stepLimit: Int
    /// How long the utterance is.
    let samples: Int
    private let features: Memory, mask: UnsafeMutablePointer<Int64>, tokens: UnsafeMutablePointer<Int64>
    private let isLater: UnsafeMutablePointer<Bool>
    /// Keys and values of the sound. One row of sound and of its mask serves all hypotheses: the decoder broadcasts a
    /// batch of one.
    private let sound: [Memory]
    /// Keys and values of the text, and the buffers that the next step writes.
    private var written: [Memory], next: [Memory]
    /// The model's scores of the last step, row by row.
    let scores: UnsafeMutablePointer<Float>
    /// Tokens written so far.
    private(set) var steps = 0
    private var rows = 1

    private static let kinds = ["key", "value"]
    private static func names(_ prefix: String, _ part: String) -> [CName] {
        (0..<MoonshineModel.layers).flatMap { layer in
            kinds.map { CName("\(prefix).\(layer).\(part).\($0)") }
        }
    }
    private static let pastWritten = names("past_key_values", "decoder")
    private static let pastSound = names("past_key_values", "encoder")
    private static let presentWritten = names("present", "decoder")
    private static let presentSound = names("present", "encoder")
    private static let maskName = CName("encoder_attention_mask"), tokenName = CName("input_ids")
    private static let featureName = CName("encoder_hidden_states"), flagName = CName("use_cache_branch")
    private static let scoreName = CName("logits")

    private var cell: Int { MoonshineModel.heads * MoonshineModel.headSize }
    private var maskLength: Int { MoonshineModel.frame * (frames - 1) + 1 }

    fileprivate init(
        _ model: MoonshineModel, _ utterance: EncodedUtterance, rows: Int, steps: Int, stop: OnnxStop
    ) {
        samples = utterance.samples
        self.model = model
        self.stop = stop
        frames = utterance.frames
        stepLimit = steps
        let cell = MoonshineModel.heads * MoonshineModel.headSize
        let size = frames * MoonshineModel.width
        features = .allocate(capacity: size)
        features.initialize(from: utterance.features, count: size)
        let length = MoonshineModel.frame * (frames - 1) + 1
        mask = .allocate(capacity: length)
        mask.initialize(repeating: 1, count: length)
        tokens = .allocate(capacity: rows)
        tokens.initialize(repeating: 0, count: rows)
        isLater = .allocate(capacity: 1)
        isLater.initialize(to: false)
        func memory(_ count: Int) -> [Memory] {
            (0..<MoonshineModel.layers * 2).map { _ in
                let memory = Memory.allocate(capacity: count)
                memory.initialize(repeating: 0, count: count)
                return memory
            }
        }
        sound = memory(frames * cell)
        written = memory(rows * (steps + 1) * cell)
        next = memory(rows * (steps + 1) * cell)
        scores = .allocate(capacity: rows * model.tokeniser.count)
        scores.initialize(repeating: 0, count: rows * model.tokeniser.count)
    }

    deinit {
        for memory in sound + written + next + [features, scores] { memory.deallocate() }
        mask.deallocate()
        tokens.deallocate()
        isLater.deallocate()
    }

    /// True when no more tokens can be written.
    var isFull: Bool { steps >= stepLimit }

    /// Restarts with the first token of a single row.
    /// - Throws: `OnnxError`.
    func begin(_ token: Int32) throws {
        tokens[0] = Int64(token)
        rows = 1
        steps = 0
        try run(withSound: true)
    }

    /// Writes the next token of each row, which continues any row of the step before.
    /// - Throws: `OnnxError`.
    func step(_ next: [(row: Int, token: Int32)]) throws {
        let isSame = next.count <= rows && next.enumerated().allSatisfy { $0.offset == $0.element.row }
        if !isSame { arrange(next) }
        for (row, entry) in next.enumerated() { tokens[row] = Int64(entry.token) }
        rows = next.count
        try run(withSound: false)
    }

    private func arrange(_ next: [(row: Int, token: Int32)]) {
        let size = steps * cell
        for (from, to) in zip(written, self.next) {
            for (row, entry) in next.enumerated() {
                (to + row * size).update(from: from + entry.row * size, count: size)
            }
        }
        swap(&written, &self.next)
    }

    private func run(withSound isFirst: Bool) throws {
        let decoder = model.decoder
        isLater.pointee = !isFirst
        func shape(_ rows: Int, _ length: Int) -> [Int] {
            [rows, MoonshineModel.heads, length, MoonshineModel.headSize]
        }
        var inputs: [(CName, OnnxSession.Tensor)] = [
            (Self.maskName, try decoder.tensor(mask, [1, maskLength])),
            (Self.tokenName, try decoder.tensor(tokens, [rows, 1])),
            (Self.featureName, try decoder.tensor(features, [1, frames, MoonshineModel.width])),
            (Self.flagName, try decoder.tensor(isLater, [1])),
        ]
        var outputs: [(CName, OnnxSession.Tensor)] = [
            (Self.scoreName, try decoder.tensor(scores, [rows, 1, model.tokeniser.count]))
        ]
        for place in sound.indices {
            inputs.append((Self.pastWritten[place], try decoder.tensor(written[place], shape(rows, steps))))
            inputs.append((Self.pastSound[place], try decoder.tensor(sound[place], shape(1, frames))))
            outputs.append((Self.presentWritten[place], try decoder.tensor(next[place], shape(rows, steps + 1))))
            if isFirst {
                outputs.append((Self.presentSound[place], try decoder.tensor(sound[place], shape(1, frames))))
            }
        }
        try decoder.run(stop, inputs, writing: outputs)
        swap(&written, &next)
        steps += 1
    }
}

/// The hashes of the model's files.
enum ModelFiles {
    static let sums = [
        (name: MoonshineModel.files.encoder, sum: "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221"),
        (name: MoonshineModel.files.decoder, sum: "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"),
        (name: MoonshineModel.files.tokeniser, sum: "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d"),
    ]

    /// The first file that is missing; nil where none is.
    static func missing(in folder: String) -> String? {
        FileSums(sums + [(name: OnnxLibrary.file, sum: "")]).missing(in: folder)
    }

    /// Compares the files with their hashes, which takes 0.2 s.
    /// - Throws: `OnnxError` that names a file that is missing or damaged.
    static func check(_ folder: String) throws {
        let advice = "Get it with deploy/second-ear"
        if let name = missing(in: folder) {
            throw OnnxError(call: "constrained recogniser", detail: "\(folder)/\(name) is missing. \(advice)")
        }
        guard let librarySum = OnnxLibrary.sum else {
            throw OnnxError(
                call: "constrained recogniser", detail: "ONNX Runtime is not supported on this processor")
        }
        let all = FileSums(sums + [(name: OnnxLibrary.file, sum: librarySum)])
        if let damage = try all.damage(in: folder) {
            throw OnnxError(
                call: "constrained recogniser", detail: "damaged files in \(folder): \(damage). \(advice)")
        }
    }
}
