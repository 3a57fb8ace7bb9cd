import Foundation

/// A file of tensors in the safetensors format: the length of the header (u64, little-endian), the header (JSON: name →
/// kind, shape, where the numbers begin and end), the numbers.
final class TensorFile {
    private struct Tensor: Decodable {
        let kind: String
        let shape: [Int]
        let range: [Int]

        enum CodingKeys: String, CodingKey {
            case kind = "dtype"
            case shape
            case range = "data_offsets"
        }
    }

    /// More than any header has.
    private static let longestHeader = 1 << 20

    private let path: String
    private let handle: FileHandle
    private let tensors: [String: Tensor]
    private let start: UInt64

    /// - Throws: `EncoderError` when the file cannot be read, or is something else.
    init(path: String) throws {
        self.path = path
        guard let handle = FileHandle(forReadingAtPath: path) else { throw EncoderError("\(path) cannot be read") }
        self.handle = handle
        let first = (try? handle.read(upToCount: 8)) ?? Data()
        let length = first.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard first.count == 8, length > 0, length < Self.longestHeader,
            let header = try? handle.read(upToCount: Int(length)),
            let all = try? JSONSerialization.jsonObject(with: header) as? [String: Any]
        else { throw EncoderError("\(path) has no tensors") }
        start = 8 + length
        tensors = all.compactMapValues { entry in
            guard let data = try? JSONSerialization.data(withJSONObject: entry) else { return nil }
            return try? JSONDecoder().decode(Tensor.self, from: data)
        }
    }

    deinit { try? handle.close() }

    /// Reads a tensor row by row, at most `rows` of them at a time, so that it is never in memory as a whole.
    /// - Throws: `EncoderError` when it is not there, or has another shape.
    func read(
        _ name: String, _ shape: [Int], rows: Int = 1024, _ body: (UnsafeBufferPointer<Float>) -> Void
    ) throws {
        let size = shape.reduce(MemoryLayout<Float>.size, *)
        guard let tensor = tensors[name], tensor.kind == "F32", tensor.shape == shape, tensor.range.count == 2,
            tensor.range[0] >= 0, tensor.range[1] - tensor.range[0] == size
        else { throw EncoderError("\(path) has no tensor \(name) of \(shape)") }
        let step = rows * size / max(1, shape.first ?? 1)
        try handle.seek(toOffset: start + UInt64(tensor.range[0]))
        var left = size
        while left > 0 {
            guard let part = try handle.read(upToCount: min(step, left)), part.count == min(step, left) else {
                throw EncoderError("\(path) ends too early")
            }
            // All boards are little-endian, as the file is.
            part.withUnsafeBytes { $0.withMemoryRebound(to: Float.self, body) }
            left -= part.count
        }
    }

    /// A tensor of one row.
    func row(_ name: String, _ count: Int) throws -> [Float] {
        var numbers: [Float] = []
        try read(name, [count], rows: count) { numbers += $0 }
        return numbers
    }
}
