import Foundation

/// A pronunciation dictionary in CMU's format: a line for each pronunciation, `word PH ON ES`, further ones as
/// `word(2) PH ON ES`.
///
/// The file is mapped and its lines are scanned in place: of 134,000 lines a vocabulary needs a thousand or two.
struct CMUDictionary {
    private let data: Data

    /// Maps the file at `path`.
    /// - Throws: `PocketSphinxError` that names the file.
    init(path: String) throws {
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw PocketSphinxError(call: "dictionary", detail: "cannot read \(path): \(error.localizedDescription)")
        }
    }

    /// The pronunciations of those of `words` that are in the dictionary, in the file's order.
    func pronunciations(of words: [String]) -> [String: [[String]]] {
        var wanted: [UInt64: [UInt8]] = [:]
        wanted.reserveCapacity(words.count)
        for word in words {
            let bytes = Array(word.utf8)
            wanted[bytes.withUnsafeBytes { Self.hash($0) }] = bytes
        }
        var found: [String: [[String]]] = [:]
        data.withUnsafeBytes { file in
            var start = 0
            while start < file.count {
                let line = UnsafeRawBufferPointer(rebasing: file[start..<Self.end(of: 0x0A, in: file, from: start)])
                start += line.count + 1
                let nameEnd = Self.end(of: 0x20, in: line, from: 0)
                guard nameEnd > 0, nameEnd < line.count else { continue }
                let name = Self.withoutVariant(UnsafeRawBufferPointer(rebasing: line[..<nameEnd]))
                guard let word = wanted[Self.hash(name)], word.elementsEqual(name) else { continue }
                let phones = String(decoding: line[(nameEnd + 1)...], as: UTF8.self)
                found[String(decoding: word, as: UTF8.self), default: []].append(
                    phones.split { $0 == " " || $0 == "\r" || $0 == "\t" }.map(String.init))
            }
        }
        return found
    }

    private static func end(of byte: Int32, in buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = buffer.baseAddress, start < buffer.count,
            let hit = memchr(base + start, byte, buffer.count - start)
        else { return buffer.count }
        return UnsafeRawPointer(hit) - base
    }

    /// `word(2)` without `(2)`.
    private static func withoutVariant(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard name.count > 3, name[name.count - 1] == 0x29 else { return name }
        var index = name.count - 2
        while index > 0, (0x30...0x39).contains(name[index]) { index -= 1 }
        guard index > 0, name[index] == 0x28 else { return name }
        return UnsafeRawBufferPointer(rebasing: name[..<index])
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
