import Foundation
import Testing

@testable import IntentEncoder

/// The sentence encoder where deploy/test put it.
enum InstalledEncoder {
    /// Nil where it could not be had; what needs it is skipped then.
    static let folder: String? = {
        let folder = ProcessInfo.processInfo.environment["VANORB_ENCODER"] ?? ""
        return !folder.isEmpty && MiniLM.missing(in: folder) == nil ? folder : nil
    }()

    static let missing: Comment = "the sentence encoder is not in VANORB_ENCODER; deploy/test says why"

    /// Loaded once for all tests.
    static let encoder = Result { try MiniLM(folder: try #require(folder)) }
}

/// A folder that goes when the test does.
final class ScratchFolder {
    let path = FileManager.default.temporaryDirectory.path + "/encoder-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// An encoder of made-up weights, too small to mean anything, in a file of the real format.
struct SmallEncoder {
    static let shape = MiniLM.Shape(width: 32, wide: 48, heads: 4, layers: 2, positions: 64, pieces: 8)
    static let vocabulary = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nheat\nlight\n##s\non\n"

    private let folder: ScratchFolder
    var weights: String { folder.path + "/model.safetensors" }
    var words: String { folder.path + "/vocab.txt" }

    /// - Parameter change: what is done to the file of weights before it is written.
    init(change: (Data) -> Data = { $0 }) throws {
        folder = try ScratchFolder()
        try change(Self.file()).write(to: URL(filePath: weights))
        try Self.vocabulary.write(toFile: words, atomically: true, encoding: .utf8)
    }

    func load() throws -> MiniLM {
        try MiniLM(weights: weights, vocabulary: words, identity: "small", Self.shape)
    }

    private static var tensors: [(name: String, shape: [Int])] {
        let width = shape.width, wide = shape.wide
        func linear(_ name: String, _ inputs: Int, _ outputs: Int) -> [(String, [Int])] {
            [("\(name).weight", [outputs, inputs]), ("\(name).bias", [outputs])]
        }
        func norm(_ name: String) -> [(String, [Int])] { [("\(name).weight", [width]), ("\(name).bias", [width])] }
        var all: [(String, [Int])] = [
            ("embeddings.word_embeddings.weight", [shape.pieces, width]),
            ("embeddings.position_embeddings.weight", [shape.positions, width]),
            ("embeddings.token_type_embeddings.weight", [2, width]),
        ]
        all += norm("embeddings.LayerNorm")
        for layer in 0..<shape.layers {
            let name = "encoder.layer.\(layer)"
            for part in ["query", "key", "value"] { all += linear("\(name).attention.self.\(part)", width, width) }
            all += linear("\(name).attention.output.dense", width, width) + norm("\(name).attention.output.LayerNorm")
            all += linear("\(name).intermediate.dense", width, wide) + linear("\(name).output.dense", wide, width)
            all += norm("\(name).output.LayerNorm")
        }
        return all
    }

    /// Weights that are all different, and the same on every run.
    private static func file() -> Data {
        var header: [String: Any] = [:]
        var numbers: [Float] = []
        var state: UInt64 = 1
        for (name, shape) in tensors {
            let count = shape.reduce(1, *)
            header[name] = [
                "dtype": "F32", "shape": shape, "data_offsets": [numbers.count * 4, (numbers.count + count) * 4],
            ]
            for _ in 0..<count {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                numbers.append(Float(Int64(bitPattern: state) >> 40) / Float(1 << 23))
            }
        }
        let text = (try? JSONSerialization.data(withJSONObject: header)) ?? Data()
        return withUnsafeBytes(of: UInt64(text.count).littleEndian) { Data($0) } + text
            + numbers.withUnsafeBytes { Data($0) }
    }
}
