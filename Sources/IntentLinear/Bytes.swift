import Domain
import Foundation

/// The hash over words of 8 bytes, little-endian. What does not fill a word is left out; the file is padded.
func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.withUnsafeBytes { raw in
        var hash = StableHash()
        for offset in stride(from: 0, to: raw.count - raw.count % 8, by: 8) {
            hash.add(word: UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        }
        return hash.value
    }
}

/// Puts numbers one after the other, little-endian.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

    /// Its length and its UTF-8.
    mutating func append(_ text: String) {
        append(UInt32(text.utf8.count))
        append(Array(text.utf8))
    }

    /// Pads the file, puts the checksum last, and writes it atomically.
    /// - Throws: `IntentModelFileError` when it cannot be written.
    mutating func save(to path: String) throws(IntentModelFileError) {
        pad()
        append(checksum(of: bytes[...]))
        do {
            try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw IntentModelFileError(
                path: path, reason: .inaccessible, detail: "it cannot be written (\(error.localizedDescription))")
        }
    }

    /// Zeros up to a multiple of 8 bytes.
    mutating func pad() {
        while bytes.count % 8 != 0 { bytes.append(0) }
    }
}

/// Takes numbers one after the other, and never reads past the end.
struct ByteReader {
    private let bytes: [UInt8]
    private let path: String
    private var offset = 0

    /// Reads what a file begins with.
    /// - Throws: `IntentModelFileError` when it is another kind of file, or of another version.
    init(bytes: [UInt8], path: String, magic: String, version: UInt16) throws(IntentModelFileError) {
        self.bytes = bytes
        self.path = path
        guard bytes.starts(with: magic.utf8) else {
            throw IntentModelFileError(path: path, reason: .notAModel, detail: "it does not begin with \(magic)")
        }
        offset = magic.utf8.count
        let found: UInt16 = try number()
        guard found == version else {
            throw IntentModelFileError(
                path: path, reason: .wrongVersion(Int(found)), detail: "it has version \(found), not \(version)")
        }
    }

    /// The bytes of a file.
    /// - Throws: `IntentModelFileError` when it cannot be read.
    static func bytes(of path: String) throws(IntentModelFileError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            throw IntentModelFileError(
                path: path, reason: .inaccessible, detail: "it cannot be read (\(error.localizedDescription))")
        }
    }

    /// - Throws: `IntentModelFileError` when the file ends too early.
    mutating func number<Number: FixedWidthInteger>() throws(IntentModelFileError) -> Number {
        let start = try advance(MemoryLayout<Number>.size)
        return bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Number.self)) }
    }

    /// - Throws: `IntentModelFileError` when the file ends too early; nothing is allocated then.
    mutating func array<Number: FixedWidthInteger>(
        of type: Number.Type, count: Int
    ) throws(IntentModelFileError) -> [Number] {
        let size = MemoryLayout<Number>.size
        let start = try advance(count * size)
        guard count > 0 else { return [] }
        return bytes.withUnsafeBytes { raw in
            [Number](unsafeUninitializedCapacity: count) { room, initialised in
                UnsafeMutableRawBufferPointer(room).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: raw[start..<(start + count * size)])
                )
                initialised = count
                // Nothing to do where the processor is little-endian, as all our boards are.
                if Number(littleEndian: 1) != 1 { for index in room.indices { room[index] = room[index].byteSwapped } }
            }
        }
    }

    mutating func doubles(_ count: Int) throws(IntentModelFileError) -> [Double] {
        try array(of: UInt64.self, count: count).map { Double(bitPattern: $0) }
    }

    mutating func floats(_ count: Int) throws(IntentModelFileError) -> [Float] {
        try array(of: UInt32.self, count: count).map { Float(bitPattern: $0) }
    }

    mutating func text() throws(IntentModelFileError) -> String {
        let length: UInt32 = try number()
        guard let text = String(validating: try array(of: UInt8.self, count: Int(length)), as: UTF8.self) else {
            throw damaged("a name in it is not UTF-8")
        }
        return text
    }

    mutating func skipPadding() throws(IntentModelFileError) { _ = try advance((8 - offset % 8) % 8) }

    /// Compares the checksum, which is last.
    mutating func finish() throws(IntentModelFileError) {
        let computed = checksum(of: bytes[..<offset])
        let stored: UInt64 = try number()
        guard stored == computed, offset == bytes.count else { throw damaged("its checksum is wrong") }
    }

    func damaged(_ detail: String) -> IntentModelFileError {
        IntentModelFileError(path: path, reason: .damaged, detail: detail)
    }

    private mutating func advance(_ count: Int) throws(IntentModelFileError) -> Int {
        guard count <= bytes.count - offset else {
            throw IntentModelFileError(
                path: path, reason: .truncated, detail: "it ends after \(bytes.count) bytes, before its end"
            )
        }
        defer { offset += count }
        return offset
    }
}
